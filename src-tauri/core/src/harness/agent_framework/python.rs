//! What Python does with texts and JSON values, as far as it reaches the model.

use std::fmt::Write;

use serde_json::value::RawValue;

use super::arguments::Arguments;

/// A JSON value as `json.loads` gives it.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    None,
    Bool(bool),
    /// The digits, since integers have no limit.
    Int(String),
    Float(f64),
    Str(String),
    List(Vec<Value>),
    Dict(Vec<(String, Value)>),
}

impl Value {
    /// Reads one whole JSON value, which `raw` must be.
    pub fn read(raw: &str) -> Self {
        match raw.as_bytes().first() {
            Some(b'{') => {
                let pairs = serde_json::from_str::<Arguments>(raw).unwrap_or_default();
                Self::Dict(pairs.into_iter().map(|(key, value)| (key, Self::read(value))).collect())
            }
            Some(b'[') => {
                let items = serde_json::from_str::<Vec<&RawValue>>(raw).unwrap_or_default();
                Self::List(items.into_iter().map(|item| Self::read(item.get())).collect())
            }
            Some(b'"') => Self::Str(serde_json::from_str(raw).unwrap_or_default()),
            Some(b't') => Self::Bool(true),
            Some(b'f') => Self::Bool(false),
            Some(b'-' | b'0'..=b'9') if raw.contains(['.', 'e', 'E']) => Self::Float(raw.parse().unwrap_or(f64::NAN)),
            Some(b'-' | b'0'..=b'9') => Self::Int(if raw == "-0" { "0" } else { raw }.to_owned()),
            _ => Self::None,
        }
    }

    /// `type(value).__name__`.
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::None => "NoneType",
            Self::Bool(_) => "bool",
            Self::Int(_) => "int",
            Self::Float(_) => "float",
            Self::Str(_) => "str",
            Self::List(_) => "list",
            Self::Dict(_) => "dict",
        }
    }

    /// `str(value)`.
    pub fn to_str(&self) -> String {
        match self {
            Self::Str(text) => text.clone(),
            other => {
                let mut out = String::new();
                other.push_repr(&mut out);
                out
            }
        }
    }

    fn push_repr(&self, out: &mut String) {
        match self {
            Self::None => out.push_str("None"),
            Self::Bool(true) => out.push_str("True"),
            Self::Bool(false) => out.push_str("False"),
            Self::Int(digits) => out.push_str(digits),
            Self::Float(number) => out.push_str(&float(*number)),
            Self::Str(text) => push_text(out, text),
            Self::List(items) => {
                out.push('[');
                for (index, item) in items.iter().enumerate() {
                    out.push_str(if index == 0 { "" } else { ", " });
                    item.push_repr(out);
                }
                out.push(']');
            }
            Self::Dict(pairs) => {
                out.push('{');
                for (index, (key, value)) in pairs.iter().enumerate() {
                    out.push_str(if index == 0 { "" } else { ", " });
                    push_text(out, key);
                    out.push_str(": ");
                    value.push_repr(out);
                }
                out.push('}');
            }
        }
    }
}

/// `str.isspace` of one character.
pub fn is_space(letter: char) -> bool {
    letter.is_whitespace() || matches!(letter, '\u{1c}'..='\u{1f}')
}

/// `str.strip`.
pub fn strip(text: &str) -> &str {
    text.trim_matches(is_space)
}

/// Every CRLF and CR as LF, as files and pipes are read in text mode.
pub fn universal_newlines(text: &str) -> String {
    if text.contains('\r') { text.replace("\r\n", "\n").replace('\r', "\n") } else { text.to_owned() }
}

/// `Path.read_text(encoding="utf-8")`: a byte order mark stays. `Err` is the message of the `UnicodeDecodeError`.
pub fn read_text(bytes: &[u8]) -> Result<String, String> {
    read_bytes(bytes).map(|text| universal_newlines(&text))
}

/// `bytes.decode("utf-8")`. `Err` is the message of the `UnicodeDecodeError`.
pub fn read_bytes(bytes: &[u8]) -> Result<String, String> {
    let error = match std::str::from_utf8(bytes) {
        Ok(text) => return Ok(text.to_owned()),
        Err(error) => error,
    };
    let start = error.valid_up_to();
    let length = error.error_len().unwrap_or(bytes.len() - start);
    let reason = match (error.error_len(), bytes[start]) {
        (None, _) => "unexpected end of data",
        (Some(_), 0xC2..=0xF4) => "invalid continuation byte",
        (Some(_), _) => "invalid start byte",
    };
    Err(match length {
        1 => format!("'utf-8' codec can't decode byte 0x{:02x} in position {start}: {reason}", bytes[start]),
        _ => format!("'utf-8' codec can't decode bytes in position {start}-{}: {reason}", start + length - 1),
    })
}

/// `pathlib.PurePath.suffix`: a dot at either end of a name starts none.
pub fn suffix(name: &str) -> &str {
    match name.rfind('.') {
        Some(dot) if dot > 0 && dot + 1 < name.len() => &name[dot..],
        _ => "",
    }
}

/// `html.escape(text)`.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#x27;"),
            _ => out.push(letter),
        }
    }
    out
}

/// `repr(text)`.
pub fn repr(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    push_text(&mut out, text);
    out
}

fn push_text(out: &mut String, text: &str) {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
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
                    0..=0xFF => write!(out, "\\x{code:02x}"),
                    0x100..=0xFFFF => write!(out, "\\u{code:04x}"),
                    _ => write!(out, "\\U{code:08x}"),
                }
                .expect("a String takes everything");
            }
        }
    }
    out.push(quote);
}

/// `str.isprintable` of one character. Rust's `escape_debug` goes by the same categories; the letter in front keeps it from
/// escaping a combining mark for standing first.
fn is_printable(letter: char) -> bool {
    letter.is_ascii_graphic() || letter == ' ' || format!("a{letter}").escape_debug().any(|c| c == letter)
}

/// `repr(float)`: the shortest digits that read back the same, with an exponent below 1e-4 and from 1e16 on.
fn float(number: f64) -> String {
    if number.is_nan() {
        return "nan".into();
    }
    if number.is_infinite() {
        return if number > 0.0 { "inf" } else { "-inf" }.into();
    }
    let scientific = format!("{number:e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    match exponent.parse::<i32>().unwrap_or(0) {
        power @ (..-4 | 16..) => {
            let sign = if power < 0 { '-' } else { '+' };
            format!("{digits}e{sign}{:02}", power.unsigned_abs())
        }
        _ => {
            let plain = format!("{number}");
            if plain.contains('.') { plain } else { plain + ".0" }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_values_as_str_does() {
        let texts = [
            ("null", "None"),
            ("true", "True"),
            ("12345678901234567890123", "12345678901234567890123"),
            ("-0", "0"),
            ("1.0", "1.0"),
            ("2.20462", "2.20462"),
            ("1e3", "1000.0"),
            ("1e16", "1e+16"),
            ("1.5e-7", "1.5e-07"),
            ("0.0001", "0.0001"),
            ("1e400", "inf"),
            ("-0.0", "-0.0"),
            (r#""a\nb""#, "a\nb"),
            (r#"[1, "it's", "say \"x\"", "both ' \""]"#, r#"[1, "it's", 'say "x"', 'both \' "']"#),
            (
                r#"{"a": null, "字": ["\u0000\u00a0é\u0301\u2028😀\ue000"]}"#,
                "{'a': None, '字': ['\\x00\\xa0é\u{301}\\u2028😀\\ue000']}",
            ),
        ];
        for (json, text) in texts {
            assert_eq!(Value::read(json).to_str(), text, "{json}");
        }
    }

    #[test]
    fn reads_text_as_python_does() {
        assert_eq!(read_text("\u{feff}a\r\nb\rc\n".as_bytes()), Ok("\u{feff}a\nb\nc\n".into()));
        let message = |bytes: &[u8]| read_text(bytes).unwrap_err();
        assert_eq!(message(b"ab\xff"), "'utf-8' codec can't decode byte 0xff in position 2: invalid start byte");
        assert_eq!(message(b"\xe4a"), "'utf-8' codec can't decode byte 0xe4 in position 0: invalid continuation byte");
        assert_eq!(message(b"\xe4\xb8"), "'utf-8' codec can't decode bytes in position 0-1: unexpected end of data");
        assert_eq!(
            message(b"\xf0\x9f\x98a"),
            "'utf-8' codec can't decode bytes in position 0-2: invalid continuation byte"
        );
    }

    #[test]
    fn knows_a_suffix() {
        assert_eq!([".md", "a.md", ".hidden.md", "a.", "a"].map(suffix), ["", ".md", ".md", "", ""]);
    }
}
