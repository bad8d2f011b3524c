//! The turns of the user in a run: each from the prompt to its outcome.

use super::{Event, EventKind, RunSetup, Step, StepKind};
use crate::clock::Millis;

/// The steps of each turn, which begin with its prompt.
pub fn of_steps(steps: &[Step]) -> Vec<&[Step]> {
    let is_prompt = |step: &Step| step.within.is_none() && matches!(step.kind, StepKind::Prompt { .. });
    steps.chunk_by(|_, next| !is_prompt(next)).collect()
}

/// What the user said, turn by turn.
pub fn prompts(events: &[Event]) -> impl Iterator<Item = &str> {
    said(events).map(|setup| setup.prompt.as_str())
}

/// The setups with which the user said something, turn by turn.
pub fn said(events: &[Event]) -> impl Iterator<Item = &RunSetup> {
    events.iter().filter_map(|event| match &event.kind {
        EventKind::Started { setup } | EventKind::Continued { setup } => Some(setup),
        _ => None,
    })
}

/// The events of a run that were not recorded in the one that it was forked off.
pub fn own(events: &[Event]) -> &[Event] {
    let forks = |event: &Event| match &event.kind {
        EventKind::Continued { setup } | EventKind::Forked { setup, .. } => setup.forked.is_some(),
        _ => false,
    };
    &events[events.iter().rposition(forks).unwrap_or_default()..]
}

/// Model requests of a run, in all its conversations, without those of the run that it was forked off.
pub fn requests(events: &[Event]) -> u32 {
    let asked = own(events).iter().filter(|event| matches!(event.kind, EventKind::Requested { .. }));
    u32::try_from(asked.count()).unwrap_or(u32::MAX)
}

/// Milliseconds for which a run went on so far, all its turns together, without the time it waited for the user, and that
/// of the run that it was forked off.
pub fn worked(events: &[Event]) -> Millis {
    let mut worked: Millis = 0;
    // An imported run may say what it likes.
    let passed = |since: Option<Millis>, until: Millis| since.map_or(0, |since| until.saturating_sub(since).max(0));
    // When it last began to work; `None` while it waits, and while nothing goes on.
    let mut since: Option<Millis> = None;
    let mut heard = 0;
    for event in own(events) {
        match &event.kind {
            EventKind::Started { .. } | EventKind::Continued { .. } | EventKind::Forked { .. } => {
                since.get_or_insert(event.at);
            }
            EventKind::ApprovalGiven { .. } | EventKind::CutSettled { .. } => since = Some(event.at),
            EventKind::ApprovalAsked { .. } | EventKind::CutAsked { .. } => {
                worked = worked.saturating_add(passed(since.take(), event.at));
            }
            // An interruption is noticed long after it.
            EventKind::Ended { .. } => worked = worked.saturating_add(passed(since.take(), heard)),
            _ => {}
        }
        heard = event.at;
    }
    worked.saturating_add(passed(since, heard))
}

#[cfg(test)]
mod tests {
    use super::super::{CutChoice, RunSetup, RunStatus, fold, sample};
    use wording::Message as Words;

    use super::*;

    fn ended(status: RunStatus) -> EventKind {
        EventKind::ended(status, None, None)
    }

    fn said(prompt: &str) -> EventKind {
        EventKind::Continued { setup: RunSetup { prompt: prompt.into(), ..sample::setup() } }
    }

    #[test]
    fn times_that_no_clock_tells_count_and_overflow_nothing() {
        let at = |at, kind| Event { seq: 0, at, within: None, kind };
        let turn = || {
            [at(Millis::MIN, said("a")), at(Millis::MAX, sample::answered(0, "", &[])), at(0, ended(RunStatus::Done))]
        };
        assert_eq!(worked(&[turn(), turn()].concat()), Millis::MAX);
    }

    #[test]
    fn a_turn_begins_with_what_the_user_says() {
        let events = sample::events_of([
            EventKind::Started { setup: sample::setup() },
            EventKind::noted(Words::quoted("a")),
            ended(RunStatus::Stopped),
            said("and then?"),
            EventKind::noted(Words::quoted("b")),
            ended(RunStatus::Done),
        ]);
        let steps = fold::steps(&events);
        let turns: Vec<Vec<u32>> =
            of_steps(&steps).iter().map(|turn| turn.iter().map(|step| step.index).collect()).collect();
        assert_eq!(turns, [vec![0, 1, 2], vec![3, 4]]);
        assert_eq!(prompts(&events).collect::<Vec<_>>(), [sample::PROMPT, "and then?"]);
    }

    #[test]
    fn time_between_turns_and_with_the_user_is_no_work() {
        let mut events = sample::events_of([
            EventKind::Started { setup: sample::setup() },
            EventKind::CutAsked { turn: 0 },
            EventKind::CutSettled { turn: 0, choice: CutChoice::Keep },
            EventKind::noted(Words::quoted("the last that was heard")),
            ended(RunStatus::Interrupted),
            said("and then?"),
            ended(RunStatus::Done),
        ]);
        for (event, at) in events.iter_mut().zip([0, 10, 500, 530, 9000, 20_000, 20_007]) {
            event.at = at;
        }
        assert_eq!(worked(&events), 10 + 30);
        events.push(Event { seq: 7, at: 30_000, within: None, kind: said("more") });
        events.push(Event { seq: 8, at: 30_005, within: None, kind: EventKind::noted(Words::quoted("x")) });
        assert_eq!(worked(&events), 10 + 30 + 5);
    }
}
