use crate::code::Language;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::{Message, Wording};

pub static RULE: Rule = Rule {
    id: "syntax-python",
    group: Group::Scripts,
    severity: Severity::Error,
    on: true,
    title: Wording::new("Python script does not parse", "Python 脚本有语法错误"),
    what: Wording::new(
        "A Python script that the parser of Python 3 rejects. Scripts for Python 2 (by their first line), templates, and files in folders of tests, fixtures or third-party code are not checked.",
        "Python 脚本无法用 Python 3 的解析器解析。Python 2 脚本（看首行）、模板，以及测试、fixtures 或第三方代码文件夹里的文件不检查。",
    ),
    why: Wording::new(
        "The script fails before its first line runs, on every machine; the agent finds out in the middle of a task.",
        "脚本在任何机器上都运行不起来，第一行都执行不到；智能体往往在任务做到一半时才发现。",
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
    marks: &[],
    source: "the language itself; no other linter of skills parses scripts",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    for script in skill.code().scripts.iter().filter(|script| script.language == Language::Python) {
        if let Some(error) = &script.error {
            let (name, reason) = (&script.file.name, &error.reason);
            let message = Message {
                en: format!("`{name}` is not valid Python: {}", reason.en),
                zh: format!("`{name}` 不是有效的 Python：{}", reason.zh),
            };
            report.at(&script.file.path, error.span, message);
        }
    }
}
