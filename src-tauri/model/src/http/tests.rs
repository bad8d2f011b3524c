//! A model against a real server on a real socket.

mod bedrock;
mod count;
mod endless;
mod leaks;
mod lists;
mod retries;
mod settings;
mod tls;

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Mutex;
use std::thread;

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use futures::future::BoxFuture;

use super::server::Timing;
use super::*;
use crate::entry::Network;
use crate::sample::why;
use crate::secret::{KeyError, KeyRef, Keys};
use crate::{FinishReason, Message, Refusal, Usage, Wait};

const KEY: &str = "sk-very-secret-0123456789";

/// How a server treats one connection once it has read the request.
struct Turn {
    /// Written one after the other, each on its own.
    pieces: Vec<Vec<u8>>,
    then: Then,
}

#[derive(PartialEq)]
enum Then {
    Close,
    /// Keep the connection open until the client closes it, and say so.
    Hold,
}

#[derive(Debug, PartialEq)]
enum Heard {
    Request { head: String, body: String },
    Gone,
}

/// A server that takes a turn for each connection, and the requests that it receives.
fn serve(turns: Vec<Turn>) -> (String, UnboundedReceiver<Heard>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}/v1", listener.local_addr().unwrap());
    let (heard, hearing) = unbounded_channel();
    thread::spawn(move || {
        for turn in turns {
            attend(accept(&listener), turn, &heard);
        }
    });
    (base, hearing)
}

fn accept(listener: &TcpListener) -> TcpStream {
    let (stream, _) = listener.accept().unwrap();
    stream.set_nodelay(true).unwrap();
    stream
}

fn attend(mut stream: impl Read + Write, turn: Turn, heard: &UnboundedSender<Heard>) {
    let mut request = Vec::new();
    let mut byte = [0];
    while !request.ends_with(b"\r\n\r\n") {
        stream.read_exact(&mut byte).unwrap();
        request.push(byte[0]);
    }
    let head = String::from_utf8(request).unwrap().to_ascii_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
    let length = length.map_or(0, |length| length.parse().unwrap());
    let mut body = vec![0; length];
    stream.read_exact(&mut body).unwrap();
    let _ = heard.send(Heard::Request { head, body: String::from_utf8(body).unwrap() });
    for piece in turn.pieces {
        let _ = stream.write_all(&piece);
    }
    if turn.then == Then::Hold {
        let mut rest = Vec::new();
        let _ = stream.read_to_end(&mut rest);
        let _ = heard.send(Heard::Gone);
    }
}

fn answer(status: &str, headers: &str, body: impl AsRef<[u8]>) -> Turn {
    let body = body.as_ref();
    let head = format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n{headers}\r\n", body.len());
    Turn { pieces: vec![head.into_bytes(), body.to_vec()], then: Then::Close }
}

/// A chunked stream that sends every byte in a separate chunk and does not end.
fn stream_open(body: &str) -> Turn {
    stream_open_of("text/event-stream; charset=utf-8", body.as_bytes())
}

fn stream_open_of(kind: &str, body: &[u8]) -> Turn {
    let head = format!("HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ntransfer-encoding: chunked\r\n\r\n");
    let chunks = body.iter().map(|byte| [b"1\r\n", &[*byte][..], b"\r\n"].concat());
    Turn { pieces: std::iter::once(head.into_bytes()).chain(chunks).collect(), then: Then::Hold }
}

fn stream_whole(body: &str) -> Turn {
    stream_whole_of("text/event-stream; charset=utf-8", body.as_bytes())
}

fn stream_whole_of(kind: &str, body: &[u8]) -> Turn {
    let mut turn = stream_open_of(kind, body);
    turn.pieces.push(b"0\r\n\r\n".to_vec());
    turn.then = Then::Close;
    turn
}

fn entry(base: &str) -> ModelEntry {
    ModelEntry {
        key: Some(KeyRef::Env("SOME_KEY".into())),
        ..ModelEntry::new("some", Protocol::OpenAi, base, "some-model")
    }
}

fn keys() -> Arc<dyn Keys> {
    Arc::new(|name: &str| (name == "SOME_KEY").then(|| KEY.to_owned()))
}

/// A model that does not really wait before a retry, and the waits it would have made.
struct Bench {
    model: HttpModel,
    waits: Arc<Mutex<Vec<Duration>>>,
}

impl Bench {
    fn new(base: &str) -> Self {
        Self::of(&entry(base))
    }

    fn whole(base: &str) -> Self {
        Self::of(&ModelEntry { stream: false, ..entry(base) })
    }

    fn with(base: &str, adjust: impl FnOnce(&mut Timing)) -> Self {
        let mut bench = Self::new(base);
        adjust(&mut bench.model.server.timing);
        bench
    }

    fn of(entry: &ModelEntry) -> Self {
        Self::through(&Network::default(), entry)
    }

    fn through(network: &Network, entry: &ModelEntry) -> Self {
        let waits = Arc::new(Mutex::new(Vec::new()));
        let log = waits.clone();
        let pause = Arc::new(move |time| -> BoxFuture<'static, ()> {
            log.lock().unwrap().push(time);
            Box::pin(std::future::ready(()))
        });
        let mut model = HttpModel::new(entry, Http::with(pause, Arc::new(|| 0.5)).through(network), keys());
        let patience = Duration::from_secs(20);
        model.server.timing = Timing { connect: patience, idle: patience, total: patience, tail: patience };
        Self { model, waits }
    }

    fn send(&self) -> BoxStream<'static, Result<ModelEvent, ModelError>> {
        let request = ModelRequest { messages: vec![Message::user("磅?")], ..ModelRequest::default() };
        self.model.send(&self.model.encode(&request), &request)
    }

    async fn events(&self) -> Vec<Result<ModelEvent, ModelError>> {
        self.send().collect().await
    }

    /// The texts that were reported, and the error at the end.
    async fn failure(&self) -> (Vec<String>, ModelError) {
        let mut events = self.events().await;
        let error = events.pop().unwrap().unwrap_err();
        let notes = events.into_iter().map(|event| match event {
            Ok(ModelEvent::Retried(retried)) => retried.to_string(),
            other => panic!("an error and notes, but no {other:?}"),
        });
        (notes.collect(), error)
    }

    async fn error(&self) -> ModelError {
        let (notes, error) = self.failure().await;
        assert_eq!(notes, Vec::<String>::new());
        error
    }

    fn refused(&self, status: u16, refusal: Refusal, reason: &str, raw: &str) -> ModelError {
        let (url, status) = (self.url(), Some(status));
        ModelError::Refused { url, status, refusal, reason: why(reason), raw: raw.into() }
    }

    fn url(&self) -> String {
        self.model.url.clone()
    }

    fn waits(&self) -> Vec<Duration> {
        self.waits.lock().unwrap().clone()
    }
}

fn text(delta: &str) -> Result<ModelEvent, ModelError> {
    Ok(ModelEvent::Text { delta: delta.into() })
}

fn finish(reason: FinishReason) -> Result<ModelEvent, ModelError> {
    Ok(ModelEvent::Finish { reason })
}

const HI: &str = r#"{"choices":[{"message":{"content":"hi"},"finish_reason":"stop"}]}"#;

fn hi() -> Vec<Result<ModelEvent, ModelError>> {
    vec![text("hi"), finish(FinishReason::Stop)]
}

#[tokio::test]
async fn gives_the_exact_events_of_a_stream_that_is_cut_at_every_byte() {
    let body = concat!(
        ": ok\r\n\r\n",
        "data: {\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"2.2 磅 🙂\"}}]}\r\n\r\n",
        "data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"c1\",",
        "\"function\":{\"name\":\"load_skill\",\"arguments\":\"{}\"}}]},\"finish_reason\":\"tool_calls\"}]}\n\n",
        "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":5,\"completion_tokens\":2}}\n\n",
        "data: [DONE]\n\n",
    );
    let (base, mut heard) = serve(vec![stream_whole(body)]);
    let bench = Bench::new(&base);
    let call = ModelEvent::ToolCall {
        index: 0,
        id: Some("c1".into()),
        name: Some("load_skill".into()),
        arguments: "{}".into(),
    };
    let usage = ModelEvent::Usage(Usage { input: 5, output: 2, cached: 0, cache_written: 0 });
    assert_eq!(bench.events().await, [text("2.2 磅 🙂"), Ok(call), Ok(usage), finish(FinishReason::ToolCalls)]);

    let Some(Heard::Request { head, body }) = heard.recv().await else { panic!("no request") };
    assert_eq!(
        body,
        "{\"model\":\"some-model\",\"messages\":[{\"role\":\"user\",\"content\":\"磅?\"}],\
         \"stream\":true,\"stream_options\":{\"include_usage\":true}}"
    );
    assert!(head.starts_with("post /v1/chat/completions http/1.1\r\n"), "{head}");
    assert!(head.contains(&format!("\r\nauthorization: bearer {KEY}\r\n")), "{head}");
    assert!(head.contains("\r\ncontent-type: application/json\r\n"), "{head}");
}

#[tokio::test]
async fn reads_whole_answers_whether_a_stream_was_asked_for_or_not() {
    let json = || answer("200 OK", "content-type: application/json; charset=utf-8\r\n", HI);
    let mislabelled = answer("200 OK", "content-type: text/event-stream\r\n", HI);
    let (base, _heard) = serve(vec![json(), json(), mislabelled, stream_whole("data: {\"choices\":[{\"delta\":{}}]}")]);
    assert_eq!(Bench::new(&base).events().await, hi());
    let unstreamed = Bench::whole(&base);
    assert_eq!(unstreamed.events().await, hi());
    assert_eq!(Bench::new(&base).events().await, hi());
    assert_eq!(unstreamed.events().await, [finish(FinishReason::PerhapsCut)], "streamed though nobody asked for it");
}

#[tokio::test]
async fn dropping_the_stream_closes_the_connection() {
    let half_a_second = Duration::from_millis(500);
    let open = stream_open("data: {\"choices\":[{\"delta\":{\"content\":\"hi\"}}]}\n\n");
    let silent = Turn { pieces: vec![], then: Then::Hold };
    let (base, mut heard) = serve(vec![open, silent]);
    let bench = Bench::new(&base);

    let mut answering = bench.send();
    assert_eq!(answering.next().await, Some(text("hi")));
    assert!(matches!(heard.recv().await, Some(Heard::Request { .. })));
    drop(answering);
    let gone = tokio::time::timeout(half_a_second, heard.recv()).await;
    assert_eq!(gone, Ok(Some(Heard::Gone)), "in the middle of an answer");

    let waiting = tokio::spawn(bench.send().collect::<Vec<_>>());
    assert!(matches!(heard.recv().await, Some(Heard::Request { .. })));
    waiting.abort();
    let gone = tokio::time::timeout(half_a_second, heard.recv()).await;
    assert_eq!(gone, Ok(Some(Heard::Gone)), "while the answer is awaited");
}

#[tokio::test]
async fn never_shows_the_key_that_a_server_quotes() {
    let refusal = format!(r#"{{"error":{{"message":"Incorrect API key provided: {KEY}"}}}}"#);
    let stream = format!("data: {refusal}\n\n");
    let (base, _heard) = serve(vec![answer("401 Unauthorized", "", &refusal), stream_whole(&stream)]);
    let bench = Bench::new(&base);
    let reason = "Incorrect API key provided: [key]";
    let raw = r#"{"error":{"message":"Incorrect API key provided: [key]"}}"#.to_owned();
    assert_eq!(bench.error().await, bench.refused(401, Refusal::Key, reason, &raw));
    let (status, reason) = (None, why(&format!("the server says: {reason}")));
    let expected = ModelError::Refused { url: String::new(), status, refusal: Refusal::Key, reason, raw };
    assert_eq!(bench.error().await, expected);
    assert!(bench.waits().is_empty(), "a wrong key stays wrong");
}

#[tokio::test]
async fn keeps_only_the_beginning_of_a_long_refusal() {
    let letters = reading::RAW_LIMIT - 10;
    let body = format!("{}{KEY}{}", "x".repeat(letters), "y".repeat(1 << 20));
    let (base, _heard) = serve(vec![answer("400 Bad Request", "", &body)]);
    let bench = Bench::new(&base);
    let raw = format!("{}[key]yyyyy", "x".repeat(letters));
    let reason = format!("{}…", "x".repeat(500));
    assert_eq!(bench.error().await, bench.refused(400, Refusal::Other, &reason, &raw));
}

#[tokio::test]
async fn ends_without_done_once_the_model_has_finished() {
    let body = "data: {\"choices\":[{\"delta\":{\"content\":\"hi\"},\"finish_reason\":\"stop\"}]}\n\n";
    let mut torn = stream_open(&format!("{body}data: {{\"usage\""));
    torn.then = Then::Close;
    let (base, _heard) = serve(vec![stream_open(body), torn]);
    let impatient = Bench::with(&base, |timing| timing.tail = Duration::from_millis(50));
    assert_eq!(impatient.events().await, hi(), "the server keeps it open");
    assert_eq!(Bench::new(&base).events().await, hi(), "the server breaks off");
}

#[tokio::test]
async fn what_drips_behind_the_finish_does_not_begin_the_wait_again() {
    let body = "data: {\"choices\":[{\"delta\":{\"content\":\"hi\"},\"finish_reason\":\"stop\"}]}\n\n";
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}/v1", listener.local_addr().unwrap());
    let (heard, _hearing) = unbounded_channel();
    thread::spawn(move || {
        let mut stream = accept(&listener);
        attend(&mut stream, Turn { then: Then::Close, ..stream_open(body) }, &heard);
        while stream.write_all(b"4\r\n: x\n\r\n").is_ok() {
            thread::sleep(Duration::from_millis(20));
        }
    });
    let bench = Bench::with(&base, |timing| timing.tail = Duration::from_millis(200));
    let begun = Instant::now();
    assert_eq!(bench.events().await, hi());
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}, as long as an answer may take", begun.elapsed());
}

#[tokio::test]
async fn does_not_wait_for_the_server_to_close_after_done() {
    let (base, _heard) = serve(vec![stream_open("data: {\"choices\":[{\"delta\":{}}]}\n\ndata: [DONE]\n\n")]);
    assert_eq!(Bench::new(&base).events().await, [finish(FinishReason::Unsaid)]);
}

#[tokio::test]
async fn a_server_that_falls_silent_is_an_error() {
    let raw = "data: {\"choices\":[{\"delta\":{\"content\":\"hi\"}}]}\n\n";
    let silent = || Turn { pieces: vec![], then: Then::Hold };
    let falls_silent = || Turn { pieces: vec![stream_open(raw).pieces.concat()], then: Then::Hold };
    let (base, _heard) = serve(vec![silent(), falls_silent(), silent(), falls_silent(), silent()]);
    let short = Duration::from_millis(50);
    let timeout = |wait, raw: &str| ModelError::Timeout {
        url: format!("{base}/chat/completions"),
        wait,
        seconds: 0,
        raw: raw.into(),
    };

    let bench = Bench::with(&base, |timing| timing.idle = short);
    assert_eq!(bench.error().await, timeout(Wait::Idle, ""));
    assert_eq!(bench.events().await, [text("hi"), Err(timeout(Wait::Idle, raw))]);

    let bench = Bench::with(&base, |timing| timing.total = short);
    assert_eq!(bench.error().await, timeout(Wait::Total, ""));
    assert_eq!(bench.events().await, [text("hi"), Err(timeout(Wait::Total, raw))]);

    let mut bench = Bench::whole(&base);
    (bench.model.server.timing.idle, bench.model.server.timing.total) = (short / 2, short);
    assert_eq!(bench.error().await, timeout(Wait::Total, ""), "a whole answer is silent until it is there");
}

#[tokio::test]
async fn an_empty_stream_and_a_web_page_are_errors() {
    let page = "<html><title>Sign in</title></html>";
    let ping = ": ping - 2026-11-21 20:48:42.922795+00:00\n\n";
    let (base, _heard) = serve(vec![
        answer("200 OK", "content-type: text/event-stream\r\n", ""),
        stream_whole(ping),
        answer("200 OK", "content-type: text/html\r\n", page),
        answer("301 Moved Permanently", "location: https://example.com/v1\r\n", ""),
    ]);
    let bench = Bench::new(&base);
    let nothing = why("the server accepted the request and then sent nothing");
    assert_eq!(bench.error().await, ModelError::Broken { reason: nothing.clone(), raw: String::new() });
    assert_eq!(bench.error().await, ModelError::Broken { reason: nothing, raw: ping.into() });
    let reason = why("it is a web page titled “Sign in”");
    assert_eq!(bench.error().await, ModelError::Malformed { reason, raw: page.into() });
    let reason = "it has moved to https://example.com/v1";
    assert_eq!(bench.error().await, bench.refused(301, Refusal::Address, reason, ""));
}

#[tokio::test]
async fn says_which_key_is_missing_and_which_address_is_none() {
    let mut bench = Bench::new("localhost:8080/v1/chat/completions/");
    assert_eq!(bench.url(), "localhost:8080/v1/chat/completions", "the whole address may be given");
    assert!(matches!(bench.error().await, ModelError::Unreachable { .. }));
    bench.model.server.keys = Arc::new(|_: &str| None);
    let error = bench.error().await;
    assert_eq!(error, ModelError::Key { why: KeyError::Missing { key: KeyRef::Env("SOME_KEY".into()) } });
    assert_eq!(error.to_string(), "no key: environment variable SOME_KEY is not set");
}
