use unicode_normalization::UnicodeNormalization;

use crate::rules::clients::loader_would_skip;
use crate::{Check, Example, Group, Rule};
use skill::wording::Wording;
use skill::{Problem, ProblemKind, Severity};

pub static RULE: Rule = Rule {
    id: "name-dir-mismatch",
    group: Group::Form,
    severity: Severity::Error,
    on: true,
    title: Wording::new("Name is not the folder's", "名称与文件夹名不一致"),
    what: Wording::new("A `name` that differs from the name of the skill's folder, both in normal form (NFKC).", ""),
    why: Wording::new(
        "The specification wants them equal: frameworks skip the skill, or load it under the other name.",
        "",
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
