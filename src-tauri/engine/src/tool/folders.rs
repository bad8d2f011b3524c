//! Lists folders and finds files in them, without entering links and within limits that keep huge trees bounded.

use std::ffi::OsString;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use disk::{EntryKind, Folder};
use globset::{Glob, GlobBuilder, GlobMatcher};

use super::reach::{Opened, Reach};
use super::{Found, Given, ToolError, off_thread};
use harness::ListedEntry;
use wording::{Message, message};

/// The entries of a folder and of the folders below it, `depth` levels deep, sorted by path. Links are listed and not
/// entered.
pub async fn list(path: &Utf8Path, depth: u32, reach: &Reach) -> Result<Found<ListedEntry>, ToolError> {
    let reach = reach.clone();
    off_thread(path, move |path, given| {
        let walk = Walk::begin(path, depth as usize, &reach)?;
        Ok(walk.collect(given, |entry| Some(listed(entry, &reach))))
    })
    .await
}

/// The files below a folder whose path within it matches a glob, sorted by path. `*` and `?` stay within one level.
pub async fn find(path: &Utf8Path, pattern: &str, reach: &Reach) -> Result<Found<ListedEntry>, ToolError> {
    let (matcher, reach) = (glob(pattern)?, reach.clone());
    let depth = if pattern.contains("**") { DEPTH_LIMIT } else { pattern.split('/').count() };
    off_thread(path, move |path, given| {
        let walk = Walk::begin(path, depth, &reach)?;
        let base = path.to_owned();
        Ok(walk.collect(given, |entry| {
            let is_match = entry.path.strip_prefix(&base).is_ok_and(|within| matcher.is_match(within));
            is_match.then(|| listed(entry, &reach)).filter(|entry| !entry.folder)
        }))
    })
    .await
}

/// How many entries one walk may visit.
pub(super) const VISIT_LIMIT: usize = 200_000;
/// Entries that are kept of one walk.
const KEEP_LIMIT: usize = 10_000;
pub(super) const DEPTH_LIMIT: usize = 64;
/// Bytes of a pattern for names.
const PATTERN_LIMIT: usize = 4096;
const BRACE_LIMIT: usize = 32;

/// `**` crosses folders, `*` and `?` do not.
pub(super) fn glob(pattern: &str) -> Result<GlobMatcher, ToolError> {
    let bad = |reason: Message| ToolError::BadPattern { pattern: start_of(pattern), reason };
    if pattern.len() > PATTERN_LIMIT {
        return Err(bad(message!("it has more than {PATTERN_LIMIT} bytes", "它超过 {PATTERN_LIMIT} 字节")));
    }
    // The library reads nested braces recursively, and panics if there are too many.
    if pattern.bytes().filter(|byte| *byte == b'{').count() > BRACE_LIMIT {
        return Err(bad(message!(
            "it has more than {BRACE_LIMIT} groups in braces",
            "它的花括号组超过 {BRACE_LIMIT} 个"
        )));
    }
    let built = GlobBuilder::new(pattern).literal_separator(true).empty_alternates(true).build();
    built.as_ref().map(Glob::compile_matcher).map_err(|error| bad(reason(error)))
}

/// As much of a pattern as an error needs.
fn start_of(pattern: &str) -> String {
    let start: String = pattern.chars().take(60).collect();
    if start.len() < pattern.len() { start + "…" } else { start }
}

fn reason(error: &globset::Error) -> Message {
    Message::quoted(error.kind().to_string())
}

/// Something that a walk found.
pub(super) struct Entry {
    pub(super) path: Utf8PathBuf,
    /// Not what a link leads to.
    pub(super) is_file: bool,
    kind: EntryKind,
    /// It is in this folder, under this name.
    pub(super) folder: Arc<Folder>,
    pub(super) name: OsString,
}

/// A folder on its way to being walked, in the order of names. Links are not entered, and each folder is entered
/// through the one above it, so the walk stays inside of the folder where it began.
pub(super) struct Walk {
    /// The folders that are entered, the last one in the one before it.
    open: Vec<Level>,
    depth: usize,
    reach: Reach,
}

struct Level {
    folder: Arc<Folder>,
    names: std::vec::IntoIter<(OsString, EntryKind)>,
    path: Utf8PathBuf,
    real: Utf8PathBuf,
}

impl Level {
    fn of(folder: Folder, path: Utf8PathBuf, real: Utf8PathBuf) -> std::io::Result<Self> {
        let names = folder.names()?.into_iter();
        Ok(Self { folder: Arc::new(folder), names, path, real })
    }
}

impl Walk {
    pub(super) fn begin(path: &Utf8Path, depth: usize, reach: &Reach) -> Result<Self, ToolError> {
        match reach.open(path) {
            Ok(Opened::Folder(folder, real)) => Self::through(folder, path, real, depth, reach),
            Ok(Opened::File(..)) | Err(ToolError::NotFile { .. }) => {
                Err(ToolError::NotFolder { path: path.to_owned() })
            }
            Err(error) => Err(error),
        }
    }

    /// A walk through an open folder. `real`: its real path.
    pub(super) fn through(
        folder: Folder,
        path: &Utf8Path,
        real: Utf8PathBuf,
        depth: usize,
        reach: &Reach,
    ) -> Result<Self, ToolError> {
        // If the first folder is unreadable, that is an error; further down, unreadable entries are left out.
        let first = Level::of(folder, path.to_owned(), real)
            .map_err(|source| ToolError::Read { path: path.to_owned(), source })?;
        let open = if depth == 0 { Vec::new() } else { vec![first] };
        Ok(Self { open, depth: depth.min(DEPTH_LIMIT), reach: reach.clone() })
    }

    /// The entries in order; names that are not UTF-8 and entries that must not be touched are left out. Ends early if
    /// the work was abandoned.
    pub(super) fn entries(mut self, given: &Given) -> impl Iterator<Item = Entry> {
        let given = given.clone();
        std::iter::from_fn(move || self.next()).take_while(move |_| !given.up())
    }

    fn next(&mut self) -> Option<Entry> {
        loop {
            let level = self.open.last_mut()?;
            let Some((name, kind)) = level.names.next() else {
                self.open.pop();
                continue;
            };
            let Some(own) = name.to_str() else { continue };
            let (path, real) = (level.path.join(own), level.real.join(own));
            // Links are not entered, so a path is real if its beginning is.
            if self.reach.passes_over(&real) {
                continue;
            }
            let folder = level.folder.clone();
            if kind == EntryKind::Folder && self.open.len() < self.depth {
                let below = folder.below(&name).ok().and_then(|below| Level::of(below, path.clone(), real).ok());
                self.open.extend(below);
            }
            return Some(Entry { path, is_file: kind == EntryKind::File, kind, folder, name });
        }
    }

    fn collect(self, given: &Given, keep: impl Fn(Entry) -> Option<ListedEntry>) -> Found<ListedEntry> {
        let mut found = Found { items: Vec::new(), cut: false };
        for (visited, entry) in self.entries(given).enumerate() {
            if visited == VISIT_LIMIT || found.items.len() == KEEP_LIMIT {
                found.cut = true;
                break;
            }
            found.items.extend(keep(entry));
        }
        found.items.sort_by(|a, b| a.path.cmp(&b.path));
        found
    }
}

/// A link is what it leads to; one that is broken, or leads to what may not be touched, is a file.
fn listed(entry: Entry, reach: &Reach) -> ListedEntry {
    let led = if entry.kind == EntryKind::Link { reach.look(&entry.path) } else { None };
    let facts = led.or_else(|| entry.folder.look(&entry.name).ok());
    let folder = facts.as_ref().is_some_and(|facts| facts.kind == EntryKind::Folder);
    let size = facts.filter(|_| !folder).map_or(0, |facts| facts.size);
    ListedEntry { path: entry.path, folder, size }
}

#[cfg(test)]
mod tests {
    use super::*;
    use harness::FailureKind;

    struct Tree {
        _folder: tempfile::TempDir,
        path: Utf8PathBuf,
    }

    impl Tree {
        fn with(files: &[&str]) -> Self {
            let folder = tempfile::tempdir().unwrap();
            let path = Utf8PathBuf::from_path_buf(folder.path().to_owned()).unwrap();
            for file in files {
                std::fs::create_dir_all(path.join(file).parent().unwrap()).unwrap();
                std::fs::write(path.join(file), file).unwrap();
            }
            Self { _folder: folder, path }
        }

        fn names(&self, found: &Found<ListedEntry>) -> Vec<String> {
            let name = |entry: &ListedEntry| {
                let slash = if entry.folder { "/" } else { "" };
                format!("{}{slash} {}", entry.path.strip_prefix(&self.path).unwrap(), entry.size)
            };
            assert!(!found.cut);
            found.items.iter().map(name).collect()
        }
    }

    async fn list(path: &Utf8Path, depth: u32) -> Result<Found<ListedEntry>, ToolError> {
        super::list(path, depth, &Reach::everywhere()).await
    }

    async fn find(path: &Utf8Path, pattern: &str) -> Result<Found<ListedEntry>, ToolError> {
        super::find(path, pattern, &Reach::everywhere()).await
    }

    const FILES: &[&str] = &["b/SKILL.md", "a/SKILL.md", "a/deep/er/x.py", "a/.hidden.py", "top.md", "a.md"];

    #[tokio::test]
    async fn lists_as_many_levels_as_it_is_asked_for() {
        let tree = Tree::with(FILES);
        let one = list(&tree.path, 1).await.unwrap();
        assert_eq!(tree.names(&one), ["a/ 0", "a.md 4", "b/ 0", "top.md 6"]);
        let two = list(&tree.path.join("a"), 2).await.unwrap();
        assert_eq!(tree.names(&two), ["a/.hidden.py 12", "a/SKILL.md 10", "a/deep/ 0", "a/deep/er/ 0"]);
        assert_eq!(tree.names(&list(&tree.path, 0).await.unwrap()), Vec::<String>::new());
    }

    #[tokio::test]
    async fn finds_files_by_their_path_within_the_folder() {
        let tree = Tree::with(FILES);
        for (pattern, expected) in [
            ("*/SKILL.md", vec!["a/SKILL.md 10", "b/SKILL.md 10"]),
            ("**/*.py", vec!["a/.hidden.py 12", "a/deep/er/x.py 14"]),
            ("*.md", vec!["a.md 4", "top.md 6"]),
            ("a/**", vec!["a/.hidden.py 12", "a/SKILL.md 10", "a/deep/er/x.py 14"]),
            ("{top,a}.md", vec!["a.md 4", "top.md 6"]),
            ("../*", vec![]),
        ] {
            assert_eq!(tree.names(&find(&tree.path, pattern).await.unwrap()), expected, "{pattern}");
        }
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn names_links_and_does_not_enter_them() {
        let tree = Tree::with(&["a/x.py"]);
        std::os::unix::fs::symlink(tree.path.join("a"), tree.path.join("folder")).unwrap();
        std::os::unix::fs::symlink(&tree.path, tree.path.join("a/loop")).unwrap();
        std::os::unix::fs::symlink("nowhere", tree.path.join("broken")).unwrap();
        std::os::unix::fs::symlink("a/x.py", tree.path.join("linked.py")).unwrap();
        let all = list(&tree.path, 9).await.unwrap();
        assert_eq!(tree.names(&all), ["a/ 0", "a/loop/ 0", "a/x.py 6", "broken 7", "folder/ 0", "linked.py 6"]);
        let scripts = find(&tree.path, "**/*.py").await.unwrap();
        assert_eq!(tree.names(&scripts), ["a/x.py 6", "linked.py 6"]);
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn says_nothing_of_what_a_link_leads_to_out_of_reach() {
        let tree = Tree::with(&["in/x.py", "out/secret.py", "out/more/y.py"]);
        let inside = tree.path.join("in");
        std::os::unix::fs::symlink("../out", inside.join("folder")).unwrap();
        std::os::unix::fs::symlink("../out/secret.py", inside.join("file.py")).unwrap();
        let reach = Reach::to([inside.canonicalize_utf8().unwrap()]);
        let all = super::list(&inside, 9, &reach).await.unwrap();
        assert_eq!(tree.names(&all), ["in/file.py 16", "in/folder 6", "in/x.py 7"], "the links themselves");
        let refused = super::list(&inside.join("folder"), 1, &reach).await.unwrap_err();
        assert_eq!(refused.kind(), FailureKind::NoPermission);
    }

    #[tokio::test]
    async fn keeps_a_bounded_part_of_a_huge_folder() {
        let tree = Tree::with(&[]);
        for number in 0..=KEEP_LIMIT {
            std::fs::write(tree.path.join(format!("{number:05}")), "").unwrap();
        }
        let found = list(&tree.path, 1).await.unwrap();
        assert_eq!((found.items.len(), found.cut), (KEEP_LIMIT, true));
        assert_eq!(found.items[KEEP_LIMIT - 1].path, tree.path.join("09999"), "the first by name");
    }

    #[tokio::test]
    async fn says_why_a_folder_cannot_be_walked() {
        let tree = Tree::with(&["file"]);
        let file = tree.path.join("file");
        let not_folder = list(&file, 1).await.unwrap_err();
        assert_eq!(
            (not_folder.kind(), not_folder.to_string()),
            (FailureKind::NotFolder, format!("{file} is not a folder"))
        );
        assert_eq!(find(&tree.path.join("gone"), "*").await.unwrap_err().kind(), FailureKind::NotFound);
        assert_eq!(find(&file.join("x"), "*").await.unwrap_err().kind(), FailureKind::NotFolder);
        let bad = find(&tree.path, "[").await.unwrap_err();
        let text = "`[` is not a pattern: unclosed character class; missing ']'";
        assert_eq!((bad.kind(), bad.to_string().as_str()), (FailureKind::BadPattern, text));
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn leaves_out_what_is_the_systems_own() {
        let tree = Tree::with(&[]);
        std::os::unix::fs::symlink("/", tree.path.join("all")).unwrap();
        let found = list(&tree.path.join("all"), 1).await.unwrap();
        let names: Vec<&str> = found.items.iter().filter_map(|entry| entry.path.file_name()).collect();
        assert!(names.contains(&"etc") && !names.contains(&"proc") && !names.contains(&"dev"), "{names:?}");
        let refused = list(Utf8Path::new("/proc/self"), 1).await.unwrap_err();
        assert_eq!(refused.kind(), FailureKind::NoPermission);
    }

    #[test]
    fn refuses_patterns_that_the_library_does_not_survive() {
        for (pattern, reason) in [
            (
                "{".repeat(1000) + "a" + &"}".repeat(1000),
                ["it has more than 32 groups in braces", "它的花括号组超过 32 个"],
            ),
            ("{a,b}".repeat(500), ["it has more than 32 groups in braces", "它的花括号组超过 32 个"]),
            ("a".repeat(100_000), ["it has more than 4096 bytes", "它超过 4096 字节"]),
        ] {
            let error = glob(&pattern).unwrap_err();
            assert_eq!(error.kind(), FailureKind::BadPattern);
            let Message { en, zh } = error.worded();
            assert!(en == error.to_string() && en.ends_with(reason[0]) && zh.ends_with(reason[1]), "{en} {zh}");
            assert!(error.to_string().len() < 200, "{error}");
        }
        assert!(glob(&("{".repeat(32) + "a" + &"}".repeat(32))).is_ok());
    }

    #[test]
    fn ends_a_walk_that_was_given_up() {
        let tree = Tree::with(FILES);
        let given = Given::default();
        drop(super::super::Waiting(given.clone()));
        assert_eq!(Walk::begin(&tree.path, 9, &Reach::everywhere()).unwrap().entries(&given).count(), 0);
    }
}
