use crate::{Check, Example, Group, Rule};
use skill::{ProblemKind, Severity};

pub static RULE: Rule = Rule {
    id: "link-loop",
    group: Group::Form,
    severity: Severity::Warning,
    on: true,
    title: "Link leads back",
    title_zh: "链接形成循环",
    what: "A symbolic link to a folder that contains it.",
    why: "A framework that follows links walks in circles.",
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
    source: "frameworks' loaders",
    fix: None,
    check: Check::Load(|problem| matches!(&problem.kind, ProblemKind::LinkLoop)),
};
