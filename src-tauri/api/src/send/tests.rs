use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use camino::Utf8PathBuf;

use super::*;
use crate::dto::{PrivateKind, RunArgs, RunRequest};
use crate::{Freshness, Places};
use config::REHEARSAL;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::{KeyValue, any_value};
use prost::Message as _;

/// What a back end received in one request.
struct Heard {
    /// Method, path and headers, in small letters.
    head: String,
    /// What its spans are called, with their attributes; nothing if its body is not a message of OTLP.
    spans: Vec<(String, Vec<(String, String)>)>,
}

/// A tracing back end on this machine, which answers each request with the next of `answers`, and then with success.
fn back_end(answers: Vec<&'static str>) -> (String, Receiver<Heard>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let (sender, heard) = channel();
    thread::spawn(move || {
        let mut answers = answers.into_iter();
        for stream in listener.incoming() {
            let answer = answers.next().unwrap_or("200 OK\r\n");
            let _ = sender.send(attend(stream.unwrap(), answer));
        }
    });
    (address, heard)
}

fn attend(mut stream: TcpStream, answer: &str) -> Heard {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        stream.read_exact(&mut byte).unwrap();
        head.push(byte[0]);
    }
    let head = String::from_utf8(head).unwrap();
    let length = head.to_ascii_lowercase();
    let length = length.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap().parse().unwrap();
    let mut body = vec![0; length];
    stream.read_exact(&mut body).unwrap();
    let (status, further) = answer.split_once("\r\n").unwrap();
    write!(stream, "HTTP/1.1 {status}\r\n{further}content-length: 0\r\nconnection: close\r\n\r\n").unwrap();
    Heard { head, spans: received(&body) }
}

fn received(message: &[u8]) -> Vec<(String, Vec<(String, String)>)> {
    let request = ExportTraceServiceRequest::decode(message).unwrap_or_default();
    let spans = request.resource_spans.into_iter().flat_map(|each| each.scope_spans).flat_map(|each| each.spans);
    let written = |KeyValue { key, value, .. }: KeyValue| match value.and_then(|value| value.value) {
        Some(any_value::Value::StringValue(text)) => (key, text),
        other => (key, format!("{other:?}")),
    };
    spans.map(|span| (span.name, span.attributes.into_iter().map(written).collect())).collect()
}

struct Bench {
    bench: Workbench,
    home: Utf8PathBuf,
    _home: tempfile::TempDir,
    pushes: Receiver<Push>,
}

async fn bench(models: &str) -> Bench {
    let folder = tempfile::tempdir().unwrap();
    let home = Utf8PathBuf::try_from(folder.path().to_owned()).unwrap();
    let places = Places::below(home.clone(), None);
    std::fs::create_dir_all(&places.config).unwrap();
    std::fs::write(places.models(), models).unwrap();
    let skills = concat!(env!("CARGO_MANIFEST_DIR"), "/../../skills").into();
    let (pushed, pushes) = channel();
    let bench = Workbench::open(places, vec![skills], Freshness::ReadOnce, move |push| {
        let _ = pushed.send(push);
    });
    Bench { bench: bench.await, home, _home: folder, pushes }
}

fn args(run: RunId, to: Option<&str>) -> PushArgs {
    PushArgs { run, to: to.map(str::to_owned), contents: None, skills: None, redact: None }
}

impl Bench {
    async fn start(&self) -> RunId {
        let request = RunRequest {
            harness: "agent-framework".into(),
            model: REHEARSAL.into(),
            prompt: "How many pounds is 1 kilogram?".into(),
            ..RunRequest::default()
        };
        self.bench.run_start(request).await.unwrap()
    }

    fn sent(&self) -> TraceSent {
        loop {
            if let Push::TraceSent(sent) = self.pushes.recv_timeout(Duration::from_secs(60)).unwrap() {
                return sent;
            }
        }
    }
}

fn names(heard: &[Heard]) -> Vec<&str> {
    heard.iter().flat_map(|heard| &heard.spans).map(|(name, _)| name.as_str()).collect()
}

fn attribute<'a>(heard: &'a Heard, span: &str, name: &str) -> Option<&'a str> {
    let (_, attributes) = heard.spans.iter().find(|(known, _)| known.starts_with(span))?;
    attributes.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
}

const KEY: &str = "secret-of-the-back-end-1234";

#[tokio::test(flavor = "multi_thread")]
async fn a_run_is_sent_with_the_key_and_what_was_chosen() {
    let (address, heard) = back_end(vec!["200 OK\r\n"]);
    let file = tempfile::tempdir().unwrap();
    let key = file.path().join("key");
    std::fs::write(&key, KEY).unwrap();
    let models = format!(
        "otlp:\n  endpoint: {address}/otel\n  key: {{command: [cat, {key}]}}\n  keyScheme: Basic\n  headers: {{x-project: units}}\n  skills: true\n",
        key = key.display()
    );
    let Bench { bench, home, _home, .. } = bench(&models).await;
    let run = bench.sample_run(NoArgs {}).await.unwrap();
    let state = bench.otlp_state(NoArgs {}).await.unwrap();
    let endpoint = format!("{address}/otel");
    let path = Places::below(home.clone(), None).models().to_string();
    let expected = OtlpState { endpoint: Some(endpoint), live: false, contents: false, skills: true, path };
    assert_eq!(state, expected);

    let pushed = bench.run_push(args(run, None)).await.unwrap();
    let first = heard.recv().unwrap();
    let url = format!("{address}/otel/v1/traces");
    let spans = u32::try_from(first.spans.len()).unwrap();
    assert_eq!(pushed, Pushed { url, spans, rejected: 0, reason: None });
    let head = first.head.to_ascii_lowercase();
    for line in [
        "post /otel/v1/traces http/1.1",
        "content-type: application/x-protobuf",
        &format!("authorization: basic {KEY}"),
        "x-project: units",
    ] {
        assert!(head.contains(line), "{line}: {head}");
    }
    assert_eq!(attribute(&first, "execute_tool load_skill", "gen_ai.skill.name"), Some("unit-converter"));
    assert_eq!(attribute(&first, "chat", "gen_ai.input.messages"), None);

    let chosen = PushArgs { contents: Some(true), skills: Some(false), ..args(run, None) };
    bench.run_push(chosen).await.unwrap();
    let second = heard.recv().unwrap();
    assert_eq!(names(&[second]).len(), names(&[first]).len());
}

#[tokio::test(flavor = "multi_thread")]
async fn another_server_is_not_shown_the_key() {
    let (address, heard) = back_end(Vec::new());
    let models = "otlp:\n  endpoint: http://127.0.0.1:9/otel\n  key: {command: [echo, secret-of-the-back-end-1234]}\n  headers: {x-project: units}\n";
    let Bench { bench, _home, .. } = bench(models).await;
    let run = bench.sample_run(NoArgs {}).await.unwrap();
    let pushed = bench.run_push(args(run, Some(&address))).await.unwrap();
    assert_eq!(pushed.url, format!("{address}/v1/traces"));
    let head = heard.recv().unwrap().head.to_ascii_lowercase();
    assert!(!head.contains("authorization") && !head.contains("x-project"), "{head}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_private_is_found_and_taken_out() {
    let (address, heard) = back_end(Vec::new());
    let Bench { bench, _home, .. } = bench("").await;
    let run = bench.sample_run(NoArgs {}).await.unwrap();
    let text = bench
        .run_export(crate::dto::ExportArgs { run, format: crate::dto::RunExport::Jsonl })
        .await
        .unwrap()
        .replace("How many pounds is 1 kilogram?", "mail ada@example.org about /home/ada/x");
    bench.run_delete(RunArgs { run }).await.unwrap();
    let run = bench.run_import(crate::dto::ImportArgs { text }).await.unwrap();
    let with = |redact| PushArgs { contents: Some(true), redact, ..args(run, Some(&address)) };
    let found = bench.push_private(with(None)).await.unwrap();
    let told: Vec<_> = found.iter().map(|each| (each.kind, &*each.text)).collect();
    assert!(told.contains(&(PrivateKind::Email, "ada@example.org")), "{told:?}");
    assert!(told.contains(&(PrivateKind::Home, "/home/ada")), "{told:?}");
    let said = |heard: &Heard| attribute(heard, "invoke_agent", "gen_ai.input.messages").unwrap().to_owned();
    bench.run_push(with(None)).await.unwrap();
    assert!(said(&heard.recv().unwrap()).contains("mail [e-mail] about ~/x"));
    bench.run_push(with(Some(Vec::new()))).await.unwrap();
    assert!(said(&heard.recv().unwrap()).contains("mail ada@example.org about /home/ada/x"));
    let quiet = PushArgs { contents: Some(false), ..with(Some(Vec::new())) };
    assert_eq!(bench.push_private(quiet).await.unwrap(), Vec::new(), "nothing of what was said is sent");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_busy_back_end_is_asked_again_and_a_failure_says_what_to_do() {
    let (address, heard) = back_end(vec!["503 Service Unavailable\r\nretry-after: 0\r\n", "200 OK\r\n"]);
    let Bench { bench, _home, .. } = bench("").await;
    let run = bench.sample_run(NoArgs {}).await.unwrap();
    bench.run_push(args(run, Some(&address))).await.unwrap();
    assert_eq!((heard.recv().unwrap().spans.len(), heard.recv().unwrap().spans.len()), (8, 8), "the same spans again");

    let none = bench.run_push(args(run, None)).await.unwrap_err();
    assert_eq!(none.message, "no tracing back end is set up");
    let (address, _heard) = back_end(vec!["415 Unsupported Media Type\r\n"]);
    let refused = bench.run_push(args(run, Some(&address))).await.unwrap_err();
    assert_eq!(
        (refused.message, refused.hint.unwrap()),
        (
            format!("the run was not sent: {address}/v1/traces answered 415: it gave no reason"),
            "check the address: it must accept OTLP over HTTP as protobuf, for example `http://localhost:4318`".into()
        )
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_is_sent_while_it_goes_on_and_whole_when_it_has_ended() {
    let (address, heard) = back_end(Vec::new());
    let bench = bench(&format!("otlp: {{endpoint: \"{address}\", live: true, skills: true}}\n")).await;
    let run = bench.start().await;
    // The rehearsal asks before it runs the script, and until then nothing ends the run.
    let first = heard.recv_timeout(Duration::from_secs(60)).unwrap();
    assert_eq!(bench.bench.run_get(RunArgs { run }).await.unwrap().summary.status, RunStatus::Running);
    assert!(names(&[first]).iter().all(|name| !name.starts_with("invoke_agent")));
    bench.bench.run_stop(RunArgs { run }).await.unwrap();
    let sent = bench.sent();
    let url = format!("{address}/v1/traces");
    assert_eq!((sent.run, &sent.url, &sent.error, sent.rejected), (run, &url, &None, 0));
    // The server answers before it says what it heard.
    let mut rest = Vec::new();
    while !names(&rest).iter().any(|name| name.starts_with("invoke_agent")) {
        rest.push(heard.recv_timeout(Duration::from_secs(60)).unwrap());
    }
    assert_eq!(names(&rest).last(), Some(&"invoke_agent agent-framework"));
    assert_eq!(bench.bench.live_sent(run).await, Some(sent));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_back_end_that_is_gone_changes_nothing_in_a_run() {
    let gone = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let models = format!("otlp: {{endpoint: \"http://{gone}\", live: true, retries: {{count: 0}}}}\n");
    let bench = bench(&models).await;
    let run = bench.start().await;
    let sent = bench.sent();
    let error = sent.error.unwrap();
    assert!(error.message.starts_with("the run was not sent: cannot reach http://"), "{}", error.message);
    assert_eq!(bench.bench.run_get(RunArgs { run }).await.unwrap().summary.status, RunStatus::Running);
    bench.bench.close().await;
    let steps = bench.bench.run_get(RunArgs { run }).await.unwrap();
    assert_eq!(steps.summary.status, RunStatus::Stopped);
    assert!(!serde_json::to_string(&steps).unwrap().contains("cannot reach"), "the record says nothing of it");
}
