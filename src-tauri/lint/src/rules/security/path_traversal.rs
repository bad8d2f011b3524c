use crate::analysis::context;
use crate::pattern::{Match, Pattern, Patterns, Scope};
use crate::{Check, Deed, Example, Group, Mark, Rule};
use skill::Severity;
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "path-traversal",
    group: Group::Security,
    severity: Severity::Warning,
    on: false,
    title: Wording::new("Path climbs out of its folder", "路径越界"),
    what: Wording::new(
        "Paths that climb three folders or more into system folders, and tar archives that a script unpacks without a filter.",
        "路径向上跳三级以上进入系统目录，或脚本解包 tar 时没有使用过滤器。",
    ),
    why: Wording::new(
        "Files are read or written outside of the folder that the user works in.",
        "会读写用户工作目录之外的文件。",
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
        ("scripts/run.py", "print(open(\"../../../etc/passwd\").read())\n"),
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
            "scripts/run.py",
            r#"import tarfile

with tarfile.open("data.tar") as archive:
    archive.extractall("out", filter="data")
print(open("../shared/data.txt").read())
"#,
        ),
    ]),
    hides: &[],
    marks: &[Mark::Evidence(Deed::Runs)],
    source: "cisco-ai-skill-scanner PATH_TRAVERSAL_OPEN; PEP 706",
    fix: None,
    check: Check::Pattern(Patterns {
        scope: Scope::Programs,
        patterns: PATTERNS,
        unless: Some(is_fine),
        milder: Some(milder),
    }),
};

const PATTERNS: &[Pattern] = &[
    Pattern {
        expression: r#"(?i)(?:\.\.[/\\]){3,}(?:etc|root|home|proc|var|usr|windows|users)(?-u:\b)[^\s"\'`)]*"#,
        lines: 0,
        message: Wording::new(
            "`{}` leaves the working folder: pass the path as an argument",
            "`{}` 跳出了工作目录，请通过参数传入路径",
        ),
    },
    Pattern {
        expression: r#"(?-u:\b)(?:tar|tarball|tf|tar_file|tarfile\.open\([^\n)]*\))\.extractall\([^\n)]*\)"#,
        lines: 0,
        message: Wording::new(
            "`{}` writes wherever the archive says: add `filter=\"data\"`",
            "`{}` 会写到压缩包指定的任何位置，请加上 `filter=\"data\"`",
        ),
    },
];

fn is_fine(found: &Match<'_>) -> bool {
    context::is_comment(found) || found.text.contains("filter")
}

fn milder(found: &Match<'_>) -> Option<Wording> {
    found
        .text
        .contains("extractall")
        .then_some(Wording::new("Python filters by itself from version 3.14 on", "Python 从 3.14 起会自行过滤"))
        .or_else(|| context::warned_of(found))
}
