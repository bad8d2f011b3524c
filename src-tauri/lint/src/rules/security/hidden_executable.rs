use super::binary;
use crate::analysis::context;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::wording::Wording;

pub static RULE: Rule = Rule {
    id: "hidden-executable",
    group: Group::Security,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Script in a hidden place", "隐藏的可执行文件"),
    what: Wording::new(
        "A script or program whose name, or a folder's on the way to it, starts with a dot. Settings of known \
           tools are let pass.",
        "",
    ),
    why: Wording::new("Listings leave it out; reviewers do not see it.", ""),
    bad: Example::skill(&[
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
    source: "cisco-ai-skill-scanner HIDDEN_EXECUTABLE_SCRIPT",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    for file in &skill.skill.files {
        let hidden = |part: &&str| part.starts_with('.') && part.len() > 2 && !is_known(part);
        let Some(part) = file.name.split('/').find(hidden) else { continue };
        let runs = context::is_script(&file.path) || skill.read(file).is_some_and(|text| text.text().starts_with("#!"));
        if runs || binary::program(skill, file).is_some() {
            report.about(
                &file.path,
                format!("this can run, and `{part}` hides it from listings: name it without the dot"),
            );
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
