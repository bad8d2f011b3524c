use crate::analysis::described::Described;
use crate::rules::example::{filled, text};
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "description-cut-in-listing",
    group: Group::Description,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Description is cut where it is listed", "描述在列表中会被截断"),
    what: Wording::new(
        "A `description` that has more than 1,536 characters together with `when_to_use`.",
        "`description` 与 `when_to_use` 合计超过 1,536 个字符。",
    ),
    why: Wording::new(
        "Claude Code lists the first 1,536 characters of both; a model never reads the rest.",
        "Claude Code 只列出两者的前 1,536 个字符；其余部分模型永远读不到。",
    ),
    bad: Example::skill(&[("SKILL.md", LONG)]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Runs a demo.
when_to_use: When the user asks for a demo.
---
Do it.
",
    )]),
    hides: &[],
    marks: &[],
    source: "Claude Code documentation: skills",
    fix: None,
    check: Check::Skill(check),
};

static BYTES: [u8; 1664] = filled(
    "---\nname: demo\ndescription: Runs a demo.\nwhen_to_use: >-\n",
    "  When the user asks for a demo of one of many things, which are the following ones and no others at all, please.\n",
    "---\nDo it.\n",
);
const LONG: &str = text(&BYTES);

const LISTED: usize = 1536;

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let (Some(description), Some(when)) = (Described::of(skill), skill.field("when_to_use")) else { return };
    let all = description.text.chars().count() + when.value.as_str().unwrap_or_default().chars().count();
    if all > LISTED {
        let message = message!(
            "`description` and `when_to_use` have {all} characters; {LISTED} are listed: cut {}",
            "`description` 和 `when_to_use` 共有 {all} 个字符；只会列出 {LISTED} 个：请删减 {} 个",
            all - LISTED
        );
        report.at(skill.path(), when.value_span, message);
    }
}
