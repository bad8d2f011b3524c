//! Runs that are forked off recorded ones, under every framework.

use std::fs;

use api::dto::{DiffArgs, ExportArgs, ForkArgs, ImportArgs, RunArgs, RunExport, RunMeans, RunRequest, StepArgs};
use camino::Utf8PathBuf;
use trace::{ContextAtStep, ForkedFrom, RunId, RunStatus, Step, StepKind};

use crate::examples::{Bench, notes, request, skills};
use crate::rechecks::copy;
use crate::turns::{SCENE, variants};

pub fn fork_of(run: RunId, step: u32) -> ForkArgs {
    ForkArgs {
        run,
        step,
        roots: None,
        prompt: None,
        images: None,
        result: None,
        answer: None,
        harness: None,
        variant: None,
        model: None,
        screenplay: None,
        means: RunMeans::default(),
    }
}

impl Bench {
    pub async fn fork(&self, args: ForkArgs) -> (RunId, RunStatus, Vec<Step>) {
        let run = self.bench.run_fork(args).await.unwrap();
        self.to_end(run).await
    }

    /// What the model was shown at a step, the folders of runs aside.
    async fn shown(&self, run: RunId, step: u32, folders: &[&str]) -> ContextAtStep {
        let context = self.bench.step_context(StepArgs { run, step }).await.unwrap();
        let mut text = serde_json::to_string(&context).unwrap();
        for folder in folders {
            text = text.replace(folder, "FOLDER");
        }
        let mut context: ContextAtStep = serde_json::from_str(&text).unwrap();
        // The names of folders have as many letters and not as many tokens.
        context.tokens = 0;
        for message in &mut context.messages {
            message.tokens = 0;
            // A fork has another folder, so texts that name it are new at its first step.
            message.added &= !message.text.contains("FOLDER");
        }
        context.skills.iter_mut().for_each(|skill| skill.tokens = 0);
        context
    }

    async fn folder(&self, run: RunId) -> String {
        let detail = self.bench.run_get(RunArgs { run }).await.unwrap();
        detail.summary.setup.working_directory.into_string()
    }

    async fn scene(&self, harness: &str, variant: Option<&str>) -> (String, RunId, Vec<Step>) {
        let path = Utf8PathBuf::try_from(self.home.path().join("scene.yaml")).unwrap();
        fs::write(&path, SCENE).unwrap();
        let (run, status, steps) = self
            .play(RunRequest {
                harness: harness.into(),
                variant: variant.map(str::to_owned),
                screenplay: Some(path.to_string()),
                ..request("rehearsal", "How many pounds is 1 kilogram?")
            })
            .await;
        assert_eq!(status, RunStatus::Done, "{harness}: {:?}", steps.last());
        (path.into_string(), run, steps)
    }
}

/// The `n`th step of a kind.
fn nth(steps: &[Step], n: usize, is_it: impl Fn(&StepKind) -> bool) -> u32 {
    steps.iter().filter(|step| is_it(&step.kind)).nth(n).unwrap().index
}

fn last(steps: &[Step], is_it: impl Fn(&StepKind) -> bool) -> u32 {
    steps.iter().rfind(|step| is_it(&step.kind)).unwrap().index
}

fn answer(kind: &StepKind) -> bool {
    matches!(kind, StepKind::Answer { .. })
}

fn tool(kind: &StepKind) -> bool {
    matches!(kind, StepKind::Tool { .. })
}

fn prompt(kind: &StepKind) -> bool {
    matches!(kind, StepKind::Prompt { .. })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fork_in_which_nothing_is_changed_comes_to_the_same_under_every_framework() {
    let bench = Bench::on(&skills()).await;
    for (harness, variant) in variants() {
        let id = harness.profile().id;
        let (screenplay, run, steps) = bench.scene(id, Some(variant)).await;
        for step in [nth(&steps, 1, answer), last(&steps, tool), nth(&steps, 1, prompt)] {
            let name = format!("{id} {variant}, step {}", step + 1);
            let args = ForkArgs { screenplay: Some(screenplay.clone()), ..fork_of(run, step) };
            let (fork, status, forked) = bench.fork(args).await;
            let told: Vec<&str> = notes(&forked).into_iter().filter(|note| !notes(&steps).contains(note)).collect();
            assert_eq!((status, told), (RunStatus::Done, Vec::new()), "{name}");
            let diff = bench.bench.run_diff(DiffArgs { a: run, b: fork }).await.unwrap();
            assert_eq!(diff.first_divergence, None, "{name}");
            let (own, others) = (bench.folder(fork).await, bench.folder(run).await);
            for at in [step.saturating_sub(1), step, step + 1] {
                let was = bench.shown(run, at, &[&own, &others]).await;
                assert_eq!(bench.shown(fork, at, &[&own, &others]).await, was, "{name}: the context at {at}");
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_edited_result_is_what_the_model_sees_under_every_framework() {
    let bench = Bench::on(&skills()).await;
    for (harness, variant) in variants() {
        let id = harness.profile().id;
        let (screenplay, run, steps) = bench.scene(id, Some(variant)).await;
        let step = last(&steps, tool);
        let result = Some("A kilogram is 3 pounds here.".to_owned());
        let args = ForkArgs { result, screenplay: Some(screenplay), ..fork_of(run, step) };
        let (fork, status, forked) = bench.fork(args).await;
        let next = forked.iter().find(|later| later.index > step && answer(&later.kind)).unwrap();
        let context = bench.bench.step_context(StepArgs { run: fork, step: next.index }).await.unwrap();
        let sees = context.messages.iter().any(|message| message.text.contains("A kilogram is 3 pounds here."));
        assert_eq!((status, sees), (RunStatus::Done, true), "{id} {variant}: {:?}", notes(&forked));
        assert_eq!(forked[..step as usize], steps[..step as usize], "{id} {variant}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_edited_answer_is_what_the_model_said_under_every_framework() {
    const TEXT: &str = "A kilogram is 3 pounds here.";
    let bench = Bench::on(&skills()).await;
    for (harness, variant) in variants() {
        let id = harness.profile().id;
        let (screenplay, run, steps) = bench.scene(id, Some(variant)).await;
        // One that calls a tool, and the last of the first turn, which calls none.
        let next_prompt = nth(&steps, 1, prompt);
        let ends = steps[..next_prompt as usize].iter().rfind(|step| answer(&step.kind)).unwrap().index;
        for step in [nth(&steps, 0, answer), ends] {
            let name = format!("{id} {variant}, step {}", step + 1);
            let args =
                ForkArgs { answer: Some(TEXT.into()), screenplay: Some(screenplay.clone()), ..fork_of(run, step) };
            let (fork, status, forked) = bench.fork(args).await;
            let told: Vec<&str> = notes(&forked).into_iter().filter(|note| !notes(&steps).contains(note)).collect();
            assert_eq!((status, told), (RunStatus::Done, Vec::new()), "{name}");
            let (StepKind::Answer { calls: was, .. }, StepKind::Answer { text, calls, edited: true, .. }) =
                (&steps[step as usize].kind, &forked[step as usize].kind)
            else {
                panic!("{name}: {:?}", forked[step as usize].kind)
            };
            assert_eq!((text.as_str(), calls), (TEXT, was), "{name}");
            assert_eq!(forked[..step as usize], steps[..step as usize], "{name}");
            let next = forked.iter().find(|later| later.index > step && answer(&later.kind)).unwrap();
            let context = bench.bench.step_context(StepArgs { run: fork, step: next.index }).await.unwrap();
            let sees = context.messages.iter().any(|message| message.text.contains(TEXT));
            assert!(sees, "{name}: {:?}", context.messages);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_user_says_more_after_an_edited_answer() {
    let bench = Bench::on(&skills()).await;
    let (screenplay, run, steps) = bench.scene("agent-framework", None).await;
    let step = steps[..nth(&steps, 1, prompt) as usize].iter().rfind(|step| answer(&step.kind)).unwrap().index;
    let args = ForkArgs {
        answer: Some("About two.".into()),
        prompt: Some("Only about?".into()),
        screenplay: Some(screenplay),
        ..fork_of(run, step)
    };
    let (_, status, forked) = bench.fork(args).await;
    let said = forked.iter().filter_map(|step| match &step.kind {
        StepKind::Prompt { text, .. } => Some(text.clone()),
        _ => None,
    });
    let was = steps.iter().filter(|step| prompt(&step.kind)).count();
    let said: Vec<String> = said.collect();
    assert_eq!((status, said.len(), said[1].as_str()), (RunStatus::Done, was, "Only about?"), "{said:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn another_framework_takes_over_and_says_so() {
    let bench = Bench::on(&skills()).await;
    let (_, run, steps) = bench.scene("agent-framework", None).await;
    let at = nth(&steps, 1, answer);
    let args = ForkArgs { harness: Some("eino".into()), ..fork_of(run, at) };
    let (fork, status, forked) = bench.fork(args).await;
    let said = notes(&forked).into_iter().find(|note| note.starts_with("Eino ADK takes over a conversation that"));
    assert_eq!(status, RunStatus::Done);
    assert!(said.is_some_and(|said| said.contains("has no tool load_skill")), "{:?}", notes(&forked));
    let setup = bench.bench.run_get(RunArgs { run: fork }).await.unwrap().summary.setup;
    assert_eq!((setup.harness.as_str(), setup.forked), ("eino", Some(ForkedFrom { run, step: at })));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fork_loads_a_skill_as_it_was_edited_since() {
    let folder = tempfile::tempdir().unwrap();
    let root = Utf8PathBuf::try_from(folder.path().canonicalize().unwrap()).unwrap();
    copy(&skills().join("unit-converter"), &root.join("unit-converter"));
    let bench = Bench::on(&root).await;
    let (screenplay, run, steps) = bench.scene("agent-framework", None).await;
    let manifest = root.join("unit-converter/SKILL.md");
    let text = fs::read_to_string(&manifest).unwrap();
    let edited = text.replacen("description: Convert", "description: Always convert", 1) + "\nSay it in stones, too.\n";
    fs::write(&manifest, edited).unwrap();

    let load = nth(&steps, 0, tool);
    let (fork, status, forked) = bench.fork(ForkArgs { screenplay: Some(screenplay), ..fork_of(run, load) }).await;
    assert_eq!((status, &forked[..load as usize]), (RunStatus::Done, &steps[..load as usize]));
    let told = notes(&forked);
    let otherwise = "the framework shows the model something else than in the last request";
    assert!(told.iter().any(|note| note.starts_with(otherwise)), "{told:?}");
    let shown = async |run: RunId, step: u32| {
        let context = bench.bench.step_context(StepArgs { run, step }).await.unwrap();
        let texts: String = context.messages.iter().map(|message| message.text.as_str()).collect();
        (texts.contains("Always convert"), texts.contains("in stones, too"))
    };
    let next = nth(&forked, 1, answer);
    assert_eq!(shown(fork, next).await, (true, true));
    assert_eq!(shown(run, nth(&steps, 1, answer)).await, (false, false), "the first run stays as it was");
}

#[tokio::test(flavor = "multi_thread")]
async fn another_model_answers_from_the_fork_on() {
    let (bench, server) = crate::taken_over::bench().await;
    let (_, run, steps) = bench.scene("agent-framework", None).await;
    let at = nth(&steps, 1, answer);
    let (fork, status, forked) = bench.fork(ForkArgs { model: Some("mine".into()), ..fork_of(run, at) }).await;
    assert_eq!((status, &forked[..at as usize]), (RunStatus::Done, &steps[..at as usize]));
    let StepKind::Answer { text, .. } = &forked[at as usize].kind else { panic!("{:?}", forked[at as usize]) };
    assert_eq!(text, "4.40924 lb.");
    let sent = crate::taken_over::sent(&server).await;
    assert_eq!(sent.len(), 1, "nothing before the fork is asked again: {sent:?}");
    let context = bench.bench.step_context(StepArgs { run: fork, step: at }).await.unwrap();
    let body: serde_json::Value = serde_json::from_str(context.body.as_deref().unwrap()).unwrap();
    assert_eq!(body, sent[0]);
    let (own, others) = (bench.folder(fork).await, bench.folder(run).await);
    let messages = async |run: RunId| {
        let context = bench.shown(run, at, &[&own, &others]).await;
        context.messages.into_iter().map(|message| (message.role, message.text)).collect::<Vec<_>>()
    };
    assert_eq!(messages(fork).await, messages(run).await, "it sees what the first model saw");
    let setup = bench.bench.run_get(RunArgs { run: fork }).await.unwrap().summary.setup;
    assert_eq!((setup.model.as_str(), setup.forked), ("mine", Some(ForkedFrom { run, step: at })));
}

#[tokio::test(flavor = "multi_thread")]
async fn forks_know_where_they_come_from_wherever_they_go() {
    let bench = Bench::on(&skills()).await;
    let (_, run, steps) = bench.scene("agent-framework", None).await;
    let at = nth(&steps, 1, prompt);
    let (fork, _, forked) = bench.fork(ForkArgs { prompt: Some("Thanks.".into()), ..fork_of(run, at) }).await;
    let (again, ..) = bench.fork(fork_of(fork, nth(&forked, 0, tool))).await;
    let tree = |bench: &Bench, run: RunId| {
        let bench = bench.bench.clone();
        async move {
            let tree = bench.run_tree(RunArgs { run }).await.unwrap();
            let line =
                |one: &api::dto::TreeRun| (one.run, one.depth, one.from.map(|from| from.step), one.summary.is_some());
            tree.runs.iter().map(line).collect::<Vec<_>>()
        }
    };
    let whole = [(run, 0, None, true), (fork, 1, Some(at), true), (again, 2, Some(2), true)];
    for asked in [run, fork, again] {
        assert_eq!(tree(&bench, asked).await, whole);
    }

    let text = bench.bench.run_export(ExportArgs { run: fork, format: RunExport::Jsonl }).await.unwrap();
    let other = Bench::on(&skills()).await;
    let there = other.bench.run_import(ImportArgs { text: text.clone() }).await.unwrap();
    assert_eq!(tree(&other, there).await, [(run, 0, None, false), (fork, 1, Some(at), true)]);
    let again_out = other.bench.run_export(ExportArgs { run: there, format: RunExport::Jsonl }).await.unwrap();
    assert_eq!(again_out, text, "nothing is lost on the way");

    let before = bench.bench.run_get(RunArgs { run: fork }).await.unwrap();
    bench.bench.run_delete(RunArgs { run }).await.unwrap();
    assert_eq!(bench.bench.run_get(RunArgs { run: fork }).await.unwrap(), before);
    bench.bench.step_context(StepArgs { run: fork, step: 1 }).await.unwrap();
    assert_eq!(tree(&bench, again).await[0], (run, 0, None, false), "the place of the one that is gone stays");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_forked_is_refused_with_the_next_step() {
    let bench = Bench::on(&skills()).await;
    let (_, run, steps) = bench.scene("agent-framework", None).await;
    let refused = |args: ForkArgs| async { bench.bench.run_fork(args).await.unwrap_err() };
    let missing = refused(fork_of(run, 99)).await;
    assert_eq!(missing.message, "cannot fork at step 100: the run has no such step");
    let no_call = refused(ForkArgs { result: Some("x".into()), ..fork_of(run, nth(&steps, 0, answer)) }).await;
    assert_eq!(no_call.message, "cannot fork at step 2: it is not a tool call, so it has no result to edit");
    let both = refused(ForkArgs { prompt: Some("x".into()), result: Some("y".into()), ..fork_of(run, 2) }).await;
    let alone = refused(ForkArgs { images: Some(Vec::new()), ..fork_of(run, nth(&steps, 0, answer)) }).await;
    assert_eq!(alone.message, "step 2 is not a prompt, so images need a text");
    let edits = |step, text: &str| ForkArgs { answer: Some(text.into()), ..fork_of(run, step) };
    let no_answer = refused(edits(0, "x")).await;
    assert_eq!(
        no_answer.message,
        "cannot fork at step 1: it is not an answer of the model, so it has no answer to edit"
    );
    let asks = nth(&steps, 0, answer);
    let goes_on = refused(ForkArgs { prompt: Some("and".into()), ..edits(asks, "x") }).await;
    assert_eq!(
        goes_on.message,
        "the answer at step 2 calls tools, so the turn is not over and the user cannot say more"
    );
    let ends = steps[..nth(&steps, 1, prompt) as usize].iter().rfind(|step| answer(&step.kind)).unwrap().index;
    let empty = refused(edits(ends, " ")).await;
    assert_eq!(empty.message, format!("the answer at step {} calls no tool, so it needs a text", ends + 1));
    let StepKind::Answer { text, .. } = &steps[ends as usize].kind else { panic!("an answer") };
    let same = refused(ForkArgs { prompt: Some("and".into()), ..edits(ends, text) }).await;
    assert_eq!(same.message, format!("the answer at step {} says this already", ends + 1));
    assert!([missing, no_call, both, alone, no_answer, goes_on, empty, same].iter().all(|error| error.hint.is_some()));
}
