use super::{secret_high_entropy, secret_password_var};
use crate::analysis::secret;
use crate::pattern::{Match, Pattern, Patterns, Scope};
use crate::{Check, Deed, Example, Group, Mark, Rule};
use skill::Severity;
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "secret-connection-string",
    group: Group::Security,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Password in an address", "连接串中含有密码"),
    what: Wording::new(
        "An address of a database, queue or server with a user and a password in it. Placeholders, variables and local hosts are not reported.",
        "数据库、队列或服务器的地址中含有用户名和密码。占位符、变量和本地主机不报告。",
    ),
    why: Wording::new("Everybody who gets the skill gets into the database.", "拿到技能的人都能进入数据库。"),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
Connect to `postgres://svc:Tq7vLm2Zx9@db.acme.io:5432/app`.
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
Connect to `postgres://user:password@localhost:5432/app`.
",
    )]),
    hides: &[&secret_high_entropy::RULE, &secret_password_var::RULE],
    marks: &[Mark::Evidence(Deed::Leaks)],
    source: "cisco-ai-skill-scanner SECRET_CONNECTION_STRING",
    fix: None,
    check: Check::Secret(Patterns { scope: Scope::All, patterns: PATTERNS, unless: Some(is_fine), milder: None }),
};

const PATTERNS: &[Pattern] = &[Pattern {
    expression: r#"(?i)(?:postgres(?:ql)?|mysql|mongodb(?:\+srv)?|rediss?|amqps?|s?ftp|smtp)://[A-Za-z0-9_.-]*:[^\s@/"\'<>{}$`]{6,}@[A-Za-z0-9.-]+"#,
    lines: 0,
    message: Wording::new(
        "an address with its password is written out: change the password, and read it from the environment",
        "明文写出了带密码的地址，请更换密码，并改为从环境变量读取",
    ),
}];

fn is_fine(found: &Match<'_>) -> bool {
    let Some((login, host)) = found.text.rsplit_once('@') else { return true };
    let password = login.rsplit(':').next().unwrap_or_default();
    let lower = password.to_ascii_lowercase();
    let made_up =
        ["pass", "pwd", "secret", "user", "admin", "root", "guest", "postgres"].iter().any(|word| lower.contains(word));
    let local = host == "host"
        || !host.contains('.')
        || ["localhost", "127.0.0.1", "0.0.0.0"].contains(&host)
        || host.contains("example");
    made_up || local || secret::is_placeholder(password) || secret::entropy(password) < 2.4
}
