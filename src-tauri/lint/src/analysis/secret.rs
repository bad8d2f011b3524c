//! What tells a real secret from a placeholder, and how one is shown.

use crate::pattern::Match;
use skill::source::Span;

/// The match, or the value in it, is made up: it is too regular, too even, or says so.
pub fn is_placeholder(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    PLACEHOLDERS.iter().any(|word| lower.contains(word))
        || longest_run(text) >= 6
        || has_sequence(text)
        || alternates(text)
}

const PLACEHOLDERS: [&str; 28] = [
    "example",
    "mock",
    "sample",
    "placeholder",
    "your",
    "xxx",
    "dummy",
    "fake",
    "test",
    "changeme",
    "change_me",
    "replace",
    "redacted",
    "insert",
    "secret_here",
    "deadbeef",
    "foobar",
    "todo",
    "…",
    "...",
    "***",
    "<",
    ">",
    "${",
    "{{",
    "$(",
    "not-a-real",
    "mysecret",
];

/// A key of a known form is real if it has no mark of a placeholder and its letters are as mixed as chance makes them.
pub fn is_unlikely_key(found: &Match<'_>) -> bool {
    is_placeholder(found.text) || entropy(found.text) < 3.0
}

/// The text in the lines of a key shows that it is not a real one.
pub fn is_placeholder_match(found: &Match<'_>) -> bool {
    let content = found.text.rsplit("-----").next().unwrap_or_default();
    is_placeholder(content) || entropy(content) < 3.5
}

/// Bits a character.
pub fn entropy(text: &str) -> f64 {
    let mut counts = [0_u32; 256];
    for byte in text.bytes() {
        counts[usize::from(byte)] += 1;
    }
    let length = f64::from(u32::try_from(text.len().max(1)).unwrap_or(u32::MAX));
    counts
        .iter()
        .filter(|count| **count > 0)
        .map(|count| f64::from(*count) / length)
        .map(|share| -share * share.log2())
        .sum()
}

fn longest_run(text: &str) -> usize {
    let (mut longest, mut run, mut last) = (0, 0, None);
    for byte in text.bytes() {
        run = if last == Some(byte) { run + 1 } else { 1 };
        last = Some(byte);
        longest = longest.max(run);
    }
    longest
}

/// `abcdefgh`, `12345678`: eight characters in the order of the alphabet.
/// `A1B2C3D4E5`: letters and digits in turn, both in order.
fn alternates(text: &str) -> bool {
    let of = |fits: fn(&u8) -> bool| text.bytes().filter(fits).collect::<Vec<u8>>();
    let runs = |bytes: &[u8], wrap: bool| {
        let mut longest = 1;
        let mut run = 1;
        for pair in bytes.windows(2) {
            let follows = pair[0].checked_add(1) == Some(pair[1]) || (wrap && pair == b"90");
            run = if follows { run + 1 } else { 1 };
            longest = longest.max(run);
        }
        longest
    };
    runs(&of(u8::is_ascii_uppercase), false) >= 8 && runs(&of(u8::is_ascii_digit), true) >= 8
}

fn has_sequence(text: &str) -> bool {
    let (mut run, mut last) = (1, 0);
    for byte in text.bytes() {
        run = if byte == last + 1 || (last == b'9' && byte == b'0') { run + 1 } else { 1 };
        if run >= 8 {
            return true;
        }
        last = byte.min(254);
    }
    false
}

/// GitHub's and npm's tokens end in a checksum: CRC-32 of the thirty characters before it, in base 62.
pub fn has_checksum(token: &str) -> bool {
    let Some(random) = token.rsplit('_').next().filter(|random| random.len() == 36 && random.is_ascii()) else {
        return false;
    };
    let (random, sum) = random.split_at(30);
    let stated = sum.bytes().try_fold(0_u64, |sum, byte| Some(sum * 62 + u64::from(base62(byte)?)));
    stated == Some(u64::from(crc32(random.as_bytes())))
}

fn base62(byte: u8) -> Option<u8> {
    match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'A'..=b'Z' => Some(byte - b'A' + 10),
        b'a'..=b'z' => Some(byte - b'a' + 36),
        _ => None,
    }
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |sum: u32, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| (sum >> 1) ^ (0xEDB8_8320 & (sum & 1).wrapping_neg()))
    })
}

/// Base 64 of either alphabet, up to `most` bytes.
pub fn base64(text: &str, most: usize) -> Vec<u8> {
    let (mut out, mut bits, mut held) = (Vec::new(), 0_u32, 0);
    for byte in text.bytes() {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => break,
        };
        bits = (bits << 6 | u32::from(value)) & 0xFFFF;
        held += 6;
        if held >= 8 {
            held -= 8;
            out.push(u8::try_from(bits >> held & 0xFF).unwrap_or_default());
            if out.len() >= most {
                break;
            }
        }
    }
    out
}

/// The secret itself in what a rule about secrets found: without the name in front of it, the user, the quotes.
pub fn value(text: &str, found: Span) -> Span {
    let words = found.of(text);
    if let Some(body) = words.strip_prefix("-----BEGIN").and_then(|rest| rest.split_once("-----")).map(|(_, body)| body)
    {
        return Span::new(found.end - body.len(), found.end).trim(text);
    }
    if let Some(quoted) = words.strip_suffix(['"', '\'']) {
        let start = quoted.rfind(['"', '\'']).map_or(0, |at| at + 1);
        return Span::new(found.start + start, found.end - 1);
    }
    let password = words.rsplit_once('@').and_then(|(login, _)| Some((login.len(), login.rfind(':')? + 1)));
    if let Some((end, start)) = password.filter(|_| words.contains("://")) {
        return Span::new(found.start + start, found.start + end);
    }
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || "+/_.-:".contains(letter);
    let mut longest = Span::new(found.start, found.start);
    let mut start = found.start;
    for run in words.split(|letter: char| !is_part(letter)) {
        if run.len() > longest.len() {
            longest = Span::new(start, start + run.len());
        }
        // The character between runs may be several bytes long.
        start += run.len();
        start += text[start..].chars().next().map_or(0, char::len_utf8);
    }
    // What fills up base 64.
    let filled = text[longest.end..found.end].bytes().take_while(|byte| *byte == b'=').count();
    Span::new(longest.start, longest.end + filled)
}

/// Enough of it to recognise the secret: `AKIA…`.
pub fn masked(secret: &str) -> String {
    let shown: String = secret.chars().take((secret.chars().count() / 4).min(4)).collect();
    format!("{shown}…")
}

/// A part of a text without the secrets in it. They are sorted.
pub fn without(text: &str, part: Span, secrets: &[Span]) -> String {
    let mut out = String::new();
    let mut done = part.start;
    for secret in secrets.iter().filter(|secret| secret.start < part.end && secret.end > part.start) {
        if secret.end <= done {
            continue;
        }
        out.push_str(&text[done..secret.start.max(done)]);
        if secret.start >= done {
            out.push_str(&masked(secret.of(text)));
        } else if done == part.start {
            out.push('…');
        }
        done = secret.end.min(part.end);
    }
    out.push_str(&text[done..part.end]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_the_checksum_of_published_tokens() {
        assert!(has_checksum(concat!("ghp_", "zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ", "0mLq17")));
        assert!(!has_checksum("ghp_zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq18"));
        assert!(!has_checksum("ghp_short"));
    }

    #[test]
    fn shows_of_a_secret_only_how_it_begins() {
        for (found, secret) in [
            ("AKIAQYLPMN5HFIQR7XYA", "AKIAQYLPMN5HFIQR7XYA"),
            ("PASSWORD = \"Tq7v!Lm2Zx9\"", "Tq7v!Lm2Zx9"),
            ("postgres://svc:Tq7vLm2Zx9@db.acme.io", "Tq7vLm2Zx9"),
            ("AccountKey=abc/def+0123456789==", "abc/def+0123456789=="),
            (
                "aws_secret_access_key = wJalrXUtnFEMIK7MDENGbPxRfiCY0123456789ab ",
                "wJalrXUtnFEMIK7MDENGbPxRfiCY0123456789ab",
            ),
            ("-----BEGIN PRIVATE KEY-----\nMIIE\nabcd\n", "MIIE\nabcd"),
            ("eyJhbGci.eyJzdWIi.q8Zt2L", "eyJhbGci.eyJzdWIi.q8Zt2L"),
        ] {
            assert_eq!(value(found, Span::new(0, found.len())).of(found), secret);
        }
        assert_eq!((masked("AKIAQYLPMN5HFIQR7XYA"), masked("Tq7v!Lm2Zx9")), ("AKIA…".into(), "Tq…".into()));
        let text = "a AKIAQYLPMN5HFIQR7XYA b";
        let secrets = [Span::new(2, 22)];
        assert_eq!(without(text, Span::new(0, 24), &secrets), "a AKIA… b");
        assert_eq!(without(text, Span::new(0, 8), &secrets), "a AKIA…");
        assert_eq!(without(text, Span::new(8, 24), &secrets), "… b");
    }

    #[test]
    fn reads_base64() {
        assert_eq!(base64("Y3VybCBodHRw", 64), b"curl http");
        assert_eq!(base64("Y3VybA==", 64), b"curl");
    }

    #[test]
    fn tells_placeholders() {
        for made_up in ["AKIAIOSFODNN7EXAMPLE", "sk-xxxxxxxxxxxxxxxx", "<your-key>", "abcdefghijkl", "AAAAAAAAAA"] {
            assert!(is_placeholder(made_up), "{made_up}");
        }
        assert!(!is_placeholder("AKIAQYLPMN5HFIQR7XYA"));
    }
}
