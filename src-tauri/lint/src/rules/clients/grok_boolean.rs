use crate::analysis::client;
use crate::{Applicability, Check, Example, Group, Report, Rule, Subject};
use skill::{Severity, YamlValue};
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "grok-boolean",
    group: Group::Clients,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Grok reads only true and false", "Grok 只识别 true 和 false"),
    what: Wording::new(
        "In a skill for Grok Build: `disable-model-invocation` or `user-invocable` that is quoted, or `yes`, \
           `no`, `on`, `off`.",
        "在面向 Grok Build 的技能中：`disable-model-invocation` 或 `user-invocable` 加了引号，或写成 `yes`、\
         `no`、`on`、`off`。",
    ),
    why: Wording::new(
        "Grok Build ignores values that are not YAML 1.2 booleans and uses the default.",
        "Grok Build 会忽略不是 YAML 1.2 布尔值的取值，改用默认值。",
    ),
    bad: Example {
        folder: ".grok/skills/demo",
        files: &[(
            "SKILL.md",
            r#"---
name: demo
description: Use when asked for a demo.
disable-model-invocation: "yes"
---
Do it.
"#,
        )],
    },
    good: Example {
        folder: ".grok/skills/demo",
        files: &[(
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
disable-model-invocation: true
---
Do it.
",
        )],
    },
    hides: &[],
    marks: &[],
    source: "Grok Build user guide: skills",
    fix: Some(Applicability::Unsafe),
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    if !client::is_for(skill, &client::GROK) {
        return;
    }
    let fields = ["disable-model-invocation", "user-invocable"].into_iter().filter_map(|key| skill.field(key));
    for field in fields {
        let YamlValue::Scalar { text, plain } = &field.value else { continue };
        let lower = text.to_ascii_lowercase();
        let meant = match lower.as_str() {
            "true" | "yes" | "on" => "true",
            "false" | "no" | "off" => "false",
            _ => continue,
        };
        if !plain || lower != meant {
            let message = message!(
                "Grok Build ignores `{}`; write `{meant}`",
                "Grok Build 会忽略 `{}`；改为 `{meant}`",
                field.value_span.of(skill.text())
            );
            let finding = report.at(skill.path(), field.value_span, message);
            finding.replace(message!("Write {meant}", "改为 {meant}"), field.value_span, meant);
        }
    }
}
