//! Items of OpenAI's Responses: everything that the model thinks, says and calls in a row is one answer.

use serde_json::Value;

use super::Out;
use super::plain::{Content, call, content, items, text};
use super::record::{Answer, Record};
use model::{Role, ToolCall, Usage};

/// An answer whose items come one by one.
#[derive(Default)]
pub struct Spoken {
    answer: Answer,
    has_any: bool,
    pub usage: Option<Usage>,
    /// Calls that had no id.
    nameless: u32,
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
                record.replied(&None, item["id"].as_str().unwrap_or_default(), content(reply), failed);
            }
            Some(kind) if kind.ends_with("_output") => {
                self.flush(record);
                let id = ["call_id", "id"].iter().find_map(|key| item[*key].as_str()).unwrap_or_default();
                let (reply, failed) = output(&item["output"]);
                record.replied(&None, id, reply, failed);
            }
            Some(kind) if kind.ends_with("_call") => {
                // Of what the provider's own tools do, the reply is in the item of the call, if there is any.
                let asked = ["action", "arguments", "input", "queries", "code", "operation"].map(|key| &item[key]);
                let asked = asked.into_iter().find(|asked| !asked.is_null()).unwrap_or(&Value::Null);
                let asked = match asked {
                    Value::Object(_) | Value::Null => asked.clone(),
                    asked => serde_json::json!({ kind.trim_end_matches("_call"): asked }),
                };
                let id = ["call_id", "id"].iter().map(|key| &item[*key]).find(|id| id.is_string());
                let id = id.cloned().unwrap_or_else(|| self.nameless());
                self.called(call(&id, &Value::from(kind.trim_end_matches("_call")), &asked));
                if item["call_id"].is_string() && !has_reply(item) {
                    // It comes as a separate item.
                    return;
                }
                self.flush(record);
                record.replied(&None, id.as_str().unwrap_or_default(), own_reply(item), item["status"] == "failed");
            }
            Some(kind) => out.unknown(kind),
        }
    }

    /// An id for a call that has none.
    fn nameless(&mut self) -> Value {
        self.nameless += 1;
        format!("call-without-id-{}", self.nameless).into()
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
        let said = content(&item["content"]);
        match item["role"].as_str() {
            Some("assistant") => {
                self.answer.text.push_str(&said.text);
                self.has_any = true;
            }
            Some("system" | "developer") => {
                self.flush(record);
                record.shown(&None, Role::System, said);
            }
            Some("user") => {
                self.flush(record);
                record.said(&None, said, Some(item));
            }
            role => out.unknown(role.unwrap_or("?")),
        }
    }
}

/// The fields in which an item of a call may hold its result.
const REPLIES: [&str; 4] = ["output", "outputs", "results", "result"];

fn has_reply(item: &Value) -> bool {
    REPLIES.iter().any(|key| !item[*key].is_null())
}

fn own_reply(item: &Value) -> Content {
    if let Some(made) = super::plain::image(item) {
        return Content { images: vec![made], ..Content::default() };
    }
    let reply = REPLIES.iter().map(|key| &item[*key]).find(|reply| !reply.is_null());
    content(reply.unwrap_or(&item["status"]))
}

/// Codex writes what a command printed as JSON in a text, with its exit code. A shell of the provider's has an object for
/// each command.
fn output(value: &Value) -> (Content, bool) {
    if let Value::String(written) = value
        && let Ok(Value::Object(fields)) = serde_json::from_str::<Value>(written)
        && let Some(Value::String(printed)) = fields.get("output")
    {
        let code = fields.get("metadata").and_then(|metadata| metadata["exit_code"].as_i64());
        return (printed.as_str().into(), code.is_some_and(|code| code != 0));
    }
    let printed: Vec<&Value> = items(value).filter(|each| each["stdout"].is_string()).collect();
    if !printed.is_empty() {
        let texts = printed.iter().flat_map(|each| ["stdout", "stderr"].map(|key| text(&each[key])));
        let failed = printed.iter().any(|each| each["outcome"]["exit_code"].as_i64().is_some_and(|code| code != 0));
        return (texts.collect::<String>().into(), failed);
    }
    if let Value::Object(fields) = value
        && let Some(within) = fields.get("content")
    {
        return (content(within), fields.get("success") == Some(&Value::Bool(false)));
    }
    (content(value), false)
}
