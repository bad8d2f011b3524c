use crate::{Applicability, Check, Comment, Example, Fault, Group, Mark, Rule};
use skill::Severity;
use wording::message;
use wording::{Message, Wording};

pub static RULE: Rule = Rule {
    id: "suppression-unused",
    group: Group::Form,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Ignores a finding that is not there", "忽略了并不存在的问题"),
    what: Wording::new(
        "A `lint-ignore` comment whose rule finds nothing there.",
        "`lint-ignore` 注释所写的规则在该处没有发现任何问题。",
    ),
    why: Wording::new(
        "It would hide the next finding, which nobody has looked at.",
        "它会掩盖下一个还没有人看过的问题。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
# lint-ignore-file body-empty: the text is generated
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
    marks: &[Mark::Needless],
    source: "Skill Workbench",
    fix: Some(Applicability::Safe),
    check: Check::Comment(check),
};

fn check(comment: &Comment, fault: Fault) -> Option<Message> {
    let id = comment.id();
    (fault == Fault::Unused)
        .then(|| message!("`{id}` finds nothing here; delete the comment", "`{id}` 在这里没有发现问题；请删除该注释"))
}
