use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::wording::Wording;

pub static RULE: Rule = Rule {
    id: "no-distinct-exit-codes",
    group: Group::Scripts,
    severity: Severity::Info,
    on: false,
    title: Wording::new("All failures end with the same code", "所有失败都用同一个退出码"),
    what: Wording::new("A script with three or more places that end it with a failure, all with the same code.", ""),
    why: Wording::new(
        "An agent cannot tell wrong usage, which it can mend, from a missing file, which it cannot, without reading the message.",
        "",
    ),
    bad: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Run `bash scripts/get.sh`.
",
        ),
        (
            "scripts/get.sh",
            r#"#!/usr/bin/env bash
set -e
[ -n "$1" ] || exit 1
[ -f "$1" ] || exit 1
grep x "$1" || exit 1
"#,
        ),
    ]),
    good: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Run `bash scripts/get.sh`.
",
        ),
        (
            "scripts/get.sh",
            r#"#!/usr/bin/env bash
set -e
[ -n "$1" ] || exit 2
[ -f "$1" ] || exit 3
grep x "$1" || exit 1
"#,
        ),
    ]),
    hides: &[],
    source: "agentskills.io, using scripts: distinct, documented exit codes",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    for script in &skill.code().scripts {
        let failures: Vec<_> = script.facts.exits.iter().filter(|(code, _)| *code != 0).collect();
        let Some((first, place)) = failures.first() else { continue };
        if failures.len() >= MANY && failures.iter().all(|(code, _)| code == first) {
            let message =
                format!("all {} failures end with code {first}; give wrong usage a code of its own", failures.len());
            report.at(&script.file.path, *place, message);
        }
    }
}

/// Failures that could be told apart.
const MANY: usize = 3;
