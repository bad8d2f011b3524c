use saphyr_parser::{Event, Parser};

use crate::rules::clients::{loader_sees_different_value, loader_would_skip};
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::source::Span;
use skill::{ProblemKind, Severity, yaml};
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "yaml-anchor-or-tag",
    group: Group::Form,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("YAML anchor, alias or tag", "使用了 YAML 锚点、别名或标签"),
    what: Wording::new(
        "An anchor (`&name`), an alias (`*name`) or a tag (`!!str`) in the frontmatter.",
        "前置元数据中的锚点（`&name`）、别名（`*name`）或标签（`!!str`）。",
    ),
    why: Wording::new(
        "skills-ref refuses them, and frameworks that read line by line take `*name` for the value itself.",
        "skills-ref 会拒绝它们，逐行读取的框架则把 `*name` 当成值本身。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: &name demo
description: Use when asked for a demo.
metadata:
  title: *name
---
Do it.
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for R&D, *all* of it!
metadata:
  title: demo
---
Do it.
",
    )]),
    hides: &[&loader_would_skip::RULE, &loader_sees_different_value::RULE],
    marks: &[],
    source: "skills-ref (strictyaml); frameworks' parsers",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let Some(frontmatter) = &skill.manifest().frontmatter else { return };
    let invalid = |kind: &ProblemKind| matches!(kind, ProblemKind::YamlInvalid { .. } | ProblemKind::YamlNotMap);
    let yaml = frontmatter.yaml.of(skill.text());
    let readable = !skill.manifest().problems.iter().any(|problem| invalid(&problem.kind));
    if !readable || yaml.len() > yaml::BYTE_LIMIT || !yaml.contains(['&', '*', '!']) {
        return;
    }
    if let Some((mark, what)) = first(yaml) {
        let Wording { en, zh } = what;
        let message = message!("`{}` is {en}; write the value out", "`{}` 是 {zh}；请直接写出值", mark.of(yaml));
        report.at(skill.path(), mark.shift(frontmatter.yaml.start), message);
    }
}

/// The first mark, and what it is.
fn first(yaml: &str) -> Option<(Span, Wording)> {
    for event in Parser::new_from_str(yaml) {
        let (event, place) = event.ok()?;
        let (sign, what) = match event {
            Event::Alias(_) => ('*', Wording::new("a YAML alias", "YAML 别名")),
            Event::Scalar(_, _, anchor, _) | Event::SequenceStart(anchor, _) | Event::MappingStart(anchor, _)
                if anchor != 0 =>
            {
                ('&', Wording::new("a YAML anchor", "YAML 锚点"))
            }
            Event::Scalar(_, _, _, Some(_)) | Event::SequenceStart(_, Some(_)) | Event::MappingStart(_, Some(_)) => {
                ('!', Wording::new("a YAML tag", "YAML 标签"))
            }
            _ => continue,
        };
        let byte = |chars: usize| yaml.char_indices().nth(chars).map_or(yaml.len(), |(byte, _)| byte);
        // The parser's place is that of the value; the mark comes before it, or is it.
        let end = byte(place.end.index().max(place.start.index() + 1));
        let mark = &yaml[..yaml[..end].rfind(sign)? + 1];
        let start = mark.trim_end_matches(sign).len();
        let length = yaml[start..].find(|letter: char| letter.is_whitespace() || matches!(letter, ',' | ']' | '}'));
        return Some((Span::new(start, length.map_or(yaml.len(), |length| start + length)), what));
    }
    None
}
