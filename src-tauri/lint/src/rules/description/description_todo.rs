use std::sync::LazyLock;

use regex::Regex;

use super::{
    description_missing_what, description_not_concrete, description_too_short, description_vague, no_when_trigger,
};
use crate::analysis::described::Described;
use crate::analysis::language::compiled;
use crate::literals::Literals;
use crate::rules::clients::loader_sees_different_value;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "description-todo",
    group: Group::Description,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Description is not written yet", "描述尚未填写"),
    what: Wording::new(
        "What a template leaves in the description: `[TODO: …]`, `TBD`, `Your description here`, `lorem ipsum`, \
         `待补充`. A description that is about such marks is fine.",
        "描述中残留的模板内容：`[TODO: …]`、`TBD`、`Your description here`、`lorem ipsum`、`待补充`。\
         只是谈到这类标记的描述没有问题。",
    ),
    why: Wording::new(
        "Models get the placeholder and never load the skill.",
        "模型读到的是占位内容，永远不会加载该技能。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r#"---
name: demo
description: "[TODO: what the skill does and when to use it]"
---
Do it.
"#,
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Lists TODO and FIXME comments in code. Use when asked what is left to do.
---
Do it.
",
    )]),
    hides: &[
        &description_too_short::RULE,
        &description_vague::RULE,
        &no_when_trigger::RULE,
        &description_not_concrete::RULE,
        &description_missing_what::RULE,
        &loader_sees_different_value::RULE,
    ],
    marks: &[],
    source: "skill-creator; agnix",
    fix: None,
    check: Check::Skill(check),
};

static PLACEHOLDER: LazyLock<Regex> = LazyLock::new(|| {
    compiled(
        r"(?ix)^\W*(?:TODO|TBD|FIXME|XXX|WIP|placeholder)\W*$ | ^(?:TODO|TBD|FIXME)\s*[:：]
        | [\[<{]\s*(?:TODO|TBD|FIXME|FILL|INSERT|DESCRIBE|REPLACE|YOUR)\b[^\]>}]*[\]>}]
        | \blorem\s+ipsum\b | \byour\s+(?:skill\s+)?description(?:\s+goes)?\s+here\b | \bdescription\s+(?:goes\s+)?here\b
        | ^(?:a\s+)?(?:brief|short|clear)\s+description\s+of\s+(?:what\s+)?(?:the|this|your)\s+skill
        | ^replace\s+with\s+(?:a\s+)?description
        | ^[\[【（(]?(?:待补充|待完善|待填写|待定|在此填写|请填写|这里填写)",
    )
});

/// Every placeholder in ASCII has one of these.
static MARKS: LazyLock<Literals> = LazyLock::new(|| {
    Literals::new(&[
        "todo",
        "tbd",
        "fixme",
        "xxx",
        "wip",
        "placeholder",
        "fill",
        "insert",
        "describe",
        "replace",
        "your",
        "lorem",
        "description",
    ])
});

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let Some(description) = Described::of(skill) else { return };
    if description.text.is_ascii() && !MARKS.is_in(description.text) {
        return;
    }
    if let Some(placeholder) = PLACEHOLDER.find(description.text) {
        let message = message!(
            "`{}` is a placeholder; say what the skill does and when to use it",
            "`{}` 是占位内容；请写明技能做什么、何时使用",
            placeholder.as_str()
        );
        report.at(skill.path(), description.place(placeholder.as_str()), message);
    }
}
