use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "side-effects-auto",
    group: Group::Clients,
    severity: Severity::Info,
    on: false,
    title: Wording::new("Model may start this by itself", "模型可能自行触发有副作用的技能"),
    what: Wording::new(
        "A skill whose name says that it deploys, publishes, releases, deletes or sends something, without \
           `disable-model-invocation: true`.",
        "从名称看会部署、发布、删除或发送某样东西的技能，却没有 `disable-model-invocation: true`。",
    ),
    why: Wording::new(
        "In clients that know the field, the model starts the skill when it thinks that it fits; an effect on \
         the outside world may surprise the user.",
        "在支持该字段的客户端中，模型认为合适就会启动技能；对外部的影响可能出乎用户意料。",
    ),
    bad: Example {
        folder: "deploy-app",
        files: &[(
            "SKILL.md",
            r"---
name: deploy-app
description: Use when asked to deploy.
---
Do it.
",
        )],
    },
    good: Example {
        folder: "deploy-app",
        files: &[(
            "SKILL.md",
            r"---
name: deploy-app
description: Use when asked to deploy.
disable-model-invocation: true
---
Do it.
",
        )],
    },
    hides: &[],
    marks: &[],
    source: "Claude Code documentation: skills",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let Some(field) = skill.field("name") else { return };
    let name = field.value.as_str().unwrap_or_default();
    let Some(verb) = name.split('-').find(|word| VERBS.contains(word)) else { return };
    if skill.field("disable-model-invocation").is_none() {
        let message = message!(
            "by its name it can {verb} something, and the model may start it unasked; if it must not, add \
             `disable-model-invocation: true`",
            "从名称中的 `{verb}` 看，它会影响外部，而模型可能自行启动它；如果不允许，添加 `disable-model-invocation: true`"
        );
        report.at(skill.path(), field.value_span, message);
    }
}

const VERBS: [&str; 10] =
    ["deploy", "publish", "release", "delete", "drop", "send", "push", "purge", "migrate", "rollback"];
