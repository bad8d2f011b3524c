use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use super::*;
use crate::Freshness;
use crate::dto::{ContinueArgs, DecideArgs, Push, RunRequest, Trial, TryArgs};
use config::REHEARSAL;
use harness::Effect;
use trace::fold;
use trace::{Decision, RunStatus};

struct Bench {
    bench: Workbench,
    home: Utf8PathBuf,
    _home: tempfile::TempDir,
    pushes: UnboundedReceiver<Push>,
}

impl Bench {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let home = Utf8PathBuf::try_from(folder.path().to_owned()).unwrap();
        let skills = Utf8Path::new(env!("CARGO_MANIFEST_DIR")).join("../../skills").canonicalize_utf8().unwrap();
        let (pushed, pushes) = unbounded_channel();
        let bench =
            Workbench::open(Places::below(home.clone(), None), vec![skills], Freshness::ReadOnce, move |push| {
                let _ = pushed.send(push);
            });
        let bench = bench.await;
        bench.run_list(NoArgs {}).await.unwrap();
        Self { bench, home, _home: folder, pushes }
    }

    fn sql(&self, sql: &str) {
        let db = rusqlite::Connection::open(Places::below(self.home.clone(), None).traces()).unwrap();
        db.execute_batch(sql).unwrap();
    }

    /// The store takes no event of this type.
    fn refuse(&self, event: &str) {
        self.sql(&format!(
            "CREATE TRIGGER refuse BEFORE INSERT ON events WHEN NEW.type = '{event}'
             BEGIN SELECT RAISE(ABORT, 'no space left'); END"
        ));
    }

    async fn start(&self) -> Result<RunId, ApiError> {
        let request = RunRequest {
            harness: "agent-framework".into(),
            model: REHEARSAL.into(),
            prompt: "How many pounds is 1 kilogram?".into(),
            ..RunRequest::default()
        };
        self.bench.run_start(request).await
    }

    async fn ended(&mut self) {
        while let Some(push) = self.pushes.recv().await {
            if matches!(&push, Push::RunUpdate(update) if update.status != RunStatus::Running) {
                return;
            }
        }
    }
}

/// A watcher reports an edit a while later.
#[tokio::test(flavor = "multi_thread")]
async fn a_run_has_the_skills_as_they_are_when_it_starts() {
    let folder = tempfile::tempdir().unwrap();
    let home = Utf8PathBuf::try_from(folder.path().to_owned()).unwrap();
    let write = |skill: &str| {
        let skill_folder = home.join("skills").join(skill);
        std::fs::create_dir_all(&skill_folder).unwrap();
        let text = format!("---\nname: {skill}\ndescription: Converts units.\n---\nMultiply.\n");
        std::fs::write(skill_folder.join("SKILL.md"), text).unwrap();
    };
    write("first");
    let places = Places::below(home.join("state"), None);
    let bench = Workbench::open(places, vec![home.join("skills")], Freshness::Watched, |_| {}).await;
    bench.skill_list(NoArgs {}).await.unwrap();
    let skills = async |run: RunId| bench.run_get(RunArgs { run }).await.unwrap().summary.setup.skills;

    write("second");
    let request = RunRequest {
        harness: "agent-framework".into(),
        model: REHEARSAL.into(),
        prompt: "How many pounds is 1 kilogram?".into(),
        ..RunRequest::default()
    };
    let run = bench.run_start(request).await.unwrap();
    assert_eq!(skills(run).await, ["first", "second"]);

    write("third");
    let scene = serde_json::json!({
        "of": [{ "harness": "agent-framework", "variant": null }], "prompt": "How many pounds is 1 kilogram?",
    });
    let runs = bench.rehearse(serde_json::from_value(scene).unwrap()).await.unwrap();
    assert_eq!(skills(runs[0]).await, ["first", "second", "third"]);
    bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn tells_what_a_run_would_have_cost_up_front_for_the_skills_that_are_open() {
    let mut bench = Bench::new().await;
    let run = bench.start().await.unwrap();
    bench.bench.run_stop(RunArgs { run }).await.unwrap();
    bench.ended().await;
    let setup = bench.bench.run_get(RunArgs { run }).await.unwrap().summary.setup;
    let eager = bench.bench.run_eager(RunArgs { run }).await.unwrap();
    assert_eq!((eager.skills as usize, &eager.missing), (setup.skills.len(), &Vec::<String>::new()));
    assert!(eager.instructions > setup.catalogue_tokens && eager.resources > 0, "it is more than the catalogue");

    // Its folders do not exist, so its skills are those of the same names.
    let sample = bench.bench.sample_run(NoArgs {}).await.unwrap();
    let setup = bench.bench.run_get(RunArgs { run: sample }).await.unwrap().summary.setup;
    assert_eq!(bench.bench.run_eager(RunArgs { run: sample }).await.unwrap(), eager);
    assert_eq!(eager.skills as usize, setup.skills.len());

    let elsewhere = Workbench::open(Places::below(bench.home.clone(), None), Vec::new(), Freshness::ReadOnce, |_| {});
    let unknown = elsewhere.await.run_eager(RunArgs { run }).await.unwrap();
    assert_eq!((unknown.skills, unknown.instructions, unknown.missing), (0, 0, setup.skills), "nothing else is read");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_empty_prompt_starts_no_run_and_lets_none_go_on() {
    let mut bench = Bench::new().await;
    let run = bench.start().await.unwrap();
    bench.bench.run_stop(RunArgs { run }).await.unwrap();
    bench.ended().await;
    let before = bench.bench.run_list(NoArgs {}).await.unwrap().runs.len();
    let start = |prompt: &str| RunRequest {
        harness: "agent-framework".into(),
        model: REHEARSAL.into(),
        prompt: prompt.into(),
        ..RunRequest::default()
    };
    for prompt in ["", " \n\t"] {
        let refused = bench.bench.run_start(start(prompt)).await.unwrap_err();
        assert_eq!((refused.code, &*refused.message), (Code::Invalid, "the prompt is empty"));
        let args = serde_json::json!({ "run": run, "prompt": prompt, "model": null });
        let refused = bench.bench.run_continue(serde_json::from_value(args).unwrap()).await.unwrap_err();
        assert_eq!(refused.message, "the prompt is empty");
    }
    let after = bench.bench.run_list(NoArgs {}).await.unwrap().runs.len();
    assert_eq!(after, before, "nothing was begun");
}

/// The question about the script, and its call; what is asked before is allowed.
async fn script_waits(bench: &mut Bench, run: RunId) -> (u32, model::ToolCall) {
    loop {
        let Some(Push::RunUpdate(update)) = bench.pushes.recv().await else { continue };
        for step in update.steps {
            let (Some(question), trace::StepKind::Tool { call, .. }) = (step.question, step.kind) else { continue };
            if call.name == "run_skill_script" {
                return (question, call);
            }
            let decision = Decision::Allow { arguments: None, for_run: false };
            bench.bench.run_decide(DecideArgs { run, question, decision, remember: None }).await.unwrap();
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn tells_what_edited_arguments_would_do_and_records_what_ran() {
    let mut bench = Bench::new().await;
    let run = bench.start().await.unwrap();
    let (question, call) = script_waits(&mut bench, run).await;
    let recorded = lock(&bench.bench.held(run).unwrap().run).events();
    let tried = async |arguments: String| {
        let trial = bench.bench.run_try(TryArgs { run, question, arguments }).await;
        trial.map_err(|error| (error.code, error.message))
    };
    let ran = |effect: &Effect| match effect {
        Effect::RunScript { script, arguments, .. } => format!("{script} {}", arguments.join(" ")),
        other => panic!("{other:?}"),
    };
    let edited = call.arguments.replacen('1', "7", 1);
    match tried(edited.clone()).await.unwrap() {
        Trial::Does { effect, .. } => {
            assert_eq!(ran(&effect), "scripts/convert.py --value 7 --factor 2.20462");
        }
        other => panic!("{other:?}"),
    }
    let replies = |text: &str| Trial::Replies { text: text.into(), is_error: true };
    assert_eq!(
        tried(call.arguments.replace("unit-converter", "tea")).await,
        Ok(replies("Error: Skill 'tea' not found."))
    );
    assert_eq!(tried("{oops".into()).await, Ok(replies("Error: Function failed.")));
    let long = "the edited arguments have 1025 KiB; at most 1024 KiB are taken".to_owned();
    assert_eq!(tried(" ".repeat((1 << 20) + 1)).await, Err((Code::Invalid, long.clone())));
    let other = TryArgs { run, question: question + 1, arguments: "{}".into() };
    assert_eq!(bench.bench.run_try(other).await.unwrap_err().code, Code::NotFound);
    assert_eq!(lock(&bench.bench.held(run).unwrap().run).events(), recorded, "a trial is no event");

    let allow = |arguments: String| Decision::Allow { arguments: Some(arguments), for_run: false };
    let decide = |decision| DecideArgs { run, question, decision, remember: None };
    let refused = bench.bench.run_decide(decide(allow(" ".repeat((1 << 20) + 1)))).await.unwrap_err();
    assert_eq!(refused.message, long);
    bench.bench.run_decide(decide(allow(edited))).await.unwrap();
    bench.ended().await;
    let steps = bench.bench.run_get(RunArgs { run }).await.unwrap().steps;
    let both = steps.into_iter().find_map(|step| match step.kind {
        trace::StepKind::Tool { asked: Some(asked), ran: Some(did), .. } => Some([ran(&asked), ran(&did)]),
        _ => None,
    });
    let line = |value: u32| format!("scripts/convert.py --value {value} --factor 2.20462");
    assert_eq!(both, Some([line(1), line(7)]));
}

const REASON: &str = "the trace store reported an error: no space left";

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_the_store_refuses_ends_and_is_read_from_memory_until_it_is_deleted() {
    let mut bench = Bench::new().await;
    bench.refuse("replied");
    let run = bench.start().await.unwrap();
    bench.ended().await;
    let detail = bench.bench.run_get(RunArgs { run }).await.unwrap();
    let summary = &detail.summary;
    assert_eq!(
        (summary.status, summary.unsaved.as_ref().map(|why| why.en.as_str())),
        (RunStatus::Failed, Some(REASON))
    );
    let error = format!("the run was ended because it cannot be recorded: {REASON}");
    assert_eq!(summary.error.as_deref(), Some(&*error));
    let context = bench.bench.step_context(StepArgs { run, step: 1 }).await.unwrap();
    assert!(context.body.is_some_and(|body| body.contains("load_skill")), "the request is read from memory too");
    let list = bench.bench.run_list(NoArgs {}).await.unwrap().runs;
    assert_eq!(list.iter().filter(|listed| listed.id == run).collect::<Vec<_>>(), [summary], "it is there once");

    let path = bench.home.join("saved.jsonl");
    let save = SaveArgs { path: path.to_string(), run, format: RunExport::Jsonl };
    bench.bench.run_save(save).await.unwrap();
    let (saved, events) = export::from_jsonl(&std::fs::read_to_string(&path).unwrap()).unwrap();
    assert_eq!((saved, fold::steps(&events)), (run, detail.steps));

    bench.bench.run_delete(RunArgs { run }).await.unwrap();
    assert_eq!(bench.bench.run_get(RunArgs { run }).await.unwrap_err().code, Code::NotFound);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_whose_first_event_is_refused_was_not_started() {
    let bench = Bench::new().await;
    bench.refuse("started");
    let error = bench.start().await.unwrap_err();
    assert_eq!(error.message, format!("the run cannot be recorded, so it was not started: {REASON}"));
    assert_eq!(bench.bench.run_list(NoArgs {}).await.unwrap().runs.len(), 1, "the one that ships with the program");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_from_elsewhere_chooses_no_model() {
    let mut bench = Bench::new().await;
    let run = bench.start().await.unwrap();
    bench.bench.run_stop(RunArgs { run }).await.unwrap();
    bench.ended().await;
    let text = bench.bench.run_export(ExportArgs { run, format: RunExport::Jsonl }).await.unwrap();
    let text = text.replace("\"rehearsal\":true", "\"rehearsal\":false");
    let text = text.replace(&format!("\"model\":\"{REHEARSAL}\""), "\"model\":\"work\"");
    bench.bench.run_delete(RunArgs { run }).await.unwrap();
    let run = bench.bench.run_import(ImportArgs { text }).await.unwrap();
    let more = |model: Option<&str>| {
        let args = serde_json::json!({ "run": run, "prompt": "more", "model": model });
        serde_json::from_value::<ContinueArgs>(args).unwrap()
    };
    let refused = bench.bench.run_continue(more(None)).await.unwrap_err();
    assert!(refused.message.contains("was imported, so you did not choose"), "{}", refused.message);
    let chosen = bench.bench.run_continue(more(Some("work"))).await.unwrap_err();
    assert!(!chosen.message.contains("elsewhere"), "it is a choice, of an unknown model: {}", chosen.message);
    bench.bench.run_delete(RunArgs { run }).await.unwrap();
    let mark = Places::below(bench.home.clone(), None).taken_in(run);
    assert!(!mark.exists());
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn a_run_is_deleted_with_folders_deeper_than_any_path() {
    let mut bench = Bench::new().await;
    let run = bench.start().await.unwrap();
    bench.bench.run_stop(RunArgs { run }).await.unwrap();
    bench.ended().await;
    let folder = Places::below(bench.home.clone(), None).run_folder(run);
    let parts = bench.home.join("parts");
    let within = vec!["d"; 1500].join("/");
    std::fs::create_dir_all(folder.join("d")).unwrap();
    for _ in 0..20 {
        // Moving one into another makes it too deep for any path.
        std::fs::create_dir_all(parts.join(&within)).unwrap();
        std::fs::rename(folder.join("d"), parts.join(&within).join("e")).unwrap();
        std::fs::rename(parts.join("d"), folder.join("d")).unwrap();
    }
    bench.bench.run_delete(RunArgs { run }).await.unwrap();
    assert!(!folder.exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn closing_ends_the_runs_that_go_on() {
    let bench = Bench::new().await;
    let run = bench.start().await.unwrap();
    bench.bench.close().await;
    assert_ne!(bench.bench.run_get(RunArgs { run }).await.unwrap().summary.status, RunStatus::Running);
}
