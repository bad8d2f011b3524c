//! The calls of recorded runs against the skills as they are now, under every framework.

use api::dto::{CheckRunArgs, ExportArgs, ImportArgs, NoArgs, PlayAgainArgs, RunCheck, RunExport, RunRequest};
use camino::Utf8Path;
use trace::RunId;
use trace::check::Checked;

use crate::examples::{Bench, request, skills};

const PROMPT: &str = "How many pounds is 1 kilogram?";

pub fn copy(from: &Utf8Path, to: &Utf8Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in from.read_dir_utf8().unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(entry.path(), &to)
        } else {
            std::fs::copy(entry.path(), to).map(drop).unwrap()
        }
    }
}

async fn checked(bench: &Bench, run: RunId, played: Option<RunId>) -> RunCheck {
    bench.bench.run_check(CheckRunArgs { run, roots: None, played }).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_changed_since_is_found_under_every_framework_and_nothing_is_run() {
    let folder = tempfile::tempdir().unwrap();
    let root = Utf8Path::from_path(folder.path()).unwrap().canonicalize_utf8().unwrap();
    copy(&skills(), &root);
    let bench = Bench::on(&root).await;
    let manual = root.join("unit-converter/SKILL.md");
    let text = std::fs::read_to_string(&manual).unwrap();
    let harnesses = bench.bench.harness_list(NoArgs {}).await.unwrap();
    for harness in harnesses.into_iter().filter(|harness| harness.group == harness::Group::Framework) {
        let rehearsed = RunRequest { harness: harness.id.clone(), ..request("rehearsal", PROMPT) };
        let (run, _, _) = bench.play(rehearsed).await;
        let found = checked(&bench, run, None).await;
        let kinds = |found: &RunCheck| {
            let of = |is_it: fn(&Checked) -> bool| found.calls.iter().filter(|call| is_it(&call.result)).count();
            (of(|result| matches!(result, Checked::Same)), of(|result| matches!(result, Checked::NotRun { .. })))
        };
        // Learn Claude Code reads files with the shell, and this AgentScope reads scripts.
        let expected = match &*harness.id {
            "learn-claude-code" => (1, 2),
            "agentscope" => (3, 0),
            // Its instructions are after the reply.
            "strands" => (1, 1),
            _ => (2, 1),
        };
        assert_eq!((found.bad, kinds(&found)), (0, expected), "{}: {:?}", harness.id, found.calls);

        std::fs::write(&manual, format!("{text}\nRound to two digits.\n")).unwrap();
        let found = checked(&bench, run, None).await;
        let changed = |call: &Checked| matches!(call, Checked::Changed { now, .. } if now.contains("two digits"));
        // Strands puts instructions behind the reply, as words of the user.
        if harness.id != "strands" {
            assert!(changed(&found.calls[0].result), "{}: {:?}", harness.id, found.calls);
            assert_eq!(found.bad, 1, "{}", harness.id);
        }
        std::fs::remove_file(&manual).unwrap();
        let found = checked(&bench, run, None).await;
        let gone = matches!(found.calls[0].result, Checked::Unresolved { .. });
        assert!(gone, "{}: {:?}", harness.id, found.calls);
        std::fs::write(&manual, &text).unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_is_played_again_is_compared_with_its_record() {
    let bench = Bench::on(&skills()).await;
    let (run, _, _) = bench.play(request("rehearsal", PROMPT)).await;
    let again = bench.bench.run_play_again(PlayAgainArgs { run, roots: None, sandbox: None, ask_all: false }).await;
    let (played, _, _) = bench.to_end(again.unwrap()).await;
    let found = checked(&bench, run, Some(played)).await;
    assert!(found.calls.iter().all(|call| call.result == Checked::Same), "{:?}", found.calls);
    let refused =
        bench.bench.run_check(CheckRunArgs { run: played, roots: None, played: Some(run) }).await.unwrap_err();
    assert!(refused.message.contains("was not answered from the record of run"), "{}", refused.message);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_from_elsewhere_is_checked_on_the_open_folders() {
    let bench = Bench::on(&skills()).await;
    let (run, _, _) = bench.play(request("rehearsal", PROMPT)).await;
    let text = bench.bench.run_export(ExportArgs { run, format: RunExport::Jsonl }).await.unwrap();
    let id = "01934000-0000-7000-8000-00000000abcd";
    let there = text.replace(&run.to_string(), id).replace(skills().as_str(), "/home/ada/skills");
    let taken = bench.bench.run_import(ImportArgs { text: there }).await.unwrap();
    let found = checked(&bench, taken, None).await;
    assert_eq!((found.bad, found.roots), (0, vec![skills().to_string()]), "{:?}", found.calls);
}
