use crate::analysis::context;
use crate::analysis::secret;
use crate::pattern::{Match, Pattern, Patterns, Scope};
use crate::{Check, Deed, Example, Group, Mark, Rule};
use skill::Severity;
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "secret-password-var",
    group: Group::Security,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Password written into a file", "硬编码密码"),
    what: Wording::new(
        "A quoted password of eight characters or more, with letters and digits or signs, given to a variable or key of that name in a script or configuration.",
        "脚本或配置中名为密码的变量或键，其带引号的值有八个以上字符，含字母以及数字或符号。",
    ),
    why: Wording::new("Everybody who gets the skill gets the password.", "拿到技能的人都能得到密码。"),
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
        ("scripts/run.py", "PASSWORD = \"Tq7v!Lm2Zx9\"\n"),
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
            r#"import os

PASSWORD = os.environ["APP_PASSWORD"]
FALLBACK_PASSWORD = "changeme123"
"#,
        ),
    ]),
    hides: &[],
    marks: &[Mark::Evidence(Deed::Leaks)],
    source: "cisco-ai-skill-scanner SECRET_PASSWORD_VAR",
    fix: None,
    check: Check::Secret(Patterns { scope: Scope::All, patterns: PATTERNS, unless: Some(is_fine), milder: None }),
};

const PATTERNS: &[Pattern] = &[Pattern {
    expression: r#"(?i)(?:password|passwd|passphrase|_pwd)["\']?\s*[:=]\s*["\'][^"\'\s]{8,64}["\']"#,
    lines: 0,
    message: Wording::new(
        "a password is written out: change it, and read it from the environment",
        "明文写出了密码，请更换，并改为从环境变量读取",
    ),
}];

fn is_fine(found: &Match<'_>) -> bool {
    if !matches!(
        context::extension(found.path).as_str(),
        "py" | "sh" | "js" | "ts" | "mjs" | "rb" | "ps1" | "env" | "ini" | "cfg" | "toml" | "yaml" | "yml" | "json"
    ) {
        return true;
    }
    let value = found.text.trim_end_matches(['"', '\'']).rsplit(['"', '\'']).next().unwrap_or_default();
    let letters = value.bytes().any(|byte| byte.is_ascii_alphabetic());
    let others = value.bytes().filter(|byte| !byte.is_ascii_alphabetic()).count();
    let lower = value.to_ascii_lowercase();
    let made_up = ["pass", "pwd", "admin", "1234", "qwert", "secret", "hunter2", "letmein"]
        .iter()
        .any(|word| lower.contains(word));
    let is_code = value.contains(['(', '{', '[', '\\', '%', '/', '$']);
    !letters || others == 0 || made_up || is_code || secret::is_placeholder(value) || secret::entropy(value) < 2.8
}
