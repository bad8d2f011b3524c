//! Which files are skills: `SKILL.md` of a folder of skills itself and of the folders in it, for the user and for the
//! project, in `.gemini/skills` and `.agents/skills`, and before them of each extension of the user. Of two with one
//! name the last one stays, at the place of the first.
//!
//! An opened folder with `gemini-extension.json` is an extension, as if the user had installed it. An installed one
//! that is a link is read where it is, if that is opened, and one that the user switched off for the project is not
//! loaded. An opened folder that has `.gemini` or `.agents` in it is a project, or the home folder if the option `home`
//! names it. One that has neither is a folder of skills itself.

use std::collections::{HashMap, HashSet};

use camino::{Utf8Path, Utf8PathBuf};

use super::frontmatter::{self, Parsed, Unread};
use super::switched::Switched;
use super::{Detail, MANIFEST, activated, extension, quirks, tree};
use crate::{CatalogSkill, Detail as AnyDetail, Loaded, Options, not_entered, reasons, scripts_and_others};
use config::options::GeminiCliOptions;
use skill::discover::MODULES;
use skill::{File, FileKind, Folder, SkillSet};
use wording::{Message, Wording, message};

/// What Gemini CLI loads of the folders, and why it leaves out the rest. It knows no inline skills.
pub fn load(found: &SkillSet, options: &Options) -> Loaded {
    let settings = &options.settings.gemini_cli;
    let workspace = Workspace::of(found, settings);
    let mut loading = Loading { workspace: workspace.known.map(Utf8Path::to_owned), ..Loading::default() };
    for skill in &options.inline_skills {
        loading.loaded.skip(&skill.name, reasons::FOLDERS_ONLY);
    }
    let mut places: Vec<Place> = found.roots.iter().flat_map(|root| places(&root.tree, settings)).collect();
    let installed = installed(found, settings, &workspace, &mut loading.loaded);
    // An opened folder that is installed by a link is there once.
    places.retain(|place| installed.iter().all(|other| other.folder.path != place.folder.path));
    places.extend(installed);
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
    let mut clients: Vec<(bool, &Folder)> =
        found.roots.iter().filter_map(|root| client(&root.tree, settings)).collect();
    clients.retain(|(is_user, _)| *is_user || settings.trusted);
    clients.sort_by_key(|(is_user, _)| !is_user);
    Switched::of(clients.into_iter().map(|(_, folder)| folder)).leave_out(&mut loading.loaded);
    quirks::of_list(&mut loading.loaded, settings);
    loading.loaded
}

/// The folder with the client's settings, and whether it is the user's.
fn client<'a>(root: &'a Folder, settings: &GeminiCliOptions) -> Option<(bool, &'a Folder)> {
    let folder = if root.name == ".gemini" { Some(root) } else { child(root, ".gemini") };
    Some((is_user(root, settings), folder?))
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
const IN_MODULES: Wording =
    Wording::new("Gemini CLI does not look into `node_modules`", "Gemini CLI 不查看 `node_modules`");

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

/// Whether an opened folder is the user's home, or of a client in it.
fn is_user(root: &Folder, settings: &GeminiCliOptions) -> bool {
    let home = settings.home.as_deref().map(Utf8Path::new);
    home.is_some_and(|home| {
        root.path == home || [".gemini", ".agents"].iter().any(|folder| root.path.starts_with(home.join(folder)))
    })
}

fn child<'a>(folder: &'a Folder, name: &str) -> Option<&'a Folder> {
    folder.folders().find(|inner| inner.name == name)
}

fn places<'a>(root: &'a Folder, settings: &GeminiCliOptions) -> Vec<Place<'a>> {
    let (gemini, agents) = match is_user(root, settings) {
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
    found.extend(Place::of_extension(root));
    let is_all = found.is_empty() && extensions(root, settings).is_none();
    if is_all { vec![Place::of(gemini, root)] } else { found }
}

/// The folder of what the user installed.
fn extensions<'a>(root: &'a Folder, settings: &GeminiCliOptions) -> Option<&'a Folder> {
    if root.path.ends_with(".gemini/extensions") {
        return Some(root);
    }
    let client = if root.name == ".gemini" { Some(root) } else { child(root, ".gemini") };
    client.and_then(|client| child(client, "extensions")).filter(|_| is_user(root, settings))
}

/// The installed extensions, at their real paths.
fn installed<'a>(
    found: &'a SkillSet,
    settings: &GeminiCliOptions,
    workspace: &Workspace,
    loaded: &mut Loaded,
) -> Vec<Place<'a>> {
    let mut places: Vec<Place> = Vec::new();
    let mut names = HashSet::new();
    for all in found.roots.iter().filter_map(|root| extensions(&root.tree, settings)) {
        let switches = extension::Switches::of(Some(all));
        for folder in all.folders() {
            let folder = match extension::link(folder) {
                None => Some(folder),
                Some(lies) => {
                    let opened = found.roots.iter().find_map(|root| inside(&root.tree, &lies));
                    if opened.is_none() {
                        loaded.skip(folder.path.as_str(), not_opened(&lies));
                    }
                    opened
                }
            };
            let Some(file) = folder.and_then(extension::file) else { continue };
            let Some(name) = extension::name(file).filter(|_| extension::refusal(file).is_none()) else {
                places.extend(folder.and_then(Place::of_extension));
                continue;
            };
            if !names.insert(name.clone()) {
                loaded.refused.get_or_insert_with(|| format!("Extension with name {name} already was loaded."));
            }
            let off = switches.is_off(&name, workspace.path).then(|| OFF.into());
            places.extend(folder.and_then(Place::of_extension).map(|place| Place { refusal: off, ..place }));
        }
    }
    places
}

/// The folder at a path below another.
fn inside<'a>(folder: &'a Folder, path: &Utf8Path) -> Option<&'a Folder> {
    if folder.path == path {
        return Some(folder);
    }
    let inner = folder.folders().find(|inner| path.starts_with(&inner.path))?;
    inside(inner, path)
}

fn not_opened(path: &Utf8Path) -> Message {
    message!(
        "this extension is a link to {path}; open that folder, or one around it, to see the skills that Gemini CLI loads from it",
        "此扩展是指向 {path} 的链接；请打开该文件夹或其上级文件夹，才能看到 Gemini CLI 从中加载的技能"
    )
}

const OFF: Wording = Wording::new(
    "its extension is switched off for this project, in extension-enablement.json",
    "所属扩展在 extension-enablement.json 中对此项目停用",
);

/// The folder in which the client is started.
struct Workspace<'a> {
    known: Option<&'a Utf8Path>,
    /// Else the best known path.
    path: &'a Utf8Path,
}

impl<'a> Workspace<'a> {
    fn of(found: &'a SkillSet, settings: &GeminiCliOptions) -> Self {
        let is_project = |tree: &&Folder| !is_user(tree, settings) && extensions(tree, settings).is_none();
        let projects = || found.roots.iter().map(|root| &root.tree).filter(is_project);
        let known = projects().find_map(|tree| {
            let parts: Vec<&str> = tree.path.components().rev().take(2).map(|part| part.as_str()).collect();
            match parts[..] {
                ["skills", ".gemini" | ".agents"] => tree.path.parent()?.parent(),
                [".gemini" | ".agents", ..] => tree.path.parent(),
                _ => [".gemini", ".agents"].iter().any(|name| child(tree, name).is_some()).then_some(&*tree.path),
            }
        });
        let other = projects().map(|tree| &*tree.path).next().or(found.roots.first().map(|root| &*root.path));
        Self { known, path: known.or(other).unwrap_or(Utf8Path::new("/")) }
    }
}

impl<'a> Place<'a> {
    fn of(owner: Owner, folder: &'a Folder) -> Self {
        Self { owner, folder, extension: None, refusal: None }
    }

    /// The skills of a folder that is an extension.
    fn of_extension(folder: &'a Folder) -> Option<Self> {
        let (file, skills) = (extension::file(folder)?, child(folder, "skills")?);
        Some(Self { extension: Some(file), refusal: extension::refusal(file), ..Self::of(Owner::Extension, skills) })
    }
}

#[derive(Default)]
struct Loading {
    loaded: Loaded,
    /// Of the skills, by their names.
    places: HashMap<String, usize>,
    /// The project's folder, if it is known.
    workspace: Option<Utf8PathBuf>,
}

impl Loading {
    fn folder(&mut self, skills: &Folder, extension: Option<&File>) {
        if let Some(file) = skills.files().find(|file| file.name == MANIFEST) {
            self.skill(skills, file, extension);
        }
        // The order depends on the disk; this was the one in the recordings.
        let mut folders: Vec<&Folder> = skills.folders().collect();
        folders.reverse();
        for folder in folders {
            if folder.name.starts_with('.') {
                self.loaded.skip_in(folder, &HIDDEN.into());
                continue;
            }
            if folder.name == MODULES {
                self.loaded.skip_in(folder, &IN_MODULES.into());
                self.loaded.skip_below(folder, &IN_MODULES.into());
                continue;
            }
            if let Some(reason) = not_entered(folder) {
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
            Some(around) => extension::hydrated(parsed, around, self.workspace.as_deref()),
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

fn reason(unread: Unread) -> Message {
    let reason = match unread {
        Unread::ByteOrderMark => Wording::new(
            "the file begins with a byte order mark, so Gemini CLI finds no frontmatter in it",
            "文件以字节顺序标记（BOM）开头，Gemini CLI 因此找不到前置元数据",
        ),
        Unread::NoFrontmatter => {
            Wording::new("Gemini CLI finds no frontmatter in it", "Gemini CLI 在其中找不到前置元数据")
        }
        Unread::Ours(what) => return reasons::not_read(&what.into()),
        Unread::NoName => Wording::new("the frontmatter has no `name`", "前置元数据中没有 `name`"),
        Unread::NoDescription => Wording::new("the frontmatter has no `description`", "前置元数据中没有 `description`"),
    };
    reason.into()
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
