use super::{secret_high_entropy, secret_password_var};
use crate::analysis::secret;
use crate::pattern::{Match, Pattern, Patterns, Scope};
use crate::{Check, Deed, Example, Group, Mark, Rule};
use skill::Severity;
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "secret-cloud-keys",
    group: Group::Security,
    severity: Severity::Error,
    on: true,
    title: Wording::new("Key of a cloud account", "云服务密钥泄露"),
    what: Wording::new(
        "Access keys of AWS, Google Cloud, Azure storage, Alibaba Cloud, Tencent Cloud and DigitalOcean, by their formats. Placeholders and values too regular to be random are not reported.",
        "按格式识别 AWS、Google Cloud、Azure 存储、阿里云、腾讯云和 DigitalOcean 的访问密钥。占位符和过于规律的值不报告。",
    ),
    why: Wording::new(
        "Everybody who gets the skill gets the account; published keys are found and used within minutes.",
        "拿到技能的人就拿到了账户；公开的密钥几分钟内就会被人发现并使用。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        concat!(
            r"---
name: demo
description: Use when asked for a demo.
---
Set `AWS_ACCESS_KEY_ID=AKIA",
            "QYLPMN5HFIQR7XYA",
            "`.\n"
        ),
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
Set `AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE`.
",
    )]),
    hides: &[&secret_high_entropy::RULE, &secret_password_var::RULE],
    marks: &[Mark::Evidence(Deed::Leaks)],
    source: "vendors' documentation of their key formats; agnix XP-SK-003; cisco-ai-skill-scanner",
    fix: None,
    check: Check::Secret(Patterns { scope: Scope::All, patterns: PATTERNS, unless: Some(is_fine), milder: None }),
};

const PATTERNS: &[Pattern] = &[
    Pattern {
        expression: r#"(?-u:\b)(?:AKIA|ASIA)[A-Z0-9]{16}(?-u:\b)"#,
        lines: 0,
        message: Wording::new(
            "an AWS access key id is written out: revoke it, and read it from the environment",
            "明文写出了 AWS 访问密钥 ID，请将其吊销，并改为从环境变量读取",
        ),
    },
    Pattern {
        expression: r#"(?i)(?:aws_?secret_?(?:access_?)?key|secret_?access_?key)["\']?\s*[:=]\s*["\']?[A-Za-z0-9/+]{40}(?:[^A-Za-z0-9/+=]|$)"#,
        lines: 0,
        message: Wording::new(
            "an AWS secret key is written out: revoke it, and read it from the environment",
            "明文写出了 AWS 私有访问密钥，请将其吊销，并改为从环境变量读取",
        ),
    },
    Pattern {
        expression: r#"(?-u:\b)AIzaSy[A-Za-z0-9_-]{33}"#,
        lines: 0,
        message: Wording::new(
            "a Google API key is written out: revoke it, and read it from the environment",
            "明文写出了 Google API 密钥，请将其吊销，并改为从环境变量读取",
        ),
    },
    Pattern {
        expression: r#"GOCSPX-[A-Za-z0-9_-]{28}"#,
        lines: 0,
        message: Wording::new(
            "a Google OAuth client secret is written out: revoke it, and read it from the environment",
            "明文写出了 Google OAuth 客户端密钥，请将其吊销，并改为从环境变量读取",
        ),
    },
    Pattern {
        expression: r#"(?i)AccountKey=[A-Za-z0-9+/]{86}=="#,
        lines: 0,
        message: Wording::new(
            "an Azure storage key is written out: revoke it, and read it from the environment",
            "明文写出了 Azure 存储密钥，请将其吊销，并改为从环境变量读取",
        ),
    },
    Pattern {
        expression: r#"(?-u:\b)LTAI[A-Za-z0-9]{20}(?-u:\b)"#,
        lines: 0,
        message: Wording::new(
            "an Alibaba Cloud access key id is written out: revoke it, and read it from the environment",
            "明文写出了阿里云访问密钥 ID，请将其吊销，并改为从环境变量读取",
        ),
    },
    Pattern {
        expression: r#"(?-u:\b)AKID[A-Za-z0-9]{32}(?-u:\b)"#,
        lines: 0,
        message: Wording::new(
            "a Tencent Cloud secret id is written out: revoke it, and read it from the environment",
            "明文写出了腾讯云 SecretId，请将其吊销，并改为从环境变量读取",
        ),
    },
    Pattern {
        expression: r#"do[op]_v1_[a-f0-9]{64}"#,
        lines: 0,
        message: Wording::new(
            "a DigitalOcean token is written out: revoke it, and read it from the environment",
            "明文写出了 DigitalOcean 令牌，请将其吊销，并改为从环境变量读取",
        ),
    },
];

fn is_fine(found: &Match<'_>) -> bool {
    // With a name in front, only the requirements on the value are lower.
    let value = found.text.rsplit(['=', ':', '"', '\'', ' ']).find(|part| !part.is_empty()).unwrap_or(found.text);
    secret::is_placeholder(found.text) || secret::entropy(value) < 3.0
}
