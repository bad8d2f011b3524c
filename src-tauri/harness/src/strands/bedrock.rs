//! A conversation in the framework's own form, which is that of Amazon Bedrock's Converse: messages are lists of
//! blocks, results of tools belong to the user's message, and cache points are blocks. OpenAI's protocol has no place
//! for some of it, so this is a second form of the messages that are sent.

use serde_json::{Value, json};

use super::{catalogue, hooks};
use crate::{Catalog, Presentation, Session};
use model::{Message, Part, Role};

/// The messages. Results of one round and the texts behind them are one message.
pub fn blocks(history: &[Message]) -> Value {
    let messages = hooks::grouped(history).into_iter().map(|group| {
        let messages = &history[group];
        let role = match messages[0].role {
            Role::Assistant => "assistant",
            Role::System | Role::User | Role::Tool => "user",
        };
        let content: Vec<Value> = messages.iter().flat_map(|message| &message.parts).map(block).collect();
        json!({"role": role, "content": content})
    });
    messages.collect()
}

/// The system prompt's blocks.
pub fn system(catalog: &Catalog, session: &Session) -> Value {
    let mut out: Vec<Value> =
        catalogue::system_texts(catalog, session).into_iter().map(|text| json!({"text": text.text})).collect();
    if catalog.options.strands.system_cache_point && out.len() > 1 {
        out.insert(out.len() - 1, cache_point());
    }
    let end = catalogue::instructions(catalog, session).map(|text| text.text.len());
    if end.is_some() && catalogue::cache_points(catalog, session).last().copied() == end {
        out.push(cache_point());
    }
    out.into()
}

/// The tool definitions.
pub fn tools(shown: &Presentation) -> Value {
    let definitions = shown.definitions().into_iter().map(
        |tool| json!({"name": tool.name, "description": tool.description, "inputSchema": {"json": tool.parameters}}),
    );
    definitions.collect()
}

fn block(part: &Part) -> Value {
    match part {
        Part::Text { text } => json!({"text": text}),
        Part::Reasoning { text, .. } => json!({"reasoningContent": {"reasoningText": {"text": text}}}),
        Part::ToolCall(call) => json!({"toolUse": {
            "toolUseId": call.id,
            "name": call.name,
            // Numbers that JSON cannot represent cannot be sent to Bedrock.
            "input": serde_json::from_str(&call.arguments).unwrap_or_else(|_| json!({})),
        }}),
        Part::ToolResult(result) => json!({"toolResult": {
            "toolUseId": result.call_id,
            "status": if result.is_error { "error" } else { "success" },
            "content": [{"text": result.text}],
        }}),
        Part::Image(image) => json!({"image": {
            "format": image.media_type.format(),
            "source": {"bytes": image.data},
        }}),
        Part::Document(document) => json!({"document": {
            "name": document.name,
            "format": document.format,
            "source": {"bytes": document.data},
        }}),
        Part::CachePoint => cache_point(),
    }
}

fn cache_point() -> Value {
    json!({"cachePoint": {"type": "default"}})
}
