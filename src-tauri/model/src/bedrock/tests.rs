use serde_json::{Map, Value, json};

use super::{Decoder, decode, encode};
use crate::answer::{Answer, Answered};
use crate::entry::ModelEntry;
use crate::http::{Http, HttpModel};
use crate::protocol::Protocol;
use crate::sample::{finish, goes_on, opens, perhaps_cut, reasoning, sealed, stream, text, why};
use crate::{
    ChatModel, Dialect, FinishReason, Message, ModelError, ModelEvent, ModelRequest, Part, Role, Sampling, ToolCall,
    ToolChoice, ToolDef, ToolResult, Usage,
};

const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fixtures");

fn golden() -> Value {
    serde_json::from_slice(&std::fs::read(format!("{FIXTURES}/bedrock/botocore.json")).unwrap()).unwrap()
}

fn said(text: &str) -> Part {
    Part::Text { text: text.into() }
}

fn message<const N: usize>(role: Role, parts: [Part; N]) -> Message {
    Message { role, parts: parts.into() }
}

fn call(id: &str, arguments: &str) -> Part {
    Part::ToolCall(ToolCall::new(id, "load_skill", arguments))
}

fn result(id: &str, text: &str, is_error: bool) -> Message {
    Message::tool_result(ToolResult { call_id: id.into(), text: text.into(), wire: None, is_error })
}

fn thought(block: Value) -> Part {
    Part::Reasoning { text: "Hm.".into(), block: Some(block) }
}

fn signed() -> Value {
    json!({"reasoningContent": {"reasoningText": {"text": "Hm.", "signature": "c2lnbmVk"}}})
}

fn redacted() -> Value {
    json!({"reasoningContent": {"redactedContent": "AHNlYWxlZA=="}})
}

fn tool(name: &str, description: &str, parameters: Value) -> ToolDef {
    ToolDef { name: name.into(), description: description.into(), parameters }
}

/// What the golden requests say, as a run has it.
fn a_turn_with_a_tool() -> ModelRequest {
    let schema = json!({"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]});
    ModelRequest {
        messages: vec![
            message(Role::System, [said("You have skills."), Part::CachePoint, said("Be brief.")]),
            Message::user("How many pounds is 1 kilogram?"),
            message(
                Role::Assistant,
                [
                    thought(signed()),
                    thought(redacted()),
                    said("Let me look."),
                    call("call_1", r#"{"name": "units", "n": 1.5}"#),
                    call("call_2", ""),
                ],
            ),
            result("call_1", "Launching skill: units", false),
            result("call_2", "no such skill", true),
            message(
                Role::User,
                [
                    said("<command-message>units</command-message>"),
                    said("Base directory: /skills/units"),
                    Part::CachePoint,
                ],
            ),
        ],
        tools: vec![tool("load_skill", "Loads a skill", schema), tool("bare", "", json!({}))],
        parameters: Sampling { temperature: Some(0.5), max_tokens: Some(4096) },
        tool_choice: None,
        dialect: Dialect { cache_tools: true, ..Dialect::default() },
    }
}

fn entry(model: &str) -> ModelEntry {
    ModelEntry::new("some", Protocol::Bedrock, "https://bedrock-runtime.us-east-1.amazonaws.com", model)
}

#[test]
fn asks_as_botocore_does() {
    let golden = golden();
    let further = json!({
        "inferenceConfig": {"maxTokens": 1, "topP": 0.9, "stopSequences": ["END"]},
        "additionalModelRequestFields": {"thinking": {"type": "enabled", "budget_tokens": 2048}},
        "guardrailConfig": {"guardrailIdentifier": "g1", "guardrailVersion": "1"},
    });
    let Value::Object(further) = further else { unreachable!() };
    let claude = "eu.anthropic.claude-sonnet-4-5-20250929-v1:0";
    let profile = "arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/a1b2c3";
    let limited = Sampling { max_tokens: Some(8192), temperature: None };
    let ask = |text: &str| ModelRequest { messages: vec![Message::user(text)], ..ModelRequest::default() };
    let requests = [
        ("a word", claude, ask("Hi, 漢字 🙂"), Map::new(), Sampling::default()),
        ("a turn with a tool", claude, a_turn_with_a_tool(), Map::new(), Sampling::default()),
        ("further fields", profile, ask("Hi"), further, limited),
    ];
    let mut compared = 0;
    for (name, model, request, body, parameters) in requests {
        for stream in [false, true] {
            let entry = ModelEntry { stream, body: body.clone(), parameters: parameters.clone(), ..entry(model) };
            let model = HttpModel::new(&entry, Http::new(), std::sync::Arc::new(|_: &str| None));
            let wire = model.encode(&request);
            let is_this = |asked: &&Value| {
                asked["request"] == name && asked["streamed"] == stream && asked.get("region").is_none()
            };
            let asked = golden["asked"].as_array().unwrap().iter().find(is_this).unwrap();
            let expected: Value = serde_json::from_str(asked["body"].as_str().unwrap()).unwrap();
            assert_eq!(serde_json::from_str::<Value>(&wire.body).unwrap(), expected, "{name}");
            assert_eq!(wire.url.as_deref(), asked["url"].as_str(), "{name}");
            compared += 1;
        }
    }
    assert_eq!(compared, 6);
}

fn written(request: &ModelRequest) -> Value {
    serde_json::from_str(&encode(request, &Sampling::default())).unwrap()
}

fn messages(messages: Vec<Message>) -> Value {
    written(&ModelRequest { messages, ..ModelRequest::default() })["messages"].clone()
}

#[test]
fn the_user_and_the_model_take_turns() {
    let block = |text: &str| json!({"text": text});
    let answer = |id: &str, text: &str, status: &str| json!({"toolResult": {"toolUseId": id, "content": [{"text": text}], "status": status}});
    assert_eq!(
        messages(vec![
            Message::user("a"),
            Message::system("b"),
            message(Role::Assistant, [said("c"), said(" "), said("d"), call("x", "[1]")]),
            Message::assistant("\n"),
            message(Role::Assistant, [call("y", r#"{"n": 1.50}"#)]),
            result("x", "", false),
            Message::user("e"),
            result("y", "r", true),
            Message::user(" "),
        ]),
        json!([
            {"role": "user", "content": [block("a"), block("b")]},
            {"role": "assistant", "content": [
                block("c "),
                block("d"),
                {"toolUse": {"toolUseId": "x", "name": "load_skill", "input": {"INVALID_JSON": "[1]"}}},
                {"toolUse": {"toolUseId": "y", "name": "load_skill", "input": {"n": 1.5}}},
            ]},
            {"role": "user", "content": [answer("x", "", "success"), answer("y", "r", "error"), block("e")]},
        ])
    );
    let body = encode(
        &ModelRequest {
            messages: vec![message(Role::Assistant, [call("y", r#"{"n": 1.50}"#)])],
            ..ModelRequest::default()
        },
        &Sampling::default(),
    );
    assert!(body.contains(r#"{"n": 1.50}"#), "arguments keep their digits: {body}");
}

#[test]
fn sends_back_its_own_thoughts_where_something_follows_them() {
    let foreign = json!({"type": "thinking", "thinking": "a", "signature": "s"});
    let bare = Part::Reasoning { text: "hm".into(), block: None };
    assert_eq!(
        messages(vec![
            Message::user("a"),
            message(Role::Assistant, [thought(signed()), bare, thought(foreign), said("b"), thought(redacted())]),
            Message::user("c"),
            message(Role::Assistant, [thought(signed())]),
        ]),
        json!([
            {"role": "user", "content": [{"text": "a"}]},
            {"role": "assistant", "content": [signed(), {"text": "b"}]},
            {"role": "user", "content": [{"text": "c"}]},
        ])
    );
}

#[test]
fn cache_points_stand_behind_what_can_be_cached_and_four_are_left() {
    let point = || Part::CachePoint;
    let mark = json!({"cachePoint": {"type": "default"}});
    let mut request = ModelRequest {
        messages: vec![
            message(Role::System, [point(), said("s"), point(), point()]),
            message(Role::User, [said(" "), point(), said("a"), point(), said("b")]),
            message(Role::Assistant, [said("c"), thought(signed()), point(), call("x", "")]),
            result("x", "r", false),
            message(Role::User, [point()]),
        ],
        tools: vec![tool("load_skill", "d", json!({"type": "object"}))],
        ..ModelRequest::default()
    };
    let body = written(&request);
    assert_eq!(body["system"], json!([{"text": "s"}, mark]));
    let content = |place: usize| body["messages"][place]["content"].as_array().unwrap().clone();
    assert_eq!(content(0), [json!({"text": " a"}), mark.clone(), json!({"text": "b"})]);
    assert_eq!(content(1)[..3], [json!({"text": "c"}), mark.clone(), signed()]);
    assert_eq!(content(2)[1], mark);
    assert_eq!(body["toolConfig"]["tools"].as_array().unwrap().len(), 1, "the one of the tools is the fifth");
    request.messages.remove(0);
    assert_eq!(written(&request)["toolConfig"]["tools"].as_array().unwrap().len(), 2, "the first one there is");
}

#[test]
fn who_may_not_call_is_offered_tools_only_where_there_are_calls_already() {
    let with = |messages: Vec<Message>, tool_choice| {
        let tools = vec![tool("load_skill", "", Value::Null)];
        written(&ModelRequest { messages, tools, tool_choice, ..ModelRequest::default() })["toolConfig"].clone()
    };
    let tools = json!([{"toolSpec": {"name": "load_skill", "inputSchema": {"json": {"type": "object"}}}}]);
    let user = || vec![Message::user("a")];
    let called = || vec![Message::user("a"), message(Role::Assistant, [call("x", "")]), result("x", "r", false)];
    let auto = json!({"tools": tools, "toolChoice": {"auto": {}}});
    assert_eq!(with(user(), None), auto);
    assert_eq!(with(user(), Some(ToolChoice::Auto)), auto);
    assert_eq!(with(user(), Some(ToolChoice::None)), Value::Null);
    assert_eq!(with(called(), Some(ToolChoice::None)), json!({"tools": tools}));
}

fn answered(events: Vec<ModelEvent>) -> Answered {
    let mut answer = Answer::new(0);
    events.iter().for_each(|event| answer.push(event));
    answer.finish()
}

/// The message and the rest of an answer as botocore's parser gives it.
fn of_golden(message: &Value, stop: &Value, usage: &Value) -> (Message, FinishReason, Usage) {
    let parts = message["content"].as_array().unwrap().iter().map(|block| {
        if let Some(text) = block["text"].as_str() {
            return said(text);
        }
        if block["reasoningContent"].is_object() {
            let text = block["reasoningContent"]["reasoningText"]["text"].as_str().unwrap_or_default();
            return Part::Reasoning { text: text.into(), block: Some(block.clone()) };
        }
        let call = &block["toolUse"];
        let text = |name: &str| call[name].as_str().unwrap();
        let input = if call["input"].is_string() {
            call["input"].as_str().unwrap().to_owned()
        } else {
            call["input"].to_string()
        };
        Part::ToolCall(ToolCall::new(text("toolUseId"), text("name"), input))
    });
    let count = |name: &str| usage[name].as_u64().unwrap_or(0) as u32;
    let (cached, cache_written) = (count("cacheReadInputTokens"), count("cacheWriteInputTokens"));
    let input = count("inputTokens") + cached + cache_written;
    let finish = if stop == "tool_use" { FinishReason::ToolCalls } else { FinishReason::Stop };
    let parts = parts.collect();
    (
        Message { role: Role::Assistant, parts },
        finish,
        Usage { input, output: count("outputTokens"), cached, cache_written },
    )
}

/// Without what JSON leaves open in arguments.
fn plain(mut message: Message) -> Message {
    for part in &mut message.parts {
        if let Part::ToolCall(call) = part {
            call.arguments = serde_json::from_str::<Value>(&call.arguments).unwrap().to_string();
        }
    }
    message
}

#[test]
fn reads_whole_answers_as_botocore_does() {
    let golden = golden();
    for (name, read) in golden["whole"].as_object().unwrap() {
        let body = std::fs::read_to_string(format!("{FIXTURES}/wire/bedrock/{name}.json")).unwrap();
        let answered = answered(decode(&body).unwrap());
        let expected = of_golden(&read["output"]["message"], &read["stopReason"], &read["usage"]);
        assert_eq!((plain(answered.message), answered.finish, answered.usage.unwrap()), expected, "{name}");
    }
}

/// The message that the events of a stream make, put together as plainly as can be.
fn joined(events: &[Value]) -> Value {
    let mut blocks: Vec<Value> = Vec::new();
    for event in events {
        if let Some(start) = event.get("contentBlockStart") {
            blocks.push(start["start"].clone());
            blocks.last_mut().unwrap()["toolUse"]["input"] = "".into();
        }
        let Some(event) = event.get("contentBlockDelta") else { continue };
        let place = event["contentBlockIndex"].as_u64().unwrap() as usize;
        if blocks.len() <= place {
            blocks.push(json!({}));
        }
        let add = |to: &mut Value, piece: &Value| {
            *to = format!("{}{}", to.as_str().unwrap_or_default(), piece.as_str().unwrap()).into();
        };
        let (block, delta) = (&mut blocks[place], &event["delta"]);
        if delta["text"].is_string() {
            add(&mut block["text"], &delta["text"]);
        } else if delta["toolUse"].is_object() {
            add(&mut block["toolUse"]["input"], &delta["toolUse"]["input"]);
        } else if let Some(redacted) = delta["reasoningContent"].get("redactedContent") {
            block["reasoningContent"]["redactedContent"] = redacted.clone();
        } else {
            for (name, piece) in delta["reasoningContent"].as_object().unwrap() {
                add(&mut block["reasoningContent"]["reasoningText"][name], piece);
            }
        }
    }
    for block in &mut blocks {
        if block["toolUse"]["input"] == "" {
            block["toolUse"]["input"] = json!({});
        }
        if let Some(fields) = block.as_object_mut() {
            fields.retain(|_, value| !value.is_null() && *value != json!({"input": null}));
        }
    }
    json!({"content": blocks})
}

#[test]
fn reads_streams_as_botocore_does() {
    let golden = golden();
    for (name, read) in golden["streamed"].as_object().unwrap() {
        let bytes = std::fs::read(format!("{FIXTURES}/wire/bedrock/{name}.eventstream")).unwrap();
        let mut framing = Protocol::Bedrock.framing();
        let payloads: Vec<String> = framing.push(&bytes).into_iter().map(Result::unwrap).collect();
        let (events, error) = stream::<Decoder>(&payloads);
        let read = read.as_array().unwrap();
        let last = read.last().unwrap();
        if let Some(told) = last.get("error") {
            let reason = why(&format!("the server says: {}", told["Message"].as_str().unwrap()));
            assert!(matches!(error, Some(ModelError::Broken { reason: found, .. }) if found == reason), "{name}");
            continue;
        }
        let answered = answered(events);
        let stop = read.iter().find_map(|event| event.get("messageStop")).unwrap();
        let expected = of_golden(&joined(read), &stop["stopReason"], &last["metadata"]["usage"]);
        let expected = (plain(expected.0), expected.1, expected.2);
        assert_eq!((plain(answered.message), answered.finish, answered.usage.unwrap()), expected, "{name}");
    }
}

fn events(payloads: &[&str]) -> Vec<ModelEvent> {
    let (events, error) = stream::<Decoder>(payloads);
    assert_eq!(error, None);
    events
}

const STOP: &str = r#"{"messageStop":{"stopReason":"end_turn"}}"#;
const META: &str = r#"{"metadata":{"usage":{"inputTokens":1,"outputTokens":2}}}"#;

#[test]
fn an_answer_is_over_with_its_stop_and_done_with_its_metadata() {
    use crate::decode::Decode;
    let told = |payloads: &[&str]| {
        let mut decoder = Decoder::default();
        payloads.iter().for_each(|payload| drop(decoder.push(payload).unwrap()));
        (decoder.has_finished(), decoder.is_done())
    };
    let says = r#"{"contentBlockDelta":{"contentBlockIndex":0,"delta":{"text":"hi"}}}"#;
    assert_eq!(
        [told(&[says]), told(&[says, META]), told(&[says, STOP])],
        [(false, false), (false, false), (true, false)]
    );
    assert_eq!(told(&[says, STOP, META]), (true, true));
    let usage = ModelEvent::Usage(Usage { input: 1, output: 2, ..Usage::default() });
    assert_eq!(events(&[says, STOP, META, says]), [text("hi"), usage.clone(), finish(FinishReason::Stop)]);
    assert_eq!(events(&[says, STOP]), [text("hi"), finish(FinishReason::Stop)]);
    assert_eq!(events(&[says, META]), [text("hi"), usage, perhaps_cut()]);
    assert_eq!(events(&[says]), [text("hi"), perhaps_cut()]);
}

#[test]
fn calls_without_arguments_have_none_and_those_that_were_cut_stay_as_they_are() {
    let start = r#"{"contentBlockStart":{"contentBlockIndex":1,"start":{"toolUse":{"toolUseId":"c","name":"f"}}}}"#;
    let stop = r#"{"contentBlockStop":{"contentBlockIndex":1}}"#;
    let tool_use = r#"{"messageStop":{"stopReason":"tool_use"}}"#;
    let cut = r#"{"messageStop":{"stopReason":"max_tokens"}}"#;
    let opened = || opens(0, "c", "f", "");
    let calls = finish(FinishReason::ToolCalls);
    assert_eq!(events(&[start, stop, tool_use]), [opened(), goes_on(0, "{}"), calls]);
    assert_eq!(events(&[start]), [opened(), perhaps_cut()]);
    assert_eq!(events(&[start, cut]), [opened(), finish(FinishReason::Length)]);
}

#[test]
fn thoughts_are_sealed_with_their_signature() {
    let delta = |place: u32, said: &str| {
        format!(r#"{{"contentBlockDelta":{{"contentBlockIndex":{place},"delta":{{"reasoningContent":{said}}}}}}}"#)
    };
    let payloads = [
        delta(0, r#"{"text":"Hm"}"#),
        delta(0, r#"{"text":"."}"#),
        delta(0, r#"{"signature":"c2lnbm"}"#),
        delta(0, r#"{"signature":"Vk"}"#),
        delta(1, r#"{"redactedContent":"AHNl"}"#),
        delta(1, r#"{"redactedContent":"YWxlZA=="}"#),
        r#"{"contentBlockStop":{"contentBlockIndex":1}}"#.to_owned(),
        STOP.to_owned(),
    ];
    let payloads: Vec<&str> = payloads.iter().map(String::as_str).collect();
    let whole = [reasoning("Hm"), reasoning("."), sealed(signed()), sealed(redacted()), finish(FinishReason::Stop)];
    assert_eq!(events(&payloads), whole);
    assert_eq!(events(&payloads[..2]), [reasoning("Hm"), reasoning("."), perhaps_cut()], "unsealed");
}

#[test]
fn reads_every_reason_to_stop() {
    let reason = |said: &str| events(&[&format!(r#"{{"messageStop":{{"stopReason":{said}}}}}"#)]);
    for (said, expected) in [
        ("\"end_turn\"", FinishReason::Stop),
        ("\"stop_sequence\"", FinishReason::Stop),
        ("\"tool_use\"", FinishReason::ToolCalls),
        ("\"max_tokens\"", FinishReason::Length),
        ("\"model_context_window_exceeded\"", FinishReason::Length),
        ("\"guardrail_intervened\"", FinishReason::Filtered),
        ("\"content_filtered\"", FinishReason::Filtered),
        ("\"malformed_tool_use\"", FinishReason::Other { reason: "malformed_tool_use".into() }),
        ("null", FinishReason::Unsaid),
    ] {
        assert_eq!(reason(said), [finish(expected)], "{said}");
    }
}

#[test]
fn what_is_no_answer_is_an_error_that_shows_it() {
    let silent = Err(ModelError::Broken {
        reason: why("the server accepted the request and then sent nothing"),
        raw: String::new(),
    });
    assert_eq!(decode(" "), silent);
    for raw in ["{}", r#"{"message":"no"}"#, r#"{"output":{}}"#] {
        let malformed = ModelError::Malformed { reason: why("there is no message in it"), raw: raw.into() };
        assert_eq!(decode(raw), Err(malformed));
    }
    let raw = r#"{"error":{"type":"modelStreamErrorException","message":"gone"}}"#;
    let broken = ModelError::Broken { reason: why("the server says: gone"), raw: raw.into() };
    assert_eq!(stream::<Decoder>(&[raw]), (vec![], Some(broken)));
}
