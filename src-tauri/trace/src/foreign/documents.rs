//! Files of requests: OpenAI chat completions, Anthropic Messages and OpenAI Responses. Each object is a conversation; bare
//! messages, one a line, are one together.

use serde_json::{Map, Value};

use super::plain::{Content, call, content, finish, items, text, usage};
use super::record::{Answer, Record, Reply};
use super::{Foreign, Format, Given, Out};
use model::Role;
use wording::{Message, message};

pub struct Documents {
    foreign: Foreign,
    /// Bare messages so far.
    gathered: Vec<Value>,
    lines: Vec<(u32, String)>,
}

impl Documents {
    pub fn new(foreign: Foreign) -> Self {
        Self { foreign, gathered: Vec::new(), lines: Vec::new() }
    }
}

impl Format for Documents {
    fn take(&mut self, given: Given<'_>, out: &mut Out<'_>) {
        let Given { line, text, value } = given;
        let is_message = value.get("role").is_some() && value.get("messages").is_none();
        let is_item =
            self.foreign == Foreign::OpenaiResponses && value.get("type").is_some() && value.get("object").is_none();
        if is_message || is_item {
            self.gathered.push(value);
            self.lines.push((line, text.to_owned()));
            return;
        }
        let mut record = Record::new(self.foreign, out.at);
        record.source(line, text);
        let known = match value {
            Value::Array(messages) => tell(self.foreign, &Map::new(), &messages, &Value::Null, &mut record, out),
            value => match object(self.foreign, &value, &mut record, out) {
                Ok(known) => known,
                Err(reason) => return out.unread(line, reason),
            },
        };
        match known {
            true => out.run(record),
            false => out.unknown(&name_of(text)),
        }
    }

    fn end(&mut self, out: &mut Out<'_>) {
        if self.gathered.is_empty() {
            return;
        }
        let mut record = Record::new(self.foreign, out.at);
        self.lines.drain(..).for_each(|(line, text)| record.source(line, &text));
        tell(self.foreign, &Map::new(), &self.gathered, &Value::Null, &mut record, out);
        out.run(record);
    }
}

fn name_of(text: &str) -> String {
    let value: Value = serde_json::from_str(text).unwrap_or_default();
    let keys = value.as_object().map(|fields| fields.keys().cloned().collect::<Vec<_>>().join(", "));
    value["type"].as_str().map(str::to_owned).or(keys).unwrap_or_default()
}

/// The request may be wrapped, as a log of a proxy or a batch file has it, with its answer next to it. The error is why it can be
/// none.
fn object(foreign: Foreign, value: &Value, record: &mut Record, out: &mut Out<'_>) -> Result<bool, Message> {
    let wrapped = ["body", "request", "kwargs"].iter().map(|key| &value[*key]);
    let is_request = |value: &&Value| ["messages", "input"].iter().any(|key| value.get(key).is_some());
    let request = std::iter::once(value).chain(wrapped).find(is_request);
    let answers = ["response", "completion", "output"].iter().map(|key| &value[*key]);
    let answer = answers.chain([value]).map(|answer| if answer["body"].is_object() { &answer["body"] } else { answer });
    let is_answer = |answer: &&Value| {
        answer["choices"].is_array()
            || answer["output"].is_array()
            || answer.is_array()
            || (answer["role"] == "assistant" && answer["content"].is_array())
    };
    let answer = answer.into_iter().find(is_answer).unwrap_or(&Value::Null);
    let empty = Map::new();
    let Some(request) = request.and_then(Value::as_object) else {
        return Ok(!answer.is_null() && tell(foreign, &empty, &[], answer, record, out));
    };
    match (request.get("messages"), request.get("input")) {
        (Some(Value::Array(messages)), _) | (None, Some(Value::Array(messages))) => {
            Ok(tell(foreign, request, messages, answer, record, out))
        }
        (None, Some(Value::String(prompt))) => {
            let prompt = serde_json::json!({ "role": "user", "content": prompt });
            Ok(tell(foreign, request, &[prompt], answer, record, out))
        }
        (Some(_), _) => {
            Err(message!("a list of messages was expected in the field `messages`", "字段 `messages` 应为消息列表"))
        }
        (None, _) => Err(message!(
            "a text or a list of items was expected in the field `input`",
            "字段 `input` 应为文本或条目列表"
        )),
    }
}

/// Fields of a request that its bodies repeat.
const FIELDS: [&str; 5] = ["model", "system", "instructions", "tools", "tool_choice"];

fn tell(
    foreign: Foreign,
    request: &Map<String, Value>,
    messages: &[Value],
    answer: &Value,
    record: &mut Record,
    out: &mut Out<'_>,
) -> bool {
    for name in FIELDS {
        if let Some(value) = request.get(name) {
            record.field(&None, name, value.clone());
        }
    }
    if let Some(model) = request.get("model").or(answer.get("model")).and_then(Value::as_str) {
        record.model(model);
    }
    if foreign == Foreign::OpenaiResponses {
        let mut said = super::responses::Spoken::default();
        messages.iter().for_each(|item| said.take(item, record, out));
        let output = if answer.is_array() { answer } else { &answer["output"] };
        items(output).for_each(|item| said.take(item, record, out));
        said.usage = usage(&answer["usage"]);
        said.flush(record);
    } else {
        messages.iter().for_each(|message| self::message(message, record, out));
        for choice in items(&answer["choices"]).filter(|choice| choice["message"].is_object()).take(1) {
            let answer = Answer {
                usage: usage(&answer["usage"]),
                finish: finish(&choice["finish_reason"]),
                ..self::answer(&choice["message"])
            };
            record.answered(&None, answer);
        }
        if answer["content"].is_array() {
            let known = Answer {
                usage: usage(&answer["usage"]),
                finish: finish(&answer["stop_reason"]),
                ..self::answer(answer)
            };
            record.answered(&None, known);
        }
    }
    record.has_begun()
}

/// A message of either protocol.
pub fn message(message: &Value, record: &mut Record, out: &mut Out<'_>) {
    let within = &None;
    match message["role"].as_str() {
        Some("system" | "developer") => record.shown(within, Role::System, content(&message["content"])),
        Some("assistant" | "model") => record.answered(within, answer(message)),
        Some("tool" | "function") => {
            let id = ["tool_call_id", "name"].iter().find_map(|key| message[*key].as_str()).unwrap_or_default();
            record.replied(within, id, content(&message["content"]), message["is_error"] == true);
        }
        Some("user" | "human") => said(message, record),
        role => out.unknown(role.unwrap_or("?")),
    }
}

/// Results of tools in it are replies, and the rest is the user's.
fn said(message: &Value, record: &mut Record) {
    let Value::Array(blocks) = &message["content"] else {
        return record.said(&None, text(&message["content"]), Some(message));
    };
    let (results, rest): (Vec<_>, Vec<_>) = blocks.iter().cloned().partition(|block| block["type"] == "tool_result");
    for result in &results {
        let id = result["tool_use_id"].as_str().unwrap_or_default();
        record.replied(&None, id, content(&result["content"]), result["is_error"] == true);
    }
    if results.is_empty() || !rest.is_empty() {
        let written = results.is_empty().then_some(message);
        record.said(&None, content(&Value::Array(rest)), written);
    }
}

/// The result of a tool that runs at the provider. What it found is listed; data that only the provider can use is left
/// out.
fn returned(block: &Value) -> Reply {
    let found = &block["content"];
    let code = found["error_code"].as_str();
    let told = |found: &Value| {
        let printed = ["stdout", "stderr", "title", "url"].iter().filter_map(|key| found[*key].as_str());
        let printed: Vec<&str> = printed.filter(|printed| !printed.is_empty()).collect();
        match printed.is_empty() {
            true => content(found),
            false => printed.join("\n").into(),
        }
    };
    let content = match (code, found) {
        (Some(code), _) => code.into(),
        (None, Value::Array(all)) => {
            let all: Vec<Content> = all.iter().map(told).collect();
            let texts: Vec<&str> = all.iter().map(|each| each.text.as_str()).filter(|text| !text.is_empty()).collect();
            let images = all.iter().flat_map(|each| each.images.clone()).collect();
            let documents = all.iter().flat_map(|each| each.documents.clone()).collect();
            Content { text: texts.join("\n"), images, documents }
        }
        (None, found) => told(found),
    };
    let call_id = block["tool_use_id"].as_str().unwrap_or_default().to_owned();
    Reply { call_id, content, is_error: code.is_some() || block["is_error"] == true }
}

/// An answer of either protocol.
pub fn answer(message: &Value) -> Answer {
    let mut answer = Answer::default();
    match &message["content"] {
        Value::Array(blocks) => {
            for block in blocks {
                match block["type"].as_str() {
                    Some("tool_use" | "server_tool_use" | "mcp_tool_use") => {
                        answer.calls.push(call(&block["id"], &block["name"], &block["input"]));
                    }
                    // What the provider's own tools return is in the answer that called them.
                    Some(kind) if kind.ends_with("tool_result") => answer.replies.push(returned(block)),
                    Some("thinking" | "redacted_thinking" | "reasoning") => {
                        let thought = ["thinking", "reasoning", "text"].iter().find_map(|key| block[*key].as_str());
                        answer.reasoning.push_str(thought.unwrap_or_default());
                    }
                    Some(_) | None => answer.text.push_str(&text(&Value::Array(vec![block.clone()]))),
                }
            }
        }
        content => answer.text = text(content),
    }
    for key in ["reasoning_content", "reasoning"] {
        if let Some(thought) = message[key].as_str() {
            answer.reasoning.push_str(thought);
        }
    }
    let called = items(&message["tool_calls"]);
    answer.calls.extend(called.map(|called| {
        // Inspect writes the name of the function where OpenAI has an object.
        match &called["function"] {
            name @ Value::String(_) => call(&called["id"], name, &called["arguments"]),
            function => call(&called["id"], &function["name"], &function["arguments"]),
        }
    }));
    if let Some(refusal) = message["refusal"].as_str() {
        answer.text.push_str(refusal);
    }
    if message["function_call"].is_object() {
        let function = &message["function_call"];
        answer.calls.push(call(&function["name"], &function["name"], &function["arguments"]));
    }
    answer
}
