use camino::Utf8Path;

use crate::analysis::client_folders::are_loaded_apart;
use crate::{Check, Example, Group, Rule};
use skill::{Problem, ProblemKind, Severity};
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "duplicate-name",
    group: Group::Form,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Another skill has this name", "与其他技能重名"),
    what: Wording::new(
        "Two skills with the same `name` that one client would load together. Copies that no client loads together are not \
         reported: those for two clients (`.claude/skills` and `.agents/skills`), and those of two projects or plugins, each with a \
         folder `skills` of its own.",
        "会被同一个客户端一起加载的两个技能 `name` 相同。不会一起加载的副本不报告：分属两个客户端的副本\
         （`.claude/skills` 和 `.agents/skills`），以及两个项目或插件的副本，它们各有自己的 `skills` 文件夹。",
    ),
    why: Wording::new(
        "Only one of them can be loaded; which one differs by framework.",
        "只有其中一个会被加载；是哪一个，各框架不同。",
    ),
    bad: Example {
        folder: "a/demo",
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
                "/b/demo/SKILL.md",
                r"---
name: demo
description: Use when asked for a demo.
---
Do it.
",
            ),
        ],
    },
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
Do it.
",
    )]),
    hides: &[],
    source: "client guide: adding skills support",
    fix: None,
    check: Check::Load(is_taken),
};

fn is_taken(problem: &Problem) -> bool {
    let ProblemKind::NameTaken { other, .. } = &problem.kind else { return false };
    let skill = problem.path.parent().unwrap_or(&problem.path);
    !are_loaded_apart(skill, Utf8Path::new(other))
}
