use crate::analysis::figures::grouped;
use crate::analysis::reading::Reading;
use crate::rules::example::LONG_DOCUMENT;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::message;
use wording::{Message, Wording};

pub static RULE: Rule = Rule {
    id: "heaviest-path-tokens",
    group: Group::Budget,
    severity: Severity::Info,
    on: false,
    title: Wording::new("One way through the skill is very long", "技能的最长阅读路径开销过大"),
    what: Wording::new(
        "The longest chain of files that an agent may read from `SKILL.md`, with every condition on the way met, \
         of more than 25,000 tokens.",
        "从 `SKILL.md` 出发、沿途条件全部满足时的最长阅读路径超过 25,000 个 token。",
    ),
    why: Wording::new(
        "On that path the skill takes up a large part of the context, and the user's task has to make do with \
         the rest.",
        "走这条路径时，技能会占去上下文的一大部分，留给用户任务的就少了。",
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
    marks: &[],
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
    let Message { en, zh } = path.longest(SHOWN);
    let message = message!(
        "an agent that reads {en} has read {tokens} tokens; split the longest by what is needed when",
        "智能体读完 {zh} 后共读取 {tokens} 个 token；按使用场景拆分最长的文件",
        tokens = grouped(path.tokens)
    );
    match path.span {
        Some(span) => report.at(skill.path(), span, message),
        None => report.about(skill.path(), message),
    };
}
