use std::sync::LazyLock;

use regex::Regex;

use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "style-left-to-tools",
    group: Group::Instructions,
    severity: Severity::Info,
    on: false,
    title: Wording::new("Says what a formatter enforces", "重复了格式化工具的规则"),
    what: Wording::new(
        "A line on indentation, semicolons, quotes, line length or trailing white space in a skill that has the \
         configuration of a formatter or linter.",
        "技能已带有格式化工具或 linter 的配置，却仍有关于缩进、分号、引号、行宽或行尾空白的行。",
    ),
    why: Wording::new(
        "The tool does it for sure; the line costs tokens and may contradict the configuration.",
        "工具一定会处理好；这一行浪费 token，还可能与配置不一致。",
    ),
    bad: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Always indent with 2 spaces. Run assets/.prettierrc.
",
        ),
        ("assets/.prettierrc", "{}\n"),
    ]),
    good: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Format with assets/.prettierrc.
",
        ),
        ("assets/.prettierrc", "{}\n"),
    ]),
    hides: &[],
    marks: &[],
    source: "skillsaw",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let is_settings = |name: &str| {
        let file = name.rsplit('/').next().unwrap_or_default();
        SETTINGS.iter().any(|start| file.starts_with(start))
    };
    let Some(settings) = skill.skill.files.iter().find(|file| is_settings(&file.name)) else { return };
    let text = skill.text();
    for line in skill.lines().iter().map(|line| line.span) {
        if STYLE.is_match(line.of(text)) {
            let message =
                message!("`{}` settles this; delete the line", "`{}` 已规定这一点；删除这一行", settings.name);
            report.at(skill.path(), line, message);
        }
    }
}

const SETTINGS: [&str; 9] = [
    ".editorconfig",
    ".prettierrc",
    "prettier.config",
    ".eslintrc",
    "eslint.config",
    "ruff.toml",
    ".ruff.toml",
    "rustfmt.toml",
    ".clang-format",
];

static STYLE: LazyLock<Regex> = LazyLock::new(|| {
    let english = r"\b(?:indent(?:ation)?\b.*\b(?:spaces|tabs)|semicolons?|trailing (?:white ?space|commas?)|line length|(?:single|double) quotes)\b";
    Regex::new(&format!("(?i){english}|缩进|分号|行宽|单引号|双引号")).expect("a test compiles it")
});
