//! The answer, streamed or whole.

use std::collections::HashMap;

use serde_json::{Map, Value};

use crate::decode::Decode;
use crate::halves::{self, Halves};
use crate::payload::{self, Arguments, Payload, count, text};
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

/// Decodes a streamed answer, payload by payload. Arguments that came with the beginning of a call, usage and the finish
/// come last, from [`Decoder::end`].
#[derive(Debug, Default)]
pub struct Decoder {
    /// The last block under each index that the server gave, the last one of all, and how many there were.
    by_index: HashMap<u64, Block>,
    last: Option<Block>,
    blocks: usize,
    /// The index that the last payload gave.
    index: u64,
    calls: Vec<Call>,
    /// The last call under each id.
    by_id: HashMap<String, usize>,
    /// The thought that is not over yet.
    thought: Option<Thought>,
    halves: Halves,
    counts: Counts,
    finish: Option<FinishReason>,
    /// A call came after the finish: then that was not the end, and only another or the message's end is.
    late: bool,
    /// Some of an answer came, even if it was empty.
    spoke: bool,
    /// The first payload that means nothing here.
    stray: Option<String>,
    done: bool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Block {
    Text,
    Thought,
    /// Its place among the calls.
    Call(usize),
    /// Content of tools that the server ran itself, and unknown content.
    Foreign,
}

/// A call as far as it has come. Its place in the list is its index in the events.
#[derive(Debug, Default)]
struct Call {
    arguments: Arguments,
    /// The arguments that came with its beginning. They count if none come in pieces.
    given: String,
    is_over: bool,
}

/// A thought as far as it has come.
#[derive(Debug, Default)]
struct Thought {
    /// As it began.
    block: Map<String, Value>,
    text: String,
    signature: String,
}

/// Whether a block is complete, or the beginning of one.
#[derive(Clone, Copy, PartialEq)]
enum Extent {
    Whole,
    Beginning,
}

/// Tokens, as far as the server has reported them.
#[derive(Debug, Default)]
struct Counts {
    /// Without those of the cache.
    input: Option<u32>,
    output: Option<u32>,
    cached: Option<u32>,
    cache_written: Option<u32>,
}

impl Decode for Decoder {
    fn push(&mut self, payload: &str) -> Result<Vec<ModelEvent>, ModelError> {
        let Some(Payload { value, raw, is_mended }) = payload::next(payload, &mut self.done, said::error)? else {
            return Ok(Vec::new());
        };
        let mut events = Vec::new();
        self.index = value["index"].as_u64().unwrap_or_default();
        let reason = &value["delta"]["stop_reason"];
        payload::refuse_error(reason, &value, raw)?;
        payload::refuse_error(&value["stop_reason"], &value, raw)?;
        let had_finished = self.finish.is_some();
        self.event(&value, raw, &mut events);
        let calls = events.iter().any(|event| matches!(event, ModelEvent::ToolCall { .. }));
        self.late = finish_reason(reason).is_none() && (self.late || (had_finished && calls));
        Bound::Parts.check(self.blocks)?;
        Ok(self.halves.joined(events, is_mended))
    }

    fn block(&self) -> u64 {
        self.index
    }

    fn has_finished(&self) -> bool {
        self.done || (self.finish.is_some() && !self.late)
    }

    fn is_done(&self) -> bool {
        self.done
    }

    fn end(mut self: Box<Self>) -> Result<Vec<ModelEvent>, ModelError> {
        if !self.spoke {
            let stray = |raw: String| payload::malformed(payload::NO_MESSAGE, &raw);
            return Err(self.stray.map_or_else(payload::silence, stray));
        }
        let mut events = Vec::new();
        // Without its signature it was cut short, and would be refused.
        if self.thought.as_ref().is_some_and(|thought| !thought.signature.is_empty()) {
            self.seal(&mut events);
        }
        for (index, call) in (0..).zip(&self.calls).filter(|(_, call)| call.arguments.is_empty()) {
            let arguments = match call.given.as_str() {
                "" if self.finish == Some(FinishReason::Length) => continue,
                "" if !call.is_over && self.finish.is_none() => continue,
                "" => "{}".to_owned(),
                given => halves::whole(given),
            };
            events.push(ModelEvent::ToolCall { index, id: None, name: None, arguments });
        }
        events.extend(self.counts.usage().map(ModelEvent::Usage));
        let unsaid = if self.done { FinishReason::Unsaid } else { FinishReason::PerhapsCut };
        // The reason alone is not the end: more may have been lost.
        let said = self.finish.filter(|_| self.done);
        events.push(ModelEvent::Finish { reason: said.unwrap_or(unsaid) });
        Ok(events)
    }
}

impl Decoder {
    fn event(&mut self, value: &Value, payload: &str, events: &mut Vec<ModelEvent>) {
        match text(&value["type"]) {
            "message_start" => {
                let written = written::field(payload, "message").unwrap_or_default();
                self.message(&value["message"], written, events);
            }
            "content_block_start" => {
                let written = written::field(payload, "content_block").unwrap_or_default();
                self.begin(&value["index"], &value["content_block"], written, Extent::Beginning, events);
            }
            "content_block_delta" => self.delta(&value["index"], &value["delta"], events),
            "content_block_stop" => self.stop(&value["index"], events),
            "message_delta" => {
                self.spoke = true;
                self.counts.take(&value["usage"]);
                if let Some(reason) = finish_reason(&value["delta"]["stop_reason"]) {
                    self.finish = Some(reason);
                    self.seal(events);
                }
            }
            "message_stop" => {
                self.seal(events);
                self.done = true;
            }
            // Some servers close a stream with the whole message; it only repeats what came.
            "message" if self.spoke => {}
            "message" | "" if !value["content"].is_null() && !self.spoke => {
                self.message(value, payload, events);
                self.done = self.finish.is_some();
            }
            "ping" => {}
            _ => {
                self.stray.get_or_insert_with(|| payload.to_owned());
            }
        }
    }

    /// A whole message, or one that begins. `written`: its JSON, and so below.
    fn message(&mut self, message: &Value, written: &str, events: &mut Vec<ModelEvent>) {
        self.spoke = true;
        self.counts.take(&message["usage"]);
        self.finish = finish_reason(&message["stop_reason"]).or_else(|| self.finish.take());
        say(text(&message["content"]), events);
        let blocks = message["content"].as_array().map(Vec::as_slice).unwrap_or_default();
        let written = written::field(written, "content").map(written::items).unwrap_or_default();
        for (place, block) in blocks.iter().enumerate() {
            let written = written.get(place).copied().unwrap_or_default();
            self.begin(&Value::Null, block, written, Extent::Whole, events);
            self.seal(events);
        }
    }

    fn begin(&mut self, index: &Value, block: &Value, written: &str, extent: Extent, events: &mut Vec<ModelEvent>) {
        self.spoke = true;
        self.seal(events);
        let kind = match text(&block["type"]) {
            "text" | "" => {
                say(text(&block["text"]), events);
                Block::Text
            }
            "thinking" => {
                let thought = Thought { block: block.as_object().cloned().unwrap_or_default(), ..Thought::default() };
                self.thought = Some(thought);
                self.think(&block["thinking"], &block["signature"], events);
                Block::Thought
            }
            "redacted_thinking" => {
                events.push(ModelEvent::Sealed { block: block.clone() });
                Block::Foreign
            }
            "tool_use" => Block::Call(self.call(block, &given(&block["input"], written), extent, events)),
            _ => Block::Foreign,
        };
        self.blocks += 1;
        self.last = Some(kind);
        self.by_index.extend(index.as_u64().map(|index| (index, kind)));
    }

    /// The place of the call that begins. LiteLLM begins one again for every piece of its arguments.
    fn call(&mut self, block: &Value, given: &str, extent: Extent, events: &mut Vec<ModelEvent>) -> usize {
        let (id, name) = (text(&block["id"]), text(&block["name"]));
        let last = if id.is_empty() { self.calls.len().checked_sub(1) } else { self.by_id.get(id).copied() };
        let calls = &mut self.calls;
        let goes_on = |at: &usize| {
            let call = &mut calls[*at];
            let is_same = !id.is_empty() || name.is_empty();
            is_same && call.given.is_empty() && !call.arguments.are_whole()
        };
        let known = last.filter(|_| extent == Extent::Beginning).filter(goes_on);
        let at = known.unwrap_or_else(|| {
            let known = |text: &str| (!text.is_empty()).then(|| text.to_owned());
            let arguments = match extent {
                Extent::Whole if given.is_empty() => "{}",
                Extent::Whole => given,
                Extent::Beginning => "",
            };
            let at = self.calls.len();
            self.by_id.insert(id.to_owned(), at);
            self.calls.push(Call { arguments: arguments.to_owned().into(), ..Call::default() });
            events.push(call_event(at, known(id), known(name), arguments.to_owned()));
            at
        });
        if extent == Extent::Beginning {
            given.clone_into(&mut self.calls[at].given);
        }
        at
    }

    /// Types of deltas and of blocks are not compared: some servers give deltas of a type that their block is not of.
    fn delta(&mut self, index: &Value, delta: &Value, events: &mut Vec<ModelEvent>) {
        self.spoke = true;
        let kind = self.kind(index);
        if kind == Some(Block::Foreign) {
            return;
        }
        say(text(&delta["text"]), events);
        if self.thought.is_some() || !text(&delta["thinking"]).is_empty() {
            self.think(&delta["thinking"], &delta["signature"], events);
        }
        let arguments = given(&delta["partial_json"], "");
        if arguments.is_empty() {
            return;
        }
        let at = match kind {
            Some(Block::Call(at)) => at,
            Some(Block::Text | Block::Thought | Block::Foreign) | None => {
                if self.calls.is_empty() {
                    self.calls.push(Call::default());
                }
                self.calls.len() - 1
            }
        };
        let call = &mut self.calls[at];
        call.given.clear();
        call.arguments.push(&arguments);
        events.push(call_event(at, None, None, arguments));
    }

    fn think(&mut self, thinking: &Value, signature: &Value, events: &mut Vec<ModelEvent>) {
        let thought = self.thought.get_or_insert_default();
        let delta = text(thinking);
        if !delta.is_empty() {
            thought.text.push_str(delta);
            events.push(ModelEvent::Reasoning { delta: delta.to_owned() });
        }
        // As Anthropic's own clients do: a signature that comes again replaces the one before.
        if let Some(signature) = signature.as_str() {
            signature.clone_into(&mut thought.signature);
        }
    }

    fn stop(&mut self, index: &Value, events: &mut Vec<ModelEvent>) {
        match self.kind(index) {
            Some(Block::Call(at)) => self.calls[at].is_over = true,
            Some(Block::Text | Block::Thought) | None => self.seal(events),
            Some(Block::Foreign) => {}
        }
    }

    /// The thought is over, whether the server said so or went on to something else.
    fn seal(&mut self, events: &mut Vec<ModelEvent>) {
        let Some(Thought { mut block, text, signature }) = self.thought.take() else { return };
        block.entry("type").or_insert_with(|| "thinking".into());
        block.insert("thinking".into(), halves::whole(&text).into());
        if block.contains_key("signature") || !signature.is_empty() {
            block.insert("signature".into(), signature.into());
        }
        events.push(ModelEvent::Sealed { block: block.into() });
    }

    /// What the last block with this index is; if the server gives none, the last block.
    fn kind(&self, index: &Value) -> Option<Block> {
        index.as_u64().and_then(|index| self.by_index.get(&index).copied()).or(self.last)
    }
}

impl Counts {
    /// Later counts are better, but a server that tells nothing of a kind may say that it is none.
    fn take(&mut self, usage: &Value) {
        for (known, key) in [
            (&mut self.input, "input_tokens"),
            (&mut self.output, "output_tokens"),
            (&mut self.cached, "cache_read_input_tokens"),
            (&mut self.cache_written, "cache_creation_input_tokens"),
        ] {
            *known = count(&usage[key]).filter(|count| *count > 0 || known.is_none()).or(*known);
        }
    }

    fn usage(&self) -> Option<Usage> {
        let Self { input, output, cached, cache_written } = *self;
        let told = input.or(output).or(cached).or(cache_written);
        let (cached, cache_written) = (cached.unwrap_or(0), cache_written.unwrap_or(0));
        told.map(|_| Usage {
            input: input.unwrap_or(0).saturating_add(cached).saturating_add(cache_written),
            output: output.unwrap_or(0),
            cached,
            cache_written,
        })
    }
}

/// The arguments of a call, as the server wrote them if that is known. An empty object counts as none: calls begin with
/// one.
fn given(input: &Value, written: &str) -> String {
    match input {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Object(fields) if fields.is_empty() => String::new(),
        other => written::field(written, "input").map_or_else(|| other.to_string(), str::to_owned),
    }
}

fn say(delta: &str, events: &mut Vec<ModelEvent>) {
    if !delta.is_empty() {
        events.push(ModelEvent::Text { delta: delta.to_owned() });
    }
}

fn call_event(at: usize, id: Option<String>, name: Option<String>, arguments: String) -> ModelEvent {
    ModelEvent::ToolCall { index: u32::try_from(at).unwrap_or(u32::MAX), id, name, arguments }
}

fn finish_reason(value: &Value) -> Option<FinishReason> {
    match text(value) {
        "" => None,
        "end_turn" | "stop_sequence" => Some(FinishReason::Stop),
        "tool_use" => Some(FinishReason::ToolCalls),
        "max_tokens" | "model_context_window_exceeded" => Some(FinishReason::Length),
        "refusal" => Some(FinishReason::Filtered),
        "pause_turn" => Some(FinishReason::Paused),
        other => Some(FinishReason::Other { reason: other.to_owned() }),
    }
}
