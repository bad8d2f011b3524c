use crate::analysis::client;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "claude-command-taken",
    group: Group::Clients,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("A command of Claude Code has this name", "与 Claude Code 内置命令同名"),
    what: Wording::new(
        "In a skill for Claude Code: a `name` that is one of its own commands, e.g. `clear` or `help`.",
        "在面向 Claude Code 的技能中：`name` 与它自己的命令同名，例如 `clear` 或 `help`。",
    ),
    why: Wording::new(
        "`/clear` runs Claude Code's command; nobody can start the skill by its name.",
        "`/clear` 运行的是 Claude Code 的命令；没有人能按名称启动这个技能。",
    ),
    bad: Example {
        folder: ".claude/skills/compact",
        files: &[(
            "SKILL.md",
            r"---
name: compact
description: Use when asked to compact files.
---
Do it.
",
        )],
    },
    good: Example {
        folder: ".claude/skills/compact-files",
        files: &[(
            "SKILL.md",
            r"---
name: compact-files
description: Use when asked to compact files.
---
Do it.
",
        )],
    },
    hides: &[],
    marks: &[],
    source: "Claude Code documentation: slash commands",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let Some(field) = skill.field("name").filter(|_| client::is_for(skill, &client::CLAUDE_CODE)) else { return };
    let name = field.value.as_str().unwrap_or_default();
    if COMMANDS.contains(&name) {
        let message = message!(
            "`/{name}` is a command of Claude Code; give the skill a name of two words",
            "`/{name}` 是 Claude Code 的命令；给技能起一个由两个词组成的名称"
        );
        report.at(skill.path(), field.value_span, message);
    }
}

const COMMANDS: [&str; 26] = [
    "agents",
    "clear",
    "compact",
    "config",
    "context",
    "cost",
    "doctor",
    "effort",
    "exit",
    "export",
    "fast",
    "help",
    "hooks",
    "ide",
    "login",
    "logout",
    "mcp",
    "memory",
    "model",
    "permissions",
    "plugin",
    "resume",
    "rewind",
    "skills",
    "status",
    "usage",
];
