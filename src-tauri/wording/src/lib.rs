//! What the workbench says, in each of its languages. The code that finds a problem writes the text in all languages,
//! so that none can be missing; the code that shows it chooses one.

mod refusal;
mod system;

pub use refusal::refusal;
pub use system::{reason, refused, why};

use serde::{Deserialize, Serialize};
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

    /// The language of a locale such as `zh_CN.UTF-8`, `zh-Hans` or `en`; `None`: none that the workbench speaks.
    pub fn of_locale(locale: &str) -> Option<Self> {
        let language = locale.split(['_', '-', '.', '@']).next().unwrap_or_default();
        match language.to_ascii_lowercase().as_str() {
            "zh" => Some(Self::Chinese),
            "en" => Some(Self::English),
            _ => None,
        }
    }
}

/// A text that is always the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wording {
    pub en: &'static str,
    pub zh: &'static str,
}

impl Wording {
    /// The same text in English and in Chinese.
    pub const fn new(en: &'static str, zh: &'static str) -> Self {
        Self { en, zh }
    }

    /// A name, which is the same in every language.
    pub const fn name(name: &'static str) -> Self {
        Self::new(name, name)
    }

    /// As a reader of this language is shown it.
    pub fn text(self, language: Language) -> &'static str {
        match language {
            Language::English => self.en,
            Language::Chinese => self.zh,
        }
    }
}

/// A text about one case, with its names and figures; [`message!`] writes it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(from = "Written")]
#[ts(rename = "Worded")]
pub struct Message {
    pub en: String,
    pub zh: String,
}

impl Message {
    /// A text by others, which is quoted as it is: of a server, the operating system, a parser.
    pub fn quoted(text: impl Into<String>) -> Self {
        let text = text.into();
        Self { en: text.clone(), zh: text }
    }

    /// As a reader of this language is shown it.
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

    /// One text of several, in each language with its own mark between them.
    pub fn list<'a>(messages: impl IntoIterator<Item = &'a Self>) -> Self {
        let mut whole = Self::default();
        for (at, message) in messages.into_iter().enumerate() {
            whole.en.push_str(if at == 0 { "" } else { "; " });
            whole.zh.push_str(if at == 0 { "" } else { "；" });
            whole.en.push_str(&message.en);
            whole.zh.push_str(&message.zh);
        }
        whole
    }
}

/// A message as it is stored. What was stored in one language is quoted.
#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "⟪a text, or one for each language (`en` and `zh`)‖一段文本，或每种语言一段文本（`en` 和 `zh`）⟫"
)]
enum Written {
    Quoted(String),
    Worded { en: String, zh: String },
}

impl From<Written> for Message {
    fn from(written: Written) -> Self {
        match written {
            Written::Quoted(text) => Self::quoted(text),
            Written::Worded { en, zh } => Self { en, zh },
        }
    }
}

impl From<Wording> for Message {
    fn from(wording: Wording) -> Self {
        Self { en: wording.en.to_owned(), zh: wording.zh.to_owned() }
    }
}

/// Makes a [`Message`]: the English format, the Chinese one, and the arguments of both, in addition to names in scope.
/// Names after a semicolon are messages themselves, each inserted in the language of the text around it: `message!("no
/// key: {why}", "没有密钥：{why}"; why)`.
#[macro_export]
macro_rules! message {
    ($en:literal, $zh:literal $(,)?; $($part:ident),+ $(,)?) => {
        $crate::Message {
            en: { $(let $part = &$part.en;)+ format!($en) },
            zh: { $(let $part = &$part.zh;)+ format!($zh) },
        }
    };
    ($en:literal, $zh:literal $(, $($argument:tt)*)?) => {
        $crate::Message { en: format!($en $(, $($argument)*)?), zh: format!($zh $(, $($argument)*)?) }
    };
}

/// A text that follows Chinese: with a blank before it if it begins with what is none, such as a name.
pub fn led(text: &str) -> String {
    match text.starts_with(|first: char| first.is_ascii()) {
        true => format!(" {text}"),
        false => text.to_owned(),
    }
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

    #[test]
    fn reads_what_was_stored_in_one_language() {
        let read = |json: &str| serde_json::from_str::<Message>(json).unwrap();
        assert_eq!(read(r#""refused""#), Message::quoted("refused"));
        let message = message!("no key", "没有密钥");
        assert_eq!(read(&serde_json::to_string(&message).unwrap()), message);
    }

    #[test]
    fn puts_a_message_into_another_one() {
        let (place, why) = ("x.yaml", message!("no key", "没有密钥"));
        let message = message!("{place}: {why}", "{place}：{why}"; why);
        assert_eq!(message, Message { en: "x.yaml: no key".into(), zh: "x.yaml：没有密钥".into() });
        assert_eq!(
            Message::list([&why, &why]),
            Message { en: "no key; no key".into(), zh: "没有密钥；没有密钥".into() }
        );
    }

    #[test]
    fn knows_the_language_of_a_locale() {
        let languages = ["zh_CN.UTF-8", "zh-TW", "zh", "en_US", "C", "de_DE", ""].map(Language::of_locale);
        let (zh, en) = (Some(Language::Chinese), Some(Language::English));
        assert_eq!(languages, [zh, zh, zh, en, None, None, None]);
    }
}
