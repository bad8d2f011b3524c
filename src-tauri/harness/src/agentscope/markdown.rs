//! `MarkdownSkillParser`: a `SKILL.md` as AgentScope-Java parses it. The block ends at the first `---` after its
//! start, wherever that is. It was read by SnakeYAML in 1.0.5, line by line in 1.0.8, and by both in 2.0.3.

use std::cell::RefCell;

use super::Variant;
use super::java::{self, JavaValue, Rules, map_text};
use crate::reasons::Refusal;
use crate::yaml::{self, Dialect, Failure, Limits};
use skill::recent::{self, Recent};
use skill::source::Span;
use wording::Message;

/// In 2.0.3, frontmatter of more characters gives no fields.
pub const CHARACTER_LIMIT: usize = 16_384;

const MARKS: &str = "---";
const LIMITS: Limits = Limits { depth: 11, aliases: 10 };
/// SnakeYAML's own.
const WIDE: Limits = Limits { depth: 51, aliases: 50 };
const WIDE_CHARACTERS: usize = 3 * 1024 * 1024;
const INVALID: &str = "Invalid YAML frontmatter syntax";

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
    /// The parser throws, with this message.
    Invalid(String),
    /// A value holds itself, which ends the whole program.
    Endless,
    /// The framework may well read it, and we do not.
    Ours(Message),
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
    /// As 2.0.3 does. `text` is the whole file, with its byte order mark if it has one.
    pub fn parse(text: &'a str) -> Self {
        Self::read(text, Variant::Java)
    }

    pub(super) fn read(text: &'a str, variant: Variant) -> Self {
        let Some((block, body)) = split(text) else {
            let frontmatter = Frontmatter { fields: Vec::new(), reading: Reading::Yaml };
            return Self { frontmatter, content: text, block: None };
        };
        Self { frontmatter: read(block.text.of(text), variant), content: &text[body..], block: Some(block) }
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

fn read(text: &str, variant: Variant) -> Frontmatter {
    let is_asked = |(asked, of): &(String, Variant)| asked == text && *of == variant;
    recent::remembered(
        &READ,
        text,
        is_asked,
        || (text.to_owned(), variant),
        || match variant {
            Variant::First => whole(text),
            Variant::Seed => pairs(text),
            Variant::Java | Variant::Python => fields(text),
        },
    )
}

thread_local! {
    static READ: RefCell<Recent<(String, Variant), Frontmatter>> = const { RefCell::new(Recent::new()) };
}

/// `Yaml.load` with its own limits; of two equal keys the last value counts.
fn whole(text: &str) -> Frontmatter {
    let none = |reading| Frontmatter { fields: Vec::new(), reading };
    if text.chars().count() > WIDE_CHARACTERS {
        return none(Reading::Invalid(INVALID.into()));
    }
    let document = yaml::compose(text, Dialect::Java, WIDE).map_err(Failure::refusal);
    match document.and_then(|document| {
        document.as_ref().map(|found| java::load(found, Rules::Wide).map_err(Refusal::Theirs)).transpose()
    }) {
        Ok(None) => none(Reading::Yaml),
        Ok(Some(java::Loaded::Null)) => none(Reading::Yaml),
        Ok(Some(java::Loaded::NotMap(class))) => {
            none(Reading::Invalid(format!("YAML frontmatter must be a map, not a {class}")))
        }
        Ok(Some(java::Loaded::Endless)) => none(Reading::Endless),
        Ok(Some(java::Loaded::Fields(fields))) => Frontmatter { fields, reading: Reading::Yaml },
        Err(Refusal::Theirs(_)) => none(Reading::Invalid(INVALID.into())),
        Err(Refusal::Ours(reason)) => none(Reading::Ours(reason)),
    }
}

/// `SimpleYamlParser`: each line must be `key: value`, however it is indented.
fn pairs(text: &str) -> Frontmatter {
    let mut fields: Vec<(String, JavaValue)> = Vec::new();
    for line in text.split(['\r', '\n']) {
        let trimmed = line.trim_matches(|letter| letter <= ' ');
        if trimmed.is_empty() || trimmed.starts_with('#') {
            continue;
        }
        let Some((key, value)) = pair(trimmed) else {
            let reason = format!("Invalid YAML line (expected 'key: value' format): {line}");
            return Frontmatter { fields: Vec::new(), reading: Reading::Invalid(reason) };
        };
        match fields.iter_mut().find(|(known, _)| known == key) {
            Some(field) => field.1 = JavaValue::Text(value),
            None => fields.push((key.into(), JavaValue::Text(value))),
        }
    }
    Frontmatter { fields, reading: Reading::Yaml }
}

/// `^([a-zA-Z_][a-zA-Z0-9_-]*)\s*:\s*(.*)$`
fn pair(line: &str) -> Option<(&str, String)> {
    let (key, value) = line.split_once(':')?;
    let key = key.trim_end_matches([' ', '\t', '\x0B', '\x0C']);
    let is_key = key.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && key.chars().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-'));
    // A dot does not match these.
    if !is_key || value.contains(['\u{85}', '\u{2028}', '\u{2029}']) {
        return None;
    }
    let value = value.trim_matches(|letter| letter <= ' ');
    let inner = |quote: char| value.strip_prefix(quote)?.strip_suffix(quote);
    Some((
        key,
        match (inner('"'), inner('\'')) {
            (Some(inner), _) => unescaped(inner),
            (None, Some(inner)) => inner.replace("''", "'"),
            (None, None) => value.to_owned(),
        },
    ))
}

/// A backslash that means nothing stays.
fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        if letter != '\\' {
            out.push(letter);
            continue;
        }
        match letters.next() {
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some('r') => out.push('\r'),
            Some(quoted @ ('\\' | '"')) => out.push(quoted),
            Some(other) => out.extend(['\\', other]),
            None => out.push('\\'),
        }
    }
    out
}

fn fields(text: &str) -> Frontmatter {
    if text.chars().count() > CHARACTER_LIMIT {
        return Frontmatter { fields: Vec::new(), reading: Reading::TooLong };
    }
    let document = yaml::compose(text, Dialect::Java, LIMITS).map_err(Failure::refusal);
    let loaded = document.and_then(|document| {
        document.as_ref().map(|found| java::load(found, Rules::Narrow).map_err(Refusal::Theirs)).transpose()
    });
    let none = |reading| Frontmatter { fields: Vec::new(), reading };
    match loaded {
        Ok(None) => none(Reading::Yaml),
        Ok(Some(java::Loaded::Null | java::Loaded::NotMap(_))) => none(Reading::NotMap),
        Ok(Some(java::Loaded::Endless)) => none(Reading::Endless),
        Ok(Some(java::Loaded::Fields(fields))) => Frontmatter { fields, reading: Reading::Yaml },
        Err(Refusal::Theirs(reason)) => Frontmatter { fields: lines(text), reading: Reading::Lines(reason) },
        Err(Refusal::Ours(reason)) => none(Reading::Ours(reason)),
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
