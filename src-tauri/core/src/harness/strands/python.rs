//! What Python and its standard library do to text and values on their way through the framework.

use std::borrow::Cow;
use std::fmt::Write;

use serde_json::{Number, Value};

use crate::harness::FailureKind;

/// `str.isspace` of one character; more than Unicode's white space by four separators.
pub fn is_space(letter: char) -> bool {
    letter.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&letter)
}

/// `str.strip()`.
pub fn strip(text: &str) -> &str {
    text.trim_matches(is_space)
}

/// Text as a file opened in text mode gives it: CR and CRLF become LF.
pub fn universal_newlines(text: &str) -> Cow<'_, str> {
    if text.contains('\r') { text.replace("\r\n", "\n").replace('\r', "\n").into() } else { text.into() }
}

/// `Err` is the text of the `UnicodeDecodeError`.
pub fn decode(bytes: Vec<u8>) -> Result<String, String> {
    String::from_utf8(bytes).map_err(|error| {
        let (bytes, error) = (error.as_bytes(), error.utf8_error());
        let start = error.valid_up_to();
        let length = error.error_len().unwrap_or(bytes.len() - start);
        let reason = match (error.error_len(), bytes[start]) {
            (None, _) => "unexpected end of data",
            (Some(_), 0x80..=0xC1 | 0xF5..) => "invalid start byte",
            (Some(_), _) => "invalid continuation byte",
        };
        match length {
            1 => format!("'utf-8' codec can't decode byte {:#04x} in position {start}: {reason}", bytes[start]),
            _ => format!("'utf-8' codec can't decode bytes in position {start}-{}: {reason}", start + length - 1),
        }
    })
}

/// The text of an `OSError`; `None` where the number of the error is not known.
pub fn os_error(kind: FailureKind, path: &str) -> Option<String> {
    let problem = match kind {
        FailureKind::NotFound => "[Errno 2] No such file or directory",
        FailureKind::NoPermission => "[Errno 13] Permission denied",
        FailureKind::NotFolder => "[Errno 20] Not a directory",
        FailureKind::IsFolder => "[Errno 21] Is a directory",
        FailureKind::BadPattern | FailureKind::Other => return None,
    };
    Some(format!("{problem}: {}", repr_text(path)))
}

/// `os.path.join` of a folder and a name on POSIX.
pub fn join(folder: &str, name: &str) -> String {
    if name.starts_with('/') {
        name.to_owned()
    } else if folder.is_empty() || folder.ends_with('/') {
        format!("{folder}{name}")
    } else {
        format!("{folder}/{name}")
    }
}

/// What `json.loads` makes of a tool call's arguments in the framework: nothing, and what does not parse, is `{}`.
pub fn loads(arguments: &str) -> Value {
    serde_json::from_str(arguments).unwrap_or_else(|_| Value::Object(serde_json::Map::new()))
}

/// `json.dumps(value, ensure_ascii=False)`.
pub fn dumps(value: &Value) -> String {
    let mut out = String::new();
    write_json(value, &mut out);
    out
}

/// `str(value)`.
pub fn str(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => repr(other),
    }
}

/// `repr(value)`.
pub fn repr(value: &Value) -> String {
    let mut out = String::new();
    write_repr(value, &mut out);
    out
}

/// `repr` of a text.
pub fn repr_text(text: &str) -> String {
    let mut out = String::new();
    push_text(text, &mut out);
    out
}

/// `type(value).__name__`.
pub fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "NoneType",
        Value::Bool(_) => "bool",
        Value::Number(number) if number.is_f64() => "float",
        Value::Number(_) => "int",
        Value::String(_) => "str",
        Value::Array(_) => "list",
        Value::Object(_) => "dict",
    }
}

fn write_json(value: &Value, out: &mut String) {
    match value {
        Value::Number(number) => push_number(number, out),
        Value::Array(items) => write_list(items, out, write_json),
        Value::Object(fields) => {
            write_fields(fields, out, |key, out| out.push_str(&Value::from(key).to_string()), write_json)
        }
        scalar @ (Value::Null | Value::Bool(_) | Value::String(_)) => out.push_str(&scalar.to_string()),
    }
}

fn write_repr(value: &Value, out: &mut String) {
    match value {
        Value::Null => out.push_str("None"),
        Value::Bool(true) => out.push_str("True"),
        Value::Bool(false) => out.push_str("False"),
        Value::Number(number) => push_number(number, out),
        Value::String(text) => push_text(text, out),
        Value::Array(items) => write_list(items, out, write_repr),
        Value::Object(fields) => write_fields(fields, out, push_text, write_repr),
    }
}

fn write_list(items: &[Value], out: &mut String, write: fn(&Value, &mut String)) {
    out.push('[');
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            out.push_str(", ");
        }
        write(item, out);
    }
    out.push(']');
}

fn write_fields(
    fields: &serde_json::Map<String, Value>,
    out: &mut String,
    key: fn(&str, &mut String),
    write: fn(&Value, &mut String),
) {
    out.push('{');
    for (index, (name, value)) in fields.iter().enumerate() {
        if index > 0 {
            out.push_str(", ");
        }
        key(name, out);
        out.push_str(": ");
        write(value, out);
    }
    out.push('}');
}

/// Python writes floats with an exponent from 1e16 on and below 1e-4, and always so that they read back as floats.
fn push_number(number: &Number, out: &mut String) {
    let float = match number.as_f64() {
        Some(float) if number.is_f64() => float,
        _ => return out.push_str(&number.to_string()),
    };
    let scientific = format!("{float:e}");
    let exponent = scientific.split_once('e').and_then(|(_, exponent)| exponent.parse::<i32>().ok()).unwrap_or(0);
    let written = if float != 0.0 && !(-4..16).contains(&exponent) {
        let digits = scientific.split('e').next().unwrap_or_default();
        let sign = if exponent < 0 { '-' } else { '+' };
        write!(out, "{digits}e{sign}{:02}", exponent.unsigned_abs())
    } else if float.fract() == 0.0 {
        write!(out, "{float:.1}")
    } else {
        write!(out, "{float}")
    };
    written.expect("a String takes everything");
}

fn push_text(text: &str, out: &mut String) {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    out.push(quote);
    for letter in text.chars() {
        let written = match letter {
            '\n' => write!(out, "\\n"),
            '\r' => write!(out, "\\r"),
            '\t' => write!(out, "\\t"),
            '\\' => write!(out, "\\\\"),
            letter if letter == quote => write!(out, "\\{letter}"),
            letter if letter == ' ' || !(letter.is_control() || letter.is_whitespace()) => write!(out, "{letter}"),
            '\0'..='\u{ff}' => write!(out, "\\x{:02x}", u32::from(letter)),
            letter => write!(out, "\\u{:04x}", u32::from(letter)),
        };
        written.expect("a String takes everything");
    }
    out.push(quote);
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn writes_values_as_python_does() {
        let value =
            json!({"a": [1, 1.0, 1e16, 1.5e-5, 0.1, -0.0, true, null], "b": "it's \"x\"\n中\u{1}", "c": "it's"});
        assert_eq!(
            repr(&value),
            r#"{'a': [1, 1.0, 1e+16, 1.5e-05, 0.1, -0.0, True, None], 'b': 'it\'s "x"\n中\x01', 'c': "it's"}"#
        );
        assert_eq!(
            dumps(&value),
            r#"{"a": [1, 1.0, 1e+16, 1.5e-05, 0.1, -0.0, true, null], "b": "it's \"x\"\n中\u0001", "c": "it's"}"#
        );
    }

    #[test]
    fn says_where_text_is_not_utf8() {
        let error = |bytes: &[u8]| decode(bytes.to_vec()).unwrap_err();
        assert_eq!(error(b"abc\xff"), "'utf-8' codec can't decode byte 0xff in position 3: invalid start byte");
        assert_eq!(error(b"\xe4a"), "'utf-8' codec can't decode byte 0xe4 in position 0: invalid continuation byte");
        assert_eq!(error(b"\xe4\xb8"), "'utf-8' codec can't decode bytes in position 0-1: unexpected end of data");
    }

    #[test]
    fn joins_paths_as_posix_does() {
        assert_eq!(join("/s", "a"), "/s/a");
        assert_eq!(join("/s", ""), "/s/");
        assert_eq!(join("/s", "/a"), "/a");
        assert_eq!(join("/s/", "../a/"), "/s/../a/");
    }
}
