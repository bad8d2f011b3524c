use crate::pattern::{Pattern, Patterns, Scope};
use crate::{Check, Example, Group, Rule};
use skill::Severity;
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "think-step-by-step",
    group: Group::Instructions,
    severity: Severity::Info,
    on: false,
    title: Wording::new("Asks to think step by step", "要求逐步思考"),
    what: Wording::new(
        "`think step by step`, 一步一步思考 and the like.",
        "`think step by step`、一步一步思考等说法。",
    ),
    why: Wording::new(
        "Today's models reason by themselves; on simple work the words only make answers longer.",
        "如今的模型会自行推理；对简单的任务，这句话只会让回答变长。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
Think step by step, then convert the unit.
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
Convert the unit step by step:

1. Find the factor.
2. Multiply.
",
    )]),
    hides: &[],
    marks: &[],
    source: "agnix PE-002",
    fix: None,
    check: Check::Pattern(Patterns {
        scope: Scope::Instructions,
        patterns: &[
            Pattern {
                expression: r#"(?i)\bthink(?:ing)?\s+(?:(?:about|through)\s+(?:it|this)\s+)?step[ -]by[ -]step\b"#,
                lines: 0,
                message: Wording::new(
                    "`{}` is not needed; name the steps, or delete it",
                    "`{}` 没有必要；写出具体步骤，或删除它",
                ),
            },
            Pattern {
                expression: r#"(?:一步一步|逐步|一步步)地?(?:进行)?思考"#,
                lines: 0,
                message: Wording::new(
                    "`{}` is not needed; name the steps, or delete it",
                    "`{}` 没有必要；写出具体步骤，或删除它",
                ),
            },
        ],
        unless: Some(|found| found.in_code),
        milder: None,
    }),
};
