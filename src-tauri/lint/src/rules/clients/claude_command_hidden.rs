use std::collections::HashSet;

use camino::Utf8Path;

use crate::{Check, Example, Group, Report, Rule, SubjectSet};
use skill::{Folder, Severity};
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "claude-command-hidden",
    group: Group::Clients,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("The skill hides a command file", "技能会遮盖同名命令文件"),
    what: Wording::new(
        "A file in `.claude/commands` with the name of a skill in `.claude/skills` next to it.",
        "`.claude/commands` 中的文件与旁边 `.claude/skills` 中的技能同名。",
    ),
    why: Wording::new(
        "Claude Code runs the skill and never the command file, whose text goes out of date unnoticed.",
        "Claude Code 运行的是技能，而不是命令文件，后者会在无人察觉时过时。",
    ),
    bad: Example {
        folder: ".claude/skills/demo",
        files: &[
            (
                "SKILL.md",
                r"---
name: demo
description: Use when asked for a demo.
---
Do it.
",
            ),
            ("/.claude/commands/demo.md", "Do it.\n"),
        ],
    },
    good: Example {
        folder: ".claude/skills/demo",
        files: &[
            (
                "SKILL.md",
                r"---
name: demo
description: Use when asked for a demo.
---
Do it.
",
            ),
            ("/.claude/commands/other.md", "Do it.\n"),
        ],
    },
    hides: &[],
    marks: &[],
    source: "Claude Code documentation: skills",
    fix: None,
    check: Check::Set(check),
};

fn check(set: &SubjectSet<'_>, report: &mut Report<'_>) {
    let skills: HashSet<&Utf8Path> = set.skills.iter().map(|skill| &*skill.path).collect();
    for root in &set.set.roots {
        search(&root.tree, &skills, report);
    }
}

fn search(folder: &Folder, skills: &HashSet<&Utf8Path>, report: &mut Report<'_>) {
    if folder.name == ".claude" {
        let commands = folder.folders().filter(|inner| inner.name == "commands").flat_map(Folder::files);
        for file in commands.filter(|file| file.path.extension() == Some("md")) {
            let name = file.path.file_stem().unwrap_or_default();
            if skills.contains(&*folder.path.join("skills").join(name)) {
                let message = message!(
                    "Claude Code runs the skill `{name}` instead of this file; delete or rename one",
                    "Claude Code 会运行技能 `{name}`，而不是此文件；删除或重命名其中一个"
                );
                report.about(&file.path, message);
            }
        }
    }
    folder.folders().for_each(|inner| search(inner, skills, report));
}
