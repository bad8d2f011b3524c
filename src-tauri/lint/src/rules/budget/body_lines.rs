use crate::analysis::figures::{grouped, lines};
use crate::rules::example::{filled, text};
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::source::Span;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "body-lines",
    group: Group::Budget,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("SKILL.md has more than 500 lines", "SKILL.md 超过 500 行"),
    what: Wording::new("A `SKILL.md` of more than 500 lines.", "`SKILL.md` 超过 500 行。"),
    why: Wording::new(
        "All of it is read whenever the skill is loaded, whether the request needs it or not; some frameworks \
         cut long texts.",
        "加载技能时会读取全文，不管这次请求是否用得上；有些框架还会截断过长的文本。",
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
    hides: &[],
    marks: &[],
    source: "agentskills.io specification",
    fix: None,
    check: Check::Skill(check),
};

static BYTES: [u8; 5000] = filled("---\nname: demo\ndescription: Use when asked for a demo.\n---\n", "Do it.\n\n", "");
const LONG: &str = text(&BYTES);

const LIMIT: u64 = 500;
/// A few lines more do no harm.
const SLACK: u64 = LIMIT / 20;

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let lines = lines(skill.text());
    if lines > LIMIT + SLACK {
        let first = skill.manifest().body.trim(skill.text());
        let first_line = skill.text()[first.start..].lines().next().unwrap_or_default().len();
        let message = message!(
            "`SKILL.md` has {} lines; {LIMIT} are enough: move what is not always needed into `references/`",
            "`SKILL.md` 有 {} 行，建议不超过 {LIMIT} 行：把不总是需要的内容移到 `references/`",
            grouped(lines)
        );
        report.at(skill.path(), Span::new(first.start, first.start + first_line), message);
    }
}
