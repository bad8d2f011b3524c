use super::binary;
use crate::analysis::context;
use crate::{Check, Deed, Example, Group, Mark, Report, Rule, Subject};
use skill::Severity;
use wording::{Message, Wording};

pub static RULE: Rule = Rule {
    id: "magic-mismatch",
    group: Group::Security,
    severity: Severity::Error,
    on: true,
    title: Wording::new("Program that claims to be something else", "文件类型伪装"),
    what: Wording::new(
        "A file with the ending of a picture, document, font or text whose first bytes are those of a program \
           or a script.",
        "文件扩展名是图片、文档、字体或文本，开头的字节却属于程序或脚本。",
    ),
    why: Wording::new("It is there to be run without being noticed.", "放在那里就是为了不被察觉地运行。"),
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
    marks: &[Mark::Evidence(Deed::Files)],
    source: "cisco-ai-skill-scanner FILE_MAGIC_MISMATCH",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    for file in skill.skill.files.iter().filter(|file| binary::claims_to_be_passive(&file.path)) {
        if let Some(kind) = binary::program(skill, file).or_else(|| binary::disguised_script(skill, file)) {
            let ending = context::extension(&file.path);
            let message = Message {
                en: format!("this `.{ending}` is {}: delete it", kind.en),
                zh: format!("这个 `.{ending}` 其实是{}，请删除", kind.zh),
            };
            report.about(&file.path, message);
        }
    }
}
