use crate::pattern::{Match, Pattern, Patterns, Scope};
use crate::{Check, Example, Group, Rule};
use skill::Severity;
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "retired-model",
    group: Group::Instructions,
    severity: Severity::Info,
    on: false,
    title: Wording::new("Names a model that is no longer served", "提到已停用的模型"),
    what: Wording::new(
        "The name of a model that its maker has switched off, e.g. `claude-2.1`, `claude-3-opus-20240229`, \
           `gpt-4-32k`, `text-davinci-003`, `gemini-1.0-pro`.",
        "提供商已停用的模型名称，例如 `claude-2.1`、`claude-3-opus-20240229`、`gpt-4-32k`、`text-davinci-003`、\
         `gemini-1.0-pro`。",
    ),
    why: Wording::new(
        "Calls to it fail, and what is said about it no longer helps.",
        "调用会失败，关于它的说明也不再有用。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
Call the API with `claude-2.1`.
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
Call the API with the model that the user names.
",
    )]),
    hides: &[],
    marks: &[],
    source: "Anthropic, OpenAI and Google, model deprecations; skillsaw content-banned-references",
    fix: None,
    check: Check::Pattern(Patterns {
        scope: Scope::Instructions,
        patterns: &[
            Pattern {
                expression: r#"\bclaude-(?:instant(?:-v?1(?:\.[0-9])?)?|1(?:\.[0-9])?|2(?:\.[01])?|3-opus-20240229|3-sonnet-20240229|3-5-sonnet-2024(?:0620|1022)|3-haiku-20240307|3-5-haiku-20241022|(?:opus|sonnet)-4-20250514)\b"#,
                lines: 0,
                message: Wording::new(
                    "`{}` is no longer served; name a current model, or none",
                    "`{}` 已停用；改用现有的模型，或不写模型名",
                ),
            },
            Pattern {
                expression: r#"\b(?:(?:text|code)-davinci-00[1-3]|gpt-4-32k|gpt-3\.5-turbo-0(?:301|613)|gpt-4-vision-preview)\b"#,
                lines: 0,
                message: Wording::new(
                    "`{}` is no longer served; name a current model, or none",
                    "`{}` 已停用；改用现有的模型，或不写模型名",
                ),
            },
            Pattern {
                expression: r#"\b(?:gemini-1\.[05]-(?:pro|flash)|text-bison)\b"#,
                lines: 0,
                message: Wording::new(
                    "`{}` is no longer served; name a current model, or none",
                    "`{}` 已停用；改用现有的模型，或不写模型名",
                ),
            },
        ],
        unless: Some(is_about_the_end),
        milder: None,
    }),
};

/// The line, or the head above it, says itself that the model is old.
fn is_about_the_end(found: &Match<'_>) -> bool {
    let heading = found.above.lines().rev().find(|line| line.starts_with('#')).unwrap_or_default();
    // A comment that switches this rule off names it.
    let line = found.line.split("<!--").next().unwrap_or_default();
    let said = format!("{line} {heading}").to_lowercase();
    ["retire", "deprecat", "legacy", "sunset", "migrat", "no longer", "old ", "replace", "停用", "弃用", "迁移"]
        .iter()
        .any(|word| said.contains(word))
}
