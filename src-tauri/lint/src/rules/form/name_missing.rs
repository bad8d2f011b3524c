use crate::{Check, Example, Group, Rule};
use skill::{ProblemKind, Severity};

pub static RULE: Rule = Rule {
    id: "name-missing",
    group: Group::Form,
    severity: Severity::Error,
    on: true,
    title: "No name",
    title_zh: "缺少 name",
    what: "Frontmatter without `name`.",
    why: "The specification requires it; frameworks skip the skill.",
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
    source: "agentskills.io specification",
    fix: None,
    check: Check::Load(|problem| matches!(&problem.kind, ProblemKind::KeyMissing { key } if key == "name")),
};
