//! A compact description of what an event changed in the steps: with it, a holder of the steps can follow a run without
//! folding events.

use serde::Serialize;
use ts_rs::TS;

use super::Fold;
use crate::clock::Millis;
use crate::{Event, EventKind, Step, StepKind, StepState};

/// What an event changed. Each step is in one of the two.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Changes {
    /// Steps that began, or whose content changed.
    pub steps: Vec<Step>,
    pub further: Vec<StepChange>,
}

/// A change of a step that is known, without the rest of it.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum StepChange {
    /// More of an answer came in.
    Streamed {
        index: u32,
        text: String,
        reasoning: String,
        #[ts(type = "number | null")]
        first_token: Option<Millis>,
    },
    /// All but its content.
    Counted {
        index: u32,
        state: StepState,
        #[ts(type = "number | null")]
        took: Option<Millis>,
        question: Option<u32>,
        added_tokens: u32,
        context_tokens: u32,
    },
}

impl StepChange {
    /// Of the step, from 0.
    pub fn index(&self) -> u32 {
        match self {
            Self::Streamed { index, .. } | Self::Counted { index, .. } => *index,
        }
    }

    /// Applies the change to its step.
    pub fn apply(&self, step: &mut Step) {
        match self {
            Self::Streamed { text: more, reasoning: thought, first_token: waited, .. } => {
                if let StepKind::Answer { text, reasoning, first_token, .. } = &mut step.kind {
                    text.push_str(more);
                    reasoning.push_str(thought);
                    *first_token = *waited;
                }
            }
            Self::Counted { state, took, question, added_tokens, context_tokens, .. } => {
                (step.state, step.took, step.question) = (*state, *took, *question);
                (step.added_tokens, step.context_tokens) = (*added_tokens, *context_tokens);
            }
        }
    }
}

impl Fold {
    /// As [`Fold::apply`], with what changed.
    pub fn follow(&mut self, event: &Event) -> Changes {
        let changed = self.apply(event);
        self.changes(event, changed)
    }

    /// Of the steps that the last event changed, those that began with it or whose content it changed, except for text
    /// that came in.
    pub(crate) fn told<'a>(&'a self, event: &'a Event) -> impl Iterator<Item = &'a Step> {
        let told = self.told.iter().enumerate().filter(|(at, place)| !self.told[..*at].contains(place));
        told.filter_map(|(_, place)| self.steps.get(*place)).filter(|step| !is_streamed(event, step))
    }

    fn changes(&self, event: &Event, changed: Vec<u32>) -> Changes {
        let mut changes = Changes::default();
        for index in changed {
            let Some(step) = self.steps.get(index as usize) else { continue };
            if !self.told.contains(&(index as usize)) {
                changes.further.push(StepChange::Counted {
                    index,
                    state: step.state,
                    took: step.took,
                    question: step.question,
                    added_tokens: step.added_tokens,
                    context_tokens: step.context_tokens,
                });
                continue;
            }
            changes.further.extend(match (&event.kind, &step.kind) {
                (EventKind::Streamed { text, reasoning, .. }, StepKind::Answer { first_token, .. }) => {
                    let (text, reasoning) = (text.clone(), reasoning.clone());
                    Some(StepChange::Streamed { index, text, reasoning, first_token: *first_token })
                }
                _ => {
                    changes.steps.push(step.clone());
                    None
                }
            });
        }
        changes
    }
}

fn is_streamed(event: &Event, step: &Step) -> bool {
    matches!((&event.kind, &step.kind), (EventKind::Streamed { .. }, StepKind::Answer { .. }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fold;
    use crate::sample;

    proptest::proptest! {
        #[test]
        fn applying_the_changes_gives_the_steps(events in sample::any_events()) {
            let mut known: Vec<Step> = Vec::new();
            let mut fold = Fold::new();
            for event in &events {
                let Changes { steps, further } = fold.follow(event);
                let mut told: Vec<Step> = fold.told(event).cloned().collect();
                told.sort_by_key(|step| step.index);
                proptest::prop_assert_eq!(&told, &steps);
                for step in steps {
                    match known.get_mut(step.index as usize) {
                        Some(there) => *there = step,
                        None => known.push(step),
                    }
                }
                for change in further {
                    change.apply(&mut known[change.index() as usize]);
                }
                proptest::prop_assert_eq!(fold.steps(), &known[..]);
            }
            proptest::prop_assert_eq!(fold::steps(&events), known);
        }
    }

    #[test]
    fn an_incoming_text_is_pushed_piece_by_piece() {
        let mut fold = Fold::new();
        let events = sample::events_of([
            sample::requested(0, &[sample::user()]),
            EventKind::Streamed { turn: 0, text: "a long beginning".into(), reasoning: String::new() },
            EventKind::Streamed { turn: 0, text: ", and more".into(), reasoning: String::new() },
        ]);
        events[..2].iter().for_each(|event| drop(fold.follow(event)));
        let Changes { steps, further } = fold.follow(&events[2]);
        assert_eq!(steps, []);
        assert!(matches!(&further[..], [StepChange::Streamed { index: 0, text, .. }] if text == ", and more"));
    }
}
