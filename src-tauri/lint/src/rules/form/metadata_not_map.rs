use crate::rules::clients::loader_would_skip;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::wording::Wording;
use skill::{Severity, YamlValue};

pub static RULE: Rule = Rule {
    id: "metadata-not-map",
    group: Group::Form,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Metadata is not a map", "metadata 不是键值对"),
    what: Wording::new("A `metadata` that is text or a list instead of `key: value` lines.", ""),
    why: Wording::new(
        "The specification wants a map; frameworks that read one refuse the skill or drop what is there.",
        "",
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
    source: "agentskills.io specification",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let Some(field) = skill.field("metadata") else { return };
    let is = match &field.value {
        YamlValue::Scalar { .. } => "text",
        YamlValue::List(_) => "a list",
        YamlValue::Null | YamlValue::Map(_) => return,
    };
    let message = format!("`metadata` is {is}; it must be `key: value` lines");
    report.at(skill.path(), field.value_span, message);
}
