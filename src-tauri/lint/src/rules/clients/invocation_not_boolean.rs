use crate::analysis::client;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "invocation-not-boolean",
    group: Group::Clients,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Neither true nor false", "既不是 true 也不是 false"),
    what: Wording::new(
        "`disable-model-invocation`, `user-invocable` or `background` with anything but true or false (or yes, \
           no, on, off).",
        "`disable-model-invocation`、`user-invocable` 或 `background` 的值不是 true 或 false（或 yes、no、on、off）。",
    ),
    why: Wording::new(
        "Clients take the default instead: the model may start what it should not, or the user finds no command.",
        "客户端会改用默认值：模型可能启动不该启动的技能，或者用户找不到命令。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
disable-model-invocation: maybe
---
Do it.
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
disable-model-invocation: true
---
Do it.
",
    )]),
    hides: &[],
    marks: &[],
    source: "Claude Code documentation: skills",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let fields =
        ["disable-model-invocation", "user-invocable", "background"].into_iter().filter_map(|key| skill.field(key));
    for field in fields {
        let value = field.value.as_str().map(str::to_ascii_lowercase);
        if value.is_none_or(|value| !["true", "false", "yes", "no", "on", "off"].contains(&value.as_str())) {
            let message = message!("`{}` must be `true` or `false`", "`{}` 必须是 `true` 或 `false`", field.key);
            report.at(skill.path(), client::place(field), message);
        }
    }
}
