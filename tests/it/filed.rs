//! Files that a tool hands to the model: from the disk to the request, the steps, the context, the exports, and a run that goes
//! on.

use std::fs;

use api::dto::{ContinueArgs, ExportArgs, ImportArgs, RunArgs, RunExport, RunMeans, RunRequest, StepArgs};
use camino::{Utf8Path, Utf8PathBuf};
use model::{Document, Role};
use serde_json::{Value, json};
use trace::{RunId, RunStatus, Step, StepKind};

use crate::examples::{Bench, notes, request};

const MANIFEST: &str =
    "---\nname: numbers\ndescription: Knows numbers. Use it if the user asks for numbers.\n---\nRead them.\n";
const SCENE: &str = "prompt: What do they say?\nsteps:\n- activate: numbers\n- call: file_read\n  with: {path: 'FOLDER/a.csv,FOLDER/b.pdf', mode: document}\n- say: Two numbers.\n";

/// A skill with a table and a PDF, and a scene in which the model is handed both.
async fn bench() -> (Bench, String, tempfile::TempDir) {
    let guard = tempfile::tempdir().unwrap();
    let skill = Utf8Path::from_path(guard.path()).unwrap().canonicalize_utf8().unwrap().join("skills/numbers");
    fs::create_dir_all(&skill).unwrap();
    for (path, bytes) in [("SKILL.md", MANIFEST.as_bytes()), ("a.csv", b"one,2\n"), ("b.pdf", b"%PDF-1.4\n")] {
        fs::write(skill.join(path), bytes).unwrap();
    }
    let bench = Bench::on(skill.parent().unwrap()).await;
    let scene = Utf8PathBuf::try_from(bench.home.path().join("scene.yaml")).unwrap();
    fs::write(&scene, SCENE.replace("FOLDER", skill.as_str())).unwrap();
    (bench, scene.into_string(), guard)
}

fn played(scene: String) -> RunRequest {
    RunRequest {
        harness: "strands".into(),
        variant: Some("seed".into()),
        screenplay: Some(scene),
        ..request("rehearsal", "What do they say?")
    }
}

fn handed(steps: &[Step]) -> Vec<Document> {
    let documents = steps.iter().filter_map(|step| match &step.kind {
        StepKind::Tool { documents, .. } => Some(documents.clone()),
        _ => None,
    });
    documents.flatten().collect()
}

/// The files in the context at the last step, by who says them.
async fn shown(bench: &Bench, run: RunId, steps: &[Step]) -> Vec<(Role, Document)> {
    let step = steps.last().unwrap().index;
    let context = bench.bench.step_context(StepArgs { run, step }).await.unwrap();
    assert!(context.exact);
    let of = context.messages.into_iter().flat_map(|message| {
        let role = message.role;
        message.documents.into_iter().map(move |document| (role, document))
    });
    of.collect()
}

async fn export(bench: &Bench, run: RunId, format: RunExport) -> String {
    bench.bench.run_export(ExportArgs { run, format }).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_is_handed_files_and_the_run_goes_on_with_them() {
    let (bench, scene, _guard) = bench().await;
    let (run, status, steps) = bench.play(played(scene)).await;
    assert_eq!(status, RunStatus::Done, "{:?}", steps.last());
    let files = handed(&steps);
    let told: Vec<_> =
        files.iter().map(|file| (file.name.split_once('-').unwrap().0, file.format.as_str(), file.bytes())).collect();
    let (csv, pdf) = (Some(b"one,2\n".to_vec()), Some(b"%PDF-1.4\n".to_vec()));
    assert_eq!(told, [("a", "csv", csv), ("b", "pdf", pdf)]);
    assert_ne!(files[0].name.split_once('-').unwrap().1, files[1].name.split_once('-').unwrap().1);
    let in_context: Vec<_> = files.iter().cloned().map(|file| (Role::Tool, file)).collect();
    assert_eq!(shown(&bench, run, &steps).await, in_context);
    let reply =
        steps.iter().find(|step| matches!(&step.kind, StepKind::Tool { documents, .. } if !documents.is_empty()));
    assert_eq!(reply.unwrap().added_tokens, files.iter().map(Document::tokens).sum::<u32>());

    let more = ContinueArgs {
        run,
        roots: None,
        harness: None,
        model: None,
        prompt: "And now?".into(),
        images: Vec::new(),
        means: RunMeans::default(),
    };
    let further = bench.bench.run_continue(more).await.unwrap();
    let (_, status, steps) = bench.to_end(further).await;
    assert_eq!(status, RunStatus::Done, "{:?}", steps.last());
    assert!(notes(&steps).is_empty(), "the record is what the framework does now: {:?}", notes(&steps));
    assert_eq!(shown(&bench, further, &steps).await, in_context);

    let text = export(&bench, further, RunExport::Jsonl).await;
    bench.bench.run_delete(RunArgs { run: further }).await.unwrap();
    let again = bench.bench.run_import(ImportArgs { text }).await.unwrap();
    assert_eq!(bench.bench.run_get(RunArgs { run: again }).await.unwrap().steps, steps);
    assert_eq!(shown(&bench, again, &steps).await, in_context);
}

#[tokio::test(flavor = "multi_thread")]
async fn exports_name_files_or_hold_them_as_the_protocol_does_and_are_read_back() {
    let (bench, scene, _guard) = bench().await;
    let (run, _, steps) = bench.play(played(scene)).await;
    let files = handed(&steps);
    let [csv, pdf] = &files[..] else { panic!("{files:?}") };

    let markdown = export(&bench, run, RunExport::Markdown).await;
    for file in &files {
        assert!(markdown.contains(&format!("File: {}", file.described())), "{markdown}");
        assert!(!markdown.contains(&file.data), "{markdown}");
    }

    let parsed = |text: &str| serde_json::from_str::<Value>(text).unwrap();
    let openai = export(&bench, run, RunExport::Openai).await;
    let result = |messages: &Value, of: &dyn Fn(&Value) -> bool| {
        messages.as_array().unwrap().iter().find(|message| of(message)).unwrap()["content"].clone()
    };
    let has_file = |message: &Value| message["role"] == "tool" && message["content"].is_array();
    let file = |file: &Document| json!({"type": "file", "file": {"filename": file.name, "file_data": file.data_url()}});
    assert_eq!(result(&parsed(&openai)["messages"], &has_file), json!([file(csv), file(pdf)]));

    let anthropic = export(&bench, run, RunExport::Anthropic).await;
    let has_file = |message: &Value| message["content"][0]["content"].is_array();
    let blocks = result(&parsed(&anthropic)["messages"], &has_file)[0]["content"].take();
    let text = json!({"type": "text", "media_type": "text/plain", "data": "one,2\n"});
    let base64 = json!({"type": "base64", "media_type": "application/pdf", "data": pdf.data});
    assert_eq!(
        blocks,
        json!([
            {"type": "document", "source": text, "title": csv.name},
            {"type": "document", "source": base64, "title": pdf.name},
        ])
    );

    for (text, format) in [(openai, "csv"), (anthropic, "txt")] {
        let taken_in = bench.bench.run_import(ImportArgs { text }).await.unwrap();
        let steps = bench.bench.run_get(RunArgs { run: taken_in }).await.unwrap().steps;
        let as_read = Document { format: format.into(), ..csv.clone() };
        assert_eq!(handed(&steps), [as_read, pdf.clone()]);
    }
}
