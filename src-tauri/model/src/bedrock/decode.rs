//! The answer, streamed or whole.

use std::collections::HashMap;

use aws_smithy_types::base64;
use serde_json::{Map, Value, json};

use crate::decode::Decode;
use crate::halves::{self, Halves};
use crate::payload::{self, Payload, count, text};
use crate::{Bound, FinishReason, ModelError, ModelEvent, Usage, said, written};

/// A whole, unstreamed answer as the events of a stream. `raw` in an error is the whole body.
pub fn decode(body: &str) -> Result<Vec<ModelEvent>, ModelError> {
    if body.trim().is_empty() {
        return Err(payload::silence());
    }
    let mut decoder = Box::new(Decoder::default());
    let mut events = decoder.push(body)?;
    events.extend(decoder.end()?);
    Ok(events)
}

/// Decodes a streamed answer, event by event: an object with the event's type as its only key, as
/// [`eventstream`](crate::eventstream) gives it. Usage and the finish come last, from [`Decoder::end`].
#[derive(Debug, Default)]
pub struct Decoder {
    /// What the block under each index is, and how many there were.
    by_index: HashMap<u64, Block>,
    blocks: usize,
    /// The index that the last event gave.
    index: u64,
    calls: Vec<Call>,
    /// The thought that is not over yet, and its index.
    thought: Option<(u64, Thought)>,
    halves: Halves,
    usage: Option<Usage>,
    finish: Option<FinishReason>,
    /// Some of an answer came, even if it was empty.
    spoke: bool,
    /// The message is over.
    stopped: bool,
    /// The metadata came, which is last.
    counted: bool,
    /// The first event that means nothing here.
    stray: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Block {
    Text,
    Thought,
    /// Its place among the calls.
    Call(usize),
    /// Unknown content.
    Foreign,
}

/// A call as far as it has come. Its place in the list is its index in the events.
#[derive(Debug, Default)]
struct Call {
    has_arguments: bool,
    is_over: bool,
}

/// A thought as far as it has come.
#[derive(Debug, Default)]
struct Thought {
    text: String,
    signature: Option<String>,
    /// In Base64, as it came.
    redacted: Vec<String>,
}

impl Decode for Decoder {
    fn push(&mut self, payload: &str) -> Result<Vec<ModelEvent>, ModelError> {
        // Anything after the metadata is not part of the answer.
        let mut done = self.is_done();
        let Some(Payload { value, raw, is_mended }) = payload::next(payload, &mut done, said::error)? else {
            return Ok(Vec::new());
        };
        let mut events = Vec::new();
        self.event(&value, raw, &mut events);
        Bound::Parts.check(self.blocks)?;
        Ok(self.halves.joined(events, is_mended))
    }

    fn block(&self) -> u64 {
        self.index
    }

    fn has_finished(&self) -> bool {
        self.stopped
    }

    fn is_done(&self) -> bool {
        self.stopped && self.counted
    }

    fn end(mut self: Box<Self>) -> Result<Vec<ModelEvent>, ModelError> {
        if !self.spoke {
            let stray = |raw: String| payload::malformed(payload::NO_MESSAGE, &raw);
            return Err(self.stray.map_or_else(payload::silence, stray));
        }
        let mut events = Vec::new();
        // Without its signature it was cut short, and would be refused.
        if self.thought.as_ref().is_some_and(|(_, thought)| thought.is_sealed()) {
            self.seal(&mut events);
        }
        for (at, _) in self.calls.iter().enumerate().filter(|(_, call)| !call.has_arguments) {
            let is_cut = !self.stopped && !self.calls[at].is_over;
            if !is_cut && self.finish != Some(FinishReason::Length) {
                events.push(call_event(at, None, None, "{}".to_owned()));
            }
        }
        events.extend(self.usage.map(ModelEvent::Usage));
        let reason = match self.stopped {
            true => self.finish.unwrap_or(FinishReason::Unsaid),
            false => FinishReason::PerhapsCut,
        };
        events.push(ModelEvent::Finish { reason });
        Ok(events)
    }
}

impl Decoder {
    fn event(&mut self, value: &Value, payload: &str, events: &mut Vec<ModelEvent>) {
        let of = |name: &str| value.get(name).filter(|event| event.is_object());
        if let Some(event) = of("contentBlockDelta") {
            self.delta(event, events);
        } else if let Some(event) = of("contentBlockStart") {
            self.begin(event, events);
        } else if let Some(event) = of("contentBlockStop") {
            self.stop(event, events);
        } else if of("messageStart").is_some() {
            self.spoke = true;
        } else if let Some(event) = of("messageStop") {
            self.spoke = true;
            self.seal(events);
            self.finish = finish_reason(&event["stopReason"]);
            self.stopped = true;
        } else if let Some(event) = of("metadata") {
            self.usage = usage(&event["usage"]).or(self.usage);
            self.counted = true;
        } else if let Some(output) = of("output").filter(|output| output["message"].is_object() && !self.spoke) {
            let written = written::field(payload, "output").and_then(|output| written::field(output, "message"));
            self.message(&output["message"], written.unwrap_or_default(), events);
            self.usage = usage(&value["usage"]);
            self.finish = finish_reason(&value["stopReason"]);
            self.stopped = self.finish.is_some();
            self.counted = self.stopped;
        } else {
            self.stray.get_or_insert_with(|| payload.to_owned());
        }
    }

    /// `written`: the message's JSON.
    fn message(&mut self, message: &Value, written: &str, events: &mut Vec<ModelEvent>) {
        self.spoke = true;
        let blocks = message["content"].as_array().map(Vec::as_slice).unwrap_or_default();
        let written = written::field(written, "content").map(written::items).unwrap_or_default();
        for (place, block) in blocks.iter().enumerate() {
            self.blocks += 1;
            say(text(&block["text"]), events);
            // Citations wrap the texts that they are for.
            let cited = block["citationsContent"]["content"].as_array().into_iter().flatten();
            cited.for_each(|part| say(text(&part["text"]), events));
            if let Some(call) = block.get("toolUse") {
                let written = written.get(place).and_then(|block| written::field(block, "toolUse"));
                let input = written.and_then(|call| written::field(call, "input")).map(str::to_owned);
                let input = input.unwrap_or_else(|| payload::arguments(&call["input"]));
                self.call(call, if input == "null" { String::new() } else { input }, events);
            }
            let thought = &block["reasoningContent"];
            if thought.is_object() {
                let said = text(&thought["reasoningText"]["text"]);
                if !said.is_empty() {
                    events.push(ModelEvent::Reasoning { delta: said.to_owned() });
                }
                events.push(ModelEvent::Sealed { block: json!({"reasoningContent": thought}) });
            }
        }
    }

    fn begin(&mut self, event: &Value, events: &mut Vec<ModelEvent>) {
        self.spoke = true;
        self.seal(events);
        let place = self.place(event);
        let kind = match &event["start"] {
            start if start["toolUse"].is_object() => Block::Call(self.call(&start["toolUse"], String::new(), events)),
            Value::Object(start) if start.is_empty() => Block::Text,
            Value::Null => Block::Text,
            _ => Block::Foreign,
        };
        self.open(place, kind);
    }

    fn call(&mut self, call: &Value, arguments: String, events: &mut Vec<ModelEvent>) -> usize {
        let known = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        let at = self.calls.len();
        self.calls.push(Call { has_arguments: !arguments.is_empty(), is_over: false });
        events.push(call_event(at, known(text(&call["toolUseId"])), known(text(&call["name"])), arguments));
        at
    }

    /// Texts and thoughts begin with their first delta.
    fn delta(&mut self, event: &Value, events: &mut Vec<ModelEvent>) {
        self.spoke = true;
        let (place, delta) = (self.place(event), &event["delta"]);
        let kind = self.by_index.get(&place).copied();
        let thought = &delta["reasoningContent"];
        if thought.is_object() {
            self.think(place, thought, events);
        } else if let Some(said) = delta["text"].as_str() {
            if kind != Some(Block::Foreign) {
                self.seal(events);
                self.open(place, Block::Text);
                say(said, events);
            }
        } else if let (Some(Block::Call(at)), input) = (kind, payload::arguments(&delta["toolUse"]["input"]))
            && !input.is_empty()
        {
            self.calls[at].has_arguments = true;
            events.push(call_event(at, None, None, input));
        }
    }

    fn think(&mut self, place: u64, said: &Value, events: &mut Vec<ModelEvent>) {
        if self.thought.as_ref().is_none_or(|(of, _)| *of != place) {
            self.seal(events);
            self.open(place, Block::Thought);
        }
        let (_, thought) = self.thought.get_or_insert_with(|| (place, Thought::default()));
        let delta = text(&said["text"]);
        if !delta.is_empty() {
            thought.text.push_str(delta);
            events.push(ModelEvent::Reasoning { delta: delta.to_owned() });
        }
        if let Some(signature) = said["signature"].as_str() {
            thought.signature.get_or_insert_default().push_str(signature);
        }
        thought.redacted.extend(said["redactedContent"].as_str().map(str::to_owned));
    }

    fn stop(&mut self, event: &Value, events: &mut Vec<ModelEvent>) {
        let place = self.place(event);
        match self.by_index.get(&place) {
            Some(Block::Call(at)) => self.calls[*at].is_over = true,
            Some(Block::Text | Block::Thought) | None => self.seal(events),
            Some(Block::Foreign) => {}
        }
    }

    /// The thought is over, whether the server said so or went on to something else.
    fn seal(&mut self, events: &mut Vec<ModelEvent>) {
        if let Some((_, thought)) = self.thought.take() {
            events.push(ModelEvent::Sealed { block: thought.block() });
        }
    }

    fn open(&mut self, place: u64, kind: Block) {
        if self.by_index.insert(place, kind) != Some(kind) {
            self.blocks += 1;
        }
    }

    /// The index of an event's block.
    fn place(&mut self, event: &Value) -> u64 {
        self.index = event["contentBlockIndex"].as_u64().unwrap_or_default();
        self.index
    }
}

impl Thought {
    fn is_sealed(&self) -> bool {
        self.signature.is_some() || !self.redacted.is_empty()
    }

    /// The block as it would have come in an answer that is not streamed.
    fn block(self) -> Value {
        if !self.redacted.is_empty() {
            return json!({"reasoningContent": {"redactedContent": joined(self.redacted)}});
        }
        let mut said = Map::from_iter([("text".to_owned(), halves::whole(&self.text).into())]);
        said.extend(self.signature.map(|signature| ("signature".to_owned(), signature.into())));
        json!({"reasoningContent": {"reasoningText": said}})
    }
}

/// Joins pieces in Base64; anything else is left as it came.
fn joined(pieces: Vec<String>) -> String {
    if let [piece] = &pieces[..] {
        return piece.clone();
    }
    let bytes: Result<Vec<Vec<u8>>, _> = pieces.iter().map(base64::decode).collect();
    bytes.map_or_else(|_| pieces.concat(), |bytes| base64::encode(bytes.concat()))
}

/// Bedrock counts input next to that of its cache.
fn usage(usage: &Value) -> Option<Usage> {
    let keys = ["inputTokens", "outputTokens", "cacheReadInputTokens", "cacheWriteInputTokens"];
    let counts = keys.map(|key| count(&usage[key]));
    counts.iter().any(Option::is_some).then(|| {
        let [input, output, cached, cache_written] = counts.map(Option::unwrap_or_default);
        Usage { input: input.saturating_add(cached).saturating_add(cache_written), output, cached, cache_written }
    })
}

fn say(delta: &str, events: &mut Vec<ModelEvent>) {
    if !delta.is_empty() {
        events.push(ModelEvent::Text { delta: delta.to_owned() });
    }
}

fn call_event(at: usize, id: Option<String>, name: Option<String>, arguments: String) -> ModelEvent {
    ModelEvent::ToolCall { index: u32::try_from(at).unwrap_or(u32::MAX), id, name, arguments }
}

fn finish_reason(reason: &Value) -> Option<FinishReason> {
    let reason = match text(reason) {
        "" => return None,
        "end_turn" | "stop_sequence" => FinishReason::Stop,
        "tool_use" => FinishReason::ToolCalls,
        "max_tokens" | "model_context_window_exceeded" => FinishReason::Length,
        "guardrail_intervened" | "content_filtered" | "refusal" => FinishReason::Filtered,
        other => FinishReason::Other { reason: other.to_owned() },
    };
    Some(reason)
}
