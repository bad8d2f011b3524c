use std::collections::HashSet;

use camino::{Utf8Component, Utf8Path, Utf8PathBuf};

use crate::analysis::client_folders::scope;
use crate::{Check, Example, Group, Report, Rule, SubjectSet};
use skill::{Entry, Folder, Link, Severity};
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "link-escapes-skill",
    group: Group::Links,
    severity: Severity::Warning,
    on: false,
    title: Wording::new("Symbolic link out of the skill", "符号链接指向技能之外"),
    what: Wording::new(
        "A symbolic link inside a skill whose target, as written, lies outside of the skill's folder.",
        "技能中的符号链接，其目标（按书写的路径）位于技能文件夹之外。",
    ),
    why: Wording::new(
        "Packages and copies contain a broken link or somebody else's file; a link to `~/.ssh` makes the agent \
         read what it must not.",
        "打包或复制后得到的是失效链接或别人的文件；指向 `~/.ssh` 的链接会让智能体读取不该读的内容。",
    ),
    bad: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Read `references/shared.md`.
",
        ),
        ("/shared.md", "# Shared\n"),
        ("references/shared.md", "->../../shared.md"),
    ]),
    good: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Read `references/shared.md`.
",
        ),
        ("shared.md", "# Shared\n"),
        ("references/shared.md", "->../shared.md"),
    ]),
    hides: &[],
    marks: &[],
    source: "Cisco skill-scanner; agentskills.io, client implementation",
    fix: None,
    check: Check::Set(check),
};

fn check(set: &SubjectSet<'_>, report: &mut Report<'_>) {
    report.quotes_nothing();
    let skills: HashSet<&Utf8Path> = set.skills.iter().map(|skill| &*skill.path).collect();
    let mut seen = HashSet::new();
    for root in &set.set.roots {
        visit(&root.tree, None, &skills, &mut |path, link, skill| {
            // A client's folder of a project shows skills that are elsewhere in it.
            if scope(skill).is_none()
                && (link.outside || !link.broken)
                && seen.insert(path.to_owned())
                && !is_within(path, &link.target, skill)
            {
                let message = message!(
                    "the link leads to `{}`, outside of the skill; put a copy in its place",
                    "链接指向技能之外的 `{}`；换成一份副本",
                    link.target
                );
                report.about(path, message);
            }
        });
    }
}

/// Calls `look` for each link in a skill's folder, with the skill's path.
fn visit<'a>(
    folder: &'a Folder,
    within: Option<&'a Utf8Path>,
    skills: &HashSet<&Utf8Path>,
    look: &mut impl FnMut(&'a Utf8Path, &'a Link, &'a Utf8Path),
) {
    let within = within.or_else(|| skills.contains(&*folder.path).then_some(&*folder.path));
    for entry in &folder.entries {
        let (path, link) = match entry {
            Entry::File(file) => (&*file.path, &file.link),
            Entry::Folder(folder) => (&*folder.path, &folder.link),
        };
        if let (Some(link), Some(skill)) = (link, within) {
            look(path, link, skill);
            continue;
        }
        if let Entry::Folder(inner) = entry {
            visit(inner, within, skills, look);
        }
    }
}

fn is_within(path: &Utf8Path, target: &Utf8Path, skill: &Utf8Path) -> bool {
    let mut place = Utf8PathBuf::new();
    for part in path.parent().unwrap_or(skill).join(target).components() {
        match part {
            Utf8Component::ParentDir => {
                place.pop();
            }
            Utf8Component::CurDir => {}
            other => place.push(other),
        }
    }
    place.starts_with(skill)
}
