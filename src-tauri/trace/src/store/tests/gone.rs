//! What a script may do to the store while a run is recorded in it.

use super::*;

const WHOLE: usize = usize::MAX;

/// A way to damage the store at a path, and its name.
type Harm<'a> = (&'a str, &'a dyn Fn(&Utf8PathBuf));

/// Records a run, with harm done before the event of this number, up to the first error.
async fn recorded_until(bench: &Bench, at: usize, harm: impl Fn(&Utf8PathBuf)) -> Option<(usize, String)> {
    let store = bench.open();
    for (number, event) in sample::seven_messages().into_iter().enumerate() {
        if number == at {
            harm(&bench.path);
        }
        if let Err(error) = append(&store, sample::run_id(), event).await {
            return Some((number, error.to_string().replace(bench.path.as_str(), "PATH")));
        }
    }
    None
}

fn beside(path: &Utf8PathBuf, name: &str) -> Utf8PathBuf {
    Utf8PathBuf::from(format!("{path}{name}"))
}

#[tokio::test]
async fn a_run_in_an_unharmed_store_is_accepted() {
    assert_eq!(recorded_until(&Bench::new(), WHOLE, |_| {}).await, None);
}

#[cfg(unix)]
#[tokio::test]
async fn a_store_that_is_gone_from_its_place_takes_no_event() {
    let away = |path: &Utf8PathBuf| std::fs::remove_file(path).unwrap();
    let folder = |path: &Utf8PathBuf| std::fs::remove_dir_all(path.parent().unwrap()).unwrap();
    let emptied = |path: &Utf8PathBuf| std::fs::write(path, "").unwrap();
    let log = |path: &Utf8PathBuf| std::fs::remove_file(beside(path, "-wal")).unwrap();
    let replaced = |path: &Utf8PathBuf| {
        let other = beside(path, ".other");
        drop(Store::open(&other, Clock::from_fn(|| NOW)).unwrap());
        std::fs::rename(other, path).unwrap();
    };
    let harms: [Harm; 5] = [
        ("deleted", &away),
        ("folder deleted", &folder),
        ("emptied", &emptied),
        ("log deleted", &log),
        ("replaced", &replaced),
    ];
    let told = "the trace store at PATH is no longer the file that this program opened";
    for (what, harm) in harms {
        assert_eq!(recorded_until(&Bench::new(), 3, harm).await, Some((3, told.to_owned())), "{what}");
    }
}

#[tokio::test]
async fn the_end_of_a_run_that_cannot_be_read_back_is_refused() {
    let last = sample::seven_messages().len() - 1;
    // Data in the log would survive it.
    let overwritten = |path: &Utf8PathBuf| {
        let db = rusqlite::Connection::open(path).unwrap();
        db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
        std::fs::write(path, "x".repeat(50_000)).unwrap();
    };
    let log_emptied = |path: &Utf8PathBuf| std::fs::write(beside(path, "-wal"), "").unwrap();
    let deleted = |path: &Utf8PathBuf| {
        let db = rusqlite::Connection::open(path).unwrap();
        db.execute_batch("PRAGMA foreign_keys = ON; DELETE FROM events WHERE seq = 2").unwrap();
    };
    let harms: [Harm; 3] = [("overwritten", &overwritten), ("log emptied", &log_emptied), ("event deleted", &deleted)];
    let lost = "the trace store at PATH does not contain what was written to it:";
    let told = [
        (3, "the trace store reported an error: file is not a database".to_owned()),
        (last, format!("{lost} its log is damaged")),
        (last, format!("{lost} events are missing")),
    ];
    for ((what, harm), told) in harms.into_iter().zip(told) {
        assert_eq!(recorded_until(&Bench::new(), 3, harm).await, Some(told), "{what}");
    }
}

#[cfg(unix)]
#[tokio::test]
async fn the_next_run_is_recorded_in_the_store_that_is_there_then() {
    let bench = Bench::new();
    let store = bench.open();
    let events = sample::seven_messages();
    append(&store, sample::run_id(), events[0].clone()).await.unwrap();
    std::fs::remove_file(&bench.path).unwrap();
    append(&store, sample::run_id(), events[1].clone()).await.unwrap_err();
    record(&store, sample::other_run_id(), &events).await;
    append(&store, sample::run_id(), events[1].clone()).await.unwrap_err();
    let runs = bench.open().runs().await.unwrap().runs;
    assert_eq!(runs.iter().map(|run| run.id).collect::<Vec<_>>(), [sample::other_run_id()]);
}
