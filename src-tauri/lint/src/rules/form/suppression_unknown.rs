use crate::{Check, Example, Group, Rule};
use skill::Severity;

pub static RULE: Rule = Rule {
    id: "suppression-unknown",
    group: Group::Form,
    severity: Severity::Warning,
    on: true,
    title: "Ignores a rule that does not exist",
    title_zh: "忽略了不存在的规则",
    what: "A `lint-ignore` comment that names no known rule.",
    why: "A typing mistake leaves the finding where it is.",
    bad: Example::skill(&[(
        "SKILL.md",
        "---\n# lint-ignore-file body-emtpy: the text is generated\nname: demo\ndescription: Use when asked for a demo.\n---\nDo it.\n",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        "---\n# lint-ignore-file body-empty: the text is generated\nname: demo\ndescription: Use when asked for a demo.\n---\n",
    )]),
    source: "Skill Workbench",
    fix: None,
    // Found where the comments are read.
    check: Check::Skill(|_, _| {}),
};
