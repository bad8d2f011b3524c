use super::archive;
use crate::{Check, Deed, Example, Group, Mark, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "archive-bomb",
    group: Group::Security,
    severity: Severity::Error,
    on: true,
    title: Wording::new("Archive that fills the disk", "压缩炸弹"),
    what: Wording::new(
        "A ZIP archive whose entries unpack to 512 MiB or more, and to at least a hundred times the archive's size.",
        "ZIP 压缩包解压后达到 512 MiB 以上，且至少是压缩包大小的一百倍。",
    ),
    why: Wording::new(
        "Unpacking it fills the disk or the memory of whoever runs the skill.",
        "解压会占满技能使用者的磁盘或内存。",
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
        (
            "assets/data.zip",
            "PK\u{3}\u{4}\u{14}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}!\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{7F}\u{7F}\u{7F}\u{7F}\u{1}\u{0}\u{0}\u{0}aPK\u{1}\u{2}\u{14}\u{0}\u{14}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}!\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{7F}\u{7F}\u{7F}\u{7F}\u{1}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0} \u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}aPK\u{5}\u{6}\u{0}\u{0}\u{0}\u{0}\u{1}\u{0}\u{1}\u{0}/\u{0}\u{0}\u{0}\u{1F}\u{0}\u{0}\u{0}\u{0}\u{0}",
        ),
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
        (
            "assets/data.zip",
            "PK\u{3}\u{4}\u{14}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}!\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{1}\u{0}\u{0}\u{0}aPK\u{1}\u{2}\u{14}\u{0}\u{14}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}!\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{1}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0} \u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}aPK\u{5}\u{6}\u{0}\u{0}\u{0}\u{0}\u{1}\u{0}\u{1}\u{0}/\u{0}\u{0}\u{0}\u{1F}\u{0}\u{0}\u{0}\u{0}\u{0}",
        ),
    ]),
    hides: &[],
    marks: &[Mark::Evidence(Deed::Files)],
    source: "cisco-ai-skill-scanner ARCHIVE_ZIP_BOMB",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    for file in &skill.skill.files {
        let entries = archive::entries(skill, file);
        let size: u64 = entries.iter().fold(0, |sum, entry| sum.saturating_add(entry.size));
        if size >= LARGE && size / RATIO >= file.size {
            let message = message!(
                "{} bytes unpack to {} MiB: ship only what is needed of it",
                "{} 字节会解压成 {} MiB，请只附上需要的部分",
                file.size,
                size >> 20
            );
            report.about(&file.path, message);
        }
    }
}

const LARGE: u64 = 512 << 20;
const RATIO: u64 = 100;
