use crate::rules::clients::{loader_sees_different_value, loader_would_skip};
use crate::{Check, Example, Group, Mark, Rule};
use skill::{ProblemKind, Severity};
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "yaml-duplicate-key",
    group: Group::Form,
    severity: Severity::Error,
    on: true,
    title: Wording::new("Key occurs twice", "键重复"),
    what: Wording::new("A top-level key of the frontmatter that occurs twice.", "前置元数据中重复出现的顶层键。"),
    why: Wording::new(
        "Parsers refuse it, or take the first, or the last.",
        "有的解析器拒绝它，有的取第一个，有的取最后一个。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: One.
description: Use when asked for a demo.
---
Do it.
",
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
    source: "YAML 1.2; frameworks' parsers",
    fix: None,
    check: Check::Load(|problem| matches!(&problem.kind, ProblemKind::KeyDuplicate { .. })),
};
