use super::{
    description_missing_what, description_not_concrete, description_too_short, description_vague, no_when_trigger,
};
use crate::analysis::described::Described;
use crate::analysis::language::content;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "description-repeats-name",
    group: Group::Description,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Description only repeats the name", "描述只是重复名称"),
    what: Wording::new(
        "A description whose words, apart from those that are in every description, are the words of the name.",
        "除去每个描述都有的词，其余全是名称中的词的描述。",
    ),
    why: Wording::new(
        "A model has read the name already; it learns nothing more.",
        "名称模型已经读过；它没有得到更多信息。",
    ),
    bad: Example {
        folder: "release-notes",
        files: &[(
            "SKILL.md",
            r"---
name: release-notes
description: A skill to help with the release notes.
---
Do it.
",
        )],
    },
    good: Example {
        folder: "release-notes",
        files: &[(
            "SKILL.md",
            r"---
name: release-notes
description: Writes release notes from the commits since the last tag. Use before a release.
---
Do it.
",
        )],
    },
    hides: &[
        &description_too_short::RULE,
        &description_vague::RULE,
        &no_when_trigger::RULE,
        &description_not_concrete::RULE,
        &description_missing_what::RULE,
    ],
    marks: &[],
    source: "skill authoring best practices",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let Some(description) = Described::of(skill) else { return };
    let said = description.content();
    if !said.is_empty() && said.is_subset(&content(skill.skill.name())) && !description.has_trigger() {
        let message = message!(
            "the description says no more than the name `{}`; say what the skill does and when to use it",
            "描述没有说出名称 `{}` 以外的内容；请写明技能做什么、何时使用",
            skill.skill.name()
        );
        report.at(skill.path(), description.span(), message);
    }
}
