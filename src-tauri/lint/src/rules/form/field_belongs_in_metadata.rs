use super::known_fields::ABOUT_THE_SKILL;
use crate::{Applicability, Check, Edit, Example, Group, Report, Rule, Subject};
use skill::source::{Newline, Span};
use skill::{Field, Severity, YamlValue};
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "field-belongs-in-metadata",
    group: Group::Form,
    severity: Severity::Info,
    on: true,
    title: Wording::new("Field belongs in metadata", "字段应放入 metadata"),
    what: Wording::new(
        "A field such as `version`, `author` or `tags` next to `name` and `description`.",
        "与 `name` 和 `description` 同级的 `version`、`author`、`tags` 等字段。",
    ),
    why: Wording::new(
        "The specification keeps `metadata` for these; skills-ref and quick_validate refuse a skill that has them \
         outside of it. A few clients (OpenClaw, Hermes) do read some of them there.",
        "规范为这些内容提供了 `metadata`；skills-ref 和 quick_validate 会拒绝把它们写在外面的技能。\
         不过有少数客户端（OpenClaw、Hermes）会读取写在外面的某些字段。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
version: 1.2.0
---
Do it.
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
metadata:
  version: 1.2.0
---
Do it.
",
    )]),
    hides: &[],
    source: "agentskills.io specification; skills-ref; quick_validate",
    fix: Some(Applicability::Unsafe),
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let Some(frontmatter) = &skill.manifest().frontmatter else { return };
    let outside = |field: &&Field| ABOUT_THE_SKILL.contains(&field.key.as_str());
    let fields: Vec<&Field> = frontmatter.fields.iter().filter(outside).take(ABOUT_THE_SKILL.len()).collect();
    let edits = moved(skill, &fields);
    for field in &fields {
        let message = message!(
            "the specification has no `{}`; move it into `metadata`",
            "规范中没有 `{}`；请移到 `metadata` 中",
            field.key
        );
        let finding = report.at(skill.path(), field.key_span, message);
        // The same for all of them: each alone would write a `metadata` of its own.
        if let Some(edits) = &edits {
            finding.fixed_by(Wording::new("Move into metadata", "移到 metadata 中"), edits.clone());
        }
    }
}

/// The lines taken out and put into a `metadata` that is there or that takes the place of the first one.
fn moved(skill: &Subject<'_>, fields: &[&Field]) -> Option<Vec<Edit>> {
    let text = skill.text();
    let line = |field: &Field| {
        let start = text[..field.key_span.start].rfind('\n').map_or(0, |end| end + 1);
        let end = text[field.value_span.end..].find('\n').map_or(text.len(), |at| field.value_span.end + at + 1);
        Span::new(start, end)
    };
    // Only what is one line and begins it.
    let simple = |field: &Field| {
        matches!(field.value, YamlValue::Scalar { .. })
            && line(field).start == field.key_span.start
            && !line(field).of(text).trim_end().contains('\n')
    };
    if !fields.iter().all(|field| simple(field)) {
        return None;
    }
    let newline = Newline::of(text).as_str();
    let (place, head, indent) = match skill.field("metadata") {
        None => (line(fields.first()?).start, format!("metadata:{newline}"), "  ".to_owned()),
        Some(metadata) => {
            let YamlValue::Map(entries) = &metadata.value else { return None };
            let span = line(metadata);
            let last = span.of(text).lines().next_back()?;
            let block = !metadata.value_span.of(text).contains('{') && metadata.key_span.start == span.start;
            let new = entries.iter().all(|(key, _)| fields.iter().all(|field| field.key != *key));
            let indent = last[..last.len() - last.trim_start().len()].to_owned();
            let flat = entries.iter().all(|(_, value)| matches!(value, YamlValue::Scalar { .. }));
            if !block || !new || !flat || indent.is_empty() {
                return None;
            }
            (span.end, String::new(), indent)
        }
    };
    let lines: String = fields.iter().map(|field| format!("{indent}{}", line(field).of(text))).collect();
    let edit = |span: Span, text: String| Edit { path: skill.path().to_owned(), span, text };
    let mut edits: Vec<Edit> = fields.iter().map(|field| edit(line(field), String::new())).collect();
    match edits.iter_mut().find(|edit| edit.span.start == place) {
        Some(first) => first.text = head + &lines,
        None => match edits.iter_mut().find(|edit| edit.span.end == place) {
            Some(last) => last.text = head + &lines,
            None => edits.push(edit(Span::new(place, place), head + &lines)),
        },
    }
    edits.sort_by_key(|edit| edit.span.start);
    Some(edits)
}
