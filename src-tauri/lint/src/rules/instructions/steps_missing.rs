use crate::analysis::lines::words;
use crate::rules::example::{filled, text};
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Heading;
use skill::Severity;
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "steps-missing",
    group: Group::Instructions,
    severity: Severity::Info,
    on: false,
    title: Wording::new("No steps", "缺少步骤"),
    what: Wording::new(
        "Instructions of 100 words or more without a list and without a heading on steps, usage or workflow \
           (步骤, 用法, 流程).",
        "100 个词以上的指令既没有列表，也没有关于步骤、用法或流程的标题。",
    ),
    why: Wording::new(
        "Models follow a list of steps better than a text in which they have to find them.",
        "比起要从中找出步骤的大段文字，模型更善于遵循步骤列表。",
    ),
    bad: Example::skill(&[("SKILL.md", LONG)]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
1. Weigh it.
2. Say how heavy it is.
",
    )]),
    hides: &[],
    marks: &[],
    source: "agentskills.io specification, recommended sections; claude-code-lint",
    fix: None,
    check: Check::Skill(check),
};

static BYTES: [u8; 569] = filled(
    "---\nname: demo\ndescription: Use when asked for a demo.\n---\n",
    "Weigh it and say how heavy it is.\n",
    "",
);
const LONG: &str = text(&BYTES);

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let (markdown, body) = (skill.markdown(), skill.body());
    if body.len() < SHORTEST || !markdown.lists.is_empty() || words(body).nth(FEWEST - 1).is_none() {
        return;
    }
    let told = |heading: &Heading| {
        let title = heading.text.to_lowercase();
        TITLES.iter().any(|word| title.contains(word))
    };
    if !markdown.headings.iter().any(told) {
        let message =
            Wording::new("there are no steps; write what to do as a numbered list", "没有步骤；把要做的事写成编号列表");
        report.at(skill.path(), skill.manifest().body.trim(skill.text()), message);
    }
}

/// Words, and bytes that so many take at least.
const FEWEST: usize = 100;
const SHORTEST: usize = 2 * FEWEST;
const TITLES: [&str; 13] = [
    "step",
    "usage",
    "workflow",
    "process",
    "instruction",
    "how to",
    "procedure",
    "quick start",
    "步骤",
    "用法",
    "流程",
    "使用",
    "指令",
];
