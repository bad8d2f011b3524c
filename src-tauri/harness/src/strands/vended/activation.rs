//! What the plugin's tool gives the model: the instructions, some metadata, and the names of files.

use serde_json::{Map, Value};

use super::frontmatter::Read;
use crate::{CatalogFile, CatalogSkill, Marked, Origin};
use skill::Folder;

/// What the tool answers when it activates a skill. The plugin reads instructions once, when the agent starts.
#[derive(Debug, Clone, PartialEq)]
pub struct Detail {
    pub activation: Marked,
    allowed_tools: Option<Vec<String>>,
    metadata: Map<String, Value>,
    license: Option<String>,
    compatibility: Option<String>,
}

impl Detail {
    /// By the names of its `Skill`.
    pub fn kept(&self) -> Map<String, Value> {
        [
            ("allowed_tools", self.allowed_tools.clone().into()),
            ("metadata", self.metadata.clone().into()),
            ("license", self.license.clone().into()),
            ("compatibility", self.compatibility.clone().into()),
        ]
        .map(|(key, value): (&str, Value)| (key.to_owned(), value))
        .into_iter()
        .collect()
    }
}

/// The files that an activation names.
pub struct Listed {
    /// Relative to the skill.
    pub files: Vec<String>,
    /// The limit, if it was reached, even if there are no further files.
    cut_at: Option<u32>,
}

/// Files of three folders, each with three levels, sorted by their paths.
pub fn listed(skill: &Folder, limit: u32) -> Listed {
    let mut files = Vec::new();
    for name in FOLDERS {
        let Some(folder) = skill.folders().find(|folder| folder.name == name) else { continue };
        let mut found = Vec::new();
        collect(folder, name, 0, &mut found);
        found.sort();
        for file in found {
            files.push(file);
            if u32::try_from(files.len()).is_ok_and(|count| count >= limit) {
                return Listed { files, cut_at: Some(limit) };
            }
        }
    }
    Listed { files, cut_at: None }
}

pub fn skill(
    read: &Read,
    listed: Option<&Listed>,
    resources: Vec<CatalogFile>,
    scripts: Vec<CatalogFile>,
) -> CatalogSkill {
    let activation = activation(read, listed);
    CatalogSkill {
        id: read.name.clone(),
        name: read.name.clone(),
        description: read.description.clone(),
        path: read.folder.clone(),
        content: activation.text.clone(),
        resources,
        scripts,
        detail: crate::Detail::Strands(Detail {
            activation,
            allowed_tools: read.allowed_tools.clone(),
            metadata: read.metadata.clone(),
            license: read.license.clone(),
            compatibility: read.compatibility.clone(),
        }),
    }
}

const FOLDERS: [&str; 3] = ["scripts", "references", "assets"];
const DEPTH: usize = 3;

fn collect(folder: &Folder, prefix: &str, depth: usize, found: &mut Vec<String>) {
    if depth == DEPTH {
        return;
    }
    found.extend(folder.files().map(|file| format!("{prefix}/{}", file.name)));
    for inner in folder.folders() {
        collect(inner, &format!("{prefix}/{}", inner.name), depth + 1, found);
    }
}

fn activation(read: &Read, listed: Option<&Listed>) -> Marked {
    let mut out = Marked::default();
    let skill = |field: &str| Origin::Skill { skill: read.name.clone(), field: field.into() };
    let framework = |out: &mut Marked, text: &str| out.push(text, Origin::Framework);
    if read.body.is_empty() {
        framework(&mut out, "Skill '");
        out.push(&read.name, skill("name"));
        framework(&mut out, "' activated (no instructions available).");
        return out;
    }
    out.push(&read.body, skill("body"));
    let mut start = "\n\n---\n";
    if let Some(tools) = read.allowed_tools.as_ref().filter(|tools| !tools.is_empty()) {
        framework(&mut out, start);
        framework(&mut out, "Allowed tools: ");
        out.push(&tools.join(", "), skill("allowed-tools"));
        start = "\n";
    }
    if let Some(compatibility) = &read.compatibility {
        framework(&mut out, start);
        framework(&mut out, "Compatibility: ");
        out.push(compatibility, skill("compatibility"));
        start = "\n";
    }
    if let Some(folder) = &read.folder {
        framework(&mut out, start);
        framework(&mut out, &format!("Location: {folder}/SKILL.md"));
    }
    if let Some(listed) = listed.filter(|listed| !listed.files.is_empty()) {
        framework(&mut out, "\n\nAvailable resources:");
        for file in &listed.files {
            framework(&mut out, &format!("\n  {file}"));
        }
        if let Some(limit) = listed.cut_at {
            framework(&mut out, &format!("\n  ... (truncated at {limit} files)"));
        }
    }
    out
}
