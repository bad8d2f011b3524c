//! The skills at the end of the system message.

use super::{MANIFEST, OWN, detail, permission};
use crate::{Catalog, CatalogSkill, Marked, Origin, javascript, markup};
use config::options::PermissionAction;

/// `None`: all skills are denied.
pub fn text(catalog: &Catalog) -> Option<Marked> {
    let rules = &catalog.options.opencode.permission;
    if permission::denies_all(rules) {
        return None;
    }
    let is_listed = |name: &str| permission::action(name, rules) != PermissionAction::Deny;
    let described = |skill: &CatalogSkill| detail(skill).is_some_and(|detail| detail.is_described);
    let mut entries: Vec<Option<&CatalogSkill>> =
        catalog.skills.iter().filter(|skill| described(skill) && is_listed(&skill.name)).map(Some).collect();
    if is_listed(OWN) && !catalog.skills.iter().any(|skill| skill.name == OWN) {
        entries.push(None);
    }
    javascript::sort_by_locale(&mut entries, |entry| entry.map_or(OWN, |skill| &skill.name));
    let mut out = Marked::default();
    out.push(OPENING, Origin::Framework);
    if entries.is_empty() {
        out.push("No skills are currently available.", Origin::Framework);
        return Some(out);
    }
    out.push("<available_skills>", Origin::Framework);
    for entry in entries {
        match entry {
            Some(skill) => push(&mut out, skill),
            None => out.push(ABOUT_OWN, Origin::Framework),
        }
    }
    out.push("\n</available_skills>", Origin::Framework);
    Some(out)
}

fn push(out: &mut Marked, skill: &CatalogSkill) {
    let of = |field: &str| Origin::Skill { skill: skill.id.clone(), field: field.to_owned() };
    let path = skill.path.as_ref().map(|folder| folder.join(MANIFEST)).unwrap_or_default();
    out.push("\n  <skill>\n    <name>", Origin::Framework);
    out.push(&skill.name, of("name"));
    out.push("</name>\n    <description>", Origin::Framework);
    out.push(&skill.description, of("description"));
    out.push("</description>\n    <location>", Origin::Framework);
    out.push(&markup::escape(path.as_str(), "&#39;"), of("path"));
    out.push("</location>\n  </skill>", Origin::Framework);
}

const OPENING: &str = "Skills provide specialized instructions and workflows for specific tasks.\nUse the skill tool to \
                       load a skill when a task matches its description.\n";
/// The client's own skill.
const ABOUT_OWN: &str = "\n  <skill>\n    <name>customize-opencode</name>\n    <description>Use ONLY when the user is \
                         editing or creating opencode's own configuration: opencode.json, opencode.jsonc, files under \
                         .opencode/, or files under ~/.config/opencode/. Also use when creating or fixing opencode \
                         agents, subagents, skills, plugins, MCP servers, or permission rules. Do not use for the user's \
                         own application code, or for any project that is not configuring opencode itself.\
                         </description>\n    <location>&lt;built-in&gt;</location>\n  </skill>";
