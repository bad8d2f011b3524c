use crate::{Check, Example, Group, Rule};
use skill::{ProblemKind, Severity};

pub static RULE: Rule = Rule {
    id: "field-too-long",
    group: Group::Form,
    severity: Severity::Error,
    on: true,
    title: "Field is too long",
    title_zh: "字段过长",
    what: "A `name` of more than 64 characters, a `description` of more than 1,024, or a `compatibility` of more than 500.",
    why: "Frameworks that check it skip the skill.",
    bad: Example {
        folder: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        files: &[(
            "SKILL.md",
            "---\nname: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\ndescription: Use when asked for a demo.\n---\nDo it.\n",
        )],
    },
    good: Example::skill(&[("SKILL.md", "---\nname: demo\ndescription: Use when asked for a demo.\n---\nDo it.\n")]),
    source: "agentskills.io specification",
    fix: None,
    check: Check::Load(|problem| matches!(&problem.kind, ProblemKind::KeyTooLong { .. })),
};
