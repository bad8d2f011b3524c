use crate::analysis::unicode::{is_bidi, is_right_to_left, not_ascii};
use crate::newlines::whole_lines;
use crate::texts::each_text;
use crate::{Applicability, Check, Deed, Example, Group, Mark, Report, Rule, Subject};
use skill::Severity;
use skill::source::Span;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "unicode-bidi",
    group: Group::Security,
    severity: Severity::Error,
    on: true,
    title: Wording::new("Text direction is turned around", "双向控制字符"),
    what: Wording::new(
        "Overrides of text direction (U+202D, U+202E) anywhere, and embeddings or isolates on lines without a letter of a script written from right to left.",
        "任何位置的文字方向覆盖符（U+202D、U+202E），以及没有从右到左文字的行里的嵌入符或隔离符。",
    ),
    why: Wording::new(
        "What a reviewer sees is not what runs or what the model reads (\"Trojan Source\").",
        "审查者看到的，并不是实际运行或模型读到的内容（“Trojan Source”）。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        "---\nname: demo\ndescription: Use when asked for a demo.\n---\nOnly `admin\u{202E} ;)rf- mr( nur` may do it.\n",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        "---\nname: demo\ndescription: Use when asked for a demo.\n---\nThe word \u{2067}שלום\u{2069} means peace.\n",
    )]),
    hides: &[],
    marks: &[Mark::Evidence(Deed::Hides)],
    source: "skillsaw; cisco-ai-skill-scanner; CVE-2021-42574",
    fix: Some(Applicability::Unsafe),
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    each_text(skill, |path, text| {
        if !not_ascii(text).any(|(_, letter)| is_bidi(letter)) {
            return;
        }
        let (mut start, mut said) = (0, 0);
        for line in whole_lines(text) {
            if !line.is_ascii() {
                let has_reason = line.chars().any(is_right_to_left);
                for (at, letter) in line.char_indices().filter(|(_, letter)| is_bidi(*letter)) {
                    if (has_reason && !matches!(letter, '\u{202D}' | '\u{202E}')) || said >= MOST {
                        continue;
                    }
                    // A mark alone in a code span is only shown.
                    let next = &line[at + letter.len_utf8()..];
                    if line[..at].ends_with('`') && next.starts_with('`') {
                        continue;
                    }
                    said += 1;
                    let span = Span::new(start + at, start + at + letter.len_utf8());
                    let message = message!(
                        "U+{:04X} changes the order in which this line is shown: delete it",
                        "U+{:04X} 会改变这一行的显示顺序，请删除",
                        u32::from(letter)
                    );
                    report.at(path, span, message).replace(Wording::new("Delete the mark", "删除该字符"), span, "");
                }
            }
            start += line.len();
        }
    });
}

const MOST: usize = 20;
