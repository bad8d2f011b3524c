use crate::{Check, Example, Group, Rule};
use skill::{ProblemKind, Severity};
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "no-skills",
    group: Group::Form,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("No skill here", "此处没有技能"),
    what: Wording::new(
        "A folder that does not exist, is a file, or holds neither a folder with a `SKILL.md` nor a `workbench.yaml` with \
         `inlineSkills`.",
        "文件夹不存在、其实是文件，或其中既没有含 `SKILL.md` 的文件夹，也没有带 `inlineSkills` 的 `workbench.yaml`。",
    ),
    why: Wording::new(
        "Frameworks find nothing in it, and most say nothing about that.",
        "框架在其中什么也找不到，而且多数不会说明。",
    ),
    bad: Example { folder: "demo", files: &[("README.md", "Skills will come.\n")] },
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
    check: Check::Load(|problem| {
        matches!(&problem.kind, ProblemKind::RootMissing | ProblemKind::RootNotFolder | ProblemKind::NoSkills)
    }),
};
