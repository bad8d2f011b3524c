use super::archive;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::wording::Wording;

pub static RULE: Rule = Rule {
    id: "archive-traversal",
    group: Group::Security,
    severity: Severity::Error,
    on: true,
    title: Wording::new("Archive writes outside of its folder", "压缩包路径越界"),
    what: Wording::new(
        "A ZIP archive, Office file or package with an entry whose path is absolute, climbs out by `..`, or \
           is a link.",
        "",
    ),
    why: Wording::new("Programs that unpack it without care overwrite the user's files.", ""),
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
            let what = if entry.is_link { "is a link" } else { "leaves the folder it is unpacked in" };
            report.about(&file.path, format!("the entry `{}` {what}: pack the archive again without it", entry.name));
        }
    }
}
