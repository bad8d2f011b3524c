use crate::rules::clients::loader_would_skip;
use crate::{Check, Example, Group, Rule};
use skill::{ProblemKind, Severity};
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "body-empty",
    group: Group::Form,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("No instructions", "没有指令内容"),
    what: Wording::new("A `SKILL.md` with nothing after the frontmatter.", "前置元数据之后没有任何内容的 `SKILL.md`。"),
    why: Wording::new(
        "A model that loads the skill learns nothing; one framework refuses it.",
        "加载该技能的模型什么也学不到；有一个框架会拒绝它。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
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
    source: "AgentScope; Cline",
    fix: None,
    check: Check::Load(|problem| matches!(&problem.kind, ProblemKind::BodyEmpty)),
};
