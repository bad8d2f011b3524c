use crate::pattern::{Pattern, Patterns, Scope};
use crate::{Check, Example, Group, Rule};
use skill::Severity;
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "empty-advice",
    group: Group::Instructions,
    severity: Severity::Info,
    on: true,
    title: Wording::new("Line that says nothing", "空泛的指令"),
    what: Wording::new(
        "A whole line such as `Be helpful.`, `Follow best practices.` or 遵循最佳实践。: what a model does without \
           being told.",
        "整行只有 `Be helpful.`、`Follow best practices.` 或 `遵循最佳实践。` 之类的话：不说模型也会这么做。",
    ),
    why: Wording::new(
        "It costs tokens and attention, and changes nothing.",
        "浪费 token 和注意力，却不会带来任何变化。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
- Follow best practices.
- Be accurate and thorough.
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
- Follow the best practices for naming that the guide lists.
",
    )]),
    hides: &[],
    marks: &[],
    source: "agnix PE-005; skillsaw",
    fix: None,
    check: Check::Pattern(Patterns {
        scope: Scope::Instructions,
        patterns: &[
            Pattern {
                expression: r#"(?im)^[\s>*+-]*(?:\d+[.)]\s+)?\**(?:always\s+|please\s+|make sure to\s+)?(?:be (?:helpful|accurate|careful|thorough|professional)(?:,?\s+(?:and\s+)?(?:helpful|accurate|careful|thorough|professional|precise|polite)){0,3}|(?:follow|use|apply) (?:industry\s+|coding\s+)?best practices|use common sense|do your best|write (?:clean|good|high[- ]quality)(?:,? (?:and )?(?:maintainable|readable|clean))* code|(?:produce|provide|deliver) high[- ]quality (?:output|results|work|answers))[.!]?\**\s*$"#,
                lines: 0,
                message: Wording::new(
                    "`{}` is what a model does anyway; say what is special here, or delete it",
                    "`{}` 是模型本来就会做的；写出这里的特别之处，或删除它",
                ),
            },
            Pattern {
                expression: r#"(?m)^[\s>*+-]*(?:\d+[.)、]\s*)?(?:请)?(?:遵循最佳实践|保证质量|确保高质量|做到最好|保持专业)[。！]?\s*$"#,
                lines: 0,
                message: Wording::new(
                    "`{}` is what a model does anyway; say what is special here, or delete it",
                    "`{}` 是模型本来就会做的；写出这里的特别之处，或删除它",
                ),
            },
        ],
        unless: Some(|found| found.in_code),
        milder: None,
    }),
};
