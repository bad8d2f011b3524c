//! Files as each protocol writes them.

use serde_json::{Value, json};

use super::protocol::Protocol;
use super::{Document, Message, ModelRequest, Role, Sampling, ToolCall, ToolResult};

fn result(id: &str, text: &str) -> ToolResult {
    ToolResult { call_id: id.into(), text: text.into(), wire: None, is_error: false }
}

/// Two results with files, one of them with words, and a file of the user.
fn request() -> ModelRequest {
    let [pdf, csv, docx] = [("a", "pdf", &b"%PDF"[..]), ("b", "csv", b"1,2\n"), ("c", "docx", b"PK")]
        .map(|(name, format, bytes)| Document::of(name, format, bytes));
    ModelRequest {
        messages: vec![
            Message::user("Read this").with_documents(std::slice::from_ref(&csv)),
            Message::tool_calls(["c1", "c2"].map(|id| ToolCall::new(id, "file_read", "{}"))),
            Message::tool_result(result("c1", "")).with_documents(&[pdf, csv]),
            Message::tool_result(result("c2", "read")).with_documents(&[docx]),
            Message::assistant("Done"),
        ],
        ..ModelRequest::default()
    }
}

fn written(protocol: Protocol, request: &ModelRequest) -> Value {
    serde_json::from_str(&protocol.encode("m", request, false, &Sampling::default())).unwrap()
}

const PDF: &str = "JVBERg==";
const CSV: &str = "MSwyCg==";
const DOCX: &str = "UEs=";

#[test]
fn chat_completions_have_them_in_the_message_as_strands_has_it() {
    let file = |name: &str, kind: &str, data: &str| json!({"file": {"file_data": format!("data:{kind};base64,{data}"), "filename": name}, "type": "file"});
    let call = |id: &str| json!({"id": id, "type": "function", "function": {"name": "file_read", "arguments": "{}"}});
    let text = |text: &str| json!({"text": text, "type": "text"});
    let csv = file("b", "text/csv", CSV);
    assert_eq!(
        written(Protocol::OpenAi, &request())["messages"],
        json!([
            {"role": "user", "content": [text("Read this"), csv]},
            {"role": "assistant", "content": null, "tool_calls": [call("c1"), call("c2")]},
            {"role": "tool", "tool_call_id": "c1", "content": [file("a", "application/pdf", PDF), csv]},
            {"role": "tool", "tool_call_id": "c2", "content": [text("read"), file("c", "application/octet-stream", DOCX)]},
            {"role": "assistant", "content": "Done"},
        ])
    );
}

#[test]
fn responses_have_them_with_an_ending() {
    let file = |name: &str, kind: &str, data: &str| json!({"type": "input_file", "filename": name, "file_data": format!("data:{kind};base64,{data}")});
    let call = |id: &str| json!({"type": "function_call", "call_id": id, "name": "file_read", "arguments": "{}"});
    let text = |text: &str| json!({"type": "input_text", "text": text});
    let output = |id: &str, output: Value| json!({"type": "function_call_output", "call_id": id, "output": output});
    let csv = file("b.csv", "text/csv", CSV);
    assert_eq!(
        written(Protocol::OpenAiResponses, &request())["input"],
        json!([
            {"type": "message", "role": "user", "content": [text("Read this"), csv]},
            call("c1"),
            call("c2"),
            output("c1", json!([file("a.pdf", "application/pdf", PDF), csv])),
            output("c2", json!([text("read"), file("c.docx", "application/octet-stream", DOCX)])),
            {"type": "message", "role": "assistant", "content": "Done"},
        ])
    );
}

#[test]
fn anthropic_has_pdf_and_text_and_a_line_of_what_it_has_no_place_for() {
    let text = |text: &str| json!({"type": "text", "text": text});
    let call = |id: &str| json!({"type": "tool_use", "id": id, "name": "file_read", "input": {}});
    let pdf = json!({"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": PDF}, "title": "a"});
    let csv = json!({"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "1,2\n"}, "title": "b"});
    let left_out = "[c (DOCX, 1 kB): left out, as this protocol takes PDF and text]";
    assert_eq!(
        written(Protocol::Anthropic, &request())["messages"],
        json!([
            {"role": "user", "content": [text("Read this"), csv]},
            {"role": "assistant", "content": [call("c1"), call("c2")]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "c1", "content": [pdf, csv]},
                {"type": "tool_result", "tool_use_id": "c2", "content": [text("read"), text(left_out)]},
            ]},
            {"role": "assistant", "content": [text("Done")]},
        ])
    );
}

#[test]
fn bedrock_has_them_with_their_format() {
    let file = |name: &str, format: &str, bytes: &str| json!({"document": {"name": name, "format": format, "source": {"bytes": bytes}}});
    let call = |id: &str| json!({"toolUse": {"toolUseId": id, "name": "file_read", "input": {}}});
    let result =
        |id: &str, content: Value| json!({"toolResult": {"toolUseId": id, "content": content, "status": "success"}});
    assert_eq!(
        written(Protocol::Bedrock, &request())["messages"],
        json!([
            {"role": "user", "content": [{"text": "Read this"}, file("b", "csv", CSV)]},
            {"role": "assistant", "content": [call("c1"), call("c2")]},
            {"role": "user", "content": [
                result("c1", json!([file("a", "pdf", PDF), file("b", "csv", CSV)])),
                result("c2", json!([{"text": "read"}, file("c", "docx", DOCX)])),
            ]},
            {"role": "assistant", "content": [{"text": "Done"}]},
        ])
    );
}

#[test]
fn a_model_that_takes_none_reads_what_was_left_out() {
    let told = |name: &str| format!("[{name}, 1 kB): left out, as this model takes no files]");
    let without = request().without_media();
    let results: Vec<_> = without.messages.iter().flat_map(Message::results).map(ToolResult::on_wire).collect();
    assert_eq!(results, [format!("{}\n{}", told("a (PDF"), told("b (CSV")), format!("read\n{}", told("c (DOCX"))]);
    assert_eq!(without.messages[0].text(), format!("Read this{}", told("b (CSV")));
    assert!(without.messages.iter().all(|message| message.documents().next().is_none()));
    assert_eq!(without.messages[2].role, Role::Tool);
}
