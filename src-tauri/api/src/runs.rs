//! Runs: starting, following, answering, stepping through and sharing them.

use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use super::dto::{
    ContinueArgs, DecideArgs, DiffArgs, ExportArgs, ImportArgs, NoArgs, PageArgs, Push, RunArgs, RunDetail, RunExport,
    RunMeans, RunPage, RunRequest, RunUpdate, SandboxState, SaveArgs, ScreenplayInfo, SettleArgs, StepArgs, Trial,
    TryArgs,
};
use super::error::{ApiError, Code, Tried};
use super::inspect::{Stage, check_runs, project};
use super::trust::Trusted;
use super::{Places, VERSION, Workbench, absolute, blocking, bundled, lock, neutral, scenes, trust};
use config::RECORDED;
use config::{Fidelity, Network, Policy, Project, REHEARSAL, RunLimits};
use engine::recorded::Recording;
use engine::tool::room;
use engine::{
    Answers, Approval, Branch, Controls, Given, Hub, NotOpen, Plan, Priced, Said, Then, questions, rehearsal::Rehearsal,
};
use harness::{Catalog, Harness};
use model::Image;
use model::entry::Prices;
use model::image::IMAGES;
use trace::clock::Clock;
use trace::columns::Columns;
use trace::context::Reads;
use trace::diff::RunDiff;
use trace::fold::Changes;
use trace::kept::Kept;
use trace::open_run::OpenRun;
use trace::recorder::{Recorder, Refusal};
use trace::store::Store;
use trace::{
    ContextAtStep, CutChoice, Decision, Event, EventKind, RunId, RunList, RunSetup, RunStatus, RunSummary, Step,
    Subject, TraceError, diff, export, turns,
};
use wording::{Language, Message, Wording, message};

/// A run in this process: the way to stop it and to answer its approvals.
pub(super) struct LiveRun {
    stop: CancellationToken,
    decisions: Answers<Given>,
    cut_choices: Answers<CutChoice>,
}

/// A run of this process in memory, which is where it is read as long as the store does not hold it whole.
#[derive(Default)]
pub(super) struct Held {
    kept: Mutex<Kept>,
    /// The same, folded: what is pushed comes from it, and what is asked for.
    pub run: Arc<Mutex<OpenRun>>,
    refusal: Refusal,
}

impl Held {
    fn of(past: &[Event]) -> Self {
        let (kept, run) = (Mutex::new(Kept::of(past)), Arc::new(Mutex::new(OpenRun::of(past))));
        Self { kept, run, refusal: Refusal::default() }
    }

    /// Takes the next event in.
    fn push(&self, run: RunId, event: &Event) -> RunUpdate {
        // Whoever finds a step finds its events.
        lock(&self.kept).push(event);
        let mut open = lock(&self.run);
        let Changes { steps, further } = open.push(event);
        let (status, spent) = (open.fold().status(), open.fold().spent());
        RunUpdate { run, event: open.events(), status, spent, steps, changes: further }
    }

    fn events(&self) -> Vec<Event> {
        lock(&self.kept).events()
    }

    fn outline(&self) -> Vec<Event> {
        lock(&self.kept).outline()
    }

    pub fn read(&self, reads: &Reads) -> Vec<Event> {
        lock(&self.kept).read(reads)
    }

    fn summary(&self, run: RunId) -> Option<RunSummary> {
        let summary = lock(&self.run).fold().summary(run, false)?;
        let unsaved = self.refusal.why().filter(|_| summary.status != RunStatus::Running);
        Some(RunSummary { unsaved, ..summary })
    }
}

/// Opens the store; a new one gets the bundled run, so that there is something to step through at once.
pub(super) async fn open_store(places: &Places, clock: Clock) -> Result<Store, ApiError> {
    let (path, wait) = (places.traces(), places.store_wait);
    let is_new = !path.exists();
    let store = blocking(move || Store::open_within(&path, clock, wait)).await?;
    if is_new {
        store.import_jsonl(bundled::RUN, true).await?;
    }
    Ok(store)
}

impl Workbench {
    pub async fn screenplay_list(&self, _: NoArgs) -> Result<Vec<ScreenplayInfo>, ApiError> {
        let loaded = self.loaded().await;
        let roots: Vec<Utf8PathBuf> = loaded.set.roots.iter().map(|root| root.path.clone()).collect();
        Ok(blocking(move || roots.iter().flat_map(|root| config::screenplays(root)).map(scenes::info).collect()).await)
    }

    /// What can confine what runs on this machine, and what the open projects ask for.
    pub async fn sandbox_state(&self, _: NoArgs) -> Result<SandboxState, ApiError> {
        let loaded = self.loaded().await;
        let Project { sandbox, neutral_paths, .. } = blocking(move || project(&loaded.set)).await?;
        let not_neutral = room::shows_neutral_paths().await.err().map(Into::into);
        let (layer, reason) = match room::layer().await {
            Ok(layer) => (Some(layer), None),
            Err(reason) => (None, Some(reason.into())),
        };
        let Policy { mode, limits, venv, .. } = sandbox;
        Ok(SandboxState { layer, reason, mode, folder_mb: limits.folder_mb, venv, neutral_paths, not_neutral })
    }

    /// What a run may use that says nothing of its own: by the project files of the open folders.
    pub async fn run_limits(&self, _: NoArgs) -> Result<RunLimits, ApiError> {
        let loaded = self.loaded().await;
        blocking(move || project(&loaded.set)).await.map(|project| project.limits)
    }

    /// Starts a run and returns once it is recorded as started; its steps arrive as pushes.
    pub async fn run_start(&self, request: RunRequest) -> Result<RunId, ApiError> {
        check_prompt(&request.prompt)?;
        let request = RunRequest { images: checked_images(request.images).await?, ..request };
        self.see_edits();
        let (roots, variant) = (request.roots.as_deref(), request.variant.as_deref());
        let mut stage = self.stage_of_run(roots, &request.harness, variant, request.neutral_paths).await?;
        stage.catalog.leave_out(&request.without);
        if let Some(refused) = &stage.catalog.refused {
            return Err(ApiError::new(Code::Invalid, Message::quoted(refused)).hint(message!(
                "{} would not start with these options; correct workbench.yaml",
                "{} 以这些选项无法启动；请更正 workbench.yaml",
                request.harness
            )));
        }
        self.begin(stage, &request, None).await
    }

    /// Lets the user say more in a run that has ended, and returns once that is recorded; its steps arrive as pushes. The
    /// run that ships with the program goes on as a copy, so the run that is returned may be another one.
    pub async fn run_continue(&self, args: ContinueArgs) -> Result<RunId, ApiError> {
        check_prompt(&args.prompt)?;
        let images = checked_images(args.images).await?;
        let past = self.ended_run(args.run).await?;
        let setup = past.last_setup()?;
        let (harness, variant) = past.goes_on_under(args.harness, setup)?;
        let model = match args.model {
            Some(model) => model,
            None => self.same_model(past.run, setup)?,
        };
        if setup.rehearsal != is_nobody(&model) {
            let run = past.run;
            let message = match setup.rehearsal {
                true => message!(
                    "run {run} is a rehearsal, in which no model was asked; it cannot go on with the model `{model}`",
                    "运行 {run} 是排演，没有询问模型；不能用模型 `{model}` 继续"
                ),
                false => message!(
                    "run {run} is answered by a model; it cannot go on with a rehearsal",
                    "运行 {run} 由模型回答；不能用排演继续"
                ),
            };
            let hint = message!("start another run with that model", "请用该模型另外启动一次运行");
            return Err(ApiError::new(Code::Invalid, message).hint(hint));
        }
        let request = RunRequest {
            roots: args.roots,
            harness,
            variant,
            model,
            prompt: args.prompt,
            images,
            without: setup.without.clone(),
            neutral_paths: Some(!setup.neutral.is_empty()),
            means: self.means_of(args.means, past.run, setup),
            ..RunRequest::default()
        };
        self.see_edits();
        let (roots, variant) = (request.roots.as_deref(), request.variant.as_deref());
        let mut stage = self.stage_of_run(roots, &request.harness, variant, request.neutral_paths).await?;
        if !stage.harness.reads_each_turn(&stage.catalog) {
            let own = (stage.catalog.harness, stage.catalog.variant);
            let kept = lock(&self.inner.catalogs).get(&past.run).cloned();
            // Another framework may have led an imported run before.
            if let Some(kept) = kept.filter(|(kept, _)| (kept.harness, kept.variant) == own) {
                (stage.catalog, stage.paths) = kept;
            }
        }
        stage.catalog.leave_out(&request.without);
        let run = self.begin(stage, &request, Some(past)).await?;
        // From here on its model is one that was chosen here.
        self.forget_taken_in(run).await?;
        Ok(run)
    }

    /// What a run that goes on, or is forked, may use. It answers as the framework does if it did so far, which a record
    /// from elsewhere does not say.
    pub(super) fn means_of(&self, wanted: RunMeans, run: RunId, setup: &RunSetup) -> RunMeans {
        let fidelity = wanted.fidelity.unwrap_or_else(|| setup.fidelity && !self.inner.places.is_taken_in(run));
        RunMeans { fidelity: Some(fidelity), ..wanted }
    }

    /// The model that goes on where the user names none.
    pub(super) fn same_model(&self, run: RunId, setup: &RunSetup) -> Result<String, ApiError> {
        if setup.rehearsal {
            // What a recording did not hold then it does not hold now.
            return Ok(REHEARSAL.to_owned());
        }
        if !self.inner.places.is_taken_in(run) {
            return Ok(setup.model.clone());
        }
        let model = &setup.model;
        Err(ApiError::new(
            Code::Invalid,
            message!(
                "run {run} was taken in from elsewhere; that it goes on with the model `{model}` is not your choice",
                "运行 {run} 是从别处导入的；用模型 `{model}` 继续并不是你的选择"
            ),
        )
        .hint(message!(
            "say which model goes on: with --model in the terminal, next to “Go on” in the window",
            "请指明由哪个模型继续：在终端用 --model，在窗口中则在“继续”旁选择"
        )))
    }

    pub(super) async fn forget_taken_in(&self, run: RunId) -> Result<(), ApiError> {
        let mark = self.inner.places.taken_in(run);
        blocking(move || match std::fs::remove_file(&mark) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(ApiError::io(&mark, Tried::Delete, error))
            }
            _ => Ok(()),
        })
        .await
    }

    /// What is recorded of a run that may go on.
    async fn ended_run(&self, run: RunId) -> Result<PastRun, ApiError> {
        // Whoever hears of the end may say more before the run is put away.
        loop {
            let next = self.inner.ended.notified();
            if !lock(&self.inner.live).contains_key(&run) {
                break;
            }
            if self.held(run).is_some_and(|held| !lock(&held.kept).is_over()) {
                return Err(still_goes_on(run));
            }
            next.await;
        }
        if self.held(run).is_some() {
            let message = message!(
                "the trace store does not hold all of run {run}, so it cannot go on",
                "轨迹库中没有运行 {run} 的全部内容，因此无法继续"
            );
            return Err(ApiError::new(Code::Store, message).hint(message!(
                "save the run to a file, import that, and go on there",
                "请把这次运行保存为文件，再导入它，然后在那里继续"
            )));
        }
        let store = self.store().await?;
        let events = store.ended(run).await.map_err(|error| match error {
            TraceError::StillRunning { .. } => {
                let message = message!(
                    "run {run} goes on in another window or terminal",
                    "运行 {run} 正在另一个窗口或终端中进行"
                );
                ApiError::new(Code::Invalid, message).hint(message!("stop it there first", "请先在那里停止它"))
            }
            error => error.into(),
        })?;
        let summary = store.run(run).await?.ok_or_else(|| no_run(run))?;
        if !summary.bundled {
            return Ok(PastRun { run, events, branch: None });
        }
        let copy = RunId(uuid::Uuid::now_v7());
        let run = store.import_jsonl(&export::to_jsonl(copy, &events, &store.review(run).await?), false).await?;
        Ok(PastRun { run, events, branch: None })
    }

    /// Runs what is set up, and returns once it is recorded as started. `past`: the run that goes on, if it is one, or what
    /// was recorded before a fork.
    pub(super) async fn begin(
        &self,
        stage: Stage,
        request: &RunRequest,
        past: Option<PastRun>,
    ) -> Result<RunId, ApiError> {
        check_runs(stage.harness)?;
        trust::check(&stage.untrusted)?;
        let said = past.as_ref().map_or(&[][..], |past| &past.events);
        self.check_for_key(&stage, &request.model, &request.prompt, said).await?;
        let store = self.store().await?.clone();
        let goes_on = past.as_ref().is_some_and(|past| past.branch.is_none());
        let past = past.unwrap_or_else(|| PastRun::new(Vec::new(), None));
        let scene = past.scene();
        let PastRun { run, events: past, branch } = past;
        let folder = self.inner.places.run_folder(run);
        self.keep_catalog(run, &stage);
        let mut plan = self.plan(stage, request, folder, scene).await?;
        if goes_on {
            plan.further.clear();
        }
        plan.branch = branch;

        let (decisions, answers) = questions();
        let (choices, chosen) = questions();
        let stop = CancellationToken::new();
        match lock(&self.inner.live).entry(run) {
            // Two that say something to one run at once.
            Entry::Occupied(_) => {
                return Err(still_goes_on(run));
            }
            Entry::Vacant(place) => {
                place.insert(LiveRun { stop: stop.clone(), decisions, cut_choices: choices });
            }
        }
        let (held, past) = blocking(move || (Arc::new(Held::of(&past)), past)).await;
        plan.past = past;
        lock(&self.inner.held).insert(run, held.clone());
        let push = self.inner.push.clone();
        let sender = self.send_live(run, held.clone()).await;
        let (begun, has_begun) = oneshot::channel();
        let mut begun = Some(begun);
        let keeping = held.clone();
        let recorder = Recorder::new(run, self.inner.clock.clone(), Some(store), move |event| {
            push(Push::RunUpdate(keeping.push(run, event)));
            if let Some(sender) = &sender {
                sender.wake();
            }
            if let Some(begun) = begun.take() {
                // Whoever asked for the run may be gone; the run goes on.
                let _ = begun.send(keeping.refusal.why());
            }
        });
        let recorder = recorder.telling(held.refusal.clone());
        let bench = self.clone();
        tokio::spawn(async move {
            engine::run(plan, Controls { stop, decisions: answers, cut_choices: chosen }, recorder).await;
            if held.refusal.why().is_none() {
                // A long one is read again, without its texts, if somebody asks for it.
                if !lock(&held.run).is_long() {
                    bench.inner.open_runs.put(run, held.run.clone());
                }
                lock(&bench.inner.held).remove(&run);
            }
            lock(&bench.inner.live).remove(&run);
            bench.inner.ended.notify_waiters();
        });
        // From here on every command finds the run.
        match has_begun.await {
            Ok(None) => Ok(run),
            refused => {
                // Nothing was asked of a model yet, so there is nothing to keep.
                lock(&self.inner.held).remove(&run);
                let reason = refused.ok().flatten().map(|why| message!(": {why}", "：{why}"; why)).unwrap_or_default();
                let what = match goes_on {
                    true => Wording::new("it does not go on", "没有继续"),
                    false => Wording::new("it was not started", "没有启动"),
                };
                let message = message!(
                    "the run cannot be recorded, so {what}{reason}",
                    "运行无法记录，因此{what}{reason}";
                    what, reason
                );
                Err(ApiError::new(Code::Store, message).hint(message!(
                    "check that {} can be written and has room, and that no other program has locked it",
                    "请检查 {} 可以写入且有空间，并且没有被其他程序锁定",
                    self.inner.places.traces()
                )))
            }
        }
    }

    /// Stops a run that goes on here. A run that is over is left as it is.
    pub async fn run_stop(&self, args: RunArgs) -> Result<(), ApiError> {
        if let Some(live) = lock(&self.inner.live).get(&args.run) {
            live.stop.cancel();
        }
        Ok(())
    }

    /// Ends all runs that go on here, and their scripts, before the program ends. Runs that do not come to their end in
    /// time read `interrupted` later.
    pub async fn close(&self) {
        lock(&self.inner.live).values().for_each(|live| live.stop.cancel());
        let all_ended = async {
            loop {
                let next = self.inner.ended.notified();
                if lock(&self.inner.live).is_empty() {
                    break;
                }
                next.await;
            }
            let sending: Vec<RunId> = lock(&self.inner.sending).keys().copied().collect();
            for run in sending {
                self.live_sent(run).await;
            }
        };
        // Who asked the program to end does not wait for ever.
        let _ = tokio::time::timeout(CLOSING, all_ended).await;
    }

    /// Answers the question that a call or the framework waits with, and no other: a second answer, or one to an earlier
    /// question, is refused.
    pub async fn run_decide(&self, args: DecideArgs) -> Result<(), ApiError> {
        let decisions = lock(&self.inner.live).get(&args.run).map(|live| live.decisions.clone()).ok_or_else(is_over)?;
        if let Decision::Allow { arguments: Some(arguments), .. } = &args.decision {
            check_arguments(arguments)?;
        }
        let given = Given { decision: args.decision, remember: args.remember };
        decisions.give(args.question, given).map_err(is_not_open)
    }

    /// What the call in question would do with other arguments; nothing is done for it. An earlier one that is still being
    /// looked at is given up.
    pub async fn run_try(&self, args: TryArgs) -> Result<Trial, ApiError> {
        check_arguments(&args.arguments)?;
        let decisions = lock(&self.inner.live).get(&args.run).map(|live| live.decisions.clone()).ok_or_else(is_over)?;
        Ok(match decisions.try_out(args.question, args.arguments).await.map_err(is_not_open)? {
            engine::Trial::Does { effect, subject: Subject { leads_to, enforcement, .. } } => {
                Trial::Does { effect, leads_to: leads_to.map(Utf8PathBuf::into_string), enforcement }
            }
            engine::Trial::Replies { text, is_error } => Trial::Replies { text, is_error },
            engine::Trial::Refused { why } => Trial::Refused { why },
        })
    }

    /// Keeps an answer that may be cut off, asks for it again, or ends the run.
    pub async fn run_settle(&self, args: SettleArgs) -> Result<(), ApiError> {
        let choices = lock(&self.inner.live).get(&args.run).map(|live| live.cut_choices.clone()).ok_or_else(is_over)?;
        choices.give(args.question, args.choice).map_err(is_not_open)
    }

    /// The recorded runs, and those in memory in the place of what the store has of them.
    pub async fn run_list(&self, _: NoArgs) -> Result<RunList, ApiError> {
        let held = self.held_summaries().await;
        let mut list = match self.stored_runs().await {
            Err(_) if !held.is_empty() => RunList::default(),
            listed => listed?,
        };
        put_held(&mut list.runs, held, |_| true);
        list.runs.sort_by_key(|run| std::cmp::Reverse((run.started_at, run.id)));
        Ok(list)
    }

    /// Runs by an id, the beginning of one, or `last`: so many at most.
    pub async fn runs_named(&self, text: &str, most: u32) -> Result<Vec<RunSummary>, ApiError> {
        let store = self.store().await?;
        let is_last = text == "last";
        let mut runs = match is_last {
            true => store.last().await?.into_iter().collect(),
            false => store.named(text, most).await?,
        };
        let held = self.held_summaries().await;
        put_held(&mut runs, held, |run| is_last || run.id.to_string().starts_with(text));
        runs.sort_by_key(|run| std::cmp::Reverse((run.started_at, run.id)));
        runs.truncate(if is_last { 1 } else { most as usize });
        Ok(runs)
    }

    /// Those of these runs that are here and can be read.
    pub async fn runs_of(&self, ids: Vec<RunId>) -> Result<Vec<RunSummary>, ApiError> {
        let held = self.held_summaries().await;
        let (wanted, mut runs) = (ids.clone(), self.store().await?.some(ids).await?);
        put_held(&mut runs, held, |run| wanted.contains(&run.id));
        Ok(runs)
    }

    /// The runs that are in memory.
    pub(super) async fn held_summaries(&self) -> Vec<RunSummary> {
        let held: Vec<(RunId, Arc<Held>)> =
            lock(&self.inner.held).iter().map(|(run, held)| (*run, held.clone())).collect();
        blocking(move || held.iter().filter_map(|(run, held)| held.summary(*run)).collect()).await
    }

    pub(super) async fn run_summary(&self, run: RunId) -> Result<RunSummary, ApiError> {
        if let Some(held) = self.held(run) {
            return blocking(move || held.summary(run)).await.ok_or_else(|| no_run(run));
        }
        self.store().await?.run(run).await?.ok_or_else(|| no_run(run))
    }

    /// All steps of a run.
    pub async fn run_get(&self, args: RunArgs) -> Result<RunDetail, ApiError> {
        let RunArgs { run } = args;
        let summary = self.run_summary(run).await?;
        // Of a long one that is opened only the beginnings of texts are held.
        let is_long = self.held(run).is_none() && summary.steps as usize > trace::open_run::LONG;
        let opened = if is_long { None } else { Some(self.opened(run).await?.0) };
        let steps = blocking(move || {
            let open = opened?;
            let open = lock(&open);
            (!open.is_brief()).then(|| open.steps().to_vec())
        });
        let steps = match steps.await {
            Some(steps) => steps,
            None => {
                let events = self.store().await?.outline(run).await?;
                blocking(move || trace::fold::steps(&events)).await
            }
        };
        Ok(RunDetail { summary, steps })
    }

    /// One step of a run, with all of its texts.
    pub async fn run_step(&self, args: StepArgs) -> Result<Step, ApiError> {
        let StepArgs { run, step } = args;
        self.whole_step(run, step).await?.ok_or_else(|| no_step(step))
    }

    /// Some steps of a run; `events` says which updates came before. The last page has the last step. Of a run in the store,
    /// no more is read than what is asked for.
    pub async fn run_page(&self, args: PageArgs) -> Result<RunPage, ApiError> {
        let PageArgs { run, from, most } = args;
        let (open, _, is_all) = self.opened_to(run, from.saturating_add(most)).await?;
        let summary = self.run_summary(run).await?;
        Ok(blocking(move || {
            let open = lock(&open);
            let read = u32::try_from(open.steps().len()).unwrap_or(u32::MAX);
            let all = if is_all { read } else { read.max(summary.steps) };
            RunPage { summary, all, events: open.events(), steps: open.page(from, most).to_vec() }
        })
        .await)
    }

    /// What there is to know of all steps of a run at once, of some of them. The last columns have the last step.
    pub async fn run_columns(&self, args: PageArgs) -> Result<Columns, ApiError> {
        let PageArgs { run, from, most } = args;
        let (open, _, _) = self.opened_to(run, from.saturating_add(most)).await?;
        Ok(blocking(move || lock(&open).columns(from, most)).await)
    }

    /// Forgets a run and the files its scripts wrote. A run that goes on must be stopped first.
    pub async fn run_delete(&self, args: RunArgs) -> Result<(), ApiError> {
        if self.held(args.run).is_some_and(|held| !lock(&held.kept).is_over()) {
            return Err(ApiError::new(Code::Invalid, message!("the run is still running", "运行仍在进行"))
                .hint(message!("stop it first", "请先停止它")));
        }
        self.store().await?.delete(args.run).await?;
        self.put_away(args.run).await
    }

    pub async fn run_export(&self, args: ExportArgs) -> Result<String, ApiError> {
        let run = args.run;
        // What was sent repeats itself and is most of a run, so no more of it is read than what is written.
        let events = match args.format {
            RunExport::Jsonl => self.all_events(run).await?,
            RunExport::Openai | RunExport::Anthropic | RunExport::Inspect => self.events_with_last_body(run).await?,
            RunExport::Screenplay | RunExport::Markdown | RunExport::MarkdownChinese | RunExport::Source => {
                self.events_without_bodies(run).await?
            }
        };
        let review = self.said_about(run).await;
        let setup = first_setup(&events, run)?;
        let written = move || match args.format {
            RunExport::Jsonl => Ok(export::to_jsonl(run, &neutral::for_others(events), &review)),
            RunExport::Screenplay => scenes::written(&events, &setup),
            RunExport::Openai => Ok(export::to_openai(&events, &setup)),
            RunExport::Anthropic => Ok(export::to_anthropic(&events, &setup)),
            RunExport::Inspect => Ok(export::to_inspect(run, &events, &setup)),
            RunExport::Markdown => Ok(export::to_markdown(&events, &setup, &review, Language::English)),
            RunExport::MarkdownChinese => Ok(export::to_markdown(&events, &setup, &review, Language::Chinese)),
            RunExport::Source => export::to_source(&events).ok_or_else(|| {
                ApiError::new(
                    Code::Invalid,
                    message!(
                        "run {run} was recorded here, not imported from another program",
                        "运行 {run} 是在这里录制的，并非从其他程序导入"
                    ),
                )
                .hint(message!("export it as jsonl", "请以 jsonl 格式导出"))
            }),
        };
        blocking(written).await
    }

    /// Writes what [`Workbench::run_export`] gives to a file, over one that the user chose to replace. The pictures of a
    /// screenplay are files next to it.
    pub async fn run_save(&self, args: SaveArgs) -> Result<(), ApiError> {
        let path = absolute(Utf8Path::new(&args.path));
        if args.format == RunExport::Screenplay {
            let events = self.events_without_bodies(args.run).await?;
            let setup = first_setup(&events, args.run)?;
            return blocking(move || scenes::save(&events, &setup, &path)).await;
        }
        if args.format == RunExport::Jsonl && self.held(args.run).is_none() {
            return self.save_jsonl(args.run, path).await;
        }
        let text = self.run_export(ExportArgs { run: args.run, format: args.format }).await?;
        blocking(move || {
            disk::write_atomically(&path, text.as_bytes()).map_err(|error| ApiError::io(&path, Tried::Write, error))
        })
        .await
    }

    /// Imports what [`Workbench::run_export`] wrote as JSONL, or the first run of a text that another program recorded; the
    /// same run twice is one run.
    pub async fn run_import(&self, args: ImportArgs) -> Result<RunId, ApiError> {
        self.import_text(args.text, None).await?.first()
    }

    pub async fn run_diff(&self, args: DiffArgs) -> Result<RunDiff, ApiError> {
        let (a, b) = (self.marks(args.a).await?, self.marks(args.b).await?);
        Ok(blocking(move || diff::diff_marked(&a, &b)).await)
    }

    /// What the model saw at a step. What it costs does not depend on where in the run the step is.
    pub async fn step_context(&self, args: StepArgs) -> Result<ContextAtStep, ApiError> {
        let StepArgs { run, step } = args;
        let (open, source, _) = self.opened_to(run, step.saturating_add(1)).await?;
        let reads = lock(&open).reads(step).ok_or_else(|| no_step(step))?;
        let events = self.read(run, source, reads).await?;
        blocking(move || lock(&open).context(step, &events)).await.ok_or_else(|| no_step(step))
    }

    /// The run that ships with the program, taken in again if it was deleted.
    pub async fn sample_run(&self, _: NoArgs) -> Result<RunId, ApiError> {
        Ok(self.store().await?.import_jsonl(bundled::RUN, true).await?)
    }

    /// Whether a path lies in a folder that the user opened or trusts, by where it really leads. One that is not
    /// absolute does not: a run takes it from a folder of its own.
    pub async fn is_in_open_folder(&self, path: &Utf8Path) -> bool {
        let loaded = self.loaded().await;
        let roots: Vec<Utf8PathBuf> = loaded.set.roots.iter().map(|root| root.path.clone()).collect();
        let path = path.to_owned();
        blocking(move || path.is_absolute() && disk::is_below(&path, &trust::where_they_are(&roots))).await
    }

    async fn stored_runs(&self) -> Result<RunList, ApiError> {
        Ok(self.store().await?.runs().await?)
    }

    pub(super) fn held(&self, run: RunId) -> Option<Arc<Held>> {
        lock(&self.inner.held).get(&run).cloned()
    }

    /// What is recorded of a run, but for what was sent.
    pub(super) async fn events_without_bodies(&self, run: RunId) -> Result<Vec<Event>, ApiError> {
        let events = match self.held(run) {
            Some(held) => blocking(move || held.outline()).await,
            None => self.store().await?.outline(run).await?,
        };
        if events.is_empty() { Err(no_run(run)) } else { Ok(events) }
    }

    /// As [`Workbench::events_without_bodies`], with the body of the last request of the run's own conversation that has one:
    /// its messages are made of that and of what came behind it.
    async fn events_with_last_body(&self, run: RunId) -> Result<Vec<Event>, ApiError> {
        let mut events = self.events_without_bodies(run).await?;
        let asks = |event: &&Event| event.within.is_none() && matches!(event.kind, EventKind::Requested { .. });
        let requests: Vec<u32> = events.iter().rev().filter(asks).map(|event| event.seq).collect();
        // One of a run that another program recorded may have none.
        for requests in requests.chunks(BODIES) {
            let reads = Reads { events: requests.to_vec(), bodies: requests.to_vec() };
            let read = match self.held(run) {
                Some(held) => blocking(move || held.read(&reads)).await,
                None => self.store().await?.read(run, reads).await?,
            };
            let last = read.into_iter().find(|event| match &event.kind {
                EventKind::Requested { body, .. } => !body.is_empty(),
                _ => false,
            });
            if let Some(last) = last {
                if let Some(place) = events.iter().rposition(|event| event.seq == last.seq) {
                    events[place] = last;
                }
                break;
            }
        }
        Ok(events)
    }

    /// All that is recorded of a run.
    pub(super) async fn all_events(&self, run: RunId) -> Result<Vec<Event>, ApiError> {
        let events = match self.held(run) {
            Some(held) => blocking(move || held.events()).await,
            None => self.store().await?.events(run).await?,
        };
        if events.is_empty() { Err(no_run(run)) } else { Ok(events) }
    }

    async fn plan(
        &self,
        stage: Stage,
        request: &RunRequest,
        folder: Utf8PathBuf,
        scene: Scene,
    ) -> Result<Plan, ApiError> {
        let roots = stage.roots.clone();
        let means = &request.means;
        let pace = means.pace.map(|pace| Duration::from_millis(pace.into()));
        let recording = match request.model.strip_prefix(RECORDED) {
            Some(run) => Some(Arc::new(self.recording(run, pace).await?)),
            None => None,
        };
        let rehearsal = request.model == REHEARSAL || recording.is_some();
        let mut further = Vec::new();
        // With which pictures a screenplay says what is said now.
        let mut named = None;
        let model = if let Some(recording) = &recording {
            let model = Priced { model: Arc::new(recording.first()), prices: None };
            let said = recording.prompts().iter().zip(recording.images()).skip(scene.turn + 1);
            further.extend(said.map(|(prompt, images)| Said {
                prompt: prompt.clone(),
                images: images.clone(),
                model: model.clone(),
            }));
            model
        } else if rehearsal {
            let found = scenes::of(request, scene.first.as_deref(), &roots)?;
            let screenplay = found.as_ref().map(|(_, screenplay)| screenplay.clone());
            let rehearsal = || Rehearsal::new(screenplay.clone(), stage.harness, stage.catalog.clone(), pace);
            let priced = |model: Rehearsal| Priced { model: Arc::new(model), prices: None };
            let said = scenes::said(found).await?;
            if !scene.forked {
                let first = said.first().filter(|turn| turn.prompt.trim() == request.prompt.trim());
                named = first.map(|turn| turn.images.clone());
            }
            for (turn, scenes::Turn { prompt, images }) in said.into_iter().enumerate().skip(scene.turn + 1) {
                let model = priced(rehearsal().further(turn, &prompt));
                further.push(Said { prompt, images, model });
            }
            priced(rehearsal().further(scene.turn, &request.prompt))
        } else {
            self.model(&request.model)?
        };
        // What was recorded with pictures is said with them again.
        let recorded = recording.as_ref().and_then(|recording| {
            let place = recording.prompts().iter().position(|prompt| *prompt == request.prompt)?;
            recording.images().get(place).cloned()
        });
        let images = match request.images.is_empty() {
            true => recorded.or(named).unwrap_or_default(),
            false => request.images.clone(),
        };
        let hub = self.hub(stage.harness, stage.catalog.clone());
        let reload =
            stage.harness.reads_each_turn(&stage.catalog).then(|| reload(&stage, request, &roots, &self.inner.places));
        let (project, project_sandbox) =
            (stage.project.limits, self.readable_venv(stage.project.sandbox, &roots).await?);
        let limits = RunLimits {
            turns: means.turns.unwrap_or(project.turns),
            tokens: means.tokens.or(project.tokens),
            seconds: means.seconds.or(project.seconds),
            cost: means.cost.or(project.cost),
            ..project
        };
        let sandbox = Policy {
            mode: means.sandbox.unwrap_or(project_sandbox.mode),
            network: if means.network { Network::Allowed } else { Network::Denied },
            fidelity: if means.fidelity == Some(true) { Fidelity::On } else { Fidelity::Off },
            ..project_sandbox
        };
        let paths = neutral::of_run(stage.paths, &folder, &sandbox);
        let mut notes = stage.left_out;
        notes.extend(neutral::check(&paths, &sandbox).await?);
        let mut session = stage.session;
        session.working_directory = Some(paths.shown(&folder));
        Ok(Plan {
            harness: stage.harness,
            catalog: stage.catalog,
            reload,
            model,
            hub,
            rehearsal,
            recording,
            past: Vec::new(),
            branch: None,
            prompt: request.prompt.clone(),
            images,
            further,
            session,
            without: request.without.clone(),
            notes,
            roots,
            limits,
            sandbox,
            approval: Approval::Ask,
            memory: self.memory(means.ask_all).await?,
            guard: self.guard().await,
            working_directory: folder,
            paths,
            app_version: VERSION.to_owned(),
        })
    }

    fn keep_catalog(&self, run: RunId, stage: &Stage) {
        let mut catalogs = lock(&self.inner.catalogs);
        catalogs.insert(run, (stage.catalog.clone(), stage.paths.clone()));
        if catalogs.len() > CATALOGS {
            catalogs.pop_first();
        }
    }

    /// A run that is here, to be answered from.
    async fn recording(&self, run: &str, pace: Option<Duration>) -> Result<Recording, ApiError> {
        let unknown = || {
            ApiError::new(
                Code::NotFound,
                message!("there is no run `{run}` to take answers from", "没有可从中取回答的运行 `{run}`"),
            )
            .hint(message!(
                "name a recorded run by its whole id, or import it first",
                "请写出已录制运行的完整 id，或先导入它"
            ))
        };
        let id: RunId = run.parse().map_err(|_| unknown())?;
        let events = match self.held(id) {
            Some(held) => blocking(move || held.events()).await,
            None => self.store().await?.events(id).await?,
        };
        if events.is_empty() { Err(unknown()) } else { Ok(Recording::new(id, &events, pace)) }
    }

    /// Finds what a skill or a sub-agent names as its model: an id of `models.yaml`, or the rehearsal model, which then
    /// walks the skills by its fixed rules.
    fn hub(&self, harness: &'static dyn Harness, catalog: Catalog) -> Hub {
        let bench = self.clone();
        Arc::new(move |id| match id {
            REHEARSAL => {
                let model = Rehearsal::new(None, harness, catalog.clone(), None);
                Ok(Priced { model: Arc::new(model), prices: Some(FREE) })
            }
            id => bench.model(id).map_err(|error| error.worded()),
        })
    }
}

impl From<TraceError> for ApiError {
    fn from(error: TraceError) -> Self {
        use TraceError as E;
        let message = error.worded();
        match &error {
            E::Import { .. } => ApiError::new(Code::Invalid, message).hint(message!(
                "import a file that `trace export` wrote, or one of a format that `trace import --help` lists",
                "请导入由 `trace export` 写出的文件，或 `trace import --help` 所列格式的文件"
            )),
            E::StillRunning { .. } | E::WentOn { .. } => ApiError::new(Code::Invalid, message),
            E::Open { path, .. } if error.is_locked() => ApiError::new(Code::Store, message)
                .hint(message!(
                    "another program has locked {path}: wait until it is done, or end it",
                    "{path} 被其他程序锁定：请等它完成，或结束它"
                ))
                .at(path),
            E::ReadOnly { path, .. } => ApiError::new(Code::Store, message)
                .hint(message!(
                    "check that {path} can be written and that no other program has locked it",
                    "请检查 {path} 可以写入，并且没有被其他程序锁定"
                ))
                .at(path),
            E::Open { path, .. } | E::Access { path, .. } => ApiError::new(Code::Store, message)
                .hint(message!(
                    "check that the folder exists, can be written and has room",
                    "请检查文件夹存在、可以写入且有空间"
                ))
                .at(path),
            E::Damaged { path, .. }
            | E::Foreign { path }
            | E::Strange { path, .. }
            | E::Endless { path, .. }
            | E::Newer { path }
            | E::Migrate { path, .. }
            | E::Gone { path }
            | E::Lost { path, .. } => ApiError::new(Code::Store, message).at(path),
            E::Closed | E::Slow | E::NotRecording { .. } | E::Unreadable { .. } | E::Sql { .. } | E::Event { .. } => {
                ApiError::new(Code::Store, message)
            }
        }
    }
}

/// A run that goes on, and all that is recorded of it; or a new one, with what is taken over from another.
pub(super) struct PastRun {
    run: RunId,
    events: Vec<Event>,
    /// How it is forked off.
    branch: Option<Branch>,
}

/// Where in a scene a run begins.
struct Scene {
    /// What the user said first, if that is not what is said now.
    first: Option<String>,
    /// Which turn of the user, from 0, is played next.
    turn: usize,
    /// What is said is the record's or the user's, and not the scene's.
    forked: bool,
}

impl PastRun {
    /// A run of its own. `events`: those that it takes over.
    pub(super) fn new(events: Vec<Event>, branch: Option<Branch>) -> Self {
        Self { run: RunId(uuid::Uuid::now_v7()), events, branch }
    }

    pub(super) fn run(&self) -> RunId {
        self.run
    }

    fn scene(&self) -> Scene {
        let Some(branch) = &self.branch else { return Scene { first: None, turn: 0, forked: false } };
        let prompts = turns::prompts(&self.events).count();
        let turn = if matches!(branch.then, Then::Said) { prompts } else { prompts.saturating_sub(1) };
        Scene { first: turns::prompts(&self.events).next().map(str::to_owned), turn, forked: true }
    }

    /// The harness that goes on, and its variant. A run that another program recorded has none of ours, or is one of a
    /// client's in a version that is not played here.
    fn goes_on_under(&self, wanted: Option<String>, setup: &RunSetup) -> Result<(String, Option<String>), ApiError> {
        let foreign =
            self.events.iter().find_map(|event| event.kind.setup()).and_then(|begun| begun.imported).is_some();
        if !foreign && let Some(other) = wanted.as_ref().filter(|wanted| **wanted != setup.harness) {
            let (run, own) = (self.run, &setup.harness);
            let message = message!(
                "run {run} is one of `{own}` and cannot go on under `{other}`",
                "运行 {run} 属于 `{own}`，不能在 `{other}` 下继续"
            );
            let hint = message!(
                "fork it: `skillbench run --fork {run} --at STEP --harness {other}`, or Fork at a step in the window",
                "请改为分叉：`skillbench run --fork {run} --at STEP --harness {other}`，或在窗口中从某一步分叉"
            );
            return Err(ApiError::new(Code::Invalid, message).hint(hint));
        }
        let harness = wanted.unwrap_or_else(|| setup.harness.clone());
        let known = harness::find(&harness);
        if foreign && known.is_none() && harness == setup.harness {
            let run = self.run;
            let message = message!(
                "run {run} was recorded by another program and has no framework here",
                "运行 {run} 由其他程序录制，在这里没有对应的框架"
            );
            let hint = message!(
                "say under which framework it goes on: with --harness in the terminal, next to “Go on” in the window",
                "请指明在哪个框架下继续：在终端用 --harness，在窗口中则在“继续”旁选择"
            );
            return Err(ApiError::new(Code::Invalid, message).hint(hint));
        }
        let has_variant =
            known.is_some_and(|known| known.profile().variants.iter().any(|known| known.id == setup.variant));
        let variant = (!foreign || (harness == setup.harness && has_variant)).then(|| setup.variant.clone());
        Ok((harness, variant))
    }

    /// What it was given when the user said something last.
    fn last_setup(&self) -> Result<&RunSetup, ApiError> {
        self.events.iter().rev().find_map(|event| event.kind.setup()).ok_or_else(|| no_run(self.run))
    }
}

/// Whether nobody's model answers.
fn is_nobody(model: &str) -> bool {
    model == REHEARSAL || model.starts_with(RECORDED)
}

/// Runs whose skills are kept as they saw them.
const CATALOGS: usize = 64;

/// Bodies of requests that are read at once, until one is found that is not empty.
const BODIES: usize = 16;

/// For runs to end when the program does.
const CLOSING: Duration = Duration::from_secs(3);

/// What nobody is asked for.
const FREE: Prices = Prices { input: 0.0, output: 0.0, cached: None, cache_written: None };

/// Takes runs that are in memory as they are there, and not as the store has them. Those that do not count are left out.
pub(super) fn put_held(runs: &mut Vec<RunSummary>, held: Vec<RunSummary>, counts: impl Fn(&RunSummary) -> bool) {
    runs.retain(|run| held.iter().all(|held| held.id != run.id));
    runs.extend(held.into_iter().filter(counts));
}

fn is_over() -> ApiError {
    ApiError::new(
        Code::NotFound,
        message!("the run is over; there is nothing left to decide", "运行已结束，没有需要决定的了"),
    )
    .hint(message!("open it under Traces", "请在“轨迹”中打开它"))
}

fn is_not_open(error: NotOpen) -> ApiError {
    ApiError::new(Code::NotFound, error.worded())
        .hint(message!("answer the question that is shown now", "请答复当前显示的问题"))
}

/// Bytes of arguments that a user writes.
const ARGUMENTS: usize = 1 << 20;

fn check_arguments(arguments: &str) -> Result<(), ApiError> {
    if arguments.len() <= ARGUMENTS {
        return Ok(());
    }
    let (are, most) = (arguments.len().div_ceil(1 << 10), ARGUMENTS >> 10);
    let message = message!(
        "the edited arguments have {are} KiB; at most {most} KiB are taken",
        "修改后的参数有 {are} KiB，最多接受 {most} KiB"
    );
    Err(ApiError::new(Code::Invalid, message).hint(message!(
        "put long text into a file of the skill, and name that",
        "请把长文本放进技能的文件里，再用文件名引用"
    )))
}

/// The pictures of a prompt, looked at as files are.
pub(super) async fn checked_images(images: Vec<Image>) -> Result<Vec<Image>, ApiError> {
    if images.len() > IMAGES {
        let message = message!("a prompt can have at most {IMAGES} images", "一条提示词最多可带 {IMAGES} 张图片");
        return Err(ApiError::new(Code::Invalid, message));
    }
    let check = move || images.into_iter().map(Image::checked).collect::<Result<Vec<_>, _>>();
    blocking(check).await.map_err(|unfit| {
        let why = unfit.worded();
        let message = message!("cannot send an image: {why}", "无法发送图片：{why}"; why);
        ApiError::new(Code::Invalid, message)
    })
}

/// A model that is sent nothing by the user answers nothing that anybody asked.
pub(super) fn check_prompt(prompt: &str) -> Result<(), ApiError> {
    if !prompt.trim().is_empty() {
        return Ok(());
    }
    Err(ApiError::new(Code::Invalid, message!("the prompt is empty", "提示词为空"))
        .hint(message!("type what the user says", "请输入用户说的话")))
}

fn still_goes_on(run: RunId) -> ApiError {
    ApiError::new(Code::Invalid, message!("run {run} still goes on", "运行 {run} 仍在进行"))
        .hint(message!("stop it first", "请先停止它"))
}

pub(super) fn no_run(run: RunId) -> ApiError {
    ApiError::new(Code::NotFound, message!("there is no run {run}", "没有运行 {run}"))
        .hint(message!("it may have been deleted", "它可能已被删除"))
}

/// With what a run began.
fn first_setup(events: &[Event], run: RunId) -> Result<RunSetup, ApiError> {
    match events.first().map(|event| &event.kind) {
        Some(EventKind::Started { setup }) => Ok(setup.clone()),
        _ => Err(no_run(run)),
    }
}

fn no_step(step: u32) -> ApiError {
    let message = message!("the run has no step {}", "运行没有第 {} 步", step.saturating_add(1));
    ApiError::new(Code::NotFound, message).hint(message!("reload the run", "请重新载入运行"))
}

/// Reads the skills again each time the user says more, for frameworks that do.
fn reload(
    stage: &Stage,
    request: &RunRequest,
    roots: &[Utf8PathBuf],
    places: &Places,
) -> Arc<dyn Fn() -> Catalog + Send + Sync> {
    let harness: &'static dyn Harness = stage.harness;
    let (options, roots, without) = (stage.options.clone(), roots.to_vec(), request.without.clone());
    let paths = stage.paths.clone();
    let places = places.clone();
    Arc::new(move || {
        let set = skill::load_trusting(&roots, &Trusted::read(&places).unmoved());
        let mut catalog = harness.select(&skill::paths::shown(&skill::followed(&set), &paths), &options);
        catalog.leave_out(&without);
        catalog
    })
}

#[cfg(test)]
mod tests {
    use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

    use super::*;
    use crate::Freshness;
    use harness::Effect;
    use trace::fold;

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

    /// A watcher tells of an edit a while later.
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

        // Its folders lie nowhere, so its skills are those of the same names.
        let sample = bench.bench.sample_run(NoArgs {}).await.unwrap();
        let setup = bench.bench.run_get(RunArgs { run: sample }).await.unwrap().summary.setup;
        assert_eq!(bench.bench.run_eager(RunArgs { run: sample }).await.unwrap(), eager);
        assert_eq!(eager.skills as usize, setup.skills.len());

        let elsewhere =
            Workbench::open(Places::below(bench.home.clone(), None), Vec::new(), Freshness::ReadOnce, |_| {});
        let unknown = elsewhere.await.run_eager(RunArgs { run }).await.unwrap();
        assert_eq!(
            (unknown.skills, unknown.instructions, unknown.missing),
            (0, 0, setup.skills),
            "nothing else is read"
        );
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
        assert!(refused.message.contains("was taken in from elsewhere"), "{}", refused.message);
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
            // One that is moved into another lies too deep for any path.
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
}
