use crate::analysis::client;
use crate::{Applicability, Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::source::Span;
use skill::wording::Wording;

pub static RULE: Rule = Rule {
    id: "agent-needs-fork",
    group: Group::Clients,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("An agent without a fork", "指定了 agent 却没有 fork"),
    what: Wording::new("`agent` in the frontmatter without `context: fork` or `context: fork_with_context`.", ""),
    why: Wording::new(
        "The agent is only used for a skill that runs apart from the conversation. Without `context` the field is \
          ignored.",
        "",
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
    source: "Claude Code documentation: skills; Eino: adk/middlewares/skill/skill.go",
    fix: Some(Applicability::Unsafe),
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let Some(field) = skill.field("agent").filter(|field| field.value.as_str().is_some()) else { return };
    let knows_agents = |client: &client::Client| client.fields.contains(&"agent");
    let is_meant = client::named(skill).next().is_none() || client::named(skill).any(knows_agents);
    if is_meant && skill.field("context").is_none() {
        let message = "`agent` has no effect without `context: fork`; add it, or delete `agent`";
        let finding = report.at(skill.path(), field.key_span, message);
        let indent = &skill.text()
            [skill.text()[..field.key_span.start].rfind('\n').map_or(0, |at| at + 1)..field.key_span.start];
        if indent.trim().is_empty() {
            let place = Span::new(field.key_span.start, field.key_span.start);
            finding.replace("Add context: fork", place, format!("context: fork\n{indent}"));
        }
    }
}
