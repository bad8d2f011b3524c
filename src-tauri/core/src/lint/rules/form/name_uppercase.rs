use crate::lint::{Applicability, Check, Example, Group, Report, Rule, Subject};
use crate::skill::Severity;

pub static RULE: Rule = Rule {
    id: "name-uppercase",
    group: Group::Form,
    severity: Severity::Error,
    on: true,
    title: "Name has capital letters",
    title_zh: "名称含有大写字母",
    what: "A `name` with an upper-case letter.",
    why: "The specification allows lower case only; validators and some frameworks refuse the skill.",
    bad: Example::skill(&[("SKILL.md", "---\nname: Demo\ndescription: Use when asked for a demo.\n---\nDo it.\n")]),
    good: Example::skill(&[("SKILL.md", "---\nname: demo\ndescription: Use when asked for a demo.\n---\nDo it.\n")]),
    source: "agentskills.io specification; skills-ref",
    fix: Some(Applicability::Unsafe),
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let Some(field) = skill.field("name") else { return };
    let Some(name) = field.value.as_str().filter(|name| name.chars().any(char::is_uppercase)) else { return };
    let lower = name.to_lowercase();
    report.at(skill.path(), field.value_span, format!("`{name}` has capital letters; write `{lower}`")).replace(
        format!("Write the name as {lower}"),
        field.value_span,
        lower.clone(),
    );
}
