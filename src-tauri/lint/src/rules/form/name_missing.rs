use crate::rules::clients::loader_would_skip;
use crate::{Check, Example, Group, Rule};
use skill::{ProblemKind, Severity};
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "name-missing",
    group: Group::Form,
    severity: Severity::Error,
    on: true,
    title: Wording::new("No name", "缺少 name"),
    what: Wording::new("Frontmatter without `name`.", "没有 `name` 的前置元数据。"),
    why: Wording::new("The specification requires it; frameworks skip the skill.", "规范要求有它；框架会跳过该技能。"),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
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
    hides: &[&loader_would_skip::RULE],
    marks: &[],
    source: "agentskills.io specification",
    fix: None,
    check: Check::Load(|problem| matches!(&problem.kind, ProblemKind::KeyMissing { key } if key == "name")),
};
