//! Requests that are recorded with all their messages: what is new in each is what happened since the one before.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::plain::{Content, content};
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
            let input = input.into_iter().map(with_pictures).collect();
            body.insert("messages".to_owned(), Value::Array(input));
            Value::Object(body).to_string()
        });
        record.answered(within, Answer { body: Some(body), ..answer });
    }
}

/// The message with its pictures as chat completions write them.
fn with_pictures(mut message: Value) -> Value {
    let Some(written) = message.get_mut("content") else { return message };
    let said = content(written);
    if !(said.images.is_empty() && said.documents.is_empty()) {
        *written = said.written(false);
    }
    message
}

/// A message of chat completions.
pub fn message(role: &str, content: &Content, calls: &[ToolCall], call_id: Option<&str>) -> Value {
    let mut message = json!({ "role": role, "content": content.written(false) });
    if !calls.is_empty() {
        let call = |call: &ToolCall| json!({ "id": call.id, "type": "function", "function": { "name": call.name, "arguments": call.arguments } });
        message["tool_calls"] = calls.iter().map(call).collect();
    }
    if let Some(id) = call_id {
        message["tool_call_id"] = id.into();
    }
    message
}
