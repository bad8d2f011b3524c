//! What real servers send, and what it means. Each case is one peculiarity. Whole streams are in `tests/fixtures/wire`.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{Decoder, decode};
use crate::answer::{Answer, Answered};
use crate::decode::Decode;
use crate::sample::{finish, goes_on, opens, perhaps_cut, reasoning, sealed, stream, text, unsaid, why};
use crate::sse::Reader;
use crate::{FinishReason, Message, ModelError, ModelEvent, Part, Role, ToolCall, Usage};

/// The events of a stream of these payloads.
fn events(payloads: &[Value]) -> Vec<ModelEvent> {
    let payloads: Vec<_> = payloads.iter().map(Value::to_string).collect();
    let (events, error) = stream::<Decoder>(payloads.iter().map(String::as_str));
    assert_eq!(error, None);
    events
}

fn fixture(name: &str) -> String {
    let path = format!("{}/../../tests/fixtures/wire/responses/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The events of a recorded stream.
fn recorded(name: &str) -> Vec<ModelEvent> {
    let mut reader = Reader::default();
    let mut payloads = reader.push(fixture(name).as_bytes());
    payloads.extend(reader.finish());
    let (events, error) = stream::<Decoder>(payloads.iter().map(String::as_str));
    assert_eq!(error, None);
    events
}

fn answered(events: &[ModelEvent]) -> Answered {
    let mut answer = Answer::new(0);
    events.iter().for_each(|event| answer.push(event));
    answer.finish()
}

/// `response.completed` with this output.
fn completed(output: Value) -> Value {
    json!({"type": "response.completed", "response": {"status": "completed", "output": output}})
}

fn message(text: &str) -> Value {
    json!({"type": "message", "id": "m", "role": "assistant", "content": [{"type": "output_text", "text": text}]})
}

fn function_call(id: &str, call_id: &str, arguments: &str) -> Value {
    json!({"type": "function_call", "id": id, "call_id": call_id, "name": "f", "arguments": arguments})
}

#[test]
fn a_call_with_a_text_in_place_of_json_has_it_as_its_argument() {
    let call = |input: &str| json!({"type": "custom_tool_call", "id": "i", "call_id": "c1", "name": "exec", "namespace": "functions", "input": input});
    let program = "text(\"é\")\n";
    let seen = events(&[
        json!({"type": "response.output_item.added", "output_index": 0, "item": call("")}),
        json!({"type": "response.custom_tool_call_input.delta", "output_index": 0, "item_id": "i", "delta": "text("}),
        json!({"type": "response.custom_tool_call_input.done", "output_index": 0, "item_id": "i", "input": program}),
        json!({"type": "response.output_item.done", "output_index": 0, "item": call(program)}),
        completed(json!([call(program)])),
    ]);
    let given = json!({"input": program}).to_string();
    assert_eq!(
        answered(&seen).message.calls().cloned().collect::<Vec<_>>(),
        [ToolCall::new("c1", "exec", given.clone())]
    );
    // Whole, and not streamed.
    let body = json!({"status": "completed", "output": [call(program)]}).to_string();
    let whole = answered(&decode(&body).unwrap());
    assert_eq!(whole.message.calls().cloned().collect::<Vec<_>>(), [ToolCall::new("c1", "exec", given)]);
}

fn commentary() -> Value {
    json!({"type": "message", "phase": "commentary"})
}

fn openai_thought() -> Value {
    json!({
        "id": "rs_68af4030",
        "type": "reasoning",
        "encrypted_content": "gAAAAABor0AwLg==",
        "summary": [
            {"type": "summary_text", "text": "**Weighing**\n\nOne kilogram."},
            {"type": "summary_text", "text": "**Looking it up**"},
        ],
    })
}

#[test]
fn reads_summaries_text_calls_usage_and_finish_as_openai_sends_them() {
    assert_eq!(
        recorded("openai.sse"),
        [
            reasoning("**Weighing**"),
            reasoning("\n\nOne"),
            reasoning(" kilogram."),
            reasoning("\n\n**Looking"),
            reasoning(" it up**"),
            sealed(openai_thought()),
            text("Let me"),
            text(" look 磅."),
            sealed(commentary()),
            opens(0, "call_Rw4Yl1", "load_skill", ""),
            goes_on(0, "{\""),
            goes_on(0, "skill"),
            goes_on(0, "_name"),
            goes_on(0, "\":\""),
            goes_on(0, "unit-converter"),
            goes_on(0, "\"}"),
            ModelEvent::Usage(Usage { input: 81, output: 1035, cached: 64, cache_written: 8 }),
            finish(FinishReason::ToolCalls),
        ]
    );
}

#[test]
fn reads_whole_answers() {
    let events = decode(&fixture("openai.json")).unwrap();
    assert_eq!(
        events,
        [
            reasoning("**Weighing**\n\nOne kilogram."),
            reasoning("\n\n**Looking it up**"),
            sealed(openai_thought()),
            text("Let me look 磅."),
            sealed(commentary()),
            opens(0, "call_Rw4Yl1", "load_skill", r#"{"skill_name":"unit-converter"}"#),
            ModelEvent::Usage(Usage { input: 81, output: 1035, cached: 64, cache_written: 8 }),
            finish(FinishReason::ToolCalls),
        ]
    );
    assert_eq!(answered(&events), answered(&recorded("openai.sse")), "whole or streamed, it is the same answer");
}

#[test]
fn reads_what_a_server_of_somebody_else_sends() {
    let answer = |name: &str| {
        let streamed = answered(&recorded(&format!("{name}.sse")));
        let whole = answered(&decode(&fixture(&format!("{name}.json"))).unwrap());
        // The server makes up ids again for every answer.
        let without_ids = |answered: Answered| {
            let parts = answered.message.parts.into_iter().map(|part| match part {
                Part::ToolCall(call) => Part::ToolCall(ToolCall { id: String::new(), ..call }),
                part => part,
            });
            (parts.collect::<Vec<_>>(), answered.usage, answered.finish)
        };
        let (streamed, whole) = (without_ids(streamed), without_ids(whole));
        assert_eq!(streamed, whole);
        streamed
    };
    let said = |text: &str| Part::Text { text: text.into() };
    let thought = |text: &str| Part::Reasoning { text: text.into(), block: None };
    let called = |name: &str, arguments: &str| Part::ToolCall(ToolCall::new("", name, arguments));
    // The server counts nothing, which is not believed.
    let counted = || None;
    assert_eq!(
        ["aimock-text", "aimock-calls", "aimock-text-and-call", "aimock-thought"].map(answer),
        [
            (vec![said("Hello there, how are you?")], counted(), FinishReason::Stop),
            (
                vec![called("get_weather", r#"{"city":"Paris"}"#), called("get_weather", r#"{"city":"東京"}"#)],
                counted(),
                FinishReason::ToolCalls
            ),
            (
                vec![said("Let me look."), called("load_skill", r#"{"name":"unit-converter"}"#)],
                counted(),
                FinishReason::ToolCalls
            ),
            (vec![thought("The factor is 2.20462."), said("1 kg is 2.2 磅 🙂.")], counted(), FinishReason::Stop),
        ]
    );
}

#[test]
fn seals_a_thought_before_what_follows_where_its_end_comes_last() {
    let thought = json!({
        "id": "rs_Kq1",
        "summary": [],
        "type": "reasoning",
        "content": [{"type": "reasoning_text", "text": "The factor is 2.2."}],
        "encrypted_content": "",
    });
    assert_eq!(
        recorded("llama-cpp.sse"),
        [
            reasoning("The factor"),
            reasoning(" is 2.2."),
            sealed(thought),
            text("One"),
            text(" moment."),
            opens(0, "call_aB3", "load_skill", ""),
            goes_on(0, "{\"nam"),
            goes_on(0, "e\":\"a\"}"),
            opens(1, "call_cD4", "load_skill", ""),
            goes_on(1, "{\"nam"),
            goes_on(1, "e\":\"b\"}"),
            ModelEvent::Usage(Usage { input: 20, output: 9, cached: 4, cache_written: 0 }),
            finish(FinishReason::ToolCalls),
        ]
    );
}

#[test]
fn keeps_the_phase_of_a_text_once() {
    let item = |phase: &str, text: &str| {
        let mut item = message(text);
        item["phase"] = phase.into();
        item
    };
    let done =
        |index: u32, item: &Value| json!({"type": "response.output_item.done", "output_index": index, "item": item});
    let (first, last) = (item("commentary", "Wait."), item("final_answer", "Done."));
    let call = function_call("x", "a", "{}");
    let events =
        events(&[done(0, &first), done(1, &call), done(2, &last), completed(json!([first, call, last.clone()]))]);
    let phase = |phase: &str| sealed(json!({"type": "message", "phase": phase}));
    let said = [text("Wait."), phase("commentary"), opens(0, "a", "f", "{}"), text("Done."), phase("final_answer")];
    assert_eq!(events, [said.to_vec(), vec![finish(FinishReason::ToolCalls)]].concat());
}

#[test]
fn goes_by_places_where_every_event_has_another_id() {
    let thought = json!({
        "id": "last",
        "type": "reasoning",
        "summary": [{"type": "summary_text", "text": "Hm"}],
        "encrypted_content": "new",
    });
    assert_eq!(
        recorded("copilot.sse"),
        [
            reasoning("Hm"),
            sealed(thought),
            opens(0, "c1", "f", ""),
            opens(1, "c2", "g", ""),
            goes_on(0, "{\"x\":"),
            goes_on(1, "{}"),
            goes_on(0, "1}"),
            ModelEvent::Usage(Usage { input: 3, output: 2, cached: 0, cache_written: 0 }),
            finish(FinishReason::ToolCalls),
        ]
    );
}

#[test]
fn takes_what_only_the_end_tells_and_believes_its_status() {
    let thought = json!({
        "id": "msg_81a7",
        "summary": [],
        "type": "reasoning",
        "content": [{"type": "reasoning_text", "text": "We call f."}],
        "encrypted_content": null,
        "status": "completed",
    });
    assert_eq!(
        recorded("vllm.sse"),
        [
            reasoning("We call"),
            reasoning(" f."),
            sealed(thought),
            opens(0, "call_v", "f", "{"),
            ModelEvent::Usage(Usage { input: 7, output: 5, cached: 0, cache_written: 0 }),
            finish(FinishReason::Length),
        ]
    );
}

#[test]
fn takes_items_that_only_end() {
    let arguments = r#"{"skill_name":"unit-converter"}"#;
    assert_eq!(
        recorded("ends-only.sse"),
        [
            reasoning("**Weighing**\n\nOne kilogram."),
            reasoning("\n\n**Looking it up**"),
            sealed(openai_thought()),
            text("Let me look 磅."),
            sealed(commentary()),
            opens(0, "call_Rw4Yl1", "load_skill", arguments),
            opens(1, "call_2", "load_skill", arguments),
            perhaps_cut(),
        ]
    );
}

#[test]
fn joins_characters_that_were_cut_in_two() {
    let thought = json!({
        "type": "reasoning",
        "id": "r",
        "summary": [],
        "content": [{"type": "reasoning_text", "text": "\u{fffd} b"}],
    });
    assert_eq!(
        recorded("cut-characters.sse"),
        [
            text("a "),
            text("🙂"),
            opens(0, "c", "f", ""),
            goes_on(0, "🙂"),
            reasoning("\u{fffd} b"),
            sealed(thought),
            finish(FinishReason::ToolCalls),
        ]
    );
}

#[test]
fn takes_parts_that_only_end() {
    let done = |index: u64, text: &str| json!({"type": "response.output_text.done", "item_id": "m", "content_index": index, "text": text});
    let whole = json!({"type": "message", "content": [{"text": "one "}, {"refusal": "two "}, "three"]});
    assert_eq!(
        events(&[
            json!({"type": "response.output_text.delta", "item_id": "m", "content_index": 0, "delta": "one "}),
            done(0, "one "),
            json!({"type": "response.refusal.done", "item_id": "m", "content_index": 1, "refusal": "two "}),
            completed(json!([whole])),
        ]),
        [text("one "), text("two "), text("three"), finish(FinishReason::Filtered)]
    );
}

#[test]
fn parts_without_a_number_stand_for_all() {
    let delta = |text: &str| json!({"type": "response.output_text.delta", "delta": text});
    let whole = json!({"type": "message", "content": [{"text": "one "}, {"text": "two"}]});
    assert_eq!(
        events(&[delta("one "), delta("two"), completed(json!([whole]))]),
        [text("one "), text("two"), finish(FinishReason::Stop)]
    );
}

#[test]
fn reads_refusals() {
    let delta =
        |text: &str| json!({"type": "response.refusal.delta", "item_id": "m", "content_index": 0, "delta": text});
    let whole = json!({"type": "message", "id": "m", "content": [{"type": "refusal", "refusal": "I cannot"}]});
    assert_eq!(
        events(&[delta("I can"), delta("not"), completed(json!([whole]))]),
        [text("I can"), text("not"), finish(FinishReason::Filtered)]
    );
}

#[test]
fn reads_calls_without_ids_or_places() {
    let added = |call_id: &str| {
        let item = json!({"type": "function_call", "call_id": call_id, "name": "f", "arguments": ""});
        json!({"type": "response.output_item.added", "item": item})
    };
    let delta = |text: &str| json!({"type": "response.function_call_arguments.delta", "delta": text});
    let done = |text: &str| json!({"type": "response.function_call_arguments.done", "arguments": text});
    assert_eq!(
        events(&[added("a"), delta("{"), delta("}"), done("{}"), added("b"), done("[]")]),
        [
            opens(0, "a", "f", ""),
            goes_on(0, "{"),
            goes_on(0, "}"),
            opens(1, "b", "f", ""),
            goes_on(1, "[]"),
            perhaps_cut()
        ]
    );
}

#[test]
fn tells_calls_apart_where_all_have_place_0() {
    let event = |kind: &str, item: Value| json!({"type": kind, "output_index": 0, "item": item});
    let (added, done) = ("response.output_item.added", "response.output_item.done");
    assert_eq!(
        events(&[
            event(added, function_call("x", "a", "")),
            event(added, function_call("y", "b", "")),
            event(done, function_call("x", "a", "{}")),
            event(done, function_call("y", "b", "[]")),
        ]),
        [opens(0, "a", "f", ""), opens(1, "b", "f", ""), goes_on(0, "{}"), goes_on(1, "[]"), perhaps_cut()]
    );
}

#[test]
fn learns_of_a_call_when_it_can() {
    let delta = json!({"type": "response.function_call_arguments.delta", "item_id": "x", "delta": "{}"});
    let done = json!({"type": "response.function_call_arguments.done", "item_id": "x", "name": "f", "arguments": "{}"});
    let item = json!({"type": "response.output_item.done", "item": function_call("x", "a", "{}")});
    assert_eq!(events(&[delta, done, item]), [goes_on(0, "{}"), opens(0, "a", "f", ""), perhaps_cut()]);
}

#[test]
fn takes_arguments_once_where_the_beginning_has_them_too() {
    let added = json!({"type": "response.output_item.added", "item": function_call("x", "a", "{}")});
    let delta = json!({"type": "response.function_call_arguments.delta", "item_id": "x", "delta": "{}"});
    let whole = completed(json!([function_call("other", "a", "{}")]));
    assert_eq!(
        events(&[added, delta, whole]),
        [opens(0, "a", "f", ""), goes_on(0, "{}"), finish(FinishReason::ToolCalls)]
    );
}

#[test]
fn keeps_arguments_that_are_not_json_and_writes_out_those_that_are_not_text() {
    let call = |arguments: Value| json!({"type": "function_call", "call_id": "a", "name": "f", "arguments": arguments});
    let output = json!([call(json!("city=Oslo\n")), call(json!({"z": 1, "a": [2]})), call(Value::Null)]);
    assert_eq!(
        events(&[completed(output)]),
        [
            opens(0, "a", "f", "city=Oslo\n"),
            opens(1, "a", "f", r#"{"z":1,"a":[2]}"#),
            opens(2, "a", "f", ""),
            finish(FinishReason::ToolCalls),
        ]
    );
}

#[test]
fn seals_only_thoughts_that_can_go_back() {
    let thought = |more: Value| {
        let mut item = json!({"type": "reasoning", "id": "rs", "summary": [{"type": "summary_text", "text": "Hm"}]});
        item.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        item
    };
    let kinds = [
        (json!({}), false),
        (json!({"encrypted_content": null, "content": null}), false),
        (json!({"encrypted_content": "", "content": []}), false),
        (json!({"encrypted_content": "gA=="}), true),
    ];
    for (more, is_sealed) in kinds {
        let item = thought(more);
        let mut expected = vec![reasoning("Hm")];
        expected.extend(is_sealed.then(|| sealed(item.clone())));
        expected.push(finish(FinishReason::Stop));
        assert_eq!(events(&[completed(json!([item]))]), expected);
    }
}

#[test]
fn does_not_seal_an_encrypted_thought_that_ends_too_late() {
    let item =
        |encrypted: &str| json!({"type": "reasoning", "id": "rs", "summary": [], "encrypted_content": encrypted});
    assert_eq!(
        events(&[
            json!({"type": "response.output_item.added", "item": item("half")}),
            json!({"type": "response.reasoning_text.delta", "item_id": "rs", "delta": "Hm"}),
            json!({"type": "response.output_text.delta", "item_id": "m", "delta": "Yes."}),
            json!({"type": "response.output_item.done", "item": item("whole")}),
        ]),
        [reasoning("Hm"), text("Yes."), perhaps_cut()]
    );
}

#[test]
fn keeps_thoughts_before_what_they_led_to() {
    let thought = |id: &str| json!({"type": "reasoning", "id": id, "summary": [], "encrypted_content": id});
    let output = json!([thought("a"), function_call("x", "1", "{}"), thought("b"), thought("c"), message("Done.")]);
    let part = |id: &str| Part::Reasoning { text: String::new(), block: Some(thought(id)) };
    let called = ToolCall::new("1", "f", "{}");
    let parts = vec![part("a"), Part::ToolCall(called), part("b"), part("c"), Part::Text { text: "Done.".into() }];
    assert_eq!(answered(&events(&[completed(output)])).message, Message { role: Role::Assistant, parts });
}

#[test]
fn passes_over_items_and_events_of_tools_at_the_provider() {
    let search = json!({"type": "web_search_call", "id": "ws", "status": "completed"});
    assert_eq!(
        events(&[
            json!({"type": "response.output_item.added", "output_index": 0, "item": search}),
            json!({"type": "response.web_search_call.searching", "item_id": "ws"}),
            json!({"type": "response.output_item.done", "output_index": 0, "item": search}),
            json!({"type": "keepalive"}),
            completed(json!([search, null, 7, message("hi")])),
        ]),
        [text("hi"), finish(FinishReason::Stop)]
    );
}

#[test]
fn reads_every_way_to_end() {
    let ended = |name: &str, response: Value| events(&[json!({"type": name, "response": response})]);
    let incomplete = |reason: Value| {
        ended("response.incomplete", json!({"status": "incomplete", "incomplete_details": {"reason": reason}}))
    };
    let other = |reason: &str| FinishReason::Other { reason: reason.into() };
    let reasons = [
        (ended("response.completed", json!({"status": "completed"})), FinishReason::Stop),
        (ended("response.completed", json!({"status": null})), FinishReason::Stop),
        (ended("response.completed", json!({"status": "in_progress"})), FinishReason::Stop),
        (ended("response.cancelled", json!({})), other("cancelled")),
        (incomplete(json!("max_output_tokens")), FinishReason::Length),
        (incomplete(json!("content_filter")), FinishReason::Filtered),
        (incomplete(json!("steered")), other("steered")),
        (incomplete(Value::Null), other("incomplete")),
        (decode(r#"{"output":[],"status":"queued"}"#).unwrap(), FinishReason::PerhapsCut),
        (decode(r#"{"output":[]}"#).unwrap(), FinishReason::PerhapsCut),
    ];
    for (events, reason) in reasons {
        assert_eq!(events, [finish(reason)]);
    }
}

#[test]
fn a_stream_without_its_end_may_be_cut_off() {
    let created = json!({"type": "response.created", "response": {"status": "in_progress", "usage": null}});
    let delta = json!({"type": "response.output_text.delta", "delta": "hi"});
    assert_eq!(events(&[created, delta]), [text("hi"), perhaps_cut()]);
}

#[test]
fn nothing_counts_after_the_end() {
    let after = json!({"type": "response.output_text.delta", "delta": "more"});
    assert_eq!(events(&[completed(json!([message("hi")])), after]), [text("hi"), finish(FinishReason::Stop)]);
    let (events, error) =
        stream::<Decoder>([r#"{"type":"response.output_text.delta","delta":"hi"}"#, "[DONE]", "after the end"]);
    assert_eq!((events, error), (vec![text("hi"), unsaid()], None));
}

#[test]
fn an_empty_stream_is_an_error() {
    let broken =
        || ModelError::Broken { reason: why("the server accepted the request and then sent nothing"), raw: "".into() };
    let created = r#"{"type":"response.created","response":{"status":"in_progress","output":[]}}"#;
    assert_eq!(stream::<Decoder>([""; 0]), (vec![], Some(broken())));
    assert_eq!(stream::<Decoder>([created, "", "[DONE]"]), (vec![], Some(broken())));
    assert_eq!(decode(" \n"), Err(broken()));
}

#[test]
fn what_is_not_a_response_is_an_error_that_shows_it() {
    let malformed = |reason: &str, raw: &str| ModelError::Malformed { reason: why(reason), raw: raw.into() };
    let page = "<html><head><title>504 Gateway Time-out</title></head></html>";
    assert_eq!(decode(page), Err(malformed("it is a web page titled “504 Gateway Time-out”", page)));
    assert_eq!(decode("oops"), Err(malformed("it is not JSON: expected value at line 1 column 1", "oops")));
    assert_eq!(decode("[]"), Err(malformed("there is no output in it", "[]")));
    let chat = r#"{"object":"chat.completion.chunk","choices":[{"delta":{"content":"hi"}}]}"#;
    assert_eq!(stream::<Decoder>([chat, "{}"]), (vec![], Some(malformed("there is no output in it", chat))));
}

#[test]
fn an_error_in_mid_stream_is_an_error() {
    let first = r#"{"type":"response.output_text.delta","delta":"hi"}"#;
    for (raw, reason) in [
        (r#"{"type":"error","code":"rate_limit_exceeded","message":"Slow down","param":null}"#, "Slow down"),
        (r#"{"type":"error","error":{"type":"tokens","message":"Rate limit reached"}}"#, "Rate limit reached"),
        (r#"{"type":"error","code":"server_error","message":""}"#, "server_error"),
        (r#"{"type":"error"}"#, r#"{"type":"error"}"#),
        (r#"{"type":"response.failed","response":{"status":"failed","error":{"message":"Oh no"}}}"#, "Oh no"),
        (r#"{"type":"response.failed","response":{"status":"failed","error":null}}"#, "the response failed"),
        (r#"{"type":"response.completed","response":{"status":"failed"}}"#, "the response failed"),
        (r#"{"status":"failed","error":{"message":"Oh no"},"output":[]}"#, "Oh no"),
        (r#"{"error":"out of memory"}"#, "out of memory"),
    ] {
        let error = ModelError::Broken { reason: why(&format!("the server says: {reason}")), raw: raw.into() };
        assert_eq!(stream::<Decoder>([first, raw]), (vec![text("hi")], Some(error)));
    }
}

/// Payloads in the shapes of the protocol, with the wrong things in them.
fn payload() -> impl Strategy<Value = String> {
    let name = prop::sample::select(vec![
        "output_text.delta",
        "output_text.done",
        "refusal.done",
        "reasoning_text.delta",
        "reasoning_summary_text.done",
        "function_call_arguments.delta",
        "function_call_arguments.done",
        "output_item.added",
        "output_item.done",
        "completed",
    ]);
    let odd =
        || prop::sample::select(vec![json!(null), json!(0), json!(7), json!("x"), json!([{}]), json!({"text": "y"})]);
    let kind = prop::sample::select(vec!["message", "reasoning", "function_call", "web_search_call"]);
    (name, kind, odd(), odd(), odd()).prop_map(|(name, kind, a, b, c)| {
        let item = json!({"type": kind, "id": a, "call_id": b, "content": c, "summary": b, "arguments": a,
            "encrypted_content": c});
        let response = json!({"output": [item, c], "usage": {"input_tokens": a}, "status": b});
        json!({"type": format!("response.{name}"), "item": item, "item_id": b, "output_index": a, "content_index": c,
            "summary_index": a, "delta": c, "text": c, "arguments": c, "refusal": c, "response": response})
        .to_string()
    })
}

proptest! {
    #[test]
    fn no_payload_panics(payloads in prop::collection::vec(prop_oneof![4 => payload(), 1 => any::<String>()], 1..12)) {
        let mut decoder = Box::new(Decoder::default());
        let mut answer = Answer::new(0);
        for payload in &payloads {
            for event in decoder.push(payload).unwrap_or_default() {
                answer.push(&event);
            }
            let _ = decode(payload);
        }
        let _ = decoder.end();
        answer.finish();
    }

    #[test]
    fn any_bytes_in_any_chunks_give_the_same_events(
        payloads in prop::collection::vec(payload(), 1..8),
        noise in any::<Vec<u8>>(),
        at in any::<prop::sample::Index>(),
        sizes in prop::collection::vec(1usize..40, 1..20),
    ) {
        let mut bytes = payloads.iter().map(|payload| format!("data: {payload}\n\n")).collect::<String>().into_bytes();
        let at = at.index(bytes.len());
        bytes.splice(at..at, noise);
        let read = |chunks: &mut dyn Iterator<Item = &[u8]>| {
            let mut reader = Reader::default();
            let mut payloads: Vec<_> = chunks.flat_map(|chunk| reader.push(chunk)).collect();
            payloads.extend(reader.finish());
            stream::<Decoder>(payloads.iter().map(String::as_str))
        };
        let mut rest = bytes.as_slice();
        let mut sizes = sizes.iter().cycle();
        let mut chunks = std::iter::from_fn(|| {
            let (chunk, after) = rest.split_at(rest.len().min(*sizes.next()?));
            rest = after;
            (!chunk.is_empty()).then_some(chunk)
        });
        prop_assert_eq!(read(&mut chunks), read(&mut std::iter::once(bytes.as_slice())));
    }

    #[test]
    fn arguments_survive_any_cutting(arguments in "[{}\":a1漢,]{0,30}", sizes in prop::collection::vec(1usize..5, 1..8)) {
        let mut chars = arguments.chars();
        let mut payloads = vec![json!({"type": "response.output_item.added", "item": function_call("x", "a", "")})];
        for size in sizes.iter().cycle() {
            let piece: String = chars.by_ref().take(*size).collect();
            payloads.push(json!({"type": "response.function_call_arguments.delta", "item_id": "x", "delta": piece}));
            if chars.as_str().is_empty() { break }
        }
        payloads.push(completed(json!([function_call("y", "a", &arguments)])));
        let calls: Vec<_> = answered(&events(&payloads)).message.calls().cloned().collect();
        prop_assert_eq!(calls, [ToolCall::new("a", "f", arguments)]);
    }
}
