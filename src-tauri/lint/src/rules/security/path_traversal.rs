use crate::analysis::context;
use crate::pattern::{Match, Pattern, Patterns, Scope};
use crate::{Check, Example, Group, Rule};
use skill::Severity;
use skill::wording::Wording;

pub static RULE: Rule = Rule {
    id: "path-traversal",
    group: Group::Security,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Path climbs out of its folder", "路径越界"),
    what: Wording::new(
        "Paths that climb three folders or more into system folders, and tar archives that a script unpacks \
           without a filter.",
        "",
    ),
    why: Wording::new("Files are read or written outside of the folder that the user works in.", ""),
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
    source: "cisco-ai-skill-scanner PATH_TRAVERSAL_OPEN; PEP 706",
    fix: None,
    check: Check::Pattern(Patterns {
        scope: Scope::Code,
        patterns: PATTERNS,
        unless: Some(is_fine),
        milder: Some(context::warned_of),
    }),
};

const PATTERNS: &[Pattern] = &[
    Pattern {
        expression: r#"(?i)(?:\.\.[/\\]){3,}(?:etc|root|home|proc|var|usr|windows|users)(?-u:\b)[^\s"\'`)]*"#,
        lines: 0,
        message: Wording::new("`{}` leaves the working folder: pass the path as an argument", ""),
    },
    Pattern {
        expression: r#"(?-u:\b)(?:tar|tarball|tf|tar_file|tarfile\.open\([^\n)]*\))\.extractall\([^\n)]*\)"#,
        lines: 0,
        message: Wording::new("`{}` writes wherever the archive says: add `filter=\"data\"`", ""),
    },
];

fn is_fine(found: &Match<'_>) -> bool {
    context::is_comment(found) || found.text.contains("filter")
}
