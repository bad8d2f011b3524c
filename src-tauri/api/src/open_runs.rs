//! Runs that are open to be read. Each is folded once, however often its steps and contexts are requested, and grows
//! with new events, from here or from another process. The most recently used ones stay open, as far as memory allows.

use std::sync::{Arc, Mutex};

use tokio::sync::Semaphore;

use super::error::ApiError;
use super::held::Held;
use super::runs::no_run;
use super::{Workbench, blocking, lock};
use trace::context::Reads;
use trace::diff::{Mark, Marking};
use trace::open_run::OpenRun;
use trace::{RunId, Step};

/// The one asked for last is at the end.
#[derive(Default)]
pub(super) struct OpenRuns(Mutex<Vec<(RunId, Arc<Opened>)>>);

/// A run that is open for reading, and the source of its events.
pub(super) struct Opened {
    pub run: Arc<Mutex<OpenRun>>,
    /// One at a time reads what the run grew by.
    growing: Semaphore,
}

/// How many runs stay open: two that are compared, and some that were read before.
const MOST: usize = 8;
/// Events of a run that are read at once, so that a long one never is in memory whole, and others record in the
/// meantime.
const AT_ONCE: u32 = if cfg!(test) { 3 } else { 5_000 };
/// About so many bytes all but the last may take together.
const MOST_BYTES: usize = 192 << 20;

impl OpenRuns {
    fn of(&self, id: RunId) -> Arc<Opened> {
        let mut runs = lock(&self.0);
        let known = runs.iter().position(|(known, _)| *known == id);
        let opened = match known {
            Some(place) => runs.remove(place).1,
            None => Opened::new(Arc::new(Mutex::new(OpenRun::shortening()))),
        };
        runs.push((id, opened.clone()));
        let gone = trim(&mut runs);
        drop(runs);
        let_go(gone);
        opened
    }

    /// Keeps the state of a run that went on here.
    pub fn put(&self, id: RunId, run: Arc<Mutex<OpenRun>>) {
        let mut runs = lock(&self.0);
        runs.retain(|(known, _)| *known != id);
        runs.push((id, Opened::new(run)));
        let gone = trim(&mut runs);
        drop(runs);
        let_go(gone);
    }

    pub fn forget(&self, id: RunId) {
        lock(&self.0).retain(|(known, _)| *known != id);
    }
}

/// Takes away those that were not asked for since long, as far as there are too many.
fn trim(runs: &mut Vec<(RunId, Arc<Opened>)>) -> Vec<(RunId, Arc<Opened>)> {
    // A run that is locked for reading counts the next time.
    let weight = |opened: &Opened| opened.run.try_lock().map_or(0, |run| run.weight());
    let mut room = MOST_BYTES;
    let mut stay = 0;
    for (_, opened) in runs.iter().rev() {
        let weight = weight(opened);
        if stay == MOST || (stay > 0 && weight > room) {
            break;
        }
        room = room.saturating_sub(weight);
        stay += 1;
    }
    runs.drain(..runs.len() - stay).collect()
}

/// Freeing a very long run takes a while; this happens in the background.
fn let_go(gone: Vec<(RunId, Arc<Opened>)>) {
    if let (false, Ok(runtime)) = (gone.is_empty(), tokio::runtime::Handle::try_current()) {
        runtime.spawn_blocking(move || drop(gone));
    }
}

impl Opened {
    fn new(run: Arc<Mutex<OpenRun>>) -> Arc<Self> {
        Arc::new(Self { run, growing: Semaphore::new(1) })
    }
}

/// Where the events of an open run are.
#[derive(Clone)]
pub(super) enum Source {
    Store,
    Memory(Arc<Held>),
}

impl Workbench {
    /// A run with all that is recorded of it so far.
    pub(super) async fn opened(&self, id: RunId) -> Result<(Arc<Mutex<OpenRun>>, Source), ApiError> {
        let (run, source, _) = self.opened_to(id, u32::MAX).await?;
        Ok((run, source))
    }

    /// A run of which at least this many settled steps, or all recorded ones, have been read; and whether that is all.
    /// Asking for more reads on.
    pub(super) async fn opened_to(
        &self,
        id: RunId,
        until: u32,
    ) -> Result<(Arc<Mutex<OpenRun>>, Source, bool), ApiError> {
        if let Some(held) = self.held(id) {
            return Ok((held.run.clone(), Source::Memory(held), true));
        }
        let store = self.store().await?;
        let opened = self.inner.open_runs.of(id);
        let _growing = opened.growing.acquire().await;
        let missing = || u32::try_from(lock(&opened.run).settled()).map_or(0, |settled| until.saturating_sub(settled));
        let known = lock(&opened.run).last();
        let (mut grown, mut is_other) = match store.grown(id, known, AT_ONCE).await? {
            Some(grown) => (grown, false),
            // Another run has taken its place.
            None => (store.grown(id, None, AT_ONCE).await?.unwrap_or_default(), true),
        };
        loop {
            let last = grown.last().map(|last| (last.seq, last.at)).filter(|_| grown.len() >= AT_ONCE as usize);
            // Events are more than steps, so these are not enough.
            let is_far = is_other || missing() > AT_ONCE;
            let run = opened.run.clone();
            let folding = blocking(move || {
                let mut run = lock(&run);
                if is_other {
                    *run = OpenRun::shortening();
                }
                run.read(&grown);
                run.events() > 0
            });
            // The next events are read while these are folded.
            let (is_there, mut next) = tokio::join!(folding, async {
                match last.filter(|_| is_far) {
                    Some(last) => store.grown(id, Some(last), AT_ONCE).await,
                    None => Ok(None),
                }
            });
            if let Some(last) = last.filter(|_| !is_far) {
                if missing() == 0 {
                    return Ok((opened.run.clone(), Source::Store, false));
                }
                next = store.grown(id, Some(last), AT_ONCE).await;
            }
            match next? {
                Some(next) => (grown, is_other) = (next, false),
                None if is_there => return Ok((opened.run.clone(), Source::Store, true)),
                None => {
                    self.inner.open_runs.forget(id);
                    return Err(no_run(id));
                }
            }
        }
    }

    /// A step with all of its texts.
    pub(super) async fn whole_step(&self, id: RunId, step: u32) -> Result<Option<Step>, ApiError> {
        let (open, source, _) = self.opened_to(id, step.saturating_add(1)).await?;
        let here = blocking({
            let open = open.clone();
            move || {
                let open = lock(&open);
                let found = open.steps().get(step as usize).cloned();
                let reads = open.reads_of(step).filter(|_| found.as_ref().is_some_and(|step| step.brief));
                (found, reads)
            }
        });
        let (found, reads) = here.await;
        let Some(reads) = reads else { return Ok(found) };
        let events = self.read(id, source, reads).await?;
        Ok(blocking(move || lock(&open).whole(step, &events)).await)
    }

    /// The data for comparing a run. The texts of a long one are never all in memory.
    pub(super) async fn marks(&self, run: RunId) -> Result<Vec<Mark>, ApiError> {
        if let Some(held) = self.held(run) {
            return Ok(blocking(move || marks_of(&held)).await);
        }
        let store = self.store().await?;
        let (mut marking, mut known) = (Marking::default(), None);
        loop {
            let Some(events) = store.grown(run, known, AT_ONCE).await? else {
                if known.take().is_none() {
                    return Err(no_run(run));
                }
                // Another run has taken its place.
                marking = Marking::default();
                continue;
            };
            let Some(last) = events.last().map(|last| (last.seq, last.at)) else { break };
            known = Some(last);
            marking = blocking(move || {
                marking.read(&events);
                marking
            })
            .await;
            while let Some(wanted) = marking.wanted() {
                let requests = store.read(run, wanted).await?;
                marking = blocking(move || {
                    marking.read_requests(&requests);
                    marking
                })
                .await;
            }
        }
        if known.is_none() {
            return Err(no_run(run));
        }
        Ok(blocking(move || marking.marks()).await)
    }

    /// The events needed for the context at a step.
    pub(super) async fn read(&self, id: RunId, source: Source, reads: Reads) -> Result<Vec<trace::Event>, ApiError> {
        Ok(match source {
            Source::Store => self.store().await?.read(id, reads).await?,
            Source::Memory(held) => blocking(move || held.read(&reads)).await,
        })
    }
}

fn marks_of(held: &Held) -> Vec<Mark> {
    let mut marking = Marking::default();
    marking.read(&held.outline());
    while let Some(wanted) = marking.wanted() {
        marking.read_requests(&held.read(&wanted));
    }
    marking.marks()
}

#[cfg(test)]
mod tests {
    use tokio::sync::mpsc::unbounded_channel;

    use super::*;
    use crate::dto::{NoArgs, PageArgs, Push, StepArgs};
    use crate::{Freshness, Places, bundled};

    #[tokio::test(flavor = "multi_thread")]
    async fn a_run_of_another_process_is_noticed_and_followed() {
        let folder = tempfile::tempdir().unwrap();
        let places = Places::below(camino::Utf8PathBuf::try_from(folder.path().to_owned()).unwrap(), None);
        let (pushed, mut pushes) = unbounded_channel();
        let bench = Workbench::open(places.clone(), Vec::new(), Freshness::Watched, move |push| {
            // At the end there is no listener.
            let _ = pushed.send(push);
        });
        let bench = bench.await;
        assert_eq!(bench.run_list(NoArgs {}).await.unwrap().runs.len(), 1);

        let elsewhere = trace::store::Store::open(&places.traces(), bench.inner.clock.clone()).unwrap();
        let events = trace::export::read_jsonl(bundled::RUN).unwrap().events;
        let events: Vec<Arc<trace::Event>> = events.into_iter().map(Arc::new).collect();
        let run = id(7);
        let half = events.len() / 2;
        for some in [&events[..half], &events[half..]] {
            elsewhere.append(run, some.into()).await.unwrap();
            while !matches!(pushes.recv().await.unwrap(), Push::RunsChanged) {}
            let listed = bench.run_list(NoArgs {}).await.unwrap().runs;
            let listed = listed.iter().find(|known| known.id == run).unwrap().steps;
            let page = bench.run_page(PageArgs { run, from: 0, most: 100 }).await.unwrap();
            let known = if some[0].seq == 0 { &events[..half] } else { &events[..] };
            let known: Vec<trace::Event> = known.iter().map(|event| (**event).clone()).collect();
            assert_eq!((page.steps, page.all), (trace::fold::steps(&known), listed));
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_page_reads_no_more_of_a_run_than_it_needs_and_says_how_long_the_run_is() {
        let folder = tempfile::tempdir().unwrap();
        let places = Places::below(camino::Utf8PathBuf::try_from(folder.path().to_owned()).unwrap(), None);
        let bench = Workbench::open(places, Vec::new(), Freshness::ReadOnce, |_| {}).await;
        let run = bench.run_list(NoArgs {}).await.unwrap().runs[0].id;
        let read = async || lock(&bench.inner.open_runs.of(run).run).events();
        let events = trace::export::read_jsonl(bundled::RUN).unwrap().events;
        let steps = trace::fold::steps(&events);
        let all = u32::try_from(steps.len()).unwrap();

        let page = bench.run_page(PageArgs { run, from: 0, most: 2 }).await.unwrap();
        assert_eq!((&page.steps[..], page.all), (&steps[..2], all));
        let first = read().await;
        assert!((first as usize) < events.len(), "{first} of {} events", events.len());
        let context = bench.step_context(StepArgs { run, step: 1 }).await.unwrap();
        assert_eq!(context.step, 1);
        let columns = bench.run_columns(PageArgs { run, from: 0, most: 3 }).await.unwrap();
        assert_eq!(columns.context, steps[..3].iter().map(|step| step.context_tokens).collect::<Vec<_>>());

        let rest = bench.run_page(PageArgs { run, from: 2, most: 100 }).await.unwrap();
        assert_eq!((&rest.steps[..], rest.all), (&steps[2..], all));
        assert_eq!(read().await as usize, events.len());
        let last = bench.run_columns(PageArgs { run, from: all - 1, most: 100 }).await.unwrap();
        assert_eq!(last.event, [steps.last().unwrap().event]);
    }

    fn id(number: u128) -> RunId {
        RunId(uuid::Uuid::from_u128(number))
    }

    #[test]
    fn the_runs_that_were_asked_for_last_stay_open() {
        let runs = OpenRuns::default();
        let first = runs.of(id(0));
        for number in 1..MOST as u128 {
            runs.of(id(number));
        }
        assert!(Arc::ptr_eq(&first, &runs.of(id(0))), "all of them have room");
        runs.of(id(99));
        assert!(Arc::ptr_eq(&first, &runs.of(id(0))), "another one went");
        assert_eq!(lock(&runs.0).len(), MOST);
        runs.forget(id(0));
        assert!(!Arc::ptr_eq(&first, &runs.of(id(0))));
    }
}
