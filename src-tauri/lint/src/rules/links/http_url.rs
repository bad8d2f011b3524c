use crate::pattern::{Match, Pattern, Patterns, Scope};
use crate::{Check, Example, Group, Rule};
use skill::Severity;
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "http-url",
    group: Group::Links,
    severity: Severity::Info,
    on: false,
    title: Wording::new("Address without encryption", "使用未加密的 http 地址"),
    what: Wording::new(
        "An `http://` address in Markdown. Addresses of this machine, private networks and examples are left \
         alone, and so are addresses with a port, which are services of one's own, and names that only look like addresses \
         (XML namespaces, schemas, document types).",
        "Markdown 中的 `http://` 地址。本机、内网和示例地址、带端口的地址（自有服务），以及只是形似地址的名称（XML 命名空间、schema、文档类型）不检查。",
    ),
    why: Wording::new(
        "Anybody on the way can read and change what the agent fetches from there, including instructions.",
        "网络途中的任何人都能读取并篡改智能体从那里获取的内容，包括指令。",
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
    marks: &[],
    source: "OWASP; Cisco skill-scanner",
    fix: None,
    check: Check::Pattern(Patterns {
        scope: Scope::Instructions,
        patterns: &[Pattern {
            expression: r#"http://[A-Za-z0-9][A-Za-z0-9.-]*[^\s)>\]"\x27`]*"#,
            lines: 0,
            message: Wording::new(
                "`{}` is fetched without encryption; write `https://`",
                "`{}` 未加密；改用 `https://`",
            ),
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
    let address = found.text.trim_start_matches("http://");
    let has_port = address.split('/').next().is_some_and(|host| host.contains(':') && !host.ends_with(":80"));
    let is_name = ["xmlns", "targetNamespace", "DOCTYPE", "schemaLocation", "$schema", "@context"]
        .iter()
        .any(|mark| found.line.contains(mark))
        || [".dtd", ".xsd"].iter().any(|end| address.trim_end_matches(['.', ',']).ends_with(end))
        || ["/schema", "/xml/features/", "/sax/features/", "/sax/properties/"]
            .iter()
            .any(|part| address.contains(part));
    let is_made_up = ["evil", "attacker", "company", "internal", "victim", "malicious", "target", "yourdomain"]
        .iter()
        .any(|word| host.split('.').any(|label| label == *word));
    has_port
        || is_name
        || is_made_up
        || names.contains(&host.as_str())
        || !host.contains('.')
        || ["127.", "10.", "192.168.", "172.", "169.254.", "schemas.", "ns.", "example.", "www.example."]
            .iter()
            .any(|start| host.starts_with(start))
        || [".local", ".localhost", ".internal", ".test", ".invalid", ".example", ".example.com", ".example.org"]
            .iter()
            .any(|end| host.ends_with(end))
}
