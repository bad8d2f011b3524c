//! How python-1.13 changes a turn in which it stops for approvals. It returns the answer with the question to its
//! caller and continues in a new run, which knows of earlier rounds only what was returned. So rounds without a
//! question are lost at the next question, and only one run knows calls that were made together with one that asks.

use std::ops::Range;

use super::{serve, tools};
use crate::{Catalog, turns};
use model::{Message, Role};

/// Before a request: the history as the run that sends it knows it. `true` if that run began with the last round.
pub fn before_request(history: &mut Vec<Message>, catalog: &Catalog) -> bool {
    let begun = (turns::begun(history) + 1).min(history.len());
    let stops = Stops { catalog, asking: serve::asking(&catalog.options.agent_framework) };
    let rounds = rounds(&history[begun..]);
    let Some((last, earlier)) = rounds.split_last() else { return false };
    let turn = &history[begun..];
    if turn[last.clone()].iter().all(|message| message.role != Role::Tool) || !stops.asks(&turn[last.clone()]) {
        return false;
    }
    let mut known = Vec::new();
    for round in earlier.iter().map(|round| &turn[round.clone()]).filter(|round| stops.asks(round)) {
        known.extend(stops.answer(round));
        known.extend(stops.asked(round));
    }
    let last = &turn[last.clone()];
    known.extend(stops.answer(last).chain(stops.asked(last)).chain(stops.unasked(last)));
    history.splice(begun.., known.into_iter().cloned().collect::<Vec<_>>());
    true
}

/// Behind a turn: its agreements stay in the history, and the results are put to the last of them.
pub fn next_turn(history: &mut Vec<Message>, catalog: &Catalog) {
    let begun = turns::begun(history);
    let stops = Stops { catalog, asking: serve::asking(&catalog.options.agent_framework) };
    let turn = &history[begun..];
    let rounds = rounds(turn);
    let asking: Vec<&[Message]> =
        rounds.iter().map(|round| &turn[round.clone()]).filter(|round| stops.asks(round)).collect();
    let Some(last) = rounds.iter().rposition(|round| stops.asks(&turn[round.clone()])) else { return };
    let prompt = &turn[..rounds[0].start];
    let behind = &turn[rounds[last].end..];
    let known: Vec<Message> = prompt
        .iter()
        .chain(asking.iter().flat_map(|round| stops.answer(round)))
        .chain(asking.iter().flat_map(|round| stops.asked(round)))
        .chain(asking.last().into_iter().flat_map(|round| stops.unasked(round)))
        .chain(behind)
        .cloned()
        .collect();
    history.splice(begun.., known);
}

/// Answers with calls, each followed by its results. Text that came with calls is a message before them.
fn rounds(turn: &[Message]) -> Vec<Range<usize>> {
    let calls = |message: &Message| message.role == Role::Assistant && message.calls().next().is_some();
    let mut rounds = Vec::new();
    let mut place = 0;
    while let Some(offset) = turn[place..].iter().position(calls) {
        let called = place + offset;
        let start = turn[place..called].iter().rposition(|message| message.role != Role::Assistant);
        let start = start.map_or(place, |before| place + before + 1);
        let results = turn[called + 1..].iter().take_while(|message| message.role == Role::Tool).count();
        place = called + 1 + results;
        rounds.push(start..place);
    }
    rounds
}

struct Stops<'a> {
    catalog: &'a Catalog,
    asking: &'a [&'a str],
}

impl Stops<'_> {
    fn asks(&self, round: &[Message]) -> bool {
        round.iter().flat_map(Message::calls).any(|call| self.asking.contains(&call.name.as_str()))
    }

    fn answer<'a>(&self, round: &'a [Message]) -> impl Iterator<Item = &'a Message> + use<'a> {
        round.iter().filter(|message| message.role == Role::Assistant)
    }

    /// Results of calls that the user was asked about. Messages about missing tools get lost on the way.
    fn asked<'a>(&self, round: &'a [Message]) -> Vec<&'a Message> {
        self.results(round, |name| self.asking.contains(&name))
    }

    /// Results of the other calls.
    fn unasked<'a>(&self, round: &'a [Message]) -> Vec<&'a Message> {
        let is_known = |name: &str| tools::Tool::find(name, self.catalog).is_some();
        self.results(round, |name| !self.asking.contains(&name) && is_known(name))
    }

    fn results<'a>(&self, round: &'a [Message], wanted: impl Fn(&str) -> bool) -> Vec<&'a Message> {
        let ids: Vec<&str> = round
            .iter()
            .flat_map(Message::calls)
            .filter(|call| wanted(&call.name))
            .map(|call| call.id.as_str())
            .collect();
        let is_wanted = |message: &&Message| message.results().any(|result| ids.contains(&result.call_id.as_str()));
        round.iter().filter(|message| message.role == Role::Tool).filter(is_wanted).collect()
    }
}
