use crate::analysis::client;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::source::Span;
use wording::message;
use wording::{Message, Wording};

pub static RULE: Rule = Rule {
    id: "tool-absent-in-client",
    group: Group::Clients,
    severity: Severity::Info,
    on: true,
    title: Wording::new("The client has no such tool", "该客户端没有此工具"),
    what: Wording::new(
        "In a skill that is expressly for other clients: a tool of Claude Code in backticks, e.g. \
         `AskUserQuestion` or `TodoWrite`. Only names that no other client has, and none in a table that says what to take for it.",
        "在明确面向其他客户端的技能中：写在反引号里的 Claude Code 工具，例如 `AskUserQuestion` 或 `TodoWrite`。\
         只检查其他客户端没有的名称，表格中已写明替代工具的不报告。",
    ),
    why: Wording::new(
        "The model looks for a tool that is not there, and skips the step or calls something that fails.",
        "模型会去找不存在的工具，然后跳过这一步，或调用失败。",
    ),
    bad: Example {
        folder: ".kiro/skills/demo",
        files: &[(
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Ask the user with `AskUserQuestion` first.
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
---
Ask the user first.
",
        )],
    },
    hides: &[],
    marks: &[],
    source: "documentation of the clients: tools",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let clients: Vec<&client::Client> = client::named(skill).collect();
    if clients.is_empty() || clients.iter().any(|client| **client == client::CLAUDE_CODE) {
        return;
    }
    let codes = skill.markdown().codes.iter().filter(|code| TOOLS.contains(&code.of(skill.text())));
    for code in codes.filter(|code| !is_translated(skill.text(), **code)).take(MOST) {
        let (tool, Message { en, zh }) = (code.of(skill.text()), client::titles(clients.iter().copied()));
        let message = message!(
            "`{tool}` is a tool of Claude Code, not of {en}; say what to do instead of which tool",
            "`{tool}` 是 Claude Code 的工具，{zh} 没有；写要做什么，而不是用哪个工具"
        );
        report.at(skill.path(), *code, message);
    }
}

/// A row of a table that has another name next to the tool's says what to take for it.
fn is_translated(text: &str, code: Span) -> bool {
    let start = text[..code.start].rfind('\n').map_or(0, |at| at + 1);
    let line = text[start..].lines().next().unwrap_or_default();
    line.trim_start().starts_with('|') && line.matches('`').count() >= 4
}

/// Findings in one skill; further ones say nothing new.
const MOST: usize = 20;
const TOOLS: [&str; 9] = [
    "AskUserQuestion",
    "BashOutput",
    "ExitPlanMode",
    "KillShell",
    "MultiEdit",
    "NotebookEdit",
    "SlashCommand",
    "TodoWrite",
    "WebFetch",
];
