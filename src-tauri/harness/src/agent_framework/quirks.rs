//! Places where this framework reads a skill differently than its author means it.

use std::collections::HashSet;

use super::files::Offered;
use super::frontmatter::Frontmatter;
use super::runner;
use super::variant::Variant;
use crate::{CatalogBody, CatalogFile, Quirk, QuirkKind};
use config::options::ScriptRunner;
use skill::files::files_of;
use skill::frontmatter::{Split, parse, split};
use skill::source::Span;
use skill::{Field, File, FileKind, Folder, SkillFile, YamlValue};

/// Of a skill that is loaded.
pub fn of_skill(
    folder: &Folder,
    manifest: &File,
    frontmatter: &Frontmatter,
    files: &Offered,
    variant: Variant,
) -> Vec<Quirk> {
    let Some(source) = &manifest.source else { return Vec::new() };
    let quirk = |kind, span: Option<Span>, detail: String| Quirk {
        kind,
        skill: Some(frontmatter.name.clone()),
        path: Some(manifest.path.clone()),
        span,
        detail,
    };
    let mut found = Vec::new();
    if variant.is_python() && source.bom {
        found.push(quirk(QuirkKind::ByteOrderMark, Some(Span::new(0, 0)), String::new()));
    }
    let text = &source.text;
    let Split::Closed(block) = split(text) else { return found };
    if !is_plain(block.yaml.of(text)) {
        for field in parse(text, block).0.fields {
            if let Some(read) = read_differently(&field, frontmatter) {
                found.push(quirk(QuirkKind::ReadDifferently, Some(field.value_span), read));
            }
        }
    }
    let instructions = block.body.of(text);
    if instructions.trim().is_empty() {
        found.push(quirk(QuirkKind::NoInstructions, None, String::new()));
    }
    found.extend(not_offered(folder, &frontmatter.name, instructions, files));
    found
}

/// For scripts that the runner runs as Python, if the instructions name them.
pub fn of_scripts(
    manifest: &File,
    skill: &str,
    scripts: &[CatalogFile],
    runner: ScriptRunner,
    variant: Variant,
) -> Vec<Quirk> {
    let mistaken = |file: &&CatalogFile| match &file.body {
        CatalogBody::File(path) => runner::mistakes_for_python(runner, path, variant.language()),
        CatalogBody::Text(_) => false,
    };
    let quirk = |file: &CatalogFile| {
        let named = manifest.source.as_ref().and_then(|source| {
            let short = file.name.rsplit('/').next().unwrap_or(&file.name);
            let place = |name: &str| source.text.find(name).map(|start| Span::new(start, start + name.len()));
            place(&file.name).or_else(|| place(short))
        });
        let own = match &file.body {
            CatalogBody::File(path) if named.is_none() => path.clone(),
            CatalogBody::File(_) | CatalogBody::Text(_) => manifest.path.clone(),
        };
        Quirk {
            kind: QuirkKind::ScriptRunByPython,
            skill: Some(skill.to_owned()),
            path: Some(own),
            span: named,
            detail: file.name.clone(),
        }
    };
    scripts.iter().filter(mistaken).map(quirk).collect()
}

/// Whether every line is a `key: value` that all readers take for the same: nothing to unquote, fold or cut off. Most
/// skills are written so, and need no second reading.
fn is_plain(yaml: &str) -> bool {
    yaml.lines().all(|line| {
        let Some((key, value)) = line.split_once(": ") else { return line.is_empty() };
        key.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-')
            && value.starts_with(|first: char| first.is_alphanumeric())
            && !matches!(value, "null" | "Null" | "NULL")
            && !value.contains(": ")
            && !value.contains(" #")
            && !value.ends_with([':', ' ', '\t', '\r'])
    })
}

/// What the framework has in a field instead of what YAML says; `None` if both agree. The last of equal keys is the one
/// that is compared, since that is what YAML readers that allow them take.
fn read_differently(field: &Field, read: &Frontmatter) -> Option<String> {
    let read = match field.key.as_str() {
        "name" => &read.name,
        "description" => &read.description,
        "license" => read.license.as_ref()?,
        "compatibility" => read.compatibility.as_ref()?,
        "allowed-tools" => read.allowed_tools.as_ref()?,
        _ => return None,
    };
    let same = match &field.value {
        // A line feed at the end is a matter of chomping, and cannot be seen in the catalogue.
        YamlValue::Scalar { text, .. } => text.trim_end() == read.trim_end(),
        YamlValue::Null => read.is_empty(),
        YamlValue::List(_) | YamlValue::Map(_) => false,
    };
    (!same).then(|| read.clone())
}

/// Files that look like resources or scripts and cannot be reached, since the tools take listed names only. A script that
/// the instructions do not name is there for other scripts, which reach it.
fn not_offered(folder: &Folder, skill: &str, instructions: &str, files: &Offered) -> Vec<Quirk> {
    let offered: HashSet<&str> = files.resources.iter().chain(&files.scripts).map(|file| file.name.as_str()).collect();
    let is_named = |name: &str| instructions.contains(name.rsplit('/').next().unwrap_or(name));
    let is_missed = |file: &SkillFile| match file.kind {
        FileKind::Reference => true,
        FileKind::Script => is_named(&file.name),
        FileKind::Manifest | FileKind::Asset | FileKind::Other => false,
    };
    let of_tools = |name: &str| name.contains("__pycache__/");
    files_of(folder)
        .into_iter()
        .filter(|file| is_missed(file) && !offered.contains(file.name.as_str()) && !of_tools(&file.name))
        .map(|file| Quirk {
            kind: QuirkKind::FileNotOffered,
            skill: Some(skill.to_owned()),
            path: Some(file.path),
            span: None,
            detail: file.name,
        })
        .collect()
}
