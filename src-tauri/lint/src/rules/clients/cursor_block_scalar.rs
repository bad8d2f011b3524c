use crate::analysis::client;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "cursor-block-scalar",
    group: Group::Clients,
    severity: Severity::Info,
    on: true,
    title: Wording::new("Cursor may not read a folded description", "Cursor 可能无法读取折行的描述"),
    what: Wording::new(
        "In a skill for Cursor: a `description` that begins with `>` or `|` on the line of its key.",
        "在面向 Cursor 的技能中：`description` 在键所在的行以 `>` 或 `|` 开头。",
    ),
    why: Wording::new(
        "Some releases of Cursor show `>-` as the description, and the model does not know what the skill is for.",
        "Cursor 的某些版本会把 `>-` 当作描述显示，模型就不知道技能的用途。",
    ),
    bad: Example {
        folder: ".cursor/skills/demo",
        files: &[(
            "SKILL.md",
            r"---
name: demo
description: >-
  Use when asked for a demo.
---
Do it.
",
        )],
    },
    good: Example {
        folder: ".cursor/skills/demo",
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
    source: "skillcheck: rules per agent",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let Some(field) = skill.field("description").filter(|_| client::is_for(skill, &client::CURSOR)) else { return };
    if field.value_span.of(skill.text()).starts_with(['>', '|']) {
        let message = Wording::new(
            "write the description on one line, which every release of Cursor reads",
            "把描述写在一行里，Cursor 的所有版本都能读取",
        );
        report.at(skill.path(), field.key_span, message);
    }
}
