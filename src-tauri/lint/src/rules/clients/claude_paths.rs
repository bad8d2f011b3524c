use crate::analysis::client;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::source::Span;
use skill::{Severity, YamlValue};
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "claude-paths",
    group: Group::Clients,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Paths that match nothing", "paths 匹配不到任何文件"),
    what: Wording::new(
        "`paths` that is neither a text nor a list of texts, is empty, or has a pattern that begins with `/`, \
           `./` or `~`, in a skill that Claude Code may load.",
        "在 Claude Code 可能加载的技能中：`paths` 既不是文本也不是文本的列表，或者为空，或者有以 `/`、\
         `./` 或 `~` 开头的模式。",
    ),
    why: Wording::new(
        "Patterns are matched with paths below the project. If one can match none, the skill is never offered.",
        "模式与项目下的路径匹配。如果什么都匹配不到，技能就永远不会被提供给模型。",
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
    marks: &[],
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
        let message = Wording::new(
            "`paths` must be a list of patterns, e.g. `src/**/*.ts`",
            "`paths` 必须是模式的列表，例如 `src/**/*.ts`",
        );
        report.at(skill.path(), client::place(field), message);
        return;
    };
    let outside = |pattern: &&str| ["/", "./", "~"].iter().any(|start| pattern.starts_with(start));
    if let Some(pattern) = patterns.into_iter().find(outside) {
        let inside = pattern.trim_start_matches(['.', '~', '/']);
        let place = field.value_span.of(skill.text()).find(pattern);
        let place =
            place.map_or(field.value_span, |at| Span::new(at, at + pattern.len()).shift(field.value_span.start));
        let message = message!(
            "`{pattern}` matches nothing in the project; write `{inside}`",
            "`{pattern}` 在项目中匹配不到任何文件；改为 `{inside}`"
        );
        report.at(skill.path(), place, message);
    }
}
