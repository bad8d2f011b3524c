//! How a result's text travels. A tool's result is a `JsonElement`, which the OpenAI client serialises: the model sees
//! a JSON string literal, quotes and escapes included. What the layer that calls tools writes itself is a plain
//! string. Recorded from release 1.17, and derived from the sources of `System.Text.Json`.

use std::fmt::Write;

use crate::{ReplyAuthor, ToolReply};
use config::options::AgentFrameworkOptions;

/// `None`: the text itself.
pub fn encode(reply: &ToolReply, settings: &AgentFrameworkOptions) -> Option<String> {
    match reply.author {
        ReplyAuthor::Tool if settings.json_encoded_results => Some(literal(&reply.text)),
        ReplyAuthor::Tool | ReplyAuthor::Caller | ReplyAuthor::Exception => None,
    }
}

/// A string as `JavaScriptEncoder.UnsafeRelaxedJsonEscaping` writes it.
pub fn literal(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{8}' => out.push_str("\\b"),
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\u{C}' => out.push_str("\\f"),
            '\r' => out.push_str("\\r"),
            _ if is_blocked(letter) => {
                for unit in letter.encode_utf16(&mut [0; 2]) {
                    write!(out, "\\u{unit:04X}").expect("a String takes everything");
                }
            }
            _ => out.push(letter),
        }
    }
    out.push('"');
    out
}

/// Escaped even by the relaxed encoder: everything past the basic plane, controls, separators other than the space,
/// private use and noncharacters. (Unassigned code points of the basic plane are escaped too, but which those are
/// changes with each .NET release; here they pass.)
fn is_blocked(letter: char) -> bool {
    matches!(letter, '\u{E000}'..='\u{F8FF}' | '\u{FDD0}'..='\u{FDEF}' | '\u{FFFE}'..)
        || letter.is_control()
        || (letter.is_whitespace() && letter != ' ')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_a_string_as_the_relaxed_encoder_does() {
        assert_eq!(literal("a\n\t\"b\" \\ × 字 <&>'/"), r#""a\n\t\"b\" \\ × 字 <&>'/""#);
        assert_eq!(literal("\u{1}\u{7F}\u{A0}\u{3000}\u{2028}\u{E000}"), r#""\u0001\u007F\u00A0\u3000\u2028\uE000""#);
        assert_eq!(literal("😀"), r#""\uD83D\uDE00""#, "surrogate pairs are always escaped");
    }

    #[test]
    fn only_what_a_tool_returned_is_encoded() {
        let encoded = AgentFrameworkOptions::default();
        let bare = AgentFrameworkOptions { json_encoded_results: false, ..AgentFrameworkOptions::default() };
        let by = |author| ToolReply::ok("a").by(author);
        assert_eq!(encode(&by(ReplyAuthor::Tool), &encoded), Some("\"a\"".into()));
        assert_eq!(encode(&by(ReplyAuthor::Tool), &bare), None);
        assert_eq!(encode(&by(ReplyAuthor::Caller), &encoded), None);
        assert_eq!(encode(&by(ReplyAuthor::Exception), &encoded), None);
    }
}
