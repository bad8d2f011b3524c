use super::leading_blank;
use crate::rules::clients::loader_would_skip;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::{ProblemKind, Severity};
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "frontmatter-missing",
    group: Group::Form,
    severity: Severity::Error,
    on: true,
    title: Wording::new("No frontmatter", "缺少前置元数据"),
    what: Wording::new("A `SKILL.md` whose first line is not `---`.", "第一行不是 `---` 的 `SKILL.md`。"),
    why: Wording::new(
        "Name and description are in the frontmatter. Most frameworks do not load the skill; one offers it without a description.",
        "名称和描述都在前置元数据中。多数框架不会加载该技能；有一个会提供它，但没有描述。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"# Demo

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
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let missing = skill.skill.problems.iter().find(|problem| problem.kind == ProblemKind::FrontmatterMissing);
    let Some(problem) = missing else { return };
    if let Some(span) = problem.span.filter(|_| leading_blank::blank(skill).is_none()) {
        report.at(skill.path(), span, problem.kind.message());
    }
}
