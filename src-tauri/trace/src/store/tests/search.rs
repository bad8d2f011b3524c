//! Looking for steps in all runs.

use super::*;
use crate::passage::{ExcerptPiece, KindOfStep};
use serde_json::json;

const ALL: Duration = Duration::MAX;

fn query(text: &str) -> Query {
    Query::parse(text, NOW).unwrap()
}

/// The steps that match, run by run, once all is indexed.
async fn found(store: &Store, text: &str) -> Vec<(RunId, Vec<u32>)> {
    let found = store.search(query(text), ALL).await.unwrap();
    assert_eq!((found.waiting, found.more), (0, false));
    listed(&found)
}

fn listed(found: &Found) -> Vec<(RunId, Vec<u32>)> {
    let steps = |run: &FoundRun| run.steps.iter().map(|step| step.step).collect();
    found.runs.iter().map(|run| (run.run, steps(run))).collect()
}

fn count(bench: &Bench, table: &str) -> i64 {
    bench.sql().query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).unwrap()
}

/// A run of one prompt that has ended.
fn said(prompt: &str) -> Vec<Event> {
    let setup = crate::RunSetup { prompt: prompt.into(), ..sample::setup() };
    sample::events_of([EventKind::Started { setup }, EventKind::ended(RunStatus::Done, None, None)])
}

#[tokio::test]
async fn steps_are_found_by_their_text_also_by_one_character() {
    let (bench, run) = (Bench::new(), sample::run_id());
    let store = bench.open();
    record(&store, run, &sample::seven_messages()).await;
    let before = store.search(query("一公斤有几磅"), Duration::ZERO).await.unwrap();
    assert_eq!((before.waiting, before.runs), (1, vec![]), "it is not indexed yet, and says so");
    assert_eq!(found(&store, "一公斤有几磅").await, [(run, vec![0])]);
    assert_eq!(found(&store, "磅 kind:prompt").await, [(run, vec![0])], "one character is not in the index");
    assert_eq!(found(&store, "“一公斤有” 磅").await, [(run, vec![0])]);
    assert_eq!(found(&store, "CONVERSION-table.md tool:read_skill").await, [(run, vec![4])]);
    assert_eq!(found(&store, "skill:unit status:done kind:tool").await, [(run, vec![2, 4, 6])]);
    assert!(found(&store, "conversion-tables").await.is_empty(), "all its parts are there, the word is not");
    assert!(found(&store, "harness:nobody conversion").await.is_empty());
    assert_eq!(found(&store, "since:1000d").await, [(run, vec![])], "a query about runs alone");
    let told = store.search(query("公斤 tool:none"), ALL).await.unwrap();
    assert_eq!(told, Found::default());
    let told = store.search(query("几磅 kind:prompt"), ALL).await.unwrap();
    let piece = |text: &str, found| ExcerptPiece { text: text.into(), found };
    assert_eq!(told.runs[0].steps[0].excerpt, [piece("一公斤有", false), piece("几磅", true), piece("?", false)]);
}

#[tokio::test]
async fn what_went_on_is_indexed_again_and_what_is_deleted_is_gone() {
    let bench = Bench::new();
    let store = bench.open();
    let events = sample::seven_messages();
    record(&store, sample::run_id(), &events).await;
    let before = found(&store, "conversion").await;
    let setup = crate::RunSetup { prompt: "And 2 stone?".into(), ..sample::setup() };
    let seq = u32::try_from(events.len()).unwrap();
    let more = |seq, kind| Event { seq, at: NOW, within: None, kind };
    append(&store, sample::run_id(), more(seq, EventKind::Continued { setup })).await.unwrap();
    assert_eq!(store.search(query("stone"), ALL).await.unwrap().running, 1, "it goes on, and is looked through later");
    append(&store, sample::run_id(), more(seq + 1, EventKind::ended(RunStatus::Done, None, None))).await.unwrap();
    assert_eq!(found(&store, "stone").await, [(sample::run_id(), vec![8])]);
    assert_eq!(found(&store, "conversion").await, before, "each step is there once");
    store.delete(sample::run_id()).await.unwrap();
    assert_eq!((found(&store, "conversion").await, found(&store, "st").await), (vec![], vec![]));
    for table in ["passages", "words_docsize", "indexed"] {
        assert_eq!(count(&bench, table), 0, "{table}: nothing of the run is left");
    }
}

/// A fork of the sample run behind its end, in which the user says more.
fn forked() -> Arc<[Arc<Event>]> {
    let mut events = sample::seven_messages();
    let forked = Some(crate::ForkedFrom { run: sample::run_id(), step: 7 });
    let setup = crate::RunSetup { forked, prompt: "And 2 stone?".into(), ..sample::setup() };
    for kind in [EventKind::Continued { setup }, EventKind::ended(RunStatus::Done, None, None)] {
        events.push(Event { seq: u32::try_from(events.len()).unwrap(), at: NOW, within: None, kind });
    }
    events.into_iter().map(Arc::new).collect()
}

#[tokio::test]
async fn what_a_fork_took_over_is_found_once_in_the_run_that_it_is_of() {
    let bench = Bench::new();
    let store = bench.open();
    let (run, fork) = (sample::run_id(), sample::other_run_id());
    record(&store, run, &sample::seven_messages()).await;
    store.append(fork, forked()).await.unwrap();
    assert_eq!(found(&store, "一公斤有几磅").await, [(run, vec![0])]);
    assert_eq!(found(&store, "磅 kind:prompt").await, [(run, vec![0])], "also where no index is asked");
    assert_eq!(found(&store, "stone").await, [(fork, vec![8])]);
    assert_eq!(found(&store, "available_skills").await, [(run, vec![1])], "nor what went before the conversation");
    take_away_writing(&bench);
    let read = bench.open();
    assert_eq!(found(&read, "公斤 kind:prompt").await, [(run, vec![0])], "also where nothing can be indexed");
    assert_eq!(found(&read, "stone").await, [(fork, vec![8])]);
    assert_eq!(found(&read, "available_skills").await, [(run, vec![1])]);
}

/// A run whose second request has other instructions, and whose third has those of the first again.
fn instructed() -> Vec<Event> {
    let told = |turn, instructions: &str| {
        sample::requested(turn, &[json!({ "role": "system", "content": instructions }), sample::user()])
    };
    sample::events_of([
        EventKind::Started { setup: sample::setup() },
        told(0, "Answer in needles."),
        sample::answered(0, "hay", &[]),
        told(1, "Answer in straws, please."),
        sample::answered(1, "hay", &[]),
        told(2, "Answer in needles."),
        sample::answered(2, "a needle", &[]),
        EventKind::ended(RunStatus::Done, None, None),
    ])
}

#[tokio::test]
async fn what_goes_before_the_conversation_is_found_where_it_was_sent_first() {
    let bench = Bench::new();
    let (store, run) = (bench.open(), sample::run_id());
    record(&store, run, &instructed()).await;
    for is_indexed in [true, false] {
        if !is_indexed {
            take_away_writing(&bench);
        }
        let store = bench.open();
        assert_eq!(found(&store, "\"in needles\"").await, [(run, vec![1])]);
        assert_eq!(found(&store, "\"in straws\"").await, [(run, vec![2])]);
        assert_eq!(found(&store, "skillName").await, [(run, vec![1])], "tools, too");
        assert_eq!(found(&store, "kind:answer needle").await, [(run, vec![3])], "it is no answer");
        assert_eq!(found(&store, "kind:system").await, [(run, vec![1, 2])]);
        assert_eq!(found(&store, "status:done").await, [(run, vec![0, 1, 2, 3])], "nor a step");
        assert_eq!(found(&store, "status:done needle").await, [(run, vec![3])], "also with a word");
        assert_eq!(found(&store, "ee").await, [(run, vec![1, 3])], "in order, by however short a word");
        let told = store.search(query("straws"), ALL).await.unwrap();
        let FoundStep { kind, tool, excerpt, .. } = &told.runs[0].steps[0];
        let excerpt: String = excerpt.iter().map(|piece| piece.text.as_str()).collect();
        assert_eq!((*kind, tool, excerpt.as_str()), (KindOfStep::System, &None, "Answer in straws, please."));
    }
}

#[tokio::test]
async fn what_a_fork_took_over_is_found_there_once_the_run_is_gone_that_it_is_of() {
    let bench = Bench::new();
    let store = bench.open();
    record(&store, sample::run_id(), &sample::seven_messages()).await;
    store.append(sample::other_run_id(), forked()).await.unwrap();
    assert_eq!(found(&store, "一公斤有几磅").await, [(sample::run_id(), vec![0])]);
    store.delete(sample::run_id()).await.unwrap();
    assert_eq!(found(&store, "一公斤有几磅").await, [(sample::other_run_id(), vec![0])]);
}

#[tokio::test]
async fn a_run_that_is_taken_in_over_its_beginning_is_indexed_again() {
    let bench = Bench::new();
    let store = bench.open();
    let whole = sample::seven_messages();
    let import = |events: &[Event]| export::to_jsonl(sample::run_id(), events, &Review::default());
    store.import_jsonl(&import(&whole[..5]), false).await.unwrap();
    assert!(found(&store, "“result = value”").await.is_empty());
    store.import_jsonl(&import(&whole), false).await.unwrap();
    assert_eq!(found(&store, "\"conversion tables\"").await, [(sample::run_id(), vec![4])]);
}

#[tokio::test]
async fn two_processes_index_the_same_store() {
    let bench = Bench::new();
    let (one, other) = (bench.open(), bench.open());
    record(&one, sample::run_id(), &sample::seven_messages()).await;
    record(&one, sample::other_run_id(), &sample::seven_messages()).await;
    let (left, right) = tokio::join!(found(&one, "conversion"), found(&other, "conversion"));
    assert_eq!((left.len(), &left), (2, &right));
    assert_eq!(left[0].0, sample::run_id().max(sample::other_run_id()));
}

#[tokio::test]
async fn a_store_that_can_only_be_read_is_looked_through() {
    let bench = Bench::new();
    record(&bench.open(), sample::run_id(), &sample::seven_messages()).await;
    take_away_writing(&bench);
    assert_eq!(found(&bench.open(), "公斤 kind:prompt").await, [(sample::run_id(), vec![0])]);
}

#[tokio::test]
async fn a_store_that_another_process_writes_to_is_looked_through() {
    let bench = Bench::new();
    let store = Store::open_within(&bench.path, Clock::from_fn(|| NOW), Duration::from_millis(50)).unwrap();
    record(&store, sample::run_id(), &sample::seven_messages()).await;
    let other = bench.sql();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    assert_eq!(found(&store, "公斤 kind:prompt").await, [(sample::run_id(), vec![0])]);
    assert_eq!(count(&bench, "passages"), 0, "nothing could be indexed");
    drop(other);
    assert_eq!(found(&store, "公斤 kind:prompt").await, [(sample::run_id(), vec![0])]);
    assert!(count(&bench, "passages") > 0);
}

#[tokio::test]
async fn runs_of_the_version_before_are_indexed_later() {
    let bench = Bench::new();
    record(&bench.open(), sample::run_id(), &sample::seven_messages()).await;
    {
        let db = bench.sql();
        with_rows_of_pieces(&db);
        db.execute_batch(
            "DROP TABLE words; DROP TABLE passages; DROP TABLE indexed; DROP TABLE notes; DROP TABLE verdicts;
             DROP TABLE pins; DROP INDEX runs_by_parent; ALTER TABLE runs DROP COLUMN stored_at;
             ALTER TABLE runs DROP COLUMN departures",
        )
        .unwrap();
        db.pragma_update(None, "user_version", 6).unwrap();
    }
    assert_eq!(found(&bench.open(), "一公斤有 kind:prompt").await, [(sample::run_id(), vec![0])]);
}

#[tokio::test]
async fn runs_that_were_indexed_by_the_version_before_are_indexed_again() {
    let bench = Bench::new();
    let (run, fork) = (sample::run_id(), sample::other_run_id());
    {
        let store = bench.open();
        record(&store, run, &sample::seven_messages()).await;
        store.append(fork, forked()).await.unwrap();
        found(&store, "stone").await;
    }
    {
        let db = bench.sql();
        with_rows_of_pieces(&db);
        db.execute_batch(
            "DROP INDEX runs_by_parent; ALTER TABLE passages DROP COLUMN taken_over; UPDATE indexed SET made = 1",
        )
        .unwrap();
        db.pragma_update(None, "user_version", 10).unwrap();
    }
    assert_eq!(found(&bench.open(), "一公斤有几磅").await, [(run, vec![0])]);
    assert_eq!(count(&bench, "passages WHERE taken_over = 1"), 9, "those of the fork, one before the conversation");
}

#[tokio::test]
async fn what_is_listed_has_an_end_and_says_so() {
    let bench = Bench::new();
    let store = bench.open();
    for number in 0..201 {
        let run = RunId(uuid::Uuid::from_u128(number));
        store.import(run, said("hay needle"), Review::default(), false).await.unwrap();
    }
    let told = store.search(query("needle"), ALL).await.unwrap();
    assert_eq!((told.runs.len(), told.more), (200, true));
    let many: Vec<EventKind> = [EventKind::Started { setup: sample::setup() }]
        .into_iter()
        .chain((0..21).map(|_| EventKind::noted(wording::Message::quoted("straw"))))
        .chain([EventKind::ended(RunStatus::Done, None, None)])
        .collect();
    record(&store, sample::run_id(), &sample::events_of(many)).await;
    let told = store.search(query("straw"), ALL).await.unwrap();
    assert_eq!((told.runs.len(), told.runs[0].steps.len(), told.runs[0].more), (1, 20, true));
}

/// Each piece is a commit of some milliseconds, and between two of them the store is free.
#[tokio::test(flavor = "multi_thread")]
async fn a_run_is_recorded_while_others_are_indexed() {
    let bench = Bench::new();
    let store = bench.open();
    let long = "字母 and words without an end ".repeat(40);
    let many: Vec<EventKind> = [EventKind::Started { setup: sample::setup() }]
        .into_iter()
        .chain((0..2000).map(|number| EventKind::noted(wording::Message::quoted(format!("{number} {long}")))))
        .chain([EventKind::ended(RunStatus::Done, None, None)])
        .collect();
    store.import(sample::run_id(), sample::events_of(many), Review::default(), false).await.unwrap();
    let searching = store.clone();
    let search = tokio::spawn(async move { searching.search(query("\"1999 字母\""), ALL).await.unwrap() });
    for event in endless() {
        // It fails if the store is not free in time.
        append(&store, sample::other_run_id(), event).await.unwrap();
        if search.is_finished() {
            break;
        }
    }
    let told = search.await.unwrap();
    assert_eq!((told.waiting, told.running, listed(&told)), (0, 1, vec![(sample::run_id(), vec![2000])]));
}
