use crate::rules::clients::loader_would_skip;
use crate::{Check, Example, Group, Rule};
use skill::{ProblemKind, Severity};
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "yaml-not-map",
    group: Group::Form,
    severity: Severity::Error,
    on: true,
    title: Wording::new("Frontmatter is not a map", "前置元数据不是键值对"),
    what: Wording::new(
        "Frontmatter that is a list or a single value instead of `key: value` lines.",
        "前置元数据是列表或单个值，而不是 `key: value` 行。",
    ),
    why: Wording::new("There is no name and no description in it.", "其中没有名称，也没有描述。"),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
- demo
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
    hides: &[&loader_would_skip::RULE],
    marks: &[],
    source: "agentskills.io specification",
    fix: None,
    check: Check::Load(|problem| matches!(&problem.kind, ProblemKind::YamlNotMap)),
};
