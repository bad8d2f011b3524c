//! Malicious files: reading them must do no harm.

use std::time::Instant;

use super::*;

/// A question without an end.
const ENDLESS: &str = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n";

#[test]
fn a_store_with_other_tables_than_ours_is_refused_by_its_name_and_at_once() {
    let columns = "NULL AS setup, 'done' AS status, NULL AS error, 1 AS started_at, NULL AS ended_at, 1 AS steps, 1 AS \
                   context_tokens, 0 AS bundled, NULL AS writer, '' AS spent";
    let cases = [
        (
            format!("DROP TABLE runs; CREATE VIEW runs AS SELECT x AS id, {columns} FROM ({ENDLESS})"),
            "its view `runs` is not as this program makes it",
        ),
        (
            "DROP TABLE runs; CREATE VIRTUAL TABLE runs USING fts5(id, writer)".to_owned(),
            "its table `runs` is not as this program makes it",
        ),
        (
            "DROP TABLE uses; CREATE TABLE uses (run TEXT, big AS (hex(zeroblob(1 << 28))))".to_owned(),
            "its table `uses` is not as this program makes it",
        ),
        ("DROP TABLE payloads".to_owned(), "it has no table `payloads`"),
        (format!("CREATE VIEW more AS {ENDLESS}"), "the view `more` in it was not made by this program"),
        (
            "CREATE INDEX slow ON runs (length(hex(setup)))".to_owned(),
            "the index `slow` in it was not made by this program",
        ),
    ];
    for (harm, reason) in cases {
        let bench = Bench::new();
        drop(bench.open());
        bench.sql().execute_batch(&harm).unwrap();
        let begun = Instant::now();
        let path = &bench.path;
        let told =
            format!("{path} is not a trace store that this program made: {reason}; move it away to start an empty one");
        assert_eq!(bench.refusal().to_string(), told);
        assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_under_the_name_of_the_store_keeps_nobody_waiting() {
    let bench = Bench::new();
    std::fs::create_dir_all(bench.path.parent().unwrap()).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&bench.path).status().unwrap().success());
    let (said, says) = std::sync::mpsc::channel();
    std::thread::spawn(move || said.send(bench.refusal().to_string()));
    let refusal = says.recv_timeout(Duration::from_secs(20)).unwrap();
    assert!(refusal.contains("it is not a regular file"), "{refusal}");
}

#[test]
fn stores_of_every_version_are_as_this_program_made_them() {
    for version in 0..=10 {
        let bench = Bench::new();
        database::migrated(&mut bench.sql(), version);
        drop(bench.open());
        drop(bench.open());
    }
}

#[test]
fn what_a_question_may_take_has_an_end() {
    let bench = Bench::new();
    drop(bench.open());
    let db = opening::connect(&bench.path, rusqlite::OpenFlags::default(), BUSY).unwrap();
    opening::begin(&db, Duration::from_millis(50)).unwrap();
    let count = || db.query_row(&format!("SELECT count(*) FROM ({ENDLESS})"), [], |row| row.get::<_, i64>(0));
    assert!(opening::is_endless(&count().unwrap_err()));
    let one = || db.query_row("SELECT 1", [], |row| row.get::<_, i64>(0));
    opening::begin(&db, Duration::from_secs(5)).unwrap();
    assert_eq!(one().unwrap(), 1, "the next one has its own time");
}
