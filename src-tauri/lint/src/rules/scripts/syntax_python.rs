use crate::code::Language;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::wording::Wording;

pub static RULE: Rule = Rule {
    id: "syntax-python",
    group: Group::Scripts,
    severity: Severity::Error,
    on: true,
    title: Wording::new("Python script does not parse", "Python 脚本有语法错误"),
    what: Wording::new(
        "A Python script that the parser of Python 3 does not take. Scripts for Python 2 (by their first line), templates, and files in folders of tests, fixtures or foreign code are not looked at.",
        "",
    ),
    why: Wording::new(
        "The script fails before its first line runs, on every machine; the agent finds out in the middle of a task.",
        "",
    ),
    bad: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Run `python3 scripts/add.py`.
",
        ),
        (
            "scripts/add.py",
            r"def add(a, b:
    return a + b
",
        ),
    ]),
    good: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Run `python3 scripts/add.py`.
",
        ),
        (
            "scripts/add.py",
            r"def add(a, b):
    return a + b
",
        ),
    ]),
    hides: &[],
    source: "the language itself; no other linter of skills parses scripts",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    for script in skill.code().scripts.iter().filter(|script| script.language == Language::Python) {
        if let Some(error) = &script.error {
            let message = format!("`{}` is no valid Python: {}", script.file.name, error.reason);
            report.at(&script.file.path, error.span, message);
        }
    }
}
