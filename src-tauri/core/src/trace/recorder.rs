//! The one place where a run's events get their number and their time.

use super::store::Store;
use super::{Event, EventKind, RunId, TraceError};
use crate::clock::Clock;

type Listener = Box<dyn FnMut(&Event) + Send>;

/// Writes one run's events, in order.
pub struct Recorder {
    run: RunId,
    next: u32,
    clock: Clock,
    store: Option<Store>,
    listener: Listener,
}

impl Recorder {
    /// `store: None` keeps nothing; the listener still hears every event, after it is stored.
    pub fn new(run: RunId, clock: Clock, store: Option<Store>, listener: impl FnMut(&Event) + Send + 'static) -> Self {
        Self { run, next: 0, clock, store, listener: Box::new(listener) }
    }

    pub fn run(&self) -> RunId {
        self.run
    }

    pub async fn record(&mut self, kind: EventKind) -> Result<(), TraceError> {
        let event = Event { seq: self.next, at: self.clock.now(), kind };
        self.next += 1;
        if let Some(store) = &self.store {
            store.append(self.run, event.clone()).await?;
        }
        (self.listener)(&event);
        Ok(())
    }
}
