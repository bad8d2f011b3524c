use std::collections::{HashMap, HashSet};

use camino::Utf8Path;

use crate::loading::{Framework, named, not_looking};
use crate::rules::sets::too_deep_to_discover;
use crate::{Check, Example, Group, Report, Rule, SubjectSet};
use skill::{Folder, Severity};
use wording::message;
use wording::{Message, Wording};

pub static RULE: Rule = Rule {
    id: "loader-dir-not-scanned",
    group: Group::Clients,
    severity: Severity::Warning,
    on: false,
    title: Wording::new("A framework does not look in this folder", "有框架不会扫描此文件夹"),
    what: Wording::new(
        "In a folder that has skills right below it: another skill that lies deeper, or behind a link, where the \
         loader of a framework does not look. The workbench's reproductions of the loaders decide.",
        "文件夹下直接放有技能，而另一个技能位于更深的层级或链接之后，有框架的加载器不会扫描到那里。\
         由工作台复现的加载器判断。",
    ),
    why: Wording::new(
        "In these frameworks the model never learns of the skill, and no log says so.",
        "在这些框架中，模型永远不知道有这个技能，日志里也没有提示。",
    ),
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
            "/a/b/other/SKILL.md",
            r"---
name: other
description: Use when asked for others.
---
Do it.
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
            "/other/SKILL.md",
            r"---
name: other
description: Use when asked for others.
---
Do it.
",
        ),
    ]),
    hides: &[&too_deep_to_discover::RULE],
    marks: &[],
    source: "the loaders of the frameworks and clients in docs/conformance.md, as compared with recorded runs",
    fix: None,
    check: Check::Set(check),
};

fn check(set: &SubjectSet<'_>, report: &mut Report<'_>) {
    let skills: HashSet<&Utf8Path> = set.skills.iter().map(|skill| &*skill.path).collect();
    let mut known: HashMap<Vec<bool>, Vec<Framework>> = HashMap::new();
    for root in &set.set.roots {
        // Only then it is a folder that a framework would be pointed at, and not, say, a whole project.
        if !root.tree.folders().any(|folder| skills.contains(&*folder.path)) {
            continue;
        }
        let mut found = Vec::new();
        search(&root.tree, &mut Vec::new(), &skills, &mut found);
        for (folder, place) in found.into_iter().filter(|(_, place)| place != &[false]) {
            let missing = known.entry(place).or_insert_with_key(|place| {
                not_looking(place).into_iter().filter(|framework| framework.is_asked(set.options)).collect()
            });
            if !missing.is_empty() {
                let missing = named(missing.iter().copied());
                report.about(&folder.path, message(&root.path, folder, &missing));
            }
        }
    }
}

/// The skills below a folder, each with what the folders on the way are: links or not.
fn search<'a>(
    folder: &'a Folder,
    way: &mut Vec<bool>,
    skills: &HashSet<&Utf8Path>,
    found: &mut Vec<(&'a Folder, Vec<bool>)>,
) {
    // `.claude/skills` and similar folders are for a client that looks there.
    let is_hidden = |folder: &&Folder| folder.path.file_name().is_some_and(|name| name.starts_with('.'));
    // So are the skills of a plugin.
    let is_plugin = |folder: &&Folder| folder.folders().any(|inner| inner.name == ".claude-plugin");
    for inner in folder.folders().filter(|folder| !is_hidden(folder) && !is_plugin(folder)) {
        way.push(inner.link.is_some());
        if skills.contains(&*inner.path) {
            found.push((inner, way.clone()));
        } else {
            search(inner, way, skills, found);
        }
        way.pop();
    }
}

fn message(root: &Utf8Path, folder: &Folder, Message { en, zh }: &Message) -> Message {
    let below = folder.path.strip_prefix(root).unwrap_or(&folder.path);
    let root = root.file_name().unwrap_or(root.as_str());
    if folder.link.is_some() {
        message!(
            "`{below}` is a link, which the loader of {en} does not enter; put the skill itself into `{root}`",
            "`{below}` 是链接，{zh} 的加载器不会进入；把技能本身放进 `{root}`"
        )
    } else {
        let levels = below.components().count();
        message!(
            "`{below}` is {levels} levels below `{root}`, where the loader of {en} does not look; move it right below \
             `{root}`",
            "`{below}` 位于 `{root}` 下 {levels} 层，{zh} 的加载器不会扫描到那里；把它直接移到 `{root}` 下"
        )
    }
}
