use super::{description_missing_what, description_not_concrete};
use crate::analysis::described::Described;
use crate::analysis::language::Language;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "description-vague",
    group: Group::Description,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Description could be any skill's", "描述过于笼统"),
    what: Wording::new(
        "An English or Chinese description in which nothing is left once words such as `helps`, `various`, `tasks` and \
           `documents` (`帮助`, `各种`, `任务`) are taken away.",
        "去掉 `helps`、`various`、`tasks`、`documents`（`帮助`、`各种`、`任务`）之类的词后什么也不剩的英文或中文描述。",
    ),
    why: Wording::new(
        "A model that chooses among many skills has nothing to choose by.",
        "模型要在许多技能中选择，却没有可供选择的依据。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: A helpful skill for working with various documents and files.
---
Do it.
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Extracts tables from PDF files. Use when the user asks for data in a PDF.
---
Do it.
",
    )]),
    hides: &[&description_not_concrete::RULE, &description_missing_what::RULE],
    marks: &[],
    source: "agentskills.io specification; skill authoring best practices; Cisco skill-scanner",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let Some(description) = Described::of(skill) else { return };
    let least = match (description.language(), description.has_trigger()) {
        (Language::Other, _) => return,
        (_, true) => 1,
        (_, false) => 2,
    };
    let content = description.content();
    if content.len() < least {
        let message = match content.first() {
            Some(word) => {
                message!(
                    "only `{word}…` in the description says what this skill is for; name the things it works on",
                    "描述中只有 `{word}…` 说明了这个技能的用途；请写出它处理的对象"
                )
            }
            None => message!(
                "nothing in the description says what this skill is for; name the things it works on",
                "描述没有说明这个技能的用途；请写出它处理的对象"
            ),
        };
        report.at(skill.path(), description.span(), message);
    }
}
