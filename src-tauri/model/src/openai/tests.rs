//! What real servers send, and what it means. Each case is one peculiarity.

use proptest::prelude::*;

use super::{Decoder, decode};
use crate::answer::Answer;
use crate::decode::Decode;
use crate::sample::{finish, goes_on, opens, perhaps_cut, reasoning, sealed, stream, text, unsaid, why};
use crate::{FinishReason, ModelError, ModelEvent, ToolCall, Usage};

/// The events of a stream of deltas of choice 0 that ends with `[DONE]`.
fn deltas(deltas: &[&str]) -> Vec<ModelEvent> {
    let chunk = |delta: &&str| format!(r#"{{"choices":[{{"index":0,"delta":{delta},"finish_reason":null}}]}}"#);
    let payloads: Vec<_> = deltas.iter().map(chunk).chain(["[DONE]".to_owned()]).collect();
    let (events, error) = stream::<Decoder>(&payloads.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(error, None);
    events
}

#[test]
fn reads_text_usage_and_finish_as_openai_sends_them() {
    let payloads = [
        r#"{"id":"c","choices":[{"index":0,"delta":{"role":"assistant","content":"","refusal":null},"finish_reason":null}],"usage":null}"#,
        r#"{"choices":[{"index":0,"delta":{"content":"1 kg is "},"finish_reason":null}],"usage":null}"#,
        r#"{"choices":[{"index":0,"delta":{"content":"2.2 磅"},"finish_reason":null}],"usage":null}"#,
        r#"{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":null}"#,
        r#"{"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":5,"total_tokens":14,"prompt_tokens_details":{"cached_tokens":4,"cache_write_tokens":2}}}"#,
        "[DONE]",
        "after the end",
    ];
    let usage = ModelEvent::Usage(Usage { input: 9, output: 5, cached: 4, cache_written: 2 });
    assert_eq!(
        stream::<Decoder>(&payloads),
        (vec![text("1 kg is "), text("2.2 磅"), usage, finish(FinishReason::Stop)], None)
    );
}

#[test]
fn reads_parallel_calls_by_index() {
    let events = deltas(&[
        r#"{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":""}}]}"#,
        r#"{"tool_calls":[{"index":0,"function":{"arguments":"{\"x\":"}}]}"#,
        r#"{"tool_calls":[{"index":1,"id":"b","type":"function","function":{"name":"f","arguments":"{}"}}]}"#,
        r#"{"tool_calls":[{"index":0,"function":{"arguments":"1}"}}]}"#,
    ]);
    let calls = [opens(0, "a", "f", ""), goes_on(0, "{\"x\":"), opens(1, "b", "f", "{}"), goes_on(0, "1}"), unsaid()];
    assert_eq!(events, calls);
}

#[test]
fn takes_id_and_name_once_where_every_delta_repeats_them() {
    let delta = |arguments: &str| {
        format!(
            r#"{{"role":null,"content":null,
            "function_call":{{"name":"get_weather:","arguments":"{arguments}"}},
            "tool_calls":[{{"index":0,"id":"call__0_get_weather","type":"function","function":{{"name":"get_weather","arguments":"{arguments}"}}}}]}}"#
        )
    };
    let nulls = r#"{"role":null,"content":null,"function_call":null,"tool_calls":null}"#;
    let events =
        deltas(&[r#"{"role":"assistant","content":null}"#, &delta("{\\\"city\\\":"), &delta("\\\"Oslo\\\"}"), nulls]);
    let first = opens(0, "call__0_get_weather", "get_weather", "{\"city\":");
    assert_eq!(events, [first, goes_on(0, "\"Oslo\"}"), unsaid()]);
}

#[test]
fn goes_on_with_one_call_where_every_delta_has_another_id() {
    let events = deltas(&[
        r#"{"tool_calls":[{"index":0,"id":"r1","function":{"name":"f","arguments":"{\"x\""}}]}"#,
        r#"{"tool_calls":[{"index":0,"id":"r2","function":{"name":"f","arguments":":1"}}]}"#,
        r#"{"tool_calls":[{"index":0,"id":"r3","function":{"name":null,"arguments":"}"}}]}"#,
    ]);
    assert_eq!(events, [opens(0, "r1", "f", "{\"x\""), goes_on(0, ":1"), goes_on(0, "}"), unsaid()]);
}

#[test]
fn tells_calls_apart_where_all_have_index_0() {
    let events = deltas(&[
        r#"{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}]}"#,
        r#"{"tool_calls":[{"index":0,"id":"b","function":{"name":"f","arguments":"{}"}}]}"#,
        r#"{"tool_calls":[{"index":0,"id":"c","function":{"name":"g","arguments":""}}]}"#,
    ]);
    assert_eq!(events, [opens(0, "a", "f", "{}"), opens(1, "b", "f", "{}"), opens(2, "c", "g", ""), unsaid()]);
}

#[test]
fn reads_calls_without_an_index() {
    let by_id = deltas(&[
        r#"{"tool_calls":[{"id":"a","function":{"name":"f","arguments":"{"}},{"id":"b","function":{"name":"f","arguments":"{"}}]}"#,
        r#"{"tool_calls":[{"id":"a","function":{"arguments":"}"}},{"function":{"arguments":"}"}}]}"#,
    ]);
    assert_eq!(by_id, [opens(0, "a", "f", "{"), opens(1, "b", "f", "{"), goes_on(0, "}"), goes_on(1, "}"), unsaid()]);

    let by_name = deltas(&[
        r#"{"tool_calls":[{"function":{"name":"f","arguments":"{\"x\":"}}]}"#,
        r#"{"tool_calls":[{"function":{"name":"f","arguments":"1}"}}]}"#,
        r#"{"tool_calls":[{"function":{"name":"f","arguments":"{}"}},{"function":{"name":"f","arguments":"{}"}}]}"#,
    ]);
    let first = [opens(0, "", "f", "{\"x\":"), goes_on(0, "1}")];
    assert_eq!(by_name, [&first[..], &[opens(1, "", "f", "{}"), opens(2, "", "f", "{}"), unsaid()]].concat());
}

#[test]
fn reads_a_legacy_function_call() {
    let events = deltas(&[
        r#"{"function_call":{"name":"f","arguments":""}}"#,
        r#"{"function_call":{"arguments":"{}"}}"#,
        r#"{"function_call":null}"#,
    ]);
    assert_eq!(events, [opens(0, "", "f", ""), goes_on(0, "{}"), unsaid()]);
}

#[test]
fn keeps_arguments_that_are_not_json_and_writes_out_those_that_are_not_text() {
    let events = deltas(&[
        r#"{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"city=Oslo\n"}}]}"#,
        r#"{"tool_calls":[{"index":1,"id":"b","function":{"name":"g","arguments":{"z":1,"a":[2]}}}]}"#,
        r#"{"tool_calls":[{"index":2,"id":"c","function":{"name":"h","arguments":null}}]}"#,
    ]);
    let odd = [opens(0, "a", "f", "city=Oslo\n"), opens(1, "b", "g", r#"{"z":1,"a":[2]}"#), opens(2, "c", "h", "")];
    assert_eq!(events, [&odd[..], &[unsaid()]].concat());
}

#[test]
fn reads_reasoning_under_both_names_and_once() {
    let events = deltas(&[
        r#"{"reasoning_content":"a","content":null}"#,
        r#"{"reasoning":"b","reasoning_details":[{"type":"reasoning.text","text":"b"}],"content":""}"#,
        r#"{"reasoning_content":"c","reasoning":"c","content":"d"}"#,
        r#"{"reasoning":{"effort":"low"},"content":"e"}"#,
    ]);
    let details = serde_json::json!({"reasoning_details": [{"type": "reasoning.text", "text": "b"}]});
    let thought = [reasoning("a"), reasoning("b"), reasoning("c"), sealed(details)];
    assert_eq!(events, [&thought[..], &[text("d"), text("e"), unsaid()]].concat());
}

#[test]
fn reads_content_in_parts_and_refusals() {
    let events = deltas(&[
        r#"{"content":[{"type":"thinking","thinking":[{"type":"text","text":"h"},{"type":"text","text":"m"}]}]}"#,
        r#"{"content":[{"type":"text","text":"one "},"two",{"type":"image_url","image_url":{"url":"data:"}}]}"#,
        r#"{"content":null,"refusal":"I cannot"}"#,
    ]);
    assert_eq!(events, [reasoning("hm"), text("one "), text("two"), text("I cannot"), unsaid()]);
}

#[test]
fn joins_characters_that_were_cut_in_two() {
    let events = deltas(&[
        r#"{"content":"a \ud83d"}"#,
        r#"{"tool_calls":[{"index":0,"id":"c","function":{"name":"f","arguments":"\ud83d"}}]}"#,
        r#"{"tool_calls":[{"index":0,"function":{"arguments":"\ude42"}}]}"#,
        r#"{"content":"\ude42\ud83d"}"#,
        r#"{"content":"b"}"#,
    ]);
    let call = [opens(0, "c", "f", ""), goes_on(0, "🙂")];
    assert_eq!(events, [&[text("a ")], &call[..], &[text("🙂"), text("\u{fffd}b"), unsaid()]].concat());
}

#[test]
fn takes_choice_0_of_several() {
    let payloads = [
        r#"{"choices":[{"index":1,"delta":{"content":"B"}},{"index":0,"delta":{"content":"A"}}]}"#,
        r#"{"choices":[{"index":1,"delta":{"content":"B"},"finish_reason":"length"}]}"#,
        r#"{"choices":[{"delta":{"content":"a"},"finish_reason":"stop"},{"delta":{"content":"b"}}]}"#,
    ];
    assert_eq!(stream::<Decoder>(&payloads), (vec![text("A"), text("a"), finish(FinishReason::Stop)], None));
}

#[test]
fn reads_every_reason_to_finish() {
    let reason =
        |said: &str| stream::<Decoder>(&[&format!(r#"{{"choices":[{{"delta":{{}},"finish_reason":{said}}}]}}"#)]);
    let reasons = [
        "\"stop\"",
        "\"tool_calls\"",
        "\"function_call\"",
        "\"length\"",
        "\"content_filter\"",
        "\"eos\"",
        "null",
        "\"\"",
    ];
    let expected = [
        FinishReason::Stop,
        FinishReason::ToolCalls,
        FinishReason::ToolCalls,
        FinishReason::Length,
        FinishReason::Filtered,
        FinishReason::Other { reason: "eos".into() },
        FinishReason::PerhapsCut,
        FinishReason::PerhapsCut,
    ];
    assert_eq!(reasons.map(reason), expected.map(|reason| (vec![finish(reason)], None)));
}

#[test]
fn an_answer_without_done_and_finish_may_be_cut_off() {
    let hi = r#"{"choices":[{"delta":{"content":"hi"}}]}"#;
    assert_eq!(stream::<Decoder>(&[hi]), (vec![text("hi"), perhaps_cut()], None));
    assert_eq!(stream::<Decoder>(&[hi, "[DONE]"]), (vec![text("hi"), unsaid()], None));
    let whole = r#"{"choices":[{"message":{"content":"hi"},"finish_reason":null}]}"#;
    assert_eq!(decode(whole), Ok(vec![text("hi"), perhaps_cut()]));
}

#[test]
fn keeps_the_last_of_several_usages() {
    let payloads = [
        r#"{"choices":[{"delta":{"content":"a"}}],"usage":{"prompt_tokens":3,"completion_tokens":1}}"#,
        r#"{"choices":[{"delta":{"content":"b"}}],"usage":{"prompt_tokens":3,"completion_tokens":2,"prompt_cache_hit_tokens":1}}"#,
        r#"{"choices":[{"delta":{}}],"usage":{"prompt_tokens":null}}"#,
    ];
    let usage = ModelEvent::Usage(Usage { input: 3, output: 2, cached: 1, cache_written: 0 });
    assert_eq!(stream::<Decoder>(&payloads), (vec![text("a"), text("b"), usage, perhaps_cut()], None));
}

#[test]
fn a_closing_message_repeats_nothing() {
    let payloads = [
        r#"{"choices":[{"delta":{"content":"hi"}}]}"#,
        r#"{"choices":[{"message":{"content":"hi"},"finish_reason":"stop"}]}"#,
    ];
    assert_eq!(stream::<Decoder>(&payloads), (vec![text("hi"), finish(FinishReason::Stop)], None));
}

#[test]
fn an_empty_stream_is_an_error() {
    let broken =
        || ModelError::Broken { reason: why("the server accepted the request and then sent nothing"), raw: "".into() };
    assert_eq!(stream::<Decoder>([""; 0]), (vec![], Some(broken())));
    assert_eq!(stream::<Decoder>(&["", "[DONE]"]), (vec![], Some(broken())));
    assert_eq!(decode(" \n"), Err(broken()));
}

#[test]
fn an_error_in_mid_stream_is_an_error() {
    let first = r#"{"choices":[{"delta":{"content":"hi"}}],"error":null}"#;
    let broken = |reason: &str, raw: &str| {
        (
            vec![text("hi")],
            Some(ModelError::Broken { reason: why(&format!("the server says: {reason}")), raw: raw.into() }),
        )
    };
    for (raw, reason) in [
        (
            r#"{"error":{"message":"Overloaded","code":502},"choices":[{"delta":{"content":""},"finish_reason":"error"}]}"#,
            "Overloaded",
        ),
        (r#"{"error":"out of memory"}"#, "out of memory"),
        (r#"{"object":"error","message":"context too long","code":400}"#, "context too long"),
    ] {
        assert_eq!(stream::<Decoder>(&[first, raw]), broken(reason, raw));
    }
}

#[test]
fn an_answer_that_finished_with_an_error_is_an_error() {
    let broken = |reason: &str, raw: &str| Some(ModelError::Broken { reason: why(reason), raw: raw.into() });
    let hi = r#"{"choices":[{"delta":{"content":"hi"}}]}"#;
    let plain = r#"{"choices":[{"delta":{"content":""},"finish_reason":"error"}]}"#;
    let unsaid = "the server says that the answer ended with an error";
    assert_eq!(stream::<Decoder>(&[hi, plain, "[DONE]"]), (vec![text("hi")], broken(unsaid, plain)));
    let why = r#"{"choices":[{"delta":{},"error":{"code":502,"message":"Upstream broke"},"finish_reason":"error"}]}"#;
    let said = "the server says: Upstream broke";
    assert_eq!(stream::<Decoder>(&[hi, why]), (vec![text("hi")], broken(said, why)));
    let whole = r#"{"choices":[{"message":{"content":"hi"},"finish_reason":"error"}]}"#;
    assert_eq!(decode(whole).err(), broken(unsaid, whole));
}

#[test]
fn a_call_that_comes_after_the_finish_may_be_cut_off() {
    let stop = r#"{"choices":[{"delta":{"content":"hi"},"finish_reason":"stop"}]}"#;
    let call =
        r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"f","arguments":"{}"}}]}}]}"#;
    let over = r#"{"choices":[{"delta":{},"finish_reason":"tool_calls"}]}"#;
    let called = |last: ModelEvent| (vec![text("hi"), opens(0, "c", "f", "{}"), last], None);
    assert_eq!(stream::<Decoder>(&[stop, call]), called(perhaps_cut()));
    assert_eq!(stream::<Decoder>(&[stop, call, "[DONE]"]), called(finish(FinishReason::Stop)));
    assert_eq!(stream::<Decoder>(&[stop, call, over]), called(finish(FinishReason::ToolCalls)));
}

#[test]
fn what_is_not_json_is_an_error_that_shows_it() {
    let malformed = |reason: &str, raw: &str| Err(ModelError::Malformed { reason: why(reason), raw: raw.into() });
    let page = "<html><head><title>504 Gateway Time-out</title></head></html>";
    assert_eq!(decode(page), malformed("it is a web page titled “504 Gateway Time-out”", page));
    assert_eq!(decode("oops"), malformed("it is not JSON: expected value at line 1 column 1", "oops"));
    assert_eq!(decode("[]"), malformed("there is no choice in it", "[]"));
    assert_eq!(decode(r#"{"choices":[]}"#), malformed("there is no choice in it", r#"{"choices":[]}"#));
}

#[test]
fn reads_whole_answers() {
    let calls = decode(
        r#"{"id":"x","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"Wait.","reasoning_content":"hm",
        "tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{\"x\": 1}"}},{"function":{"name":"f","arguments":"{"}},{"function":{"name":"f","arguments":"}"}}],
        "function_call":{"name":"f","arguments":"{}"}},"logprobs":null,"finish_reason":"tool_calls"}],
        "usage":{"prompt_tokens":7,"completion_tokens":3,"total_tokens":10}}"#,
    );
    let usage = ModelEvent::Usage(Usage { input: 7, output: 3, cached: 0, cache_written: 0 });
    let called = [opens(0, "a", "f", "{\"x\": 1}"), opens(1, "", "f", "{"), opens(2, "", "f", "}")];
    let ended = [usage, finish(FinishReason::ToolCalls)];
    let block = serde_json::json!({"reasoning_content": "hm"});
    assert_eq!(calls, Ok([&[reasoning("hm"), sealed(block), text("Wait.")], &called[..], &ended].concat()));

    let bare = decode(r#"{"choices":[{"message":{"content":"hi","tool_calls":null,"function_call":null}}]}"#);
    assert_eq!(bare, Ok(vec![text("hi"), perhaps_cut()]));
}

#[test]
fn keeps_thoughts_that_go_back_and_seals_them_when_they_are_over() {
    let events = deltas(&[
        r#"{"reasoning_content":"One "}"#,
        r#"{"reasoning_content":"\ud83d"}"#,
        r#"{"reasoning_content":"\ude42"}"#,
        r#"{"content":"Wait."}"#,
        r#"{"reasoning_content":"Two"}"#,
        r#"{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}]}"#,
        r#"{"reasoning_content":"Three"}"#,
    ]);
    let block = |text: &str| sealed(serde_json::json!({"reasoning_content": text}));
    let told = [
        vec![reasoning("One "), reasoning("🙂"), block("One 🙂"), text("Wait.")],
        vec![reasoning("Two"), block("Two"), opens(0, "a", "f", "{}")],
        vec![reasoning("Three"), block("Three"), unsaid()],
    ];
    assert_eq!(events, told.concat());
}

#[test]
fn keeps_details_of_thoughts_also_those_that_come_last() {
    let events = deltas(&[
        r#"{"reasoning":"One","reasoning_details":[{"type":"reasoning.text","text":"One","index":0}]}"#,
        r#"{"reasoning":" two","reasoning_details":[{"type":"reasoning.text","text":" two","index":0}]}"#,
        r#"{"content":"","reasoning_details":[{"type":"reasoning.text","signature":"s","index":0}]}"#,
        r#"{"content":"Hi","reasoning_details":[]}"#,
        r#"{"content":"","reasoning_details":[{"type":"reasoning.encrypted","data":"eA==","id":"r","index":1}]}"#,
    ]);
    let first = serde_json::json!([{"type": "reasoning.text", "text": "One two", "index": 0, "signature": "s"}]);
    let last = serde_json::json!([{"type": "reasoning.encrypted", "data": "eA==", "id": "r", "index": 1}]);
    let block = |details| sealed(serde_json::json!({"reasoning_details": details}));
    assert_eq!(events, [reasoning("One"), reasoning(" two"), block(first), text("Hi"), block(last), unsaid()]);
}

#[test]
fn keeps_what_a_provider_sends_with_a_call() {
    let signed = |signature: &str| serde_json::json!({"google": {"thought_signature": signature}});
    let extra = |index, signature| ModelEvent::Extra { index, extra: signed(signature) };
    let call = |id: &str, signature: &str| {
        let function = serde_json::json!({"name": "f", "arguments": "{}"});
        serde_json::json!({"id": id, "type": "function", "function": function, "extra_content": signed(signature)})
    };
    let one = |call| serde_json::json!({"tool_calls": [call]}).to_string();
    let events = deltas(&[&one(call("a", "x")), &one(call("b", "y"))]);
    let told = [opens(0, "a", "f", "{}"), extra(0, "x"), opens(1, "b", "f", "{}"), extra(1, "y"), unsaid()];
    assert_eq!(events, told);
    let mut answer = Answer::new(0);
    events.iter().for_each(|event| answer.push(event));
    let calls = answer.finish().message.calls().cloned().collect::<Vec<_>>();
    let with = |id, signature| ToolCall { extra: Some(signed(signature)), ..ToolCall::new(id, "f", "{}") };
    assert_eq!(calls, [with("a", "x"), with("b", "y")]);
}

proptest! {
    #[test]
    fn no_payload_panics(
        payload in prop_oneof![
            any::<String>(),
            r#"\{"choices":\[\{"(delta|message)":\{"(content|tool_calls|function_call|reasoning)":(null|7|"x"|\[\{"id":4\}\]|\[null\]|\{"name":\[\]\})\}\}\]\}"#,
        ],
    ) {
        let mut decoder = Box::new(Decoder::default());
        let _ = decoder.push(&payload);
        let _ = decoder.push(&payload);
        let _ = decoder.end();
        let _ = decode(&payload);
    }

    #[test]
    fn arguments_survive_any_cutting(arguments in "[{}\":a1漢,]{0,30}", sizes in prop::collection::vec(1usize..5, 1..8)) {
        let mut chars = arguments.chars();
        let mut payloads = Vec::new();
        for size in sizes.iter().cycle() {
            let piece: String = chars.by_ref().take(*size).collect();
            let call = serde_json::json!({"index": 0, "id": "a", "function": {"name": "f", "arguments": piece}});
            payloads.push(serde_json::json!({"choices": [{"delta": {"tool_calls": [call]}}]}).to_string());
            if chars.as_str().is_empty() { break }
        }
        let (events, error) = stream::<Decoder>(&payloads.iter().map(String::as_str).collect::<Vec<_>>());
        prop_assert_eq!(error, None);
        let joined: String = events.iter().filter_map(|event| match event {
            ModelEvent::ToolCall { index: 0, arguments, .. } => Some(arguments.as_str()),
            _ => None,
        }).collect();
        prop_assert_eq!(joined, arguments);
    }
}
