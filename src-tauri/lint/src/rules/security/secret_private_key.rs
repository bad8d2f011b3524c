use super::{secret_high_entropy, secret_password_var};
use crate::analysis::secret;
use crate::pattern::{Pattern, Patterns, Scope};
use crate::{Check, Deed, Example, Group, Mark, Rule};
use skill::Severity;
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "secret-private-key",
    group: Group::Security,
    severity: Severity::Error,
    on: true,
    title: Wording::new("Private key", "私钥泄露"),
    what: Wording::new(
        "A PEM or OpenSSH private key with its content. The lines around it alone, or with dots between them, are not reported.",
        "带有内容的 PEM 或 OpenSSH 私钥。只有首尾两行，或中间是省略号的不报告。",
    ),
    why: Wording::new("Everybody who gets the skill can act as the key's owner.", "拿到技能的人都能冒充密钥的所有者。"),
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
            "assets/key.pem",
            concat!(
                "-----BEGIN PRI",
                r"VATE KEY-----
MIIEvgIBADANBgkqhkiG9w0BAQEFAASCBKgwggSkAgEAAoIBAQC7VJTUt9Us8cKj
MzEfYyjiWA4R4/M2bS1GB4t7NXp98C3SC6dVMvDuictGeurT8jNbvJZHtCSuYEvu
-----END PRIVATE KEY-----
"
            ),
        ),
    ]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
Paste the key between `-----BEGIN PRIVATE KEY-----` and `-----END PRIVATE KEY-----`.
",
    )]),
    hides: &[&secret_high_entropy::RULE, &secret_password_var::RULE],
    marks: &[Mark::Evidence(Deed::Leaks)],
    source: "vendors' documentation of their key formats; agnix XP-SK-003; cisco-ai-skill-scanner",
    fix: None,
    check: Check::Secret(Patterns {
        scope: Scope::All,
        patterns: PATTERNS,
        unless: Some(secret::is_placeholder_match),
        milder: None,
    }),
};

const PATTERNS: &[Pattern] = &[Pattern {
    expression: r#"-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:\\[rn]|\s)+(?:[A-Za-z0-9+/=:, ]|\\[rn]|\s){100,}"#,
    lines: 4,
    message: Wording::new(
        "a private key is written out: replace the key pair, and keep it outside of the skill",
        "明文写出了私钥，请更换密钥对，并保存在技能之外",
    ),
}];
