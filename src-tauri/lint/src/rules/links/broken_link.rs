use super::{found, say_missing};
use crate::references::{Aim, Form, Reference};
use crate::{Applicability, Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::wording::Wording;

pub static RULE: Rule = Rule {
    id: "broken-link",
    group: Group::Links,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Link to a file that is not there", "链接的文件不存在"),
    what: Wording::new(
        "A Markdown link to a file of the skill that does not exist, seen from the page and from the skill's \
           folder. URLs, placeholders such as `<file>.md`, code samples, and pages below `assets`, `templates`, \
           `examples` and the like are left alone.",
        "",
    ),
    why: Wording::new("The agent tries to read the file, fails, and goes on without what you wrote there.", ""),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
Read [the guide](references/guide.md) first.
",
    )]),
    good: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Read [the guide](references/guide.md) first.
",
        ),
        ("references/guide.md", "# Guide\n"),
    ]),
    hides: &[],
    source: "agentskills.io specification, file references; agnix REF-002; skillsaw",
    fix: Some(Applicability::Unsafe),
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let broken = |reference: &Reference| reference.form == Form::Link && reference.aim == Aim::Missing;
    for (page, reference) in found(skill, broken) {
        let advice = "correct the path, or delete the link";
        say_missing(skill, report, page, reference, advice);
    }
}
