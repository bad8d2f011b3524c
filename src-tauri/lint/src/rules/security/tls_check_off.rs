use crate::analysis::context;
use crate::pattern::{Match, Pattern, Patterns, Scope};
use crate::{Check, Deed, Example, Group, Mark, Rule};
use skill::Severity;
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "tls-check-off",
    group: Group::Security,
    severity: Severity::Warning,
    on: false,
    title: Wording::new("Certificate check is switched off", "关闭 TLS 证书校验"),
    what: Wording::new(
        "Requests in scripts and code that do not check who answers: `verify=False`, `CERT_NONE`, `curl -k`, `wget --no-check-certificate`, `NODE_TLS_REJECT_UNAUTHORIZED=0`, `rejectUnauthorized: false`, `sslVerify false`.",
        "脚本和代码中的请求不验证对方身份：`verify=False`、`CERT_NONE`、`curl -k`、`wget --no-check-certificate`、`NODE_TLS_REJECT_UNAUTHORIZED=0`、`rejectUnauthorized: false`、`sslVerify false`。",
    ),
    why: Wording::new(
        "Anybody on the way can read and change what is sent, including keys. For a local server it is fine.",
        "链路上的任何人都能读取和篡改发送的内容，包括密钥。访问本地服务器时没有问题。",
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
            r#"import requests

requests.get("https://api.github.com/zen", verify=False, timeout=10)
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
            r#"import requests

requests.get("https://localhost:8443/health", verify=False, timeout=10)
"#,
        ),
    ]),
    hides: &[],
    marks: &[Mark::Evidence(Deed::Stays)],
    source: "OWASP; CWE-295",
    fix: None,
    check: Check::Pattern(Patterns {
        scope: Scope::Code,
        patterns: PATTERNS,
        unless: Some(is_fine),
        milder: Some(milder),
    }),
};

const PATTERNS: &[Pattern] = &[
    Pattern {
        expression: r#"(?i)(?:get|post|put|patch|delete|head|request|Client|Session)\([^\n]*verify\s*=\s*False[^\n]*"#,
        lines: 0,
        message: Wording::new(
            "`{}` does not check who answers: leave the check on",
            "`{}` 不验证对方身份，请保持验证开启",
        ),
    },
    Pattern {
        expression: r#"(?-u:\b)curl\s+[^\n|;]*(?:\s-[a-zA-Z]*k[a-zA-Z]*|--insecure)\s[^\n|;]*https://[^\s]+|(?-u:\b)curl\s+(?:-[a-zA-Z]*k[a-zA-Z]*|--insecure)\s[^\n|;]*https://[^\s]+"#,
        lines: 0,
        message: Wording::new(
            "`{}` does not check who answers: leave the check on",
            "`{}` 不验证对方身份，请保持验证开启",
        ),
    },
    Pattern {
        expression: r#"(?-u:\b)wget\s[^\n|;]*--no-check-certificate[^\n|;]*|verify_mode\s*=\s*ssl\.CERT_NONE|ssl\._create_unverified_context|(?-u:\b)strict-ssl[\s=]+false"#,
        lines: 0,
        message: Wording::new(
            "`{}` does not check who answers: leave the check on",
            "`{}` 不验证对方身份，请保持验证开启",
        ),
    },
    Pattern {
        expression: r#"(?i)NODE_TLS_REJECT_UNAUTHORIZED["\']?\]?\s*[=:]\s*["\']?0|rejectUnauthorized:\s*false|http\.sslVerify[\s=]+false|PYTHONHTTPSVERIFY=0"#,
        lines: 0,
        message: Wording::new(
            "`{}` does not check who answers: leave the check on",
            "`{}` 不验证对方身份，请保持验证开启",
        ),
    },
];

fn is_fine(found: &Match<'_>) -> bool {
    context::is_comment(found) || LOCAL.iter().any(|host| found.text.contains(&format!("//{host}")))
}

fn milder(found: &Match<'_>) -> Option<Wording> {
    let is_local = LOCAL.iter().any(|host| found.line.contains(host));
    is_local
        .then_some(Wording::new("a local address is next to it", "旁边是本机地址"))
        .or_else(|| context::not_done(found))
}

const LOCAL: [&str; 6] = ["localhost", "127.0.0.1", "0.0.0.0", "[::1]", "192.168.", "10."];
