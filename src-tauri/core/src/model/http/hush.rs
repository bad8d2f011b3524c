//! Keeping the key out of answers: a server that echoes what it was sent says it there too.

use futures::stream::{self, Stream, StreamExt};

use crate::model::{ModelError, ModelEvent};
use crate::secret::Secret;

/// Shorter keys are made up for servers that want none, such as `ollama`, and are words that answers have.
const LEAST: usize = 16;

/// What stands in place of the key, as in errors.
const MARK: &str = "[key]";

/// The events with the key gone from every text, also where it comes in pieces. What may be the beginning of it is held
/// back until it is told that it is not.
pub fn hushed<S: Stream<Item = Result<ModelEvent, ModelError>>>(
    events: S,
    key: Option<&Secret>,
) -> impl Stream<Item = Result<ModelEvent, ModelError>> + use<S> {
    let mut hush = Hush { key: key.map_or("", Secret::reveal).to_owned(), held: None };
    if hush.key.len() < LEAST {
        return events.left_stream();
    }
    let events = events.map(Some).chain(stream::iter([None]));
    events.flat_map(move |event| stream::iter(hush.pass(event))).right_stream()
}

struct Hush {
    key: String,
    held: Option<(Text, String)>,
}

/// The texts of an answer, each of which goes on for itself.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Text {
    Said,
    Thought,
    Arguments { index: u32 },
}

impl Hush {
    /// `None`: nothing more comes.
    fn pass(&mut self, event: Option<Result<ModelEvent, ModelError>>) -> Vec<Result<ModelEvent, ModelError>> {
        let mut passed = Vec::with_capacity(2);
        match event {
            Some(Ok(ModelEvent::Text { delta })) => {
                let delta = self.go_on(Text::Said, delta, &mut passed);
                passed.push(Ok(ModelEvent::Text { delta }));
            }
            Some(Ok(ModelEvent::Reasoning { delta })) => {
                let delta = self.go_on(Text::Thought, delta, &mut passed);
                passed.push(Ok(ModelEvent::Reasoning { delta }));
            }
            Some(Ok(ModelEvent::ToolCall { index, id, name, arguments })) => {
                let arguments = self.go_on(Text::Arguments { index }, arguments, &mut passed);
                passed.push(Ok(ModelEvent::ToolCall { index, id, name, arguments }));
            }
            Some(Ok(ModelEvent::Sealed { block })) => {
                self.let_go(&mut passed);
                let written = block.to_string();
                let hushed = written.replace(&self.key, MARK);
                let block = if hushed == written { block } else { serde_json::from_str(&hushed).unwrap_or_default() };
                passed.push(Ok(ModelEvent::Sealed { block }));
            }
            Some(other) => {
                self.let_go(&mut passed);
                passed.push(other);
            }
            None => self.let_go(&mut passed),
        }
        passed
    }

    /// What can be told of a text so far.
    fn go_on(&mut self, text: Text, delta: String, passed: &mut Vec<Result<ModelEvent, ModelError>>) -> String {
        let mut whole = match self.held.take() {
            Some((held, beginning)) if held == text => beginning + &delta,
            held => {
                self.held = held;
                self.let_go(passed);
                delta
            }
        };
        if whole.contains(&self.key) {
            whole = whole.replace(&self.key, MARK);
        }
        let most = whole.len().min(self.key.len() - 1);
        if let Some(length) =
            (1..=most).rev().find(|length| whole.as_bytes().ends_with(&self.key.as_bytes()[..*length]))
        {
            let beginning = whole.split_off(whole.len() - length);
            self.held = Some((text, beginning));
        }
        whole
    }

    fn let_go(&mut self, passed: &mut Vec<Result<ModelEvent, ModelError>>) {
        let Some((text, delta)) = self.held.take() else { return };
        passed.push(Ok(match text {
            Text::Said => ModelEvent::Text { delta },
            Text::Thought => ModelEvent::Reasoning { delta },
            Text::Arguments { index } => ModelEvent::ToolCall { index, id: None, name: None, arguments: delta },
        }));
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::model::answer::{Answer, Answered};

    const KEY: &str = "sk-aba-aba-aba-abc";

    fn answered(events: Vec<ModelEvent>) -> Answered {
        let key = Secret::new(KEY.into());
        let events = hushed(stream::iter(events.into_iter().map(Ok)), Some(&key)).map(Result::unwrap);
        let mut answer = Answer::new(0);
        futures::executor::block_on_stream(Box::pin(events)).for_each(|event| answer.push(&event));
        answer.finish()
    }

    #[test]
    fn the_key_is_gone_from_every_text() {
        let call = |arguments: &str| ModelEvent::ToolCall {
            index: 0,
            id: Some("c".into()),
            name: Some("f".into()),
            arguments: arguments.into(),
        };
        let events = |key: &str| {
            vec![
                ModelEvent::Reasoning { delta: format!("I see {}", &key[..3.min(key.len())]) },
                ModelEvent::Reasoning { delta: key[3.min(key.len())..].to_owned() },
                ModelEvent::Sealed { block: json!({"signed": [key]}) },
                ModelEvent::Text { delta: format!("{key}{key}, sk-ab") },
                call(&format!("{{\"key\":\"{key}\"}}")),
                ModelEvent::Text { delta: "c".into() },
            ]
        };
        assert_eq!(answered(events(KEY)), answered(events(MARK)));
    }

    proptest! {
        #[test]
        fn however_a_text_is_cut_it_is_the_same(
            pieces in prop::collection::vec(prop::sample::select(vec!["sk-", "aba-", "abc", KEY, "磅", "s"]), 0..12),
            cuts in prop::collection::vec(0usize..60, 0..8),
        ) {
            let text = pieces.concat();
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| text.floor_char_boundary(cut)).collect();
            cuts.extend([0, text.len()]);
            cuts.sort_unstable();
            let deltas = cuts.windows(2).map(|ends| ModelEvent::Text { delta: text[ends[0]..ends[1]].to_owned() });
            prop_assert_eq!(answered(deltas.collect()).message.text(), text.replace(KEY, MARK));
        }
    }
}
