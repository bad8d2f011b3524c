use crate::code::{Language, Script};
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::{Message, Wording};

pub static RULE: Rule = Rule {
    id: "syntax-js",
    group: Group::Scripts,
    severity: Severity::Error,
    on: true,
    title: Wording::new("JavaScript script does not parse", "JavaScript 脚本有语法错误"),
    what: Wording::new(
        "A file of JavaScript or TypeScript (`.js`, `.mjs`, `.cjs`, `.ts`, `.mts`, `.cts`) that does not parse. Types are not checked.",
        "JavaScript 或 TypeScript 文件（`.js`、`.mjs`、`.cjs`、`.ts`、`.mts`、`.cts`）有语法错误。不检查类型。",
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
Run `node scripts/add.mjs`.
",
        ),
        (
            "scripts/add.mjs",
            r"export function add(a, b {
  return a + b;
}
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
Run `node scripts/add.mjs`.
",
        ),
        (
            "scripts/add.mjs",
            r"export function add(a, b) {
  return a + b;
}
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
    // `export const a: number;` of a file of declarations has its value elsewhere.
    let is_declarations = |name: &str| [".d.ts", ".d.mts", ".d.cts"].iter().any(|end| name.ends_with(end));
    let is_read = |script: &&Script<'_>| {
        matches!(script.language, Language::JavaScript | Language::TypeScript) && !is_declarations(&script.file.name)
    };
    for script in skill.code().scripts.iter().filter(is_read) {
        if let Some(error) = &script.error {
            let (name, language, reason) = (&script.file.name, script.language.title(), &error.reason);
            let message = Message {
                en: format!("`{name}` is not valid {language}: {}", reason.en),
                zh: format!("`{name}` 不是有效的 {language}：{}", reason.zh),
            };
            report.at(&script.file.path, error.span, message);
        }
    }
}
