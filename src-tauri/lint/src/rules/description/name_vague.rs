use crate::analysis::language::is_weak;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "name-vague",
    group: Group::Description,
    severity: Severity::Info,
    on: false,
    title: Wording::new("Name could be any skill's", "名称过于笼统"),
    what: Wording::new(
        "A `name` made of nothing but words such as `helper`, `utils`, `tools`, `data`, `files` or `my-skill`.",
        "只由 `helper`、`utils`、`tools`、`data`、`files`、`my-skill` 之类的词组成的 `name`。",
    ),
    why: Wording::new(
        "The name is half of what a model chooses by, and two authors will choose the same one.",
        "模型选择技能时有一半要靠名称，而且另一位作者也会取同样的名称。",
    ),
    bad: Example {
        folder: "my-helper",
        files: &[(
            "SKILL.md",
            r"---
name: my-helper
description: Use when asked for a demo.
---
Do it.
",
        )],
    },
    good: Example {
        folder: "invoice-helper",
        files: &[(
            "SKILL.md",
            r"---
name: invoice-helper
description: Use when asked for a demo.
---
Do it.
",
        )],
    },
    hides: &[],
    marks: &[],
    source: "Anthropic: skill authoring best practices",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let Some(field) = skill.field("name") else { return };
    let name = field.value.as_str().unwrap_or_default();
    let mut words = name.split(['-', '_', ' ']).filter(|word| !word.is_empty()).peekable();
    if words.peek().is_some() && words.all(|word| is_weak(word) || word.bytes().all(|byte| byte.is_ascii_digit())) {
        let message = message!(
            "`{name}` does not say what the skill is for; name the task, such as `pdf-tables`",
            "`{name}` 没有说明技能的用途；请用任务来命名，例如 `pdf-tables`"
        );
        report.at(skill.path(), field.value_span, message);
    }
}
