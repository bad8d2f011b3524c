//! Which room of the core may use which: `ARCHITECTURE.md`'s map, held.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use camino::{Utf8Path, Utf8PathBuf};

/// A room and what it may use besides itself, in the order in which things flow. `model` and `config` read each
/// other's plain values (sampling parameters, model entries); else a room uses only rooms above it.
const ROOMS: [(&str, &[&str]); 13] = [
    ("source", &[]),
    ("disk", &[]),
    ("clock", &[]),
    ("secret", &[]),
    ("skill", &["source", "disk"]),
    ("model", &["disk", "secret", "config"]),
    ("config", &["source", "disk", "secret", "model"]),
    ("harness", &["source", "skill", "model", "config"]),
    ("lint", &["source", "skill", "model", "config", "harness"]),
    ("trace", &["source", "disk", "clock", "model", "config", "harness"]),
    ("tool", &["source", "disk", "harness", "trace"]),
    ("engine", &["source", "disk", "clock", "secret", "skill", "model", "config", "harness", "trace", "tool"]),
    (
        "api",
        &[
            "source", "disk", "clock", "secret", "skill", "model", "config", "harness", "lint", "trace", "tool",
            "engine",
        ],
    ),
];

#[test]
fn every_room_uses_only_the_rooms_it_may() {
    let allowed: BTreeMap<&str, &[&str]> = ROOMS.into_iter().collect();
    let mut wrong = Vec::new();
    let mut seen = BTreeSet::new();
    for path in sources(Utf8Path::new(CORE)) {
        let relative = path.strip_prefix(CORE).unwrap();
        let room = relative.components().next().unwrap().as_str().trim_end_matches(".rs");
        if room == "lib" {
            continue;
        }
        seen.insert(room.to_owned());
        let Some(allowed) = allowed.get(room) else {
            wrong.push(format!("{relative}: the table has no room {room}"));
            continue;
        };
        for used in rooms_used(&fs::read_to_string(&path).unwrap(), is_front(relative)) {
            if used != room && !allowed.contains(&used.as_str()) {
                wrong.push(format!("{relative}: {room} must not use {used}"));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), allowed.into_keys().collect::<Vec<_>>());
}

#[test]
fn finds_what_a_file_uses() {
    let text = "
//! `crate::lint` in a comment counts for nothing.
use crate::{harness::Effect, model::{Message, Part}, trace};
use super::clock::Millis;
fn f() -> crate::skill::Skill {}
#[cfg(test)]
use crate::engine;
#[cfg(test)]
mod tests {
    use crate::api;
}
fn g(x: crate::tool::Script) {}
";
    let used = |front| rooms_used(text, front).into_iter().collect::<Vec<_>>();
    assert_eq!(used(true), ["clock", "harness", "model", "skill", "tool", "trace"]);
    assert_eq!(used(false), ["harness", "model", "skill", "tool", "trace"], "`super` is the room itself there");
}

const CORE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../src-tauri/core/src");

fn sources(folder: &Utf8Path) -> Vec<Utf8PathBuf> {
    let mut out = Vec::new();
    for entry in folder.read_dir_utf8().unwrap() {
        let path = entry.unwrap().into_path();
        let is_test = path.file_stem() == Some("tests");
        if !is_test && path.is_dir() {
            out.extend(sources(&path));
        } else if !is_test && path.extension() == Some("rs") {
            out.push(path);
        }
    }
    out.sort();
    out
}

/// A file whose `super` is the crate: `config.rs`, `trace/mod.rs`.
fn is_front(relative: &Utf8Path) -> bool {
    match relative.components().count() {
        1 => true,
        2 => relative.file_name() == Some("mod.rs"),
        _ => false,
    }
}

fn rooms_used(text: &str, front: bool) -> BTreeSet<String> {
    let code = without_tests(text);
    let mut used = BTreeSet::new();
    for prefix in if front { &["crate::", "super::"][..] } else { &["crate::"] } {
        for (at, _) in code.match_indices(prefix) {
            if code[..at].ends_with('$') {
                continue;
            }
            used.extend(heads(&code[at + prefix.len()..]));
        }
    }
    used
}

/// The first names of a path or of each branch of a `{…}` group; types and macros begin with no room.
fn heads(path: &str) -> Vec<String> {
    let Some(group) = path.strip_prefix('{') else {
        let name: String = path.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect();
        let is_room = name.starts_with(char::is_lowercase) && !path[name.len()..].starts_with('!');
        return if is_room { vec![name] } else { Vec::new() };
    };
    let (mut depth, mut branches) = (0, vec![String::new()]);
    for letter in group.chars() {
        match letter {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => branches.push(String::new()),
            _ if depth == 0 && !letter.is_whitespace() => branches.last_mut().unwrap().push(letter),
            _ => {}
        }
    }
    branches.iter().flat_map(|branch| heads(branch)).collect()
}

/// Drops comments and the items under `#[cfg(test)]`; relies on rustfmt's layout.
fn without_tests(text: &str) -> String {
    let mut out = String::new();
    let mut lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    while let Some(line) = lines.next() {
        if line.trim() != "#[cfg(test)]" {
            out.push_str(line);
            out.push('\n');
            continue;
        }
        let indent = &line[..line.len() - line.trim_start().len()];
        let item = lines.by_ref().find(|line| !line.trim_start().starts_with("#[")).unwrap_or_default();
        if item.ends_with('{') {
            let end = format!("{indent}}}");
            lines.by_ref().find(|line| *line == end);
        }
    }
    out
}
