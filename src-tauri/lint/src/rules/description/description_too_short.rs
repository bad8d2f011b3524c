use super::{description_missing_what, description_not_concrete, description_vague, no_when_trigger};
use crate::analysis::described::Described;
use crate::analysis::language::length;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "description-too-short",
    group: Group::Description,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Description is very short", "描述过短"),
    what: Wording::new(
        "A description of fewer than five words, or fewer than nine Chinese characters.",
        "少于五个词，或少于九个汉字的描述。",
    ),
    why: Wording::new(
        "It cannot say what the skill does and when to use it, so a model does not find the skill or takes it for \
          something else.",
        "它说不清技能做什么、何时使用，模型因此找不到该技能，或把它当成别的东西。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Converts units.
---
Do it.
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Converts miles to kilometers. Use when asked to convert a distance.
---
Do it.
",
    )]),
    hides: &[
        &description_vague::RULE,
        &no_when_trigger::RULE,
        &description_not_concrete::RULE,
        &description_missing_what::RULE,
    ],
    marks: &[],
    source: "agentskills.io specification; skill-check; Cisco skill-scanner",
    fix: None,
    check: Check::Skill(check),
};

const FEWEST_WORDS: usize = 5;
/// Some scripts have no spaces between words.
const ENOUGH_CHARACTERS: usize = 40;

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let Some(description) = Described::of(skill) else { return };
    let words = length(description.text);
    if words < FEWEST_WORDS && description.text.chars().count() < ENOUGH_CHARACTERS {
        let characters = description.text.chars().count();
        let message = message!(
            "`{}` has {characters} characters; say what the skill does and when to use it",
            "`{}` 只有 {characters} 个字符；请写明技能做什么、何时使用",
            description.text.lines().next().unwrap_or_default()
        );
        report.at(skill.path(), description.span(), message);
    }
}
