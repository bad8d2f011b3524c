//! Conversations of several turns of the user under every framework: what each keeps from one turn to the next.

use std::fs;

use api::dto::{
    ContinueArgs, DiffArgs, ExportArgs, ImportArgs, NoArgs, Push, RunArgs, RunExport, RunMeans, RunRequest, StepArgs,
};
use camino::{Utf8Path, Utf8PathBuf};
use harness::Harness;
use model::Role;
use trace::{ContextAtStep, RunId, RunStatus, Step, StepKind};

use crate::examples::{Bench, notes, request, skills};

pub const SCENE: &str = "\
prompt: How many pounds is 1 kilogram?
steps:
- activate: unit-converter
- read: references/conversion-table.md
- say: About 2.2.
- prompt: And how many kilometres is a mile?
- read: references/conversion-table.md
- run: scripts/convert.py
  with: {value: 1, factor: 1.609344}
- say: 1.609344.
- prompt: Thanks.
- say: You are welcome.
";

fn scene(folder: &Utf8Path) -> Utf8PathBuf {
    let path = folder.join("scene.yaml");
    fs::write(&path, SCENE).unwrap();
    path
}

fn in_folder(bench: &Bench) -> Utf8PathBuf {
    Utf8PathBuf::try_from(bench.home.path().to_owned()).unwrap()
}

pub fn says(run: RunId, prompt: &str) -> ContinueArgs {
    ContinueArgs {
        run,
        roots: None,
        harness: None,
        model: None,
        prompt: prompt.into(),
        images: Vec::new(),
        means: RunMeans::default(),
    }
}

impl Bench {
    /// Says more in a run, to its end.
    async fn go_on(&self, run: RunId, prompt: &str) -> (RunId, RunStatus, Vec<Step>) {
        let run = self.bench.run_continue(says(run, prompt)).await.unwrap();
        self.to_end(run).await
    }

    /// What the model is shown at a step.
    async fn context(&self, run: RunId, step: &Step) -> ContextAtStep {
        self.bench.step_context(StepArgs { run, step: step.index }).await.unwrap()
    }
}

fn last_answer(steps: &[Step]) -> &Step {
    steps.iter().rfind(|step| step.within.is_none() && matches!(step.kind, StepKind::Answer { .. })).unwrap()
}

pub fn variants() -> Vec<(&'static dyn Harness, &'static str)> {
    let of =
        |harness: &'static dyn Harness| harness.profile().variants.iter().map(move |variant| (harness, variant.id));
    harness::all().iter().copied().filter(|harness| harness.profile().runs).flat_map(of).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn three_turns_play_under_every_framework_and_the_run_goes_on_exactly() {
    let bench = Bench::on(&skills()).await;
    let screenplay = scene(&in_folder(&bench));
    for (harness, variant) in variants() {
        let id = harness.profile().id;
        let name = format!("{id} {variant}");
        let scene = RunRequest {
            harness: id.into(),
            variant: Some(variant.into()),
            screenplay: Some(screenplay.to_string()),
            ..request("rehearsal", "How many pounds is 1 kilogram?")
        };
        let (run, status, steps) = bench.play(scene).await;
        assert_eq!(status, RunStatus::Done, "{name}: {:?}", steps.last());
        let prompts = steps.iter().filter(|step| matches!(step.kind, StepKind::Prompt { .. })).count();
        assert_eq!(prompts, 3, "{name}");
        let before = bench.context(run, last_answer(&steps)).await;

        let text = bench.bench.run_export(ExportArgs { run, format: RunExport::Jsonl }).await.unwrap();
        let (_, status, steps) = bench.go_on(run, "And a stone?").await;
        assert_eq!((status, notes(&steps)), (RunStatus::Done, Vec::new()), "{name}: it is as it was");
        let after = bench.context(run, last_answer(&steps)).await;
        // A framework may put its own message at the end of each request.
        let said = |context: &ContextAtStep| {
            let messages = context.messages.iter().filter(|message| message.role != Role::System);
            messages.map(|message| (message.role, message.text.clone())).collect::<Vec<_>>()
        };
        let (was, is) = (said(&before), said(&after));
        assert_eq!(is[..was.len()], was, "{name}: it begins with what was sent");
        let more = [(Role::Assistant, "You are welcome.".into()), (Role::User, "And a stone?".into())];
        assert_eq!(is[was.len()..], more, "{name}");
        let tools = |context: &ContextAtStep| context.tools.iter().map(|tool| tool.json.clone()).collect::<Vec<_>>();
        assert_eq!(tools(&after), tools(&before), "{name}: groups that are open stay open");

        // The same in another place, which has the record alone.
        let other = Bench::on(&skills()).await;
        let taken_in = other.bench.run_import(ImportArgs { text }).await.unwrap();
        let (_, status, steps) = other.go_on(taken_in, "And a stone?").await;
        let there = other.context(taken_in, last_answer(&steps)).await;
        assert_eq!((status, said(&there)), (RunStatus::Done, is), "{name}: {:?}", notes(&steps));
        let unexpected: Vec<_> =
            notes(&steps).into_iter().filter(|note| note.contains("cannot be gone through")).collect();
        assert_eq!(unexpected, Vec::<&str>::new(), "{name}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_recorded_conversation_is_answered_again_turn_by_turn() {
    let bench = Bench::on(&skills()).await;
    let screenplay = scene(&in_folder(&bench));
    let harnesses = bench.bench.harness_list(NoArgs {}).await.unwrap();
    for harness in harnesses.into_iter().filter(|harness| harness.runs) {
        let scene = RunRequest {
            harness: harness.id.clone(),
            screenplay: Some(screenplay.to_string()),
            ..request("rehearsal", "How many pounds is 1 kilogram?")
        };
        let (run, ..) = bench.play(scene).await;
        let recorded = RunRequest {
            harness: harness.id.clone(),
            ..request(&format!("recorded:{run}"), "How many pounds is 1 kilogram?")
        };
        let (again, status, steps) = bench.play(recorded).await;
        let diff = bench.bench.run_diff(DiffArgs { a: run, b: again }).await.unwrap();
        assert_eq!((status, diff.first_divergence), (RunStatus::Done, None), "{}: {:?}", harness.id, notes(&steps));
        let exported = bench.bench.run_export(ExportArgs { run, format: RunExport::Screenplay }).await.unwrap();
        let prompts = exported.lines().filter(|line| line.contains("prompt:")).count();
        assert_eq!(prompts, 3, "{}: {exported}", harness.id);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_framework_sees_edited_skills_where_it_reads_them_for_each_turn_and_nowhere_else() {
    for (harness, settings, sees) in [
        ("agent-framework", "{}", false),
        ("agent-framework", "{disableCaching: true}", true),
        ("eino", "{}", true),
        ("learn-claude-code", "{}", false),
        ("strands", "{}", false),
        ("agentscope", "{}", false),
        ("claude-code", "{}", false),
        ("codex", "{}", false),
        ("gemini-cli", "{}", false),
        ("opencode", "{}", false),
    ] {
        let home = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::try_from(home.path().to_owned()).unwrap();
        fs::create_dir(root.join("demo")).unwrap();
        let manifest = |about: &str| format!("---\nname: demo\ndescription: {about}\n---\nDo it.\n");
        fs::write(root.join("demo/SKILL.md"), manifest("Before.")).unwrap();
        let project = if settings == "{}" { String::new() } else { format!("harnesses:\n  {harness}: {settings}\n") };
        fs::write(root.join("workbench.yaml"), project).unwrap();
        let bench = Bench::on(&root).await;
        let (run, ..) = bench.play(RunRequest { harness: harness.into(), ..request("rehearsal", "hello") }).await;
        fs::write(root.join("demo/SKILL.md"), manifest("Edited since.")).unwrap();
        let (_, status, steps) = bench.go_on(run, "hello again").await;
        let context = bench.context(run, last_answer(&steps)).await;
        let shown = context.body.unwrap();
        assert_eq!((status, shown.contains("Edited since.")), (RunStatus::Done, sees), "{harness} {settings}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_bundled_run_goes_on_as_a_copy() {
    let bench = Bench::on(&skills()).await;
    let sample = bench.bench.sample_run(NoArgs {}).await.unwrap();
    let before = bench.bench.run_get(RunArgs { run: sample }).await.unwrap();
    let (run, status, steps) = bench.go_on(sample, "And a stone?").await;
    assert_eq!((run == sample, status), (false, RunStatus::Done));
    assert_eq!(steps.iter().filter(|step| matches!(step.kind, StepKind::Prompt { .. })).count(), 2);
    assert_eq!(
        bench.bench.run_get(RunArgs { run: sample }).await.unwrap(),
        before,
        "the one that ships stays as it is"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rehearsal_goes_on_as_a_rehearsal_and_an_unknown_run_not_at_all() {
    let bench = Bench::on(&skills()).await;
    let (run, ..) = bench.run("rehearsal", "hello").await;
    let with_model = ContinueArgs { model: Some("some-model".into()), ..says(run, "more") };
    let error = bench.bench.run_continue(with_model).await.unwrap_err();
    assert_eq!(
        error.message,
        format!("run {run} is a rehearsal, in which no model was asked; it cannot go on with the model `some-model`")
    );
    let unknown: RunId = "01934000-0000-7000-8000-00000000abcd".parse().unwrap();
    let error = bench.bench.run_continue(says(unknown, "more")).await.unwrap_err();
    assert_eq!(error.message, format!("there is no run {unknown}"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_requests_of_all_turns_count_towards_the_limit() {
    let bench = Bench::on(&skills()).await;
    let (run, ..) = bench.run("rehearsal", "nothing that a skill is about: xyzzy").await;
    let limited = ContinueArgs { means: RunMeans { turns: Some(1), ..RunMeans::default() }, ..says(run, "more") };
    bench.bench.run_continue(limited).await.unwrap();
    let ended = loop {
        match tokio::task::block_in_place(|| bench.pushes.recv()).unwrap() {
            Push::RunUpdate(update) if update.run == run && update.status != RunStatus::Running => break update.status,
            _ => {}
        }
    };
    assert_eq!(ended, RunStatus::Limited);
    let (_, status, _) = bench.go_on(run, "and now?").await;
    assert_eq!(status, RunStatus::Done, "it goes on once there is room");
}
