use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::wording::Wording;

pub static RULE: Rule = Rule {
    id: "too-many-files",
    group: Group::Links,
    severity: Severity::Info,
    on: true,
    title: Wording::new("Too many files", "文件过多"),
    what: Wording::new("More than 200 files in a skill.", ""),
    why: Wording::new(
        "Scanners and loaders stop at some number, and nobody looks through so many before installing.",
        "",
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
    source: "Cisco skill-scanner EXCESSIVE_FILE_COUNT; agentskills.io, client implementation",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let count = skill.skill.files.len();
    if count > LIMIT {
        let message =
            format!("the skill has {count} files; more than {LIMIT} are hard to review: pack or leave out some");
        report.about(skill.path(), message);
    }
}

const LIMIT: usize = 200;
