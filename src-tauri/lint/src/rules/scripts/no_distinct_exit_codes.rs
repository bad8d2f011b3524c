use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "no-distinct-exit-codes",
    group: Group::Scripts,
    severity: Severity::Info,
    on: false,
    title: Wording::new("All failures end with the same code", "所有失败都用同一个退出码"),
    what: Wording::new(
        "A script with three or more places that end it with a failure, all with the same code.",
        "脚本有三处或更多以失败结束的地方，全都用同一个退出码。",
    ),
    why: Wording::new(
        "Without reading the message, an agent cannot tell wrong usage, which it can correct, from a missing file, which it cannot.",
        "不读错误信息，智能体就分不清用法错误（它能改正）和缺少文件（它无能为力）。",
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
    marks: &[],
    source: "agentskills.io, using scripts: distinct, documented exit codes",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    for script in &skill.code().scripts {
        let failures: Vec<_> = script.facts.exits.iter().filter(|(code, _)| *code != 0).collect();
        let Some((first, place)) = failures.first() else { continue };
        if failures.len() >= MANY && failures.iter().all(|(code, _)| code == first) {
            let message = message!(
                "all {} failures end with code {first}; give wrong usage a code of its own",
                "{} 处失败都以 {first} 退出，请为用法错误使用单独的退出码",
                failures.len()
            );
            report.at(&script.file.path, *place, message);
        }
    }
}

/// Failures that could be told apart.
const MANY: usize = 3;
