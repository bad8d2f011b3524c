use super::megabytes;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "skill-too-big",
    group: Group::Links,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Skill is too big", "技能过大"),
    what: Wording::new("Files of more than 30 MB together.", "文件合计超过 30 MB。"),
    why: Wording::new(
        "The Claude API accepts no skill of more than 30 MB, and every installation copies all of it.",
        "Claude API 不接受超过 30 MB 的技能，而且每次安装都要复制全部文件。",
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
        ("assets/intro.mp4", "=>31457280"),
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
        ("assets/intro.mp4", "=>4000000"),
    ]),
    hides: &[],
    marks: &[],
    source: "Claude API documentation, Skills; agnix AS-015",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let size: u64 = skill.skill.files.iter().map(|file| file.size).sum();
    if let (true, Some(largest)) = (size > LIMIT, skill.skill.files.iter().max_by_key(|file| file.size)) {
        let message = message!(
            "the skill has {:.1} MB; {:.0} MB can be uploaded: the largest file is `{}` with {:.1} MB",
            "技能有 {:.1} MB，最多可上传 {:.0} MB：最大的文件是 `{}`，有 {:.1} MB",
            megabytes(size),
            megabytes(LIMIT),
            largest.name,
            megabytes(largest.size)
        );
        report.about(skill.path(), message);
    }
}

/// Bytes.
const LIMIT: u64 = 30 << 20;
