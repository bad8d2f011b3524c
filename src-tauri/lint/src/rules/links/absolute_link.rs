use super::{found, is_of_site};
use crate::references::{Aim, Reference};
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "absolute-link",
    group: Group::Links,
    severity: Severity::Warning,
    on: false,
    title: Wording::new("Link from the root of the disk", "链接使用绝对路径"),
    what: Wording::new(
        "A link or image to a place on a disk: it begins with `~`, `\\`, a drive such as `C:` or a folder that systems have, such as `/opt`, or with `/` and leads to a file of the skill or its repository. Other links that begin with `/` lead into a web site and are not reported.",
        "指向磁盘位置的链接或图片：以 `~`、`\\`、`C:` 之类的盘符或 `/opt` 之类的系统文件夹开头，或者以 `/` 开头、所指的文件其实在技能或其仓库中。其他以 `/` 开头的链接指向网站，不报告。",
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
    marks: &[],
    source: "agentskills.io specification, file references",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let is_place = |reference: &Reference| {
        reference.aim == Aim::Absolute && !is_of_site(skill, reference) && !is_command(skill, &reference.written)
    };
    for (page, reference) in found(skill, is_place) {
        let message = message!(
            "`{}` is a place on one machine; write the path from the skill's folder",
            "`{}` 只在某一台机器上有效；写相对于技能文件夹的路径",
            reference.written
        );
        report.at(&page.path, reference.span, message);
    }
}

/// `[other](/other)`: the command that starts a skill next to this one.
fn is_command(skill: &Subject<'_>, written: &str) -> bool {
    let name = written.trim_start_matches('/');
    let beside = skill.skill.path.parent().filter(|_| !name.is_empty() && !name.contains('/'));
    beside.is_some_and(|folder| skill.disk().exists(&folder.join(name).join(skill::manifest::FILE_NAME)))
}
