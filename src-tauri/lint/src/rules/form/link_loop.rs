use crate::{Check, Example, Group, Rule};
use skill::{ProblemKind, Severity};
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "link-loop",
    group: Group::Form,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Link leads back", "链接形成循环"),
    what: Wording::new("A symbolic link to a folder that contains it.", "指向其上级文件夹的符号链接。"),
    why: Wording::new("A framework that follows links runs in circles.", "跟随链接的框架会陷入循环。"),
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
        ("references/self", "->../references"),
    ]),
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
    source: "frameworks' loaders",
    fix: None,
    check: Check::Load(|problem| matches!(&problem.kind, ProblemKind::LinkLoop)),
};
