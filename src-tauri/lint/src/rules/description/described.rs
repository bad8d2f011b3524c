//! The description that rules judge.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use super::words::{self, Language};
use crate::Subject;
use skill::Field;
use skill::source::Span;

/// A description that is text and not empty; what `form` minds is not judged twice.
#[derive(Clone, Copy)]
pub struct Described<'a> {
    pub text: &'a str,
    field: &'a Field,
    source: &'a str,
    said: &'a Said,
}

/// What several rules ask of a description, found out when first asked for.
#[derive(Default)]
pub struct Said {
    language: OnceCell<Language>,
    has_trigger: OnceCell<bool>,
    content: OnceCell<BTreeSet<String>>,
}

/// Of longer descriptions only the beginning is judged.
const LENGTH_LIMIT: usize = 4096;

impl<'a> Described<'a> {
    pub fn of(skill: &'a Subject<'_>) -> Option<Self> {
        let field = skill.field("description")?;
        let text = field.value.as_str()?.trim();
        let text = &text[..text.floor_char_boundary(LENGTH_LIMIT)];
        (!text.is_empty()).then_some(Self { text, field, source: skill.text(), said: &skill.description })
    }

    pub fn language(&self) -> Language {
        *self.said.language.get_or_init(|| Language::of(self.text))
    }

    /// As [`words::has_trigger`] says.
    pub fn has_trigger(&self) -> bool {
        *self.said.has_trigger.get_or_init(|| words::has_trigger(self.text, self.language()))
    }

    /// As [`words::content`] says.
    pub fn content(&self) -> &'a BTreeSet<String> {
        self.said.content.get_or_init(|| words::content(self.text))
    }

    /// All of it.
    pub fn span(&self) -> Span {
        self.field.value_span
    }

    /// Where a part of it stands; all of it where quotes or line breaks are in between.
    pub fn place(&self, part: &str) -> Span {
        match self.span().of(self.source).find(part) {
            Some(start) => Span::new(start, start + part.len()).shift(self.span().start),
            None => self.span(),
        }
    }
}
