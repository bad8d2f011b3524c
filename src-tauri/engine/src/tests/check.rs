//! Recorded calls, served again.

use serde_json::json;

use super::fakes::{Bench, calls, says};
use crate::check::{Ground, check};
use harness::{Catalog, Session};
use trace::check::{Checked, CheckedCall};
use trace::{Decision, Event};

async fn checked(bench: &Bench, catalog: Catalog, events: &[Event]) -> Vec<CheckedCall> {
    let (limits, guard) = (bench.limits.clone(), bench.guard.clone());
    check(
        Ground { harness: bench.fake, catalog, paths: Default::default(), session: Session::default(), limits, guard },
        events,
    )
    .await
}

fn results(checked: Vec<CheckedCall>) -> Vec<Checked> {
    checked.into_iter().map(|call| call.result).collect()
}

/// A run that loads, reads a file of the skills and runs a script.
async fn recorded(bench: &Bench) -> Vec<Event> {
    let path = bench.script("echo ran >> log.txt; cat log.txt");
    let notes = bench.path().join("notes.md");
    std::fs::write(&notes, "as it was").unwrap();
    bench
        .start(vec![
            calls(&[("a", "load", r#"{"skill":"demo"}"#)]),
            calls(&[("b", "read", &json!({ "path": notes }).to_string())]),
            calls(&[("c", "run", &json!({ "path": path, "arguments": "" }).to_string())]),
            says("done"),
        ])
        .events()
        .await
}

fn here(bench: &Bench) -> Catalog {
    Catalog { roots: vec![bench.path().to_owned()], ..bench.catalog.clone() }
}

#[tokio::test]
async fn nothing_changed_and_nothing_is_run() {
    let bench = Bench::new();
    let events = recorded(&bench).await;
    let all = checked(&bench, here(&bench), &events).await;
    let places: Vec<_> = all.iter().map(|call| (call.step, &*call.tool)).collect();
    assert_eq!(places, [(2, "load"), (4, "read"), (6, "run")], "by the steps of the run");
    assert_eq!(results(all), [Checked::Same, Checked::Same, Checked::NotRun { unchanged: None }]);
    assert_eq!(std::fs::read_to_string(bench.path().join("log.txt")).unwrap(), "ran\n");
}

#[tokio::test]
async fn changed_and_missing_files_are_reported_with_both_texts() {
    let bench = Bench::new();
    let events = recorded(&bench).await;
    std::fs::write(bench.path().join("notes.md"), "as it is").unwrap();
    let mut catalog = here(&bench);
    catalog.skills.clear();
    let gone = Checked::Unresolved { recorded: "# Demo: see notes.md".into(), now: "Error: no such skill.".into() };
    let changed = Checked::Changed { recorded: "as it was".into(), now: "as it is".into() };
    assert_eq!(results(checked(&bench, catalog, &events).await), [gone, changed, Checked::NotRun { unchanged: None }]);
    std::fs::remove_file(bench.path().join("notes.md")).unwrap();
    let all = results(checked(&bench, here(&bench), &events).await);
    assert_eq!(all[1], Checked::Unresolved { recorded: "as it was".into(), now: "Error: failed.".into() });
}

#[tokio::test]
async fn files_outside_of_the_skills_are_not_read() {
    let bench = Bench::new();
    let events = recorded(&bench).await;
    std::fs::write(bench.path().join("notes.md"), "as it is").unwrap();
    let all = results(checked(&bench, bench.catalog.clone(), &events).await);
    let Checked::Unchecked { reason } = &all[1] else { panic!("{all:?}") };
    assert!(reason.en.starts_with("it looks outside of the skills, at /"), "{reason:?}");
}

#[tokio::test]
async fn reports_whether_a_script_is_the_allowed_one() {
    let mut bench = Bench::new();
    bench.approval = crate::Approval::Ask;
    let allow = Decision::Allow { arguments: None, for_run: false };
    bench.decisions = vec![("c", allow)];
    let events = recorded(&bench).await;
    std::fs::remove_file(bench.path().join("log.txt")).unwrap();
    let is = |unchanged| Checked::NotRun { unchanged: Some(unchanged) };
    assert_eq!(results(checked(&bench, here(&bench), &events).await)[2], is(true));
    std::fs::write(bench.path().join("run.sh"), "echo other").unwrap();
    assert_eq!(results(checked(&bench, here(&bench), &events).await)[2], is(false));
}

#[tokio::test]
async fn what_the_user_denied_is_not_checked() {
    let mut bench = Bench::new();
    bench.approval = crate::Approval::Ask;
    bench.decisions = vec![("c", Decision::Deny { reason: None })];
    let events = recorded(&bench).await;
    let all = results(checked(&bench, here(&bench), &events).await);
    let Checked::Unchecked { reason } = &all[2] else { panic!("{all:?}") };
    assert_eq!(reason.en, "the user denied it or answered it by hand");
}

#[tokio::test]
async fn a_call_that_was_never_answered_is_not_checked() {
    let bench = Bench::new();
    let events = recorded(&bench).await;
    let until = events.iter().position(|event| event.kind.word() == "replied").unwrap();
    let all = results(checked(&bench, here(&bench), &events[..until]).await);
    let [Checked::Unchecked { reason }] = &all[..] else { panic!("{all:?}") };
    assert_eq!(reason.en, "the run ended before this call was answered");
}
