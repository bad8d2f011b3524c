use std::collections::HashMap;

use super::found;
use crate::analysis::page::weigh;
use crate::references::{Aim, PageReferences};
use crate::{Applicability, Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "path-case-mismatch",
    group: Group::Links,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Path in other letters than the file", "路径大小写与文件不一致"),
    what: Wording::new(
        "A link or path that fits a file of the skill only if upper and lower case are the same. In a page it is a hint.",
        "只有忽略大小写才与技能中的文件一致的链接或路径。在参考页面中只作提示。",
    ),
    why: Wording::new(
        "It works on macOS and Windows, and is broken on Linux, where most agents run.",
        "在 macOS 和 Windows 上有效，而在大多数智能体所运行的 Linux 上失效。",
    ),
    bad: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Read [the guide](references/Guide.md).
",
        ),
        ("references/guide.md", "# Guide\n"),
    ]),
    good: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Read [the guide](references/guide.md).
",
        ),
        ("references/guide.md", "# Guide\n"),
    ]),
    hides: &[],
    marks: &[],
    source: "Skill Workbench; file systems of Linux",
    fix: Some(Applicability::Safe),
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let mut set: HashMap<(usize, &str), bool> = HashMap::new();
    for (page, reference) in found(skill, |reference| matches!(reference.aim, Aim::Miscased(_))) {
        let Aim::Miscased(file) = reference.aim else { continue };
        let name = &skill.skill.files[file].name;
        let first = reference.written.split('/').next().unwrap_or_default();
        let is_name = first.len() > 1 && first.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
        if is_name && *set.entry((page.file, first)).or_insert_with(|| is_set(skill, page, first)) {
            continue;
        }
        let message = message!(
            "the file is called `{name}`; write the path the same way, since case matters on Linux",
            "文件名为 `{name}`；路径的大小写要一致，Linux 区分大小写"
        );
        let finding = report.at(&page.path, reference.span, message);
        if reference.span.len() == reference.written.len() {
            let path = recased(&reference.written.replace('\\', "/"), name);
            finding.replace(message!("Write {path}", "改为 {path}"), reference.span, path);
        }
        weigh(finding, skill.path());
    }
}

/// `SCRIPTS/run.py` on a page that says what `SCRIPTS` means: `SCRIPTS = …`, `SCRIPTS=…`.
fn is_set(skill: &Subject<'_>, page: &PageReferences, name: &str) -> bool {
    let text = skill.skill.files.get(page.file).and_then(|file| skill.read(file));
    let sets = [format!("{name} = "), format!("{name}=")];
    text.is_some_and(|text| sets.iter().any(|set| text.text().contains(set)))
}

/// A path with the letters of a file's name, as far as they are the same except for their case.
fn recased(written: &str, name: &str) -> String {
    let mut parts: Vec<&str> = written.split('/').collect();
    for (part, real) in parts.iter_mut().rev().zip(name.rsplit('/')) {
        if part.to_lowercase() != real.to_lowercase() {
            break;
        }
        *part = real;
    }
    parts.join("/")
}
