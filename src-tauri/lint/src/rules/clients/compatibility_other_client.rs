use crate::analysis::client;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::{Message, Wording};

pub static RULE: Rule = Rule {
    id: "compatibility-other-client",
    group: Group::Clients,
    severity: Severity::Info,
    on: true,
    title: Wording::new("Made for another client", "compatibility 指明的是其他客户端"),
    what: Wording::new(
        "`compatibility` that names clients, but none of those the skill is expressly for.",
        "`compatibility` 提到了客户端，却没有提到技能明确面向的客户端。",
    ),
    why: Wording::new(
        "People and models that read it take the skill for one of another client.",
        "读到它的人或模型会以为这个技能是给其他客户端用的。",
    ),
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
    marks: &[],
    source: "agentskills.io specification: compatibility",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let Some(field) = skill.field("compatibility") else { return };
    let value = field.value.as_str().unwrap_or_default().to_lowercase();
    let names = |client: &client::Client| value.contains(&client.title.to_lowercase());
    // Short titles are also ordinary words, or parts of others.
    let said: Vec<&client::Client> =
        client::ALL.iter().copied().filter(|client| client.title.len() > 5 && names(client)).collect();
    let meant: Vec<&client::Client> = client::named(skill).collect();
    if said.is_empty() || meant.is_empty() || meant.iter().any(|client| names(client)) {
        return;
    }
    let (said, meant) = (client::titles(said), client::titles(meant));
    let message = Message {
        en: format!(
            "`compatibility` names {}, but the skill is for {}; name that too, or move the skill",
            said.en, meant.en
        ),
        zh: format!("`compatibility` 写的是 {}，但技能面向 {}；把后者也写上，或移动技能", said.zh, meant.zh),
    };
    report.at(skill.path(), client::place(field), message);
}
