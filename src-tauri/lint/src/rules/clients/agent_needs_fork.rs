use crate::analysis::client;
use crate::{Applicability, Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::source::Span;
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "agent-needs-fork",
    group: Group::Clients,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("An agent without a fork", "指定了 agent 却没有 fork"),
    what: Wording::new(
        "`agent` in the frontmatter without `context: fork` or `context: fork_with_context`.",
        "前置元数据中有 `agent`，却没有 `context: fork` 或 `context: fork_with_context`。",
    ),
    why: Wording::new(
        "The agent is only used for a skill that runs apart from the conversation. Without `context` the field is \
          ignored.",
        "只有在对话之外单独运行的技能才会用到 `agent`。没有 `context`，该字段会被忽略。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
agent: Explore
---
Do it.
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
context: fork
agent: Explore
---
Do it.
",
    )]),
    hides: &[],
    marks: &[],
    source: "Claude Code documentation: skills; Eino: adk/middlewares/skill/skill.go",
    fix: Some(Applicability::Unsafe),
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let Some(field) = skill.field("agent").filter(|field| field.value.as_str().is_some()) else { return };
    let knows_agents = |client: &client::Client| client.fields.contains(&"agent");
    let is_meant = client::named(skill).next().is_none() || client::named(skill).any(knows_agents);
    if is_meant && skill.field("context").is_none() {
        let message = Wording::new(
            "`agent` has no effect without `context: fork`; add it, or delete `agent`",
            "没有 `context: fork`，`agent` 不起作用；加上它，或删除 `agent`",
        );
        let finding = report.at(skill.path(), field.key_span, message);
        let indent = &skill.text()
            [skill.text()[..field.key_span.start].rfind('\n').map_or(0, |at| at + 1)..field.key_span.start];
        if indent.trim().is_empty() {
            let place = Span::new(field.key_span.start, field.key_span.start);
            let title = Wording::new("Add context: fork", "添加 context: fork");
            finding.replace(title, place, format!("context: fork\n{indent}"));
        }
    }
}
