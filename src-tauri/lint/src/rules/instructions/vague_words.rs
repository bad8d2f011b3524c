use crate::pattern::{Pattern, Patterns, Scope};
use crate::{Check, Example, Group, Rule};
use skill::Severity;
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "vague-words",
    group: Group::Instructions,
    severity: Severity::Info,
    on: false,
    title: Wording::new("Instruction leaves the choice open", "指令含糊"),
    what: Wording::new(
        "Words that leave to the agent what to do: `as appropriate`, `as needed`, `if necessary`, `and so \
           on`, 酌情, 视情况.",
        "让智能体自己决定怎么做的词：`as appropriate`、`as needed`、`if necessary`、`and so on`、酌情、视情况。",
    ),
    why: Wording::new(
        "Two runs do two different things, and neither can be called wrong.",
        "两次运行会做出两种结果，而哪一种都不能算错。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
Clean the data as appropriate.
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
Drop rows without an amount.
",
    )]),
    hides: &[],
    marks: &[],
    source: "agnix PE-004; skillsaw",
    fix: None,
    check: Check::Pattern(Patterns {
        scope: Scope::Instructions,
        patterns: &[
            Pattern {
                expression: r#"(?i)\b(?:as appropriate|as needed|as necessary|if necessary|as you see fit|and so on|where applicable)\b"#,
                lines: 0,
                message: Wording::new(
                    "`{}` leaves open what to do; say when and what",
                    "`{}` 没有说清要做什么；写明何时做、做什么",
                ),
            },
            Pattern {
                expression: r#"酌情|视情况|适当地|必要时|等等"#,
                lines: 0,
                message: Wording::new(
                    "`{}` leaves open what to do; say when and what",
                    "`{}` 没有说清要做什么；写明何时做、做什么",
                ),
            },
        ],
        unless: Some(|found| found.in_code),
        milder: None,
    }),
};
