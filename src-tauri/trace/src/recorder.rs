//! Gives a run's events their number and their time; nothing else does.
//!
//! What a run waits for, and what not. An event counts, and the listener learns of it, once the store has acknowledged
//! it; and before anything that the outside could notice (a request, a question, a script, a written file), the events
//! that led to it must be stored. A request is among them although it changes nothing here: it costs money and shows a
//! server what is in the skills, so a record without it would be wrong about both. Waiting takes a fraction of a
//! millisecond, the request some hundreds. What a run does for itself (an answer that arrives, a skill that is loaded,
//! a file that is read) does not wait: it is noted and written in one commit with the next event that does. A commit
//! costs more than the events in it, so a round of a model is one ([`Recorder::while_writing`]) and not one for each
//! thing in it.

use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures::future::{BoxFuture, Either, select};
use futures::{FutureExt, poll};

use wording::Message as Words;

use super::spending::{Spending, Spent};
use super::store::Store;
use super::{Event, EventKind, RunId, TraceError};
use crate::clock::Clock;

type Listener = Box<dyn FnMut(&Event) + Send>;

/// Writes one run's events, in order.
pub struct Recorder {
    run: RunId,
    next: u32,
    within: Option<String>,
    spending: Spending,
    /// Events that the store has not accepted yet, in order.
    waiting: Vec<Arc<Event>>,
    /// So many of those the listener has learned of all the same.
    heard: usize,
    writing: Option<Writing>,
    clock: Clock,
    store: Option<Store>,
    refusal: Refusal,
    listener: Listener,
}

/// Work that takes no longer than this counts as done at once: a few commits' time.
const AT_ONCE: Duration = Duration::from_millis(2);

/// A write under way.
struct Writing {
    /// Of the first so many that wait.
    count: usize,
    written: BoxFuture<'static, Result<(), TraceError>>,
}

/// Why the store does not hold all recorded events of a run. Clones share the same value.
#[derive(Clone, Default)]
pub struct Refusal(Arc<Mutex<Option<Words>>>);

impl Refusal {
    /// `None`: it does hold all.
    pub fn why(&self) -> Option<Words> {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, Option<Words>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Recorder {
    /// With `store: None` nothing is kept. The listener gets every event once: after it is stored, or after the store
    /// refused it.
    pub fn new(run: RunId, clock: Clock, store: Option<Store>, listener: impl FnMut(&Event) + Send + 'static) -> Self {
        Self {
            run,
            next: 0,
            within: None,
            spending: Spending::default(),
            waiting: Vec::new(),
            heard: 0,
            writing: None,
            clock,
            store,
            refusal: Refusal::default(),
            listener: Box::new(listener),
        }
    }

    /// Continues after the recorded events of the run, which are given from the first one on.
    pub fn behind(mut self, past: &[Event]) -> Self {
        for event in past {
            self.spending.take_in(event);
            self.next = event.seq.saturating_add(1);
        }
        self
    }

    /// Continues after the recorded events of another run. These are written with the first event of this one; the
    /// listener does not get them.
    pub fn forked(mut self, past: &[Event]) -> Self {
        self.next = past.last().map_or(0, |last| last.seq.saturating_add(1));
        self.waiting = past.iter().cloned().map(Arc::new).collect();
        self.heard = past.len();
        self
    }

    /// Says there why the store does not hold all of the run, before the listener learns of what it refused.
    pub fn telling(self, refusal: Refusal) -> Self {
        Self { refusal, ..self }
    }

    /// The run that is recorded.
    pub fn run(&self) -> RunId {
        self.run
    }

    /// Later events belong to this conversation. Returns the one before, to return to.
    pub fn enter(&mut self, within: Option<String>) -> Option<String> {
        std::mem::replace(&mut self.within, within)
    }

    /// The number of the event that is taken next.
    pub fn next_number(&self) -> u32 {
        self.next
    }

    /// The conversation that is recorded now.
    pub fn within(&self) -> Option<&str> {
        self.within.as_deref()
    }

    /// What the answers cost that were recorded so far.
    pub fn spent(&self) -> Spent {
        self.spending.total()
    }

    /// Notes an event that is written together with the next one, for events that are followed by another at once.
    /// Before anything that the outside could notice, call [`Recorder::flush`].
    pub fn note(&mut self, kind: EventKind) {
        let event = Event { seq: self.next, at: self.clock.now(), within: self.within.clone(), kind };
        self.next += 1;
        self.spending.take_in(&event);
        self.waiting.push(Arc::new(event));
    }

    /// Writes an event, and those noted before it; when this returns they survive this process.
    pub async fn record(&mut self, kind: EventKind) -> Result<(), TraceError> {
        self.note(kind);
        self.flush().await
    }

    /// Writes what was noted, and what was refused before. If this is cancelled nothing is lost: the next call waits
    /// for the write that was under way.
    pub async fn flush(&mut self) -> Result<(), TraceError> {
        // The result of an earlier write does not matter: all of it is tried again.
        let _ = self.settle().await;
        while !self.waiting.is_empty() {
            self.begin_writing();
            self.settle().await?;
        }
        Ok(())
    }

    /// As [`Recorder::flush`], for events that already happened and may reach the disk later: starts to write without
    /// waiting. Events noted while a write is under way are written with the next one. If the store refuses them, the
    /// listener gets them all the same, and the next flush tries again.
    pub async fn flush_late(&mut self) {
        if self.writing.is_none() && self.refusal.lock().is_none() && !self.waiting.is_empty() {
            self.begin_writing();
        }
        self.look().await;
    }

    /// Completes when the write under way does, or never if there is none. The listener has the written events by then.
    pub async fn written(&mut self) {
        if self.writing.is_none() {
            std::future::pending::<()>().await;
        }
        // The refusal is kept; a caller that must be sure gets it with the next flush.
        let _ = self.settle().await;
        self.flush_late().await;
    }

    /// Runs `other` while writing noted events and passing written ones to the listener. If `other` is done at once,
    /// its events are written in the same commit: a commit costs the store more than the events in it.
    pub async fn while_writing<T>(&mut self, other: impl Future<Output = T>) -> T {
        let mut other = pin!(other);
        if self.writing.is_none()
            && let Ok(done) = tokio::time::timeout(AT_ONCE, other.as_mut()).await
        {
            return done;
        }
        self.flush_late().await;
        loop {
            match select(other.as_mut(), pin!(self.written())).await {
                Either::Left((done, _)) => return done,
                Either::Right(((), _)) => {}
            }
        }
    }

    /// Takes note of a write that is done, and waits for none.
    async fn look(&mut self) {
        if let Some(writing) = &mut self.writing
            && let std::task::Poll::Ready(written) = poll!(&mut writing.written)
        {
            let _ = self.take_note(written);
        }
        if self.refusal.lock().is_some() {
            self.tell(self.waiting.len());
        }
    }

    /// Records the last event, of the run's own conversation. Whatever the store does not take before `give_up` comes, the
    /// listener alone has.
    pub async fn end(&mut self, kind: EventKind, give_up: impl Future<Output = ()>) {
        self.within = None;
        self.note(kind);
        let written = tokio::select! {
            biased;
            written = self.flush() => written,
            () = give_up => Err(TraceError::Slow),
        };
        if let Err(error) = written {
            tracing::error!(run = %self.run, %error, "the run could not be recorded to its end");
            self.refusal.lock().get_or_insert_with(|| error.worded());
            self.tell(self.waiting.len());
        }
    }

    fn begin_writing(&mut self) {
        let events: Arc<[Arc<Event>]> = self.waiting.as_slice().into();
        let (run, store) = (self.run, self.store.clone());
        let written = async move {
            match store {
                Some(store) => store.append(run, events).await,
                None => Ok(()),
            }
        };
        self.writing = Some(Writing { count: self.waiting.len(), written: written.boxed() });
    }

    /// Waits for the write that is under way, if one is.
    async fn settle(&mut self) -> Result<(), TraceError> {
        let Some(writing) = &mut self.writing else { return Ok(()) };
        let written = (&mut writing.written).await;
        self.take_note(written)
    }

    /// The result of the write under way.
    fn take_note(&mut self, written: Result<(), TraceError>) -> Result<(), TraceError> {
        let Some(Writing { count, .. }) = self.writing.take() else { return written };
        *self.refusal.lock() = written.as_ref().err().map(TraceError::worded);
        self.tell(count);
        if written.is_ok() {
            self.waiting.drain(..count);
            self.heard -= count;
        }
        written
    }

    /// Tells the listener of those that wait, up to this one.
    fn tell(&mut self, count: usize) {
        for event in self.waiting.iter().take(count).skip(self.heard) {
            (self.listener)(event);
        }
        self.heard = self.heard.max(count);
    }
}

#[cfg(test)]
mod tests {
    use camino::Utf8PathBuf;

    use super::super::{RunStatus, sample};
    use super::*;

    struct Bench {
        _folder: tempfile::TempDir,
        path: Utf8PathBuf,
        store: Store,
    }

    impl Bench {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            let path = Utf8PathBuf::from_path_buf(folder.path().join("traces.sqlite")).unwrap();
            let store = Store::open(&path, Clock::from_fn(|| 0)).unwrap();
            Self { _folder: folder, path, store }
        }

        fn sql(&self, sql: &str) -> rusqlite::Connection {
            let db = rusqlite::Connection::open(&self.path).unwrap();
            db.execute_batch(sql).unwrap();
            db
        }

        fn recorder(&self) -> (Recorder, Refusal, Arc<Mutex<Vec<&'static str>>>) {
            let heard: Arc<Mutex<Vec<&'static str>>> = Arc::default();
            let listener = heard.clone();
            let refusal = Refusal::default();
            let recorder =
                Recorder::new(sample::run_id(), Clock::from_fn(|| 0), Some(self.store.clone()), move |event| {
                    listener.lock().unwrap().push(event.kind.word());
                });
            (recorder.telling(refusal.clone()), refusal, heard)
        }

        async fn stored(&self) -> Vec<&'static str> {
            let events = self.store.events(sample::run_id()).await.unwrap();
            events.iter().map(|event| event.kind.word()).collect()
        }
    }

    /// As a full disk does, for one kind of event.
    const REFUSE_NOTES: &str = "CREATE TRIGGER refuse BEFORE INSERT ON events WHEN NEW.type = 'noted'
        BEGIN SELECT RAISE(ABORT, 'the disk is full'); END";

    fn started() -> EventKind {
        EventKind::Started { setup: sample::setup() }
    }

    fn ended() -> EventKind {
        EventKind::Ended { status: RunStatus::Done, error: None, zh: None, reached: None }
    }

    #[tokio::test]
    async fn what_was_refused_is_heard_once_and_written_when_the_store_takes_it() {
        let place = Bench::new();
        let (mut recorder, refusal, heard) = place.recorder();
        recorder.record(started()).await.unwrap();
        place.sql(REFUSE_NOTES);
        recorder.record(EventKind::noted(wording::Message::quoted("a"))).await.unwrap_err();
        assert_eq!(
            refusal.why().map(|why| why.en).as_deref(),
            Some("the trace store reported an error: the disk is full")
        );
        assert_eq!((place.stored().await, heard.lock().unwrap().clone()), (vec!["started"], vec!["started", "noted"]));
        place.sql("DROP TRIGGER refuse");
        recorder.end(ended(), std::future::pending()).await;
        assert_eq!(refusal.why(), None);
        let all = vec!["started", "noted", "ended"];
        assert_eq!((place.stored().await, heard.lock().unwrap().clone()), (all.clone(), all));
    }

    #[tokio::test]
    async fn what_may_be_late_is_heard_at_once_and_tried_again_with_what_may_not() {
        let place = Bench::new();
        let (mut recorder, refusal, heard) = place.recorder();
        recorder.record(started()).await.unwrap();
        place.sql(REFUSE_NOTES);
        let note = |text: &str| EventKind::noted(wording::Message::quoted(text));
        recorder.note(note("a"));
        recorder.flush_late().await;
        if refusal.why().is_none() {
            recorder.written().await;
        }
        assert_eq!(*heard.lock().unwrap(), ["started", "noted"]);
        recorder.note(note("b"));
        recorder.flush_late().await;
        assert_eq!(*heard.lock().unwrap(), ["started", "noted", "noted"], "nothing is tried again for it");
        recorder.flush().await.unwrap_err();
        place.sql("DROP TRIGGER refuse");
        recorder.flush().await.unwrap();
        assert_eq!((place.stored().await, refusal.why()), (vec!["started", "noted", "noted"], None));
    }

    #[tokio::test]
    async fn what_may_be_late_waits_for_nothing_and_what_gathers_meanwhile_is_written_together() {
        let place = Bench::new();
        let (mut recorder, refusal, heard) = place.recorder();
        recorder.record(started()).await.unwrap();
        let locked = place.sql("BEGIN IMMEDIATE");
        for text in ["a", "b", "c"] {
            recorder.note(EventKind::noted(wording::Message::quoted(text)));
            recorder.flush_late().now_or_never().expect("it waits for nothing");
            assert_eq!(*heard.lock().unwrap(), ["started"], "the store is locked");
        }
        drop(locked);
        recorder.written().await;
        assert_ne!(heard.lock().unwrap().len(), 3, "those that gathered are written together");
        recorder.flush().await.unwrap();
        let all = vec!["started", "noted", "noted", "noted"];
        assert_eq!((place.stored().await, heard.lock().unwrap().clone(), refusal.why()), (all.clone(), all, None));
        assert!(recorder.written().now_or_never().is_none(), "no write is under way");
    }

    #[tokio::test]
    async fn writes_and_notifies_while_other_work_runs() {
        let place = Bench::new();
        let (told, tells) = tokio::sync::oneshot::channel();
        let mut told = Some(told);
        let listener = move |event: &Event| {
            if let EventKind::Noted { .. } = event.kind {
                told.take().unwrap().send(()).unwrap();
            }
        };
        let mut recorder = Recorder::new(sample::run_id(), Clock::from_fn(|| 0), Some(place.store.clone()), listener);
        recorder.record(started()).await.unwrap();
        recorder.note(EventKind::noted(wording::Message::quoted("a")));
        recorder.while_writing(tells).await.unwrap();
        assert_eq!(place.stored().await, ["started", "noted"]);
    }

    #[tokio::test]
    async fn what_is_done_at_once_is_written_with_what_comes_of_it() {
        let place = Bench::new();
        let (mut recorder, _, heard) = place.recorder();
        recorder.record(started()).await.unwrap();
        recorder.note(EventKind::noted(wording::Message::quoted("a")));
        assert_eq!(recorder.while_writing(async { 42 }).await, 42);
        assert_eq!(*heard.lock().unwrap(), ["started"], "no write has begun");
        recorder.record(EventKind::noted(wording::Message::quoted("b"))).await.unwrap();
        assert_eq!(place.stored().await, ["started", "noted", "noted"]);
    }

    #[tokio::test]
    async fn a_write_that_was_cancelled_is_waited_for_and_done_once() {
        let place = Bench::new();
        let (mut recorder, _, heard) = place.recorder();
        recorder.record(started()).await.unwrap();
        let locked = place.sql("BEGIN IMMEDIATE");
        recorder.note(EventKind::noted(wording::Message::quoted("a")));
        let cancelled = tokio::time::timeout(std::time::Duration::from_millis(50), recorder.flush()).await;
        assert!(cancelled.is_err(), "it waits for the lock");
        drop(locked);
        recorder.end(ended(), std::future::pending()).await;
        let all = vec!["started", "noted", "ended"];
        assert_eq!((place.stored().await, heard.lock().unwrap().clone()), (all.clone(), all));
    }

    #[tokio::test]
    async fn an_end_that_is_given_up_is_heard_and_says_why_it_is_not_stored() {
        let place = Bench::new();
        let (mut recorder, refusal, heard) = place.recorder();
        recorder.record(started()).await.unwrap();
        let _locked = place.sql("BEGIN IMMEDIATE");
        recorder.end(ended(), std::future::ready(())).await;
        assert_eq!(*heard.lock().unwrap(), ["started", "ended"]);
        assert_eq!(refusal.why().map(|why| why.en).as_deref(), Some("the trace store did not answer in time"));
    }
}
