//! Counts what came of one answer, so that it ends at the first bound that it passes.

use serde_json::Value;

use super::{Bound, ModelError, ModelEvent};

/// Counts the parts of one answer.
#[derive(Debug, Default)]
pub struct Tally {
    text: usize,
    /// Bytes of the arguments of each call.
    arguments: Vec<usize>,
    sealed: usize,
    all: usize,
}

impl Tally {
    /// Adds this event; an error if the answer is then no longer within its bounds.
    pub fn add(&mut self, event: &ModelEvent) -> Result<(), ModelError> {
        match event {
            ModelEvent::Text { delta } | ModelEvent::Reasoning { delta } => {
                self.text += delta.len();
                self.all += delta.len();
                Bound::Text.check(self.text)?;
            }
            ModelEvent::ToolCall { index, id, name, arguments } => {
                let place = *index as usize;
                Bound::Calls.check(place.saturating_add(1))?;
                if self.arguments.len() <= place {
                    self.arguments.resize(place + 1, 0);
                }
                self.arguments[place] += arguments.len();
                let named = [id, name].into_iter().flatten().map(String::len).sum::<usize>();
                self.all += arguments.len() + named;
                Bound::Arguments.check(self.arguments[place])?;
            }
            ModelEvent::Extra { extra, .. } => {
                self.sealed += 1;
                self.all += extra.to_string().len();
                Bound::Parts.check(self.sealed)?;
            }
            ModelEvent::Sealed { block } => {
                self.sealed += 1;
                Bound::Depth.check(depth(block))?;
                self.all += block.to_string().len();
                Bound::Parts.check(self.sealed)?;
            }
            ModelEvent::Usage(_) | ModelEvent::Finish { .. } | ModelEvent::Retried(_) => {}
        }
        Bound::Answer.check(self.all)
    }
}

/// The levels of lists and objects inside each other. A value that was parsed has at most 127.
fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        Value::Object(fields) => 1 + fields.values().map(depth).max().unwrap_or(0),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bounds::{ANSWER, ARGUMENTS, CALLS, DEPTH, PARTS, TEXT};

    fn call(index: u32, arguments: usize) -> ModelEvent {
        ModelEvent::ToolCall { index, id: None, name: None, arguments: "x".repeat(arguments) }
    }

    /// How many of the events are within the bounds, and the error for the next one.
    fn passed(events: impl IntoIterator<Item = ModelEvent>) -> (usize, Option<ModelError>) {
        let mut tally = Tally::default();
        for (count, event) in events.into_iter().enumerate() {
            if let Err(error) = tally.add(&event) {
                return (count, Some(error));
            }
        }
        (0, None)
    }

    #[test]
    fn an_answer_ends_at_the_first_bound_it_passes() {
        let text = |length: usize| ModelEvent::Text { delta: "x".repeat(length) };
        let thought = |length: usize| ModelEvent::Reasoning { delta: "x".repeat(length) };
        let sealed = |length: usize| ModelEvent::Sealed { block: "x".repeat(length).into() };
        let half = TEXT / 2;
        assert_eq!(passed([text(half), thought(half), text(1)]), (2, Some(Bound::Text.passed())));
        assert_eq!(passed([call(0, ARGUMENTS), call(1, 9), call(0, 1)]), (2, Some(Bound::Arguments.passed())));
        assert_eq!(passed((0..5).map(|index| call(index, ARGUMENTS))), (4, Some(Bound::Answer.passed())));
        assert_eq!(passed((0..300).map(|index| call(index, 0))), (CALLS, Some(Bound::Calls.passed())));
        assert_eq!(passed([call(u32::MAX, 0)]), (0, Some(Bound::Calls.passed())));
        assert_eq!(passed((0..5000).map(|_| sealed(0))), (PARTS, Some(Bound::Parts.passed())));
        assert_eq!(passed([sealed(ANSWER)]), (0, Some(Bound::Answer.passed())));
        assert_eq!(passed([text(TEXT), call(0, ARGUMENTS), sealed(1 << 20)]), (0, None));
    }

    #[test]
    fn what_is_stored_as_it_came_is_not_nested_deeper_than_can_be_read_back() {
        let nested = |levels: usize| {
            let block = (1..levels).fold(serde_json::json!([]), |inner, _| serde_json::json!([inner]));
            passed([ModelEvent::Sealed { block }])
        };
        assert_eq!(nested(DEPTH), (0, None));
        assert_eq!(nested(DEPTH + 1), (0, Some(Bound::Depth.passed())));
        let told = Bound::Depth.passed().to_string();
        assert_eq!(told, "the answer was cut off: its JSON has more than 64 nested levels");
    }

    #[test]
    fn an_error_names_what_there_was_too_much_of_and_the_limit() {
        let said = [Bound::Wire, Bound::Arguments, Bound::Calls].map(|bound| bound.passed().to_string());
        assert_eq!(
            said,
            [
                "the answer was cut off: more than 128 MiB came from the server",
                "the answer was cut off: more than 4 MiB came as the arguments of one tool call",
                "the answer was cut off: more than 256 tool calls came",
            ]
        );
    }
}
