//! Which folders are skills: those directly below a source that hold a `SKILL.md`, by their paths. Of two with the same
//! name the last one read is kept, at the place of the first.

use std::collections::HashMap;

use super::frontmatter::{self, Read, Unread};
use super::{MANIFEST, catalogue};
use crate::{CatalogBody, CatalogFile, CatalogSkill, Detail, Loaded, Quirk, QuirkKind, python, reasons};
use config::InlineSkill;
use skill::files::files_of;
use skill::source::{SourceText, Span};
use skill::{File, FileKind, Folder, SkillSet};
use wording::{Message, Wording, message};

const IN_ITSELF: Wording = Wording::new(
    "lies in the folder of skills itself, not in a folder below it",
    "位于技能文件夹本身，而不是其下的某个文件夹",
);
/// Lines that a model sees that does not ask for more.
const SHOWN: usize = 100;

/// What Deep Agents loads of the folders, and why it leaves out the rest. It knows no inline skills.
pub fn load(found: &SkillSet, inline: &[InlineSkill]) -> Loaded {
    let mut loading = Loading::default();
    for skill in inline {
        loading.loaded.skip(&skill.name, reasons::FOLDERS_ONLY);
    }
    for root in &found.roots {
        if !root.tree.listed && root.tree.entries.is_empty() {
            let path = &root.path;
            loading.warn(format!("{}{path}': Path '{path}': path_not_found", catalogue::CANNOT_LOAD));
        }
        for file in root.tree.files().filter(|file| file.name == MANIFEST) {
            loading.loaded.skip(file.path.as_str(), IN_ITSELF);
        }
        let mut folders: Vec<&Folder> = root.tree.folders().collect();
        folders.sort_by_cached_key(|folder| format!("{}/", folder.name));
        folders.into_iter().for_each(|folder| loading.folder(folder));
    }
    loading.loaded
}

#[derive(Default)]
struct Loading {
    loaded: Loaded,
    /// Of the skills, by their names.
    places: HashMap<String, usize>,
}

impl Loading {
    fn warn(&mut self, text: impl std::fmt::Display) {
        self.loaded.log.push(format!("WARNING: {text}"));
    }

    fn folder(&mut self, folder: &Folder) {
        if let Some(file) = folder.files().find(|file| file.name == MANIFEST) {
            self.loaded.skip_below(folder, &reasons::inside(folder.path.as_str()));
            return self.read(folder, file);
        }
        if let Some(inner) = folder.folders().find(|inner| inner.name == MANIFEST) {
            self.warn(format_args!("Cannot load SKILL.md at {}: is_directory; skipping", inner.path));
            self.loaded.skip(inner.path.as_str(), Message::quoted("is_directory"));
        }
        self.loaded.skip_miscased(folder);
        self.loaded.skip_below(folder, &reasons::ONE_LEVEL.into());
    }

    fn read(&mut self, folder: &Folder, file: &File) {
        let path = &file.path;
        let Some(source) = file.source.as_deref() else {
            if !file.is_regular {
                return self.loaded.skip(path.as_str(), reasons::not_regular());
            }
            if !file.link.as_ref().is_some_and(|link| link.broken) {
                self.warn(format_args!("Cannot load SKILL.md at {path}: permission_denied; skipping"));
            }
            return self.loaded.skip(path.as_str(), Message::quoted("permission_denied"));
        };
        if let Some(at) = source.invalid_at {
            let reason = format!("Error decoding {path}: 'utf-8' codec can't decode byte in position {at}");
            self.warn(&reason);
            return self.loaded.skip(path.as_str(), Message::quoted(reason));
        }
        let mut log = Vec::new();
        let read = match source.bom {
            true => Err(Unread::Warned(format!("Skipping {path}: no valid YAML frontmatter found"))),
            false => frontmatter::read(&source.text, path, &folder.name, &mut log),
        };
        log.into_iter().for_each(|line| self.warn(line));
        match read {
            Ok(read) => self.keep(folder, source, read),
            Err(Unread::Ours(reason)) => self.loaded.skip(path.as_str(), reason),
            Err(Unread::Raised(error)) => {
                self.loaded.refused.get_or_insert(error.clone());
                self.loaded.skip(path.as_str(), Message::quoted(error));
            }
            Err(Unread::Warned(reason)) => {
                self.warn(&reason);
                self.warn(format_args!("Skill at {path} failed metadata parse or name validation; skipping"));
                if source.bom {
                    self.quirk(QuirkKind::ByteOrderMark, None, source, Some(Span::new(0, 0)), "");
                }
                self.loaded.skip(path.as_str(), Message::quoted(reason));
            }
        }
    }

    fn quirk(&mut self, kind: QuirkKind, skill: Option<&str>, source: &SourceText, span: Option<Span>, detail: &str) {
        let (path, skill) = (Some(source.path.clone()), skill.map(str::to_owned));
        self.loaded.quirks.push(Quirk { kind, skill, path, span, detail: detail.to_owned() });
    }

    fn keep(&mut self, folder: &Folder, source: &SourceText, read: Read) {
        let id = read.name.clone();
        if read.body.trim().is_empty() {
            self.quirk(QuirkKind::NoInstructions, Some(&id), source, None, "");
        }
        if read.is_cut {
            let limit = frontmatter::DESCRIPTION_LIMIT.to_string();
            self.quirk(QuirkKind::CutWhenLong, Some(&id), source, None, &limit);
        }
        if source.text.lines().count() > SHOWN {
            self.quirk(QuirkKind::CutWhenLong, Some(&id), source, None, &SHOWN.to_string());
        }
        let files = files_of(folder).into_iter().filter(|file| file.kind != FileKind::Manifest);
        let mut resources = Vec::new();
        for file in files {
            if file.kind == FileKind::Script {
                let (path, skill) = (Some(file.path.clone()), Some(id.clone()));
                let detail = file.name.clone();
                self.loaded.quirks.push(Quirk { kind: QuirkKind::ScriptsCannotRun, skill, path, span: None, detail });
            }
            resources.push(CatalogFile { name: file.name, description: None, body: CatalogBody::File(file.path) });
        }
        let skill = CatalogSkill {
            id: id.clone(),
            name: read.name,
            description: read.description,
            path: Some(folder.path.clone()),
            content: python::universal_newlines(&source.text).into_owned(),
            resources,
            scripts: Vec::new(),
            detail: Detail::DeepAgents(read.matter),
        };
        let Some(&place) = self.places.get(&id) else {
            self.places.insert(id, self.loaded.skills.len());
            return self.loaded.skills.push(skill);
        };
        let hidden = std::mem::replace(&mut self.loaded.skills[place], skill);
        let path = hidden.path.map(|folder| folder.join(MANIFEST));
        let reason = message!(
            "{} has the same name '{}', and the last one read is kept",
            "{} 有相同的名称 '{}'，保留最后读取的那一个",
            source.path,
            hidden.name
        );
        let detail = source.path.to_string();
        let kind = QuirkKind::HiddenByDuplicate;
        self.loaded.quirks.push(Quirk { kind, skill: Some(id), path: path.clone(), span: None, detail });
        self.loaded.skip(path.unwrap_or_default(), reason);
    }
}
