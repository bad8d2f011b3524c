use std::collections::BTreeSet;

use crate::analysis::mentions::Mention;
use crate::{Check, Example, Group, Report, Rule, SubjectSet};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "names-missing-skill",
    group: Group::Sets,
    severity: Severity::Info,
    on: false,
    title: Wording::new("Names a skill that is not there", "提到了不存在的技能"),
    what: Wording::new(
        "Instructions that name another skill as code (the `pdf-tables` skill, `pdf-tables` 技能), although none \
         of the open folders has one of that name. Only if several skills are open.",
        "指令中以代码形式提到另一个技能（the `pdf-tables` skill、`pdf-tables` 技能），\
         但打开的文件夹中没有这个名称的技能。仅在打开了多个技能时检查。",
    ),
    why: Wording::new(
        "An agent looks for the skill, finds none, and goes on without it.",
        "智能体会去找该技能，却找不到，只好在没有它的情况下继续。",
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
For a tour use the `guided-tour` skill.
",
            ),
            (
                "/tour/SKILL.md",
                r"---
name: tour
description: Use when asked for a tour.
---
Do it.
",
            ),
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
For a tour use the `tour` skill.
",
            ),
            (
                "/tour/SKILL.md",
                r"---
name: tour
description: Use when asked for a tour.
---
Do it.
",
            ),
        ],
    },
    hides: &[],
    marks: &[],
    source: "claude-code-lint",
    fix: None,
    check: Check::Set(check),
};

/// Findings in one skill.
const MOST: usize = 10;

fn check(set: &SubjectSet<'_>, report: &mut Report<'_>) {
    if set.skills.len() < 2 {
        return;
    }
    let names: BTreeSet<&str> =
        set.skills.iter().flat_map(|skill| [skill.name(), skill.path.file_name().unwrap_or_default()]).collect();
    for (skill, mentions) in set.mentions() {
        for Mention { name, span } in mentions.iter().filter(|mention| !names.contains(&*mention.name)).take(MOST) {
            let message = message!(
                "there is no skill `{name}` in the open folders; correct the name or add it",
                "打开的文件夹中没有技能 `{name}`；请改正名称，或添加该技能"
            );
            report.at(&set.skills[*skill].manifest.source.path, *span, message);
        }
    }
}
