use super::binary;
use crate::rules::links::{build_junk, orphan_file};
use crate::{Check, Deed, Example, Group, Mark, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "bytecode-without-source",
    group: Group::Security,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Compiled code without its source", "字节码缺少源文件"),
    what: Wording::new(
        "A `.pyc`, `.pyo` or `.class` file with no source of the same name next to it or above its `__pycache__`.",
        "`.pyc`、`.pyo` 或 `.class` 文件旁边，或其 `__pycache__` 的上一级，没有同名的源文件。",
    ),
    why: Wording::new("It runs like a script, and nobody can read it.", "它像脚本一样可以运行，却没人能读懂。"),
    bad: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Do it.
",
        ),
        ("scripts/run.pyc", "x"),
    ]),
    good: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Do it.
",
        ),
        ("scripts/run.py", "print(1)\n"),
        ("scripts/__pycache__/run.cpython-312.pyc", "x"),
    ]),
    hides: &[&build_junk::RULE, &orphan_file::RULE],
    marks: &[Mark::Evidence(Deed::Files)],
    source: "cisco-ai-skill-scanner BYTECODE_NO_SOURCE",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    for file in &skill.skill.files {
        let Some(source) = binary::source_of(&file.name) else { continue };
        if skill.file(&source).is_none() {
            let message = message!(
                "`{source}`, which it was made from, is not here: ship the source instead",
                "生成它的 `{source}` 不在这里，请改为附上源文件"
            );
            report.about(&file.path, message);
        }
    }
}
