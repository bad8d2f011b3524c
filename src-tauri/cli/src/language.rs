//! Which language the program speaks: that of `--lang`, else of the environment.

use std::sync::atomic::{AtomicBool, Ordering};

use clap::ValueEnum;
use wording::{Language, Message, Wording};

static IS_CHINESE: AtomicBool = AtomicBool::new(false);

/// As `--lang` takes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Lang {
    /// English
    En,
    /// 中文
    #[value(alias = "zh-CN")]
    Zh,
}

impl From<Lang> for Language {
    fn from(lang: Lang) -> Self {
        match lang {
            Lang::En => Self::English,
            Lang::Zh => Self::Chinese,
        }
    }
}

/// Chosen before anything is said; an editor tells its language server later.
pub fn choose(language: Language) {
    IS_CHINESE.store(language == Language::Chinese, Ordering::Relaxed);
}

pub fn language() -> Language {
    if IS_CHINESE.load(Ordering::Relaxed) { Language::Chinese } else { Language::English }
}

/// The language of the arguments, which may not parse, else of the environment.
pub fn wanted(arguments: impl Iterator<Item = String>, variable: impl Fn(&str) -> Option<String>) -> Language {
    of_arguments(arguments).or_else(|| of_environment(variable)).unwrap_or_default()
}

fn of_arguments(mut arguments: impl Iterator<Item = String>) -> Option<Language> {
    while let Some(argument) = arguments.next() {
        let value = match argument.as_str() {
            "--" => return None,
            "--lang" => arguments.next(),
            other => other.strip_prefix("--lang=").map(str::to_owned),
        };
        if let Some(lang) = value.and_then(|value| Lang::from_str(&value, true).ok()) {
            return Some(lang.into());
        }
    }
    None
}

/// The first variable that is not empty counts, as everywhere.
fn of_environment(variable: impl Fn(&str) -> Option<String>) -> Option<Language> {
    let names = ["LC_ALL", "LC_MESSAGES", "LANG"];
    let locale = names.iter().filter_map(|name| variable(name)).find(|value| !value.is_empty())?;
    Language::of_locale(&locale)
}

/// A text in the language that is spoken.
pub trait Chosen {
    fn chosen(self) -> String;
}

impl Chosen for Message {
    fn chosen(self) -> String {
        match language() {
            Language::English => self.en,
            Language::Chinese => self.zh,
        }
    }
}

impl Chosen for Wording {
    fn chosen(self) -> String {
        self.text(language()).to_owned()
    }
}

/// Writes a text in the language that is spoken, as [`wording::message`] writes it in both.
macro_rules! words {
    ($($text:tt)*) => {
        $crate::language::Chosen::chosen(wording::message!($($text)*))
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wants(arguments: &[&str], variables: &[(&str, &str)]) -> Language {
        let variable = |name: &str| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| (*value).to_owned())
        };
        wanted(arguments.iter().map(|argument| (*argument).to_owned()), variable)
    }

    #[test]
    fn an_argument_counts_more_than_the_environment() {
        let chinese = [("LANG", "zh_CN.UTF-8")];
        assert_eq!(wants(&[], &chinese), Language::Chinese);
        assert_eq!(wants(&["list", "--lang", "en"], &chinese), Language::English);
        assert_eq!(wants(&["--lang=zh", "--help"], &[]), Language::Chinese);
        assert_eq!(wants(&["--", "--lang=zh"], &[]), Language::English);
    }

    #[test]
    fn the_first_variable_that_says_something_counts() {
        assert_eq!(wants(&[], &[("LC_ALL", ""), ("LC_MESSAGES", "zh_TW"), ("LANG", "en_US")]), Language::Chinese);
        assert_eq!(wants(&[], &[("LC_ALL", "C"), ("LANG", "zh_CN")]), Language::English);
        assert_eq!(wants(&[], &[]), Language::English);
    }
}
