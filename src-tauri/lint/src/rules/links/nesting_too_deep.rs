use std::collections::HashSet;

use super::MOST;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "nesting-too-deep",
    group: Group::Links,
    severity: Severity::Info,
    on: false,
    title: Wording::new("Folders nested too deep", "文件夹嵌套过深"),
    what: Wording::new(
        "A file more than four folders below the skill's own.",
        "文件位于技能文件夹之下超过四层的文件夹中。",
    ),
    why: Wording::new(
        "Some clients list only a few levels, and paths become long for the agent to write.",
        "有些客户端只列出几层，路径也会变得很长，智能体不好写。",
    ),
    bad: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Read a/b/c/d/e/f.md.
",
        ),
        ("a/b/c/d/e/f.md", "# F\n"),
    ]),
    good: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Read a/b/c/d/f.md.
",
        ),
        ("a/b/c/d/f.md", "# F\n"),
    ]),
    hides: &[],
    marks: &[],
    source: "agentskills.io, client implementation, depth 4 to 6; claude-code-lint",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let mut told = HashSet::new();
    for file in &skill.skill.files {
        let Some((folder, _)) = file.name.rsplit_once('/') else { continue };
        let depth = folder.split('/').count();
        if depth > LIMIT && told.len() < MOST && told.insert(folder) {
            let message = message!(
                "`{}` is {depth} folders deep; {LIMIT} are enough: move it up",
                "`{}` 位于 {depth} 层文件夹之下，建议不超过 {LIMIT} 层：往上移",
                file.name
            );
            report.about(&file.path, message);
        }
    }
}

const LIMIT: usize = 4;
