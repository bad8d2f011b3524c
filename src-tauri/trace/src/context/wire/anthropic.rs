//! Anthropic Messages.

use serde_json::Value;

use super::{ShownMessage, call, is_cache_point, items, part, role, text};
use model::{Role, written};

/// A conversation that has none of this reads the same as one of chat completions.
pub fn is_shape_of(body: &Value) -> bool {
    let own_blocks = ["tool_use", "tool_result", "thinking", "redacted_thinking"];
    let mut blocks = items(&body["messages"]).flat_map(|message| items(&message["content"]));
    body.get("system").is_some()
        || items(&body["tools"]).any(|tool| tool.get("input_schema").is_some())
        || blocks.any(|block| own_blocks.iter().any(|own| block["type"] == *own))
}

/// Each block of `system`, each result of a tool, and the rest of a message become messages. `written`: the body's
/// JSON.
pub fn messages(body: &Value, written: &str) -> Vec<ShownMessage> {
    let said = |text: String| ShownMessage::said(Role::System, text);
    let mut shown: Vec<ShownMessage> = match &body["system"] {
        Value::Array(blocks) => {
            let block = |block: &Value| ShownMessage { cache_point: is_cache_point(block), ..said(part(block)) };
            blocks.iter().map(block).collect()
        }
        Value::Null => Vec::new(),
        one => vec![said(text(one))],
    };
    let written = written::field(written, "messages").map(written::items).unwrap_or_default();
    for (place, message) in items(&body["messages"]).enumerate() {
        match message["role"].as_str() {
            Some("assistant") => shown.push(answer(message, written.get(place).copied().unwrap_or_default())),
            Some(_) | None => says(message, &mut shown),
        }
    }
    shown
}

/// Thoughts are not shown: only the provider can read what was sent.
fn answer(message: &Value, written: &str) -> ShownMessage {
    let Value::Array(blocks) = &message["content"] else {
        return ShownMessage::of(Role::Assistant, &message["content"]);
    };
    let mut answer = ShownMessage::said(Role::Assistant, String::new());
    let written = written::field(written, "content").map(written::items).unwrap_or_default();
    for (place, block) in blocks.iter().enumerate() {
        answer.cache_point |= is_cache_point(block);
        match block["type"].as_str() {
            Some("thinking" | "redacted_thinking") => {}
            Some("tool_use") => {
                let input = written.get(place).and_then(|block| written::field(block, "input"));
                let mut call = call(&block["id"], &block["name"], &block["input"]);
                call.arguments = input.map_or(call.arguments, str::to_owned);
                answer.calls.push(call);
            }
            Some(_) | None => {
                answer.text.push_str(&part(block));
                answer.add(block);
            }
        }
    }
    answer
}

fn says(message: &Value, shown: &mut Vec<ShownMessage>) {
    let Value::Array(blocks) = &message["content"] else {
        return shown.push(ShownMessage::of(role(message), &message["content"]));
    };
    let mut said: Option<ShownMessage> = None;
    for block in blocks {
        let cache_point = is_cache_point(block);
        if block["type"] == "tool_result" {
            shown.extend(said.take());
            let result = ShownMessage::result(&block["tool_use_id"], &block["content"]);
            shown.push(ShownMessage { cache_point, ..result });
        } else {
            let said = said.get_or_insert_with(|| ShownMessage::said(role(message), String::new()));
            said.text.push_str(&part(block));
            said.add(block);
            said.cache_point |= cache_point;
        }
    }
    shown.extend(said);
}

#[cfg(test)]
mod tests {
    use crate::context::wire::tests::{call, message, result};
    use crate::context::wire::{Shown, ShownTool, read};

    use super::*;

    #[test]
    fn reads_what_it_can() {
        let body = r#"{"system": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}], "messages": [
            {"role": "user", "content": "hi"},
            {"role": "assistant", "content": [
                {"type": "thinking", "thinking": "hm", "signature": "s"},
                {"type": "text", "text": "One "}, {"type": "redacted_thinking", "data": "x"},
                {"type": "tool_use", "id": "c", "name": "f", "input": {"n": 1.50, "m": [ ]}},
                {"type": "text", "text": "moment."}, {"type": "tool_use", "name": 5}, {"type": "new"}]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "c", "content": [{"type": "text", "text": "1"}, {"type": "image"}]},
                {"type": "tool_result", "tool_use_id": "d", "is_error": true},
                {"type": "text", "text": "and"}, {"type": "text", "text": " then", "cache_control": {"type": "ephemeral"}},
                {"type": "tool_result", "content": "2"}]},
            {"role": "assistant", "content": "Yes."},
            {"role": "system", "content": "Be brief."},
            7
        ], "tools": [{"name": "f", "input_schema": {}}]}"#;
        let expected = Shown {
            tools: vec![ShownTool {
                name: "f".into(),
                json: "{\n  \"name\": \"f\",\n  \"input_schema\": {}\n}".into(),
                cache_point: false,
            }],
            messages: vec![
                message(Role::System, "a"),
                message(Role::System, "b"),
                message(Role::User, "hi"),
                ShownMessage {
                    calls: vec![call("c", "f", r#"{"n": 1.50, "m": [ ]}"#), call("", "", "")],
                    ..message(Role::Assistant, r#"One moment.{"type":"new"}"#)
                },
                result("c", r#"1{"type":"image"}"#),
                result("d", ""),
                ShownMessage { cache_point: true, ..message(Role::User, "and then") },
                message(Role::Tool, "2"),
                message(Role::Assistant, "Yes."),
                message(Role::System, "Be brief."),
                message(Role::User, ""),
            ],
        };
        assert_eq!(read(body), expected);
    }

    #[test]
    fn is_recognised_by_fields_that_only_it_has() {
        let user = |content: &str| format!(r#"{{"messages": [{{"role": "user", "content": {content}}}]}}"#);
        for own in [
            r#"{"system": "a"}"#,
            r#"{"tools": [{"name": "f", "input_schema": {}}]}"#,
            &user(r#"[{"type": "tool_result"}]"#),
            &user(r#"[{"type": "tool_use"}]"#),
            &user(r#"[{"type": "thinking"}]"#),
        ] {
            assert!(is_shape_of(&serde_json::from_str(own).unwrap()), "{own}");
        }
        for other in
            [&user(r#""hi""#), &user(r#"[{"type": "text", "text": "hi"}]"#), r#"{"tools": [{"type": "function"}]}"#]
        {
            assert!(!is_shape_of(&serde_json::from_str(other).unwrap()), "{other}");
        }
        let system = read(r#"{"system": "a", "messages": []}"#).messages;
        assert_eq!(system, [ShownMessage::said(Role::System, "a".into())]);
    }
}
