//! Tier 1: the instructions that advertise the skills in the system prompt.

use super::format::{self, Piece};
use super::variant::{Language, Variant};
use crate::{Catalog, CatalogSkill, Marked, Origin, markup};
use config::options::AgentFrameworkOptions;

/// The agent's own instructions and the framework's, joined by one line feed; `None` if there are neither.
pub fn instructions(catalog: &Catalog, agent: Option<&str>) -> Option<Marked> {
    let mut out = Marked::default();
    out.push(agent.unwrap_or_default(), Origin::User);
    if !catalog.skills.is_empty() {
        if !out.text.is_empty() {
            out.push("\n", Origin::Framework);
        }
        match Variant::of(catalog).language() {
            Language::DotNet => push_replaced(&mut out, catalog),
            Language::Python => push_formatted(&mut out, catalog),
        }
    }
    (!out.text.is_empty()).then_some(out)
}

/// `Err` is the message of the exception that the template causes: in .NET at once, in Python as soon as there are skills.
pub fn check_template(
    settings: &AgentFrameworkOptions,
    variant: Variant,
    skills: &[CatalogSkill],
) -> Result<(), String> {
    let Some(template) = &settings.skills_instruction_prompt else { return Ok(()) };
    match variant.language() {
        Language::DotNet if !template.contains(PLACEHOLDER) => Err(format!(
            "The custom prompt template must contain the '{PLACEHOLDER}' placeholder for the generated skills list."
        )),
        Language::Python if !skills.is_empty() => check_format(template),
        Language::DotNet | Language::Python => Ok(()),
    }
}

/// As the framework escapes texts for markup: `SecurityElement.Escape`, or `html.escape`.
pub fn escape(text: &str, language: Language) -> String {
    markup::escape(
        text,
        match language {
            Language::DotNet => "&apos;",
            Language::Python => "&#x27;",
        },
    )
}

const PLACEHOLDER: &str = "{skills}";

// Each ends in a line feed that is not part of it.
const DOT_NET: &str = include_str!("templates/dotnet.txt");
const PYTHON: &str = include_str!("templates/python.txt");
const RESOURCES: &str = include_str!("templates/python_resources.txt");
const SCRIPTS_113: &str = include_str!("templates/python_1.13_scripts.txt");
const SCRIPTS_123: &str = include_str!("templates/python_1.23_scripts.txt");

fn text(template: &'static str) -> &'static str {
    template.strip_suffix('\n').unwrap_or(template)
}

/// .NET: every placeholder is replaced, and nothing else in the template has a meaning.
fn push_replaced(out: &mut Marked, catalog: &Catalog) {
    let (template, origin) = match &catalog.options.agent_framework.skills_instruction_prompt {
        Some(custom) => (custom.as_str(), Origin::User),
        None => (text(DOT_NET), Origin::Framework),
    };
    for (index, piece) in template.split(PLACEHOLDER).enumerate() {
        if index > 0 {
            push_skills(out, catalog, Language::DotNet);
        }
        out.push(piece, origin.clone());
    }
}

fn check_format(template: &str) -> Result<(), String> {
    let fields = format::parse(template).map(|pieces| {
        pieces.into_iter().filter_map(|piece| match piece {
            Piece::Field(field) => Some(field),
            Piece::Text(_) => None,
        })
    });
    let Some(fields) =
        fields.map(Iterator::collect::<Vec<_>>).filter(|fields| fields.iter().all(|f| is_known(&f.name)))
    else {
        return Err("The provided instruction_template is not a valid format string. It must contain a '{skills}' \
                    placeholder and escape any literal '{' or '}' by doubling them ('{{' or '}}')."
            .into());
    };
    if template.contains(PROBE)
        || fields.iter().any(|field| field.name == "skills" && field.apply(PROBE).contains(PROBE))
    {
        Ok(())
    } else {
        Err("The provided instruction_template must contain a '{skills}' placeholder.".into())
    }
}

/// The text that the framework inserts in place of the skills to check that the template shows them.
const PROBE: &str = "__PROBE__";

fn is_known(field: &str) -> bool {
    matches!(field, "skills" | "resource_instructions" | "runner_instructions")
}

/// Python: the template is a format string.
fn push_formatted(out: &mut Marked, catalog: &Catalog) {
    let (template, origin) = match &catalog.options.agent_framework.skills_instruction_prompt {
        Some(custom) => (custom.as_str(), Origin::User),
        None => (text(PYTHON), Origin::Framework),
    };
    let scripts = if Variant::of(catalog) == Variant::Python113 { SCRIPTS_113 } else { SCRIPTS_123 };
    for piece in format::parse(template).unwrap_or_default() {
        let field = match piece {
            Piece::Text(text) => {
                out.push(&text, origin.clone());
                continue;
            }
            Piece::Field(field) => field,
        };
        match field.name.as_str() {
            "skills" if field.is_plain() => push_skills(out, catalog, Language::Python),
            "skills" => {
                let mut skills = Marked::default();
                push_skills(&mut skills, catalog, Language::Python);
                out.push(&field.apply(&skills.text), Origin::Framework);
            }
            "resource_instructions" => out.push(&field.apply(text(RESOURCES)), Origin::Framework),
            _ => out.push(&field.apply(text(scripts)), Origin::Framework),
        }
    }
}

/// Sorted by name; skills of equal names cannot be.
fn push_skills(out: &mut Marked, catalog: &Catalog, language: Language) {
    let mut skills: Vec<_> = catalog.skills.iter().collect();
    skills.sort_by(|a, b| a.name.cmp(&b.name));
    for (index, skill) in skills.into_iter().enumerate() {
        let field = |field: &str| Origin::Skill { skill: skill.id.clone(), field: field.into() };
        let start = if index == 0 { "  <skill>\n    <name>" } else { "\n  <skill>\n    <name>" };
        out.push(start, Origin::Framework);
        out.push(&escape(&skill.name, language), field("name"));
        out.push("</name>\n    <description>", Origin::Framework);
        out.push(&escape(&skill.description, language), field("description"));
        out.push("</description>\n  </skill>", Origin::Framework);
    }
}
