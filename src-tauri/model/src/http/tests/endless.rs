//! Servers that never stop: each answer ends by itself, with an error that names the limit.

use super::*;
use crate::Bound;

/// The n-th piece of the stream.
type Endless = Box<dyn Fn(usize) -> String + Send>;

/// Sends `head`, then `again` until the client hangs up.
fn serve_endlessly(head: &'static str, again: impl Fn(usize) -> String + Send + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}/v1", listener.local_addr().unwrap());
    thread::spawn(move || {
        let mut stream = accept(&listener);
        let (heard, _hearing) = unbounded_channel();
        attend(&mut stream, Turn { pieces: vec![head.as_bytes().to_vec()], then: Then::Close }, &heard);
        let mut count = 0;
        while stream.write_all(again(count).as_bytes()).is_ok() {
            count += 1;
        }
    });
    base
}

const STREAM: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
const WHOLE: &str = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n";

fn chunk(delta: &str) -> String {
    format!("data: {{\"choices\":[{{\"delta\":{delta}}}]}}\n\n")
}

/// How the answer ended, and the bytes of text before that.
async fn ended(bench: &Bench) -> (ModelError, usize) {
    let events = bench.events().await;
    let said = events.iter().filter_map(|event| match event {
        Ok(ModelEvent::Text { delta } | ModelEvent::Reasoning { delta }) => Some(delta.len()),
        _ => None,
    });
    (events.last().unwrap().clone().unwrap_err(), said.sum())
}

#[tokio::test]
async fn an_endless_stream_ends_at_the_limit_it_passes() {
    let text = "x".repeat(10_000);
    let cases: Vec<(Bound, Endless)> = vec![
        (Bound::Text, Box::new(move |_| chunk(&format!("{{\"content\":\"{text}\"}}")))),
        (Bound::Arguments, {
            let text = "x".repeat(10_000);
            Box::new(move |_| {
                chunk(&format!("{{\"tool_calls\":[{{\"index\":0,\"function\":{{\"arguments\":\"{text}\"}}}}]}}"))
            })
        }),
        (
            Bound::Calls,
            Box::new(|count| {
                chunk(&format!(
                    "{{\"tool_calls\":[{{\"index\":{count},\"id\":\"c{count}\",\"function\":{{\"name\":\"f\"}}}}]}}"
                ))
            }),
        ),
        (Bound::Payload, Box::new(|count| if count == 0 { "data: {\"a\":\"".to_owned() } else { "x".repeat(65_536) })),
        (Bound::Wire, Box::new(|_| format!(": {}\n\n", "ping ".repeat(13_000)))),
    ];
    for (bound, again) in cases {
        let bench = Bench::new(&serve_endlessly(STREAM, again));
        let (error, said) = ended(&bench).await;
        assert_eq!(error, bound.passed(), "{bound:?}");
        assert!(said <= crate::bounds::TEXT, "{bound:?}: {said}");
    }
}

#[tokio::test]
async fn endless_blocks_end_too() {
    let anthropic = |base: &str| Bench::of(&ModelEntry { provider: Protocol::Anthropic, ..entry(base) });
    let foreign = |count: usize| {
        format!(
            "data: {{\"type\":\"content_block_start\",\"index\":{count},\"content_block\":{{\"type\":\"other\"}}}}\n\n"
        )
    };
    assert_eq!(ended(&anthropic(&serve_endlessly(STREAM, foreign))).await.0, Bound::Parts.passed());
    let responses = |base: &str| Bench::of(&ModelEntry { provider: Protocol::OpenAiResponses, ..entry(base) });
    let item = |count: usize| {
        format!(
            "data: {{\"type\":\"response.output_item.added\",\"output_index\":{count},\"item\":{{\"type\":\"message\"}}}}\n\n"
        )
    };
    assert_eq!(ended(&responses(&serve_endlessly(STREAM, item))).await.0, Bound::Parts.passed());
}

#[tokio::test]
async fn an_endless_body_ends_whatever_it_is() {
    let letters = || |count: usize| if count == 0 { "{\"a\":\"".to_owned() } else { "x".repeat(65_536) };
    let bench = Bench::whole(&serve_endlessly(WHOLE, letters()));
    assert_eq!(ended(&bench).await.0, Bound::Payload.passed(), "an answer");
    let base = serve_endlessly(WHOLE, letters());
    let listed = list_models(&entry(&base), Http::new(), keys()).await;
    assert_eq!(listed, Err(Bound::Payload.passed()), "a list");
    let base = serve_endlessly("HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n", letters());
    let ModelError::Refused { raw, .. } = Bench::new(&base).error().await else { panic!("a refusal") };
    assert_eq!(raw.len(), reading::RAW_LIMIT, "a refusal");
}

#[tokio::test]
async fn what_follows_an_answer_without_end_is_no_loss() {
    let finished = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n\
                    data: {\"choices\":[{\"delta\":{\"content\":\"hi\"},\"finish_reason\":\"stop\"}]}\n\n";
    let base = serve_endlessly(finished, |_| format!(": {}\n\n", "ping ".repeat(13_000)));
    assert_eq!(Bench::new(&base).events().await, hi());
}

#[tokio::test]
async fn pieces_that_look_whole_are_not_read_again_and_again() {
    // Each piece ends with a brace, and each may begin another call.
    let piece = |count: usize| {
        let arguments = if count == 0 { "{\\\"a\\\":[{}" } else { ",{}" }.repeat(if count == 0 { 1 } else { 20 });
        chunk(&format!("{{\"tool_calls\":[{{\"function\":{{\"name\":\"f\",\"arguments\":\"{arguments}\"}}}}]}}"))
    };
    let bench = Bench::new(&serve_endlessly(STREAM, piece));
    assert_eq!(ended(&bench).await.0, Bound::Arguments.passed());
}

#[tokio::test]
async fn a_head_that_never_comes_ends_the_wait_and_the_connection() {
    let drip = |count: usize| {
        thread::sleep(Duration::from_millis(20));
        if count == 0 { "HTTP/1.1 200 OK\r\nx-slow: ".to_owned() } else { "y".to_owned() }
    };
    let cases: Vec<(&str, Endless)> = vec![
        ("continue", Box::new(|_| "HTTP/1.1 100 Continue\r\n\r\n".repeat(100))),
        ("hints", Box::new(|_| "HTTP/1.1 103 Early Hints\r\nlink: </x>; rel=preload\r\n\r\n".repeat(100))),
        ("drip", Box::new(drip)),
    ];
    for (what, again) in cases {
        let (gone, hung_up) = tokio::sync::oneshot::channel::<()>();
        let base = serve_endlessly("", move |count| {
            // Dropped with this closure, when the client no longer reads.
            let _ = &gone;
            again(count)
        });
        // It counts from the request on: parts of the head that arrive do not extend it.
        let bench = Bench::with(&base, |timing| timing.idle = Duration::from_millis(300));
        let error = bench.error().await;
        assert!(matches!(error, ModelError::Timeout { wait: Wait::Idle, .. }), "{what}: {error:?}");
        assert!(tokio::time::timeout(Duration::from_secs(10), hung_up).await.is_ok(), "{what}: the connection is open");
    }
}
