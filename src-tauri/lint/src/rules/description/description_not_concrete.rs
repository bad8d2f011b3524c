use std::sync::LazyLock;

use regex::Regex;

use crate::analysis::described::Described;
use crate::analysis::language::{Language, compiled};
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "description-not-concrete",
    group: Group::Description,
    severity: Severity::Info,
    on: false,
    title: Wording::new("Description names nothing concrete", "描述缺少具体事物"),
    what: Wording::new(
        "An English description of fewer than eight words that carry meaning, without a file type, a product, a number or \
           a phrase in quotes.",
        "有实义的词少于八个，且没有文件类型、产品、数字或引号内短语的英文描述。",
    ),
    why: Wording::new(
        "Users name such things in their requests; a description that has them too is found.",
        "用户会在请求中提到这些；描述中也有，才容易被找到。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Summarizes long texts clearly. Use when asked for a summary.
---
Do it.
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r#"---
name: demo
description: Summarizes PDF and Word files. Use when asked for a summary or "the gist".
---
Do it.
"#,
    )]),
    hides: &[],
    marks: &[],
    source: "optimizing descriptions",
    fix: None,
    check: Check::Skill(check),
};

const ENOUGH_WORDS: usize = 8;

/// A capital after the beginning of a sentence, an ending of a file, a figure, quotes.
static CONCRETE: LazyLock<Regex> =
    LazyLock::new(|| compiled(r#"[\p{L},;)]\s+\(?[A-Z]|[A-Z]{2}|\.[a-z]{2,4}\b|[0-9]|["“”'`「]\w"#));

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let Some(description) = Described::of(skill) else { return };
    let english = description.language() == Language::English;
    let words = description.content().len();
    if english && words < ENOUGH_WORDS && !CONCRETE.is_match(description.text) {
        let message = Wording::new(
            "the description names no file type, product or phrase that users say; add some that requests will have",
            "描述没有提到文件类型、产品或用户的说法；请加上请求中会出现的词",
        );
        report.at(skill.path(), description.span(), message);
    }
}
