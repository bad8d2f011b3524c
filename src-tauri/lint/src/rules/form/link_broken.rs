use crate::rules::links::orphan_file;
use crate::{Check, Example, Group, Rule};
use skill::{ProblemKind, Severity};
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "link-broken",
    group: Group::Form,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Link leads nowhere", "链接目标不存在"),
    what: Wording::new("A symbolic link whose target does not exist.", "目标不存在的符号链接。"),
    why: Wording::new(
        "Frameworks that follow links fail to read it; the others never see it.",
        "跟随链接的框架读取时会出错；其余的根本看不到它。",
    ),
    bad: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Do it.
",
        ),
        ("references/guide.md", "->missing.md"),
    ]),
    good: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Do it.
",
        ),
        ("references/other.md", "# Other\n"),
        ("references/guide.md", "->other.md"),
    ]),
    hides: &[&orphan_file::RULE],
    marks: &[],
    source: "frameworks' loaders",
    fix: None,
    check: Check::Load(|problem| matches!(&problem.kind, ProblemKind::LinkBroken { .. })),
};
