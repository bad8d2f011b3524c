use crate::{Check, Example, Group, Rule};
use skill::{ProblemKind, Severity};
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "skill-md-empty",
    group: Group::Form,
    severity: Severity::Error,
    on: true,
    title: Wording::new("SKILL.md is empty", "SKILL.md 为空"),
    what: Wording::new("A `SKILL.md` without a byte in it.", "一个字节也没有的 `SKILL.md`。"),
    why: Wording::new("There is no skill in it.", "其中没有技能。"),
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
    hides: &[],
    marks: &[],
    source: "agentskills.io specification",
    fix: None,
    check: Check::Load(|problem| matches!(&problem.kind, ProblemKind::Empty)),
};
