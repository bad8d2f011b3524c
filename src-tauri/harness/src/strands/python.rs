//! What Python and its standard library do to text and values on their way through the framework.

use std::borrow::Cow;

use crate::FailureKind;
use crate::python::{self, Value};

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

/// The text of an `OSError`; `None` if the number of the error is not known.
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
    python::loads(arguments).unwrap_or_else(|_| Value::Dict(Vec::new()))
}

/// `repr` of a text.
pub fn repr_text(text: &str) -> String {
    python::repr(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_read_as_python_reads_json() {
        let read = |arguments: &str| loads(arguments).to_repr();
        assert_eq!(read(""), "{}");
        assert_eq!(read("{\"a\": 1"), "{}");
        assert_eq!(
            read(r#"{"a": [NaN, -Infinity, 1e400, 123456789012345678901234567890, -0, -0.0], "a b": "it's"}"#),
            r#"{'a': [nan, -inf, inf, 123456789012345678901234567890, 0, -0.0], 'a b': "it's"}"#
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
