use crate::rules::clients::loader_would_skip;
use crate::{Check, Example, Group, Rule};
use skill::{ProblemKind, Severity};
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "description-missing",
    group: Group::Form,
    severity: Severity::Error,
    on: true,
    title: Wording::new("No description", "缺少 description"),
    what: Wording::new("Frontmatter without `description`.", "没有 `description` 的前置元数据。"),
    why: Wording::new(
        "The description is all that a model sees before it loads a skill; frameworks skip a skill without it.",
        "模型在加载技能之前只看得到描述；框架会跳过没有描述的技能。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
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
    check: Check::Load(|problem| matches!(&problem.kind, ProblemKind::KeyMissing { key } if key == "description")),
};
