use crate::analysis::unicode::{looks_like, not_ascii};
use crate::texts::each_text;
use crate::{Applicability, Check, Deed, Example, Group, Mark, Report, Rule, Subject};
use skill::Severity;
use skill::source::Span;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "unicode-homoglyph",
    group: Group::Security,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Letter from another script", "混入形近字母"),
    what: Wording::new(
        "A Cyrillic or Greek letter that looks like a Latin one and is followed by a Latin letter of the same word, in any text or file name.",
        "任意文本或文件名中，有形似拉丁字母的西里尔或希腊字母，且后面紧跟同一单词的拉丁字母。",
    ),
    why: Wording::new(
        "A name, host or command that looks right is a different one.",
        "看起来正确的名称、主机或命令，其实是另一个。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        "---\nname: demo\ndescription: Use when asked for a demo.\n---\nLog in to p\u{430}ypal first.\n",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        "---\nname: demo\ndescription: Use when asked for a demo.\n---\nThe Russian for it is \u{438}\u{43D}\u{442}\u{435}\u{433}\u{440}\u{430}\u{446}\u{438}\u{44F}; Δt and kΩ are units.\n",
    )]),
    hides: &[],
    marks: &[Mark::Evidence(Deed::Hides)],
    source: "cisco-ai-skill-scanner HOMOGLYPH_ATTACK; UTS 39",
    fix: Some(Applicability::Unsafe),
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    each_text(skill, |path, text| {
        for (span, word) in mixed_words(text).into_iter().take(MOST) {
            let latin = in_latin(word);
            let message = message!(
                "`{word}` is not `{latin}`: {} of its letters are Cyrillic or Greek; write them in Latin",
                "`{word}` 并不是 `{latin}`：其中 {} 个字母是西里尔或希腊字母，请改用拉丁字母",
                strange(word)
            );
            let line = line_around(text, span).to_lowercase();
            let finding = report.at(path, span, message);
            if ["cyrillic", "homoglyph", "look-alike", "lookalike", "西里尔", "同形"]
                .iter()
                .any(|word| line.contains(word))
            {
                finding.weigh_less(Wording::new("the line speaks of such letters", "这一行正在讲这类字母"));
            } else {
                finding.replace(message!("Write {latin}", "改为 {latin}"), span, latin);
            }
        }
    });
    for file in &skill.skill.files {
        if let Some((_, word)) = mixed_words(&file.name).first() {
            let message = message!(
                "the file name has `{word}`, which is not `{}`: rename it",
                "文件名中的 `{word}` 并不是 `{}`，请重命名",
                in_latin(word)
            );
            report.about(&file.path, message);
        }
    }
}

const MOST: usize = 20;

/// As far as 200 bytes to either side.
fn line_around(text: &str, span: Span) -> &str {
    let from = text.floor_char_boundary(span.start.saturating_sub(200));
    let to = text.ceil_char_boundary((span.end + 200).min(text.len()));
    let start = text[from..span.start].rfind('\n').map_or(from, |at| from + at + 1);
    let end = text[span.end..to].find('\n').map_or(to, |at| span.end + at);
    &text[start..end]
}

fn mixed_words(text: &str) -> Vec<(Span, &str)> {
    let mut found = Vec::new();
    if text.is_ascii() {
        return found;
    }
    let mut end_of_last = 0;
    for (at, letter) in not_ascii(text) {
        if !('\u{370}'..='\u{52F}').contains(&letter) || at < end_of_last {
            continue;
        }
        let is_part = |letter: char| letter.is_alphanumeric();
        let start = text[end_of_last..at]
            .char_indices()
            .rev()
            .take_while(|(_, letter)| is_part(*letter))
            .last()
            .map_or(at, |(start, _)| end_of_last + start);
        let end =
            text[at..].char_indices().find(|(_, letter)| !is_part(*letter)).map_or(text.len(), |(end, _)| at + end);
        end_of_last = end;
        let word = &text[start..end];
        if is_mixed(word) {
            found.push((Span::new(start, end), word));
        }
    }
    found
}

/// All its strange letters pass for Latin ones, and one is before a Latin letter: not a Latin stem with a Russian
/// ending.
fn is_mixed(word: &str) -> bool {
    let fits = |letter: char| letter.is_ascii_alphanumeric() || looks_like(letter).is_some();
    let pairs = word.chars().zip(word.chars().skip(1));
    let latin = word.chars().filter(char::is_ascii_alphabetic).count();
    // `ρgL` is a formula.
    let is_greek = word.chars().any(|letter| ('\u{370}'..='\u{3FF}').contains(&letter));
    latin >= if is_greek { 4 } else { 2 }
        && word.chars().all(fits)
        && pairs.into_iter().any(|(letter, next)| looks_like(letter).is_some() && next.is_ascii_alphabetic())
}

fn in_latin(word: &str) -> String {
    word.chars().map(|letter| looks_like(letter).unwrap_or(letter)).collect()
}

fn strange(word: &str) -> usize {
    word.chars().filter(|letter| looks_like(*letter).is_some()).count()
}
