//! What a folder holds, asked of the operating system once for each entry.

use std::fs::{self, DirEntry, Metadata};
use std::io;
use std::path::PathBuf;

use super::{Seen, Stamp};
use camino::{Utf8Path, Utf8PathBuf};
use wording::{Message, message};

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

/// An operating system's error in words, without its number.
pub fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}

/// Why the operating system refused, in each language. What has no common name is quoted.
pub fn why(error: &io::Error) -> Message {
    use io::ErrorKind as E;
    match error.kind() {
        E::NotFound => message!("no such file or folder", "文件或文件夹不存在"),
        E::PermissionDenied => message!("permission denied", "没有权限"),
        E::AlreadyExists => message!("it already exists", "它已存在"),
        E::IsADirectory => message!("it is a folder, not a file", "它是文件夹，不是文件"),
        E::NotADirectory => message!("part of the path is a file, not a folder", "路径中的一段是文件，不是文件夹"),
        E::StorageFull => message!("the disk is full", "磁盘已满"),
        E::BrokenPipe => message!("nobody reads it", "无人读取"),
        // What `disk` says of files that it does not read.
        _ => {
            let en = reason(error);
            let zh = if let Some(size) = en.strip_prefix("it is larger than ") {
                format!("它大于 {size}")
            } else if let Some(at) = en.strip_prefix("byte ").and_then(|rest| rest.strip_suffix(" is not valid UTF-8"))
            {
                format!("偏移 {at} 处的字节不是有效的 UTF-8")
            } else if error.kind() == E::ResourceBusy {
                "另一个进程正在更改它".to_owned()
            } else if en == "it is not a regular file" {
                "它不是普通文件".to_owned()
            } else {
                en.clone()
            };
            Message { en, zh }
        }
    }
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
    fn reasons_are_words() {
        assert_eq!(reason(&io::Error::from_raw_os_error(13)), "permission denied");
        assert_eq!(reason(&io::Error::other("it is not a regular file")), "it is not a regular file");
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
