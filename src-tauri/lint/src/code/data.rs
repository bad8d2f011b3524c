//! Files of values, and whether their formats' parsers take them.

use saphyr_parser::{Event, Parser, StrInput};
use serde::de::IgnoredAny;

use super::{Language, SyntaxError};
use skill::source::Span;
use wording::message;

/// The first error; `None` for languages that are not data.
pub fn error(text: &str, language: Language) -> Option<SyntaxError> {
    match language {
        Language::Json => json(text).filter(|_| !is_commented(text)),
        Language::JsonLines => json_lines(text),
        Language::Yaml => yaml(text),
        Language::Toml => toml(text),
        Language::Table(separator) => table(text, separator),
        Language::Python | Language::Shell | Language::JavaScript | Language::TypeScript => None,
    }
}

/// The first error of a text of JSON.
pub fn json(text: &str) -> Option<SyntaxError> {
    let error = serde_json::from_str::<IgnoredAny>(text).err()?;
    // Python and JavaScript take these.
    if error.to_string().contains("surrogate") {
        return None;
    }
    let start = offset(text, error.line(), error.column());
    let end = text[start..].chars().next().map_or(start, |letter| start + letter.len_utf8());
    let words = error.to_string();
    let reason = wording::refusal(words.split(" at line ").next().unwrap_or_default());
    Some(SyntaxError { span: Span::new(start, end), reason })
}

/// JSON with comments, which some programs read: fine except for the comments.
fn is_commented(text: &str) -> bool {
    (text.contains("//") || text.contains("/*")) && json(&without_comments(text)).is_none()
}

fn json_lines(text: &str) -> Option<SyntaxError> {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if let Some(error) = json(line).filter(|_| !line.trim().is_empty()) {
            return Some(SyntaxError { span: error.span.shift(start), reason: error.reason });
        }
        start += line.len();
    }
    None
}

/// JSON with comments and commas at the end, each replaced by spaces.
pub fn without_comments(code: &str) -> String {
    let mut out = String::with_capacity(code.len());
    let (mut quoted, mut escaped) = (false, false);
    let mut letters = code.char_indices();
    while let Some((at, letter)) = letters.next() {
        let rest = &code[at..];
        if quoted {
            quoted = escaped || letter != '"';
            escaped = !escaped && letter == '\\';
            out.push(letter);
            continue;
        }
        let comment = if rest.starts_with("//") || letter == '#' {
            rest.find('\n').or(Some(rest.len()))
        } else if rest.starts_with("/*") {
            rest.find("*/").map(|end| end + 2).or(Some(rest.len()))
        } else {
            None
        };
        if let Some(length) = comment {
            // Byte for byte, so that what follows keeps its place.
            out.extend(rest[..length].bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
            let end = at + length;
            while letters.clone().next().is_some_and(|(next, _)| next < end) {
                letters.next();
            }
            continue;
        }
        quoted = letter == '"';
        out.push(letter);
    }
    trailing_commas_out(&out)
}

fn trailing_commas_out(code: &str) -> String {
    let mut out = String::with_capacity(code.len());
    let (mut quoted, mut escaped) = (false, false);
    for (at, letter) in code.char_indices() {
        if quoted {
            quoted = escaped || letter != '"';
            escaped = !escaped && letter == '\\';
        } else if letter == '"' {
            quoted = true;
        }
        let ends = letter == ',' && !quoted && code[at + 1..].trim_start().starts_with(['}', ']']);
        out.push(if ends { ' ' } else { letter });
    }
    out
}

/// Aliases are not expanded, and lists and maps are not kept: a bomb costs what its text costs.
pub fn yaml(text: &str) -> Option<SyntaxError> {
    if text.len() > YAML_LIMIT {
        return None;
    }
    let mut depth = 0_usize;
    for event in Parser::<StrInput<'_>>::new_from_str(text) {
        match event {
            Ok((Event::SequenceStart(..) | Event::MappingStart(..), _)) => depth += 1,
            Ok((Event::SequenceEnd | Event::MappingEnd, _)) => depth = depth.saturating_sub(1),
            Ok(_) => {}
            Err(error) => {
                // Its columns count characters.
                let line_start = offset(text, error.marker().line(), 1);
                let rest = &text[line_start..];
                let start = line_start + rest.char_indices().nth(error.marker().col()).map_or(rest.len(), |(at, _)| at);
                let line = text[start..].find('\n').map_or(text.len(), |end| start + end);
                let span = Span::new(start, line).trim(text);
                return Some(SyntaxError { span, reason: wording::refusal(error.info()) });
            }
        }
        if depth > YAML_DEPTH {
            return None;
        }
    }
    None
}

/// The first error of a text of TOML.
pub fn toml(text: &str) -> Option<SyntaxError> {
    let error = toml::from_str::<toml::Table>(text).err()?;
    let message = error.message().lines().next().unwrap_or_default().to_owned();
    // The parser's own limit on depth says nothing about the file.
    if message.contains("recursion") {
        return None;
    }
    let range = error.span().unwrap_or(0..0);
    let start = text.floor_char_boundary(range.start.min(text.len()));
    let end = text.ceil_char_boundary(range.end.min(text.len()));
    let line = text[start..].find('\n').map_or(text.len(), |end| start + end);
    Some(SyntaxError::quoted(Span::new(start, end.min(line).max(start)), message))
}

const YAML_LIMIT: usize = 1 << 20;
const YAML_DEPTH: usize = 500;

/// A quote that is never closed, or a row with more fields than the first if nearly all others have as many.
fn table(text: &str, separator: u8) -> Option<SyntaxError> {
    let mut rows = Rows { text, separator, at: 0, unclosed: None };
    let (_, wanted) = rows.next()?;
    let (mut equal, mut longer, mut longest) = (0_usize, 0_usize, None);
    for (row, fields) in rows.by_ref() {
        match fields.cmp(&wanted) {
            std::cmp::Ordering::Equal => equal += 1,
            std::cmp::Ordering::Greater => {
                longer += 1;
                longest = longest.or(Some((row, fields)));
            }
            std::cmp::Ordering::Less => {}
        }
    }
    if let Some(quote) = rows.unclosed {
        let reason = message!("the quote is never closed", "引号没有闭合");
        return Some(SyntaxError { span: quote, reason });
    }
    let (row, fields) = longest.filter(|_| wanted > 1 && equal > longer)?;
    let reason = message!(
        "the row has {fields} fields, but the header has {wanted}",
        "这一行有 {fields} 个字段，而表头有 {wanted} 个"
    );
    Some(SyntaxError { span: row.trim(text), reason })
}

/// Rows with how many fields they have; a quoted field may hold separators and line ends.
struct Rows<'a> {
    text: &'a str,
    separator: u8,
    at: usize,
    unclosed: Option<Span>,
}

impl Iterator for Rows<'_> {
    type Item = (Span, usize);

    fn next(&mut self) -> Option<Self::Item> {
        let bytes = self.text.as_bytes();
        while bytes.get(self.at).is_some_and(|byte| matches!(byte, b'\n' | b'\r')) {
            self.at += 1;
        }
        let start = self.at;
        if start >= bytes.len() {
            return None;
        }
        let (mut fields, mut field_start, mut quote) = (1, true, None);
        while let Some(byte) = bytes.get(self.at) {
            match (byte, quote) {
                (b'"', Some(_)) => quote = None,
                // A quote inside of a field that began without one is text; one after a closing quote is an escape.
                (b'"', None) if field_start || bytes.get(self.at.wrapping_sub(1)) == Some(&b'"') => {
                    quote = Some(self.at)
                }
                (b'\n', None) => break,
                (byte, None) if *byte == self.separator => {
                    fields += 1;
                    field_start = true;
                    self.at += 1;
                    continue;
                }
                _ => {}
            }
            field_start = false;
            self.at += 1;
        }
        self.unclosed = self.unclosed.or(quote.map(|at| Span::new(at, at + 1)));
        Some((Span::new(start, self.at), fields))
    }
}

/// The byte of a line and a column, both from 1; the column counts bytes.
fn offset(text: &str, line: usize, column: usize) -> usize {
    let mut start = 0;
    for _ in 1..line {
        match text[start..].find('\n') {
            Some(end) => start += end + 1,
            None => break,
        }
    }
    text.floor_char_boundary((start + column.saturating_sub(1)).min(text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str, language: Language) -> Option<(&str, String)> {
        error(text, language).map(|error| (error.span.of(text), error.reason.en))
    }

    #[test]
    fn json_errors_have_their_place() {
        assert_eq!(said("{\"a\": 1 \"b\": 2}", Language::Json), Some(("\"", "expected `,` or `}`".into())));
        assert_eq!(said("{\"ä\": [1, 2]}", Language::Json), None);
        assert_eq!(said("{\"a\": 1}\n{\"a\":}\n", Language::JsonLines), Some(("}", "expected value".into())));
    }

    #[test]
    fn deep_values_cost_no_stack() {
        assert!(error(&"[".repeat(100_000), Language::Json).is_some());
        assert_eq!(error(&format!("{}{}", "[".repeat(100_000), "]".repeat(100_000)), Language::Json), None);
        let _ = error(&"[".repeat(100_000), Language::Yaml);
        let _ = error(&format!("a = {}", "[".repeat(100_000)), Language::Toml);
    }

    #[test]
    fn rows_may_hold_quoted_separators_and_lines() {
        assert_eq!(said("a,b\n\"1,5\",\"x\ny\"\n2,\"say \"\"hi\"\", ok\"\n", Language::Table(b',')), None);
        let uneven = said("a,b\n1,2\n3,4\n5,6,7\n", Language::Table(b','));
        assert_eq!(uneven, Some(("5,6,7", "the row has 3 fields, but the header has 2".into())));
        assert_eq!(said("a,b\n\"1,2\n", Language::Table(b',')).map(|(text, _)| text), Some("\""));
    }

    #[test]
    fn yaml_with_several_documents_and_aliases_is_fine() {
        assert_eq!(said("a: &x [1]\nb: *x\n---\nc: 2\n", Language::Yaml), None);
        assert!(said("a: [1, 2\nb: 3\n", Language::Yaml).is_some());
        assert!(said("a = 1\na = \n", Language::Toml).is_some());
    }
}
