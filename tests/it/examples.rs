//! The bundled skills: each screenplay plays to its end, and what it says is what the scripts print.

use std::sync::mpsc;

use api::dto::{
    DecideArgs, ImportArgs, InspectArgs, NoArgs, Push, RunArgs, RunExport, RunRequest, SaveArgs, SettleArgs, SkillArgs,
};
use api::{Freshness, Places, Workbench};
use camino::{Utf8Path, Utf8PathBuf};
use trace::{CutChoice, Decision, RunId, RunStatus, Step, StepKind, StepState};

/// A separate bench on some folder, with its pushes.
pub struct Bench {
    pub bench: Workbench,
    pub pushes: mpsc::Receiver<Push>,
    pub home: tempfile::TempDir,
}

impl Bench {
    pub async fn on(folder: &Utf8Path) -> Self {
        let home = tempfile::tempdir().unwrap();
        let places = Places::below(Utf8PathBuf::try_from(home.path().to_owned()).unwrap(), None);
        Self::at(home, places, folder).await
    }

    async fn at(home: tempfile::TempDir, places: Places, folder: &Utf8Path) -> Self {
        let (send, pushes) = mpsc::channel();
        let bench = Workbench::open(places, vec![folder.to_owned()], Freshness::Watched, move |push| {
            // The test may be over.
            let _ = send.send(push);
        })
        .await;
        Self { bench, pushes, home }
    }

    /// Plays a run to its end, allowing whatever asks, and ending it at an answer that may be cut off.
    pub async fn run(&self, model: &str, prompt: &str) -> (RunId, RunStatus, Vec<Step>) {
        self.play(request(model, prompt)).await
    }

    pub async fn play(&self, request: RunRequest) -> (RunId, RunStatus, Vec<Step>) {
        let run = self.bench.run_start(request).await.unwrap();
        self.to_end(run).await
    }

    /// Waits for the end of a run, and answers what it asks on the way.
    pub async fn to_end(&self, run: RunId) -> (RunId, RunStatus, Vec<Step>) {
        self.to_end_deciding(run, &Decision::Allow { arguments: None, for_run: false }).await
    }

    /// As [`Bench::to_end`], with this decision on each question.
    pub async fn to_end_deciding(&self, run: RunId, decision: &Decision) -> (RunId, RunStatus, Vec<Step>) {
        loop {
            let update = match tokio::task::block_in_place(|| self.pushes.recv()).unwrap() {
                Push::RunUpdate(update) if update.run == run => update,
                Push::RunUpdate(_)
                | Push::FilesChanged(_)
                | Push::ModelCheck(_)
                | Push::ImportProgress(_)
                | Push::TraceSent(_)
                | Push::RunsChanged => continue,
            };
            for step in &update.steps {
                let Some(question) = step.question else { continue };
                if let StepKind::Answer { .. } = step.kind {
                    self.bench.run_settle(SettleArgs { run, question, choice: CutChoice::End }).await.unwrap();
                } else {
                    let decision = decision.clone();
                    self.bench.run_decide(DecideArgs { run, question, decision, remember: None }).await.unwrap();
                }
            }
            if update.status != RunStatus::Running {
                let detail = self.bench.run_get(RunArgs { run }).await.unwrap();
                return (run, detail.summary.status, detail.steps);
            }
        }
    }
}

pub fn notes(steps: &[Step]) -> Vec<&str> {
    steps
        .iter()
        .filter_map(|step| match &step.kind {
            StepKind::Note { text, .. } => Some(text.as_str()),
            _ => None,
        })
        .collect()
}

pub fn request(model: &str, prompt: &str) -> RunRequest {
    RunRequest {
        harness: "agent-framework".into(),
        model: model.into(),
        prompt: prompt.into(),
        ..RunRequest::default()
    }
}

pub fn skills() -> Utf8PathBuf {
    Utf8PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../skills")).canonicalize_utf8().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_screenplay_plays_to_its_end_under_every_harness_without_an_error() {
    let bench = Bench::on(&skills()).await;
    let screenplays = bench.bench.screenplay_list(NoArgs {}).await.unwrap();
    assert_eq!(screenplays.len(), 7);
    let harnesses = bench.bench.harness_list(NoArgs {}).await.unwrap();
    for harness in harnesses.into_iter().filter(|harness| harness.runs) {
        for info in &screenplays {
            assert_eq!(info.error, None, "{}", info.name);
            let scene = format!("{} under {}", info.name, harness.id);
            let request = RunRequest { harness: harness.id.clone(), ..request("rehearsal", &info.screenplay.prompt) };
            let (_, status, steps) = bench.play(request).await;
            let failed: Vec<&Step> = steps.iter().filter(|step| step.state != StepState::Done).collect();
            assert_eq!((status, failed), (RunStatus::Done, vec![]), "{scene}");
            let played = steps.iter().filter(|step| matches!(step.kind, StepKind::Answer { .. })).count();
            assert_eq!(played, info.screenplay.steps.len(), "{scene}: one answer for each step");
        }
    }
}

/// A framework that cannot run scripts shows the script instead.
#[tokio::test(flavor = "multi_thread")]
async fn the_scene_of_seven_messages_plays_under_every_harness() {
    let bench = Bench::on(&skills()).await;
    let harnesses = bench.bench.harness_list(NoArgs {}).await.unwrap();
    for harness in harnesses.into_iter().filter(|harness| harness.runs) {
        let request =
            RunRequest { harness: harness.id.clone(), ..request("rehearsal", "How many pounds is 1 kilogram?") };
        let (_, _, steps) = bench.play(request).await;
        let replies: Vec<&str> = steps
            .iter()
            .filter_map(|step| match &step.kind {
                StepKind::Tool { reply, .. } => reply.as_deref(),
                _ => None,
            })
            .collect();
        let [_, table, result] = replies[..] else { panic!("{}: three calls, not {replies:?}", harness.id) };
        assert!(table.contains("| kilograms"), "{}: {table}", harness.id);
        let told = if ["agentscope", "deepagents"].contains(&harness.id.as_str()) {
            "import argparse"
        } else {
            "\"result\": 2.20462"
        };
        assert!(result.contains(told), "{}: {result}", harness.id);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn tools_of_a_skill_appear_once_it_is_loaded_where_a_framework_has_them() {
    let bench = Bench::on(&skills()).await;
    let prompt = "Which region sold most in 2025, and are sales growing? Write me a report with a chart.";
    let request = RunRequest { harness: "agentscope".into(), ..request("rehearsal", prompt) };
    let (_, _, steps) = bench.play(request).await;
    let called: Vec<&str> = steps
        .iter()
        .filter_map(|step| match &step.kind {
            StepKind::Tool { call, .. } => Some(call.name.as_str()),
            _ => None,
        })
        .collect();
    let tools = [
        "load_skill_through_path",
        "load_sales_data",
        "calculate_statistics",
        "analyze_trend",
        "generate_chart",
        "create_report",
    ];
    assert_eq!(called, tools);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_bundled_skill_has_a_problem_or_is_left_out() {
    let bench = Bench::on(&skills()).await.bench;
    let list = bench.skill_list(NoArgs {}).await.unwrap();
    assert_eq!(list.problems, []);
    for skill in &list.skills {
        let detail = bench.skill_get(SkillArgs { id: skill.id.clone() }).await.unwrap();
        assert_eq!(detail.findings, [], "{}", skill.name);
    }
    let inspect = InspectArgs {
        roots: None,
        harness: "agent-framework".into(),
        variant: None,
        prompt: None,
        cwd: None,
        neutral_paths: None,
        unsaved: Vec::new(),
        without: Vec::new(),
    };
    let shown = bench.inspect(inspect).await.unwrap();
    let loaded: Vec<&str> = shown.skills.iter().map(|skill| skill.name.as_str()).collect();
    let found: Vec<&str> = list.skills.iter().map(|skill| skill.name.as_str()).collect();
    assert_eq!(loaded, found);
    assert_eq!((shown.skipped, shown.refused), (vec![], None));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_was_just_started_is_found() {
    let bench = Bench::on(&skills()).await.bench;
    let run = bench.run_start(request("rehearsal", "hello")).await.unwrap();
    let detail = bench.run_get(RunArgs { run }).await.unwrap();
    assert_eq!(detail.summary.setup.prompt, "hello");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_saved_to_a_file_is_taken_in_elsewhere() {
    let bench = Bench::on(&skills()).await;
    let run = bench.bench.sample_run(NoArgs {}).await.unwrap();
    let path = bench.home.path().join("shared/run.jsonl");
    let save = SaveArgs { path: path.to_str().unwrap().into(), run, format: RunExport::Jsonl };
    bench.bench.run_save(save).await.unwrap();
    let text = std::fs::read_to_string(path).unwrap();
    let other = Bench::on(&skills()).await.bench;
    assert_eq!(other.run_import(ImportArgs { text }).await.unwrap(), run);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_script_leaves_its_files_in_the_folder_of_the_run() {
    let bench = Bench::on(&skills()).await;
    let prompt = "Use the hello-world skill and follow its steps.";
    let (run, _, steps) = bench.run("rehearsal", prompt).await;
    let files: Vec<&str> = steps
        .iter()
        .filter_map(|step| match &step.kind {
            StepKind::Tool { files, .. } => Some(files),
            _ => None,
        })
        .flatten()
        .map(|file| file.path.as_str())
        .collect();
    assert_eq!(files, ["hello_world.py"]);
    let detail = bench.bench.run_get(RunArgs { run }).await.unwrap();
    assert!(detail.summary.setup.working_directory.join("hello_world.py").is_file());
    bench.bench.run_delete(RunArgs { run }).await.unwrap();
    assert!(!detail.summary.setup.working_directory.exists(), "a deleted run takes its files along");
}
