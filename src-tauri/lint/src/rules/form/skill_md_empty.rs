use crate::{Check, Example, Group, Rule};
use skill::{ProblemKind, Severity};

pub static RULE: Rule = Rule {
    id: "skill-md-empty",
    group: Group::Form,
    severity: Severity::Error,
    on: true,
    title: "SKILL.md is empty",
    title_zh: "SKILL.md 为空",
    what: "A `SKILL.md` without a byte in it.",
    why: "There is no skill in it.",
    bad: Example::skill(&[("SKILL.md", "")]),
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
    check: Check::Load(|problem| matches!(&problem.kind, ProblemKind::Empty)),
};
