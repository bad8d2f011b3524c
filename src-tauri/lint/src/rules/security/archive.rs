//! The entries of archives, from their table of contents; nothing is unpacked.

use std::fs::File;

use camino::Utf8Path;
use zip::ZipArchive;

use crate::Subject;
use crate::analysis::context::extension;
use skill::SkillFile;
use wording::Message;
use wording::message;

pub struct Entry {
    pub name: String,
    /// Unpacked, as stated.
    pub size: u64,
    pub is_link: bool,
}

/// Empty if it is not an archive or cannot be read as one.
pub fn entries(skill: &Subject<'_>, file: &SkillFile) -> Vec<Entry> {
    let Some(mut archive) = Some(file).filter(|file| is_known(&file.path)).and_then(|file| opened(skill, file)) else {
        return Vec::new();
    };
    let mut entries = Vec::new();
    for place in 0..archive.len().min(MOST) {
        let Ok(entry) = archive.by_index_raw(place) else { continue };
        let mode = entry.unix_mode().unwrap_or_default();
        let name = String::from_utf8_lossy(entry.name_raw()).into_owned();
        entries.push(Entry { name, size: entry.size(), is_link: mode & 0o170_000 == 0o120_000 });
    }
    entries
}

/// Whether archives with this name are examined.
pub fn is_known(path: &Utf8Path) -> bool {
    ENDINGS.contains(&extension(path).as_str())
}

/// Why it, or a part of it, cannot be examined.
pub fn unread(skill: &Subject<'_>, file: &SkillFile) -> Option<Message> {
    let name = &file.name;
    match opened(skill, file).map(|archive| archive.len()) {
        None => Some(message!(
            "`{name}` cannot be read as an archive: pack it again, or take it out",
            "`{name}` 无法作为压缩包读取，请重新打包或删除"
        )),
        Some(count) if count > MOST => Some(message!(
            "`{name}` has {count} entries; only the first {MOST} were looked at: make it smaller",
            "`{name}` 有 {count} 个条目，只检查了前 {MOST} 个，请缩小"
        )),
        Some(_) => None,
    }
}

/// Whether these first bytes of a file are an archive's, or those of one compressed file.
pub fn is_archive(start: &[u8]) -> bool {
    const MARKS: [&[u8]; 7] =
        [b"PK\x03\x04", b"\x1F\x8B", b"BZh", b"\xFD7zXZ", b"\x28\xB5\x2F\xFD", b"7z\xBC\xAF", b"Rar!"];
    MARKS.iter().any(|mark| start.starts_with(mark)) || start.get(257..262) == Some(b"ustar")
}

/// Endings of archives that are not examined.
pub const OTHERS: [&str; 16] =
    ["tar", "tgz", "gz", "tbz2", "bz2", "txz", "xz", "zst", "lz4", "7z", "rar", "dmg", "iso", "deb", "rpm", "cab"];

fn opened(skill: &Subject<'_>, file: &SkillFile) -> Option<ZipArchive<File>> {
    skill.disk().open(&file.path).and_then(|opened| ZipArchive::new(opened).ok())
}

const ENDINGS: [&str; 20] = [
    "zip", "skill", "docx", "docm", "dotx", "dotm", "xlsx", "xlsm", "xltm", "xlsb", "xlam", "pptx", "pptm", "potm",
    "ppam", "whl", "jar", "odt", "ods", "epub",
];
/// How many entries of one archive are examined.
const MOST: usize = 20_000;
