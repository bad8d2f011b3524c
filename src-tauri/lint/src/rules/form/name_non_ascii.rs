use super::name_chars::is_unicode_name;
use crate::rules::clients::loader_would_skip;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::wording::Wording;

pub static RULE: Rule = Rule {
    id: "name-non-ascii",
    group: Group::Form,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Name has letters beyond a to z", "名称含有 a–z 以外的字母"),
    what: Wording::new("A `name` of lower-case letters, digits and hyphens, some of them not ASCII, e.g. Chinese.", ""),
    why: Wording::new(
        "The specification says both `Unicode` and `a-z`. skills-ref, AgentScope and Eino take the name; Codex, Microsoft \
          Agent Framework, the Claude API and others refuse the skill.",
        "",
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
    source: "agentskills.io specification; skills-ref; frameworks' loaders",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let Some(field) = skill.field("name") else { return };
    let name = field.value.as_str().unwrap_or_default();
    if let Some(letter) = name.chars().find(|letter| !letter.is_ascii()).filter(|_| is_unicode_name(name)) {
        let message = format!("`{name}` has `{letter}`; some frameworks only take names of a-z, 0-9 and hyphens");
        report.at(skill.path(), field.value_span, message);
    }
}
