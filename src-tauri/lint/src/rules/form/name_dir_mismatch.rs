use unicode_normalization::UnicodeNormalization;

use crate::rules::clients::loader_would_skip;
use crate::{Check, Example, Group, Rule};
use skill::{Problem, ProblemKind, Severity};
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "name-dir-mismatch",
    group: Group::Form,
    severity: Severity::Error,
    on: true,
    title: Wording::new("Name is not the folder's", "名称与文件夹名不一致"),
    what: Wording::new(
        "A `name` that differs from the name of the skill's folder, both compared in normal form (NFKC).",
        "`name` 与技能文件夹的名称不同（两者都按规范化形式 NFKC 比较）。",
    ),
    why: Wording::new(
        "The specification requires them to be equal: frameworks skip the skill, or load it under the other name.",
        "规范要求两者一致：框架会跳过该技能，或以另一个名称加载。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: other
description: Use when asked for a demo.
---
Do it.
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
Do it.
",
    )]),
    hides: &[&loader_would_skip::RULE],
    source: "agentskills.io specification",
    fix: None,
    check: Check::Load(differs),
};

/// After normalization, as the specification's own library compares them.
fn differs(problem: &Problem) -> bool {
    matches!(&problem.kind, ProblemKind::NameNotFolder { name, folder } if !name.nfkc().eq(folder.nfkc()))
}
