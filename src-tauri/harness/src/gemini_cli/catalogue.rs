//! The skills as the system instruction and the tool name them.

use super::{MANIFEST, builtin};
use crate::{Catalog, CatalogSkill, Marked, Origin};

/// As the model finds it between two pieces of the client's own text; `None`: there are no skills.
pub fn text(catalog: &Catalog) -> Option<Marked> {
    let entries = entries(catalog);
    if entries.is_empty() {
        return None;
    }
    let mut out = Marked::default();
    out.push(OPENING, Origin::Framework);
    for entry in &entries {
        out.push("\n  <skill>\n    <name>", Origin::Framework);
        entry.push_name(&mut out);
        out.push("</name>\n    <description>", Origin::Framework);
        match entry {
            Entry::Own(skill) => out.push(&skill.description, of(skill, "description")),
            Entry::Builtin(own) => out.push(own.description, Origin::Framework),
        }
        out.push("</description>\n    <location>", Origin::Framework);
        match entry {
            Entry::Own(skill) => {
                let path = skill.path.as_ref().map(|folder| folder.join(MANIFEST));
                out.push(path.unwrap_or_default().as_str(), of(skill, "path"));
            }
            Entry::Builtin(own) => {
                out.push(&format!("{{INSTALL}}/bundle/builtin/{}/{MANIFEST}", own.name), Origin::Framework);
            }
        }
        out.push("</location>\n  </skill>", Origin::Framework);
    }
    out.push("\n</available_skills>", Origin::Framework);
    Some(out)
}

/// What the list and the tool name, in their order.
pub fn entries(catalog: &Catalog) -> Vec<Entry<'_>> {
    let own = |name: &str| catalog.skills.iter().find(|skill| skill.name == name);
    let builtins = if catalog.options.gemini_cli.builtin_skills { &builtin::ALL[..] } else { &[] };
    // A skill that overrides one of the client's has its place.
    let first = builtins.iter().map(|builtin| own(builtin.name).map_or(Entry::Builtin(builtin), Entry::Own));
    let rest = catalog.skills.iter().filter(|skill| !builtins.iter().any(|builtin| builtin.name == skill.name));
    first.chain(rest.map(Entry::Own)).collect()
}

#[derive(Debug, Clone, Copy)]
pub enum Entry<'a> {
    Own(&'a CatalogSkill),
    Builtin(&'static builtin::Builtin),
}

impl<'a> Entry<'a> {
    pub fn name(self) -> &'a str {
        match self {
            Self::Own(skill) => &skill.name,
            Self::Builtin(own) => own.name,
        }
    }

    pub fn push_name(self, out: &mut Marked) {
        match self {
            Self::Own(skill) => out.push(&skill.name, of(skill, "name")),
            Self::Builtin(own) => out.push(own.name, Origin::Framework),
        }
    }
}

fn of(skill: &CatalogSkill, field: &str) -> Origin {
    Origin::Skill { skill: skill.id.clone(), field: field.to_owned() }
}

const OPENING: &str = "# Available Agent Skills\n\nYou have access to the following specialized skills. To activate a \
                       skill and receive its detailed instructions, you can call the `activate_skill` tool with the \
                       skill's name.\n\n<available_skills>";
