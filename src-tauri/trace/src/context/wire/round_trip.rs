//! What a codec writes is read back as the conversation it was.

use proptest::prelude::*;

use serde_json::json;

use super::{ShownMessage, protocol, read};
use model::image::ImageKind;
use model::protocol::Protocol;
use model::{Document, Image, Message, ModelRequest, Part, Role, Sampling, ToolCall, ToolDef, ToolResult};

/// A part of the conversation: what somebody says, or an answer with calls and their results.
#[derive(Debug, Clone)]
enum Passage {
    Said(Role, Vec<Part>),
    Round { said: Vec<Part>, calls: Vec<ToolCall>, results: Vec<Vec<ToolResult>> },
}

fn texts() -> impl Strategy<Value = Vec<Part>> {
    let text = "[ \n\"\\\\<é漢🙂]{0,4}[a-z漢]".prop_map(|text| Part::Text { text });
    let thought = prop::sample::select(vec![
        json!({"type": "thinking"}),
        json!({"type": "redacted_thinking"}),
        json!({"type": "reasoning"}),
        json!({"reasoningContent": {"reasoningText": {"text": "hm", "signature": "s"}}}),
        json!({"type": "message", "phase": "commentary"}),
        json!({"reasoning_content": "hm"}),
        json!({"reasoning_details": [{"type": "reasoning.text", "text": "hm"}]}),
    ])
    .prop_map(|block| Part::Reasoning { text: "hm".into(), block: Some(block) });
    let part = prop_oneof![6 => text, 1 => thought, 1 => Just(Part::CachePoint)];
    let blank = prop_oneof![Just(vec![]), Just(vec![Part::Text { text: " \n".into() }]), Just(vec![Part::CachePoint])];
    prop_oneof![6 => prop::collection::vec(part, 1..4), 1 => blank]
}

fn calls() -> impl Strategy<Value = Vec<ToolCall>> {
    let arguments = prop::sample::select(vec![
        "",
        "{}",
        "{\"n\": 1.50,  \"漢\":[ ] }",
        "{\"n\":12345678901234567890123}",
        "{\"n\":",
        "[1]",
        "city=Oslo",
        "{\"half\":\"\\ud83d\"}",
    ]);
    let extra = prop::option::of(Just(json!({"google": {"thought_signature": "s"}})));
    let call = (prop::sample::select(vec!["a", "b"]), arguments, extra)
        .prop_map(|(id, arguments, extra)| ToolCall { extra, ..ToolCall::new(id, "load_skill", arguments) });
    prop::collection::vec(call, 1..3)
}

fn results() -> impl Strategy<Value = Vec<ToolResult>> {
    let text = prop::sample::select(vec!["", "42", "公斤\n"]);
    let wire = prop::option::of(Just("\"42\"".to_owned()));
    let result = (prop::sample::select(vec!["a", "b"]), text, wire, any::<bool>())
        .prop_map(|(id, text, wire, is_error)| ToolResult { call_id: id.into(), text: text.into(), wire, is_error });
    prop::collection::vec(result, 1..3)
}

fn passages() -> impl Strategy<Value = Vec<Passage>> {
    let role = prop::sample::select(vec![Role::System, Role::User, Role::Assistant]);
    let said = (role, texts()).prop_map(|(role, parts)| Passage::Said(role, parts));
    let round = (texts(), calls(), prop::collection::vec(results(), 0..3))
        .prop_map(|(said, calls, results)| Passage::Round { said, calls, results });
    prop::collection::vec(prop_oneof![said, round], 0..6)
}

fn history(passages: &[Passage]) -> Vec<Message> {
    let mut history = Vec::new();
    for passage in passages {
        match passage {
            Passage::Said(role, parts) => history.push(Message { role: *role, parts: parts.clone() }),
            Passage::Round { said, calls, results } => {
                let called = calls.iter().cloned().map(Part::ToolCall);
                let parts = said.iter().cloned().chain(called).collect();
                history.push(Message { role: Role::Assistant, parts });
                history.extend(results.iter().map(|results| Message {
                    role: Role::Tool,
                    parts: results.iter().cloned().map(Part::ToolResult).collect(),
                }));
            }
        }
    }
    history
}

/// The messages of a history that should be visible: nothing is left out.
fn expected(history: &[Message]) -> Vec<ShownMessage> {
    let shown = history.iter().flat_map(|message| match message.role {
        Role::Tool => message
            .results()
            .map(|result| ShownMessage::result(&result.call_id.as_str().into(), &result.on_wire().into()))
            .collect(),
        role => {
            let calls = message.calls().cloned().collect();
            vec![ShownMessage { calls, ..ShownMessage::said(role, message.text()) }]
        }
    });
    shown.collect()
}

/// Without what only chat completions take back, and without cache points, which say nothing.
fn plain(mut shown: ShownMessage) -> ShownMessage {
    shown.calls.iter_mut().for_each(|call| call.extra = None);
    shown.cache_point = false;
    shown
}

/// The same as Anthropic's API takes it: without messages that say nothing, as those of thoughts alone.
fn expected_of_anthropic(history: &[Message]) -> Vec<ShownMessage> {
    let is_blank = |text: &str| text.trim().is_empty();
    let mut past_head = false;
    let sent = expected(history).into_iter().map(plain).filter_map(|mut shown| {
        let says = !is_blank(&shown.text) || !shown.calls.is_empty() || shown.role == Role::Tool;
        if is_blank(&shown.text) {
            shown.text.clear();
        }
        past_head |= says && shown.role != Role::System;
        if past_head && shown.role == Role::System {
            shown.role = Role::User;
        }
        for call in &mut shown.calls {
            if is_blank(&call.arguments) {
                call.arguments = "{}".into();
            } else if serde_json::from_str::<serde_json::Map<_, _>>(&call.arguments).is_err() {
                call.arguments = json!({"INVALID_JSON": call.arguments}).to_string();
            }
        }
        says.then_some(shown)
    });
    sent.collect()
}

/// The same as Bedrock has it: the user and the model take turns, and results come first in a turn of the user.
fn expected_of_bedrock(history: &[Message]) -> Vec<ShownMessage> {
    let mut sent: Vec<ShownMessage> = Vec::new();
    for shown in expected_of_anthropic(history) {
        let is_users = |shown: &ShownMessage| matches!(shown.role, Role::User | Role::Tool);
        let turn = sent.iter().rposition(|shown| !is_users(shown)).map_or(0, |last| last + 1);
        match sent.last_mut() {
            _ if shown.role == Role::Tool => {
                let results = sent[turn..].iter().take_while(|shown| shown.role == Role::Tool).count();
                sent.insert(turn + results, shown);
            }
            Some(last) if last.role == shown.role => {
                last.text.push_str(&shown.text);
                last.calls.extend(shown.calls);
            }
            _ => sent.push(shown),
        }
    }
    sent
}

/// The same for Responses: answers of which nothing can be sent are left out, and those that follow each other are one.
fn expected_of_responses(history: &[Message]) -> Vec<ShownMessage> {
    let mut sent: Vec<ShownMessage> = Vec::new();
    for shown in expected(history).into_iter().map(plain) {
        match sent.last_mut() {
            _ if shown.role == Role::Assistant && shown.text.is_empty() && shown.calls.is_empty() => {}
            Some(last) if (shown.role, last.role) == (Role::Assistant, Role::Assistant) => {
                last.text.push_str(&shown.text);
                last.calls.extend(shown.calls);
            }
            _ => sent.push(shown),
        }
    }
    sent
}

fn encoded(protocol: Protocol, history: &[Message]) -> String {
    // So that a conversation of nothing but text is known for what it is.
    let tool = ToolDef { name: "load_skill".into(), description: String::new(), parameters: json!({}) };
    let request = ModelRequest { messages: history.to_vec(), tools: vec![tool], ..ModelRequest::default() };
    protocol.encode("m", &request, true, &Sampling::default())
}

proptest! {
    #[test]
    fn chat_completions_show_the_conversation(passages in passages()) {
        let history = history(&passages);
        prop_assert_eq!(read(&encoded(Protocol::OpenAi, &history)).messages, expected(&history));
    }

    #[test]
    fn messages_show_the_conversation(passages in passages()) {
        let history = history(&passages);
        let shown: Vec<ShownMessage> =
            read(&encoded(Protocol::Anthropic, &history)).messages.into_iter().map(plain).collect();
        prop_assert_eq!(shown, expected_of_anthropic(&history));
    }

    #[test]
    fn converse_shows_the_conversation(passages in passages()) {
        let history = history(&passages);
        let shown: Vec<ShownMessage> =
            read(&encoded(Protocol::Bedrock, &history)).messages.into_iter().map(plain).collect();
        prop_assert_eq!(shown, expected_of_bedrock(&history));
    }

    #[test]
    fn responses_show_the_conversation(passages in passages()) {
        let history = history(&passages);
        let body = encoded(Protocol::OpenAiResponses, &history);
        prop_assert_eq!(read(&body).messages, expected_of_responses(&history));
    }
}

#[test]
fn a_request_is_known_for_its_protocol() {
    let found = Protocol::ALL.map(|of| protocol(&encoded(of, &[Message::user("Hello")])));
    assert_eq!(found, Protocol::ALL);
}

#[test]
fn pictures_are_read_back_where_they_were() {
    let picture = |media_type, data: &str| Image { media_type, data: data.into() };
    let [png, webp] = [picture(ImageKind::Png, "AAAA"), picture(ImageKind::Webp, "BBBB")];
    let result = ToolResult { call_id: "a".into(), text: "drawn".into(), wire: None, is_error: false };
    let history = [
        Message::prompt("Draw this", &[png.clone(), webp.clone()]),
        Message::tool_calls([ToolCall::new("a", "load_skill", "{}")]),
        Message::pictured_result(result, std::slice::from_ref(&webp)),
        Message::assistant("Done"),
    ];
    let mut expected = expected(&history);
    expected[0].images = vec![png, webp.clone()];
    expected[2].images = vec![webp];
    for protocol in Protocol::ALL {
        assert_eq!(read(&encoded(protocol, &history)).messages, expected, "{protocol:?}");
    }
}

#[test]
fn files_are_read_back_where_they_were() {
    let [csv, pdf] = [Document::of("a", "csv", b"1,2\n"), Document::of("b", "pdf", b"%PDF")];
    let result = ToolResult { call_id: "a".into(), text: "read".into(), wire: None, is_error: false };
    let history = [
        Message::user("Read this").with_documents(std::slice::from_ref(&pdf)),
        Message::tool_calls([ToolCall::new("a", "load_skill", "{}")]),
        Message::tool_result(result).with_documents(&[csv.clone(), pdf.clone()]),
        Message::assistant("Done"),
    ];
    for protocol in Protocol::ALL {
        let mut expected = expected(&history);
        // Anthropic has no place for the format of a text.
        let format = if protocol == Protocol::Anthropic { "txt" } else { "csv" };
        expected[0].documents = vec![pdf.clone()];
        expected[2].documents = vec![Document { format: format.into(), ..csv.clone() }, pdf.clone()];
        assert_eq!(read(&encoded(protocol, &history)).messages, expected, "{protocol:?}");
    }
}
