use crate::rules::budget::catalogue_tokens;
use crate::rules::clients::{loader_sees_different_value, loader_would_skip};
use crate::{Check, Example, Group, Rule};
use skill::{ProblemKind, Severity};
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "field-too-long",
    group: Group::Form,
    severity: Severity::Error,
    on: true,
    title: Wording::new("Field is too long", "字段过长"),
    what: Wording::new(
        "A `name` of more than 64 characters, a `description` of more than 1,024, or a `compatibility` of more than 500.",
        "`name` 超过 64 个字符、`description` 超过 1,024 个，或 `compatibility` 超过 500 个。",
    ),
    why: Wording::new("Frameworks that check it skip the skill.", "会检查长度的框架将跳过该技能。"),
    bad: Example {
        folder: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        files: &[(
            "SKILL.md",
            r"---
name: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
description: Use when asked for a demo.
---
Do it.
",
        )],
    },
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
Do it.
",
    )]),
    hides: &[&loader_would_skip::RULE, &loader_sees_different_value::RULE, &catalogue_tokens::RULE],
    marks: &[],
    source: "agentskills.io specification",
    fix: None,
    check: Check::Load(|problem| matches!(&problem.kind, ProblemKind::KeyTooLong { .. })),
};
