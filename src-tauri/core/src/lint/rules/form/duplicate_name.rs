use crate::lint::{Check, Example, Group, Rule};
use crate::skill::{ProblemKind, Severity};

pub static RULE: Rule = Rule {
    id: "duplicate-name",
    group: Group::Form,
    severity: Severity::Warning,
    on: true,
    title: "Another skill has this name",
    title_zh: "与其他技能重名",
    what: "Two skills in the open folders with the same `name`.",
    why: "Only one of them can be loaded; which one differs by framework.",
    bad: Example {
        folder: "a/demo",
        files: &[
            ("SKILL.md", "---\nname: demo\ndescription: Use when asked for a demo.\n---\nDo it.\n"),
            ("/b/demo/SKILL.md", "---\nname: demo\ndescription: Use when asked for a demo.\n---\nDo it.\n"),
        ],
    },
    good: Example::skill(&[("SKILL.md", "---\nname: demo\ndescription: Use when asked for a demo.\n---\nDo it.\n")]),
    source: "client guide: adding skills support",
    fix: None,
    check: Check::Load(|problem| matches!(problem, ProblemKind::NameTaken { .. })),
};
