//! Exports, saved where the packages of the formats check them: `tests/sdk/exports.py`.

use std::fs;
use std::path::Path;

use api::Workbench;
use api::dto::{ExportArgs, ImportFileArgs, NoArgs, RunExport};
use serde_json::Value;
use trace::{Foreign, RunId};

use crate::examples::{Bench, skills};

const EXPORTS: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/exports");
const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/foreign");

const FORMATS: [(RunExport, &str); 3] = [
    (RunExport::Openai, "openai.jsonl"),
    (RunExport::Anthropic, "anthropic.json"),
    (RunExport::Inspect, "inspect.json"),
];

/// The sample, and the first run of each file of others, by its name.
async fn runs_of_every_kind(bench: &Workbench) -> Vec<(String, RunId)> {
    let mut runs = vec![("own".to_owned(), bench.sample_run(NoArgs {}).await.unwrap())];
    for entry in fs::read_dir(FIXTURES).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if name == "README.md" {
            continue;
        }
        let args = ImportFileArgs { path: path.to_str().unwrap().into(), from: None, import: name.clone() };
        runs.push((name, bench.run_import_file(args).await.unwrap().first().unwrap()));
    }
    assert!(runs.len() > 10, "{runs:?}");
    runs.sort();
    runs
}

#[tokio::test(flavor = "multi_thread")]
async fn runs_of_every_kind_are_left_in_every_form_of_others() {
    let Bench { bench, home: _home, .. } = Bench::on(&skills()).await;
    let runs = runs_of_every_kind(&bench).await;
    // It may not exist yet.
    let _ = fs::remove_dir_all(EXPORTS);
    fs::create_dir_all(EXPORTS).unwrap();
    for (name, run) in runs {
        for (format, suffix) in FORMATS {
            let text = bench.run_export(ExportArgs { run, format }).await.unwrap();
            fs::write(Path::new(EXPORTS).join(format!("{name}.{suffix}")), text).unwrap();
        }
    }
}

/// The part of an export that says what was said.
fn said(format: RunExport, text: &str) -> Value {
    let mut whole: Value = serde_json::from_str(text.lines().collect::<Vec<_>>().join("\n").trim()).unwrap();
    match format {
        RunExport::Inspect => {
            let mut messages = whole["samples"][0]["messages"].take();
            // Another log numbers its messages from the start again.
            for message in messages.as_array_mut().unwrap() {
                message.as_object_mut().unwrap().remove("id");
            }
            messages
        }
        _ => whole,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_exported_says_the_same_once_it_was_imported() {
    let Bench { bench, home: _home, .. } = Bench::on(&skills()).await;
    let Bench { bench: other, home: _other, .. } = Bench::on(&skills()).await;
    let mut differ = Vec::new();
    for (name, run) in runs_of_every_kind(&bench).await {
        let own = bench.run_export(ExportArgs { run, format: RunExport::Jsonl }).await.unwrap();
        let copy = other.import_text(own.clone(), None).await.unwrap().first().unwrap();
        let again = other.run_export(ExportArgs { run: copy, format: RunExport::Jsonl }).await.unwrap();
        assert!(again == own, "{name}: our own format loses nothing");
        for (format, from) in [
            (RunExport::Openai, Foreign::OpenaiChat),
            (RunExport::Anthropic, Foreign::AnthropicMessages),
            (RunExport::Inspect, Foreign::Inspect),
        ] {
            let text = bench.run_export(ExportArgs { run, format }).await.unwrap();
            let copy = other.import_text(text.clone(), Some(from)).await.unwrap().first().unwrap();
            let again = other.run_export(ExportArgs { run: copy, format }).await.unwrap();
            let (was, is) = (said(format, &text), said(format, &again));
            if was != is {
                differ.push((format!("{name} {format:?}"), was, is));
            }
        }
    }
    // Its prompt comes in two texts, which are one prompt here.
    let [(name, was, is)] = &mut differ[..] else { panic!("{differ:?}") };
    assert_eq!(name, "codex.jsonl Anthropic");
    let told = |value: &mut Value| value["messages"][0].take();
    let joined = |message: Value| -> String {
        message["content"].as_array().unwrap().iter().filter_map(|part| part["text"].as_str()).collect()
    };
    assert_eq!(joined(told(was)), joined(told(is)));
    assert_eq!(was, is);
}
