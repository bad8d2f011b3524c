//! A fingerprint of what would run: a script that was reviewed is the same as the one that runs if the fingerprints are
//! equal.

use std::fs;
use std::io::{self, Read};
use std::path::PathBuf;

use camino::{Utf8Path, Utf8PathBuf};
use sha2::{Digest, Sha256};

/// SHA-256 over every name and every byte at the paths, which are files or folders, in hexadecimal digits. A link
/// counts with its target's path and the target's contents. `None` if there is more than the limits allow, or something
/// cannot be read: then nobody can know whether it stays the same.
pub fn of(paths: &[Utf8PathBuf]) -> Option<String> {
    let mut print = Print::new(None);
    for path in paths {
        print.path(path)?;
    }
    Some(print.finish())
}

/// The same for a folder's contents, independent of its place.
pub fn of_content(folder: &Utf8Path) -> Option<String> {
    let mut print = Print::new(Some(folder.to_owned()));
    print.path(folder)?;
    Some(print.finish())
}

/// Files in a folder with names of settings, which begin with a dot.
pub fn settings(folder: &Utf8Path) -> Vec<Utf8PathBuf> {
    let entries = folder.read_dir_utf8().into_iter().flatten().flatten();
    let mut settings: Vec<_> =
        entries.filter(|entry| entry.file_name().starts_with('.')).map(camino::Utf8DirEntry::into_path).collect();
    settings.sort();
    settings
}

/// Bytes that are read of all files together.
const BYTE_LIMIT: u64 = 64 << 20;
/// Files and folders.
const ENTRY_LIMIT: usize = 20_000;
const DEPTH_LIMIT: usize = 32;

struct Print {
    hash: Sha256,
    room: u64,
    entries: usize,
    /// The folders around the one that is read, by their real paths.
    above: Vec<PathBuf>,
    /// Paths count from here on.
    base: Option<Utf8PathBuf>,
}

impl Print {
    fn new(base: Option<Utf8PathBuf>) -> Self {
        Self { hash: Sha256::new(), room: BYTE_LIMIT, entries: 0, above: Vec::new(), base }
    }

    fn finish(self) -> String {
        self.hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    fn path(&mut self, path: &Utf8Path) -> Option<()> {
        self.entries += 1;
        if self.entries > ENTRY_LIMIT || self.above.len() > DEPTH_LIMIT {
            return None;
        }
        let named = self.base.as_ref().and_then(|base| path.strip_prefix(base).ok()).unwrap_or(path);
        self.note(named.as_str().as_bytes());
        if let Ok(target) = fs::read_link(path) {
            self.note(b"link");
            self.note(target.as_os_str().as_encoded_bytes());
        }
        match fs::metadata(path) {
            Ok(facts) if facts.is_dir() => self.folder(path),
            Ok(facts) if facts.is_file() => self.file(path, facts.len()),
            // Opening a pipe would wait for a writer that may never come.
            Ok(_) => {
                self.note(b"special");
                Some(())
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                self.note(b"missing");
                Some(())
            }
            Err(_) => None,
        }
    }

    fn folder(&mut self, path: &Utf8Path) -> Option<()> {
        self.note(b"folder");
        let real = fs::canonicalize(path).ok()?;
        if self.above.contains(&real) {
            self.note(b"loop");
            return Some(());
        }
        let entries = fs::read_dir(path).ok()?;
        let mut names: Vec<_> =
            entries.map(|entry| entry.map(|entry| entry.file_name())).collect::<Result<_, _>>().ok()?;
        names.sort();
        self.above.push(real);
        for name in names {
            self.path(&path.join(name.to_str()?))?;
        }
        self.above.pop();
        Some(())
    }

    fn file(&mut self, path: &Utf8Path, size: u64) -> Option<()> {
        let bytes = read(path, size.min(self.room)).ok()?;
        self.room = self.room.checked_sub(bytes.len() as u64)?;
        self.note(b"file");
        self.note(&bytes);
        Some(())
    }

    /// With its length, so that no two lists of parts make the same bytes.
    fn note(&mut self, part: &[u8]) {
        self.hash.update((part.len() as u64).to_le_bytes());
        self.hash.update(part);
    }
}

/// One byte more than that shows that there is more.
fn read(path: &Utf8Path, size: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    disk::open(path)?.0.take(size + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_change_below_a_folder_shows() {
        let guard = tempfile::tempdir().unwrap();
        let folder = Utf8PathBuf::try_from(guard.path().to_owned()).unwrap();
        let skill = folder.join("skill");
        fs::create_dir_all(skill.join("scripts")).unwrap();
        fs::write(skill.join("scripts/run.py"), "print(1)").unwrap();
        fs::write(folder.join("outside.py"), "print(2)").unwrap();
        let mut prints = vec![of(std::slice::from_ref(&skill))];
        assert_eq!(of(std::slice::from_ref(&skill)), prints[0], "nothing changed");
        assert!(prints[0].is_some());
        let mut changed = |what: &str| {
            let print = of(std::slice::from_ref(&skill));
            assert!(!prints.contains(&print), "{what}");
            prints.push(print);
        };
        fs::write(skill.join("scripts/run.py"), "print(3)").unwrap();
        changed("a script of the same size");
        fs::write(skill.join("scripts/helper.py"), "").unwrap();
        changed("an empty file next to it");
        fs::rename(skill.join("scripts/helper.py"), skill.join("scripts/json.py")).unwrap();
        changed("a file with another name");
        fs::create_dir(skill.join("empty")).unwrap();
        changed("an empty folder");
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("../outside.py", skill.join("link.py")).unwrap();
            changed("a link");
            fs::write(folder.join("outside.py"), "print(4)").unwrap();
            changed("what a link leads to");
            fs::create_dir_all(folder.join("lib/deep")).unwrap();
            std::os::unix::fs::symlink(folder.join("lib"), skill.join("lib")).unwrap();
            changed("a link to a folder");
            fs::write(folder.join("lib/deep/helper.py"), "").unwrap();
            changed("what is in a folder that a link leads to");
            std::os::unix::fs::symlink("..", skill.join("scripts/up")).unwrap();
            changed("a link around itself");
        }
        fs::remove_dir_all(&skill).unwrap();
        changed("nothing there any more");
    }

    #[test]
    fn a_copy_has_the_same_content_and_an_edit_another() {
        let guard = tempfile::tempdir().unwrap();
        let folder = Utf8PathBuf::try_from(guard.path().to_owned()).unwrap();
        for copy in ["a", "b"] {
            fs::create_dir_all(folder.join(copy).join("scripts")).unwrap();
            fs::write(folder.join(copy).join("scripts/run.py"), "print(1)").unwrap();
        }
        let print = |copy: &str| of_content(&folder.join(copy)).unwrap();
        assert_eq!(print("a"), print("b"));
        fs::write(folder.join("b/scripts/run.py"), "print(2)").unwrap();
        assert_ne!(print("a"), print("b"));
    }

    #[test]
    fn knows_nothing_of_what_is_beyond_its_limits() {
        let guard = tempfile::tempdir().unwrap();
        let folder = Utf8PathBuf::try_from(guard.path().to_owned()).unwrap();
        let deep: Utf8PathBuf = std::iter::repeat_n("d", DEPTH_LIMIT + 2).collect();
        fs::create_dir_all(folder.join("deep").join(deep)).unwrap();
        assert_eq!(of(&[folder.join("deep")]), None);
        let large = folder.join("large");
        fs::File::create(&large).unwrap().set_len(BYTE_LIMIT + 1).unwrap();
        assert_eq!(of(std::slice::from_ref(&large)), None);
        fs::File::create(&large).unwrap().set_len(BYTE_LIMIT / 64).unwrap();
        assert!(of(&[large]).is_some());
    }
}
