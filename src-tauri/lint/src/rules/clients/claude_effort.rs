use crate::analysis::client;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "claude-effort",
    group: Group::Clients,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Value of effort is not known", "effort 的取值未知"),
    what: Wording::new(
        "`effort` other than `low`, `medium`, `high`, `xhigh` and `max`, in a skill that Claude Code may load.",
        "在 Claude Code 可能加载的技能中：`effort` 不是 `low`、`medium`、`high`、`xhigh` 或 `max`。",
    ),
    why: Wording::new(
        "Claude Code ignores the value and keeps the session's effort.",
        "Claude Code 会忽略该值，沿用会话的 effort。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
effort: maximum
---
Do it.
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
effort: high
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

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let Some(field) = skill.field("effort").filter(|_| client::may_be_for(skill, &client::CLAUDE_CODE)) else { return };
    let value = field.value.as_str().unwrap_or_default();
    if !EFFORTS.contains(&value) {
        let (en, zh) = (EFFORTS.join(", "), EFFORTS.join("、"));
        let message = message!(
            "Claude Code ignores this effort; write one of {en}",
            "Claude Code 会忽略这个 effort；改为 {zh} 之一"
        );
        report.at(skill.path(), client::place(field), message);
    }
}

const EFFORTS: [&str; 5] = ["low", "medium", "high", "xhigh", "max"];
