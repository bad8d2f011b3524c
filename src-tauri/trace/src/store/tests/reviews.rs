//! Verdicts and notes, and what must never take them away.

use super::*;
use crate::review::{Judged, StepNote, Verdict};

fn note(event: u32, text: &str, bookmark: bool) -> StepNote {
    StepNote { event, text: text.into(), bookmark, changed_at: NOW }
}

fn verdict(judged: Judged, line: &str) -> Verdict {
    Verdict { judged, line: line.into(), changed_at: NOW }
}

#[tokio::test]
async fn notes_and_a_verdict_are_kept_changed_and_taken_away() {
    let (bench, run) = (Bench::new(), sample::run_id());
    let store = bench.open();
    record(&store, run, &sample::seven_messages()).await;
    assert!(store.set_note(run, note(3, "为什么先读这个？", false)).await.unwrap());
    assert!(store.set_note(run, note(1, "", true)).await.unwrap());
    assert!(store.set_note(run, note(3, "because", true)).await.unwrap());
    assert!(store.set_verdict(run, Some(verdict(Judged::Pass, "good"))).await.unwrap());
    let expected = Review {
        verdict: Some(verdict(Judged::Pass, "good")),
        notes: vec![note(1, "", true), note(3, "because", true)],
    };
    let again = bench.open();
    assert_eq!(again.review(run).await.unwrap(), expected);
    assert_eq!(again.run(run).await.unwrap().unwrap().verdict, Some(Judged::Pass));
    assert_eq!(again.runs().await.unwrap().runs[0].verdict, Some(Judged::Pass));
    let wanted = |text: &str| Query::parse(text, NOW).unwrap();
    assert_eq!(again.search(wanted("verdict:pass"), Duration::MAX).await.unwrap().runs.len(), 1);
    assert_eq!(again.search(wanted("verdict:pass 公斤"), Duration::MAX).await.unwrap().runs.len(), 1);
    assert!(again.search(wanted("verdict:none 公斤"), Duration::MAX).await.unwrap().runs.is_empty());
    again.set_note(run, note(1, "", false)).await.unwrap();
    again.set_verdict(run, None).await.unwrap();
    assert_eq!(again.review(run).await.unwrap(), Review { verdict: None, notes: vec![note(3, "because", true)] });
    assert!(!again.set_note(run, note(999, "nowhere", false)).await.unwrap());
    assert!(!again.set_verdict(sample::other_run_id(), Some(verdict(Judged::Fail, ""))).await.unwrap());
}

#[tokio::test]
async fn an_import_over_a_run_keeps_what_was_said_here_and_adds_the_rest() {
    let (bench, run) = (Bench::new(), sample::run_id());
    let store = bench.open();
    let whole = sample::seven_messages();
    store.import(run, whole[..5].to_vec(), Review::default(), false).await.unwrap();
    store.set_note(run, note(1, "mine", false)).await.unwrap();
    let theirs = Review {
        verdict: Some(verdict(Judged::Fail, "theirs")),
        notes: vec![note(1, "theirs", true), note(6, "new", false), note(9999, "about nothing", false)],
    };
    let text = export::to_jsonl(run, &whole, &theirs);
    assert_eq!(store.import_jsonl(&text, false).await.unwrap(), run);
    let expected = Review {
        verdict: Some(verdict(Judged::Fail, "theirs")),
        notes: vec![note(1, "mine", false), note(6, "new", false)],
    };
    assert_eq!(store.events(run).await.unwrap(), whole);
    assert_eq!(store.review(run).await.unwrap(), expected);
    store.set_verdict(run, Some(verdict(Judged::Unsure, "mine"))).await.unwrap();
    store.import_jsonl(&text, false).await.unwrap();
    let told = store.review(run).await.unwrap();
    assert_eq!(told, Review { verdict: Some(verdict(Judged::Unsure, "mine")), ..expected });
}

#[tokio::test]
async fn what_was_said_about_a_run_goes_when_the_user_deletes_it() {
    let (bench, run) = (Bench::new(), sample::run_id());
    let store = bench.open();
    record(&store, run, &sample::seven_messages()).await;
    store.set_note(run, note(1, "x", false)).await.unwrap();
    store.set_verdict(run, Some(verdict(Judged::Pass, ""))).await.unwrap();
    store.delete(run).await.unwrap();
    assert_eq!(store.review(run).await.unwrap(), Review::default());
}
