//! Pulling the plug: a server that is gone in the middle of its answer, at any byte. Each run ends, its trace is whole,
//! and the next run works.

use std::fmt::Write as _;
use std::sync::{Arc, Mutex};

use api::dto::{ExportArgs, RunExport};
use serde_json::{Value, json};
use skillbench_tests::Golden;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use trace::{CutChoice, RunId, RunStatus, Step, StepKind};

use crate::examples::Bench;

/// Cut-off answers. Each twenty-fifth is followed by a whole one.
const CUTS: usize = 500;

/// What the model says in every recording.
const TEXT: &str = "一公斤约等于 2.2 磅 🙂 (2.20462)";

struct Recording {
    provider: &'static str,
    stream: bool,
    body: String,
}

fn recordings() -> Vec<Recording> {
    let (first, second) = TEXT.split_at(TEXT.floor_char_boundary(TEXT.len() / 2));
    let sse = |payloads: &[Value]| {
        payloads.iter().fold(String::new(), |mut body, payload| {
            if let Some(name) = payload["type"].as_str() {
                let _ = writeln!(body, "event: {name}");
            }
            let _ = write!(body, "data: {payload}\n\n");
            body
        })
    };
    let chunk = |delta: Value, finish: Value| {
        json!({"id": "c1", "object": "chat.completion.chunk", "model": "m",
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})
    };
    let chat = sse(&[
        chunk(json!({"role": "assistant", "content": ""}), Value::Null),
        chunk(json!({"content": first}), Value::Null),
        chunk(json!({"content": second}), Value::Null),
        chunk(json!({}), json!("stop")),
        json!({"id": "c1", "choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 12, "total_tokens": 21}}),
    ]) + "data: [DONE]\n\n";
    let chat_whole = json!({"id": "c1", "object": "chat.completion", "model": "m",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": TEXT}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 9, "completion_tokens": 12, "total_tokens": 21}});

    let usage = json!({"input_tokens": 9, "output_tokens": 12});
    let messages = sse(&[
        json!({"type": "message_start", "message": {"id": "m1", "type": "message", "role": "assistant", "content": [],
            "model": "m", "stop_reason": null, "stop_sequence": null, "usage": {"input_tokens": 9, "output_tokens": 1}}}),
        json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
        json!({"type": "ping"}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": first}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": second}}),
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "message_delta", "delta": {"stop_reason": "end_turn", "stop_sequence": null},
            "usage": {"output_tokens": 12}}),
        json!({"type": "message_stop"}),
    ]);
    let messages_whole = json!({"id": "m1", "type": "message", "role": "assistant", "model": "m",
        "content": [{"type": "text", "text": TEXT}], "stop_reason": "end_turn", "stop_sequence": null, "usage": usage});

    let item = |status: &str, content: Value| {
        json!({"id": "i1", "type": "message", "role": "assistant",
        "status": status, "content": content})
    };
    let said = json!([{"type": "output_text", "text": TEXT, "annotations": []}]);
    let response = |status: &str, output: Value, usage: Value| {
        json!({"id": "r1", "object": "response", "model": "m",
        "status": status, "error": null, "incomplete_details": null, "output": output, "usage": usage})
    };
    let done = response(
        "completed",
        json!([item("completed", said.clone())]),
        json!({"input_tokens": 9, "output_tokens": 12, "total_tokens": 21}),
    );
    let in_progress = response("in_progress", json!([]), Value::Null);
    let delta = |text: &str| {
        json!({"type": "response.output_text.delta", "item_id": "i1", "output_index": 0,
        "content_index": 0, "delta": text})
    };
    let responses = sse(&[
        json!({"type": "response.created", "response": in_progress}),
        json!({"type": "response.in_progress", "response": in_progress}),
        json!({"type": "response.output_item.added", "output_index": 0, "item": item("in_progress", json!([]))}),
        json!({"type": "response.content_part.added", "item_id": "i1", "output_index": 0, "content_index": 0,
            "part": {"type": "output_text", "text": "", "annotations": []}}),
        delta(first),
        delta(second),
        json!({"type": "response.output_text.done", "item_id": "i1", "output_index": 0, "content_index": 0,
            "text": TEXT}),
        json!({"type": "response.content_part.done", "item_id": "i1", "output_index": 0, "content_index": 0,
            "part": said[0]}),
        json!({"type": "response.output_item.done", "output_index": 0, "item": item("completed", said.clone())}),
        json!({"type": "response.completed", "response": done}),
    ]);

    let recording = |provider, stream, body| Recording { provider, stream, body };
    vec![
        recording("openAi", true, chat),
        recording("openAi", false, chat_whole.to_string()),
        recording("anthropic", true, messages),
        recording("anthropic", false, messages_whole.to_string()),
        recording("openAiResponses", true, responses),
        recording("openAiResponses", false, done.to_string()),
    ]
}

/// What the server does with the next request: writes this and is gone.
#[derive(Clone, Default)]
struct Next {
    bytes: Vec<u8>,
    /// Resets the connection instead of closing it.
    reset: bool,
}

impl Recording {
    /// The answer up to a byte of its body, in chunks if it is streamed.
    fn up_to(&self, cut: usize, reset: bool) -> Next {
        let body = &self.body.as_bytes()[..cut];
        let (kind, frame) = match self.stream {
            true => ("text/event-stream", "transfer-encoding: chunked".to_owned()),
            false => ("application/json", format!("content-length: {}", self.body.len())),
        };
        let mut bytes = format!("HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\n{frame}\r\n\r\n").into_bytes();
        match self.stream {
            true => {
                for chunk in body.chunks(97) {
                    bytes.extend(format!("{:x}\r\n", chunk.len()).bytes().chain(chunk.iter().copied()).chain(*b"\r\n"));
                }
                if cut == self.body.len() {
                    bytes.extend(b"0\r\n\r\n");
                }
            }
            false => bytes.extend(body),
        }
        Next { bytes, reset }
    }
}

async fn serve(next: Arc<Mutex<Next>>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}/v1", listener.local_addr().unwrap());
    tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            let next = next.lock().unwrap().clone();
            tokio::spawn(attend(stream, next));
        }
    });
    base
}

async fn attend(mut stream: TcpStream, next: Next) {
    let mut request = Vec::new();
    while !is_whole(&request) {
        if stream.read_buf(&mut request).await.unwrap_or(0) == 0 {
            return;
        }
    }
    if next.reset {
        stream.set_zero_linger().unwrap();
    }
    let _ = stream.write_all(&next.bytes).await;
}

fn is_whole(request: &[u8]) -> bool {
    let text = String::from_utf8_lossy(request);
    let Some((head, _)) = text.split_once("\r\n\r\n") else { return false };
    let length = head.lines().find_map(|line| line.to_ascii_lowercase().strip_prefix("content-length: ")?.parse().ok());
    request.len() >= head.len() + 4 + length.unwrap_or(0)
}

/// Numbers that are the same every time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(limit).unwrap()).unwrap()
    }
}

async fn said(bench: &Bench, run: RunId, status: RunStatus, steps: &[Step]) -> Result<String, String> {
    let export = bench.bench.run_export(ExportArgs { run, format: RunExport::Jsonl }).await.unwrap();
    let events: Vec<Value> = export.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let kinds: Vec<&str> = events.iter().filter_map(|event| event["kind"]["type"].as_str()).collect();
    assert_eq!((kinds.first(), kinds.last()), (Some(&"started"), Some(&"ended")), "{kinds:?}");
    let numbers: Vec<u64> = events.iter().filter_map(|event| event["seq"].as_u64()).collect();
    assert_eq!(numbers, (0..kinds.len() as u64).collect::<Vec<_>>());

    let answer = steps.iter().find(|step| matches!(step.kind, StepKind::Answer { .. })).unwrap();
    let StepKind::Answer { text, error, hint, cut, .. } = &answer.kind else { panic!("an answer") };
    match (status, error) {
        (RunStatus::Done, None) => Ok(text.clone()),
        (RunStatus::Failed, Some(error)) => {
            assert!(hint.is_some(), "there is a next step: {error}");
            assert!(TEXT.starts_with(text.as_str()), "what came is kept: {text}");
            Err(error.clone())
        }
        (RunStatus::Failed, None) if *cut == Some(CutChoice::End) => {
            assert!(TEXT.starts_with(text.as_str()), "what came is kept: {text}");
            Err("the answer may be cut off".to_owned())
        }
        other => panic!("the run ended as {other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_gone_at_any_byte_leaves_a_whole_trace_and_a_bench_that_works() {
    let next: Arc<Mutex<Next>> = Arc::default();
    let base = serve(next.clone()).await;
    let fixtures = Golden::copy();
    let bench = Bench::on(&fixtures.path().join("roots/unit-converter")).await;
    let config = bench.home.path().join("config");
    std::fs::create_dir_all(&config).unwrap();
    let recordings = recordings();
    let mut models = "models:\n".to_owned();
    for (at, Recording { provider, stream, .. }) in recordings.iter().enumerate() {
        let _ = writeln!(
            models,
            "- {{ id: m{at}, provider: {provider}, baseUrl: \"{base}\", model: m, stream: {stream} }}"
        );
    }
    std::fs::write(config.join("models.yaml"), models).unwrap();

    let mut dice = Dice(20_261_121);
    let (mut whole, mut failed) = (0, 0);
    for round in 0..CUTS {
        let at = round % recordings.len();
        let recording = &recordings[at];
        let is_control = round % 25 == 24;
        let cut = if is_control { recording.body.len() } else { dice.below(recording.body.len()) };
        *next.lock().unwrap() = recording.up_to(cut, !is_control && dice.below(2) == 0);
        let (run, status, steps) = bench.run(&format!("m{at}"), "一公斤有几磅?").await;
        let about = format!(
            "round {round}: {} stream {}, {cut} of {}",
            recording.provider,
            recording.stream,
            recording.body.len()
        );
        match said(&bench, run, status, &steps).await {
            Ok(text) => {
                assert_eq!(text, TEXT, "{about}");
                whole += 1;
            }
            Err(error) => {
                assert!(!is_control, "{about}: {error}");
                failed += 1;
            }
        }
    }
    assert!(failed > CUTS / 2 && whole >= CUTS / 25, "{failed} broke off, {whole} were whole");
}
