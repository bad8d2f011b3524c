use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "negative-only",
    group: Group::Instructions,
    severity: Severity::Info,
    on: false,
    title: Wording::new("Says only what not to do", "只说不做什么"),
    what: Wording::new(
        "A line that begins with `Do not`, `Never`, `Avoid` or 不要 and does not say what to do instead.",
        "以 `Do not`、`Never`、`Avoid` 或“不要”开头，却没有说明应该怎么做的行。",
    ),
    why: Wording::new(
        "Models follow what to do better than what not to do.",
        "比起“不要做什么”，模型更善于遵循“要做什么”。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
- Do not use tabs.
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
- Do not use tabs; use four spaces.
",
    )]),
    hides: &[],
    marks: &[],
    source: "agnix PE-006; skillsaw",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let text = skill.text();
    // A line that begins like this is one in any case.
    let directives = skill.lines().iter().filter(|line| line.is_directive);
    let found = directives.map(|line| line.span).filter(|line| {
        let line = line.of(text).trim_start_matches(|letter: char| "-*+> 0123456789.)".contains(letter)).to_lowercase();
        STARTS.iter().any(|start| line.starts_with(start)) && !INSTEAD.iter().any(|word| line.contains(word))
    });
    for line in found.take(MOST) {
        let message = Wording::new(
            "this says only what not to do; add what to do instead",
            "这里只说了不要做什么；补充应该怎么做",
        );
        report.at(skill.path(), line, message);
    }
}

const MOST: usize = 20;
const STARTS: [&str; 9] = ["do not ", "don't ", "never ", "avoid ", "不要", "禁止", "不得", "切勿", "严禁"];
const INSTEAD: [&str; 17] = [
    "instead", ", use ", "rather", " but ", "; ", " unless ", " only ", ": ", " - ", "—", ". ", "改用", "而是", "应",
    "；", "，", "。请",
];
