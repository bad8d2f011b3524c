use super::found;
use crate::references::{Aim, Reference};
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "absolute-link",
    group: Group::Links,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Link from the root of the disk", "链接使用绝对路径"),
    what: Wording::new(
        "A link or image that begins with `/`, `~`, `\\` or a drive such as `C:`.",
        "以 `/`、`~`、`\\` 或 `C:` 之类的盘符开头的链接或图片。",
    ),
    why: Wording::new(
        "On any machine but yours there is something else at that place, or nothing.",
        "换一台机器，那个位置就是别的东西，或者什么都没有。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
Read [the guide](/opt/skills/demo/guide.md).
",
    )]),
    good: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Read [the guide](guide.md).
",
        ),
        ("guide.md", "# Guide\n"),
    ]),
    hides: &[],
    source: "agentskills.io specification, file references",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    // `/plugin:skill` is a command.
    let is_place = |reference: &Reference| reference.aim == Aim::Absolute && !is_command(&reference.written);
    for (page, reference) in found(skill, is_place) {
        let message = message!(
            "`{}` is a place on one machine; write the path from the skill's folder",
            "`{}` 只在某一台机器上有效；写相对于技能文件夹的路径",
            reference.written
        );
        report.at(&page.path, reference.span, message);
    }
}

fn is_command(written: &str) -> bool {
    written.strip_prefix('/').is_some_and(|rest| rest.contains(':') && !rest.contains(['/', '.']))
}
