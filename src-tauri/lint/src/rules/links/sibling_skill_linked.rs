use std::collections::HashSet;

use super::found;
use super::path_escapes_skill::{skill_of, target};
use crate::references::Aim;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "sibling-skill-linked",
    group: Group::Links,
    severity: Severity::Info,
    on: false,
    title: Wording::new("Link to another skill's file", "链接到另一个技能的文件"),
    what: Wording::new(
        "A link, image, import or path by `..` to a file of another skill that is there. Each skill is reported once.",
        "用 `..` 指向另一个现有技能的文件的链接、图片、导入或路径。每个技能只报告一次。",
    ),
    why: Wording::new(
        "If this skill is installed alone, or the other one under another name, the link leads nowhere.",
        "单独安装此技能，或另一个技能换了名称时，链接就会失效。",
    ),
    bad: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Read [the tour](../tour/SKILL.md) first.
",
        ),
        (
            "/tour/SKILL.md",
            r"---
name: tour
description: Use when asked for a tour.
---
Do it.
",
        ),
    ]),
    good: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Use the `tour` skill first.
",
        ),
        (
            "/tour/SKILL.md",
            r"---
name: tour
description: Use when asked for a tour.
---
Do it.
",
        ),
    ]),
    hides: &[],
    marks: &[],
    source: "agentskills.io specification, file references",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let mut said = HashSet::new();
    for (page, reference) in found(skill, |reference| reference.aim == Aim::Outside) {
        let Some(target) = target(&page.path, &reference.written).filter(|target| skill.disk().exists(target)) else {
            continue;
        };
        let Some(other) = skill_of(skill, &target).filter(|other| said.insert(other.to_path_buf())) else { continue };
        let name = other.file_name().unwrap_or_default();
        let message = message!(
            "this leads to another skill (`{name}`) and breaks if this skill is installed alone; name the skill instead",
            "这里指向另一个技能（`{name}`），单独安装此技能时会失效；改为写出该技能的名称"
        );
        report.at(&page.path, reference.span, message);
    }
}
