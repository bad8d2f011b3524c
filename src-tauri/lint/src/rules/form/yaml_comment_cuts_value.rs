use super::quoting::quoted;
use crate::rules::clients::loader_sees_different_value;
use crate::{Applicability, Check, Example, Group, Report, Rule, Subject};
use skill::source::Span;
use skill::{Severity, YamlValue};
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "yaml-comment-cuts-value",
    group: Group::Form,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Description ends at a `#`", "描述在 `#` 处被截断"),
    what: Wording::new(
        "A `description` without quotes in which a word starts with `#`, such as `closes #12`. A `#` with a space after it is \
         taken for a comment that is meant, and not reported.",
        "没有加引号、且其中有单词以 `#` 开头的 `description`，例如 `closes #12`。`#` 之后有空格的视为有意写的注释，不报告。",
    ),
    why: Wording::new(
        "To YAML a comment starts there: the model never sees the rest of the description, which often says when to use the skill.",
        "对 YAML 来说，注释从那里开始：模型看不到描述的其余部分，而那里往往写着何时使用该技能。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Write a pull request that names issues as #number. Use when asked for a demo.
---
Do it.
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r#"---
name: demo
description: "Write a pull request that names issues as #number. Use when asked for a demo."
---
Do it.
"#,
    )]),
    hides: &[&loader_sees_different_value::RULE],
    marks: &[],
    source: "YAML 1.2, comments; found in real skills",
    fix: Some(Applicability::Unsafe),
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let Some(field) = skill.field("description") else { return };
    if !matches!(field.value, YamlValue::Scalar { plain: true, .. }) {
        return;
    }
    let (text, value) = (skill.text(), field.value_span);
    let line = text[value.end..].lines().next().unwrap_or_default().trim_end();
    let lost = line.trim_start();
    let is_word = lost.strip_prefix('#').is_some_and(|rest| rest.starts_with(|letter: char| letter.is_alphanumeric()));
    if !is_word || lost.len() == line.len() || lost.contains("lint-ignore") {
        return;
    }
    let end = value.end + line.len();
    let word = lost.split_whitespace().next().unwrap_or_default();
    let message = message!(
        "the description ends before `{word}`, where a comment starts to YAML; put it in quotes",
        "描述在 `{word}` 之前就结束了：对 YAML 来说那里是注释；请给它加上引号"
    );
    let finding = report.at(skill.path(), Span::new(end - lost.len(), end), message);
    let whole = Span::new(value.start, end);
    if !whole.of(text).contains('\n') {
        finding.replace(Wording::new("Put the description in quotes", "给描述加上引号"), whole, quoted(whole.of(text)));
    }
}
