use super::{base64_text, exec_eval};
use crate::analysis::context;
use crate::pattern::{Pattern, Patterns, Scope};
use crate::{Check, Deed, Example, Group, Mark, Rule};
use skill::Severity;
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "encoded-payload",
    group: Group::Security,
    severity: Severity::Error,
    on: true,
    title: Wording::new("Decodes hidden code and runs it", "解码并执行隐藏代码"),
    what: Wording::new(
        "Base64, hex or escaped text that is decoded and run in one step: `base64 -d | sh`, `exec(base64.b64decode(…))`, `eval(atob(…))`, `powershell -enc …`.",
        "Base64、十六进制或转义文本解码后立即运行：`base64 -d | sh`、`exec(base64.b64decode(…))`、`eval(atob(…))`、`powershell -enc …`。",
    ),
    why: Wording::new(
        "Code is hidden for one reason: so that nobody reads it before it runs.",
        "把代码藏起来只有一个目的：不让人在运行之前读到它。",
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
            r#"import base64

exec(base64.b64decode("cHJpbnQoMSk="))
"#,
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
            r#"import base64

print(base64.b64decode("aGVsbG8=").decode())
"#,
        ),
    ]),
    hides: &[&base64_text::RULE, &exec_eval::RULE],
    marks: &[Mark::Evidence(Deed::Hides)],
    source: "skillsaw; cisco-ai-skill-scanner YARA_SUSP_Lnx_EncodedShell_DecodeExec",
    fix: None,
    check: Check::Pattern(Patterns {
        scope: Scope::Code,
        patterns: PATTERNS,
        unless: Some(context::is_comment),
        milder: Some(context::only_shown),
    }),
};

const PATTERNS: &[Pattern] = &[
    Pattern {
        expression: r#"(?i)base64\s+(?:-d|-D|--decode)(?-u:\b)[^\n|]{0,80}\|\s*(?:sudo\s+)?(?:ba|z|da)?(?:sh|python3?|perl|node)(?-u:\b)"#,
        lines: 0,
        message: Wording::new(
            "`{}` runs what nobody can read: write the code out",
            "`{}` 运行的内容没人读得懂，请直接写出代码",
        ),
    },
    Pattern {
        expression: r#"(?:^|[^.A-Za-z0-9_])(?:exec|eval)\(\s*(?:compile\(\s*)?(?:base64\.(?:b64|b32|b85|a85|urlsafe_b64)decode|codecs\.decode|bytes\.fromhex|binascii\.(?:unhexlify|a2b_base64)|zlib\.decompress|gzip\.decompress|marshal\.loads|lzma\.decompress|b64decode|unhexlify|atob|Buffer\.from)\([^\n]*"#,
        lines: 0,
        message: Wording::new(
            "`{}` runs what nobody can read: write the code out",
            "`{}` 运行的内容没人读得懂，请直接写出代码",
        ),
    },
    Pattern {
        expression: r#"(?i)(?:powershell|pwsh)(?:\.exe)?\s[^\n]*-e(?:nc|ncodedcommand|c)?\s+[A-Za-z0-9+/=]{24,}"#,
        lines: 0,
        message: Wording::new(
            "`{}` runs what nobody can read: write the code out",
            "`{}` 运行的内容没人读得懂，请直接写出代码",
        ),
    },
    Pattern {
        expression: r#"eval\(\s*String\.fromCharCode\([^\n]*"#,
        lines: 0,
        message: Wording::new(
            "`{}` runs what nobody can read: write the code out",
            "`{}` 运行的内容没人读得懂，请直接写出代码",
        ),
    },
    Pattern {
        expression: r#"xxd\s+(?:-p\s+-r|-r\s+-p|-r)[^\n|]{0,60}\|\s*(?:ba|z)?sh(?-u:\b)"#,
        lines: 0,
        message: Wording::new(
            "`{}` runs what nobody can read: write the code out",
            "`{}` 运行的内容没人读得懂，请直接写出代码",
        ),
    },
];
