//! A `SKILL.md` as gray-matter parses it, with js-yaml 3. If it is not YAML, it is tried again with values that have a
//! colon as blocks.

use std::sync::LazyLock;

use regex::Regex;

use crate::javascript::yaml::{self, Failure, Fields};
use skill::source::SourceText;
use wording::Wording;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parsed {
    pub name: String,
    pub description: Option<String>,
    /// Not trimmed.
    pub content: String,
    /// Values were made blocks.
    pub is_repaired: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unread {
    NotYaml,
    /// OpenCode may well read it, and we do not.
    Ours(Wording),
    NoName,
    NoText,
}

impl From<Failure> for Unread {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::NotYaml => Self::NotYaml,
            Failure::Ours(reason) => Self::Ours(reason),
        }
    }
}

pub fn parse(source: &SourceText) -> Result<Parsed, Unread> {
    let text = &source.text;
    let (read, is_repaired) = match matter(text) {
        Ok(read) => (read, false),
        Err(Failure::NotYaml) => (matter(&repaired(text))?, true),
        Err(ours @ Failure::Ours(_)) => return Err(ours.into()),
    };
    let (fields, content) = read;
    let name = fields.text("name").ok_or(Unread::NoName)?.to_owned();
    let description = fields.text("description").map(str::to_owned);
    if description.is_none() && fields.has("description") {
        return Err(Unread::NoText);
    }
    Ok(Parsed { name, description, content, is_repaired })
}

fn matter(text: &str) -> Result<(Fields, String), Failure> {
    let Some(rest) = text.strip_prefix("---").filter(|rest| !rest.starts_with('-')) else {
        return Ok((Fields::default(), text.to_owned()));
    };
    // What follows the hyphens is a language.
    let end = rest.find('\n').unwrap_or_else(|| rest.char_indices().next_back().map_or(0, |(at, _)| at));
    let first = rest[..end].strip_suffix('\r').unwrap_or(&rest[..end]);
    let language = first.trim();
    let rest = if language.is_empty() { rest } else { &rest[first.len()..] };
    let closing = rest.find(CLOSING);
    let yaml = &rest[..closing.unwrap_or(rest.len())];
    let fields = match language {
        _ if COMMENT.replace_all(yaml, "").trim().is_empty() => Fields::default(),
        "" | "yaml" | "yml" => yaml::fields(yaml, yaml::Version::Three)?,
        "json" => Fields::of_json(yaml)?,
        _ => return Err(Failure::NotYaml),
    };
    let content = closing.map_or("", |at| &rest[at + CLOSING.len()..]);
    let content = content.strip_prefix('\r').unwrap_or(content);
    Ok((fields, content.strip_prefix('\n').unwrap_or(content).to_owned()))
}

const CLOSING: &str = "\n---";

fn repaired(text: &str) -> String {
    let Some(yaml) = FRONTMATTER.captures(text).and_then(|found| found.get(1)) else { return text.to_owned() };
    let lines: Vec<String> =
        yaml.as_str().split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).map(block).collect();
    text.replacen(yaml.as_str(), &lines.join("\n"), 1)
}

/// `key: a: b` as a block.
fn block(line: &str) -> String {
    let found = KEY.captures(line).map(|found| (found[1].to_owned(), found[2].trim().to_owned()));
    match found {
        Some((key, value)) if value.contains(':') && !value.starts_with(['"', '\'']) => format!("{key}: |-\n  {value}"),
        Some(_) | None => line.to_owned(),
    }
}

static COMMENT: LazyLock<Regex> = LazyLock::new(|| regex(r"(?m)^\s*#[^\n]+"));
static FRONTMATTER: LazyLock<Regex> = LazyLock::new(|| regex(r"^---\r?\n((?s:.*?))\r?\n---"));
static KEY: LazyLock<Regex> = LazyLock::new(|| regex(r"^([a-zA-Z_][a-zA-Z0-9_]*)\s*:\s*(.*)$"));

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the pattern is a constant")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<Parsed, Unread> {
        parse(&SourceText::of_text("SKILL.md".into(), text.into()))
    }

    fn description(yaml: &str) -> Result<Option<String>, Unread> {
        parsed(&format!("---\nname: a\n{yaml}\n---\n")).map(|found| found.description)
    }

    #[test]
    fn a_value_with_a_colon_is_made_a_block_and_read_again() {
        assert_eq!(description("description: Use when: asked"), Ok(Some("Use when: asked".into())));
        assert_eq!(description("description: 'x' y z"), Err(Unread::NotYaml), "it begins with a quote");
        assert_eq!(description("description: a: b\n  goes on"), Ok(Some("a: b\ngoes on".into())));
        assert_eq!(description("my-key: a: b"), Err(Unread::NotYaml), "it has a hyphen");
        assert_eq!(description("name: b"), Err(Unread::NotYaml), "it is there twice");
    }

    #[test]
    fn a_tab_before_a_key_is_white_space_and_a_pair_may_follow_on_the_line() {
        assert_eq!(description("\tdescription: tab"), Ok(Some("tab".into())));
        assert_eq!(description("description: 'x' y: z"), Ok(Some("x".into())));
        assert_eq!(description("description:\n\tx"), Err(Unread::NotYaml), "it is no value of the key");
    }

    #[test]
    fn a_description_is_a_text_or_not_there() {
        assert_eq!(description("license: MIT"), Ok(None));
        assert_eq!(description("description: ''"), Ok(Some(String::new())));
        for value in ["", "5", "2024-01-31", "[a]", "12:30"] {
            assert_eq!(description(&format!("description: {value}")), Err(Unread::NoText), "{value}");
        }
        assert_eq!(parsed("---\nname: 5\n---\n"), Err(Unread::NoName));
        assert_eq!(parsed("# Title\n"), Err(Unread::NoName));
        assert_eq!(parsed("----\nname: a\n---\n"), Err(Unread::NoName));
    }

    #[test]
    fn the_frontmatter_ends_at_three_hyphens_at_the_start_of_a_line_or_with_the_file() {
        let content = |text: &str| parsed(text).unwrap().content;
        assert_eq!(content("---\nname: a\n---\n\nBody\n"), "\nBody\n");
        assert_eq!(content("---\r\nname: a\r\n---\r\nBody\r\n"), "Body\r\n");
        assert_eq!(content("---\nname: a\n----\nBody\n"), "-\nBody\n");
        assert_eq!(content("---\nname: a\n"), "");
        assert_eq!(content("---json\n{\"name\": \"a\"}\n---\nBody"), "Body");
        assert_eq!(parsed("---toml\nname = 1\n---\n"), Err(Unread::NotYaml));
    }
}
