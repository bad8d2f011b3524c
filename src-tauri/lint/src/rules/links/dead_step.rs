use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use regex::Regex;

use super::MOST;
use crate::analysis::steps::{mentions, number_of, steps};
use crate::texts::{Page, for_each_page};
use crate::words::Mark;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::source::Span;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "dead-step",
    group: Group::Links,
    severity: Severity::Info,
    on: false,
    title: Wording::new("Step that is not there", "引用的步骤不存在"),
    what: Wording::new(
        "A mention of a step by number (`go back to step 9`, 第 9 步) in a page whose numbered lists, headings \
         and lines have at least steps 1 and 2, if no page of the skill has such a step. \
         The same goes for phases and stages that the reader is sent to (`go back to phase 9`, 回到阶段 9) if at least \
         the first two are in the skill.",
        "按编号提到的步骤（`go back to step 9`、第 9 步），该页的编号列表、标题或行中至少有第 1、2 步，而技能的所有页面都没有\
         这一步。让读者转到的阶段（`go back to phase 9`、回到阶段 9）同理，前提是技能中至少有前两个阶段。",
    ),
    why: Wording::new(
        "Steps were added or removed, and the agent is sent to one that does not exist.",
        "步骤增减之后，智能体被引到一个不存在的步骤。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
1. Load it.
2. Check it; on errors go back to step 9.
3. Save it.
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
1. Load it.
2. Check it; on errors go back to step 1.
3. Save it.
",
    )]),
    hides: &[],
    marks: &[],
    source: "Skill Workbench",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    dead_phases(skill, report);
    let of_skill: OnceCell<HashSet<u32>> = OnceCell::new();
    for_each_page(skill, |page| {
        if !page.words.has(Mark::Step) {
            return;
        }
        let mut mentions = page
            .markdown
            .prose
            .iter()
            .filter(|prose| page.words.has_within(Mark::Step, **prose))
            .flat_map(|prose| mentions(prose.of(page.text)).map(|(span, step)| (span.shift(prose.start), step)))
            .filter(|(span, _)| is_reference(page.text, *span))
            .peekable();
        if mentions.peek().is_none() {
            return;
        }
        let own = steps(page.text, page.markdown);
        if !own.contains(&1) || !own.contains(&2) {
            return;
        }
        // A page may mention steps of another page.
        let of_skill = of_skill.get_or_init(|| steps_of_all(skill));
        let dead = mentions.filter(|(_, step)| !own.contains(step) && !of_skill.contains(step));
        for (span, step) in dead.take(MOST) {
            let last = (1..).take_while(|number| own.contains(number)).last().unwrap_or_default();
            let message = message!(
                "there is no step {step}: the steps here go to {last}; name the one you mean",
                "没有第 {step} 步：这里的步骤到第 {last} 步为止；写明是哪一步"
            );
            report.at(page.path, span, message);
        }
    });
}

/// Phases may be a page each: those of all pages count.
fn dead_phases(skill: &Subject<'_>, report: &mut Report<'_>) {
    let mut there: HashMap<&str, HashSet<u32>> = HashMap::new();
    let mut mentioned = Vec::new();
    for_each_page(skill, |page| {
        if !page.words.has(Mark::Phase) {
            return;
        }
        for line in lines_with_phases(page) {
            if let Some(found) = PHASE_LINE.captures(line) {
                let numbers: Vec<u32> = numbers_of(&found).collect();
                let (first, last) = (numbers.first().copied(), numbers.last().copied());
                there
                    .entry(word_of(&found))
                    .or_default()
                    .extend(first.zip(last).into_iter().flat_map(|(first, last)| first..=last));
            }
        }
        for prose in page.markdown.prose.iter().filter(|prose| page.words.has_within(Mark::Phase, **prose)) {
            // `Phase 1 takes …, phase 2 …, phase 3 …` counts them out.
            let mut counted = 0;
            for found in PHASE.captures_iter(prose.of(page.text)) {
                let Some(whole) = found.get(0) else { continue };
                let span = Span::new(whole.start(), whole.end()).shift(prose.start);
                let Some(number) = numbers_of(&found).last() else { continue };
                counted = if number == 1 || number == counted + 1 { number } else { 0 };
                if counted < 3 && is_sent_to(page.text, span) && is_reference(page.text, span) {
                    mentioned.push((page.path.to_owned(), span, word_of(&found), number));
                }
            }
        }
    });
    let numbered = OnceCell::new();
    for (path, span, word, number) in mentioned.into_iter().take(MOST) {
        let Some(there) = there.get(word).filter(|there| there.contains(&1) && there.contains(&2)) else { continue };
        // A row `| 8 | …` or an item `8. …` may be the phase.
        let is_numbered = || numbered.get_or_init(|| steps_of_all(skill)).contains(&number);
        if !there.contains(&number) && !has_file(skill, word, number) && !is_numbered() {
            let last = (1..).take_while(|number| there.contains(number)).last().unwrap_or_default();
            let message = message!(
                "there is no {word} {number}: those here go to {last}; name the one you mean",
                "没有阶段 {number}：这里的阶段到 {last} 为止；写明是哪个阶段"
            );
            report.at(&path, span, message);
        }
    }
}

/// Each line that may mention a phase.
fn lines_with_phases<'a>(page: Page<'a>) -> impl Iterator<Item = &'a str> {
    let text = page.text;
    let mut end = 0;
    page.words.places(Mark::Phase).filter_map(move |place| {
        if place.start < end {
            return None;
        }
        let start = text[..place.start].rfind('\n').map_or(0, |before| before + 1);
        end = text[place.end..].find('\n').map_or(text.len(), |after| place.end + after + 1);
        text[start..end].lines().next()
    })
}

/// The numbers of the steps of all pages.
fn steps_of_all(skill: &Subject<'_>) -> HashSet<u32> {
    let mut all = HashSet::new();
    for_each_page(skill, |page| all.extend(steps(page.text, page.markdown)));
    all
}

/// Whether the text sends the reader to a phase: a project may have phases that are not part of the skill.
fn is_sent_to(text: &str, phase: Span) -> bool {
    let start = text.ceil_char_boundary(phase.start.saturating_sub(REACH));
    SENT.is_match(text[start..phase.start].rsplit('\n').next().unwrap_or_default())
}

static SENT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?i)(?:\b(?:go|return|jump|skip|proceed|continue|move|loop|back)(?: (?:back|on|ahead|straight|directly))* (?:to|with|at|from) (?:the )?|\b(?:repeat|redo|rerun) |(?:回到|跳到|返回|重复)\s*)[(*_`\[]*$",
    )
    .expect("a test compiles it")
});

/// Whether a phase is a file: `references/phase-5.md`.
fn has_file(skill: &Subject<'_>, word: &str, number: u32) -> bool {
    skill.skill.files.iter().any(|file| {
        let name = file.name.to_lowercase();
        ["", "-", "_", "-0", "_0", "0"].iter().any(|between| name.contains(&format!("{word}{between}{number}")))
    })
}

/// `phase` or `stage`, whatever the language.
fn word_of(found: &regex::Captures<'_>) -> &'static str {
    if found[0].to_lowercase().contains("stage") { "stage" } else { "phase" }
}

fn numbers_of<'t>(found: &regex::Captures<'t>) -> impl Iterator<Item = u32> {
    let texts: Vec<&'t str> = found.iter().skip(1).flatten().map(|number| number.as_str()).collect();
    texts.into_iter().filter_map(number_of)
}

static PHASE: LazyLock<Regex> = LazyLock::new(|| Regex::new(&phase("")).expect("a test compiles it"));

/// A line that begins as a phase does: `## Phase 2: …`, `| Phase 2 | …`, `**阶段 2**`.
static PHASE_LINE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(&phase(r"^[\s>*_#|+\-\[\]x~`0-9.)]*")).expect("a test compiles it"));

fn phase(start: &str) -> String {
    let numeral = "([0-9]{1,2}|[一二三四五六七八九十]{1,3})";
    let more = r"(?:\s*(?:-|–|—|,|&|/|to|through|and|or)\s*([0-9]{1,2}))?";
    format!(
        r"{start}(?:(?i-u:\b(?:phase|stage)s?)\s+#?([0-9]{{1,2}}){more}(?-u:\b)|第\s*{numeral}\s*阶段|阶段\s*{numeral})"
    )
}

/// A mention of a step of this page: no step itself, and none of another text.
fn is_reference(text: &str, span: Span) -> bool {
    let start = text.ceil_char_boundary(span.start.saturating_sub(REACH));
    let start = text[start..span.start].rfind('\n').map_or(start, |end| start + end + 1);
    let end = text.floor_char_boundary(text.len().min(span.end + REACH));
    let before = &text[start..span.start];
    // `## Step 5: …` and `step 5 of the build` do not send the reader there; `go back to step 5` does.
    let heads = before.trim_start().starts_with('#');
    let step_zero = text[span.start..span.end].trim_end().ends_with(" 0");
    if heads || step_zero || !GOES.is_match(before) {
        return false;
    }
    let after = text[span.end..end].lines().next().unwrap_or_default();
    // The same sentence mentions another text, so the step may be in that.
    let sentence = [last_sentence(before), first_sentence(after)];
    let elsewhere = sentence
        .into_iter()
        .any(|part| part.contains(".md") || part.contains("://") || part.replace("](#", "").contains("]("));
    let counted = after
        .trim_start()
        .strip_prefix("of ")
        .is_some_and(|rest| rest.starts_with(|letter: char| letter.is_ascii_digit()));
    let article = before.split_whitespace().next_back();
    // `/other-skill` Step 9, the installer's step 9.
    let of_named = article.is_some_and(|word| {
        let owner = word.strip_suffix("'s").or_else(|| word.strip_suffix("’s"));
        word.ends_with('`') || owner.is_some_and(|owner| !OWN.contains(&&*owner.to_lowercase()))
    });
    let size = article.is_some_and(|word| word.eq_ignore_ascii_case("a"))
        || [" trial", " clinical", " stud"].iter().any(|of_medicine| after.starts_with(of_medicine))
        || before.ends_with('-')
        || after.starts_with(['.', '-']) && after[1..].starts_with(|letter: char| letter.is_ascii_digit());
    let of_training = [before, after].into_iter().any(|part| {
        let part = part.to_lowercase();
        TRAINING.iter().any(|word| part.contains(word))
    });
    !elsewhere
        && !of_training
        && !of_named
        && !is_of_another(after)
        && !counted
        && !size
        && before.chars().any(char::is_alphanumeric)
}

/// Things that have their own numbered steps.
const TRAINING: [&str; 9] = [
    "training step",
    "global step",
    "global_step",
    "max_step",
    "timestamp",
    "learning rate",
    "optimizer",
    "difficulty",
    "gradient",
];

/// Words that send a reader somewhere, right before the step.
static GOES: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?i)(?:\b(?:to|at|in|from|with|see|repeat|redo|rerun|skip|after|before|until|through|per|do|and|or|this skill's)\s*(?:the\s+)?[(*_`\[]*|(?:到|在|从|见|重复|跳到|执行|回到|进入|参见|完成))\s*$",
    )
    .expect("a test compiles it")
});

/// `of the AWS wizard`, `in the vendor's guide`; not `of this page`.
fn is_of_another(after: &str) -> bool {
    let after = after.trim_start_matches(['*', '_']).to_lowercase();
    let mut words =
        after.split(|letter: char| !letter.is_alphanumeric() && letter != '-').filter(|word| !word.is_empty());
    let belongs = after.starts_with(' ') && words.next().is_some_and(|word| matches!(word, "of" | "in" | "from"));
    match words.next().filter(|_| belongs) {
        Some("the" | "that" | "your" | "its" | "their" | "a" | "an" | "any") => {
            !words.take(3).any(|word| OWN.contains(&word))
        }
        _ => false,
    }
}

/// What a page calls itself and its own steps.
const OWN: [&str; 14] = [
    "page",
    "skill",
    "section",
    "workflow",
    "list",
    "process",
    "procedure",
    "instructions",
    "steps",
    "checklist",
    "above",
    "below",
    "sequence",
    "following",
];

const REACH: usize = 200;
/// What parts sentences, rather than names such as `guide.md`.
const SENTENCE_ENDS: [&str; 5] = [". ", "! ", "? ", "。", "；"];

fn last_sentence(text: &str) -> &str {
    let ends = SENTENCE_ENDS.iter().filter_map(|end| Some(text.rfind(end)? + end.len()));
    &text[ends.max().unwrap_or_default()..]
}

fn first_sentence(text: &str) -> &str {
    let ends = SENTENCE_ENDS.iter().filter_map(|end| text.find(end));
    &text[..ends.min().unwrap_or(text.len())]
}
