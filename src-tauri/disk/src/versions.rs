//! Earlier versions of files, in a folder of the program: each version is kept once, by its content, and their number
//! is limited. What a file contains does not matter here.
//!
//! A folder for each file, with a name derived from its path. In it `index` has the path on its first line and then a
//! line for each version, the oldest first: when it was kept, its size, and its content's sum, which is the name of the
//! file with the content.

use std::collections::BTreeSet;
use std::io;

use camino::{Utf8Path, Utf8PathBuf};

use crate::{digest, make_private_folder, read, read_text, turn, write_privately};

/// How much is kept. The newest version of a file stays, however large it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// Versions of one file.
    pub versions: usize,
    /// Bytes of all versions of one file.
    pub bytes: u64,
    /// Bytes of all files. Those that were not saved for the longest time go first.
    pub all_bytes: u64,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { versions: 100, bytes: 16 << 20, all_bytes: 256 << 20 }
    }
}

/// One version of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version {
    /// The SHA-256 of its content.
    pub id: String,
    /// When it was kept, in milliseconds since the Unix epoch.
    pub at: i64,
    pub size: u64,
}

/// Why a version cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum VersionError {
    #[error("this version is not kept")]
    Gone,
    #[error("the stored copy of this version is missing or damaged")]
    Damaged,
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Earlier contents of files, in a folder of ours, with bounds.
#[derive(Debug, Clone)]
pub struct Versions {
    folder: Utf8PathBuf,
    bounds: Bounds,
}

impl Versions {
    /// The versions that are kept in this folder, which need not exist: the first one that is kept makes it.
    pub fn new(folder: Utf8PathBuf, bounds: Bounds) -> Self {
        Self { folder, bounds }
    }

    /// Of the file at `path`, the newest first.
    pub fn of(&self, path: &Utf8Path) -> Vec<Version> {
        let mut found = self.index(path).map(|index| index.versions).unwrap_or_default();
        found.reverse();
        found
    }

    /// The content of one version.
    pub fn read(&self, path: &Utf8Path, id: &str) -> Result<Vec<u8>, VersionError> {
        use io::ErrorKind::{FileTooLarge, NotFound};

        let index = self.index(path).unwrap_or_default();
        let found = index.versions.iter().find(|version| version.id == id).ok_or(VersionError::Gone)?;
        match read(&self.of_path(path).join(&found.id), found.size) {
            Ok(bytes) if digest(&bytes) == found.id => Ok(bytes),
            Ok(_) => Err(VersionError::Damaged),
            Err(error) if matches!(error.kind(), NotFound | FileTooLarge) => Err(VersionError::Damaged),
            Err(error) => Err(error.into()),
        }
    }

    /// Keeps `bytes` as the newest version, unless they are that already.
    pub fn keep(&self, path: &Utf8Path, bytes: &[u8], at: i64) -> io::Result<()> {
        // The index has a path on one line.
        if path.as_str().contains(['\n', '\r']) {
            return Ok(());
        }
        let folder = self.of_path(path);
        make_private_folder(&self.folder)?;
        let _turn = turn(&folder)?;
        let found = self.index(path);
        let is_first = found.is_none();
        let mut index = found.unwrap_or_default();
        let version = Version { id: digest(bytes), at, size: bytes.len() as u64 };
        if index.versions.last().is_some_and(|last| last.id == version.id) {
            return Ok(());
        }
        make_private_folder(&folder)?;
        let content = folder.join(&version.id);
        if !content.is_file() {
            write_privately(&content, bytes)?;
        }
        index.path = path.to_owned();
        index.versions.push(version);
        let gone = index.bounded(self.bounds);
        index.write(&folder)?;
        for id in gone {
            // Files that stay behind are never found and are deleted with the folder.
            let _ = std::fs::remove_file(folder.join(id));
        }
        if is_first || index.versions.len().is_multiple_of(BETWEEN) {
            self.bound_all(&folder);
        }
        Ok(())
    }

    /// The versions of a file that is renamed, or of all files in a folder that is, follow it.
    pub fn moved(&self, from: &Utf8Path, to: &Utf8Path) -> io::Result<()> {
        for folder in self.folders() {
            let Some(index) = Index::read(&folder) else { continue };
            let Ok(below) = index.path.strip_prefix(from) else { continue };
            let path = if below.as_str().is_empty() { to.to_owned() } else { to.join(below) };
            let target = self.of_path(&path);
            let _turn = turn(&folder)?;
            if target.exists() {
                crate::remove_tree(&target)?;
            }
            std::fs::rename(&folder, &target)?;
            Index { path, ..index }.write(&target)?;
        }
        Ok(())
    }

    /// Removes files that were not saved for the longest time until the rest is small enough. `newest` stays.
    fn bound_all(&self, newest: &Utf8Path) {
        let with_index = |folder: Utf8PathBuf| Index::read(&folder).map(|index| (folder, index));
        let mut kept: Vec<(Utf8PathBuf, Index)> = self.folders().into_iter().filter_map(with_index).collect();
        kept.sort_by_key(|(_, index)| index.versions.last().map_or(0, |version| version.at));
        let mut bytes: u64 = kept.iter().map(|(_, index)| index.bytes()).sum();
        for (folder, index) in kept.iter().filter(|(folder, _)| folder != newest) {
            if bytes <= self.bounds.all_bytes {
                break;
            }
            bytes -= index.bytes();
            // Files that cannot be removed now are tried again later.
            let _ = crate::remove_tree(folder);
        }
    }

    fn folders(&self) -> Vec<Utf8PathBuf> {
        let entries = self.folder.read_dir_utf8().into_iter().flatten().flatten();
        entries.map(|entry| entry.into_path()).filter(|path| path.is_dir()).collect()
    }

    fn of_path(&self, path: &Utf8Path) -> Utf8PathBuf {
        self.folder.join(digest(path.as_str().as_bytes()))
    }

    fn index(&self, path: &Utf8Path) -> Option<Index> {
        Index::read(&self.of_path(path))
    }
}

/// Versions of one file between two looks at the size of all.
const BETWEEN: usize = 16;

/// Far more than an index with all its versions has.
const INDEX_BYTES: u64 = 1 << 20;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Index {
    path: Utf8PathBuf,
    /// The oldest first.
    versions: Vec<Version>,
}

impl Index {
    fn read(folder: &Utf8Path) -> Option<Self> {
        let text = read_text(&folder.join("index"), INDEX_BYTES).ok()?;
        let mut lines = text.lines();
        let path = Utf8PathBuf::from(lines.next()?);
        let version = |line: &str| {
            let mut words = line.split(' ');
            let (at, size, id) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?, words.next()?);
            let is_sum = id.len() == 64 && id.bytes().all(|byte| byte.is_ascii_hexdigit());
            is_sum.then(|| Version { id: id.to_owned(), at, size })
        };
        Some(Self { path, versions: lines.filter_map(version).collect() })
    }

    fn write(&self, folder: &Utf8Path) -> io::Result<()> {
        let mut text = format!("{}\n", self.path);
        for Version { id, at, size } in &self.versions {
            text.push_str(&format!("{at} {size} {id}\n"));
        }
        write_privately(&folder.join("index"), text.as_bytes())
    }

    /// Each content once.
    fn bytes(&self) -> u64 {
        let contents: BTreeSet<(&str, u64)> =
            self.versions.iter().map(|version| (&*version.id, version.size)).collect();
        contents.iter().map(|(_, size)| size).sum()
    }

    /// Drops the oldest until the rest is within `bounds`; returns contents that no version needs any longer.
    fn bounded(&mut self, bounds: Bounds) -> BTreeSet<String> {
        let mut gone = BTreeSet::new();
        while self.versions.len() > 1 && (self.versions.len() > bounds.versions || self.bytes() > bounds.bytes) {
            gone.insert(self.versions.remove(0).id);
        }
        gone.retain(|id| self.versions.iter().all(|version| version.id != *id));
        gone
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn versions(bounds: Bounds) -> (tempfile::TempDir, Versions) {
        let folder = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::from_path_buf(folder.path().join("history")).unwrap();
        (folder, Versions::new(path, bounds))
    }

    fn texts(kept: &Versions, path: &str) -> Vec<(i64, String)> {
        let path = Utf8Path::new(path);
        let text = |version: Version| (version.at, String::from_utf8(kept.read(path, &version.id).unwrap()).unwrap());
        kept.of(path).into_iter().map(text).collect()
    }

    fn keep(kept: &Versions, path: &str, text: &str, at: i64) {
        kept.keep(Utf8Path::new(path), text.as_bytes(), at).unwrap();
    }

    #[test]
    fn keeps_each_change_and_no_text_twice_in_a_row() {
        let (_folder, kept) = versions(Bounds::default());
        for (at, text) in [(1, "a"), (2, "a"), (3, "b"), (4, "a")] {
            keep(&kept, "/skills/SKILL.md", text, at);
        }
        assert_eq!(texts(&kept, "/skills/SKILL.md"), [(4, "a".into()), (3, "b".into()), (1, "a".into())]);
        let contents = kept.of_path(Utf8Path::new("/skills/SKILL.md")).read_dir_utf8().unwrap().count();
        assert_eq!(contents, 3, "the index and two texts");
        assert_eq!(texts(&kept, "/skills/other.md"), []);
    }

    #[test]
    fn the_oldest_go_where_there_are_too_many_or_too_large_ones() {
        let (_folder, kept) = versions(Bounds { versions: 2, bytes: 10, all_bytes: 1000 });
        for (at, text) in [(1, "a"), (2, "b"), (3, "a")] {
            keep(&kept, "/f", text, at);
        }
        assert_eq!(texts(&kept, "/f"), [(3, "a".into()), (2, "b".into())], "what is still needed stays readable");
        keep(&kept, "/f", "longer than ten", 4);
        assert_eq!(texts(&kept, "/f"), [(4, "longer than ten".into())], "the newest stays, however large");
        assert_eq!(kept.of_path(Utf8Path::new("/f")).read_dir_utf8().unwrap().count(), 2);
    }

    #[test]
    fn files_that_rested_longest_make_room() {
        let (_folder, kept) = versions(Bounds { versions: 9, bytes: 100, all_bytes: 10 });
        for (at, path) in [(1, "/a"), (2, "/b"), (3, "/c")] {
            keep(&kept, path, "12345", at);
        }
        let left: Vec<usize> = ["/a", "/b", "/c"].map(|path| texts(&kept, path).len()).into();
        assert_eq!(left, [0, 1, 1]);
    }

    #[test]
    fn versions_follow_a_file_and_a_folder_that_are_renamed() {
        let (_folder, kept) = versions(Bounds::default());
        keep(&kept, "/skills/a/SKILL.md", "one", 1);
        keep(&kept, "/skills/ab/SKILL.md", "two", 1);
        kept.moved(Utf8Path::new("/skills/a"), Utf8Path::new("/skills/c")).unwrap();
        kept.moved(Utf8Path::new("/skills/c/SKILL.md"), Utf8Path::new("/skills/c/old.md")).unwrap();
        assert_eq!(texts(&kept, "/skills/c/old.md"), [(1, "one".into())]);
        assert_eq!(texts(&kept, "/skills/ab/SKILL.md"), [(1, "two".into())], "a name that only begins the same");
        assert_eq!(texts(&kept, "/skills/a/SKILL.md"), []);
    }

    #[test]
    fn a_damaged_version_is_not_given_out_and_a_damaged_line_is_skipped() {
        let (_folder, kept) = versions(Bounds::default());
        keep(&kept, "/f", "text", 1);
        let (path, folder) = (Utf8Path::new("/f"), kept.of_path(Utf8Path::new("/f")));
        let id = kept.of(path).remove(0).id;
        for damaged in ["tex_", "text and more"] {
            std::fs::write(folder.join(&id), damaged).unwrap();
            assert!(matches!(kept.read(path, &id), Err(VersionError::Damaged)), "{damaged}");
        }
        std::fs::remove_file(folder.join(&id)).unwrap();
        assert!(matches!(kept.read(path, &id), Err(VersionError::Damaged)), "a copy that is not there");
        assert!(matches!(kept.read(path, "../../secret"), Err(VersionError::Gone)));
        let index = format!("{}1 4 ../../secret\n", read_text(&folder.join("index"), 1000).unwrap());
        std::fs::write(folder.join("index"), index).unwrap();
        assert_eq!(kept.of(path).len(), 1);
    }
}
