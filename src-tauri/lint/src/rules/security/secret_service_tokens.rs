use super::{secret_high_entropy, secret_password_var};
use crate::analysis::secret;
use crate::pattern::{Pattern, Patterns, Scope};
use crate::{Check, Deed, Example, Group, Mark, Rule};
use skill::Severity;
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "secret-service-tokens",
    group: Group::Security,
    severity: Severity::Error,
    on: true,
    title: Wording::new("Token of an online service", "在线服务令牌泄露"),
    what: Wording::new(
        "Tokens of Slack, Stripe (live), SendGrid, Telegram, Discord, Twilio, Mailgun, Shopify, Square and Notion, and webhooks of Slack and Feishu, by their formats.",
        "按格式识别 Slack、Stripe（正式环境）、SendGrid、Telegram、Discord、Twilio、Mailgun、Shopify、Square 和 Notion 的令牌，以及 Slack 和飞书的 webhook。",
    ),
    why: Wording::new(
        "Everybody who gets the skill can send, charge or read in the author's name.",
        "拿到技能的人都能以作者的名义发送、扣款或读取。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        concat!(
            r"---
name: demo
description: Use when asked for a demo.
---
Use `sk_li",
            "ve_51Hq8ZtLkVb4Nc8Hd1Kf6Gs3Jw5Rp0Y",
            "`.\n"
        ),
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
Use `sk_live_xxxxxxxxxxxxxxxxxxxxxxxx`, and `sk_test_…` for tests.
",
    )]),
    hides: &[&secret_high_entropy::RULE, &secret_password_var::RULE],
    marks: &[Mark::Evidence(Deed::Leaks)],
    source: "vendors' documentation of their key formats; agnix XP-SK-003; cisco-ai-skill-scanner",
    fix: None,
    check: Check::Secret(Patterns {
        scope: Scope::All,
        patterns: PATTERNS,
        unless: Some(secret::is_unlikely_key),
        milder: None,
    }),
};

const PATTERNS: &[Pattern] = &[
    Pattern {
        expression: r#"(?-u:\b)[sr]k_live_[A-Za-z0-9]{24,}"#,
        lines: 0,
        message: Wording::new(
            "a Stripe live key is written out: revoke it, and read it from the environment",
            "明文写出了 Stripe 正式环境密钥，请将其吊销，并改为从环境变量读取",
        ),
    },
    Pattern {
        expression: r#"(?-u:\b)xox[abprs]-[0-9]{8,}-[A-Za-z0-9-]{20,}"#,
        lines: 0,
        message: Wording::new(
            "a Slack token is written out: revoke it, and read it from the environment",
            "明文写出了 Slack 令牌，请将其吊销，并改为从环境变量读取",
        ),
    },
    Pattern {
        expression: r#"hooks\.slack\.com/services/T[A-Z0-9]{8,}/B[A-Z0-9]{8,}/[A-Za-z0-9]{24}"#,
        lines: 0,
        message: Wording::new(
            "a Slack webhook is written out: revoke it, and read it from the environment",
            "明文写出了 Slack webhook，请将其吊销，并改为从环境变量读取",
        ),
    },
    Pattern {
        expression: r#"open\.feishu\.cn/open-apis/bot/v2/hook/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"#,
        lines: 0,
        message: Wording::new(
            "a Feishu webhook is written out: revoke it, and read it from the environment",
            "明文写出了飞书 webhook，请将其吊销，并改为从环境变量读取",
        ),
    },
    Pattern {
        expression: r#"(?-u:\b)SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}"#,
        lines: 0,
        message: Wording::new(
            "a SendGrid key is written out: revoke it, and read it from the environment",
            "明文写出了 SendGrid 密钥，请将其吊销，并改为从环境变量读取",
        ),
    },
    Pattern {
        expression: r#"(?-u:\b)[0-9]{8,10}:AA[A-Za-z0-9_-]{33}(?-u:\b)"#,
        lines: 0,
        message: Wording::new(
            "a Telegram bot token is written out: revoke it, and read it from the environment",
            "明文写出了 Telegram 机器人令牌，请将其吊销，并改为从环境变量读取",
        ),
    },
    Pattern {
        expression: r#"(?-u:\b)shp(?:at|ss)_[a-f0-9]{32}(?-u:\b)"#,
        lines: 0,
        message: Wording::new(
            "a Shopify token is written out: revoke it, and read it from the environment",
            "明文写出了 Shopify 令牌，请将其吊销，并改为从环境变量读取",
        ),
    },
    Pattern {
        expression: r#"(?-u:\b)sq0(?:atp|csp)-[A-Za-z0-9_-]{22,43}"#,
        lines: 0,
        message: Wording::new(
            "a Square token is written out: revoke it, and read it from the environment",
            "明文写出了 Square 令牌，请将其吊销，并改为从环境变量读取",
        ),
    },
    Pattern {
        expression: r#"(?-u:\b)(?:ntn_[0-9]{11}[A-Za-z0-9]{35}|secret_[A-Za-z0-9]{43})(?-u:\b)"#,
        lines: 0,
        message: Wording::new(
            "a Notion token is written out: revoke it, and read it from the environment",
            "明文写出了 Notion 令牌，请将其吊销，并改为从环境变量读取",
        ),
    },
];
