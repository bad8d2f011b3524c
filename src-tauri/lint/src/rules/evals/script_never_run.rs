use crate::probe::is_entry;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::{FileKind, Severity};
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "script-never-run",
    group: Group::Evals,
    severity: Severity::Info,
    on: true,
    title: Wording::new("Script is never run", "脚本从未被运行"),
    what: Wording::new(
        "In three or more recorded runs that used the skill: a script that none of them ran or read. Those deeper \
           than `scripts`, or with an underscore before their name, are taken for modules of others.",
        "在三次或更多使用了该技能的运行记录中，某个脚本从未被运行或读取。位于 `scripts` \
         更深处或名称以下划线开头的脚本视为其他脚本的模块。",
    ),
    why: Wording::new(
        "The model works by hand what the script does better, or the script is dead weight.",
        "模型在手工做脚本能做得更好的事，或者该脚本只是累赘。",
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
        ("scripts/draw.py", "print(\"plan\")\n"),
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
    for file in usage.untouched(skill.skill, FileKind::Script).filter(|file| is_entry(&file.name)) {
        let message = message!(
            "it was not run in any of {} runs; say in `SKILL.md` when to run it and how, or delete it",
            "{} 次运行都没有运行它；请在 `SKILL.md` 中写明何时以及如何运行，或将它删除",
            usage.runs
        );
        report.about(&file.path, message);
    }
}
