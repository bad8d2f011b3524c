use crate::pattern::{Pattern, Patterns, Scope};
use crate::{Check, Example, Group, Rule};
use skill::Severity;
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "mcp-tool-unqualified",
    group: Group::Scripts,
    severity: Severity::Info,
    on: false,
    title: Wording::new("MCP tool without its server", "MCP 工具未注明服务器"),
    what: Wording::new(
        "A tool that the text calls an MCP tool by its bare name, e.g. the `create_issue` MCP tool, rather than as `GitHub:create_issue` or `mcp__github__create_issue`.",
        "文中只用工具名来指 MCP 工具，例如 `create_issue` MCP 工具，而没有写成 `GitHub:create_issue` 或 `mcp__github__create_issue`。",
    ),
    why: Wording::new(
        "With several servers connected the agent may not find the tool, or take one of the same name from another server.",
        "连接了多个服务器时，智能体可能找不到这个工具，或者用了另一个服务器的同名工具。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
Use the `create_issue` MCP tool.
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
Use the `GitHub:create_issue` MCP tool.
",
    )]),
    hides: &[],
    marks: &[],
    source: "Anthropic, best practices for skills; claude-code-lint",
    fix: None,
    check: Check::Pattern(Patterns {
        scope: Scope::Instructions,
        patterns: &[Pattern {
            expression: r"(?i)`[a-z][a-z0-9]*(?:[_-][a-z0-9]+)+` ?(?:mcp tool|mcp ?工具)|(?:mcp tool|mcp ?工具)s? ?`[a-z][a-z0-9]*(?:[_-][a-z0-9]+)+`",
            lines: 0,
            message: Wording::new(
                "{} leaves out the server; write it as `Server:tool`",
                "{} 没有写明服务器，请写成 `Server:tool`",
            ),
        }],
        unless: Some(|found| found.in_code || found.text.contains("mcp__")),
        milder: None,
    }),
};
