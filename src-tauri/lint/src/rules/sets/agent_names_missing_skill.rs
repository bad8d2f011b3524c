use std::collections::BTreeSet;

use camino::Utf8Path;

use crate::analysis::archived::is_put_away;
use crate::{Check, Example, Group, Report, Rule, SubjectSet};
use skill::frontmatter::{Split, parse, split};
use skill::{Field, Folder, Severity, YamlValue};
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "agent-names-missing-skill",
    group: Group::Sets,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Agent names a skill that is not there", "智能体引用了不存在的技能"),
    what: Wording::new(
        "An agent's file (`agents/NAME.md` next to a folder `skills`) whose `skills` field names a skill that is \
         in none of the open folders.",
        "智能体文件（与 `skills` 文件夹同级的 `agents/NAME.md`）的 `skills` \
         字段写了一个打开的文件夹中都没有的技能。",
    ),
    why: Wording::new(
        "The agent starts without it, and no client says so.",
        "智能体启动时没有该技能，也没有客户端会说明。",
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
            (
                "/.claude/agents/guide.md",
                r"---
name: guide
description: Shows things.
skills: demo, tour
---
Show it.
",
            ),
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
            (
                "/.claude/agents/guide.md",
                r"---
name: guide
description: Shows things.
skills: demo
---
Show it.
",
            ),
        ],
    },
    hides: &[],
    marks: &[],
    source: "Claude Code documentation: subagents; claude-code-lint",
    fix: None,
    check: Check::Set(check),
};

/// Larger files are not agents.
const SIZE_LIMIT: u64 = 1 << 20;

fn check(set: &SubjectSet<'_>, report: &mut Report<'_>) {
    let names: BTreeSet<&str> =
        set.skills.iter().flat_map(|skill| [skill.name(), skill.path.file_name().unwrap_or_default()]).collect();
    for root in &set.set.roots {
        visit(set, &root.tree, &names, report);
    }
}

fn visit(set: &SubjectSet<'_>, folder: &Folder, names: &BTreeSet<&str>, report: &mut Report<'_>) {
    let has_skills = folder.folders().any(|inner| inner.name == "skills");
    for inner in folder.folders().filter(|inner| !is_put_away(Utf8Path::new(&inner.name))) {
        if has_skills && inner.name == "agents" {
            let agents = inner.files().filter(|file| file.name.ends_with(".md") && file.size <= SIZE_LIMIT);
            for file in agents {
                let Some(source) = set.files().text(&file.path) else { continue };
                for (field, name) in named(&source.text) {
                    // `plugin:skill` is somewhere else.
                    if !names.contains(name.as_str()) && !name.contains([':', '*']) {
                        let message = message!(
                            "there is no skill `{name}` in the open folders; correct the name or add it",
                            "打开的文件夹中没有技能 `{name}`；请改正名称，或添加该技能"
                        );
                        report.at(&file.path, field.value_span, message);
                    }
                }
            }
        } else if inner.listed && !inner.files().any(|file| file.source.is_some()) {
            visit(set, inner, names, report);
        }
    }
}

/// The skills that an agent names.
fn named(text: &str) -> Vec<(Field, String)> {
    let Split::Closed(block) = split(text) else { return Vec::new() };
    let (frontmatter, _) = parse(text, block);
    let Some(field) = frontmatter.fields.into_iter().find(|field| field.key == "skills") else { return Vec::new() };
    let names: Vec<String> = match &field.value {
        YamlValue::Scalar { text, .. } => text.split(',').map(|name| name.trim().to_owned()).collect(),
        YamlValue::List(items) => items.iter().filter_map(|item| Some(item.as_str()?.trim().to_owned())).collect(),
        YamlValue::Null | YamlValue::Map(_) => Vec::new(),
    };
    names.into_iter().filter(|name| !name.is_empty()).map(|name| (field.clone(), name)).collect()
}
