use crate::rules::clients::{loader_sees_different_value, loader_would_skip};
use crate::{Check, Example, Group, Mark, Rule};
use skill::{ProblemKind, Severity};
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "field-empty",
    group: Group::Form,
    severity: Severity::Error,
    on: true,
    title: Wording::new("Field is empty", "字段为空"),
    what: Wording::new("A field that the specification requires, with an empty value.", "规范要求的字段，但值为空。"),
    why: Wording::new("It counts as missing: frameworks skip the skill.", "它等同于缺失：框架会跳过该技能。"),
    bad: Example::skill(&[(
        "SKILL.md",
        r#"---
name: demo
description: ""
---
Do it.
"#,
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
Do it.
",
    )]),
    hides: &[&loader_would_skip::RULE, &loader_sees_different_value::RULE],
    marks: &[Mark::Needless],
    source: "agentskills.io specification",
    fix: None,
    check: Check::Load(|problem| matches!(&problem.kind, ProblemKind::KeyEmpty { .. })),
};
