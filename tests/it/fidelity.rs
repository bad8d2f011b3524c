//! A framework that would read outside of the folders that the user opened: refused, with a note, unless the user wants
//! the framework's real behaviour.

use api::dto::{ExportArgs, ForkArgs, ImportArgs, RunArgs, RunExport, RunMeans, RunRequest};
use camino::{Utf8Path, Utf8PathBuf};
use trace::{Event, EventKind, RunId, RunStatus};

use crate::examples::{Bench, request, skills};
use crate::forks::fork_of;
use crate::rechecks::copy;
use crate::turns::says;

const PROMPT: &str = "What is in the note?";
const SECRET: &str = "canary-51c09e";

/// A skill in an open folder, and files next to that.
struct Scene {
    _folder: tempfile::TempDir,
    root: Utf8PathBuf,
    note: Utf8PathBuf,
    key: Utf8PathBuf,
}

impl Scene {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let base = Utf8PathBuf::try_from(folder.path().canonicalize().unwrap()).unwrap();
        let (root, note, key) = (base.join("skills"), base.join("note.txt"), base.join("server.key"));
        copy(&skills().join("unit-converter"), &root.join("unit-converter"));
        std::fs::create_dir_all(root.join(".workbench/screenplays")).unwrap();
        for file in [&note, &key] {
            std::fs::write(file, SECRET).unwrap();
        }
        let calls: String = [&note, &key]
            .map(|path| format!("  - {{call: file_read, with: {{path: '{path}', mode: view}}}}\n"))
            .concat();
        let scene = format!("prompt: {PROMPT}\nsteps:\n{calls}  - {{say: Done.}}\n");
        std::fs::write(root.join(".workbench/screenplays/note.yaml"), scene).unwrap();
        Self { _folder: folder, root, note, key }
    }

    fn request(&self, fidelity: Option<bool>) -> RunRequest {
        RunRequest {
            harness: "strands".into(),
            variant: Some("demo-repo".into()),
            means: fidelity_of(fidelity),
            ..request("rehearsal", PROMPT)
        }
    }
}

fn fidelity_of(fidelity: Option<bool>) -> RunMeans {
    RunMeans { fidelity, ..RunMeans::default() }
}

async fn events(bench: &Bench, run: RunId) -> Vec<Event> {
    trace::export::from_jsonl(&exported(bench, run).await).unwrap().1
}

async fn exported(bench: &Bench, run: RunId) -> String {
    bench.bench.run_export(ExportArgs { run, format: RunExport::Jsonl }).await.unwrap()
}

fn replies(events: &[Event]) -> Vec<&str> {
    events
        .iter()
        .filter_map(|event| match &event.kind {
            EventKind::Replied { text, .. } => Some(text.as_str()),
            _ => None,
        })
        .collect()
}

/// In both languages.
fn notes(events: &[Event]) -> Vec<(&str, &str)> {
    events
        .iter()
        .filter_map(|event| match &event.kind {
            EventKind::Noted { text, zh: Some(zh), .. } => Some((text.as_str(), zh.as_str())),
            _ => None,
        })
        .collect()
}

fn asked(events: &[Event]) -> usize {
    events.iter().filter(|event| matches!(event.kind, EventKind::ApprovalAsked { .. })).count()
}

async fn has_fidelity(bench: &Bench, run: RunId) -> bool {
    bench.bench.run_get(RunArgs { run }).await.unwrap().summary.setup.fidelity
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_framework_would_read_elsewhere_is_refused_and_said() {
    let scene = Scene::new();
    let bench = Bench::on(&scene.root).await;
    for fidelity in [None, Some(false)] {
        let (run, status, _) = bench.play(scene.request(fidelity)).await;
        let events = events(&bench, run).await;
        assert_eq!((status, asked(&events), has_fidelity(&bench, run).await), (RunStatus::Done, 0, false));
        assert!(!exported(&bench, run).await.contains(SECRET), "the model is given nothing of it");
        let notes = notes(&events);
        assert_eq!(notes.len(), 2, "{notes:?}");
        let says = |(en, zh): &(&str, &str), path: &Utf8Path| {
            en.starts_with(&format!("Strands Agents reads {path}, outside of"))
                && en.contains("--fidelity")
                && zh.starts_with(&format!("Strands Agents 会读取 {path}"))
        };
        assert!(says(&notes[0], &scene.note) && says(&notes[1], &scene.key), "{notes:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn with_fidelity_the_model_is_given_it_and_no_key() {
    let scene = Scene::new();
    let bench = Bench::on(&scene.root).await;
    let (run, status, _) = bench.play(scene.request(Some(true))).await;
    let recorded = events(&bench, run).await;
    assert_eq!((status, asked(&recorded), has_fidelity(&bench, run).await), (RunStatus::Done, 0, true));
    let replies = replies(&recorded);
    assert!(replies[0].contains(SECRET) && !replies[1].contains(SECRET), "{replies:?}");
    let notes = notes(&recorded);
    assert!(notes[0].0.ends_with("(fidelity)") && notes[1].0.contains("no model is given it"), "{notes:?}");

    let (fork, _, _) = bench.fork(fork_of(run, 1)).await;
    assert!(has_fidelity(&bench, fork).await, "a fork keeps it");
    let (fork, _, _) = bench.fork(ForkArgs { means: fidelity_of(Some(false)), ..fork_of(run, 1) }).await;
    assert!(!has_fidelity(&bench, fork).await, "unless the user says otherwise");

    let text = exported(&bench, run).await;
    let goes_on = bench.bench.run_continue(says(run, PROMPT)).await.unwrap();
    let (run, _, _) = bench.to_end(goes_on).await;
    assert!(continued(&events(&bench, run).await), "a run that goes on keeps it");

    let elsewhere = Bench::on(&scene.root).await;
    let taken_in = elsewhere.bench.run_import(ImportArgs { text }).await.unwrap();
    assert!(has_fidelity(&elsewhere, taken_in).await, "so it was recorded");
    let goes_on = elsewhere.bench.run_continue(says(taken_in, PROMPT)).await.unwrap();
    let (run, _, _) = elsewhere.to_end(goes_on).await;
    assert!(!continued(&events(&elsewhere, run).await), "a record from elsewhere opens nothing");
}

/// Whether the last thing that was said was said with fidelity.
fn continued(events: &[Event]) -> bool {
    let last = events.iter().rev().find_map(|event| match &event.kind {
        EventKind::Continued { setup } => Some(setup.fidelity),
        _ => None,
    });
    last.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn no_project_file_turns_it_on() {
    let scene = Scene::new();
    for text in ["fidelity: true\n", "sandbox: {fidelity: true}\n", "sandbox: {fidelity: on}\n"] {
        std::fs::write(scene.root.join("workbench.yaml"), text).unwrap();
        let bench = Bench::on(&scene.root).await;
        let refused = bench.bench.run_start(scene.request(None)).await;
        assert!(refused.is_err(), "{text}");
    }
}
