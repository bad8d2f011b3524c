//! What is in archives, by their list of contents; nothing is unpacked.

use zip::ZipArchive;

use super::context::extension;
use crate::lint::Subject;
use crate::skill::SkillFile;

pub struct Entry {
    pub name: String,
    /// Unpacked, as stated.
    pub size: u64,
    pub is_link: bool,
}

/// Empty for what is no archive or cannot be read as one.
pub fn entries(skill: &Subject<'_>, file: &SkillFile) -> Vec<Entry> {
    if !ENDINGS.contains(&extension(&file.path).as_str()) {
        return Vec::new();
    }
    let opened = skill.disk().open(&file.path);
    let Some(mut archive) = opened.and_then(|opened| ZipArchive::new(opened).ok()) else { return Vec::new() };
    let mut entries = Vec::new();
    for place in 0..archive.len().min(MOST) {
        let Ok(entry) = archive.by_index_raw(place) else { continue };
        let mode = entry.unix_mode().unwrap_or_default();
        let name = String::from_utf8_lossy(entry.name_raw()).into_owned();
        entries.push(Entry { name, size: entry.size(), is_link: mode & 0o170_000 == 0o120_000 });
    }
    entries
}

const ENDINGS: [&str; 20] = [
    "zip", "skill", "docx", "docm", "dotx", "dotm", "xlsx", "xlsm", "xltm", "xlsb", "xlam", "pptx", "pptm", "potm",
    "ppam", "whl", "jar", "odt", "ods", "epub",
];
/// Entries of one archive that are looked at.
const MOST: usize = 20_000;
