use crate::{Check, Comment, Example, Fault, Group, Rule};
use skill::Severity;
use wording::message;
use wording::{Message, Wording};

pub static RULE: Rule = Rule {
    id: "suppression-unknown",
    group: Group::Form,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Ignores a rule that does not exist", "忽略了不存在的规则"),
    what: Wording::new(
        "A `lint-ignore` comment that names no known rule.",
        "没有写出任何已知规则的 `lint-ignore` 注释。",
    ),
    why: Wording::new("A typing mistake leaves the finding where it is.", "拼写错误会让问题照常出现。"),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
# lint-ignore-file body-emtpy: the text is generated
name: demo
description: Use when asked for a demo.
---
Do it.
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
# lint-ignore-file body-empty: the text is generated
name: demo
description: Use when asked for a demo.
---
",
    )]),
    hides: &[],
    marks: &[],
    source: "Skill Workbench",
    fix: None,
    check: Check::Comment(check),
};

fn check(comment: &Comment, fault: Fault) -> Option<Message> {
    let id = comment.id();
    (fault == Fault::Unknown).then(|| message!("there is no rule or group `{id}`", "没有名为 `{id}` 的规则或类别"))
}
