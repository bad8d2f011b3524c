//! When a request is made again.

use super::*;
use crate::entry::Retries;

#[tokio::test]
async fn asks_again_while_the_server_is_busy() {
    let (base, _heard) = serve(vec![
        answer("503 Service Unavailable", "", ""),
        answer("429 Too Many Requests", "retry-after: 3\r\n", "{}"),
        answer("200 OK", "content-type: application/json\r\n", HI),
    ]);
    let bench = Bench::new(&base);
    let events = bench.events().await;
    let retried = |status, (reason, raw), pause, attempt| {
        let why = bench.refused(status, Refusal::Busy, reason, raw);
        Ok(ModelEvent::Retried(Retried { why, pause, attempt, of: 2 }))
    };
    assert_eq!(events[..2], [retried(503, ("it gave no reason", ""), 500, 1), retried(429, ("{}", "{}"), 3000, 2)]);
    assert_eq!(events[2..], hi());
    assert_eq!(bench.waits(), [Duration::from_millis(500), Duration::from_secs(3)]);
}

#[tokio::test]
async fn gives_up_after_two_retries() {
    let busy = || answer("500 Internal Server Error", "", r#"{"error":{"message":"out of memory"}}"#);
    let (base, _heard) = serve(vec![busy(), busy(), busy()]);
    let bench = Bench::new(&base);
    let (notes, error) = bench.failure().await;
    assert_eq!(notes.len(), 2);
    assert_eq!(error.to_string(), format!("{} answered 500: out of memory", bench.url()));
    assert_eq!(bench.waits(), [Duration::from_millis(500), Duration::from_secs(2)]);
}

#[tokio::test]
async fn a_wait_that_is_too_long_is_reported() {
    let (base, _heard) =
        serve(vec![answer("429 Too Many Requests", "retry-after: 3600\r\n", r#"{"error":"slow down"}"#)]);
    let bench = Bench::new(&base);
    let (notes, error) = bench.failure().await;
    let told = format!(
        "{} answered 429: slow down (it asks to wait 3600 s, more than `retries.longestWait` allows)",
        bench.url()
    );
    assert_eq!((notes, error.to_string()), (Vec::new(), told));
}

#[tokio::test]
async fn the_entry_says_how_often_and_how_long() {
    let busy = |headers| answer("429 Too Many Requests", headers, r#"{"error":"slow down"}"#);
    let (base, _heard) = serve(vec![
        busy("retry-after: 120\r\n"),
        busy(""),
        busy(""),
        answer("200 OK", "content-type: application/json\r\n", HI),
        busy("retry-after: 120\r\n"),
    ]);
    let retries = Retries { count: 3, longest_wait: 300 };
    let mut patient = Bench::of(&ModelEntry { retries, ..entry(&base) });
    patient.model.server.timing.total = Duration::from_secs(900);
    let events = patient.events().await;
    assert_eq!(events[3..], hi());
    assert_eq!(patient.waits(), [Duration::from_secs(120), Duration::from_secs(2), Duration::from_secs(8)]);
    let Ok(ModelEvent::Retried(first)) = &events[0] else { panic!("{events:?}") };
    let told = "the server answered 429; asking again in 120 s, unless you stop the run (1 of 3)";
    assert_eq!(first.to_string(), told, "before the wait");
    let never = Bench::of(&ModelEntry { retries: Retries { count: 0, longest_wait: 300 }, ..entry(&base) });
    assert!(matches!(never.error().await, ModelError::Refused { status: Some(429), .. }));
}

#[tokio::test]
async fn tries_thrice_to_connect() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let bench = Bench::new(&base);
    let (notes, error) = bench.failure().await;
    let ModelError::Unreachable { url, proxy: None, reason } = error else { panic!("{error:?}") };
    assert_eq!((url, reason.zh.as_str()), (bench.url(), "连接被拒绝"));
    let reason = reason.en;
    assert_eq!(
        notes,
        [
            format!("the server could not be reached ({reason}); asking again in 0.5 s (1 of 2)"),
            format!("the server could not be reached ({reason}); asking again in 2 s (2 of 2)"),
        ]
    );
    assert_eq!(bench.waits().len(), 2);
}

#[tokio::test]
async fn asks_only_once_when_an_answer_breaks_off() {
    let mut torn = stream_open("data: {\"choices\":[{\"delta\":{\"content\":\"hi\"}}]}\n\ndata: {");
    torn.then = Then::Close;
    let (base, mut heard) = serve(vec![torn]);
    let bench = Bench::new(&base);
    let events = bench.events().await;
    assert_eq!(events[0], text("hi"));
    let [_, Err(ModelError::Broken { raw, .. })] = &events[..] else { panic!("{events:?}") };
    assert_eq!(raw, "data: {\"choices\":[{\"delta\":{\"content\":\"hi\"}}]}\n\ndata: {");
    assert!(bench.waits().is_empty());
    assert!(matches!(heard.recv().await, Some(Heard::Request { .. })));
    assert_eq!(heard.recv().await, None, "there was one request");
}

#[tokio::test]
async fn asks_again_when_the_connection_breaks_before_an_answer() {
    let gone = Turn { pieces: vec![], then: Then::Close };
    let half_a_head = Turn { pieces: vec![b"HTTP/1.1 200 O".to_vec()], then: Then::Close };
    let (base, _heard) = serve(vec![gone, half_a_head, answer("200 OK", "content-type: application/json\r\n", HI)]);
    let bench = Bench::new(&base);
    let events = bench.events().await;
    let retried = |pause, attempt| {
        let reason = why("connection closed before message completed");
        let why = ModelError::unreachable(&bench.url(), reason);
        Ok(ModelEvent::Retried(Retried { why, pause, attempt, of: 2 }))
    };
    assert_eq!(events[..2], [retried(500, 1), retried(2000, 2)]);
    assert_eq!(events[2..], hi());
}

#[tokio::test]
async fn never_asks_again_once_the_head_has_come_or_what_comes_is_no_http() {
    let head = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n";
    let (base, _heard) = serve(vec![
        Turn { pieces: vec![head.to_vec()], then: Then::Close },
        Turn { pieces: vec![b"SSH-2.0-OpenSSH_9.2\r\n".to_vec()], then: Then::Close },
    ]);
    let bench = Bench::new(&base);
    assert!(matches!(bench.error().await, ModelError::Broken { .. }));
    assert!(matches!(bench.error().await, ModelError::Unreachable { .. }));
    assert!(bench.waits().is_empty());
}

#[tokio::test]
async fn what_stays_refused_is_not_asked_again() {
    let quota = r#"{"error":{"message":"You exceeded your current quota","code":"insufficient_quota"}}"#;
    let too_long = r#"{"error":{"message":"prompt is too long"}}"#;
    let no_time = || answer("429 Too Many Requests", "retry-after: 20\r\n", "{}");
    let (base, _heard) = serve(vec![
        answer("429 Too Many Requests", "", quota),
        answer("500 Internal Server Error", "", too_long),
        answer("503 Service Unavailable", "x-should-retry: false\r\n", "{}"),
        no_time(),
    ]);
    let bench = Bench::with(&base, |timing| timing.total = Duration::from_secs(15));
    let reason = "You exceeded your current quota";
    assert_eq!(bench.error().await, bench.refused(429, Refusal::Quota, reason, quota));
    assert_eq!(bench.error().await, bench.refused(500, Refusal::TooLong, "prompt is too long", too_long));
    assert_eq!(bench.error().await, bench.refused(503, Refusal::Busy, "{}", "{}"));
    assert_eq!(bench.error().await, bench.refused(429, Refusal::Busy, "{}", "{}"), "no time is left for the wait");
    assert!(bench.waits().is_empty());
}

#[tokio::test]
async fn asks_again_wherever_in_the_head_the_connection_breaks() {
    let head = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n";
    for cut in 0..head.len() {
        let torn = Turn { pieces: vec![head[..cut].to_vec()], then: Then::Close };
        let (base, _heard) = serve(vec![torn, answer("200 OK", "content-type: application/json\r\n", HI)]);
        let events = Bench::new(&base).events().await;
        assert!(matches!(&events[0], Ok(ModelEvent::Retried(_))), "{cut}: {events:?}");
        assert_eq!(events[1..], hi(), "{cut}");
    }
}
