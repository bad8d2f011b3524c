use crate::analysis::client;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::wording::Wording;

pub static RULE: Rule = Rule {
    id: "compatibility-other-client",
    group: Group::Clients,
    severity: Severity::Info,
    on: true,
    title: Wording::new("Made for another client", "compatibility 指明的是其他客户端"),
    what: Wording::new("`compatibility` that names clients, but none of those the skill is expressly for.", ""),
    why: Wording::new("Who reads it, a person or a model, takes the skill for one of another client.", ""),
    bad: Example {
        folder: ".kiro/skills/demo",
        files: &[(
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
compatibility: Designed for Claude Code
---
Do it.
",
        )],
    },
    good: Example {
        folder: ".kiro/skills/demo",
        files: &[(
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
compatibility: Needs git and Python 3.11
---
Do it.
",
        )],
    },
    hides: &[],
    source: "agentskills.io specification: compatibility",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let Some(field) = skill.field("compatibility") else { return };
    let value = field.value.as_str().unwrap_or_default().to_lowercase();
    let names = |client: &client::Client| value.contains(&client.title.to_lowercase());
    // Short titles are words of their own, or parts of others.
    let said: Vec<&client::Client> =
        client::ALL.iter().copied().filter(|client| client.title.len() > 5 && names(client)).collect();
    let meant: Vec<&client::Client> = client::named(skill).collect();
    if said.is_empty() || meant.is_empty() || meant.iter().any(|client| names(client)) {
        return;
    }
    let (said, meant) = (client::titles(said), client::titles(meant));
    let message =
        format!("`compatibility` names {said}, but the skill is for {meant}; name that too, or move the skill");
    report.at(skill.path(), client::place(field), message);
}
