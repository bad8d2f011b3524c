use super::loader_would_skip;
use crate::analysis::client;
use crate::{Applicability, Check, Example, Group, Report, Rule, Subject};
use skill::{Severity, YamlValue};
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "context-value",
    group: Group::Clients,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Value of context is not known", "context 的取值未知"),
    what: Wording::new(
        "A `context` other than `fork`, which Claude Code and Eino know, and `fork_with_context`, which only \
         Eino knows. If the settings name clients, only what they know counts.",
        "`context` 既不是 `fork`（Claude Code 和 Eino 支持），也不是 `fork_with_context`（只有 Eino 支持）。\
         如果设置中指定了客户端，只看它们是否支持。",
    ),
    why: Wording::new(
        "The value is ignored: the skill runs in the conversation instead of apart from it.",
        "该值会被忽略：技能会在对话中运行，而不是单独运行。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
context: spawn
---
Do it.
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
context: fork_with_context
---
Do it.
",
    )]),
    hides: &[&loader_would_skip::RULE],
    marks: &[],
    source: "Claude Code documentation: skills; Eino: adk/middlewares/skill/skill.go",
    fix: Some(Applicability::Unsafe),
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let Some(field) = skill.field("context") else { return };
    let value = field.value.as_str().unwrap_or_default();
    let clients = &skill.options.clients;
    let knows_both = clients.is_empty() || client::is_for(skill, &client::EINO);
    // Another rule reports clients that do not know the field at all.
    let knows_one = clients.is_empty() || client::named(skill).any(|client| client.fields.contains(&"context"));
    let known: &[&str] = if knows_both { &["fork", "fork_with_context"] } else { &["fork"] };
    if !knows_one || known.contains(&value) || matches!(field.value, YamlValue::Null) {
        return;
    }
    let allowed: Vec<String> = known.iter().map(|known| format!("`{known}`")).collect();
    let (en, zh) = (allowed.join(" or "), allowed.join(" 或 "));
    let message = match (value, field.value.as_str()) {
        ("fork_with_context", _) => {
            message!("only Eino knows `fork_with_context`; write {en}", "只有 Eino 支持 `fork_with_context`；改为 {zh}")
        }
        (_, Some(_)) => message!(
            "`context: {value}` has no effect; write {en}, or delete it",
            "`context: {value}` 不起作用；改为 {zh}，或删除它"
        ),
        (_, None) => message!("`context` must be {en}", "`context` 必须是 {zh}"),
    };
    let finding = report.at(skill.path(), field.value_span, message);
    if let Some(meant) = client::nearest(value, known) {
        finding.replace(message!("Write {meant}", "改为 {meant}"), field.value_span, meant);
    }
}
