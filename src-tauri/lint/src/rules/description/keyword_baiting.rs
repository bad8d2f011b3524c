use std::collections::HashMap;

use crate::analysis::described::Described;
use crate::analysis::language::{is_han, is_weak};
use crate::rules::budget::catalogue_tokens;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "keyword-baiting",
    group: Group::Description,
    severity: Severity::Warning,
    on: false,
    title: Wording::new("Description is a pile of keywords", "描述堆砌关键词"),
    what: Wording::new(
        "A description with twenty or more keywords of one or two words in a row, or with one word eight times or more.",
        "连续列出至少二十个由一两个词组成的关键词，或同一个词至少出现八次的描述。",
    ),
    why: Wording::new(
        "It makes a model load the skill for requests it was not written for, at the cost of the other skills.",
        "它会让模型在本不适用的请求中加载该技能，挤掉其他技能。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r#"---
name: demo
description: "Use when asked for: pdf, word, excel, csv, json, xml, html, email, chart, table, report, invoice, slide, image, video, audio, code, test, deploy, review, search, translate."
---
Do it.
"#,
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked to read or write an Excel file (.xlsx, .xlsm, .csv, .tsv).
---
Do it.
",
    )]),
    hides: &[&catalogue_tokens::RULE],
    marks: &[],
    source: "Cisco skill-scanner",
    fix: None,
    check: Check::Skill(check),
};

const KEYWORDS: usize = 20;
const REPEATED: usize = 8;
/// Characters of a Chinese keyword.
const LONGEST_CHINESE: usize = 5;

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let Some(description) = Described::of(skill) else { return };
    let row = longest_row(description.text);
    if row >= KEYWORDS {
        let message = message!(
            "the description lists {row} keywords in a row; describe the requests it is for instead",
            "描述连续列出了 {row} 个关键词；请改为描述它适用的请求"
        );
        report.at(skill.path(), description.span(), message);
        return;
    }
    let mut counts: HashMap<String, usize> = HashMap::new();
    for word in description.text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| word.len() > 2) {
        *counts.entry(word.to_lowercase()).or_default() += 1;
    }
    let repeated =
        counts.into_iter().filter(|(word, count)| *count >= REPEATED && !is_weak(word) && !word.chars().any(is_han));
    if let Some((word, count)) = repeated.max_by(|a, b| (a.1, &b.0).cmp(&(b.1, &a.0))) {
        let message = message!(
            "`{word}` is in the description {count} times; say it once",
            "`{word}` 在描述中出现了 {count} 次；写一次就够了"
        );
        report.at(skill.path(), description.span(), message);
    }
}

/// Short things between commas, one after the other.
fn longest_row(text: &str) -> usize {
    let (mut row, mut longest) = (0, 0);
    for part in text.split([',', '、', '，', ';', '；', '|', '/']) {
        row = if is_keyword(part) { row + 1 } else { 0 };
        longest = longest.max(row);
    }
    longest
}

fn is_keyword(part: &str) -> bool {
    let words = part.split_whitespace().count();
    let chinese = part.chars().filter(|letter| is_han(*letter)).count();
    (1..=2).contains(&words) && chinese <= LONGEST_CHINESE && !part.trim_end().contains(". ")
}
