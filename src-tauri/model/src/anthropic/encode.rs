//! The request body.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::Value;

use crate::objects::{Input, is_blank, schema};
use crate::{Document, Image, Message, ModelRequest, Part, Role, Sampling, ToolCall, ToolChoice, ToolDef, ToolResult};
use crate::{has_media, of_result};

/// The protocol requires a limit of the answer. This one is used if none is set; every model accepts it.
pub const MAX_TOKENS: u32 = 4096;

/// The API refuses more cache points than this.
const CACHE_POINTS: usize = 4;

/// The body of a Messages request. The same input gives the same bytes; text beyond ASCII is written as it is, and so
/// are arguments of calls.
///
/// `defaults` apply to what the request itself does not set.
pub fn encode(model: &str, request: &ModelRequest, streamed: bool, defaults: &Sampling) -> String {
    let tools = request.tools.iter().map(WireTool::of).collect();
    let mut body = Body {
        model,
        max_tokens: request.parameters.max_tokens.or(defaults.max_tokens).unwrap_or(MAX_TOKENS),
        system: Vec::new(),
        messages: Vec::new(),
        tools,
        tool_choice: request.tool_choice.filter(|_| !request.tools.is_empty()).map(WireChoice::of),
        temperature: request.parameters.temperature.or(defaults.temperature),
        stream: streamed,
        joins: request.dialect.user_parts,
    };
    if request.dialect.cache_tools {
        body.put_cache_point();
    }
    request.messages.iter().for_each(|message| body.add(message));
    body.drop_early_cache_points();
    serde_json::to_string(&body).expect("text, numbers and JSON values can always be written as JSON")
}

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    max_tokens: u32,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    system: Vec<Block<'a>>,
    messages: Vec<WireMessage<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<WireTool<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<WireChoice>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    stream: bool,
    /// What the user says behind results is in their message.
    #[serde(skip)]
    joins: bool,
}

#[derive(Serialize)]
struct WireMessage<'a> {
    role: WireRole,
    content: Vec<Block<'a>>,
    /// It is the user's, and all of it are results of tools.
    #[serde(skip)]
    is_results: bool,
}

#[derive(Serialize, Clone, Copy, PartialEq)]
#[serde(rename_all = "lowercase")]
enum WireRole {
    User,
    Assistant,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Block<'a> {
    Text {
        text: Cow<'a, str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        cache_control: Option<CacheControl>,
    },
    ToolUse {
        id: &'a str,
        name: &'a str,
        input: Input<'a>,
        #[serde(skip_serializing_if = "Option::is_none")]
        cache_control: Option<CacheControl>,
    },
    ToolResult {
        tool_use_id: &'a str,
        #[serde(skip_serializing_if = "ResultContent::is_empty")]
        content: ResultContent<'a>,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        is_error: bool,
        #[serde(skip_serializing_if = "Option::is_none")]
        cache_control: Option<CacheControl>,
    },
    Image {
        source: Source<'a>,
        #[serde(skip_serializing_if = "Option::is_none")]
        cache_control: Option<CacheControl>,
    },
    Document {
        source: Source<'a>,
        title: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        cache_control: Option<CacheControl>,
    },
    /// As the provider sent it.
    #[serde(untagged)]
    Thought(&'a Value),
}

#[derive(Serialize)]
#[serde(untagged)]
enum ResultContent<'a> {
    Text(&'a str),
    /// Of a result with pictures or files.
    Blocks(Vec<Block<'a>>),
}

impl ResultContent<'_> {
    fn is_empty(&self) -> bool {
        matches!(self, Self::Text(""))
    }
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Source<'a> {
    Base64 { media_type: &'static str, data: &'a str },
    Text { media_type: &'static str, data: String },
}

#[derive(Serialize)]
struct WireTool<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    description: &'a str,
    input_schema: Cow<'a, Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cache_control: Option<CacheControl>,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum WireChoice {
    Auto,
    None,
}

#[derive(Serialize, Clone, Copy)]
#[serde(tag = "type", rename_all = "lowercase")]
enum CacheControl {
    Ephemeral,
}

impl<'a> Body<'a> {
    fn add(&mut self, message: &'a Message) {
        match message.role {
            Role::System if self.messages.is_empty() => self.add_to_system(message),
            Role::System | Role::User => self.add_said(WireRole::User, message),
            Role::Assistant => self.add_said(WireRole::Assistant, message),
            Role::Tool => self.add_results(message),
        }
    }

    /// One block, so that there is one for each message.
    fn add_to_system(&mut self, message: &'a Message) {
        let mut text = Some(message.text()).filter(|text| !is_blank(text));
        for part in &message.parts {
            match part {
                Part::Text { .. } => self.system.extend(text.take().map(|text| Block::text(text.into()))),
                Part::CachePoint => self.put_cache_point(),
                Part::Reasoning { .. }
                | Part::ToolCall(_)
                | Part::ToolResult(_)
                | Part::Image(_)
                | Part::Document(_) => {}
            }
        }
    }

    fn add_said(&mut self, role: WireRole, message: &'a Message) {
        if self.joins && role == WireRole::User && self.messages.last().is_some_and(|last| last.is_results) {
            for part in &message.parts {
                match part {
                    Part::CachePoint => self.put_cache_point(),
                    part => self.messages.last_mut().expect("it was looked at").add(part),
                }
            }
            if let Some(written) = self.messages.last_mut() {
                written.content.retain(|block| !block.is_blank());
            }
            return;
        }
        self.messages.push(WireMessage { role, content: Vec::new(), is_results: false });
        for part in &message.parts {
            match part {
                Part::CachePoint => self.put_cache_point(),
                part => self.messages.last_mut().expect("it was just put there").add(part),
            }
        }
        if let Some(written) = self.messages.last_mut() {
            written.content.retain(|block| !block.is_blank());
            // The API refuses a message that ends with a thought.
            while written.content.pop_if(|block| matches!(block, Block::Thought(_))).is_some() {}
        }
        self.messages.pop_if(|written| written.content.is_empty());
    }

    /// Results come first after the last answer: the API requires it.
    fn add_results(&mut self, message: &'a Message) {
        let begins = |message: &WireMessage| message.is_results || message.role == WireRole::Assistant;
        let round = match self.messages.iter().rposition(begins) {
            Some(place) if self.messages[place].is_results => place,
            Some(answer) => answer + 1,
            None => self.messages.len(),
        };
        if !self.messages.get(round).is_some_and(|message| message.is_results) {
            let results = WireMessage { role: WireRole::User, content: Vec::new(), is_results: true };
            self.messages.insert(round, results);
        }
        for (place, part) in message.parts.iter().enumerate() {
            match part {
                Part::ToolResult(result) => {
                    let block = Block::result(result, of_result(&message.parts, place));
                    self.messages[round].content.push(block);
                }
                Part::CachePoint => self.put_cache_point(),
                Part::Text { .. } | Part::Reasoning { .. } | Part::ToolCall(_) | Part::Image(_) | Part::Document(_) => {
                }
            }
        }
        if self.messages[round].content.is_empty() {
            self.messages.remove(round);
        }
    }

    fn put_cache_point(&mut self) {
        if let Some(place) = self.cache_controls().next_back() {
            *place = Some(CacheControl::Ephemeral);
        }
    }

    fn drop_early_cache_points(&mut self) {
        let points = self.cache_controls().rev().filter(|place| place.is_some());
        points.skip(CACHE_POINTS).for_each(|place| *place = None);
    }

    /// The places for cache points, in the order in which the API caches.
    fn cache_controls(&mut self) -> impl DoubleEndedIterator<Item = &mut Option<CacheControl>> {
        let said = self.messages.iter_mut().flat_map(|message| &mut message.content);
        let blocks = self.system.iter_mut().chain(said).filter_map(Block::cache_control);
        self.tools.iter_mut().map(|tool| &mut tool.cache_control).chain(blocks)
    }
}

impl<'a> WireMessage<'a> {
    fn add(&mut self, part: &'a Part) {
        let answers = self.role == WireRole::Assistant;
        match part {
            Part::Text { text } => self.add_text(text),
            Part::ToolCall(call) if answers => self.content.push(Block::call(call)),
            Part::Reasoning { block: Some(block), .. } if answers && is_thought(block) => {
                self.content.push(Block::Thought(block));
            }
            part @ (Part::Image(_) | Part::Document(_)) if !answers => self.content.extend(Block::medium(part)),
            Part::ToolCall(_)
            | Part::Reasoning { .. }
            | Part::ToolResult(_)
            | Part::Image(_)
            | Part::Document(_)
            | Part::CachePoint => {}
        }
    }

    /// A separate block, except for white space, which is joined to a text.
    fn add_text(&mut self, added: &'a str) {
        match self.content.last_mut() {
            Some(Block::Text { text, cache_control: None }) if is_blank(text) || is_blank(added) => {
                text.to_mut().push_str(added);
            }
            _ => self.content.push(Block::text(added.into())),
        }
    }
}

impl<'a> Block<'a> {
    fn text(text: Cow<'a, str>) -> Self {
        Self::Text { text, cache_control: None }
    }

    fn call(call: &'a ToolCall) -> Self {
        Self::ToolUse { id: &call.id, name: &call.name, input: Input::of(&call.arguments), cache_control: None }
    }

    fn image(image: &'a Image) -> Self {
        let source = Source::Base64 { media_type: image.media_type.media_type(), data: &image.data };
        Self::Image { source, cache_control: None }
    }

    /// The API takes PDF, and plain text; of another file, a line says that it is left out.
    fn document(document: &'a Document) -> Self {
        let source = match (document.format.as_str(), document.text()) {
            ("pdf", _) => Source::Base64 { media_type: document.media_type(), data: &document.data },
            (_, Some(data)) => Source::Text { media_type: "text/plain", data },
            (_, None) => {
                let line = format!("[{}: left out, as this protocol takes PDF and text]", document.described());
                return Self::text(line.into());
            }
        };
        Self::Document { source, title: &document.name, cache_control: None }
    }

    /// A picture or a file.
    fn medium(part: &'a Part) -> Option<Self> {
        match part {
            Part::Image(image) => Some(Self::image(image)),
            Part::Document(document) => Some(Self::document(document)),
            _ => None,
        }
    }

    /// `behind`: its pictures and files are in there.
    fn result(result: &'a ToolResult, behind: &'a [Part]) -> Self {
        let text = Some(result.on_wire()).filter(|text| !is_blank(text)).unwrap_or_default();
        let content = match has_media(behind) {
            false => ResultContent::Text(text),
            true => {
                let said = Some(text).filter(|text| !text.is_empty()).map(|text| Block::text(text.into()));
                ResultContent::Blocks(said.into_iter().chain(behind.iter().filter_map(Block::medium)).collect())
            }
        };
        Self::ToolResult { tool_use_id: &result.call_id, content, is_error: result.is_error, cache_control: None }
    }

    fn is_blank(&self) -> bool {
        matches!(self, Self::Text { text, .. } if is_blank(text))
    }

    /// `None`: the API refuses a cache point here.
    fn cache_control(&mut self) -> Option<&mut Option<CacheControl>> {
        match self {
            Self::Text { text, .. } if is_blank(text) => None,
            Self::Text { cache_control, .. }
            | Self::ToolUse { cache_control, .. }
            | Self::ToolResult { cache_control, .. }
            | Self::Image { cache_control, .. }
            | Self::Document { cache_control, .. } => Some(cache_control),
            Self::Thought(_) => None,
        }
    }
}

impl<'a> WireTool<'a> {
    fn of(tool: &'a ToolDef) -> Self {
        let input_schema = schema(&tool.parameters);
        Self { name: &tool.name, description: &tool.description, input_schema, cache_control: None }
    }
}

impl WireChoice {
    fn of(choice: ToolChoice) -> Self {
        match choice {
            ToolChoice::Auto => Self::Auto,
            ToolChoice::None => Self::None,
        }
    }
}

fn is_thought(block: &Value) -> bool {
    matches!(block["type"].as_str(), Some("thinking" | "redacted_thinking"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn text(text: &str) -> Part {
        Part::Text { text: text.into() }
    }

    fn call(id: &str, arguments: &str) -> Part {
        Part::ToolCall(ToolCall::new(id, "load_skill", arguments))
    }

    fn result(id: &str, said: &str) -> Part {
        Part::ToolResult(ToolResult { call_id: id.into(), text: said.into(), wire: None, is_error: false })
    }

    fn message(role: Role, parts: impl Into<Vec<Part>>) -> Message {
        Message { role, parts: parts.into() }
    }

    fn tool(parameters: Value) -> ToolDef {
        ToolDef { name: "load_skill".into(), description: "Loads a skill".into(), parameters }
    }

    fn written(request: &ModelRequest) -> Value {
        serde_json::from_str(&encode("m", request, false, &Sampling::default())).unwrap()
    }

    /// The messages of the wire.
    fn messages(messages: impl Into<Vec<Message>>) -> Value {
        let request = ModelRequest { messages: messages.into(), ..ModelRequest::default() };
        written(&request)["messages"].take()
    }

    fn said(role: &str, texts: &[&str]) -> Value {
        let blocks: Vec<_> = texts.iter().map(|text| json!({"type": "text", "text": text})).collect();
        json!({"role": role, "content": blocks})
    }

    #[test]
    fn leaves_out_thoughts_that_nothing_follows() {
        let thought = || Part::Reasoning {
            text: "Hm".into(),
            block: Some(json!({"type": "thinking", "thinking": "Hm", "signature": "s"})),
        };
        let messages = vec![
            message(Role::Assistant, [thought(), text("Yes."), thought(), text("")]),
            message(Role::Assistant, [thought()]),
        ];
        let request = ModelRequest { messages, ..ModelRequest::default() };
        let body: Value = serde_json::from_str(&encode("m", &request, false, &Sampling::default())).unwrap();
        let said =
            [json!({"type": "thinking", "thinking": "Hm", "signature": "s"}), json!({"type": "text", "text": "Yes."})];
        assert_eq!(body["messages"], json!([{"role": "assistant", "content": said}]));
    }

    #[test]
    fn writes_every_kind_of_message_in_a_fixed_order_of_keys() {
        let failed =
            ToolResult { call_id: "c2".into(), text: "千".into(), wire: Some("\"千\"".into()), is_error: true };
        let thinking = json!({"type": "thinking", "thinking": "hm", "signature": "c2ln"});
        let request = ModelRequest {
            messages: vec![
                Message::system("You have <skills>."),
                Message::user("一公斤有几磅?"),
                message(
                    Role::Assistant,
                    [
                        Part::Reasoning { text: "hm".into(), block: Some(thinking) },
                        text("Wait."),
                        call("c1", "{\"n\": 1.50}"),
                        call("c2", "{}"),
                    ],
                ),
                message(Role::Tool, [result("c1", "2.2")]),
                Message::tool_result(failed),
            ],
            tools: vec![tool(json!({"type": "object", "required": ["z"], "properties": {"z": {}, "a": {}}}))],
            tool_choice: Some(ToolChoice::Auto),
            ..ModelRequest::default()
        };
        let sampling = Sampling { temperature: Some(0.5), max_tokens: Some(100) };
        assert_eq!(
            encode("some-model", &request, true, &sampling),
            concat!(
                r#"{"model":"some-model","max_tokens":100,"system":[{"type":"text","text":"You have <skills>."}],"#,
                r#""messages":[{"role":"user","content":[{"type":"text","text":"一公斤有几磅?"}]},"#,
                r#"{"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"c2ln"},"#,
                r#"{"type":"text","text":"Wait."},"#,
                r#"{"type":"tool_use","id":"c1","name":"load_skill","input":{"n": 1.50}},"#,
                r#"{"type":"tool_use","id":"c2","name":"load_skill","input":{}}]},"#,
                r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"2.2"},"#,
                r#"{"type":"tool_result","tool_use_id":"c2","content":"\"千\"","is_error":true}]}],"#,
                r#""tools":[{"name":"load_skill","description":"Loads a skill","#,
                r#""input_schema":{"type":"object","required":["z"],"properties":{"z":{},"a":{}}}}],"#,
                r#""tool_choice":{"type":"auto"},"temperature":0.5,"stream":true}"#,
            )
        );
    }

    #[test]
    fn leaves_out_what_is_not_set_but_for_the_limit() {
        let mut request = ModelRequest {
            messages: vec![Message::user("hi")],
            tool_choice: Some(ToolChoice::None),
            ..ModelRequest::default()
        };
        assert_eq!(
            encode("m", &request, false, &Sampling::default()),
            r#"{"model":"m","max_tokens":4096,"messages":[{"role":"user","content":[{"type":"text","text":"hi"}]}],"stream":false}"#
        );
        request.parameters = Sampling { temperature: Some(0.0), max_tokens: None };
        request.tools = vec![tool(Value::Null), tool(json!({"properties": {}}))];
        request.tools[1].description.clear();
        let defaults = Sampling { temperature: Some(1.0), max_tokens: Some(5) };
        assert_eq!(
            encode("m", &request, false, &defaults),
            concat!(
                r#"{"model":"m","max_tokens":5,"messages":[{"role":"user","content":[{"type":"text","text":"hi"}]}],"#,
                r#""tools":[{"name":"load_skill","description":"Loads a skill","input_schema":{"type":"object"}},"#,
                r#"{"name":"load_skill","input_schema":{"type":"object","properties":{}}}],"#,
                r#""tool_choice":{"type":"none"},"temperature":0.0,"stream":false}"#,
            )
        );
    }

    #[test]
    fn system_messages_are_blocks_at_the_head_and_the_users_further_on() {
        let request = ModelRequest {
            messages: vec![
                message(Role::System, [text("a"), text("b")]),
                Message::system(" \n"),
                Message::system("c"),
                Message::user("hi"),
                Message::system("Be brief."),
            ],
            ..ModelRequest::default()
        };
        let body = written(&request);
        assert_eq!(body["system"], json!([{"type": "text", "text": "ab"}, {"type": "text", "text": "c"}]));
        assert_eq!(body["messages"], json!([said("user", &["hi"]), said("user", &["Be brief."])]));
    }

    #[test]
    fn never_writes_a_text_of_nothing_but_space() {
        let history = [
            message(Role::User, [text(" "), text("a"), text(""), text("\n"), text("b"), text("c ")]),
            Message::user(""),
            message(Role::Assistant, [text("\n\n"), call("x", " "), text(" ")]),
            message(Role::Tool, [result("x", "\n")]),
            Message::assistant("\t"),
        ];
        assert_eq!(
            messages(history),
            json!([
                said("user", &[" a\n", "b", "c "]),
                {"role": "assistant", "content": [{"type": "tool_use", "id": "x", "name": "load_skill", "input": {}}]},
                {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "x"}]},
            ])
        );
    }

    #[test]
    fn shows_the_model_arguments_that_are_no_object_as_it_wrote_them() {
        let odd = ["city=Oslo\n", "{\"city\":", "[1]", "\"x\"", r#"{"a":"\ud83d"}"#];
        let history = odd.map(|arguments| message(Role::Assistant, [call("x", arguments)]));
        let inputs: Vec<Value> =
            messages(history).as_array().unwrap().iter().map(|sent| sent["content"][0]["input"].clone()).collect();
        assert_eq!(inputs, odd.map(|text| json!({"INVALID_JSON": text})));
    }

    #[test]
    fn results_of_a_round_are_one_message_in_front_of_what_the_user_says() {
        let round = || message(Role::Assistant, [call("a", ""), call("b", ""), call("c", "")]);
        let history = [
            round(),
            message(Role::Tool, [result("a", "1"), result("b", "2")]),
            Message::user("and"),
            message(Role::Tool, [result("c", "3"), text("not sent")]),
            round(),
            Message::user("or"),
            message(Role::Tool, [result("c", "4")]),
            message(Role::Tool, []),
        ];
        let sent = messages(history);
        let results = |results: &[(&str, &str)]| {
            let blocks: Vec<_> = results
                .iter()
                .map(|(id, text)| json!({"type": "tool_result", "tool_use_id": id, "content": text}))
                .collect();
            json!({"role": "user", "content": blocks})
        };
        assert_eq!(
            [&sent[1], &sent[2], &sent[4], &sent[5], &sent[6]],
            [
                &results(&[("a", "1"), ("b", "2"), ("c", "3")]),
                &said("user", &["and"]),
                &results(&[("c", "4")]),
                &said("user", &["or"]),
                &Value::Null,
            ]
        );
    }

    #[test]
    fn sends_back_only_thoughts_of_this_protocol_and_those_in_their_places() {
        let thought = |block: Option<Value>| Part::Reasoning { text: "hm".into(), block };
        let thinking = json!({"signature": "s", "type": "thinking", "thinking": "hm", "more": [1.0]});
        let redacted = json!({"type": "redacted_thinking", "data": "…"});
        let history = [
            message(Role::Assistant, [thought(None)]),
            message(
                Role::Assistant,
                [
                    thought(Some(thinking.clone())),
                    text("a"),
                    thought(Some(json!({"type": "reasoning", "id": "rs_1"}))),
                    thought(Some(redacted.clone())),
                    text("b"),
                ],
            ),
        ];
        let block = |text: &str| json!({"type": "text", "text": text});
        let sent = messages(history);
        assert_eq!(sent, json!([{"role": "assistant", "content": [thinking, block("a"), redacted, block("b")]}]));
        assert_eq!(sent[0]["content"][0].to_string(), thinking.to_string(), "in its order of keys");
    }

    #[test]
    fn puts_cache_points_on_the_blocks_before_them() {
        let point = Part::CachePoint;
        let thinking = Part::Reasoning { text: String::new(), block: Some(json!({"type": "thinking"})) };
        let mut request = ModelRequest {
            messages: vec![
                message(Role::System, [point.clone(), text("s"), point.clone()]),
                message(Role::User, [text("a"), point.clone(), text(" "), point.clone(), text("b")]),
                message(Role::Assistant, [call("x", ""), thinking, point.clone(), point.clone(), text("c")]),
                message(Role::Tool, [result("x", "r"), point.clone()]),
            ],
            tools: vec![tool(json!({"type": "object"})), tool(json!({"type": "object"}))],
            ..ModelRequest::default()
        };
        let ephemeral = json!({"type": "ephemeral"});
        let marked = |body: &Value| {
            let said = body["messages"].as_array().unwrap().iter().flat_map(|message| message["content"].as_array());
            let lists = [&body["tools"], &body["system"]].into_iter().filter_map(Value::as_array).chain(said);
            let blocks = lists.flatten();
            blocks
                .map(|block| block.get("cache_control").inspect(|mark| assert_eq!(**mark, ephemeral)).is_some())
                .collect::<Vec<_>>()
        };
        // Tools, tools, s, a, b, the call, the thought, c, the result.
        let all = [false, false, true, true, false, true, false, false, true];
        assert_eq!(marked(&written(&request)), all, "the one on the tools is the fifth from the end");
        request.messages.pop();
        assert_eq!(marked(&written(&request)), [false, true, true, true, false, true, false, false]);
        request.messages.truncate(1);
        request.messages[0].parts.remove(0);
        request.dialect.cache_tools = true;
        assert_eq!(marked(&written(&request)), [false, true, true], "the dialect says it of the tools");
        request.tools.clear();
        request.messages = vec![message(Role::User, [point, text("a")])];
        assert_eq!(marked(&written(&request)), [false], "there is nothing before it");
    }
}
