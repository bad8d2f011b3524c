//! `json.loads` of CPython 3.11, with the messages of the exceptions it raises.

use std::borrow::Cow;
use std::collections::HashMap;

use super::Value;

/// `Err` is the message of the exception.
pub fn loads(text: &str) -> Result<Value, String> {
    let reader = Reader { text };
    if text.starts_with('\u{feff}') {
        return Err(reader.error("Unexpected UTF-8 BOM (decode using utf-8-sig)", 0));
    }
    let (value, end) = reader.value(reader.skip(0))?;
    match reader.skip(end) {
        end if end == text.len() => Ok(value),
        end => Err(reader.error("Extra data", end)),
    }
}

/// The value that a text begins with, and the byte behind it; `None` if there is none. `JSONDecoder().raw_decode`.
pub fn raw_decode(text: &str) -> Option<(Value, usize)> {
    Reader { text }.value(0).ok()
}

/// The text with U+FFFD for halves of characters that are alone, and the first of them. Python keeps these in its
/// texts; UTF-8 cannot hold them.
pub fn whole_characters(text: &str) -> (Cow<'_, str>, Option<u32>) {
    let half_at = |at: usize| {
        let digits = text.get(at..at + 6)?.strip_prefix("\\u")?;
        let code =
            u32::from_str_radix(digits, 16).ok().filter(|_| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
        (0xD800..0xE000).contains(&code).then_some(code)
    };
    let mut out = String::new();
    let (mut kept, mut at, mut first) = (0, 0, None);
    while let Some(found) = text[at..].find('\\') {
        at += found;
        match (half_at(at), half_at(at + 6)) {
            (Some(0xD800..0xDC00), Some(0xDC00..0xE000)) => at += 12,
            (Some(half), _) => {
                out.push_str(&text[kept..at]);
                out.push_str("\\ufffd");
                at += 6;
                kept = at;
                first.get_or_insert(half);
            }
            // The escaped character may be a backslash.
            (None, _) => at += 1 + text[at + 1..].chars().next().map_or(0, char::len_utf8),
        }
    }
    if first.is_none() {
        return (Cow::Borrowed(text), None);
    }
    out.push_str(&text[kept..]);
    (Cow::Owned(out), first)
}

/// Brackets that CPython's scanner follows into each other before its recursion limit (1000, less the frames of a
/// program that calls it).
const DEPTH: usize = 995;

/// Digits of an integer, past which Python refuses to read it.
const INT_DIGITS: usize = 4300;

/// Positions are bytes; messages count characters.
struct Reader<'a> {
    text: &'a str,
}

/// A container that is not closed yet.
enum Open {
    List(Vec<Value>),
    Dict { pairs: Pairs, key: String },
}

/// Of two equal keys the last value counts, in place of the first.
#[derive(Default)]
struct Pairs {
    pairs: Vec<(String, Value)>,
    places: HashMap<String, usize>,
}

impl Pairs {
    fn insert(&mut self, key: String, value: Value) {
        match self.places.get(&key) {
            Some(&place) => self.pairs[place].1 = value,
            None => {
                self.places.insert(key.clone(), self.pairs.len());
                self.pairs.push((key, value));
            }
        }
    }
}

impl Reader<'_> {
    /// The value at `at`, and the place after it.
    fn value(&self, mut at: usize) -> Result<(Value, usize), String> {
        let mut open: Vec<Open> = Vec::new();
        loop {
            let mut value;
            match self.byte(at) {
                Some(b'[') => {
                    self.check_depth(open.len(), "array")?;
                    at = self.skip(at + 1);
                    if self.byte(at) != Some(b']') {
                        open.push(Open::List(Vec::new()));
                        continue;
                    }
                    (value, at) = (Value::List(Vec::new()), at + 1);
                }
                Some(b'{') => {
                    self.check_depth(open.len(), "object")?;
                    at = self.skip(at + 1);
                    if self.byte(at) != Some(b'}') {
                        let key;
                        (key, at) = self.key(at)?;
                        open.push(Open::Dict { pairs: Pairs::default(), key });
                        continue;
                    }
                    (value, at) = (Value::Dict(Vec::new()), at + 1);
                }
                _ => (value, at) = self.scalar(at)?,
            }
            // The value is complete: it goes into the container around it, which may be complete with it.
            loop {
                let Some(around) = open.pop() else { return Ok((value, at)) };
                at = self.skip(at);
                let next = self.byte(at);
                match around {
                    Open::List(mut items) => {
                        items.push(value);
                        match next {
                            Some(b']') => (value, at) = (Value::List(items), at + 1),
                            Some(b',') => {
                                at = self.skip(at + 1);
                                open.push(Open::List(items));
                                break;
                            }
                            _ => return Err(self.error("Expecting ',' delimiter", at)),
                        }
                    }
                    Open::Dict { mut pairs, key } => {
                        pairs.insert(key, value);
                        match next {
                            Some(b'}') => (value, at) = (Value::Dict(pairs.pairs), at + 1),
                            Some(b',') => {
                                let key;
                                (key, at) = self.key(self.skip(at + 1))?;
                                open.push(Open::Dict { pairs, key });
                                break;
                            }
                            _ => return Err(self.error("Expecting ',' delimiter", at)),
                        }
                    }
                }
            }
        }
    }

    fn check_depth(&self, depth: usize, kind: &str) -> Result<(), String> {
        if depth < DEPTH {
            return Ok(());
        }
        Err(format!("maximum recursion depth exceeded while decoding a JSON {kind} from a unicode string"))
    }

    /// A key with its colon; the place is that of its value.
    fn key(&self, at: usize) -> Result<(String, usize), String> {
        if self.byte(at) != Some(b'"') {
            return Err(self.error("Expecting property name enclosed in double quotes", at));
        }
        let (key, at) = self.string(at)?;
        let at = self.skip(at);
        if self.byte(at) != Some(b':') {
            return Err(self.error("Expecting ':' delimiter", at));
        }
        Ok((key, self.skip(at + 1)))
    }

    fn scalar(&self, at: usize) -> Result<(Value, usize), String> {
        const WORDS: [(&str, Value); 6] = [
            ("null", Value::None),
            ("true", Value::Bool(true)),
            ("false", Value::Bool(false)),
            ("NaN", Value::Float(f64::NAN)),
            ("Infinity", Value::Float(f64::INFINITY)),
            ("-Infinity", Value::Float(f64::NEG_INFINITY)),
        ];
        if self.byte(at) == Some(b'"') {
            let (text, at) = self.string(at)?;
            return Ok((Value::Text(text), at));
        }
        let word = WORDS.into_iter().find(|(word, _)| self.text[at..].starts_with(word));
        match word {
            Some((word, value)) => Ok((value, at + word.len())),
            None => self.number(at),
        }
    }

    fn number(&self, start: usize) -> Result<(Value, usize), String> {
        let mut at = start + usize::from(self.byte(start) == Some(b'-'));
        let digits = at;
        at = match self.byte(at) {
            Some(b'0') => at + 1,
            Some(b'1'..=b'9') => self.digits(at),
            _ => return Err(self.error("Expecting value", start)),
        };
        let whole = at;
        if self.byte(at) == Some(b'.') && self.byte(at + 1).is_some_and(|byte| byte.is_ascii_digit()) {
            at = self.digits(at + 1);
        }
        if matches!(self.byte(at), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(self.byte(at + 1), Some(b'+' | b'-')));
            let end = self.digits(at + 1 + sign);
            if end > at + 1 + sign {
                at = end;
            }
        }
        let written = &self.text[start..at];
        if at > whole {
            return Ok((Value::Float(written.parse().unwrap_or(f64::NAN)), at));
        }
        let count = whole - digits;
        if count > INT_DIGITS {
            return Err(format!(
                "Exceeds the limit ({INT_DIGITS} digits) for integer string conversion: value has {count} digits; use \
                 sys.set_int_max_str_digits() to increase the limit"
            ));
        }
        Ok((Value::Int(if written == "-0" { "0" } else { written }.into()), at))
    }

    fn digits(&self, at: usize) -> usize {
        at + self.text[at..].bytes().take_while(u8::is_ascii_digit).count()
    }

    /// The string whose opening quote is at `start`. A surrogate without its partner, which Python keeps, becomes U+FFFD.
    fn string(&self, start: usize) -> Result<(String, usize), String> {
        let mut out = String::new();
        let mut at = start + 1;
        loop {
            let rest = &self.text[at..];
            let stop = rest.find(|letter| matches!(letter, '"' | '\\' | '\0'..='\u{1F}'));
            let Some(stop) = stop else { return Err(self.error(UNTERMINATED, start)) };
            out.push_str(&rest[..stop]);
            at += stop;
            match self.byte(at) {
                Some(b'"') => return Ok((out, at + 1)),
                Some(b'\\') => {}
                _ => return Err(self.error("Invalid control character at", at)),
            }
            let simple = match self.byte(at + 1) {
                None => return Err(self.error(UNTERMINATED, start)),
                Some(b'u') => {
                    let (letter, end) = self.escape(at + 1)?;
                    out.push(letter);
                    at = end;
                    continue;
                }
                Some(byte @ (b'"' | b'\\' | b'/')) => char::from(byte),
                Some(b'b') => '\u{8}',
                Some(b'f') => '\u{C}',
                Some(b'n') => '\n',
                Some(b'r') => '\r',
                Some(b't') => '\t',
                Some(_) => return Err(self.error("Invalid \\escape", at)),
            };
            out.push(simple);
            at += 2;
        }
    }

    /// The letter of `uXXXX` at `at`, and of the second half of a pair behind it.
    fn escape(&self, at: usize) -> Result<(char, usize), String> {
        let first = self.unit(at)?;
        let end = at + 5;
        let second = end + 1;
        if (0xD800..0xDC00).contains(&first)
            && self.text[end..].chars().nth(6).is_some()
            && self.text[end..].starts_with("\\u")
        {
            let low = self.unit(second)?;
            if (0xDC00..0xE000).contains(&low) {
                let code = 0x10000 + ((first - 0xD800) << 10) + (low - 0xDC00);
                return Ok((char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER), second + 5));
            }
        }
        Ok((char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER), end))
    }

    fn unit(&self, at: usize) -> Result<u32, String> {
        let wrong = || self.error("Invalid \\uXXXX escape", at);
        let mut letters = self.text[at + 1..].chars();
        let unit = letters.by_ref().take(4).try_fold(0, |unit, letter| Some(unit * 16 + letter.to_digit(16)?));
        match (unit, letters.next()) {
            (Some(unit), Some(_)) => Ok(unit),
            _ => Err(wrong()),
        }
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    fn skip(&self, at: usize) -> usize {
        at + self.text.as_bytes()[at..].iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r')).count()
    }

    /// The message of a `JSONDecodeError`.
    fn error(&self, message: &str, at: usize) -> String {
        let before = &self.text[..at];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().map_or(0, |line| line.chars().count()) + 1;
        format!("{message}: line {line} column {column} (char {})", before.chars().count())
    }
}

const UNTERMINATED: &str = "Unterminated string starting at";

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::dumps;
    use super::*;

    fn error(text: &str) -> String {
        loads(text).unwrap_err()
    }

    #[test]
    fn fails_in_the_words_of_cpython() {
        let messages = [
            ("", "Expecting value: line 1 column 1 (char 0)"),
            (" ", "Expecting value: line 1 column 2 (char 1)"),
            ("{", "Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"),
            ("{'a': 1}", "Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"),
            ("{\"a\":1,}", "Expecting property name enclosed in double quotes: line 1 column 8 (char 7)"),
            ("{\"a\"", "Expecting ':' delimiter: line 1 column 5 (char 4)"),
            ("{\"a\":", "Expecting value: line 1 column 6 (char 5)"),
            ("{\"name\": \"pdf-tools\"", "Expecting ',' delimiter: line 1 column 21 (char 20)"),
            ("[1,]", "Expecting value: line 1 column 4 (char 3)"),
            ("[1 2]", "Expecting ',' delimiter: line 1 column 4 (char 3)"),
            ("{\"a\": \"b", "Unterminated string starting at: line 1 column 7 (char 6)"),
            ("\"a\\", "Unterminated string starting at: line 1 column 1 (char 0)"),
            ("{} x", "Extra data: line 1 column 4 (char 3)"),
            ("{\"a\": \"中\nb\"}", "Invalid control character at: line 1 column 9 (char 8)"),
            ("{\n \"a\": \"\\x\"}", "Invalid \\escape: line 2 column 8 (char 9)"),
            ("\"\\u12g4\"", "Invalid \\uXXXX escape: line 1 column 3 (char 2)"),
            ("\"\\u1234", "Invalid \\uXXXX escape: line 1 column 3 (char 2)"),
            ("-", "Expecting value: line 1 column 1 (char 0)"),
            ("01", "Extra data: line 1 column 2 (char 1)"),
            ("1.", "Extra data: line 1 column 2 (char 1)"),
            ("nul", "Expecting value: line 1 column 1 (char 0)"),
            ("\u{feff}{}", "Unexpected UTF-8 BOM (decode using utf-8-sig): line 1 column 1 (char 0)"),
        ];
        for (text, message) in messages {
            assert_eq!(error(text), message, "{text}");
        }
        assert_eq!(
            error(&"[".repeat(100_000)),
            "maximum recursion depth exceeded while decoding a JSON array from a unicode string"
        );
        assert!(error(&"1".repeat(4301)).starts_with("Exceeds the limit (4300 digits)"));
    }

    #[test]
    fn reads_what_python_reads() {
        assert_eq!(loads(" {\"a\":1,\"b\":2,\"a\":3} ").unwrap().to_repr(), "{'a': 3, 'b': 2}");
        assert_eq!(loads("\"\\ud83d\\ude00\\u4e2d\\/\"").unwrap().to_str(), "😀中/");
        assert_eq!(loads("\"\\ud83d\\u0041 tail\"").unwrap().to_str(), "\u{fffd}A tail");
        assert_eq!(loads("1E400").unwrap().to_repr(), "inf");
        let deep = format!("{}{}", "[".repeat(DEPTH), "]".repeat(DEPTH));
        assert!(loads(&deep).is_ok());
    }

    #[test]
    fn finds_halves_of_characters() {
        let text = r#"{"a\\ud800": "\ud83d\ude00 \udc00\uD83Dx\ud83d\ud83d\ude00 \u4e2d"}"#;
        let whole = r#"{"a\\ud800": "\ud83d\ude00 \ufffd\ufffdx\ufffd\ud83d\ude00 \u4e2d"}"#;
        assert_eq!(whole_characters(text), (Cow::Borrowed(whole), Some(0xDC00)));
        assert_eq!(whole_characters(whole).1, None);
        assert_eq!(whole_characters("\\u中\\").1, None);
    }

    proptest! {
        #[test]
        fn reads_any_text_without_panic(text in "[\\[\\]{}\",:\\\\u0-9a-fntrIN.eE+ \u{1}中-]{0,40}") {
            let _ = loads(&text);
        }

        #[test]
        fn reads_what_serde_reads(value in "[a-z中\"\\\\\u{1}]{0,12}") {
            let written = serde_json::json!({"k": [value.clone(), 1.5, null_or(&value)]}).to_string();
            let read = loads(&written).unwrap();
            prop_assert_eq!(loads(&dumps(&read)).unwrap(), read);
        }
    }

    fn null_or(text: &str) -> Option<&str> {
        (text.len() > 3).then_some(text)
    }
}
