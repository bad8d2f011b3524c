//! The files of a skill: what each is to it, and whether it is text.

use std::io::{self, Read};

use camino::Utf8Path;

use super::manifest::FILE_NAME;
use super::{Entry, File, FileKind, Folder, SkillFile};

/// A file is text if its first bytes, up to this many, are.
pub const SNIFFED_BYTES: u64 = 8192;

/// The folder's `SKILL.md`: the one spelled so, else the first in another case.
pub fn manifest_of(folder: &Folder) -> Option<&File> {
    let mut named = folder.files().filter(|file| file.name.eq_ignore_ascii_case(FILE_NAME));
    let first = named.next()?;
    Some(if first.name == FILE_NAME { first } else { named.find(|file| file.name == FILE_NAME).unwrap_or(first) })
}

/// All files below a skill's folder, its `SKILL.md` first, then by relative path.
pub fn files_of(folder: &Folder) -> Vec<SkillFile> {
    let mut found = Vec::new();
    collect(folder, "", folder.link.is_some(), &mut found);
    let manifest = manifest_of(folder).map(|file| file.name.as_str());
    for file in &mut found {
        if Some(file.name.as_str()) == manifest {
            file.kind = FileKind::Manifest;
        }
    }
    found.shrink_to_fit();
    found.sort_by(|a, b| (a.kind != FileKind::Manifest, &a.name).cmp(&(b.kind != FileKind::Manifest, &b.name)));
    found
}

/// What a file other than `SKILL.md` is to its skill, by its relative path.
pub fn kind_of(name: &str) -> FileKind {
    match name.split_once('/').map(|(folder, _)| folder) {
        Some("references") => return FileKind::Reference,
        Some("scripts") => return FileKind::Script,
        Some("assets") => return FileKind::Asset,
        Some(_) | None => {}
    }
    let extension = Utf8Path::new(name).extension().map(str::to_ascii_lowercase);
    match extension.as_deref().unwrap_or_default() {
        "bat" | "cmd" | "cs" | "csx" | "cjs" | "js" | "mjs" | "pl" | "ps1" | "py" | "r" | "rb" | "sh" | "ts" => {
            FileKind::Script
        }
        "csv" | "json" | "jsonl" | "md" | "rst" | "toml" | "tsv" | "txt" | "xml" | "yaml" | "yml" => {
            FileKind::Reference
        }
        "css" | "docx" | "gif" | "html" | "jpeg" | "jpg" | "odt" | "otf" | "pdf" | "png" | "pptx" | "svg" | "ttf"
        | "webp" | "woff2" | "xlsx" | "xsd" | "zip" => FileKind::Asset,
        _ => FileKind::Other,
    }
}

/// Whether these first bytes of a file are text: UTF-8 without NUL. A character cut at the end does not count against it.
pub fn is_text(start: &[u8]) -> bool {
    !start.contains(&0) && std::str::from_utf8(start).map_or_else(|error| error.error_len().is_none(), |_| true)
}

/// Reads a file's first bytes to tell whether it is text.
pub fn is_text_file(path: &Utf8Path) -> io::Result<bool> {
    let (file, _) = match disk::open(path) {
        Err(error) if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::IsADirectory) => {
            return Ok(false);
        }
        opened => opened?,
    };
    let mut start = Vec::new();
    file.take(SNIFFED_BYTES).read_to_end(&mut start)?;
    Ok(is_text(&start))
}

fn collect(folder: &Folder, prefix: &str, linked: bool, found: &mut Vec<SkillFile>) {
    for entry in &folder.entries {
        match entry {
            Entry::File(file) => {
                let name = format!("{prefix}{}", file.name);
                found.push(SkillFile {
                    kind: kind_of(&name),
                    name,
                    path: file.path.clone(),
                    size: file.size,
                    link: linked || file.link.is_some(),
                    outside: file.link.as_ref().is_some_and(|link| link.outside),
                });
            }
            Entry::Folder(inner) => {
                collect(inner, &format!("{prefix}{}/", inner.name), linked || inner.link.is_some(), found);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Link;

    fn file(path: &str) -> Entry {
        let name = path.rsplit('/').next().unwrap_or_default().to_owned();
        Entry::File(File {
            name,
            path: path.into(),
            size: 1,
            is_regular: true,
            link: None,
            seen: crate::Seen::default(),
            source: None,
        })
    }

    fn folder(path: &str, entries: Vec<Entry>) -> Folder {
        let name = path.rsplit('/').next().unwrap_or_default().to_owned();
        Folder { name, path: path.into(), link: None, listed: true, entries }
    }

    #[test]
    fn lists_the_manifest_first_and_the_rest_by_path() {
        let linked =
            Folder { link: Some(Link::to("/elsewhere")), ..folder("/s/assets", vec![file("/s/assets/logo.txt")]) };
        let skill = folder(
            "/s",
            vec![
                file("/s/LICENSE"),
                file("/s/SKILL.md"),
                Entry::Folder(linked),
                file("/s/skill.md"),
                Entry::Folder(folder("/s/scripts", vec![file("/s/scripts/SKILL.md"), file("/s/scripts/run")])),
            ],
        );
        let found: Vec<_> = files_of(&skill).into_iter().map(|file| (file.name, file.kind, file.link)).collect();
        let expected = [
            ("SKILL.md".to_owned(), FileKind::Manifest, false),
            ("LICENSE".to_owned(), FileKind::Other, false),
            ("assets/logo.txt".to_owned(), FileKind::Asset, true),
            ("scripts/SKILL.md".to_owned(), FileKind::Script, false),
            ("scripts/run".to_owned(), FileKind::Script, false),
            ("skill.md".to_owned(), FileKind::Reference, false),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn takes_a_manifest_in_another_case_where_there_is_no_other() {
        let name = |entries| manifest_of(&folder("/s", entries)).map(|file| file.name.clone());
        assert_eq!(name(vec![file("/s/Skill.md"), file("/s/skill.md")]), Some("Skill.md".to_owned()));
        assert_eq!(name(vec![file("/s/README.md")]), None);
    }

    #[test]
    fn kinds_follow_folder_then_ending() {
        assert_eq!(kind_of("references/a.py"), FileKind::Reference);
        assert_eq!(kind_of("tools/a.PY"), FileKind::Script);
        assert_eq!(kind_of("guide.md"), FileKind::Reference);
        assert_eq!(kind_of("logo.png"), FileKind::Asset);
        assert_eq!(kind_of("Makefile"), FileKind::Other);
    }

    #[test]
    fn tells_text_from_binary() {
        assert!(is_text(b""));
        assert!(is_text("中文".as_bytes()));
        assert!(is_text(&"中文".as_bytes()[..5]), "cut inside a character");
        assert!(!is_text(b"PK\x03\x04\x00"));
        assert!(!is_text(b"\xff\xfea"));
    }
}
