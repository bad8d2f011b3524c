//! State of the runs that are recorded here, so that an event costs the same however long its run is.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::pieces::Sent;
use crate::clock::Millis;
use crate::fold::Fold;
use crate::{Event, RunId};

/// A run as far as it is in the file.
#[derive(Debug, Default)]
pub(super) struct Recorded {
    pub fold: Fold,
    pub sent: Sent,
    /// The first event that was not read back yet.
    pub unread: u32,
    /// Number and time of the last event.
    pub last: Option<(u32, Millis)>,
    /// How many steps no longer have texts.
    without_texts: usize,
}

impl Recorded {
    /// The state of a run that was just read.
    pub fn read(fold: Fold, events: &[Event]) -> Self {
        let last = events.last().map(|event| (event.seq, event.at));
        let unread = last.map_or(0, |(seq, _)| seq.saturating_add(1));
        Self { fold, unread, last, ..Self::default() }
    }

    /// Takes the texts out of the steps that are over: a summary needs none of them, and a run may go on for long.
    pub fn relieve(&mut self) {
        let until = self.fold.first_open().unwrap_or(self.fold.steps().len());
        if until >= self.without_texts + TEXTS {
            self.fold.forget_texts_of(self.without_texts..until);
            self.without_texts = until;
        }
    }

    /// All of it is read back at its end.
    pub fn unread(self) -> Self {
        Self { unread: 0, ..self }
    }
}

/// That this process wrote something, or waits to do so.
#[derive(Debug, Clone, Default)]
pub(super) struct Recording(Arc<AtomicBool>);

impl Recording {
    pub fn tell(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether there was a signal since the last call.
    pub fn take(&self) -> bool {
        self.0.swap(false, Ordering::Relaxed)
    }
}

/// Runs that have ended and may go on: then they need not be read for that. The one that ended last is at the end.
#[derive(Debug, Default)]
pub(super) struct Rested(Vec<(RunId, Recorded)>);

/// Steps that are over and have their texts while a run is recorded.
const TEXTS: usize = if cfg!(test) { 2 } else { 256 };

/// Of these, so many stay, with so many steps together; the last one stays whatever it has.
const RUNS: usize = 8;
const STEPS: usize = 50_000;

impl Rested {
    pub fn put(&mut self, run: RunId, mut recorded: Recorded) {
        let steps = recorded.fold.steps().len();
        recorded.fold.forget_texts(recorded.without_texts);
        recorded.without_texts = steps;
        self.forget(run);
        self.0.push((run, recorded));
        let mut room = STEPS;
        let stay = self.0.iter().rev().enumerate().take_while(|(place, (_, recorded))| {
            let (steps, had) = (recorded.fold.steps().len(), room);
            room = room.saturating_sub(steps);
            *place == 0 || (*place < RUNS && steps <= had)
        });
        let stay = stay.count();
        self.0.drain(..self.0.len() - stay);
    }

    pub fn take(&mut self, run: RunId) -> Option<Recorded> {
        let place = self.0.iter().position(|(known, _)| *known == run)?;
        Some(self.0.remove(place).1)
    }

    pub fn find(&mut self, run: RunId) -> Option<&mut Recorded> {
        self.0.iter_mut().find(|(known, _)| *known == run).map(|(_, recorded)| recorded)
    }

    pub fn forget(&mut self, run: RunId) {
        self.0.retain(|(known, _)| *known != run);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{EventKind, fold, sample};

    #[test]
    fn the_runs_that_ended_last_stay() {
        let run = |number: usize| RunId(uuid::Uuid::from_u128(number as u128));
        let recorded = |steps: usize| {
            let note = || EventKind::noted(wording::Message::quoted("noted"));
            let events = sample::events_of((0..steps).map(|_| note()));
            Recorded::read(fold::replay(&events), &events)
        };
        let mut rested = Rested::default();
        for number in 0..=RUNS {
            rested.put(run(number), recorded(1));
        }
        assert!(rested.find(run(0)).is_none() && rested.find(run(1)).is_some());
        rested.put(run(99), recorded(STEPS + 1));
        assert!(rested.find(run(99)).is_some() && rested.find(run(RUNS)).is_none(), "it is alone");
        assert!(rested.take(run(99)).is_some() && rested.find(run(99)).is_none());
    }
}
