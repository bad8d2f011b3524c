use super::found;
use crate::references::Aim;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "path-escapes-skill",
    group: Group::Links,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Path leads out of the skill", "路径超出技能目录"),
    what: Wording::new(
        "A link, image, import or path to a document that leads out of the skill's folder by `..`.",
        "用 `..` 指向技能文件夹之外的链接、图片、导入或文档路径。",
    ),
    why: Wording::new(
        "If the skill is installed alone, there is nothing at that place; frameworks refuse such paths.",
        "单独安装技能时，那个位置什么都没有；框架也会拒绝这样的路径。",
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
        let message = message!(
            "`{}` leads out of the skill's folder; copy the file into the skill and refer to it there",
            "`{}` 指向技能文件夹之外；把文件复制到技能中，再引用它",
            reference.written
        );
        report.at(&page.path, reference.span, message);
    }
}
