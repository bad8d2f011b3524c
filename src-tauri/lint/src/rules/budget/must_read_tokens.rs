use crate::analysis::figures::grouped;
use crate::analysis::reading::Reading;
use crate::rules::example::LONG_DOCUMENT;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::message;
use wording::{Message, Wording};

pub static RULE: Rule = Rule {
    id: "must-read-tokens",
    group: Group::Budget,
    severity: Severity::Warning,
    on: false,
    title: Wording::new("Loading the skill costs more than it seems", "加载技能的实际开销过大"),
    what: Wording::new(
        "`SKILL.md` and everything it tells the agent to read without a condition, link by link, of more than \
         10,000 tokens together.",
        "`SKILL.md` 连同它要求无条件阅读的所有文件（逐级跟随链接），合计超过 10,000 个 token。",
    ),
    why: Wording::new(
        "A short `SKILL.md` that begins with `Read these five files` costs all six each time it is loaded, and \
         its length does not show it.",
        "一个以 `Read these five files` 开头的短小 `SKILL.md`，每次加载都要付出六个文件的代价，\
         而从它的长度上看不出来。",
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
    marks: &[],
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
    let Message { en, zh } = path.longest(SHOWN);
    let message = message!(
        "loading the skill costs {all} tokens: `SKILL.md` {own}, {en}; say when each file is needed",
        "加载技能共需 {all} 个 token：`SKILL.md` {own}、{zh}；写明每个文件何时需要",
        all = grouped(path.tokens),
        own = grouped(skill.body_tokens())
    );
    match path.span {
        Some(span) => report.at(skill.path(), span, message),
        None => report.about(skill.path(), message),
    };
}
