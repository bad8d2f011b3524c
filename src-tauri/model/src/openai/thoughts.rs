//! The parts of the model's thoughts in a message that its provider wants back: `reasoning_content` (DeepSeek, Kimi) or
//! `reasoning_details` (OpenRouter), as fields of the message in one block. Reasoning under other names is for the
//! reader only.

use serde_json::{Value, json};

use crate::halves::whole_block;
use crate::payload::text;
use crate::{Bound, Message, ModelError, Part};

const CONTENT: &str = "reasoning_content";
const DETAILS: &str = "reasoning_details";

/// A thought as far as it has come.
#[derive(Debug, Default)]
pub struct Thought {
    content: String,
    details: Vec<Value>,
}

impl Thought {
    /// What a delta, or a message, adds.
    pub fn add(&mut self, body: &Value) -> Result<(), ModelError> {
        self.content.push_str(text(&body[CONTENT]));
        body[DETAILS].as_array().into_iter().flatten().for_each(|detail| add(&mut self.details, detail));
        Bound::Parts.check(self.details.len())
    }

    /// The block of a thought that is over. Details say what the content says, and more.
    pub fn seal(&mut self) -> Option<Value> {
        let Self { content, details } = std::mem::take(self);
        match (content.is_empty(), details.is_empty()) {
            (_, false) => Some(whole_block(json!({DETAILS: details}))),
            (false, true) => Some(whole_block(json!({CONTENT: content}))),
            (true, true) => None,
        }
    }
}

/// The `reasoning_content` of all thoughts of a message.
pub fn content(message: &Message) -> Option<String> {
    let said: String = blocks(message).map(|block| text(&block[CONTENT])).collect();
    Some(said).filter(|said| !said.is_empty())
}

/// The `reasoning_details` of all thoughts of a message.
pub fn details(message: &Message) -> Vec<Value> {
    let mut details = Vec::new();
    let all = blocks(message).filter_map(|block| block[DETAILS].as_array()).flatten();
    all.for_each(|detail| add(&mut details, detail));
    details
}

/// Those of chat completions: other protocols' blocks say their type.
fn blocks(message: &Message) -> impl Iterator<Item = &Value> {
    message.parts.iter().filter_map(|part| match part {
        Part::Reasoning { block, .. } => block.as_ref().filter(|block| block.get("type").is_none()),
        Part::Text { .. }
        | Part::ToolCall(_)
        | Part::ToolResult(_)
        | Part::Image(_)
        | Part::Document(_)
        | Part::CachePoint => None,
    })
}

/// A new detail, or a piece that continues the last one: it has the same type and index, and the last one is not signed
/// yet.
fn add(details: &mut Vec<Value>, detail: &Value) {
    let Some(field) =
        ["text", "summary"].into_iter().find(|field| detail[field].is_string()).or_else(|| signed(detail))
    else {
        // Encrypted ones stay as they are; others that hold nothing say nothing.
        if detail.is_object() {
            details.push(detail.clone());
        }
        return;
    };
    let said = text(&detail[field]);
    let goes_on = |last: &&mut Value| {
        let same = ["type", "index"].iter().all(|name| last[name] == detail[name]);
        same && (said.is_empty() || text(&last["signature"]).is_empty())
    };
    match (details.last_mut().filter(goes_on), detail) {
        (Some(Value::Object(last)), Value::Object(piece)) => {
            for (name, value) in piece {
                let known = last.entry(name.clone()).or_insert(Value::Null);
                match (known, value) {
                    (Value::String(known), Value::String(more)) if name == field => known.push_str(more),
                    (known @ Value::Null, value) => *known = value.clone(),
                    (known @ Value::String(_), value) if known == "" => *known = value.clone(),
                    _ => {}
                }
            }
        }
        _ if said.is_empty() && text(&detail["signature"]).is_empty() => {}
        _ => details.push(detail.clone()),
    }
}

/// The field of a piece that brings a signature alone.
fn signed(detail: &Value) -> Option<&'static str> {
    (detail["type"] == "reasoning.text" && detail["signature"].is_string()).then_some("text")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn merged(pieces: &[Value]) -> Vec<Value> {
        let mut details = Vec::new();
        pieces.iter().for_each(|piece| add(&mut details, piece));
        details
    }

    #[test]
    fn joins_pieces_of_one_detail_and_keeps_its_signature() {
        let piece =
            |text: &str| json!({"type": "reasoning.text", "text": text, "format": "anthropic-claude-v1", "index": 0});
        let signature =
            json!({"type": "reasoning.text", "signature": "c2lnbmVk", "format": "anthropic-claude-v1", "index": 0});
        let whole = json!({"type": "reasoning.text", "text": "One two", "format": "anthropic-claude-v1", "index": 0,
            "signature": "c2lnbmVk"});
        assert_eq!(merged(&[piece("One"), piece(" two"), signature.clone()]), std::slice::from_ref(&whole));
        assert_eq!(
            merged(&[piece("One"), piece(" two"), signature, piece("Three"), piece("")]),
            [whole, piece("Three")],
            "a signature holds for the text before it"
        );
    }

    #[test]
    fn other_indexes_types_and_encrypted_details_stay_apart() {
        let summary = |index: u32, text: &str| json!({"type": "reasoning.summary", "summary": text, "index": index});
        let encrypted = json!({"type": "reasoning.encrypted", "data": "eA==", "id": "rs_1", "index": 0});
        let pieces = [summary(0, "a"), summary(0, "b"), summary(1, "c"), encrypted.clone(), encrypted.clone()];
        assert_eq!(merged(&pieces), [summary(0, "ab"), summary(1, "c"), encrypted.clone(), encrypted]);
    }

    #[test]
    fn pieces_of_nothing_are_no_details() {
        let nothing = json!({"type": "reasoning.text", "text": "", "signature": null, "index": 0});
        assert_eq!(merged(&[nothing, json!("text"), json!(null)]), Vec::<Value>::new());
    }

    #[test]
    fn merging_again_changes_nothing() {
        let text = |text: &str, index: u32| json!({"type": "reasoning.text", "text": text, "index": index});
        let signed = json!({"type": "reasoning.text", "text": "a", "signature": "s", "index": 0});
        let once = merged(&[text("a", 0), text("b", 0), text("c", 1), signed, text("d", 0)]);
        assert_eq!(merged(&once), once);
    }
}
