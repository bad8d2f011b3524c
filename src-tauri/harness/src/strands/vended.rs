//! What the official plugin loads: a root that is a skill itself, else the skills directly in it. `SKILL.md` or
//! `skill.md`; of two skills with one name the last stays, in place of the first.

mod activation;
mod frontmatter;

use std::collections::HashMap;

use camino::Utf8PathBuf;

pub use activation::Detail;

use super::{python, quirks};
use crate::reasons::{self, Refusal};
use crate::{CatalogBody, CatalogFile, CatalogSkill, Loaded, Quirk, QuirkKind};
use config::InlineSkill;
use config::options::StrandsOptions;
use skill::files::files_of;
use skill::{File, FileKind, Folder, SkillFile, SkillSet};
use wording::{Message, Wording, message};

/// What the plugin of Strands 1.62 loads of the inline skills and the folders, in this order, and why it leaves out the rest.
pub fn load(found: &SkillSet, inline: &[InlineSkill], options: &StrandsOptions) -> Loaded {
    let mut loader = Loader { options, loaded: Loaded::default(), places: HashMap::new(), gone: HashMap::new() };
    for skill in inline {
        loader.inline(skill);
    }
    for root in &found.roots {
        loader.root(&root.tree);
    }
    let mut loaded = loader.loaded;
    // Quirks of skills that were replaced do not matter.
    let mut at = 0;
    loaded.quirks.retain(|quirk| {
        at += 1;
        let folders = quirk.path.iter().flat_map(|path| path.ancestors());
        let mut ends = folders.filter_map(|folder| loader.gone.get(folder)?.get(quirk.skill.as_ref()?));
        !ends.any(|end| at <= *end)
    });
    if loaded.skills.is_empty() {
        loaded.log.push("WARNING: no skills were loaded, the agent will have no skills available".into());
    }
    loaded
}

struct Loader<'a> {
    options: &'a StrandsOptions,
    loaded: Loaded,
    /// Of the skills, by their ids.
    places: HashMap<String, usize>,
    /// By folder and id of a skill that another one took the place of: so many quirks there were then.
    gone: HashMap<Utf8PathBuf, HashMap<String, usize>>,
}

impl Loader<'_> {
    fn warn(&mut self, text: impl std::fmt::Display) {
        self.loaded.log.push(format!("WARNING: {text}"));
    }

    fn root(&mut self, root: &Folder) {
        if !root.listed && root.entries.is_empty() {
            let reason = "skill source does not exist or is not a valid path";
            self.warn(format_args!("path=<{}> | {reason}", root.path));
            self.loaded.skip(root.path.as_str(), Message::quoted(reason));
            return;
        }
        if let Some(file) = manifest_of(root) {
            self.folder(root, file);
            root.folders().for_each(|inner| self.overlooked(inner, &reasons::inside(root.path.as_str())));
            return;
        }
        for folder in root.folders() {
            match manifest_of(folder) {
                Some(file) => {
                    self.folder(folder, file);
                    folder.folders().for_each(|inner| self.overlooked(inner, &reasons::inside(folder.path.as_str())));
                }
                None => {
                    for file in folder.files().filter(|file| file.name.eq_ignore_ascii_case("SKILL.md")) {
                        let reason = reasons::wrong_name(&["SKILL.md", "skill.md"], &file.name);
                        self.loaded.skip(file.path.as_str(), reason);
                    }
                    let reason = reasons::ONE_LEVEL.into();
                    folder.folders().for_each(|inner| self.overlooked(inner, &reason));
                }
            }
        }
    }

    fn folder(&mut self, folder: &Folder, file: &File) {
        let hurts = |kind| quirks::of_path(kind, &file.path, "");
        let source = match file.source.as_deref() {
            Some(source) if source.invalid_at.is_none() => source,
            Some(source) => {
                let at = source.invalid_at.unwrap_or_default();
                return self.failed(folder, file, &format!("'utf-8' codec can't decode byte in position {at}"));
            }
            None if !file.is_regular => {
                return self.loaded.skip(file.path.as_str(), reasons::not_regular());
            }
            None => {
                let shown = python::repr_text(file.path.as_str());
                let broken = file.link.as_ref().is_some_and(|link| link.broken);
                let error = if broken { "[Errno 2] No such file or directory" } else { "[Errno 13] Permission denied" };
                return self.failed(folder, file, &format!("{error}: {shown}"));
            }
        };
        if source.bom {
            self.loaded.quirks.push(hurts(QuirkKind::ByteOrderMark));
            return self.failed(folder, file, frontmatter::NO_DELIMITER);
        }
        let mut read = match frontmatter::read(&source.text, self.options.strict) {
            (log, Ok(read)) => {
                log.into_iter().for_each(|line| self.warn(line));
                read
            }
            (log, Err(refusal)) => {
                log.into_iter().for_each(|line| self.warn(line));
                return match refusal {
                    Refusal::Theirs(reason) => self.failed(folder, file, &reason),
                    Refusal::Ours(reason) => self.loaded.skip(file.path.as_str(), reason),
                };
            }
        };
        if read.name != folder.name {
            let text = format!(
                "name=<{}>, directory=<{}> | skill name does not match parent directory name",
                read.name, folder.name
            );
            if self.options.strict {
                return self.failed(folder, file, &text);
            }
            self.warn(text);
        }
        read.folder = Some(folder.path.clone());
        let files: Vec<SkillFile> =
            files_of(folder).into_iter().filter(|file| file.kind != FileKind::Manifest).collect();
        let listed = activation::listed(folder, self.options.max_resource_files);
        let id = read.name.clone();
        let quirk = |kind, path: &camino::Utf8Path, detail: &str| Quirk {
            skill: Some(id.clone()),
            ..quirks::of_path(kind, path, detail)
        };
        for file in files.iter().filter(|file| is_hidden_from(&listed, file)) {
            self.loaded.quirks.push(quirk(QuirkKind::FileNotOffered, &file.path, &file.name));
        }
        if read.body.is_empty() {
            self.loaded.quirks.push(quirk(QuirkKind::NoInstructions, &file.path, ""));
        }
        let offered = |kinds: fn(&str) -> bool| {
            let files = listed.files.iter().filter(|name| kinds(name)).map(|name| CatalogFile {
                name: name.clone(),
                description: None,
                body: CatalogBody::File(folder.path.join(name)),
            });
            files.collect::<Vec<_>>()
        };
        let (resources, scripts) = (offered(|name| !is_script(name)), offered(is_script));
        self.offer(activation::skill(&read, Some(&listed), resources, scripts), file.path.as_str());
    }

    fn failed(&mut self, folder: &Folder, file: &File, reason: &str) {
        self.warn(format_args!("path=<{}> | failed to load skill: {reason}", folder.path));
        self.loaded.skip(file.path.as_str(), Message::quoted(reason));
    }

    /// A `Skill` made in code. It has no folder, so no files.
    fn inline(&mut self, skill: &InlineSkill) {
        let read = frontmatter::Read {
            name: skill.name.clone(),
            description: skill.description.clone(),
            body: skill.instructions.clone(),
            allowed_tools: skill.allowed_tools.as_ref().map(|tools| tools.split_whitespace().map(Into::into).collect()),
            metadata: skill.metadata.iter().map(|(key, value)| (key.clone(), value.clone())).collect(),
            license: skill.license.clone(),
            compatibility: skill.compatibility.clone().filter(|text| !text.is_empty()),
            folder: None,
        };
        let files = skill.resources.iter().map(|file| &file.name).chain(skill.scripts.iter().map(|file| &file.name));
        for name in files {
            let reason = Wording::new(
                "a skill made in code has no files in this framework",
                "在该框架中，用代码创建的技能没有文件",
            );
            self.loaded.skip(format!("{}/{name}", skill.name), reason);
        }
        self.offer(activation::skill(&read, None, Vec::new(), Vec::new()), &skill.name);
    }

    fn offer(&mut self, skill: CatalogSkill, path: &str) {
        let Some(&at) = self.places.get(&skill.id) else {
            self.places.insert(skill.id.clone(), self.loaded.skills.len());
            self.loaded.skills.push(skill);
            return;
        };
        self.warn(format_args!("name=<{}> | duplicate skill name, overwriting previous skill", skill.name));
        let hidden = std::mem::replace(&mut self.loaded.skills[at], skill);
        let place = hidden.path.as_ref().map_or_else(|| hidden.name.clone(), ToString::to_string);
        let folder = hidden.path.clone();
        if let Some(folder) = &folder {
            self.gone.entry(folder.clone()).or_default().insert(hidden.id.clone(), self.loaded.quirks.len());
        }
        self.loaded.skip(
            place,
            message!("the skill at {path} has the same name and takes its place", "{path} 处的技能同名，取代了它"),
        );
        if let Some(folder) = folder {
            let quirk = quirks::of_path(QuirkKind::HiddenByDuplicate, &folder, path);
            self.loaded.quirks.push(Quirk { skill: Some(hidden.id), ..quirk });
        }
    }

    /// Lists skills in places where the framework does not look. The framework does not report them, but their authors
    /// want to know.
    fn overlooked(&mut self, folder: &Folder, reason: &Message) {
        if folder.link.is_some() {
            return;
        }
        if let Some(file) = manifest_of(folder) {
            self.loaded.skip(file.path.as_str(), reason.clone());
        }
        folder.folders().for_each(|inner| self.overlooked(inner, reason));
    }
}

fn manifest_of(folder: &Folder) -> Option<&File> {
    ["SKILL.md", "skill.md"].into_iter().find_map(|name| folder.files().find(|file| file.name == name))
}

fn is_script(name: &str) -> bool {
    name.starts_with("scripts/")
}

/// A file that somebody might miss in the list.
fn is_hidden_from(listed: &activation::Listed, file: &SkillFile) -> bool {
    !file.name.split('/').any(|part| part.starts_with('.')) && !listed.files.contains(&file.name)
}
