use super::name_chars::is_unicode_name;
use crate::rules::clients::loader_would_skip;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "name-non-ascii",
    group: Group::Form,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Name has letters beyond a to z", "名称含有 a–z 以外的字母"),
    what: Wording::new(
        "A `name` of lower-case letters, digits and hyphens, some of them not ASCII, e.g. Chinese.",
        "`name` 由小写字母、数字和连字符组成，但其中有非 ASCII 字符，例如中文。",
    ),
    why: Wording::new(
        "The specification says both `Unicode` and `a-z`. skills-ref, AgentScope and Eino accept the name; Codex, \
         Microsoft Agent Framework, the Claude API and others refuse the skill.",
        "规范中既写了 `Unicode`，又写了 `a-z`。skills-ref、AgentScope 和 Eino 接受这样的名称；Codex、Microsoft \
         Agent Framework、Claude API 等会拒绝该技能。",
    ),
    bad: Example {
        folder: "单位换算",
        files: &[(
            "SKILL.md",
            r"---
name: 单位换算
description: 换算长度和重量单位。当用户要求换算时使用。
---
相乘。
",
        )],
    },
    good: Example {
        folder: "unit-converter",
        files: &[(
            "SKILL.md",
            r"---
name: unit-converter
description: 换算长度和重量单位。当用户要求换算时使用。
---
相乘。
",
        )],
    },
    hides: &[&loader_would_skip::RULE],
    marks: &[],
    source: "agentskills.io specification; skills-ref; frameworks' loaders",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let Some(field) = skill.field("name") else { return };
    let name = field.value.as_str().unwrap_or_default();
    if let Some(letter) = name.chars().find(|letter| !letter.is_ascii()).filter(|_| is_unicode_name(name)) {
        let message = message!(
            "`{name}` has `{letter}`; some frameworks only accept names of a-z, 0-9 and hyphens",
            "`{name}` 含有 `{letter}`；有些框架只接受由 a-z、0-9 和连字符组成的名称"
        );
        report.at(skill.path(), field.value_span, message);
    }
}
