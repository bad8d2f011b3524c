use super::scalars::ValueKind;
use crate::rules::clients::loader_would_skip;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::{Severity, YamlValue};
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "metadata-not-map",
    group: Group::Form,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Metadata is not a map", "metadata 不是键值对"),
    what: Wording::new(
        "A `metadata` that is text or a list instead of `key: value` lines.",
        "`metadata` 是文本或列表，而不是 `key: value` 行。",
    ),
    why: Wording::new(
        "The specification requires a map; frameworks that read one refuse the skill or drop what is there.",
        "规范要求键值对；按键值对读取的框架会拒绝该技能，或丢弃其中的内容。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
metadata: version 2
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
  version: "2"
---
Do it.
"#,
    )]),
    hides: &[&loader_would_skip::RULE],
    marks: &[],
    source: "agentskills.io specification",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let Some(field) = skill.field("metadata") else { return };
    let kind = match &field.value {
        YamlValue::Scalar { .. } => ValueKind::Text,
        YamlValue::List(_) => ValueKind::List,
        YamlValue::Null | YamlValue::Map(_) => return,
    };
    let Wording { en, zh } = kind.wording();
    let message =
        message!("`metadata` is {en}; it must be `key: value` lines", "`metadata` 是{zh}；必须是 `key: value` 行");
    report.at(skill.path(), field.value_span, message);
}
