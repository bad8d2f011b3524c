//! The text that a model gets after a refusal with a reason, under every framework and client: its own words, complete.

use std::collections::BTreeSet;

use api::dto::{DecideArgs, ExportArgs, NoArgs, Push, RunExport, RunMeans, RunRequest};
use camino::Utf8PathBuf;
use harness::Effect;
use trace::{Decision, EventKind, RunId, RunStatus};

use crate::examples::{Bench, request, skills};
use crate::rechecks::copy;

const PROMPT: &str = "How many pounds is 1 kilogram?";
const REASON: &str = "not on a Sunday";

/// A scene that causes a question under each of them, with its own tools if it has any.
const SCENE: &str = "prompt: How many pounds is 1 kilogram?
steps:
  - {activate: unit-converter}
  - {read: references/conversion-table.md}
  - {run: scripts/convert.py, with: {value: 1, factor: 2.20462}}
  - {call: execute_shell_command, with: {command: ls}}
  - {call: execute, with: {command: ls}}
  - {call: bash, with: {command: ls}}
  - {call: write_file, with: {file_path: /etc/made, path: /etc/made, content: x}}
  - {call: read_file, with: {file_path: /etc/hostname, path: /etc/hostname}}
  - {call: file_read, with: {path: /etc/hostname, mode: view}}
  - {call: file_write, with: {path: /etc/made, content: x}}
  - {call: shell, with: {command: ls}}
  - {call: Read, with: {file_path: /etc/hostname}}
  - {call: read, with: {filePath: /etc/hostname}}
  - {call: view_text_file, with: {file_path: /etc/hostname}}
  - {call: execute_shell_command, with: {command: python3 scripts/convert.py}}
  - {call: convert, with: {value: 1}}
  - {say: No.}
";

/// AgentScope can run only what it is set up with: a shell, and tools that come with a skill.
const PROJECT: &str = "harnesses:
  agentscope: {codeExecution: true}
toolGroups:
  - skill: unit-converter
    tools:
      - {name: convert, description: Convert., script: scripts/convert.py, parameters: {type: object, properties: {value: {type: number}}}}
";

/// Denies whatever would run or be shown.
async fn denied(bench: &Bench, request: RunRequest) -> RunId {
    let run = bench.bench.run_start(request).await.unwrap();
    loop {
        let Push::RunUpdate(update) = tokio::task::block_in_place(|| bench.pushes.recv()).unwrap() else { continue };
        if update.run != run {
            continue;
        }
        for question in update.steps.iter().filter_map(|step| step.question) {
            let decision = Decision::Deny { reason: Some(REASON.into()) };
            bench.bench.run_decide(DecideArgs { run, question, decision, remember: None }).await.unwrap();
        }
        if update.status != RunStatus::Running {
            return run;
        }
    }
}

/// The questions, the texts for the model after them, and further notes for readers.
async fn read(bench: &Bench, run: RunId) -> BTreeSet<String> {
    let text = bench.bench.run_export(ExportArgs { run, format: RunExport::Jsonl }).await.unwrap();
    let events = trace::export::from_jsonl(&text).unwrap().1;
    let mut asked = String::new();
    let mut found = BTreeSet::new();
    for event in events {
        match event.kind {
            // No model gets an answer about effects that a framework asks for by itself.
            EventKind::ApprovalAsked { call_id, .. } if call_id.starts_with("before-request") => {}
            EventKind::ApprovalAsked { effect, .. } => {
                asked = match effect {
                    Effect::RunScript { .. } => "script",
                    Effect::Shell { .. } => "command",
                    Effect::Disclose { .. } => "disclosure",
                    Effect::ReadFile { .. } => "file",
                    Effect::WriteFile { .. } => "write",
                    Effect::ListFolder { .. } => "folder",
                    other => panic!("{other:?}"),
                }
                .to_owned();
            }
            EventKind::Replied { text, wire, .. } if !asked.is_empty() => {
                found.insert(format!("{}: {}", std::mem::take(&mut asked), wire.unwrap_or(text)));
            }
            EventKind::Ended { error: Some(error), .. } if !asked.is_empty() => {
                found.insert(format!("{}: ended: {error}", std::mem::take(&mut asked)));
            }
            EventKind::Noted { text, .. } if text.contains("refused") => {
                found.insert(format!("note: {text}"));
            }
            _ => {}
        }
    }
    found
}

#[tokio::test(flavor = "multi_thread")]
async fn every_framework_and_client_says_no_in_its_own_words() {
    let folder = tempfile::tempdir().unwrap();
    let root = Utf8PathBuf::try_from(folder.path().canonicalize().unwrap()).unwrap();
    copy(&skills().join("unit-converter"), &root.join("unit-converter"));
    std::fs::create_dir_all(root.join(".workbench/screenplays")).unwrap();
    std::fs::write(root.join(".workbench/screenplays/no.yaml"), SCENE).unwrap();
    std::fs::write(root.join("workbench.yaml"), PROJECT).unwrap();
    let bench = Bench::on(&root).await;
    let harnesses = bench.bench.harness_list(NoArgs {}).await.unwrap();
    let mut said = Vec::new();
    for harness in harnesses.iter().filter(|harness| harness.runs) {
        for variant in &harness.variants {
            let (id, variant) = (harness.id.clone(), variant.id.clone());
            let asked = RunRequest {
                harness: id.clone(),
                variant: Some(variant.clone()),
                means: RunMeans { ask_all: true, ..RunMeans::default() },
                ..request("rehearsal", PROMPT)
            };
            let run = denied(&bench, asked).await;
            let found = read(&bench, run).await;
            said.extend(found.into_iter().map(|line| format!("{id} {variant}: {line}")));
        }
    }
    let asks: BTreeSet<&str> = said.iter().filter_map(|line| line.split_once(' ').map(|(id, _)| id)).collect();
    let runs: BTreeSet<&str> = harnesses.iter().filter(|harness| harness.runs).map(|harness| &*harness.id).collect();
    assert_eq!(asks, runs, "each of them asks somewhere");
    let expected = include_str!("denials.txt");
    assert_eq!(said.join("\n"), expected.trim_end());
}
