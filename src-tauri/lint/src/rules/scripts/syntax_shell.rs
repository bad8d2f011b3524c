use crate::code::Language;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::wording::Wording;

pub static RULE: Rule = Rule {
    id: "syntax-shell",
    group: Group::Scripts,
    severity: Severity::Error,
    on: true,
    title: Wording::new("Shell script does not parse", "Shell 脚本有语法错误"),
    what: Wording::new("A script for sh or bash that a parser of bash does not take.", ""),
    why: Wording::new(
        "The script fails before its first line runs, on every machine; the agent finds out in the middle of a task.",
        "",
    ),
    bad: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Run `bash scripts/make.sh`.
",
        ),
        (
            "scripts/make.sh",
            r"#!/usr/bin/env bash
set -e
if [ -f a.txt ]; then
  cat a.txt
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
Run `bash scripts/make.sh`.
",
        ),
        (
            "scripts/make.sh",
            r"#!/usr/bin/env bash
set -e
if [ -f a.txt ]; then
  cat a.txt
fi
",
        ),
    ]),
    hides: &[],
    source: "the language itself; no other linter of skills parses scripts",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    for script in skill.code().scripts.iter().filter(|script| script.language == Language::Shell) {
        if let Some(error) = &script.error {
            let message = format!("`{}` is no valid shell script: {}", script.file.name, error.reason);
            report.at(&script.file.path, error.span, message);
        }
    }
}
