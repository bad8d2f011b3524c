use crate::analysis::figures::grouped;
use crate::analysis::reading::Reading;
use crate::rules::example::LONG_DOCUMENT;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::wording::Wording;

pub static RULE: Rule = Rule {
    id: "heaviest-path-tokens",
    group: Group::Budget,
    severity: Severity::Info,
    on: true,
    title: Wording::new("One way through the skill is very long", "技能的最长阅读路径开销过大"),
    what: Wording::new(
        "`SKILL.md` and what an agent reads on the longest way from it, with one condition after the other met, of more \
           than 25,000 tokens.",
        "",
    ),
    why: Wording::new(
        "On that way the skill takes a large part of the context, and the user's task has to do with the rest.",
        "",
    ),
    bad: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
If asked for all, read references/a.md, references/b.md and references/c.md.
",
        ),
        ("references/a.md", LONG_DOCUMENT),
        ("references/b.md", LONG_DOCUMENT),
        ("references/c.md", LONG_DOCUMENT),
    ]),
    good: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
If asked for all, read references/all.md.
",
        ),
        (
            "references/all.md",
            r"# All

Do it.
",
        ),
    ]),
    hides: &[],
    source: "Skill Workbench",
    fix: None,
    check: Check::Skill(check),
};

const LIMIT: u32 = 25_000;
/// Files that a message names.
const SHOWN: usize = 5;

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let heaviest = Reading::of(skill, LIMIT).and_then(|reading| reading.heaviest(skill, LIMIT));
    let Some(path) = heaviest.filter(|path| path.tokens > LIMIT) else { return };
    let mut files = path.files;
    files.sort_by_key(|(name, tokens)| (u32::MAX - tokens, *name));
    let named: Vec<String> =
        files.iter().take(SHOWN).map(|(name, tokens)| format!("`{name}` {}", grouped(*tokens))).collect();
    let message = format!(
        "an agent that reads {}{} has read {} tokens; split the longest by what is needed when",
        named.join(", "),
        if files.len() > SHOWN { " and more" } else { "" },
        grouped(path.tokens)
    );
    match path.span {
        Some(span) => report.at(skill.path(), span, message),
        None => report.about(skill.path(), message),
    };
}
