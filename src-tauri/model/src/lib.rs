//! Talking to models: one canonical [`Message`], one codec for each wire protocol, and the ways to get an answer.
//! Codecs do no I/O. Nothing here knows what a skill is.

pub mod address;
pub mod answer;
pub mod anthropic;
mod bedrock;
mod bounds;
pub mod check;
pub mod curl;
#[cfg(test)]
mod cuts;
mod decode;
mod document;
pub mod entry;
mod error;
mod eventstream;
#[cfg(test)]
mod filed;
mod framing;
mod halves;
pub mod http;
pub mod image;
mod objects;
pub mod openai;
pub mod payload;
#[cfg(test)]
mod pictured;
pub mod protocol;
pub mod reasoning;
pub mod responses;
mod retried;
mod said;
#[cfg(test)]
mod sample;
pub mod secret;
mod sse;
mod tally;
pub mod tokens;
mod vocabulary;
pub mod written;

use std::borrow::Cow;
use std::sync::Arc;

use futures::stream::BoxStream;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

pub use self::bounds::Bound;
pub use self::document::Document;
pub use self::error::{ModelError, Refusal, Wait};
pub use self::image::Image;
pub use self::retried::Retried;

/// Who says a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum Role {
    System,
    User,
    Assistant,
    Tool,
}

/// A message of a conversation, whatever the protocol.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Message {
    pub role: Role,
    pub parts: Vec<Part>,
}

impl Message {
    /// A system message of one text.
    pub fn system(text: impl Into<String>) -> Self {
        Self::of(Role::System, Part::Text { text: text.into() })
    }

    /// A user's message of one text.
    pub fn user(text: impl Into<String>) -> Self {
        Self::of(Role::User, Part::Text { text: text.into() })
    }

    /// What the user says, and the pictures with it.
    pub fn prompt(text: impl Into<String>, images: &[Image]) -> Self {
        let mut message = Self::user(text);
        message.parts.extend(images.iter().cloned().map(Part::Image));
        message
    }

    /// An assistant's message of one text, which calls nothing.
    pub fn assistant(text: impl Into<String>) -> Self {
        Self::of(Role::Assistant, Part::Text { text: text.into() })
    }

    /// An assistant message that only calls tools.
    pub fn tool_calls(calls: impl IntoIterator<Item = ToolCall>) -> Self {
        Self { role: Role::Assistant, parts: calls.into_iter().map(Part::ToolCall).collect() }
    }

    /// A message with the result of one call.
    pub fn tool_result(result: ToolResult) -> Self {
        Self::of(Role::Tool, Part::ToolResult(result))
    }

    /// A result that has pictures.
    pub fn pictured_result(result: ToolResult, images: &[Image]) -> Self {
        let mut message = Self::tool_result(result);
        message.parts.extend(images.iter().cloned().map(Part::Image));
        message
    }

    /// The same with these files behind it.
    #[must_use]
    pub fn with_documents(mut self, documents: &[Document]) -> Self {
        self.parts.extend(documents.iter().cloned().map(Part::Document));
        self
    }

    /// The same with another text, where the first one was. What the model thought and called stays.
    #[must_use]
    pub fn saying(mut self, text: &str) -> Self {
        let is_text = |part: &Part| matches!(part, Part::Text { .. });
        let is_call = |part: &Part| matches!(part, Part::ToolCall(_));
        let place = self.parts.iter().position(|part| is_text(part) || is_call(part)).unwrap_or(self.parts.len());
        self.parts.retain(|part| !is_text(part));
        if !text.is_empty() {
            self.parts.insert(place, Part::Text { text: text.into() });
        }
        self
    }

    /// The text parts, joined. Reasoning and tool results are not in it.
    pub fn text(&self) -> String {
        let texts = self.parts.iter().filter_map(|part| match part {
            Part::Text { text } => Some(text.as_str()),
            Part::Reasoning { .. }
            | Part::ToolCall(_)
            | Part::ToolResult(_)
            | Part::Image(_)
            | Part::Document(_)
            | Part::CachePoint => None,
        });
        texts.collect()
    }

    /// What the model thought, joined.
    pub fn reasoning(&self) -> String {
        let thoughts = self.parts.iter().filter_map(|part| match part {
            Part::Reasoning { text, .. } => Some(text.as_str()),
            Part::Text { .. }
            | Part::ToolCall(_)
            | Part::ToolResult(_)
            | Part::Image(_)
            | Part::Document(_)
            | Part::CachePoint => None,
        });
        thoughts.collect()
    }

    /// The calls in it, in order.
    pub fn calls(&self) -> impl Iterator<Item = &ToolCall> {
        self.parts.iter().filter_map(|part| match part {
            Part::ToolCall(call) => Some(call),
            Part::Text { .. }
            | Part::Reasoning { .. }
            | Part::ToolResult(_)
            | Part::Image(_)
            | Part::Document(_)
            | Part::CachePoint => None,
        })
    }

    /// The results in it, in order.
    pub fn results(&self) -> impl Iterator<Item = &ToolResult> {
        self.parts.iter().filter_map(|part| match part {
            Part::ToolResult(result) => Some(result),
            Part::Text { .. }
            | Part::Reasoning { .. }
            | Part::ToolCall(_)
            | Part::Image(_)
            | Part::Document(_)
            | Part::CachePoint => None,
        })
    }

    /// The pictures of the message; of results, those of all of them.
    pub fn images(&self) -> impl Iterator<Item = &Image> {
        images(&self.parts)
    }

    /// The files of the message; of results, those of all of them.
    pub fn documents(&self) -> impl Iterator<Item = &Document> {
        documents(&self.parts)
    }

    /// The results, each with its pictures and files.
    pub fn pictured_results(&self) -> impl Iterator<Item = (&ToolResult, &[Part])> {
        self.parts.iter().enumerate().filter_map(|(place, part)| match part {
            Part::ToolResult(result) => Some((result, of_result(&self.parts, place))),
            _ => None,
        })
    }

    fn of(role: Role, part: Part) -> Self {
        Self { role, parts: vec![part] }
    }
}

/// What belongs to the result at a place: the parts up to the next result.
pub(crate) fn of_result(parts: &[Part], place: usize) -> &[Part] {
    let behind = &parts[place + 1..];
    let end = behind.iter().position(|part| matches!(part, Part::ToolResult(_)));
    &behind[..end.unwrap_or(behind.len())]
}

/// The pictures among parts.
pub fn images(parts: &[Part]) -> impl Iterator<Item = &Image> {
    parts.iter().filter_map(|part| match part {
        Part::Image(image) => Some(image),
        Part::Text { .. }
        | Part::Reasoning { .. }
        | Part::ToolCall(_)
        | Part::ToolResult(_)
        | Part::Document(_)
        | Part::CachePoint => None,
    })
}

/// The files among parts.
pub fn documents(parts: &[Part]) -> impl Iterator<Item = &Document> {
    parts.iter().filter_map(|part| match part {
        Part::Document(document) => Some(document),
        Part::Text { .. }
        | Part::Reasoning { .. }
        | Part::ToolCall(_)
        | Part::ToolResult(_)
        | Part::Image(_)
        | Part::CachePoint => None,
    })
}

/// Whether something among parts is more than words.
pub(crate) fn has_media(parts: &[Part]) -> bool {
    parts.iter().any(|part| matches!(part, Part::Image(_) | Part::Document(_)))
}

/// A piece of a message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum Part {
    Text {
        text: String,
    },
    /// The model's reasoning, if it reports any.
    Reasoning {
        text: String,
        /// The thought as the provider sent it, signed or encrypted: it wants it back unchanged with the next request.
        /// Of chat completions, the fields of the message (`reasoning_content`, `reasoning_details`); of Responses, also
        /// the `phase` of the text before. Other protocols than the one it came by leave it out. `null`: the provider
        /// wants nothing back.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(type = "unknown")]
        block: Option<Value>,
    },
    ToolCall(ToolCall),
    ToolResult(ToolResult),
    /// A picture: of the user, or of the result before it.
    Image(Image),
    /// A file: of the user, or of the result before it.
    Document(Document),
    /// Everything up to here may be cached by the provider. Protocols without caching leave it out.
    CachePoint,
}

/// A call that the model asks for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ToolCall {
    pub id: String,
    pub name: String,
    /// JSON exactly as the model wrote it, which may not parse.
    pub arguments: String,
    /// What the provider sent with the call (`extra_content`) and wants back with it. Other protocols than chat
    /// completions leave it out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "unknown")]
    pub extra: Option<Value>,
}

impl ToolCall {
    /// A call with nothing of its provider's own. `arguments`: JSON as the model wrote it.
    pub fn new(id: impl Into<String>, name: impl Into<String>, arguments: impl Into<String>) -> Self {
        Self { id: id.into(), name: name.into(), arguments: arguments.into(), extra: None }
    }
}

/// The outcome of a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ToolResult {
    pub call_id: String,
    /// The text as the tool returned it.
    pub text: String,
    /// The text as it goes over the wire, where a framework encodes it differently; `null`: the same.
    pub wire: Option<String>,
    pub is_error: bool,
}

impl ToolResult {
    /// The text that the model reads.
    pub fn on_wire(&self) -> &str {
        self.wire.as_deref().unwrap_or(&self.text)
    }
}

/// A tool as it is described to the model. `parameters` is a JSON Schema; the order of its keys is kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ToolDef {
    pub name: String,
    pub description: String,
    #[ts(type = "unknown")]
    pub parameters: Value,
}

impl ToolDef {
    /// The definition as one line of JSON: what its tokens are counted by.
    pub fn to_json(&self) -> String {
        serde_json::json!(self).to_string()
    }
}

/// What a model is asked, whatever the protocol.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ModelRequest {
    pub messages: Vec<Message>,
    pub tools: Vec<ToolDef>,
    pub parameters: Sampling,
    /// Sent if there are tools; `None`: not sent.
    pub tool_choice: Option<ToolChoice>,
    pub dialect: Dialect,
}

impl ModelRequest {
    /// For a model that takes no pictures, and so no files: each is replaced by a line that says what was left out.
    #[must_use]
    pub fn without_media(mut self) -> Self {
        for message in &mut self.messages {
            let mut parts: Vec<Part> = Vec::new();
            for part in std::mem::take(&mut message.parts) {
                let (described, kind) = match &part {
                    Part::Image(image) => (image.described(), "images"),
                    Part::Document(document) => (document.described(), "files"),
                    _ => {
                        parts.push(part);
                        continue;
                    }
                };
                let line = format!("[{described}: left out, as this model takes no {kind}]");
                match parts.iter_mut().rev().find(|part| matches!(part, Part::ToolResult(_))) {
                    Some(Part::ToolResult(result)) if result.on_wire().is_empty() => result.wire = Some(line),
                    Some(Part::ToolResult(result)) => result.wire = Some(format!("{}\n{line}", result.on_wire())),
                    _ => parts.push(Part::Text { text: line }),
                }
            }
            message.parts = parts;
        }
        self
    }
}

/// Whether the model may call tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolChoice {
    Auto,
    /// The model may not call a tool.
    None,
}

/// How a framework's own client writes what the protocol leaves open.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Dialect {
    /// The `tool_choice` of ordinary requests.
    pub tool_choice: Option<ToolChoice>,
    pub silent: Silent,
    /// The content of user messages is a list of text parts, one for each of ours, instead of one text.
    pub user_parts: bool,
    /// The same for the text of assistant messages.
    pub assistant_parts: bool,
    /// The same for system messages.
    pub system_parts: bool,
    /// System messages are the developer's, and written as the user's are. Only the Responses protocol has it.
    pub developer: bool,
    /// The definitions of the tools are the first item of the conversation, the developer's, in a namespace. Only the Responses
    /// protocol has it.
    pub tools_as_item: bool,
    /// A tool that is called with a text in place of JSON. Only the Responses protocol has it; elsewhere the text is the one
    /// argument.
    pub freeform: Option<Freeform>,
    /// System and user messages carry the names `system` and `user`.
    pub named_roles: bool,
    /// Results carry the name of the tool.
    pub named_results: bool,
    /// Assistant messages are what `model_dump()` of OpenAI's SDK makes of the answer: every field, `null` if there is
    /// nothing, and the reasoning that some servers send.
    pub dumped: bool,
    /// Assistant messages carry this name of the agent.
    pub assistant_name: Option<&'static str>,
    /// Only those that the caller was given do: those before the last message of the user, and those up to the last call of
    /// one of these tools, at which the framework stops to ask.
    pub named_once_given: Option<&'static [&'static str]>,
    /// The parameters of tools say `additionalProperties: false`. Only the chat completions protocol has it.
    pub closed_parameters: bool,
    /// The definitions of the tools end with a cache point: all of them may be cached by the provider. Protocols without
    /// caching leave it out. Cache points of the system prompt and of messages are [`Part::CachePoint`].
    pub cache_tools: bool,
}

/// A tool that is called with a text; a grammar describes the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Freeform {
    pub tool: &'static str,
    /// As Lark has it.
    pub grammar: &'static str,
}

impl Freeform {
    /// The argument that holds the text in a [`ToolCall`].
    pub const ARGUMENT: &'static str = "input";

    /// The text of a call.
    fn text(call: &ToolCall) -> Cow<'_, str> {
        let given: Option<Value> = serde_json::from_str(&call.arguments).ok();
        match given.as_ref().and_then(|given| given[Self::ARGUMENT].as_str()) {
            Some(text) => Cow::Owned(text.to_owned()),
            None => Cow::Borrowed(&call.arguments),
        }
    }
}

/// The `content` of an assistant message that only calls tools.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Silent {
    /// `null`; some servers miss the key otherwise.
    #[default]
    Null,
    Absent,
    /// The empty text.
    Empty,
}

/// How it chooses its words.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Sampling {
    #[serde(deserialize_with = "entry::check::some_amount")]
    pub temperature: Option<f64>,
    #[serde(deserialize_with = "entry::check::some_positive")]
    pub max_tokens: Option<u32>,
}

/// A request encoded for the wire: the bytes that go out, and so the bytes that are recorded.
#[derive(Debug, Clone, PartialEq)]
pub struct WireRequest {
    /// For display and `curl`; `null` for models that are not reached over HTTP.
    pub url: Option<String>,
    pub body: Arc<str>,
    pub streamed: bool,
}

/// Parts of an answer as they arrive.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ModelEvent {
    Text {
        delta: String,
    },
    Reasoning {
        delta: String,
    },
    /// A thought is over: the reasoning since the last one, with the block that the provider wants back. It follows the
    /// texts and calls that came before the thought, and precedes those that came after it. If the provider wants
    /// something back with a text, that block follows the text.
    Sealed {
        #[ts(type = "unknown")]
        block: Value,
    },
    /// `index` numbers the calls of one answer; `id` and `name` come once, `arguments` is appended.
    ToolCall {
        index: u32,
        id: Option<String>,
        name: Option<String>,
        arguments: String,
    },
    /// What the provider wants back with a call that came before: see [`ToolCall::extra`]. The last one counts.
    Extra {
        index: u32,
        #[ts(type = "unknown")]
        extra: Value,
    },
    Usage(Usage),
    Finish {
        reason: FinishReason,
    },
    /// No part of the answer: what happened on the way to it, for the reader of the run.
    Retried(Retried),
}

/// Tokens as the provider counted them. `cached` and `cache_written` are among `input`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    pub input: u32,
    pub output: u32,
    /// Read from the provider's cache.
    pub cached: u32,
    /// Put into the provider's cache.
    #[serde(default)]
    pub cache_written: u32,
}

/// Why an answer is over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum FinishReason {
    Stop,
    ToolCalls,
    Length,
    /// The model refused to answer, or the provider kept the answer back.
    Filtered,
    /// The provider paused in the middle of the answer (`pause_turn`), and would go on with it if asked.
    Paused,
    /// The answer is over by its protocol, which said no reason.
    Unsaid,
    /// Nothing said that the answer is over: its end may be missing.
    PerhapsCut,
    Other {
        reason: String,
    },
}

impl FinishReason {
    /// The model was not done: it would have said more, or something else.
    pub fn is_premature(&self) -> bool {
        match self {
            Self::Length | Self::Filtered | Self::Paused | Self::PerhapsCut => true,
            Self::Stop | Self::ToolCalls | Self::Unsaid | Self::Other { .. } => false,
        }
    }
}

/// A model that can be asked. Three live here: behind a server, rehearsal, recorded.
pub trait ChatModel: Send + Sync {
    /// The name shown for it and recorded with the run.
    fn label(&self) -> &str;
    /// The bytes that [`ChatModel::send`] would send.
    fn encode(&self, request: &ModelRequest) -> WireRequest;
    /// Sends and streams the answer. Dropping the stream cancels the request and closes its connection.
    fn send(&self, wire: &WireRequest, request: &ModelRequest) -> BoxStream<'static, Result<ModelEvent, ModelError>>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_something_else_and_thinks_and_calls_the_same() {
        let text = |text: &str| Part::Text { text: text.into() };
        let thought = || Part::Reasoning { text: "hm".into(), block: None };
        let call = || Part::ToolCall(ToolCall::new("a", "load", "{}"));
        let says = |parts: Vec<Part>, said: &str| Message { role: Role::Assistant, parts }.saying(said).parts;
        assert_eq!(says(vec![thought(), text("one"), call(), text("two")], "x"), [thought(), text("x"), call()]);
        assert_eq!(says(vec![thought(), call()], "x"), [thought(), text("x"), call()]);
        assert_eq!(says(vec![thought(), text("one"), call()], ""), [thought(), call()]);
        assert_eq!(says(Vec::new(), "x"), [text("x")]);
    }

    #[test]
    fn joins_text_parts_and_finds_calls_and_results() {
        let call = ToolCall::new("a", "load_skill", "{}");
        let result = ToolResult { call_id: "a".into(), text: "x".into(), wire: None, is_error: false };
        let message = Message {
            role: Role::Assistant,
            parts: vec![
                Part::Reasoning { text: "hm".into(), block: None },
                Part::Text { text: "one ".into() },
                Part::ToolCall(call.clone()),
                Part::Text { text: "two".into() },
                Part::ToolResult(result.clone()),
            ],
        };
        assert_eq!(message.text(), "one two");
        assert_eq!(message.reasoning(), "hm");
        assert_eq!(message.calls().collect::<Vec<_>>(), vec![&call]);
        assert_eq!(message.results().collect::<Vec<_>>(), vec![&result]);
    }

    #[test]
    fn sends_the_wire_form_of_a_result_where_there_is_one() {
        let plain = ToolResult { call_id: "a".into(), text: "x\n".into(), wire: None, is_error: false };
        assert_eq!(plain.on_wire(), "x\n");
        let encoded = ToolResult { wire: Some("\"x\\n\"".into()), ..plain };
        assert_eq!(encoded.on_wire(), "\"x\\n\"");
    }
}
