use crate::analysis::client;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "copilot-preapprove-shell",
    group: Group::Clients,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Copilot runs every command unasked", "Copilot 将免确认执行任意命令"),
    what: Wording::new(
        "In a skill for GitHub Copilot: `allowed-tools` with `shell` or `bash`.",
        "在面向 GitHub Copilot 的技能中：`allowed-tools` 含有 `shell` 或 `bash`。",
    ),
    why: Wording::new(
        "Copilot then runs any command without asking, including one that an issue or a web page talked it into. \
         GitHub advises against it.",
        "Copilot 会免确认执行任何命令，包括 issue 或网页诱使它运行的命令。GitHub 不建议这样做。",
    ),
    bad: Example {
        folder: ".github/skills/demo",
        files: &[(
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
allowed-tools: shell
---
Do it.
",
        )],
    },
    good: Example {
        folder: ".github/skills/demo",
        files: &[(
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
allowed-tools: view
---
Do it.
",
        )],
    },
    hides: &[],
    marks: &[],
    source: "GitHub documentation: adding skills for Copilot",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let Some(field) = skill.field("allowed-tools").filter(|_| client::is_for(skill, &client::COPILOT)) else { return };
    if let Some(tool) = client::tools(field).into_iter().find(|tool| tool == "shell" || tool == "bash") {
        let message = message!(
            "`{tool}` lets Copilot run every command without asking; delete it",
            "`{tool}` 让 Copilot 免确认执行任何命令；删除它"
        );
        report.at(skill.path(), client::place_of(skill, field, &tool), message);
    }
}
