use crate::analysis::figures::{grouped, may_exceed};
use crate::rules::example::{filled, text};
use crate::{Check, Example, Group, Report, Rule, Subject};
use model::tokens;
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "section-tokens",
    group: Group::Budget,
    severity: Severity::Info,
    on: false,
    title: Wording::new("Section is long", "章节过长"),
    what: Wording::new(
        "A section of `SKILL.md`, from one heading to the next, of more than 500 tokens.",
        "`SKILL.md` 中从一个标题到下一个标题超过 500 个 token 的章节。",
    ),
    why: Wording::new(
        "A long section is hard to follow for a model and hard to move into a file of its own later.",
        "过长的章节模型不易遵循，以后也不容易移到单独的文件。",
    ),
    bad: Example::skill(&[("SKILL.md", LONG)]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
# Demo

Do it.
",
    )]),
    hides: &[],
    marks: &[],
    source: "skillsaw",
    fix: None,
    check: Check::Skill(check),
};

static BYTES: [u8; 4000] = filled(
    "---\nname: demo\ndescription: Use when asked for a demo.\n---\n# Demo\n\n",
    "Take one, look at it, and put it back. ",
    "",
);
const LONG: &str = text(&BYTES);

const LIMIT: u32 = 500;
/// Findings in one skill.
const MOST: usize = 20;

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let headings = &skill.markdown().headings;
    let ends = headings.iter().skip(1).map(|next| next.span.start).chain([skill.text().len()]);
    let long = headings.iter().zip(ends).filter_map(|(heading, end)| {
        let section = &skill.text()[heading.span.start..end.max(heading.span.start)];
        let tokens = may_exceed(section.len(), LIMIT).then(|| tokens::count(section))?;
        (tokens > LIMIT).then_some((heading, tokens))
    });
    for (heading, tokens) in long.take(MOST) {
        let message = message!(
            "`{}` has {} tokens; split it, or move it into a file",
            "`{}` 有 {} 个 token；拆分它，或移到单独的文件",
            heading.text.trim(),
            grouped(tokens)
        );
        report.at(skill.path(), heading.span.trim(skill.text()), message);
    }
}
