use camino::Utf8Path;

use crate::analysis::client_folders::is_client_folder;
use crate::{Check, Example, Group, Report, Rule, SubjectSet};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "too-deep-to-discover",
    group: Group::Sets,
    severity: Severity::Warning,
    on: false,
    title: Wording::new("Skill lies too deep to be found", "技能所在层级过深"),
    what: Wording::new(
        "A skill more than two folders below the folder of skills (the nearest one called `skills` or `…-skills`, or \
           else the one that is open), or more than one below `skills` in a client's own folder such as `.claude/skills`.",
        "技能位于技能文件夹（最近的一个名为 `skills` 或 `…-skills` 的文件夹，没有则为打开的文件夹）之下超过两层，\
         或位于客户端自己的文件夹（例如 `.claude/skills`）的 `skills` 之下超过一层。",
    ),
    why: Wording::new(
        "Claude Code, Eino and Strands look one level deep, Microsoft Agent Framework two: they do not see the skill, and \
          say nothing.",
        "Claude Code、Eino 和 Strands 只看一层，Microsoft Agent Framework 看两层：它们看不到该技能，也不会说明。",
    ),
    bad: Example {
        folder: "office/pdf/demo",
        files: &[(
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Do it.
",
        )],
    },
    good: Example {
        folder: "office/demo",
        files: &[(
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Do it.
",
        )],
    },
    hides: &[],
    marks: &[],
    source: "Claude Code; Eino; Strands; Microsoft Agent Framework",
    fix: None,
    check: Check::Set(check),
};

fn check(set: &SubjectSet<'_>, report: &mut Report<'_>) {
    for skill in set.skills {
        let Some((depth, of_client)) = depth(&skill.path, &skill.root) else { continue };
        let (most, Wording { en, zh }) = if of_client {
            (1, Wording::new("clients look one level deep there", "客户端在那里只看一层"))
        } else {
            (2, Wording::new("frameworks look one or two levels deep", "框架只看一到两层"))
        };
        if depth > most {
            let message = message!(
                "`{}` is {depth} levels below the folder of skills; {en}: move it up",
                "`{}` 位于技能文件夹之下 {depth} 层；{zh}：请将它上移",
                skill.name()
            );
            report.about(&skill.path, message);
        }
    }
}

/// How many folders below the folder of skills, and whether that is a client's own. `None`: it is that folder itself.
fn depth(skill: &Utf8Path, root: &Utf8Path) -> Option<(usize, bool)> {
    let mut above = skill.ancestors().skip(1).zip(1..).take_while(|(folder, _)| folder.starts_with(root));
    let named = above.find(|(folder, _)| folder.file_name().is_some_and(is_of_skills));
    let Some((folder, depth)) = named else {
        let below = skill.strip_prefix(root).ok()?.components().count();
        return (below > 0).then_some((below, false));
    };
    Some((depth, folder.parent().is_some_and(is_client_folder)))
}

/// `skills`, `agent-skills`.
fn is_of_skills(name: &str) -> bool {
    name.strip_suffix("skills").is_some_and(|rest| rest.is_empty() || rest.ends_with(['-', '_']))
}
