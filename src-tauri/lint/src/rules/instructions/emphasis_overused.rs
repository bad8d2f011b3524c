use crate::analysis::lines::words;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "emphasis-overused",
    group: Group::Instructions,
    severity: Severity::Info,
    on: false,
    title: Wording::new("Too much is emphasised", "强调过多"),
    what: Wording::new(
        "At least 15 words such as `MUST`, `NEVER`, `IMPORTANT` in capitals, which are at least one in every 33 \
         words.",
        "`MUST`、`NEVER`、`IMPORTANT` 之类的大写词至少有 15 个，且平均每 33 个词中至少有一个。",
    ),
    why: Wording::new(
        "If everything is important, nothing is; and recent models over-react to capitals.",
        "处处强调等于没有强调；新近的模型还会对大写反应过度。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
You MUST do it. NEVER fail. ALWAYS win. CRITICAL: go.
You MUST do it. NEVER fail. ALWAYS win. CRITICAL: go.
You MUST do it. NEVER fail. ALWAYS win. CRITICAL: go.
You MUST do it. NEVER fail. ALWAYS win. CRITICAL: go.
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
You must do it. Never fail.
You must do it. Never fail.
You must do it. Never fail.
You must do it. Never fail.
",
    )]),
    hides: &[],
    marks: &[],
    source: "Anthropic, prompt engineering for current models; skillsaw content-emphasis-density",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let text = skill.text();
    let mut loud = 0;
    for line in skill.lines() {
        let line = line.span.of(text);
        // Most lines have none; checking for that is faster than finding words.
        if !line.as_bytes().windows(2).any(|letters| letters.iter().all(u8::is_ascii_uppercase)) {
            continue;
        }
        let words = line.split(|letter: char| !letter.is_ascii_alphabetic());
        let capital = |word: &&str| word.len() > 1 && word.as_bytes()[..2].iter().all(u8::is_ascii_uppercase);
        loud += words.filter(capital).filter(|word| LOUD.contains(word)).count();
    }
    if loud < FEWEST {
        return;
    }
    let all: usize = skill.lines().iter().map(|line| words(line.span.of(text)).count()).sum();
    if loud * SHARE >= all {
        let message = message!(
            "{loud} of {all} words are in capitals for emphasis; keep it for the one or two that matter",
            "{all} 个词中有 {loud} 个用大写强调；只保留最要紧的一两处"
        );
        report.at(skill.path(), skill.manifest().body.trim(text), message);
    }
}

const FEWEST: usize = 15;
/// One in so many words.
const SHARE: usize = 33;
const LOUD: [&str; 12] = [
    "MUST",
    "NEVER",
    "ALWAYS",
    "IMPORTANT",
    "CRITICAL",
    "WARNING",
    "MANDATORY",
    "REQUIRED",
    "STRICTLY",
    "ONLY",
    "NOT",
    "ABSOLUTELY",
];
