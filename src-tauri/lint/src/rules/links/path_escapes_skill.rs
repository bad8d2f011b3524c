use super::found;
use crate::references::Aim;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::wording::Wording;

pub static RULE: Rule = Rule {
    id: "path-escapes-skill",
    group: Group::Links,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Path leads out of the skill", "路径超出技能目录"),
    what: Wording::new("A link, image, import or path to a document that leads out of the skill's folder by `..`.", ""),
    why: Wording::new(
        "Where the skill is installed alone, there is nothing at that place; frameworks refuse such paths.",
        "",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
Read [the rules](../shared/rules.md).
",
    )]),
    good: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Read [the rules](references/rules.md).
",
        ),
        (
            "references/rules.md",
            r"# Rules

Back to [the skill](../SKILL.md).
",
        ),
    ]),
    hides: &[],
    source: "agentskills.io specification, file references; skillcheck references.escape; Cisco skill-scanner",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    for (page, reference) in found(skill, |reference| reference.aim == Aim::Outside) {
        let message = format!(
            "`{}` leads out of the skill's folder; copy the file into the skill and refer to it there",
            reference.written
        );
        report.at(&page.path, reference.span, message);
    }
}
