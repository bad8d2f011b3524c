use crate::analysis::context;
use crate::pattern::{Pattern, Patterns, Scope};
use crate::{Check, Deed, Example, Group, Mark, Rule};
use skill::Severity;
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "sql-injection",
    group: Group::Security,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("SQL built from pieces", "拼接 SQL 语句"),
    what: Wording::new(
        "An SQL statement run by a script with a value put into its text by an f-string, `format`, `%` or `+`, instead of as a parameter.",
        "脚本执行的 SQL 语句用 f-string、`format`、`%` 或 `+` 把值拼进文本，而没有使用参数。",
    ),
    why: Wording::new(
        "A value with a quote breaks the statement; a crafted one changes it.",
        "值里有引号，语句就会出错；精心构造的值可以改变语句。",
    ),
    bad: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Do it.
",
        ),
        ("scripts/run.py", "cursor.execute(f\"SELECT * FROM users WHERE name = '{name}'\")\n"),
    ]),
    good: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Do it.
",
        ),
        (
            "scripts/run.py",
            r#"cursor.execute("SELECT * FROM users WHERE name = ?", (name,))
cursor.execute(f"SELECT COUNT(*) FROM {table}")
"#,
        ),
    ]),
    hides: &[],
    marks: &[Mark::Evidence(Deed::Runs)],
    source: "cisco-ai-skill-scanner SQL_INJECTION_STRING_FORMAT",
    fix: None,
    check: Check::Pattern(Patterns {
        scope: Scope::Programs,
        patterns: PATTERNS,
        unless: Some(context::is_comment),
        milder: Some(context::not_done),
    }),
};

const PATTERNS: &[Pattern] = &[
    Pattern {
        expression: r#"(?i)=\s*f?"(?:select\s[^"\n]*\sfrom|insert\s+into|update|delete\s+from)\s[^"\n]*(?:=|like)\s*\'?%?"\s*\+\s*\w[^\n]*"#,
        lines: 0,
        message: Wording::new(
            "`{}` puts a value into the text of SQL: pass it as a parameter",
            "`{}` 把值拼进了 SQL 文本，请改用参数传入",
        ),
    },
    Pattern {
        expression: r#"(?i)execute(?:many)?\(\s*f["\']{1,3}\s*(?:select|insert|update|delete)[^"\n]*(?:=\s*[\'"]?|like\s+[\'"]?%?|values\s*\([^)\n]*)\{[^\n]*"#,
        lines: 0,
        message: Wording::new(
            "`{}` puts a value into the text of SQL: pass it as a parameter",
            "`{}` 把值拼进了 SQL 文本，请改用参数传入",
        ),
    },
    Pattern {
        expression: r#"(?i)execute\(\s*"(?:select|insert|update|delete)[^"\n]*(?:=\s*\'?|like\s+\'?%?)(?:%s[^"\n]*"\s*%|"\s*\+|\{\w*\}[^"\n]*"\s*\.format\()[^\n]*"#,
        lines: 0,
        message: Wording::new(
            "`{}` puts a value into the text of SQL: pass it as a parameter",
            "`{}` 把值拼进了 SQL 文本，请改用参数传入",
        ),
    },
];
