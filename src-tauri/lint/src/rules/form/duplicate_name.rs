use camino::Utf8Path;

use crate::analysis::client_folders::are_for_two_clients;
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
        "Two skills in the open folders with the same `name`. Copies for two clients of one project (`.claude/skills` \
         and `.agents/skills`) are not reported.",
        "打开的文件夹中有两个技能的 `name` 相同。为同一项目的两个客户端各放一份副本（`.claude/skills` 和 \
         `.agents/skills`）不报告。",
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
    !are_for_two_clients(skill, Utf8Path::new(other))
}
