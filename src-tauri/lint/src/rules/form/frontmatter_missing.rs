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
    what: Wording::new(
        "A `SKILL.md` whose first line is not `---`. A list of the skills in its folder, and a page that only says where the skill went, are hints.",
        "第一行不是 `---` 的 `SKILL.md`。只列出文件夹中各技能的清单，或只说明技能去向的页面，只作提示。",
    ),
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
    marks: &[],
    source: "agentskills.io specification",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let missing = skill.skill.problems.iter().find(|problem| problem.kind == ProblemKind::FrontmatterMissing);
    let Some(problem) = missing else { return };
    if let Some(span) = problem.span.filter(|_| leading_blank::blank(skill).is_none()) {
        let finding = report.at(skill.path(), span, problem.kind.message());
        let reason = if skill.is_collection() {
            Wording::new("it is a list of the skills in its folder", "它是文件夹中各技能的清单")
        } else if is_left(skill.text()) {
            Wording::new("it only says where the skill went", "它只说明技能的去向")
        } else {
            return;
        };
        finding.weigh_less(reason);
        finding.severity = Severity::Info;
    }
}

/// Whether the page replaces a skill that was moved: `# Moved`.
fn is_left(text: &str) -> bool {
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let heading = first.trim_start_matches('#').trim().to_lowercase();
    first.starts_with('#')
        && ["moved", "deprecated", "archived", "已移动", "已迁移", "已弃用"]
            .iter()
            .any(|word| heading.starts_with(word))
}
