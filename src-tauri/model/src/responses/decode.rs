//! The answer, streamed or whole.

use serde_json::Value;
use wording::Wording;

use super::output::{Extent, ItemKind, ItemPlace, Output, Source};
use crate::decode::Decode;
use crate::halves::Halves;
use crate::payload::{self, Payload, count, text};
use crate::said;
use crate::{Bound, FinishReason, ModelError, ModelEvent, Usage};

/// A whole, unstreamed answer as the events of a stream. `raw` in an error is the whole body.
pub fn decode(body: &str) -> Result<Vec<ModelEvent>, ModelError> {
    let mut decoder = Box::new(Decoder::default());
    let mut events = decoder.push(body)?;
    events.extend(decoder.end()?);
    Ok(events)
}

/// Decodes a streamed answer, payload by payload. Usage and the finish come last, from [`Decoder::end`], once each.
///
/// The protocol says everything several times: in pieces, at the end of each part and of each item, and in the response
/// at the very end. Servers leave some of that out, so all of it is read, and what was said before is not said again.
#[derive(Debug, Default)]
pub struct Decoder {
    output: Output,
    halves: Halves,
    usage: Option<Usage>,
    finish: Option<FinishReason>,
    /// Some of an answer came, even if it was empty.
    spoke: bool,
    /// The first payload that is none of this protocol's.
    stray: Option<String>,
    /// The model refused to answer. The status does not say so.
    refused: bool,
    done: bool,
    /// See [`Decode::block`].
    block: u64,
}

impl Decode for Decoder {
    fn push(&mut self, payload: &str) -> Result<Vec<ModelEvent>, ModelError> {
        let Some(Payload { value, raw, is_mended }) = payload::next(payload, &mut self.done, error)? else {
            return Ok(Vec::new());
        };
        let part = [&value["content_index"], &value["summary_index"]].into_iter().find_map(Value::as_u64);
        self.block = (value["output_index"].as_u64().unwrap_or_default() << 32) ^ part.unwrap_or_default();
        let events = self.event(&value);
        Bound::Parts.check(self.output.items())?;
        if !self.spoke && !text(&value["type"]).starts_with("response.") {
            self.stray.get_or_insert_with(|| raw.to_owned());
        }
        Ok(self.halves.joined(events, is_mended))
    }

    fn block(&self) -> u64 {
        self.block
    }

    fn has_finished(&self) -> bool {
        self.done
    }

    fn is_done(&self) -> bool {
        self.done
    }

    fn end(self: Box<Self>) -> Result<Vec<ModelEvent>, ModelError> {
        match self.stray {
            _ if self.spoke => {}
            Some(raw) => {
                return Err(payload::malformed(Wording::new("there is no output in it", "其中没有输出"), &raw));
            }
            None => return Err(payload::silence()),
        }
        let unsaid = if self.done { FinishReason::Unsaid } else { FinishReason::PerhapsCut };
        let finish = ModelEvent::Finish { reason: self.finish.unwrap_or(unsaid) };
        Ok(self.usage.map(ModelEvent::Usage).into_iter().chain([finish]).collect())
    }
}

impl Decoder {
    fn event(&mut self, value: &Value) -> Vec<ModelEvent> {
        let name = text(&value["type"]);
        let (kind, source, extent, said) = match name {
            "response.output_text.delta" => (ItemKind::Message, Source::Content, Extent::Piece, "delta"),
            "response.output_text.done" => (ItemKind::Message, Source::Content, Extent::Whole, "text"),
            "response.refusal.delta" => (ItemKind::Message, Source::Content, Extent::Piece, "delta"),
            "response.refusal.done" => (ItemKind::Message, Source::Content, Extent::Whole, "refusal"),
            "response.reasoning_text.delta" => (ItemKind::Reasoning, Source::Content, Extent::Piece, "delta"),
            "response.reasoning_text.done" => (ItemKind::Reasoning, Source::Content, Extent::Whole, "text"),
            "response.reasoning_summary_text.delta" => (ItemKind::Reasoning, Source::Summary, Extent::Piece, "delta"),
            "response.reasoning_summary_text.done" => (ItemKind::Reasoning, Source::Summary, Extent::Whole, "text"),
            "response.function_call_arguments.delta" => (ItemKind::Call, Source::Arguments, Extent::Piece, "delta"),
            "response.function_call_arguments.done" => (ItemKind::Call, Source::Arguments, Extent::Whole, "arguments"),
            _ => return self.milestone(name, value),
        };
        self.spoke = true;
        self.refused |= name.starts_with("response.refusal.");
        self.output.part(kind, source, extent, value, &value[said])
    }

    /// An event about a whole item or about the response.
    fn milestone(&mut self, name: &str, value: &Value) -> Vec<ModelEvent> {
        let item = &value["item"];
        if let (Some(kind), "response.output_item.added" | "response.output_item.done") = (ItemKind::of(item), name) {
            self.spoke = true;
            let place = ItemPlace::of(value);
            return match name {
                "response.output_item.added" => self.output.begin(kind, place, item),
                _ => self.output.end(kind, place, item),
            };
        }
        let response = if value["response"].is_object() { &value["response"] } else { value };
        self.usage = usage(&response["usage"]).or(self.usage);
        let is_last = matches!(name, "response.completed" | "response.incomplete" | "response.cancelled");
        if !is_last && (!name.is_empty() || !response["output"].is_array()) {
            return Vec::new();
        }
        let events = self.output.recapitulate(list(&response["output"]));
        self.spoke = true;
        let parts = list(&response["output"]).iter().flat_map(|item| list(&item["content"]));
        self.refused |= parts.into_iter().any(|part| part["type"] == "refusal");
        self.finish = match finish_reason(response, name, self.output.has_calls()) {
            Some(FinishReason::Stop) if self.refused => Some(FinishReason::Filtered),
            reason => reason,
        };
        // A whole body of a response that still goes on is not all of the answer.
        self.done = is_last || self.finish.is_some();
        events
    }
}

/// What went wrong, if the payload reports an error.
fn error(value: &Value) -> Option<String> {
    let said = || said::error(value).or_else(|| said::error(&value["response"]));
    let sentence = |value: &Value| value.as_str().filter(|text| !text.is_empty()).map(str::to_owned);
    match text(&value["type"]) {
        "error" | "response.error" => {
            let flat = || sentence(&value["message"]).or_else(|| sentence(&value["code"]));
            said().or_else(flat).or_else(|| Some(value.to_string()))
        }
        "response.failed" => said().or_else(|| Some("the response failed".to_owned())),
        _ if value["status"] == "failed" || value["response"]["status"] == "failed" => {
            said().or_else(|| Some("the response failed".to_owned()))
        }
        _ => said(),
    }
}

/// `name`: the event that the response came with. It counts if the response itself does not say.
fn finish_reason(response: &Value, name: &str, has_calls: bool) -> Option<FinishReason> {
    let status = match (text(&response["status"]), name.strip_prefix("response.")) {
        ("" | "in_progress" | "queued", Some(name)) => name,
        (status, _) => status,
    };
    match (status, text(&response["incomplete_details"]["reason"])) {
        ("" | "in_progress" | "queued", _) => None,
        ("completed", _) if has_calls => Some(FinishReason::ToolCalls),
        ("completed", _) => Some(FinishReason::Stop),
        ("incomplete", "max_output_tokens" | "max_tokens" | "length") => Some(FinishReason::Length),
        ("incomplete", "content_filter") => Some(FinishReason::Filtered),
        ("incomplete", reason) if !reason.is_empty() => Some(FinishReason::Other { reason: reason.to_owned() }),
        (status, _) => Some(FinishReason::Other { reason: status.to_owned() }),
    }
}

fn usage(value: &Value) -> Option<Usage> {
    let (input, output) = (count(&value["input_tokens"]), count(&value["output_tokens"]));
    input.or(output)?;
    let details = &value["input_tokens_details"];
    Some(Usage {
        input: input.unwrap_or(0),
        output: output.unwrap_or(0),
        cached: count(&details["cached_tokens"]).unwrap_or(0),
        cache_written: count(&details["cache_write_tokens"]).unwrap_or(0),
    })
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}
