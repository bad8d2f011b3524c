//! Puts characters together that a server cut in two. Servers that count text in UTF-16 units may end a delta in the
//! middle of a character beyond the basic plane, such as an emoji: `{"content":"\ud83d"}`, then `{"content":"\ude42"}`.
//! Each half is an escape that JSON parsers refuse. [`mend`] lets them through as stand-ins and [`Halves`] puts them
//! together.

use serde_json::Value;

use crate::ModelEvent;

/// The stand-ins are the last 0x800 code points, one for each surrogate. They are for private use, and other texts do
/// not contain them.
const STAND_INS: u32 = 0x10_F800;

/// The payload with a stand-in for each lone half of a character.
pub fn mend(payload: &str) -> String {
    let mut mended = String::with_capacity(payload.len());
    let mut rest = payload;
    while let Some(at) = rest.find('\\') {
        let (plain, escape) = rest.split_at(at);
        mended.push_str(plain);
        let taken = match (surrogate(escape), escape.get(6..).and_then(surrogate)) {
            (Some(0xD800..0xDC00), Some(0xDC00..0xE000)) => 12,
            (Some(half), _) => {
                mended.extend(char::from_u32(STAND_INS + u32::from(half - 0xD800)));
                rest = &escape[6..];
                continue;
            }
            (None, _) => escape.chars().take(2).map(char::len_utf8).sum(),
        };
        mended.push_str(&escape[..taken]);
        rest = &escape[taken..];
    }
    mended.push_str(rest);
    mended
}

/// A finished text with its stand-ins turned into whole characters.
pub fn whole(text: &str) -> String {
    let mut half = Half::default();
    let mut joined = half.join(text);
    joined.extend(half.0.map(|_| char::REPLACEMENT_CHARACTER));
    joined
}

/// First halves that wait for their second ones, in each kind of text apart.
#[derive(Debug, Default)]
pub struct Halves {
    text: Half,
    reasoning: Half,
    calls: Vec<Half>,
}

#[derive(Debug, Clone, Default)]
struct Half(Option<u16>);

impl Halves {
    /// The events of a payload, with whole characters. Those without halves are as they were.
    pub fn joined(&mut self, events: Vec<ModelEvent>, is_mended: bool) -> Vec<ModelEvent> {
        if is_mended || self.is_waiting() { self.join(events) } else { events }
    }

    /// The events with whole characters; U+FFFD replaces a half without its other half.
    fn join(&mut self, events: Vec<ModelEvent>) -> Vec<ModelEvent> {
        let joined = events.into_iter().map(|event| match event {
            ModelEvent::Text { delta } => ModelEvent::Text { delta: self.text.join(&delta) },
            ModelEvent::Reasoning { delta } => ModelEvent::Reasoning { delta: self.reasoning.join(&delta) },
            ModelEvent::ToolCall { index, id, name, arguments } => {
                let arguments = self.call(index).join(&arguments);
                ModelEvent::ToolCall { index, id, name, arguments }
            }
            ModelEvent::Sealed { block } => ModelEvent::Sealed { block: whole_block(block) },
            ModelEvent::Extra { index, extra } => ModelEvent::Extra { index, extra: whole_block(extra) },
            event @ (ModelEvent::Usage(_) | ModelEvent::Finish { .. } | ModelEvent::Retried(_)) => event,
        });
        joined.filter(says_something).collect()
    }

    fn is_waiting(&self) -> bool {
        [&self.text, &self.reasoning].into_iter().chain(&self.calls).any(|half| half.0.is_some())
    }

    fn call(&mut self, index: u32) -> &mut Half {
        let index = index as usize;
        if self.calls.len() <= index {
            self.calls.resize(index + 1, Half::default());
        }
        &mut self.calls[index]
    }
}

impl Half {
    fn join(&mut self, delta: &str) -> String {
        let mut joined = String::with_capacity(delta.len());
        for char in delta.chars() {
            let unit = u32::from(char).checked_sub(STAND_INS).and_then(|unit| u16::try_from(0xD800 + unit).ok());
            let waiting = self.0.take();
            let units = match (waiting, unit) {
                (Some(first), Some(second @ 0xDC00..)) => vec![first, second],
                (waiting, Some(first @ ..0xDC00)) => {
                    self.0 = Some(first);
                    Vec::from_iter(waiting)
                }
                (waiting, second) => waiting.into_iter().chain(second).collect(),
            };
            joined.extend(char::decode_utf16(units).map(|char| char.unwrap_or(char::REPLACEMENT_CHARACTER)));
            if unit.is_none() {
                joined.push(char);
            }
        }
        joined
    }
}

/// The same for each text of a block.
pub fn whole_block(value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(whole(&text)),
        Value::Array(values) => values.into_iter().map(whole_block).collect(),
        Value::Object(entries) => entries.into_iter().map(|(key, value)| (key, whole_block(value))).collect(),
        plain @ (Value::Null | Value::Bool(_) | Value::Number(_)) => plain,
    }
}

fn surrogate(escape: &str) -> Option<u16> {
    let digits = escape.strip_prefix("\\u")?.get(..4)?;
    u16::from_str_radix(digits, 16).ok().filter(|unit| (0xD800..0xE000).contains(unit))
}

fn says_something(event: &ModelEvent) -> bool {
    match event {
        ModelEvent::Text { delta } | ModelEvent::Reasoning { delta } => !delta.is_empty(),
        ModelEvent::ToolCall { id, name, arguments, .. } => id.is_some() || name.is_some() || !arguments.is_empty(),
        ModelEvent::Sealed { .. }
        | ModelEvent::Extra { .. }
        | ModelEvent::Usage(_)
        | ModelEvent::Finish { .. }
        | ModelEvent::Retried(_) => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(deltas: &[&str]) -> Vec<String> {
        let mut half = Half::default();
        deltas.iter().map(|delta| half.join(&mend(delta))).collect()
    }

    #[test]
    fn leaves_whole_characters_and_other_escapes_alone() {
        let texts = [r"a \ud83d\ude42 \u00e9 \n", r"\\ud83d", r"\", r"\u12", "\\u12漢漢", r"\漢", ""];
        assert_eq!(texts.map(mend), texts);
    }

    #[test]
    fn nothing_waits_at_the_end_of_a_whole_text() {
        let text = mend(r"\ud83d") + &mend(r"\ude42 \ud83d");
        assert_eq!(whole(&text), "🙂 \u{fffd}");
    }

    #[test]
    fn nothing_waits_in_thoughts_that_are_over() {
        let block = serde_json::from_str(&mend(r#"{"a": ["\ud83d\ude42 \ud83d", 7], "b": "\ude42c"}"#)).unwrap();
        let block = Halves::default().join(vec![ModelEvent::Sealed { block }]);
        let whole = serde_json::json!({"a": ["🙂 \u{fffd}", 7], "b": "\u{fffd}c"});
        assert_eq!(block, [ModelEvent::Sealed { block: whole }]);
    }

    #[test]
    fn joins_halves_over_deltas_and_replaces_lone_ones() {
        assert_eq!(joined(&[r"a\ud83d", r"\ude42b\uD83D", r"\uDE42"]), ["a", "🙂b", "🙂"]);
        assert_eq!(
            joined(&[r"\ude42 \ud83dx", r"\ud83d", r"\ud83d", "y"]),
            ["\u{fffd} \u{fffd}x", "", "\u{fffd}", "\u{fffd}y"]
        );
    }
}
