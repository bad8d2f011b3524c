//! What real servers send, and what it means. Each case is one peculiarity.

use proptest::prelude::*;
use serde_json::json;

use super::{Decoder, decode};
use crate::decode::Decode;
use crate::sample::{finish, goes_on, opens, perhaps_cut, reasoning, sealed, stream, text, unsaid, why};
use crate::sse::Reader;
use crate::{FinishReason, ModelError, ModelEvent, Usage};

/// The events of a stream that goes well.
fn events<'a>(payloads: impl IntoIterator<Item = &'a str>) -> Vec<ModelEvent> {
    let (events, error) = stream::<Decoder>(payloads);
    assert_eq!(error, None);
    events
}

/// The events of blocks, each of a beginning and its deltas, in a stream as Anthropic sends it, without the last.
fn blocks(blocks: &[(&str, &[&str])]) -> Vec<ModelEvent> {
    let mut payloads = vec![r#"{"type":"message_start","message":{"content":[],"stop_reason":null}}"#.to_owned()];
    for (index, (block, deltas)) in blocks.iter().enumerate() {
        payloads.push(format!(r#"{{"type":"content_block_start","index":{index},"content_block":{block}}}"#));
        for delta in *deltas {
            payloads.push(format!(r#"{{"type":"content_block_delta","index":{index},"delta":{delta}}}"#));
        }
        payloads.push(format!(r#"{{"type":"content_block_stop","index":{index}}}"#));
    }
    payloads.push(r#"{"type":"message_stop"}"#.to_owned());
    let mut events = events(payloads.iter().map(String::as_str));
    assert_eq!(events.pop(), Some(unsaid()));
    events
}

fn usage(input: u32, output: u32, cached: u32, cache_written: u32) -> ModelEvent {
    ModelEvent::Usage(Usage { input, output, cached, cache_written })
}

/// The end of a stream.
const STOP: &str = r#"{"type":"message_stop"}"#;

#[test]
fn reads_a_stream_as_anthropic_sends_it() {
    let payloads = [
        r#"{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":9,"cache_creation_input_tokens":20,"cache_read_input_tokens":100,"output_tokens":1}}}"#,
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}"#,
        r#"{"type":"ping"}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"Let me "}}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"see"}}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"c2ln"}}"#,
        r#"{"type":"content_block_stop","index":0}"#,
        r#"{"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}"#,
        r#"{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"1 kg is "}}"#,
        r#"{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"2.2 磅"}}"#,
        r#"{"type":"content_block_stop","index":1}"#,
        r#"{"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"toolu_1","name":"load_skill","input":{}}}"#,
        r#"{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":""}}"#,
        r#"{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\"n\": 1"}}"#,
        r#"{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":".50}"}}"#,
        r#"{"type":"content_block_stop","index":2}"#,
        r#"{"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":25}}"#,
        r#"{"type":"message_stop"}"#,
        "after the end",
    ];
    assert_eq!(
        events(payloads),
        [
            reasoning("Let me "),
            reasoning("see"),
            sealed(json!({"type": "thinking", "thinking": "Let me see", "signature": "c2ln"})),
            text("1 kg is "),
            text("2.2 磅"),
            opens(0, "toolu_1", "load_skill", ""),
            goes_on(0, "{\"n\": 1"),
            goes_on(0, ".50}"),
            usage(129, 25, 100, 20),
            finish(FinishReason::ToolCalls),
        ]
    );
}

#[test]
fn reads_whole_answers() {
    let body = r#"{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[
        {"type":"thinking","thinking":"hm","signature":"c2ln"},
        {"type":"redacted_thinking","data":"ZGF0YQ"},
        {"type":"text","text":"Wait.","citations":null},
        {"type":"tool_use","id":"a","name":"f","input":{"n": 1.50, "big": 12345678901234567890123}},
        {"type":"tool_use","id":"a","name":"f","input":{}},
        {"type":"tool_use","id":null,"name":"g","input":null}
        ],"stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":7,"output_tokens":3,"cache_read_input_tokens":null}}"#;
    assert_eq!(
        decode(body),
        Ok(vec![
            reasoning("hm"),
            sealed(json!({"type": "thinking", "thinking": "hm", "signature": "c2ln"})),
            sealed(json!({"type": "redacted_thinking", "data": "ZGF0YQ"})),
            text("Wait."),
            opens(0, "a", "f", r#"{"n": 1.50, "big": 12345678901234567890123}"#),
            opens(1, "a", "f", "{}"),
            opens(2, "", "g", "{}"),
            usage(7, 3, 0, 0),
            finish(FinishReason::ToolCalls),
        ])
    );
    assert_eq!(decode(r#"{"content":"hi","usage":null}"#), Ok(vec![text("hi"), perhaps_cut()]));
    assert_eq!(decode(r#"{"type":"message","content":[],"stop_reason":""}"#), Ok(vec![perhaps_cut()]));
}

#[test]
fn takes_arguments_that_come_with_the_beginning_of_a_call_unless_they_come_in_pieces() {
    let whole = r#"{"type":"tool_use","id":"a","name":"f","input":{"x": 1.0}}"#;
    let as_text = r#"{"type":"tool_use","id":"b","name":"g","input":"{\"y\":\"\ud83d\"}"}"#;
    let piece = r#"{"type":"input_json_delta","partial_json":"{\"x\":2}"}"#;
    let odd = r#"{"type":"input_json_delta","partial_json":{"z":3}}"#;
    assert_eq!(
        blocks(&[
            (whole, &[]),
            (as_text, &[]),
            (&whole.replace("\"a\"", "\"c\""), &[piece]),
            (&whole.replace("\"a\"", "\"d\""), &[odd]),
            (r#"{"type":"tool_use","id":"e","name":"h","input":{}}"#, &[]),
        ]),
        [
            opens(0, "a", "f", ""),
            opens(1, "b", "g", ""),
            opens(2, "c", "f", ""),
            goes_on(2, "{\"x\":2}"),
            opens(3, "d", "f", ""),
            goes_on(3, "{\"z\":3}"),
            opens(4, "e", "h", ""),
            goes_on(0, "{\"x\": 1.0}"),
            goes_on(1, "{\"y\":\"\u{fffd}\"}"),
            goes_on(4, "{}"),
        ]
    );
}

#[test]
fn does_not_make_up_arguments_of_a_call_that_was_cut_short() {
    let start = r#"{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"a","name":"f","input":{}}}"#;
    let stop = r#"{"type":"content_block_stop","index":0}"#;
    let ended = |reason: &str| format!(r#"{{"type":"message_delta","delta":{{"stop_reason":"{reason}"}}}}"#);
    let opened = || opens(0, "a", "f", "");
    assert_eq!(events([start]), [opened(), perhaps_cut()]);
    assert_eq!(events([start, stop, &ended("max_tokens"), STOP]), [opened(), finish(FinishReason::Length)]);
    let made_up = [opened(), goes_on(0, "{}"), finish(FinishReason::ToolCalls)];
    assert_eq!(events([start, &ended("tool_use"), STOP]), made_up);
    assert_eq!(events([start, stop]), [opened(), goes_on(0, "{}"), perhaps_cut()]);
}

/// LiteLLM in front of llama_cpp.server.
#[test]
fn goes_on_with_one_call_where_each_piece_begins_a_block_with_the_same_id() {
    let start = r#"{"type":"tool_use","id":"call__0_get_weather","name":"get_weather","input":{}}"#;
    let piece = |json: &str| json!({"type": "input_json_delta", "partial_json": json}).to_string();
    let pieces = ["", "{ \"", "city\": \"O", "slo\" }"].map(piece);
    let fragments: Vec<_> = pieces.iter().map(|piece| vec![piece.as_str()]).collect();
    let mut parts: Vec<(&str, &[&str])> = fragments.iter().map(|deltas| (start, deltas.as_slice())).collect();
    let call = [
        opens(0, "call__0_get_weather", "get_weather", ""),
        goes_on(0, "{ \""),
        goes_on(0, "city\": \"O"),
        goes_on(0, "slo\" }"),
    ];
    assert_eq!(blocks(&parts), call);

    parts.push((start, &[]));
    let again = [opens(1, "call__0_get_weather", "get_weather", ""), goes_on(1, "{}")];
    assert_eq!(blocks(&parts), [&call[..], &again].concat(), "the first one is whole");
}

#[test]
fn reads_calls_without_indices_ids_and_beginnings() {
    let payloads = [
        r#"{"type":"content_block_start","content_block":{"type":"tool_use","id":"","name":"f","input":{}}}"#,
        r#"{"type":"content_block_delta","delta":{"type":"input_json_delta","partial_json":"{}"}}"#,
        r#"{"type":"content_block_start","content_block":{"type":"tool_use","name":"f"}}"#,
        r#"{"type":"content_block_delta","delta":{"partial_json":"{\"x\":"}}"#,
        r#"{"type":"content_block_start","content_block":{"type":"tool_use","id":null,"name":null}}"#,
        r#"{"type":"content_block_delta","index":null,"delta":{"partial_json":"1}"}}"#,
    ];
    let first = [opens(0, "", "f", ""), goes_on(0, "{}")];
    let second = [opens(1, "", "f", ""), goes_on(1, "{\"x\":"), goes_on(1, "1}"), perhaps_cut()];
    assert_eq!(events(payloads), [&first[..], &second].concat());

    let same_index = [
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"a","name":"f"}}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"partial_json":"{}"}}"#,
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"b","name":"g"}}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"partial_json":"{ }"}}"#,
    ];
    let both = [opens(0, "a", "f", ""), goes_on(0, "{}"), opens(1, "b", "g", ""), goes_on(1, "{ }"), perhaps_cut()];
    assert_eq!(events(same_index), both);

    let lone = r#"{"type":"content_block_delta","index":3,"delta":{"partial_json":"{}"}}"#;
    assert_eq!(events([lone, lone]), [goes_on(0, "{}"), goes_on(0, "{}"), perhaps_cut()]);
}

#[test]
fn reads_calls_whose_pieces_are_mixed() {
    let start = |index: u32| {
        json!({"type": "content_block_start", "index": index, "content_block":
            {"type": "tool_use", "id": format!("c{index}"), "name": "f", "input": {}}})
    };
    let piece = |index: u32, json: &str| json!({"type": "content_block_delta", "index": index, "delta": {"type": "input_json_delta", "partial_json": json}});
    let payloads = [start(0), start(1), piece(1, "{\"x\""), piece(0, "{}"), piece(1, ":1}")].map(|it| it.to_string());
    assert_eq!(
        events(payloads.iter().map(String::as_str)),
        [
            opens(0, "c0", "f", ""),
            opens(1, "c1", "f", ""),
            goes_on(1, "{\"x\""),
            goes_on(0, "{}"),
            goes_on(1, ":1}"),
            perhaps_cut(),
        ]
    );
}

#[test]
fn seals_thoughts_as_they_came() {
    let thinking = r#"{"type":"thinking_delta","thinking":"hm"}"#;
    let signature = r#"{"type":"signature_delta","signature":"c2ln"}"#;
    assert_eq!(
        blocks(&[
            (r#"{"type":"thinking","thinking":"","signature":""}"#, &[thinking, signature, signature]),
            (r#"{"type":"redacted_thinking","data":"ZGF0YQ","more":1}"#, &[]),
            (r#"{"type":"thinking","thinking":""}"#, &[signature]),
            (r#"{"type":"thinking","thinking":"all","signature":"at once"}"#, &[]),
            (r#"{"type":"thinking","thinking":"","signature":null}"#, &[thinking]),
            (r#"{"type":"thinking"}"#, &[thinking]),
        ]),
        [
            reasoning("hm"),
            sealed(json!({"type": "thinking", "thinking": "hm", "signature": "c2ln"})),
            sealed(json!({"type": "redacted_thinking", "data": "ZGF0YQ", "more": 1})),
            sealed(json!({"type": "thinking", "thinking": "", "signature": "c2ln"})),
            reasoning("all"),
            sealed(json!({"type": "thinking", "thinking": "all", "signature": "at once"})),
            reasoning("hm"),
            sealed(json!({"type": "thinking", "thinking": "hm", "signature": ""})),
            reasoning("hm"),
            sealed(json!({"type": "thinking", "thinking": "hm"})),
        ]
    );
}

#[test]
fn a_thought_is_over_when_something_else_begins_and_not_when_the_stream_is_cut() {
    let start = r#"{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"a"}}"#;
    let text_start = r#"{"type":"content_block_start","index":1,"content_block":{"type":"text","text":"b"}}"#;
    let signature = r#"{"type":"content_block_delta","index":0,"delta":{"signature":"s"}}"#;
    let ended = r#"{"type":"message_delta","delta":{"stop_reason":"end_turn"}}"#;
    let seal = || sealed(json!({"type": "thinking", "thinking": "a"}));
    assert_eq!(events([start, text_start]), [reasoning("a"), seal(), text("b"), perhaps_cut()]);
    assert_eq!(events([start, ended, STOP]), [reasoning("a"), seal(), finish(FinishReason::Stop)]);
    assert_eq!(events([start, ended]), [reasoning("a"), seal(), perhaps_cut()]);
    assert_eq!(events([start]), [reasoning("a"), perhaps_cut()]);
    let signed = sealed(json!({"type": "thinking", "thinking": "a", "signature": "s"}));
    assert_eq!(events([start, signature]), [reasoning("a"), signed, perhaps_cut()]);
}

#[test]
fn reads_deltas_that_no_block_began_and_nulls_in_them() {
    let payloads = [
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"hm","text":null,"signature":null}}"#,
        r#"{"type":"content_block_stop","index":0}"#,
        r#"{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"hi","thinking":"","signature":"","partial_json":null}}"#,
        r#"{"type":"content_block_delta","index":1,"delta":null}"#,
        r#"{"type":"content_block_start","index":2,"content_block":null}"#,
        r#"{"type":"content_block_delta","index":2,"delta":{"type":"citations_delta","citation":{"cited_text":"x"}}}"#,
        r#"{"type":"message_delta","delta":null,"usage":null}"#,
    ];
    let thought = sealed(json!({"type": "thinking", "thinking": "hm"}));
    assert_eq!(events(payloads), [reasoning("hm"), thought, text("hi"), perhaps_cut()]);
}

#[test]
fn passes_over_what_the_server_does_itself_and_what_it_does_not_know() {
    let events = blocks(&[
        (r#"{"type":"text","text":"a","citations":[]}"#, &[r#"{"type":"text_delta","text":"b"}"#]),
        (
            r#"{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{}}"#,
            &[r#"{"type":"input_json_delta","partial_json":"{\"query\":\"x\"}"}"#],
        ),
        (r#"{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[]}"#, &[]),
        (r#"{"type":"something_new","text":"no"}"#, &[r#"{"type":"new_delta","text":"no"}"#]),
        (r#"{"type":"text","text":""}"#, &[r#"{"type":"text_delta","text":"c"}"#]),
    ]);
    assert_eq!(events, [text("a"), text("b"), text("c")]);
    let unknown = [r#"{"type":"something_new"}"#, r#"{"content":[{"type":"text","text":"hi"}]}"#];
    assert_eq!(self::events(unknown), [text("hi"), perhaps_cut()]);
}

#[test]
fn a_closing_message_repeats_nothing() {
    let payloads = [
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"hi"}}"#,
        r#"{"type":"message","content":[{"type":"text","text":"hi"}]}"#,
    ];
    assert_eq!(events(payloads), [text("hi"), perhaps_cut()]);
}

#[test]
fn joins_characters_that_were_cut_in_two() {
    let events = blocks(&[
        (
            r#"{"type":"thinking","thinking":""}"#,
            &[r#"{"thinking":"a \ud83d"}"#, r#"{"thinking":"\ude42"}"#, r#"{"signature":"s"}"#],
        ),
        (r#"{"type":"text","text":""}"#, &[r#"{"text":"\ud83d"}"#, r#"{"text":"\ude42\ud83d"}"#, r#"{"text":"b"}"#]),
        (
            r#"{"type":"tool_use","id":"c","name":"f","input":{}}"#,
            &[r#"{"partial_json":"\ud83d"}"#, r#"{"partial_json":"\ude42"}"#],
        ),
    ]);
    assert_eq!(
        events,
        [
            reasoning("a "),
            reasoning("🙂"),
            sealed(json!({"type": "thinking", "thinking": "a 🙂", "signature": "s"})),
            text("🙂"),
            text("\u{fffd}b"),
            opens(0, "c", "f", ""),
            goes_on(0, "🙂"),
        ]
    );
}

#[test]
fn reads_every_reason_to_finish() {
    let reason =
        |said: &str| events([format!(r#"{{"type":"message_delta","delta":{{"stop_reason":{said}}}}}"#).as_str(), STOP]);
    let other = |reason: &str| FinishReason::Other { reason: reason.into() };
    for (said, expected) in [
        ("\"end_turn\"", FinishReason::Stop),
        ("\"stop_sequence\"", FinishReason::Stop),
        ("\"tool_use\"", FinishReason::ToolCalls),
        ("\"max_tokens\"", FinishReason::Length),
        ("\"model_context_window_exceeded\"", FinishReason::Length),
        ("\"refusal\"", FinishReason::Filtered),
        ("\"pause_turn\"", FinishReason::Paused),
        ("\"eos\"", other("eos")),
        ("null", FinishReason::Unsaid),
        ("\"\"", FinishReason::Unsaid),
    ] {
        assert_eq!(reason(said), [finish(expected)], "{said}");
    }
}

#[test]
fn a_call_that_comes_after_the_finish_may_be_cut_off() {
    let stop = r#"{"type":"message_delta","delta":{"stop_reason":"end_turn"}}"#;
    let call = r#"{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"c","name":"f","input":{"x":1}}}"#;
    let last = |payloads: &[&str]| events(payloads.to_vec()).pop();
    assert_eq!(last(&[stop, call]), Some(perhaps_cut()));
    assert_eq!(last(&[stop, call, STOP]), Some(finish(FinishReason::Stop)));
    assert_eq!(last(&[stop, call, stop]), Some(perhaps_cut()));
}

#[test]
fn an_answer_that_finished_with_an_error_is_an_error() {
    let raw = r#"{"type":"message_delta","delta":{"stop_reason":"error"}}"#;
    let reason = why("the server says that the answer ended with an error");
    assert_eq!(stream::<Decoder>(&[raw]), (vec![], Some(ModelError::Broken { reason, raw: raw.to_owned() })));
}

#[test]
fn uses_the_last_reported_count() {
    let start = |usage: &str| format!(r#"{{"type":"message_start","message":{{"usage":{usage}}}}}"#);
    let delta = |usage: &str| format!(r#"{{"type":"message_delta","delta":{{}},"usage":{usage}}}"#);
    let told = |first: &str, last: &str| events([start(first).as_str(), &delta(last)]).remove(0);
    let all = r#"{"input_tokens":3,"output_tokens":1,"cache_read_input_tokens":4,"cache_creation_input_tokens":5}"#;
    assert_eq!(told(all, r#"{"output_tokens":9}"#), usage(12, 9, 4, 5));
    assert_eq!(told(all, r#"{"input_tokens":0,"output_tokens":9}"#), usage(12, 9, 4, 5), "it does not tell again");
    let last = r#"{"input_tokens":7,"output_tokens":9,"cache_read_input_tokens":6}"#;
    assert_eq!(told(r#"{"input_tokens":0,"output_tokens":0}"#, last), usage(13, 9, 6, 0));
    assert_eq!(told(r#"{"input_tokens":0}"#, r#"{"output_tokens":0}"#), usage(0, 0, 0, 0));
    assert_eq!(told("null", r#"{"input_tokens":null}"#), perhaps_cut(), "nothing is told");
    assert_eq!(told("{}", r#"{"output_tokens":99999999999}"#), usage(0, u32::MAX, 0, 0));
}

#[test]
fn an_empty_stream_is_an_error() {
    let broken =
        || ModelError::Broken { reason: why("the server accepted the request and then sent nothing"), raw: "".into() };
    assert_eq!(stream::<Decoder>([""; 0]), (vec![], Some(broken())));
    assert_eq!(stream::<Decoder>(["", r#"{"type":"ping"}"#, r#"{"type":"message_stop"}"#]), (vec![], Some(broken())));
    assert_eq!(decode(" \n"), Err(broken()));
}

#[test]
fn an_error_in_mid_stream_is_an_error() {
    let first = r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"hi"}}"#;
    for (raw, reason) in [
        (r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#, "Overloaded"),
        (r#"{"type":"error","error":{"type":"api_error","message":""},"request_id":"req_1"}"#, "api_error"),
        (r#"{"error":"out of memory"}"#, "out of memory"),
    ] {
        let broken = ModelError::Broken { reason: why(&format!("the server says: {reason}")), raw: raw.into() };
        assert_eq!(stream::<Decoder>([first, raw]), (vec![text("hi")], Some(broken.clone())));
        assert_eq!(decode(raw), Err(broken));
    }
}

#[test]
fn what_is_no_message_is_an_error_that_shows_it() {
    let malformed = |reason: &str, raw: &str| Err(ModelError::Malformed { reason: why(reason), raw: raw.into() });
    let page = "<html><head><title>504 Gateway Time-out</title></head></html>";
    assert_eq!(decode(page), malformed("it is a web page titled “504 Gateway Time-out”", page));
    assert_eq!(decode("oops"), malformed("it is not JSON: expected value at line 1 column 1", "oops"));
    for raw in ["[]", r#"{"choices":[{"message":{"content":"hi"}}]}"#, r#"{"type":"message"}"#] {
        assert_eq!(decode(raw), malformed("there is no message in it", raw));
    }
    let chunk = r#"{"choices":[]}"#;
    let (events, error) = stream::<Decoder>([chunk, "{}", "[DONE]"]);
    assert_eq!((events, Err(error.unwrap())), (vec![], malformed("there is no message in it", chunk)));
}

/// Payloads that look like the protocol's.
fn payloads() -> impl Strategy<Value = String> {
    let value = prop_oneof![
        Just("null".to_owned()),
        Just("7".to_owned()),
        Just("[null, 4]".to_owned()),
        "\"[a{}漢]{0,3}\"",
        Just(r#"{"a": 1.50}"#.to_owned()),
        Just(r#""\ud83d""#.to_owned()),
    ];
    let key = prop::sample::select(vec![
        "index",
        "text",
        "thinking",
        "signature",
        "partial_json",
        "input",
        "id",
        "name",
        "stop_reason",
        "content",
        "input_tokens",
        "output_tokens",
    ]);
    let kind = prop::sample::select(vec![
        "text",
        "thinking",
        "redacted_thinking",
        "tool_use",
        "server_tool_use",
        "text_delta",
        "ping",
    ]);
    let object = (kind, prop::collection::vec((key, value), 0..4)).prop_map(|(kind, fields)| {
        let fields: String = fields.iter().map(|(key, value)| format!(", \"{key}\": {value}")).collect();
        format!("{{\"type\": \"{kind}\"{fields}}}")
    });
    let event = prop::sample::select(vec![
        "message_start",
        "content_block_start",
        "content_block_delta",
        "content_block_stop",
        "message_delta",
        "message",
    ]);
    (event, object, 0..3u32).prop_map(|(event, object, index)| {
        let under = match event {
            "message_start" => "message",
            "content_block_start" => "content_block",
            _ => "delta",
        };
        format!(
            r#"{{"type": "{event}", "index": {index}, "{under}": {object}, "usage": {object}, "content": [{object}]}}"#
        )
    })
}

/// The events of the bytes of a stream in chunks of these sizes, in turn.
fn chunked(stream: &[u8], sizes: &[usize]) -> Vec<Result<ModelEvent, ModelError>> {
    let (mut reader, mut decoder) = (Reader::default(), Box::new(Decoder::default()));
    let mut events = Vec::new();
    let mut sizes = sizes.iter().cycle();
    let mut rest = stream;
    let mut payloads = Vec::new();
    while !rest.is_empty() {
        let size = sizes.next().copied().unwrap_or(rest.len()).clamp(1, rest.len());
        let (chunk, after) = rest.split_at(size);
        payloads.extend(reader.push(chunk));
        rest = after;
    }
    payloads.extend(reader.finish());
    for payload in payloads {
        match decoder.push(&payload) {
            Ok(more) => events.extend(more.into_iter().map(Ok)),
            Err(error) => events.push(Err(error)),
        }
    }
    match decoder.end() {
        Ok(more) => events.extend(more.into_iter().map(Ok)),
        Err(error) => events.push(Err(error)),
    }
    events
}

proptest! {
    #[test]
    fn no_bytes_panic_and_chunking_changes_nothing(
        noise in any::<Vec<u8>>(),
        lines in prop::collection::vec(prop_oneof![payloads(), any::<String>()], 0..12),
        sizes in prop::collection::vec(1usize..40, 1..8),
    ) {
        let stream: String = lines.iter().map(|line| format!("event: x\ndata: {line}\n\n")).collect();
        for bytes in [noise.as_slice(), stream.as_bytes()] {
            let at_once = chunked(bytes, &[]);
            prop_assert_eq!(&chunked(bytes, &sizes), &at_once);
            prop_assert_eq!(&chunked(bytes, &[1]), &at_once);
        }
        for line in &lines {
            let _ = decode(line);
        }
    }

    #[test]
    fn a_stream_says_what_the_whole_answer_says(
        said in "[a漢🙂 ]{0,20}",
        arguments in "\\{\"x\": ?(1|1\\.50|\"漢🙂\")\\}",
        thought in "[a漢🙂]{0,20}",
        size in 1usize..5,
    ) {
        let pieces = |text: &str, key: &str| -> Vec<String> {
            let chars: Vec<char> = text.chars().collect();
            chars.chunks(size).map(|piece| json!({key: piece.iter().collect::<String>()}).to_string()).collect()
        };
        let parts = [
            (r#"{"type":"thinking","thinking":"","signature":"s"}"#, pieces(&thought, "thinking")),
            (r#"{"type":"text","text":""}"#, pieces(&said, "text")),
            (r#"{"type":"tool_use","id":"c","name":"f","input":{}}"#, pieces(&arguments, "partial_json")),
        ];
        let parts: Vec<_> = parts.iter().map(|(block, deltas)| (*block, deltas.iter().map(String::as_str).collect::<Vec<_>>())).collect();
        let streamed = blocks(&parts.iter().map(|(block, deltas)| (*block, deltas.as_slice())).collect::<Vec<_>>());
        let block = json!([{"type": "thinking", "thinking": thought, "signature": "s"}, {"type": "text", "text": said}]).to_string();
        let body = format!(r#"{{"type":"message","stop_reason":"tool_use","content":[{},{{"type":"tool_use","id":"c","name":"f","input":{arguments}}}]}}"#, &block[1..block.len() - 1]);
        let folded = |events: &[ModelEvent]| {
            let mut answer = crate::answer::Answer::new(0);
            events.iter().for_each(|event| answer.push(event));
            answer.finish()
        };
        prop_assert_eq!(folded(&streamed), folded(&decode(&body).unwrap()));
    }
}
