use super::binary;
use crate::analysis::context;
use crate::{Check, Deed, Example, Group, Mark, Report, Rule, Subject};
use skill::{Severity, SkillFile};
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "hidden-executable",
    group: Group::Security,
    severity: Severity::Warning,
    on: false,
    title: Wording::new("Script in a hidden place", "隐藏的可执行文件"),
    what: Wording::new(
        "A script or program whose name, or the name of a folder on its path, starts with a dot. Settings of known tools are not reported.",
        "脚本或程序的文件名，或其路径上的文件夹名，以点开头。常见工具的配置不报告。",
    ),
    why: Wording::new("Listings leave it out; reviewers do not see it.", "列目录时不会显示，审查者看不到。"),
    bad: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Run `scripts/.run.sh`.
",
        ),
        (
            "scripts/.run.sh",
            r"#!/bin/sh
echo hi
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
Do it.
",
        ),
        (
            "scripts/run.sh",
            r"#!/bin/sh
echo hi
",
        ),
        (".eslintrc.js", "module.exports = {};\n"),
    ]),
    hides: &[],
    marks: &[Mark::Evidence(Deed::Files)],
    source: "cisco-ai-skill-scanner HIDDEN_EXECUTABLE_SCRIPT",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    for file in &skill.skill.files {
        let hidden = |part: &&str| part.starts_with('.') && part.len() > 2 && !is_known(part);
        let Some(part) = file.name.split('/').find(hidden) else { continue };
        // Settings of git are not programs, whatever folder they are in.
        if file.path.file_name().is_some_and(|name| name.starts_with(".git") && !name.contains(".sh")) {
            continue;
        }
        let runs = context::is_script(&file.path) || skill.read(file).is_some_and(|text| text.text().starts_with("#!"));
        if (runs || binary::program(skill, file).is_some()) && is_named(skill, file) {
            let message = message!(
                "this can run, and `{part}` hides it from listings: name it without the dot",
                "它可以运行，而 `{part}` 使它在列目录时不显示，请去掉名称开头的点"
            );
            report.about(&file.path, message);
        }
    }
}

/// Folders and files of tools that look for them by these names.
fn is_known(part: &str) -> bool {
    let folders = [
        ".github",
        ".gitlab",
        ".vscode",
        ".husky",
        ".claude",
        ".cursor",
        ".codex",
        ".agents",
        ".devcontainer",
        ".venv",
        ".git",
        ".storybook",
        ".config",
        ".circleci",
        ".yarn",
        ".opencode",
        ".gemini",
    ];
    folders.contains(&part)
        || part.contains("rc.")
        || part.ends_with("rc")
        || part.contains(".config.")
        || part.starts_with(".pnp.")
}

/// Whether a text of the skill, its own apart, has the file's name.
fn is_named(skill: &Subject<'_>, file: &SkillFile) -> bool {
    let name = file.path.file_name().unwrap_or_default();
    let is_seen = |other: &&SkillFile| !other.name.split('/').any(|part| part.starts_with('.'));
    let others = skill.skill.files.iter().filter(is_seen).filter(|other| !skill.is_manifest(other));
    skill.text().contains(name)
        || others.into_iter().any(|other| skill.read(other).is_some_and(|text| text.text().contains(name)))
}
