use super::{secret_high_entropy, secret_password_var};
use crate::analysis::{context, secret};
use crate::pattern::{Match, Pattern, Patterns, Scope};
use crate::{Check, Deed, Example, Group, Mark, Rule};
use skill::Severity;
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "secret-jwt",
    group: Group::Security,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Signed token", "JWT 令牌泄露"),
    what: Wording::new(
        "A JSON Web Token with header, claims and signature that is not the example of its specification.",
        "带有头部、声明和签名的 JSON Web Token，且不是规范中的示例。",
    ),
    why: Wording::new(
        "Until it expires, whoever has it is logged in as its owner.",
        "过期之前，谁拿到它，谁就能以其所有者的身份登录。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        concat!(
            r"---
name: demo
description: Use when asked for a demo.
---
Send `eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9",
            ".eyJzdWIiOiI4ODQyMTciLCJyb2xlIjoiYWRtaW4iLCJleHAiOjE4OTM0NTYwMDB9.q8Zt2Lx9Vb4Nc8Hd1Kf6Gs3Jw5Rp0YuEiOaBqTzMnXv",
            "`.\n"
        ),
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
Send `eyJhbGciOiJIUzI1NiJ9...`.
",
    )]),
    hides: &[&secret_high_entropy::RULE, &secret_password_var::RULE],
    marks: &[Mark::Evidence(Deed::Leaks)],
    source: "RFC 7519; cisco-ai-skill-scanner SECRET_JWT_TOKEN",
    fix: None,
    check: Check::Secret(Patterns {
        scope: Scope::All,
        patterns: PATTERNS,
        unless: Some(is_fine),
        milder: Some(context::in_page),
    }),
};

const PATTERNS: &[Pattern] = &[Pattern {
    expression: r#"(?-u:\b)eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{20,}"#,
    lines: 0,
    message: Wording::new(
        "a signed token is written out: revoke it, and read it from the environment",
        "明文写出了已签名的令牌，请将其吊销，并改为从环境变量读取",
    ),
}];

fn is_fine(found: &Match<'_>) -> bool {
    let mut parts = found.text.split('.').map(|part| secret::base64(part, 1024));
    let mut part = || String::from_utf8_lossy(&parts.next().unwrap_or_default()).into_owned();
    let (header, claims) = (part(), part());
    let made_up = ["John Doe", "1234567890", "example", "Jane"].iter().any(|word| claims.contains(word));
    !header.contains("\"alg\"") || made_up || secret::is_placeholder(found.text.rsplit('.').next().unwrap_or_default())
}
