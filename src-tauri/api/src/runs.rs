//! Runs: starting, following, answering, stepping through and sharing them.

use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};

use super::dto::{
    DiffArgs, ExportArgs, ImportArgs, NoArgs, PageArgs, RunArgs, RunDetail, RunExport, RunPage, SandboxState, SaveArgs,
    ScreenplayInfo, StepArgs,
};
use super::error::{ApiError, Code, Tried};
use super::held::Held;
use super::inspect::project;
use super::{Places, Workbench, absolute, blocking, bundled, lock, neutral, scenes, trust};
use config::{Policy, Project, RunLimits};
use engine::tool::room;
use model::entry::Prices;
use trace::clock::Clock;
use trace::columns::Columns;
use trace::context::Reads;
use trace::diff::RunDiff;
use trace::store::Store;
use trace::{ContextAtStep, Event, EventKind, RunId, RunList, RunSetup, RunSummary, Step, TraceError, diff, export};
use wording::{Language, message};

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

    /// The default limits of a run, from the project files of the open folders.
    pub async fn run_limits(&self, _: NoArgs) -> Result<RunLimits, ApiError> {
        let loaded = self.loaded().await;
        blocking(move || project(&loaded.set)).await.map(|project| project.limits)
    }

    /// The recorded runs, and those in memory in place of what the store has of them.
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

    /// Some steps of a run; `events` says which updates came before. The last page has the last step. Of a run in the
    /// store, only these are read.
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

    /// The columns of some steps of a run. The last columns have the last step.
    pub async fn run_columns(&self, args: PageArgs) -> Result<Columns, ApiError> {
        let PageArgs { run, from, most } = args;
        let (open, _, _) = self.opened_to(run, from.saturating_add(most)).await?;
        Ok(blocking(move || lock(&open).columns(from, most)).await)
    }

    /// Deletes a run and the files its scripts wrote. A running one must be stopped first.
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
        // Requests repeat each other and are most of a run, so only those that are written are read.
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

    /// What the model saw at a step. The cost does not depend on the step's place in the run.
    pub async fn step_context(&self, args: StepArgs) -> Result<ContextAtStep, ApiError> {
        let StepArgs { run, step } = args;
        let (open, source, _) = self.opened_to(run, step.saturating_add(1)).await?;
        let reads = lock(&open).reads(step).ok_or_else(|| no_step(step))?;
        let events = self.read(run, source, reads).await?;
        blocking(move || lock(&open).context(step, &events)).await.ok_or_else(|| no_step(step))
    }

    /// The bundled run, imported again if it was deleted.
    pub async fn sample_run(&self, _: NoArgs) -> Result<RunId, ApiError> {
        Ok(self.store().await?.import_jsonl(bundled::RUN, true).await?)
    }

    /// Whether the real path is in a folder that the user opened or trusts. A relative path is not: a run resolves it
    /// from its own folder.
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

    /// The recorded events of a run, without the bodies of requests.
    pub(super) async fn events_without_bodies(&self, run: RunId) -> Result<Vec<Event>, ApiError> {
        let events = match self.held(run) {
            Some(held) => blocking(move || held.outline()).await,
            None => self.store().await?.outline(run).await?,
        };
        if events.is_empty() { Err(no_run(run)) } else { Ok(events) }
    }

    /// Some events of a run, from wherever it is.
    pub(super) async fn read_some(&self, run: RunId, reads: Reads) -> Result<Vec<Event>, ApiError> {
        match self.held(run) {
            Some(held) => Ok(blocking(move || held.read(&reads)).await),
            None => Ok(self.store().await?.read(run, reads).await?),
        }
    }

    /// All that is recorded of a run.
    pub(super) async fn all_events(&self, run: RunId) -> Result<Vec<Event>, ApiError> {
        let events = match self.held(run) {
            Some(held) => blocking(move || held.events()).await,
            None => self.store().await?.events(run).await?,
        };
        if events.is_empty() { Err(no_run(run)) } else { Ok(events) }
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

/// Prices if no real model is asked.
pub(super) const FREE: Prices = Prices { input: 0.0, output: 0.0, cached: None, cache_written: None };

/// Replaces runs by their state in memory, which is newer than the store's. Those that do not count are left out.
pub(super) fn put_held(runs: &mut Vec<RunSummary>, held: Vec<RunSummary>, counts: impl Fn(&RunSummary) -> bool) {
    runs.retain(|run| held.iter().all(|held| held.id != run.id));
    runs.extend(held.into_iter().filter(counts));
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

#[cfg(test)]
mod tests;
