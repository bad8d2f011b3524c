//! The request body.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::{Value, json};

use super::thoughts;
use crate::{
    Dialect, Document, Image, Message, ModelRequest, Part, Role, Sampling, Silent, ToolCall, ToolChoice, ToolDef,
    documents, has_media,
};

/// The body of a chat completions request. The same input gives the same bytes; text beyond ASCII is written as it is.
///
/// `defaults` apply to what the request itself does not set. Of the reasoning, only what the provider wants back is
/// sent: see [`thoughts`].
pub fn encode(model: &str, request: &ModelRequest, streamed: bool, defaults: &Sampling) -> String {
    let body = Body {
        model,
        messages: wire_messages(request),
        tools: request.tools.iter().map(|tool| WireTool::of(tool, request.dialect)).collect(),
        tool_choice: request.tool_choice.filter(|_| !request.tools.is_empty()).map(word),
        temperature: request.parameters.temperature.or(defaults.temperature),
        max_tokens: request.parameters.max_tokens.or(defaults.max_tokens),
        stream: streamed,
        stream_options: streamed.then_some(StreamOptions { include_usage: true }),
    };
    serde_json::to_string(&body).expect("text, numbers and JSON values can always be written as JSON")
}

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    messages: Vec<WireMessage<'a>>,
    /// Servers refuse an empty list.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<WireTool<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u32>,
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream_options: Option<StreamOptions>,
}

#[derive(Serialize)]
struct StreamOptions {
    include_usage: bool,
}

#[derive(Serialize)]
#[serde(tag = "role", rename_all = "lowercase")]
enum WireMessage<'a> {
    System {
        #[serde(skip_serializing_if = "Option::is_none")]
        name: Option<&'static str>,
        content: WireContent<'a>,
    },
    User {
        #[serde(skip_serializing_if = "Option::is_none")]
        name: Option<&'static str>,
        content: WireContent<'a>,
    },
    Assistant {
        #[serde(skip_serializing_if = "Option::is_none")]
        name: Option<&'static str>,
        #[serde(skip_serializing_if = "WireSaid::is_absent")]
        content: WireSaid<'a>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        tool_calls: Vec<WireCall<'a>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        reasoning_content: Option<String>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        reasoning_details: Vec<Value>,
    },
    Tool {
        tool_call_id: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        name: Option<&'a str>,
        content: WireReply<'a>,
    },
    #[serde(untagged)]
    Dumped(Value),
}

#[derive(Serialize)]
#[serde(untagged)]
enum WireContent<'a> {
    Text(String),
    Parts(Vec<WirePart<'a>>),
}

#[derive(Serialize)]
#[serde(untagged)]
enum WirePart<'a> {
    Text { text: &'a str, r#type: &'static str },
    Image { r#type: &'static str, image_url: WireUrl },
    File { file: WireFile<'a>, r#type: &'static str },
}

#[derive(Serialize)]
#[serde(untagged)]
enum WireReply<'a> {
    Text(&'a str),
    /// Of a result with files.
    Parts(Vec<WirePart<'a>>),
}

#[derive(Serialize)]
struct WireFile<'a> {
    file_data: String,
    filename: &'a str,
}

#[derive(Serialize)]
struct WireUrl {
    url: String,
}

#[derive(Serialize)]
#[serde(untagged)]
enum WireSaid<'a> {
    Text(String),
    Parts(Vec<WirePart<'a>>),
    Null,
    Absent,
}

impl WireSaid<'_> {
    fn is_absent(&self) -> bool {
        matches!(self, Self::Absent)
    }
}

#[derive(Serialize)]
struct WireCall<'a> {
    id: &'a str,
    r#type: &'static str,
    function: WireCalled<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    extra_content: Option<&'a Value>,
}

#[derive(Serialize)]
struct WireCalled<'a> {
    name: &'a str,
    arguments: &'a str,
}

#[derive(Serialize)]
struct WireTool<'a> {
    r#type: &'static str,
    function: WireFunction<'a>,
}

#[derive(Serialize)]
struct WireFunction<'a> {
    name: &'a str,
    description: &'a str,
    parameters: Cow<'a, Value>,
}

/// One message on the wire for each of ours, except for results: the protocol requires a message for each. Such a
/// message has no place for pictures, so these go in a user message after the round's results. Files are in the message
/// itself, as in Strands.
fn wire_messages(request: &ModelRequest) -> Vec<WireMessage<'_>> {
    let dialect = request.dialect;
    let role_name = |name| dialect.named_roles.then_some(name);
    let given = given(request);
    let mut written = Vec::new();
    let mut pictures: Vec<&Image> = Vec::new();
    for (place, message) in request.messages.iter().enumerate() {
        if message.role != Role::Tool {
            written.extend(pictured(&mut pictures, role_name("user")));
        }
        match message.role {
            Role::System => {
                let content = WireContent::of(message, dialect.system_parts);
                written.push(WireMessage::System { name: role_name("system"), content });
            }
            Role::User => {
                let content = WireContent::of(message, dialect.user_parts);
                written.push(WireMessage::User { name: role_name("user"), content });
            }
            Role::Assistant if dialect.dumped => written.push(WireMessage::Dumped(dumped(message))),
            Role::Assistant => {
                let tool_calls: Vec<_> = message.calls().map(WireCall::of).collect();
                let content = WireSaid::of(message, !tool_calls.is_empty(), dialect);
                let name = dialect.assistant_name.filter(|_| place < given);
                // Some servers miss it after calls, and refuse it elsewhere.
                let reasoning_content = thoughts::content(message).filter(|_| !tool_calls.is_empty());
                let reasoning_details = thoughts::details(message);
                written.push(WireMessage::Assistant {
                    name,
                    content,
                    tool_calls,
                    reasoning_content,
                    reasoning_details,
                });
            }
            Role::Tool => {
                pictures.extend(message.images());
                written.extend(message.pictured_results().map(|(result, behind)| {
                    let name = || called_name(&request.messages[..place], &result.call_id);
                    WireMessage::Tool {
                        tool_call_id: &result.call_id,
                        name: dialect.named_results.then(name).flatten(),
                        content: WireReply::of(result.on_wire(), behind),
                    }
                }));
            }
        }
    }
    written.extend(pictured(&mut pictures, role_name("user")));
    written
}

/// The message with the pictures that tools returned; `None` if they returned none.
fn pictured<'a>(pictures: &mut Vec<&Image>, name: Option<&'static str>) -> Option<WireMessage<'a>> {
    let parts: Vec<_> = pictures.drain(..).map(WirePart::image).collect();
    (!parts.is_empty()).then_some(WireMessage::User { name, content: WireContent::Parts(parts) })
}

/// The number of messages at the head that the framework's caller got, which is where names appear.
fn given(request: &ModelRequest) -> usize {
    let Some(asking) = request.dialect.named_once_given else { return request.messages.len() };
    let asks = |message: &Message| message.calls().any(|call| asking.contains(&call.name.as_str()));
    let last = request.messages.iter().rposition(|message| message.role == Role::User || asks(message));
    last.map_or(0, |last| last + 1)
}

/// `ChatCompletionMessage.model_dump()`.
fn dumped(message: &Message) -> Value {
    let calls: Vec<Value> = message
        .calls()
        .map(|call| {
            json!({
                "id": call.id,
                "function": {"arguments": call.arguments, "name": call.name},
                "type": "function",
            })
        })
        .collect();
    let mut dump = json!({
        "content": message.text(),
        "refusal": null,
        "role": "assistant",
        "annotations": null,
        "audio": null,
        "function_call": null,
        "tool_calls": calls,
    });
    let reasoning: String = message
        .parts
        .iter()
        .filter_map(|part| match part {
            Part::Reasoning { text, .. } => Some(text.as_str()),
            _ => None,
        })
        .collect();
    if !reasoning.is_empty() {
        dump["reasoning"] = Value::String(reasoning);
    }
    dump
}

/// The name under which the last call with this id was made.
fn called_name<'a>(before: &'a [Message], id: &str) -> Option<&'a str> {
    let calls = before.iter().rev().flat_map(Message::calls);
    calls.filter(|call| call.id == id).map(|call| call.name.as_str()).next()
}

fn word(choice: ToolChoice) -> &'static str {
    match choice {
        ToolChoice::Auto => "auto",
        ToolChoice::None => "none",
    }
}

impl<'a> WireContent<'a> {
    fn of(message: &'a Message, in_parts: bool) -> Self {
        let in_parts = in_parts || has_media(&message.parts);
        if in_parts { Self::Parts(WirePart::all(message)) } else { Self::Text(message.text()) }
    }
}

impl<'a> WireSaid<'a> {
    fn of(message: &'a Message, calls: bool, dialect: Dialect) -> Self {
        let text = message.text();
        match dialect.silent {
            Silent::Null if calls && text.is_empty() => Self::Null,
            Silent::Absent if calls && text.is_empty() => Self::Absent,
            Silent::Null | Silent::Absent | Silent::Empty if dialect.assistant_parts => {
                Self::Parts(WirePart::all(message))
            }
            Silent::Null | Silent::Absent | Silent::Empty => Self::Text(text),
        }
    }
}

impl<'a> WireReply<'a> {
    fn of(text: &'a str, behind: &'a [Part]) -> Self {
        let mut files = documents(behind).map(WirePart::file).peekable();
        if files.peek().is_none() {
            return Self::Text(text);
        }
        let said = Some(text).filter(|text| !text.is_empty()).map(|text| WirePart::Text { text, r#type: "text" });
        Self::Parts(said.into_iter().chain(files).collect())
    }
}

impl<'a> WirePart<'a> {
    fn image(image: &Image) -> Self {
        Self::Image { r#type: "image_url", image_url: WireUrl { url: image.data_url() } }
    }

    fn file(document: &'a Document) -> Self {
        let file = WireFile { file_data: document.data_url(), filename: &document.name };
        Self::File { file, r#type: "file" }
    }

    /// The texts, pictures and files of a message.
    fn all(message: &'a Message) -> Vec<Self> {
        let texts = message.parts.iter().filter_map(|part| match part {
            Part::Text { text } => Some(Self::Text { text, r#type: "text" }),
            Part::Image(image) => Some(Self::image(image)),
            Part::Document(document) => Some(Self::file(document)),
            Part::Reasoning { .. } | Part::ToolCall(_) | Part::ToolResult(_) | Part::CachePoint => None,
        });
        texts.collect()
    }
}

impl<'a> WireCall<'a> {
    fn of(call: &'a ToolCall) -> Self {
        let function = WireCalled { name: &call.name, arguments: &call.arguments };
        Self { id: &call.id, r#type: "function", function, extra_content: call.extra.as_ref() }
    }
}

impl<'a> WireTool<'a> {
    fn of(tool: &'a ToolDef, dialect: Dialect) -> Self {
        let mut parameters = Cow::Borrowed(&tool.parameters);
        if dialect.closed_parameters
            && let Some(parameters) = parameters.to_mut().as_object_mut()
        {
            parameters.entry("additionalProperties").or_insert(Value::Bool(false));
        }
        let function = WireFunction { name: &tool.name, description: &tool.description, parameters };
        Self { r#type: "function", function }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::ToolResult;

    fn request(messages: Vec<Message>, tools: Vec<ToolDef>) -> ModelRequest {
        ModelRequest { messages, tools, ..ModelRequest::default() }
    }

    #[test]
    fn writes_every_kind_of_message_in_a_fixed_order_of_keys() {
        let call = |id: &str| ToolCall::new(id, "load_skill", "{\"a\":1}");
        let result = |wire: Option<&str>| ToolResult {
            call_id: "c1".into(),
            text: "千克".into(),
            wire: wire.map(str::to_owned),
            is_error: false,
        };
        let messages = vec![
            Message::system("You have <skills>."),
            Message::user("一公斤有几磅?"),
            Message {
                role: Role::Assistant,
                parts: vec![
                    Part::Reasoning { text: "not sent".into(), block: None },
                    Part::Text { text: "Wait.".into() },
                    Part::ToolCall(call("c1")),
                ],
            },
            Message {
                role: Role::Tool,
                parts: vec![Part::ToolResult(result(None)), Part::ToolResult(result(Some("\"千克\"")))],
            },
            Message::tool_calls([call("c2")]),
            Message::assistant(""),
        ];
        let tools = vec![ToolDef {
            name: "load_skill".into(),
            description: "Loads a skill".into(),
            parameters: json!({"type": "object", "required": ["z"], "properties": {"z": {}, "a": {}}}),
        }];
        let sampling = Sampling { temperature: Some(0.5), max_tokens: Some(100) };
        assert_eq!(
            encode("some-model", &request(messages, tools), true, &sampling),
            concat!(
                r#"{"model":"some-model","messages":["#,
                r#"{"role":"system","content":"You have <skills>."},"#,
                r#"{"role":"user","content":"一公斤有几磅?"},"#,
                r#"{"role":"assistant","content":"Wait.","tool_calls":[{"id":"c1","type":"function","#,
                r#""function":{"name":"load_skill","arguments":"{\"a\":1}"}}]},"#,
                r#"{"role":"tool","tool_call_id":"c1","content":"千克"},"#,
                r#"{"role":"tool","tool_call_id":"c1","content":"\"千克\""},"#,
                r#"{"role":"assistant","content":null,"tool_calls":[{"id":"c2","type":"function","#,
                r#""function":{"name":"load_skill","arguments":"{\"a\":1}"}}]},"#,
                r#"{"role":"assistant","content":""}],"#,
                r#""tools":[{"type":"function","function":{"name":"load_skill","description":"Loads a skill","#,
                r#""parameters":{"type":"object","required":["z"],"properties":{"z":{},"a":{}}}}}],"#,
                r#""temperature":0.5,"max_tokens":100,"stream":true,"stream_options":{"include_usage":true}}"#,
            )
        );
    }

    #[test]
    fn sends_back_what_the_provider_wants_back() {
        let thought = |block| Part::Reasoning { text: "hm".into(), block: Some(block) };
        let (said, details) = (json!({"reasoning_content": "a"}), json!({"reasoning_details": [{"type": "x"}]}));
        let signed = json!({"google": {"thought_signature": "s"}});
        let call = Part::ToolCall(ToolCall { extra: Some(signed.clone()), ..ToolCall::new("c", "f", "{}") });
        let text = || Part::Text { text: "Hi".into() };
        let answer = |parts| Message { role: Role::Assistant, parts };
        let foreign = thought(json!({"type": "thinking", "thinking": "hm", "signature": "s"}));
        let messages = vec![
            answer(vec![thought(said.clone()), text(), thought(json!({"reasoning_content": "b"})), call]),
            answer(vec![thought(said), text()]),
            answer(vec![thought(details), foreign, text()]),
        ];
        let written: Value =
            serde_json::from_str(&encode("m", &request(messages, vec![]), false, &Sampling::default())).unwrap();
        let function = json!({"name": "f", "arguments": "{}"});
        let calls = json!([{"id": "c", "type": "function", "function": function, "extra_content": signed}]);
        assert_eq!(
            written["messages"],
            json!([
                {"role": "assistant", "content": "Hi", "tool_calls": calls, "reasoning_content": "ab"},
                {"role": "assistant", "content": "Hi"},
                {"role": "assistant", "content": "Hi", "reasoning_details": [{"type": "x"}]},
            ])
        );
    }

    #[test]
    fn leaves_out_what_is_not_set() {
        assert_eq!(
            encode("m", &request(vec![Message::user("hi")], vec![]), false, &Sampling::default()),
            r#"{"model":"m","messages":[{"role":"user","content":"hi"}],"stream":false}"#
        );
    }

    #[test]
    fn the_requests_own_parameters_win() {
        let parameters = Sampling { temperature: Some(0.0), max_tokens: None };
        let request = ModelRequest { parameters, ..ModelRequest::default() };
        let defaults = Sampling { temperature: Some(1.0), max_tokens: Some(5) };
        assert_eq!(
            encode("m", &request, false, &defaults),
            r#"{"model":"m","messages":[],"temperature":0.0,"max_tokens":5,"stream":false}"#
        );
    }

    #[test]
    fn writes_what_the_protocol_leaves_open_as_the_framework_does() {
        let call = ToolCall::new("c", "skill", "{}");
        let result = ToolResult { call_id: "c".into(), text: "x".into(), wire: None, is_error: false };
        let text = |text: &str| Part::Text { text: text.into() };
        let request = ModelRequest {
            messages: vec![
                Message { role: Role::User, parts: vec![text("a"), text("b"), Part::CachePoint] },
                Message::tool_calls([call]),
                Message::tool_result(result),
                Message::assistant("done"),
            ],
            tools: vec![ToolDef { name: "skill".into(), description: String::new(), parameters: json!({}) }],
            tool_choice: Some(ToolChoice::Auto),
            dialect: Dialect {
                silent: Silent::Absent,
                user_parts: true,
                assistant_parts: true,
                named_results: true,
                assistant_name: Some("agent"),
                ..Dialect::default()
            },
            ..ModelRequest::default()
        };
        let written: Value = serde_json::from_str(&encode("m", &request, false, &Sampling::default())).unwrap();
        assert_eq!(
            written["messages"],
            json!([
                {"role": "user", "content": [{"text": "a", "type": "text"}, {"text": "b", "type": "text"}]},
                {"role": "assistant", "name": "agent", "tool_calls": [
                    {"id": "c", "type": "function", "function": {"name": "skill", "arguments": "{}"}}
                ]},
                {"role": "tool", "tool_call_id": "c", "name": "skill", "content": "x"},
                {"role": "assistant", "name": "agent", "content": [{"text": "done", "type": "text"}]},
            ])
        );
        assert_eq!(written["tool_choice"], "auto");
    }

    #[test]
    fn names_who_speaks_and_the_agent_only_in_what_the_caller_was_given() {
        let request = ModelRequest {
            messages: vec![
                Message::system("s"),
                Message::user("a"),
                Message::assistant("b"),
                Message::user("c"),
                Message::tool_calls([ToolCall::new("1", "ask", "{}")]),
                Message::tool_calls([ToolCall::new("2", "look", "{}")]),
            ],
            dialect: Dialect {
                system_parts: true,
                named_roles: true,
                assistant_name: Some("agent"),
                named_once_given: Some(&["ask"]),
                ..Dialect::default()
            },
            ..ModelRequest::default()
        };
        let written: Value = serde_json::from_str(&encode("m", &request, false, &Sampling::default())).unwrap();
        assert_eq!(
            written["messages"],
            json!([
                {"role": "system", "name": "system", "content": [{"text": "s", "type": "text"}]},
                {"role": "user", "name": "user", "content": "a"},
                {"role": "assistant", "name": "agent", "content": "b"},
                {"role": "user", "name": "user", "content": "c"},
                {"role": "assistant", "name": "agent", "content": null, "tool_calls": [
                    {"id": "1", "type": "function", "function": {"name": "ask", "arguments": "{}"}}
                ]},
                {"role": "assistant", "content": null, "tool_calls": [
                    {"id": "2", "type": "function", "function": {"name": "look", "arguments": "{}"}}
                ]},
            ])
        );
    }
}
