//! Which skill a name means, and the nearest one if it means none.

use std::collections::HashMap;

use super::detail;
use crate::{Catalog, CatalogSkill};

/// Without the white space around it, and one slash.
pub fn plain(name: &str) -> &str {
    let name = name.trim();
    name.strip_prefix('/').unwrap_or(name)
}

/// By the folder first, then by the `name` of the frontmatter; of equal ones the first. Case matters.
pub fn find<'a>(name: &str, catalog: &'a Catalog) -> Option<&'a CatalogSkill> {
    let by_folder = catalog.skills.iter().find(|skill| skill.name == name);
    let alias = |skill: &&CatalogSkill| detail(skill).is_some_and(|detail| detail.alias.as_deref() == Some(name));
    by_folder.or_else(|| catalog.skills.iter().find(alias))
}

/// The ids of the skills that names mean, as [`find`] has it.
pub fn meant(skills: &[CatalogSkill]) -> HashMap<&str, &str> {
    let mut meant = HashMap::new();
    for skill in skills {
        meant.entry(skill.name.as_str()).or_insert(skill.id.as_str());
    }
    for (skill, alias) in skills.iter().filter_map(|skill| Some((skill, detail(skill)?.alias.as_deref()?))) {
        meant.entry(alias).or_insert(skill.id.as_str());
    }
    meant
}

/// The skill or command with the most similar name, if it differs by few changes.
pub fn near<'a>(name: &str, catalog: &'a Catalog) -> Option<&'a str> {
    let skills = catalog.skills.iter().map(|skill| skill.name.as_str());
    let measured = skills.chain(COMMANDS).map(|known| (changes(name, known), known));
    measured.filter(|(changes, _)| *changes <= FEW).min_by_key(|(changes, _)| *changes).map(|(_, known)| known)
}

const FEW: usize = 2;

/// Longer names are not compared.
const LETTERS: usize = 64;

/// Commands of the client itself, as its documentation lists them.
const COMMANDS: [&str; 42] = [
    "add-dir",
    "agents",
    "bug",
    "clear",
    "compact",
    "config",
    "context",
    "copy",
    "cost",
    "doctor",
    "exit",
    "export",
    "feedback",
    "help",
    "hooks",
    "ide",
    "init",
    "login",
    "logout",
    "mcp",
    "memory",
    "mobile",
    "model",
    "permissions",
    "plan",
    "plugin",
    "pr-comments",
    "release-notes",
    "rename",
    "resume",
    "review",
    "rewind",
    "sandbox",
    "security-review",
    "skills",
    "stats",
    "status",
    "statusline",
    "tasks",
    "terminal-setup",
    "theme",
    "usage",
];

/// Letters put in, taken out or replaced.
fn changes(from: &str, to: &str) -> usize {
    let (from, to): (Vec<char>, Vec<char>) = (from.chars().collect(), to.chars().collect());
    if from.len().abs_diff(to.len()) > FEW || from.len() > LETTERS {
        return usize::MAX;
    }
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (at, letter) in from.iter().enumerate() {
        let mut before = std::mem::replace(&mut row[0], at + 1);
        for place in 0..to.len() {
            let kept = before + usize::from(to[place] != *letter);
            before = row[place + 1];
            row[place + 1] = kept.min(before + 1).min(row[place] + 1);
        }
    }
    row[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_the_letters_to_change() {
        assert_eq!([changes("nope", "copy"), changes("pdf-tool", "pdf-tools"), changes("", "ab")], [2, 1, 2]);
        assert_eq!(changes("dup-same", "dup-a"), usize::MAX);
    }

    #[test]
    fn white_space_and_a_slash_do_not_count() {
        assert_eq!([" a ", "/a", "a\n", "//a", "  "].map(plain), ["a", "a", "a", "/a", ""]);
    }
}
