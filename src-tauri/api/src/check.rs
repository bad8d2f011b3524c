//! Recorded runs against the skills as they are now: their calls served again without a model, or all of the run played
//! again from its record, with scripts and questions as in any run.

use camino::{Utf8Path, Utf8PathBuf};

use super::dto::{CheckRunArgs, PlayAgainArgs, RunArgs, RunCheck, RunMeans, RunRequest};
use super::error::{ApiError, Code};
use super::inspect::Stage;
use super::{Workbench, blocking, folder_at, trust};
use config::RECORDED;
use engine::check::{self, Ground};
use trace::check::{Checked, CheckedCall, compare};
use trace::{RunId, RunSummary};
use wording::message;

impl Workbench {
    /// What the calls of a recorded run would return now, under its framework. Nothing is run or written, and only
    /// files in the folders are read. With `played`, a run that [`Workbench::run_play_again`] began, the calls are
    /// compared with those of that run.
    pub async fn run_check(&self, args: CheckRunArgs) -> Result<RunCheck, ApiError> {
        let summary = self.run_summary(args.run).await?;
        let (calls, roots) = match args.played {
            Some(played) => self.compared(args.run, played).await?,
            None => self.served_again(&summary, args.roots).await?,
        };
        let (harness, variant) = (summary.setup.harness, summary.setup.variant);
        let count = |is_it: fn(&Checked) -> bool| {
            u32::try_from(calls.iter().filter(|call| is_it(&call.result)).count()).unwrap_or(u32::MAX)
        };
        let (bad, refused) = (count(Checked::is_bad), count(|result| *result == Checked::Refused));
        Ok(RunCheck { run: args.run, played: args.played, harness, variant, roots, bad, refused, calls })
    }

    /// Starts a run that is answered from the record of another, under its framework and over the same skills as they are
    /// now. Scripts ask as in any run.
    pub async fn run_play_again(&self, args: PlayAgainArgs) -> Result<RunId, ApiError> {
        let summary = self.run_summary(args.run).await?;
        let roots = self.roots_to_check(&summary, args.roots).await?;
        let setup = summary.setup;
        self.run_start(RunRequest {
            roots,
            harness: setup.harness,
            variant: Some(setup.variant),
            model: format!("{RECORDED}{}", args.run),
            prompt: setup.prompt,
            without: setup.without,
            neutral_paths: Some(!setup.neutral.is_empty()),
            means: RunMeans { sandbox: args.sandbox, ask_all: args.ask_all, ..RunMeans::default() },
            ..RunRequest::default()
        })
        .await
    }

    async fn served_again(
        &self,
        summary: &RunSummary,
        roots: Option<Vec<String>>,
    ) -> Result<(Vec<CheckedCall>, Vec<String>), ApiError> {
        let setup = &summary.setup;
        let roots = self.roots_to_check(summary, roots).await?;
        self.see_edits();
        let neutral = Some(!setup.neutral.is_empty());
        let mut stage = self.stage_of_run(roots.as_deref(), &setup.harness, Some(&setup.variant), neutral).await?;
        trust::check(&stage.untrusted)?;
        stage.catalog.leave_out(&setup.without);
        let read = stage.roots.iter().map(ToString::to_string).collect();
        let events = self.events_without_bodies(summary.id).await?;
        let (limits, guard) = (stage.project.limits, self.guard().await);
        let Stage { harness, catalog, paths, session, .. } = stage;
        let ground = Ground { harness, catalog, paths, session, limits, guard };
        Ok((check::check(ground, &events).await, read))
    }

    async fn compared(&self, run: RunId, played: RunId) -> Result<(Vec<CheckedCall>, Vec<String>), ApiError> {
        let then = self.run_get(RunArgs { run }).await?;
        let now = self.run_get(RunArgs { run: played }).await?;
        if now.summary.setup.model != format!("{RECORDED}{run}") {
            let message = message!(
                "run {played} was not answered from the record of run {run}",
                "运行 {played} 的回答并非取自运行 {run} 的记录"
            );
            return Err(ApiError::new(Code::Invalid, message));
        }
        let roots = now.summary.setup.roots.iter().map(ToString::to_string).collect();
        let compared = blocking(move || {
            let (old, new) = (&then.summary.setup, &now.summary.setup);
            let folders = old.folders.iter().filter_map(|(id, folder)| Some((folder, new.folders.get(id)?)));
            let mut moved: Vec<_> = folders.chain([(&old.working_directory, &new.working_directory)]).collect();
            moved.sort_by_key(|(then, _)| std::cmp::Reverse(then.as_str().len()));
            let there = |text: &str| check::moved_in(text, moved.iter().copied());
            let missing = message!("the run was not played as far as this call", "重放没有进行到此调用");
            compare(&then.steps, &now.steps, there, &missing)
        });
        Ok((compared.await, roots))
    }

    /// The folders of a run that was recorded on this machine. `None`, meaning the open ones, for a run from elsewhere:
    /// its record must not choose folders here.
    async fn roots_to_check(
        &self,
        run: &RunSummary,
        given: Option<Vec<String>>,
    ) -> Result<Option<Vec<String>>, ApiError> {
        if given.is_some() {
            return Ok(given);
        }
        if run.bundled || self.inner.places.is_taken_in(run.id) {
            return Ok(None);
        }
        let roots: Vec<Utf8PathBuf> = run.setup.roots.iter().map(|root| run.setup.real(root)).collect();
        let found = |root: &Utf8PathBuf| {
            folder_at(Utf8Path::new(root)).map(drop).map_err(|error| {
                error.hint(message!(
                    "the run was made on this folder; name the folders of the skills to check",
                    "运行是基于这个文件夹的；请指明要检查的技能所在的文件夹"
                ))
            })
        };
        roots.iter().try_for_each(found)?;
        Ok(Some(roots.into_iter().map(Utf8PathBuf::into_string).collect()))
    }
}
