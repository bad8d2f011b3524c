//! What the scanner makes of a text, and why it gives up.

use super::mark::Mistake;

#[derive(Debug, Clone, PartialEq)]
pub struct Token {
    pub kind: Kind,
    /// By its first character.
    pub start: usize,
    pub end: usize,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
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
    /// The major version.
    Yaml(String),
    Tag {
        handle: String,
        prefix: String,
    },
    Other,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Scalar {
    pub text: String,
    /// Neither quoted nor a block.
    pub plain: bool,
    /// An escape stands for half a character.
    pub surrogate: bool,
}

impl Kind {
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
    /// A message without a place.
    Message(&'static str),
}

pub type Scanned<T> = Result<T, Error>;
