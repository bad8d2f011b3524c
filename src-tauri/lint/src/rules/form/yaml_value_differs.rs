use super::scalars::{ValueKind, by_yaml_1_1, disagreement};
use super::{metadata, yaml_typed_text};
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::{Severity, YamlValue};
use wording::{Message, Wording};

pub static RULE: Rule = Rule {
    id: "yaml-value-differs",
    group: Group::Form,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Parsers read this value differently", "不同解析器会得到不同的值"),
    what: Wording::new(
        "A value without quotes that parsers of YAML 1.1 and 1.2 read differently (`yes`, `012`, `1_000`, `12:30`, \
           `2026-01-31`), or that loses a digit as a number (`1.10`).",
        "没有加引号、YAML 1.1 与 1.2 的解析器读法不同的值（`yes`、`012`、`1_000`、`12:30`、`2026-01-31`），\
         或作为数字会丢失一位的值（`1.10`）。",
    ),
    why: Wording::new(
        "The same file then means one thing in one framework and another thing in the next: version 1.10 becomes 1.1, a \
          flag `yes` becomes the text yes.",
        "于是同一个文件在一个框架中是一种意思，在另一个框架中是另一种：版本 1.10 变成 1.1，标志 `yes` 变成文本 \
         yes。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
metadata:
  version: 1.10
---
Do it.
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r#"---
name: demo
description: Use when asked for a demo.
metadata:
  version: "1.10"
---
Do it.
"#,
    )]),
    hides: &[],
    marks: &[],
    source: "YAML 1.1 and 1.2; PyYAML, yaml.v3, SnakeYAML",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let Some(frontmatter) = &skill.manifest().frontmatter else { return };
    let mut say = |key: &str, text: &str, span| {
        // Nothing compares a date with anything.
        let is_date = text.len() >= 8
            && text
                .bytes()
                .all(|byte| byte.is_ascii_digit() || matches!(byte, b'-' | b':' | b'T' | b'Z' | b'.' | b' '));
        if let Some(Message { en, zh }) = disagreement(text).filter(|_| !(is_date && text.contains('-'))) {
            let advice = match by_yaml_1_1(text) {
                Some(ValueKind::Boolean) => {
                    Wording::new("write `true` or `false`, or put it in quotes", "请写 `true` 或 `false`，或加上引号")
                }
                _ => Wording::new("put it in quotes", "请加上引号"),
            };
            let message = Message {
                en: format!("`{key}: {text}`: {en}; {}", advice.en),
                zh: format!("`{key}: {text}`：{zh}；{}", advice.zh),
            };
            report.at(skill.path(), span, message);
        }
    };
    for field in frontmatter.fields.iter().filter(|field| !yaml_typed_text::judges(&field.key)) {
        if let YamlValue::Scalar { text, plain: true } = &field.value {
            say(&field.key, text, field.value_span);
        }
    }
    for (key, value) in metadata::entries(skill) {
        if let YamlValue::Scalar { text, plain: true } = value {
            say(key, text, metadata::place(skill, key));
        }
    }
}
