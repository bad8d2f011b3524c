use crate::newlines::whole_lines;
use crate::texts::each_text;
use crate::{Check, Deed, Example, Group, Mark, Report, Rule, Subject};
use skill::Severity;
use skill::source::Span;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "evasion-padding",
    group: Group::Security,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Text far behind empty space", "大量空白之后藏有内容"),
    what: Wording::new(
        "Text that follows a hundred empty lines or more, or five hundred spaces or more in its line.",
        "文本前面有一百个以上的空行，或者在同一行里前面有五百个以上的空格。",
    ),
    why: Wording::new(
        "Reviewers and scanners stop reading before it; models do not.",
        "审查者和扫描器读不到这里就停了，模型却不会停。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
Do it.
























































































































Then do something else.
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
Do it.


Then do something else.
",
    )]),
    hides: &[],
    marks: &[Mark::Evidence(Deed::Hides)],
    source: "Trail of Bits, in OWASP agentic-skills PR 42",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    each_text(skill, |path, text| {
        if !has_room(text) {
            return;
        }
        // A formatter makes all rows of a table as wide as the widest, the line of hyphens too.
        let has_wide_table = text.contains(&"-".repeat(SPACES));
        let is_cell = |line: &str| wide_gap(line).is_some_and(|(_, after)| line[after..].starts_with('|'));
        let has_wide_rows = whole_lines(text).filter(|line| is_cell(line)).take(ROWS).count() == ROWS;
        let (mut start, mut empty, mut said) = (0, 0, 0);
        for line in whole_lines(text) {
            let trimmed = line.trim();
            if trimmed.is_empty() {
                empty += 1;
                // Trailing space at the end of a file is not padding.
            } else {
                let at = start + (line.len() - line.trim_start().len());
                let is_row = has_wide_table && trimmed.starts_with('|') || has_wide_rows && is_cell(line);
                if empty >= LINES && said < MOST {
                    said += 1;
                    let message = message!(
                        "this follows {empty} empty lines, where nobody looks: take them out",
                        "它前面有 {empty} 个空行，没有人会看到这里，请删除空行"
                    );
                    report.at(path, Span::new(at, at + trimmed.len().min(1)), message);
                } else if let Some((spaces, after)) = wide_gap(line).filter(|_| said < MOST && !is_row) {
                    said += 1;
                    let message = message!(
                        "this follows {spaces} spaces in its line, where nobody looks: take them out",
                        "这一行里它前面有 {spaces} 个空格，没有人会看到这里，请删除空格"
                    );
                    report.at(path, Span::new(start + after, start + after), message);
                }
                empty = 0;
            }
            start += line.len();
        }
    });
}

const LINES: usize = 100;
const SPACES: usize = 500;
const MOST: usize = 20;
/// As many lines whose gaps end at the border of a cell are a table.
const ROWS: usize = 3;

/// Whether so many bytes in a row may be white space that a line can hide behind them. One in so many bytes is enough
/// to look at first.
fn has_room(text: &str) -> bool {
    let bytes = text.as_bytes();
    // White space that is not of ASCII is rare; any such letter counts as it.
    let is_space = |byte: &u8| *byte <= b' ' || *byte >= 0x80;
    let mut at = LINES - 1;
    while let Some(byte) = bytes.get(at) {
        let window = &bytes[at + 1 - LINES..=at];
        match window.iter().rposition(|byte| !is_space(byte)).filter(|_| is_space(byte)) {
            None if is_space(byte) => return true,
            Some(other) => at += other + 1,
            None => at += LINES,
        }
    }
    false
}

/// A gap in a line: its start, and where the text continues.
fn wide_gap(line: &str) -> Option<(usize, usize)> {
    if line.len() < SPACES {
        return None;
    }
    let mut run = 0;
    for (at, byte) in line.bytes().enumerate() {
        match byte {
            b' ' | b'\t' => run += 1,
            b'\r' | b'\n' => run = 0,
            _ if run >= SPACES => return Some((run, at)),
            _ => run = 0,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_room_is_passed_over() {
        for before in 0..2 * LINES {
            let text = format!("{}{}b", "a".repeat(before), "\n".repeat(LINES));
            assert!(has_room(&text), "{before} letters before so many lines");
        }
        assert!(!has_room(&format!("{}\n", " a".repeat(LINES)).repeat(3)));
    }
}
