use super::scalars::by_yaml_1_2;
use crate::rules::clients::loader_would_skip;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::wording::Wording;
use skill::{Severity, YamlValue};

pub static RULE: Rule = Rule {
    id: "allowed-tools-type",
    group: Group::Form,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Allowed tools are neither text nor a list", "allowed-tools 既不是文本也不是列表"),
    what: Wording::new(
        "An `allowed-tools` that is a map, a number or a boolean, or a list with such a thing in it. A text with spaces \
           between the tools and a list of texts are both fine.",
        "",
    ),
    why: Wording::new("No framework can read tools from it: nothing is allowed, or the skill is skipped.", ""),
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
    source: "agentskills.io specification; Claude Code",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let Some(field) = skill.field("allowed-tools") else { return };
    let wrong = match &field.value {
        YamlValue::List(tools) => tools.iter().find_map(not_text).map(|is| format!("has {is} in its list")),
        YamlValue::Null => None,
        value => not_text(value).map(|is| format!("is {is}")),
    };
    if let Some(wrong) = wrong {
        let message = format!("`allowed-tools` {wrong}; write the names of tools, such as `Read Bash(git:*)`");
        report.at(skill.path(), field.value_span, message);
    }
}

fn not_text(value: &YamlValue) -> Option<&'static str> {
    match value {
        YamlValue::Null => Some("nothing"),
        YamlValue::List(_) => Some("a list"),
        YamlValue::Map(_) => Some("a map"),
        YamlValue::Scalar { text, plain: true } => by_yaml_1_2(text),
        YamlValue::Scalar { plain: false, .. } => None,
    }
}
