use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "too-many-files",
    group: Group::Links,
    severity: Severity::Info,
    on: false,
    title: Wording::new("Too many files", "文件过多"),
    what: Wording::new("More than 200 files in a skill.", "技能中的文件超过 200 个。"),
    why: Wording::new(
        "Scanners and loaders stop at some number, and nobody looks through so many before installing.",
        "扫描器和加载器到一定数量就会停止，也没有人会在安装前逐个查看这么多文件。",
    ),
    bad: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Look into `pages/`.
",
        ),
        ("pages/{1-201}.md", "# Page\n"),
    ]),
    good: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Look into `pages/`.
",
        ),
        ("pages/{1-20}.md", "# Page\n"),
    ]),
    hides: &[],
    marks: &[],
    source: "Cisco skill-scanner EXCESSIVE_FILE_COUNT; agentskills.io, client implementation",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let count = skill.skill.files.len();
    if count > LIMIT {
        let message = message!(
            "the skill has {count} files; more than {LIMIT} are hard to review: pack or leave out some",
            "技能有 {count} 个文件，超过 {LIMIT} 个就难以审查：打包或去掉一部分"
        );
        report.about(skill.path(), message);
    }
}

const LIMIT: usize = 200;
