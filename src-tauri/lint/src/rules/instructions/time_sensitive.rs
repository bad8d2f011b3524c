use crate::pattern::{Pattern, Patterns, Scope};
use crate::{Check, Example, Group, Rule};
use skill::Severity;
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "time-sensitive",
    group: Group::Instructions,
    severity: Severity::Info,
    on: false,
    title: Wording::new("Text that grows old", "有时效性的内容"),
    what: Wording::new(
        "Words that were true when they were written: `as of 2024`, `at the time of writing`, `if you do \
           this before August 2025`, 截至 2024 年.",
        "写下时正确、以后会过时的说法：`as of 2024`、`at the time of writing`、\
         `if you do this before August 2025`、截至 2024 年。",
    ),
    why: Wording::new(
        "A skill is read for years, and the agent believes it.",
        "技能会被使用好几年，而智能体会信以为真。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
As of March 2024 the limit is 10 MB.
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
The limit is 10 MB. Until version 3 it was 5 MB.
",
    )]),
    hides: &[],
    marks: &[],
    source: "Anthropic, Skill authoring best practices, avoid time-sensitive information; claude-code-lint",
    fix: None,
    check: Check::Pattern(Patterns {
        scope: Scope::Instructions,
        patterns: &[
            Pattern {
                expression: r#"(?i)\bas of (?:early |mid[- ]|late )?(?:[a-z]{3,9}\.? )?20[2-9][0-9]\b"#,
                lines: 0,
                message: Wording::new(
                    "`{}` grows old; say how to find out, or move it into a section of old facts",
                    "`{}` 会过时；说明如何查证，或移到旧信息一节",
                ),
            },
            Pattern {
                expression: r#"(?i)\b(?:at|as of) the time of (?:this )?writing\b"#,
                lines: 0,
                message: Wording::new(
                    "`{}` grows old; say how to find out, or delete it",
                    "`{}` 会过时；说明如何查证，或删除它",
                ),
            },
            Pattern {
                expression: r#"(?i)\b(?:doing|reading|using|running) this (?:before|after) (?:[a-z]+ )?20[0-9]{2}\b"#,
                lines: 0,
                message: Wording::new("`{}` grows old; write what holds now", "`{}` 会过时；只写现在适用的内容"),
            },
            Pattern {
                expression: r#"截至\s*20[2-9][0-9]\s*年|撰写本文时"#,
                lines: 0,
                message: Wording::new(
                    "`{}` grows old; say how to find out, or delete it",
                    "`{}` 会过时；说明如何查证，或删除它",
                ),
            },
        ],
        unless: Some(|found| found.in_code),
        milder: None,
    }),
};
