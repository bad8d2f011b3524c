use super::binary;
use super::bytecode_without_source;
use crate::rules::links::{build_junk, orphan_file};
use crate::{Check, Deed, Example, Group, Mark, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "bytecode-mismatch",
    group: Group::Security,
    severity: Severity::Error,
    on: true,
    title: Wording::new("Compiled code of another source", "字节码与源文件不符"),
    what: Wording::new(
        "A `.pyc` file in a `__pycache__` that Python reads, checked by the time of its source, whose header states another size than its source has.",
        "Python 会读取的 `__pycache__` 中，有按源文件时间校验的 `.pyc`，其文件头记录的源文件大小与实际不符。",
    ),
    why: Wording::new(
        "Python may run the compiled code while reviewers read the source.",
        "Python 运行的可能是这份字节码，而审查者看的是源文件。",
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
        ("scripts/run.py", "print(1)\n"),
        ("scripts/__pycache__/run.cpython-312.pyc", "abcd\u{0}\u{0}\u{0}\u{0}ttttc\u{0}\u{0}\u{0}"),
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
        ("scripts/__pycache__/run.cpython-312.pyc", "abcd\u{0}\u{0}\u{0}\u{0}tttt\t\u{0}\u{0}\u{0}"),
    ]),
    hides: &[&build_junk::RULE, &bytecode_without_source::RULE, &orphan_file::RULE],
    marks: &[Mark::Evidence(Deed::Files)],
    source: "cisco-ai-skill-scanner BYTECODE_SOURCE_MISMATCH; PEP 552",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    for file in skill.skill.files.iter().filter(|file| file.name.ends_with(".pyc")) {
        let source = binary::source_of(&file.name).and_then(|source| skill.file(&source));
        let (Some(source), Some(stated)) = (source, stated_size(&binary::bytes(skill, file, 16))) else { continue };
        // Python keeps the lowest 32 bits.
        if u64::from(stated) != source.size & 0xFFFF_FFFF {
            let message = message!(
                "it was made from {stated} bytes, and `{}` has {}: delete it",
                "它由 {stated} 字节的源文件生成，而 `{}` 有 {} 字节，请删除",
                source.name,
                source.size
            );
            report.about(&file.path, message);
        }
    }
}

/// The size of the source, if the file is checked by its source's time.
fn stated_size(header: &[u8]) -> Option<u32> {
    let word = |at: usize| Some(u32::from_le_bytes(header.get(at..at + 4)?.try_into().ok()?));
    (word(4)? == 0).then(|| word(12))?
}
