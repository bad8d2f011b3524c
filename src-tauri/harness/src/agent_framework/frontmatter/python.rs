//! Python: frontmatter by regular expressions up to 1.13 and by PyYAML since 1.23; lengths in code points. Every message is
//! the framework's log line, whole.

use std::collections::HashSet;
use std::sync::LazyLock;

use regex::Regex;

use super::regexes::{self, EmptyBlock};
use super::{Frontmatter, Rejection, is_name, no_block};
use crate::agent_framework::python::strip;
use crate::agent_framework::variant::Language;
use crate::reasons::Refusal;
use crate::yaml::{self, Dialect, Document, Id, Limits, Tag};

/// Python up to 1.13.
pub fn parse_by_regex(text: &str, path: &str) -> Result<Frontmatter, Rejection> {
    let block = regexes::block(text, Language::Python).ok_or_else(|| no_block(path))?;
    let frontmatter =
        regexes::fields(strip(block), Language::Python).unwrap_or_else(|EmptyBlock| Frontmatter::default());
    check(&frontmatter, path)?;
    Ok(frontmatter)
}

/// Python since 1.23. Known keys must be in lower case and there once, and their values scalars.
pub fn parse_yaml(text: &str, path: &str, warnings: &mut Vec<String>) -> Result<Frontmatter, Rejection> {
    let block = BLOCK.captures(text).and_then(|found| found.get(1)).ok_or_else(|| no_block(path))?;
    let at = format!("SKILL.md at '{path}'");
    let read = yaml::compose(block.as_str(), Dialect::Python, Limits::of(Dialect::Python));
    let document = read.map_err(|failure| match failure.refusal() {
        Refusal::Theirs(message) => skipped(&at, &format!("contains invalid YAML frontmatter: {message}")),
        Refusal::Ours(message) => Rejection::Ours(message),
    })?;
    let root = document.as_ref().and_then(|document| Some((document, document.map(document.root)?)));
    let Some((document, entries)) = root else {
        return Err(skipped(&at, "must contain a YAML frontmatter mapping"));
    };
    let mut seen = Vec::new();
    let mut metadata = None;
    let (mut name, mut description) = (None, None);
    let mut found = Frontmatter::default();
    for (key, value) in entries {
        let Some((Tag::Text, key)) = document.scalar(*key) else {
            return Err(skipped(&at, "has an invalid frontmatter property name"));
        };
        let lower = key.to_lowercase();
        let Some(known) = KNOWN.into_iter().find(|known| *known == lower) else { continue };
        if key != known {
            let reason = format!("uses incorrectly cased frontmatter field '{key}'; expected '{known}'");
            return Err(skipped(&at, &reason));
        }
        if seen.contains(&known) {
            return Err(skipped(&at, &format!("contains duplicate frontmatter field '{key}'")));
        }
        seen.push(known);
        let field = match known {
            "name" => &mut name,
            "description" => &mut description,
            "license" => &mut found.license,
            "compatibility" => &mut found.compatibility,
            "allowed-tools" => &mut found.allowed_tools,
            _ => {
                metadata = Some(*value);
                continue;
            }
        };
        *field = match document.scalar(*value) {
            Some((Tag::Null, _)) => continue,
            Some((Tag::Text, text)) => Some(text.to_owned()),
            Some((Tag::Other, _)) | None => {
                return Err(skipped(&at, &format!("has an invalid '{key}' value; expected a text scalar")));
            }
        };
    }
    found.name = name.unwrap_or_default();
    found.description = description.unwrap_or_default();
    check(&found, path)?;
    found.metadata = metadata.and_then(|id| read_metadata(document, id, &at, warnings));
    Ok(found)
}

/// The checks of `SkillFrontmatter`'s constructor. `Err` is the message of its exception.
pub fn check_inline(name: &str, description: &str, compatibility: Option<&str>) -> Result<(), String> {
    if strip(name).is_empty() {
        return Err("Skill name cannot be empty.".into());
    }
    if length(name) > 64 || !is_name(name) {
        return Err(format!("Invalid skill name '{name}': {NAME_RULE}"));
    }
    if strip(description).is_empty() {
        return Err("Skill description cannot be empty.".into());
    }
    if length(description) > 1024 {
        return Err(format!("Skill '{name}' has an invalid description: Must be 1024 characters or fewer."));
    }
    if compatibility.is_some_and(|text| length(text) > 500) {
        return Err("Skill compatibility must be 500 characters or fewer.".into());
    }
    Ok(())
}

static BLOCK: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?ms)\A\x{FEFF}?---[ \t]*\r?\n(.*?)^---[ \t]*\r?$").expect("the pattern is fixed and covered by tests")
});

const KNOWN: [&str; 6] = ["name", "description", "license", "compatibility", "metadata", "allowed-tools"];
const NAME_RULE: &str = "Must be 64 characters or fewer, using only lowercase letters, numbers, and hyphens, and must not \
                         start or end with a hyphen or contain consecutive hyphens.";

fn skipped(at: &str, reason: &str) -> Rejection {
    Rejection::Skipped { log: format!("{at} {reason}"), reason: reason.to_owned() }
}

fn length(text: &str) -> usize {
    text.chars().count()
}

fn check(frontmatter: &Frontmatter, path: &str) -> Result<(), Rejection> {
    let Frontmatter { name, description, compatibility, .. } = frontmatter;
    let of_file =
        |reason: &str| Rejection::Skipped { log: format!("Skill from '{path}' {reason}"), reason: reason.to_owned() };
    let of_skill = |reason: &str| Rejection::Skipped {
        log: format!("Skill '{name}' from '{path}' {reason}"),
        reason: reason.to_owned(),
    };
    if strip(name).is_empty() {
        return Err(of_file("is missing a name."));
    }
    if length(name) > 64 || !is_name(name) {
        return Err(of_file(&format!("has an invalid name '{name}': {NAME_RULE}")));
    }
    if strip(description).is_empty() {
        return Err(of_skill("is missing a description."));
    }
    if length(description) > 1024 {
        return Err(of_skill("has an invalid description: Must be 1024 characters or fewer."));
    }
    if compatibility.as_deref().is_some_and(|text| length(text) > 500) {
        return Err(of_skill("has an invalid compatibility: Must be 500 characters or fewer."));
    }
    Ok(())
}

/// Bad entries are left out with a warning; the first of two equal keys stays.
fn read_metadata(document: &Document, id: Id, at: &str, warnings: &mut Vec<String>) -> Option<Vec<(String, String)>> {
    if matches!(document.scalar(id), Some((Tag::Null, _))) {
        return None;
    }
    let Some(entries) = document.map(id) else {
        warnings.push(format!("{at} has invalid metadata; expected a mapping"));
        return None;
    };
    let mut metadata: Vec<(String, String)> = Vec::new();
    let mut seen = HashSet::new();
    for (key, value) in entries {
        let Some((Tag::Text, key)) = document.scalar(*key) else {
            warnings.push(format!("{at} has an invalid metadata key; skipping entry"));
            continue;
        };
        if seen.contains(key) {
            warnings.push(format!("{at} contains duplicate metadata key '{key}'; keeping the first value"));
            continue;
        }
        let Some((Tag::Text, value)) = document.scalar(*value) else {
            warnings.push(format!(
                "{at} has an invalid metadata value for '{key}'; expected a text scalar; skipping entry"
            ));
            continue;
        };
        seen.insert(key);
        metadata.push((key.to_owned(), value.to_owned()));
    }
    Some(metadata)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrap(yaml: &str) -> String {
        format!("---\nname: a\n{yaml}\n---\nbody\n")
    }

    fn old(yaml: &str) -> Result<String, Rejection> {
        parse_by_regex(&wrap(yaml), "P").map(|found| found.description)
    }

    /// The log message about a text that is skipped.
    fn refusal(text: &str) -> String {
        match parse_yaml(text, "P", &mut Vec::new()) {
            Err(Rejection::Skipped { log, .. }) => log,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn old_releases_read_block_scalars_their_own_way() {
        assert_eq!(old("description: |\n  a\n    b\n\nx: y"), Ok("a\n  b\n".into()));
        assert_eq!(old("description: |-\n  a\nx: y"), Ok("a".into()));
        assert_eq!(old("description: >+\n  a\n\n  b\nx: y"), Ok("a b\n".into()));
        assert_eq!(old("description: use when: x"), Ok("use when: x".into()));
    }

    #[test]
    fn old_releases_keep_the_last_of_equal_keys() {
        let found = parse_by_regex(&wrap("NAME: a\ndescription: b\nmetadata:\n  k: 1\n  l: 'x'\n  k: 2"), "P").unwrap();
        let metadata = vec![("k".to_owned(), "2".to_owned()), ("l".to_owned(), "x".to_owned())];
        assert_eq!((found.description, found.metadata), ("b".into(), Some(metadata)));
    }

    #[test]
    fn new_releases_read_yaml() {
        let mut warnings = Vec::new();
        let yaml = "description: \"x\\ty\"\nlicense:\nallowed-tools: Read\ncompatibility: 3.10\nOther: [1]\nmetadata:\n  a: 1\n  \
                    a: 2\n  b: [x]\n  [k]: v\n  c: yes";
        let found = parse_yaml(&format!("\u{feff}{}", wrap(yaml)), "P", &mut warnings).unwrap();
        assert_eq!(
            found,
            Frontmatter {
                name: "a".into(),
                description: "x\ty".into(),
                license: None,
                compatibility: Some("3.10".into()),
                allowed_tools: Some("Read".into()),
                metadata: Some(vec![("a".into(), "1".into()), ("c".into(), "yes".into())]),
            }
        );
        assert_eq!(
            warnings,
            [
                "SKILL.md at 'P' contains duplicate metadata key 'a'; keeping the first value",
                "SKILL.md at 'P' has an invalid metadata value for 'b'; expected a text scalar; skipping entry",
                "SKILL.md at 'P' has an invalid metadata key; skipping entry",
            ]
        );
    }

    #[test]
    fn new_releases_say_why_a_skill_is_skipped() {
        let refusals = [
            "description: b\nname: c",
            "Description: b",
            "description: [b]",
            "description: {b: c}",
            "description: ''",
            "description: b\n? [k]\n: v",
        ]
        .map(|yaml| refusal(&wrap(yaml)));
        insta::assert_snapshot!(refusals.join("\n"), @r"
        SKILL.md at 'P' contains duplicate frontmatter field 'name'
        SKILL.md at 'P' uses incorrectly cased frontmatter field 'Description'; expected 'description'
        SKILL.md at 'P' has an invalid 'description' value; expected a text scalar
        SKILL.md at 'P' has an invalid 'description' value; expected a text scalar
        Skill 'a' from 'P' is missing a description.
        SKILL.md at 'P' has an invalid frontmatter property name
        ");
        assert_eq!(refusal("---\n- a\n---\n"), "SKILL.md at 'P' must contain a YAML frontmatter mapping");
        assert_eq!(
            refusal("---x\n---\n"),
            "SKILL.md at 'P' does not contain valid YAML frontmatter delimited by '---'"
        );
        let long = format!("description: {}", "字".repeat(1025));
        assert_eq!(
            refusal(&wrap(&long)),
            "Skill 'a' from 'P' has an invalid description: Must be 1024 characters or fewer."
        );
    }
}
