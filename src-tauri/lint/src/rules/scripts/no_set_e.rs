use crate::code::Language;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::wording::Wording;

pub static RULE: Rule = Rule {
    id: "no-set-e",
    group: Group::Scripts,
    severity: Severity::Info,
    on: true,
    title: Wording::new("Shell script goes on after a command that failed", "Shell 脚本出错后继续执行"),
    what: Wording::new(
        "A shell script with a `#!` line, without `set -e`, of five or more commands whose results nobody looks at (no `||`, no `&&`).",
        "",
    ),
    why: Wording::new(
        "The script goes on with what is not there, and ends with code 0; the agent believes that it worked.",
        "",
    ),
    bad: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Run `bash scripts/pack.sh`.
",
        ),
        (
            "scripts/pack.sh",
            r"#!/usr/bin/env bash
mkdir out
cp a.txt out
cp b.txt out
tar -cf out.tar out
rm -r out
",
        ),
    ]),
    good: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Run `bash scripts/pack.sh`.
",
        ),
        (
            "scripts/pack.sh",
            r"#!/usr/bin/env bash
set -euo pipefail
mkdir out
cp a.txt out
cp b.txt out
tar -cf out.tar out
rm -r out
",
        ),
    ]),
    hides: &[],
    source: "claude-code-lint",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let shells = skill.code().scripts.iter().filter(|script| script.language == Language::Shell);
    for script in shells.filter(|script| !script.facts.strict && script.facts.steps >= MANY) {
        let Some(shebang) = script.shebang else { continue };
        let message = format!(
            "`{}` runs {} commands and goes on when one fails; put `set -euo pipefail` below this line",
            script.file.name, script.facts.steps
        );
        report.at(&script.file.path, shebang, message);
    }
}

/// Commands of which one may well fail.
const MANY: usize = 5;
