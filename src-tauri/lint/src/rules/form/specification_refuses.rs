use crate::loading;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::source::Span;
use skill::{Field, Severity};
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "specification-refuses",
    group: Group::Form,
    severity: Severity::Error,
    on: false,
    title: Wording::new("The specification's validator refuses the skill", "规范的验证器拒绝此技能"),
    what: Wording::new(
        "What skills-ref, the reference library of the specification, says of a skill when it validates it, in its own \
           words. It is all that the profile `spec` looks at in a `SKILL.md`; the other profiles have rules for each \
           fault, which say where it is and how to mend it.",
        "规范的参考库 skills-ref 验证技能时给出的意见，原文照录。规则集 `spec` 对 `SKILL.md` 只检查这一项；\
         其他规则集中，每种问题各有规则，会指出位置和改法。",
    ),
    why: Wording::new(
        "Catalogues and checks built on the reference library do not accept the skill.",
        "基于参考库的目录和检查不会接受这个技能。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: Demo
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
    hides: &[],
    marks: &[],
    source: "skills-ref 0.1.1, validate",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    for problem in loading::refusals(skill.skill) {
        let span = place(skill, &problem);
        report.at(skill.path(), span, message!("skills-ref refuses it: {problem}", "skills-ref 拒绝它：{problem}"));
    }
}

/// The field that it mentions, else the first line.
fn place(skill: &Subject<'_>, problem: &str) -> Span {
    let lower = problem.to_lowercase();
    let unexpected = lower.strip_prefix("unexpected fields in frontmatter: ");
    let first = unexpected.and_then(|names| problem.get(problem.len() - names.len()..)?.split([',', '.']).next());
    let named = ["compatibility", "description", "name"].into_iter().find(|key| lower.contains(key));
    let span = |field: &Field| if field.value_span.is_empty() { field.key_span } else { field.value_span };
    let field = first.or(named).and_then(|key| skill.field(key));
    field.map_or_else(|| Span::new(0, skill.text().lines().next().unwrap_or_default().len()), span)
}
