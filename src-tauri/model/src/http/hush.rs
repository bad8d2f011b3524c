//! Keeping keys out of all that a server says: one that echoes what it was sent says them there too.

use std::collections::HashMap;
use std::sync::Arc;

use crate::secret::{Passage, Scrubber};
use crate::{FinishReason, ModelEvent};

/// The events of one answer with the keys gone from each of their texts, also where a key comes in pieces: within one
/// block of the answer, whatever comes in between, and over the blocks, whose texts are joined later.
#[derive(Debug)]
pub struct Hush {
    scrubber: Arc<Scrubber>,
    blocks: Voices,
    joined: Voices,
}

/// Texts that go on for themselves.
#[derive(Debug, Default)]
struct Voices {
    passages: HashMap<(u64, Text), Passage>,
    /// The last one that said something.
    speaking: Option<(u64, Text)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Text {
    Said,
    Thought,
    Arguments { index: u32 },
}

/// The part of a text that may be shown now.
struct Told {
    event: ModelEvent,
    /// The beginning of a key that was replaced by a mark, although the rest has not come.
    instead_of: Vec<u8>,
}

impl Hush {
    pub fn new(scrubber: Arc<Scrubber>) -> Self {
        Self { scrubber, blocks: Voices::default(), joined: Voices::default() }
    }

    /// `block`: the one that the events are of.
    pub fn pass(&mut self, block: u64, events: Vec<ModelEvent>) -> Vec<ModelEvent> {
        if self.scrubber.is_idle() {
            return events;
        }
        let mut passed = Vec::with_capacity(events.len());
        for event in events {
            let told = self.blocks.pass(&self.scrubber, block, event);
            self.join(told, &mut passed);
        }
        passed
    }

    /// The text that was held back; no more events come.
    pub fn end(&mut self) -> Vec<ModelEvent> {
        let mut left = Vec::new();
        let told = self.blocks.pause(&self.scrubber);
        self.join(told, &mut left);
        left.extend(self.joined.pause(&self.scrubber).map(|told| told.event));
        left
    }

    fn join(&mut self, told: impl IntoIterator<Item = Told>, passed: &mut Vec<ModelEvent>) {
        for Told { event, instead_of } in told {
            let text = Text::of(&event);
            passed.extend(self.joined.pass(&self.scrubber, 0, event).into_iter().map(|told| told.event));
            if let (Some(text), false) = (text, instead_of.is_empty()) {
                self.joined.passages.entry((0, text)).or_default().began_with(instead_of);
            }
        }
    }
}

impl Voices {
    fn pass(&mut self, scrubber: &Scrubber, block: u64, event: ModelEvent) -> Vec<Told> {
        let mut told = Vec::with_capacity(2);
        let plain = |event| Told { event, instead_of: Vec::new() };
        match event {
            ModelEvent::Text { delta } => {
                let delta = self.say(scrubber, (block, Text::Said), &delta, &mut told);
                told.extend(Text::Said.event(delta).map(plain));
            }
            ModelEvent::Reasoning { delta } => {
                let delta = self.say(scrubber, (block, Text::Thought), &delta, &mut told);
                told.extend(Text::Thought.event(delta).map(plain));
            }
            ModelEvent::ToolCall { index, id, name, arguments } => {
                let (id, name) = [id, name].map(|text| text.map(|text| scrubber.text(&text))).into();
                let arguments = self.say(scrubber, (block, Text::Arguments { index }), &arguments, &mut told);
                if id.is_some() || name.is_some() || !arguments.is_empty() {
                    told.push(plain(ModelEvent::ToolCall { index, id, name, arguments }));
                }
            }
            ModelEvent::Sealed { block } => {
                told.extend(self.pause(scrubber));
                told.push(plain(ModelEvent::Sealed { block: scrubber.value(block) }));
            }
            ModelEvent::Extra { index, extra } => {
                told.push(plain(ModelEvent::Extra { index, extra: scrubber.value(extra) }));
            }
            ModelEvent::Finish { reason } => {
                told.extend(self.pause(scrubber));
                let reason = match reason {
                    FinishReason::Other { reason } => FinishReason::Other { reason: scrubber.text(&reason) },
                    known => known,
                };
                told.push(plain(ModelEvent::Finish { reason }));
            }
            event @ (ModelEvent::Usage(_) | ModelEvent::Retried(_)) => told.push(plain(event)),
        }
        told
    }

    /// Reports as much of a text as is safe so far, after what another one held back.
    fn say(&mut self, scrubber: &Scrubber, voice: (u64, Text), delta: &str, told: &mut Vec<Told>) -> String {
        if self.speaking != Some(voice) {
            told.extend(self.pause(scrubber));
            self.speaking = Some(voice);
        }
        self.passages.entry(voice).or_default().go_on(scrubber, delta)
    }

    fn pause(&mut self, scrubber: &Scrubber) -> Option<Told> {
        let voice = self.speaking.take()?;
        let passage = self.passages.get_mut(&voice)?;
        let event = voice.1.event(passage.pause(scrubber))?;
        Some(Told { event, instead_of: passage.marked().to_vec() })
    }
}

impl Text {
    fn of(event: &ModelEvent) -> Option<Self> {
        match event {
            ModelEvent::Text { .. } => Some(Self::Said),
            ModelEvent::Reasoning { .. } => Some(Self::Thought),
            ModelEvent::ToolCall { index, .. } => Some(Self::Arguments { index: *index }),
            ModelEvent::Sealed { .. }
            | ModelEvent::Extra { .. }
            | ModelEvent::Usage(_)
            | ModelEvent::Finish { .. }
            | ModelEvent::Retried(_) => None,
        }
    }

    fn event(self, delta: String) -> Option<ModelEvent> {
        let event = match self {
            _ if delta.is_empty() => return None,
            Self::Said => ModelEvent::Text { delta },
            Self::Thought => ModelEvent::Reasoning { delta },
            Self::Arguments { index } => ModelEvent::ToolCall { index, id: None, name: None, arguments: delta },
        };
        Some(event)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::answer::{Answer, Answered};

    const KEY: &str = "sk-aba-aba-aba-abc";

    fn answered(events: Vec<(u64, ModelEvent)>) -> Answered {
        let mut hush = Hush::new(Arc::new(Scrubber::new([KEY])));
        let mut answer = Answer::new(0);
        for (block, event) in events {
            hush.pass(block, vec![event]).iter().for_each(|event| answer.push(event));
        }
        hush.end().iter().for_each(|event| answer.push(event));
        answer.finish()
    }

    fn text(delta: &str) -> ModelEvent {
        ModelEvent::Text { delta: delta.to_owned() }
    }

    #[test]
    fn the_key_is_gone_from_every_text() {
        let events = |key: &str| {
            let (head, tail) = key.split_at(3);
            let call = |id: &str, arguments: &str| ModelEvent::ToolCall {
                index: 0,
                id: Some(id.into()),
                name: Some(format!("f{key}")),
                arguments: arguments.into(),
            };
            let events = [
                ModelEvent::Reasoning { delta: format!("I see {head}") },
                ModelEvent::Reasoning { delta: tail.to_owned() },
                ModelEvent::Sealed { block: json!({"signed": [key]}) },
                text(&format!("{key}{key}, sk-ab")),
                call(&format!("c-{key}"), &format!("{{\"key\":\"{key}\"}}")),
                text("c"),
                ModelEvent::Finish { reason: FinishReason::Other { reason: key.to_owned() } },
            ];
            events.map(|event| (0, event)).into()
        };
        assert_eq!(answered(events(KEY)), answered(events("[key]")));
    }

    #[test]
    fn a_key_in_two_blocks_that_come_in_turns_is_found() {
        let said = |pieces: &[(u64, &str)]| {
            let pieces = pieces.iter().map(|(block, piece)| (*block, text(piece)));
            answered(pieces.collect()).message.text()
        };
        assert_eq!(said(&[(0, "a sk-aba-aba"), (1, "one "), (0, "-aba-abc b"), (1, "two")]), "a [key]one  btwo");
        assert_eq!(
            said(&[(0, "a sk-aba-aba"), (1, "-aba-abc b")]),
            "a [key] b",
            "one after the other they are one text"
        );
        assert_eq!(said(&[(0, "sk-aba-aba-"), (1, "sk-aba-aba-"), (0, "aba-abc"), (1, "aba-abc")]), "[key][key]");
    }

    #[test]
    fn a_key_is_found_on_both_sides_of_a_call() {
        let call = || ModelEvent::ToolCall { index: 0, id: Some("c".into()), name: None, arguments: String::new() };
        let events = vec![(0, text("a sk-aba-aba")), (1, call()), (2, text("-aba-abc b"))];
        assert_eq!(answered(events).message.text(), "a [key] b");
    }

    proptest! {
        #[test]
        fn however_a_text_is_cut_it_is_the_same(
            pieces in prop::collection::vec(prop::sample::select(vec!["sk-", "aba-", "abc", KEY, "磅", "s"]), 0..12),
            cuts in prop::collection::vec(0usize..60, 0..8),
        ) {
            let whole = pieces.concat();
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| whole.floor_char_boundary(cut)).collect();
            cuts.extend([0, whole.len()]);
            cuts.sort_unstable();
            let deltas = cuts.windows(2).map(|ends| (0, text(&whole[ends[0]..ends[1]])));
            prop_assert_eq!(answered(deltas.collect()).message.text(), Scrubber::new([KEY]).text(&whole));
        }
    }
}
