//! Runs on disk: one SQLite file, append-only events, one thread that owns the connection.
//!
//! The window and the terminal may have the same file open. Acknowledged events survive the death of the process (not a
//! power cut, for which SQLite would have to wait for the disk at every event). Opening the store ends the runs that a
//! dead process left open as `interrupted`; runs of processes that live are left alone.

mod apart;
mod database;
mod erase;
mod heads;
mod importing;
mod ledger;
mod left;
mod opening;
mod pieces;
mod place;
mod pruning;
mod readable;
mod recorded;
mod reviews;
mod rows;
mod search;
mod summaries;
mod uses;
mod writer;

use std::collections::{HashMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::{Duration, Instant};

use camino::{Utf8Path, Utf8PathBuf};
use tokio::sync::oneshot;

use self::apart::Others;
use self::ledger::{Entry, Ledger};
pub use self::pruning::{GoingRun, GoingWhy, Keep, Pruned, Pruning};
use self::recorded::Recording;
use self::search::Finder;
pub use self::search::{Found, FoundRun, FoundStep};
pub use self::uses::{Used, Uses, Whose};
use super::{Event, RunId, RunList, RunSummary, TraceError, export};
use crate::clock::{Clock, Millis};
use crate::context::Reads;
use crate::query::Query;
use crate::review::{Review, StepNote, Verdict};
use crate::spool::Spool;

/// How long a write waits for one of another process.
pub const BUSY: Duration = Duration::from_secs(5);

/// A run that was imported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arrived {
    /// The id by which it is here.
    pub run: RunId,
    /// Nothing of it was here before.
    pub is_new: bool,
}

/// Bytes of a run that is written a piece at a time.
const LONG_IMPORT: usize = 1 << 20;

enum Job {
    Append(Append),
    Ask(Box<dyn FnOnce(&mut Ledger) + Send>),
}

struct Append {
    entry: Entry,
    answer: oneshot::Sender<Result<(), TraceError>>,
}

/// Runs whose events are written together, at most.
const TOGETHER: usize = 256;

/// For how long a write waits for the other runs that were recorded with the one before it. A commit costs about that, and
/// costs little more for many runs than for one.
const GATHERING: Duration = Duration::from_millis(1);

/// A handle to the store's threads, which end with the last handle. Clones share it.
#[derive(Clone, Debug)]
pub struct Store {
    jobs: mpsc::Sender<Job>,
    searches: mpsc::Sender<Search>,
    path: Utf8PathBuf,
    wait: Duration,
    /// Held during long work here: two of them at once would remove each other's unfinished work.
    apart: Arc<Mutex<()>>,
    recorded: Recording,
}

type Search = Box<dyn FnOnce(&mut Finder) + Send>;

impl Store {
    /// Opens or makes the file and the folders above it, for their owner only. `clock` times the end of interrupted
    /// runs. A file that cannot be written is opened for reading only; recording is refused then. A file that cannot be
    /// used is never changed.
    pub fn open(path: &Utf8Path, clock: Clock) -> Result<Self, TraceError> {
        Self::open_within(path, clock, BUSY)
    }

    /// As [`Store::open`], waiting so long for the lock of another program, and later for each write.
    pub fn open_within(path: &Utf8Path, clock: Clock, wait: Duration) -> Result<Self, TraceError> {
        let recorded = Recording::default();
        let mut ledger = Ledger::open(path, clock, wait)?.telling(recorded.clone());
        // One that waits is enough, however often the log fills in the meantime.
        let (full, fills) = mpsc::sync_channel::<()>(1);
        let of = path.to_owned();
        std::thread::Builder::new()
            .name("trace-log".into())
            .spawn(move || {
                while fills.recv().is_ok() {
                    if let Err(error) = database::relieve_log(&of, wait) {
                        tracing::debug!(%error, "the log of the trace store stays as it is");
                    }
                }
            })
            .map_err(|source| TraceError::Access { path: path.to_owned(), source })?;
        let (jobs, queue) = mpsc::channel::<Job>();
        std::thread::Builder::new()
            .name("trace-store".into())
            .spawn(move || work(&mut ledger, &queue, &full))
            .map_err(|source| TraceError::Access { path: path.to_owned(), source })?;
        let mut finder = Finder::new(path, wait, recorded.clone());
        let (searches, queue) = mpsc::channel::<Search>();
        std::thread::Builder::new()
            .name("trace-search".into())
            .spawn(move || {
                while let Ok(search) = queue.recv() {
                    // As with the questions of the other thread.
                    let _ = catch_unwind(AssertUnwindSafe(|| search(&mut finder)));
                }
            })
            .map_err(|source| TraceError::Access { path: path.to_owned(), source })?;
        Ok(Self { jobs, searches, path: path.to_owned(), wait, apart: Arc::default(), recorded })
    }

    /// Writes a run's next events, all or none; they survive this process when this returns. A run begins with its
    /// `Started` event, and goes on with `Continued` once it has ended. They are refused if the store is no longer in
    /// its place, and the end of a run also if the run cannot be read back.
    pub async fn append(&self, run: RunId, events: Arc<[Arc<Event>]>) -> Result<(), TraceError> {
        let entry = Entry::new(run, events)?;
        let (answer, answered) = oneshot::channel();
        self.jobs.send(Job::Append(Append { entry, answer })).map_err(|_| TraceError::Closed)?;
        answered.await.map_err(|_| TraceError::Closed)?
    }

    /// All runs, those that cannot be read apart.
    pub async fn runs(&self) -> Result<RunList, TraceError> {
        self.ask(|ledger| ledger.runs()).await
    }

    /// `None`: it is not here.
    pub async fn run(&self, id: RunId) -> Result<Option<RunSummary>, TraceError> {
        self.ask(move |ledger| ledger.run(id)).await
    }

    /// Those of these runs that are here and can be read, in this order.
    pub async fn some(&self, ids: Vec<RunId>) -> Result<Vec<RunSummary>, TraceError> {
        self.ask(move |ledger| ledger.some(&ids)).await
    }

    /// At most `most` runs whose ids begin with this.
    pub async fn named(&self, beginning: &str, most: u32) -> Result<Vec<RunSummary>, TraceError> {
        let beginning = beginning.to_owned();
        self.ask(move |ledger| ledger.runs_named(&beginning, most)).await
    }

    /// The run that was started last.
    pub async fn last(&self) -> Result<Option<RunSummary>, TraceError> {
        self.ask(|ledger| ledger.last()).await
    }

    /// These runs, those that they were forked off, and all that were forked off any of them.
    pub async fn family(&self, of: Vec<RunId>) -> Result<Vec<RunSummary>, TraceError> {
        self.ask(move |ledger| ledger.family(&of)).await
    }

    /// A run's events in order; none for a run that is not here.
    pub async fn events(&self, id: RunId) -> Result<Vec<Event>, TraceError> {
        self.ask(move |ledger| ledger.events(id)).await
    }

    /// A run's events with the bodies of their requests left empty: enough for its steps, and much less to read.
    pub async fn outline(&self, id: RunId) -> Result<Vec<Event>, TraceError> {
        self.ask(move |ledger| ledger.outline(id)).await
    }

    /// The events of a run after the known ones; the last known event is given by its number and time. At most `most`
    /// events, without bodies, as in an outline. `None`: that event is not in the run, so what the caller knows is
    /// outdated.
    pub async fn grown(
        &self,
        id: RunId,
        known: Option<(u32, Millis)>,
        most: u32,
    ) -> Result<Option<Vec<Event>>, TraceError> {
        self.ask(move |ledger| ledger.grown(id, known, most)).await
    }

    /// Which kinds of events a run has, by their words.
    pub async fn words(&self, id: RunId) -> Result<HashSet<String>, TraceError> {
        self.ask(move |ledger| ledger.words(id)).await
    }

    /// The events of these numbers, in order, as far as they are there; the bodies of requests are left empty except
    /// for those that are named too.
    pub async fn read(&self, id: RunId, reads: Reads) -> Result<Vec<Event>, TraceError> {
        self.ask(move |ledger| ledger.read(id, &reads)).await
    }

    /// The events of a run that no process records, so that it may go on; one that broke off is ended as interrupted
    /// first. A run that still goes on, here or in another process, is refused. None for a run that is not here.
    pub async fn ended(&self, id: RunId) -> Result<Vec<Event>, TraceError> {
        self.ask(move |ledger| ledger.ended(id)).await
    }

    /// Whether the list of runs may be another one than when this was asked last, because another process wrote there.
    pub async fn changed_elsewhere(&self) -> Result<bool, TraceError> {
        self.ask(|ledger| ledger.changed_elsewhere()).await
    }

    /// What recorded runs used of skills: those of a model, not rehearsals, that came to their answer, and of those
    /// only skills whose instructions reached the model. Kept since the run ended, so no run is read for it.
    pub async fn uses(&self) -> Result<Vec<Uses>, TraceError> {
        self.ask(|ledger| ledger.uses()).await
    }

    /// What matches. Before that, runs that are not indexed yet are indexed for so long; [`Found::waiting`] says how
    /// many are left, which are found by asking again. If nothing can be written, all runs are read.
    pub async fn search(&self, query: Query, indexing: Duration) -> Result<Found, TraceError> {
        if !query.is_about_steps() {
            return Ok(Found::of_runs(self.runs().await?, &query));
        }
        let (answer, answered) = oneshot::channel();
        let wanted = query.clone();
        let job = move |finder: &mut Finder| {
            // If the caller was cancelled, there is no receiver; what was indexed stays indexed.
            answer.send(finder.search(&wanted, indexing)).ok();
        };
        self.searches.send(Box::new(job)).map_err(|_| TraceError::Closed)?;
        match answered.await.map_err(|_| TraceError::Closed)?? {
            Some(found) => Ok(found),
            None => self.ask(move |ledger| search::scan(ledger, &query)).await,
        }
    }

    /// The user's review of a run.
    pub async fn review(&self, id: RunId) -> Result<Review, TraceError> {
        self.ask(move |ledger| ledger.review(id)).await
    }

    /// Keeps a note in place of the one that its step had, with the time of now; one that says nothing takes it away.
    /// Whether there is such an event in such a run.
    pub async fn set_note(&self, id: RunId, note: StepNote) -> Result<bool, TraceError> {
        self.ask(move |ledger| ledger.set_note(id, note)).await
    }

    /// Keeps a verdict, with the time of now, or takes it away. Whether there is such a run.
    pub async fn set_verdict(&self, id: RunId, verdict: Option<Verdict>) -> Result<bool, TraceError> {
        self.ask(move |ledger| ledger.set_verdict(id, verdict)).await
    }

    /// Pins a run, or takes the pin away. Whether there is such a run.
    pub async fn set_pinned(&self, id: RunId, pinned: bool) -> Result<bool, TraceError> {
        self.ask(move |ledger| ledger.set_pinned(id, pinned)).await
    }

    /// Which runs would be deleted under `keep`. `elsewhere`: bytes that runs take outside of the store. Runs in `live`
    /// stay.
    pub async fn pruning(
        &self,
        keep: Keep,
        elsewhere: HashMap<RunId, u64>,
        live: HashSet<RunId>,
    ) -> Result<Pruning, TraceError> {
        self.apart(move |path, wait| pruning::plan(path, wait, keep, &elsewhere, &live)).await
    }

    /// Deletes runs and returns their space to the disk. Runs that were pinned since, or go on, stay, and so do
    /// reviewed runs if `keep` says so.
    pub async fn prune(&self, runs: Vec<RunId>, keep: Keep) -> Result<Pruned, TraceError> {
        let own = self.ask(|ledger| ledger.claim()).await?;
        self.apart(move |path, wait| pruning::prune(path, wait, &own, &runs, keep)).await
    }

    /// Work on a separate connection and thread.
    async fn apart<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Utf8Path, Duration) -> Result<T, TraceError> + Send + 'static,
    ) -> Result<T, TraceError> {
        let (answer, answered) = oneshot::channel();
        let (path, wait, turn) = (self.path.clone(), self.wait, self.apart.clone());
        let thread = std::thread::Builder::new().name("trace-apart".into());
        // If the caller was cancelled, there is no receiver; what was done stays done.
        let begun = thread.spawn(move || {
            let _turn = turn.lock().unwrap_or_else(PoisonError::into_inner);
            drop(answer.send(work(&path, wait)));
        });
        begun.map_err(|source| TraceError::Access { path: self.path.clone(), source })?;
        answered.await.map_err(|_| TraceError::Closed)?
    }

    /// Returns whether there was such a run. A running one is not deleted.
    pub async fn delete(&self, id: RunId) -> Result<bool, TraceError> {
        self.ask(move |ledger| ledger.delete(id)).await
    }

    /// Imports a run written by [`export::to_jsonl`]. A run that is here already, or the beginning of one, stays as it
    /// is; another run with the same id is imported under a new id; one without an end is kept as `interrupted`.
    /// Returns the id by which it is here.
    pub async fn import_jsonl(&self, text: &str, bundled: bool) -> Result<RunId, TraceError> {
        let export::Read { run, events, review, .. } = export::read_jsonl(text)?;
        self.import(run, events, review, bundled).await
    }

    /// As [`Store::import_jsonl`], of events that were read already. `review`: the review in the file; a review that is
    /// here stays.
    pub async fn import(
        &self,
        run: RunId,
        events: Vec<Event>,
        review: Review,
        bundled: bool,
    ) -> Result<RunId, TraceError> {
        self.ask(move |ledger| ledger.import(run, events, &review, bundled)).await
    }

    /// As [`Store::import`], a piece at a time if the run is long, so that others record in the meantime. `went` is
    /// called with the number of written events and of all, and returns whether to go on. `None`: it said no, and
    /// nothing is left of the run.
    pub async fn import_stoppable(
        &self,
        run: RunId,
        events: Spool,
        review: Review,
        mut went: impl FnMut(usize, usize) -> bool + Send + 'static,
    ) -> Result<Option<Arrived>, TraceError> {
        let (is_here, now) = self.ask(move |ledger| Ok((ledger.knows(run)?, ledger.now()))).await?;
        let (id, events) = match is_here {
            false => (Some(run), events),
            // The stored run is compared with all of it.
            true => {
                let events = events.into_vec()?;
                let ask = move |ledger: &mut Ledger| Ok((ledger.is_new(run, &events)?, events));
                let (id, events) = self.ask(ask).await?;
                (id, Spool::from(events))
            }
        };
        let Some(id) = id else {
            let id = self.import(run, events.into_vec()?, review, false).await?;
            return Ok(Some(Arrived { run: id, is_new: false }));
        };
        if events.weight() < LONG_IMPORT {
            let run = self.import(run, events.into_vec()?, review, false).await?;
            return Ok(Some(Arrived { run, is_new: true }));
        }
        let import = importing::Import { id, events, review, bundled: false, now };
        let all = import.events.len();
        let (own, recorded) = (self.ask(|ledger| ledger.claim()).await?, self.recorded.clone());
        let write = move |path: &Utf8Path, wait| {
            let mut others = Others::new(path, own, recorded);
            importing::write(path, wait, &import, &mut others, &mut |at| went(at, all))
        };
        let is_whole = self.apart(write).await?;
        Ok(is_whole.then_some(Arrived { run: id, is_new: true }))
    }

    async fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&mut Ledger) -> Result<T, TraceError> + Send + 'static,
    ) -> Result<T, TraceError> {
        let (answer, answered) = oneshot::channel();
        let job = move |ledger: &mut Ledger| {
            // If the caller was cancelled, there is no receiver; what was written stays written.
            let told = ledger.begin().and_then(|()| question(ledger)).map_err(|error| ledger.named(error));
            answer.send(told).ok();
        };
        self.jobs.send(Job::Ask(Box::new(job))).map_err(|_| TraceError::Closed)?;
        answered.await.map_err(|_| TraceError::Closed)?
    }
}

/// Answers questions, in order, until all senders are gone. Events of runs that wait at the same time are written
/// together. `full` gets a signal each time the log is long enough to be moved into the file.
fn work(ledger: &mut Ledger, queue: &mpsc::Receiver<Job>, full: &mpsc::SyncSender<()>) {
    let (mut next, mut usual, mut pages) = (None, 1, 0);
    while let Some(job) = next.take().or_else(|| queue.recv().ok()) {
        let first = match job {
            Job::Ask(ask) => {
                // A panic ends one question, not the store for all runs; the caller sees that no answer comes.
                let _ = catch_unwind(AssertUnwindSafe(|| ask(ledger)));
                continue;
            }
            Job::Append(append) => append,
        };
        let appends;
        (appends, next) = gathered(first, queue, usual);
        usual = appends.len();
        let (entries, answers): (Vec<_>, Vec<_>) =
            appends.into_iter().map(|append| (append.entry, append.answer)).unzip();
        for (answer, written) in answers.into_iter().zip(ledger.append(&entries)) {
            // If the caller was cancelled, there is no receiver; what was written stays written.
            answer.send(written).ok();
        }
        pages += entries.iter().map(Entry::pages).sum::<usize>();
        if pages >= database::CHECKPOINT_PAGES as usize {
            pages = 0;
            // Without that thread, the next write does it.
            full.try_send(()).ok();
        }
    }
}

/// What is written together with this, and the next question after it. `usual`: how many were written together the last
/// time; a run that records alone does not wait for others.
fn gathered(first: Append, queue: &mpsc::Receiver<Job>, usual: usize) -> (Vec<Append>, Option<Job>) {
    let (mut appends, until) = (vec![first], Instant::now() + GATHERING);
    while appends.len() < TOGETHER {
        let job = match queue.try_recv() {
            Err(mpsc::TryRecvError::Empty) if appends.len() < usual => {
                queue.recv_timeout(until.saturating_duration_since(Instant::now())).ok()
            }
            tried => tried.ok(),
        };
        match job {
            Some(Job::Append(append)) => appends.push(append),
            other => return (appends, other),
        }
    }
    (appends, None)
}

#[cfg(test)]
mod tests;
