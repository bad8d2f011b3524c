//! A full disk: acknowledged events are there, others are refused with a message, and recording continues once there is
//! space.

use super::*;

/// Blocks of 512 bytes that a file of the process may have.
const BLOCKS: u32 = 8_000;
const REFUSED: &str = "refused ";

#[cfg(unix)]
#[tokio::test]
async fn a_full_disk_loses_nothing_that_was_acknowledged_and_says_so() {
    let bench = Bench::new();
    let before = sample::seven_messages();
    record(&bench.open(), sample::other_run_id(), &before).await;
    let limited = format!("trap '' XFSZ; ulimit -f {BLOCKS}; exec \"$0\" \"$@\"");
    let recording = Command::new("sh")
        .args(["-c", &limited])
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", "store::tests::full::records_until_it_is_refused", "--nocapture"])
        .env(DIES_IN, &bench.path)
        .output()
        .unwrap();
    let printed = String::from_utf8(recording.stdout).unwrap();
    let acknowledged = printed.lines().filter_map(|line| line.strip_prefix(ACKNOWLEDGED)?.parse::<usize>().ok());
    let count = acknowledged.count();
    let refused: Vec<&str> = printed.lines().filter_map(|line| line.strip_prefix(REFUSED)).collect();
    assert!(count > 100 && refused.len() == 2, "{count} acknowledged, {refused:?}");
    for words in refused {
        assert!(words.starts_with("the trace store reported an error: "), "{words}");
    }

    let store = bench.open();
    let events = store.events(sample::run_id()).await.unwrap();
    let (end, recorded) = events.split_last().unwrap();
    assert_eq!(recorded, endless().take(count).collect::<Vec<_>>(), "all that was acknowledged, and no more");
    assert!(matches!(end.kind, EventKind::Ended { status: RunStatus::Interrupted, .. }));
    assert_eq!(store.events(sample::other_run_id()).await.unwrap(), before);
    let another = RunId(uuid::Uuid::from_u128(7));
    record(&store, another, &before).await;
    assert_eq!(store.events(another).await.unwrap(), before, "there is room again");
}

/// Does nothing, except when a test runs it in a separate process.
#[tokio::test]
async fn records_until_it_is_refused() {
    let Ok(path) = std::env::var(DIES_IN) else { return };
    let store = Store::open(&Utf8PathBuf::from(path), Clock::system()).unwrap();
    let mut refused = 0;
    for event in endless() {
        let seq = event.seq;
        // Refused events are tried again, as a recorder does.
        while let Err(error) = append(&store, sample::run_id(), event.clone()).await {
            println!("\n{REFUSED}{error}");
            refused += 1;
            if refused == 2 {
                return;
            }
        }
        println!("\n{ACKNOWLEDGED}{seq}");
    }
}
