use crate::pattern::{Match, Pattern, Patterns, Scope};
use crate::{Check, Example, Group, Rule};
use skill::Severity;
use skill::wording::Wording;

pub static RULE: Rule = Rule {
    id: "http-url",
    group: Group::Links,
    severity: Severity::Info,
    on: true,
    title: Wording::new("Address without encryption", "使用未加密的 http 地址"),
    what: Wording::new(
        "An `http://` address in Markdown, other than of this machine, of a private network, of examples, \
           and of names that only look like addresses (XML namespaces, schemas).",
        "",
    ),
    why: Wording::new(
        "Whoever sits between reads and changes what the agent fetches from there, instructions too.",
        "",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
Fetch the rates from http://rates.test.org/today.
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
Fetch the rates from https://rates.test.org/today, or from http://localhost:8080.
",
    )]),
    hides: &[],
    source: "OWASP; Cisco skill-scanner",
    fix: None,
    check: Check::Pattern(Patterns {
        scope: Scope::Instructions,
        patterns: &[Pattern {
            expression: r#"http://[A-Za-z0-9][A-Za-z0-9.-]*[^\s)>\]"\x27`]*"#,
            lines: 0,
            message: Wording::new("`{}` is fetched without encryption; write `https://`", ""),
        }],
        unless: Some(is_fine),
        milder: None,
    }),
};

/// Hosts that are not fetched from over the open network.
fn is_fine(found: &Match<'_>) -> bool {
    let host =
        found.text.trim_start_matches("http://").split(['/', ':', '?', '#', '，', '。']).next().unwrap_or_default();
    let host = host.to_ascii_lowercase();
    let names = [
        "localhost",
        "0.0.0.0",
        "host.docker.internal",
        "www.w3.org",
        "w3.org",
        "purl.org",
        "json-schema.org",
        "xmlns.com",
    ];
    names.contains(&host.as_str())
        || !host.contains('.')
        || ["127.", "10.", "192.168.", "172.", "169.254.", "schemas.", "ns.", "example.", "www.example."]
            .iter()
            .any(|start| host.starts_with(start))
        || [".local", ".localhost", ".internal", ".test", ".invalid", ".example", ".example.com", ".example.org"]
            .iter()
            .any(|end| host.ends_with(end))
}
