use std::sync::{Arc, Mutex};

use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use super::*;
use crate::protocol::Protocol;
use crate::secret::KeyRef;

const KEY: &str = "sk-checkup-0123456789";

/// A server that answers each request by `reply`: path and body in, status and body out.
async fn server(reply: impl Fn(&str, &Value) -> (u16, Value) + Send + 'static) -> (String, Arc<Mutex<Vec<Value>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}/v1", listener.local_addr().unwrap());
    let asked: Arc<Mutex<Vec<Value>>> = Arc::default();
    let heard = asked.clone();
    tokio::spawn(async move {
        loop {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut read = Vec::new();
            let mut body = None;
            while body.is_none() {
                // The first check connects and says nothing.
                if stream.read_buf(&mut read).await.unwrap() == 0 {
                    break;
                }
                body = whole_request(&read);
            }
            let Some((path, body)) = body else { continue };
            if !body.is_null() {
                heard.lock().unwrap().push(body.clone());
            }
            let (status, answer) = reply(&path, &body);
            let (kind, answer) = match answer {
                Value::String(stream) => ("text/event-stream", stream),
                json => ("application/json", json.to_string()),
            };
            let head = format!(
                "HTTP/1.1 {status} X\r\ncontent-type: {kind}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
                answer.len()
            );
            stream.write_all(&[head.as_bytes(), answer.as_bytes()].concat()).await.unwrap();
        }
    });
    (base, asked)
}

fn whole_request(read: &[u8]) -> Option<(String, Value)> {
    let text = std::str::from_utf8(read).ok()?;
    let (head, body) = text.split_once("\r\n\r\n")?;
    let path = head.split(' ').nth(1)?.to_owned();
    let length = head.lines().find_map(|line| line.to_ascii_lowercase().strip_prefix("content-length: ")?.parse().ok());
    match length {
        Some(length) if body.len() < length => None,
        Some(_) => Some((path, serde_json::from_str(body).unwrap())),
        None => Some((path, Value::Null)),
    }
}

/// A model that does all that is asked of it.
fn good(path: &str, body: &Value) -> (u16, Value) {
    if path == "/v1/models" {
        return (200, json!({"data": [{"id": "some-model"}, {"id": "other"}]}));
    }
    let message = match body["tools"].is_array() {
        true => {
            json!({"tool_calls": [{"index": 0, "id": "c", "function": {"name": TOOL, "arguments": "{\"number\":7}"}}]})
        }
        false => json!({"content": "ready"}),
    };
    (200, answered(body, &message))
}

fn answered(body: &Value, message: &Value) -> Value {
    match body["stream"] == true {
        true => json!(format!(
            "data: {}\n\ndata: [DONE]\n\n",
            json!({"choices": [{"delta": message, "finish_reason": "stop"}]})
        )),
        false => json!({"choices": [{"message": message, "finish_reason": "stop"}]}),
    }
}

fn entry(base: &str) -> ModelEntry {
    ModelEntry {
        key: Some(KeyRef::Env("SOME_KEY".into())),
        ..ModelEntry::new("some", Protocol::OpenAi, base, "some-model")
    }
}

async fn checks(entry: &ModelEntry) -> Vec<Check> {
    let keys = Arc::new(|name: &str| (name == "SOME_KEY").then(|| KEY.to_owned()));
    check(entry, Http::new(), keys).collect().await
}

/// State and text of each check, and what to do next.
async fn report(entry: &ModelEntry) -> Vec<String> {
    let lines = checks(entry).await.into_iter().map(|check| {
        let hint = check.hint.map(|hint| format!(" -> {hint}")).unwrap_or_default();
        format!("{:?} {:?}: {}{hint}", check.kind, check.state, check.text)
    });
    let address = Url::parse(&entry.base_url).unwrap();
    let address = format!("{}:{}", address.host_str().unwrap(), address.port().unwrap());
    lines.map(|line| line.replace(&address, "SERVER")).collect()
}

#[tokio::test]
async fn a_good_model_passes_everything_in_four_small_requests() {
    let (base, asked) = server(good).await;
    assert_eq!(
        report(&entry(&base)).await,
        [
            "Reach Passed: SERVER accepts connections",
            "Tls Skipped: not needed: the server is on this machine",
            "Key Passed: the key is accepted",
            "Model Passed: `some-model` is one of 2 models that the server lists",
            "Answer Passed: it answered “ready”",
            "Stream Passed: it answered “ready”",
            "Tool Passed: it called the tool: report_number “{\"number\":7}”",
        ]
    );
    let asked = asked.lock().unwrap();
    let limits: Vec<_> = asked.iter().map(|body| (body["stream"] == true, body["max_tokens"].as_u64())).collect();
    assert_eq!(limits, [(false, Some(32)), (true, Some(32)), (true, Some(2048)), (true, Some(2048))]);
}

#[tokio::test]
async fn data_that_the_provider_misses_is_seen_after_the_tools_result() {
    let thinks = |misses: bool| {
        move |path: &str, body: &Value| {
            let (status, mut answer) = good(path, body);
            let spoken = body["messages"].as_array().map_or(0, Vec::len);
            if body["tools"].is_array() && spoken == 1 {
                let call = json!({"index": 0, "id": "c", "function": {"name": TOOL, "arguments": "{\"number\":7}"}});
                answer = answered(body, &json!({"reasoning_content": "hm", "tool_calls": [call]}));
            }
            let sent = &body["messages"][1]["reasoning_content"];
            if spoken > 1 && (misses || sent != "hm") {
                return (400, json!({"error": {"message": "Missing `reasoning_content` field"}}));
            }
            (status, answer)
        }
    };
    let called = "it called the tool: report_number “{\"number\":7}”";
    let (base, _) = server(thinks(false)).await;
    assert_eq!(report(&entry(&base)).await[6], format!("Tool Passed: {called}"));
    let (base, _) = server(thinks(true)).await;
    assert_eq!(
        report(&entry(&base)).await[6],
        format!(
            "Tool Failed: {called}; asked again with the tool's result, http://SERVER/v1/chat/completions answered 400: \
             Missing `reasoning_content` field"
        )
    );
}

#[tokio::test]
async fn a_refusal_is_no_answer_and_the_limit_no_unwillingness() {
    let (base, _) = server(|path, body| {
        let (status, answer) = good(path, body);
        match (path, body["tools"].is_array()) {
            ("/v1/models", _) => (status, answer),
            (_, false) => {
                (status, json!({"choices": [{"message": {"content": ""}, "finish_reason": "content_filter"}]}))
            }
            (_, true) => (status, json!({"choices": [{"message": {"content": ""}, "finish_reason": "length"}]})),
        }
    })
    .await;
    let nothing = "it answered, but said nothing in the few tokens it had";
    let refused = format!("it refused to answer, or the provider filtered its answer: {nothing}");
    assert_eq!(
        report(&entry(&base)).await[4..],
        [
            format!("Answer Failed: {refused}"),
            format!("Stream Failed: {refused}"),
            format!(
                "Tool Warned: it called no tool, because the limit of 2048 tokens ended its answer: {nothing} -> run it once \
                 and see; skills are only useful to models that call tools"
            ),
        ]
    );
}

#[tokio::test]
async fn what_needs_no_key_is_checked_without_one() {
    let (base, asked) = server(|_, _| (401, json!({"error": {"message": "Missing key"}}))).await;
    let mut checkup = checkup(&ModelEntry { key: Some(KeyRef::Env("NOT_SET".into())), ..entry(&base) });
    assert!(matches!(checkup.list().await.value, Err(ModelError::Key { .. })));
    assert!(
        matches!(checkup.way().await.value, Err(ModelError::Refused { status: Some(401), .. })),
        "the server spoke"
    );
    assert_eq!(asked.lock().unwrap().len(), 0, "no answer was asked for");
    let nobody = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let base = format!("https://{nobody}/v1");
    let mut checkup = self::checkup(&ModelEntry { key: Some(KeyRef::Env("NOT_SET".into())), ..entry(&base) });
    assert_eq!(checkup.tls().await.state, CheckState::Failed, "nobody showed a certificate");
}

fn checkup(entry: &ModelEntry) -> Checkup {
    let keys = Arc::new(|name: &str| (name == "SOME_KEY").then(|| KEY.to_owned()));
    Checkup::new(entry, Http::new(), keys)
}

#[tokio::test]
async fn an_answer_that_may_be_cut_fails() {
    let cut = |path: &str, body: &Value| match good(path, body) {
        (status, Value::String(stream)) => {
            let stream = stream.replace(",\"finish_reason\":\"stop\"", "").replace("data: [DONE]\n\n", "");
            (status, Value::String(stream))
        }
        (status, list) if path == "/v1/models" => (status, list),
        (status, mut whole) => {
            whole["choices"][0]["finish_reason"] = Value::Null;
            (status, whole)
        }
    };
    let (base, _) = server(cut).await;
    let may_be = "nothing says that it is over, so it may be cut off";
    assert_eq!(
        report(&entry(&base)).await[4..],
        [
            format!(
                "Answer Warned: it answered “ready”, but {may_be} -> runs stream this model's answers, so this may not matter"
            ),
            format!(
                "Stream Failed: it answered “ready”, but {may_be} -> ask the provider, or use another server; a run waits for you at each such answer"
            ),
            format!(
                "Tool Failed: it called “report_number”, but {may_be} -> ask the provider, or use another server; a run waits for you at each such answer"
            ),
        ]
    );
    let whole = report(&ModelEntry { stream: false, ..entry(&base) }).await;
    assert!(whole[4].starts_with("Answer Failed: ") && whole[6].starts_with("Tool Failed: "), "{whole:?}");
}

#[tokio::test]
async fn what_the_entry_says_is_not_there_is_not_checked() {
    let (base, _) = server(good).await;
    let report = report(&ModelEntry { stream: false, tools: false, ..entry(&base) }).await;
    assert_eq!(
        report[5..],
        ["Stream Skipped: `stream` is `false` for this model", "Tool Skipped: `tools` is `false` for this model"]
    );
}

#[tokio::test]
async fn a_missing_server_ends_it_at_once() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}/v1", listener.local_addr().unwrap());
    drop(listener);
    let report = report(&entry(&base)).await;
    assert!(report[0].starts_with("Reach Failed: cannot reach http://SERVER/v1: SERVER: "), "{}", report[0]);
    assert!(report[0].contains(" -> check that the server is running"), "{}", report[0]);
    assert_eq!(report[1], "Tls Skipped: not checked, because reaching the server failed");
    assert_eq!(report.len(), 7);
}

#[tokio::test]
async fn a_wrong_key_is_reported_by_the_list_or_by_the_answer() {
    for refuses_list in [true, false] {
        let (base, asked) = server(move |path, body| match path == "/v1/models" && !refuses_list {
            true => good(path, body),
            false => (401, json!({"error": {"message": format!("Incorrect API key provided: {KEY}")}})),
        })
        .await;
        let checks = checks(&entry(&base)).await;
        assert_eq!(checks[2].state, CheckState::Failed);
        assert!(checks[2].text.ends_with(" answered 401: Incorrect API key provided: [key]"), "{}", checks[2].text);
        assert_eq!(checks[2].raw.as_deref(), Some(r#"{"error":{"message":"Incorrect API key provided: [key]"}}"#));
        assert_eq!(checks[3].text, "not checked, because the key failed");
        assert_eq!(asked.lock().unwrap().len(), usize::from(!refuses_list));
    }
}

#[tokio::test]
async fn a_model_that_is_not_there_is_looked_for_in_the_list() {
    let (base, _) = server(|path, body| match path {
        "/v1/models" => good(path, body),
        _ => (404, json!({"error": {"message": "The model `some-mode` does not exist.", "code": "model_not_found"}})),
    })
    .await;
    let report = report(&ModelEntry { model: "some-mode".into(), ..entry(&base) }).await;
    assert_eq!(
        report[2..5],
        [
            "Key Passed: the server lists its models",
            "Model Failed: http://SERVER/v1/chat/completions answered 404: The model `some-mode` does not exist. -> set \
             `model` in models.yaml to one that the server lists, e.g. `some-model`",
            "Answer Skipped: not checked, because the model failed",
        ]
    );
}

#[tokio::test]
async fn a_server_without_a_list_and_a_model_that_only_talks_can_be_used() {
    let (base, _) = server(|path, body| match path {
        "/v1/models" => (404, json!({"detail": "Not Found"})),
        _ => (200, answered(body, &json!({"content": "I would call it with 7."}))),
    })
    .await;
    assert_eq!(
        report(&ModelEntry { key: None, ..entry(&base) }).await[2..],
        [
            "Key Passed: the server does not ask for a key",
            "Model Passed: the server answers for `some-model`",
            "Answer Passed: it answered “I would call it with 7.”",
            "Stream Passed: it answered “I would call it with 7.”",
            "Tool Warned: it was asked to call a tool, but did not: it answered “I would call it with 7.” -> run it \
             once and see; skills are only useful to models that call tools",
        ]
    );
}

#[tokio::test]
async fn says_what_to_switch_off_where_a_server_does_not_stream_or_take_tools() {
    let (base, _) = server(|path, body| match (body["stream"] == true, body["tools"].is_array()) {
        (true, false) => (500, json!({"error": {"message": "no streams here"}})),
        _ => good(path, body),
    })
    .await;
    assert_eq!(
        report(&entry(&base)).await[5..],
        [
            "Stream Failed: http://SERVER/v1/chat/completions answered 500: no streams here -> set `stream: false` for \
             the model in models.yaml",
            "Tool Skipped: not checked, because streaming failed",
        ]
    );
    let (base, _) = server(|path, body| match body["tools"].is_array() {
        true => (400, json!({"error": "some-model does not support tools"})),
        false => good(path, body),
    })
    .await;
    let tool = report(&entry(&base)).await.pop().unwrap();
    assert!(tool.starts_with("Tool Failed: "), "{tool}");
    assert!(tool.contains("set `tools: false` for the model in models.yaml"), "{tool}");
}

#[tokio::test]
async fn asks_without_a_length_where_the_model_refuses_one() {
    let (base, asked) = server(|path, body| match body["max_tokens"].is_null() {
        true => good(path, body),
        false => (400, json!({"error": {"message": "Unsupported parameter: 'max_tokens' is not supported"}})),
    })
    .await;
    let checks = checks(&entry(&base)).await;
    let states: Vec<_> = checks.iter().map(|check| check.state).filter(|state| *state != CheckState::Skipped).collect();
    assert_eq!(states, [CheckState::Passed; 6]);
    assert_eq!(asked.lock().unwrap().len(), 5, "one was refused");
}

#[tokio::test]
async fn is_asked_once_and_does_not_wait_for_a_busy_server() {
    let (base, asked) = server(|path, body| match path {
        "/v1/models" => good(path, body),
        _ => (429, json!({"error": {"message": "Rate limit reached"}})),
    })
    .await;
    let report = report(&entry(&base)).await;
    assert_eq!(report[3], "Model Passed: `some-model` is one of 2 models that the server lists");
    assert!(report[4].starts_with("Answer Failed: "), "{}", report[4]);
    assert_eq!(report[5], "Stream Skipped: not checked, because answering failed");
    assert_eq!(asked.lock().unwrap().len(), 1);
}
