use crate::analysis::context;
use crate::pattern::{Pattern, Patterns, Scope};
use crate::{Check, Deed, Example, Group, Mark, Rule};
use skill::Severity;
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "exec-eval",
    group: Group::Security,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Runs text as code", "将文本当作代码执行"),
    what: Wording::new(
        "Python's `eval` and `exec` and JavaScript's `eval` and `Function` on what comes from arguments, \
           input, files or the network.",
        "Python 的 `eval`、`exec` 或 JavaScript 的 `eval`、`Function` 用在来自参数、输入、文件或网络的内容上。",
    ),
    why: Wording::new(
        "Whoever writes that text runs code with the user's rights.",
        "谁能写这段文本，谁就能以用户的权限运行代码。",
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
        (
            "scripts/run.py",
            r"import sys

print(eval(sys.argv[1]))
",
        ),
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
            r"import ast
import sys

print(ast.literal_eval(sys.argv[1]))
model.eval()
",
        ),
    ]),
    hides: &[],
    marks: &[Mark::Evidence(Deed::Runs)],
    source: "cisco-ai-skill-scanner COMMAND_INJECTION_EVAL",
    fix: None,
    check: Check::Pattern(Patterns {
        scope: Scope::Programs,
        patterns: PATTERNS,
        unless: Some(|found| context::is_comment(found) || context::is_in_docstring(found)),
        milder: Some(context::not_done),
    }),
};

const PATTERNS: &[Pattern] = &[
    Pattern {
        expression: r#"(?:^|[^.A-Za-z0-9_$"\'`])(?:eval|exec)\(\s*(?:sys\.argv|input\(|os\.environ|args\.|request|req\.|response|resp\.|open\(|process\.argv|await\s|f["\'])[^\n]*"#,
        lines: 0,
        message: Wording::new(
            "`{}` runs text from outside as code: parse it instead",
            "`{}` 会把外来文本当作代码运行，请改为解析",
        ),
    },
    Pattern {
        expression: r#"(?-i:new\s+Function)\(\s*[^)\n]*(?:process\.argv|req\.|input|args|body|data)[^\n]*"#,
        lines: 0,
        message: Wording::new(
            "`{}` runs text from outside as code: parse it instead",
            "`{}` 会把外来文本当作代码运行，请改为解析",
        ),
    },
];
