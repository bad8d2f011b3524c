//! Which folders the framework takes for skills, and which of their files it offers as resources and scripts. .NET
//! lists folders in the order of the file system; here they are sorted, so the same folder always gives the same list.

use super::Pipeline;
use super::frontmatter::{self, Rejection};
use crate::config::options::AgentFrameworkOptions;
use crate::harness::{CatalogBody, CatalogFile, CatalogSkill, Detail};
use crate::skill::{Entry, File, Folder, SkillSet};
use crate::source::SourceText;

/// `Err` is the message of the exception that ends loading.
pub fn load(found: &SkillSet, settings: &AgentFrameworkOptions, pipeline: &mut Pipeline) -> Result<(), String> {
    let extensions = Extensions::new(settings)?;
    let mut candidates = Vec::new();
    for root in &found.roots {
        search(&root.tree, 0, &mut candidates, pipeline);
    }
    for candidate in candidates {
        read(&candidate, &extensions, pipeline)?;
    }
    Ok(())
}

const MANIFEST: &str = "SKILL.md";
/// Levels below a root that are searched for skills.
const SEARCH_DEPTH: usize = 2;
/// Levels of a skill whose files are offered: the folder itself and the folders in it.
const FILE_DEPTH: usize = 2;
const RESOURCE_EXTENSIONS: [&str; 7] = [".md", ".json", ".yaml", ".yml", ".csv", ".xml", ".txt"];
const SCRIPT_EXTENSIONS: [&str; 6] = [".py", ".js", ".sh", ".ps1", ".cs", ".csx"];
const UNSAFE: &str = "symbolic link or reparse point detected, or path could not be inspected";

/// A folder with a `SKILL.md`.
struct Candidate<'a> {
    folder: &'a Folder,
    manifest: &'a File,
}

fn search<'a>(folder: &'a Folder, depth: usize, found: &mut Vec<Candidate<'a>>, pipeline: &mut Pipeline) {
    let manifest = files(folder).find(|file| file.name == MANIFEST && !file.link.as_ref().is_some_and(|l| l.broken));
    if let Some(manifest) = manifest {
        if manifest.link.is_some() {
            unsafe_path(manifest.path.as_str(), pipeline);
        } else {
            found.push(Candidate { folder, manifest });
            let reason = format!("lies inside the skill {}", folder.path);
            folders(folder).for_each(|inner| overlooked(inner, &reason, pipeline));
        }
        return;
    }
    if let Some(file) = files(folder).find(|file| file.name.eq_ignore_ascii_case(MANIFEST)) {
        pipeline.skip(file.path.as_str(), format!("the file must be called {MANIFEST}, not {}", file.name));
    }
    for inner in folders(folder) {
        if depth == SEARCH_DEPTH {
            overlooked(inner, &format!("lies more than {SEARCH_DEPTH} levels below the folder"), pipeline);
        } else if inner.link.is_some() {
            unsafe_path(inner.path.as_str(), pipeline);
        } else {
            search(inner, depth + 1, found, pipeline);
        }
    }
}

fn unsafe_path(path: &str, pipeline: &mut Pipeline) {
    pipeline.log.push(format!("Skipping skill discovery path '{}': {UNSAFE}", printable(path)));
    pipeline.skip(path, UNSAFE);
}

/// Lists skills where the framework does not look. It says nothing of them; their authors want to know.
fn overlooked(folder: &Folder, reason: &str, pipeline: &mut Pipeline) {
    if folder.link.is_some() {
        return;
    }
    for manifest in files(folder).filter(|file| file.name == MANIFEST) {
        pipeline.skip(manifest.path.as_str(), reason);
    }
    folders(folder).for_each(|inner| overlooked(inner, reason, pipeline));
}

fn read(candidate: &Candidate, extensions: &Extensions, pipeline: &mut Pipeline) -> Result<(), String> {
    let Candidate { folder, manifest } = candidate;
    let path = manifest.path.as_str();
    let Some(source) = manifest.source.as_deref() else {
        return Err(format!("Access to the path '{path}' is denied."));
    };
    let frontmatter = match frontmatter::parse(&source.text) {
        Ok(frontmatter) => frontmatter,
        Err(Rejection::NoBlock) => {
            let reason = "does not contain valid YAML frontmatter delimited by '---'";
            pipeline.log.push(format!("SKILL.md at '{path}' {reason}"));
            pipeline.skip(path, reason);
            return Ok(());
        }
        Err(Rejection::Invalid(reason)) => {
            pipeline.log.push(format!("SKILL.md at '{path}' has an invalid 'frontmatter' value: {reason}"));
            pipeline.skip(path, reason);
            return Ok(());
        }
        Err(Rejection::Throws(message)) => return Err(message.into()),
    };
    let parent = folder.path.file_name().unwrap_or_default();
    if frontmatter.name != parent {
        let reason =
            format!("skill name '{}' does not match parent directory name '{}'", frontmatter.name, printable(parent));
        pipeline.log.push(format!("SKILL.md at '{}': {reason}", printable(path)));
        pipeline.skip(path, reason);
        return Ok(());
    }
    pipeline.offer(skill(folder, source, frontmatter.description, extensions), path.to_owned());
    Ok(())
}

fn skill(folder: &Folder, source: &SourceText, description: String, extensions: &Extensions) -> CatalogSkill {
    let name = folder.path.file_name().unwrap_or_default();
    let is_resource =
        |file: &File| !file.name.eq_ignore_ascii_case(MANIFEST) && contains(&extensions.resources, &file.name);
    let is_script = |file: &File| contains(&extensions.scripts, &file.name);
    CatalogSkill {
        id: name.into(),
        name: name.into(),
        description,
        path: Some(folder.path.clone()),
        content: source.text.clone(),
        resources: offered(folder, &is_resource),
        scripts: offered(folder, &is_script),
        detail: Detail::None,
    }
}

/// The files of a skill that pass, a folder's own before those of the folders in it. Links never do.
fn offered(skill: &Folder, passes: &dyn Fn(&File) -> bool) -> Vec<CatalogFile> {
    fn walk(folder: &Folder, prefix: &str, depth: usize, passes: &dyn Fn(&File) -> bool, out: &mut Vec<CatalogFile>) {
        for file in files(folder).filter(|file| file.link.is_none() && passes(file)) {
            out.push(CatalogFile {
                name: format!("{prefix}{}", file.name),
                description: None,
                body: CatalogBody::File(file.path.clone()),
            });
        }
        if depth < FILE_DEPTH {
            for inner in folders(folder).filter(|inner| inner.link.is_none()) {
                walk(inner, &format!("{prefix}{}/", inner.name), depth + 1, passes, out);
            }
        }
    }
    let mut out = Vec::new();
    walk(skill, "", 1, passes, &mut out);
    out
}

struct Extensions {
    resources: Vec<String>,
    scripts: Vec<String>,
}

impl Extensions {
    fn new(settings: &AgentFrameworkOptions) -> Result<Self, String> {
        let allowed = |set: &Option<Vec<String>>, default: &[&str]| match set {
            Some(set) => match set.iter().find(|extension| !extension.starts_with('.')) {
                Some(wrong) => Err(format!("Each extension must start with '.'. Invalid value: '{wrong}'")),
                None => Ok(set.clone()),
            },
            None => Ok(default.iter().map(|&extension| extension.into()).collect()),
        };
        Ok(Self {
            resources: allowed(&settings.allowed_resource_extensions, &RESOURCE_EXTENSIONS)?,
            scripts: allowed(&settings.allowed_script_extensions, &SCRIPT_EXTENSIONS)?,
        })
    }
}

/// The ending is everything from the last dot on, even where the name starts with it; a final dot is no ending.
fn contains(extensions: &[String], name: &str) -> bool {
    let ending = name.rfind('.').map_or("", |dot| &name[dot..]);
    ending.len() > 1 && extensions.iter().any(|known| known.to_uppercase() == ending.to_uppercase())
}

fn files(folder: &Folder) -> impl Iterator<Item = &File> {
    folder.entries.iter().filter_map(|entry| match entry {
        Entry::File(file) => Some(file),
        Entry::Folder(_) => None,
    })
}

fn folders(folder: &Folder) -> impl Iterator<Item = &Folder> {
    folder.entries.iter().filter_map(|entry| match entry {
        Entry::Folder(folder) => Some(folder),
        Entry::File(_) => None,
    })
}

/// Control characters of a path never reach the framework's log.
fn printable(path: &str) -> String {
    path.replace(char::is_control, "?")
}
