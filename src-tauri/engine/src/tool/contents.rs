//! The contents of a folder's files at one moment, so that changes can be reported later.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io::Read;

use camino::Utf8Path;
use disk::{EntryKind, Folder, digest};
use trace::{Content, Unkept};

/// The files below a folder, by relative path.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Contents {
    pub files: BTreeMap<String, Content>,
    /// Something of the folder was not looked at.
    pub partial: bool,
}

impl Contents {
    /// Walks the folder to [`DEPTH`] levels and [`FILES`] files. Each folder is opened in the one above it and through
    /// no link, whatever is put in its place in the meantime. A folder that is not there is empty. Blocks.
    pub fn take(folder: &Utf8Path) -> Self {
        let mut found = Self::default();
        let mut budget = Budget { bytes: HASHED, texts: HELD };
        let Some(real) = disk::real(folder).filter(|real| real.exists()) else { return found };
        let Ok(root) = Folder::enter(&real) else {
            found.partial = true;
            return found;
        };
        found.add(&root, "", 0, &mut budget);
        found
    }

    /// Whether there is room for more.
    fn add(&mut self, folder: &Folder, above: &str, depth: usize, budget: &mut Budget) -> bool {
        let Ok(names) = folder.names() else {
            self.partial = true;
            return true;
        };
        for (name, kind) in names {
            let Some(text) = name.to_str() else {
                self.partial = true;
                continue;
            };
            let path = if above.is_empty() { text.to_owned() } else { format!("{above}/{text}") };
            if kind == EntryKind::Folder {
                match folder.below(&name) {
                    Ok(below) if depth < DEPTH => {
                        if !self.add(&below, &path, depth + 1, budget) {
                            return false;
                        }
                    }
                    Ok(_) | Err(_) => self.partial = true,
                }
                continue;
            }
            if self.files.len() == FILES {
                self.partial = true;
                return false;
            }
            let content = match kind {
                EntryKind::Link => link(folder, &name),
                EntryKind::File => file(folder, &name, budget),
                // Pipes and devices hold nothing.
                EntryKind::Folder | EntryKind::Other => continue,
            };
            self.files.insert(path, content);
        }
        true
    }
}

/// Levels of folders.
const DEPTH: usize = 32;
const FILES: usize = 10_000;
/// Bytes that are read of all files together.
const HASHED: u64 = 64 << 20;
/// Bytes of all texts that are held.
const HELD: u64 = 8 << 20;
/// Bytes of one text.
pub const TEXT: u64 = 256 << 10;

struct Budget {
    bytes: u64,
    texts: u64,
}

fn file(folder: &Folder, name: &OsStr, budget: &mut Budget) -> Content {
    let without = |size, unkept| Content { size, digest: None, text: None, unkept: Some(unkept) };
    let Ok((file, facts)) = folder.open(name) else { return without(0, Unkept::Unreadable) };
    if facts.size > budget.bytes {
        return without(facts.size, Unkept::Large);
    }
    let mut bytes = Vec::new();
    // It may grow while it is read.
    if file.take(facts.size).read_to_end(&mut bytes).is_err() {
        return without(facts.size, Unkept::Unreadable);
    }
    budget.bytes = budget.bytes.saturating_sub(bytes.len() as u64);
    let content = Content { size: bytes.len() as u64, digest: Some(digest(&bytes)), text: None, unkept: None };
    if content.size > TEXT {
        return Content { unkept: Some(Unkept::Large), ..content };
    }
    match String::from_utf8(bytes) {
        Err(_) => Content { unkept: Some(Unkept::Binary), ..content },
        Ok(text) if text.contains('\0') => Content { unkept: Some(Unkept::Binary), ..content },
        Ok(_) if content.size > budget.texts => Content { unkept: Some(Unkept::Full), ..content },
        Ok(text) => {
            budget.texts -= content.size;
            Content { text: Some(text), ..content }
        }
    }
}

/// A link by its target's path; the target itself is not read.
fn link(folder: &Folder, name: &OsStr) -> Content {
    let target = folder.target(name).ok().map(|target| digest(target.as_os_str().as_encoded_bytes()));
    Content { size: 0, digest: target, text: None, unkept: Some(Unkept::Link) }
}

#[cfg(test)]
mod tests {
    use camino::Utf8PathBuf;

    use super::*;

    fn folder() -> (tempfile::TempDir, Utf8PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::from_path_buf(folder.path().to_owned()).unwrap();
        (folder, path)
    }

    #[test]
    fn keeps_texts_and_says_why_other_files_are_not_kept() {
        let (_folder, path) = folder();
        std::fs::create_dir(path.join("out")).unwrap();
        std::fs::write(path.join("out/notes.md"), "字\r\n").unwrap();
        std::fs::write(path.join("image"), [0xff, 0]).unwrap();
        std::fs::write(path.join("long"), "x".repeat(1 + TEXT as usize)).unwrap();
        let found = Contents::take(&path);
        let kept: Vec<_> = found
            .files
            .iter()
            .map(|(path, content)| (path.as_str(), content.text.as_deref(), content.unkept))
            .collect();
        let expected = [
            ("image", None, Some(Unkept::Binary)),
            ("long", None, Some(Unkept::Large)),
            ("out/notes.md", Some("字\r\n"), None),
        ];
        assert_eq!(kept, expected);
        assert!(!found.partial && found.files.values().all(|content| content.digest.is_some()));
    }

    #[test]
    fn a_folder_that_is_not_there_is_empty() {
        assert_eq!(Contents::take(Utf8Path::new("/no/such/folder")), Contents::default());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_one_and_what_it_leads_to_is_not_read() {
        let (_folder, path) = folder();
        std::os::unix::fs::symlink("/etc/passwd", path.join("link")).unwrap();
        std::os::unix::fs::symlink(&path, path.join("loop")).unwrap();
        let found = Contents::take(&path);
        assert_eq!(found.files.keys().collect::<Vec<_>>(), ["link", "loop"]);
        assert!(found.files.values().all(|content| content.unkept == Some(Unkept::Link) && content.text.is_none()));
    }
}
