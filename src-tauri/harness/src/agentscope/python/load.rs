//! `LocalSkillLoader`: the folder itself, or with `scan_subdir` every folder below it. Folders are walked in the order
//! of the tree; Python uses the order of the file system.

use std::collections::HashMap;

use super::super::MANIFEST;
use super::frontmatter;
use crate::reasons::{self, Refusal};
use crate::{CatalogSkill, Detail, Loaded, Quirk, QuirkKind, not_entered};
use config::options::AgentScopeOptions;
use skill::{File, Folder, Manifest, ProblemKind, SkillSet};
use wording::{Message, Wording, message};

const BELOW: Wording = Wording::new(
    "lies below the folder, which is searched only with `scanSubdir`",
    "位于该文件夹之下，只有设置 `scanSubdir` 时才会搜索",
);
const LINKED: Wording =
    Wording::new("lies behind a link to a folder, which is not followed", "位于指向文件夹的链接之后，不会跟随该链接");

/// What AgentScope for Python registers of the folders, and why it leaves out the rest.
pub fn load(found: &SkillSet, settings: &AgentScopeOptions) -> Loaded {
    let mut loading = Loading { loaded: Loaded::default(), places: HashMap::new() };
    for root in &found.roots {
        let path = &root.path;
        let missing = |kind: &ProblemKind| matches!(kind, ProblemKind::RootMissing | ProblemKind::RootNotFolder);
        if found.problems.iter().any(|problem| problem.path == *path && missing(&problem.kind)) {
            loading.loaded.log.push(format!("Skill directory {path} does not exist."));
        }
        loading.folder(&root.tree);
        for folder in root.tree.folders() {
            match settings.scan_subdir {
                true => loading.below(folder),
                false => loading.overlooked(folder, &BELOW.into()),
            }
        }
    }
    loading.loaded
}

struct Loading {
    loaded: Loaded,
    /// Where each name is among the skills.
    places: HashMap<String, usize>,
}

impl Loading {
    /// Links to folders are not walked.
    fn below(&mut self, folder: &Folder) {
        if folder.link.is_some() {
            return self.overlooked(folder, &LINKED.into());
        }
        if let Some(reason) = not_entered(folder) {
            return self.loaded.skip(folder.path.as_str(), reason);
        }
        self.folder(folder);
        folder.folders().for_each(|inner| self.below(inner));
    }

    /// Lists skills in places where the framework does not look. The framework does not report them, but their authors
    /// want to know.
    fn overlooked(&mut self, folder: &Folder, reason: &Message) {
        for manifest in folder.files().filter(|file| file.name == MANIFEST) {
            self.loaded.skip(manifest.path.as_str(), reason.clone());
        }
        folder.folders().for_each(|inner| self.overlooked(inner, reason));
    }

    fn folder(&mut self, folder: &Folder) {
        let is_broken = |file: &File| file.link.as_ref().is_some_and(|link| link.broken);
        match folder.files().find(|file| file.name == MANIFEST) {
            Some(manifest) if !is_broken(manifest) => self.manifest(folder, manifest),
            Some(_) => {}
            None => self.loaded.skip_miscased(folder),
        }
    }

    fn manifest(&mut self, folder: &Folder, file: &File) {
        let path = file.path.as_str();
        let Some(source) = &file.source else {
            return self.loaded.skip(path, reasons::UNREADABLE);
        };
        if let Some(at) = source.invalid_at {
            return self
                .loaded
                .skip(path, Message::quoted(format!("'utf-8' codec can't decode the byte in position {at}")));
        }
        let post = match frontmatter::parse(&source.text) {
            Ok(post) => post,
            Err(Refusal::Ours(reason)) => return self.loaded.skip(path, reason),
            Err(Refusal::Theirs(reason)) => {
                return self
                    .loaded
                    .skip(path, message!("the frontmatter cannot be read: {reason}", "无法读取前置元数据：{reason}"));
            }
        };
        let (Some(name), Some(description)) = (post.name, post.description) else {
            let reason = "is missing required fields (name or description). Skipping.";
            self.loaded.log.push(format!("SKILL.md in {} {reason}", folder.path));
            return self.loaded.skip(path, Message::quoted(reason));
        };
        let quirk = |kind, span, detail: &str| Quirk {
            kind,
            skill: Some(name.clone()),
            path: Some(file.path.clone()),
            span,
            detail: detail.to_owned(),
        };
        if post.content.is_empty() {
            self.loaded.quirks.push(quirk(QuirkKind::NoInstructions, None, ""));
        }
        let written = Manifest::parse(source.clone());
        for (key, value) in [("name", &name), ("description", &description)] {
            if value.contains(['<', '>', '&']) {
                let span = written.field(key).map(|field| field.value_span);
                self.loaded.quirks.push(quirk(QuirkKind::NotEscaped, span, value));
            }
        }
        self.offer(CatalogSkill {
            id: name.clone(),
            name,
            description,
            path: Some(folder.path.clone()),
            content: post.content,
            resources: Vec::new(),
            scripts: Vec::new(),
            detail: Detail::None,
        });
    }

    /// The last skill of a name wins, in place of the first.
    fn offer(&mut self, skill: CatalogSkill) {
        let Some(&place) = self.places.get(&skill.name) else {
            self.places.insert(skill.name.clone(), self.loaded.skills.len());
            self.loaded.skills.push(skill);
            return;
        };
        let manifest = |skill: &CatalogSkill| skill.path.as_ref().map(|folder| folder.join(MANIFEST));
        let winner = manifest(&skill);
        let lost = std::mem::replace(&mut self.loaded.skills[place], skill);
        let reason = format!("Duplicate skill name '{}' found in group 'basic', overwriting it.", lost.name);
        self.loaded.log.push(reason.clone());
        let path = manifest(&lost);
        self.loaded.skip(path.as_deref().map_or(lost.name.as_str(), |path| path.as_str()), Message::quoted(reason));
        self.loaded.quirks.push(Quirk {
            kind: QuirkKind::HiddenByDuplicate,
            skill: Some(lost.id),
            path,
            span: None,
            detail: winner.map(camino::Utf8PathBuf::into_string).unwrap_or_default(),
        });
    }
}
