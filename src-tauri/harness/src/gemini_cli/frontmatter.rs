//! A `SKILL.md` as the client parses it: as YAML or, if that gives no name and description, line by line.

use std::sync::LazyLock;

use regex::Regex;

use crate::javascript;
use crate::javascript::yaml::{self, Failure, Fields};
use skill::source::SourceText;
use wording::Wording;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parsed {
    /// With what paths cannot hold as `-`.
    pub name: String,
    pub description: String,
    /// Trimmed.
    pub body: String,
    /// The values were read line by line.
    pub by_lines: bool,
    /// What follows the three hyphens that end the frontmatter; the instructions are lost then.
    pub behind_closer: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unread {
    ByteOrderMark,
    NoFrontmatter,
    NoName,
    NoDescription,
    /// Gemini CLI may well read it, and we do not.
    Ours(Wording),
}

pub fn parse(source: &SourceText) -> Result<Parsed, Unread> {
    if source.bom {
        return Err(Unread::ByteOrderMark);
    }
    let (yaml, behind) = split(&source.text).ok_or(Unread::NoFrontmatter)?;
    let read = match yaml::fields(yaml, yaml::Version::Four) {
        Ok(read) => read,
        Err(Failure::NotYaml) => Fields::default(),
        Err(Failure::Ours(reason)) => return Err(Unread::Ours(reason)),
    };
    let (name, description, by_lines) = match (read.text("name"), read.text("description")) {
        (Some(name), Some(description)) => (name.to_owned(), description.to_owned(), false),
        _ => {
            let (name, description) = by_lines(yaml);
            (name.ok_or(Unread::NoName)?, description.ok_or(Unread::NoDescription)?, true)
        }
    };
    let body = behind.strip_prefix("\r\n").or_else(|| behind.strip_prefix('\n'));
    Ok(Parsed {
        name: name.replace([':', '\\', '/', '<', '>', '*', '?', '"', '|'], "-"),
        description,
        body: body.map(javascript::trim).unwrap_or_default().to_owned(),
        by_lines,
        behind_closer: body.is_none() && !behind.trim().is_empty(),
    })
}

/// The frontmatter, and everything behind the three hyphens that end it.
fn split(text: &str) -> Option<(&str, &str)> {
    let rest = text.strip_prefix("---\n").or_else(|| text.strip_prefix("---\r\n"))?;
    let at = rest.find(CLOSING)?;
    let yaml = &rest[..at];
    Some((yaml.strip_suffix('\r').unwrap_or(yaml), &rest[at + CLOSING.len()..]))
}

const CLOSING: &str = "\n---";

/// The last line of each key counts, and lines indented below a description belong to it.
fn by_lines(yaml: &str) -> (Option<String>, Option<String>) {
    let (mut name, mut description) = (None, None);
    let mut lines = yaml.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).peekable();
    while let Some(line) = lines.next() {
        if let Some(found) = NAME.captures(line) {
            name = Some(javascript::trim(&found[1]).to_owned());
        } else if let Some(found) = DESCRIPTION.captures(line) {
            let mut parts = vec![javascript::trim(&found[1])];
            while let Some(next) = lines.next_if(|line| INDENTED.is_match(line)) {
                parts.push(javascript::trim(next));
            }
            parts.retain(|part| !part.is_empty());
            description = Some(parts.join(" "));
        }
    }
    (name, description)
}

static NAME: LazyLock<Regex> = LazyLock::new(|| regex(r"^\s*name:\s*(.*)$"));
static DESCRIPTION: LazyLock<Regex> = LazyLock::new(|| regex(r"^\s*description:\s*(.*)$"));
static INDENTED: LazyLock<Regex> = LazyLock::new(|| regex(r"^[ \t]+\S"));

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the pattern is a constant")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<Parsed, Unread> {
        parse(&SourceText::of_text("SKILL.md".into(), text.into()))
    }

    fn values(yaml: &str) -> (String, String) {
        let found = parsed(&format!("---\n{yaml}\n---\n")).unwrap();
        (found.name, found.description)
    }

    #[test]
    fn what_yaml_does_not_give_is_read_line_by_line() {
        let of = |yaml: &str| values(yaml);
        assert_eq!(of("name: 12\ndescription: a"), ("12".into(), "a".into()));
        assert_eq!(of("name: e\ndescription:"), ("e".into(), String::new()));
        assert_eq!(
            of("name: f\ndescription: Use when: asked\n  goes on\n\n  not any more"),
            ("f".into(), "Use when: asked goes on".into())
        );
        assert_eq!(of("name: a\ndescription: 'x' y: z"), ("a".into(), "'x' y: z".into()), "quotes stay");
        assert_eq!(
            of("a:\n  name: inner\nname: a\nname: b\ndescription: d"),
            ("b".into(), "d".into()),
            "the last one wins"
        );
        assert_eq!(of("name: x:y/z*\ndescription: d"), ("x-y-z-".into(), "d".into()));
        assert_eq!(of("name: a\ndescription: >\n  one\n  two"), ("a".into(), "one two\n".into()));
    }

    #[test]
    fn what_follows_the_hyphens_on_their_line_costs_the_instructions() {
        for closer in ["----", "---x", "--- "] {
            let found = parsed(&format!("---\nname: a\ndescription: b\n{closer}\nBody\n")).unwrap();
            assert_eq!((found.body.as_str(), found.behind_closer), ("", true), "{closer}");
        }
        let found = parsed("---\r\nname: a\r\ndescription: b\r\n---\r\n\r\n Body \r\n").unwrap();
        assert_eq!((found.body.as_str(), found.behind_closer), ("Body", false));
        let found = parsed("---\nname: a\ndescription: b\n---").unwrap();
        assert_eq!((found.body.as_str(), found.behind_closer), ("", false));
    }

    #[test]
    fn a_file_without_frontmatter_name_or_description_is_no_skill() {
        assert_eq!(parsed("# Title\n"), Err(Unread::NoFrontmatter));
        assert_eq!(parsed("---\n---\nBody"), Err(Unread::NoFrontmatter));
        assert_eq!(parsed("---\ndescription: b\n---\n"), Err(Unread::NoName));
        assert_eq!(parsed("---\nname: b\n---\n"), Err(Unread::NoDescription));
        let marked = SourceText {
            bom: true,
            ..SourceText::of_text("SKILL.md".into(), "---\nname: a\ndescription: b\n---\n".into())
        };
        assert_eq!(parse(&marked), Err(Unread::ByteOrderMark));
    }
}
