use std::collections::HashSet;

use super::MOST;
use super::orphan_file;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "build-junk",
    group: Group::Links,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Left-over of tools or the system", "包含构建或系统残留文件"),
    what: Wording::new(
        "Files and folders that tools and systems leave behind: `__pycache__`, `*.pyc`, `.DS_Store`, \
           `Thumbs.db`, `node_modules`, `.venv`, `.idea`, caches, back-ups and swap files.",
        "工具和系统留下的文件和文件夹：`__pycache__`、`*.pyc`、`.DS_Store`、`Thumbs.db`、`node_modules`、\
         `.venv`、`.idea`、缓存、备份和交换文件。",
    ),
    why: Wording::new(
        "They are copied into every installation, change from machine to machine, and byte code may do what \
           its source does not.",
        "它们会被复制到每次安装中，在不同机器上各不相同，而且字节码的行为可能与源代码不一致。",
    ),
    bad: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Run `scripts/x.py`.
",
        ),
        ("scripts/x.py", "print(1)\n"),
        ("scripts/__pycache__/x.pyc", "x\n"),
    ]),
    good: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Run `scripts/x.py`.
",
        ),
        ("scripts/x.py", "print(1)\n"),
    ]),
    hides: &[&orphan_file::RULE],
    marks: &[],
    source: "package_skill.py of anthropics/skills leaves them out; Cisco skill-scanner",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let mut told = HashSet::new();
    for file in &skill.skill.files {
        let Some(junk) = junk(&file.name) else { continue };
        if told.len() < MOST && told.insert(junk) {
            report.about(
                &file.path,
                message!(
                    "`{junk}` is a left-over of tools; delete it and keep it out of the package",
                    "`{junk}` 是工具留下的残留；删除它，并且不要打进包里"
                ),
            );
        }
    }
    let modules = skill.skill.path.join("node_modules");
    if skill.disk().exists(&modules) {
        let message = Wording::new(
            "`node_modules` is made by a package manager; keep it out of the package",
            "`node_modules` 由包管理器生成；不要打进包里",
        );
        report.about(&modules, message);
    }
}

/// The part of a path that is junk, from the skill's folder on.
fn junk(name: &str) -> Option<&str> {
    let mut start = 0;
    for part in name.split('/') {
        let end = start + part.len();
        let lower = part.to_ascii_lowercase();
        let folder = end < name.len() && (FOLDERS.contains(&lower.as_str()) || lower.ends_with(".egg-info"));
        let file = end == name.len()
            && (FILES.contains(&lower.as_str()) || ENDINGS.iter().any(|ending| lower.ends_with(ending)));
        if folder || file {
            return Some(&name[..end]);
        }
        start = end + 1;
    }
    None
}

const FOLDERS: [&str; 12] = [
    "__pycache__",
    "__macosx",
    ".pytest_cache",
    ".mypy_cache",
    ".ruff_cache",
    ".venv",
    "venv",
    ".tox",
    ".idea",
    ".vscode",
    ".vs",
    ".ipynb_checkpoints",
];
const FILES: [&str; 4] = [".ds_store", "thumbs.db", "desktop.ini", ".coverage"];
const ENDINGS: [&str; 8] = [".pyc", ".pyo", ".swp", ".swo", "~", ".bak", ".orig", ".rej"];
