//! Items of OpenAI's Responses: what the model thinks, says and calls, up to what somebody else says, is one answer.

use serde_json::Value;

use super::Out;
use super::plain::{call, text};
use super::record::{Answer, Record};
use model::{Role, ToolCall, Usage};

/// An answer whose items come one by one.
#[derive(Default)]
pub struct Spoken {
    answer: Answer,
    has_any: bool,
    pub usage: Option<Usage>,
}

impl Spoken {
    pub fn take(&mut self, item: &Value, record: &mut Record, out: &mut Out<'_>) {
        match item["type"].as_str() {
            Some("message") | None => self.message(item, record, out),
            Some("reasoning") => {
                let said = [&item["summary"], &item["content"]].map(text).concat();
                self.answer.reasoning.push_str(&said);
                self.has_any = true;
            }
            Some("function_call") => self.called(call(&item["call_id"], &item["name"], &item["arguments"])),
            Some("custom_tool_call") => self.called(call(&item["call_id"], &item["name"], &item["input"])),
            Some("local_shell_call" | "shell_call") => {
                let id = if item["call_id"].is_string() { &item["call_id"] } else { &item["id"] };
                self.called(call(id, &Value::from("local_shell"), &item["action"]));
            }
            Some("mcp_call") => {
                self.called(call(&item["id"], &item["name"], &item["arguments"]));
                self.flush(record);
                let failed = item["error"].is_string();
                let reply = if failed { &item["error"] } else { &item["output"] };
                record.replied(&None, item["id"].as_str().unwrap_or_default(), &text(reply), failed);
            }
            Some(kind) if kind.ends_with("_output") => {
                self.flush(record);
                let id = ["call_id", "id"].iter().find_map(|key| item[*key].as_str()).unwrap_or_default();
                let (reply, failed) = output(&item["output"]);
                record.replied(&None, id, &reply, failed);
            }
            Some(kind) if kind.ends_with("_call") => {
                // What the provider's own tools do has no reply of its own.
                self.called(call(&item["id"], &Value::from(kind.trim_end_matches("_call")), &item["action"]));
                self.flush(record);
                record.replied(&None, item["id"].as_str().unwrap_or_default(), &text(&item["status"]), false);
            }
            Some(kind) => out.unknown(kind),
        }
    }

    /// The answer is over.
    pub fn flush(&mut self, record: &mut Record) {
        if std::mem::take(&mut self.has_any) {
            let usage = self.usage.take();
            record.answered(&None, Answer { usage, ..std::mem::take(&mut self.answer) });
        }
    }

    fn called(&mut self, call: ToolCall) {
        self.answer.calls.push(call);
        self.has_any = true;
    }

    fn message(&mut self, item: &Value, record: &mut Record, out: &mut Out<'_>) {
        let said = text(&item["content"]);
        match item["role"].as_str() {
            Some("assistant") => {
                self.answer.text.push_str(&said);
                self.has_any = true;
            }
            Some("system" | "developer") => {
                self.flush(record);
                record.shown(&None, Role::System, &said);
            }
            Some("user") => {
                self.flush(record);
                record.said(&None, &said, Some(item));
            }
            role => out.unknown(role.unwrap_or("?")),
        }
    }
}

/// Codex writes what a command printed as JSON in a text, with its exit code.
fn output(value: &Value) -> (String, bool) {
    if let Value::String(written) = value
        && let Ok(Value::Object(fields)) = serde_json::from_str::<Value>(written)
        && let Some(Value::String(printed)) = fields.get("output")
    {
        let code = fields.get("metadata").and_then(|metadata| metadata["exit_code"].as_i64());
        return (printed.clone(), code.is_some_and(|code| code != 0));
    }
    if let Value::Object(fields) = value
        && let Some(content) = fields.get("content")
    {
        return (text(content), fields.get("success") == Some(&Value::Bool(false)));
    }
    (text(value), false)
}
