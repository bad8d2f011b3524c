//! Tier 1: the instructions that advertise the skills in the system prompt.

use crate::config::options::AgentFrameworkOptions;
use crate::harness::{Catalog, Marked, Origin};

/// The agent's own instructions and the framework's, joined by one line feed; `None` where there are neither.
pub fn instructions(catalog: &Catalog, agent: Option<&str>) -> Option<Marked> {
    let mut out = Marked::default();
    out.push(agent.unwrap_or_default(), Origin::User);
    if !catalog.skills.is_empty() {
        if !out.text.is_empty() {
            out.push("\n", Origin::Framework);
        }
        push_template(&mut out, catalog);
    }
    (!out.text.is_empty()).then_some(out)
}

/// `Err` is the message of the exception that the provider's constructor throws.
pub fn check_template(settings: &AgentFrameworkOptions) -> Result<(), String> {
    match &settings.skills_instruction_prompt {
        Some(template) if !template.contains(PLACEHOLDER) => Err(format!(
            "The custom prompt template must contain the '{PLACEHOLDER}' placeholder for the generated skills list."
        )),
        Some(_) | None => Ok(()),
    }
}

/// `SecurityElement.Escape`.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            '&' => out.push_str("&amp;"),
            _ => out.push(letter),
        }
    }
    out
}

const PLACEHOLDER: &str = "{skills}";

/// Ends in a line feed, which is not part of it.
const TEMPLATE: &str = include_str!("templates/instructions.txt");

/// Every placeholder is replaced, and nothing else in the template has a meaning.
fn push_template(out: &mut Marked, catalog: &Catalog) {
    let (template, origin) = match &catalog.options.agent_framework.skills_instruction_prompt {
        Some(custom) => (custom.as_str(), Origin::User),
        None => (TEMPLATE.trim_end(), Origin::Framework),
    };
    for (index, piece) in template.split(PLACEHOLDER).enumerate() {
        if index > 0 {
            push_skills(out, catalog);
        }
        out.push(piece, origin.clone());
    }
}

/// Sorted by name; skills of equal names cannot be.
fn push_skills(out: &mut Marked, catalog: &Catalog) {
    let mut skills: Vec<_> = catalog.skills.iter().collect();
    skills.sort_by(|a, b| a.name.cmp(&b.name));
    for (index, skill) in skills.into_iter().enumerate() {
        let field = |field: &str| Origin::Skill { skill: skill.id.clone(), field: field.into() };
        let start = if index == 0 { "  <skill>\n    <name>" } else { "\n  <skill>\n    <name>" };
        out.push(start, Origin::Framework);
        out.push(&escape(&skill.name), field("name"));
        out.push("</name>\n    <description>", Origin::Framework);
        out.push(&escape(&skill.description), field("description"));
        out.push("</description>\n  </skill>", Origin::Framework);
    }
}
