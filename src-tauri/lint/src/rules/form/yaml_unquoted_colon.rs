use super::quoting::{Obstacle, cure};
use crate::rules::clients::loader_would_skip;
use crate::{Applicability, Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::wording::Wording;

pub static RULE: Rule = Rule {
    id: "yaml-unquoted-colon",
    group: Group::Form,
    severity: Severity::Error,
    on: true,
    title: Wording::new("Colon in a value without quotes", "未加引号的值中含有冒号"),
    what: Wording::new("A value of the frontmatter with a colon and a space in it that is not in quotes.", ""),
    why: Wording::new(
        "To YAML the colon begins another value: frameworks with a YAML parser skip the skill, while those that read line \
          by line load it, so it works for some and not for others.",
        "",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use for one thing: a demo.
---
Do it.
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r#"---
name: demo
description: "Use for one thing: a demo."
---
Do it.
"#,
    )]),
    hides: &[&loader_would_skip::RULE],
    source: "YAML 1.2; client guide: adding skills support",
    fix: Some(Applicability::Safe),
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let Some(cure) = cure(skill).filter(|cure| cure.obstacle == Obstacle::Colon) else { return };
    let message = format!("`: ` in `{}` makes the frontmatter invalid; put the value in quotes", cure.key);
    report.at(skill.path(), cure.value, message).replace("Put the value in quotes", cure.value, cure.quoted);
}
