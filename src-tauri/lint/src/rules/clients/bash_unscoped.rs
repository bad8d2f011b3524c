use crate::analysis::client;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "bash-unscoped",
    group: Group::Clients,
    severity: Severity::Info,
    on: true,
    title: Wording::new("Every shell command is allowed", "允许任意 shell 命令"),
    what: Wording::new(
        "`allowed-tools` with `Bash`, `Bash(*)` or `Bash(*:*)`.",
        "`allowed-tools` 中有 `Bash`、`Bash(*)` 或 `Bash(*:*)`。",
    ),
    why: Wording::new(
        "In clients that act on it, any command runs without asking while the skill is active, including one \
         that a web page or a file talked the model into.",
        "在支持该字段的客户端中，技能启用期间任何命令都会免确认执行，包括网页或文件诱使模型运行的命令。",
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
    marks: &[],
    source: "Claude Code documentation: skills, permissions",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let Some(field) = skill.field("allowed-tools") else { return };
    if let Some(tool) = client::tools(field).into_iter().find(|tool| UNSCOPED.contains(&tool.as_str())) {
        let place = client::place_of(skill, field, &tool);
        let message = message!(
            "`{tool}` lets every command run without asking; name those it needs, e.g. `Bash(git:*)`",
            "`{tool}` 让任何命令免确认执行；只列出需要的命令，例如 `Bash(git:*)`"
        );
        report.at(skill.path(), place, message);
    }
}

const UNSCOPED: [&str; 3] = ["Bash", "Bash(*)", "Bash(*:*)"];
