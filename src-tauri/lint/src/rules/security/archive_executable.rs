use super::archive;
use crate::analysis::context;
use crate::{Check, Deed, Example, Group, Mark, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "archive-executable",
    group: Group::Security,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Program inside an archive", "压缩包内含可执行文件"),
    what: Wording::new(
        "A ZIP archive in the skill with scripts, programs or further archives in it. Wheels, JARs and Office files are not reported.",
        "技能中的 ZIP 压缩包里含有脚本、程序或其他压缩包。wheel、JAR 和 Office 文件不报告。",
    ),
    why: Wording::new(
        "Neither reviewers nor this linter read what is in it, and it runs all the same.",
        "审查者和本工具都不会读取其中的内容，但它照样可以运行。",
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
            "assets/tools.zip",
            "PK\u{3}\u{4}\u{14}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}!\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{C}\u{0}\u{0}\u{0}tools/run.shPK\u{1}\u{2}\u{14}\u{0}\u{14}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}!\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{C}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0} \u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}tools/run.shPK\u{5}\u{6}\u{0}\u{0}\u{0}\u{0}\u{1}\u{0}\u{1}\u{0}:\u{0}\u{0}\u{0}*\u{0}\u{0}\u{0}\u{0}\u{0}",
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
            "assets/tools.zip",
            "PK\u{3}\u{4}\u{14}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}!\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{E}\u{0}\u{0}\u{0}data/table.csvPK\u{1}\u{2}\u{14}\u{0}\u{14}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}!\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{E}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0} \u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}data/table.csvPK\u{5}\u{6}\u{0}\u{0}\u{0}\u{0}\u{1}\u{0}\u{1}\u{0}<\u{0}\u{0}\u{0},\u{0}\u{0}\u{0}\u{0}\u{0}",
        ),
    ]),
    hides: &[],
    marks: &[Mark::Evidence(Deed::Files)],
    source: "cisco-ai-skill-scanner ARCHIVE_CONTAINS_EXECUTABLE, CORRELATED_NESTED_ARCHIVE_SCRIPT",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    for file in skill.skill.files.iter().filter(|file| context::extension(&file.path) == "zip") {
        let entries = archive::entries(skill, file);
        let runs = |name: &str| ENDINGS.iter().any(|ending| name.to_ascii_lowercase().ends_with(ending));
        let found: Vec<&str> = entries.iter().map(|entry| entry.name.as_str()).filter(|name| runs(name)).collect();
        if let Some(first) = found.first() {
            let message = message!(
                "{} of its files can run, `{first}` first: ship them unpacked",
                "其中 {} 个文件可以运行，首先是 `{first}`，请直接附上解压后的文件",
                found.len()
            );
            report.about(&file.path, message);
        }
    }
}

const ENDINGS: [&str; 17] = [
    ".sh", ".bash", ".py", ".js", ".ps1", ".bat", ".cmd", ".exe", ".dll", ".so", ".dylib", ".scr", ".vbs", ".jar",
    ".zip", ".7z", ".rar",
];
