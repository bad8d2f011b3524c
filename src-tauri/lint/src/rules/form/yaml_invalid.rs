use super::quoting;
use crate::rules::clients::loader_would_skip;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::{ProblemKind, Severity};
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "yaml-invalid",
    group: Group::Form,
    severity: Severity::Error,
    on: true,
    title: Wording::new("Frontmatter is not valid YAML", "前置元数据不是有效的 YAML"),
    what: Wording::new(
        "Frontmatter that a YAML 1.2 parser refuses. If quotes around a value would be enough, \
         `yaml-unquoted-colon` or `yaml-unquoted-start` reports it instead.",
        "YAML 1.2 解析器拒绝的前置元数据。如果给值加上引号就能解决，则由 `yaml-unquoted-colon` 或 \
         `yaml-unquoted-start` 报告。",
    ),
    why: Wording::new(
        "Frameworks with a YAML parser skip the skill; those without one read something other than what you wrote.",
        "使用 YAML 解析器的框架会跳过该技能；不用解析器的框架读到的与你写的不同。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: [open
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
    marks: &[],
    source: "agentskills.io specification",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let invalid = |kind: &ProblemKind| matches!(kind, ProblemKind::YamlInvalid { .. });
    let Some(problem) = skill.manifest().problems.iter().find(|problem| invalid(&problem.kind)) else { return };
    if quoting::cure(skill).is_some() {
        return;
    }
    let message = problem.kind.message();
    match problem.span {
        Some(span) => report.at(skill.path(), span, message),
        None => report.about(skill.path(), message),
    };
}
