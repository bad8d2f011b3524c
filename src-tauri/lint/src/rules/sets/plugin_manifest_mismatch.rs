use camino::{Utf8Component, Utf8Path, Utf8PathBuf};
use serde_json::Value;

use super::json_file;
use crate::{Check, Example, Group, Report, Rule, SubjectSet};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "plugin-manifest-mismatch",
    group: Group::Sets,
    severity: Severity::Warning,
    on: false,
    title: Wording::new("Plugin lists a skill that is not there", "插件清单与技能不符"),
    what: Wording::new(
        "A `.claude-plugin/plugin.json` or `marketplace.json` that is not JSON, has no `name`, or lists a folder \
         under `skills` that does not exist or holds no skill.",
        "`.claude-plugin/plugin.json` 或 `marketplace.json` 不是 JSON、没有 `name`，或在 `skills` \
         下列出了不存在或不含技能的文件夹。",
    ),
    why: Wording::new(
        "The plugin is not installed, or is installed without the skill.",
        "插件无法安装，或安装后缺少该技能。",
    ),
    bad: Example {
        folder: "demo",
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
            ("/.claude-plugin/plugin.json", "{\"name\": \"demos\", \"skills\": [\"./demo\", \"./tour\"]}\n"),
        ],
    },
    good: Example {
        folder: "demo",
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
            ("/.claude-plugin/plugin.json", "{\"name\": \"demos\", \"skills\": [\"./demo\"]}\n"),
        ],
    },
    hides: &[],
    marks: &[],
    source: "Claude Code documentation: plugins; skillsaw",
    fix: None,
    check: Check::Set(check),
};

fn check(set: &SubjectSet<'_>, report: &mut Report<'_>) {
    let mut files = Vec::new();
    for root in &set.set.roots {
        json_file::named(&root.tree, "plugin.json", &mut files);
        json_file::named(&root.tree, "marketplace.json", &mut files);
    }
    for (folder, file) in files.into_iter().filter(|(folder, _)| folder.name == ".claude-plugin") {
        let Some(home) = folder.path.parent() else { continue };
        let Some((text, value)) = json_file::read(set, file, report) else { continue };
        if value.get("name").and_then(Value::as_str).is_none_or(str::is_empty) {
            report.about(&file.path, message!("`{}` has no `name`; add one", "`{}` 没有 `name`；请添加", file.name));
        }
        let plugins = value.get("plugins").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let at_home = |plugin: &Value| plugin.get("source").and_then(Value::as_str).map(|source| inside(home, source));
        let homes = plugins.iter().filter_map(|plugin| Some((plugin, at_home(plugin)?)));
        for (plugin, home) in homes.chain([(&value, home.to_owned())]) {
            for path in listed(plugin) {
                let place = inside(&home, path);
                // The name of a skill of the plugin's own folder, where a path should be.
                if !path.contains('/') && set.files().exists(&home.join("skills").join(path)) {
                    continue;
                }
                let Wording { en, zh } = if !set.files().exists(&place) {
                    Wording::new("does not exist", "不存在")
                } else if holds_skill(set, &place) {
                    continue;
                } else {
                    Wording::new("holds no skill", "中没有技能")
                };
                let message =
                    message!("`{path}` {en}; correct the path or take it out", "`{path}` {zh}；请改正路径，或将其移除");
                report.at(&file.path, json_file::place(&text, path), message);
            }
        }
    }
}

/// The paths under `skills`: one, or several.
fn listed(plugin: &Value) -> Vec<&str> {
    match plugin.get("skills") {
        Some(Value::String(path)) => vec![path],
        Some(Value::Array(paths)) => paths.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

fn holds_skill(set: &SubjectSet<'_>, folder: &Utf8Path) -> bool {
    // Skills within a skill are files of it, and a list that names a folder may mean those.
    let is_manifest = |file: &&skill::File| file.name == skill::manifest::FILE_NAME;
    let within = || {
        set.set.roots.iter().any(|root| {
            let mut found = Vec::new();
            json_file::named(&root.tree, skill::manifest::FILE_NAME, &mut found);
            found.iter().any(|(_, file)| is_manifest(file) && file.path.starts_with(folder))
        })
    };
    set.skills.iter().any(|skill| skill.path.starts_with(folder))
        || set.files().exists(&folder.join(skill::manifest::FILE_NAME))
        || within()
}

/// A path in a folder, without `.` and `..`.
fn inside(folder: &Utf8Path, path: &str) -> Utf8PathBuf {
    let mut out = folder.to_owned();
    for component in Utf8Path::new(path).components() {
        match component {
            Utf8Component::ParentDir => {
                out.pop();
            }
            Utf8Component::Normal(name) => out.push(name),
            Utf8Component::CurDir | Utf8Component::RootDir | Utf8Component::Prefix(_) => {}
        }
    }
    out
}
