use crate::code::Language;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::{Message, Wording};

pub static RULE: Rule = Rule {
    id: "syntax-shell",
    group: Group::Scripts,
    severity: Severity::Error,
    on: true,
    title: Wording::new("Shell script does not parse", "Shell 脚本有语法错误"),
    what: Wording::new(
        "A script for sh or bash that a parser of bash rejects.",
        "sh 或 bash 脚本无法用 bash 解析器解析。",
    ),
    why: Wording::new(
        "The script fails before its first line runs, on every machine; the agent finds out in the middle of a task.",
        "脚本在任何机器上都运行不起来，第一行都执行不到；智能体往往在任务做到一半时才发现。",
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
    marks: &[],
    source: "the language itself; no other linter of skills parses scripts",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    for script in skill.code().scripts.iter().filter(|script| script.language == Language::Shell) {
        if let Some(error) = &script.error {
            let (name, reason) = (&script.file.name, &error.reason);
            let message = Message {
                en: format!("`{name}` is not a valid shell script: {}", reason.en),
                zh: format!("`{name}` 不是有效的 Shell 脚本：{}", reason.zh),
            };
            report.at(&script.file.path, error.span, message);
        }
    }
}
