use crate::rules::clients::loader_would_skip;
use crate::{Check, Example, Group, Rule};
use skill::{ProblemKind, Severity};
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "frontmatter-unclosed",
    group: Group::Form,
    severity: Severity::Error,
    on: true,
    title: Wording::new("Frontmatter is not closed", "前置元数据未结束"),
    what: Wording::new("Frontmatter without a line `---` that ends it.", "没有用一行 `---` 结束的前置元数据。"),
    why: Wording::new(
        "Frameworks do not find name and description, or take the instructions for YAML.",
        "框架找不到名称和描述，或把指令当成 YAML。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.

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
    check: Check::Load(|problem| matches!(&problem.kind, ProblemKind::FrontmatterUnclosed)),
};
