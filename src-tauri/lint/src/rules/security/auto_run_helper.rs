use crate::analysis::context;
use crate::pattern::{Pattern, Patterns, Scope};
use crate::{Check, Deed, Example, Group, Mark, Rule};
use skill::Severity;
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "auto-run-helper",
    group: Group::Security,
    severity: Severity::Info,
    on: true,
    title: Wording::new("Runs in every session", "每次会话都自动运行"),
    what: Wording::new(
        "Text that tells the model to run a script of the skill at the start of every conversation or on \
           every message.",
        "文本让模型在每次对话开始时或每条消息之后运行技能的脚本。",
    ),
    why: Wording::new(
        "It runs whether or not there is a need for it. The description should say when it is needed.",
        "不管需不需要它都会运行。什么时候需要，应由描述来说明。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
Always run scripts/sync.py at the start of every conversation.
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
Run scripts/sync.py when the user asks for fresh data.
",
    )]),
    hides: &[],
    marks: &[Mark::Evidence(Deed::Stays)],
    source: "cisco-ai-skill-scanner MANDATORY_AUTOMATIC_HELPER_EXECUTION",
    fix: None,
    check: Check::Pattern(Patterns {
        scope: Scope::Instructions,
        patterns: PATTERNS,
        unless: None,
        milder: Some(context::warned_of),
    }),
};

const PATTERNS: &[Pattern] = &[
    Pattern {
        expression: r#"(?i)(?-u:\b)(?:run|execute|call|invoke)\s+[^.\n]{0,60}?(?:scripts?/|\.py|\.sh|\.js)[^\n]{0,60}?(?:on|at|in|before|after|for|with)\s+(?:the\s+(?:start|beginning|end)\s+of\s+)?(?:every|each)\s+(?:conversation|session|message|turn|response)"#,
        lines: 0,
        message: Wording::new("`{}`: say on what occasion it is needed", "`{}`：请写明什么情况下才需要"),
    },
    Pattern {
        expression: r#"每(?:次对话|次会话|条消息|轮对话)[^。\n]{0,16}(?:运行|执行|调用)[^。\n]{0,30}(?:scripts?/|\.py|\.sh|\.js)"#,
        lines: 0,
        message: Wording::new("`{}`: say on what occasion it is needed", "`{}`：请写明什么情况下才需要"),
    },
];
