use crate::rules::clients::loader_would_skip;
use crate::{Check, Example, Group, Rule};
use skill::{ProblemKind, Severity};
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "file-name-case",
    group: Group::Form,
    severity: Severity::Error,
    on: true,
    title: Wording::new("SKILL.md is spelled otherwise", "SKILL.md 大小写不正确"),
    what: Wording::new("A file called `skill.md`, `Skill.md` or the like.", "名为 `skill.md`、`Skill.md` 等的文件。"),
    why: Wording::new(
        "Most frameworks look for `SKILL.md` exactly, and do not see it on systems that distinguish capitals.",
        "多数框架只查找 `SKILL.md`，在区分大小写的系统上看不到它。",
    ),
    bad: Example::skill(&[(
        "skill.md",
        r"---
name: demo
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
    source: "client guide; frameworks' loaders",
    fix: None,
    check: Check::Load(|problem| matches!(&problem.kind, ProblemKind::ManifestMiscased { .. })),
};
