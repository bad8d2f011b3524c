use super::scalars::{by_yaml_1_1, by_yaml_1_2};
use crate::rules::clients::{loader_sees_different_value, loader_would_skip};
use crate::rules::description::name_vague;
use crate::{Applicability, Check, Example, Group, Report, Rule, Subject};
use skill::{Severity, YamlValue};
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "yaml-typed-text",
    group: Group::Form,
    severity: Severity::Error,
    on: true,
    title: Wording::new("Text that YAML reads as something else", "文本被 YAML 解析为其他类型"),
    what: Wording::new(
        "A `name`, `description`, `license` or `compatibility` without quotes that YAML takes for a number, a boolean or \
           a date, such as `name: 2048`.",
        "`name`、`description`、`license` 或 `compatibility` 没有加引号，被 YAML 读作数字、布尔值或日期，例如 \
         `name: 2048`。",
    ),
    why: Wording::new(
        "Frameworks that expect text there skip the skill; others offer it under another name, such as `true` for \
         `yes`.",
        "要求文本的框架会跳过该技能；其他框架会以另一个名称提供它，例如 `yes` 变成 `true`。",
    ),
    bad: Example {
        folder: "2048",
        files: &[(
            "SKILL.md",
            r"---
name: 2048
description: Use when asked to play 2048.
---
Play.
",
        )],
    },
    good: Example {
        folder: "2048",
        files: &[(
            "SKILL.md",
            r#"---
name: "2048"
description: Use when asked to play 2048.
---
Play.
"#,
        )],
    },
    hides: &[&loader_would_skip::RULE, &loader_sees_different_value::RULE, &name_vague::RULE],
    marks: &[],
    source: "YAML 1.1 and 1.2; quick_validate; AgentScope",
    fix: Some(Applicability::Safe),
    check: Check::Skill(check),
};

const TEXTS: [&str; 4] = ["name", "description", "license", "compatibility"];

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    for field in TEXTS.iter().filter_map(|key| skill.field(key)) {
        let YamlValue::Scalar { text, plain: true } = &field.value else { continue };
        let Some(kind) = by_yaml_1_2(text).or_else(|| by_yaml_1_1(text)) else { continue };
        // An alias refers to a value elsewhere.
        if field.value_span.of(skill.text()) != text {
            continue;
        }
        let Wording { en, zh } = kind.wording();
        let message = message!(
            "YAML reads `{}: {text}` as {en}, not as text; put it in quotes",
            "YAML 把 `{}: {text}` 读作{zh}，而不是文本；请加上引号",
            field.key
        );
        let finding = report.at(skill.path(), field.value_span, message);
        finding.replace(Wording::new("Put it in quotes", "加上引号"), field.value_span, format!("\"{text}\""));
    }
}

/// Whether this rule looks at a field.
pub(super) fn judges(key: &str) -> bool {
    TEXTS.contains(&key)
}
