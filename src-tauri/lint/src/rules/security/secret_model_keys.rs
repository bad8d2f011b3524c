use super::{secret_high_entropy, secret_password_var};
use crate::analysis::secret;
use crate::pattern::{Pattern, Patterns, Scope};
use crate::{Check, Deed, Example, Group, Mark, Rule};
use skill::Severity;
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "secret-model-keys",
    group: Group::Security,
    severity: Severity::Error,
    on: true,
    title: Wording::new("Key of a model provider", "模型服务密钥泄露"),
    what: Wording::new(
        "Keys of OpenAI, Anthropic, OpenRouter, Hugging Face, Groq, Replicate, xAI, Perplexity and of services with keys like `sk-…`, by their formats. Placeholders are not reported.",
        "按格式识别 OpenAI、Anthropic、OpenRouter、Hugging Face、Groq、Replicate、xAI、Perplexity 以及使用 `sk-…` 形式密钥的服务的密钥。占位符不报告。",
    ),
    why: Wording::new(
        "Everybody who gets the skill can run models at the author's expense.",
        "拿到技能的人都能用作者的账户调用模型，费用由作者承担。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        concat!(
            r"---
name: demo
description: Use when asked for a demo.
---
Set `ANTHROPIC_API_KEY=sk-ant-",
            "api03-Qm7Zt2Lx9Vb4Nc8Hd1Kf6Gs3Jw5Rp0YuEiOaBqTzMnXvCkLjHgFdSaPoIuYtReWq",
            "`.\n"
        ),
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
Set `OPENAI_API_KEY=sk-...` and `ANTHROPIC_API_KEY=<your-key>`.
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
        expression: r#"(?-u:\b)sk-ant-[a-z]{3,8}[0-9]{2}-[A-Za-z0-9_-]{60,}"#,
        lines: 0,
        message: Wording::new(
            "an Anthropic key is written out: revoke it, and read it from the environment",
            "明文写出了 Anthropic 密钥，请将其吊销，并改为从环境变量读取",
        ),
    },
    Pattern {
        expression: r#"(?-u:\b)sk-(?:[a-z]+-)?[A-Za-z0-9_-]{20,}T3BlbkFJ[A-Za-z0-9_-]{20,}"#,
        lines: 0,
        message: Wording::new(
            "an OpenAI key is written out: revoke it, and read it from the environment",
            "明文写出了 OpenAI 密钥，请将其吊销，并改为从环境变量读取",
        ),
    },
    Pattern {
        expression: r#"(?-u:\b)sk-(?:proj|svcacct)-[A-Za-z0-9_-]{48,}"#,
        lines: 0,
        message: Wording::new(
            "an OpenAI key is written out: revoke it, and read it from the environment",
            "明文写出了 OpenAI 密钥，请将其吊销，并改为从环境变量读取",
        ),
    },
    Pattern {
        expression: r#"(?-u:\b)sk-or-v1-[a-f0-9]{64}"#,
        lines: 0,
        message: Wording::new(
            "an OpenRouter key is written out: revoke it, and read it from the environment",
            "明文写出了 OpenRouter 密钥，请将其吊销，并改为从环境变量读取",
        ),
    },
    Pattern {
        expression: r#"(?-u:\b)hf_[A-Za-z]{34}(?-u:\b)"#,
        lines: 0,
        message: Wording::new(
            "a Hugging Face token is written out: revoke it, and read it from the environment",
            "明文写出了 Hugging Face 令牌，请将其吊销，并改为从环境变量读取",
        ),
    },
    Pattern {
        expression: r#"(?-u:\b)gsk_[A-Za-z0-9]{52}(?-u:\b)"#,
        lines: 0,
        message: Wording::new(
            "a Groq key is written out: revoke it, and read it from the environment",
            "明文写出了 Groq 密钥，请将其吊销，并改为从环境变量读取",
        ),
    },
    Pattern {
        expression: r#"(?-u:\b)r8_[A-Za-z0-9]{37}(?-u:\b)"#,
        lines: 0,
        message: Wording::new(
            "a Replicate token is written out: revoke it, and read it from the environment",
            "明文写出了 Replicate 令牌，请将其吊销，并改为从环境变量读取",
        ),
    },
    Pattern {
        expression: r#"(?-u:\b)xai-[A-Za-z0-9]{80}(?-u:\b)"#,
        lines: 0,
        message: Wording::new(
            "an xAI key is written out: revoke it, and read it from the environment",
            "明文写出了 xAI 密钥，请将其吊销，并改为从环境变量读取",
        ),
    },
    Pattern {
        expression: r#"(?-u:\b)pplx-[A-Za-z0-9]{48}(?-u:\b)"#,
        lines: 0,
        message: Wording::new(
            "a Perplexity key is written out: revoke it, and read it from the environment",
            "明文写出了 Perplexity 密钥，请将其吊销，并改为从环境变量读取",
        ),
    },
    Pattern {
        expression: r#"(?-u:\b)sk-(?:[a-f0-9]{32}|[A-Za-z0-9]{48})(?-u:\b)"#,
        lines: 0,
        message: Wording::new(
            "a key of the form `sk-…` is written out: revoke it, and read it from the environment",
            "明文写出了形如 `sk-…` 的密钥，请将其吊销，并改为从环境变量读取",
        ),
    },
];
