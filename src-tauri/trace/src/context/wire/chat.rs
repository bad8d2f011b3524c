//! OpenAI chat completions.

use model::{Role, ToolCall};
use serde_json::Value;

use super::{ShownMessage, call, items, role};

/// Thoughts are not shown, as in the other protocols. A message of the user that has nothing but pictures, behind the
/// results of tools, holds what the last of them returned: a result has no place for pictures here.
pub fn messages(body: &Value) -> Vec<ShownMessage> {
    let mut shown: Vec<ShownMessage> = Vec::new();
    for said in items(&body["messages"]).map(message) {
        match shown.last_mut() {
            Some(last) if last.role == Role::Tool && is_pictures(&said) => last.images.extend(said.images),
            Some(_) | None => shown.push(said),
        }
    }
    shown
}

fn is_pictures(said: &ShownMessage) -> bool {
    said.role == Role::User && said.text.is_empty() && said.documents.is_empty() && !said.images.is_empty()
}

fn message(value: &Value) -> ShownMessage {
    let calls = items(&value["tool_calls"]);
    ShownMessage {
        calls: calls.map(called).collect(),
        call_id: value["tool_call_id"].as_str().map(String::from),
        ..ShownMessage::of(role(value), &value["content"])
    }
}

/// With what its provider sent along with it.
fn called(value: &Value) -> ToolCall {
    let extra = value.get("extra_content").filter(|extra| !extra.is_null()).cloned();
    ToolCall { extra, ..call(&value["id"], &value["function"]["name"], &value["function"]["arguments"]) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::wire::tests::{call, message, result};
    use crate::context::wire::{Shown, ShownTool, read};

    #[test]
    fn reads_what_it_can() {
        let body = r#"{"messages": [
            {"role": "developer", "content": [{"type": "text", "text": "a"}, {"type": "image", "url": "u"}]},
            {"role": "assistant", "content": null, "tool_calls": [{"id": "c", "function": {"name": "f", "arguments": {"x": 1}}}]},
            {"role": "tool", "tool_call_id": "c", "content": 5},
            7
        ], "tools": [{"name": "bare"}, {"function": {"name": "f"}}]}"#;
        let expected = Shown {
            tools: vec![
                ShownTool { name: "bare".into(), json: "{\n  \"name\": \"bare\"\n}".into(), cache_point: false },
                ShownTool {
                    name: "f".into(),
                    json: "{\n  \"function\": {\n    \"name\": \"f\"\n  }\n}".into(),
                    cache_point: false,
                },
            ],
            messages: vec![
                message(Role::System, r#"a{"type":"image","url":"u"}"#),
                ShownMessage { calls: vec![call("c", "f", r#"{"x":1}"#)], ..message(Role::Assistant, "") },
                result("c", "5"),
                message(Role::User, ""),
            ],
        };
        assert_eq!(read(body), expected);
    }
}
