use crate::analysis::figures::grouped;
use crate::analysis::reading::Reading;
use crate::rules::example::LONG_DOCUMENT;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::wording::Wording;

pub static RULE: Rule = Rule {
    id: "must-read-tokens",
    group: Group::Budget,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Loading the skill costs more than it seems", "加载技能的实际开销过大"),
    what: Wording::new(
        "`SKILL.md` and everything it tells the agent to read under no condition, link by link, of more than 10,000 tokens \
           together.",
        "",
    ),
    why: Wording::new(
        "A short `SKILL.md` that begins with `Read these five files` costs all six each time it is loaded, and nobody who \
          looks at its length sees it.",
        "",
    ),
    bad: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
First read references/all.md.
",
        ),
        ("references/all.md", LONG_DOCUMENT),
    ]),
    good: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
If the user asks for all of it, read references/all.md.
",
        ),
        ("references/all.md", LONG_DOCUMENT),
    ]),
    hides: &[],
    source: "Skill Workbench",
    fix: None,
    check: Check::Skill(check),
};

const LIMIT: u32 = 10_000;
/// Files that a message names.
const SHOWN: usize = 3;

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let always = Reading::of(skill, LIMIT).and_then(|reading| reading.always(skill, LIMIT));
    let Some(path) = always.filter(|path| path.tokens > LIMIT) else { return };
    let mut files = path.files;
    files.sort_by_key(|(name, tokens)| (u32::MAX - tokens, *name));
    let named: Vec<String> =
        files.iter().take(SHOWN).map(|(name, tokens)| format!("`{name}` {}", grouped(*tokens))).collect();
    let message = format!(
        "loading the skill costs {} tokens: `SKILL.md` {}, {}{}; say when each file is needed",
        grouped(path.tokens),
        grouped(skill.body_tokens()),
        named.join(", "),
        if files.len() > SHOWN { " and more" } else { "" }
    );
    match path.span {
        Some(span) => report.at(skill.path(), span, message),
        None => report.about(skill.path(), message),
    };
}
