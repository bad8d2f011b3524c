use std::collections::HashMap;

use camino::Utf8Path;

use crate::analysis::client_folders;
use crate::{Check, Example, Group, Report, Rule, SubjectSet};
use skill::{Severity, Skill};
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "shadowed-by-scope",
    group: Group::Sets,
    severity: Severity::Warning,
    on: false,
    title: Wording::new("Copies for two clients have come apart", "不同客户端文件夹下的副本不一致"),
    what: Wording::new(
        "A skill that is in the folders of two clients of one project, such as `.agents/skills` and `.claude/skills`, with a \
           different `SKILL.md` in each.",
        "一个技能同时位于同一项目中两个客户端的文件夹（例如 `.agents/skills` 和 `.claude/skills`），但两边的 \
         `SKILL.md` 不同。",
    ),
    why: Wording::new(
        "A client that reads both takes one of them, and not every client takes the same: the project behaves \
         differently for two people.",
        "两个文件夹都读的客户端只取其一，而且各取各的：同一个项目在两个人那里表现不同。",
    ),
    bad: Example {
        folder: ".agents/skills/demo",
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
                "/.claude/skills/demo/SKILL.md",
                r"---
name: demo
description: Use when asked for a demo.
---
Do it twice.
",
            ),
        ],
    },
    good: Example {
        folder: ".agents/skills/demo",
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
                "/.claude/skills/demo/SKILL.md",
                r"---
name: demo
description: Use when asked for a demo.
---
Do it.
",
            ),
        ],
    },
    hides: &[],
    marks: &[],
    source: "documentation of Amp and Claude Code",
    fix: None,
    check: Check::Set(check),
};

fn check(set: &SubjectSet<'_>, report: &mut Report<'_>) {
    let mut first: HashMap<(&Utf8Path, &str), &Skill> = HashMap::new();
    for skill in set.skills {
        let Some(scope) = client_folders::scope(&skill.path) else { continue };
        let Some(project) = scope.parent() else { continue };
        let other = *first.entry((project, skill.name())).or_insert(skill);
        let elsewhere = client_folders::scope(&other.path) != Some(scope);
        if elsewhere && set.whole(other).text != set.whole(skill).text {
            let place = other.path.strip_prefix(project).unwrap_or(&other.path);
            let message = message!(
                "`{}` is also in `{place}` and differs there; keep one and link to it",
                "`{}` 在 `{place}` 中也有，但内容不同；请保留一份，并链接到它",
                skill.name()
            );
            report.about(&skill.manifest.source.path, message);
        }
    }
}
