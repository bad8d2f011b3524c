use crate::analysis::client;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::wording::Wording;

pub static RULE: Rule = Rule {
    id: "bash-unscoped",
    group: Group::Clients,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Every shell command is allowed", "允许任意 shell 命令"),
    what: Wording::new("`allowed-tools` with `Bash`, `Bash(*)` or `Bash(*:*)`.", ""),
    why: Wording::new(
        "In clients that act on it, any command runs unasked while the skill is active, also one that a web page \
          or a file talked the model into.",
        "",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
allowed-tools: Read, Bash
---
Run `git log -5`.
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
allowed-tools: [Read, Bash(git:*)]
---
Do it.
",
    )]),
    hides: &[],
    source: "Claude Code documentation: skills, permissions",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let Some(field) = skill.field("allowed-tools") else { return };
    if let Some(tool) = client::tools(field).into_iter().find(|tool| UNSCOPED.contains(&tool.as_str())) {
        let place = client::place_of(skill, field, &tool);
        let message = format!("`{tool}` lets every command run unasked; name those it needs, e.g. `Bash(git:*)`");
        report.at(skill.path(), place, message);
    }
}

const UNSCOPED: [&str; 3] = ["Bash", "Bash(*)", "Bash(*:*)"];
