//! Which runs are kept, and deleting the others with their files. Only the user's own settings decide, never a
//! project's.

use std::collections::{HashMap, HashSet};

use camino::{Utf8Path, Utf8PathBuf};

use super::dto::{NoArgs, PinArgs, PruneArgs, PrunedRuns, Retention};
use super::error::{ApiError, Code, Tried};
use super::{Workbench, blocking, lock};
use crate::runs::no_run;
use trace::RunId;
use trace::clock::Millis;
use trace::store::{GoingRun, Keep, Pruned, Pruning};
use wording::message;

const DAY: Millis = 86_400_000;
/// A hundred years are as good as for ever.
const MOST_DAYS: u32 = 36_500;
const GIGABYTE: f64 = 1e9;

impl Workbench {
    /// Pins a run, so that it stays whatever is kept, or takes the pin away.
    pub async fn run_pin(&self, args: PinArgs) -> Result<(), ApiError> {
        match self.store().await?.set_pinned(args.run, args.pinned).await? {
            true => Ok(()),
            false => Err(no_run(args.run)),
        }
    }

    /// Deletes the runs that are not kept, by the arguments or else by the settings; or only lists them. Pinned and
    /// running ones stay, and so does the bundled one.
    pub async fn run_prune(&self, args: PruneArgs) -> Result<PrunedRuns, ApiError> {
        let PruneArgs { retention, dry_run } = args;
        let retention = match retention {
            Some(retention) => retention,
            None => self.bench_state(NoArgs {}).await?.settings.retention,
        };
        let keep = keep(&retention, self.inner.clock.now())?;
        // Two at once would both count what each takes away.
        let _turn = self.inner.pruning.lock().await;
        let store = self.store().await?;
        let live: HashSet<RunId> =
            lock(&self.inner.held).keys().chain(lock(&self.inner.live).keys()).copied().collect();
        let folder = self.inner.places.runs();
        let elsewhere = blocking(move || sizes(&folder)).await;
        let Pruning { going, pinned, reviewed, bytes } = store.pruning(keep, elsewhere.clone(), live).await?;
        let files = |runs: &[GoingRun]| -> u64 { runs.iter().filter_map(|run| elsewhere.get(&run.run)).sum() };
        let mut told = PrunedRuns { pinned, reviewed, bytes, ..PrunedRuns::default() };
        if dry_run || going.is_empty() {
            told.freed = going.iter().map(|run| run.bytes).sum();
            told.runs = going;
            return Ok(told);
        }
        let Pruned { runs, freed, reusable } = store.prune(going.iter().map(|run| run.run).collect(), keep).await?;
        let gone: HashSet<RunId> = runs.into_iter().collect();
        told.runs = going.into_iter().filter(|run| gone.contains(&run.run)).collect();
        for GoingRun { run, .. } in &told.runs {
            self.put_away(*run).await?;
        }
        Ok(PrunedRuns { freed: freed + files(&told.runs), reusable, ..told })
    }

    /// Removes the remains of a run that was deleted from the store: its state in memory, and the files that its
    /// scripts wrote.
    pub(super) async fn put_away(&self, run: RunId) -> Result<(), ApiError> {
        lock(&self.inner.held).remove(&run);
        self.inner.open_runs.forget(run);
        lock(&self.inner.catalogs).remove(&run);
        self.forget_taken_in(run).await?;
        let folder = self.inner.places.run_folder(run);
        blocking(move || match disk::remove_tree(&folder) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(ApiError::io(&folder, Tried::Delete, error))
            }
            _ => Ok(()),
        })
        .await
    }
}

fn keep(retention: &Retention, now: Millis) -> Result<Keep, ApiError> {
    let Retention { days, gigabytes, reviewed_too } = *retention;
    if days.is_some_and(|days| days == 0 || days > MOST_DAYS) {
        return Err(wrong(message!("runs are kept for 1 to {MOST_DAYS} days", "运行可以保留 1 到 {MOST_DAYS} 天")));
    }
    if gigabytes.is_some_and(|size| !size.is_finite() || size <= 0.0) {
        return Err(wrong(message!("the size must be more than 0 GB", "大小必须大于 0 GB")));
    }
    Ok(Keep {
        since: days.map(|days| now.saturating_sub(DAY.saturating_mul(days.into()))),
        // It is positive, and rounded down.
        bytes: gigabytes.map(|size| (size * GIGABYTE) as u64),
        reviewed_too,
    })
}

fn wrong(what: wording::Message) -> ApiError {
    ApiError::new(Code::Invalid, what).hint(message!("for example: 30 days, 5 GB", "例如：30 天，5 GB"))
}

/// The sizes of the folders of runs. Unreadable ones count as nothing.
fn sizes(folder: &Utf8Path) -> HashMap<RunId, u64> {
    let entries = folder.read_dir_utf8().into_iter().flatten().flatten();
    let runs = entries.filter_map(|entry| Some((entry.file_name().parse().ok()?, entry.into_path())));
    runs.map(|(run, folder)| (run, size(folder))).filter(|(_, size)| *size > 0).collect()
}

/// Without following links.
fn size(folder: Utf8PathBuf) -> u64 {
    let mut folders = vec![folder.into_std_path_buf()];
    let mut bytes = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            match entry.metadata() {
                Ok(facts) if facts.is_dir() => folders.push(entry.path()),
                Ok(facts) if facts.is_file() => bytes += facts.len(),
                Ok(_) | Err(_) => {}
            }
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dto::{ImportArgs, RunArgs, SettingsArgs};
    use crate::{Freshness, Places, bundled};
    use trace::Event;
    use trace::export;

    struct Bench {
        bench: Workbench,
        places: Places,
        _home: tempfile::TempDir,
    }

    async fn bench() -> Bench {
        let home = tempfile::tempdir().unwrap();
        let places = Places::below(Utf8PathBuf::try_from(home.path().to_owned()).unwrap(), None);
        let bench = Workbench::open(places.clone(), Vec::new(), Freshness::ReadOnce, |_| {}).await;
        Bench { bench, places, _home: home }
    }

    /// A run that came here now, made older than any that is kept.
    async fn old_run(bench: &Bench, number: u32) -> RunId {
        let (_, mut events): (RunId, Vec<Event>) = export::from_jsonl(bundled::RUN).unwrap();
        events.iter_mut().for_each(|event| event.at += i64::from(number));
        let id = RunId(uuid::Uuid::from_u128(u128::from(number)));
        let text = export::to_jsonl(id, &events, &trace::review::Review::default());
        let run = bench.bench.run_import(ImportArgs { text }).await.unwrap();
        let db = rusqlite::Connection::open(bench.places.traces()).unwrap();
        db.execute_batch("UPDATE runs SET stored_at = 0").unwrap();
        run
    }

    fn days(days: u32) -> Retention {
        Retention { days: Some(days), ..Retention::default() }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn all_runs_are_kept_until_the_settings_say_otherwise() {
        let bench = bench().await;
        let (old, pinned) = (old_run(&bench, 1).await, old_run(&bench, 2).await);
        bench.bench.run_pin(PinArgs { run: pinned, pinned: true }).await.unwrap();
        let folder = bench.places.run_folder(old);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("made.txt"), "x".repeat(5000)).unwrap();
        let prune = |retention, dry_run| bench.bench.run_prune(PruneArgs { retention, dry_run });
        assert_eq!(prune(None, false).await.unwrap().runs, []);

        let told = prune(Some(days(30)), true).await.unwrap();
        assert_eq!((told.runs.len(), told.runs[0].run, told.pinned), (1, old, 1));
        assert!(told.runs[0].bytes > 5000 && folder.exists(), "{told:?}");
        let mut settings = bench.bench.bench_state(NoArgs {}).await.unwrap().settings;
        settings.retention = days(30);
        bench.bench.settings_set(SettingsArgs { settings }).await.unwrap();
        let done = prune(None, false).await.unwrap();
        assert_eq!((done.runs, done.pinned), (told.runs, 1));
        assert!(!folder.exists() && !bench.places.is_taken_in(old));
        assert_eq!(bench.bench.run_get(RunArgs { run: old }).await.unwrap_err().code, Code::NotFound);
        let left: Vec<RunId> =
            bench.bench.run_list(NoArgs {}).await.unwrap().runs.into_iter().map(|run| run.id).collect();
        assert!(left.contains(&pinned) && left.len() == 2, "that of the program stays too: {left:?}");
        assert_eq!(bench.bench.run_pin(PinArgs { run: old, pinned: true }).await.unwrap_err().code, Code::NotFound);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_rule_that_makes_no_sense_takes_nothing_away() {
        let bench = bench().await;
        old_run(&bench, 1).await;
        let by = |days, gigabytes| Retention { days, gigabytes, reviewed_too: false };
        for wrong in [by(Some(0), None), by(Some(u32::MAX), None), by(None, Some(0.0)), by(None, Some(f64::NAN))] {
            let args = PruneArgs { retention: Some(wrong), dry_run: false };
            assert_eq!(bench.bench.run_prune(args).await.unwrap_err().code, Code::Invalid);
        }
        assert_eq!(bench.bench.run_list(NoArgs {}).await.unwrap().runs.len(), 2);
    }
}
