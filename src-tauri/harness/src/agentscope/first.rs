//! The three tools of Java 1.0.5, which 1.0.7 replaced by one. A call makes its skill active; the hook before the next
//! request opens its tools.

use serde_json::{Value, json};

use super::{Variant, activate, arguments, detail, loaded};
use crate::{
    Catalog, CatalogBody, CatalogSkill, Disclosure, Effect, Performed, PresentedTool, Served, Session, ToolReply,
};
use model::ToolDef;

pub const MANIFEST: &str = "skill_md_load_tool";
pub const RESOURCE: &str = "skill_resources_load_tool";
pub const PATHS: &str = "get_all_resources_path_tool";

pub fn is_own(name: &str, catalog: &Catalog) -> bool {
    Variant::of(catalog) == Variant::First && matches!(name, MANIFEST | RESOURCE | PATHS)
}

pub fn definitions() -> Vec<ToolDef> {
    let skill = |description: &str| ("skillId", description.to_owned());
    let path = ("path", "The path to the resource file within the skill (e.g., 'config.json').".to_owned());
    let tool = |name: &str, description: &str, parameters: Vec<(&str, String)>| {
        let properties = parameters
            .iter()
            .map(|(name, description)| ((*name).to_owned(), json!({"type": "string", "description": description})));
        let required: Vec<&str> = parameters.iter().map(|(name, _)| *name).collect();
        ToolDef {
            name: name.into(),
            description: description.into(),
            parameters: json!({
                "type": "object",
                "properties": properties.collect::<serde_json::Map<String, Value>>(),
                "required": required,
            }),
        }
    };
    vec![
        tool(
            MANIFEST,
            "Load the markdown content of a skill by its ID. This will activate the skill and return its full content \
             including name, description, and implementation details.",
            vec![skill("The unique identifier of the skill to load.")],
        ),
        tool(
            RESOURCE,
            "Load a specific resource file from a skill by its ID and resource path. This will activate the skill and \
             return the content of the requested resource.",
            vec![skill("The unique identifier of the skill."), path],
        ),
        tool(
            PATHS,
            "Get a list of all resource file paths available in a skill. This will activate the skill and return the \
             paths of all its resources.",
            vec![skill("The unique identifier of the skill.")],
        ),
    ]
}

pub fn find(name: &str) -> Option<PresentedTool> {
    definitions().into_iter().find(|tool| tool.name == name).map(PresentedTool::plain)
}

pub fn serve(name: &str, given: &str, catalog: &Catalog, session: &mut Session) -> Served {
    match asked(name, given, catalog) {
        Err(reply) => Served::Reply(reply),
        Ok((skill, path)) => {
            activate(skill, catalog, session);
            match name {
                MANIFEST => Served::Reply(loaded::instructions(skill)),
                PATHS => Served::Reply(paths(skill)),
                _ => resource(skill, &path),
            }
        }
    }
}

/// Files that are not UTF-8 are not among the resources.
pub fn settle(name: &str, given: &str, done: Performed, catalog: &Catalog) -> ToolReply {
    let (skill, path) = match asked(name, given, catalog) {
        Ok(found) => found,
        Err(reply) => return reply,
    };
    match done {
        Performed::Read { bytes } => match String::from_utf8(bytes) {
            Ok(text) => loaded::resource(skill, &path, &text),
            Err(_) => not_found(skill, &path),
        },
        Performed::Stubbed { text } => loaded::resource(skill, &path, &text),
        Performed::Denied { reason } => {
            ToolReply::error(format!("Error: {}", reason.unwrap_or_else(|| "the user rejected the call".into())))
        }
        Performed::Failed { .. }
        | Performed::Agreed
        | Performed::Ran(_)
        | Performed::Wrote
        | Performed::Listed { .. }
        | Performed::Found { .. }
        | Performed::Delegated(_)
        | Performed::RanTogether { .. }
        | Performed::History(_)
        | Performed::Summarised { .. } => not_found(skill, &path),
    }
}

pub fn disclosure(name: &str, given: &str, catalog: &Catalog) -> Disclosure {
    match asked(name, given, catalog) {
        Ok((skill, _)) if name == MANIFEST => Disclosure::Instructions { skill: skill.id.clone() },
        Ok((skill, path)) if name == RESOURCE && skill.resources.iter().any(|file| file.name == path) => {
            Disclosure::Resource { skill: skill.id.clone(), resource: path }
        }
        Ok(_) | Err(_) => Disclosure::None,
    }
}

/// The skill, and the path if the tool has one. `Err` is the answer if there is no such skill.
fn asked<'a>(name: &str, given: &str, catalog: &'a Catalog) -> Result<(&'a CatalogSkill, String), ToolReply> {
    let required = |key: &str| {
        let text =
            arguments::as_string(given, key).filter(|text| !text.trim_matches(|letter| letter <= ' ').is_empty());
        text.ok_or_else(|| ToolReply::error(format!("Error: Missing or empty required parameter: {key}")))
    };
    let id = required("skillId")?;
    let path = if name == RESOURCE { required("path")? } else { String::new() };
    let skill = catalog.skills.iter().find(|skill| skill.id == id);
    let skill =
        skill.ok_or_else(|| ToolReply::error(format!("Error: Skill not found: '{id}'. Please check the skill ID.")))?;
    Ok((skill, path))
}

fn resource(skill: &CatalogSkill, path: &str) -> Served {
    match skill.resources.iter().find(|file| file.name == path).map(|file| &file.body) {
        Some(CatalogBody::Text(text)) => Served::Reply(loaded::resource(skill, path, text)),
        Some(CatalogBody::File(file)) => Served::Perform(Effect::ReadFile { path: file.clone(), approval: false }),
        None => Served::Reply(not_found(skill, path)),
    }
}

fn paths(skill: &CatalogSkill) -> ToolReply {
    let known = detail(skill).map(|detail| detail.loaded.as_slice()).unwrap_or_default();
    if known.is_empty() {
        return ToolReply::ok("No resources available for this skill.");
    }
    let lines = known.iter().enumerate().map(|(index, path)| format!("{}. {path}\n", index + 1));
    ToolReply::ok(format!("Available resource paths ({} total):\n\n{}", known.len(), lines.collect::<String>()))
}

fn not_found(skill: &CatalogSkill, path: &str) -> ToolReply {
    ToolReply::error(format!(
        "Error: Resource not found: '{path}' in skill '{}'. Use {PATHS} to see available resources.",
        skill.id
    ))
}
