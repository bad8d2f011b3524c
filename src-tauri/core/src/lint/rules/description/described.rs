//! The description that rules judge.

use crate::lint::Subject;
use crate::skill::Field;
use crate::source::Span;

/// A description that is text and not empty; what `form` minds is not judged twice.
#[derive(Debug, Clone, Copy)]
pub struct Described<'a> {
    pub text: &'a str,
    field: &'a Field,
    source: &'a str,
}

/// Of longer descriptions only the beginning is judged.
const LENGTH_LIMIT: usize = 4096;

impl<'a> Described<'a> {
    pub fn of(skill: &Subject<'a>) -> Option<Self> {
        let field = skill.field("description")?;
        let text = field.value.as_str()?.trim();
        let text = &text[..text.floor_char_boundary(LENGTH_LIMIT)];
        (!text.is_empty()).then_some(Self { text, field, source: skill.text() })
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
