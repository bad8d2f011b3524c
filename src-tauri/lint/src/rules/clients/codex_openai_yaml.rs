use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::source::Span;
use skill::wording::Wording;
use skill::{Field, Severity, YamlValue, yaml};

pub static RULE: Rule = Rule {
    id: "codex-openai-yaml",
    group: Group::Clients,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Codex ignores this of openai.yaml", "Codex 会忽略 openai.yaml 中的这一项"),
    what: Wording::new(
        "`agents/openai.yaml` that is no map, has a section other than `interface`, `policy` and `dependencies`, \
           or in them a field that Codex does not know, a `brand_color` other than `#RRGGBB`, an icon that does not \
           lie in `assets`, or an `allow_implicit_invocation` that is neither true nor false.",
        "",
    ),
    why: Wording::new(
        "Codex leaves it out without a word: no icon, no colour, or a skill that starts by itself although it \
          should not.",
        "",
    ),
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
            "agents/openai.yaml",
            r"interface:
  display_name: Demo
  brand_color: blue
",
        ),
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
            "agents/openai.yaml",
            r##"interface:
  display_name: Demo
  brand_color: "#3B82F6"
policy:
  allow_implicit_invocation: false
"##,
        ),
    ]),
    hides: &[],
    source: "Codex: codex-rs, skill metadata; skill-creator, references/openai_yaml.md",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let Some(file) = skill.file("agents/openai.yaml") else { return };
    let Some(text) = skill.read(file) else { return };
    let parsed = yaml::parse(text.text());
    if let Some(error) = parsed.error {
        report.at(&file.path, error.span, format!("Codex ignores the file: {}", error.kind));
        return;
    }
    for section in &parsed.fields {
        let Some((_, known)) = SECTIONS.iter().find(|(name, _)| *name == section.key) else {
            let message = format!("Codex knows no section `{}`; it has interface, policy, dependencies", section.key);
            report.at(&file.path, section.key_span, message);
            continue;
        };
        let YamlValue::Map(fields) = &section.value else { continue };
        for (key, value) in fields.iter().take(MOST) {
            let mistake = match known.contains(&key.as_str()) {
                true => mistake(key, value),
                false => Some(format!("is not known to Codex; `{}` has {}", section.key, known.join(", "))),
            };
            if let Some(mistake) = mistake {
                report.at(&file.path, place(text.text(), section, key), format!("`{key}` {mistake}"));
            }
        }
    }
}

/// Fields looked at in a section; nobody has more.
const MOST: usize = 100;
const SECTIONS: [(&str, &[&str]); 3] = [
    ("interface", &["display_name", "short_description", "icon_small", "icon_large", "brand_color", "default_prompt"]),
    ("policy", &["allow_implicit_invocation", "products"]),
    ("dependencies", &["tools"]),
];

fn mistake(key: &str, value: &YamlValue) -> Option<String> {
    let text = value.as_str().unwrap_or_default();
    match key {
        "brand_color" if !is_color(text) => Some("must be a colour like \"#3B82F6\", in quotation marks".into()),
        "icon_small" | "icon_large" if !text.trim_start_matches("./").starts_with("assets/") || text.contains("..") => {
            Some("must be a path like `./assets/icon.svg`".into())
        }
        "allow_implicit_invocation" if !["true", "false"].contains(&text) => Some("must be `true` or `false`".into()),
        _ => None,
    }
}

fn is_color(text: &str) -> bool {
    let digits = text.strip_prefix('#');
    digits.is_some_and(|digits| digits.len() == 6 && digits.bytes().all(|digit| digit.is_ascii_hexdigit()))
}

/// Where a key stands in its section.
fn place(text: &str, section: &Field, key: &str) -> Span {
    let found = section.value_span.of(text).find(&format!("{key}:"));
    found.map_or(section.key_span, |at| Span::new(at, at + key.len()).shift(section.value_span.start))
}
