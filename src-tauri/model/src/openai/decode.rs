//! The answer, streamed or whole.

use std::collections::{HashMap, HashSet};

use serde_json::Value;
use wording::Wording;

use super::thoughts::Thought;
use crate::decode::Decode;
use crate::halves::Halves;
use crate::payload::{self, Arguments, Payload, arguments, count, text};
use crate::said;
use crate::{FinishReason, ModelError, ModelEvent, Usage};

/// A whole, unstreamed answer as the events of a stream. `raw` in an error is the whole body.
pub fn decode(body: &str) -> Result<Vec<ModelEvent>, ModelError> {
    if body.trim().is_empty() {
        return Err(payload::silence());
    }
    let mut decoder = Box::new(Decoder::default());
    let mut events = decoder.push(body)?;
    if !decoder.spoke {
        return Err(payload::malformed(Wording::new("there is no choice in it", "其中没有 choice"), body));
    }
    events.extend(decoder.end()?);
    Ok(events)
}

/// Decodes a streamed answer, payload by payload. Usage and the finish come last, from [`Decoder::end`], once each.
#[derive(Debug, Default)]
pub struct Decoder {
    calls: Vec<Call>,
    /// The last call under each index that the server gave, and under each id.
    by_index: HashMap<u64, usize>,
    by_id: HashMap<String, usize>,
    /// Some choice came, even if it was empty.
    spoke: bool,
    /// Calls came as `tool_calls`, so `function_call` next to them says the same again.
    modern: bool,
    /// The model refused to answer. The reason to finish does not say so.
    refused: bool,
    /// The thought that is not over yet.
    thought: Thought,
    halves: Halves,
    usage: Option<Usage>,
    finish: Option<FinishReason>,
    /// A call came after the finish: then that was not the end, and only another or `[DONE]` is.
    late: bool,
    done: bool,
}

/// A call as far as it has come. Its place in the list is its index in the events.
#[derive(Debug, Default)]
struct Call {
    id: String,
    name: String,
    arguments: Arguments,
}

/// Whether a tool call in a payload is whole, or may go on with one that came before.
#[derive(Clone, Copy, PartialEq)]
enum Calls {
    Whole,
    Deltas,
}

impl Decode for Decoder {
    fn push(&mut self, payload: &str) -> Result<Vec<ModelEvent>, ModelError> {
        let Some(Payload { value, raw, is_mended }) = payload::next(payload, &mut self.done, said::error)? else {
            return Ok(Vec::new());
        };
        self.usage = usage(&value["usage"]).or(self.usage);
        let events = match first_choice(&value) {
            Some(choice) => {
                payload::refuse_error(&choice["finish_reason"], choice, raw)?;
                self.choice(choice)?
            }
            None => Vec::new(),
        };
        Ok(self.halves.joined(events, is_mended))
    }

    fn has_finished(&self) -> bool {
        self.done || (self.finish.is_some() && !self.late)
    }

    fn is_done(&self) -> bool {
        self.done
    }

    fn end(mut self: Box<Self>) -> Result<Vec<ModelEvent>, ModelError> {
        if !self.spoke {
            return Err(payload::silence());
        }
        let sealed = self.thought.seal().map(|block| ModelEvent::Sealed { block });
        let said = self.finish.filter(|_| self.done || !self.late);
        let said = match said {
            Some(FinishReason::Stop) if self.refused => Some(FinishReason::Filtered),
            said => said,
        };
        let unsaid = if self.done { FinishReason::Unsaid } else { FinishReason::PerhapsCut };
        let finish = ModelEvent::Finish { reason: said.unwrap_or(unsaid) };
        Ok(sealed.into_iter().chain(self.usage.map(ModelEvent::Usage)).chain([finish]).collect())
    }
}

impl Decoder {
    fn choice(&mut self, choice: &Value) -> Result<Vec<ModelEvent>, ModelError> {
        let mut events = Vec::new();
        // Some servers close a stream with the whole message; after deltas it only repeats them.
        match (&choice["delta"], &choice["message"]) {
            (delta @ Value::Object(_), _) => self.body(delta, Calls::Deltas, &mut events)?,
            (_, message @ Value::Object(_)) if !self.spoke => self.body(message, Calls::Whole, &mut events)?,
            _ => {}
        }
        self.spoke = true;
        let calls = events.iter().any(|event| matches!(event, ModelEvent::ToolCall { .. }));
        match finish_reason(&choice["finish_reason"]) {
            Some(reason) => (self.finish, self.late) = (Some(reason), false),
            None => self.late |= self.finish.is_some() && calls,
        }
        Ok(events)
    }

    fn body(&mut self, body: &Value, calls: Calls, events: &mut Vec<ModelEvent>) -> Result<(), ModelError> {
        let thought = [&body["reasoning_content"], &body["reasoning"]].into_iter().map(text).find(|t| !t.is_empty());
        events.extend(thought.map(|delta| ModelEvent::Reasoning { delta: delta.to_owned() }));
        self.thought.add(body)?;
        self.refused |= [&body["refusal"]]
            .into_iter()
            .chain(body["content"].as_array().into_iter().flatten().map(|part| &part["refusal"]))
            .any(|refusal| !text(refusal).is_empty());
        let before = events.len();
        content(&body["content"], events);
        if events.len() == before {
            content(&body["refusal"], events);
        }

        let mut seen = HashSet::new();
        for call in body["tool_calls"].as_array().into_iter().flatten() {
            self.modern = true;
            self.call(call, &call["function"], calls, &mut seen, events);
        }
        let legacy = &body["function_call"];
        if !self.modern && legacy.is_object() {
            self.call(&Value::Null, legacy, calls, &mut seen, events);
        }
        let goes_on = |event: &ModelEvent| matches!(event, ModelEvent::Text { .. } | ModelEvent::ToolCall { .. });
        if events[before..].iter().any(goes_on)
            && let Some(block) = self.thought.seal()
        {
            events.insert(before, ModelEvent::Sealed { block });
        }
        Ok(())
    }

    /// `seen`: the calls that this payload named already.
    fn call(
        &mut self,
        call: &Value,
        function: &Value,
        calls: Calls,
        seen: &mut HashSet<usize>,
        events: &mut Vec<ModelEvent>,
    ) {
        let index = call["index"].as_u64();
        let (id, name) = (text(&call["id"]), text(&function["name"]));
        let known = match calls {
            Calls::Whole => None,
            Calls::Deltas => self.known(index, id, name).filter(|at| index.is_some() || !seen.contains(at)),
        };
        let at = known.unwrap_or_else(|| {
            self.calls.push(Call::default());
            let at = self.calls.len() - 1;
            index.map(|index| self.by_index.insert(index, at));
            at
        });
        seen.insert(at);

        let open = &mut self.calls[at];
        let learned = |known: &mut String, given: &str| {
            let is_news = known.is_empty() && !given.is_empty();
            is_news.then(|| given.clone_into(known)).map(|()| given.to_owned())
        };
        let id = learned(&mut open.id, id);
        let name = learned(&mut open.name, name);
        if let Some(id) = &id {
            let last = self.by_id.entry(id.clone()).or_insert(at);
            *last = at.max(*last);
        }
        let arguments = arguments(&function["arguments"]);
        open.arguments.push(&arguments);
        if known.is_none() || id.is_some() || name.is_some() || !arguments.is_empty() {
            let index = u32::try_from(at).unwrap_or(u32::MAX);
            events.push(ModelEvent::ToolCall { index, id, name, arguments });
        }
        let extra = &call["extra_content"];
        if !extra.is_null() {
            let index = u32::try_from(at).unwrap_or(u32::MAX);
            events.push(ModelEvent::Extra { index, extra: extra.clone() });
        }
    }

    /// The call that a delta continues. Servers repeat id and name in every delta, leave out the index, give all calls
    /// the same index, or make up a new id for every delta of one call.
    fn known(&mut self, index: Option<u64>, id: &str, name: &str) -> Option<usize> {
        let same_id = self.by_id.get(id).copied();
        let at = match index {
            Some(index) => *self.by_index.get(&index)?,
            None if !id.is_empty() => return same_id,
            None => self.calls.len().checked_sub(1)?,
        };
        let call = &mut self.calls[at];
        let other_id = index.is_none() || (!id.is_empty() && !call.id.is_empty() && id != call.id);
        let begins = other_id && !name.is_empty() && (name != call.name || call.arguments.are_whole());
        if begins { same_id } else { Some(at) }
    }
}

/// Choice 0. All choices without an index mean this one; the first counts.
fn first_choice(value: &Value) -> Option<&Value> {
    value["choices"].as_array()?.iter().find(|choice| choice["index"].as_u64().unwrap_or(0) == 0)
}

/// Text, or a list of parts: `{type: text}`, `{type: thinking}` with a list of its own, `{type: refusal}`.
fn content(value: &Value, events: &mut Vec<ModelEvent>) {
    let parts = match value {
        Value::Array(parts) => parts.as_slice(),
        one => std::slice::from_ref(one),
    };
    for part in parts {
        let thought = match &part["thinking"] {
            Value::Array(thoughts) => thoughts.iter().map(|thought| text(&thought["text"])).collect(),
            thought => text(thought).to_owned(),
        };
        if !thought.is_empty() {
            events.push(ModelEvent::Reasoning { delta: thought });
        }
        let said = [part, &part["text"], &part["refusal"]].into_iter().map(text).find(|said| !said.is_empty());
        events.extend(said.map(|delta| ModelEvent::Text { delta: delta.to_owned() }));
    }
}

fn finish_reason(value: &Value) -> Option<FinishReason> {
    match text(value) {
        "" => None,
        "stop" => Some(FinishReason::Stop),
        "tool_calls" | "function_call" => Some(FinishReason::ToolCalls),
        "length" => Some(FinishReason::Length),
        "content_filter" => Some(FinishReason::Filtered),
        other => Some(FinishReason::Other { reason: other.to_owned() }),
    }
}

fn usage(value: &Value) -> Option<Usage> {
    let (input, output) = (count(&value["prompt_tokens"]), count(&value["completion_tokens"]));
    let cached =
        count(&value["prompt_tokens_details"]["cached_tokens"]).or_else(|| count(&value["prompt_cache_hit_tokens"]));
    input.or(output)?;
    Some(Usage {
        input: input.unwrap_or(0),
        output: output.unwrap_or(0),
        cached: cached.unwrap_or(0),
        cache_written: count(&value["prompt_tokens_details"]["cache_write_tokens"]).unwrap_or(0),
    })
}
