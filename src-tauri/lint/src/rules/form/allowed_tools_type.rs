use super::scalars::{ValueKind, by_yaml_1_2};
use crate::rules::clients::loader_would_skip;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::{Severity, YamlValue};
use wording::message;
use wording::{Message, Wording};

pub static RULE: Rule = Rule {
    id: "allowed-tools-type",
    group: Group::Form,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Allowed tools are neither text nor a list", "allowed-tools 既不是文本也不是列表"),
    what: Wording::new(
        "An `allowed-tools` that is a map, a number or a boolean, or a list that contains one. A text with spaces \
         between the tools and a list of texts are both fine.",
        "`allowed-tools` 是键值对、数字或布尔值，或列表中含有这类值。\
         用空格分隔工具的文本和由文本组成的列表都可以。",
    ),
    why: Wording::new(
        "No framework can read tools from it: nothing is allowed, or the skill is skipped.",
        "框架无法从中读出工具：要么什么都不允许，要么跳过该技能。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
allowed-tools:
  Read: true
---
Do it.
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r#"---
name: demo
description: Use when asked for a demo.
allowed-tools: [Read, "Bash(git:*)"]
---
Do it.
"#,
    )]),
    hides: &[&loader_would_skip::RULE],
    marks: &[],
    source: "agentskills.io specification; Claude Code",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let Some(field) = skill.field("allowed-tools") else { return };
    let wrong = match &field.value {
        YamlValue::List(tools) => tools.iter().find_map(not_text).map(|kind| {
            let Wording { en, zh } = kind.wording();
            message!("has {en} in its list", "的列表中含有{zh}")
        }),
        YamlValue::Null => None,
        value => not_text(value).map(|kind| {
            let Wording { en, zh } = kind.wording();
            message!("is {en}", "是{zh}")
        }),
    };
    if let Some(Message { en, zh }) = wrong {
        let message = message!(
            "`allowed-tools` {en}; write the names of tools, such as `Read Bash(git:*)`",
            "`allowed-tools` {zh}；请写工具名，例如 `Read Bash(git:*)`"
        );
        report.at(skill.path(), field.value_span, message);
    }
}

fn not_text(value: &YamlValue) -> Option<ValueKind> {
    match value {
        YamlValue::Null => Some(ValueKind::Nothing),
        YamlValue::List(_) => Some(ValueKind::List),
        YamlValue::Map(_) => Some(ValueKind::Map),
        YamlValue::Scalar { text, plain: true } => by_yaml_1_2(text),
        YamlValue::Scalar { plain: false, .. } => None,
    }
}
