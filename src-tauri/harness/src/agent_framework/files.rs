//! Which of a skill's files the framework offers as resources and scripts.

use super::MANIFEST;
use super::pipeline::{Level, Pipeline};
use super::python;
use super::variant::{Language, Variant};
use crate::{CatalogBody, CatalogFile};
use config::options::{AgentFrameworkOptions, FolderOptions};
use skill::{Entry, File, Folder};

/// What a skill offers.
#[derive(Debug)]
pub struct Offered {
    pub resources: Vec<CatalogFile>,
    pub scripts: Vec<CatalogFile>,
}

/// The endings of resources and of scripts.
pub struct Endings {
    resources: Vec<String>,
    scripts: Vec<String>,
    language: Language,
}

impl Endings {
    /// `Err` is the message of the exception that .NET throws for an ending without its dot.
    pub fn new(
        settings: &AgentFrameworkOptions,
        of_folder: Option<&FolderOptions>,
        variant: Variant,
    ) -> Result<Self, String> {
        let language = variant.language();
        let allowed = |set: &Option<Vec<String>>, default: &[&str]| match set {
            Some(set) => match set.iter().find(|ending| language == Language::DotNet && !ending.starts_with('.')) {
                Some(wrong) => Err(format!("Each extension must start with '.'. Invalid value: '{wrong}'")),
                None => Ok(set.clone()),
            },
            None => Ok(default.iter().map(|&ending| ending.into()).collect()),
        };
        let scripts = match language {
            Language::DotNet => DOT_NET_SCRIPTS,
            Language::Python => PYTHON_SCRIPTS,
        };
        let own = of_folder.cloned().unwrap_or_default();
        let resource = own.allowed_resource_extensions.or_else(|| settings.allowed_resource_extensions.clone());
        let script = own.allowed_script_extensions.or_else(|| settings.allowed_script_extensions.clone());
        Ok(Self { resources: allowed(&resource, RESOURCES)?, scripts: allowed(&script, scripts)?, language })
    }

    fn passes(&self, kind: Listed, file: &File) -> bool {
        match kind {
            Listed::Resource => !file.name.eq_ignore_ascii_case(MANIFEST) && self.lists(&self.resources, &file.name),
            Listed::Script => self.lists(&self.scripts, &file.name),
        }
    }

    /// In.NET the ending is everything from the last dot on, even if the name starts with it; a final dot is not an
    /// ending.
    fn lists(&self, endings: &[String], name: &str) -> bool {
        match self.language {
            Language::DotNet => {
                let ending = name.rfind('.').map_or("", |dot| &name[dot..]);
                ending.len() > 1 && endings.iter().any(|known| known.to_uppercase() == ending.to_uppercase())
            }
            Language::Python => {
                let ending = python::suffix(name).to_lowercase();
                endings.iter().any(|known| known.to_lowercase() == ending)
            }
        }
    }
}

/// .NET: a folder's own files come before those of the folders in it. Python: sorted by their names. Links never pass.
pub fn offered(skill: &Folder, endings: &Endings, pipeline: &mut Pipeline) -> Offered {
    let mut of_kind = |kind| {
        let mut walk = Walk { skill, endings, kind, found: Vec::new(), pipeline: &mut *pipeline };
        walk.folder(skill, "", 1);
        let mut found = walk.found;
        if endings.language == Language::Python {
            found.sort_by(|a, b| a.name.cmp(&b.name));
        }
        found
    };
    Offered { resources: of_kind(Listed::Resource), scripts: of_kind(Listed::Script) }
}

/// The exception's message about the first resource that is not at the place its name says. It ends the loading of all
/// skills.
pub fn misplaced(skill: &Folder, files: &Offered) -> Option<String> {
    let is_there = |name: &str| {
        let (folders, file) = name.rsplit_once('/').unwrap_or(("", name));
        let mut parts = folders.split('/').filter(|part| !part.is_empty());
        let folder = parts.try_fold(skill, |folder, part| folder.folders().find(|inner| inner.name == part));
        folder.is_some_and(|folder| folder.files().any(|known| known.name == file))
    };
    let name = files.resources.iter().map(|file| file.name.as_str()).find(|name| !is_there(name))?;
    Some(if name.starts_with('/') || name.split('/').any(|part| part == "..") {
        format!("Resource file '{name}' references a path outside the skill directory.")
    } else {
        format!("Resource file '{name}' not found in skill directory '{}'.", skill.path)
    })
}

/// `PurePosixPath(name.replace("\\", "/")).as_posix()`; `None` of a name without backslashes.
fn posix(name: &str) -> Option<String> {
    if !name.contains('\\') {
        return None;
    }
    let slashes = name.replace('\\', "/");
    let parts: Vec<&str> = slashes.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    let root = if slashes.starts_with('/') { "/" } else { "" };
    Some(format!("{root}{}", parts.join("/")))
}

/// Levels of a skill whose files are offered: the folder itself and the folders in it.
const FILE_DEPTH: usize = 2;
const RESOURCES: &[&str] = &[".md", ".json", ".yaml", ".yml", ".csv", ".xml", ".txt"];
const DOT_NET_SCRIPTS: &[&str] = &[".py", ".js", ".sh", ".ps1", ".cs", ".csx"];
const PYTHON_SCRIPTS: &[&str] = &[".py"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Listed {
    Resource,
    Script,
}

struct Walk<'a, 'b> {
    skill: &'a Folder,
    endings: &'a Endings,
    kind: Listed,
    found: Vec<CatalogFile>,
    pipeline: &'a mut Pipeline<'b>,
}

impl Walk<'_, '_> {
    fn folder(&mut self, folder: &Folder, prefix: &str, depth: usize) {
        for file in folder.files().filter(|file| !file.link.as_ref().is_some_and(|link| link.broken)) {
            let is_file = file.is_regular || self.pipeline.variant != Variant::Python123;
            if !is_file || !self.endings.passes(self.kind, file) {
                continue;
            }
            if file.link.is_some() {
                self.skip_link("", file.path.as_str());
                continue;
            }
            let name = format!("{prefix}{}", file.name);
            // Python names a file by its path, in which it takes backslashes for slashes, and finds it by that name.
            let normal = posix(&name).filter(|_| self.endings.language == Language::Python);
            let body = CatalogBody::File(match &normal {
                Some(normal) => self.skill.path.join(normal),
                None => file.path.clone(),
            });
            self.found.push(CatalogFile { name: normal.unwrap_or(name), description: None, body });
        }
        if depth == FILE_DEPTH {
            return;
        }
        for entry in &folder.entries {
            match entry {
                Entry::Folder(inner) if inner.link.is_some() => self.skip_link(" directory", inner.path.as_str()),
                Entry::Folder(inner) => self.folder(inner, &format!("{prefix}{}/", inner.name), depth + 1),
                Entry::File(_) => {}
            }
        }
    }

    /// .NET leaves links out when it lists a folder, and so says nothing.
    fn skip_link(&mut self, what: &str, path: &str) {
        let kind = match self.kind {
            Listed::Resource => "resource",
            Listed::Script => "script",
        };
        let link = match self.pipeline.variant {
            Variant::Seed | Variant::DotNet117 => return,
            Variant::Python113 => "symlink",
            Variant::Python123 => "symbolic link or reparse point",
        };
        let skill = &self.skill.path;
        self.pipeline.log(
            Level::Warning,
            format!("Skipping {kind}{what} '{path}': {link} detected in path under skill directory '{skill}'"),
        );
    }
}
