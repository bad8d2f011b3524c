//! Which runs go, and that they are gone.

use super::*;
use crate::review::{Judged, StepNote, Verdict};

const DAY: Millis = 86_400_000;
/// Bytes of the texts of a run.
const SIZE: usize = 500_000;

fn id(number: u128) -> RunId {
    RunId(uuid::Uuid::from_u128(number))
}

/// A run that began this many days after the first one, with unique texts of about this many bytes.
fn run_of(day: i64, bytes: usize) -> Vec<Event> {
    let mut events = sample::seven_messages();
    events.iter_mut().for_each(|event| event.at += day * DAY);
    for event in &mut events {
        if let EventKind::Replied { text, .. } = &mut event.kind {
            *text = (0..bytes / 8 / 3).map(|word| format!("{:08x}", (word as i64 + 1) * 7919 * (day + 3))).collect();
        }
    }
    events
}

/// Four runs, a day from each other.
async fn four(bench: &Bench) -> Store {
    let store = bench.open();
    for day in 0..4 {
        record(&store, id(day as u128), &run_of(day, SIZE)).await;
    }
    store
}

fn days(number: i64) -> Keep {
    Keep { since: Some(sample::STARTED_AT + number * DAY), ..Keep::default() }
}

async fn going(store: &Store, keep: Keep) -> (Vec<RunId>, u32, u32) {
    let Pruning { going, pinned, reviewed, .. } = store.pruning(keep, HashMap::new(), HashSet::new()).await.unwrap();
    (going.into_iter().map(|run| run.run).collect(), pinned, reviewed)
}

async fn there(store: &Store) -> Vec<RunId> {
    let mut runs: Vec<RunId> = store.runs().await.unwrap().runs.into_iter().map(|run| run.id).collect();
    runs.sort_by_key(|run| run.0);
    runs
}

#[tokio::test]
async fn old_runs_go_but_for_those_that_are_pinned_or_judged_and_their_room_is_given_back() {
    let bench = Bench::new();
    let store = four(&bench).await;
    assert_eq!(going(&store, Keep::default()).await, (vec![], 0, 0), "nothing is said, so all is kept");
    assert!(store.set_pinned(id(0), true).await.unwrap());
    let verdict = Verdict { judged: Judged::Fail, line: String::new(), changed_at: 0 };
    store.set_verdict(id(1), Some(verdict)).await.unwrap();
    assert_eq!(going(&store, days(3)).await, (vec![id(2)], 1, 1));
    let reviewed_too = Keep { reviewed_too: true, ..days(3) };
    assert_eq!(going(&store, reviewed_too).await, (vec![id(1), id(2)], 1, 0));

    let query = |text: &str| Query::parse(text, NOW).unwrap();
    let found = async |store: &Store| {
        loop {
            let found = store.search(query("unit-converter"), BUSY).await.unwrap();
            if found.waiting == 0 {
                return found;
            }
        }
    };
    assert_eq!(found(&store).await.runs.len(), 4);
    let size = || std::fs::metadata(&bench.path).unwrap().len();
    let least = u64::try_from(SIZE).unwrap();
    let pruned = store.prune(vec![id(0), id(1), id(2)], days(3)).await.unwrap();
    assert_eq!(pruned.runs, [id(2)], "what stays is decided once more when it is taken away");
    assert!(pruned.freed > least, "{pruned:?}");
    assert_eq!((pruned.reusable, there(&store).await), (0, vec![id(0), id(1), id(3)]));
    let three = size();
    assert!(three > 3 * least, "{three}");

    store.set_pinned(id(0), false).await.unwrap();
    let pruned = store.prune(vec![id(0), id(1), id(3)], Keep { reviewed_too: true, ..days(4) }).await.unwrap();
    assert_eq!(pruned.runs.len(), 3);
    assert!(size() < least, "all of the room is given back: {} of {three}", size());
    let left: u32 = bench
        .sql()
        .query_row(
            "SELECT (SELECT count(*) FROM events) + (SELECT count(*) FROM strings) + (SELECT count(*) FROM payloads)
               + (SELECT count(*) FROM passages) + (SELECT count(*) FROM verdicts) + (SELECT count(*) FROM indexed)",
            [],
            |row| row.get(0),
        )
        .unwrap();
    assert_eq!((left, found(&store).await.runs), (0, vec![]));
    let check: String = bench.sql().query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(check, "ok");
}

#[tokio::test]
async fn the_oldest_go_until_there_is_room_and_the_figures_come_true() {
    let bench = Bench::new();
    let store = four(&bench).await;
    let plan = async |keep: Keep| store.pruning(keep, HashMap::new(), HashSet::new()).await.unwrap();
    let all = plan(Keep::default()).await.bytes;
    let keep = Keep { bytes: Some(all / 5 * 3), ..Keep::default() };
    let Pruning { going, .. } = plan(keep).await;
    assert_eq!(going.iter().map(|run| run.run).collect::<Vec<_>>(), [id(0), id(1)]);
    assert!(going.iter().all(|run| run.why == GoingWhy::Room && run.prompt == sample::setup().prompt));
    let told: u64 = going.iter().map(|run| run.bytes).sum();
    store.prune(going.iter().map(|run| run.run).collect(), keep).await.unwrap();
    let left = plan(keep).await;
    assert_eq!(left.going, []);
    let freed = all - left.bytes;
    assert!(told.abs_diff(freed) < freed / 6, "{told} was told, {freed} is free");

    let elsewhere = HashMap::from([(id(2), all), (id(3), 10)]);
    let plan = store.pruning(keep, elsewhere, HashSet::from([id(3)])).await.unwrap();
    let going: Vec<_> = plan.going.iter().map(|run| (run.run, run.bytes > all)).collect();
    assert_eq!((going, plan.bytes), (vec![(id(2), true)], left.bytes + all + 10), "files of runs count");
}

#[tokio::test]
async fn a_run_that_goes_on_stays_and_one_that_is_imported_is_as_old_as_its_arrival() {
    let bench = Bench::new();
    let store = bench.open();
    let events = run_of(0, 0);
    record(&store, id(1), &events[..4]).await;
    store.import(id(2), run_of(-900, 0), Review::default(), false).await.unwrap();
    assert_eq!(going(&store, days(1)).await, (vec![], 0, 0));
    record(&store, id(1), &events[4..]).await;
    assert_eq!(going(&store, days(1)).await, (vec![id(1)], 0, 0));
    assert_eq!(going(&store, days(5)).await, (vec![id(1), id(2)], 0, 0), "it came here on the day of the test");
}

#[tokio::test]
async fn a_store_of_an_earlier_version_gives_its_room_back_too() {
    let bench = Bench::new();
    bench.sql().execute_batch("PRAGMA journal_mode = WAL").unwrap();
    let store = four(&bench).await;
    let pruned = store.prune(vec![id(0), id(1), id(2), id(3)], days(4)).await.unwrap();
    assert_eq!((pruned.runs.len(), pruned.reusable), (4, 0));
    assert!(std::fs::metadata(&bench.path).unwrap().len() < u64::try_from(SIZE).unwrap());
    record(&store, id(9), &run_of(0, 0)).await;
}

#[tokio::test]
async fn remains_of_a_dead_process_are_not_found_and_are_deleted() {
    let bench = Bench::new();
    let store = four(&bench).await;
    // As after the first commit of taking a run away.
    bench.sql().execute_batch(&format!("PRAGMA foreign_keys = OFF; DELETE FROM runs WHERE id = '{}'", id(1))).unwrap();
    assert_eq!(there(&store).await, [id(0), id(2), id(3)]);
    store.import(id(1), run_of(1, 100), Review::default(), false).await.unwrap();
    assert_eq!(store.events(id(1)).await.unwrap(), run_of(1, 100), "what is imported again is whole");
    bench.sql().execute_batch(&format!("PRAGMA foreign_keys = OFF; DELETE FROM runs WHERE id = '{}'", id(1))).unwrap();
    store.prune(vec![], Keep::default()).await.unwrap();
    let rows = format!("SELECT count(*) FROM events WHERE run = '{}'", id(1));
    assert_eq!(bench.sql().query_row(&rows, [], |row| row.get::<_, u32>(0)).unwrap(), 0);
}

#[tokio::test]
async fn runs_are_recorded_while_others_are_taken_away() {
    let bench = Bench::new();
    let store = four(&bench).await;
    let pruning = tokio::spawn({
        let store = store.clone();
        async move { store.prune(vec![id(0), id(1), id(2), id(3)], days(9)).await.unwrap().runs.len() }
    });
    let mut recorded = Vec::new();
    for number in 10.. {
        // Texts of the runs that go.
        let events = run_of((number % 4) as i64, SIZE);
        record(&store, id(number), &events).await;
        recorded.push((id(number), events));
        if pruning.is_finished() && recorded.len() > 2 {
            break;
        }
    }
    assert_eq!(pruning.await.unwrap(), 4);
    for (run, events) in recorded {
        assert_eq!(store.events(run).await.unwrap(), events, "no text that it shares is lost");
    }
}

#[tokio::test]
async fn a_pin_and_a_note_outlive_a_run_that_is_imported_over_theirs() {
    let bench = Bench::new();
    let store = bench.open();
    let events = run_of(0, 0);
    store.import(id(1), events[..5].to_vec(), Review::default(), false).await.unwrap();
    store.set_pinned(id(1), true).await.unwrap();
    store.set_note(id(1), StepNote { event: 1, text: "!".into(), bookmark: false, changed_at: 0 }).await.unwrap();
    store.import(id(1), events, Review::default(), false).await.unwrap();
    assert!(store.run(id(1)).await.unwrap().unwrap().pinned);
    assert!(store.delete(id(1)).await.unwrap());
    assert!(!store.set_pinned(id(1), true).await.unwrap(), "there is no such run");
}
