use super::binary;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::wording::Wording;

pub static RULE: Rule = Rule {
    id: "binary-program",
    group: Group::Security,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Program without source", "包含无法审查的二进制程序"),
    what: Wording::new("A compiled program or library in the skill: ELF, Windows, Mach-O, by its first bytes.", ""),
    why: Wording::new("Nobody can see what it does, it runs on one kind of machine, and virus scanners stop it.", ""),
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
        ("scripts/tool", "\u{7F}ELF\u{2}\u{1}\u{1}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}"),
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
        ("scripts/tool.py", "print(1)\n"),
    ]),
    hides: &[],
    source: "cisco-ai-skill-scanner UNANALYZABLE_BINARY, YARA_embedded_elf_binary",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    for file in skill.skill.files.iter().filter(|file| !binary::claims_to_be_passive(&file.path)) {
        if let Some(kind) = binary::program(skill, file) {
            report.about(
                &file.path,
                format!("this is {kind} of {} bytes: ship its source, or say how to install it", file.size),
            );
        }
    }
}
