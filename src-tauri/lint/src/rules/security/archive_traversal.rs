use super::archive;
use crate::{Check, Deed, Example, Group, Mark, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "archive-traversal",
    group: Group::Security,
    severity: Severity::Error,
    on: true,
    title: Wording::new("Archive writes outside of its folder", "压缩包路径越界"),
    what: Wording::new(
        "A ZIP archive, Office file or package with an entry whose path is absolute, climbs out with `..`, or is a link.",
        "ZIP 压缩包、Office 文件或软件包中有条目的路径是绝对路径、用 `..` 跳出目录，或者条目是链接。",
    ),
    why: Wording::new(
        "Programs that unpack it without care overwrite the user's files.",
        "解压程序如果不加检查，就会覆盖用户的文件。",
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
            "PK\u{3}\u{4}\u{14}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}!\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\t\u{0}\u{0}\u{0}../run.shPK\u{1}\u{2}\u{14}\u{0}\u{14}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}!\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\t\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0} \u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}../run.shPK\u{5}\u{6}\u{0}\u{0}\u{0}\u{0}\u{1}\u{0}\u{1}\u{0}7\u{0}\u{0}\u{0}'\u{0}\u{0}\u{0}\u{0}\u{0}",
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
            "PK\u{3}\u{4}\u{14}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}!\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{E}\u{0}\u{0}\u{0}data/table.csvPK\u{1}\u{2}\u{14}\u{0}\u{14}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}!\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{E}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0} \u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}data/table.csvPK\u{5}\u{6}\u{0}\u{0}\u{0}\u{0}\u{1}\u{0}\u{1}\u{0}<\u{0}\u{0}\u{0},\u{0}\u{0}\u{0}\u{0}\u{0}",
        ),
    ]),
    hides: &[],
    marks: &[Mark::Evidence(Deed::Files)],
    source: "cisco-ai-skill-scanner ARCHIVE_PATH_TRAVERSAL, ARCHIVE_SYMLINK",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    for file in &skill.skill.files {
        let entries = archive::entries(skill, file);
        let climbs = |name: &str| {
            name.split(['/', '\\']).any(|part| part == "..")
                || name.starts_with(['/', '\\'])
                || name.get(1..3) == Some(":\\")
        };
        if let Some(entry) = entries.iter().find(|entry| climbs(&entry.name) || entry.is_link) {
            let name = &entry.name;
            let message = if entry.is_link {
                message!(
                    "the entry `{name}` is a link: pack the archive again without it",
                    "条目 `{name}` 是链接，请去掉后重新打包"
                )
            } else {
                message!(
                    "the entry `{name}` leaves the folder it is unpacked in: pack the archive again without it",
                    "条目 `{name}` 会跳出解压目录，请去掉后重新打包"
                )
            };
            report.about(&file.path, message);
        }
    }
}
