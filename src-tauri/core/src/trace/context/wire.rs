//! A recorded request body, read for display. Whatever cannot be read is left out: the body itself is there to look at.

use serde_json::Value;

use crate::model::{Role, ToolCall};

/// What a body shows the model.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Shown {
    pub tools: Vec<ShownTool>,
    pub messages: Vec<ShownMessage>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownTool {
    pub name: String,
    /// Indented.
    pub json: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownMessage {
    pub role: Role,
    pub text: String,
    pub calls: Vec<ToolCall>,
    pub call_id: Option<String>,
}

/// OpenAI chat completions.
pub fn read(body: &str) -> Shown {
    let Ok(body) = serde_json::from_str::<Value>(body) else { return Shown::default() };
    Shown {
        tools: items(&body["tools"]).map(tool).collect(),
        messages: items(&body["messages"]).map(message).collect(),
    }
}

fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn tool(value: &Value) -> ShownTool {
    let name = value["function"]["name"].as_str().or(value["name"].as_str()).unwrap_or_default();
    ShownTool { name: name.into(), json: format!("{value:#}") }
}

fn message(value: &Value) -> ShownMessage {
    let role = match value["role"].as_str() {
        Some("system" | "developer") => Role::System,
        Some("assistant") => Role::Assistant,
        Some("tool" | "function") => Role::Tool,
        Some(_) | None => Role::User,
    };
    ShownMessage {
        role,
        text: text(&value["content"]),
        calls: items(&value["tool_calls"]).map(call).collect(),
        call_id: value["tool_call_id"].as_str().map(String::from),
    }
}

/// A string, or a list of parts of which some have text.
fn text(content: &Value) -> String {
    match content {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            parts.iter().map(|part| part["text"].as_str().map_or_else(|| part.to_string(), String::from)).collect()
        }
        other @ (Value::Bool(_) | Value::Number(_) | Value::Object(_)) => other.to_string(),
    }
}

fn call(value: &Value) -> ToolCall {
    let function = &value["function"];
    let arguments = match &function["arguments"] {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    ToolCall { id: word(&value["id"]), name: word(&function["name"]), arguments }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_it_can() {
        let body = r#"{"messages": [
            {"role": "developer", "content": [{"type": "text", "text": "a"}, {"type": "image", "url": "u"}]},
            {"role": "assistant", "content": null, "tool_calls": [{"id": "c", "function": {"name": "f", "arguments": {"x": 1}}}]},
            {"role": "tool", "tool_call_id": "c", "content": 5},
            7
        ], "tools": [{"name": "bare"}, {"function": {"name": "f"}}]}"#;
        let message = |role, text: &str| ShownMessage { role, text: text.into(), calls: vec![], call_id: None };
        let expected = Shown {
            tools: vec![
                ShownTool { name: "bare".into(), json: "{\n  \"name\": \"bare\"\n}".into() },
                ShownTool { name: "f".into(), json: "{\n  \"function\": {\n    \"name\": \"f\"\n  }\n}".into() },
            ],
            messages: vec![
                message(Role::System, r#"a{"type":"image","url":"u"}"#),
                ShownMessage {
                    calls: vec![ToolCall { id: "c".into(), name: "f".into(), arguments: r#"{"x":1}"#.into() }],
                    ..message(Role::Assistant, "")
                },
                ShownMessage { call_id: Some("c".into()), ..message(Role::Tool, "5") },
                message(Role::User, ""),
            ],
        };
        assert_eq!(read(body), expected);
        assert_eq!(read("not JSON"), Shown::default());
        assert_eq!(read("[]"), Shown::default());
    }
}
