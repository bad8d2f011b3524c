//! `json.dumps` with the default separators.

use super::Value;

/// Everything but ASCII is escaped.
pub fn dumps(value: &Value) -> String {
    let mut out = String::new();
    write(value, Escape::NotAscii, &mut out);
    out
}

/// `json.dumps` with `ensure_ascii=False`.
pub fn dumps_text(value: &Value) -> String {
    let mut out = String::new();
    write(value, Escape::Controls, &mut out);
    out
}

/// What is escaped in texts, in addition to quotes and backslashes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Escape {
    NotAscii,
    Controls,
}

fn write(value: &Value, escape: Escape, out: &mut String) {
    match value {
        Value::None => out.push_str("null"),
        Value::Bool(truth) => out.push_str(if *truth { "true" } else { "false" }),
        Value::Int(digits) => out.push_str(digits),
        Value::Float(number) if number.is_nan() => out.push_str("NaN"),
        Value::Float(number) if number.is_infinite() => {
            out.push_str(if *number > 0.0 { "Infinity" } else { "-Infinity" });
        }
        Value::Float(_) => out.push_str(&value.to_repr()),
        Value::Text(text) => write_text(text, escape, out),
        Value::List(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                out.push_str(if index == 0 { "" } else { ", " });
                write(item, escape, out);
            }
            out.push(']');
        }
        Value::Dict(pairs) => {
            out.push('{');
            for (index, (key, value)) in pairs.iter().enumerate() {
                out.push_str(if index == 0 { "" } else { ", " });
                write_text(key, escape, out);
                out.push_str(": ");
                write(value, escape, out);
            }
            out.push('}');
        }
    }
}

fn write_text(text: &str, escape: Escape, out: &mut String) {
    out.push('"');
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{C}' => out.push_str("\\f"),
            ' '..='~' => out.push(letter),
            '\u{7f}'.. if escape == Escape::Controls => out.push(letter),
            _ => {
                for unit in letter.encode_utf16(&mut [0; 2]) {
                    out.push_str(&format!("\\u{unit:04x}"));
                }
            }
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::super::loads;
    use super::*;

    #[test]
    fn writes_what_python_writes() {
        let text = r#"{"a": "\u4e2d\ud83d\ude00\u007f\"\\\n", "b": [1, 2.5, true, null, NaN], "c": {}}"#;
        assert_eq!(dumps(&loads(text).unwrap()), text);
    }

    #[test]
    fn leaves_letters_where_they_may_stay() {
        let text = r#"{"中\u0001\u007f": [-Infinity, 123456789012345678901234567890, -0.0, 1e+400]}"#;
        let written = "{\"中\\u0001\u{7f}\": [-Infinity, 123456789012345678901234567890, -0.0, Infinity]}";
        assert_eq!(dumps_text(&loads(text).unwrap()), written);
    }
}
