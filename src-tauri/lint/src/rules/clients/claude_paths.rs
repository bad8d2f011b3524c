use crate::analysis::client;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::source::Span;
use skill::wording::Wording;
use skill::{Severity, YamlValue};

pub static RULE: Rule = Rule {
    id: "claude-paths",
    group: Group::Clients,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Paths that match nothing", "paths 匹配不到任何文件"),
    what: Wording::new(
        "`paths` that is neither a text nor a list of texts, is empty, or has a pattern that begins with `/`, \
           `./` or `~`, in a skill that Claude Code may load.",
        "",
    ),
    why: Wording::new(
        "Patterns are matched with paths below the project. One that can match none keeps the skill from ever \
          being offered.",
        "",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
paths:
  - ./src/**/*.ts
---
Do it.
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
paths:
  - src/**/*.ts
---
Do it.
",
    )]),
    hides: &[],
    source: "Claude Code documentation: skills",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let Some(field) = skill.field("paths").filter(|_| client::may_be_for(skill, &client::CLAUDE_CODE)) else { return };
    let patterns: Option<Vec<&str>> = match &field.value {
        YamlValue::Scalar { text, .. } => Some(text.split(',').map(str::trim).collect()),
        YamlValue::List(items) => items.iter().map(YamlValue::as_str).collect(),
        YamlValue::Null | YamlValue::Map(_) => None,
    };
    let Some(patterns) = patterns.filter(|patterns| patterns.iter().any(|pattern| !pattern.is_empty())) else {
        let message = "`paths` must be a list of patterns, e.g. `src/**/*.ts`";
        report.at(skill.path(), client::place(field), message);
        return;
    };
    let outside = |pattern: &&str| ["/", "./", "~"].iter().any(|start| pattern.starts_with(start));
    if let Some(pattern) = patterns.into_iter().find(outside) {
        let inside = pattern.trim_start_matches(['.', '~', '/']);
        let place = field.value_span.of(skill.text()).find(pattern);
        let place =
            place.map_or(field.value_span, |at| Span::new(at, at + pattern.len()).shift(field.value_span.start));
        report.at(skill.path(), place, format!("`{pattern}` matches nothing in the project; write `{inside}`"));
    }
}
