use unicode_normalization::UnicodeNormalization;

use crate::rules::clients::loader_would_skip;
use crate::{Applicability, Check, Example, Group, Mark, Report, Rule, Subject};
use skill::manifest::is_valid_name;
use skill::{ProblemKind, Severity};
use wording::{Wording, message};

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
    marks: &[Mark::FolderName],
    source: "agentskills.io specification",
    fix: Some(Applicability::Unsafe),
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    for problem in &skill.skill.problems {
        let ProblemKind::NameNotFolder { name, folder } = &problem.kind else { continue };
        // After normalization, as the specification's own library compares them.
        if name.nfkc().eq(folder.nfkc()) {
            continue;
        }
        let message = problem.kind.message();
        let finding = match problem.span {
            Some(span) => report.at(&problem.path, span, message),
            None => report.about(&problem.path, message),
        };
        finding.problem = Some(problem.kind.clone());
        if let Some(field) = skill.field("name").filter(|_| is_valid_name(folder)) {
            finding.replace(
                message!("Write the name as {folder}", "名称改为 {folder}"),
                field.value_span,
                folder.clone(),
            );
        }
    }
}
