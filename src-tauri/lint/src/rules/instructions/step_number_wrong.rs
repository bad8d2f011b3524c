use crate::analysis::steps;
use crate::markdown::List;
use crate::texts::{Page, for_each_page};
use crate::{Applicability, Check, Edit, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::source::Span;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "step-number-wrong",
    group: Group::Instructions,
    severity: Severity::Warning,
    on: false,
    title: Wording::new("Steps are not numbered in order", "步骤编号不连续"),
    what: Wording::new(
        "A numbered list, or headings such as `Step 3`, in which a number is left out or comes twice. Lists that \
         number every item alike (`1.` `1.` `1.`) are fine. The fix also changes mentions of the steps (\
         `see step 4`), and is not offered if it cannot.",
        "编号列表或 `Step 3` 之类的标题中，有编号缺失或重复。每一项编号都相同的列表（`1.` `1.` `1.`）没有问题。\
         修复会同时更改文中提到的步骤（`see step 4`），做不到时不提供修复。",
    ),
    why: Wording::new(
        "Readers of the raw text look for a step that is not there; in rendered Markdown the numbers differ from \
         those that the text mentions.",
        "读原文的人会去找不存在的步骤；而渲染后的 Markdown 中，编号与文中所说的不一致。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
1. Load it.
2. Check it.
4. Save it.
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
1. Load it.
2. Check it.
3. Save it.
",
    )]),
    hides: &[],
    marks: &[],
    source: "Skill Workbench",
    fix: Some(Applicability::Unsafe),
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    for_each_page(skill, |page| {
        let mut told = 0;
        for list in page.markdown.lists.iter().filter(|list| list.first.is_some()) {
            if let Some((span, found, wanted)) = wrong_item(list, page.text).filter(|_| told < MOST) {
                told += 1;
                // This was meant as a separate list that lost its indentation.
                if found == 1 {
                    let message = message!(
                        "this is item {wanted} of the list above and says 1; indent it, or put a line of text \
                         before it",
                        "这是上面列表的第 {wanted} 项，编号却是 1；缩进它，或在前面加一行文字"
                    );
                    report.at(page.path, span, message);
                    continue;
                }
                let message = message!(
                    "this is item {wanted} of the list and says {found}; write {wanted}",
                    "这是列表的第 {wanted} 项，编号却是 {found}；改为 {wanted}"
                );
                let finding = report.at(page.path, span, message);
                if let Some(edits) = renumbered(skill, page, list) {
                    let title = match edits.len() {
                        1 => message!("Write {wanted}", "改为 {wanted}"),
                        _ => Wording::new(
                            "Number the steps in order, also where the text names them",
                            "按顺序重新编号，包括文中提到的步骤",
                        )
                        .into(),
                    };
                    finding.fixed_by(title, edits);
                }
            }
        }
        // By the level of headings, and by what they call themselves, the last number.
        let mut last = [[0; KINDS]; 7];
        // Numbers that are missing so far may still follow.
        let mut missing = [[0; KINDS]; 7];
        for heading in &page.markdown.headings {
            let level = usize::from(heading.level);
            last[level + 1..].fill([0; KINDS]);
            missing[level + 1..].fill([0; KINDS]);
            let Some(Step { first: number, last: end, is_part, kind }) = step_of(&heading.text) else { continue };
            // Codes of errors, years.
            if number >= FEWEST_OF_CODE {
                continue;
            }
            let (last, missing) = (&mut last[level][kind], &mut missing[level][kind]);
            if is_part {
                *last = number;
                continue;
            }
            if number == *missing {
                *missing = 0;
                continue;
            }
            let wanted = *last + 1;
            if *last > 0 && number != wanted && number != 1 && told < MOST {
                told += 1;
                *missing = wanted;
                let message = message!(
                    "`{}` comes after number {last}; it should be {wanted}",
                    "`{}` 接在编号 {last} 之后；应为 {wanted}",
                    heading.text
                );
                report.at(page.path, heading.span.trim(page.text), message);
            }
            *last = end;
        }
    });
}

/// Numbers from here on count no steps.
const FEWEST_OF_CODE: u32 = 100;
const MOST: usize = 20;
/// Bare numbers, steps, phases, stages.
const KINDS: usize = 4;
/// The number of a heading, and its kind.
const WORDS: [(&str, usize); 6] = [("step ", 1), ("phase ", 2), ("stage ", 3), ("步骤", 1), ("阶段", 2), ("第", 1)];

/// The edits that number a list in order, and those of the mentions of its steps. `None`: which of the steps a text means is
/// not plain, and it would be wrong after them.
fn renumbered(skill: &Subject<'_>, page: Page<'_>, list: &List) -> Option<Vec<Edit>> {
    let numbers = numbers(list, page.text)?;
    let first = numbers.first()?.1;
    let changed: Vec<(Span, u64, u64)> = numbers
        .iter()
        .zip(first..)
        .map(|((span, number), wanted)| (*span, *number, wanted))
        .filter(|(_, number, wanted)| number != wanted)
        .collect();
    // If the number occurs twice, either may be meant.
    let new_number = |old: u64| {
        let same = numbers.iter().filter(|(_, number)| *number == old).count();
        changed.iter().find(|(_, number, _)| *number == old).filter(|_| same == 1).map(|(_, _, new)| *new)
    };
    let is_changed = |old: u64| changed.iter().any(|(_, number, _)| *number == old);
    let edit = |span, number: u64| Edit { path: page.path.to_owned(), span, text: number.to_string() };
    let mut edits: Vec<Edit> = changed.iter().map(|(span, _, new)| edit(*span, *new)).collect();
    let mut is_plain = true;
    let is_alone = page.markdown.lists.iter().filter(|list| list.first.is_some()).count() == 1;
    for (span, number) in steps::numbers(page.text) {
        match number.map(u64::from) {
            Some(old) if !is_changed(old) => {}
            Some(old) if is_alone && !page.markdown.is_code(span.start) && !begins_line(page.text, span) => {
                match new_number(old) {
                    Some(new) => edits.push(edit(span, new)),
                    None => is_plain = false,
                }
            }
            Some(_) | None => is_plain = false,
        }
    }
    for_each_page(skill, |other| {
        if other.file != page.file
            && steps::numbers(other.text).any(|(_, number)| number.is_none_or(|number| is_changed(number.into())))
        {
            let own = steps::steps(other.text, other.markdown);
            is_plain &= own.contains(&1) && own.contains(&2);
        }
    });
    edits.sort_by_key(|edit| edit.span.start);
    is_plain.then_some(edits)
}

/// A step itself, such as the heading `Step 4`.
fn begins_line(text: &str, number: Span) -> bool {
    let line = text[..number.start].rsplit('\n').next().unwrap_or_default();
    line.trim_start_matches(|letter: char| !letter.is_alphabetic()).split_whitespace().count() <= 1
}

fn numbers(list: &List, text: &str) -> Option<Vec<(Span, u64)>> {
    let numbers = list.items.iter().map(|item| {
        let digits = item.of(text).bytes().take_while(u8::is_ascii_digit).count();
        let span = Span::new(item.start, item.start + digits);
        Some((span, span.of(text).parse().ok()?))
    });
    numbers.collect()
}

/// The first number that does not follow the one before: its place, its value, and the right value.
fn wrong_item(list: &List, text: &str) -> Option<(Span, u64, u64)> {
    let numbers = numbers(list, text)?;
    let (_, first) = *numbers.first()?;
    if numbers.iter().all(|(_, number)| *number == first) {
        return None;
    }
    let in_order = numbers.into_iter().zip(first..);
    in_order.map(|((span, number), wanted)| (span, number, wanted)).find(|(_, number, wanted)| number != wanted)
}

/// The numbers of a heading.
struct Step {
    first: u32,
    /// Another one than the first in `Step 2-3`.
    last: u32,
    /// `Step 2a`.
    is_part: bool,
    kind: usize,
}

/// `Step 3: …`, `3. …`, 步骤 3, `Step 3a`, `Step 3-4`; not `3.1`, `3 ways`.
fn step_of(title: &str) -> Option<Step> {
    let begins = |word: &str| title.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
    let word = WORDS.iter().find(|(word, _)| begins(word));
    let kind = word.map_or(0, |(_, kind)| *kind);
    let rest = title[word.map_or(0, |(word, _)| word.len())..].trim_start();
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let first = rest[..digits].parse().ok()?;
    let tail = &rest[digits..];
    if tail.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && !tail[1..].starts_with(|letter: char| letter.is_alphanumeric())
    {
        let is_step = word.is_some() || tail[1..].starts_with(['.', ':', ')', '：', '、']);
        return is_step.then_some(Step { first, last: first, is_part: true, kind });
    }
    let range = tail.strip_prefix(['-', '–', '—', '~']).unwrap_or_default();
    let range = &range[..range.bytes().take_while(u8::is_ascii_digit).count()];
    let last = range.parse().ok().filter(|last| *last > first).unwrap_or(first);
    let mut after = tail.chars();
    let fits = match after.next() {
        None | Some(' ' | '-' | '—' | '–' | '步') => word.is_some(),
        Some('.')
            if after.as_str().starts_with(|letter: char| letter.is_ascii_uppercase())
                && !after.as_str()[1..].starts_with(char::is_alphanumeric) =>
        {
            return Some(Step { first, last: first, is_part: true, kind });
        }
        Some('.' | ':' | '：' | ')' | '、') => !after.next().is_some_and(|letter| letter.is_ascii_digit()),
        Some(_) => false,
    };
    fits.then_some(Step { first, last, is_part: false, kind })
}
