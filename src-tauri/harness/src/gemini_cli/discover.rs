//! Which files are skills: `SKILL.md` of a folder of skills itself and of the folders in it, for the user and for the
//! project, in `.gemini/skills` and `.agents/skills`, and before them of each extension of the user. Of two with one name the
//! last one stays, at the place of the first.
//!
//! An opened folder with `gemini-extension.json` is an extension, as if the user had installed it.
//! An opened folder that has `.gemini` or `.agents` in it is a project, or the home folder if the option `home` names it. One
//! that has neither is a folder of skills itself.

use std::collections::HashMap;

use camino::Utf8Path;

use super::frontmatter::{self, Parsed, Unread};
use super::{Detail, MANIFEST, activated, extension, quirks, tree};
use crate::{CatalogSkill, Detail as AnyDetail, Loaded, Options, not_entered, reasons, scripts_and_others};
use config::options::GeminiCliOptions;
use skill::{File, FileKind, Folder, SkillSet};
use wording::{Message, Wording, message};

pub fn load(found: &SkillSet, options: &Options) -> Loaded {
    let settings = &options.settings.gemini_cli;
    let mut loading = Loading::default();
    for skill in &options.inline_skills {
        loading.loaded.skip(&skill.name, reasons::FOLDERS_ONLY);
    }
    let mut places: Vec<Place> = found.roots.iter().flat_map(|root| places(&root.tree, settings)).collect();
    places.sort_by_key(|place| place.owner);
    for root in found.roots.iter().filter(|root| root.tree.link.is_none()) {
        let own: Vec<&Place> = places.iter().filter(|place| place.folder.path.starts_with(&root.path)).collect();
        let is_entered = |folder: &Folder| own.iter().any(|place| place.folder.path == folder.path);
        loading.loaded.skip_all(&root.tree, &is_entered, &ELSEWHERE.into());
    }
    for (file, reason) in places.iter().filter_map(|place| Some((place.extension?, place.refusal.clone()?))) {
        loading.loaded.skip(file.path.as_str(), reason);
    }
    for place in places.iter().filter(|place| place.refusal.is_none()) {
        if place.owner.is_project() && !settings.trusted {
            loading.loaded.skip(place.folder.path.as_str(), UNTRUSTED);
        } else {
            loading.folder(place.folder, place.extension);
        }
    }
    quirks::of_list(&mut loading.loaded, settings);
    loading.loaded
}

const ELSEWHERE: Wording = Wording::new(
    "lies outside of .gemini/skills, .agents/skills and extensions, where Gemini CLI looks",
    "不在 Gemini CLI 查找的 .gemini/skills、.agents/skills 和扩展中",
);
const UNTRUSTED: Wording = Wording::new(
    "Gemini CLI loads the skills of a project only if its folder is trusted",
    "只有项目文件夹受信任时，Gemini CLI 才加载其中的技能",
);
const HIDDEN: Wording = Wording::new(
    "Gemini CLI does not look into folders whose names begin with a dot",
    "Gemini CLI 不查看名称以点开头的文件夹",
);

/// In the order of loading: later ones win.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Owner {
    Extension,
    UserGemini,
    UserAgents,
    ProjectGemini,
    ProjectAgents,
}

impl Owner {
    fn is_project(self) -> bool {
        matches!(self, Self::ProjectGemini | Self::ProjectAgents)
    }
}

/// A folder of skills.
struct Place<'a> {
    owner: Owner,
    folder: &'a Folder,
    /// What makes the folder around it an extension.
    extension: Option<&'a File>,
    /// Why the client does not take that.
    refusal: Option<Message>,
}

fn places<'a>(root: &'a Folder, settings: &GeminiCliOptions) -> Vec<Place<'a>> {
    let home = settings.home.as_deref().map(Utf8Path::new);
    let is_user = home.is_some_and(|home| {
        root.path == home || [".gemini", ".agents"].iter().any(|folder| root.path.starts_with(home.join(folder)))
    });
    let child = |folder: &'a Folder, name: &str| folder.folders().find(|inner| inner.name == name);
    let (gemini, agents) = match is_user {
        true => (Owner::UserGemini, Owner::UserAgents),
        false => (Owner::ProjectGemini, Owner::ProjectAgents),
    };
    let place = |name: &str, owner| {
        let folder = if root.path.ends_with(format!("{name}/skills")) {
            Some(root)
        } else if root.name == name {
            child(root, "skills")
        } else {
            child(root, name).and_then(|client| child(client, "skills"))
        };
        folder.map(|folder| Place::of(owner, folder))
    };
    let mut found: Vec<Place> = [place(".gemini", gemini), place(".agents", agents)].into_iter().flatten().collect();
    let installed = if root.path.ends_with(".gemini/extensions") {
        Some(root)
    } else if root.name == ".gemini" {
        child(root, "extensions")
    } else {
        child(root, ".gemini").and_then(|client| child(client, "extensions"))
    };
    let installed = installed.filter(|folder| is_user || root.path == folder.path);
    let extensions = std::iter::once(root).chain(installed.into_iter().flat_map(Folder::folders));
    for folder in extensions {
        let (Some(file), Some(skills)) = (extension::file(folder), child(folder, "skills")) else { continue };
        let refusal = extension::refusal(file);
        found.push(Place { extension: Some(file), refusal, ..Place::of(Owner::Extension, skills) });
    }
    if found.is_empty() && installed.is_none() { vec![Place::of(gemini, root)] } else { found }
}

impl<'a> Place<'a> {
    fn of(owner: Owner, folder: &'a Folder) -> Self {
        Self { owner, folder, extension: None, refusal: None }
    }
}

#[derive(Default)]
struct Loading {
    loaded: Loaded,
    /// Of the skills, by their names.
    places: HashMap<String, usize>,
}

impl Loading {
    fn folder(&mut self, skills: &Folder, extension: Option<&File>) {
        if let Some(file) = skills.files().find(|file| file.name == MANIFEST) {
            self.skill(skills, file, extension);
        }
        // The disk has an order of its own, which was this one in the recordings.
        let mut folders: Vec<&Folder> = skills.folders().collect();
        folders.reverse();
        for folder in folders {
            if folder.name.starts_with('.') {
                self.loaded.skip_in(folder, &HIDDEN.into());
                continue;
            }
            if let Some(reason) = not_entered(folder).filter(|_| folder.name != "node_modules") {
                self.loaded.skip(folder.path.as_str(), reason);
            }
            let inside = match folder.files().find(|file| file.name == MANIFEST) {
                Some(file) => {
                    self.skill(folder, file, extension);
                    reasons::inside(folder.path.as_str())
                }
                None => {
                    self.loaded.skip_miscased(folder);
                    reasons::ONE_LEVEL.into()
                }
            };
            if folder.link.is_none() {
                self.loaded.skip_below(folder, &inside);
            }
        }
    }

    fn skill(&mut self, folder: &Folder, file: &File, extension: Option<&File>) {
        let Some(source) = &file.source else {
            return self.loaded.skip(file.path.as_str(), reasons::unread(file));
        };
        let parsed = match frontmatter::parse(source) {
            Ok(parsed) => parsed,
            Err(unread) => {
                quirks::of_unread(unread, source, &mut self.loaded.quirks);
                return self.loaded.skip(file.path.as_str(), reason(unread));
            }
        };
        let around = extension.and_then(|file| file.path.parent());
        let parsed = match around {
            Some(around) => extension::hydrated(parsed, around),
            None => parsed,
        };
        let tree = tree::of(folder);
        quirks::of_skill(&parsed, &tree, source, &mut self.loaded.quirks);
        self.offer(skill(folder, parsed, tree.text));
    }

    fn offer(&mut self, skill: CatalogSkill) {
        let Some(&place) = self.places.get(&skill.name) else {
            self.places.insert(skill.name.clone(), self.loaded.skills.len());
            return self.loaded.skills.push(skill);
        };
        let hidden = std::mem::replace(&mut self.loaded.skills[place], skill);
        let (now, before) = (self.loaded.skills[place].manifest(), hidden.manifest());
        self.loaded.log.push(format!(
            "Skill conflict detected: \"{}\" from \"{now}\" is overriding the same skill from \"{before}\".",
            hidden.name
        ));
        quirks::of_hidden(&hidden.name, &before, &now, &mut self.loaded.quirks);
        let reason = message!("{now} has the same name and overrides it", "{now} 同名，并覆盖了它");
        self.loaded.skip(before, reason);
    }
}

fn reason(unread: Unread) -> Wording {
    match unread {
        Unread::ByteOrderMark => Wording::new(
            "the file begins with a byte order mark, so Gemini CLI finds no frontmatter in it",
            "文件以字节顺序标记（BOM）开头，Gemini CLI 因此找不到前置元数据",
        ),
        Unread::NoFrontmatter => {
            Wording::new("Gemini CLI finds no frontmatter in it", "Gemini CLI 在其中找不到前置元数据")
        }
        Unread::NoName => Wording::new("the frontmatter has no `name`", "前置元数据中没有 `name`"),
        Unread::NoDescription => Wording::new("the frontmatter has no `description`", "前置元数据中没有 `description`"),
    }
}

fn skill(folder: &Folder, parsed: Parsed, tree: String) -> CatalogSkill {
    let (scripts, resources) = scripts_and_others(folder, |file| file.kind != FileKind::Manifest);
    let detail = Detail { body: parsed.body, tree };
    CatalogSkill {
        id: parsed.name.clone(),
        content: activated(&parsed.name, &parsed.name, &detail).text,
        name: parsed.name,
        description: parsed.description,
        path: Some(folder.path.clone()),
        resources,
        scripts,
        detail: AnyDetail::GeminiCli(detail),
    }
}
