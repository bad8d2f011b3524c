//! A run's events about the files that it changed.

use super::fakes::{Bench, calls, catalog, says};
use trace::{Change, Event, EventKind, Left, LeftSkill, Unkept};

fn left(events: &[Event]) -> Vec<&Left> {
    let left = events.iter().filter_map(|event| match &event.kind {
        EventKind::Left { left } => Some(left),
        _ => None,
    });
    left.collect()
}

fn told(left: &Left) -> Vec<(&str, Change, Option<&str>, Option<&str>)> {
    let told = left.files.iter().map(|file| {
        let [before, after] = [&file.before, &file.after].map(|content| content.as_ref()?.text.as_deref());
        (file.path.as_str(), file.change(), before, after)
    });
    told.collect()
}

fn run(path: &camino::Utf8Path) -> String {
    serde_json::json!({ "path": path, "arguments": "" }).to_string()
}

/// The skill is on disk, next to the folder of the run.
fn with_skill(bench: &mut Bench) -> (tempfile::TempDir, camino::Utf8PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = camino::Utf8PathBuf::try_from(folder.path().canonicalize().unwrap()).unwrap();
    std::fs::write(path.join("SKILL.md"), "# Demo").unwrap();
    bench.catalog = catalog();
    bench.catalog.skills[0].path = Some(path.clone());
    (folder, path)
}

#[tokio::test]
async fn a_turn_ends_with_the_files_that_it_created_changed_and_deleted() {
    let mut bench = Bench::new();
    let _skill = with_skill(&mut bench);
    std::fs::write(bench.path().join("kept"), "same").unwrap();
    std::fs::write(bench.path().join("changed"), "old").unwrap();
    std::fs::write(bench.path().join("deleted"), "gone").unwrap();
    let path = bench.script("mkdir out; echo new > out/new; echo new > changed; rm deleted");
    let events = bench.start(vec![calls(&[("a", "run", &run(&path))]), says("ok")]).events().await;
    let all = left(&events);
    let [left] = all[..] else { panic!("one turn: {all:?}") };
    let expected = [
        ("changed", Change::Changed, Some("old"), Some("new\n")),
        ("deleted", Change::Deleted, Some("gone"), None),
        ("out/new", Change::Created, None, Some("new\n")),
    ];
    assert_eq!(told(left), expected);
    assert_eq!(left.skills, [LeftSkill { name: "demo".into(), same: Some(true) }]);
    assert!(matches!(events[events.len() - 2].kind, EventKind::Left { .. }), "behind all else of the turn");
}

#[tokio::test]
async fn each_turn_is_compared_with_the_one_before() {
    let mut bench = Bench::new();
    bench.further = vec!["again"];
    let path = bench.script("echo more >> log.txt");
    let again = || calls(&[("a", "run", &run(&path))]);
    let events = bench.start(vec![again(), says("one"), again(), says("two")]).events().await;
    let told: Vec<_> = left(&events).into_iter().map(told).collect();
    let log = |change, before, after| vec![("log.txt", change, before, Some(after))];
    assert_eq!(told, [log(Change::Created, None, "more\n"), log(Change::Changed, Some("more\n"), "more\nmore\n")]);
}

#[tokio::test]
async fn what_was_written_and_deleted_again_is_listed_too() {
    let bench = Bench::new();
    let (path, other) = (bench.script("echo x > passing"), bench.path().join("other.sh"));
    std::fs::write(&other, "rm passing").unwrap();
    let answers = vec![calls(&[("a", "run", &run(&path)), ("b", "run", &run(&other))]), says("ok")];
    let events = bench.start(answers).events().await;
    let files = &left(&events)[0].files;
    assert_eq!((files.len(), files[0].path.as_str(), files[0].change()), (1, "passing", Change::Deleted));
    assert_eq!(files[0].before.as_ref().unwrap().unkept, Some(Unkept::Passing));
}

#[tokio::test]
async fn a_skill_that_changed_in_the_turn_is_named() {
    let mut bench = Bench::new();
    let (_skill, folder) = with_skill(&mut bench);
    let file = serde_json::json!({"effects": [
        {"type": "writeFile", "path": folder.join("notes.md"), "text": "mine"},
    ]});
    let events = bench.start(vec![calls(&[("a", "do", &file.to_string())]), says("ok")]).events().await;
    let left = left(&events)[0];
    assert_eq!(left.skills, [LeftSkill { name: "demo".into(), same: Some(false) }]);
    assert_eq!(left.files, [], "it is not in the folder of the run");
}

#[tokio::test]
async fn a_run_that_only_reads_leaves_nothing() {
    let bench = Bench::new();
    let events = bench.start(vec![calls(&[("a", "load", r#"{"skill":"demo"}"#)]), says("ok")]).events().await;
    assert_eq!(left(&events), Vec::<&Left>::new());
}

#[tokio::test]
async fn a_run_that_is_stopped_says_what_it_left() {
    let bench = Bench::new();
    let path = bench.script("echo begun > made.txt; sleep 300");
    let made = bench.path().join("made.txt");
    let started = bench.start(vec![calls(&[("a", "run", &run(&path))])]);
    let seen = tokio::task::spawn_blocking(move || {
        while !made.exists() {
            std::thread::yield_now();
        }
    });
    seen.await.unwrap();
    started.stop.cancel();
    let events = started.events().await;
    assert_eq!(left(&events)[0].files[0].path, "made.txt");
}
