//! Trees in memory for the tests of the harnesses.

use std::sync::Arc;

use skill::source::SourceText;
use skill::{Entry, File, Folder, Link, Root, SkillSet};

/// A root `/skills` with these files; a text that starts with `->` is a link.
pub fn disk(files: &[(&str, &str)]) -> SkillSet {
    let mut tree = folder("skills", "/skills");
    for (path, text) in files {
        put(&mut tree, path, text);
    }
    SkillSet { roots: vec![Root { path: tree.path.clone(), tree }], problems: Vec::new() }
}

fn folder(name: &str, path: &str) -> Folder {
    Folder { name: name.into(), path: path.into(), link: None, listed: true, entries: Vec::new() }
}

fn put(into: &mut Folder, path: &str, text: &str) {
    let Some((first, rest)) = path.split_once('/') else {
        let path = into.path.join(path);
        let link = text.strip_prefix("->").map(Link::to);
        let source =
            SourceText { path: path.clone(), text: text.into(), bom: false, invalid_at: None, truncated_from: None };
        let name = path.file_name().unwrap().to_owned();
        let is_read = name.eq_ignore_ascii_case("SKILL.md")
            || ["openai.yaml", "gemini-extension.json", ".gitignore", ".ignore", ".rgignore"].contains(&&*name)
            || into.name == "commands";
        let source = is_read.then(|| Arc::new(source));
        into.entries.push(Entry::File(File {
            name,
            path,
            size: text.len() as u64,
            is_regular: true,
            link,
            seen: skill::Seen::default(),
            source,
        }));
        return;
    };
    let known = into.entries.iter().position(|entry| matches!(entry, Entry::Folder(inner) if inner.name == first));
    let index = known.unwrap_or_else(|| {
        let path = into.path.join(first);
        into.entries.push(Entry::Folder(folder(first, path.as_str())));
        into.entries.len() - 1
    });
    if let Entry::Folder(inner) = &mut into.entries[index] {
        put(inner, rest, text);
    }
}

pub fn manifest(name: &str) -> String {
    format!("---\nname: {name}\ndescription: About {name}\n---\nBody of {name}.\n")
}
