use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::source::Span;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "fork-without-task",
    group: Group::Clients,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("A fork without a task", "fork 的子智能体没有任务"),
    what: Wording::new(
        "`context: fork` with instructions of no more than three words apart from headings, and no list, code or \
         link.",
        "`context: fork` 的指令除标题外不超过三个词，也没有列表、代码或链接。",
    ),
    why: Wording::new(
        "The sub-agent gets the instructions as its whole task, and nothing of the conversation. With nothing to \
          do it comes back with nothing.",
        "子智能体得到的全部任务就是这些指令，没有任何对话内容。没有事可做，它就什么也带不回来。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
context: fork
---
# Research

Code conventions.
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
context: fork
---
# Research

Find where `$ARGUMENTS` is defined and list its callers.
",
    )]),
    hides: &[],
    marks: &[],
    source: "Claude Code documentation: skills",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let Some(field) = skill.field("context").filter(|field| field.value.as_str() == Some("fork")) else { return };
    let markdown = skill.markdown();
    let has_more = !markdown.fences.is_empty() || !markdown.lists.is_empty() || !markdown.links.is_empty();
    if has_more || !markdown.codes.is_empty() || skill.body().trim().is_empty() {
        return;
    }
    let in_heading = |span: &Span| {
        let next = markdown.headings.partition_point(|heading| heading.span.end <= span.start);
        markdown.headings.get(next).is_some_and(|heading| heading.span.start <= span.start)
    };
    let prose = markdown.prose.iter().filter(|span| !in_heading(span));
    let words = prose.map(|span| words(span.of(skill.text()))).take(WORDS_NEEDED).sum::<usize>();
    if words < WORDS_NEEDED {
        let message = message!(
            "the sub-agent's whole task has {words} words; say what to do and what to give back",
            "子智能体的全部任务只有 {words} 个词；写明要做什么、返回什么"
        );
        report.at(skill.path(), field.value_span, message);
    }
}

const WORDS_NEEDED: usize = 4;

/// In Chinese, which does not separate words, two characters count as one word.
fn words(text: &str) -> usize {
    let wide = text.chars().filter(|letter| *letter >= '\u{2E80}').count();
    let parted = text.split_whitespace().filter(|word| word.chars().any(|letter| letter.is_ascii_alphanumeric()));
    parted.count() + wide.div_ceil(2)
}
