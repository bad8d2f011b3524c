//! A JSON string's text as Go reads it.

/// The text of a string in its quotes, which must be well formed. Half a surrogate pair becomes U+FFFD.
pub fn unquote(quoted: &str) -> String {
    let mut rest = quoted.trim_start_matches('"');
    rest = rest.strip_suffix('"').unwrap_or(rest);
    let mut out = String::with_capacity(rest.len());
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let mut letters = rest[at + 1..].chars();
        match letters.next() {
            Some('u') => {
                let (letter, after) = escaped(&rest[at..]);
                out.push(letter);
                rest = after;
                continue;
            }
            Some('b') => out.push('\u{8}'),
            Some('f') => out.push('\u{C}'),
            Some('n') => out.push('\n'),
            Some('r') => out.push('\r'),
            Some('t') => out.push('\t'),
            Some(other) => out.push(other),
            None => {}
        }
        rest = letters.as_str();
    }
    out.push_str(rest);
    out
}

/// The character that one or two `\uXXXX` mean, and the text after them.
fn escaped(text: &str) -> (char, &str) {
    let Some((first, after)) = unit(text) else { return (char::REPLACEMENT_CHARACTER, "") };
    if let Some(letter) = char::from_u32(first.into()) {
        return (letter, after);
    }
    if let Some((second, after_both)) = unit(after)
        && let Some(Ok(letter)) = char::decode_utf16([first, second]).next()
    {
        return (letter, after_both);
    }
    (char::REPLACEMENT_CHARACTER, after)
}

fn unit(text: &str) -> Option<(u16, &str)> {
    let digits = text.strip_prefix("\\u")?;
    Some((u16::from_str_radix(digits.get(..4)?, 16).ok()?, &digits[4..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_escapes() {
        let text = r#""a\"\\\/\b\f\n\r\tA中 \u00e9\ud83d\ude00|\ud83d|\ud83d\u0041""#;
        assert_eq!(unquote(text), "a\"\\/\u{8}\u{C}\n\r\tA中 é😀|\u{fffd}|\u{fffd}A");
        assert_eq!(unquote("\"\""), "");
        assert_eq!(unquote(r#""\"""#), "\"");
    }
}
