//! `MarkdownSkillParser`: a `SKILL.md` as AgentScope-Java parses it. The block ends at the first `---` after its start,
//! wherever that is.

use std::cell::RefCell;

use super::java::{self, JavaValue, map_text};
use crate::yaml::{self, Dialect, Limits};
use skill::recent::{self, Recent};
use skill::source::Span;

/// Frontmatter of more characters gives no fields.
pub const CHARACTER_LIMIT: usize = 16_384;

const MARKS: &str = "---";
const LIMITS: Limits = Limits { depth: 11, aliases: 10 };

/// The two halves of a `SKILL.md`.
#[derive(Debug, Clone, PartialEq)]
pub struct Markdown<'a> {
    pub frontmatter: Frontmatter,
    pub content: &'a str,
    /// Where the block's text and its closing mark stand; `None` if there is no block.
    pub block: Option<Block>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Block {
    pub text: Span,
    pub closing: Span,
}

/// The fields of a text, and how they were read.
#[derive(Debug, Clone, PartialEq)]
pub struct Frontmatter {
    /// In order of their first places.
    pub fields: Vec<(String, JavaValue)>,
    pub reading: Reading,
}

/// How the fields were read.
#[derive(Debug, Clone, PartialEq)]
pub enum Reading {
    Yaml,
    /// It is not valid YAML, for this reason; lines that look like `key: value` were used instead.
    Lines(String),
    /// It is longer than [`CHARACTER_LIMIT`].
    TooLong,
    /// It is YAML, but no map.
    NotMap,
    /// A value holds itself, which ends the whole program.
    Endless,
}

impl Frontmatter {
    /// The value of a field; `None` if it has no such field.
    pub fn field(&self, key: &str) -> Option<&JavaValue> {
        self.fields.iter().find(|(known, _)| known == key).map(|(_, value)| value)
    }

    /// The fields as `Map.toString` prints them.
    pub fn text(&self) -> String {
        map_text(&self.fields)
    }
}

impl<'a> Markdown<'a> {
    /// `text` is the whole file, with its byte order mark if it has one.
    pub fn parse(text: &'a str) -> Self {
        let Some((block, body)) = split(text) else {
            let frontmatter = Frontmatter { fields: Vec::new(), reading: Reading::Yaml };
            return Self { frontmatter, content: text, block: None };
        };
        Self { frontmatter: read(block.text.of(text)), content: &text[body..], block: Some(block) }
    }
}

/// The block and the byte at which the rest starts.
fn split(text: &str) -> Option<(Block, usize)> {
    let opened = MARKS.len();
    let start = after_lines(text.strip_prefix(MARKS)?).map(|bytes| opened + bytes)?;
    let closing = start + text[start..].find(MARKS)?;
    let end = closing + MARKS.len();
    let inner = text[start..closing].trim_start_matches(|letter| letter <= ' ');
    let from = closing - inner.len();
    let block = Span::new(from, from + inner.trim_end_matches(|letter| letter <= ' ').len());
    Some((Block { text: block, closing: Span::new(closing, end) }, end + after_lines(&text[end..]).unwrap_or_default()))
}

/// The bytes up to and with the last line end in the white space that a text starts with.
fn after_lines(text: &str) -> Option<usize> {
    let white = text.len() - text.trim_start_matches([' ', '\t', '\n', '\x0B', '\x0C', '\r']).len();
    text[..white].rfind(['\r', '\n']).map(|at| at + 1)
}

/// The same for all of its variants.
fn read(text: &str) -> Frontmatter {
    recent::remembered(&READ, text, |asked| asked == text, || text.to_owned(), || fields(text))
}

thread_local! {
    static READ: RefCell<Recent<String, Frontmatter>> = const { RefCell::new(Recent::new()) };
}

fn fields(text: &str) -> Frontmatter {
    if text.chars().count() > CHARACTER_LIMIT {
        return Frontmatter { fields: Vec::new(), reading: Reading::TooLong };
    }
    let document = yaml::compose(text, Dialect::Java, LIMITS).map_err(|failure| failure.message);
    let loaded = document.and_then(|document| document.as_ref().map(java::load).transpose());
    let none = |reading| Frontmatter { fields: Vec::new(), reading };
    match loaded {
        Ok(None) => none(Reading::Yaml),
        Ok(Some(java::Loaded::NotMap)) => none(Reading::NotMap),
        Ok(Some(java::Loaded::Endless)) => none(Reading::Endless),
        Ok(Some(java::Loaded::Fields(fields))) => Frontmatter { fields, reading: Reading::Yaml },
        Err(reason) => Frontmatter { fields: lines(text), reading: Reading::Lines(reason) },
    }
}

/// Lines that look like `key: value`; of two equal keys the last value counts.
fn lines(text: &str) -> Vec<(String, JavaValue)> {
    let mut fields: Vec<(String, JavaValue)> = Vec::new();
    for line in text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)) {
        let Some((key, value)) = key_and_value(line) else { continue };
        match fields.iter_mut().find(|(known, _)| known == key) {
            Some(field) => field.1 = JavaValue::Text(value.into()),
            None => fields.push((key.into(), JavaValue::Text(value.into()))),
        }
    }
    fields
}

/// Of a simple line: not indented, not in a list, and without a block as the value.
pub fn key_and_value(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once(':')?;
    let key = key.trim_end_matches([' ', '\t', '\x0B', '\x0C', '\r']);
    let is_key = key.starts_with(|first: char| first.is_ascii_alphabetic())
        && key.chars().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-'));
    let value = value.trim_matches(|letter| letter <= ' ');
    // A dot does not match these, so such a line is none that the framework knows.
    let one_line = !value.contains(['\r', '\u{85}', '\u{2028}', '\u{2029}']);
    if !is_key || !one_line || value.is_empty() || value.starts_with(['|', '>']) {
        return None;
    }
    Some((key, unquoted(value)))
}

fn unquoted(value: &str) -> &str {
    let inner = |quote: char| value.strip_prefix(quote)?.strip_suffix(quote);
    inner('"').or_else(|| inner('\'')).unwrap_or(value)
}

#[cfg(test)]
#[path = "tests/markdown.rs"]
mod tests;
