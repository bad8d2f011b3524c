//! OpenAI Responses.

use serde_json::Value;

use super::{ShownMessage, call, items, role, text};
use model::Role;

pub fn is_shape_of(body: &Value) -> bool {
    body.get("messages").is_none() && ["input", "instructions"].iter().any(|key| body.get(key).is_some())
}

/// Everything that the model thought, said and called in a row is one message.
pub fn messages(body: &Value) -> Vec<ShownMessage> {
    let instructions = body["instructions"].as_str().map(|text| ShownMessage::said(Role::System, text.into()));
    let mut shown = Vec::from_iter(instructions);
    if let Value::String(prompt) = &body["input"] {
        shown.push(ShownMessage::said(Role::User, prompt.clone()));
    }
    let mut answers = false;
    for item in items(&body["input"]).filter(|item| !is_tools(item)) {
        let went_on = std::mem::replace(&mut answers, is_answer(item));
        if !answers {
            shown.push(other(item));
            continue;
        }
        if !went_on {
            shown.push(ShownMessage::said(Role::Assistant, String::new()));
        }
        if let Some(answer) = shown.last_mut() {
            add(item, answer);
        }
    }
    shown
}

/// Tools that are an item of the conversation, on their own and in namespaces.
pub fn tools(body: &Value) -> impl Iterator<Item = &Value> {
    let given = items(&body["input"]).filter(|item| is_tools(item)).flat_map(|item| items(&item["tools"]));
    given.flat_map(|tool| {
        let inside = tool["type"] == "namespace";
        items(&tool["tools"]).filter(move |_| inside).chain(Some(tool).filter(|_| !inside))
    })
}

fn is_tools(item: &Value) -> bool {
    item["type"] == "additional_tools"
}

fn is_answer(item: &Value) -> bool {
    match item["type"].as_str() {
        Some("message") | None => item["role"] == "assistant",
        Some(kind) => kind == "reasoning" || kind.ends_with("_call"),
    }
}

/// Thoughts are not shown: only the provider can read what was sent.
fn add(item: &Value, answer: &mut ShownMessage) {
    match item["type"].as_str() {
        Some("message") | None => answer.text.push_str(&text(&item["content"])),
        Some("function_call") => answer.calls.push(call(&item["call_id"], &item["name"], &item["arguments"])),
        Some("custom_tool_call") => answer.calls.push(call(&item["call_id"], &item["name"], &item["input"])),
        Some("reasoning") => {}
        Some(_) => answer.text.push_str(&item.to_string()),
    }
}

fn other(item: &Value) -> ShownMessage {
    match item["type"].as_str() {
        Some("message") | None => ShownMessage::of(role(item), &item["content"]),
        Some(kind) if kind.ends_with("_output") => ShownMessage::result(&item["call_id"], &item["output"]),
        Some(_) => ShownMessage::said(Role::User, item.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use crate::context::wire::tests::{call, message, result};
    use crate::context::wire::{Shown, ShownTool, read};

    use super::*;

    #[test]
    fn reads_what_it_can() {
        let body = r#"{"instructions": "a", "input": [
            {"type": "message", "role": "system", "content": "b"},
            {"role": "user", "content": [{"type": "input_text", "text": "hi "}, {"type": "input_text", "text": "there"}]},
            {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "x"},
            {"type": "message", "role": "assistant", "content": "One "},
            {"type": "function_call", "call_id": "c", "name": "f", "arguments": "{\"n\": 1.50}"},
            {"role": "assistant", "content": [{"type": "output_text", "text": "moment."}]},
            {"type": "web_search_call", "id": "ws_1"},
            {"type": "custom_tool_call", "call_id": "d", "name": "g", "input": "x = 1"},
            {"type": "function_call_output", "call_id": "c", "output": "1"},
            {"type": "custom_tool_call_output", "call_id": "d", "output": [{"type": "input_text", "text": "2"}]},
            {"type": "function_call", "call_id": "e", "name": "f", "arguments": null},
            {"type": "item_reference", "id": "m"},
            7
        ], "tools": [{"type": "function", "name": "f"}]}"#;
        let expected = Shown {
            tools: vec![ShownTool {
                name: "f".into(),
                json: "{\n  \"type\": \"function\",\n  \"name\": \"f\"\n}".into(),
                cache_point: false,
            }],
            messages: vec![
                message(Role::System, "a"),
                message(Role::System, "b"),
                message(Role::User, "hi there"),
                ShownMessage {
                    calls: vec![call("c", "f", r#"{"n": 1.50}"#), call("d", "g", "x = 1")],
                    ..message(Role::Assistant, r#"One moment.{"type":"web_search_call","id":"ws_1"}"#)
                },
                result("c", "1"),
                result("d", "2"),
                ShownMessage { calls: vec![call("e", "f", "")], ..message(Role::Assistant, "") },
                message(Role::User, r#"{"type":"item_reference","id":"m"}"#),
                message(Role::User, ""),
            ],
        };
        assert_eq!(read(body), expected);
        let given = read(
            r#"{"input": [{"type": "additional_tools", "role": "developer", "tools": [
                {"type": "namespace", "name": "functions", "tools": [{"type": "function", "name": "f"}]},
                {"type": "custom", "name": "g"}
            ]}, {"role": "user", "content": "hi"}]}"#,
        );
        assert_eq!(given.tools.iter().map(|tool| tool.name.as_str()).collect::<Vec<_>>(), ["f", "g"]);
        assert_eq!(given.messages, [message(Role::User, "hi")]);
        let prompt = read(r#"{"model": "m", "input": "hi"}"#).messages;
        assert_eq!(prompt, [message(Role::User, "hi")]);
    }
}
