//! The key is in one header and nowhere else, whatever a server does with it.

use std::io;

use serde_json::{Value, json};
use tracing_subscriber::fmt::MakeWriter;

use super::tls::Authority;
use super::*;
use crate::answer::Answer;
use crate::curl::curl;
use crate::framing::Framing;

/// Ways in which a server may say the key again.
fn spellings() -> Vec<String> {
    vec![
        KEY.to_owned(),
        format!("authorization: Bearer {KEY}\r\nhost: x\r\n"),
        json!({"error": {"message": format!("bad key {KEY}"), "headers": {"x-api-key": KEY}}}).to_string(),
        // A JSON text in a JSON text, with each `-` escaped.
        json!({"error": {"message": format!("{{\"key\":\"{}\"}}", KEY.replace('-', "\\u002d"))}}).to_string(),
        format!("<html><title>?key={}</title></html>", KEY.replace('-', "%2D")),
        // `Bearer` and the key, as a proxy logs it; and a user with the key as password.
        "QmVhcmVyIHNrLXZlcnktc2VjcmV0LTAxMjM0NTY3ODk=".to_owned(),
        "Basic dXNlcjpzay12ZXJ5LXNlY3JldC0wMTIzNDU2Nzg5".to_owned(),
        // At the cut, and often before it; each `[key]` is shorter than the key.
        format!("{}{KEY}", "x".repeat(reading::RAW_LIMIT - 7)),
        KEY.repeat(2 * reading::RAW_LIMIT / KEY.len()),
    ]
}

/// Everything that is made of an event, in one text.
fn shown(event: &Result<ModelEvent, ModelError>) -> String {
    let error = event.as_ref().err().map(|error| format!("{error}\n{:?}\n{}", error.next_step(), error.raw()));
    format!("{event:?}\n{}", error.unwrap_or_default())
}

/// Half of the key, plain or in Base64, is enough to give it away.
fn assert_silent(text: &str, about: &str) {
    let cut = |text: &str| text.chars().take(300).collect::<String>();
    for piece in [&KEY[3..15], "cnktc2VjcmV0", "dmVyeS1zZWNy", "ZXJ5LXNlY3JldC0w"] {
        assert!(!text.contains(piece), "{about}: {piece} in {}", cut(text));
    }
}

#[tokio::test]
async fn no_error_holds_the_key_that_a_server_says_again() {
    for spelling in spellings() {
        let torn =
            format!("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 9999999\r\n\r\n{spelling}");
        let payload = format!("data: {{\"error\":{}}}\n\ndata: {{", json!(spelling));
        let turns = vec![
            answer("400 Bad Request", "", &spelling),
            answer("401 Unauthorized", "content-type: application/json\r\n", &spelling),
            answer("302 Found", &format!("location: http://x/?key={KEY}\r\n"), &spelling),
            answer("200 OK", "content-type: application/json\r\n", &spelling),
            Turn { pieces: vec![torn.into_bytes()], then: Then::Close },
            answer("200 OK", "content-type: text/event-stream\r\n", payload),
            answer("200 OK", "content-type: text/event-stream\r\n", format!("data: {spelling}\n\n")),
        ];
        let (base, _heard) = serve(turns);
        for turn in 0..7 {
            for event in Bench::new(&base).events().await {
                assert!(event.is_err(), "turn {turn}: {event:?}");
                assert_silent(&shown(&event), &format!("turn {turn}"));
            }
        }
    }
}

#[tokio::test]
async fn no_error_holds_the_password_of_a_proxy_that_says_it_again() {
    const PASSWORD: &str = "pr0xy/pass-0123456789";
    // As it is, as the address writes it, as the header holds it, and as a web page shows it.
    let entities: String = PASSWORD.bytes().map(|byte| format!("&#{byte};")).collect();
    let said =
        format!("no entry for me:{PASSWORD} me:pr0xy%2Fpass-0123456789 bWU6cHIweHkvcGFzcy0wMTIzNDU2Nzg5 {entities}");
    let refused = || answer("407 Proxy Authentication Required", "content-type: text/plain\r\n", &said);
    let (proxy, _heard) = serve(vec![refused(), refused()]);
    let address = proxy.trim_end_matches("/v1").replace("//", "//me:pr0xy%2Fpass-0123456789@");
    let network = Network { proxy: Some(address.clone()), certificates: None };
    let named = Bench::through(&network, &entry("http://models.example/v1"));
    let mut of_environment = Bench::of(&entry(&proxy));
    of_environment.model.server.keys = Arc::new(move |name: &str| match name {
        "HTTPS_PROXY" => Some(address.clone()),
        _ => Some(KEY.to_owned()),
    });
    for bench in [named, of_environment] {
        let error = bench.error().await;
        assert_eq!(error.raw(), "no entry for me:[key] me:[key] bWU6[key] [key]");
        assert!(!shown(&Err(error)).contains("pass-0123"));
    }
}

#[tokio::test]
async fn no_answer_holds_the_key_that_a_server_says_again() {
    let whole = json!({"choices": [{"message": {"content": format!("you sent {KEY}")}, "finish_reason": "stop"}]});
    let (first, second) = KEY.split_at(9);
    let stream = format!(
        "data: {}\n\ndata: {}\n\ndata: [DONE]\n\n",
        json!({"choices": [{"delta": {"content": format!("you sent {first}")}}]}),
        json!({"choices": [{"delta": {"content": second}, "finish_reason": "stop"}]}),
    );
    let (base, _heard) =
        serve(vec![answer("200 OK", "content-type: application/json\r\n", whole.to_string()), stream_whole(&stream)]);
    let bench = Bench::new(&base);
    assert_eq!(bench.events().await, [text("you sent [key]"), finish(FinishReason::Stop)]);
    assert_eq!(bench.events().await, [text("you sent "), text("[key]"), finish(FinishReason::Stop)]);
}

/// A server that says the key wherever a server can say something, whole and in pieces.
fn echoes(protocol: Protocol) -> Vec<Value> {
    let (head, tail) = KEY.split_at(9);
    let base64 = "c2stdmVyeS1zZWNyZXQtMDEyMzQ1Njc4OQ==";
    match protocol {
        Protocol::OpenAi => {
            let call = |index: u32, id: &str, name: &str, arguments: &str| json!({"index": index, "id": id, "function": {"name": name, "arguments": arguments}});
            let delta = |delta: Value| json!({"choices": [{"delta": delta}]});
            vec![
                delta(json!({"content": format!("{base64} and {head}"), "reasoning": head})),
                delta(json!({"tool_calls": [call(0, &format!("call-{KEY}"), KEY, &format!("{{\"a\":\"{head}"))]})),
                delta(json!({"tool_calls": [call(1, KEY, "f", &KEY.replace('-', "\\u002d"))]})),
                delta(json!({"tool_calls": [call(0, "", "", tail)], "content": tail, "reasoning": tail})),
                json!({"choices": [{"delta": {}, "finish_reason": format!("because {KEY}")}]}),
            ]
        }
        Protocol::Anthropic => {
            let start = |index: u32, block: Value| json!({"type": "content_block_start", "index": index, "content_block": block});
            let delta =
                |index: u32, delta: Value| json!({"type": "content_block_delta", "index": index, "delta": delta});
            let text = |index: u32, text: &str| delta(index, json!({"type": "text_delta", "text": text}));
            vec![
                start(0, json!({"type": "text", "text": ""})),
                start(1, json!({"type": "text", "text": ""})),
                text(0, &format!("{base64} and {head}")),
                text(1, "something else "),
                text(0, tail),
                text(1, head),
                start(2, json!({"type": "tool_use", "id": KEY, "name": KEY, "input": {}})),
                delta(2, json!({"type": "input_json_delta", "partial_json": format!("{{\"a\":\"{KEY}\"}}")})),
                text(1, tail),
                start(3, json!({"type": "thinking", "thinking": KEY, "signature": base64, "more": {KEY: KEY}})),
                json!({"type": "message_delta", "delta": {"stop_reason": KEY}}),
                json!({"type": "message_stop"}),
            ]
        }
        Protocol::OpenAiResponses => {
            let text = |output: u32, text: &str| json!({"type": "response.output_text.delta", "output_index": output, "content_index": 0, "delta": text});
            let call = json!({"type": "function_call", "id": "i", "call_id": KEY, "name": KEY, "arguments": KEY});
            let thought =
                json!({"type": "reasoning", "id": KEY, "encrypted_content": base64, "content": [{"text": KEY}]});
            let output = json!([{"type": "message", "content": [{"text": KEY}]}, call, thought]);
            vec![
                text(0, &format!("{base64} and {head}")),
                text(1, "something else "),
                text(0, tail),
                json!({"type": "response.incomplete", "response": {"status": "incomplete", "output": output,
                    "incomplete_details": {"reason": KEY}}}),
            ]
        }
        Protocol::Bedrock => {
            let delta =
                |index: u32, delta: Value| json!({"contentBlockDelta": {"contentBlockIndex": index, "delta": delta}});
            let text = |index: u32, text: &str| delta(index, json!({"text": text}));
            let start = json!({"toolUse": {"toolUseId": KEY, "name": KEY}});
            vec![
                text(0, &format!("{base64} and {head}")),
                text(1, "something else "),
                text(0, tail),
                text(1, head),
                json!({"contentBlockStart": {"contentBlockIndex": 2, "start": start}}),
                delta(2, json!({"toolUse": {"input": format!("{{\"a\":\"{KEY}\"}}")}})),
                text(1, tail),
                delta(3, json!({"reasoningContent": {"text": KEY}})),
                delta(3, json!({"reasoningContent": {"signature": base64}})),
                json!({"messageStop": {"stopReason": KEY}}),
            ]
        }
    }
}

#[tokio::test]
async fn nothing_of_an_answer_holds_the_key_whatever_a_server_puts_it_into() {
    for protocol in Protocol::ALL {
        let wrapped = |payload: &Value| match protocol.framing() {
            Framing::Events(_) => format!("data: {payload}\n\n").into_bytes(),
            Framing::Frames(_) => super::bedrock::frame(payload),
        };
        let payloads: Vec<u8> = echoes(protocol).iter().flat_map(&wrapped).collect();
        // Whole, in pieces that cut the payloads, and broken off.
        let broken = [payloads.clone(), wrapped(&json!({"error": {"message": KEY}}))].concat();
        let kind = protocol.stream_type();
        let header = format!("content-type: {kind}\r\n");
        let (base, _heard) = serve(vec![
            answer("200 OK", &header, &payloads),
            stream_whole_of(kind, &payloads),
            answer("200 OK", &header, &broken),
        ]);
        let bench = Bench::of(&ModelEntry { provider: protocol, ..entry(&base) });
        for turn in 0..3 {
            let events = bench.events().await;
            let mut answer = Answer::new(0);
            for event in &events {
                assert_silent(&shown(event), &format!("{protocol:?}, turn {turn}"));
                event.iter().for_each(|event| answer.push(event));
            }
            let said = answer.text().to_owned();
            let answered = answer.finish();
            assert_silent(&format!("{answered:?}"), &format!("{protocol:?}, turn {turn}"));
            assert!(said.starts_with("[key]Q== and "), "{protocol:?}: {said}");
        }
    }
}

#[tokio::test]
async fn no_name_in_a_list_holds_the_key() {
    let list = json!({"data": [{"id": format!("m-{KEY}"), "display_name": KEY}], "last_id": KEY, "has_more": true});
    let refusal = format!("there is no page behind {KEY}");
    let (base, _heard) = serve(vec![
        answer("200 OK", "content-type: application/json\r\n", list.to_string()),
        answer("404 Not Found", "", &refusal),
        answer("200 OK", "content-type: application/json\r\n", r#"{"data": []}"#),
    ]);
    let listed = list_models(&entry(&base), Http::new(), keys()).await;
    let error = listed.unwrap_err();
    assert_silent(&format!("{error:?}"), "the second page");
    let whole = json!({"data": [{"id": format!("m-{KEY}"), "display_name": KEY}]}).to_string();
    let (base, _heard) = serve(vec![answer("200 OK", "content-type: application/json\r\n", whole)]);
    let listed = list_models(&entry(&base), Http::new(), keys()).await.unwrap();
    let title = Some("[key]".to_owned());
    assert_eq!(listed, [ListedModel { id: "m-[key]".into(), title, context: None, max_output: None, prices: None }]);
}

#[tokio::test]
async fn no_error_holds_what_stands_behind_the_address() {
    let secret = "s3cret-parameter-0123456789";
    let refusal = format!("{{\"error\":{{\"message\":\"bad code {secret}\"}}}}");
    let (base, _heard) = serve(vec![
        answer("400 Bad Request", "", &refusal),
        answer("302 Found", &format!("location: http://me:pw@x/v2?code={secret}\r\n"), ""),
    ]);
    let bench = Bench::new(&format!("{base}?version=2024-10-21&x={secret}"));
    let url = format!("{base}/chat/completions?version=[hidden]&x=[hidden]");
    let refused = bench.error().await;
    assert!(!format!("{refused:?} {refused}").contains("s3cret"), "{refused:?}");
    assert_eq!(refused.to_string(), format!("{url} answered 400: bad code [key]"));
    let moved = bench.error().await;
    assert_eq!(moved.to_string(), format!("{url} answered 302: it has moved to http://[hidden]@x/v2?code=[hidden]"));
    let (_, gone) = Bench::new("http://127.0.0.1:1/v1?x=s3cret").failure().await;
    assert!(!format!("{gone:?} {gone}").contains("s3cret"), "{gone:?}");
}

#[tokio::test]
async fn half_of_a_key_that_broke_off_is_not_shown() {
    let head = "HTTP/1.1 400 Bad Request\r\ncontent-length: 999\r\n\r\nBearer ";
    let piece = &KEY[..KEY.len() - 1];
    let (base, _heard) = serve(vec![Turn { pieces: vec![format!("{head}{piece}").into_bytes()], then: Then::Close }]);
    let bench = Bench::new(&base);
    assert_eq!(bench.error().await, bench.refused(400, Refusal::Other, "Bearer [key]", "Bearer [key]"));
}

#[tokio::test]
async fn what_is_stored_and_shown_of_a_request_names_the_variable_only() {
    let bench = Bench::new("http://127.0.0.1:1/v1");
    let request = ModelRequest { messages: vec![Message::user("hi")], ..ModelRequest::default() };
    let wire = bench.model.encode(&request);
    assert_silent(&format!("{wire:?}"), "the recorded request");
    let command = curl(wire.url.as_deref().unwrap(), &wire.body, Some("SOME_KEY"));
    assert_silent(&command, "the command line");
    assert!(command.contains("$SOME_KEY"), "{command}");
}

#[tokio::test]
async fn the_libraries_below_log_no_key() {
    let authority = Authority::new();
    let stream =
        "data: {\"choices\":[{\"delta\":{\"content\":\"hi\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
    let (base, _heard) = authority
        .serve(vec![stream_whole(stream), answer("400 Bad Request", "", format!("authorization: Bearer {KEY}"))]);
    let log = Log::default();
    let subscriber = tracing_subscriber::fmt().with_max_level(tracing::Level::TRACE).with_writer(log.clone()).finish();
    // Messages of the `log` crate; another test may have set this up already.
    let _ = tracing_log::LogTracer::init();
    let listening = tracing::subscriber::set_default(subscriber);
    let bench = Bench::through(&authority.network(), &entry(&base));
    assert_eq!(bench.events().await, hi());
    assert!(bench.error().await.to_string().ends_with("authorization: Bearer [key]"));
    drop(listening);
    let log = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    assert!(log.contains("rustls"), "the libraries were heard: {log}");
    assert_silent(&log, "the log");
}

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Log {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}
