//! Amazon Bedrock's Converse.

use serde_json::Value;

use super::{ShownMessage, call, documents, images, is_medium, items, role};
use model::{Role, written};

/// Its blocks are recognised by their only key; blocks of the other protocols have a `type`.
pub fn is_shape_of(body: &Value) -> bool {
    let said = items(&body["messages"]).flat_map(|message| items(&message["content"]));
    let mut blocks = said.chain(items(&body["system"])).filter_map(Value::as_object);
    body.get("toolConfig").is_some()
        || body.get("inferenceConfig").is_some()
        || blocks.any(|block| !block.contains_key("type") && block.keys().any(|key| OWN.contains(&key.as_str())))
}

const OWN: [&str; 7] = ["text", "image", "document", "toolUse", "toolResult", "reasoningContent", "cachePoint"];

/// The definitions of the tools, and whether a cache point is after each.
pub fn tools(body: &Value) -> impl Iterator<Item = (&Value, bool)> {
    let mut tools = items(&body["toolConfig"]["tools"]).peekable();
    std::iter::from_fn(move || {
        loop {
            if let Some(defined) = tools.next()?.get("toolSpec") {
                return Some((defined, tools.peek().is_some_and(|next| is_cache_point(next))));
            }
        }
    })
}

/// A separate block, after what it caches.
fn is_cache_point(block: &Value) -> bool {
    block.get("cachePoint").is_some()
}

/// The blocks of `system` are one message, each result of a tool is one, and so is the rest of a message. `written`:
/// the body's JSON.
pub fn messages(body: &Value, written: &str) -> Vec<ShownMessage> {
    let blocks = || items(&body["system"]);
    let system = blocks().next().is_some().then(|| ShownMessage {
        cache_point: blocks().any(is_cache_point),
        ..ShownMessage::said(Role::System, blocks().map(text).collect())
    });
    let mut shown: Vec<_> = system.into_iter().collect();
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
    let mut answer = ShownMessage::said(Role::Assistant, String::new());
    let written = written::field(written, "content").map(written::items).unwrap_or_default();
    for (place, block) in items(&message["content"]).enumerate() {
        let Some(used) = block.get("toolUse") else {
            answer.text.push_str(&text(block));
            answer.cache_point |= is_cache_point(block);
            continue;
        };
        let input = written.get(place).and_then(|block| written::field(block, "toolUse"));
        let input = input.and_then(|used| written::field(used, "input"));
        let mut call = call(&used["toolUseId"], &used["name"], &used["input"]);
        call.arguments = input.map_or(call.arguments, str::to_owned);
        answer.calls.push(call);
    }
    answer
}

fn says(message: &Value, shown: &mut Vec<ShownMessage>) {
    let mut said: Option<ShownMessage> = None;
    let first = shown.len();
    for block in items(&message["content"]) {
        if let Some(result) = block.get("toolResult") {
            shown.extend(said.take());
            let texts: String = items(&result["content"]).map(text).collect();
            let said = ShownMessage::result(&result["toolUseId"], &Value::Null);
            let (images, documents) = (images(&result["content"]), documents(&result["content"]));
            shown.push(ShownMessage { text: texts, images, documents, ..said });
        } else if is_cache_point(block) {
            let before = shown.get_mut(first..).and_then(<[_]>::last_mut);
            said.as_mut().or(before).into_iter().for_each(|message| message.cache_point = true);
        } else {
            let said = said.get_or_insert_with(|| ShownMessage::said(role(message), String::new()));
            said.text.push_str(&text(block));
            said.add(block);
        }
    }
    shown.extend(said);
}

/// Of a block. One that is not known is shown as it is.
fn text(block: &Value) -> String {
    match block {
        _ if is_cache_point(block) || block.get("reasoningContent").is_some() => String::new(),
        _ if is_medium(block) => String::new(),
        block => block["text"].as_str().map_or_else(|| block.to_string(), String::from),
    }
}

#[cfg(test)]
mod tests {
    use crate::context::wire::tests::{call, message, result};
    use crate::context::wire::{Shown, ShownTool, protocol, read};

    use super::*;

    #[test]
    fn reads_what_it_can() {
        let body = r#"{"messages": [
            {"role": "user", "content": [{"text": "hi"}]},
            {"role": "assistant", "content": [
                {"reasoningContent": {"reasoningText": {"text": "hm", "signature": "s"}}}, {"text": "One "},
                {"toolUse": {"toolUseId": "c", "name": "f", "input": {"n": 1.50, "m": [ ]}}},
                {"text": "moment."}, {"new": 1}]},
            {"role": "user", "content": [
                {"toolResult": {"toolUseId": "c", "content": [{"text": "1"}, {"json": {}}], "status": "success"}},
                {"text": "and"}, {"cachePoint": {"type": "default"}}, {"text": " then"}]},
            7
        ], "system": [{"text": "a"}, {"cachePoint": {"type": "default"}}, {"text": "b"}],
            "toolConfig": {"tools": [{"toolSpec": {"name": "f"}}, {"cachePoint": {"type": "default"}}]}}"#;
        let expected = Shown {
            tools: vec![ShownTool { name: "f".into(), json: "{\n  \"name\": \"f\"\n}".into(), cache_point: true }],
            messages: vec![
                ShownMessage { cache_point: true, ..message(Role::System, "ab") },
                message(Role::User, "hi"),
                ShownMessage {
                    calls: vec![call("c", "f", r#"{"n": 1.50, "m": [ ]}"#)],
                    ..message(Role::Assistant, r#"One moment.{"new":1}"#)
                },
                result("c", r#"1{"json":{}}"#),
                ShownMessage { cache_point: true, ..message(Role::User, "and then") },
            ],
        };
        assert_eq!(read(body), expected);
        assert_eq!(protocol(body), model::protocol::Protocol::Bedrock);
    }

    #[test]
    fn is_recognised_by_fields_that_only_it_has() {
        let user = |content: &str| format!(r#"{{"messages": [{{"role": "user", "content": {content}}}]}}"#);
        for own in [
            r#"{"system": [{"text": "a"}]}"#,
            r#"{"toolConfig": {}}"#,
            r#"{"inferenceConfig": {}}"#,
            &user(r#"[{"text": "hi"}]"#),
            &user(r#"[{"toolResult": {}}]"#),
        ] {
            assert!(is_shape_of(&serde_json::from_str(own).unwrap()), "{own}");
        }
        for other in [
            &user(r#""hi""#),
            &user(r#"[{"type": "text", "text": "hi"}]"#),
            &user("[{}, 7]"),
            r#"{"tools": [{"name": "f", "input_schema": {}}]}"#,
        ] {
            assert!(!is_shape_of(&serde_json::from_str(other).unwrap()), "{other}");
        }
    }
}
