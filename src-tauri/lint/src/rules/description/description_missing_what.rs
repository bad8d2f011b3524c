use std::sync::LazyLock;

use regex::Regex;

use crate::analysis::described::Described;
use crate::analysis::language::compiled;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "description-missing-what",
    group: Group::Description,
    severity: Severity::Info,
    on: false,
    title: Wording::new("Description does not say what it does", "描述未说明做什么"),
    what: Wording::new(
        "A description whose sentences all begin with `Use when`, `Use this skill if` or the like (`当…时使用`).",
        "描述的每个句子都以 `Use when`、`Use this skill if` 之类开头（`当…时使用`）。",
    ),
    why: Wording::new(
        "A model knows when to load the skill, but not what it can then do, nor what the user gets.",
        "模型知道何时加载该技能，却不知道加载后能做什么，也不知道用户会得到什么。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
Do it.
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Runs a demo program and explains its output. Use when asked for a demo.
---
Do it.
",
    )]),
    hides: &[],
    marks: &[],
    source: "agentskills.io specification",
    fix: None,
    check: Check::Skill(check),
};

static ONLY_WHEN: LazyLock<Regex> = LazyLock::new(|| {
    compiled(
        r"(?i)^\s*(?:(?:please\s+|always\s+)?(?:use|invoke|call|activate|load|apply|trigger)s?\s+(?:this\s+)?(?:skill\s+|it\s+)?(?:when|whenever|if|while|before|after|as soon)\b|(?:when|whenever|if)\b|do not\b|don't\b|not for\b|当|如果|若|不要|不用于)",
    )
});

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let Some(description) = Described::of(skill) else { return };
    let mut sentences = sentences(description.text).peekable();
    if sentences.peek().is_some() && sentences.all(|sentence| ONLY_WHEN.is_match(sentence)) {
        let message = Wording::new(
            "the description says when to use the skill and not what it does; begin with what it does",
            "描述只写了何时使用该技能，没有写它做什么；请先写它做什么",
        );
        report.at(skill.path(), description.span(), message);
    }
}

fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive(['。', '！', '\n'])
        .flat_map(|part| part.split(". "))
        .filter(|part| part.contains(char::is_alphabetic))
}
