use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "name-reserved-word",
    group: Group::Description,
    severity: Severity::Info,
    on: true,
    title: Wording::new("Name has a reserved word", "名称包含保留词"),
    what: Wording::new("A `name` with `claude` or `anthropic` in it.", "含有 `claude` 或 `anthropic` 的 `name`。"),
    why: Wording::new("The Claude API and claude.ai refuse the skill.", "Claude API 和 claude.ai 会拒绝该技能。"),
    bad: Example {
        folder: "claude-pdf",
        files: &[(
            "SKILL.md",
            r"---
name: claude-pdf
description: Use when asked for a demo.
---
Do it.
",
        )],
    },
    good: Example {
        folder: "pdf-tables",
        files: &[(
            "SKILL.md",
            r"---
name: pdf-tables
description: Use when asked for a demo.
---
Do it.
",
        )],
    },
    hides: &[],
    marks: &[],
    source: "Claude API: agent skills",
    fix: None,
    check: Check::Skill(check),
};

const RESERVED: [&str; 2] = ["claude", "anthropic"];

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let Some(field) = skill.field("name") else { return };
    let name = field.value.as_str().unwrap_or_default().to_lowercase();
    if let Some(word) = RESERVED.iter().find(|word| name.contains(**word)) {
        let message = message!(
            "`{word}` is reserved: the Claude API refuses such a name; rename the skill",
            "`{word}` 是保留词：Claude API 会拒绝这样的名称；请给技能改名"
        );
        report.at(skill.path(), field.value_span, message);
    }
}
