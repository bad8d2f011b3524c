//! What the workbench says, in each of its languages. Whoever finds something words it in all of them, so that none can
//! be missing; whoever shows it chooses one.

use serde::Serialize;
use ts_rs::TS;

/// A language of the workbench.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, TS)]
pub enum Language {
    #[default]
    #[serde(rename = "en")]
    English,
    #[serde(rename = "zh-CN")]
    Chinese,
}

impl Language {
    pub const ALL: [Self; 2] = [Self::English, Self::Chinese];
}

/// A text that is always the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wording {
    pub en: &'static str,
    pub zh: &'static str,
}

impl Wording {
    pub const fn new(en: &'static str, zh: &'static str) -> Self {
        Self { en, zh }
    }

    pub fn text(self, language: Language) -> &'static str {
        match language {
            Language::English => self.en,
            Language::Chinese => self.zh,
        }
    }
}

/// A text about one case, with its names and figures; [`message!`](crate::message) writes it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Message {
    pub en: String,
    pub zh: String,
}

impl Message {
    pub fn text(&self, language: Language) -> &str {
        match language {
            Language::English => &self.en,
            Language::Chinese => &self.zh,
        }
    }

    /// Changes the text in every language.
    pub fn each(&mut self, mut change: impl FnMut(&mut String)) {
        change(&mut self.en);
        change(&mut self.zh);
    }
}

impl From<Wording> for Message {
    fn from(wording: Wording) -> Self {
        Self { en: wording.en.to_owned(), zh: wording.zh.to_owned() }
    }
}

/// Writes a [`Message`]: the English format, the Chinese one, and what both take besides names in scope.
#[macro_export]
macro_rules! message {
    ($en:literal, $zh:literal $(, $($argument:tt)*)?) => {
        $crate::wording::Message { en: format!($en $(, $($argument)*)?), zh: format!($zh $(, $($argument)*)?) }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_a_case_in_every_language() {
        let name = "pdf";
        let message = message!("`{name}` has {} files", "`{name}` 有 {} 个文件", 3);
        let texts = Language::ALL.map(|language| message.text(language));
        assert_eq!(texts, ["`pdf` has 3 files", "`pdf` 有 3 个文件"]);
    }
}
