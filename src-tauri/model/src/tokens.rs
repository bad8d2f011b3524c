//! Counting tokens. Counts are for comparing, not for billing: a model's own tokenizer may differ by a tenth or more, so the
//! one that counted is named wherever a count is shown.

use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use regex::Regex;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::vocabulary::{self, Vocabulary};

/// The name of the tokenizer that [`count`] uses.
pub const TOKENIZER: &str = Tokenizer::O200kBase.name();

/// The tokenizers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
pub enum Tokenizer {
    /// Of OpenAI's models since GPT-4o.
    #[default]
    #[serde(rename = "o200k_base")]
    O200kBase,
    /// Of GPT-4, GPT-3.5 and OpenAI's embeddings.
    #[serde(rename = "cl100k_base")]
    Cl100kBase,
}

impl Tokenizer {
    pub const ALL: [Self; 2] = [Self::O200kBase, Self::Cl100kBase];

    /// As settings and files name it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::O200kBase => "o200k_base",
            Self::Cl100kBase => "cl100k_base",
        }
    }

    /// `None`: no tokenizer of ours.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tokenizer| tokenizer.name() == name)
    }

    /// Tokens of the text alone, without any framing of messages; special tokens count as plain text. Exact, in time linear
    /// in the text's length, whatever the text. Instructions, tools and files are counted again and again as they are, so
    /// the counts of texts that are not short are remembered.
    pub fn count(self, text: &str) -> u32 {
        if text.len() < SHORT {
            return self.counted(text);
        }
        let key = KEYS.hash_one((self, text));
        let known = lock().get(&key).copied();
        known.unwrap_or_else(|| {
            let count = self.counted(text);
            let mut remembered = lock();
            if remembered.len() == REMEMBERED {
                remembered.clear();
            }
            remembered.insert(key, count);
            count
        })
    }

    fn counted(self, text: &str) -> u32 {
        let count: usize = WORDS.with_borrow_mut(|words| self.pieces(text).map(|piece| words.count(self, piece)).sum());
        u32::try_from(count).unwrap_or(u32::MAX)
    }

    fn vocabulary(self) -> &'static Vocabulary {
        match self {
            Self::O200kBase => &vocabulary::O200K_BASE,
            Self::Cl100kBase => &vocabulary::CL100K_BASE,
        }
    }

    /// The words and signs that the text consists of. No token reaches over the end of one.
    fn pieces(self, mut text: &str) -> impl Iterator<Item = &str> {
        std::iter::from_fn(move || {
            let end = match self.plain_word(text) {
                Some(end) => end,
                None => self.first_piece(text)?,
            };
            let (piece, rest) = text.split_at(end);
            text = rest;
            Some(piece)
        })
    }

    /// Where the first word of a text ends, with or without a space before it. Most pieces are ASCII words; this finds
    /// them much faster than the expression.
    fn plain_word(self, text: &str) -> Option<usize> {
        let bytes = text.as_bytes();
        let after = |from: usize, is_part: fn(&u8) -> bool| {
            from + bytes[from..].iter().take_while(|byte| is_part(byte)).count()
        };
        let start = usize::from(bytes.first() == Some(&b' '));
        let (small, end) = match self {
            Self::O200kBase => {
                let small = after(start, u8::is_ascii_uppercase);
                (small, after(small, u8::is_ascii_lowercase))
            }
            Self::Cl100kBase => (start, after(start, u8::is_ascii_alphabetic)),
        };
        // Characters beyond ASCII may be part of the word, and so may `'s`.
        (end > small && bytes.get(end).is_none_or(|byte| byte.is_ascii() && *byte != b'\'')).then_some(end)
    }

    fn first_piece(self, text: &str) -> Option<usize> {
        let piece = match self {
            Self::O200kBase => &O200K_PIECE,
            Self::Cl100kBase => &CL100K_PIECE,
        };
        let end = piece.find(text)?.end();
        // Of white space inside a line the last character belongs to what follows.
        let last = text[..end].chars().next_back()?;
        let gives = end < text.len() && end > last.len_utf8() && !matches!(last, '\r' | '\n');
        let is_white = gives && text[..end].chars().all(char::is_whitespace);
        Some(if is_white { end - last.len_utf8() } else { end })
    }
}

/// A cache of recent pieces: the same words repeat often, and finding one here is much faster than among all tokens.
struct Recent(Vec<(u128, usize)>);

impl Recent {
    fn count(&mut self, tokenizer: Tokenizer, piece: &str) -> usize {
        let count = || tokenizer.vocabulary().count(piece.as_bytes());
        let mut key = [0; size_of::<u128>()];
        let Some((kind, letters)) = key.split_first_mut().filter(|(_, letters)| piece.len() <= letters.len()) else {
            return count();
        };
        // No key is zero; unwritten entries are.
        *kind = u8::try_from(2 * piece.len()).unwrap_or(u8::MAX) + tokenizer as u8;
        letters[..piece.len()].copy_from_slice(piece.as_bytes());
        let key = u128::from_le_bytes(key);
        let mixed = (key as u64 ^ (key >> 64) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        if self.0.is_empty() {
            self.0.resize(RECENT, (0, 0));
        }
        let known = &mut self.0[(mixed >> (u64::BITS - RECENT.ilog2())) as usize];
        if known.0 != key {
            *known = (key, count());
        }
        known.1
    }
}

/// Pieces; 32 bytes each. A power of two.
const RECENT: usize = 1 << 14;

thread_local! {
    static WORDS: RefCell<Recent> = const { RefCell::new(Recent(Vec::new())) };
}

/// Tokens of the text by [`TOKENIZER`]. For everything that must be the same on every machine: rules, recorded runs.
pub fn count(text: &str) -> u32 {
    Tokenizer::default().count(text)
}

/// Bytes of a text that takes no longer to count than to find.
const SHORT: usize = 128;
/// Texts; sixteen bytes each. With fewer than there are skills in a large library each look at it would count all again.
const REMEMBERED: usize = 1 << 16;

static KEYS: LazyLock<RandomState> = LazyLock::new(RandomState::new);
static COUNTS: LazyLock<Mutex<HashMap<u64, u32>>> = LazyLock::new(Mutex::default);

fn lock() -> MutexGuard<'static, HashMap<u64, u32>> {
    COUNTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The first piece of a text, as in https://github.com/openai/tiktoken/blob/main/tiktoken_ext/openai_public.py, except
/// for the look-ahead of `\s+(?!\S)`, which [`Tokenizer::first_piece`] makes up for.
static O200K_PIECE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&[
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
        r"\p{N}{1,3}",
        r" ?[^\s\p{L}\p{N}]+[\r\n/]*",
        r"\s*[\r\n]+",
        r"\s+",
    ])
});

/// The same of cl100k_base. The possessive quantifiers there are plain ones here; they match the same, since nothing
/// after them could give characters back.
static CL100K_PIECE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&[
        r"'(?i:[sdmt]|ll|ve|re)",
        r"[^\r\n\p{L}\p{N}]?\p{L}+",
        r"\p{N}{1,3}",
        r" ?[^\s\p{L}\p{N}]+[\r\n]*",
        r"\s+\z",
        r"\s*[\r\n]",
        r"\s+",
    ])
});

fn pattern(alternatives: &[&str]) -> Regex {
    Regex::new(&format!(r"\A(?:{})", alternatives.join("|"))).expect("the pattern is valid")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// As OpenAI's own tokenizer counts.
    fn reference(tokenizer: Tokenizer, text: &str) -> u32 {
        let own = match tokenizer {
            Tokenizer::O200kBase => tiktoken_rs::o200k_base_singleton(),
            Tokenizer::Cl100kBase => tiktoken_rs::cl100k_base_singleton(),
        };
        own.count_ordinary(text) as u32
    }

    /// By each tokenizer, ours next to OpenAI's.
    fn counts(text: &str) -> ([u32; 2], [u32; 2]) {
        (Tokenizer::ALL.map(|it| it.count(text)), Tokenizer::ALL.map(|it| reference(it, text)))
    }

    #[test]
    fn counts_known_texts() {
        let texts = ["", "hello world", "一公斤有几磅?", "<|endoftext|>"];
        let counted = texts.map(|text| Tokenizer::ALL.map(|tokenizer| tokenizer.count(text)));
        let chinese = Tokenizer::ALL.map(|tokenizer| reference(tokenizer, texts[2]));
        assert_eq!(counted, [[0, 0], [2, 2], chinese, [7, 7]]);
        assert_ne!(chinese[0], chinese[1], "the tokenizers differ most where texts are not English");
    }

    #[test]
    fn counts_ten_megabytes_of_one_letter() {
        for tokenizer in Tokenizer::ALL {
            assert_eq!(tokenizer.count(&"a".repeat(10_000_000)), 1_250_000, "eight letters are one token");
        }
    }

    #[test]
    fn counts_the_files_of_this_project_as_openai_does() {
        let project = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
        let files =
            ["skills", "docs", "tests/fixtures"].map(|folder| walkdir::WalkDir::new(format!("{project}/{folder}")));
        let texts = files.into_iter().flatten().filter_map(|file| std::fs::read_to_string(file.ok()?.path()).ok());
        let counted = texts.map(|text| {
            let (ours, theirs) = counts(&text);
            assert_eq!(ours, theirs, "{text}");
        });
        let counted = counted.count();
        assert!(counted > 100, "{counted}");
    }

    #[test]
    fn a_tokenizer_is_found_by_the_name_that_is_written() {
        for tokenizer in Tokenizer::ALL {
            assert_eq!(serde_json::to_value(tokenizer).unwrap(), tokenizer.name());
            assert_eq!(Tokenizer::named(tokenizer.name()), Some(tokenizer));
        }
        assert_eq!(Tokenizer::named("p50k_base"), None);
    }

    proptest! {
        #[test]
        fn counts_any_text_as_openai_does(text in any::<String>()) {
            let (ours, theirs) = counts(&text);
            prop_assert_eq!(ours, theirs);
        }

        #[test]
        fn counts_words_of_any_length_as_openai_does(text in "[a-eA-E漢字]{0,400}") {
            let (ours, theirs) = counts(&text);
            prop_assert_eq!(ours, theirs);
        }

        #[test]
        fn counts_a_long_text_the_same_each_time(text in "\\PC{128,400}") {
            let (once, theirs) = counts(&text);
            let (again, _) = counts(&text);
            prop_assert_eq!([once, again], [theirs; 2]);
        }

        #[test]
        fn counts_words_and_white_space_as_openai_does(text in "[a'sZ9é漢 \t\r\n/!.\u{301}\u{2028}]{0,40}") {
            let (ours, theirs) = counts(&text);
            prop_assert_eq!(ours, theirs);
        }
    }
}
