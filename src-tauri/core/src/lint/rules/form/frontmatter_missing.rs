use crate::lint::{Check, Example, Group, Rule};
use crate::skill::{ProblemKind, Severity};

pub static RULE: Rule = Rule {
    id: "frontmatter-missing",
    group: Group::Form,
    severity: Severity::Error,
    on: true,
    title: "No frontmatter",
    title_zh: "缺少 frontmatter",
    what: "A `SKILL.md` whose first line is not `---`.",
    why: "Name and description are in the frontmatter. Most frameworks do not load the skill; one offers it without a description.",
    bad: Example::skill(&[("SKILL.md", "# Demo\n\nDo it.\n")]),
    good: Example::skill(&[("SKILL.md", "---\nname: demo\ndescription: Use when asked for a demo.\n---\nDo it.\n")]),
    source: "agentskills.io specification",
    fix: None,
    check: Check::Load(|problem| matches!(problem, ProblemKind::FrontmatterMissing)),
};
