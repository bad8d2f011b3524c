//! The one place where a run's events get their number and their time.

use std::sync::Arc;

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
    /// Noted and not yet written.
    noted: Vec<Arc<Event>>,
    clock: Clock,
    store: Option<Store>,
    listener: Listener,
}

impl Recorder {
    /// `store: None` keeps nothing; the listener still hears every event, after it is stored.
    pub fn new(run: RunId, clock: Clock, store: Option<Store>, listener: impl FnMut(&Event) + Send + 'static) -> Self {
        Self {
            run,
            next: 0,
            within: None,
            spending: Spending::default(),
            noted: Vec::new(),
            clock,
            store,
            listener: Box::new(listener),
        }
    }

    pub fn run(&self) -> RunId {
        self.run
    }

    /// What is recorded from now on belongs to this conversation. Gives the one before, to return to.
    pub fn enter(&mut self, within: Option<String>) -> Option<String> {
        std::mem::replace(&mut self.within, within)
    }

    /// The conversation that is recorded now.
    pub fn within(&self) -> Option<&str> {
        self.within.as_deref()
    }

    /// What the answers cost that were recorded so far.
    pub fn spent(&self) -> Spent {
        self.spending.total()
    }

    /// Takes an event that is written with the next one: for what is followed by another at once. Nothing that anybody
    /// outside could notice may happen before that; [`Recorder::flush`] comes first.
    pub fn note(&mut self, kind: EventKind) {
        let event = Event { seq: self.next, at: self.clock.now(), within: self.within.clone(), kind };
        self.next += 1;
        self.spending.take_in(&event);
        self.noted.push(Arc::new(event));
    }

    /// Writes an event, and those noted before it; when this returns they survive this process.
    pub async fn record(&mut self, kind: EventKind) -> Result<(), TraceError> {
        self.note(kind);
        self.flush().await
    }

    /// Writes what was noted.
    pub async fn flush(&mut self) -> Result<(), TraceError> {
        if self.noted.is_empty() {
            return Ok(());
        }
        let events: Arc<[Arc<Event>]> = std::mem::take(&mut self.noted).into();
        if let Some(store) = &self.store {
            store.append(self.run, events.clone()).await?;
        }
        for event in events.iter() {
            (self.listener)(event);
        }
        Ok(())
    }
}
