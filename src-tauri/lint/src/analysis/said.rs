//! Facts about a description that several rules need, computed when first asked for.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use super::language::{self, Language};

/// Facts about one description, which callers pass each time.
#[derive(Default)]
pub struct Said {
    language: OnceCell<Language>,
    has_trigger: OnceCell<bool>,
    content: OnceCell<BTreeSet<String>>,
}

impl Said {
    /// That the text is written in. It is always the same text, and judged once.
    pub fn language(&self, text: &str) -> Language {
        *self.language.get_or_init(|| Language::of(text))
    }

    /// Whether it says when to use a skill.
    pub fn has_trigger(&self, text: &str) -> bool {
        *self.has_trigger.get_or_init(|| language::has_trigger(text, self.language(text)))
    }

    /// Its words that carry meaning.
    pub fn content(&self, text: &str) -> &BTreeSet<String> {
        self.content.get_or_init(|| language::content(text))
    }
}
