//! A run in memory: all its events, for as long as the store does not hold them.

use super::context::Reads;
use super::{Event, EventKind};

/// Events in order. A request repeats the one before it nearly whole, so only what differs is kept of it, except for
/// every so many, from which those behind it are put together.
#[derive(Debug, Default)]
pub struct Kept {
    events: Vec<Short>,
    /// The body of the last request.
    last: String,
    /// Places of all requests.
    requests: Vec<usize>,
}

/// Each so manieth body is kept whole.
const WHOLE: usize = 64;

/// An event, with so many bytes of its body left out that begin and end the body before it.
#[derive(Debug)]
struct Short {
    event: Event,
    head: usize,
    tail: usize,
}

impl Kept {
    /// A run that goes on, with what is recorded of it.
    pub fn of(events: &[Event]) -> Self {
        let mut kept = Self::default();
        events.iter().for_each(|event| kept.push(event));
        kept
    }

    /// Keeps an event; a request without what it has in common with the one before it.
    pub fn push(&mut self, event: &Event) {
        let Event { seq, at, within, kind } = event;
        let EventKind::Requested { turn, body, kept, origins, tokens, model, agents } = kind else {
            self.events.push(Short { event: event.clone(), head: 0, tail: 0 });
            return;
        };
        if self.requests.len().is_multiple_of(WHOLE) {
            self.last.clear();
        }
        self.requests.push(self.events.len());
        let head = common(self.last.bytes().zip(body.bytes()));
        let head = body.floor_char_boundary(head);
        let rest = self.last.len().min(body.len()) - head;
        let tail = common(self.last.bytes().rev().zip(body.bytes().rev())).min(rest);
        let until = body.ceil_char_boundary(body.len() - tail);
        let kind = EventKind::Requested {
            turn: *turn,
            body: body[head..until].to_owned(),
            kept: *kept,
            origins: origins.clone(),
            tokens: *tokens,
            model: model.clone(),
            agents: agents.clone(),
        };
        let event = Event { seq: *seq, at: *at, within: within.clone(), kind };
        self.events.push(Short { event, head, tail: body.len() - until });
        self.last.clone_from(body);
    }

    /// Whether the run is over, unless the user says more.
    pub fn is_over(&self) -> bool {
        self.events.last().is_some_and(|last| matches!(last.event.kind, EventKind::Ended { .. }))
    }

    /// The events as they were pushed.
    pub fn events(&self) -> Vec<Event> {
        let mut last = String::new();
        let whole = |short: &Short| {
            let mut event = short.event.clone();
            if let EventKind::Requested { body, .. } = &mut event.kind {
                short.put_together(&mut last);
                body.clone_from(&last);
            }
            event
        };
        self.events.iter().map(whole).collect()
    }

    /// The events with the bodies of requests left empty.
    pub fn outline(&self) -> Vec<Event> {
        let bare = |Short { event, .. }: &Short| Event {
            seq: event.seq,
            at: event.at,
            within: event.within.clone(),
            kind: event.kind.without_body(),
        };
        self.events.iter().map(bare).collect()
    }

    /// Some of the events, without the bodies of requests except for those that are named.
    pub fn read(&self, reads: &Reads) -> Vec<Event> {
        let read = |seq: &u32| {
            let place = self.events.binary_search_by_key(seq, |short| short.event.seq).ok()?;
            let mut event = self.events[place].event.clone();
            if let EventKind::Requested { body, .. } = &mut event.kind {
                body.clear();
                if reads.bodies.contains(seq) {
                    *body = self.body(place);
                }
            }
            Some(event)
        };
        reads.events.iter().filter_map(read).collect()
    }

    /// The body of the request at a place, from the last one that is kept whole.
    fn body(&self, place: usize) -> String {
        let number = self.requests.partition_point(|request| *request < place);
        let mut body = String::new();
        for request in self.requests.iter().take(number + 1).skip(number - number % WHOLE) {
            self.events[*request].put_together(&mut body);
        }
        body
    }
}

impl Short {
    /// Makes its own body of the body before it.
    fn put_together(&self, last: &mut String) {
        let EventKind::Requested { body, .. } = &self.event.kind else { return };
        // The first of those that are kept whole begins with nothing.
        let (head, tail) = match (self.head, self.tail) {
            (0, 0) => ("", ""),
            (head, tail) => (&last[..head], &last[last.len() - tail..]),
        };
        *last = [head, body, tail].concat();
    }
}

fn common(pairs: impl Iterator<Item = (u8, u8)>) -> usize {
    pairs.take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::sample;
    use super::*;

    fn asked(seq: u32, body: &str) -> Event {
        let mut kind = sample::requested(0, &[]);
        if let EventKind::Requested { body: asked, .. } = &mut kind {
            *asked = body.to_owned();
        }
        Event { seq, at: 0, within: None, kind }
    }

    #[test]
    fn a_request_is_kept_as_what_it_adds_and_given_back_whole() {
        let bodies = ["[字一, tools]", "[字一, 二, tools]", "[字一, 二, 三, tools]"];
        let events: Vec<Event> = (0..).zip(bodies).map(|(seq, body)| asked(seq, body)).collect();
        let mut kept = Kept::default();
        events.iter().for_each(|event| kept.push(event));
        let adds = |short: &Short| match &short.event.kind {
            EventKind::Requested { body, .. } => body.clone(),
            _ => String::new(),
        };
        assert_eq!(kept.events.iter().map(adds).collect::<Vec<_>>(), ["[字一, tools]", "二, ", "三, "]);
        assert_eq!(kept.events(), events);
    }

    proptest! {
        #[test]
        fn what_comes_back_is_what_was_kept(bodies in prop::collection::vec("[ab字é]{0,8}", 0..150)) {
            let events: Vec<Event> = (0..).zip(&bodies).map(|(seq, body)| asked(seq, body)).collect();
            let mut kept = Kept::default();
            events.iter().for_each(|event| kept.push(event));
            for event in &events {
                let reads = Reads { events: vec![event.seq], bodies: vec![event.seq] };
                prop_assert_eq!(&kept.read(&reads)[..], std::slice::from_ref(event));
            }
            let mut bare = kept.events();
            prop_assert_eq!(&bare, &events);
            for event in &mut bare {
                if let EventKind::Requested { body, .. } = &mut event.kind {
                    body.clear();
                }
            }
            prop_assert_eq!(kept.outline(), bare);
        }
    }
}
