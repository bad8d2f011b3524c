use super::{secret_high_entropy, secret_password_var};
use crate::analysis::secret;
use crate::pattern::{Match, Pattern, Patterns, Scope};
use crate::{Check, Deed, Example, Group, Mark, Rule};
use skill::Severity;
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "secret-vcs-tokens",
    group: Group::Security,
    severity: Severity::Error,
    on: true,
    title: Wording::new("Token of a code or package host", "代码或软件包托管平台令牌泄露"),
    what: Wording::new(
        "Tokens of GitHub, GitLab, npm, PyPI and Bitbucket, by their formats; those with a checksum only if it is right.",
        "按格式识别 GitHub、GitLab、npm、PyPI 和 Bitbucket 的令牌；带校验和的，仅在校验和正确时报告。",
    ),
    why: Wording::new(
        "Everybody who gets the skill can read and publish in the author's name.",
        "拿到技能的人都能以作者的名义读取和发布。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        concat!(
            r"---
name: demo
description: Use when asked for a demo.
---
Set `GITHUB_TOKEN=ghp_",
            "zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17",
            "`.\n"
        ),
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
Set `GITHUB_TOKEN=ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx`.
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
        expression: r#"(?-u:\b)gh[pousr]_[A-Za-z0-9]{36}(?-u:\b)"#,
        lines: 0,
        message: Wording::new(
            "a GitHub token is written out: revoke it, and read it from the environment",
            "明文写出了 GitHub 令牌，请将其吊销，并改为从环境变量读取",
        ),
    },
    Pattern {
        expression: r#"(?-u:\b)github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}(?-u:\b)"#,
        lines: 0,
        message: Wording::new(
            "a GitHub token is written out: revoke it, and read it from the environment",
            "明文写出了 GitHub 令牌，请将其吊销，并改为从环境变量读取",
        ),
    },
    Pattern {
        expression: r#"(?-u:\b)glpat-[A-Za-z0-9_-]{20,}"#,
        lines: 0,
        message: Wording::new(
            "a GitLab token is written out: revoke it, and read it from the environment",
            "明文写出了 GitLab 令牌，请将其吊销，并改为从环境变量读取",
        ),
    },
    Pattern {
        expression: r#"(?-u:\b)npm_[A-Za-z0-9]{36}(?-u:\b)"#,
        lines: 0,
        message: Wording::new(
            "an npm token is written out: revoke it, and read it from the environment",
            "明文写出了 npm 令牌，请将其吊销，并改为从环境变量读取",
        ),
    },
    Pattern {
        expression: r#"(?-u:\b)pypi-AgEIcHlwaS5vcmc[A-Za-z0-9_-]{50,}"#,
        lines: 0,
        message: Wording::new(
            "a PyPI token is written out: revoke it, and read it from the environment",
            "明文写出了 PyPI 令牌，请将其吊销，并改为从环境变量读取",
        ),
    },
    Pattern {
        expression: r#"(?-u:\b)ATBB[A-Za-z0-9]{32}(?-u:\b)"#,
        lines: 0,
        message: Wording::new(
            "a Bitbucket app password is written out: revoke it, and read it from the environment",
            "明文写出了 Bitbucket 应用密码，请将其吊销，并改为从环境变量读取",
        ),
    },
];

fn is_fine(found: &Match<'_>) -> bool {
    let has_sum = found.text.starts_with("gh") || found.text.starts_with("npm_");
    let summed = has_sum && !found.text.starts_with("github_pat_");
    secret::is_unlikely_key(found) || (summed && !secret::has_checksum(found.text))
}
