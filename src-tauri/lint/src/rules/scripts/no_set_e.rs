use crate::code::Language;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "no-set-e",
    group: Group::Scripts,
    severity: Severity::Info,
    on: false,
    title: Wording::new("Shell script goes on after a command that failed", "Shell 脚本出错后继续执行"),
    what: Wording::new(
        "A shell script with a `#!` line, without `set -e`, of five or more commands whose results nothing checks (no `||`, no `&&`).",
        "带有 `#!` 行的 Shell 脚本没有 `set -e`，且有五条或更多命令的结果没有检查（没有 `||` 或 `&&`）。",
    ),
    why: Wording::new(
        "The script goes on with what is not there, and ends with code 0; the agent believes that it worked.",
        "前面的命令失败了脚本还继续执行，最后以 0 退出；智能体会以为成功了。",
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
    marks: &[],
    source: "claude-code-lint",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let shells = skill.code().scripts.iter().filter(|script| script.language == Language::Shell);
    for script in shells.filter(|script| !script.facts.strict && script.facts.steps >= MANY) {
        let Some(shebang) = script.shebang else { continue };
        let message = message!(
            "`{}` runs {} commands and goes on when one fails; put `set -euo pipefail` below this line",
            "`{}` 运行 {} 条命令，其中有失败也会继续，请在此行下面加上 `set -euo pipefail`",
            script.file.name,
            script.facts.steps
        );
        report.at(&script.file.path, shebang, message);
    }
}

/// Commands of which one may well fail.
const MANY: usize = 5;
