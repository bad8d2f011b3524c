//! A stored run answers: the same steps under its own framework, and notes, not nonsense, under another.

use api::dto::{DiffArgs, ExportArgs, ImportArgs, NoArgs, RunArgs, RunExport, RunRequest};
use serde_json::Value;
use trace::{RunId, RunStatus, Step, StepKind};

use crate::examples::{Bench, notes, request, skills};

const PROMPT: &str = "How many pounds is 1 kilogram?";

fn recorded(run: RunId, harness: &str) -> RunRequest {
    RunRequest { harness: harness.into(), ..request(&format!("recorded:{run}"), PROMPT) }
}

/// Who said what, without the paths of scripts and who allowed them.
fn told(steps: &[Step]) -> Vec<String> {
    let line = |step: &Step| match &step.kind {
        StepKind::Prompt { text, .. } | StepKind::Note { text, .. } => text.clone(),
        StepKind::Answer { text, calls, finish, .. } => format!("{text} {calls:?} {finish:?}"),
        StepKind::Tool { call, reply, .. } => format!("{call:?} {reply:?}"),
        StepKind::End { status, error, .. } => format!("{status:?} {error:?}"),
    };
    steps.iter().map(line).collect()
}

/// Steps without what the clock says.
fn timeless(steps: &[Step]) -> Value {
    let mut steps = serde_json::to_value(steps).unwrap();
    for step in steps.as_array_mut().unwrap() {
        for key in ["at", "took"] {
            step[key].take();
        }
        step["kind"].as_object_mut().unwrap().remove("firstToken");
        if let Some(output) = step["kind"]["output"].as_object_mut() {
            output.remove("took");
        }
    }
    steps
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_replays_step_by_step_under_every_framework_that_recorded_it() {
    let bench = Bench::on(&skills()).await;
    let harnesses = bench.bench.harness_list(NoArgs {}).await.unwrap();
    for harness in harnesses.into_iter().filter(|harness| harness.runs) {
        let rehearsed = RunRequest { harness: harness.id.clone(), ..request("rehearsal", PROMPT) };
        let (run, _, steps) = bench.play(rehearsed).await;
        let (again, status, replayed) = bench.play(recorded(run, &harness.id)).await;
        let diff = bench.bench.run_diff(DiffArgs { a: run, b: again }).await.unwrap();
        assert_eq!((status, diff.first_divergence), (RunStatus::Done, None), "{}: {:?}", harness.id, notes(&replayed));
        if harness.id == "agent-framework" {
            assert_eq!(timeless(&replayed), timeless(&steps), "tokens too, as no path of the run is in its requests");
        }
        let setup = bench.bench.run_get(RunArgs { run: again }).await.unwrap().summary.setup;
        assert_eq!((setup.model, setup.rehearsal), (format!("recorded:{run}"), true));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_bundled_run_and_one_that_was_taken_in_replay_as_they_were() {
    let bench = Bench::on(&skills()).await;
    let sample = bench.bench.sample_run(NoArgs {}).await.unwrap();
    let text = bench.bench.run_export(ExportArgs { run: sample, format: RunExport::Jsonl }).await.unwrap();
    let id = "01934000-0000-7000-8000-00000000abcd";
    let taken_in = text.replacen(&sample.to_string(), id, 1);
    let imported = bench.bench.run_import(ImportArgs { text: taken_in }).await.unwrap();
    assert_eq!(imported.to_string(), id);
    for run in [sample, imported] {
        let (_, status, steps) = bench.play(recorded(run, "agent-framework")).await;
        let before = bench.bench.run_get(RunArgs { run }).await.unwrap().steps;
        assert_eq!((status, told(&steps)), (RunStatus::Done, told(&before)));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn under_another_framework_it_tells_what_differs_and_goes_on() {
    let bench = Bench::on(&skills()).await;
    let sample = bench.bench.sample_run(NoArgs {}).await.unwrap();
    let (again, status, steps) = bench.play(recorded(sample, "agentscope")).await;
    let error = bench.bench.run_get(RunArgs { run: again }).await.unwrap().summary.error;
    assert_eq!((status, error), (RunStatus::Done, None), "it comes to the recorded answer");
    let notes = notes(&steps);
    assert_eq!(
        notes,
        [
            "this request is not the one that was answered when the run was recorded: message 1 is the user's, and was the \
             system's"
        ],
        "what stays different is told once"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn it_fails_plainly_where_the_recording_has_no_further_answer() {
    let bench = Bench::on(&skills()).await;
    let sample = bench.bench.sample_run(NoArgs {}).await.unwrap();
    let text = bench.bench.run_export(ExportArgs { run: sample, format: RunExport::Jsonl }).await.unwrap();
    // Up to the first call's reply.
    let cut = text.lines().take_while(|line| !line.contains(r#""turn":1"#)).collect::<Vec<_>>().join("\n");
    let cut = cut.replacen(&sample.to_string(), "01934000-0000-7000-8000-00000000abcd", 1);
    let run = bench.bench.run_import(ImportArgs { text: cut }).await.unwrap();
    let (again, status, _) = bench.play(recorded(run, "agent-framework")).await;
    let error = bench.bench.run_get(RunArgs { run: again }).await.unwrap().summary.error;
    assert_eq!(status, RunStatus::Failed);
    assert_eq!(
        error.as_deref(),
        Some("the recording has one answer for the run's own conversation, and no second one")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_missing_run_is_reported_before_anything_starts() {
    let bench = Bench::on(&skills()).await;
    for id in ["01934000-0000-7000-8000-00000000abcd", "nonsense"] {
        let error = bench.bench.run_start(request(&format!("recorded:{id}"), PROMPT)).await.unwrap_err();
        assert_eq!(error.message, format!("there is no run `{id}` to take answers from"));
    }
}
