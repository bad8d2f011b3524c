use crate::pattern::{Pattern, Patterns, Scope};
use crate::{Check, Example, Group, Rule};
use skill::Severity;
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "claude-unknown-substitution",
    group: Group::Clients,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Claude Code knows no such variable", "Claude Code 没有此变量"),
    what: Wording::new(
        "`${CLAUDE_SKILL_…}`, `${CLAUDE_SESSION_…}`, `${CLAUDE_PLUGIN_…}` or `${CLAUDE_PROJECT_…}` with a name \
           that Claude Code does not know.",
        "`${CLAUDE_SKILL_…}`、`${CLAUDE_SESSION_…}`、`${CLAUDE_PLUGIN_…}` 或 `${CLAUDE_PROJECT_…}`，\
         而 Claude Code 没有这个名称的变量。",
    ),
    why: Wording::new(
        "It is left in the text as it is; a shell makes it empty, and the path then begins at the root.",
        "它会原样留在文本中；shell 会把它展开为空，路径就从根目录开始了。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
Run `python ${CLAUDE_SKILL_ROOT}/scripts/run.py`.
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
Run `python ${CLAUDE_SKILL_DIR}/scripts/run.py`.
",
    )]),
    hides: &[],
    marks: &[],
    source: "Claude Code documentation: skills, plugins",
    fix: None,
    check: Check::Pattern(PATTERNS),
};

const PATTERNS: Patterns = Patterns {
    scope: Scope::Body,
    patterns: &[Pattern {
        expression: r"\$\{CLAUDE_(?:SKILL|SESSION|PLUGIN|PROJECT)\w*\}",
        lines: 0,
        message: Wording::new(
            "Claude Code knows no `{}`; it has `${CLAUDE_SKILL_DIR}`, `${CLAUDE_SESSION_ID}`, \
             `${CLAUDE_PROJECT_DIR}`, `${CLAUDE_PLUGIN_ROOT}` and `${CLAUDE_PLUGIN_DATA}`",
            "Claude Code 没有 `{}`；可用的有 `${CLAUDE_SKILL_DIR}`、`${CLAUDE_SESSION_ID}`、\
             `${CLAUDE_PROJECT_DIR}`、`${CLAUDE_PLUGIN_ROOT}` 和 `${CLAUDE_PLUGIN_DATA}`",
        ),
    }],
    unless: Some(|found| KNOWN.contains(&found.text)),
    milder: None,
};

const KNOWN: [&str; 5] = [
    "${CLAUDE_SKILL_DIR}",
    "${CLAUDE_SESSION_ID}",
    "${CLAUDE_PROJECT_DIR}",
    "${CLAUDE_PLUGIN_ROOT}",
    "${CLAUDE_PLUGIN_DATA}",
];
