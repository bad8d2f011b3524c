use crate::analysis::client;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "grok-tool-policy",
    group: Group::Clients,
    severity: Severity::Info,
    on: true,
    title: Wording::new("Grok takes allowed-tools as advice", "Grok 仅把 allowed-tools 当作建议"),
    what: Wording::new("In a skill for Grok Build: `allowed-tools`.", "面向 Grok Build 的技能中有 `allowed-tools`。"),
    why: Wording::new(
        "Grok Build shows it to the model and enforces nothing, so it cannot keep the model from using a tool.",
        "Grok Build 只把它展示给模型，并不强制执行，因此无法阻止模型使用某个工具。",
    ),
    bad: Example {
        folder: ".grok/skills/demo",
        files: &[(
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
allowed-tools: Read
---
Do it.
",
        )],
    },
    good: Example {
        folder: ".grok/skills/demo",
        files: &[(
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Do it.
",
        )],
    },
    hides: &[],
    marks: &[],
    source: "Grok Build user guide: skills",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    if let Some(field) = skill.field("allowed-tools").filter(|_| client::is_for(skill, &client::GROK)) {
        let message = Wording::new(
            "Grok Build does not enforce `allowed-tools`; set permissions in its own configuration",
            "Grok Build 不强制执行 `allowed-tools`；在它自己的配置中设置权限",
        );
        report.at(skill.path(), field.key_span, message);
    }
}
