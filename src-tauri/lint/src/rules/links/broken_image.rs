use super::{found, say_missing};
use crate::references::{Aim, Form, Reference};
use crate::{Applicability, Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "broken-image",
    group: Group::Links,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Image that is not there", "图片不存在"),
    what: Wording::new(
        "A Markdown image whose file does not exist in the skill.",
        "Markdown 图片的文件在技能中不存在。",
    ),
    why: Wording::new(
        "Readers see a broken picture, and an agent that can look at images has nothing to look at.",
        "读者看到的是损坏的图片，能看图的智能体也无图可看。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
![The layout](assets/layout.png)
",
    )]),
    good: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
![The layout](assets/layout.svg)
",
        ),
        ("assets/layout.svg", "<svg/>\n"),
    ]),
    hides: &[],
    source: "agentskills.io specification, file references",
    fix: Some(Applicability::Unsafe),
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let broken = |reference: &Reference| reference.form == Form::Image && reference.aim == Aim::Missing;
    for (page, reference) in found(skill, broken) {
        let advice = Wording::new("add the image, or delete it here", "补上图片，或删除此处的引用");
        say_missing(skill, report, page, reference, advice);
    }
}
