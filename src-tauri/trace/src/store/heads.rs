//! What the models of a run were sent before the conversation, as it is searched: system texts and the definitions of
//! tools. Each text counts once in a run, at the first request that had it. Bodies are read only where the record says
//! that these may have changed, as for a comparison.

use std::collections::{HashMap, HashSet};

use sha2::{Digest, Sha256};

use crate::context::{self, Reads};
use crate::diff::SetUps;
use crate::passage::Passage;
use crate::{Event, EventKind, Step};

#[derive(Default)]
pub struct Heads {
    set_ups: SetUps,
    known: HashSet<[u8; 32]>,
    /// By the number of the request.
    texts: HashMap<u32, String>,
}

impl Heads {
    /// Of a run whose events come one after the other; requests need no bodies.
    pub fn take_in(&mut self, event: &Event) {
        self.set_ups.take_in(event);
    }

    /// Reads the bodies that are needed of what was taken in.
    pub fn read<E>(&mut self, mut read: impl FnMut(&Reads) -> Result<Vec<Event>, E>) -> Result<(), E> {
        while let Some(reads) = self.set_ups.wanted() {
            for event in read(&reads)? {
                self.add(&event);
            }
        }
        Ok(())
    }

    fn add(&mut self, event: &Event) {
        let EventKind::Requested { body, .. } = &event.kind else { return };
        let (system, tools) = context::set_up(body);
        let mut fresh: Vec<String> = system.into_iter().chain(tools).collect();
        fresh.retain(|text| !text.is_empty() && self.known.insert(Sha256::digest(text).into()));
        if !fresh.is_empty() {
            self.texts.insert(event.seq, fresh.join("\n"));
        }
    }

    /// What the request of a step was the first to have.
    pub fn of(&self, step: &Step) -> Option<Passage> {
        self.texts.get(&step.event).map(|text| Passage::before(step, text.clone()))
    }

    /// As [`Heads::of`], which is forgotten then.
    pub fn take(&mut self, step: &Step) -> Option<Passage> {
        self.texts.remove(&step.event).map(|text| Passage::before(step, text))
    }
}
