use super::binary;
use crate::rules::links::{build_junk, orphan_file};
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::wording::Wording;

pub static RULE: Rule = Rule {
    id: "bytecode-without-source",
    group: Group::Security,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Compiled code without its source", "字节码缺少源文件"),
    what: Wording::new(
        "A `.pyc`, `.pyo` or `.class` file with no source of the same name beside it or above its \
           `__pycache__`.",
        "",
    ),
    why: Wording::new("It runs like a script, and nobody can read it.", ""),
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
    source: "cisco-ai-skill-scanner BYTECODE_NO_SOURCE",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    for file in &skill.skill.files {
        let Some(source) = binary::source_of(&file.name) else { continue };
        if skill.file(&source).is_none() {
            report
                .about(&file.path, format!("`{source}`, which it was made from, is not here: ship the source instead"));
        }
    }
}
