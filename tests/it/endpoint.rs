//! A run against an OpenAI-compatible endpoint: the bytes on the wire are those that are recorded, and those that the
//! real framework would have sent.

use std::sync::{Arc, Mutex};

use api::dto::{ExportArgs, RunExport, StepArgs};
use camino::Utf8Path;
use serde_json::{Value, json};
use skillbench_tests::{GOLDEN, Golden};
use trace::{RunStatus, StepKind, StepState};
use wiremock::matchers::{header, method, path};
use wiremock::{Mock, MockServer, Request, ResponseTemplate};

use crate::examples::Bench;

/// A key that must not be found anywhere but in the header.
const KEY: &str = "sk-canary-5d2f9c";

/// The calls and the text that seed 000's model answered with.
fn scene() -> (Value, Vec<Value>) {
    let text = std::fs::read_to_string(Utf8Path::new(GOLDEN).join("maf-dotnet-seed000-derived/seven_messages.json"));
    let golden: Value = serde_json::from_str(&text.unwrap()).unwrap();
    let last = golden["requests_messages"].as_array().unwrap().last().unwrap().as_array().unwrap().clone();
    let mut answers: Vec<Value> = last.into_iter().filter(|message| message["role"] == "assistant").collect();
    answers.push(json!({ "role": "assistant", "content": golden["final"] }));
    (golden, answers)
}

/// An answer as a stream, its text and arguments cut into pieces of three characters.
fn streamed(answer: &Value) -> String {
    let pieces = |text: &str| -> Vec<String> {
        let characters: Vec<char> = text.chars().collect();
        characters.chunks(3).map(|piece| piece.iter().collect()).collect()
    };
    let mut chunks = Vec::new();
    for call in answer["tool_calls"].as_array().into_iter().flatten() {
        let function = &call["function"];
        chunks.push(json!({ "tool_calls": [{ "index": 0, "id": call["id"], "type": "function",
            "function": { "name": function["name"], "arguments": "" } }] }));
        for piece in pieces(function["arguments"].as_str().unwrap()) {
            chunks.push(json!({ "tool_calls": [{ "index": 0, "function": { "arguments": piece } }] }));
        }
    }
    chunks.extend(
        pieces(answer["content"].as_str().unwrap_or_default()).into_iter().map(|text| json!({ "content": text })),
    );
    let finish = if answer["tool_calls"].is_null() { "stop" } else { "tool_calls" };
    let mut body = String::new();
    for delta in chunks {
        body += &format!("data: {}\n\n", json!({ "choices": [{ "index": 0, "delta": delta, "finish_reason": null }] }));
    }
    body += &format!("data: {}\n\n", json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": finish }] }));
    body + "data: [DONE]\n\n"
}

async fn server(answers: Vec<Value>, stream: bool) -> (MockServer, Arc<Mutex<Vec<String>>>) {
    let server = MockServer::start().await;
    let bodies: Arc<Mutex<Vec<String>>> = Arc::default();
    let heard = bodies.clone();
    Mock::given(method("POST"))
        .and(path("/v1/chat/completions"))
        .and(header("authorization", format!("Bearer {KEY}").as_str()))
        .respond_with(move |request: &Request| {
            let mut bodies = heard.lock().unwrap();
            let answer = &answers[bodies.len()];
            bodies.push(String::from_utf8(request.body.clone()).unwrap());
            if stream {
                return ResponseTemplate::new(200).set_body_raw(streamed(answer), "text/event-stream");
            }
            ResponseTemplate::new(200).set_body_json(json!({ "choices": [{ "index": 0, "message": answer,
                "finish_reason": if answer["tool_calls"].is_null() { "stop" } else { "tool_calls" } }] }))
        })
        .mount(&server)
        .await;
    (server, bodies)
}

async fn bench_with(server: &MockServer, folder: &Utf8Path, stream: bool) -> Bench {
    let bench = Bench::on(folder).await;
    let config = bench.home.path().join("config");
    std::fs::create_dir_all(&config).unwrap();
    // `CARGO_PKG_NAME` is set for every test; the key is looked up when the request is made.
    let models = format!(
        "models:\n- id: mock\n  provider: openAi\n  baseUrl: {}/v1\n  model: mock-1\n  stream: {stream}\n  key: {{ env: {KEY_VARIABLE} }}\n",
        server.uri()
    );
    std::fs::write(config.join("models.yaml"), models).unwrap();
    bench
}

/// Set in `.cargo/config.toml` for tests: changing the environment of a running process is unsafe.
const KEY_VARIABLE: &str = "SKILLBENCH_TEST_KEY";

/// A message as the golden file writes it, with the form that a tool's content has on the wire.
fn as_recorded(message: &Value) -> Value {
    let mut message = message.as_object().unwrap().clone();
    message.remove("content_as_seed_prints_it");
    if let Some(wire) = message.remove("content_on_openai_wire_JsonElement_serialised") {
        message.insert("content".into(), wire);
    }
    if message["role"] == "assistant" {
        message.entry("content").or_insert(Value::Null);
    }
    Value::Object(message)
}

#[tokio::test(flavor = "multi_thread")]
async fn sends_what_the_framework_sends_and_records_what_it_sent() {
    let fixtures = Golden::copy();
    let (golden, answers) = scene();
    for stream in [true, false] {
        let (server, bodies) = server(answers.clone(), stream).await;
        let bench = bench_with(&server, &fixtures.path().join("roots/unit-converter"), stream).await;
        let (run, status, steps) = bench.run("mock", "一公斤有几磅?").await;
        assert_eq!(status, RunStatus::Done);

        let bodies = bodies.lock().unwrap().clone();
        let sent: Vec<Value> = bodies.iter().map(|body| serde_json::from_str(body).unwrap()).collect();
        for (sent, expected) in sent.iter().zip(golden["requests_messages"].as_array().unwrap()) {
            let expected: Vec<Value> = expected.as_array().unwrap().iter().map(as_recorded).collect();
            assert_eq!(sent["messages"], Value::Array(expected), "stream: {stream}");
            let tools: Vec<&Value> = sent["tools"].as_array().unwrap().iter().map(|tool| &tool["function"]).collect();
            assert_eq!(json!(tools), golden["tools"]);
        }
        let StepKind::Answer { text, .. } = &steps.last().unwrap().kind else { panic!("it ends with an answer") };
        assert_eq!(json!(text), golden["final"]);

        let mut recorded = Vec::new();
        for step in steps.iter().filter(|step| matches!(step.kind, StepKind::Answer { .. })) {
            let context = bench.bench.step_context(StepArgs { run, step: step.index }).await.unwrap();
            assert!(context.exact);
            recorded.push(context.body.unwrap());
        }
        assert_eq!(recorded, bodies, "the context at a step is the request's bytes");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn keeps_the_key_out_of_everything_it_writes() {
    let fixtures = Golden::copy();
    let server = MockServer::start().await;
    // A proxy that echoes the request's headers in its error page.
    Mock::given(method("POST"))
        .respond_with(
            ResponseTemplate::new(400).set_body_string(format!("<html>bad: Authorization: Bearer {KEY}</html>")),
        )
        .mount(&server)
        .await;
    let bench = bench_with(&server, &fixtures.path().join("roots/unit-converter"), true).await;
    let (run, status, steps) = bench.run("mock", "hello").await;
    assert_eq!(status, RunStatus::Failed);
    assert!(steps.iter().any(|step| step.state == StepState::Failed));

    let export = bench.bench.run_export(ExportArgs { run, format: RunExport::Jsonl }).await.unwrap();
    assert!(export.contains("[key]"), "the error page is kept, without the key: {export}");
    assert!(!export.contains(KEY));
    for entry in walk(bench.home.path()) {
        let bytes = std::fs::read(&entry).unwrap();
        let found = bytes.windows(KEY.len()).any(|window| window == KEY.as_bytes());
        assert!(!found, "the key is in {}", entry.display());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn says_which_variable_is_missing_before_anything_is_sent() {
    let fixtures = Golden::copy();
    let bench = Bench::on(&fixtures.path().join("roots/unit-converter")).await;
    let config = bench.home.path().join("config");
    std::fs::create_dir_all(&config).unwrap();
    let models = "models:\n- id: mock\n  provider: openAi\n  baseUrl: http://127.0.0.1:9/v1\n  model: m\n  key: { env: SKILLBENCH_NOT_SET }\n";
    std::fs::write(config.join("models.yaml"), models).unwrap();
    let (_, status, steps) = bench.run("mock", "hello").await;
    assert_eq!(status, RunStatus::Failed);
    let said = format!("{:?}", steps.last().unwrap().kind);
    assert!(said.contains("SKILLBENCH_NOT_SET"), "{said}");
}

fn walk(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { files.extend(walk(&path)) } else { files.push(path) }
    }
    files
}
