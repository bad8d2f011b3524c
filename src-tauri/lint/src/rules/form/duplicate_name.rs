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
        "Two skills of one folder with the same `name`. Copies, drafts and archives in other folders, which no client loads \
         together with them, are not reported.",
        "同一文件夹中的两个技能 `name` 相同。位于其他文件夹的副本、草稿和归档不会与它们一起加载，因此不报告。",
    ),
    why: Wording::new(
        "Only one of them can be loaded; which one differs by framework.",
        "只有其中一个会被加载；是哪一个，各框架不同。",
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
            (
                "/demo-2/SKILL.md",
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
    marks: &[],
    source: "client guide: adding skills support",
    fix: None,
    check: Check::Load(is_taken),
};

fn is_taken(problem: &Problem) -> bool {
    let ProblemKind::NameTaken { other, .. } = &problem.kind else { return false };
    let skill = problem.path.parent().unwrap_or(&problem.path);
    let other = Utf8Path::new(other);
    // Drafts, archives and categories are in separate folders.
    skill.parent() == other.parent() && !are_loaded_apart(skill, other)
}
