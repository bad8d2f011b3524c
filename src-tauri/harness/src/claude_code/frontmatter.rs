//! A `SKILL.md` as the client parses it. Nothing is validated: everything but frontmatter is instructions.

use serde_json::{Map, Value};

use crate::reasons::Refusal;
use crate::yaml::{self, Content, Dialect, Document, Failure, Id, Limits};
use skill::source::{SourceText, Span};
use wording::Message;

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Parsed {
    /// The values at the top level, if the frontmatter is a map.
    pub fields: Map<String, Value>,
    /// Behind the frontmatter, without the white space at its start; a file without frontmatter is all body.
    pub body: String,
    /// Where the body begins in the text.
    pub body_start: usize,
    pub has_frontmatter: bool,
}

/// `keeps_mark`: a byte order mark is text, so that the file has no frontmatter. `Err`: what only we do not read.
pub fn parse(source: &SourceText, keeps_mark: bool) -> Result<Parsed, Message> {
    let text = &source.text;
    let kept = |body: &str| if source.bom && keeps_mark { format!("{MARK}{body}") } else { body.to_owned() };
    let all = || Parsed { body: kept(text), ..Parsed::default() };
    if source.bom && keeps_mark {
        return Ok(all());
    }
    let Some(block) = block(text) else { return Ok(all()) };
    let body_start = text.len() - text[block.end + CLOSING.len()..].trim_start().len();
    let yaml = block.of(text);
    let fields = match fields(yaml)? {
        Some(fields) => fields,
        None => fields(&quoted(yaml))?.unwrap_or_default(),
    };
    Ok(Parsed { fields, body: text[body_start..].to_owned(), body_start, has_frontmatter: true })
}

impl Parsed {
    /// A text that is not blank.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.fields.get(key).and_then(Value::as_str).filter(|text| !text.trim().is_empty())
    }

    /// `true`, also as a text.
    pub fn is_true(&self, key: &str) -> bool {
        self.says(key, true)
    }

    pub fn is_false(&self, key: &str) -> bool {
        self.says(key, false)
    }

    /// There, and neither `null` nor empty.
    pub fn has(&self, key: &str) -> bool {
        match self.fields.get(key) {
            None | Some(Value::Null) => false,
            Some(Value::String(text)) => !text.trim().is_empty(),
            Some(Value::Array(items)) => !items.is_empty(),
            Some(Value::Bool(_) | Value::Number(_) | Value::Object(_)) => true,
        }
    }

    fn says(&self, key: &str, truth: bool) -> bool {
        match self.fields.get(key) {
            Some(Value::Bool(said)) => *said == truth,
            Some(Value::String(said)) => *said == truth.to_string(),
            _ => false,
        }
    }
}

const MARK: char = '\u{feff}';
const CLOSING: &str = "\n---";

/// The YAML between a first line of three hyphens and the next line that begins so, with the line feed before it.
fn block(text: &str) -> Option<Span> {
    let first = text.split('\n').next()?;
    let rest = first.strip_prefix("---")?;
    if !rest.trim().is_empty() || first.len() == text.len() {
        return None;
    }
    let end = first.len() + text[first.len()..].find(CLOSING)?;
    Some(Span::new((first.len() + 1).min(end), end))
}

/// `None`: this is not YAML. Anything but a map has no fields.
fn fields(yaml: &str) -> Result<Option<Map<String, Value>>, Message> {
    let limits = Limits { aliases: ALIASES, ..Limits::of(Dialect::C) };
    let document = match yaml::compose(yaml, Dialect::C, limits).map_err(Failure::refusal) {
        Ok(document) => document,
        Err(Refusal::Theirs(_)) => return Ok(None),
        Err(Refusal::Ours(reason)) => return Err(reason),
    };
    Ok(Some(match document.map(|document| value(&document, document.root, DEPTH)) {
        Some(Value::Object(fields)) => fields,
        Some(_) | None => Map::new(),
    }))
}

/// Aliases of lists and maps.
const ALIASES: usize = 100;
/// How many levels of nested values are read.
const DEPTH: usize = 8;

fn value(document: &Document, id: Id, depth: usize) -> Value {
    if depth == 0 {
        return Value::Null;
    }
    match &document.node(id).content {
        Content::Scalar { text, .. } => scalar(text, document.tag(id, implied)),
        Content::List(items) => items.iter().map(|item| value(document, *item, depth - 1)).collect(),
        Content::Map(pairs) => {
            let pairs = pairs.iter().map(|(key, of)| (key_of(document, *key), value(document, *of, depth - 1)));
            Value::Object(pairs.collect())
        }
        Content::Alias { id, .. } => value(document, *id, depth - 1),
    }
}

fn key_of(document: &Document, id: Id) -> String {
    match &document.node(id).content {
        Content::Scalar { text, .. } => text.clone(),
        Content::List(_) | Content::Map(_) | Content::Alias { .. } => String::new(),
    }
}

fn scalar(text: &str, tag: &str) -> Value {
    match tag {
        NULL => Value::Null,
        BOOL => Value::Bool(text.eq_ignore_ascii_case("true")),
        INT | FLOAT => text.parse().map_or_else(|_| Value::from(text), Value::Number),
        _ => Value::from(text),
    }
}

const NULL: &str = "tag:yaml.org,2002:null";
const BOOL: &str = "tag:yaml.org,2002:bool";
const INT: &str = "tag:yaml.org,2002:int";
const FLOAT: &str = "tag:yaml.org,2002:float";

/// The core schema of YAML 1.2: `yes` and `on` are texts.
fn implied(text: &str) -> &'static str {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match text {
        "" | "~" | "null" | "Null" | "NULL" => NULL,
        "true" | "True" | "TRUE" | "false" | "False" | "FALSE" => BOOL,
        _ if digits(text.trim_start_matches(['-', '+'])) => INT,
        _ if text.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte))
            && text.parse::<f64>().is_ok() =>
        {
            FLOAT
        }
        _ => "tag:yaml.org,2002:str",
    }
}

/// With the values in double quotes that YAML may stumble over: one line, a plain key, and a mark or a colon in it.
fn quoted(yaml: &str) -> String {
    let line = |line: &str| {
        let text = line.strip_suffix('\r').unwrap_or(line);
        let found = text.split_once(':').filter(|(key, value)| {
            let is_key = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
            !key.is_empty() && key.bytes().all(is_key) && value.starts_with([' ', '\t'])
        });
        let Some((key, value)) = found else { return line.to_owned() };
        let value = value.trim();
        let is_quoted =
            ['"', '\''].iter().any(|mark| value.len() > 1 && value.starts_with(*mark) && value.ends_with(*mark));
        let stumbles = value.contains(": ")
            || value.ends_with(':')
            || value.contains(['{', '}', '[', ']', '*', '&', '#', '!', '|', '>', '%', '@', '`']);
        if is_quoted || !stumbles {
            return line.to_owned();
        }
        format!("{key}: \"{}\"", value.replace('\\', "\\\\").replace('"', "\\\""))
    };
    yaml.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Parsed {
        parse(&SourceText::of_text("SKILL.md".into(), text.into()), false).unwrap()
    }

    #[test]
    fn takes_a_file_apart_and_drops_the_space_before_the_body() {
        let found = parsed("---\nname: a\ndescription: b\n---\n\n   first\n\tsecond\n\n");
        assert_eq!(found.text("name"), Some("a"));
        assert_eq!(found.body, "first\n\tsecond\n\n", "the end stays as it is");
        let found = parsed("---\r\nname: a\r\n---\r\none\r\ntwo\r\n");
        assert_eq!((found.text("name"), found.body.as_str()), (Some("a"), "one\r\ntwo\r\n"));
        assert_eq!(parsed("---\n---\nx").body, "x");
    }

    #[test]
    fn what_is_no_frontmatter_is_all_body() {
        for text in ["# Title\n", "  # Title\n", "", "---", "---\nname: a\n", " ---\nname: a\n---\n"] {
            let found = parsed(text);
            assert_eq!((found.body.as_str(), found.has_frontmatter), (text, false));
        }
    }

    #[test]
    fn a_byte_order_mark_is_text_in_the_older_one() {
        let source = SourceText { bom: true, ..SourceText::of_text("SKILL.md".into(), "---\nname: a\n---\nx".into()) };
        assert_eq!(parse(&source, true).unwrap().body, "\u{feff}---\nname: a\n---\nx");
        assert_eq!(parse(&source, false).unwrap().text("name"), Some("a"));
    }

    #[test]
    fn a_value_with_a_colon_is_quoted_and_read_again() {
        let found = parsed("---\ndescription: Use when: the \"user\" asks\nargument-hint: [x] [y]\n---\n");
        assert_eq!(found.text("description"), Some("Use when: the \"user\" asks"));
        assert_eq!(found.text("argument-hint"), Some("[x] [y]"));
        let found = parsed("---\n\tname: a\n b: [\n---\nx");
        assert_eq!((found.fields.len(), found.body.as_str()), (0, "x"), "what is no YAML has no fields");
    }

    #[test]
    fn only_texts_are_texts() {
        let found = parsed("---\na: 5\nb: yes\nc: true\nd: [x]\ne: ''\nf:\ng: 'true'\n---\n");
        assert_eq!([found.text("a"), found.text("b"), found.text("e")], [None, Some("yes"), None]);
        assert!(found.is_true("c") && found.is_true("g") && !found.is_true("b"));
        assert_eq!(["a", "d", "e", "f", "none"].map(|key| found.has(key)), [true, true, false, false, false]);
    }
}
