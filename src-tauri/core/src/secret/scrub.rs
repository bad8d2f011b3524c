//! Finding a key in a text, however it is written there.

/// What stands in a text in place of a key.
const MARK: &str = "[key]";

/// So much of a key at the end of a text, where the text may be cut, is taken for the key.
const TELLING: usize = 6;

/// Bytes of `\u002f`.
const ESCAPE: usize = 6;

/// The text with [`MARK`] for each key in it: plain, or with characters written as `%2F`, `\/` or `\u002f`, or inside of
/// something in Base64; and for a beginning of the key at the end of the text.
pub fn scrub(text: &str, key: &str) -> String {
    if key.is_empty() {
        return text.to_owned();
    }
    let encoded = in_base64(key);
    let mut scrubbed = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let hit =
            spelled(rest, key).or_else(|| encoded.iter().find(|form| rest.starts_with(form.as_str())).map(String::len));
        match hit {
            Some(length) => {
                scrubbed.push_str(MARK);
                rest = &rest[length..];
            }
            None => {
                scrubbed.push(first);
                rest = &rest[first.len_utf8()..];
            }
        }
    }
    scrubbed
}

/// How many bytes at the head of the text spell the key.
fn spelled(text: &str, key: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = 0;
    for (known, &byte) in key.as_bytes().iter().enumerate() {
        let rest = &bytes[at..];
        if known >= TELLING && is_cut(rest) {
            return Some(bytes.len());
        }
        at += character(rest, byte)?;
    }
    Some(at)
}

/// Nothing is left but, at most, the beginning of an escape.
fn is_cut(rest: &[u8]) -> bool {
    match rest {
        [] => true,
        [b'%', digits @ ..] => digits.len() < 2,
        [b'\\', ..] => rest.len() < ESCAPE,
        _ => false,
    }
}

/// How many bytes at the head of the text spell this one.
fn character(text: &[u8], byte: u8) -> Option<usize> {
    if text.first() == Some(&byte) {
        return Some(1);
    }
    let hex = |digits: Option<&[u8]>| {
        digits
            .and_then(|digits| std::str::from_utf8(digits).ok())
            .and_then(|digits| u8::from_str_radix(digits, 16).ok())
    };
    if text.first() == Some(&b'%') {
        return (hex(text.get(1..3)) == Some(byte)).then_some(3);
    }
    // JSON inside of JSON has a backslash for each backslash.
    let slashes = text.iter().take_while(|&&byte| byte == b'\\').count();
    let escaped = &text[slashes..];
    if slashes == 0 {
        None
    } else if escaped.first() == Some(&byte) {
        Some(slashes + 1)
    } else if escaped.starts_with(b"u00") && hex(escaped.get(3..5)) == Some(byte) {
        Some(slashes + 5)
    } else {
        None
    }
}

/// The key as it looks inside of a longer text in Base64, which depends on what is before it: the characters that its
/// bytes alone decide, for each way it can lie, in both alphabets.
fn in_base64(key: &str) -> Vec<String> {
    let forms = (0..3).flat_map(|before| {
        let bits: Vec<bool> = std::iter::repeat_n(false, before * 8).chain(key.bytes().flat_map(bits_of)).collect();
        let first = (before * 8).div_ceil(6);
        let sextets: Vec<usize> = bits.chunks_exact(6).skip(first).map(number).collect();
        [b"+/", b"-_"].map(|last| sextets.iter().map(|&sextet| letter(sextet, last)).collect::<String>())
    });
    // What is shorter could stand in any text.
    let mut forms: Vec<String> = forms.filter(|form| form.len() >= 2 * TELLING).collect();
    forms.dedup();
    forms
}

fn bits_of(byte: u8) -> impl Iterator<Item = bool> {
    (0..8).rev().map(move |bit| byte >> bit & 1 == 1)
}

fn number(bits: &[bool]) -> usize {
    bits.iter().fold(0, |number, &bit| number * 2 + usize::from(bit))
}

fn letter(sextet: usize, last: &[u8; 2]) -> char {
    let letters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    char::from(letters.get(sextet).copied().unwrap_or_else(|| last[sextet - letters.len()]))
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "sk-a/b+c=d\"e\\f0123456789";

    #[test]
    fn finds_the_key_however_it_is_written() {
        let json = serde_json::to_string(KEY).unwrap();
        let cases = [
            ("nothing here: sk-a/", "nothing here: sk-a/"),
            (KEY, "[key]"),
            ("公 sk-a/b+c=d\"e\\f0123456789 斤", "公 [key] 斤"),
            (json.as_str(), "\"[key]\""),
            (r#"{"error":"sk-a\/b+c=d\"e\\f0123456789"}"#, r#"{"error":"[key]"}"#),
            (r#"{\"error\":\"sk-a\\/b\u002bc\u003Dd\\\"e\\\\f0123456789\"}"#, r#"{\"error\":\"[key]\"}"#),
            ("?key=sk-a%2Fb%2bc%3Dd%22e%5Cf0123456789&x=1", "?key=[key]&x=1"),
            ("two: sk-a/b+c=d\"e\\f0123456789sk-a/b+c=d\"e\\f0123456789", "two: [key][key]"),
            ("cut: sk-a/b+c", "cut: [key]"),
            ("cut: sk-a%2Fb%2Bc", "cut: [key]"),
            ("cut: sk-a%2Fb%2Bc%3", "cut: [key]"),
            ("cut: sk-a%2Fb%2Bc%3D\\u0", "cut: [key]"),
        ];
        for (text, expected) in cases {
            assert_eq!(scrub(text, KEY), expected, "{text}");
        }
        assert_eq!(scrub("text", ""), "text", "an empty key is nowhere in a text");
        assert_eq!(scrub("a b", "a"), "[key] b", "a short key is a key");
    }

    #[test]
    fn finds_the_key_inside_of_base64() {
        // `user:`, `Bearer ` and nothing before it: the three ways it can lie.
        let cases = [
            "Basic dXNlcjpzay0wMTIzNDU2Nzg5YWJjZGVm",
            "QmVhcmVyIHNrLTAxMjM0NTY3ODlhYmNkZWY=",
            "c2stMDEyMzQ1Njc4OWFiY2RlZg==",
        ];
        let scrubbed = cases.map(|text| scrub(text, "sk-0123456789abcdef"));
        assert_eq!(scrubbed, ["Basic dXNlcjp[key]", "QmVhcmVyIH[key]Y=", "[key]g=="].map(String::from));
    }
}
