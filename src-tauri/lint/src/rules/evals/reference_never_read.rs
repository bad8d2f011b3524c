use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::{FileKind, Severity};
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "reference-never-read",
    group: Group::Evals,
    severity: Severity::Info,
    on: true,
    title: Wording::new("Reference is never read", "参考文件从未被读取"),
    what: Wording::new(
        "In three or more recorded runs that used the skill: a file in `references` that none of them read.",
        "在三次或更多使用了该技能的运行记录中，`references` 里的某个文件从未被读取。",
    ),
    why: Wording::new(
        "The model does not learn when to read it: what it says is lost on every run, or needless.",
        "模型不知道何时该读它：要么其内容在每次运行中都没有起作用，要么它本来就不需要。",
    ),
    bad: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Draw the plan.
",
        ),
        ("references/house.md", "Walls carry the roof.\n"),
    ]),
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
    source: "measurement: recorded runs",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let Some(usage) = skill.options.usage.get(&skill.skill.path) else { return };
    for file in usage.untouched(skill.skill, FileKind::Reference) {
        let message = message!(
            "it was not read in any of {} runs; say in `SKILL.md` when to read it, or delete it",
            "{} 次运行都没有读取它；请在 `SKILL.md` 中写明何时读取，或将它删除",
            usage.runs
        );
        report.about(&file.path, message);
    }
}
