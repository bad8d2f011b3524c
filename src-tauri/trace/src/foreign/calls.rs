//! Requests that are recorded with all their messages: the new part of each is what happened since the one before.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::plain::{Content, call, content};
use super::record::{Answer, Record, Within};
use model::ToolCall;

#[derive(Default)]
pub struct Calls {
    /// Messages that a conversation had so far, with its last answer.
    known: BTreeMap<Within, usize>,
}

impl Calls {
    /// `input`: messages of chat completions. `fields`: of the body apart from them.
    pub fn take(
        &mut self,
        record: &mut Record,
        within: &Within,
        fields: Map<String, Value>,
        input: Vec<Value>,
        body: Option<String>,
        answer: Answer,
    ) {
        let known = self.known.insert(within.clone(), input.len() + 1);
        let is_prompt = |message: &Value| message["role"] == "user";
        let last_prompt = input.iter().rposition(is_prompt);
        for (place, message) in input.iter().enumerate() {
            let said = || content(&message["content"]);
            match message["role"].as_str() {
                Some("tool") => {
                    let id = message["tool_call_id"].as_str().unwrap_or_default();
                    if record.awaits(within, id) {
                        record.replied(within, id, said(), !message["error"].is_null());
                    }
                }
                Some("user")
                    if known.map_or(last_prompt == Some(place), |known| place >= known) && within.is_none() =>
                {
                    record.said(within, said(), None);
                }
                _ => {}
            }
        }
        let body = body.unwrap_or_else(|| {
            let mut body = fields;
            let input = input.into_iter().map(in_chat_form).collect();
            body.insert("messages".to_owned(), Value::Array(input));
            Value::Object(body).to_string()
        });
        record.answered(within, Answer { body: Some(body), ..answer });
    }
}

/// The message with its calls and pictures as chat completions write them.
fn in_chat_form(mut message: Value) -> Value {
    for called in message.get_mut("tool_calls").and_then(Value::as_array_mut).into_iter().flatten() {
        // Inspect writes the name of the function where OpenAI has an object.
        if called["function"].is_string() {
            *called = written(&call(&called["id"], &called["function"], &called["arguments"]));
        }
    }
    let Some(written) = message.get_mut("content") else { return message };
    let said = content(written);
    if !(said.images.is_empty() && said.documents.is_empty()) {
        *written = said.written(false);
    }
    message
}

fn written(call: &ToolCall) -> Value {
    let function = json!({ "name": call.name, "arguments": call.arguments });
    json!({ "id": call.id, "type": "function", "function": function })
}

/// A message of chat completions.
pub fn message(role: &str, content: &Content, calls: &[ToolCall], call_id: Option<&str>) -> Value {
    let mut message = json!({ "role": role, "content": content.written(false) });
    if !calls.is_empty() {
        message["tool_calls"] = calls.iter().map(written).collect();
    }
    if let Some(id) = call_id {
        message["tool_call_id"] = id.into();
    }
    message
}
