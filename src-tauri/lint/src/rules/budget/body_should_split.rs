use crate::analysis::figures::{grouped, lines, may_exceed};
use crate::rules::example::{filled, text};
use crate::{Check, Example, Group, Report, Rule, Subject};
use model::tokens;
use skill::{FileKind, Severity};
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "body-should-split",
    group: Group::Budget,
    severity: Severity::Info,
    on: false,
    title: Wording::new("Everything is in SKILL.md", "内容全部堆在 SKILL.md 中"),
    what: Wording::new(
        "Instructions of more than 300 lines, or more than 3,500 tokens, with at least three sections in a skill that has \
           no other documents.",
        "指令超过 300 行或 3,500 个 token，且至少有三个章节，而技能没有其他文档。",
    ),
    why: Wording::new(
        "An agent that loads the skill reads all of it; a section in a file of its own is read when it is needed.",
        "智能体加载技能时会读取全部指令；放在单独文件里的章节则在需要时才读取。",
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
    source: "agentskills.io specification: progressive disclosure",
    fix: None,
    check: Check::Skill(check),
};

static BYTES: [u8; 3500] =
    filled("---\nname: demo\ndescription: Use when asked for a demo.\n---\n# Demo\n\n", "## Part\n\nDo it.\n\n", "");
const LONG: &str = text(&BYTES);

const LINES: u64 = 300;
const TOKENS: u32 = 3500;
const SECTIONS: usize = 3;

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let document = |kind: FileKind| kind == FileKind::Reference;
    let lines = lines(skill.body());
    let many_lines = lines > LINES;
    if skill.skill.files.iter().any(|file| document(file.kind))
        || !(many_lines || may_exceed(skill.body().len(), TOKENS))
    {
        return;
    }
    let headings = &skill.markdown().headings;
    let long = many_lines || skill.body_tokens() > TOKENS;
    let sections: Vec<_> = headings.iter().filter(|heading| heading.level > 1).collect();
    let (Some(first), true) = (sections.first(), long && sections.len() >= SECTIONS) else { return };
    let ends = headings.iter().map(|heading| heading.span.start).chain([skill.text().len()]);
    let starts: Vec<usize> = ends.collect();
    let size = |start: usize| starts[starts.partition_point(|other| *other <= start)] - start;
    let longest = sections.iter().max_by_key(|heading| size(heading.span.start)).unwrap_or(first);
    let start = longest.span.start;
    let tokens = grouped(tokens::count(&skill.text()[start..start + size(start)]));
    let message = message!(
        "the instructions have {lines} lines and the skill no other document; move what is not always needed into \
         `references/`, such as `{title}` with {tokens} tokens",
        "指令有 {lines} 行，而技能没有其他文档；把不总是需要的内容移到 `references/`，例如有 {tokens} 个 token 的 `{title}`",
        lines = grouped(lines),
        title = longest.text.trim()
    );
    report.at(skill.path(), longest.span.trim(skill.text()), message);
}
