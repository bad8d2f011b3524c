//! What a folder holds, asked of the operating system once for each entry.

use std::fs::{self, DirEntry, Metadata};
use std::io;
use std::path::PathBuf;

use super::{Seen, Stamp};
use camino::{Utf8Path, Utf8PathBuf};

/// The entries of a folder, sorted by the bytes of their names.
#[derive(Debug, Default)]
pub struct Listing {
    pub entries: Vec<Listed>,
    /// Names that are not UTF-8, as well as they can be shown.
    pub unreadable_names: Vec<String>,
    /// The folder holds more than was asked for.
    pub more: bool,
}

#[derive(Debug)]
pub struct Listed {
    pub name: String,
    pub found: io::Result<Found>,
}

#[derive(Debug)]
pub enum Found {
    Thing(Thing),
    /// `to` has the path without links, too.
    Link {
        target: Utf8PathBuf,
        to: io::Result<(PathBuf, Thing)>,
    },
}

#[derive(Debug)]
pub enum Thing {
    /// The path has no links in it where it was reached through one.
    Folder(PathBuf),
    /// Size in bytes.
    File(u64, Seen),
    /// A pipe, a socket or a device.
    Special,
}

/// Lists at most `room` entries of a folder.
pub fn list(folder: &Utf8Path, room: usize) -> io::Result<Listing> {
    let mut listing = Listing::default();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if listing.entries.len() == room {
            listing.more = true;
            break;
        }
        match entry.file_name().into_string() {
            Ok(name) => listing.entries.push(Listed { name, found: find(&entry) }),
            Err(name) => listing.unreadable_names.push(name.to_string_lossy().into_owned()),
        }
    }
    listing.entries.sort_by(|a, b| a.name.cmp(&b.name));
    listing.unreadable_names.sort();
    Ok(listing)
}

fn find(entry: &DirEntry) -> io::Result<Found> {
    let path = &entry.path();
    // The listing says what a folder is; for the size of a file its entry is asked, which takes no way through the path.
    let kind = entry.file_type()?;
    if kind.is_dir() {
        return Ok(Found::Thing(Thing::Folder(path.to_owned())));
    }
    if !kind.is_symlink() {
        return Ok(Found::Thing(thing(path.to_owned(), &entry.metadata()?)));
    }
    let target = fs::read_link(path)?;
    let target = Utf8PathBuf::from(target.to_string_lossy().into_owned());
    let to = fs::canonicalize(path).and_then(|real| {
        let metadata = fs::metadata(&real)?;
        Ok((real.clone(), thing(real, &metadata)))
    });
    Ok(Found::Link { target, to })
}

fn thing(path: PathBuf, metadata: &Metadata) -> Thing {
    if metadata.is_dir() {
        return Thing::Folder(path);
    }
    if metadata.is_file() { Thing::File(metadata.len(), Seen(Stamp::of(metadata))) } else { Thing::Special }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_disk_says_of_a_file_is_said_in_chinese_too() {
        let folder = tempfile::tempdir().unwrap();
        let folder = Utf8Path::from_path(folder.path()).unwrap();
        let (large, odd) = (folder.join("large"), folder.join("odd"));
        fs::write(&large, [b'a'; 1025]).unwrap();
        fs::write(&odd, b"a\xff").unwrap();
        let why =
            [disk::read(&large, 1024).map(drop), disk::read_text(&odd, 9).map(drop), disk::read(folder, 9).map(drop)]
                .map(|read| wording::why(&read.unwrap_err()));
        let expected = [
            ("it is larger than 1 KiB", "它大于 1 KiB"),
            ("byte 1 is not valid UTF-8", "偏移 1 处的字节不是有效的 UTF-8"),
            ("it is a folder, not a file", "它是文件夹，不是文件"),
        ];
        assert_eq!(why, expected.map(|(en, zh)| wording::Message { en: en.to_owned(), zh: zh.to_owned() }));
    }

    #[test]
    fn lists_no_more_than_asked_for() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["b", "a", "c"] {
            fs::write(folder.path().join(name), name).unwrap();
        }
        let path = Utf8Path::from_path(folder.path()).unwrap();
        let all = list(path, 3).unwrap();
        assert_eq!(all.entries.iter().map(|entry| entry.name.as_str()).collect::<Vec<_>>(), ["a", "b", "c"]);
        assert!(!all.more);
        let some = list(path, 2).unwrap();
        assert_eq!((some.entries.len(), some.more), (2, true));
    }
}
