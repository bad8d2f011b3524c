//! Which files are skills: each `SKILL.md`, at any depth, below the folders of skills of OpenCode, Claude Code and
//! agents, of the user and of the project. They are read at once, and of those with one name the one that is read last
//! stays, which is chance; here it is the last in their order.
//!
//! What `skills.urls` brought is in the client's cache, a folder for each skill, and is read last if the option `urls`
//! is set.
//!
//! An opened folder that has one of the clients' folders in it is a project, or the home folder if the option `home`
//! names it. One that has none is a folder of skills itself, as `skills.paths` names one.

use std::collections::HashMap;

use camino::{Utf8Path, Utf8PathBuf};

use super::frontmatter::{self, Parsed, Unread};
use super::ignored::{self, Ignored};
use super::{Detail, MANIFEST, loaded_text, permission, quirks};
use crate::{CatalogSkill, Detail as AnyDetail, Loaded, Options, javascript, not_entered, reasons, scripts_and_others};
use config::options::OpenCodeOptions;
use skill::source::SourceText;
use skill::{File, FileKind, Folder, SkillSet};
use wording::{Message, Wording, message};

/// What OpenCode loads of the folders, and why it leaves out the rest. It knows no inline skills.
pub fn load(found: &SkillSet, options: &Options) -> Loaded {
    let settings = &options.settings.opencode;
    let mut loading = Loading { settings, loaded: Loaded::default(), places: HashMap::new() };
    for skill in &options.inline_skills {
        loading.loaded.skip(&skill.name, reasons::FOLDERS_ONLY);
    }
    let mut places: Vec<Place> = found.roots.iter().flat_map(|root| places(&root.tree, settings)).collect();
    places.sort_by_key(|place| place.rank);
    let (unread, places): (Vec<Place>, Vec<Place>) =
        places.into_iter().partition(|place| place.rank == CACHED && !settings.urls);
    let is_entered = |folder: &Folder| unread.iter().chain(&places).any(|place| place.folder.path == folder.path);
    for root in found.roots.iter().filter(|root| root.tree.link.is_none()) {
        loading.loaded.skip_all(&root.tree, &is_entered, &ELSEWHERE.into());
    }
    for place in &unread {
        loading.loaded.skip_all(place.folder, &|_| false, &NO_URLS.into());
    }
    for place in &places {
        loading.folder(place.folder, place.with_hidden, &place.ignored);
    }
    let mut loaded = loading.loaded;
    javascript::sort_by_locale(&mut loaded.skills, |skill| &skill.name);
    quirks::of_list(&mut loaded, settings);
    loaded
}

const ELSEWHERE: Wording =
    Wording::new("lies outside of the folders in which OpenCode looks", "不在 OpenCode 查找的文件夹中");
const HIDDEN: Wording = Wording::new(
    "OpenCode does not look into folders of this place whose names begin with a dot",
    "在这个位置，OpenCode 不查看名称以点开头的文件夹",
);

const NO_KEY: Wording = Wording::new(
    "OpenCode keeps skills under their names in a JavaScript object, which takes `__proto__` for something else",
    "OpenCode 以名称为键把技能存入 JavaScript 对象，而 `__proto__` 在其中另有含义",
);
const NO_URLS: Wording = Wording::new(
    "OpenCode reads its cache for `skills.urls` only; set the option `urls` if they are set",
    "OpenCode 只为 `skills.urls` 读取缓存；如果设置了它，请打开选项 `urls`",
);

/// A folder of skills.
struct Place<'a> {
    /// Later ones overwrite.
    rank: u8,
    folder: &'a Folder,
    /// By the folders around it.
    ignored: Ignored<'a>,
    /// Folders whose names begin with a dot are entered.
    with_hidden: bool,
}

/// The folders of clients, the folders of skills in them, and their ranks for the user and for the project.
const CLIENTS: [(&str, &[&str], u8, u8); 4] = [
    (".claude", &["skills"], 0, 2),
    (".agents", &["skills"], 1, 3),
    (".config/opencode", &["skill", "skills"], 4, 4),
    (".opencode", &["skill", "skills"], 6, 5),
];
const OTHER: u8 = 7;
/// What `skills.urls` brought.
const CACHED: u8 = 8;
const CACHE: &str = ".cache/opencode/skills";

fn places<'a>(root: &'a Folder, settings: &OpenCodeOptions) -> Vec<Place<'a>> {
    let home = settings.home.as_deref().map(Utf8Path::new);
    let is_user = home.is_some_and(|home| {
        let own = CLIENTS.iter().map(|(folder, ..)| *folder).chain([CACHE]);
        root.path == home || own.into_iter().any(|folder| root.path.starts_with(home.join(folder)))
    });
    let mut found = Vec::new();
    let below = |path: &str| path.split('/').try_fold(root, child);
    let cache = if root.path.ends_with(CACHE) { Some(root) } else { below(CACHE).filter(|_| is_user) };
    let ignored = |folder: &Folder| around(root, folder, !is_user);
    found.extend(cache.into_iter().flat_map(Folder::folders).map(|folder| Place {
        rank: CACHED,
        folder,
        ignored: around(root, folder, false),
        with_hidden: false,
    }));
    let is_cache = cache.is_some_and(|cache| std::ptr::eq(cache, root));
    for (client, inner, user, project) in CLIENTS {
        let rank = if is_user { user } else { project };
        let with_hidden = inner.len() == 1;
        for name in inner {
            let folder = if root.path.ends_with(Utf8Path::new(client).join(name)) {
                Some(root)
            } else if root.path.ends_with(client) {
                child(root, name)
            } else {
                below(client).and_then(|client| child(client, name))
            };
            found.extend(folder.map(|folder| Place { rank, folder, ignored: ignored(folder), with_hidden }));
        }
    }
    if found.is_empty() && !is_cache {
        found.push(Place { rank: OTHER, folder: root, ignored: ignored(root), with_hidden: false });
    }
    found
}

/// What the folders around one say of files in it, from the opened one on.
fn around<'a>(root: &'a Folder, folder: &Folder, in_repository: bool) -> Ignored<'a> {
    let mut ignored = Ignored::new(in_repository).in_client(&root.path);
    let mut outer = Some(root).filter(|root| root.path != folder.path);
    while let Some(now) = outer {
        ignored = ignored.inside(now);
        let inner = now.folders().find(|inner| folder.path.starts_with(&inner.path));
        outer = inner.filter(|inner| inner.path != folder.path);
    }
    ignored
}

fn child<'a>(folder: &'a Folder, name: &str) -> Option<&'a Folder> {
    folder.folders().find(|inner| inner.name == name)
}

struct Loading<'a> {
    settings: &'a OpenCodeOptions,
    loaded: Loaded,
    /// Of the skills, by their names.
    places: HashMap<String, usize>,
}

impl Loading<'_> {
    fn folder(&mut self, folder: &Folder, with_hidden: bool, around: &Ignored) {
        match folder.files().find(|file| file.name == MANIFEST) {
            Some(file) => self.skill(folder, file, around),
            None => self.loaded.skip_miscased(folder),
        }
        let ignored = around.inside(folder);
        for inner in folder.folders() {
            if inner.name.starts_with('.') && !with_hidden {
                self.loaded.skip_in(inner, &HIDDEN.into());
                self.loaded.skip_below(inner, &HIDDEN.into());
                continue;
            }
            if let Some(reason) = not_entered(inner) {
                self.loaded.skip(inner.path.as_str(), reason);
            }
            self.folder(inner, with_hidden, &ignored);
        }
    }

    fn skill(&mut self, folder: &Folder, file: &File, around: &Ignored) {
        let Some(source) = &file.source else {
            return self.loaded.skip(file.path.as_str(), reasons::unread(file));
        };
        match frontmatter::parse(source) {
            Ok(parsed) => self.offer(folder, parsed, source, around),
            Err(unread) => self.loaded.skip(file.path.as_str(), reason(unread)),
        }
    }

    fn offer(&mut self, folder: &Folder, parsed: Parsed, source: &SourceText, around: &Ignored) {
        if parsed.name == "__proto__" {
            return self.loaded.skip(source.path.as_str(), NO_KEY);
        }
        let action = permission::action(&parsed.name, &self.settings.permission);
        let files = ignored::listed(folder, around, MANIFEST);
        quirks::of_skill(&parsed, action, files.len(), source, &mut self.loaded.quirks);
        let skill = skill(folder, parsed, files);
        let Some(&place) = self.places.get(&skill.name) else {
            self.places.insert(skill.name.clone(), self.loaded.skills.len());
            return self.loaded.skills.push(skill);
        };
        let hidden = std::mem::replace(&mut self.loaded.skills[place], skill);
        let (now, before) = (self.loaded.skills[place].manifest(), hidden.manifest());
        self.loaded.log.push(format!(
            "level=WARN message=\"duplicate skill name\" name={} existing={before} duplicate={now}",
            logged(&hidden.name)
        ));
        quirks::of_twins(&hidden.name, &before, &now, &mut self.loaded.quirks);
        let reason = message!(
            "{now} has the same name; which of them OpenCode loads is random",
            "{now} 同名；OpenCode 加载哪一个全凭偶然"
        );
        self.loaded.skip(before, reason);
    }
}

/// As logfmt writes a value.
fn logged(name: &str) -> String {
    if name.contains([' ', '"', '=']) { format!("{name:?}") } else { name.to_owned() }
}

fn reason(unread: Unread) -> Message {
    let reason = match unread {
        Unread::NotYaml => Wording::new(
            "the frontmatter is not valid YAML, also after OpenCode's repair",
            "前置元数据不是有效的 YAML，OpenCode 修复后仍然如此",
        ),
        Unread::Ours(what) => return reasons::not_read(&what.into()),
        Unread::NoName => {
            Wording::new("the frontmatter has no `name` that is a text", "前置元数据中没有文本形式的 `name`")
        }
        Unread::NoText => Wording::new("the `description` is not a text", "`description` 不是文本"),
    };
    reason.into()
}

fn skill(folder: &Folder, parsed: Parsed, files: Vec<Utf8PathBuf>) -> CatalogSkill {
    let (scripts, resources) = scripts_and_others(folder, |file| file.kind != FileKind::Manifest);
    let is_described = parsed.description.is_some();
    let detail = Detail { content: parsed.content, is_described, folder: folder.path.clone(), files };
    CatalogSkill {
        id: parsed.name.clone(),
        content: loaded_text(&parsed.name, &detail).text,
        name: parsed.name,
        description: parsed.description.unwrap_or_default(),
        path: Some(folder.path.clone()),
        resources,
        scripts,
        detail: AnyDetail::OpenCode(detail),
    }
}
