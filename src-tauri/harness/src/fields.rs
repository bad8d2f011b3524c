//! The places of frontmatter fields as YAML reads them, for messages about values that were read differently.

use skill::source::{SourceText, Span};
use skill::{Field, frontmatter};

/// The field of this name; `None` if there is none, or no YAML.
pub fn find(source: &SourceText, key: &str) -> Option<Field> {
    let frontmatter::Split::Closed(block) = frontmatter::split(&source.text) else { return None };
    frontmatter::parse(&source.text, block).0.fields.into_iter().find(|field| field.key == key)
}

/// The place of its value.
pub fn place(source: &SourceText, key: &str) -> Option<Span> {
    find(source, key).map(|field| field.value_span)
}
