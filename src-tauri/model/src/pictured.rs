//! Pictures as each protocol writes them.

use serde_json::{Value, json};

use super::image::ImageKind;
use super::protocol::Protocol;
use super::{Image, Message, ModelRequest, Sampling, ToolCall, ToolResult};

fn picture(kind: ImageKind, data: &str) -> Image {
    Image { media_type: kind, data: data.into() }
}

fn result(id: &str, text: &str) -> ToolResult {
    ToolResult { call_id: id.into(), text: text.into(), wire: None, is_error: false }
}

/// The user shows a picture, and one tool draws two, another one without words.
fn request() -> ModelRequest {
    let (png, jpeg, gif) =
        (picture(ImageKind::Png, "AAAA"), picture(ImageKind::Jpeg, "BBBB"), picture(ImageKind::Gif, "CCCC"));
    let calls = ["c1", "c2"].map(|id| ToolCall::new(id, "draw", "{}"));
    ModelRequest {
        messages: vec![
            Message::prompt("Draw this", std::slice::from_ref(&png)),
            Message::tool_calls(calls),
            Message::pictured_result(result("c1", "drawn"), &[png, jpeg]),
            Message::pictured_result(result("c2", ""), &[gif]),
            Message::assistant("Done"),
        ],
        ..ModelRequest::default()
    }
}

fn written(protocol: Protocol, request: &ModelRequest) -> Value {
    serde_json::from_str(&protocol.encode("m", request, false, &Sampling::default())).unwrap()
}

#[test]
fn chat_completions_have_the_pictures_of_tools_in_a_message_of_the_user() {
    let url = |kind: &str, data: &str| json!({"type": "image_url", "image_url": {"url": format!("data:image/{kind};base64,{data}")}});
    let call = |id: &str| json!({"id": id, "type": "function", "function": {"name": "draw", "arguments": "{}"}});
    assert_eq!(
        written(Protocol::OpenAi, &request())["messages"],
        json!([
            {"role": "user", "content": [{"text": "Draw this", "type": "text"}, url("png", "AAAA")]},
            {"role": "assistant", "content": null, "tool_calls": [call("c1"), call("c2")]},
            {"role": "tool", "tool_call_id": "c1", "content": "drawn"},
            {"role": "tool", "tool_call_id": "c2", "content": ""},
            {"role": "user", "content": [url("png", "AAAA"), url("jpeg", "BBBB"), url("gif", "CCCC")]},
            {"role": "assistant", "content": "Done"},
        ])
    );
}

#[test]
fn responses_have_them_in_the_output_of_the_call() {
    let image = |kind: &str, data: &str| {
        let image_url = format!("data:image/{kind};base64,{data}");
        json!({"type": "input_image", "image_url": image_url})
    };
    let said = json!({"type": "input_image", "image_url": "data:image/png;base64,AAAA", "detail": "auto"});
    let text = |text: &str| json!({"type": "input_text", "text": text});
    let call = |id: &str| json!({"type": "function_call", "call_id": id, "name": "draw", "arguments": "{}"});
    assert_eq!(
        written(Protocol::OpenAiResponses, &request())["input"],
        json!([
            {"type": "message", "role": "user", "content": [text("Draw this"), said]},
            call("c1"),
            call("c2"),
            {"type": "function_call_output", "call_id": "c1", "output": [text("drawn"), image("png", "AAAA"), image("jpeg", "BBBB")]},
            {"type": "function_call_output", "call_id": "c2", "output": [image("gif", "CCCC")]},
            {"type": "message", "role": "assistant", "content": "Done"},
        ])
    );
}

#[test]
fn anthropic_has_them_in_the_content_of_the_result() {
    let image = |kind: &str, data: &str| json!({"type": "image", "source": {"type": "base64", "media_type": format!("image/{kind}"), "data": data}});
    let text = |text: &str| json!({"type": "text", "text": text});
    let call = |id: &str| json!({"type": "tool_use", "id": id, "name": "draw", "input": {}});
    assert_eq!(
        written(Protocol::Anthropic, &request())["messages"],
        json!([
            {"role": "user", "content": [text("Draw this"), image("png", "AAAA")]},
            {"role": "assistant", "content": [call("c1"), call("c2")]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "c1", "content": [text("drawn"), image("png", "AAAA"), image("jpeg", "BBBB")]},
                {"type": "tool_result", "tool_use_id": "c2", "content": [image("gif", "CCCC")]},
            ]},
            {"role": "assistant", "content": [text("Done")]},
        ])
    );
}

#[test]
fn bedrock_has_them_in_the_content_of_the_result() {
    let image = |format: &str, bytes: &str| json!({"image": {"format": format, "source": {"bytes": bytes}}});
    let call = |id: &str| json!({"toolUse": {"toolUseId": id, "name": "draw", "input": {}}});
    let result =
        |id: &str, content: Value| json!({"toolResult": {"toolUseId": id, "content": content, "status": "success"}});
    assert_eq!(
        written(Protocol::Bedrock, &request())["messages"],
        json!([
            {"role": "user", "content": [{"text": "Draw this"}, image("png", "AAAA")]},
            {"role": "assistant", "content": [call("c1"), call("c2")]},
            {"role": "user", "content": [
                result("c1", json!([{"text": "drawn"}, image("png", "AAAA"), image("jpeg", "BBBB")])),
                result("c2", json!([image("gif", "CCCC")])),
            ]},
            {"role": "assistant", "content": [{"text": "Done"}]},
        ])
    );
}

#[test]
fn a_model_without_eyes_reads_what_was_left_out() {
    let told = |kind: &str| format!("[{kind}, 1 kB: left out, as this model takes no images]");
    let blind = request().without_media();
    assert_eq!(
        written(Protocol::Bedrock, &blind)["messages"][0]["content"],
        json!([{"text": "Draw this"}, {"text": told("PNG")}])
    );
    let results: Vec<_> = blind.messages.iter().flat_map(Message::results).map(ToolResult::on_wire).collect();
    assert_eq!(results, [format!("drawn\n{}\n{}", told("PNG"), told("JPEG")), told("GIF")]);
    assert_eq!(blind.messages.iter().flat_map(Message::images).count(), 0);
}
