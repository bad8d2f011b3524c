use crate::analysis::{context, secret};
use crate::pattern::{Match, Pattern, Patterns, Scope};
use crate::{Check, Deed, Example, Group, Mark, Rule};
use skill::Severity;
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "secret-high-entropy",
    group: Group::Security,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Random value under a secret's name", "疑似硬编码密钥"),
    what: Wording::new(
        "A quoted value of twenty characters or more that looks random (3.7 bits per character, letters and digits mixed), given to a variable or key called key, token or secret.",
        "名为 key、token 或 secret 的变量或键，其带引号的值有二十个以上字符且看起来随机（每字符 3.7 比特，字母和数字混杂）。",
    ),
    why: Wording::new(
        "It is most likely a credential of a service whose format no scanner knows.",
        "它很可能是某个服务的凭证，只是没有扫描器认得它的格式。",
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
        ("scripts/run.py", "API_KEY = \"q8Zt2Lx9Vb4Nc8Hd1Kf6Gs3Jw5Rp0Y\"\n"),
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
            r#"API_KEY = "your-api-key-goes-in-here-0001"
TOKEN_FIELD = "x-acme-session-token-2024-v2"
"#,
        ),
    ]),
    hides: &[],
    marks: &[Mark::Evidence(Deed::Leaks)],
    source: "entropy and name filters of secret scanners",
    fix: None,
    check: Check::Secret(Patterns {
        scope: Scope::All,
        patterns: PATTERNS,
        unless: Some(is_fine),
        milder: Some(context::in_page),
    }),
};

const PATTERNS: &[Pattern] = &[Pattern {
    expression: r#"(?i)(?:api[_-]?key|secret(?:[_-]?key)?|token|access[_-]?key|auth[_-]?key)["\']?\s*[:=]\s*["\'][A-Za-z0-9_+/=.-]{20,200}["\']"#,
    lines: 0,
    message: Wording::new(
        "a value that looks like a credential is written out: revoke it, and read it from the environment",
        "明文写出了疑似凭证的值，请将其吊销，并改为从环境变量读取",
    ),
}];

fn is_fine(found: &Match<'_>) -> bool {
    let value = found.text.trim_end_matches(['"', '\'']).rsplit(['"', '\'']).next().unwrap_or_default();
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let longest_word = value.split(|letter: char| !letter.is_ascii_lowercase()).map(str::len).max().unwrap_or_default();
    // Other rules report these.
    let known =
        ["sk-", "ghp_", "gho_", "AKIA", "AIza", "hf_", "eyJ", "xox", "sk_live_", "glpat-", "npm_", "github_pat_"];
    digits < 3
        || longest_word > 7
        || known.iter().any(|prefix| value.starts_with(prefix))
        || is_public(value)
        || secret::is_placeholder(value)
        || secret::entropy(value) < 3.7
}

/// An address of a chain, a number of a thing, a key that its maker says to publish.
fn is_public(value: &str) -> bool {
    let is_hex = |text: &str| text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_address = value.strip_prefix("0x").is_some_and(|rest| rest.len() == 40 && is_hex(rest));
    let parts: Vec<&str> = value.split('-').collect();
    let is_uuid = matches!(*parts, [a, b, c, d, e] if [a, b, c, d, e].iter().all(|part| is_hex(part)) && [a.len(), b.len(), c.len(), d.len(), e.len()] == [8, 4, 4, 4, 12]);
    is_address || is_uuid || value.starts_with("phc_")
}
