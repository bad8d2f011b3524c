//! The description that rules judge.

use std::collections::BTreeSet;

use super::language::Language;
use super::said::Said;
use crate::Subject;
use skill::Field;
use skill::source::Span;

/// A description that is text and not empty; problems that the group `form` reports are not reported twice.
#[derive(Clone, Copy)]
pub struct Described<'a> {
    pub text: &'a str,
    field: &'a Field,
    source: &'a str,
    said: &'a Said,
}

/// Of longer descriptions only the beginning is judged.
const LENGTH_LIMIT: usize = 4096;

impl<'a> Described<'a> {
    /// `None` if it has none that is text, or an empty one.
    pub fn of(skill: &'a Subject<'_>) -> Option<Self> {
        let field = skill.field("description")?;
        let text = field.value.as_str()?.trim();
        let text = &text[..text.floor_char_boundary(LENGTH_LIMIT)];
        (!text.is_empty()).then_some(Self { text, field, source: skill.text(), said: &skill.description })
    }

    /// The language of the text, found once for a skill.
    pub fn language(&self) -> Language {
        self.said.language(self.text)
    }

    /// As [`has_trigger`](super::language::has_trigger) says.
    pub fn has_trigger(&self) -> bool {
        self.said.has_trigger(self.text)
    }

    /// As [`content`](super::language::content) says.
    pub fn content(&self) -> &'a BTreeSet<String> {
        self.said.content(self.text)
    }

    /// All of it.
    pub fn span(&self) -> Span {
        self.field.value_span
    }

    /// Where a part of it is; all of it if quotes or line breaks are in between.
    pub fn place(&self, part: &str) -> Span {
        match self.span().of(self.source).find(part) {
            Some(start) => Span::new(start, start + part.len()).shift(self.span().start),
            None => self.span(),
        }
    }
}
