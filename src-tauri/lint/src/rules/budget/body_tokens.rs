use super::body_lines;
use crate::analysis::figures::{grouped, may_exceed};
use crate::rules::example::{filled, text};
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::source::Span;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "body-tokens",
    group: Group::Budget,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Instructions have more than 5,000 tokens", "指令超过 5,000 个 token"),
    what: Wording::new(
        "Instructions in `SKILL.md` of more than 5,000 tokens, as the tokenizer o200k_base counts.",
        "`SKILL.md` 中的指令超过 5,000 个 token（按 o200k_base 分词器计算）。",
    ),
    why: Wording::new(
        "All of them are read whenever the skill is loaded and stay in the context; what matters gets lost among \
         the rest.",
        "加载技能时会读取全部指令，并一直留在上下文中；重要的内容会淹没在其余内容里。",
    ),
    bad: Example::skill(&[("SKILL.md", LONG)]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
Do it.
",
    )]),
    hides: &[&body_lines::RULE],
    marks: &[],
    source: "agentskills.io specification",
    fix: None,
    check: Check::Skill(check),
};

static BYTES: [u8; 30_000] = filled(
    "---\nname: demo\ndescription: Use when asked for a demo.\n---\n",
    "Take one, look at it, and put it back. ",
    "",
);
const LONG: &str = text(&BYTES);

const LIMIT: u32 = 5000;
/// Tokenizers differ by as much.
const SLACK: u32 = LIMIT / 10;

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    if !may_exceed(skill.body().len(), LIMIT) {
        return;
    }
    let tokens = skill.body_tokens();
    if tokens > LIMIT + SLACK {
        let first = skill.manifest().body.trim(skill.text());
        let first_line = skill.text()[first.start..].lines().next().unwrap_or_default().len();
        let message = message!(
            "the instructions have {} tokens; {} are enough: move what is not always needed into `references/`",
            "指令有 {} 个 token，建议不超过 {} 个：把不总是需要的内容移到 `references/`",
            grouped(tokens),
            grouped(LIMIT)
        );
        report.at(skill.path(), Span::new(first.start, first.start + first_line), message);
    }
}
