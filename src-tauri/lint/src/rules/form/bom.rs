use crate::rules::clients::{loader_sees_different_value, loader_would_skip};
use crate::{Check, Example, Group, Rule};
use skill::{ProblemKind, Severity};
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "bom",
    group: Group::Form,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Byte order mark", "含有字节顺序标记"),
    what: Wording::new("A `SKILL.md` that starts with a byte order mark.", "以字节顺序标记（BOM）开头的 `SKILL.md`。"),
    why: Wording::new(
        "Several frameworks then see no frontmatter, or give the mark to the model.",
        "有些框架因此看不到前置元数据，或者把该标记传给模型。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        "\u{FEFF}---\nname: demo\ndescription: Use when asked for a demo.\n---\nDo it.\n",
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
    marks: &[],
    source: "frameworks' parsers; skills-ref",
    fix: None,
    check: Check::Load(|problem| matches!(&problem.kind, ProblemKind::Bom)),
};
