use crate::rules::clients::loader_would_skip;
use crate::{Check, Example, Group, Rule};
use skill::{ProblemKind, Severity};
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "field-not-text",
    group: Group::Form,
    severity: Severity::Error,
    on: true,
    title: Wording::new("Field must be text", "字段必须是文本"),
    what: Wording::new(
        "A `name` or `description`, or another field that the specification requires to be text, that is a list, \
         a map, or nothing.",
        "`name`、`description` 或规范要求为文本的其他字段是列表、键值对或空值。",
    ),
    why: Wording::new("Frameworks with a YAML parser skip the skill.", "使用 YAML 解析器的框架会跳过该技能。"),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: [a, b]
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
    check: Check::Load(|problem| matches!(&problem.kind, ProblemKind::KeyNotText { .. })),
};
