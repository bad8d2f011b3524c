use crate::{Check, Example, Group, Rule};
use skill::Severity;
use skill::wording::Wording;

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
    source: "Skill Workbench",
    fix: None,
    // Found where the comments are read.
    check: Check::Skill(|_, _| {}),
};
