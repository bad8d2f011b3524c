//! Skills defined in code, here in the project file.

use std::collections::HashSet;

use camino::Utf8PathBuf;
use serde_json::Value;

use super::Detail;
use super::content;
use super::frontmatter::{Frontmatter, check_compatibility, check_description, check_inline, check_name};
use super::variant::{Language, Variant};
use crate::{CatalogBody, CatalogFile, CatalogSkill};
use config::{InlineKind, InlineResourceBody, InlineScriptBody, InlineSkill};

/// `Err` is the message of the exception that the skill's constructor throws. A script's file must be absolute by now.
pub fn load(skill: &InlineSkill, variant: Variant) -> Result<CatalogSkill, String> {
    match variant.language() {
        Language::DotNet => {
            check_name(&skill.name)?;
            check_description(&skill.description)?;
            check_compatibility(skill.compatibility.as_deref())?;
            if skill.instructions.trim().is_empty() {
                return Err("Argument is whitespace (Parameter 'instructions')".into());
            }
        }
        Language::Python => check_inline(&skill.name, &skill.description, skill.compatibility.as_deref())?,
    }
    if skill.kind == InlineKind::Class {
        check_members(skill, variant.language())?;
    }
    let resources = skill.resources.iter().map(|resource| CatalogFile {
        name: resource.name.clone(),
        description: resource.description.clone(),
        body: match &resource.body {
            InlineResourceBody::Value(text) => CatalogBody::Text(text.clone()),
            InlineResourceBody::File(path) => CatalogBody::File(Utf8PathBuf::from(path)),
        },
    });
    let scripts = skill.scripts.iter().map(|script| CatalogFile {
        name: script.name.clone(),
        description: script.description.clone(),
        body: match &script.body {
            InlineScriptBody::Result(text) => CatalogBody::Text(text.clone()),
            InlineScriptBody::File(path) => CatalogBody::File(Utf8PathBuf::from(path)),
        },
    });
    let content = content::of_inline(skill, variant.language());
    Ok(CatalogSkill {
        id: skill.name.clone(),
        name: skill.name.clone(),
        description: skill.description.clone(),
        path: None,
        content: content.text.clone(),
        resources: resources.collect(),
        scripts: scripts.collect(),
        detail: crate::Detail::AgentFramework(Detail {
            marks: content.marks,
            frontmatter: Frontmatter {
                name: skill.name.clone(),
                description: skill.description.clone(),
                license: skill.license.clone(),
                compatibility: skill.compatibility.clone(),
                allowed_tools: skill.allowed_tools.clone(),
                metadata: (!skill.metadata.is_empty()).then(|| skill.metadata.iter().map(pair).collect()),
            },
        }),
    })
}

/// Values that are not texts stay JSON.
fn pair((key, value): (&String, &Value)) -> (String, String) {
    (key.clone(), value.as_str().map_or_else(|| value.to_string(), str::to_owned))
}

/// The members of a class must have different names.
fn check_members(skill: &InlineSkill, language: Language) -> Result<(), String> {
    let resources = skill.resources.iter().map(|resource| ("resource", &resource.name));
    let scripts = skill.scripts.iter().map(|script| ("script", &script.name));
    let mut seen = HashSet::new();
    let Some((what, name)) = resources.chain(scripts).find(|member| !seen.insert(*member)) else { return Ok(()) };
    let mark = match (language, what) {
        (Language::DotNet, "resource") => "[AgentSkillResource]".to_owned(),
        (Language::DotNet, _) => "[AgentSkillScript]".to_owned(),
        (Language::Python, what) => format!("@ClassSkill.{what}"),
    };
    Err(format!("Skill '{}' already has a {what} named '{name}'. Ensure each {mark} has a unique name.", skill.name))
}
