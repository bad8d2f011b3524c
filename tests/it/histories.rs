//! A conversation over one protocol continues over another: blocks that the first provider sealed are left out, and the
//! rest is a request that the other accepts.

use std::collections::HashSet;

use model::protocol::Protocol;
use model::{Message, ModelRequest, Part, Role, Sampling, ToolCall, ToolResult};
use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;
use serde_json::{Value, json};

proptest! {
    #[test]
    fn goes_on_over_any_protocol(held in prop::sample::select(&Protocol::ALL[..]), shape in conversation()) {
        let messages = messages(&shape, held);
        let request = ModelRequest { messages, ..ModelRequest::default() };
        for protocol in Protocol::ALL {
            let body = protocol.encode("m", &request, true, &Sampling::default());
            let body: Value = serde_json::from_str(&body).map_err(|error| TestCaseError::fail(format!("{protocol:?}: {error}")))?;
            let turns = turns(protocol, &body);
            is_valid(protocol, &turns)?;
            keeps_what_was_said(&request.messages, &turns)?;
            let sealed = body.to_string().matches(SEAL).count();
            let expected = if protocol == held { seals_to_send(&request.messages) } else { 0 };
            prop_assert_eq!(sealed, expected, "{:?} to {:?}: {}", held, protocol, body);
        }
    }
}

/// In every sealed block, and nowhere else.
const SEAL: &str = "c2VhbGVk";

/// What an assistant message has.
#[derive(Debug, Clone, Copy)]
enum Piece {
    Text(&'static str),
    Thought { is_sealed: bool },
    Call,
}

/// For each turn, the messages of the assistant until its last one.
fn conversation() -> impl Strategy<Value = Vec<Vec<Vec<Piece>>>> {
    let piece = prop_oneof![
        prop::sample::select(vec!["", "One moment.", "2.2 磅"]).prop_map(Piece::Text),
        any::<bool>().prop_map(|is_sealed| Piece::Thought { is_sealed }),
        Just(Piece::Call),
    ];
    let answer = prop::collection::vec(piece, 0..5);
    prop::collection::vec(prop::collection::vec(answer, 1..4), 1..4)
}

fn messages(shape: &[Vec<Vec<Piece>>], held: Protocol) -> Vec<Message> {
    let mut messages = vec![Message::system("You have skills.")];
    let mut calls = 0;
    for turn in shape {
        messages.push(Message::user("How many pounds is 1 kilogram?"));
        for answer in turn {
            let parts: Vec<Part> = answer
                .iter()
                .map(|piece| match piece {
                    Piece::Text(text) => Part::Text { text: (*text).into() },
                    Piece::Thought { is_sealed } => {
                        Part::Reasoning { text: "Hm".into(), block: is_sealed.then(|| sealed(held)).flatten() }
                    }
                    Piece::Call => {
                        calls += 1;
                        Part::ToolCall(ToolCall::new(format!("call_{calls}"), "f", "{}"))
                    }
                })
                .collect();
            let results: Vec<Message> = parts.iter().filter_map(result).collect();
            messages.push(Message { role: Role::Assistant, parts });
            messages.extend(results);
        }
    }
    messages
}

/// A thought as this protocol's providers send it to be sent back.
fn sealed(protocol: Protocol) -> Option<Value> {
    match protocol {
        Protocol::OpenAi => None,
        Protocol::OpenAiResponses => {
            Some(json!({"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": SEAL}))
        }
        Protocol::Anthropic => Some(json!({"type": "thinking", "thinking": "Hm", "signature": SEAL})),
        Protocol::Bedrock => Some(json!({"reasoningContent": {"reasoningText": {"text": "Hm", "signature": SEAL}}})),
    }
}

fn result(part: &Part) -> Option<Message> {
    match part {
        Part::ToolCall(call) => Some(Message::tool_result(ToolResult {
            call_id: call.id.clone(),
            text: "2.2".into(),
            wire: None,
            is_error: false,
        })),
        Part::Text { .. }
        | Part::Reasoning { .. }
        | Part::ToolResult(_)
        | Part::Image(_)
        | Part::Document(_)
        | Part::CachePoint => None,
    }
}

/// Sealed thoughts that something follows in their message: what they led to.
fn seals_to_send(messages: &[Message]) -> usize {
    let of_message = |message: &Message| {
        let last = message.parts.iter().rposition(|part| match part {
            Part::Text { text } => !text.is_empty(),
            Part::ToolCall(_) => true,
            Part::Reasoning { .. } | Part::ToolResult(_) | Part::Image(_) | Part::Document(_) | Part::CachePoint => {
                false
            }
        });
        let before = &message.parts[..last.unwrap_or(0)];
        before.iter().filter(|part| matches!(part, Part::Reasoning { block: Some(_), .. })).count()
    };
    messages.iter().map(of_message).sum()
}

/// A request as its protocol has it: who says what, with adjacent entries of one speaker apart.
#[derive(Debug, PartialEq)]
struct Turn {
    role: String,
    /// Empty texts too.
    texts: Vec<String>,
    calls: Vec<String>,
    results: Vec<String>,
}

fn turns(protocol: Protocol, body: &Value) -> Vec<Turn> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let texts = |content: &Value| match content {
        Value::String(text) => vec![text.clone()],
        content => list(content).iter().filter_map(|part| part["text"].as_str().map(str::to_owned)).collect(),
    };
    match protocol {
        Protocol::OpenAi => {
            let turn = |message: &Value| Turn {
                role: word(&message["role"]),
                texts: if message["role"] == "tool" { vec![] } else { texts(&message["content"]) },
                calls: list(&message["tool_calls"]).iter().map(|call| word(&call["id"])).collect(),
                results: message["tool_call_id"].as_str().map(str::to_owned).into_iter().collect(),
            };
            list(&body["messages"]).iter().map(turn).collect()
        }
        Protocol::OpenAiResponses => {
            let turn = |item: &Value| {
                let id = || vec![word(&item["call_id"])];
                let (role, texts, calls, results) = match item["type"].as_str() {
                    Some("function_call") => ("assistant".to_owned(), vec![], id(), vec![]),
                    Some("function_call_output") => ("tool".to_owned(), vec![], vec![], id()),
                    Some("reasoning") => ("assistant".to_owned(), vec![], vec![], vec![]),
                    _ => (word(&item["role"]), texts(&item["content"]), vec![], vec![]),
                };
                Turn { role, texts, calls, results }
            };
            list(&body["input"]).iter().map(turn).collect()
        }
        Protocol::Anthropic => {
            let of_type = |content: &Value, kind: &str, id: &str| {
                list(content).iter().filter(|part| part["type"] == kind).map(|part| word(&part[id])).collect()
            };
            let turn = |message: &Value| Turn {
                role: word(&message["role"]),
                texts: texts(&message["content"]),
                calls: of_type(&message["content"], "tool_use", "id"),
                results: of_type(&message["content"], "tool_result", "tool_use_id"),
            };
            list(&body["messages"]).iter().map(turn).collect()
        }
        Protocol::Bedrock => {
            let below = |content: &Value, kind: &str| {
                let ids =
                    list(content).into_iter().filter_map(|block| block.get(kind).map(|it| word(&it["toolUseId"])));
                ids.collect::<Vec<_>>()
            };
            let turn = |message: &Value| Turn {
                role: word(&message["role"]),
                texts: texts(&message["content"]),
                calls: below(&message["content"], "toolUse"),
                results: below(&message["content"], "toolResult"),
            };
            list(&body["messages"]).iter().map(turn).collect()
        }
    }
}

fn is_valid(protocol: Protocol, turns: &[Turn]) -> TestCaseResult {
    let mut open: HashSet<&str> = HashSet::new();
    for turn in turns {
        // Chat completions let an assistant say nothing; the others refuse empty texts and lists.
        if protocol != Protocol::OpenAi {
            prop_assert!(!turn.texts.contains(&String::new()), "{:?}: an empty text in {:?}", protocol, turn);
        }
        if matches!(protocol, Protocol::Anthropic | Protocol::Bedrock) {
            let has_content = !(turn.texts.is_empty() && turn.calls.is_empty() && turn.results.is_empty());
            prop_assert!(has_content, "an empty message");
        }
        for result in &turn.results {
            prop_assert!(open.remove(result.as_str()), "{:?}: a result without a call: {:?}", protocol, turn);
        }
        // The Responses protocol has each call of one answer apart.
        let goes_on = protocol == Protocol::OpenAiResponses && turn.role == "assistant";
        if turn.results.is_empty() && !goes_on {
            prop_assert!(open.is_empty(), "{:?}: {:?} before the results of {:?}", protocol, turn, open);
        }
        open.extend(turn.calls.iter().map(String::as_str));
    }
    prop_assert!(open.is_empty(), "{:?}: no results of {:?}", protocol, open);
    Ok(())
}

fn keeps_what_was_said(messages: &[Message], turns: &[Turn]) -> TestCaseResult {
    let of_assistant = || messages.iter().filter(|message| message.role == Role::Assistant);
    let said: String = of_assistant().map(Message::text).collect();
    let sent: String =
        turns.iter().filter(|turn| turn.role == "assistant").flat_map(|turn| turn.texts.clone()).collect();
    prop_assert_eq!(sent, said);
    let called: Vec<&str> = of_assistant().flat_map(Message::calls).map(|call| call.id.as_str()).collect();
    let sent: Vec<&str> = turns.iter().flat_map(|turn| &turn.calls).map(String::as_str).collect();
    prop_assert_eq!(sent, called);
    Ok(())
}
