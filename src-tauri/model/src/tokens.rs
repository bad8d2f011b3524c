//! Counting tokens. One tokenizer for every model, named wherever a count is shown: counts are for comparing, not for
//! billing, and a model's own tokenizer may differ by a tenth or more.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use regex::Regex;

use super::vocabulary;

/// The name of the tokenizer that [`count`] uses.
pub const TOKENIZER: &str = "o200k_base";

/// Tokens of the text alone, without any framing of messages; special tokens count as plain text. Exact, in time linear
/// in the text's length, whatever the text. Instructions, tools and files are counted again and again as they are, so
/// the counts of texts that are not short are remembered.
pub fn count(text: &str) -> u32 {
    if text.len() < SHORT {
        return counted(text);
    }
    let key = KEYS.hash_one(text);
    let known = lock().get(&key).copied();
    known.unwrap_or_else(|| {
        let count = counted(text);
        let mut remembered = lock();
        if remembered.len() == REMEMBERED {
            remembered.clear();
        }
        remembered.insert(key, count);
        count
    })
}

/// Bytes of a text that takes no longer to count than to find.
const SHORT: usize = 128;
/// Texts; sixteen bytes each.
const REMEMBERED: usize = 4096;

static KEYS: LazyLock<RandomState> = LazyLock::new(RandomState::new);
static COUNTS: LazyLock<Mutex<HashMap<u64, u32>>> = LazyLock::new(Mutex::default);

fn lock() -> MutexGuard<'static, HashMap<u64, u32>> {
    COUNTS.lock().unwrap_or_else(PoisonError::into_inner)
}

fn counted(text: &str) -> u32 {
    let count: usize = pieces(text).map(|piece| vocabulary::count(piece.as_bytes())).sum();
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// The words and signs that the text consists of. No token reaches over the end of one.
fn pieces(mut text: &str) -> impl Iterator<Item = &str> {
    std::iter::from_fn(move || {
        let end = match plain_word(text) {
            Some(end) => end,
            None => first_piece(text)?,
        };
        let (piece, rest) = text.split_at(end);
        text = rest;
        Some(piece)
    })
}

/// Where the word ends that a text begins with, a space before it or not. Most pieces are words of ASCII, which are told
/// far faster than by the expression.
fn plain_word(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let after =
        |from: usize, is_part: fn(&u8) -> bool| from + bytes[from..].iter().take_while(|byte| is_part(byte)).count();
    let small = after(usize::from(bytes.first() == Some(&b' ')), u8::is_ascii_uppercase);
    let end = after(small, u8::is_ascii_lowercase);
    // What is not of ASCII may be a part of the word, and so may `'s`.
    (end > small && bytes.get(end).is_none_or(|byte| byte.is_ascii() && *byte != b'\'')).then_some(end)
}

fn first_piece(text: &str) -> Option<usize> {
    let end = PIECE.find(text)?.end();
    // Of white space inside a line the last character belongs to what follows.
    let last = text[..end].chars().next_back()?;
    let gives = end < text.len() && end > last.len_utf8() && !matches!(last, '\r' | '\n');
    let is_white = gives && text[..end].chars().all(char::is_whitespace);
    Some(if is_white { end - last.len_utf8() } else { end })
}

/// What a text begins with, as
/// https://github.com/openai/tiktoken/blob/main/tiktoken_ext/openai_public.py has it, but for the look-ahead of
/// `\s+(?!\S)`, which [`first_piece`] makes up for.
static PIECE: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = [
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
        r"\p{N}{1,3}",
        r" ?[^\s\p{L}\p{N}]+[\r\n/]*",
        r"\s*[\r\n]+",
        r"\s+",
    ];
    Regex::new(&format!(r"\A(?:{})", pattern.join("|"))).expect("the pattern is valid")
});

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// As OpenAI's own tokenizer counts.
    fn reference(text: &str) -> u32 {
        tiktoken_rs::o200k_base_singleton().count_ordinary(text) as u32
    }

    #[test]
    fn counts_known_texts() {
        let counts = ["", "hello world", "一公斤有几磅?", "<|endoftext|>"].map(count);
        assert_eq!(counts, [0, 2, reference("一公斤有几磅?"), 7]);
    }

    #[test]
    fn counts_ten_megabytes_of_one_letter() {
        assert_eq!(count(&"a".repeat(10_000_000)), 1_250_000, "eight letters are one token");
    }

    #[test]
    fn counts_the_files_of_this_project_as_openai_does() {
        let project = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
        let files =
            ["skills", "docs", "tests/fixtures"].map(|folder| walkdir::WalkDir::new(format!("{project}/{folder}")));
        let texts = files.into_iter().flatten().filter_map(|file| std::fs::read_to_string(file.ok()?.path()).ok());
        let counted = texts.map(|text| assert_eq!(count(&text), reference(&text), "{text}")).count();
        assert!(counted > 100, "{counted}");
    }

    proptest! {
        #[test]
        fn counts_any_text_as_openai_does(text in any::<String>()) {
            prop_assert_eq!(count(&text), reference(&text));
        }

        #[test]
        fn counts_words_of_any_length_as_openai_does(text in "[a-eA-E漢字]{0,400}") {
            prop_assert_eq!(count(&text), reference(&text));
        }

        #[test]
        fn counts_a_long_text_the_same_each_time(text in "\\PC{128,400}") {
            prop_assert_eq!([count(&text), count(&text)], [reference(&text); 2]);
        }

        #[test]
        fn counts_words_and_white_space_as_openai_does(text in "[a'sZ9é漢 \t\r\n/!.\u{301}\u{2028}]{0,40}") {
            prop_assert_eq!(count(&text), reference(&text));
        }
    }
}
