use crate::rules::clients::loader_would_skip;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::{Severity, YamlValue};
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "license-not-text",
    group: Group::Form,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("License is not text", "license 不是文本"),
    what: Wording::new("A `license` that is a list or a map.", "`license` 是列表或键值对。"),
    why: Wording::new(
        "The specification asks for the name of a license or of a file; frameworks that read it as text refuse or \
         drop it.",
        "规范要求写许可证名或文件名；按文本读取它的框架会拒绝或丢弃它。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
license: [MIT, Apache-2.0]
---
Do it.
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
license: MIT OR Apache-2.0
---
Do it.
",
    )]),
    hides: &[&loader_would_skip::RULE],
    marks: &[],
    source: "agentskills.io specification",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let Some(field) = skill.field("license") else { return };
    if let YamlValue::List(_) | YamlValue::Map(_) = &field.value {
        let message = Wording::new(
            "`license` must be text; name the license in one line, such as `MIT OR Apache-2.0`",
            "`license` 必须是文本；请用一行写明许可证，例如 `MIT OR Apache-2.0`",
        );
        report.at(skill.path(), field.value_span, message);
    }
}
