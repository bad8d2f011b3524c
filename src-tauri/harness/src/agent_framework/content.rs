//! Tier 2: what loading a skill gives the model, and who wrote which bytes of it.

use serde_json::Value;

use super::catalogue::escape;
use super::variant::{Language, Variant};
use crate::python::{dumps, loads};
use crate::{Marked, Origin};
use config::InlineSkill;

/// A skill's file, whole, and in the releases that do so the lists of its resources and scripts.
pub fn of_file(id: &str, text: &str, resources: &[String], scripts: &[String], variant: Variant) -> Marked {
    let mut out = Marked::default();
    out.push(text, field(id, "body"));
    if variant.lists_files() {
        let language = variant.language();
        push_list(&mut out, id, "resource", listed(resources, None), language);
        let schema = match language {
            Language::DotNet => r#"{"type":"array","items":{"type":"string"}}"#,
            Language::Python => r#"{"type": "array", "items": {"type": "string"}}"#,
        };
        push_list(&mut out, id, "script", listed(scripts, Some(schema)), language);
    }
    out
}

fn listed<'a>(names: &'a [String], schema: Option<&str>) -> Vec<Listed<'a>> {
    names.iter().map(|name| Listed::new(name, None, schema.map(str::to_owned))).collect()
}

/// A skill defined in code, as XML. Only .NET escapes the instructions, only Python tells the descriptions of resources
/// and scripts. A script's schema, which comes from its function's signature, is what the project file says.
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
    let resources =
        skill.resources.iter().map(|resource| Listed::new(&resource.name, resource.description.as_deref(), None));
    push_list(&mut out, id, "resource", resources.collect(), language);
    let scripts = skill.scripts.iter().map(|script| {
        let schema = script.parameters.as_ref().and_then(|schema| written(schema, language));
        Listed::new(&script.name, script.description.as_deref(), schema)
    });
    push_list(&mut out, id, "script", scripts.collect(), language);
    out
}

fn field(id: &str, field: &str) -> Origin {
    Origin::Skill { skill: id.to_owned(), field: field.to_owned() }
}

/// A schema as text, without quotes escaped. Python tells none without properties.
fn written(schema: &Value, language: Language) -> Option<String> {
    let text = match language {
        Language::DotNet => schema.to_string(),
        Language::Python => {
            let has_properties = schema["properties"].as_object().is_some_and(|properties| !properties.is_empty());
            if !has_properties {
                return None;
            }
            dumps(&loads(&schema.to_string()).ok()?)
        }
    };
    Some(text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;"))
}

struct Listed<'a> {
    name: &'a str,
    description: Option<&'a str>,
    schema: Option<String>,
}

impl<'a> Listed<'a> {
    fn new(name: &'a str, description: Option<&'a str>, schema: Option<String>) -> Self {
        Self { name, description, schema }
    }
}

/// An empty list is written too, so that the model does not make up names.
fn push_list(out: &mut Marked, id: &str, element: &str, items: Vec<Listed>, language: Language) {
    if items.is_empty() {
        out.push(&format!("\n\n<available_{element}s />"), Origin::Framework);
        return;
    }
    out.push(&format!("\n\n<available_{element}s>\n"), Origin::Framework);
    for Listed { name, description, schema } in items {
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
