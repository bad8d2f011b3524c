//! Which folders the framework takes for skills. It lists folders in the order of the file system; here they come as they
//! are in the tree, sorted, so the same folder always gives the same list.

use std::collections::HashSet;
use std::rc::Rc;

use super::MANIFEST;
use super::content;
use super::files::{self, Endings, offered};
use super::frontmatter::{self, Rejection};
use super::pipeline::{Level, Pipeline};
use super::python;
use super::quirks;
use super::runner;
use super::variant::{Language, Variant};
use super::{Detail, Loaded};
use crate::reasons;
use crate::{CatalogSkill, not_entered};
use config::options::AgentFrameworkOptions;
use skill::source::SourceText;
use skill::{Entry, File, Folder, SkillSet};
use wording::{Message, Wording, message};

/// `Err` is the message of the exception that ends loading.
pub fn load(found: &SkillSet, settings: &AgentFrameworkOptions, pipeline: &mut Pipeline) -> Result<(), String> {
    let mut candidates = Vec::new();
    for root in &found.roots {
        let endings = Rc::new(Endings::new(settings, settings.folders.get(root.path.as_str()), pipeline.variant)?);
        let mut of_root = Vec::new();
        search(&root.tree, 0, &mut of_root, pipeline);
        candidates.extend(of_root.into_iter().map(|candidate| (candidate, endings.clone())));
    }
    if found.roots.is_empty() {
        Endings::new(settings, None, pipeline.variant)?;
    }
    pipeline.log(Level::Info, format!("Discovered {} potential skills", candidates.len()));
    let mut names = HashSet::new();
    let mut loaded = Vec::new();
    for (candidate, endings) in candidates {
        let Some(skill) = read(&candidate, &endings, &mut names, pipeline)? else { continue };
        match pipeline.variant.language() {
            // The message about a duplicate appears at the skill's place in the order of loading.
            Language::DotNet => pipeline.offer(skill),
            Language::Python => loaded.push(skill),
        }
    }
    pipeline.log(Level::Info, format!("Successfully loaded {} skills", loaded.len()));
    loaded.into_iter().for_each(|skill| pipeline.offer(skill));
    Ok(())
}

/// Levels below a root that are searched for skills.
const SEARCH_DEPTH: usize = 2;
const NO_FILE: Wording = Wording::new(
    "is a pipe, a socket or a device; the framework takes the folder for no skill",
    "是管道、套接字或设备；该框架不把这个文件夹当作技能",
);
const UNSAFE: &str = "symbolic link or reparse point detected, or path could not be inspected";

/// A folder with a `SKILL.md`.
struct Candidate<'a> {
    folder: &'a Folder,
    manifest: &'a File,
}

fn search<'a>(folder: &'a Folder, depth: usize, found: &mut Vec<Candidate<'a>>, pipeline: &mut Pipeline) {
    // The result of `is_file()` in Python; earlier releases were not compared.
    let is_file = |file: &&File| file.is_regular || pipeline.variant != Variant::Python123;
    let manifest = folder
        .files()
        .filter(is_file)
        .find(|file| file.name == MANIFEST && !file.link.as_ref().is_some_and(|l| l.broken));
    if let Some(manifest) = manifest {
        if manifest.link.is_some() && pipeline.variant.skips_links() {
            linked_manifest(folder, manifest, pipeline);
        } else {
            found.push(Candidate { folder, manifest });
            let reason = reasons::inside(folder.path.as_str());
            folder.folders().for_each(|inner| overlooked(inner, &reason, pipeline));
        }
        return;
    }
    let special = folder.files().find(|file| file.name == MANIFEST && !file.is_regular && file.link.is_none());
    if let Some(file) = special {
        pipeline.skip(file.path.as_str(), NO_FILE);
    } else if let Some(file) = folder.files().find(|file| file.name.eq_ignore_ascii_case(MANIFEST)) {
        pipeline.skip(file.path.as_str(), reasons::wrong_name(&[MANIFEST], &file.name));
    }
    if depth == SEARCH_DEPTH {
        let reason = message!(
            "lies more than {SEARCH_DEPTH} levels below the folder",
            "位于该文件夹之下超过 {SEARCH_DEPTH} 层的位置"
        );
        folder.folders().for_each(|inner| overlooked(inner, &reason, pipeline));
        return;
    }
    for entry in &folder.entries {
        match entry {
            Entry::File(file) if file.link.is_some() && pipeline.variant == Variant::Python123 => {
                linked_entry(file.path.as_str(), pipeline);
            }
            Entry::Folder(inner) if inner.link.is_some() && pipeline.variant.skips_links() => {
                linked_entry(inner.path.as_str(), pipeline);
                pipeline.skip(inner.path.as_str(), Message::quoted(UNSAFE));
            }
            Entry::Folder(inner) => match not_entered(inner) {
                Some(reason) => pipeline.skip(inner.path.as_str(), reason),
                None => search(inner, depth + 1, found, pipeline),
            },
            Entry::File(_) => {}
        }
    }
}

fn linked_manifest(folder: &Folder, manifest: &File, pipeline: &mut Pipeline) {
    pipeline.log(
        Level::Warning,
        if pipeline.variant.is_python() {
            format!(
                "Skipping skill directory '{}': '{MANIFEST}' is a symbolic link or reparse point, or could not be inspected",
                folder.path
            )
        } else {
            format!("Skipping skill discovery path '{}': {UNSAFE}", printable(manifest.path.as_str()))
        },
    );
    pipeline.skip(manifest.path.as_str(), Message::quoted(UNSAFE));
}

fn linked_entry(path: &str, pipeline: &mut Pipeline) {
    pipeline.log(
        Level::Warning,
        if pipeline.variant.is_python() {
            format!(
                "Skipping discovery entry '{path}': symbolic link or reparse point detected, or the entry could not be \
                 inspected"
            )
        } else {
            format!("Skipping skill discovery path '{}': {UNSAFE}", printable(path))
        },
    );
}

/// Lists skills in places where the framework does not look. The framework does not report them, but their authors want
/// to know.
fn overlooked(folder: &Folder, reason: &Message, pipeline: &mut Pipeline) {
    if folder.link.is_some() {
        return;
    }
    for manifest in folder.files().filter(|file| file.name == MANIFEST) {
        pipeline.skip(manifest.path.as_str(), reason.clone());
    }
    folder.folders().for_each(|inner| overlooked(inner, reason, pipeline));
}

/// `None` if the framework skips the skill; then it is in the log. `names` are those of the skills read before.
fn read(
    candidate: &Candidate,
    endings: &Endings,
    names: &mut HashSet<String>,
    pipeline: &mut Pipeline,
) -> Result<Option<Loaded>, String> {
    let Candidate { folder, manifest } = candidate;
    let (variant, path) = (pipeline.variant, manifest.path.as_str());
    let Some(source) = manifest.source.as_deref() else {
        if !manifest.is_regular {
            pipeline.skip(path, reasons::not_regular());
            return Ok(None);
        }
        if !variant.is_python() {
            return Err(format!("Access to the path '{path}' is denied."));
        }
        pipeline.log(Level::Error, format!("Failed to read {MANIFEST} at '{path}'"));
        pipeline.skip(path, Wording::new("cannot be read", "无法读取"));
        return Ok(None);
    };
    let text = text(source, variant)?;
    let mut warnings = Vec::new();
    let parsed = frontmatter::parse(&text, path, variant, &mut warnings);
    warnings.into_iter().for_each(|warning| pipeline.log(Level::Warning, warning));
    let frontmatter = match parsed {
        Ok(frontmatter) => frontmatter,
        Err(Rejection::Skipped { log, reason }) => {
            pipeline.log(Level::Error, log);
            pipeline.skip(path, Message::quoted(reason));
            return Ok(None);
        }
        Err(Rejection::Throws(message)) => return Err(message),
        Err(Rejection::Ours(reason)) => {
            pipeline.skip(path, reason);
            return Ok(None);
        }
    };
    let parent = folder.path.file_name().unwrap_or_default();
    if frontmatter.name != parent {
        mismatch(path, &frontmatter.name, parent, pipeline);
        return Ok(None);
    }
    if variant.is_python() && !names.insert(frontmatter.name.clone()) {
        let reason = format!(
            "Duplicate skill name '{}': skill from '{}' skipped in favor of existing skill",
            frontmatter.name, folder.path
        );
        pipeline.log(Level::Warning, reason.clone());
        pipeline.hide(&frontmatter.name, &manifest.path, &reason);
        return Ok(None);
    }
    let files = offered(folder, endings, pipeline);
    if variant == Variant::Python123
        && let Some(problem) = files::misplaced(folder, &files)
    {
        return Err(problem);
    }
    pipeline.log(Level::Info, format!("Loaded skill: {}", frontmatter.name));
    let names = |files: &[crate::CatalogFile]| files.iter().map(|file| file.name.clone()).collect::<Vec<_>>();
    let content = content::of_file(&frontmatter.name, &text, &names(&files.resources), &names(&files.scripts), variant);
    let runner = runner::of_folder(&folder.path, pipeline.settings());
    let mut quirks = quirks::of_skill(folder, manifest, &frontmatter, &files, variant);
    quirks.extend(quirks::of_scripts(manifest, &frontmatter.name, &files.scripts, runner, variant));
    Ok(Some(Loaded {
        skill: CatalogSkill {
            id: frontmatter.name.clone(),
            name: frontmatter.name.clone(),
            description: frontmatter.description.clone(),
            path: Some(folder.path.clone()),
            content: content.text,
            resources: files.resources,
            scripts: files.scripts,
            detail: crate::Detail::AgentFramework(Detail { marks: content.marks, frontmatter }),
        },
        path: manifest.path.clone(),
        quirks,
    }))
}

/// The text as the framework reads it. Python cannot read a file that is not UTF-8, and catches only errors of the
/// system.
fn text(source: &SourceText, variant: Variant) -> Result<String, String> {
    if !variant.is_python() {
        return Ok(source.text.clone());
    }
    if let Some(at) = source.invalid_at {
        return Err(format!("'utf-8' codec can't decode {} in position {at}", source.path));
    }
    let bom = if source.bom { "\u{feff}" } else { "" };
    Ok(format!("{bom}{}", python::universal_newlines(&source.text)))
}

fn mismatch(path: &str, name: &str, parent: &str, pipeline: &mut Pipeline) {
    if pipeline.variant.is_python() {
        let reason =
            format!("has frontmatter name '{name}' that does not match the directory name '{parent}'; skipping.");
        pipeline.log(Level::Error, format!("SKILL.md at '{path}' {reason}"));
        pipeline.skip(path, Message::quoted(reason));
    } else {
        let reason = format!("skill name '{name}' does not match parent directory name '{}'", printable(parent));
        pipeline.log(Level::Error, format!("SKILL.md at '{}': {reason}", printable(path)));
        pipeline.skip(path, Message::quoted(reason));
    }
}

/// Control characters of a path never reach .NET's log.
fn printable(path: &str) -> String {
    path.replace(char::is_control, "?")
}
