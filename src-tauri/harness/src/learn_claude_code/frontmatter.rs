//! Frontmatter as `SkillLoader` reads it: a regular expression over the whole file, then in the seed each line cut at its
//! first colon. Quotes stay, a block scalar is its `>-`, and a nested key counts like any other. The course has PyYAML read it
//! ([`course`]).

use crate::python::{splitlines, strip, universal_newlines};
use crate::yaml::{self, Failure, Objects};
use skill::source::{SourceText, Span};
use wording::Message;

/// A `SKILL.md`, taken apart. Texts have `\n` for line ends, whatever the file has.
#[derive(Debug, PartialEq)]
pub struct Read {
    /// `None`: the expression does not match, and the whole text is the body.
    pub fields: Option<Vec<Field>>,
    pub body: String,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    pub key: String,
    pub value: String,
    /// The line, in the file's own text.
    pub line: Span,
}

impl Read {
    pub fn get(&self, key: &str) -> Option<&Field> {
        self.fields.iter().flatten().find(|field| field.key == key)
    }
}

/// As the seed reads it.
pub fn parse(source: &SourceText) -> Read {
    let Parts { block, body } = split(source);
    Read { fields: block.map(|block| fields(&block, &source.text)), body }
}

/// A file as the course's PyYAML reads it.
#[derive(Debug)]
pub struct CourseRead {
    /// `None`: there is no frontmatter, it is not YAML, or its value counts as false.
    pub meta: Option<Objects>,
    pub body: String,
}

/// Why the course has no skill.
#[derive(Debug, PartialEq, Eq)]
pub enum Unread {
    /// An exception, which ends the program.
    Raised(String),
    /// Python may well read it.
    Ours(Message),
}

impl From<Failure> for Unread {
    /// Of a failure that the course does not catch.
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Yaml { message, .. } | Failure::Raised(message) => Self::Raised(yaml::traceback(&message)),
            Failure::Ours(message) => Self::Ours(message),
        }
    }
}

/// As the course reads it: `yaml.safe_load(block) or {}`, and `{}` if that is not YAML.
pub fn course(source: &SourceText) -> Result<CourseRead, Unread> {
    let Parts { block, body } = split(source);
    let meta = match block.map(|block| yaml::safe_load(&block)).transpose() {
        Ok(meta) => meta.flatten().filter(|meta| meta.value().is_true()),
        Err(Failure::Yaml { .. }) => None,
        Err(failure) => return Err(failure.into()),
    };
    if let Some(meta) = &meta
        && meta.root().is_none()
    {
        let message = format!("AttributeError: '{}' object has no attribute 'get'", meta.value().type_name());
        return Err(Unread::Raised(message));
    }
    Ok(CourseRead { meta, body })
}

struct Parts {
    block: Option<String>,
    body: String,
}

/// `^---\n(.*?)\n---\n(.*)` at the start of the text; `.` also matches line ends.
fn split(source: &SourceText) -> Parts {
    let text = universal_newlines(&source.text);
    if source.bom {
        return Parts { block: None, body: format!("\u{feff}{text}") };
    }
    let inner = text.strip_prefix(OPENING);
    match inner.and_then(|inner| inner.split_once(CLOSING)) {
        Some((block, body)) => Parts { block: Some(block.to_owned()), body: strip(body).to_owned() },
        None => Parts { block: None, body: text.into_owned() },
    }
}

const OPENING: &str = "---\n";
const CLOSING: &str = "\n---\n";

/// Of two equal keys the last value counts, in place of the first. `raw` is the file's own text.
fn fields(block: &str, raw: &str) -> Vec<Field> {
    let lines = Lines::of(raw);
    let start = OPENING.len();
    let mut fields: Vec<Field> = Vec::new();
    let mut places = std::collections::HashMap::new();
    for line in splitlines(strip(block)) {
        let Some((key, value)) = line.split_once(':') else { continue };
        let at = start + (line.as_ptr().addr() - block.as_ptr().addr());
        let field = Field {
            key: strip(key).to_owned(),
            value: strip(value).to_owned(),
            line: Span::new(lines.raw(at), lines.raw(at + line.len())),
        };
        match places.get(&field.key) {
            Some(&place) => fields[place] = field,
            None => {
                places.insert(field.key.clone(), fields.len());
                fields.push(field);
            }
        }
    }
    fields
}

/// The way back from the text with `\n` for line ends to the file's own.
struct Lines {
    /// For each `\r\n`, where its `\n` is in the other text.
    shortened: Vec<usize>,
}

impl Lines {
    fn of(raw: &str) -> Self {
        let pairs = raw.match_indices("\r\n");
        Self { shortened: pairs.enumerate().map(|(before, (at, _))| at - before).collect() }
    }

    fn raw(&self, at: usize) -> usize {
        at + self.shortened.partition_point(|end| *end < at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Read {
        parse(&SourceText::of_text("SKILL.md".into(), text.into()))
    }

    fn pairs(read: &Read) -> Vec<(&str, &str)> {
        read.fields.iter().flatten().map(|field| (field.key.as_str(), field.value.as_str())).collect()
    }

    #[test]
    fn cuts_each_line_at_its_first_colon() {
        let text = "---\nname: a\ndescription: >-\n  folded text\n  see: this\nno colon\nmetadata:\n  name: \"b: c\"\n---\n\n Body \n";
        let read = read(text);
        assert_eq!(
            pairs(&read),
            [("name", "\"b: c\""), ("description", ">-"), ("see", "this"), ("metadata", "")],
            "a nested key overwrites the one above it, in its place"
        );
        assert_eq!(read.body, "Body");
        assert_eq!(read.get("name").unwrap().line.of(text), "  name: \"b: c\"");
    }

    #[test]
    fn spans_are_those_of_the_file_where_lines_end_in_crlf() {
        let text = "---\r\nname: a\r\ndescription: 中\r\n---\r\nBody\r\nline\r\n";
        let read = read(text);
        assert_eq!(read.body, "Body\nline");
        let lines: Vec<&str> = read.fields.iter().flatten().map(|field| field.line.of(text)).collect();
        assert_eq!(lines, ["name: a", "description: 中"]);
    }

    #[test]
    fn without_a_closed_block_at_the_very_start_all_is_body() {
        for text in ["", "# a\n", "---\nname: a\n---", "\n---\nname: a\n---\n", "--- \nname: a\n---\n", "---\n---\n"] {
            assert_eq!(read(text), Read { fields: None, body: text.into() });
        }
        assert_eq!(pairs(&read("---\n\n---\n")), []);
        let bom = SourceText { bom: true, ..SourceText::of_text("SKILL.md".into(), "---\nname: a\n---\nx\n".into()) };
        assert_eq!(parse(&bom), Read { fields: None, body: "\u{feff}---\nname: a\n---\nx\n".into() });
    }

    #[test]
    fn a_block_may_end_at_dashes_inside_a_value() {
        let read = read("---\nname: a\ndescription: |\n  x\n---\nstill: meant\n---\nBody\n");
        assert_eq!(read.body, "still: meant\n---\nBody");
    }
}
