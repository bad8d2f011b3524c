//! The files: a header line with the hash of everything that follows, a line for findings outside of skills, then one
//! for each skill.

use std::io::Read;
use std::ops::Range;
use std::time::{Duration, SystemTime};

use camino::{Utf8Path, Utf8PathBuf};

const HEAD: &str = "skillbench-found";
/// In bytes: a larger file is neither written nor read.
const MOST: usize = 128 << 20;
/// All files together; the oldest go first.
const MOST_OF_ALL: u64 = 256 << 20;
/// How often, at most, a file that is only read is marked as used.
const USED: Duration = Duration::from_secs(24 * 60 * 60);

#[derive(Default)]
pub(super) struct Pack {
    text: String,
    lines: Vec<Range<usize>>,
}

impl Pack {
    /// Empty if there is none that can be trusted.
    pub fn read(path: &Utf8Path) -> Self {
        Self::whole(path).unwrap_or_default()
    }

    fn whole(path: &Utf8Path) -> Option<Self> {
        let (file, facts) = disk::open_unlinked(path).ok()?;
        let size = usize::try_from(facts.len()).ok().filter(|size| *size <= MOST)?;
        if !is_private(&facts) {
            return None;
        }
        let mut bytes = Vec::with_capacity(size);
        file.take(facts.len()).read_to_end(&mut bytes).ok()?;
        let text = String::from_utf8(bytes).ok()?;
        let (head, rest) = text.split_once('\n')?;
        if head.strip_prefix(HEAD)?.trim_start() != disk::digest(rest) {
            return None;
        }
        let mut start = head.len() + 1;
        let first = start;
        let mut lines = Vec::new();
        for (end, _) in rest.match_indices('\n') {
            lines.push(start..first + end);
            start = first + end + 1;
        }
        Some(Self { text, lines })
    }

    /// The findings outside of skills.
    pub fn first(&self) -> &str {
        self.lines.first().map_or("", |line| &self.text[line.clone()])
    }

    /// In bytes.
    pub fn size(&self) -> usize {
        self.text.len()
    }

    /// How many skills there are.
    pub fn lines(&self) -> usize {
        self.lines.len().saturating_sub(1)
    }

    pub fn line(&self, number: usize) -> &str {
        self.lines.get(number + 1).map_or("", |line| &self.text[line.clone()])
    }

    /// Says that it was of use.
    pub fn touch(&self, path: &Utf8Path) {
        let age = path.metadata().and_then(|facts| facts.modified()).ok().and_then(|at| at.elapsed().ok());
        if age.is_some_and(|age| age > USED)
            && let Ok(file) = std::fs::OpenOptions::new().append(true).open(path)
        {
            // If it cannot be said, the file goes a little earlier.
            let _ = file.set_modified(SystemTime::now());
        }
    }
}

/// Without it the next look costs what this one did, so that nothing is said if it cannot be written.
pub(super) fn write<'a>(path: &Utf8Path, first: &str, lines: impl Iterator<Item = &'a str>) {
    let Some(folder) = path.parent() else { return };
    let mut text = format!("{first}\n");
    for line in lines {
        text.push_str(line);
        text.push('\n');
        if text.len() > MOST {
            return;
        }
    }
    let head = format!("{HEAD} {}\n", disk::digest(&text));
    text.insert_str(0, &head);
    let written = disk::make_private_folder(folder).and_then(|()| disk::write_loosely(path, text.as_bytes()));
    match written {
        Ok(()) => keep_within(folder, MOST_OF_ALL),
        Err(error) => tracing::debug!(%error, %path, "what was found is not kept"),
    }
}

/// Removes the files that were not used for the longest time, until the others have at most so many bytes.
fn keep_within(folder: &Utf8Path, most: u64) {
    let files = folder.read_dir_utf8().into_iter().flatten().flatten().filter_map(|entry| {
        let facts = entry.metadata().ok().filter(std::fs::Metadata::is_file)?;
        Some((facts.modified().ok()?, facts.len(), entry.into_path()))
    });
    let mut files: Vec<(SystemTime, u64, Utf8PathBuf)> = files.collect();
    files.sort();
    let mut left: u64 = files.iter().map(|(_, size, _)| size).sum();
    for (_, size, path) in files {
        if left <= most {
            return;
        }
        // Another process may have been faster.
        let _ = std::fs::remove_file(path);
        left -= size;
    }
}

#[cfg(unix)]
fn is_private(facts: &std::fs::Metadata) -> bool {
    std::os::unix::fs::MetadataExt::mode(facts) & 0o077 == 0
}

#[cfg(not(unix))]
fn is_private(_: &std::fs::Metadata) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_files_go_first() {
        let folder = tempfile::tempdir().unwrap();
        let folder = Utf8Path::from_path(folder.path()).unwrap();
        for (name, days) in [("old", 3), ("older", 4), ("new", 1)] {
            std::fs::write(folder.join(name), [0; 10]).unwrap();
            let then = SystemTime::now() - USED * days;
            std::fs::File::options().append(true).open(folder.join(name)).unwrap().set_modified(then).unwrap();
        }
        std::fs::create_dir(folder.join("no file")).unwrap();
        let names = || {
            let mut names: Vec<String> =
                folder.read_dir_utf8().unwrap().map(|entry| entry.unwrap().file_name().to_owned()).collect();
            names.sort();
            names
        };
        keep_within(folder, 30);
        assert_eq!(names(), ["new", "no file", "old", "older"]);
        keep_within(folder, 29);
        assert_eq!(names(), ["new", "no file", "old"]);
        let pack = Pack::read(&folder.join("old"));
        pack.touch(&folder.join("old"));
        keep_within(folder, 19);
        assert_eq!(names(), ["no file", "old"], "it was used last");
    }
}
