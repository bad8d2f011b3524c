//! Which files are skills: each `SKILL.md` at most six folders below a root, also inside of other skills. Linked folders are
//! followed, linked files and hidden folders are not. All of them are kept: two of one name are two lines of the list.
//!
//! An opened folder that has `.codex/skills` or `.agents/skills` in it is a project, or the home folder if the option `home`
//! names it. One that has neither is a folder of skills, as the `.agents/skills` of a project.

use std::collections::{HashMap, HashSet};

use camino::{Utf8Path, Utf8PathBuf};

use super::frontmatter::{self, Matter};
use super::{Detail, MANIFEST, Scope, policy, quirks};
use crate::paths;
use crate::reasons::{self, Refusal};
use crate::{CatalogSkill, Detail as AnyDetail, Loaded, Options, Quirk, QuirkKind, not_entered, scripts_and_others};
use skill::source::{SourceText, Span};
use skill::{Folder, Root, SkillSet};
use wording::{Message, Wording, message};

/// What Codex loads of the folders, and why it leaves out the rest. It knows no inline skills.
pub fn load(found: &SkillSet, options: &Options) -> Loaded {
    let settings = &options.settings.codex;
    let mut loading = Loading::default();
    for skill in &options.inline_skills {
        loading.loaded.skip(&skill.name, reasons::FOLDERS_ONLY);
    }
    let home = settings.home.as_deref().map(Utf8Path::new);
    let mut places: Vec<Place> = found.roots.iter().flat_map(|root| places(root, home)).collect();
    places.sort_by_key(|place| (place.order, place.depth));
    let roots: HashSet<&Utf8Path> = places.iter().map(|place| &*place.folder.path).collect();
    for (rank, place) in places.iter().enumerate() {
        loading.place(place, rank, &roots);
    }
    let is_root = |folder: &Folder| roots.contains(&*folder.path);
    for root in found.roots.iter().filter(|root| !roots.contains(&*root.path)) {
        loading.loaded.skip_all(&root.tree, &is_root, &ELSEWHERE.into());
    }
    let Loading { mut loaded, mut skills, .. } = loading;
    skills.sort_by(|(a, of_a), (b, of_b)| {
        of_a.scope.cmp(&of_b.scope).then_with(|| a.name.cmp(&b.name)).then_with(|| of_a.file.cmp(&of_b.file))
    });
    let known = |(skill, detail): (CatalogSkill, Detail)| CatalogSkill { detail: AnyDetail::Codex(detail), ..skill };
    loaded.skills = skills.into_iter().map(known).collect();
    quirks::of_list(&mut loaded, settings);
    loaded
}

const ELSEWHERE: Wording = Wording::new(
    "lies outside of .agents/skills and .codex/skills, where Codex looks",
    "不在 Codex 查找的 .agents/skills 和 .codex/skills 中",
);
const HIDDEN: Wording = Wording::new("lies in a folder whose name begins with a dot", "位于名称以点开头的文件夹中");
const TOO_DEEP: Wording =
    Wording::new("lies more than six folders below the folder of skills", "位于技能文件夹之下六层以上的位置");
const TOO_MANY: Wording = Wording::new(
    "lies in a folder that is not entered: Codex enters 2000 folders below a folder of skills",
    "所在文件夹不会被查看：Codex 在一个技能文件夹之下最多查看 2000 个文件夹",
);
const SYSTEM_LINK: Wording = Wording::new(
    "the folder is a link, which Codex does not follow among its own skills",
    "该文件夹是链接，Codex 不会在自带的技能中跟随链接",
);
const LINKED_FILE: Wording = Wording::new(
    "the file is a link; Codex follows links to folders only",
    "该文件是链接；Codex 只跟随指向文件夹的链接",
);

/// A folder of skills that the client looks into.
struct Place<'a> {
    scope: Scope,
    folder: &'a Folder,
    /// Its kind's place in the order in which the client looks.
    order: u8,
    /// How many folders lead to it: those around a project come before it.
    depth: usize,
}

/// What an opened folder has for the client.
fn places<'a>(root: &'a Root, home: Option<&Utf8Path>) -> Vec<Place<'a>> {
    let tree = &root.tree;
    let is_user = home.is_some_and(|home| {
        root.path == home || [CODEX, AGENTS].iter().any(|client| root.path.starts_with(home.join(client)))
    });
    let child = |folder: &'a Folder, name: &str| folder.folders().find(|inner| inner.name == name);
    let client = |name: &str| {
        if root.path.ends_with(Utf8Path::new(name).join(SKILLS)) {
            return Some(tree);
        }
        let folder = if tree.name == name { Some(tree) } else { child(tree, name) };
        child(folder?, SKILLS)
    };
    let place = |folder, scope, order| Place { scope, folder, order, depth: root.path.components().count() };
    if root.path == ADMIN {
        return vec![place(tree, Scope::Admin, 4)];
    }
    let (codex, agents) = (client(CODEX), client(AGENTS));
    let mut found = Vec::new();
    match (codex, is_user) {
        (Some(folder), true) => {
            found.push(place(folder, Scope::User, 1));
            found.extend(child(folder, SYSTEM).map(|system| place(system, Scope::System, 3)));
        }
        (Some(folder), false) => found.push(place(folder, Scope::Repo, 0)),
        (None, _) => {}
    }
    let agents = agents.or(if codex.is_none() { Some(tree) } else { None });
    if let Some(folder) = agents {
        found.push(if is_user { place(folder, Scope::User, 2) } else { place(folder, Scope::Repo, 5) });
    }
    found
}

const CODEX: &str = ".codex";
const AGENTS: &str = ".agents";
const SKILLS: &str = "skills";
const SYSTEM: &str = ".system";
const ADMIN: &str = "/etc/codex/skills";

/// Folders below a root that are entered.
const FOLDERS: usize = 2000;
/// Folders inside each other below a root.
const DEPTH: usize = 6;

#[derive(Default)]
struct Loading {
    loaded: Loaded,
    skills: Vec<(CatalogSkill, Detail)>,
    /// Files that are known, by their real paths.
    files: HashMap<Utf8PathBuf, Utf8PathBuf>,
}

impl Loading {
    /// One level after the other.
    fn place(&mut self, place: &Place, rank: usize, roots: &HashSet<&Utf8Path>) {
        let lies = match &place.folder.link {
            Some(link) => linked(place.folder.path.parent().unwrap_or(Utf8Path::new("/")), &link.target),
            None => place.folder.path.clone(),
        };
        let mut known = HashSet::from([lies.clone()]);
        let mut level = vec![(place.folder, lies)];
        for depth in 0..=DEPTH {
            for (folder, lies) in std::mem::take(&mut level) {
                self.files(place, rank, folder, &lies);
                for inner in folder.folders() {
                    if roots.contains(&*inner.path) {
                        continue;
                    }
                    if let Some(reason) = not_entered(inner).filter(|_| !inner.name.starts_with('.')) {
                        self.loaded.skip(inner.path.as_str(), reason);
                    }
                    let really = match &inner.link {
                        Some(link) => linked(&lies, &link.target),
                        None => lies.join(&inner.name),
                    };
                    let reason = if inner.name.starts_with('.') {
                        Some(HIDDEN)
                    } else if inner.link.is_some() && place.scope == Scope::System {
                        Some(SYSTEM_LINK)
                    } else if depth == DEPTH {
                        Some(TOO_DEEP)
                    } else if known.len() >= FOLDERS && !known.contains(&really) {
                        Some(TOO_MANY)
                    } else {
                        None
                    };
                    match reason {
                        Some(reason) => {
                            let is_root = |folder: &Folder| roots.contains(&*folder.path);
                            self.loaded.skip_all(inner, &is_root, &reason.into());
                        }
                        None if known.insert(really.clone()) => level.push((inner, really)),
                        None => self.again(inner, &really),
                    }
                }
            }
        }
    }

    /// A folder that was entered already, by another way.
    fn again(&mut self, folder: &Folder, lies: &Utf8Path) {
        self.loaded.skip_in(folder, &same_file(&lies.join(MANIFEST)));
    }

    fn files(&mut self, place: &Place, rank: usize, folder: &Folder, lies: &Utf8Path) {
        let Some(file) = folder.files().find(|file| file.name == MANIFEST) else {
            self.loaded.skip_miscased(folder);
            return;
        };
        if file.link.is_some() {
            return self.loaded.skip(file.path.as_str(), LINKED_FILE);
        }
        let Some(source) = file.source.as_deref() else {
            return self.loaded.skip(file.path.as_str(), reasons::UNREADABLE);
        };
        if let Some(other) = self.files.get(&lies.join(MANIFEST)) {
            return self.loaded.skip(file.path.as_str(), same_file(other));
        }
        match read(source, folder) {
            Ok(matter) => self.keep(place, rank, folder, lies, source, matter),
            Err(refusal) => {
                if source.bom {
                    self.mark(source);
                }
                self.loaded.skip(file.path.as_str(), refusal.message());
            }
        }
    }

    fn mark(&mut self, source: &SourceText) {
        self.loaded.quirks.push(Quirk {
            kind: QuirkKind::ByteOrderMark,
            skill: None,
            path: Some(source.path.clone()),
            span: Some(Span::new(0, 0)),
            detail: String::new(),
        });
    }

    fn keep(
        &mut self,
        place: &Place,
        rank: usize,
        folder: &Folder,
        lies: &Utf8Path,
        source: &SourceText,
        matter: Matter,
    ) {
        let file = lies.join(MANIFEST);
        self.files.insert(file.clone(), source.path.clone());
        let policy = policy::file(folder).and_then(|file| file.source.as_deref());
        let within = folder.path.strip_prefix(&place.folder.path).unwrap_or(&folder.path).join(MANIFEST);
        let name = matter.name.clone().unwrap_or_else(|| of_folder(folder));
        let (scripts, resources) = scripts_and_others(folder, |file| file.name != MANIFEST);
        let skill = CatalogSkill {
            id: name.clone(),
            name,
            description: matter.description,
            path: Some(folder.path.clone()),
            content: source.text.clone(),
            resources,
            scripts,
            detail: AnyDetail::None,
        };
        let detail = Detail {
            scope: place.scope,
            root: place.folder.path.clone(),
            rank,
            within: within.as_str().replace('\\', "/"),
            file,
            in_list: policy.is_none_or(policy::allows_implicit_use),
            short_description: matter.short_description,
        };
        if source.text[matter.body..].trim().is_empty() {
            self.loaded.quirks.push(Quirk {
                kind: QuirkKind::NoInstructions,
                skill: Some(skill.id.clone()),
                path: Some(source.path.clone()),
                span: None,
                detail: String::new(),
            });
        }
        if !detail.in_list {
            self.loaded.quirks.push(Quirk {
                kind: QuirkKind::NotListed,
                skill: Some(skill.id.clone()),
                path: policy.map(|policy| policy.path.clone()),
                span: None,
                detail: "allow_implicit_invocation".to_owned(),
            });
        }
        self.skills.push((skill, detail));
    }
}

fn read(source: &SourceText, folder: &Folder) -> Result<Matter, Refusal> {
    if let Some(at) = source.invalid_at {
        // The text marks invalid bytes but not their number: one, unless the file ends within a character.
        let problem = match source.text.ends_with(UNREADABLE) && source.text.matches(UNREADABLE).count() == 1 {
            true => "incomplete utf-8 byte sequence",
            false => "invalid utf-8 sequence of 1 bytes",
        };
        return Err(format!("failed to read file: {problem} from index {at}").into());
    }
    // The mark is a letter before the hyphens.
    let text = if source.bom { "" } else { &*source.text };
    frontmatter::read(text, &of_folder(folder))
}

const UNREADABLE: char = char::REPLACEMENT_CHARACTER;

/// The name of a skill that says none.
fn of_folder(folder: &Folder) -> String {
    let name = frontmatter::one_line(&folder.name);
    if name.is_empty() { "skill".to_owned() } else { name }
}

/// Where a link leads, as far as its text tells.
fn linked(around: &Utf8Path, target: &Utf8Path) -> Utf8PathBuf {
    paths::plain(&around.join(target))
}

fn same_file(other: &Utf8Path) -> Message {
    message!("is the same file as {other}", "与 {other} 是同一个文件")
}
