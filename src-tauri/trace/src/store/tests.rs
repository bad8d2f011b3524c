//! The store from outside, including its death.

mod full;
mod gone;
mod hostile;
mod pruning;
mod reviews;
mod search;

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use camino::Utf8PathBuf;
use tempfile::TempDir;

use super::*;
use crate::clock::Millis;
use crate::context::Reads;
use crate::{Decision, EventKind, RunStatus, UnreadableRun, fold, sample};

/// When a test opens a store.
const NOW: Millis = sample::STARTED_AT + 86_400_000;

struct Bench {
    _folder: TempDir,
    path: Utf8PathBuf,
}

impl Bench {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::from_path_buf(folder.path().join("below/traces.db")).unwrap();
        Self { _folder: folder, path }
    }

    fn open(&self) -> Store {
        Store::open(&self.path, Clock::from_fn(|| NOW)).unwrap()
    }

    fn refusal(&self) -> TraceError {
        Store::open(&self.path, Clock::from_fn(|| NOW)).unwrap_err()
    }

    fn sql(&self) -> rusqlite::Connection {
        std::fs::create_dir_all(self.path.parent().unwrap()).unwrap();
        rusqlite::Connection::open(&self.path).unwrap()
    }
}

/// Takes back that all pieces of a string are one row.
fn with_rows_of_pieces(db: &rusqlite::Connection) {
    let (_, table) = include_str!("migrations/005_pieces.sql").split_once("CREATE TABLE kept").unwrap();
    let (table, _) = table.split_once(';').unwrap();
    db.execute_batch(&format!(
        "CREATE TABLE kept{table};
         INSERT INTO kept SELECT run, seq, field, piece.key, piece.value FROM strings, json_each(pieces) AS piece;
         DROP TABLE strings; ALTER TABLE kept RENAME TO pieces"
    ))
    .unwrap();
}

async fn record(store: &Store, run: RunId, events: &[Event]) {
    for event in events {
        append(store, run, event.clone()).await.unwrap();
    }
}

async fn append(store: &Store, run: RunId, event: Event) -> Result<(), TraceError> {
    store.append(run, [Arc::new(event)].into()).await
}

#[tokio::test]
async fn a_run_is_read_back_as_it_was_recorded() {
    let bench = Bench::new();
    let events = sample::seven_messages();
    record(&bench.open(), sample::run_id(), &events).await;

    let again = bench.open();
    assert_eq!(again.events(sample::run_id()).await.unwrap(), events);
    let summary = fold::replay(&events).summary(sample::run_id(), false);
    assert_eq!(again.run(sample::run_id()).await.unwrap(), summary);
    assert_eq!(again.runs().await.unwrap().runs, Vec::from_iter(summary));
}

#[tokio::test]
async fn an_event_that_cannot_be_read_is_a_note_among_the_others() {
    let bench = Bench::new();
    let events = sample::seven_messages();
    record(&bench.open(), sample::run_id(), &events).await;
    let deep = format!("{{\"type\":\"answered\",\"message\":{}{}}}", "[".repeat(200), "]".repeat(200));
    for (body, reason) in [
        (deep.as_str(), "recursion limit exceeded"),
        ("{\"type\":\"dreamt\"}", "unknown variant `dreamt`"),
        ("", "EOF while parsing a value at line 1 column 0"),
    ] {
        bench.sql().execute("UPDATE events SET body = ?1 WHERE seq = 3", [body]).unwrap();
        let read = bench.open().events(sample::run_id()).await.unwrap();
        let mut whole = events.clone();
        whole[3] = read[3].clone();
        assert_eq!(read, whole, "the rest is as it was");
        let EventKind::Noted { text, .. } = &read[3].kind else { panic!("{:?}", read[3]) };
        assert!(text.starts_with(&format!("event 3 of this run cannot be read and is left out: {reason}")), "{text}");
        let shown = fold::steps(&read);
        assert!(
            shown.iter().any(|step| matches!(&step.kind, crate::StepKind::Note { text: note, .. } if note == text))
        );
    }
}

#[tokio::test]
async fn a_row_of_an_event_with_a_wrong_type_is_a_note_in_its_place() {
    let events = sample::seven_messages();
    let damages: [(&[&str], u32); 6] = [
        (&["UPDATE events SET within = CAST(x'ff' AS TEXT) WHERE seq = 3"], 3),
        (&["UPDATE events SET seq = -1 WHERE seq = 3"], 3),
        (&["UPDATE events SET seq = 5000000000 WHERE seq = 3"], 3),
        (&["UPDATE events SET seq = 'x' WHERE seq = 3"], 3),
        (&["UPDATE events SET at = 'x' WHERE seq = 3"], 3),
        (&["UPDATE events SET seq = x'00' WHERE seq = 3", "UPDATE events SET at = 0.5 WHERE seq = 5"], 3),
    ];
    for (damage, seq) in damages {
        let bench = Bench::new();
        record(&bench.open(), sample::run_id(), &events).await;
        let strict = |from: &str, to: &str| {
            let sql = bench.sql();
            sql.execute_batch("PRAGMA writable_schema = ON; PRAGMA foreign_keys = OFF").unwrap();
            let change = "UPDATE sqlite_schema SET sql = replace(sql, ?1, ?2) WHERE name = 'events'";
            sql.execute(change, [from, to]).unwrap();
        };
        strict("STRICT, WITHOUT ROWID", "WITHOUT ROWID");
        for damage in damage {
            let sql = bench.sql();
            sql.pragma_update(None, "foreign_keys", false).unwrap();
            sql.execute(damage, []).unwrap();
        }
        strict("WITHOUT ROWID", "STRICT, WITHOUT ROWID");
        let store = bench.open();
        assert_eq!(store.runs().await.unwrap().runs.len(), 1, "{damage:?}");
        let read = store.events(sample::run_id()).await.unwrap();
        let EventKind::Noted { text, .. } = &read[seq as usize].kind else { panic!("{damage:?}: {read:?}") };
        assert!(text.starts_with(&format!("event {seq} of this run cannot be read")), "{text}");
        let mut whole = events.clone();
        whole[seq as usize] = read[seq as usize].clone();
        if damage.len() > 1 {
            whole[5] = read[5].clone();
            assert!(matches!(&read[5].kind, EventKind::Noted { .. }), "{:?}", read[5]);
        }
        assert_eq!(read, whole, "{damage:?}: the rest is as it was");
        assert_eq!(store.outline(sample::run_id()).await.unwrap().len(), events.len());
    }
}

#[tokio::test]
async fn an_event_that_could_not_be_read_back_is_refused() {
    let bench = Bench::new();
    let store = bench.open();
    let events = sample::seven_messages();
    record(&store, sample::run_id(), &events[..2]).await;
    let block = (0..125).fold(serde_json::json!({}), |inner, _| serde_json::json!([inner]));
    let message = model::Message {
        role: model::Role::Assistant,
        parts: vec![model::Part::Reasoning { text: String::new(), block: Some(block) }],
    };
    let kind = EventKind::Answered { turn: 0, message, usage: None, finish: model::FinishReason::Stop, tokens: 0 };
    let event = Event { kind, ..events[2].clone() };
    let refused = append(&store, sample::run_id(), event).await.unwrap_err();
    assert!(refused.to_string().contains("recursion limit exceeded") || std::error::Error::source(&refused).is_some());
    assert_eq!(store.events(sample::run_id()).await.unwrap(), events[..2], "what was stored is as it was");
}

#[tokio::test]
async fn the_summary_follows_every_event() {
    let bench = Bench::new();
    let store = bench.open();
    let events = sample::seven_messages();
    for (last, event) in events.iter().enumerate() {
        append(&store, sample::run_id(), event.clone()).await.unwrap();
        let expected = fold::replay(&events[..=last]).summary(sample::run_id(), false);
        assert_eq!(store.run(sample::run_id()).await.unwrap(), expected, "after event {last}");
    }
}

#[tokio::test]
async fn requests_that_repeat_are_kept_once_and_read_back_whole() {
    let bench = Bench::new();
    let store = bench.open();
    let mut sent = vec![sample::system(), sample::user()];
    let mut kinds = vec![EventKind::Started { setup: sample::setup() }];
    for turn in 0..40 {
        let text: String = (0..200).map(|word| format!("{turn} 公斤 {}\n", word * 7919)).collect();
        sent.push(sample::result("call", &text));
        kinds.push(sample::requested(turn, &sent));
        kinds.push(sample::replied("call", &text));
    }
    let events = sample::events_of(kinds);
    record(&store, sample::run_id(), &events).await;
    assert_eq!(store.events(sample::run_id()).await.unwrap(), events);

    let longest = sample::body(&sent).len();
    let sql = "SELECT sum(octet_length(text)) FROM payloads";
    let stored: usize = bench.sql().query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap().try_into().unwrap();
    assert!(stored < 8 * longest, "{stored} bytes for requests of up to {longest}, the sum of which is 20 times that");

    assert!(matches!(store.delete(sample::run_id()).await, Err(TraceError::StillRunning { .. })));
    let seq = u32::try_from(events.len()).unwrap();
    let end = Event {
        seq,
        at: NOW,
        within: None,
        kind: EventKind::Ended { status: RunStatus::Stopped, error: None, zh: None, reached: None },
    };
    append(&store, sample::run_id(), end).await.unwrap();
    assert!(store.delete(sample::run_id()).await.unwrap());
    assert!(!store.delete(sample::run_id()).await.unwrap(), "it is gone");
    assert_eq!(store.runs().await.unwrap().runs, []);
    let left: i64 = bench.sql().query_row("SELECT count(*) FROM payloads", [], |row| row.get(0)).unwrap();
    assert_eq!(left, 0, "no run needs them any more");
}

#[tokio::test]
async fn of_a_request_only_what_is_new_is_looked_for() {
    let bench = Bench::new();
    let store = bench.open();
    let mut sent = vec![sample::system()];
    for message in 0..40 {
        let text: String = (0..200).map(|word| format!("{message} 公斤 {}\n", word * 7919)).collect();
        sent.push(sample::result("call", &text));
    }
    let (all, begun) = (sample::requested(1, &sent), sample::requested(0, &sent[..40]));
    let events = sample::events_of([EventKind::Started { setup: sample::setup() }, begun, all]);
    record(&store, sample::run_id(), &events[..2]).await;
    let count = || -> u32 { bench.sql().query_row("SELECT count(*) FROM payloads", [], |row| row.get(0)).unwrap() };
    let before = count();
    // Looking up a piece finds nothing now.
    bench.sql().execute_batch("UPDATE payloads SET hash = randomblob(32)").unwrap();
    record(&store, sample::run_id(), &events[2..]).await;
    let new = count() - before;
    assert!(before > 30 && new < 6, "{new} pieces of one message more, after {before}");
    assert_eq!(store.events(sample::run_id()).await.unwrap(), events);
}

#[tokio::test]
async fn a_turn_is_recorded_in_the_same_time_however_long_its_run_is() {
    let bench = Bench::new();
    let store = bench.open();
    let run = sample::run_id();
    let mut next = 0;
    let mut turn = async |prompt: u32| {
        let mut kinds = vec![match prompt {
            0 => EventKind::Started { setup: sample::setup() },
            _ => EventKind::Continued { setup: sample::setup() },
        }];
        let text = "text ".repeat(40);
        kinds.extend((0..60).map(|_| EventKind::noted(wording::Message::quoted(&text))));
        kinds.push(EventKind::ended(RunStatus::Done, None, None));
        let events: Vec<Arc<Event>> = sample::events_of(kinds)
            .into_iter()
            .map(|event| Arc::new(Event { seq: event.seq + next, ..event }))
            .collect();
        next += u32::try_from(events.len()).unwrap();
        let begun = std::time::Instant::now();
        for events in events.chunks(64) {
            store.append(run, events.into()).await.unwrap();
        }
        begun.elapsed()
    };
    let mut times = Vec::new();
    for prompt in 0..80 {
        times.push(turn(prompt).await);
    }
    let median = |times: &mut [Duration]| {
        times.sort();
        times[times.len() / 2]
    };
    let (first, last) = (median(&mut times[1..8]), median(&mut times[73..]));
    assert!(last < 3 * first, "{last:?} after {first:?}");
}

#[tokio::test]
async fn a_run_that_did_not_start_here_is_not_recorded() {
    let bench = Bench::new();
    let store = bench.open();
    let events = sample::seven_messages();
    let refused = append(&store, sample::run_id(), events[1].clone()).await;
    assert!(matches!(refused, Err(TraceError::NotRecording { .. })));
    record(&store, sample::run_id(), &events).await;
    let late = Event { seq: 99, at: NOW, within: None, kind: EventKind::noted(wording::Message::quoted("late")) };
    assert!(matches!(append(&store, sample::run_id(), late).await, Err(TraceError::NotRecording { .. })));
}

#[tokio::test]
async fn recording_goes_on_after_an_event_was_refused() {
    let bench = Bench::new();
    let store = bench.open();
    let events = sample::seven_messages();
    record(&store, sample::run_id(), &events[..5]).await;
    assert!(append(&store, sample::run_id(), events[4].clone()).await.is_err(), "its number is taken");
    record(&store, sample::run_id(), &events[5..]).await;
    assert_eq!(store.events(sample::run_id()).await.unwrap(), events);
    assert_eq!(store.run(sample::run_id()).await.unwrap(), fold::replay(&events).summary(sample::run_id(), false));
}

#[tokio::test]
async fn an_import_is_taken_once() {
    let bench = Bench::new();
    let store = bench.open();
    let events = sample::seven_messages();
    let text = export::to_jsonl(sample::run_id(), &events, &Review::default());
    assert_eq!(store.import_jsonl(&text, true).await.unwrap(), sample::run_id());
    assert_eq!(store.import_jsonl(&text, false).await.unwrap(), sample::run_id());
    assert_eq!(store.runs().await.unwrap().runs, Vec::from_iter(fold::replay(&events).summary(sample::run_id(), true)));
    assert_eq!(store.events(sample::run_id()).await.unwrap(), events);
    assert!(matches!(store.import_jsonl("{}", false).await, Err(TraceError::Import { line: 1, .. })));
}

#[tokio::test]
async fn another_run_under_a_known_id_is_taken_in_under_its_own() {
    let bench = Bench::new();
    let store = bench.open();
    let events = sample::seven_messages();
    let import = async |events: &[Event], bundled| {
        store.import_jsonl(&export::to_jsonl(sample::run_id(), events, &Review::default()), bundled).await.unwrap()
    };
    assert_eq!(import(&events, false).await, sample::run_id());
    assert_eq!(import(&events[..9], false).await, sample::run_id(), "what is here goes on from there");
    let mut others = events.clone();
    let end = others.last_mut().unwrap();
    end.kind = EventKind::Ended { status: RunStatus::Failed, error: Some("it broke".into()), zh: None, reached: None };
    assert_eq!(import(&others, true).await, sample::run_id(), "a sample is as it was");
    let other = import(&others, false).await;
    assert_ne!(other, sample::run_id());
    assert_eq!(import(&others, false).await, other);
    assert_eq!(store.events(sample::run_id()).await.unwrap(), events);
    assert_eq!(store.events(other).await.unwrap(), others);
    let runs: Vec<_> = store.runs().await.unwrap().runs.into_iter().map(|run| run.id).collect();
    assert_eq!(runs.len(), 2, "{runs:?}");
}

#[tokio::test]
async fn an_import_without_an_end_reads_interrupted() {
    let bench = Bench::new();
    let store = bench.open();
    let mut events = sample::seven_messages();
    events.truncate(9);
    store.import_jsonl(&export::to_jsonl(sample::run_id(), &events, &Review::default()), false).await.unwrap();
    events.push(Event {
        seq: 9,
        at: NOW,
        within: None,
        kind: EventKind::Ended { status: RunStatus::Interrupted, error: None, zh: None, reached: None },
    });
    assert_eq!(store.events(sample::run_id()).await.unwrap(), events);
    let summary = store.run(sample::run_id()).await.unwrap().unwrap();
    assert_eq!((summary.status, summary.ended_at), (RunStatus::Interrupted, Some(events[8].at)));
}

#[tokio::test]
async fn lists_the_latest_run_first() {
    let bench = Bench::new();
    let store = bench.open();
    let mut later = sample::seven_messages();
    later.iter_mut().for_each(|event| event.at += 1);
    record(&store, sample::other_run_id(), &later).await;
    record(&store, sample::run_id(), &sample::seven_messages()).await;
    let ids: Vec<_> = store.runs().await.unwrap().runs.into_iter().map(|run| run.id).collect();
    assert_eq!(ids, [sample::other_run_id(), sample::run_id()]);
}

#[tokio::test]
async fn runs_are_found_by_their_ids_and_by_their_forks() {
    let bench = Bench::new();
    let store = bench.open();
    let id = |number: u128| RunId(uuid::Uuid::from_u128(number << 96));
    let of = |parent: Option<u128>| {
        let forked = parent.map(|parent| crate::ForkedFrom { run: id(parent), step: 0 });
        let setup = crate::RunSetup { forked, ..sample::setup() };
        sample::events_of([EventKind::Started { setup }, EventKind::ended(RunStatus::Done, None, None)])
    };
    // The ninth is not here, and each of the last two says that it was forked off the other.
    let parents =
        [(1, None), (2, Some(1)), (3, Some(2)), (4, Some(1)), (5, None), (6, Some(9)), (7, Some(8)), (8, Some(7))];
    for (run, parent) in parents {
        store.import(id(run), of(parent), Review::default(), false).await.unwrap();
    }
    let numbers = |runs: Vec<RunSummary>| {
        let mut numbers: Vec<u128> = runs.iter().map(|run| run.id.0.as_u128() >> 96).collect();
        numbers.sort_unstable();
        numbers
    };
    let family = async |run| numbers(store.family(vec![id(run)]).await.unwrap());
    assert_eq!((family(3).await, family(1).await), (vec![1, 2, 3, 4], vec![1, 2, 3, 4]));
    assert_eq!((family(5).await, family(6).await, family(9).await), (vec![5], vec![6], vec![6]));
    assert_eq!((family(7).await, family(99).await), (vec![7, 8], vec![]));
    let named = async |text, most| numbers(store.named(text, most).await.unwrap());
    assert_eq!((named("00000003-", 9).await, named("0000000", 3).await), (vec![3], vec![1, 2, 3]));
    assert_eq!((named("00000003%", 9).await, named("ffff", 9).await), (vec![], vec![]));
    assert_eq!(numbers(store.last().await.unwrap().into_iter().collect()), [8]);
    assert_eq!(numbers(store.some(vec![id(5), id(99)]).await.unwrap()), [5]);
    bench
        .sql()
        .execute("UPDATE runs SET setup = 'no JSON' WHERE id IN (?1, ?2)", [id(8), id(2)].map(|id| id.to_string()))
        .unwrap();
    assert_eq!(numbers(store.last().await.unwrap().into_iter().collect()), [7], "the last that can be read");
    assert_eq!(family(1).await, [1, 4]);
}

#[test]
fn a_damaged_file_is_named_and_left_alone() {
    let bench = Bench::new();
    std::fs::create_dir_all(bench.path.parent().unwrap()).unwrap();
    let junk = "not a database, but long enough to have a header of a hundred bytes. ".repeat(20);
    std::fs::write(&bench.path, &junk).unwrap();
    let refusal = bench.refusal();
    assert_eq!(
        refusal.to_string(),
        format!("{} is damaged or is not a trace store; move it away to start an empty one", bench.path)
    );
    assert_eq!(std::fs::read_to_string(&bench.path).unwrap(), junk);
}

#[test]
fn a_file_that_was_cut_off_is_named() {
    let bench = Bench::new();
    bench.sql().execute_batch(include_str!("migrations/001_runs.sql")).unwrap();
    let whole = std::fs::read(&bench.path).unwrap();
    std::fs::write(&bench.path, &whole[..whole.len() / 2]).unwrap();
    assert!(matches!(bench.refusal(), TraceError::Damaged { path, .. } if path == bench.path));
}

#[tokio::test]
async fn a_run_that_cannot_be_read_keeps_no_other_closed() {
    let bench = Bench::new();
    let store = bench.open();
    record(&store, sample::run_id(), &sample::seven_messages()[..5]).await;
    let lost = "UPDATE runs SET writer = 'nobody'; UPDATE events SET body = '{}' WHERE seq = 3";
    bench.sql().execute_batch(lost).unwrap();
    let again = bench.open();
    let summary = again.run(sample::run_id()).await.unwrap().unwrap();
    assert_eq!((summary.status, summary.ended_at), (RunStatus::Interrupted, Some(sample::STARTED_AT + 40)));
    let events = again.events(sample::run_id()).await.unwrap();
    let unread: Vec<u32> =
        events.iter().filter(|event| matches!(event.kind, EventKind::Noted { .. })).map(|event| event.seq).collect();
    assert_eq!((unread, events.len()), (vec![3], 6), "a note stands for it, and the end behind the others");
}

/// As after a kill on a full disk: the process is dead, and its end of the run cannot be written.
#[tokio::test]
async fn a_run_of_a_dead_process_is_over_where_that_cannot_be_written() {
    let bench = Bench::new();
    let begun = &sample::seven_messages()[..5];
    let store = bench.open();
    record(&store, sample::run_id(), begun).await;
    let claim = format!("UPDATE runs SET writer = '{}'", uuid::Uuid::now_v7());
    bench.sql().execute_batch(&claim).unwrap();
    let lock = bench.sql();
    lock.execute_batch("BEGIN IMMEDIATE").unwrap();
    let reader = Store::open_within(&bench.path, Clock::from_fn(|| NOW), Duration::from_millis(50)).unwrap();
    for store in [&store, &reader] {
        let [summary] = &store.runs().await.unwrap().runs[..] else { panic!("one run") };
        assert_eq!(store.run(sample::run_id()).await.unwrap().as_ref(), Some(summary));
        assert_eq!((summary.status, summary.ended_at), (RunStatus::Interrupted, Some(begun[4].at)));
        let kind = EventKind::ended(RunStatus::Interrupted, None, None);
        let end = Event { seq: 5, at: begun[4].at, within: None, kind };
        let events = store.events(sample::run_id()).await.unwrap();
        assert_eq!(events, [begun, &[end]].concat());
        assert_eq!(fold::replay(&store.outline(sample::run_id()).await.unwrap()).status(), RunStatus::Interrupted);
    }
}

#[tokio::test]
async fn waits_no_longer_for_a_lock_than_set() {
    let bench = Bench::new();
    drop(bench.open());
    let lock = bench.sql();
    lock.execute_batch("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE").unwrap();
    let begun = std::time::Instant::now();
    let error = Store::open_within(&bench.path, Clock::from_fn(|| NOW), Duration::from_millis(50)).unwrap_err();
    assert!(error.is_locked(), "{error}");
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
}

#[test]
fn a_store_of_a_newer_version_is_left_alone() {
    let bench = Bench::new();
    drop(bench.open());
    bench.sql().pragma_update(None, "user_version", 99).unwrap();
    assert!(matches!(bench.refusal(), TraceError::Newer { path } if path == bench.path));
}

#[test]
fn a_database_of_another_program_is_left_alone() {
    let bench = Bench::new();
    bench.sql().execute_batch("CREATE TABLE bookmarks (url TEXT)").unwrap();
    let before = std::fs::read(&bench.path).unwrap();
    assert!(matches!(bench.refusal(), TraceError::Foreign { path } if path == bench.path));
    assert_eq!(std::fs::read(&bench.path).unwrap(), before);
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    let bench = Bench::new();
    let parent = bench.path.parent().unwrap();
    std::fs::write(parent, "a file").unwrap();
    assert!(matches!(bench.refusal(), TraceError::Access { path, .. } if path == parent));
}

/// Names the store to the process that dies.
const DIES_IN: &str = "SKILLBENCH_TEST_STORE";
const ACKNOWLEDGED: &str = "acknowledged ";

#[tokio::test]
async fn a_killed_run_is_readable_to_its_last_acknowledged_event() {
    let bench = Bench::new();
    let mut recording = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "store::tests::records_until_it_is_killed", "--nocapture"])
        .env(DIES_IN, &bench.path)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut printed = BufReader::new(recording.stdout.take().unwrap()).lines().map(Result::unwrap);
    let acknowledged = |line: String| line.strip_prefix(ACKNOWLEDGED).map(|seq| seq.parse::<u32>().unwrap());
    assert!(printed.by_ref().filter_map(acknowledged).any(|seq| seq == 100), "the recording ended early");

    let other = bench.open();
    let status = async |store: &Store| store.run(sample::run_id()).await.unwrap().unwrap().status;
    assert_eq!(status(&other).await, RunStatus::Running, "its process lives");
    drop(other);

    recording.kill().unwrap();
    recording.wait().unwrap();
    let last = printed.filter_map(acknowledged).last().unwrap_or(100);

    let store = bench.open();
    assert_eq!(status(&store).await, RunStatus::Interrupted);
    let mut events = store.events(sample::run_id()).await.unwrap();
    let end = events.pop().unwrap();
    assert_eq!(end.kind, EventKind::Ended { status: RunStatus::Interrupted, error: None, zh: None, reached: None });
    assert!(events.len() > last as usize, "event {last} was acknowledged and there are {}", events.len());
    assert_eq!(events, endless().take(events.len()).collect::<Vec<_>>());
}

/// How often a process is killed; more often by this variable: `SKILLBENCH_KILLS=200`.
const KILLS: &str = "SKILLBENCH_KILLS";
/// Names the run to the process that dies.
const DYING_RUN: &str = "SKILLBENCH_TEST_RUN";

#[tokio::test]
async fn a_store_whose_processes_are_killed_at_any_moment_loses_nothing_that_was_acknowledged() {
    let bench = Bench::new();
    let kills: u32 = std::env::var(KILLS).ok().and_then(|kills| kills.parse().ok()).unwrap_or(4);
    let mut whole = Vec::new();
    for kill in 0..kills {
        let run = RunId(uuid::Uuid::from_u128(0x0193_4f00_0000_7000_8000_0000_0001_0000 + u128::from(kill)));
        let mut recording = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "store::tests::records_until_it_is_killed", "--nocapture"])
            .env(DIES_IN, &bench.path)
            .env(DYING_RUN, run.to_string())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut printed = BufReader::new(recording.stdout.take().unwrap()).lines().map_while(Result::ok);
        let acknowledged = |line: String| line.strip_prefix(ACKNOWLEDGED).map(|seq| seq.parse::<u32>().unwrap());
        // Numbers without a pattern; the process goes on until the signal comes, so it dies within any statement.
        let wanted = kill.wrapping_mul(2_654_435_761) >> 24;
        let seen = printed.by_ref().filter_map(acknowledged).find(|seq| *seq >= wanted);
        recording.kill().unwrap();
        recording.wait().unwrap();
        let last = printed.filter_map(acknowledged).last().or(seen);

        let store = bench.open();
        let mut events = store.events(run).await.unwrap();
        let end = events.pop().unwrap();
        assert!(matches!(end.kind, EventKind::Ended { status: RunStatus::Interrupted, .. }), "kill {kill}");
        assert!(Some(events.len()) > last.map(|last| last as usize), "kill {kill}: event {last:?} was acknowledged");
        assert_eq!(events, endless().take(events.len()).collect::<Vec<_>>(), "kill {kill}");
        whole.push((run, events.len() + 1));
    }
    let store = bench.open();
    for (run, length) in whole {
        assert_eq!(store.events(run).await.unwrap().len(), length, "the runs before are as they were");
    }
}

/// Does nothing, except when a test runs it in a separate process.
#[tokio::test]
async fn records_until_it_is_killed() {
    let Ok(path) = std::env::var(DIES_IN) else { return };
    let run = std::env::var(DYING_RUN).map_or(sample::run_id(), |run| run.parse().unwrap());
    let store = Store::open(&Utf8PathBuf::from(path), Clock::system()).unwrap();
    for event in endless() {
        let seq = event.seq;
        append(&store, run, event).await.unwrap();
        println!("\n{ACKNOWLEDGED}{seq}");
    }
}

/// An endless run.
fn endless() -> impl Iterator<Item = Event> {
    let started = EventKind::Started { setup: sample::setup() };
    let asked = sample::requested(0, &[sample::system(), sample::user()]);
    let streamed = (0u64..).map(|word| EventKind::Streamed {
        turn: 0,
        text: format!("{word} "),
        reasoning: "x".repeat(if word % 50 == 0 { 5000 } else { 0 }),
    });
    let kinds = [started, asked].into_iter().chain(streamed);
    (0..).zip(kinds).map(|(seq, kind)| Event { seq, at: sample::STARTED_AT + i64::from(seq), within: None, kind })
}

#[tokio::test]
async fn an_outline_and_the_bodies_it_leaves_out_are_the_whole_run() {
    let bench = Bench::new();
    let store = bench.open();
    let run = sample::run_id();
    let mut events = sample::seven_messages();
    for event in &mut events {
        if let EventKind::Requested { turn, body, .. } = &mut event.kind
            && *turn > 0
        {
            // Long enough to be cut into pieces.
            body.push_str(&" ".repeat(5000));
        }
    }
    record(&store, run, &events).await;
    let outline = store.outline(run).await.unwrap();
    let without: Vec<Event> = events.iter().cloned().map(without_body).collect();
    assert_eq!(outline, without);
    let numbers: Vec<u32> = events.iter().map(|event| event.seq).collect();
    let read = |bodies| Reads { events: numbers.clone(), bodies };
    let found = store.read(run, read(numbers.clone())).await.unwrap();
    assert_eq!(store.read(run, read(Vec::new())).await.unwrap(), without);
    assert_eq!(found, events);
}

fn without_body(mut event: Event) -> Event {
    if let EventKind::Requested { body, .. } = &mut event.kind {
        body.clear();
    }
    event
}

#[tokio::test]
async fn what_a_run_grew_by_is_read_behind_what_is_known() {
    let bench = Bench::new();
    let store = bench.open();
    let run = sample::run_id();
    let events = sample::seven_messages();
    record(&store, run, &events[..6]).await;
    let known = |bench: usize| Some((events[bench].seq, events[bench].at));
    let outline =
        |range: std::ops::Range<usize>| Some(events[range].iter().cloned().map(without_body).collect::<Vec<_>>());
    assert_eq!(store.grown(run, None, 100).await.unwrap(), outline(0..6));
    assert_eq!(store.grown(run, known(5), 100).await.unwrap(), Some(Vec::new()));
    record(&store, run, &events[6..]).await;
    assert_eq!(store.grown(run, known(5), 100).await.unwrap(), outline(6..events.len()));
    assert_eq!(store.grown(run, None, 4).await.unwrap(), outline(0..4), "a part of a longer run");
    assert_eq!(store.grown(run, known(3), 4).await.unwrap(), outline(4..8));
    let other = Some((5, events[5].at + 1));
    assert_eq!(store.grown(run, other, 100).await.unwrap(), None, "another run has taken its place");
    store.delete(run).await.unwrap();
    assert_eq!(store.grown(run, known(5), 100).await.unwrap(), None);
}

#[tokio::test]
async fn events_keep_the_conversation_they_belong_to() {
    let bench = Bench::new();
    let store = bench.open();
    let events = sample::delegated();
    record(&store, sample::run_id(), &events).await;
    assert_eq!(store.events(sample::run_id()).await.unwrap(), events);
}

#[test]
fn what_waits_is_written_together_up_to_the_next_question() {
    let (jobs, queue) = std::sync::mpsc::channel();
    let id = |number| RunId(uuid::Uuid::from_u128(number));
    let append = |number| {
        let events: std::sync::Arc<[_]> = [Arc::new(sample::seven_messages()[0].clone())].into();
        Append { entry: Entry::new(id(number), events).unwrap(), answer: tokio::sync::oneshot::channel().0 }
    };
    jobs.send(Job::Append(append(2))).unwrap();
    jobs.send(Job::Ask(Box::new(|_| {}))).unwrap();
    jobs.send(Job::Append(append(3))).unwrap();
    let runs = |appends: &[Append]| appends.iter().map(|append| append.entry.run).collect::<Vec<_>>();
    let (together, next) = gathered(append(1), &queue, 9);
    assert_eq!(runs(&together), [id(1), id(2)], "what is asked behind them sees both");
    assert!(matches!(next, Some(Job::Ask(_))));
    let (together, next) = gathered(append(4), &queue, 1);
    assert_eq!(runs(&together), [id(4), id(3)], "what is there already needs no wait");
    assert!(next.is_none());
    let (together, next) = gathered(append(5), &queue, 2);
    assert_eq!((runs(&together), next.is_none()), (vec![id(5)], true), "nobody comes, so it goes alone");
}

#[tokio::test]
async fn an_event_that_is_refused_keeps_no_other_from_being_written() {
    let bench = Bench::new();
    let store = bench.open();
    let events = sample::seven_messages();
    let id = |number| RunId(uuid::Uuid::from_u128(number));
    // All of them wait before the first is written.
    let (first, refused, second, next) = futures::join!(
        append(&store, id(1), events[0].clone()),
        append(&store, id(2), events[1].clone()),
        append(&store, id(3), events[0].clone()),
        append(&store, id(1), events[1].clone())
    );
    assert!(matches!(refused, Err(TraceError::NotRecording { run }) if run == id(2)));
    assert!(first.is_ok() && second.is_ok() && next.is_ok());
    assert_eq!(store.events(id(1)).await.unwrap(), events[..2]);
    assert_eq!(store.events(id(2)).await.unwrap(), []);
    assert_eq!(store.events(id(3)).await.unwrap(), events[..1]);
}

#[tokio::test]
async fn a_store_with_a_row_for_each_piece_is_read_on() {
    let bench = Bench::new();
    let mut sent = vec![sample::system()];
    for message in 0..12 {
        let text: String = (0..200).map(|word| format!("{message} 公斤 {}\n", word * 7919)).collect();
        sent.push(sample::result("call", &text));
    }
    let (first, second) = (sample::requested(0, &sent[..6]), sample::requested(1, &sent));
    let events = sample::events_of([EventKind::Started { setup: sample::setup() }, first, second]);
    record(&bench.open(), sample::run_id(), &events).await;
    with_rows_of_pieces(&bench.sql());
    let rows: u32 = bench.sql().query_row("SELECT count(*) FROM pieces", [], |row| row.get(0)).unwrap();
    assert!(rows > 12, "{rows} rows");
    bench.sql().pragma_update(None, "user_version", 11).unwrap();
    let read = bench.open().events(sample::run_id()).await.unwrap();
    assert_eq!(read[..events.len()], events);
}

#[tokio::test]
async fn a_string_whose_row_says_nonsense_costs_its_event_only() {
    let bench = Bench::new();
    let sent = [sample::system(), sample::result("call", &"公斤 ".repeat(2_000))];
    let kinds = [EventKind::Started { setup: sample::setup() }, sample::requested(0, &sent)];
    let events = sample::events_of(kinds);
    record(&bench.open(), sample::run_id(), &events).await;
    for nonsense in ["no list", "[\"a\"]", "{}", "[1.5]"] {
        bench.sql().execute("UPDATE strings SET pieces = ?1", [nonsense]).unwrap();
        let store = bench.open();
        let read = store.events(sample::run_id()).await.unwrap();
        assert_eq!((&read[0], read[1].seq), (&events[0], 1));
        assert_ne!(read[1], events[1], "{nonsense}");
        // Texts that no run uses any longer are found all the same.
        let other = sample::other_run_id();
        store.import(other, sample::seven_messages(), Review::default(), false).await.unwrap();
        assert!(store.delete(other).await.unwrap());
    }
}

#[tokio::test]
async fn a_store_of_the_first_version_is_read_on() {
    let bench = Bench::new();
    let events = sample::seven_messages();
    {
        let db = bench.sql();
        db.execute_batch(include_str!("migrations/001_runs.sql")).unwrap();
        db.pragma_update(None, "user_version", 1).unwrap();
        let setup = serde_json::to_string(&sample::setup()).unwrap();
        db.execute(
            "INSERT INTO runs VALUES (?1, ?2, 'done', NULL, 0, 200, 8, 195, 0, NULL)",
            [sample::run_id().to_string(), setup],
        )
        .unwrap();
        for event in &events {
            let body = serde_json::to_string(&event.kind).unwrap();
            db.execute(
                "INSERT INTO events (run, seq, at, type, body) VALUES (?1, ?2, ?3, '', ?4)",
                rusqlite::params![sample::run_id().to_string(), event.seq, event.at, body],
            )
            .unwrap();
        }
    }
    assert_eq!(bench.open().events(sample::run_id()).await.unwrap(), events);
}

/// The seven messages as a model's run, with another end; `folders` as they were recorded.
fn of_a_model(rehearsal: bool, folders: bool, end: RunStatus) -> Vec<Event> {
    let mut events = sample::seven_messages();
    if let EventKind::Started { setup } = &mut events[0].kind {
        setup.rehearsal = rehearsal;
        if !folders {
            setup.folders.clear();
        }
    }
    if let Some(EventKind::Ended { status, .. }) = events.last_mut().map(|event| &mut event.kind) {
        *status = end;
    }
    events
}

fn uses_of_the_scene(whose: &Whose, runs: u32) -> Vec<Uses> {
    let used = [
        Used::Instructions,
        Used::Resource("references/conversion-table.md".into()),
        Used::Script("scripts/convert.py".into()),
    ];
    used.into_iter().map(|used| Uses { whose: whose.clone(), used, runs }).collect()
}

#[tokio::test]
async fn what_a_models_runs_used_is_counted_once_they_came_to_their_answer() {
    let bench = Bench::new();
    let store = bench.open();
    let id = |number| RunId(uuid::Uuid::from_u128(number));
    let scene = Whose::Folder("/skills/unit-converter".into());

    let events = of_a_model(false, true, RunStatus::Done);
    record(&store, id(1), &events[..events.len() - 1]).await;
    assert_eq!(store.uses().await.unwrap(), [], "it goes on");
    append(&store, id(1), events[events.len() - 1].clone()).await.unwrap();
    assert_eq!(store.uses().await.unwrap(), uses_of_the_scene(&scene, 1));

    let text = export::to_jsonl(id(2), &events, &Review::default());
    store.import_jsonl(&text, false).await.unwrap();
    assert_eq!(store.uses().await.unwrap(), uses_of_the_scene(&scene, 2), "one that was taken in counts");

    store.import_jsonl(&export::to_jsonl(id(3), &events, &Review::default()), true).await.unwrap();
    record(&store, id(4), &of_a_model(true, true, RunStatus::Done)).await;
    record(&store, id(5), &of_a_model(false, true, RunStatus::Stopped)).await;
    // Without its first call, so that only a file and a script were used.
    let untaught: Vec<EventKind> = events.iter().map(|event| event.kind.clone()).collect();
    let untaught = untaught.into_iter().enumerate().filter(|(bench, _)| *bench != 3 && *bench != 4);
    record(&store, id(6), &sample::events_of(untaught.map(|(_, kind)| kind))).await;
    assert_eq!(
        store.uses().await.unwrap(),
        uses_of_the_scene(&scene, 2),
        "neither a bundled run, nor a rehearsal, nor one that broke off, nor one without the instructions"
    );

    store.delete(id(1)).await.unwrap();
    assert_eq!(store.uses().await.unwrap(), uses_of_the_scene(&scene, 1));
}

#[tokio::test]
async fn what_older_runs_used_is_known_by_root_and_name() {
    let bench = Bench::new();
    let events = of_a_model(false, false, RunStatus::Done);
    let denied = events.iter().map(|event| event.kind.clone()).map(|kind| match kind {
        EventKind::ApprovalGiven { call_id, .. } => {
            EventKind::ApprovalGiven { call_id, decision: Decision::Deny { reason: None } }
        }
        EventKind::Replied { call_id, text, wire, tokens, .. } if call_id == "call_2" => EventKind::Replied {
            images: Vec::new(),
            documents: Vec::new(),
            call_id,
            text,
            wire,
            tokens,
            is_error: true,
        },
        kind => kind,
    });
    let denied = sample::events_of(denied);
    let mut rehearsal = of_a_model(true, false, RunStatus::Done);
    if let Some(EventKind::Answered { usage, .. }) = rehearsal.iter_mut().map(|event| &mut event.kind).nth(2) {
        *usage = None;
    }
    {
        let db = bench.sql();
        db.execute_batch(include_str!("migrations/001_runs.sql")).unwrap();
        db.execute_batch(include_str!("migrations/002_within.sql")).unwrap();
        db.pragma_update(None, "user_version", 2).unwrap();
        for (run, events) in [(1, &events), (2, &denied), (3, &rehearsal)] {
            let id = RunId(uuid::Uuid::from_u128(run));
            let setup = serde_json::to_string(&fold::replay(events).summary(id, false).unwrap().setup).unwrap();
            let run = "INSERT INTO runs VALUES (?1, ?2, 'done', NULL, 0, 200, 8, 195, 0, NULL)";
            db.execute(run, [id.to_string(), setup]).unwrap();
            for event in events {
                let body = serde_json::to_value(&event.kind).unwrap();
                db.execute(
                    "INSERT INTO events (run, seq, at, type, body) VALUES (?1, ?2, ?3, ?4, ?5)",
                    rusqlite::params![id.to_string(), event.seq, event.at, body["type"].as_str(), body.to_string()],
                )
                .unwrap();
            }
        }
    }
    let mut expected = uses_of_the_scene(&Whose::Named { root: "/skills".into(), skill: "unit-converter".into() }, 1);
    expected[0].runs = 2;
    let store = bench.open();
    assert_eq!(store.uses().await.unwrap(), expected, "of the second run, neither the refused nor the denied");
    for (run, events) in [(1, &events), (2, &denied), (3, &rehearsal)] {
        let run = store.run(RunId(uuid::Uuid::from_u128(run))).await.unwrap().unwrap();
        let now = fold::replay(events);
        assert_eq!(run.spent, now.spent(), "what was spent is told of old runs, too");
        assert_eq!(Some(run.departures), now.progress().map(|now| now.departures));
    }
}

#[tokio::test]
async fn a_long_run_is_read_back_in_time_that_grows_with_it() {
    let outline = async |requests: u32| {
        let bench = Bench::new();
        let store = bench.open();
        let mut sent = vec![sample::system(), sample::user()];
        let mut kinds = vec![EventKind::Started { setup: sample::setup() }];
        let mut known = 0;
        for turn in 0..requests {
            kinds.push(sample::kept(known, sample::requested(turn, &sent)));
            known = u32::try_from(sent.len()).unwrap();
            sent.extend([sample::asks(&sample::call("c", "load_skill", "{}")), sample::result("c", "text")]);
        }
        let run = sample::run_id();
        let events = sample::events_of(kinds);
        store.import_jsonl(&export::to_jsonl(run, &events, &Review::default()), false).await.unwrap();
        let length = |event: &Event| serde_json::to_string(event).unwrap().len();
        store.outline(run).await.unwrap().iter().map(length).sum::<usize>()
    };
    let (short, long) = (outline(50).await, outline(500).await);
    assert!(long < 12 * short, "ten times the requests are {long} bytes to read instead of {short}");
}

#[tokio::test]
async fn a_row_that_cannot_be_read_hides_no_other() {
    let bench = Bench::new();
    let store = bench.open();
    for run in [sample::run_id(), sample::other_run_id()] {
        record(&store, run, &sample::seven_messages()).await;
    }
    let broken = format!("UPDATE runs SET setup = '{{' WHERE id = '{}'", sample::other_run_id());
    bench.sql().execute_batch(&broken).unwrap();
    bench.sql().execute_batch("UPDATE runs SET writer = 'nobody', id = 'x' WHERE status = 'none'").unwrap();

    let again = bench.open();
    let RunList { runs, unreadable } = again.runs().await.unwrap();
    assert_eq!(runs.iter().map(|run| run.id).collect::<Vec<_>>(), [sample::run_id()]);
    let [UnreadableRun { id, reason }] = &unreadable[..] else { panic!("{unreadable:?}") };
    assert_eq!(*id, sample::other_run_id().to_string());
    let [en, zh] = ["its column setup cannot be read: EOF while parsing", "其 setup 列无法读取："];
    assert!(reason.en.starts_with(en) && reason.zh.starts_with(zh), "{reason:?}");
    let refused = again.run(sample::other_run_id()).await.unwrap_err().to_string();
    assert!(refused.starts_with(&format!("cannot read run {id}: ")), "{refused}");
    assert_eq!(again.uses().await.unwrap(), [], "asking for them meets the broken row too");
}

#[tokio::test]
async fn a_run_whose_id_is_none_keeps_the_store_open() {
    let bench = Bench::new();
    let store = bench.open();
    record(&store, sample::run_id(), &sample::seven_messages()).await;
    drop(store);
    let stray = "PRAGMA foreign_keys = OFF; UPDATE runs SET id = 'stray', writer = 'nobody'";
    bench.sql().execute_batch(stray).unwrap();
    let RunList { runs, unreadable } = bench.open().runs().await.unwrap();
    assert_eq!(runs, []);
    assert_eq!(unreadable.iter().map(|run| run.id.as_str()).collect::<Vec<_>>(), ["stray"]);
}

#[test]
fn a_store_of_a_newer_version_keeps_every_byte() {
    let bench = Bench::new();
    let db = bench.sql();
    db.execute_batch(include_str!("migrations/001_runs.sql")).unwrap();
    db.pragma_update(None, "user_version", 99).unwrap();
    drop(db);
    let before = std::fs::read(&bench.path).unwrap();
    assert!(matches!(bench.refusal(), TraceError::Newer { path } if path == bench.path));
    assert_eq!(std::fs::read(&bench.path).unwrap(), before, "it is not even put into another mode");
}

/// A file in place of the folder in which processes say that they record: it binds every user.
fn take_away_writing(bench: &Bench) {
    let writers = Utf8PathBuf::from(format!("{}-writers", bench.path));
    std::fs::remove_dir_all(&writers).unwrap();
    std::fs::write(&writers, "").unwrap();
}

#[tokio::test]
async fn what_cannot_be_written_is_read_and_refuses_to_record() {
    let bench = Bench::new();
    let events = sample::seven_messages();
    record(&bench.open(), sample::run_id(), &events).await;
    take_away_writing(&bench);
    let store = bench.open();
    assert_eq!(store.events(sample::run_id()).await.unwrap(), events);
    assert_eq!(store.runs().await.unwrap().runs.len(), 1);
    let refused = append(&store, sample::other_run_id(), events[0].clone()).await.unwrap_err().to_string();
    assert!(refused.starts_with(&format!("trace store {} can only be read: cannot use ", bench.path)), "{refused}");
    assert!(matches!(store.delete(sample::run_id()).await, Err(TraceError::ReadOnly { .. })));
}

#[tokio::test]
async fn a_store_that_another_process_holds_is_read_and_written_once_it_is_free() {
    let bench = Bench::new();
    record(&bench.open(), sample::run_id(), &sample::seven_messages()).await;
    let other = bench.sql();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let store = bench.open();
    assert_eq!(store.runs().await.unwrap().runs.len(), 1);
    drop(other);
    record(&store, sample::other_run_id(), &sample::seven_messages()).await;
    assert_eq!(store.runs().await.unwrap().runs.len(), 2);
}

/// If the file itself cannot be read in place, a copy is read that includes the log.
#[tokio::test]
async fn the_log_of_an_older_store_is_read_where_nothing_can_be_written() {
    let bench = Bench::new();
    let store = bench.open();
    record(&store, sample::run_id(), &sample::seven_messages()).await;
    let log = Utf8PathBuf::from(format!("{}-wal", bench.path));
    assert!(std::fs::metadata(&log).unwrap().len() > 0, "nothing went into the file yet");
    let copy = Bench::new();
    std::fs::create_dir_all(copy.path.parent().unwrap()).unwrap();
    std::fs::copy(&bench.path, &copy.path).unwrap();
    std::fs::copy(&log, format!("{}-wal", copy.path)).unwrap();
    // A folder in place of the file that SQLite shares between processes, so that the log cannot be used in place.
    std::fs::create_dir(format!("{}-shm", copy.path)).unwrap();
    let read = copy.open();
    assert_eq!(read.events(sample::run_id()).await.unwrap(), sample::seven_messages());
    assert!(matches!(read.delete(sample::run_id()).await, Err(TraceError::ReadOnly { .. })));
}

#[cfg(unix)]
#[test]
fn the_store_is_for_its_owner_only_also_where_it_was_not() {
    use std::os::unix::fs::PermissionsExt;
    let bench = Bench::new();
    let store = bench.open();
    let mode = |name: &str| {
        let path = format!("{}{name}", bench.path);
        std::fs::metadata(path).unwrap().permissions().mode() & 0o777
    };
    let files = ["", "-wal", "-shm"];
    assert_eq!(files.map(mode), [0o600; 3]);
    assert_eq!(mode("-writers"), 0o700);
    let folder = std::fs::metadata(bench.path.parent().unwrap()).unwrap();
    assert_eq!(folder.permissions().mode() & 0o777, 0o700);
    for file in files {
        std::fs::set_permissions(format!("{}{file}", bench.path), PermissionsExt::from_mode(0o644)).unwrap();
    }
    let _again = bench.open();
    assert_eq!(files.map(mode), [0o600; 3]);
    drop(store);
}

fn said(seq: usize) -> Event {
    let setup = crate::RunSetup { prompt: "and then?".into(), ..sample::setup() };
    Event { seq: u32::try_from(seq).unwrap(), at: NOW, within: None, kind: EventKind::Continued { setup } }
}

#[tokio::test]
async fn a_run_that_has_ended_goes_on_in_one_place_at_a_time() {
    let bench = Bench::new();
    let (one, other) = (bench.open(), bench.open());
    let run = sample::run_id();
    let events = sample::seven_messages();
    record(&one, run, &events).await;
    assert_eq!(other.ended(run).await.unwrap(), events);

    append(&other, run, said(events.len())).await.unwrap();
    let summary = one.run(run).await.unwrap().unwrap();
    assert_eq!((summary.status, summary.ended_at, summary.prompts), (RunStatus::Running, None, 2));
    assert!(matches!(one.ended(run).await, Err(TraceError::StillRunning { .. })));
    assert!(matches!(append(&one, run, said(events.len())).await, Err(TraceError::StillRunning { .. })));

    let kind = EventKind::ended(RunStatus::Done, None, None);
    let end = Event { seq: u32::try_from(events.len() + 1).unwrap(), at: NOW, within: None, kind };
    append(&other, run, end).await.unwrap();
    assert!(matches!(append(&one, run, said(events.len())).await, Err(TraceError::WentOn { .. })), "it knows less");
    assert_eq!(one.ended(run).await.unwrap().len(), events.len() + 2);
}

#[tokio::test]
async fn a_run_whose_process_is_gone_may_go_on_where_the_store_was_open_already() {
    let bench = Bench::new();
    let (one, other) = (bench.open(), bench.open());
    let run = sample::run_id();
    let begun = &sample::seven_messages()[..4];
    record(&one, run, begun).await;
    drop(one);
    // The thread of the store ends a moment after its last handle.
    let ended = loop {
        match other.ended(run).await {
            Err(TraceError::StillRunning { .. }) => tokio::task::yield_now().await,
            ended => break ended.unwrap(),
        }
    };
    assert_eq!(ended[..begun.len()], *begun);
    let last = ended.last().map(|event| &event.kind);
    assert!(matches!(last, Some(EventKind::Ended { status: RunStatus::Interrupted, .. })), "{last:?}");
    append(&other, run, said(ended.len())).await.unwrap();
}
