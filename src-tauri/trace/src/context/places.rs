//! Where in a run's record the context at each step begins: the checkpoints from which a context is put together
//! without the run before it. They are made in one pass over the events, without their bodies, and grow with the run.

use std::collections::HashMap;

use crate::{Event, EventKind};

/// By conversation, the events that contexts are made of; and for each step, which of them began it.
#[derive(Debug, Default)]
pub struct Places {
    conversations: HashMap<Option<String>, usize>,
    lists: Vec<Vec<Source>>,
    begun: Vec<Begun>,
}

/// An event that a context can be made of.
#[derive(Debug, Clone, Copy)]
struct Source {
    seq: u32,
    is_request: bool,
    /// Of a request: so many messages have the origins of the requests before.
    kept: u32,
    /// The last request before this place, and the one on which those without a body go on.
    before: Option<u32>,
    base: Option<u32>,
    /// The last request before it that keeps fewer origins.
    lower: Option<u32>,
}

/// The event that began a step.
#[derive(Debug, Clone, Copy)]
struct Begun {
    seq: u32,
    list: usize,
    /// Its place in the list, or where it would be inserted: contexts need not be made of it.
    place: usize,
}

/// Numbers of the events that must be read for the context at a step, ascending.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reads {
    pub events: Vec<u32>,
    /// The numbers whose bodies are read as well.
    pub bodies: Vec<u32>,
}

impl Places {
    /// Takes the next event in, after which the run has so many steps.
    pub fn push(&mut self, event: &Event, steps: usize) {
        let list = match self.conversations.get(&event.within) {
            Some(list) => *list,
            None => {
                self.lists.push(Vec::new());
                self.conversations.insert(event.within.clone(), self.lists.len() - 1);
                self.lists.len() - 1
            }
        };
        let known = &mut self.lists[list];
        self.begun.resize(steps, Begun { seq: event.seq, list, place: known.len() });
        if let Some(place) = Source::of(event, known) {
            known.push(place);
        }
    }

    /// Whether a call of this id began a conversation.
    pub fn begins(&self, call: &str) -> bool {
        self.conversations.len() > 1 && self.conversations.contains_key(&Some(call.to_owned()))
    }

    /// The number of the event that began a step.
    pub fn begun(&self, step: u32) -> Option<u32> {
        self.begun.get(step as usize).map(|begun| begun.seq)
    }

    /// Which conversation a step belongs to.
    pub fn list(&self, step: u32) -> Option<usize> {
        self.begun.get(step as usize).map(|begun| begun.list)
    }

    /// From the last request before the step, or the one that it continues, to the next; and earlier requests that
    /// these take origins from.
    pub fn reads(&self, step: u32) -> Option<Reads> {
        let begun = self.begun.get(step as usize)?;
        let list = &self.lists[begun.list];
        let here = begun.place;
        let own = list.get(here).filter(|place| place.seq == begun.seq);
        let last = match list.get(here) {
            Some(place) => place.before,
            None => list.last().and_then(|last| last.or_before(list.len() - 1)),
        };
        let last = last.map(|place| place as usize);
        let next = (here + usize::from(own.is_some())..list.len()).find(|place| list[*place].is_request);
        let base = |place: usize| list[place].base.map_or(place, |base| base as usize);
        let from = last.map_or(0, base);
        let until = next.map_or(list.len(), |next| next + 1);
        let mut requests: Vec<usize> = last.into_iter().flat_map(|last| [base(last), last]).collect();
        requests.extend(own.filter(|own| own.is_request).map(|_| here));
        requests.extend(next);
        requests.dedup();
        let mut places: Vec<usize> = (from..until).collect();
        for request in &requests {
            places.extend(origins_from(list, *request).filter(|place| *place < from));
        }
        places.sort_unstable();
        places.dedup();
        let numbers = |places: &[usize]| places.iter().map(|place| list[*place].seq).collect();
        Some(Reads { events: numbers(&places), bodies: numbers(&requests) })
    }
}

impl Source {
    fn of(event: &Event, known: &[Self]) -> Option<Self> {
        let before = known.last().and_then(|last| last.or_before(known.len() - 1));
        let plain = Self { seq: event.seq, is_request: false, kept: 0, before, base: None, lower: None };
        match &event.kind {
            EventKind::Requested { kept, origins, .. } => {
                let base = match origins.is_empty() {
                    false => Some(index(known.len())),
                    true => before.and_then(|before| known[before as usize].base),
                };
                let mut lower = before;
                while let Some(place) = lower.map(|lower| known[lower as usize]).filter(|place| place.kept >= *kept) {
                    lower = place.lower;
                }
                Some(Self { is_request: true, kept: *kept, base, lower, ..plain })
            }
            EventKind::Started { .. }
            | EventKind::Continued { .. }
            | EventKind::Answered { .. }
            | EventKind::Called { .. }
            | EventKind::Replied { .. }
            | EventKind::Shown { .. } => Some(plain),
            _ => None,
        }
    }

    /// The last request up to this place, which is at `at`.
    fn or_before(&self, at: usize) -> Option<u32> {
        if self.is_request { Some(index(at)) } else { self.before }
    }
}

/// The requests before one that origins of its messages are taken from, the nearest first: each keeps fewer than the one
/// behind it.
fn origins_from(list: &[Source], request: usize) -> impl Iterator<Item = usize> {
    let mut at = list[request].lower;
    std::iter::from_fn(move || {
        let place = at? as usize;
        at = list[place].lower;
        Some(place)
    })
}

fn index(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}
