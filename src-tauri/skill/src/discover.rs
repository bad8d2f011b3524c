//! Reads folders of skills into trees. Everything is listed; `SKILL.md` files are read, and the few other files that
//! clients read with them. Links are followed and marked as such, so that a harness may ignore them. `.git` is listed
//! and not entered. Of `node_modules`, which holds thousands of files, only folders of skills are kept, since some
//! clients load these; a very large one is not entered.
//!
//! Anybody can put a link into a folder of skills. So links out of the folders that the user opened or trusts are not
//! followed, and neither are links to the system's folders or to a folder around the opened one. There is a separate
//! limit for what links to trusted places bring in.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use camino::{Utf8Path, Utf8PathBuf};

use super::files::manifest_of;
use super::listing::{self, Found, Listed, Listing, Thing};
use super::manifest::FILE_NAME;
use super::{Entry, File, Folder, Link, Problem, ProblemKind, Root, Seen, SkillSet, in_parallel};
use crate::source::{SourceText, is_of_the_system};

/// Folders inside each other below a root.
pub const DEPTH_LIMIT: usize = 32;
/// Files and folders below one root.
pub const ENTRY_LIMIT: usize = 100_000;

/// Files and folders below one root that only links to trusted places lead to.
pub const OUTSIDE_LIMIT: usize = 2_000;

/// Is listed and not entered.
pub const GIT: &str = ".git";
/// What npm installs: of it, folders of skills are kept.
pub const MODULES: &str = "node_modules";
/// Files and folders that are looked through for skills in one folder of this name.
pub const MODULES_LIMIT: usize = 5_000;

/// Reads everything below the roots, and nothing outside of them. A root given twice is read once.
pub fn load(roots: &[Utf8PathBuf]) -> SkillSet {
    load_trusting(roots, &[])
}

/// The same, following links to places that the user trusts, too. `trusted`: their real paths.
pub fn load_trusting(roots: &[Utf8PathBuf], trusted: &[Utf8PathBuf]) -> SkillSet {
    load_from(&Means { read: Some(&SourceText::read), trusted, ..Means::listed_by(&listing::list) }, roots)
}

/// As [`load`], without the texts of `SKILL.md` files: for so many skills that their texts had better not be held at once,
/// and that all cores had better list their folders.
pub fn survey(roots: &[Utf8PathBuf]) -> SkillSet {
    survey_trusting(roots, &[])
}

/// As [`survey`], with what [`load_trusting`] reads.
pub fn survey_trusting(roots: &[Utf8PathBuf], trusted: &[Utf8PathBuf]) -> SkillSet {
    let ahead: HashMap<Utf8PathBuf, io::Result<Listing>> =
        roots.iter().flat_map(|root| listed_ahead(absolute(root))).collect();
    let ahead = RefCell::new(ahead);
    let list = |folder: &Utf8Path, room| match ahead.borrow_mut().remove(folder) {
        Some(Ok(listing)) if listing.entries.len() > room => listing::list(folder, room),
        Some(listing) => listing,
        None => listing::list(folder, room),
    };
    load_from(&Means { trusted, ..Means::listed_by(&list) }, roots)
}

/// Listings of the folders that a walk from `root` will most likely enter.
fn listed_ahead(root: Utf8PathBuf) -> Vec<(Utf8PathBuf, io::Result<Listing>)> {
    let mut listed = Vec::new();
    let entries = AtomicUsize::new(0);
    let mut level = vec![root];
    for _ in 0..=DEPTH_LIMIT {
        let listings = in_parallel(level.len(), |number| {
            let room = ENTRY_LIMIT.checked_sub(entries.load(Ordering::Relaxed))?;
            let listing = listing::list(&level[number], room);
            entries.fetch_add(listing.as_ref().map_or(0, |listing| listing.entries.len()), Ordering::Relaxed);
            // One that was cut is listed again, by who knows how much room there is.
            Some(listing).filter(|listing| !listing.as_ref().is_ok_and(|listing| listing.more))
        });
        let mut below = Vec::new();
        for (folder, listing) in level.into_iter().zip(listings) {
            let Some(listing) = listing else { continue };
            let found = listing.iter().flat_map(|listing| &listing.entries);
            let entered = found.filter(|entry| {
                matches!(entry.found, Ok(Found::Thing(Thing::Folder(_))))
                    && ![GIT, MODULES].contains(&entry.name.as_str())
            });
            let entered = entered.map(|entry| folder.join(&entry.name));
            below.extend(entered.filter(|folder| !is_of_the_system(folder.as_std_path())));
            listed.push((folder, listing));
        }
        level = below;
    }
    listed
}

/// Reads a `SKILL.md`, as [`load`] does.
pub(super) fn read(path: &Utf8Path, read: Read<'_>) -> Result<Arc<SourceText>, Problem> {
    read(path).map(Arc::new).map_err(|error| Problem { kind: unreadable(&error), path: path.to_owned(), span: None })
}

/// Whether it is what [`read`] says of a file.
pub(super) fn is_of_reading(problem: &Problem, path: &Utf8Path) -> bool {
    let is_kind = matches!(problem.kind, ProblemKind::Vanished | ProblemKind::FileUnreadable { .. });
    is_kind && problem.path == path
}

type Read<'a> = &'a dyn Fn(&Utf8Path) -> io::Result<SourceText>;

/// How the walk reaches the disk; tests use one that fails when they want.
struct Means<'a> {
    list: &'a dyn Fn(&Utf8Path, usize) -> io::Result<Listing>,
    /// `None`: nothing is read.
    read: Option<Read<'a>>,
    /// Places outside of the roots that links may lead to.
    trusted: &'a [Utf8PathBuf],
    entry_limit: usize,
    outside_limit: usize,
    modules_limit: usize,
}

impl<'a> Means<'a> {
    /// Which reads nothing.
    fn listed_by(list: &'a dyn Fn(&Utf8Path, usize) -> io::Result<Listing>) -> Self {
        Self {
            list,
            read: None,
            trusted: &[],
            entry_limit: ENTRY_LIMIT,
            outside_limit: OUTSIDE_LIMIT,
            modules_limit: MODULES_LIMIT,
        }
    }
}

fn load_from(disk: &Means<'_>, roots: &[Utf8PathBuf]) -> SkillSet {
    let mut set = SkillSet::default();
    let opened: Vec<PathBuf> = roots.iter().map(|path| real(&absolute(path))).collect();
    for path in roots.iter().map(|path| absolute(path)) {
        if set.roots.iter().any(|root| root.path == path) {
            continue;
        }
        let mut walk = Walk {
            disk,
            opened: &opened,
            problems: Vec::new(),
            entries: 0,
            full: false,
            outside: None,
            outside_entries: 0,
            modules: None,
            above: Vec::new(),
        };
        let tree = walk.root(&path);
        set.problems.append(&mut walk.problems);
        if tree.listed && !holds_skill(&tree) {
            set.problems.push(Problem { kind: ProblemKind::NoSkills, path: path.clone(), span: None });
        }
        set.roots.push(Root { path, tree });
    }
    set
}

/// Whether the text of a file with this name is read with its folder.
pub(super) fn is_read(folder: &Utf8Path, name: &str) -> bool {
    name.eq_ignore_ascii_case(FILE_NAME) || is_of_a_client(folder, name)
}

/// Whether a client reads this file as it reads a `SKILL.md`: a command of the user, what a skill says to one client, and what says
/// which skills, files and folders count.
fn is_of_a_client(folder: &Utf8Path, name: &str) -> bool {
    let is_command = folder.ends_with(COMMANDS) && Utf8Path::new(name).extension() == Some("md");
    let is_told_apart = folder.ends_with("agents") && name == "openai.yaml";
    let is_settings = folder.ends_with(".gemini") && name == "settings.json";
    is_command || is_told_apart || is_settings || EXTENSION.contains(&name) || IGNORING.contains(&name)
}

/// Files that say that a folder is a client's extension with skills, where it really is, and which skills are switched
/// off.
const EXTENSION: [&str; 3] = ["gemini-extension.json", ".gemini-extension-install.json", "extension-enablement.json"];
/// Files of a skill that clients do not list.
const IGNORING: [&str; 3] = [".gitignore", ".ignore", ".rgignore"];

const COMMANDS: &str = ".claude/commands";

/// The path from the file system's root, without `.` and a slash at the end.
fn absolute(path: &Utf8Path) -> Utf8PathBuf {
    camino::absolute_utf8(path).unwrap_or_else(|_| path.to_owned()).components().collect()
}

/// The path without links, if it has one.
fn real(path: &Utf8Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.as_std_path().to_owned())
}

fn holds_skill(folder: &Folder) -> bool {
    manifest_of(folder).is_some() || folder.folders().any(holds_skill)
}

/// Removes everything that is not a skill or on the way to one; returns whether a skill is left.
fn keep_skills(folder: &mut Folder) -> bool {
    if manifest_of(folder).is_some() {
        return true;
    }
    folder.entries.retain_mut(|entry| match entry {
        Entry::Folder(inner) => keep_skills(inner),
        Entry::File(file) => IGNORING.contains(&file.name.as_str()),
    });
    folder.folders().next().is_some()
}

/// Whether a path is in a `node_modules` below an opened folder. If the user opened `node_modules` itself, its contents
/// count as the user's.
pub(super) fn is_installed(path: &Utf8Path, root: &Utf8Path) -> bool {
    path.strip_prefix(root).is_ok_and(|below| below.components().any(|part| part.as_str() == MODULES))
}

/// Whether a place is in a folder with a skill.
fn is_of_skill(folder: &Folder, path: &Utf8Path) -> bool {
    let is_in = |folder: &Folder| path.starts_with(&folder.path);
    (manifest_of(folder).is_some() && is_in(folder)) || folder.folders().any(|inner| is_of_skill(inner, path))
}

fn count(folder: &Folder) -> usize {
    folder.entries.len() + folder.folders().map(count).sum::<usize>()
}

/// The walk below one root.
struct Walk<'a> {
    disk: &'a Means<'a>,
    /// All roots, by their real paths.
    opened: &'a [PathBuf],
    problems: Vec<Problem>,
    entries: usize,
    full: bool,
    /// The link to a trusted place by which the walk came here.
    outside: Option<Utf8PathBuf>,
    /// Found behind such links.
    outside_entries: usize,
    /// In a folder of what npm installs: how many files and folders may still be looked through there.
    modules: Option<usize>,
    /// The folders being walked, outermost first, by their real paths.
    above: Vec<PathBuf>,
}

impl Walk<'_> {
    fn root(&mut self, path: &Utf8Path) -> Folder {
        let name = path.file_name().unwrap_or(path.as_str()).to_owned();
        let folder = Folder { name, path: path.to_owned(), link: None, listed: false, entries: Vec::new() };
        self.enter(folder, real(path), |error| match error.kind() {
            io::ErrorKind::NotFound => ProblemKind::RootMissing,
            io::ErrorKind::NotADirectory => ProblemKind::RootNotFolder,
            _ => ProblemKind::FolderUnreadable { reason: wording::why(error) },
        })
    }

    fn folder(&mut self, name: String, path: Utf8PathBuf, link: Option<Link>, real: PathBuf) -> Folder {
        let folder = Folder { name, path, link, listed: false, entries: Vec::new() };
        if self.full || folder.name == GIT || self.modules == Some(0) {
            return folder;
        }
        if folder.name == MODULES && self.modules.is_none() {
            return self.modules(folder, real);
        }
        self.further(folder, real)
    }

    /// A folder that npm installed. Only problems of its skills are reported, and entries that are not kept do not
    /// count.
    fn modules(&mut self, folder: Folder, real: PathBuf) -> Folder {
        let (problems, entries) = (self.problems.len(), self.entries);
        self.modules = Some(self.disk.modules_limit);
        let mut folder = self.further(folder, real);
        let is_whole = self.modules.take() != Some(0);
        if is_whole && !self.full {
            keep_skills(&mut folder);
        } else {
            folder.entries.clear();
            folder.listed = false;
        }
        if !self.full {
            self.entries = entries + count(&folder);
            let found = self.problems.split_off(problems);
            self.problems.extend(found.into_iter().filter(|problem| is_of_skill(&folder, &problem.path)));
        }
        folder
    }

    fn further(&mut self, folder: Folder, real: PathBuf) -> Folder {
        if self.above.contains(&real) {
            self.report(&folder.path, ProblemKind::LinkLoop);
            return folder;
        }
        let is_opened = self.opened.iter().any(|root| real.starts_with(root));
        if !is_opened {
            if self.is_never_entered(&real) {
                let target = real.to_string_lossy().into_owned();
                self.report(&folder.path, ProblemKind::NotEntered { target });
                return folder;
            }
            if self.outside_entries >= self.disk.outside_limit {
                self.report_outside(&folder.path);
                return folder;
            }
        }
        if self.above.len() > DEPTH_LIMIT {
            self.report(&folder.path, ProblemKind::TooDeep { limit: DEPTH_LIMIT });
            return folder;
        }
        let outside = if is_opened { None } else { self.outside.clone().or_else(|| Some(folder.path.clone())) };
        let around = std::mem::replace(&mut self.outside, outside);
        let entered = self.enter(folder, real, |error| match error.kind() {
            io::ErrorKind::NotFound => ProblemKind::Vanished,
            _ => ProblemKind::FolderUnreadable { reason: wording::why(error) },
        });
        self.outside = around;
        entered
    }

    fn enter(&mut self, mut folder: Folder, real: PathBuf, problem: fn(&io::Error) -> ProblemKind) -> Folder {
        let (limit, found) = match self.outside {
            Some(_) => (self.disk.outside_limit, self.outside_entries),
            None => (self.disk.entry_limit, self.entries),
        };
        let room = (limit - found).min(self.disk.entry_limit - self.entries);
        let room = self.modules.map_or(room, |modules| modules.min(room));
        let listing = match (self.disk.list)(&folder.path, room) {
            Ok(listing) => listing,
            Err(error) => {
                self.report(&folder.path, problem(&error));
                return folder;
            }
        };
        for shown in listing.unreadable_names {
            self.report(&folder.path, ProblemKind::NameNotUtf8 { shown });
        }
        self.entries += listing.entries.len();
        if let Some(modules) = &mut self.modules {
            *modules = if listing.more { 0 } else { *modules - listing.entries.len() };
        }
        if self.outside.is_some() {
            self.outside_entries += listing.entries.len();
            if listing.more {
                self.report_outside(&folder.path);
            }
        }
        if listing.more && self.entries >= self.disk.entry_limit {
            self.full = true;
            self.report(&folder.path, ProblemKind::TooMany { limit: self.disk.entry_limit });
        }
        self.above.push(real);
        folder.entries = listing.entries.into_iter().filter_map(|listed| self.entry(&folder.path, listed)).collect();
        // Of many folders only few hold as many entries as a list has room for.
        folder.entries.shrink_to_fit();
        self.above.pop();
        folder.listed = !listing.more;
        folder
    }

    /// `None` if nothing is known about the entry except that it existed.
    fn entry(&mut self, folder: &Utf8Path, listed: Listed) -> Option<Entry> {
        let Listed { name, found } = listed;
        let path = folder.join(&name);
        let (link, thing) = match found {
            Ok(Found::Thing(thing)) => (None, thing),
            Ok(Found::Link { target, to: Ok((real, thing)) }) if self.leads_out(&real, &thing) => {
                self.report(&path, ProblemKind::LinkOutside { target: real.to_string_lossy().into_owned() });
                // A name in the folder reveals nothing about places elsewhere, so frameworks may see that there is a
                // file.
                let broken = matches!(thing, Thing::Folder(_));
                (Some(Link { target, broken, outside: true }), Thing::File(0, Seen::default()))
            }
            Ok(Found::Link { target, to }) => {
                let broken = to.is_err();
                let thing = to.map(|(_, thing)| thing).unwrap_or_else(|error| {
                    self.report_link(&path, &target, &error);
                    Thing::File(0, Seen::default())
                });
                (Some(Link { target, broken, outside: false }), thing)
            }
            Err(error) => {
                self.report_file(&path, &error);
                return None;
            }
        };
        Some(match thing {
            Thing::Folder(real) => {
                // Below a link the listing has the path of the link.
                let inner = self.above.last().filter(|_| link.is_none()).map(|above| above.join(&name));
                Entry::Folder(self.folder(name, path, link, inner.unwrap_or(real)))
            }
            file @ (Thing::File(..) | Thing::Special) => {
                let (size, seen, is_regular) = match file {
                    Thing::File(size, seen) => (size, seen, true),
                    Thing::Folder(_) | Thing::Special => (0, Seen::default(), false),
                };
                let readable = link.as_ref().is_none_or(|link| !link.broken && !link.outside);
                let source = if readable && is_read(folder, &name) { self.source(&path) } else { None };
                Entry::File(File { name, path, size, is_regular, link, seen, source })
            }
        })
    }

    fn source(&mut self, path: &Utf8Path) -> Option<Arc<SourceText>> {
        match read(path, self.disk.read?) {
            Ok(source) => Some(source),
            Err(problem) => {
                self.problems.push(problem);
                None
            }
        }
    }

    /// Whether a link to this place is not followed before the user trusts it. [`Walk::folder`] reports folders that
    /// are never entered.
    fn leads_out(&self, real: &Path, thing: &Thing) -> bool {
        let is_open = self.opened.iter().any(|root| real.starts_with(root))
            || self.disk.trusted.iter().any(|place| real.starts_with(place));
        let is_told = matches!(thing, Thing::Folder(_)) && self.is_never_entered(real);
        !is_told && (!is_open || is_of_the_system(real))
    }

    /// A folder around the roots, or one of the system.
    fn is_never_entered(&self, real: &Path) -> bool {
        is_of_the_system(real) || self.opened.iter().any(|root| root.starts_with(real))
    }

    /// Said once of each link out of the roots: not all behind it was listed.
    fn report_outside(&mut self, folder: &Utf8Path) {
        let link = self.outside.clone().unwrap_or_else(|| folder.to_owned());
        let kind = ProblemKind::TooMany { limit: self.disk.outside_limit };
        if !self.problems.iter().any(|problem| problem.path == link && problem.kind == kind) {
            self.report(&link, kind);
        }
    }

    fn report_file(&mut self, path: &Utf8Path, error: &io::Error) {
        self.report(path, unreadable(error));
    }

    fn report_link(&mut self, path: &Utf8Path, target: &Utf8Path, error: &io::Error) {
        let kind = match error.kind() {
            io::ErrorKind::PermissionDenied => ProblemKind::FileUnreadable { reason: wording::why(error) },
            _ => ProblemKind::LinkBroken { target: target.to_string() },
        };
        self.report(path, kind);
    }

    fn report(&mut self, path: &Utf8Path, kind: ProblemKind) {
        self.problems.push(Problem { kind, path: path.to_owned(), span: None });
    }
}

fn unreadable(error: &io::Error) -> ProblemKind {
    match error.kind() {
        io::ErrorKind::NotFound => ProblemKind::Vanished,
        _ => ProblemKind::FileUnreadable { reason: wording::why(error) },
    }
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    const GOOD: &str = "---\nname: a\ndescription: b\n---\nc\n";

    /// A folder with these files, and its path.
    fn root(files: &[&str]) -> (TempDir, Utf8PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::try_from(folder.path().canonicalize().unwrap()).unwrap();
        for file in files {
            let file = path.join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, GOOD).unwrap();
        }
        (folder, path)
    }

    /// The tree as lines: `name/` a folder, `name!` one that was not listed, `name@` a link, `name*` a file that was read.
    fn outline(set: &SkillSet) -> Vec<String> {
        fn add(folder: &Folder, prefix: &str, out: &mut Vec<String>) {
            for entry in &folder.entries {
                match entry {
                    Entry::Folder(inner) => {
                        let name = format!("{prefix}{}", inner.name);
                        let link = if inner.link.is_some() { "@" } else { "" };
                        out.push(format!("{name}{link}{}", if inner.listed { "/" } else { "!" }));
                        add(inner, &format!("{name}/"), out);
                    }
                    Entry::File(file) => {
                        let link = if file.link.is_some() { "@" } else { "" };
                        let read = if file.source.is_some() { "*" } else { "" };
                        out.push(format!("{prefix}{}{link}{read}", file.name));
                    }
                }
            }
        }
        let mut out = Vec::new();
        for root in &set.roots {
            add(&root.tree, "", &mut out);
        }
        out
    }

    /// Each problem's place below the root, and its text.
    fn problems(set: &SkillSet, root: &Utf8Path) -> Vec<(String, String)> {
        let place = |path: &Utf8Path| path.strip_prefix(root).unwrap_or(path).to_string();
        set.problems.iter().map(|problem| (place(&problem.path), problem.kind.to_string())).collect()
    }

    fn problem(place: &str, text: &str) -> (String, String) {
        (place.to_owned(), text.to_owned())
    }

    #[test]
    fn lists_everything_sorted_by_bytes_and_reads_manifests() {
        let (_folder, path) = root(&["b/SKILL.md", "B/skill.MD", "b/x/SKILL.md", "README.md", "中/SKILL.md"]);
        fs::create_dir_all(path.join(".git/objects")).unwrap();
        fs::create_dir_all(path.join(".git/hooks")).unwrap();
        let set = load(std::slice::from_ref(&path));
        let expected = [
            ".git!",
            "B/",
            "B/skill.MD*",
            "README.md",
            "b/",
            "b/SKILL.md*",
            "b/x/",
            "b/x/SKILL.md*",
            "中/",
            "中/SKILL.md*",
        ];
        assert_eq!(outline(&set), expected);
        assert_eq!(set.problems, []);
        assert_eq!(set.roots[0].tree.name, path.file_name().unwrap());
    }

    #[test]
    fn of_what_npm_installs_folders_of_skills_are_kept() {
        let modules =
            ["p/skills/a/SKILL.md", "p/skills/a/x.md", "p/index.js", "p/.gitignore", "q/index.js", "q/z/y.js"];
        let files = modules.map(|file| format!("own/node_modules/{file}"));
        let mut files: Vec<&str> = files.iter().map(String::as_str).collect();
        files.extend(["own/SKILL.md", "none/node_modules/r/x.js"]);
        let (_folder, path) = root(&files);
        let expected = [
            "none/",
            "none/node_modules/",
            "own/",
            "own/SKILL.md*",
            "own/node_modules/",
            "own/node_modules/p/",
            "own/node_modules/p/.gitignore*",
            "own/node_modules/p/skills/",
            "own/node_modules/p/skills/a/",
            "own/node_modules/p/skills/a/SKILL.md*",
            "own/node_modules/p/skills/a/x.md",
        ];
        assert_eq!(outline(&load(std::slice::from_ref(&path))), expected);
        let surveyed: Vec<String> = outline(&survey(std::slice::from_ref(&path)));
        assert_eq!(surveyed, expected.map(|line| line.trim_end_matches('*')), "the same without texts");
    }

    #[cfg(unix)]
    #[test]
    fn what_npm_installs_is_not_entered_if_it_is_much_and_its_links_are_no_problems() {
        use std::os::unix::fs::symlink;
        let (_folder, path) = root(&["own/SKILL.md", "own/node_modules/p/SKILL.md", "z/SKILL.md"]);
        fs::create_dir_all(path.join("own/node_modules/.bin")).unwrap();
        symlink("/nowhere", path.join("own/node_modules/.bin/tool")).unwrap();
        let most = |modules_limit| Means { modules_limit, ..Means::listed_by(&listing::list) };
        let set = load_from(&most(5), std::slice::from_ref(&path));
        assert_eq!(problems(&set, &path), []);
        assert!(outline(&set).contains(&"own/node_modules/p/SKILL.md".to_owned()), "{:?}", outline(&set));
        for limit in [1, 3] {
            let set = load_from(&most(limit), std::slice::from_ref(&path));
            assert_eq!(outline(&set), ["own/", "own/SKILL.md", "own/node_modules!", "z/", "z/SKILL.md"], "{limit}");
            assert_eq!(problems(&set, &path), [], "{limit}");
        }
    }

    #[test]
    fn tells_what_is_wrong_with_a_root() {
        let (_folder, path) = root(&["README.md"]);
        let roots = [path.clone(), path.join("README.md"), path.join("none"), path.join("./")];
        let set = load(&roots);
        let expected = [
            problem("", "no folder with a SKILL.md was found here"),
            problem("README.md", "this is a file, not a folder of skills"),
            problem("none", "the folder does not exist"),
        ];
        assert_eq!(problems(&set, &path), expected);
        assert_eq!(set.roots.len(), 3, "the folder that is named twice is there once");
    }

    #[cfg(unix)]
    #[test]
    fn follows_links_and_stops_where_they_lead_back() {
        use std::os::unix::fs::symlink;
        let (_folder, path) = root(&["a/SKILL.md", "a/sub/x.md"]);
        symlink("..", path.join("a/up")).unwrap();
        symlink("a", path.join("linked")).unwrap();
        symlink("nowhere", path.join("broken")).unwrap();
        symlink("self", path.join("self")).unwrap();
        symlink("a/SKILL.md", path.join("SKILL.md")).unwrap();
        let set = load(std::slice::from_ref(&path));
        let expected = [
            "SKILL.md@*",
            "a/",
            "a/SKILL.md*",
            "a/sub/",
            "a/sub/x.md",
            "a/up@!",
            "broken@",
            "linked@/",
            "linked/SKILL.md*",
            "linked/sub/",
            "linked/sub/x.md",
            "linked/up@!",
            "self@",
        ];
        assert_eq!(outline(&set), expected);
        let back = "the link leads back to a folder that contains it; it was not followed again";
        let expected = [
            problem("a/up", back),
            problem("broken", "the link points to nowhere, which does not exist"),
            problem("linked/up", back),
            problem("self", "the link points to self, which does not exist"),
        ];
        assert_eq!(problems(&set, &path), expected);
    }

    #[test]
    fn a_folder_that_vanishes_while_it_is_read_is_a_problem() {
        let (_folder, path) = root(&["a/SKILL.md", "b/SKILL.md", "c/SKILL.md"]);
        let list = |folder: &Utf8Path, room: usize| {
            if folder.ends_with("b") {
                fs::remove_dir_all(folder).unwrap();
            }
            listing::list(folder, room)
        };
        let read = |file: &Utf8Path| {
            if file.ends_with("c/SKILL.md") {
                fs::remove_dir_all(file.parent().unwrap()).unwrap();
            }
            SourceText::read(file)
        };
        let disk = Means { read: Some(&read), ..Means::listed_by(&list) };
        let set = load_from(&disk, std::slice::from_ref(&path));
        assert_eq!(outline(&set), ["a/", "a/SKILL.md*", "b!", "c/", "c/SKILL.md"]);
        let gone = "it was there when the folder was listed and gone when it was read";
        assert_eq!(problems(&set, &path), [problem("b", gone), problem("c/SKILL.md", gone)]);
    }

    #[test]
    fn what_may_not_be_read_is_a_problem() {
        let (_folder, path) = root(&["a/SKILL.md", "b/SKILL.md"]);
        let list = |folder: &Utf8Path, room: usize| {
            if folder.ends_with("b") { Err(io::Error::from_raw_os_error(13)) } else { listing::list(folder, room) }
        };
        let read = |_: &Utf8Path| Err(io::Error::from_raw_os_error(13));
        let disk = Means { read: Some(&read), ..Means::listed_by(&list) };
        let set = load_from(&disk, std::slice::from_ref(&path));
        assert_eq!(outline(&set), ["a/", "a/SKILL.md", "b!"]);
        let expected = [
            problem("a/SKILL.md", "the file cannot be read: permission denied"),
            problem("b", "the folder cannot be read: permission denied"),
        ];
        assert_eq!(problems(&set, &path), expected);
    }

    #[test]
    fn stops_at_the_limits() {
        let (_folder, path) = root(&["a/SKILL.md", "b/SKILL.md", "c/SKILL.md"]);
        let disk = Means { read: Some(&SourceText::read), entry_limit: 4, ..Means::listed_by(&listing::list) };
        let set = load_from(&disk, std::slice::from_ref(&path));
        assert_eq!(outline(&set), ["a/", "a/SKILL.md*", "b!", "c!"]);
        assert_eq!(problems(&set, &path), [problem("b", "there are more than 4 files here; the rest was not listed")]);
        let deep = "d/".repeat(DEPTH_LIMIT + 1);
        let (_folder, path) = root(&[&format!("{deep}SKILL.md"), "SKILL.md"]);
        let set = load(std::slice::from_ref(&path));
        let text = "the folder is nested more than 32 levels deep; what is below was not read";
        assert_eq!(problems(&set, &path), [problem(deep.trim_end_matches('/'), text)]);
    }

    /// A link to a folder, by name.
    fn link_to(name: &str, target: &str) -> Listed {
        let to = Ok((target.into(), Thing::Folder(target.into())));
        Listed { name: name.to_owned(), found: Ok(Found::Link { target: target.into(), to }) }
    }

    /// Walks a tree that `list` describes; returns the problems below the root and the number of entries that were
    /// listed.
    fn walked(entry_limit: usize, list: impl Fn(&Utf8Path) -> Vec<Listed>) -> (Vec<(String, String)>, usize) {
        let listed = std::cell::Cell::new(0);
        let list = |folder: &Utf8Path, room: usize| {
            let mut entries = list(folder);
            let more = entries.len() > room;
            entries.truncate(room);
            listed.set(listed.get() + entries.len());
            Ok(Listing { entries, unreadable_names: Vec::new(), more })
        };
        let trusted = ["/huge", "/huger"].map(Utf8PathBuf::from);
        let disk = Means { entry_limit, outside_limit: 100, trusted: &trusted, ..Means::listed_by(&list) };
        let root = Utf8Path::new("/opened/skills");
        let set = load_from(&disk, &[root.to_owned()]);
        (problems(&set, root), listed.get())
    }

    #[cfg(unix)]
    #[test]
    fn no_link_leads_into_the_system_or_around_the_root() {
        let links = ["/", "/opened", "/proc", "/proc/self/root", "/sys/class", "/dev/fd"];
        let (found, listed) = walked(ENTRY_LIMIT, |folder| match folder.as_str() {
            "/opened/skills" => links.iter().enumerate().map(|(at, link)| link_to(&at.to_string(), link)).collect(),
            other => panic!("{other} was entered"),
        });
        let refused = |(at, target): (usize, &&str)| {
            let text = "is not read: it belongs to the system, or contains the opened folder itself";
            problem(&at.to_string(), &format!("{target} {text}"))
        };
        let mut expected: Vec<_> = links.iter().enumerate().map(refused).collect();
        expected.push(problem("", "no folder with a SKILL.md was found here"));
        assert_eq!((found, listed), (expected, links.len()));
    }

    #[cfg(unix)]
    #[test]
    fn what_links_to_trusted_places_lead_to_has_a_limit_of_its_own() {
        let endless = |folder: &Utf8Path| {
            let thing = |name: &str| Thing::Folder(folder.join(name).into_std_path_buf());
            let names = ["a", "b", "c", "d", "e", "f", "g"];
            names.map(|name| Listed { name: name.to_owned(), found: Ok(Found::Thing(thing(name))) }).into()
        };
        let (found, listed) = walked(ENTRY_LIMIT, |folder| match folder.as_str() {
            "/opened/skills" => vec![link_to("big", "/huge"), link_to("bigger", "/huger")],
            // As in the real system, entries in them have the path of the link.
            other if other.starts_with("/opened/skills/big/") || other == "/opened/skills/big" => endless(folder),
            other => panic!("{other} was entered"),
        });
        let expected = [
            problem("big", "there are more than 100 files here; the rest was not listed"),
            problem("bigger", "there are more than 100 files here; the rest was not listed"),
            problem("", "no folder with a SKILL.md was found here"),
        ];
        assert_eq!((&found[..], listed), (&expected[..], 102));
    }

    #[cfg(unix)]
    #[test]
    fn folders_below_a_link_to_a_trusted_place_count_as_what_it_leads_to() {
        use std::os::unix::fs::symlink;
        let (_folder, path) = root(&["a/SKILL.md", "z/SKILL.md"]);
        let (_outside, outside) = root(&["b/c/1.md", "b/c/2.md", "b/d/3.md", "b/d/4.md", "b/e/5.md"]);
        symlink(&outside, path.join("linked")).unwrap();
        let trusted = [outside];
        let disk = Means { outside_limit: 5, trusted: &trusted, ..Means::listed_by(&listing::list) };
        let set = load_from(&disk, std::slice::from_ref(&path));
        let told = "there are more than 5 files here; the rest was not listed";
        assert_eq!(problems(&set, &path), [problem("linked", told)]);
        assert_eq!(outline(&set).iter().filter(|line| line.starts_with("linked/")).count(), 5, "{:?}", outline(&set));
        assert!(outline(&set).contains(&"z/SKILL.md".to_owned()), "what lies behind it is read");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_that_leads_out_is_neither_read_nor_listed_until_that_is_trusted() {
        use std::os::unix::fs::symlink;
        let (_folder, path) = root(&["a/SKILL.md", "a/in/x.md", "b/x.md"]);
        let (_outside, outside) = root(&["private/diary.md", "SKILL.md"]);
        symlink(outside.join("private"), path.join("a/in/assets")).unwrap();
        symlink(outside.join("SKILL.md"), path.join("b/SKILL.md")).unwrap();
        symlink(path.join("b"), path.join("a/inner")).unwrap();
        let told = |place: &str, target: &str| {
            let target = outside.join(target);
            let text = "outside of the opened folders; nothing there is read until you trust it";
            problem(place, &format!("the link leads to {target}, {text}"))
        };
        let plain = ["a/", "a/SKILL.md*", "a/in/", "a/in/assets@", "a/in/x.md", "a/inner@/"];
        let more = ["a/inner/SKILL.md@", "a/inner/x.md", "b/", "b/SKILL.md@", "b/x.md"];
        let set = load(std::slice::from_ref(&path));
        assert_eq!(outline(&set), [&plain[..], &more].concat());
        let manifest = |place| told(place, "SKILL.md");
        assert_eq!(
            problems(&set, &path),
            [told("a/in/assets", "private"), manifest("a/inner/SKILL.md"), manifest("b/SKILL.md")]
        );
        assert_eq!(problems(&survey(std::slice::from_ref(&path)), &path), problems(&set, &path));
        let trusted = load_trusting(std::slice::from_ref(&path), &[outside.join("private")]);
        assert_eq!(
            outline(&trusted),
            [&plain[..3], &["a/in/assets@/", "a/in/assets/diary.md", "a/in/x.md", "a/inner@/"], &more[..],].concat()
        );
        assert_eq!(problems(&trusted, &path), [manifest("a/inner/SKILL.md"), manifest("b/SKILL.md")]);
    }

    #[cfg(unix)]
    #[test]
    fn links_among_folders_of_the_root_end() {
        let names = ["a", "b", "c", "d", "e", "f", "g", "h"];
        let (found, listed) = walked(1000, |folder| {
            let _ = folder;
            names.iter().map(|name| link_to(name, &format!("/opened/skills/{name}"))).collect()
        });
        assert_eq!(listed, 1000);
        assert!(found.iter().any(|(_, text)| text.starts_with("there are more than 1000 files")), "{found:?}");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_name_that_is_not_utf8_is_left_out() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt;
        let (folder, path) = root(&["SKILL.md"]);
        fs::write(folder.path().join(OsStr::from_bytes(b"caf\xE9.md")), "").unwrap();
        let set = load(std::slice::from_ref(&path));
        assert_eq!(outline(&set), ["SKILL.md*"]);
        assert_eq!(
            problems(&set, &path),
            [problem("", "a name here is not valid UTF-8 and was left out: caf\u{fffd}.md")]
        );
    }
}
