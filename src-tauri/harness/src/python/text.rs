//! Text as Python reads, splits and quotes it.

use std::borrow::Cow;
use std::fmt::Write;

/// What opening a file in text mode makes of line ends.
pub fn universal_newlines(text: &str) -> Cow<'_, str> {
    if text.contains('\r') { Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n")) } else { Cow::Borrowed(text) }
}

/// `str.strip()`.
pub fn strip(text: &str) -> &str {
    text.trim_matches(is_space)
}

/// `str.splitlines()`: the pieces without their line ends.
pub fn splitlines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let Some(at) = rest.find(is_line_end) else { return Some(std::mem::take(&mut rest)) };
        let line = &rest[..at];
        let end = if rest[at..].starts_with("\r\n") { 2 } else { rest[at..].chars().next().map_or(0, char::len_utf8) };
        rest = &rest[at + end..];
        Some(line)
    })
}

/// `str.splitlines(keepends=True)`, of a text that has no `\r`.
pub fn lines_with_ends(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive(is_line_end)
}

/// `text[:characters]`.
pub fn cut(text: &str, characters: usize) -> &str {
    text.char_indices().nth(characters).map_or(text, |(at, _)| &text[..at])
}

/// `bytes.decode()`, or the message of the `UnicodeDecodeError`.
pub fn decode(bytes: &[u8]) -> Result<&str, String> {
    std::str::from_utf8(bytes).map_err(|error| {
        let start = error.valid_up_to();
        let (length, reason) = match error.error_len() {
            None => (bytes.len() - start, "unexpected end of data"),
            Some(length) if matches!(bytes[start], 0x80..=0xC1 | 0xF5..) => (length, "invalid start byte"),
            Some(length) => (length, "invalid continuation byte"),
        };
        if length == 1 {
            format!("'utf-8' codec can't decode byte 0x{:02x} in position {start}: {reason}", bytes[start])
        } else {
            format!("'utf-8' codec can't decode bytes in position {start}-{}: {reason}", start + length - 1)
        }
    })
}

/// `repr(text)`.
pub fn repr(text: &str) -> String {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    let mut out = String::with_capacity(text.len() + 2);
    out.push(quote);
    for letter in text.chars() {
        match letter {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            _ if letter == quote => out.extend(['\\', letter]),
            _ if is_printable(letter) => out.push(letter),
            _ => {
                let code = u32::from(letter);
                match code {
                    ..=0xFF => write!(out, "\\x{code:02x}"),
                    0x100..=0xFFFF => write!(out, "\\u{code:04x}"),
                    _ => write!(out, "\\U{code:08x}"),
                }
                .expect("a String takes everything");
            }
        }
    }
    out.push(quote);
    out
}

/// `str.isspace()` of one character.
pub fn is_space(letter: char) -> bool {
    letter.is_whitespace() || matches!(letter, '\u{1C}'..='\u{1F}')
}

fn is_line_end(letter: char) -> bool {
    matches!(letter, '\n' | '\r' | '\u{B}' | '\u{C}' | '\u{1C}'..='\u{1E}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// `str.isprintable()`. Rust's `Debug` escapes by the same categories; marks that join the letter before them are only
/// escaped if they come first.
fn is_printable(letter: char) -> bool {
    if letter.is_ascii() {
        return matches!(letter, ' '..='~');
    }
    let mut buffer = String::from("a");
    buffer.push(letter);
    buffer.escape_debug().nth(1) == Some(letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_text_as_repr_does() {
        let quoted = ["a", "it's", "\"", "'\"", "\\\n\t\u{7}\u{7f}\u{a0}\u{3000}", "中😀e\u{301}", "\u{200b}\u{e0001}"];
        assert_eq!(
            quoted.map(repr),
            [
                "'a'",
                "\"it's\"",
                "'\"'",
                "'\\'\"'",
                "'\\\\\\n\\t\\x07\\x7f\\xa0\\u3000'",
                "'中😀e\u{301}'",
                "'\\u200b\\U000e0001'"
            ]
        );
    }

    #[test]
    fn splits_at_all_that_python_takes_for_line_ends() {
        let split = |text| splitlines(text).collect::<Vec<_>>();
        assert_eq!(split("a\r\nb\n\nc\u{2028}d\u{85}e\u{c}f\n"), ["a", "b", "", "c", "d", "e", "f"]);
        assert_eq!(split(""), [""; 0]);
        assert_eq!(split("\n"), [""]);
        assert_eq!(strip("\u{1f}\u{3000} a \u{85}\n"), "a");
        assert_eq!(cut("中文字", 2), "中文");
        assert_eq!(universal_newlines("a\r\nb\rc"), "a\nb\nc");
    }

    #[test]
    fn says_what_python_says_of_bytes_that_are_not_utf8() {
        let message = |bytes: &[u8]| decode(bytes).unwrap_err();
        assert_eq!(message(b"ab\xff"), "'utf-8' codec can't decode byte 0xff in position 2: invalid start byte");
        assert_eq!(
            message(b"\xe4\xb8a"),
            "'utf-8' codec can't decode bytes in position 0-1: invalid continuation byte"
        );
        assert_eq!(message(b"a\xe4"), "'utf-8' codec can't decode byte 0xe4 in position 1: unexpected end of data");
        assert_eq!(decode("中".as_bytes()), Ok("中"));
    }
}
