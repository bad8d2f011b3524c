//! `AgentInlineSkill`: a skill defined in code, here in the project file. Derived from the framework's sources, which
//! the seed does not print: the content is XML, and lists resources and scripts even where there are none.

use camino::Utf8PathBuf;

use super::catalogue::escape;
use super::frontmatter::{check_compatibility, check_description, check_name};
use crate::config::{InlineScriptBody, InlineSkill};
use crate::harness::{CatalogBody, CatalogFile, CatalogSkill, Detail};

/// `Err` is the message of the exception that the skill's constructor throws. A script's file must be absolute by now.
pub fn load(skill: &InlineSkill) -> Result<CatalogSkill, String> {
    check_name(&skill.name)?;
    check_description(&skill.description)?;
    check_compatibility(skill.compatibility.as_deref())?;
    if skill.instructions.trim().is_empty() {
        return Err("Argument is whitespace (Parameter 'instructions')".into());
    }
    let resources = skill.resources.iter().map(|resource| CatalogFile {
        name: resource.name.clone(),
        description: resource.description.clone(),
        body: CatalogBody::Text(resource.value.clone()),
    });
    let scripts = skill.scripts.iter().map(|script| CatalogFile {
        name: script.name.clone(),
        description: script.description.clone(),
        body: match &script.body {
            InlineScriptBody::Result(text) => CatalogBody::Text(text.clone()),
            InlineScriptBody::File(path) => CatalogBody::File(Utf8PathBuf::from(path)),
        },
    });
    Ok(CatalogSkill {
        id: skill.name.clone(),
        name: skill.name.clone(),
        description: skill.description.clone(),
        path: None,
        content: content(skill),
        resources: resources.collect(),
        scripts: scripts.collect(),
        detail: Detail::None,
    })
}

fn content(skill: &InlineSkill) -> String {
    format!(
        "<name>{}</name>\n<description>{}</description>\n\n<instructions>\n{}\n</instructions>{}{}",
        escape(&skill.name),
        escape(&skill.description),
        escape(&skill.instructions),
        listed("resource", skill.resources.iter().map(|resource| resource.name.as_str())),
        listed("script", skill.scripts.iter().map(|script| script.name.as_str())),
    )
}

/// A script's parameter schema comes from its delegate's signature; scripts of the project file have none.
fn listed<'a>(element: &str, names: impl Iterator<Item = &'a str>) -> String {
    let lines: String = names.map(|name| format!("  <{element} name=\"{}\"/>\n", escape(name))).collect();
    if lines.is_empty() {
        format!("\n\n<available_{element}s />")
    } else {
        format!("\n\n<available_{element}s>\n{lines}</available_{element}s>")
    }
}
