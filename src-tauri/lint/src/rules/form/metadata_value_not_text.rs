use super::metadata;
use super::scalars::{by_yaml_1_1, by_yaml_1_2, disagreement};
use crate::rules::clients::loader_would_skip;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::wording::Wording;
use skill::{Severity, YamlValue};

pub static RULE: Rule = Rule {
    id: "metadata-value-not-text",
    group: Group::Form,
    severity: Severity::Info,
    on: true,
    title: Wording::new("Metadata value is not text", "metadata 的值不是文本"),
    what: Wording::new(
        "A value in `metadata` that is a number, a boolean, a date, a list or a map. Values that parsers read differently \
           are left to `yaml-value-differs`.",
        "",
    ),
    why: Wording::new(
        "The specification maps text to text; frameworks with such a type refuse the skill or turn the value into text in \
          their own way. Some clients do keep maps here.",
        "",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
metadata:
  tags: [a, b]
---
Do it.
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
metadata:
  tags: a, b
---
Do it.
",
    )]),
    hides: &[&loader_would_skip::RULE],
    source: "agentskills.io specification",
    fix: None,
    check: Check::Skill(check),
};

/// Findings in one skill.
const MOST: usize = 10;

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let kinds = metadata::entries(skill).filter_map(|(key, value)| Some((key, kind(value)?)));
    for (key, kind) in kinds.take(MOST) {
        let message = format!("`{key}` in `metadata` is {kind}; the specification wants text");
        report.at(skill.path(), metadata::place(skill, key), message);
    }
}

fn kind(value: &YamlValue) -> Option<&'static str> {
    match value {
        YamlValue::List(_) => Some("a list"),
        YamlValue::Map(_) => Some("a map"),
        YamlValue::Scalar { text, plain: true } if disagreement(text).is_none() => {
            by_yaml_1_2(text).or_else(|| by_yaml_1_1(text))
        }
        YamlValue::Scalar { .. } | YamlValue::Null => None,
    }
}
