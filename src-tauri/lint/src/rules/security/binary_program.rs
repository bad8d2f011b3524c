use super::binary;
use crate::{Check, Deed, Example, Group, Mark, Report, Rule, Subject};
use skill::Severity;
use wording::{Message, Wording};

pub static RULE: Rule = Rule {
    id: "binary-program",
    group: Group::Security,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Program without source", "包含无法审查的二进制程序"),
    what: Wording::new(
        "A compiled program or library in the skill: ELF, Windows, Mach-O, by its first bytes.",
        "技能中有编译好的程序或库（ELF、Windows、Mach-O），按文件开头的字节判断。",
    ),
    why: Wording::new(
        "Nobody can see what it does, it runs on one platform only, and virus scanners block it.",
        "没人能看到它做了什么，它只能在一种平台上运行，还会被杀毒软件拦截。",
    ),
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
    marks: &[Mark::Evidence(Deed::Files)],
    source: "cisco-ai-skill-scanner UNANALYZABLE_BINARY, YARA_embedded_elf_binary",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    for file in skill.skill.files.iter().filter(|file| !binary::claims_to_be_passive(&file.path)) {
        if let Some(kind) = binary::program(skill, file) {
            let size = file.size;
            let message = Message {
                en: format!("this is {} of {size} bytes: ship its source, or say how to install it", kind.en),
                zh: format!("这是{}（{size} 字节），请附上源码，或说明如何安装", kind.zh),
            };
            report.about(&file.path, message);
        }
    }
}
