use std::collections::HashSet;

use crate::references::Aim;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "chain-too-deep",
    group: Group::Links,
    severity: Severity::Info,
    on: true,
    title: Wording::new("File that only a reference refers to", "引用链过深"),
    what: Wording::new(
        "A Markdown file that `SKILL.md` does not refer to itself, only a page that it refers to, or one \
           further away. A tree of files in a code block of `SKILL.md` counts as a reference. Skills of more than 60 pages, \
           which have an index, are left alone.",
        "`SKILL.md` 没有直接引用的 Markdown 文件，只有它引用的页面（或更深的页面）引用了该文件。`SKILL.md` 代码块中的文件树也算引用。\
         页面超过 60 个、带有索引的技能不检查。",
    ),
    why: Wording::new(
        "The specification asks for one level: agents read linked files in part and often stop before the \
           second link.",
        "规范要求只有一层引用：智能体常常只读链接文件的一部分，在第二层链接之前就停下。",
    ),
    bad: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Read [a](references/a.md).
",
        ),
        (
            "references/a.md",
            r"# A

Read [b](b.md).
",
        ),
        ("references/b.md", "# B\n"),
    ]),
    good: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Read [a](references/a.md), and [b](references/b.md) on errors.
",
        ),
        (
            "references/a.md",
            r"# A

More is in [b](b.md).
",
        ),
        ("references/b.md", "# B\n"),
    ]),
    hides: &[],
    marks: &[],
    source: "agentskills.io specification, file references; Anthropic, Skill authoring best practices; agnix AS-013",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let files = &skill.skill.files;
    let references = skill.references();
    // A manual with an index: one file cannot name all its pages.
    if references.pages.len() > MOST_PAGES {
        return;
    }
    let depths = references.depths(files.len());
    let shown = shown_in_trees(skill);
    let is_shown = |name: &str| {
        shown.iter().any(|path| path.strip_suffix(name).is_some_and(|rest| rest.is_empty() || rest.ends_with('/')))
    };
    let mut told = HashSet::new();
    for page in &references.pages {
        let Some(depth) = depths[page.file].filter(|depth| *depth > 0) else { continue };
        let mut deeper = Vec::new();
        for reference in &page.references {
            let Aim::File(file) = reference.aim else { continue };
            let is_deeper = depths[file] == Some(depth + 1) && references.pages.iter().any(|page| page.file == file);
            let name = &files[file].name;
            if is_deeper && !is_material(name) && !is_shown(name) && told.insert(file) {
                deeper.push((reference, file));
            }
        }
        match deeper.as_slice() {
            [] => {}
            [(reference, file)] => {
                let message = message!(
                    "`{}` is {} references away from `SKILL.md`, by way of `{}`; refer to it from `SKILL.md` itself",
                    "`{}` 距 `SKILL.md` 有 {} 层引用（经由 `{}`）；在 `SKILL.md` 中直接引用它",
                    files[*file].name,
                    depth + 1,
                    files[page.file].name
                );
                report.at(&page.path, reference.span, message);
            }
            [(reference, file), ..] => {
                let message = message!(
                    "{} files are {} references away from `SKILL.md`, by way of `{}`, `{}` first; refer to them from \
                     `SKILL.md` itself",
                    "有 {} 个文件距 `SKILL.md` 有 {} 层引用（经由 `{}`），第一个是 `{}`；在 `SKILL.md` 中直接引用它们",
                    deeper.len(),
                    depth + 1,
                    files[page.file].name,
                    files[*file].name
                );
                report.at(&page.path, reference.span, message);
            }
        }
    }
}

/// Material that pages copy or fill in, and that is not read by itself.
fn is_material(name: &str) -> bool {
    let folders = name.rsplit_once('/').map_or("", |(folders, _)| folders);
    folders.split('/').any(|part| matches!(part, "assets" | "templates" | "template") || part.ends_with("prompts"))
}

/// Pages of a skill that `SKILL.md` can name by itself.
const MOST_PAGES: usize = 60;

/// The paths of the files in trees that `SKILL.md` shows in fences: each of a line, below the folders around it.
fn shown_in_trees(skill: &Subject<'_>) -> Vec<String> {
    let mut paths = Vec::new();
    for fence in &skill.markdown().fences {
        let lines: Vec<&str> = fence.code.lines().collect();
        let is_tree = lines.iter().any(|line| line.contains(['├', '└']) || line.trim_end().ends_with('/'));
        if !is_tree {
            continue;
        }
        // The folders around a line, with their columns.
        let mut around: Vec<(usize, &str)> = Vec::new();
        for line in lines {
            let name = line.trim_start_matches(|letter: char| letter.is_whitespace() || "├└│─|`+-".contains(letter));
            let column = line[..line.len() - name.len()].chars().count();
            let Some(name) = name.split_whitespace().next() else { continue };
            around.retain(|(outer, _)| *outer < column);
            around.push((column, name.trim_end_matches('/')));
            if !name.ends_with('/') {
                paths.push(around.iter().map(|(_, name)| *name).collect::<Vec<_>>().join("/"));
            }
        }
    }
    paths
}
