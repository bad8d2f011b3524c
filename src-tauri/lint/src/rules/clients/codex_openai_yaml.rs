use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::source::Span;
use skill::{Field, Severity, YamlValue, yaml};
use wording::message;
use wording::{Message, Wording};

pub static RULE: Rule = Rule {
    id: "codex-openai-yaml",
    group: Group::Clients,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Codex ignores this of openai.yaml", "Codex 会忽略 openai.yaml 中的这一项"),
    what: Wording::new(
        "`agents/openai.yaml` that is not a map, has a section other than `interface`, `policy` and \
         `dependencies`, or in them a field that Codex does not know, a `brand_color` other than `#RRGGBB`, an \
         icon outside of `assets`, or an `allow_implicit_invocation` that is neither true nor false.",
        "`agents/openai.yaml` 不是映射；有 `interface`、`policy` 和 `dependencies` 以外的部分；\
         其中有 Codex 不认识的字段；`brand_color` 不是 `#RRGGBB`；图标不在 `assets` 中；\
         或者 `allow_implicit_invocation` 既不是 true 也不是 false。",
    ),
    why: Wording::new(
        "Codex ignores it silently: no icon, no colour, or a skill that starts by itself although it should not.",
        "Codex 会不加提示地忽略它：没有图标、没有颜色，或者技能在不该启动时自行启动。",
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
    marks: &[],
    source: "Codex: codex-rs, skill metadata; skill-creator, references/openai_yaml.md",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let Some(file) = skill.file("agents/openai.yaml") else { return };
    let Some(text) = skill.read(file) else { return };
    let parsed = yaml::parse(text.text());
    if let Some(error) = parsed.error {
        let Message { en, zh } = error.kind.message();
        let message =
            Message { en: format!("Codex ignores the file: {en}"), zh: format!("Codex 会忽略此文件：{zh}") };
        report.at(&file.path, error.span, message);
        return;
    }
    for section in &parsed.fields {
        let Some((_, known)) = SECTIONS.iter().find(|(name, _)| *name == section.key) else {
            let message = message!(
                "Codex knows no section `{}`; it has interface, policy, dependencies",
                "Codex 没有 `{}` 这一部分；只有 interface、policy、dependencies",
                section.key
            );
            report.at(&file.path, section.key_span, message);
            continue;
        };
        let YamlValue::Map(fields) = &section.value else { continue };
        for (key, value) in fields.iter().take(MOST) {
            let mistake = match known.contains(&key.as_str()) {
                true => mistake(key, value),
                false => {
                    let (en, zh) = (known.join(", "), known.join("、"));
                    let message = message!(
                        "is not known to Codex; `{}` has {en}",
                        "不是 Codex 的字段；`{}` 中有 {zh}",
                        section.key
                    );
                    Some(message)
                }
            };
            if let Some(Message { en, zh }) = mistake {
                report.at(&file.path, place(text.text(), section, key), message!("`{key}` {en}", "`{key}` {zh}"));
            }
        }
    }
}

/// Fields that are checked in a section; nobody has more.
const MOST: usize = 100;
const SECTIONS: [(&str, &[&str]); 3] = [
    ("interface", &["display_name", "short_description", "icon_small", "icon_large", "brand_color", "default_prompt"]),
    ("policy", &["allow_implicit_invocation", "products"]),
    ("dependencies", &["tools"]),
];

fn mistake(key: &str, value: &YamlValue) -> Option<Message> {
    let text = value.as_str().unwrap_or_default();
    let wording = match key {
        "brand_color" if !is_color(text) => Wording::new(
            "must be a colour like \"#3B82F6\", in quotation marks",
            "必须是 \"#3B82F6\" 这样的颜色，并加引号",
        ),
        "icon_small" | "icon_large" if !text.trim_start_matches("./").starts_with("assets/") || text.contains("..") => {
            Wording::new("must be a path like `./assets/icon.svg`", "必须是 `./assets/icon.svg` 这样的路径")
        }
        "allow_implicit_invocation" if !["true", "false"].contains(&text) => {
            Wording::new("must be `true` or `false`", "必须是 `true` 或 `false`")
        }
        _ => return None,
    };
    Some(wording.into())
}

fn is_color(text: &str) -> bool {
    let digits = text.strip_prefix('#');
    digits.is_some_and(|digits| digits.len() == 6 && digits.bytes().all(|digit| digit.is_ascii_hexdigit()))
}

/// Where a key is in its section.
fn place(text: &str, section: &Field, key: &str) -> Span {
    let found = section.value_span.of(text).find(&format!("{key}:"));
    found.map_or(section.key_span, |at| Span::new(at, at + key.len()).shift(section.value_span.start))
}
