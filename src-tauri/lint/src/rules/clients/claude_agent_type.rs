use crate::analysis::client;
use crate::{Applicability, Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "claude-agent-type",
    group: Group::Clients,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Agent is no name", "agent 不是有效名称"),
    what: Wording::new(
        "In a skill for Claude Code: an `agent` with anything but letters, digits, hyphens, underscores and the \
         colon of a plugin, or a built-in agent in different case.",
        "在面向 Claude Code 的技能中：`agent` 含有字母、数字、连字符、下划线和插件冒号以外的字符，\
         或者内置智能体的大小写写错。",
    ),
    why: Wording::new(
        "Claude Code finds no agent of this name, and the skill does not run.",
        "Claude Code 找不到这个名称的智能体，技能不会运行。",
    ),
    bad: Example {
        folder: ".claude/skills/demo",
        files: &[(
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
context: fork
agent: explore agent!
---
Do it.
",
        )],
    },
    good: Example {
        folder: ".claude/skills/demo",
        files: &[(
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
context: fork
agent: Explore
---
Do it.
",
        )],
    },
    hides: &[],
    marks: &[],
    source: "Claude Code documentation: sub-agents",
    fix: Some(Applicability::Unsafe),
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let Some(field) = skill.field("agent").filter(|_| client::is_for(skill, &client::CLAUDE_CODE)) else { return };
    let name = field.value.as_str().unwrap_or_default();
    let is_name = |name: &str| name.chars().all(|letter| letter.is_alphanumeric() || "-_:".contains(letter));
    if name.is_empty() || !is_name(name) {
        let message = Wording::new(
            "`agent` must be the name of an agent, e.g. `Explore` or `code-reviewer`",
            "`agent` 必须是智能体的名称，例如 `Explore` 或 `code-reviewer`",
        );
        report.at(skill.path(), client::place(field), message);
    } else if let Some(built_in) = BUILT_IN.iter().find(|known| **known != name && known.eq_ignore_ascii_case(name)) {
        let message =
            message!("the agent is called `{built_in}`, not `{name}`", "智能体的名称是 `{built_in}`，不是 `{name}`");
        let finding = report.at(skill.path(), field.value_span, message);
        finding.replace(message!("Write {built_in}", "改为 {built_in}"), field.value_span, *built_in);
    }
}

const BUILT_IN: [&str; 3] = ["Explore", "Plan", "general-purpose"];
