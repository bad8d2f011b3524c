//! Trees in memory for the tests of this harness.

mod select;
mod serve;

use std::sync::Arc;

use camino::Utf8PathBuf;
use serde_json::json;

use super::*;
use crate::config::{InlineResource, InlineScript, InlineScriptBody, InlineSkill};
use crate::harness::{Effect, Origin, ReplyAuthor, ScriptOutput};
use crate::skill::{Entry, File, Folder, Link, Root};
use crate::source::SourceText;

/// A root `/skills` with these files; a text that starts with `->` is a link.
fn disk(files: &[(&str, &str)]) -> SkillSet {
    let mut tree = folder("skills", "/skills");
    for (path, text) in files {
        put(&mut tree, path, text);
    }
    SkillSet { roots: vec![Root { path: tree.path.clone(), tree }], problems: Vec::new() }
}

fn folder(name: &str, path: &str) -> Folder {
    Folder { name: name.into(), path: path.into(), link: None, listed: true, entries: Vec::new() }
}

fn put(into: &mut Folder, path: &str, text: &str) {
    let Some((first, rest)) = path.split_once('/') else {
        let path = into.path.join(path);
        let link = text.strip_prefix("->").map(|target| Link { target: target.into(), broken: false });
        let source =
            SourceText { path: path.clone(), text: text.into(), bom: false, invalid_at: None, truncated_from: None };
        let name = path.file_name().unwrap().to_owned();
        let source = name.eq_ignore_ascii_case("SKILL.md").then(|| Arc::new(source));
        into.entries.push(Entry::File(File { name, path, size: text.len() as u64, link, source }));
        return;
    };
    let known = into.entries.iter().position(|entry| matches!(entry, Entry::Folder(inner) if inner.name == first));
    let index = known.unwrap_or_else(|| {
        let path = into.path.join(first);
        into.entries.push(Entry::Folder(folder(first, path.as_str())));
        into.entries.len() - 1
    });
    if let Entry::Folder(inner) = &mut into.entries[index] {
        put(inner, rest, text);
    }
}

fn manifest(name: &str) -> String {
    format!("---\nname: {name}\ndescription: About {name}\n---\nBody of {name}.\n")
}

fn inline(name: &str) -> InlineSkill {
    InlineSkill {
        name: name.into(),
        description: "Written <in> the project".into(),
        instructions: "Say \"hi\" & stop.".into(),
        license: None,
        compatibility: None,
        allowed_tools: None,
        metadata: Default::default(),
        resources: Vec::new(),
        scripts: Vec::new(),
    }
}

fn select(found: &SkillSet, settings: AgentFrameworkOptions, inline_skills: Vec<InlineSkill>) -> Catalog {
    let mut options = Options { inline_skills, ..Options::default() };
    options.settings.agent_framework = settings;
    AgentFramework.select(found, &options)
}

fn names(catalog: &Catalog) -> Vec<&str> {
    catalog.skills.iter().map(|skill| skill.name.as_str()).collect()
}

fn script(name: &str, body: InlineScriptBody) -> InlineScript {
    InlineScript { name: name.into(), description: None, body }
}
