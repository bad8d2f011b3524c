//! The paths at which frameworks, models and scripts see folders: the real ones, or neutral ones that are the same on
//! every machine.

use std::sync::Arc;

use camino::{Utf8Component, Utf8Path, Utf8PathBuf};

use super::files::manifest_of;
use super::source::SourceText;
use super::{Entry, File, Folder, Problem, ProblemKind, Root, SkillSet};
use wording::Message;

/// Where the first folder of skills is shown; the next is `/skills-2`.
pub const SKILLS: &str = "/skills";
/// Where the folder of a run is shown.
pub const WORKSPACE: &str = "/workspace";
/// Where a Python environment is shown.
pub const VENV: &str = "/venv";
/// Where a client's home folder is shown.
const USER: &str = "/home/user";

/// Which folders are shown at another place than their own. The default: none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Paths {
    places: Vec<Shown>,
    /// The user's home folder, which texts for readers call `~`.
    home: Option<Utf8PathBuf>,
}

/// A folder with its two names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// What it is called.
    pub as_path: Utf8PathBuf,
    /// Where it is, as the user named it.
    pub real: Utf8PathBuf,
    /// The same without links.
    unlinked: Utf8PathBuf,
}

impl Paths {
    /// Real places, with the user's home folder as `~`.
    pub fn of_reader() -> Self {
        Self { places: Vec::new(), home: std::env::home_dir().and_then(|home| home.try_into().ok()) }
    }

    /// Neutral places for the roots of a set. `homes`: the home folders that clients are said to have.
    pub fn neutral(set: &SkillSet, homes: &[Utf8PathBuf]) -> Self {
        let mut paths = Self::of_reader();
        for (number, home) in (1..).zip(homes) {
            paths = paths.with(&numbered(USER, number), home);
        }
        let is_within = |root: &Root, other: &Root| root.path != other.path && root.path.starts_with(&other.path);
        let outermost = set.roots.iter().filter(|root| !set.roots.iter().any(|other| is_within(root, other)));
        let mut number = 0;
        for root in outermost {
            let in_home = homes.iter().find(|home| root.path.strip_prefix(home).is_ok_and(is_of_a_client));
            if in_home.is_some() || root.path.starts_with("/etc") {
                // Clients find the owner by the place, and this place contains no user's name.
                continue;
            }
            number += 1;
            let place = format!("{}{}", numbered(SKILLS, number), kept_of(root));
            paths = paths.with(&place, &root.path);
        }
        paths
    }

    /// With one more folder at a place.
    #[must_use]
    pub fn with(mut self, as_path: &str, real: &Utf8Path) -> Self {
        if !self.places.iter().any(|place| place.real == real) {
            let unlinked = disk::real(real).unwrap_or_else(|| real.to_owned());
            self.places.push(Shown { as_path: as_path.into(), real: real.to_owned(), unlinked });
        }
        self
    }

    /// Whether every folder is shown where it is.
    pub fn are_real(&self) -> bool {
        self.places.is_empty()
    }

    /// Each folder, with where it is shown.
    pub fn places(&self) -> &[Shown] {
        &self.places
    }

    /// The real path of a shown one; `None`: nothing is shown there, since the folder that is really at that path is
    /// shown elsewhere.
    pub fn real(&self, shown: &Utf8Path) -> Option<Utf8PathBuf> {
        if self.are_real() {
            return Some(shown.to_owned());
        }
        let inside = |path: &Utf8Path| innermost(&self.places, |place| &place.as_path, path);
        let climbs = inside(shown).is_none_or(|place| shown.strip_prefix(&place.as_path).is_ok_and(climbs_out));
        let shown = if climbs { without_dots(shown) } else { shown.to_owned() };
        let real = match inside(&shown) {
            Some(place) => moved(&shown, &place.as_path, &place.real),
            None => shown.clone(),
        };
        (self.shown(&real) == shown).then_some(real)
    }

    /// What a path is called.
    pub fn shown(&self, real: &Utf8Path) -> Utf8PathBuf {
        if let Some(place) = innermost(&self.places, |place| &place.real, real) {
            return moved(real, &place.real, &place.as_path);
        }
        match innermost(&self.places, |place| &place.unlinked, real) {
            Some(place) => moved(real, &place.unlinked, &place.as_path),
            None => real.to_owned(),
        }
    }

    /// Whether a path is in a folder that is shown under another name.
    pub fn has(&self, real: &Utf8Path) -> bool {
        self.places.iter().any(|place| real.starts_with(&place.real) || real.starts_with(&place.unlinked))
    }

    /// A path for readers: as it is called, else from the home folder.
    pub fn readable(&self, real: &Utf8Path) -> Utf8PathBuf {
        if self.are_real() || self.has(real) {
            return self.shown(real);
        }
        self.from_home(real)
    }

    /// With `~` for the home folder.
    pub fn from_home(&self, path: &Utf8Path) -> Utf8PathBuf {
        match &self.home {
            Some(home) if path.starts_with(home) && home.parent().is_some() => moved(path, home, "~".into()),
            _ => path.to_owned(),
        }
    }

    /// A text of our own, with the paths in it as they are called.
    pub fn in_text(&self, text: &str) -> String {
        if self.are_real() {
            return text.to_owned();
        }
        let mut names: Vec<(&str, &str)> = Vec::new();
        for place in &self.places {
            names.extend([&place.real, &place.unlinked].map(|real| (real.as_str(), place.as_path.as_str())));
        }
        names.extend(self.home.iter().filter(|home| home.parent().is_some()).map(|home| (home.as_str(), "~")));
        names.sort_by_key(|(real, _)| std::cmp::Reverse(real.len()));
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let begins = !out.ends_with(is_of_a_name);
            let found = names
                .iter()
                .filter(|_| begins && first == '/')
                .find(|(real, _)| rest.strip_prefix(real).is_some_and(|behind| !behind.starts_with(is_of_a_name)));
            let taken = match found {
                Some((real, name)) => {
                    out.push_str(name);
                    real.len()
                }
                None => {
                    out.push(first);
                    first.len_utf8()
                }
            };
            rest = &rest[taken..];
        }
        out
    }

    /// The same text with the folders where they are shown, in each language.
    pub fn in_words(&self, words: Message) -> Message {
        Message { en: self.in_text(&words.en), zh: self.in_text(&words.zh) }
    }
}

/// A set as it would be read if its folders lay where they are shown.
pub fn shown(set: &SkillSet, paths: &Paths) -> SkillSet {
    let problem = |problem: &Problem| Problem {
        path: paths.shown(&problem.path),
        kind: kind(&problem.kind, paths),
        span: problem.span,
    };
    let root = |root: &Root| Root { path: paths.shown(&root.path), tree: folder(&root.tree, paths.shown(&root.path)) };
    SkillSet { roots: set.roots.iter().map(root).collect(), problems: set.problems.iter().map(problem).collect() }
}

fn folder(of: &Folder, path: Utf8PathBuf) -> Folder {
    let entries = of.entries.iter().map(|entry| match entry {
        Entry::Folder(inner) => Entry::Folder(folder(inner, path.join(&inner.name))),
        Entry::File(file) => {
            let path = path.join(&file.name);
            let source = file.source.as_deref().map(|text| Arc::new(SourceText { path: path.clone(), ..text.clone() }));
            Entry::File(File { path, source, ..file.clone() })
        }
    });
    let entries = entries.collect();
    // A root is called by its last name.
    let is_root = of.path.file_name().is_some_and(|last| last == of.name) && path.file_name() != Some(&of.name);
    let name = path.file_name().filter(|_| is_root).unwrap_or(&of.name).to_owned();
    Folder { name, path, link: of.link.clone(), listed: of.listed, entries }
}

/// Problems that name a path.
fn kind(kind: &ProblemKind, paths: &Paths) -> ProblemKind {
    let readable = |path: &String| paths.readable(Utf8Path::new(path)).into_string();
    match kind {
        ProblemKind::LinkOutside { target } => ProblemKind::LinkOutside { target: readable(target) },
        ProblemKind::NotEntered { target } => ProblemKind::NotEntered { target: readable(target) },
        ProblemKind::RootOutside { root } => ProblemKind::RootOutside { root: readable(root) },
        ProblemKind::NameTaken { name, other } => ProblemKind::NameTaken { name: name.clone(), other: readable(other) },
        other => other.clone(),
    }
}

fn numbered(place: &str, number: u32) -> String {
    if number == 1 { place.to_owned() } else { format!("{place}-{number}") }
}

/// The part of a root's name that stays: the names by which clients recognise their folders, and the name of a folder
/// that is a skill itself.
fn kept_of(root: &Root) -> String {
    let parts: Vec<&str> = root.path.components().map(|part| part.as_str()).collect();
    let from = parts.len().saturating_sub(3);
    let of_a_client = (from..parts.len()).find(|at| is_of_a_client(&parts[*at..].iter().collect::<Utf8PathBuf>()));
    match of_a_client {
        Some(at) => format!("/{}", parts[at..].join("/")),
        None if manifest_of(&root.tree).is_some() => format!("/{}", root.tree.name),
        None => String::new(),
    }
}

/// `.claude`, `.claude/skills`, `.config/opencode/skill` and the like; also the empty path.
fn is_of_a_client(path: &Utf8Path) -> bool {
    const BELOW: [&str; 5] = ["agents", "commands", "opencode", "skill", "skills"];
    let mut parts = path.components().map(|part| part.as_str());
    parts.next().is_none_or(|first| first.starts_with('.') && parts.all(|part| BELOW.contains(&part)))
}

fn innermost<'a>(places: &'a [Shown], name: impl Fn(&Shown) -> &Utf8PathBuf, path: &Utf8Path) -> Option<&'a Shown> {
    places.iter().filter(|place| path.starts_with(name(place))).max_by_key(|place| name(place).as_str().len())
}

/// A path with one folder replaced by another. The rest of the path stays as it is written.
fn moved(path: &Utf8Path, from: &Utf8Path, to: &Utf8Path) -> Utf8PathBuf {
    let rest = match path.as_str().strip_prefix(from.as_str()) {
        Some(rest) => rest.to_owned(),
        None => path.strip_prefix(from).map(|rest| format!("/{rest}")).unwrap_or_default(),
    };
    format!("{to}{rest}").into()
}

/// Whether `..` leads above where a path begins.
fn climbs_out(path: &Utf8Path) -> bool {
    let mut depth = 0_i64;
    path.components().any(|part| {
        depth += match part {
            Utf8Component::ParentDir => -1,
            Utf8Component::Normal(_) => 1,
            _ => 0,
        };
        depth < 0
    })
}

fn without_dots(path: &Utf8Path) -> Utf8PathBuf {
    if !path.components().any(|part| part == Utf8Component::ParentDir) {
        return path.to_owned();
    }
    let mut out = Utf8PathBuf::new();
    for part in path.components() {
        match part {
            Utf8Component::ParentDir => {
                out.pop();
            }
            part => out.push(part),
        }
    }
    out
}

/// Characters that go on with the name of a file.
fn is_of_a_name(letter: char) -> bool {
    letter.is_alphanumeric() || ['.', '_', '-', '~'].contains(&letter)
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::fs;

    use super::*;

    fn set(roots: &[&str]) -> SkillSet {
        let root = |path: &&str| {
            let path = Utf8PathBuf::from(*path);
            let name = path.file_name().unwrap().to_owned();
            let tree = Folder { name, path: path.clone(), link: None, listed: true, entries: Vec::new() };
            Root { path, tree }
        };
        SkillSet { roots: roots.iter().map(root).collect(), problems: Vec::new() }
    }

    fn of(roots: &[&str], homes: &[&str]) -> Paths {
        let homes: Vec<Utf8PathBuf> = homes.iter().map(Into::into).collect();
        let paths = Paths::neutral(&set(roots), &homes).with(WORKSPACE, "/state/run-1".into());
        Paths { home: Some("/h/ada".into()), ..paths }
    }

    fn shown_as(paths: &Paths, real: &[&str]) -> Vec<String> {
        real.iter().map(|real| paths.shown(Utf8Path::new(real)).into_string()).collect()
    }

    #[test]
    fn roots_lie_at_neutral_places_and_keep_what_clients_know_them_by() {
        let roots = [
            "/h/ada/tools",
            "/h/ada/tools/inner",
            "/p/.claude/skills",
            "/p/.config/opencode/skill",
            "/etc/codex/skills",
        ];
        assert_eq!(
            shown_as(&of(&roots, &[]), &roots),
            [
                "/skills",
                "/skills/inner",
                "/skills-2/.claude/skills",
                "/skills-3/.config/opencode/skill",
                "/etc/codex/skills"
            ]
        );
        let roots = ["/h/ada/.claude/skills", "/h/ada/tools", "/h/ada"];
        assert_eq!(
            shown_as(&of(&roots, &["/h/ada"]), &roots),
            ["/home/user/.claude/skills", "/home/user/tools", "/home/user"]
        );
        let roots = ["/h/ada/.claude/skills", "/h/ada/tools"];
        assert_eq!(shown_as(&of(&roots, &["/h/ada"]), &roots), ["/home/user/.claude/skills", "/skills"]);
    }

    #[test]
    fn a_path_leads_there_and_back() {
        let paths = of(&["/h/ada/tools", "/srv/more"], &[]);
        for (shown, real) in [
            ("/skills", "/h/ada/tools"),
            ("/skills/demo/SKILL.md", "/h/ada/tools/demo/SKILL.md"),
            ("/skills/demo/", "/h/ada/tools/demo/"),
            ("/skills/demo/../x", "/h/ada/tools/demo/../x"),
            ("/skills-2/x", "/srv/more/x"),
            ("/workspace/out.txt", "/state/run-1/out.txt"),
            ("/etc/passwd", "/etc/passwd"),
            ("/skillset", "/skillset"),
        ] {
            assert_eq!(paths.real(shown.into()).as_deref(), Some(Utf8Path::new(real)), "{shown}");
            assert_eq!(paths.shown(real.into()), shown, "{real}");
        }
        assert_eq!(paths.real("/workspace/../skills/a".into()), Some("/h/ada/tools/a".into()), "as it is shown");
        assert_eq!(paths.real("/skills/../../etc/x".into()), Some("/etc/x".into()), "not next to where it really lies");
    }

    #[test]
    fn what_is_shown_elsewhere_is_not_there() {
        let paths = of(&["/h/ada/tools"], &[]);
        assert_eq!(paths.real("/h/ada/tools/demo".into()), None);
        assert_eq!(paths.real("/state/x/../run-1/out".into()), None);
        assert_eq!(paths.real("/h/ada/toolset".into()), Some("/h/ada/toolset".into()));
        assert_eq!(Paths::default().real("/h/ada/tools".into()), Some("/h/ada/tools".into()));
        let inside = of(&["/skills/mine"], &[]);
        assert_eq!(inside.real("/skills/demo".into()), Some("/skills/mine/demo".into()));
    }

    #[test]
    fn texts_name_places_as_they_are_shown() {
        let paths = of(&["/h/ada/tools"], &[]);
        let said = "cannot read /h/ada/tools/x: see /h/ada/toolset, `/h/ada/tools`, /mnt/h/ada/tools and /h/ada!";
        assert_eq!(paths.in_text(said), "cannot read /skills/x: see ~/toolset, `/skills`, /mnt/h/ada/tools and ~!");
        assert_eq!(Paths::default().in_text(said), said);
        assert_eq!(paths.readable("/h/ada/x".into()), "~/x");
    }

    /// A set is shown exactly as it would be read at that place.
    #[test]
    fn a_set_is_shown_as_it_would_be_read_at_that_place() {
        let folder = tempfile::tempdir().unwrap();
        let base = Utf8PathBuf::from_path_buf(folder.path().canonicalize().unwrap()).unwrap();
        let (here, there) = (base.join("here"), base.join("there"));
        let write = |path: &str, text: &str| {
            let path = here.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write("one/SKILL.md", "---\nname: one\ndescription: x\n---\nRead it.\n");
        write("two/SKILL.md", "---\nname: one\n---\n");
        write("two/scripts/run.py", "print()");
        write("two/here/here/x.md", "");
        write("broken/SKILL.md", "no frontmatter");
        std::os::unix::fs::symlink("../one/SKILL.md", here.join("two/linked.md")).unwrap();
        std::os::unix::fs::symlink("../one", here.join("two/folder")).unwrap();
        std::os::unix::fs::symlink("nowhere", here.join("two/gone")).unwrap();
        std::os::unix::fs::symlink("/etc", here.join("two/out")).unwrap();
        let before = crate::load(std::slice::from_ref(&here));
        let paths = Paths::default().with(there.as_str(), &here);
        fs::rename(&here, &there).unwrap();
        let after = crate::load(std::slice::from_ref(&there));
        assert_eq!(shown(&before, &paths), after);
        assert_ne!(before, after);
    }
}
