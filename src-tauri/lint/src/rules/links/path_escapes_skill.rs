use std::cell::LazyCell;
use std::collections::{BTreeMap, HashSet};

use camino::{Utf8Component, Utf8Path, Utf8PathBuf};

use super::{found, is_model_page, is_numbered, is_sample_name};
use crate::analysis::client_folders::scope;
use crate::analysis::page;
use crate::references::{Aim, Form, PageReferences, Reference};
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "path-escapes-skill",
    group: Group::Links,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Path leads out of the skill", "路径超出技能文件夹"),
    what: Wording::new(
        "A link, image, import or path to a document that leads out of the skill's folder by `..`, to nothing or to a file \
         that is not installed with the skill. A link to a skill that is there is `sibling-skill-linked`. In a page only links count, as hints. Skills in a \
         client's folder of a project (`.claude/skills`) may link to the project's files, and those of a plugin to the \
         plugin's.",
        "用 `..` 指向技能文件夹之外的链接、图片、导入或文档路径，而那里没有文件，或该文件不会随技能一起安装。指向现有技能的链接\
         由 `sibling-skill-linked` 报告。参考页面中只看链接，且只作提示。项目客户端文件夹（`.claude/skills`）中的技能可以链接到项目文件，\
         插件中的技能可以链接到插件的文件。",
    ),
    why: Wording::new(
        "If the skill is installed alone, there is nothing at that place; frameworks refuse such paths.",
        "单独安装技能时，那个位置什么都没有；框架也会拒绝这样的路径。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
Read [the rules](../shared/rules.md).
",
    )]),
    good: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Read [the rules](references/rules.md).
",
        ),
        (
            "references/rules.md",
            r"# Rules

Back to [the skill](../SKILL.md).
",
        ),
    ]),
    hides: &[],
    marks: &[],
    source: "agentskills.io specification, file references; skillcheck references.escape; Cisco skill-scanner",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let in_project = scope(&skill.skill.path).is_some();
    let plugin = LazyCell::new(|| plugin_of(skill));
    let mut said = HashSet::new();
    let mut missing: BTreeMap<usize, (&PageReferences, Vec<&Reference>)> = BTreeMap::new();
    for (from, reference) in found(skill, |reference| reference.aim == Aim::Outside) {
        // A page shows paths of other files, too; only its links are meant to be followed.
        if is_model_page(skill, from) || from.path != *skill.path() && reference.form != Form::Link {
            continue;
        }
        let target = target(&from.path, &reference.written);
        let is_there = target.as_deref().is_some_and(|target| skill.disk().exists(target));
        let in_plugin = target.as_deref().zip(*plugin).is_some_and(|(target, plugin)| target.starts_with(plugin));
        let is_skill = || target.as_deref().and_then(|target| skill_of(skill, target)).is_some();
        if is_there && (in_project || in_plugin || is_skill()) {
            continue;
        }
        // One file that many places name is one fault.
        if !said.insert(target.unwrap_or_else(|| Utf8PathBuf::from(&reference.written))) {
            continue;
        }
        if !is_there {
            if reference.form == Form::Code
                && (is_sample_name(&reference.written)
                    || is_numbered(&reference.written)
                    || is_example(skill, from, reference))
            {
                continue;
            }
            missing.entry(from.file).or_insert_with(|| (from, Vec::new())).1.push(reference);
            continue;
        }
        let message = message!(
            "`{}` leads out of the skill's folder; copy the file into the skill and refer to it there",
            "`{}` 指向技能文件夹之外；把文件复制到技能中，再引用它",
            reference.written
        );
        let finding = report.at(&from.path, reference.span, message);
        finding.weigh_less(Wording::new("the file is there", "文件就在那里"));
    }
    for (from, references) in missing.into_values() {
        say_nothing_there(skill, report, from, &references);
    }
}

/// The text says that it is an example, or that it may not exist: `e.g. `, `if … exists`.
fn is_example(skill: &Subject<'_>, page: &PageReferences, reference: &Reference) -> bool {
    let Some(text) = skill.skill.files.get(page.file).and_then(|file| skill.read(file)) else { return false };
    let (before, after) = (&text.text()[..reference.span.start], &text.text()[reference.span.end..]);
    let line = before.rsplit('\n').next().unwrap_or_default().to_lowercase();
    let after = after.split('\n').next().unwrap_or_default().to_lowercase();
    let after = after.split(['.', ';', '。', '；']).next().unwrap_or_default();
    if line.trim_end_matches(['`', '(', ' ']).ends_with(" like")
        || [" exists", "if present"].iter().any(|word| after.contains(word))
    {
        return true;
    }
    ["e.g.", "for example", "for instance", "such as", "例:", "例：", "例如", "比如"]
        .iter()
        .any(|word| line.contains(word))
}

/// A page from which several paths lead to nothing was written for another place: one cause, one finding.
fn say_nothing_there(skill: &Subject<'_>, report: &mut Report<'_>, from: &PageReferences, references: &[&Reference]) {
    let more = references.len() - 1;
    for reference in references.iter().take(if more + 1 < MANY { MANY } else { 1 }) {
        let message = if more + 1 < MANY {
            message!(
                "`{}` leads out of the skill's folder, and there is nothing; correct the path, or take the reference out",
                "`{}` 指向技能文件夹之外，而那里什么都没有；改正路径，或删除这处引用",
                reference.written
            )
        } else {
            message!(
                "`{}` and {more} other paths in this file lead out of the skill's folder, and there is nothing; correct them, or take them out",
                "`{}` 和此文件中的另外 {more} 个路径指向技能文件夹之外，而那里什么都没有；改正它们，或删除这些引用",
                reference.written
            )
        };
        page::weigh(report.at(&from.path, reference.span, message), skill.path());
    }
}

/// Paths of one page that are one finding.
const MANY: usize = 3;

/// What a path with `..` leads to from its page.
pub(super) fn target(page: &Utf8Path, written: &str) -> Option<Utf8PathBuf> {
    let mut place = page.parent()?.to_owned();
    let written = written.replace('\\', "/");
    for part in Utf8Path::new(&written).components() {
        match part {
            Utf8Component::ParentDir => place = place.parent()?.to_owned(),
            Utf8Component::Normal(name) => place.push(name),
            Utf8Component::CurDir | Utf8Component::RootDir | Utf8Component::Prefix(_) => {}
        }
    }
    Some(place)
}

/// The folder of the other skill that a file belongs to.
pub(super) fn skill_of<'a>(skill: &Subject<'_>, target: &'a Utf8Path) -> Option<&'a Utf8Path> {
    let folders = target.ancestors().take(DEEPEST).take_while(|folder| !skill.skill.path.starts_with(folder));
    folders.into_iter().find(|folder| skill.disk().exists(&folder.join(skill::manifest::FILE_NAME)))
}

/// The folder of the plugin that the skill is installed with.
pub(super) fn plugin_of<'a>(skill: &Subject<'a>) -> Option<&'a Utf8Path> {
    let is_plugin = |folder: &Utf8Path| {
        [".claude-plugin", ".codex-plugin", ".cursor-plugin"]
            .iter()
            .any(|name| skill.disk().exists(&folder.join(name).join("plugin.json")))
    };
    let own = skill.skill.path.ancestors().skip(1).take(LEVELS).find(|folder| is_plugin(folder));
    own.or_else(|| plugin_of_marketplace(skill))
}

/// The same for a plugin without a manifest, found by the marketplace that lists it.
fn plugin_of_marketplace<'a>(skill: &Subject<'a>) -> Option<&'a Utf8Path> {
    let list = |folder: &Utf8Path| skill.disk().text(&folder.join(".claude-plugin").join("marketplace.json"));
    let mut above = skill.skill.path.ancestors().skip(1).take(2 * LEVELS);
    let (root, list) = above.find_map(|folder| Some((folder, list(folder)?)))?;
    let list: serde_json::Value = serde_json::from_str(&list.text).ok()?;
    let sources = list.get("plugins")?.as_array()?.iter().filter_map(|plugin| plugin.get("source")?.as_str());
    let folders: Vec<Utf8PathBuf> =
        sources.map(|source| root.join(source.trim_start_matches("./").trim_end_matches('/'))).collect();
    skill.skill.path.ancestors().skip(1).find(|folder| *folder != root && folders.iter().any(|one| one == folder))
}

/// Folders between a plugin and one of its skills.
const LEVELS: usize = 4;
/// Folders of a skill above one of its files.
const DEEPEST: usize = 8;
