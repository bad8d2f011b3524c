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
    clock: Clock,
    store: Option<Store>,
    listener: Listener,
}

impl Recorder {
    /// `store: None` keeps nothing; the listener still hears every event, after it is stored.
    pub fn new(run: RunId, clock: Clock, store: Option<Store>, listener: impl FnMut(&Event) + Send + 'static) -> Self {
        Self { run, next: 0, within: None, spending: Spending::default(), clock, store, listener: Box::new(listener) }
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

    pub async fn record(&mut self, kind: EventKind) -> Result<(), TraceError> {
        let event = Arc::new(Event { seq: self.next, at: self.clock.now(), within: self.within.clone(), kind });
        self.next += 1;
        if let Some(store) = &self.store {
            store.append(self.run, event.clone()).await?;
        }
        self.spending.take_in(&event);
        (self.listener)(&event);
        Ok(())
    }
}
