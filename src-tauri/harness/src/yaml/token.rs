//! The scanner's tokens and errors.

use super::mark::{Mistake, ScanPlace};
use wording::Message;

#[derive(Debug, Clone, PartialEq)]
pub struct Token {
    pub kind: TokenKind,
    pub start: ScanPlace,
    /// Behind its last character.
    pub end: usize,
}

impl Token {
    /// The place behind a token of one line.
    pub fn behind(&self) -> ScanPlace {
        ScanPlace { index: self.end, line: self.start.line }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub enum TokenKind {
    StreamEnd,
    Directive(Directive),
    DocumentStart,
    DocumentEnd,
    BlockSequenceStart,
    BlockMappingStart,
    BlockEnd,
    FlowSequenceStart,
    FlowSequenceEnd,
    FlowMappingStart,
    FlowMappingEnd,
    BlockEntry,
    FlowEntry,
    Key,
    Value,
    Alias(String),
    Anchor(String),
    /// The handle, unless the tag is written out, and the rest.
    Tag(Option<String>, String),
    Scalar(Scalar),
}

#[derive(Debug, Clone, PartialEq)]
pub enum Directive {
    /// The major and the minor version.
    Yaml(String, String),
    Tag {
        handle: String,
        prefix: String,
    },
    Other,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Scalar {
    pub text: String,
    pub style: Style,
    /// An escape was half a character; the text has U+FFFD there.
    pub surrogate: bool,
}

/// How a scalar is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    Plain,
    Quoted,
    Block,
}

impl TokenKind {
    /// As messages name it.
    pub fn id(&self) -> &'static str {
        match self {
            Self::StreamEnd => "<stream end>",
            Self::Directive(_) => "<directive>",
            Self::DocumentStart => "<document start>",
            Self::DocumentEnd => "<document end>",
            Self::BlockSequenceStart => "<block sequence start>",
            Self::BlockMappingStart => "<block mapping start>",
            Self::BlockEnd => "<block end>",
            Self::FlowSequenceStart => "[",
            Self::FlowSequenceEnd => "]",
            Self::FlowMappingStart => "{",
            Self::FlowMappingEnd => "}",
            Self::BlockEntry => "-",
            Self::FlowEntry => ",",
            Self::Key => "?",
            Self::Value => ":",
            Self::Alias(_) => "<alias>",
            Self::Anchor(_) => "<anchor>",
            Self::Tag(..) => "<tag>",
            Self::Scalar(_) => "<scalar>",
        }
    }
}

/// What keeps a text from being read.
#[derive(Debug, PartialEq, Eq)]
pub enum Error {
    Mistake(Mistake),
    /// An exception of Python itself, which no handler of errors in YAML catches.
    Raised(&'static str),
    /// A limit of the framework's own, without a place.
    Limit(String),
    /// A limit of ours: what is not read.
    Ours(Message),
}

pub type Scanned<T> = Result<T, Error>;
