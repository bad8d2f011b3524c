//! YAML 1.1 as four programs read it: PyYAML, and libyaml, SnakeYAML and yaml.v3, which are translations of it or of
//! each other and differ in small things (see [`Dialect`]). One reader decides whether a text is YAML and what it
//! contains, with the programs' own messages for every mistake, since these appear in the frameworks' logs. The scanner
//! and the parser follow PyYAML 6.0.3 step by step (MIT License, see NOTICE). What a value becomes in a framework's
//! language is not decided here, except for Python's ([`construct`]), which two frameworks share.

pub mod base64;
mod mark;
mod object;
mod parser;
mod properties;
mod safe;
mod scalars;
mod scanner;
mod strict;
#[cfg(test)]
mod tests;
mod token;

pub use object::{Key, Moment, Object, Objects};
pub use safe::construct;
pub use strict::{Strict, strict};
pub use token::Style;

use std::cell::RefCell;

use mark::{END, Mistake, ScanPlace, Stage};
use parser::{CORE, Parser};
use skill::recent::{self, Recent};
use skill::yaml::BYTE_LIMIT;
use token::Error;
use wording::{Message, message};

use crate::reasons::{self, Refusal};

/// The program whose reading is followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// PyYAML 6.0.3 in Python.
    Python,
    /// libyaml 0.2.5 in C, as PyYAML calls it.
    C,
    /// yaml.v3 3.0.1 in Go, a translation of libyaml.
    Go,
    /// SnakeYAML 2 in Java, a translation of PyYAML.
    Java,
}

impl Dialect {
    fn is_libyaml(self) -> bool {
        matches!(self, Self::C | Self::Go)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Values inside each other, the outermost counted.
    pub depth: usize,
    /// Aliases of lists and maps.
    pub aliases: usize,
}

impl Limits {
    /// Python's stack ends at some 480; SnakeYAML's is an option. Elsewhere the limit is ours.
    pub fn of(dialect: Dialect) -> Self {
        let depth = match dialect {
            Dialect::Python | Dialect::Java => 400,
            Dialect::C => 1000,
            Dialect::Go => usize::MAX,
        };
        Self { depth, aliases: usize::MAX }
    }
}

/// A node's place among the nodes of its document. An alias has the place of its node.
pub type Id = usize;

#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    nodes: Vec<Node>,
    pub root: Id,
    /// For messages about places in it.
    text: Vec<char>,
    dialect: Dialect,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    pub content: Content,
    /// Written out, e.g. `tag:yaml.org,2002:int`; `!` and nothing at all leave it to the value.
    pub tag: Option<String>,
    start: ScanPlace,
    end: usize,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Content {
    Scalar {
        text: String,
        style: Style,
        /// Whether its form decides its type.
        implicit: bool,
        /// It has half a character, which UTF-8 cannot represent; U+FFFD replaces it.
        surrogate: bool,
    },
    List(Vec<Id>),
    /// In order, with all keys.
    Map(Vec<(Id, Id)>),
    /// Only in the dialect of Go.
    Alias {
        name: String,
        id: Id,
    },
}

/// Why there is no document, or no value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// The library says that it is not YAML, or not safe to construct.
    Yaml {
        message: String,
        /// By its character.
        at: Option<usize>,
    },
    /// An exception that the library does not mean to raise.
    Raised(String),
    /// The library may well read it, and we do not.
    Ours(Message),
}

impl Failure {
    /// The character at which it is.
    pub fn at(&self) -> Option<usize> {
        match self {
            Self::Yaml { at, .. } => *at,
            Self::Raised(_) | Self::Ours(_) => None,
        }
    }

    /// What there is to say of it, where the framework adds nothing of its own.
    pub fn refusal(self) -> Refusal {
        match self {
            Self::Yaml { message, .. } | Self::Raised(message) => Refusal::Theirs(message),
            Self::Ours(message) => Refusal::Ours(message),
        }
    }

    fn ours(what: &Message) -> Self {
        Self::Ours(reasons::not_read(what))
    }
}

/// The last line of Python's traceback: the class of an exception that was raised, and its message. The few exceptions
/// that the library does not raise on purpose are recognised by their messages.
pub fn traceback(message: &str) -> String {
    let class = match message {
        "string index out of range" => "IndexError",
        message if message.starts_with("maximum recursion depth") => "RecursionError",
        message if message.starts_with("'NoneType' object has no attribute") => "AttributeError",
        // A dictionary's, of which the key is all that is said.
        message if message.starts_with(['\'', '"']) => "KeyError",
        _ => "ValueError",
    };
    format!("{class}: {message}")
}

/// The only document, or the first one; `None` if there is none.
pub fn compose(yaml: &str, dialect: Dialect, limits: Limits) -> Result<Option<Document>, Failure> {
    compose_as(yaml, dialect, limits, false)
}

/// `yaml.safe_load` of PyYAML; `None` if there is no document.
pub fn safe_load(yaml: &str) -> Result<Option<Objects>, Failure> {
    let document = compose(yaml, Dialect::Python, Limits::of(Dialect::Python))?;
    document.as_ref().map(construct).transpose()
}

/// The scalar that the whole of a text would be, if something else did not follow it.
pub fn leading_scalar(yaml: &str, dialect: Dialect, limits: Limits) -> Option<String> {
    let text: Vec<char> = yaml.chars().chain([END]).collect();
    let mut parser = Parser::new(&text, dialect, limits);
    // The rest of the document does not matter.
    parser.document().ok();
    match &parser.nodes.first()?.content {
        Content::Scalar { text, .. } => Some(text.clone()),
        Content::List(_) | Content::Map(_) | Content::Alias { .. } => None,
    }
}

/// The composed document.
type Composed = Result<Option<Document>, Failure>;

/// The settings with which a text was composed.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Manner {
    dialect: Dialect,
    limits: Limits,
    strict: bool,
}

thread_local! {
    static COMPOSED: RefCell<Recent<(Manner, String), Composed>> = const { RefCell::new(Recent::new()) };
}

/// `strict`: as strictyaml does, which refuses flow style, anchors and tags when it reads them.
fn compose_as(yaml: &str, dialect: Dialect, limits: Limits, strict: bool) -> Composed {
    let manner = Manner { dialect, limits, strict };
    recent::remembered(
        &COMPOSED,
        yaml,
        |(by, text)| *by == manner && text == yaml,
        || (manner, yaml.to_owned()),
        || composed(yaml, dialect, limits, strict),
    )
}

fn composed(yaml: &str, dialect: Dialect, limits: Limits, strict: bool) -> Composed {
    if yaml.len() > BYTE_LIMIT {
        return Err(Failure::ours(&message!("frontmatter of more than 1 MiB", "超过 1 MiB 的前置元数据")));
    }
    let text: Vec<char> = yaml.chars().chain([END]).collect();
    let odd = text[..text.len() - 1].iter().position(|letter| !is_allowed(*letter));
    if let Some(at) = odd.filter(|_| dialect != Dialect::Go) {
        return Err(not_allowed(&text, at, dialect));
    }
    let mut parser = Parser::new(&text, dialect, limits);
    parser.be_strict(strict);
    let read = parser.document();
    let nodes = std::mem::take(&mut parser.nodes);
    let failed = match read {
        Ok(root) => match odd {
            None => return Ok(root.map(|root| Document { nodes, root, text, dialect })),
            Some(at) => return Err(not_allowed(&text, at, dialect)),
        },
        Err(error) => error,
    };
    let at = match &failed {
        Error::Mistake(mistake) => Some(mistake.at.index),
        Error::Raised(_) | Error::Limit(_) | Error::Ours(_) => None,
    };
    // Go finds forbidden characters when it reads the piece of the text with them.
    if let Some(odd) = odd.filter(|odd| at.is_none_or(|at| is_read(&text, *odd, at))) {
        return Err(not_allowed(&text, odd, dialect));
    }
    Err(match failed {
        Error::Mistake(mistake) if strict => Failure::Yaml { message: mistake.by_ruamel(&text), at },
        Error::Mistake(mistake) => Failure::Yaml { message: mistake.message(&text, dialect), at },
        Error::Raised(message) => Failure::Raised(message.to_owned()),
        Error::Limit(message) => Failure::Yaml { message, at },
        Error::Ours(what) => Failure::ours(&what),
    })
}

impl Document {
    pub fn node(&self, id: Id) -> &Node {
        &self.nodes[id]
    }

    /// The tag as written, or that of the node's kind; `implied` gives the tag of a scalar without quotes.
    pub fn tag(&self, id: Id, implied: fn(&str) -> &'static str) -> &str {
        let node = self.node(id);
        match (node.tag.as_deref().filter(|tag| *tag != "!"), &node.content) {
            (Some(tag), _) => tag,
            (None, Content::Scalar { text, implicit: true, .. }) => implied(text),
            (None, Content::Scalar { .. } | Content::Alias { .. }) => "tag:yaml.org,2002:str",
            (None, Content::List(_)) => "tag:yaml.org,2002:seq",
            (None, Content::Map(_)) => "tag:yaml.org,2002:map",
        }
    }

    /// A constructor's error about a node and the one around it.
    fn mistake(&self, context: Option<(&str, Id)>, problem: String, id: Id) -> Failure {
        let mistake = Mistake {
            stage: Stage::Composer,
            context: context.map(|(what, around)| (what.to_owned(), Some(self.node(around).start))),
            problem,
            at: self.node(id).start,
        };
        let message = mistake.message(&self.text, self.dialect);
        Failure::Yaml { message, at: Some(mistake.at.index) }
    }

    /// A scalar's text and what it is taken for.
    pub fn scalar(&self, id: Id) -> Option<(Tag, &str)> {
        let node = self.node(id);
        let Content::Scalar { text, implicit, surrogate, .. } = &node.content else { return None };
        let tag = match node.tag.as_deref().filter(|tag| *tag != "!") {
            _ if *surrogate => Tag::Other,
            None if !implicit => Tag::Text,
            None => match text.as_str() {
                "" | "~" | "null" | "Null" | "NULL" => Tag::Null,
                "<<" | "=" => Tag::Other,
                _ => Tag::Text,
            },
            Some(tag) => match tag.strip_prefix(CORE) {
                Some("str" | "bool" | "int" | "float" | "timestamp") => Tag::Text,
                Some("null") => Tag::Null,
                Some(_) | None => Tag::Other,
            },
        };
        Some((tag, text))
    }

    /// The pairs of a map without an explicit tag.
    pub fn map(&self, id: Id) -> Option<&[(Id, Id)]> {
        let node = self.node(id);
        let is_own = node.tag.as_deref().is_some_and(|tag| tag != "!" && tag.strip_prefix(CORE) != Some("map"));
        match &node.content {
            Content::Map(pairs) if !is_own => Some(pairs),
            Content::Map(_) | Content::List(_) | Content::Scalar { .. } | Content::Alias { .. } => None,
        }
    }
}

impl Node {
    /// The characters that it begins and ends with, anchor and tag included.
    pub fn range(&self) -> std::ops::Range<usize> {
        self.start.index..self.end.max(self.start.index)
    }

    /// From 1, as the reader counts it.
    pub fn line(&self) -> usize {
        self.start.line + 1
    }
}

/// What a scalar's tag is to a framework that takes texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tag {
    /// A text, number, truth value or time, all of which stay the text they are.
    Text,
    Null,
    /// A merge key, a default key or a tag of the author's; and texts that UTF-8 cannot hold.
    Other,
}

fn not_allowed(text: &[char], at: usize, dialect: Dialect) -> Failure {
    let letter = u32::from(text[at]);
    let message = match dialect {
        Dialect::Go => "control characters are not allowed".to_owned(),
        Dialect::C => format!("unacceptable character #x{letter:04x}: control characters are not allowed"),
        Dialect::Python | Dialect::Java => {
            let place = format!("in \"<unicode string>\", position {at}");
            format!("unacceptable character #x{letter:04x}: special characters are not allowed\n  {place}")
        }
    };
    Failure::Yaml { message, at: Some(at) }
}

/// `Reader.NON_PRINTABLE`, turned around.
fn is_allowed(letter: char) -> bool {
    matches!(
        letter,
        '\t' | '\n' | '\r' | ' '..='~' | '\u{85}' | '\u{a0}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..
    )
}

/// Whether yaml.v3, which reads pieces of 512 bytes, has read a character when it is at another.
fn is_read(text: &[char], letter: usize, at: usize) -> bool {
    const PIECE: usize = 512;
    let bytes = |to: usize| text[..to].iter().map(|letter| letter.len_utf8()).sum::<usize>();
    bytes(letter) / PIECE <= bytes(at.min(text.len() - 1)) / PIECE
}
