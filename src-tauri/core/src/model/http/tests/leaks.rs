//! The key is in one header and nowhere else, whatever a server does with it.

use std::io;

use serde_json::json;
use tracing_subscriber::fmt::MakeWriter;

use super::tls::Authority;
use super::*;
use crate::model::curl::curl;

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
        // At the cut, and often before it, where each `[key]` is shorter than the key.
        format!("{}{KEY}", "x".repeat(reading::RAW_LIMIT - 7)),
        KEY.repeat(2 * reading::RAW_LIMIT / KEY.len()),
    ]
}

/// Everything that is made of an event, in one text.
fn shown(event: &Result<ModelEvent, ModelError>) -> String {
    let error = event.as_ref().err().map(|error| format!("{error}\n{:?}\n{}", error.next_step(), error.raw()));
    format!("{event:?}\n{}", error.unwrap_or_default())
}

/// Half of the key is enough to give it away; so is what is left of it in Base64.
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
    // What comes by way of the `log` crate; another test may have set it up.
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
