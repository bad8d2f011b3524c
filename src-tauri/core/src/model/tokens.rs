//! Counting tokens. One tokenizer for every model, named wherever a count is shown: counts are for comparing, not for
//! billing, and a model's own tokenizer may differ by a tenth or more.

/// The name of the tokenizer that [`count`] uses.
pub const TOKENIZER: &str = "o200k_base";

/// Bytes encoded at once. Encoding costs more than linear time in the length of an unbroken run of letters, so this
/// bounds what a 10 MB line of one letter costs.
const CHUNK: usize = 8 * 1024;

/// Bytes at the end of a chunk that are searched for a place to cut.
const LOOK_BACK: usize = 1024;

/// Tokens of the text alone, without any framing of messages; special tokens count as plain text.
///
/// Exact, but for unbroken runs of more than 1 KiB (minified files, base64, Chinese without a line end): those are cut
/// every 8 KiB, and each cut may add a token or two.
pub fn count(text: &str) -> u32 {
    let tokenizer = tiktoken_rs::o200k_base_singleton();
    let mut rest = text;
    let mut tokens = 0;
    while !rest.is_empty() {
        let (chunk, after) = rest.split_at(cut(rest));
        tokens += tokenizer.count_ordinary(chunk);
        rest = after;
    }
    u32::try_from(tokens).unwrap_or(u32::MAX)
}

/// Where the first chunk ends: at the last place near [`CHUNK`] bytes where the tokenizer starts a new word anyway, else
/// at the last whole character.
fn cut(text: &str) -> usize {
    if text.len() <= CHUNK {
        return text.len();
    }
    let end = text.floor_char_boundary(CHUNK);
    let start = text.floor_char_boundary(CHUNK - LOOK_BACK);
    let mut after = text[end..].chars().next();
    for (at, before) in text[start..end].char_indices().rev() {
        if after.is_some_and(|after| starts_word(before, after)) {
            return start + at + before.len_utf8();
        }
        after = Some(before);
    }
    end
}

/// No word of o200k_base's pattern reaches over this place, and none that ends at it looks at what follows. Words hold
/// white space only at their start, or line ends at their end, which a `/` may follow.
fn starts_word(before: char, after: char) -> bool {
    match after {
        '\r' | '\n' => false,
        _ if after.is_whitespace() => !before.is_whitespace(),
        _ => before == '\n' && after != '/',
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn whole(text: &str) -> u32 {
        tiktoken_rs::o200k_base_singleton().count_ordinary(text) as u32
    }

    #[test]
    fn counts_known_texts() {
        let counts = ["", "hello world", "一公斤有几磅?", "<|endoftext|>"].map(count);
        assert_eq!(counts, [0, 2, whole("一公斤有几磅?"), 7]);
    }

    #[test]
    fn counts_long_prose_exactly() {
        let prose = "Use when asked to convert miles, kilometers,\n\n  pounds //\n/ or 千克。\r\n\tOK!\n".repeat(2000);
        assert!(prose.len() > 10 * CHUNK);
        assert_eq!(count(&prose), whole(&prose));
    }

    #[test]
    fn counts_an_unbroken_run_nearly() {
        let run = "aB3é漢".repeat(10_000);
        let (ours, exact) = (count(&run), whole(&run));
        let cuts = (run.len() / CHUNK + 1) as u32;
        assert!(ours.abs_diff(exact) <= 2 * cuts, "{ours} is more than two tokens a cut away from {exact}");
    }

    #[test]
    fn counts_ten_megabytes_of_one_letter() {
        let tokens = count(&"a".repeat(10_000_000));
        assert!((1_000_000..2_000_000).contains(&tokens), "eight letters are one token: {tokens}");
    }

    proptest! {
        #[test]
        fn cutting_where_words_start_changes_no_count(text in "[a'sZ9é漢 \t\r\n/!.\u{301}\u{2028}]{0,40}") {
            let places = text.char_indices().skip(1).map(|(at, _)| at);
            for at in places {
                let (left, right) = text.split_at(at);
                let (before, after) = (left.chars().next_back().unwrap(), right.chars().next().unwrap());
                if starts_word(before, after) {
                    prop_assert_eq!(whole(left) + whole(right), whole(&text), "cut {:?} | {:?}", left, right);
                }
            }
        }

        #[test]
        fn counts_any_text(text in any::<String>()) {
            prop_assert_eq!(count(&text), whole(&text));
        }
    }
}
