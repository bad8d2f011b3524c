//! A server that answers one scene over and over: load a skill, read a resource, run a script, say the result. It speaks
//! streamed OpenAI chat completions and tells how far a conversation has come from the request alone.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

pub const PROMPT: &str = "How many pounds is 1 kilogram?";
pub const ANSWER: &str = "1 kilogram is 2.20462 pounds. The factor is the one that the conversion table gives for \
                          kilograms to pounds, and the script multiplied it by the value that you asked about.";
/// Model requests of one conversation.
pub const REQUESTS: usize = 4;

/// `workbench.yaml` of a folder in which the scene can be played: the skill is written out in it, and its script only says
/// what a script would print.
pub const PROJECT: &str = include_str!("fixtures/scene.yaml");

/// Answers on a free port until the runtime ends.
pub async fn serve() -> SocketAddr {
    listen(None).await
}

/// As [`serve`], but the last answer of each conversation stops half-way until it is let go on.
pub async fn serve_held() -> Held {
    let hold = Arc::new(Hold { go: Semaphore::new(0), hung_up: AtomicUsize::new(0) });
    Held { address: listen(Some(hold.clone())).await, hold }
}

/// A server that holds its last answers half-way.
pub struct Held {
    pub address: SocketAddr,
    hold: Arc<Hold>,
}

impl Held {
    /// Lets one answer come to its end, the one that is held or the next.
    pub fn let_go(&self) {
        self.hold.go.add_permits(1);
    }

    /// How many clients closed their connection while they were held.
    pub fn hung_up(&self) -> usize {
        self.hold.hung_up.load(Ordering::Relaxed)
    }
}

struct Hold {
    go: Semaphore,
    hung_up: AtomicUsize,
}

impl Hold {
    async fn answer(&self, socket: &mut TcpStream, answer: &[u8]) -> io::Result<()> {
        let (first, rest) = answer.split_at(answer.len() / 2);
        socket.write_all(first).await?;
        tokio::select! {
            permit = self.go.acquire() => permit.expect("it is never closed").forget(),
            // A client that waits for an answer says nothing, so this is the end of its connection.
            _ = socket.read_u8() => {
                self.hung_up.fetch_add(1, Ordering::Relaxed);
                return Err(io::ErrorKind::ConnectionAborted.into());
            }
        }
        socket.write_all(rest).await
    }
}

async fn listen(hold: Option<Arc<Hold>>) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("loopback has a free port");
    let address = listener.local_addr().expect("it is bound");
    let answers: Arc<Vec<Vec<u8>>> = Arc::new((0..REQUESTS).map(response).collect());
    tokio::spawn(async move {
        while let Ok((socket, _)) = listener.accept().await {
            tokio::spawn(converse(socket, answers.clone(), hold.clone()));
        }
    });
    address
}

/// One connection, kept open from request to request.
async fn converse(mut socket: TcpStream, answers: Arc<Vec<Vec<u8>>>, hold: Option<Arc<Hold>>) {
    let mut got = Vec::new();
    loop {
        let Some(length) = whole(&got) else {
            match socket.read_buf(&mut got).await {
                Ok(0) | Err(_) => return,
                Ok(_) => continue,
            }
        };
        let answered = count_answers(&got[..length]).min(REQUESTS - 1);
        got.drain(..length);
        let answer = &answers[answered];
        let sent = match &hold {
            Some(hold) if answered + 1 == REQUESTS => hold.answer(&mut socket, answer).await,
            Some(_) | None => socket.write_all(answer).await,
        };
        if sent.is_err() {
            return;
        }
    }
}

/// Bytes of the first request, once it is there as a whole.
pub fn whole(got: &[u8]) -> Option<usize> {
    let head = got.windows(4).position(|window| window == b"\r\n\r\n")? + 4;
    let text = String::from_utf8_lossy(&got[..head]).to_ascii_lowercase();
    let length = text.lines().find_map(|line| line.strip_prefix("content-length:"));
    let length: usize = length.and_then(|length| length.trim().parse().ok()).unwrap_or(0);
    (got.len() >= head + length).then_some(head + length)
}

/// Messages of the assistant in a request's body.
fn count_answers(request: &[u8]) -> usize {
    let compact: Vec<u8> = request.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect();
    compact.windows(ROLE.len()).filter(|window| *window == ROLE).count()
}

const ROLE: &[u8] = br#""role":"assistant""#;

/// The answer to a conversation's request `number`, as it goes over the wire.
fn response(number: usize) -> Vec<u8> {
    let call = |name: &str, arguments: Value| called(number, name, &arguments.to_string());
    let (skill, script) = ("unit-converter", "scripts/convert.py");
    let deltas = match number {
        0 => call("load_skill", json!({"skill_name": skill})),
        1 => {
            call("read_skill_resource", json!({"skill_name": skill, "resource_name": "references/conversion-table.md"}))
        }
        2 => call(
            "run_skill_script",
            json!({"skill_name": skill, "script_name": script, "args": {"value": 1, "factor": 2.20462}}),
        ),
        _ => pieces(ANSWER, 6).map(|piece| json!({"content": piece})).collect(),
    };
    let finish = if number + 1 == REQUESTS { "stop" } else { "tool_calls" };
    let choices = |delta: Value, finish: Value| json!([{"index": 0, "delta": delta, "finish_reason": finish}]);
    let usage =
        json!({"prompt_tokens": 700 + 300 * number, "completion_tokens": 40, "total_tokens": 740 + 300 * number});
    let mut chunks: Vec<Value> = vec![choices(json!({"role": "assistant", "content": null}), Value::Null)];
    chunks.extend(deltas.into_iter().map(|delta| choices(delta, Value::Null)));
    chunks.push(choices(json!({}), finish.into()));
    let mut payloads: Vec<String> = chunks.into_iter().map(|choices| payload(choices, Value::Null)).collect();
    payloads.push(payload(json!([]), usage));
    payloads.push("[DONE]".into());
    let mut response =
        b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n".to_vec();
    for payload in payloads {
        let event = format!("data: {payload}\n\n");
        response.extend(format!("{:x}\r\n{event}\r\n", event.len()).bytes());
    }
    response.extend(b"0\r\n\r\n");
    response
}

fn payload(choices: Value, usage: Value) -> String {
    json!({"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1_790_000_000, "model": "mock",
        "choices": choices, "usage": usage})
    .to_string()
}

fn called(number: usize, name: &str, arguments: &str) -> Vec<Value> {
    let head = json!({"tool_calls": [{"index": 0, "id": format!("call_{number}"), "type": "function",
        "function": {"name": name, "arguments": ""}}]});
    let rest =
        pieces(arguments, 8).map(|piece| json!({"tool_calls": [{"index": 0, "function": {"arguments": piece}}]}));
    std::iter::once(head).chain(rest).collect()
}

fn pieces(text: &str, length: usize) -> impl Iterator<Item = String> {
    let characters: Vec<char> = text.chars().collect();
    let pieces: Vec<String> = characters.chunks(length).map(|piece| piece.iter().collect()).collect();
    pieces.into_iter()
}
