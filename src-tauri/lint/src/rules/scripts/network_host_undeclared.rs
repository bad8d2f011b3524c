use std::collections::HashSet;

use crate::code::Code;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "network-host-undeclared",
    group: Group::Scripts,
    severity: Severity::Info,
    on: false,
    title: Wording::new("Script talks to a host that nothing names", "脚本访问了未说明的主机"),
    what: Wording::new(
        "A script that calls an address on a host of which no text of the skill names any part (for `api.github.com`, `GitHub` is enough).",
        "脚本访问了某个主机上的地址，而技能的文本没有提到该主机的任何一部分（对 `api.github.com` 来说，提到 `GitHub` 就够了）。",
    ),
    why: Wording::new(
        "Whoever installs the skill cannot tell where data goes; if only some hosts may be reached, it fails without a reason.",
        "安装技能的人看不出数据会发往哪里；如果网络只放行部分主机，脚本会莫名其妙地失败。",
    ),
    bad: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Run `python3 scripts/fetch.py`.
",
        ),
        (
            "scripts/fetch.py",
            r#"from urllib.request import urlopen

print(urlopen("https://api.weatherly.io/today").status)
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
Run `python3 scripts/fetch.py`; it asks api.weatherly.io.
",
        ),
        (
            "scripts/fetch.py",
            r#"from urllib.request import urlopen

print(urlopen("https://api.weatherly.io/today").status)
"#,
        ),
    ]),
    hides: &[],
    marks: &[],
    source: "Cisco skill-scanner; agentskills.io specification: `compatibility` states network access",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let code = skill.code();
    let mut said = HashSet::new();
    for script in &code.scripts {
        for host in &script.facts.hosts {
            if is_named(code, &host.name) || !said.insert(host.name.as_str()) {
                continue;
            }
            let message = message!(
                "no text of the skill says that it talks to `{}`; name it, and say what is sent",
                "技能的文本没有说明会访问 `{}`，请写明它以及发送的内容",
                host.name
            );
            report.at(&script.file.path, host.span, message);
        }
    }
}

/// One of the parts that are its own: neither `www` nor `com`.
fn is_named(code: &Code<'_>, host: &str) -> bool {
    let parts: Vec<&str> = host.split('.').collect();
    let own = parts[..parts.len().saturating_sub(1)].iter();
    let own = own.filter(|part| !matches!(**part, "www" | "api" | "raw" | "cdn" | "co" | "com"));
    // `GITHUB_TOKEN` says whom it is for.
    let has_variable = |part: &str| {
        let start = format!("{}_", part.to_ascii_uppercase());
        !part.is_empty() && code.documents.iter().any(|document| document.text().contains(&start))
    };
    own.flat_map(|part| [*part, part.trim_end_matches("apis"), part.trim_end_matches("usercontent")])
        .any(|part| code.names(part) || has_variable(part))
}
