use crate::lint::{Check, Example, Group, Rule};
use crate::skill::{ProblemKind, Severity};

pub static RULE: Rule = Rule {
    id: "yaml-invalid",
    group: Group::Form,
    severity: Severity::Error,
    on: true,
    title: "Frontmatter is not valid YAML",
    title_zh: "frontmatter 不是有效的 YAML",
    what: "Frontmatter that a YAML 1.2 parser refuses.",
    why: "Frameworks with a YAML parser skip the skill; those without one read something else than you wrote.",
    bad: Example::skill(&[("SKILL.md", "---\nname: demo\ndescription: [open\n---\nDo it.\n")]),
    good: Example::skill(&[("SKILL.md", "---\nname: demo\ndescription: Use when asked for a demo.\n---\nDo it.\n")]),
    source: "agentskills.io specification",
    fix: None,
    check: Check::Load(|problem| matches!(problem, ProblemKind::YamlInvalid { .. })),
};
