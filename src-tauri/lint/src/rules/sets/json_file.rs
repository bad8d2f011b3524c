//! JSON files next to skills, and where their names and paths are.

use serde_json::Value;

use crate::{Report, SubjectSet};
use skill::source::Span;
use skill::{File, Folder};
use wording::message;

/// Larger files are not examined.
const SIZE_LIMIT: u64 = 4 << 20;

/// Files of this name below a folder, skills' own folders included, with the folder each is in.
pub fn named<'a>(folder: &'a Folder, name: &str, found: &mut Vec<(&'a Folder, &'a File)>) {
    found.extend(folder.files().filter(|file| file.name == name && file.size <= SIZE_LIMIT).map(|file| (folder, file)));
    for inner in folder.folders() {
        named(inner, name, found);
    }
}

/// Text and value; text that is not JSON is reported.
pub fn read(set: &SubjectSet<'_>, file: &File, report: &mut Report<'_>) -> Option<(String, Value)> {
    let source = set.files().text(&file.path)?;
    match serde_json::from_str(&source.text) {
        Ok(value) => Some((source.text.clone(), value)),
        Err(error) => {
            let (name, why) = (&file.name, wording::refusal(&error.to_string()));
            let message = message!("`{name}` is not valid JSON: {why}", "`{name}` 不是有效的 JSON：{why}"; why);
            report.about(&file.path, message);
            None
        }
    }
}

/// A string's place in the text, the first one if there are several.
pub fn place(text: &str, string: &str) -> Span {
    let quoted = format!("\"{string}\"");
    text.find(&quoted).map_or(Span::new(0, 0), |at| Span::new(at, at + quoted.len()))
}
