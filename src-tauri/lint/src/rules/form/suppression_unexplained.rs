use crate::words::SUPPRESSION;
use crate::{Check, Comment, Example, Fault, Group, Rule};
use skill::Severity;
use wording::message;
use wording::{Message, Wording};

pub static RULE: Rule = Rule {
    id: "suppression-unexplained",
    group: Group::Form,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Ignored without a reason", "忽略时未说明原因"),
    what: Wording::new(
        "A `lint-ignore` comment without a reason after the colon.",
        "冒号后没有写理由的 `lint-ignore` 注释。",
    ),
    why: Wording::new(
        "Nobody can tell later whether the finding was looked at or only silenced.",
        "以后没有人能看出这个问题是检查过了，还是只被压下了。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
# lint-ignore-file body-empty
name: demo
description: Use when asked for a demo.
---
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
    (fault == Fault::Unexplained)
        .then(|| message!("say why: `{SUPPRESSION} {id}: the reason`", "请说明原因：`{SUPPRESSION} {id}: 理由`"))
}
