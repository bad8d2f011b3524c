//! How much a server may send for one answer. If a server sends more, the connection is cut and the request fails with
//! what was too much. No server may fill the memory or keep a run busy forever.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;
use wording::{Message, message};

use super::{ModelError, ModelEvent};

/// Bytes of a streamed answer as it comes over the wire. Servers wrap each word into some hundred bytes, so this is far
/// more than the text itself.
pub const WIRE: usize = 128 << 20;

/// Bytes of an answer that is not streamed, of one event of a stream, and of one page of a list. Parsing takes many
/// times as much memory.
pub const PAYLOAD: usize = 8 << 20;

/// Bytes of what an answer says and thinks: some two million tokens.
pub const TEXT: usize = 8 << 20;

/// Bytes of the arguments of one tool call.
pub const ARGUMENTS: usize = 4 << 20;

/// Bytes of a whole answer, with every call and every sealed thought.
pub const ANSWER: usize = 16 << 20;

/// Tool calls of one answer.
pub const CALLS: usize = 256;

/// Parts of one answer, whatever they are.
pub const PARTS: usize = 4096;

/// Nesting levels of JSON that a server sends and that is stored as it is. Readers of JSON give up at 128, and the
/// event, the export and the next request around it add some.
pub const DEPTH: usize = 64;

/// Models in the list of a server.
pub const MODELS: usize = 20_000;

/// What there was too much of. `Display` names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum Bound {
    /// See [`WIRE`], and so on.
    Wire,
    Payload,
    Text,
    Arguments,
    Answer,
    Calls,
    Parts,
    Depth,
    Models,
}

impl Bound {
    /// An error if there is more than may be.
    pub fn check(self, found: usize) -> Result<(), ModelError> {
        if found > self.limit().0 { Err(self.passed()) } else { Ok(()) }
    }

    /// The error when there is more.
    pub fn passed(self) -> ModelError {
        let (limit, unit) = self.limit();
        ModelError::TooMuch { bound: self, most: u32::try_from(limit / unit).unwrap_or(u32::MAX) }
    }

    /// The maximum, and the unit in which messages give it.
    fn limit(self) -> (usize, usize) {
        match self {
            Self::Wire => (WIRE, MIB),
            Self::Payload => (PAYLOAD, MIB),
            Self::Text => (TEXT, MIB),
            Self::Arguments => (ARGUMENTS, MIB),
            Self::Answer => (ANSWER, MIB),
            Self::Calls => (CALLS, 1),
            Self::Parts => (PARTS, 1),
            Self::Depth => (DEPTH, 1),
            Self::Models => (MODELS, 1),
        }
    }

    /// That there was more than `most`.
    pub(super) fn exceeded(self, most: u32) -> Message {
        let what = match self {
            Self::Wire => message!("more than {most} MiB came from the server", "服务器发送的数据超过 {most} MiB"),
            Self::Payload => message!("more than {most} MiB came in one piece", "单个数据块超过 {most} MiB"),
            Self::Text => message!("more than {most} MiB of text came", "文本超过 {most} MiB"),
            Self::Arguments => message!(
                "more than {most} MiB came as the arguments of one tool call",
                "一次工具调用的参数超过 {most} MiB"
            ),
            Self::Answer => {
                message!("more than {most} MiB of text and tool calls came", "文本和工具调用合计超过 {most} MiB")
            }
            Self::Calls => message!("more than {most} tool calls came", "工具调用超过 {most} 个"),
            Self::Parts => message!("more than {most} parts came", "内容片段超过 {most} 个"),
            Self::Depth => {
                message!("more than {most} levels of JSON came inside each other", "JSON 嵌套超过 {most} 层")
            }
            Self::Models => {
                message!("more than {most} models are in the server's list", "服务器列出的模型超过 {most} 个")
            }
        };
        message!("the answer was cut off: {what}", "回答已被截断：{what}"; what)
    }
}

const MIB: usize = 1 << 20;

/// Counts the parts of one answer.
#[derive(Debug, Default)]
pub struct Tally {
    text: usize,
    /// Bytes of the arguments of each call.
    arguments: Vec<usize>,
    sealed: usize,
    all: usize,
}

impl Tally {
    /// Adds this event; an error if the answer is then no longer within its bounds.
    pub fn add(&mut self, event: &ModelEvent) -> Result<(), ModelError> {
        match event {
            ModelEvent::Text { delta } | ModelEvent::Reasoning { delta } => {
                self.text += delta.len();
                self.all += delta.len();
                Bound::Text.check(self.text)?;
            }
            ModelEvent::ToolCall { index, id, name, arguments } => {
                let place = *index as usize;
                Bound::Calls.check(place.saturating_add(1))?;
                if self.arguments.len() <= place {
                    self.arguments.resize(place + 1, 0);
                }
                self.arguments[place] += arguments.len();
                let named = [id, name].into_iter().flatten().map(String::len).sum::<usize>();
                self.all += arguments.len() + named;
                Bound::Arguments.check(self.arguments[place])?;
            }
            ModelEvent::Extra { extra, .. } => {
                self.sealed += 1;
                self.all += extra.to_string().len();
                Bound::Parts.check(self.sealed)?;
            }
            ModelEvent::Sealed { block } => {
                self.sealed += 1;
                Bound::Depth.check(depth(block))?;
                self.all += block.to_string().len();
                Bound::Parts.check(self.sealed)?;
            }
            ModelEvent::Usage(_) | ModelEvent::Finish { .. } | ModelEvent::Retried(_) => {}
        }
        Bound::Answer.check(self.all)
    }
}

/// The levels of lists and objects inside each other. A value that was parsed has at most 127.
fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        Value::Object(fields) => 1 + fields.values().map(depth).max().unwrap_or(0),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(index: u32, arguments: usize) -> ModelEvent {
        ModelEvent::ToolCall { index, id: None, name: None, arguments: "x".repeat(arguments) }
    }

    /// How many of the events are within the bounds, and the error for the next one.
    fn passed(events: impl IntoIterator<Item = ModelEvent>) -> (usize, Option<ModelError>) {
        let mut tally = Tally::default();
        for (count, event) in events.into_iter().enumerate() {
            if let Err(error) = tally.add(&event) {
                return (count, Some(error));
            }
        }
        (0, None)
    }

    #[test]
    fn an_answer_ends_at_the_first_bound_it_passes() {
        let text = |length: usize| ModelEvent::Text { delta: "x".repeat(length) };
        let thought = |length: usize| ModelEvent::Reasoning { delta: "x".repeat(length) };
        let sealed = |length: usize| ModelEvent::Sealed { block: "x".repeat(length).into() };
        let half = TEXT / 2;
        assert_eq!(passed([text(half), thought(half), text(1)]), (2, Some(Bound::Text.passed())));
        assert_eq!(passed([call(0, ARGUMENTS), call(1, 9), call(0, 1)]), (2, Some(Bound::Arguments.passed())));
        assert_eq!(passed((0..5).map(|index| call(index, ARGUMENTS))), (4, Some(Bound::Answer.passed())));
        assert_eq!(passed((0..300).map(|index| call(index, 0))), (CALLS, Some(Bound::Calls.passed())));
        assert_eq!(passed([call(u32::MAX, 0)]), (0, Some(Bound::Calls.passed())));
        assert_eq!(passed((0..5000).map(|_| sealed(0))), (PARTS, Some(Bound::Parts.passed())));
        assert_eq!(passed([sealed(ANSWER)]), (0, Some(Bound::Answer.passed())));
        assert_eq!(passed([text(TEXT), call(0, ARGUMENTS), sealed(1 << 20)]), (0, None));
    }

    #[test]
    fn what_is_stored_as_it_came_is_not_nested_deeper_than_can_be_read_back() {
        let nested = |levels: usize| {
            let block = (1..levels).fold(serde_json::json!([]), |inner, _| serde_json::json!([inner]));
            passed([ModelEvent::Sealed { block }])
        };
        assert_eq!(nested(DEPTH), (0, None));
        assert_eq!(nested(DEPTH + 1), (0, Some(Bound::Depth.passed())));
        let told = Bound::Depth.passed().to_string();
        assert_eq!(told, "the answer was cut off: more than 64 levels of JSON came inside each other");
    }

    #[test]
    fn an_error_names_what_there_was_too_much_of_and_the_limit() {
        let said = [Bound::Wire, Bound::Arguments, Bound::Calls].map(|bound| bound.passed().to_string());
        assert_eq!(
            said,
            [
                "the answer was cut off: more than 128 MiB came from the server",
                "the answer was cut off: more than 4 MiB came as the arguments of one tool call",
                "the answer was cut off: more than 256 tool calls came",
            ]
        );
    }
}
