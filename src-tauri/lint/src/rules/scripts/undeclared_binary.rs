use std::collections::HashSet;

use crate::code::{Language, known};
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::{Message, Wording};

pub static RULE: Rule = Rule {
    id: "undeclared-binary",
    group: Group::Scripts,
    severity: Severity::Info,
    on: false,
    title: Wording::new("Script runs a program that nothing names", "脚本调用了未声明的程序"),
    what: Wording::new(
        "A script that runs a program which is not on every machine with a shell, which it does not look for itself (`command -v`, `shutil.which`), and which no text of the skill names.",
        "脚本调用了并非每台机器都有的程序，自己没有先检查它是否存在（`command -v`、`shutil.which`），技能的文本也没有提到它。",
    ),
    why: Wording::new(
        "On a machine without the program the script fails in the middle of its work.",
        "在没有该程序的机器上，脚本会中途失败。",
    ),
    bad: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Run `bash scripts/thumb.sh`.
",
        ),
        (
            "scripts/thumb.sh",
            r"#!/usr/bin/env bash
set -e
ffmpeg -i in.mp4 out.png
",
        ),
    ]),
    good: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
compatibility: Needs ffmpeg
---
Run `bash scripts/thumb.sh`.
",
        ),
        (
            "scripts/thumb.sh",
            r"#!/usr/bin/env bash
set -e
ffmpeg -i in.mp4 out.png
",
        ),
    ]),
    hides: &[],
    marks: &[],
    source: "agentskills.io specification: `compatibility`",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let code = skill.code();
    let mut said = HashSet::new();
    for script in &code.scripts {
        let mut missing = Vec::new();
        for program in &script.facts.programs {
            let name = program.name.as_str();
            let comes_along = is_node(script.language) && matches!(name, "node" | "npm" | "npx");
            if comes_along || known::is_everywhere(name) || script.facts.looked_for.contains(name) {
                continue;
            }
            let is_named = code.names(name) || known::bundles(name).iter().any(|bundle| code.names(bundle));
            if is_named || !said.insert(name) {
                continue;
            }
            missing.push(program);
        }
        let Some(first) = missing.first() else { continue };
        let names: Vec<&str> = missing.iter().map(|program| program.name.as_str()).collect();
        let (is, them) = if names.len() == 1 { ("is", "it") } else { ("are", "them") };
        let message = Message {
            en: format!(
                "nothing says that `{}` {is} needed; name {them} in `compatibility`, or look for {them} first",
                names.join("`, `")
            ),
            zh: format!("没有任何地方说明需要 `{}`，请在 `compatibility` 中写明，或先检查是否存在", names.join("`、`")),
        };
        report.at(&script.file.path, first.span, message);
    }
}

fn is_node(language: Language) -> bool {
    matches!(language, Language::JavaScript | Language::TypeScript)
}
