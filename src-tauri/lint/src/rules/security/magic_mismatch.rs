use super::binary;
use crate::analysis::context;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::wording::Wording;

pub static RULE: Rule = Rule {
    id: "magic-mismatch",
    group: Group::Security,
    severity: Severity::Error,
    on: true,
    title: Wording::new("Program that claims to be something else", "文件类型伪装"),
    what: Wording::new(
        "A file with the ending of a picture, document, font or text whose first bytes are those of a program \
           or a script.",
        "",
    ),
    why: Wording::new("It is there to be run without being noticed.", ""),
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
        ("assets/logo.png", "\u{7F}ELF\u{2}\u{1}\u{1}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}"),
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
        ("assets/logo.txt", "A logo.\n"),
    ]),
    hides: &[],
    source: "cisco-ai-skill-scanner FILE_MAGIC_MISMATCH",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    for file in skill.skill.files.iter().filter(|file| binary::claims_to_be_passive(&file.path)) {
        if let Some(kind) = binary::program(skill, file).or_else(|| binary::disguised_script(skill, file)) {
            report.about(&file.path, format!("this `.{}` is {kind}: delete it", context::extension(&file.path)));
        }
    }
}
