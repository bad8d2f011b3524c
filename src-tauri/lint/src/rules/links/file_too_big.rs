use super::{MOST, megabytes};
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "file-too-big",
    group: Group::Links,
    severity: Severity::Info,
    on: true,
    title: Wording::new("File is too big", "文件过大"),
    what: Wording::new("A file of more than 5 MB.", "超过 5 MB 的文件。"),
    why: Wording::new(
        "It cannot be read into a conversation, and makes every installation slow.",
        "无法读入对话，还会拖慢每次安装。",
    ),
    bad: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Show assets/intro.mp4.
",
        ),
        ("assets/intro.mp4", "=>5242881"),
    ]),
    good: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Show assets/intro.mp4.
",
        ),
        ("assets/intro.mp4", "=>5242880"),
    ]),
    hides: &[],
    marks: &[],
    source: "Cisco skill-scanner OVERSIZED_FILE",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    for file in skill.skill.files.iter().filter(|file| file.size > LIMIT).take(MOST) {
        let message = message!(
            "`{}` has {:.1} MB; fetch it when it is needed, or cut it below {:.0} MB",
            "`{}` 有 {:.1} MB；需要时再下载，或缩小到 {:.0} MB 以下",
            file.name,
            megabytes(file.size),
            megabytes(LIMIT)
        );
        report.about(&file.path, message);
    }
}

/// Bytes.
const LIMIT: u64 = 5 << 20;
