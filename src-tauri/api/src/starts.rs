//! Runs begin and go on: their set-up, and passing on their steps.

use std::collections::hash_map::Entry;
use std::sync::Arc;
use std::time::Duration;

use camino::Utf8PathBuf;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use super::dto::{ContinueArgs, Push, RunMeans, RunRequest};
use super::error::{ApiError, Code, Tried};
use super::held::{Held, LiveRun};
use super::inspect::{Stage, check_runs};
use super::runs::{FREE, no_run};
use super::scenes::Turn;
use super::trust::Trusted;
use super::{Places, VERSION, Workbench, blocking, lock, neutral, scenes, trust};
use config::{Fidelity, Network, Policy, RECORDED, REHEARSAL, RunLimits};
use engine::recorded::Recording;
use engine::rehearsal::Rehearsal;
use engine::{Approval, Branch, Controls, Hub, Plan, Priced, Said, Then, questions};
use harness::{Catalog, Harness};
use model::Image;
use model::image::IMAGES;
use trace::context::Reads;
use trace::recorder::Recorder;
use trace::{Event, EventKind, RunId, RunSetup, TraceError, export, turns};
use wording::{Message, Wording, message};

impl Workbench {
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
                "{} does not start with these skills and options: correct the skill that it names, or workbench.yaml",
                "{} 以这些技能和选项无法启动：请更正它所指出的技能，或更正 workbench.yaml",
                request.harness
            )));
        }
        self.begin(stage, &request, None).await
    }

    /// Lets the user say more in a run that has ended, and returns once that is recorded; its steps arrive as pushes.
    /// The bundled run continues as a copy, so the returned run may be another one.
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
                    "运行 {run} 是排练，没有询问模型；不能用模型 `{model}` 继续"
                ),
                false => message!(
                    "run {run} is answered by a model; it cannot go on with a rehearsal",
                    "运行 {run} 由模型回答；不能用排练继续"
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

    /// The limits and permissions of a run that continues or is forked. It uses the framework's real behaviour if it
    /// did so far; a record from elsewhere cannot set that.
    pub(super) fn means_of(&self, wanted: RunMeans, run: RunId, setup: &RunSetup) -> RunMeans {
        let fidelity = wanted.fidelity.unwrap_or_else(|| setup.fidelity && !self.inner.places.is_taken_in(run));
        RunMeans { fidelity: Some(fidelity), ..wanted }
    }

    /// The model that continues if the user names none.
    pub(super) fn same_model(&self, run: RunId, setup: &RunSetup) -> Result<String, ApiError> {
        if setup.rehearsal {
            // Data that the recording lacked then is still missing now.
            return Ok(REHEARSAL.to_owned());
        }
        if !self.inner.places.is_taken_in(run) {
            return Ok(setup.model.clone());
        }
        let model = &setup.model;
        Err(ApiError::new(
            Code::Invalid,
            message!(
                "run {run} was imported, so you did not choose its model `{model}`",
                "运行 {run} 是从别处导入的；用模型 `{model}` 继续并不是你的选择"
            ),
        )
        .hint(message!(
            "choose the model that goes on: with --model in the terminal, next to “Go on” in the window",
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

    /// The record of a run that may continue.
    async fn ended_run(&self, run: RunId) -> Result<PastRun, ApiError> {
        // The user may say more as soon as the end is announced, before the run is removed here.
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
            return Ok(PastRun { run, events, branch: None, more: None });
        }
        let copy = RunId(uuid::Uuid::now_v7());
        let run = store.import_jsonl(&export::to_jsonl(copy, &events, &store.review(run).await?), false).await?;
        Ok(PastRun { run, events, branch: None, more: None })
    }

    /// Starts the run, and returns once it is recorded as started. `past`: the run that continues, or the events before
    /// a fork.
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
        if let Some(Turn { prompt, .. }) = past.as_ref().and_then(|past| past.more.as_ref()) {
            self.check_for_key(&stage, &request.model, prompt, &[]).await?;
        }
        let store = self.store().await?.clone();
        let goes_on = past.as_ref().is_some_and(|past| past.branch.is_none());
        let mut past = past.unwrap_or_else(|| PastRun::new(Vec::new(), None));
        let scene = past.scene();
        let PastRun { run, events: past, branch, more: _ } = past;
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
                // The caller may be gone; the run goes on.
                let _ = begun.send(keeping.refusal.why());
            }
        });
        let recorder = recorder.telling(held.refusal.clone());
        let bench = self.clone();
        tokio::spawn(async move {
            engine::run(plan, Controls { stop, decisions: answers, cut_choices: chosen }, recorder).await;
            if held.refusal.why().is_none() {
                // A long one is read again without its texts when needed.
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

    /// As [`Workbench::events_without_bodies`], with the body of the last request of the run's own conversation that
    /// has one: its messages are derived from that and from later events.
    pub(super) async fn events_with_last_body(&self, run: RunId) -> Result<Vec<Event>, ApiError> {
        let mut events = self.events_without_bodies(run).await?;
        let asks = |event: &&Event| event.within.is_none() && matches!(event.kind, EventKind::Requested { .. });
        let requests: Vec<u32> = events.iter().rev().filter(asks).map(|event| event.seq).collect();
        // One of a run that another program recorded may have none.
        for requests in requests.chunks(BODIES) {
            let reads = Reads { events: requests.to_vec(), bodies: requests.to_vec() };
            let read = self.read_some(run, reads).await?;
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
        let more = scene.more;
        let next = scene.turn + 1 + usize::from(more.is_some());
        // The pictures that a screenplay has for the current prompt.
        let mut named = None;
        let model = if let Some(recording) = &recording {
            let model = Priced { model: Arc::new(recording.first()), prices: None };
            let said = recording.prompts().iter().zip(recording.images()).skip(next);
            further.extend(more.map(|Turn { prompt, images }| Said { prompt, images, model: model.clone() }));
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
            let later = said.into_iter().enumerate().skip(next);
            let more = more.map(|more| (scene.turn + 1, more));
            for (turn, Turn { prompt, images }) in more.into_iter().chain(later) {
                let model = priced(rehearsal().further(turn, &prompt));
                further.push(Said { prompt, images, model });
            }
            priced(rehearsal().further(scene.turn, &request.prompt))
        } else {
            let model = self.model(&request.model)?;
            further.extend(more.map(|Turn { prompt, images }| Said { prompt, images, model: model.clone() }));
            model
        };
        // A prompt that was recorded with pictures gets them again.
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

/// A run that continues, with its record; or a new one, with events from another.
pub(super) struct PastRun {
    run: RunId,
    events: Vec<Event>,
    /// How it is forked off.
    branch: Option<Branch>,
    /// What the user says after the first turn that is run.
    more: Option<Turn>,
}

/// The place in a scene where a run begins.
struct Scene {
    /// The user's first prompt, if it is not the current one.
    first: Option<String>,
    /// Which turn of the user, from 0, is played next.
    turn: usize,
    /// The prompt comes from the record or the user, not from the scene.
    forked: bool,
    /// What the user says in place of the turn after that.
    more: Option<Turn>,
}

impl PastRun {
    /// A new run. `events`: those copied from another run.
    pub(super) fn new(events: Vec<Event>, branch: Option<Branch>) -> Self {
        Self { run: RunId(uuid::Uuid::now_v7()), events, branch, more: None }
    }

    pub(super) fn saying(self, more: Option<Turn>) -> Self {
        Self { more, ..self }
    }

    pub(super) fn run(&self) -> RunId {
        self.run
    }

    fn scene(&mut self) -> Scene {
        let more = self.more.take();
        let Some(branch) = &self.branch else { return Scene { first: None, turn: 0, forked: false, more } };
        let prompts = turns::prompts(&self.events).count();
        let turn = if matches!(branch.then, Then::Said) { prompts } else { prompts.saturating_sub(1) };
        Scene { first: turns::prompts(&self.events).next().map(str::to_owned), turn, forked: true, more }
    }

    /// The harness that continues, and its variant. A run of another program has no harness of ours, or is from a
    /// client in a version that is not available here.
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
                "choose the framework under which it goes on: with --harness in the terminal, next to “Go on” in the window",
                "请指明在哪个框架下继续：在终端用 --harness，在窗口中则在“继续”旁选择"
            );
            return Err(ApiError::new(Code::Invalid, message).hint(hint));
        }
        let has_variant =
            known.is_some_and(|known| known.profile().variants.iter().any(|known| known.id == setup.variant));
        let variant = (!foreign || (harness == setup.harness && has_variant)).then(|| setup.variant.clone());
        Ok((harness, variant))
    }

    /// Its set-up at the last prompt.
    fn last_setup(&self) -> Result<&RunSetup, ApiError> {
        self.events.iter().rev().find_map(|event| event.kind.setup()).ok_or_else(|| no_run(self.run))
    }
}

/// Whether no real model answers.
fn is_nobody(model: &str) -> bool {
    model == REHEARSAL || model.starts_with(RECORDED)
}

/// How many runs' skills are kept as the runs saw them.
const CATALOGS: usize = 64;

/// Bodies of requests that are read at once, until one is found that is not empty.
const BODIES: usize = 16;

/// The pictures of a prompt, checked as files are.
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

/// Reads the skills again each time the user says more, for frameworks that do.
pub(super) fn reload(
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
