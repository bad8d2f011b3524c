//! `$name` in a prompt: the skill's file comes after it, in a separate message.

use std::collections::{HashMap, HashSet};

use camino::{Utf8Path, Utf8PathBuf};

use super::detail;
use crate::paths;
use crate::{Catalog, CatalogSkill, Marked, Origin, Session};
use model::{Message, Part, Role};

/// Puts the files of the skills that a new prompt names behind it: those that it links first, each in the order of the list.
pub fn answer(history: &mut Vec<Message>, catalog: &Catalog, session: &mut Session) {
    let Some(prompt) = history.last().filter(|message| message.role == Role::User) else { return };
    let [Part::Text { text }] = prompt.parts.as_slice() else { return };
    if session.injected.iter().any(|injected| injected.text == *text) {
        return;
    }
    for skill in meant(text, catalog) {
        let given = file(skill);
        history.push(Message { role: Role::User, parts: vec![Part::Text { text: given.text.clone() }] });
        session.injected.push(given);
        session.activate(&skill.id);
    }
}

/// Whether `$name` finds a skill: no other one has the name, and the client takes it for a name.
pub fn finds(skill: &CatalogSkill, counts: &HashMap<&str, usize>) -> bool {
    counts.get(skill.name.as_str()) == Some(&1) && is_name(&skill.name)
}

/// How many skills have each name.
pub fn counts(skills: &[CatalogSkill]) -> HashMap<&str, usize> {
    let mut counts = HashMap::new();
    for skill in skills {
        *counts.entry(skill.name.as_str()).or_default() += 1;
    }
    counts
}

/// What the client takes for a name behind a `$`.
pub fn is_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(is_letter) && !VARIABLES.iter().any(|known| known.eq_ignore_ascii_case(name))
}

fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b':')
}

/// Variables that prompts mention and mean.
const VARIABLES: [&str; 11] =
    ["PATH", "HOME", "USER", "SHELL", "PWD", "TMPDIR", "TEMP", "TMP", "LANG", "TERM", "XDG_CONFIG_HOME"];

fn meant<'a>(prompt: &str, catalog: &'a Catalog) -> Vec<&'a CatalogSkill> {
    let Mentions { names, paths } = mentions(prompt);
    if names.is_empty() && paths.is_empty() {
        return Vec::new();
    }
    let counts = counts(&catalog.skills);
    let paths: HashSet<Utf8PathBuf> = paths.into_iter().map(|path| paths::plain(Utf8Path::new(path))).collect();
    let is_linked = |skill: &&CatalogSkill| detail(skill).is_some_and(|detail| paths.contains(&detail.file));
    let is_named = |skill: &&CatalogSkill| names.contains(skill.name.as_str()) && finds(skill, &counts);
    let linked = catalog.skills.iter().filter(is_linked);
    linked.chain(catalog.skills.iter().filter(|skill| !is_linked(skill) && is_named(skill))).collect()
}

#[derive(Default)]
struct Mentions<'a> {
    names: HashSet<&'a str>,
    /// Paths of `[$name](path)`, where only the path counts.
    paths: HashSet<&'a str>,
}

fn mentions(prompt: &str) -> Mentions<'_> {
    let mut found = Mentions::default();
    let mut rest = prompt;
    while let Some(at) = rest.find('$') {
        let behind = &rest[at + 1..];
        let name = &behind[..behind.bytes().take_while(|byte| is_letter(*byte)).count()];
        let after = &behind[name.len()..];
        if name.is_empty() {
            rest = behind;
            continue;
        }
        match rest[..at].ends_with('[').then(|| link(after)).flatten() {
            Some((path, after)) => {
                if is_name(name) {
                    found.paths.insert(path.strip_prefix("skill://").unwrap_or(path));
                }
                rest = after;
            }
            None => {
                if is_name(name) {
                    found.names.insert(name);
                }
                rest = after;
            }
        }
    }
    found
}

/// The path of `](path)`, and what follows.
fn link(text: &str) -> Option<(&str, &str)> {
    let open = text.strip_prefix(']')?.trim_ascii_start().strip_prefix('(')?;
    let (path, after) = open.split_once(')')?;
    Some((path.trim(), after)).filter(|(path, _)| !path.is_empty())
}

fn file(skill: &CatalogSkill) -> Marked {
    let of = |field: &str| Origin::Skill { skill: skill.id.clone(), field: field.into() };
    let path = detail(skill).map(|detail| detail.file.as_str()).unwrap_or_default();
    let mut text = Marked::default();
    text.push("<skill>\n<name>", Origin::Framework);
    text.push(&skill.name, of("name"));
    text.push("</name>\n<path>", Origin::Framework);
    text.push(path, of("path"));
    text.push("</path>\n", Origin::Framework);
    text.push(&skill.content, of("body"));
    text.push("\n</skill>", Origin::Framework);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_names_behind_a_dollar() {
        let of = |prompt: &'static str| {
            let Mentions { names, paths } = mentions(prompt);
            let mut found: Vec<&str> = names.into_iter().chain(paths).collect();
            found.sort_unstable();
            found
        };
        assert_eq!(of("use $plain, $a-b. $Up_per! ($x:y) $$z"), ["Up_per", "a-b", "plain", "x:y", "z"]);
        assert_eq!(of("$PATH $home $ $, costs 5$ 技能$名"), Vec::<&str>::new());
        assert_eq!(
            of("[$plain](skill:///s/SKILL.md) [$other] [$more]() $last"),
            ["/s/SKILL.md", "last", "more", "other"]
        );
    }
}
