//! Tier 2: what loading a skill gives the model, and who wrote which bytes of it.

use super::catalogue::escape;
use super::variant::{Language, Variant};
use crate::{Marked, Origin};
use config::InlineSkill;

/// A skill's file, whole, and in the releases that do so the lists of its resources and scripts.
pub fn of_file(id: &str, text: &str, resources: &[String], scripts: &[String], variant: Variant) -> Marked {
    let mut out = Marked::default();
    out.push(text, field(id, "body"));
    if variant.lists_files() {
        let language = variant.language();
        push_list(&mut out, id, "resource", resources.iter().map(|name| (name.as_str(), None)), None, language);
        let schema = match language {
            Language::DotNet => r#"{"type":"array","items":{"type":"string"}}"#,
            Language::Python => r#"{"type": "array", "items": {"type": "string"}}"#,
        };
        push_list(&mut out, id, "script", scripts.iter().map(|name| (name.as_str(), None)), Some(schema), language);
    }
    out
}

/// A skill defined in code, as XML. Only .NET escapes the instructions, only Python tells the descriptions of resources
/// and scripts. A script's schema comes from its function's signature; scripts of the project file have none.
pub fn of_inline(skill: &InlineSkill, language: Language) -> Marked {
    let id = skill.name.as_str();
    let mut out = Marked::default();
    out.push("<name>", Origin::Framework);
    out.push(&escape(&skill.name, language), field(id, "name"));
    out.push("</name>\n<description>", Origin::Framework);
    out.push(&escape(&skill.description, language), field(id, "description"));
    out.push("</description>\n\n<instructions>\n", Origin::Framework);
    match language {
        Language::DotNet => out.push(&escape(&skill.instructions, language), field(id, "body")),
        Language::Python => out.push(&skill.instructions, field(id, "body")),
    }
    out.push("\n</instructions>", Origin::Framework);
    let resources = skill.resources.iter().map(|resource| (resource.name.as_str(), resource.description.as_deref()));
    push_list(&mut out, id, "resource", resources, None, language);
    let scripts = skill.scripts.iter().map(|script| (script.name.as_str(), script.description.as_deref()));
    push_list(&mut out, id, "script", scripts, None, language);
    out
}

fn field(id: &str, field: &str) -> Origin {
    Origin::Skill { skill: id.to_owned(), field: field.to_owned() }
}

/// An empty list is told too, so that the model does not make up names.
fn push_list<'a>(
    out: &mut Marked,
    id: &str,
    element: &str,
    items: impl Iterator<Item = (&'a str, Option<&'a str>)>,
    schema: Option<&str>,
    language: Language,
) {
    let mut items = items.peekable();
    if items.peek().is_none() {
        out.push(&format!("\n\n<available_{element}s />"), Origin::Framework);
        return;
    }
    out.push(&format!("\n\n<available_{element}s>\n"), Origin::Framework);
    for (name, description) in items {
        out.push(&format!("  <{element} name=\""), Origin::Framework);
        out.push(&escape(name, language), field(id, name));
        if let Some(description) = description.filter(|text| language == Language::Python && !text.is_empty()) {
            out.push("\" description=\"", Origin::Framework);
            out.push(&escape(description, language), field(id, name));
        }
        let end = match schema {
            Some(schema) => {
                format!("\">\n    <parameters_schema>{schema}</parameters_schema>\n  </{element}>\n")
            }
            None => "\"/>\n".to_owned(),
        };
        out.push(&end, Origin::Framework);
    }
    out.push(&format!("</available_{element}s>"), Origin::Framework);
}
