//! What the tests of all codecs share: streams, and events in a few words.

use serde_json::Value;

use super::decode::Decode;
use super::{FinishReason, ModelError, ModelEvent};

/// The events of a stream, and the error that ended it.
pub fn stream<D: Decode + Default>(
    payloads: impl IntoIterator<Item = impl AsRef<str>>,
) -> (Vec<ModelEvent>, Option<ModelError>) {
    let mut decoder = Box::new(D::default());
    let mut events = Vec::new();
    for payload in payloads {
        match decoder.push(payload.as_ref()) {
            Ok(more) => events.extend(more),
            Err(error) => return (events, Some(error)),
        }
    }
    match decoder.end() {
        Ok(last) => events.extend(last),
        Err(error) => return (events, Some(error)),
    }
    (events, None)
}

pub fn text(delta: &str) -> ModelEvent {
    ModelEvent::Text { delta: delta.into() }
}

pub fn reasoning(delta: &str) -> ModelEvent {
    ModelEvent::Reasoning { delta: delta.into() }
}

pub fn sealed(block: Value) -> ModelEvent {
    ModelEvent::Sealed { block }
}

pub fn opens(index: u32, id: &str, name: &str, arguments: &str) -> ModelEvent {
    let known = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    ModelEvent::ToolCall { index, id: known(id), name: known(name), arguments: arguments.into() }
}

pub fn goes_on(index: u32, arguments: &str) -> ModelEvent {
    opens(index, "", "", arguments)
}

pub fn finish(reason: FinishReason) -> ModelEvent {
    ModelEvent::Finish { reason }
}

pub fn unsaid() -> ModelEvent {
    finish(FinishReason::Unsaid)
}

pub fn perhaps_cut() -> ModelEvent {
    finish(FinishReason::PerhapsCut)
}
