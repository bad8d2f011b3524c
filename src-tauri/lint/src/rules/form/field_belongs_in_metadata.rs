use super::known_fields::{ABOUT_THE_SKILL, is_known, meant};
use super::scalars::{by_yaml_1_1, by_yaml_1_2};
use crate::{Applicability, Check, Edit, Example, Group, Report, Rule, Subject};
use skill::source::{Newline, Span};
use skill::{Field, Severity, YamlValue};
use wording::{Message, Wording};

pub static RULE: Rule = Rule {
    id: "field-belongs-in-metadata",
    group: Group::Form,
    severity: Severity::Info,
    on: true,
    title: Wording::new("Field belongs in metadata", "字段应放入 metadata"),
    what: Wording::new(
        "Fields such as `version`, `author` or `tags` next to `name` and `description`, and others that neither the \
         specification nor any client we know of defines. One finding names all of a skill.",
        "与 `name` 和 `description` 同级的 `version`、`author`、`tags` 等字段，以及规范和我们所知的任何客户端都没有定义的\
         其他字段。每个技能只报告一次，列出全部字段。",
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
    marks: &[],
    source: "agentskills.io specification; skills-ref; quick_validate",
    fix: Some(Applicability::Unsafe),
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let Some(frontmatter) = &skill.manifest().frontmatter else { return };
    let outside = |field: &&Field| {
        let key = field.key.as_str();
        ABOUT_THE_SKILL.contains(&key) || (!is_known(key) && meant(key).is_none())
    };
    let fields: Vec<&Field> = frontmatter.fields.iter().filter(outside).take(MOST).collect();
    let Some(first) = fields.first() else { return };
    let keys: Vec<&str> = fields.iter().map(|field| field.key.as_str()).collect();
    let them = if keys.len() == 1 { "it" } else { "them" };
    let message = Message {
        en: format!("the specification has no `{}`; move {them} into `metadata`", keys.join("`, `")),
        zh: format!("规范中没有 `{}`；请移到 `metadata` 中", keys.join("`、`")),
    };
    let finding = report.at(skill.path(), first.key_span, message);
    if let Some(edits) = moved(skill, &fields) {
        finding.fixed_by(Wording::new("Move into metadata", "移到 metadata 中"), edits);
    }
}

/// Fields of one skill; a file with more is of another kind.
const MOST: usize = 40;

/// The lines taken out and put into a `metadata` that is there or that takes the place of the first one.
fn moved(skill: &Subject<'_>, fields: &[&Field]) -> Option<Vec<Edit>> {
    let text = skill.text();
    let line = |field: &Field| {
        let start = text[..field.key_span.start].rfind('\n').map_or(0, |end| end + 1);
        let end = text[field.value_span.end..].find('\n').map_or(text.len(), |at| field.value_span.end + at + 1);
        Span::new(start, end)
    };
    // Only entries on one line, at its beginning.
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
    let entry = |field: &Field| {
        let (line, value) = (line(field), field.value_span);
        let start = &text[line.start..value.start];
        format!("{indent}{start}{}{}", as_text(field, value.of(text)), &text[value.end..line.end])
    };
    let lines: String = fields.iter().map(|field| entry(field)).collect();
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

/// A value as it is written, in quotes if it would not be text: `metadata` holds text alone.
fn as_text(field: &Field, written: &str) -> String {
    match &field.value {
        YamlValue::Scalar { text, plain: true }
            if text == written && (by_yaml_1_1(text).is_some() || by_yaml_1_2(text).is_some()) =>
        {
            format!("\"{text}\"")
        }
        _ => written.to_owned(),
    }
}
