//! What would run, as one value: a script that was looked at is the same as the one that runs if its fingerprint is.

use std::fs::{self, Metadata};
use std::io::{self, Read};

use camino::{Utf8Path, Utf8PathBuf};
use sha2::{Digest, Sha256};

/// SHA-256 over every name and every byte at the paths, which are files or folders, in hexadecimal digits. A link counts
/// with its target's path and, if that is a file, with its text. Beyond the limits a file counts with its size and the
/// time it was changed. What is missing or cannot be read counts as that.
pub fn of(paths: &[Utf8PathBuf]) -> String {
    let mut print = Print { hash: Sha256::new(), room: BYTE_LIMIT, entries: 0 };
    for path in paths {
        print.path(path, 0);
    }
    print.hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
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
}

impl Print {
    fn path(&mut self, path: &Utf8Path, depth: usize) {
        self.entries += 1;
        self.note(path.as_str().as_bytes());
        let Ok(facts) = fs::symlink_metadata(path) else { return self.note(b"missing") };
        if facts.is_symlink() {
            let target = fs::read_link(path).unwrap_or_default();
            self.note(b"link");
            self.note(target.as_os_str().as_encoded_bytes());
            match fs::metadata(path) {
                Ok(facts) if facts.is_file() => self.file(path, &facts),
                Ok(_) | Err(_) => self.note(b"elsewhere"),
            }
        } else if facts.is_dir() {
            self.folder(path, depth);
        } else if facts.is_file() {
            self.file(path, &facts);
        } else {
            // Opening a pipe would wait for a writer that may never come.
            self.note(b"special");
        }
    }

    fn folder(&mut self, path: &Utf8Path, depth: usize) {
        self.note(b"folder");
        let Ok(entries) = fs::read_dir(path) else { return self.note(b"unreadable") };
        let mut names: Vec<_> = entries.filter_map(|entry| entry.ok().map(|entry| entry.file_name())).collect();
        names.sort();
        for name in names {
            if self.entries >= ENTRY_LIMIT || depth >= DEPTH_LIMIT {
                return self.note(b"more");
            }
            match name.to_str() {
                Some(name) => self.path(&path.join(name), depth + 1),
                None => self.note(name.as_encoded_bytes()),
            }
        }
    }

    fn file(&mut self, path: &Utf8Path, facts: &Metadata) {
        if facts.len() > self.room {
            self.note(b"large");
            self.note(&facts.len().to_le_bytes());
            return self.note(format!("{:?}", facts.modified()).as_bytes());
        }
        self.room -= facts.len();
        match read(path, facts.len()) {
            Ok(bytes) => {
                self.note(b"file");
                self.note(&bytes);
            }
            Err(_) => self.note(b"unreadable"),
        }
    }

    /// With its length, so that no two lists of parts make the same bytes.
    fn note(&mut self, part: &[u8]) {
        self.hash.update((part.len() as u64).to_le_bytes());
        self.hash.update(part);
    }
}

/// No more than the file held a moment ago, should it grow.
fn read(path: &Utf8Path, size: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    fs::File::open(path)?.take(size + 1).read_to_end(&mut bytes)?;
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
        }
        fs::remove_dir_all(&skill).unwrap();
        changed("nothing there any more");
    }
}
