use crate::pattern::{Pattern, Patterns, Scope};
use crate::{Check, Example, Group, Rule};
use skill::Severity;
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "weak-words",
    group: Group::Instructions,
    severity: Severity::Info,
    on: false,
    title: Wording::new("Instruction is only a suggestion", "语气过弱的指令"),
    what: Wording::new(
        "Words that make an instruction a wish: `try to`, `you might want to`, `should probably`, `perhaps`, \
           尽量, 可以考虑.",
        "把指令变成愿望的词：`try to`、`you might want to`、`should probably`、`perhaps`、尽量、可以考虑。",
    ),
    why: Wording::new("Models leave out what sounds optional.", "听起来可做可不做的内容，模型会略过。"),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
You might want to check the totals.
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
Check the totals.
",
    )]),
    hides: &[],
    marks: &[],
    source: "skillsaw content-weak-language",
    fix: None,
    check: Check::Pattern(Patterns {
        scope: Scope::Instructions,
        patterns: &[
            Pattern {
                expression: r#"(?i)\b(?:try to|(?:might|may) want to|should probably|perhaps|if possible)\b"#,
                lines: 0,
                message: Wording::new("`{}` sounds optional; say what to do", "`{}` 听起来可做可不做；直接写要做什么"),
            },
            Pattern {
                expression: r#"尽量|可以考虑|最好能|如有可能"#,
                lines: 0,
                message: Wording::new("`{}` sounds optional; say what to do", "`{}` 听起来可做可不做；直接写要做什么"),
            },
        ],
        unless: Some(|found| found.in_code),
        milder: None,
    }),
};
