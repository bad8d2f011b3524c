//! What Python does with texts and JSON values, as far as it reaches the model.

pub use crate::python::{Value, decode, loads, repr, strip, universal_newlines};

/// Reads one whole JSON value. What `json.loads` refuses is `None`; [`super::arguments::Arguments::of`] lets none of
/// that through.
pub fn value(raw: &str) -> Value {
    loads(raw).unwrap_or(Value::None)
}

/// `Path.read_text(encoding="utf-8")`: a byte order mark stays. `Err` is the message of the `UnicodeDecodeError`.
pub fn read_text(bytes: &[u8]) -> Result<String, String> {
    decode(bytes).map(|text| universal_newlines(text).into_owned())
}

/// `pathlib.PurePath.suffix`: a dot at either end of a name starts none.
pub fn suffix(name: &str) -> &str {
    match name.rfind('.') {
        Some(dot) if dot > 0 && dot + 1 < name.len() => &name[dot..],
        _ => "",
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
            assert_eq!(value(json).to_str(), text, "{json}");
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
