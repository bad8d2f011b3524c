//! A run that continues.

use serde_json::json;

use super::fakes::{Bench, calls, says, says_and_breaks, story};
use model::ModelError;
use trace::{Event, EventKind, Reached, RunStatus, fold};

/// The user's next prompt and what followed, and all events of the run so far.
async fn more(bench: &mut Bench, past: Vec<Event>, answers: Vec<super::fakes::Script>) -> (Vec<String>, Vec<Event>) {
    bench.past = past;
    bench.prompt = "more";
    let new = bench.start(answers).events().await;
    let all = [&bench.past[..], &new].concat();
    for (place, event) in (0..).zip(&all) {
        assert_eq!(event.seq, place, "events are numbered on");
    }
    (story(&new), all)
}

fn requested(story: &[String]) -> Vec<&str> {
    story.iter().filter_map(|line| line.strip_prefix("requested ")).collect()
}

#[tokio::test]
async fn the_next_turn_has_what_the_one_before_left() {
    let mut bench = Bench::new();
    let first = bench.start(vec![calls(&[("a", "load", r#"{"skill":"demo"}"#)]), says("done")]).events().await;
    let (story, all) = more(&mut bench, first, vec![says("yes")]).await;
    assert_eq!(
        story,
        [
            r#"requested 2: Skills: demo / hi / load{"skill":"demo"} / <# Demo: see notes.md> / done / more"#,
            "streamed 2: yes",
            "answered 2: yes (Stop)",
            "ended Done",
        ]
    );
    let (story, _) = more(&mut bench, all, vec![says("bye")]).await;
    assert_eq!(
        requested(&story),
        [r#"3: Skills: demo / hi / load{"skill":"demo"} / <# Demo: see notes.md> / done / more / yes / more"#]
    );
}

#[tokio::test]
async fn nothing_is_done_again() {
    let mut bench = Bench::new();
    let path = bench.script("echo ran >> log.txt; cat log.txt");
    let notes = bench.path().join("notes.md");
    std::fs::write(&notes, "as it was").unwrap();
    let first = bench
        .start(vec![
            calls(&[("a", "run", &json!({"path": path, "arguments": ""}).to_string())]),
            calls(&[("b", "read", &json!({"path": notes}).to_string())]),
            says("done"),
        ])
        .events()
        .await;
    std::fs::remove_file(&path).unwrap();
    std::fs::remove_file(&notes).unwrap();
    let (story, _) = more(&mut bench, first, vec![says("yes")]).await;
    let sent = requested(&story);
    assert!(sent[0].contains("<ran> / read") && sent[0].ends_with("<as it was> / done / more"), "{sent:?}");
    assert_eq!(std::fs::read_to_string(bench.path().join("log.txt")).unwrap(), "ran\n");
    assert!(!story.iter().any(|line| line.starts_with("noted")), "it is as it was: {story:?}");
}

#[tokio::test]
async fn what_is_said_in_a_row_is_one_run_with_one_end() {
    let mut bench = Bench::new();
    bench.further = vec!["and", "then"];
    let events = bench.start(vec![says("a"), says("b"), says("c")]).events().await;
    let ends = events.iter().filter(|event| matches!(event.kind, EventKind::Ended { .. })).count();
    assert_eq!((ends, fold::replay(&events).status()), (1, RunStatus::Done));
    let (story, _) = more(&mut bench, events, vec![says("d"), says("e"), says("f")]).await;
    assert_eq!(requested(&story)[0], "3: Skills: demo / hi / a / and / b / then / c / more");
}

#[tokio::test]
async fn a_call_that_was_open_is_closed_with_a_result_that_says_so() {
    let mut bench = Bench::new();
    let path = bench.script("sleep 60");
    let mut started = bench
        .start(vec![calls(&[("a", "fly", "{}"), ("b", "run", &json!({"path": path, "arguments": ""}).to_string())])]);
    started.until(|event| matches!(event, EventKind::Called { call, .. } if call.id == "b")).await;
    started.stop.cancel();
    let first = started.events().await;
    assert_eq!(fold::replay(&first).status(), RunStatus::Stopped);
    let (story, _) = more(&mut bench, first, vec![says("yes")]).await;
    assert_eq!(story[0], "noted: 1 calls were open when the turn before ended; they are given results that say so");
    let sent = requested(&story)[0].to_owned();
    assert!(
        sent.contains("<Error: no tool fly.> / The call was interrupted before it returned anything. / more"),
        "{sent}"
    );
}

#[tokio::test]
async fn a_request_that_failed_is_part_of_what_was() {
    let mut bench = Bench::new();
    let first = bench.start(vec![says_and_breaks("Once", ModelError::Silent)]).events().await;
    let (story, _) = more(&mut bench, first, vec![says("yes")]).await;
    assert_eq!(requested(&story), ["1: Skills: demo / hi / more"]);
}

#[tokio::test]
async fn sub_agents_are_gone_through_and_their_names_go_on() {
    let mut bench = Bench::new();
    let task = json!({"effects": [{
        "type": "delegate", "agent": null, "model": null, "withHistory": false,
        "messages": [{"role": "user", "parts": [{"type": "text", "text": "task"}]}],
        "tools": [], "iterations": null, "maxTokens": null,
    }]});
    let task = task.to_string();
    let first = bench.start(vec![calls(&[("a", "do", &task)]), says("found"), says("done")]).events().await;
    let (story, all) = more(&mut bench, first, vec![calls(&[("a", "do", &task)]), says("again"), says("yes")]).await;
    assert!(!story.iter().any(|line| line.starts_with("noted")), "it is as it was: {story:?}");
    let mut names: Vec<_> = all.iter().filter_map(|event| event.within.as_deref()).collect();
    names.dedup();
    assert_eq!(names, ["a", "a#2"]);
}

#[tokio::test]
async fn a_record_that_did_not_come_of_this_framework_goes_on_from_its_messages() {
    let mut bench = Bench::new();
    let mut first = bench.start(vec![calls(&[("a", "fly", "{}")]), says("done")]).events().await;
    let requests = first.iter_mut().filter_map(|event| match &mut event.kind {
        EventKind::Requested { body, .. } => Some(body),
        _ => None,
    });
    for body in requests {
        *body = json!({"messages": [
            {"role": "system", "content": "Other."},
            {"role": "user", "content": "good day"},
            {"role": "assistant", "content": "hello"},
            {"role": "user", "content": "hi"},
        ]})
        .to_string();
    }
    let (story, _) = more(&mut bench, first, vec![says("yes")]).await;
    assert!(
        story[0].starts_with("noted: the run cannot be gone through as it was recorded: request 1 would be"),
        "{story:?}"
    );
    assert_eq!(requested(&story), ["2: Skills: demo / good day / hello / hi / done / more"]);
}

#[tokio::test]
async fn the_limits_hold_for_the_run_as_a_whole() {
    let mut bench = Bench::new();
    bench.limits.turns = 2;
    let first = bench.start(vec![says("a")]).events().await;
    let (_, all) = more(&mut bench, first, vec![says("b")]).await;
    let (_, all) = more(&mut bench, all, vec![says("c")]).await;
    let reached = match &all.last().unwrap().kind {
        EventKind::Ended { reached, .. } => reached.clone(),
        _ => None,
    };
    assert_eq!(reached, Some(Reached::Requests { requests: 2 }));
    bench.limits.turns = 3;
    let (story, _) = more(&mut bench, all, vec![says("c")]).await;
    assert_eq!(requested(&story), ["2: Skills: demo / hi / a / more / b / more / more"]);
}

#[tokio::test]
async fn the_frameworks_own_caps_are_for_a_turn() {
    let mut bench = Bench::new();
    bench.limits.turns = 30;
    let fails = |id: &'static str| calls(&[(id, "load", "no JSON")]);
    let first = bench.start(vec![fails("a"), fails("b"), says("done")]).events().await;
    let (story, _) = more(&mut bench, first, vec![fails("c"), fails("d"), says("yes")]).await;
    assert_eq!(story.last().unwrap(), "ended Done", "failed rounds are counted from the start");
}
