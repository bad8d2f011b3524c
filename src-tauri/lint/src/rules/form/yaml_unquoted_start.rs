use super::quoting::{Obstacle, cure};
use crate::rules::clients::loader_would_skip;
use crate::{Applicability, Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::wording::Wording;

pub static RULE: Rule = Rule {
    id: "yaml-unquoted-start",
    group: Group::Form,
    severity: Severity::Error,
    on: true,
    title: Wording::new("Value starts with a character of YAML", "值以 YAML 特殊字符开头"),
    what: Wording::new(
        "A value without quotes that starts with a backtick, `@`, `%`, `*`, `&`, `!`, `- ` or `? ` and is no YAML so; \
           also one that goes on behind brackets or quotes, such as `[file] [mode]` or `\"Sales\" reports`.",
        "",
    ),
    why: Wording::new("Frameworks with a YAML parser skip the skill; those that read line by line load it.", ""),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: `demo` runs a demo when asked.
---
Do it.
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r#"---
name: demo
description: "`demo` runs a demo when asked."
---
Do it.
"#,
    )]),
    hides: &[&loader_would_skip::RULE],
    source: "YAML 1.2",
    fix: Some(Applicability::Safe),
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let Some(cure) = cure(skill) else { return };
    let Obstacle::Start(first) = cure.obstacle else { return };
    let message =
        format!("`{}` starts with a `{first}`, which has a meaning in YAML; put the value in quotes", cure.key);
    report.at(skill.path(), cure.value, message).replace("Put the value in quotes", cure.value, cure.quoted);
}
