//! Values of JSON that other programs wrote, read for what they say.

use serde_json::{Value, json};

use crate::clock::Millis;
use crate::context;
use model::image::ImageKind;
use model::{Document, FinishReason, Image, ToolCall, Usage, payload, tokens};

/// What somebody said: words, pictures and files.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Content {
    pub text: String,
    pub images: Vec<Image>,
    pub documents: Vec<Document>,
}

impl Content {
    /// Nothing was said or shown.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty() && self.images.is_empty() && self.documents.is_empty()
    }

    /// Of text and pictures, about.
    pub fn tokens(&self) -> u32 {
        let media = self.images.iter().map(Image::tokens).chain(self.documents.iter().map(Document::tokens));
        media.fold(tokens::count(&self.text), u32::saturating_add)
    }

    /// As a message of chat completions has it, or an item of Responses.
    pub fn written(&self, is_item: bool) -> Value {
        if self.images.is_empty() && self.documents.is_empty() {
            return Value::from(self.text.as_str());
        }
        let (text, image) = if is_item { ("input_text", "input_image") } else { ("text", "image_url") };
        let said = (!self.text.is_empty()).then(|| json!({ "type": text, "text": self.text }));
        let picture = |picture: &Image| match is_item {
            true => json!({ "type": image, "image_url": picture.data_url() }),
            false => json!({ "type": image, "image_url": { "url": picture.data_url() } }),
        };
        let file = |file: &Document| match is_item {
            true => json!({ "type": "input_file", "filename": file.file_name(), "file_data": file.data_url() }),
            false => json!({ "type": "file", "file": { "filename": file.name, "file_data": file.data_url() } }),
        };
        let media = self.images.iter().map(picture).chain(self.documents.iter().map(file));
        said.into_iter().chain(media).collect()
    }

    /// With a line in the text for each file, for what has no place for them.
    #[must_use]
    pub fn in_words(mut self) -> Self {
        for file in std::mem::take(&mut self.documents) {
            let gap = if self.text.is_empty() { "" } else { "\n" };
            self.text.extend([gap, "[", &file.described(), "]"]);
        }
        self
    }
}

impl From<String> for Content {
    fn from(text: String) -> Self {
        Self { text, ..Self::default() }
    }
}

impl From<&str> for Content {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

/// The words of a value, and the pictures and files in it.
pub fn content(value: &Value) -> Content {
    let parts = match value {
        Value::Array(parts) => parts.as_slice(),
        Value::Object(_) => std::slice::from_ref(value),
        _ => &[],
    };
    let images = parts.iter().filter_map(image).collect();
    Content { text: text(value), images, documents: parts.iter().filter_map(document).collect() }
}

/// A file as a protocol writes it. `None`: it is an address, has the number of one that was uploaded, or is too large.
pub fn document(part: &Value) -> Option<Document> {
    context::document(part).filter(|document| document.size() <= DOCUMENT_BYTES)
}

/// As Anthropic takes them in a request.
const DOCUMENT_BYTES: usize = 32 << 20;

/// A picture as any of the programs writes it. `None`: it is an address, of a kind that is not shown, or too large.
pub fn image(part: &Value) -> Option<Image> {
    let of_url = |url: &Value| Image::of_data_url(url.as_str()?);
    let of_base64 = |kind: &Value, data: &Value| {
        let data = data.as_str()?.to_owned();
        Some(Image { media_type: ImageKind::of_media_type(kind.as_str()?)?, data })
    };
    let kind = |part: &Value| {
        let names = ["media_type", "mediaType", "mime_type", "mimeType"];
        names.iter().map(|name| &part[*name]).find(|kind| kind.is_string()).cloned().unwrap_or_default()
    };
    let found = match part["type"].as_str() {
        Some("image_url" | "input_image" | "computer_screenshot") => {
            of_url(&part["image_url"]).or_else(|| of_url(&part["image_url"]["url"]))
        }
        Some("image") => {
            let source = &part["source"];
            of_base64(&kind(source), &source["data"])
                .or_else(|| of_base64(&kind(part), &part["data"]))
                .or_else(|| of_url(&part["image"]))
                .or_else(|| of_url(&part["image"]["image"]["url"]))
                .or_else(|| of_url(&part["image"]["url"]))
        }
        Some("blob" | "media") => {
            of_base64(&kind(part), &part["content"]).or_else(|| of_base64(&kind(part), &part["data"]))
        }
        // Output of the provider whose kind the item does not say.
        Some("image_generation_call") => {
            let data = part["result"].as_str()?.to_owned();
            Some(Image { media_type: ImageKind::Png, data })
        }
        _ => ["inlineData", "inline_data"].iter().find_map(|name| of_base64(&kind(&part[*name]), &part[*name]["data"])),
    };
    found?.checked().ok()
}

pub fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// A string, or the texts of a list of parts. Other parts are named in brackets.
pub fn text(content: &Value) -> String {
    match content {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().map(part).collect(),
        Value::Object(_) => part(content),
        Value::Bool(_) | Value::Number(_) => content.to_string(),
    }
}

fn part(part: &Value) -> String {
    if let Value::String(text) = part {
        return text.clone();
    }
    if image(part).is_some() || document(part).is_some() {
        return String::new();
    }
    let said = ["text", "thinking", "reasoning", "refusal"].iter().find_map(|key| part[*key].as_str());
    match (said, part["type"].as_str()) {
        (Some(text), _) => text.to_owned(),
        (None, Some(kind)) if is_medium(kind) => format!("[{kind}]"),
        (None, _) => part.to_string(),
    }
}

/// Pictures and sounds are long and say nothing in words.
fn is_medium(kind: &str) -> bool {
    ["image", "audio", "video", "file", "document", "blob"].iter().any(|medium| kind.contains(medium))
}

/// Of RFC 3339.
pub fn time(value: &Value) -> Option<Millis> {
    let text = value.as_str()?;
    let text = text.replacen(' ', "T", 1);
    text.parse::<jiff::Timestamp>().ok().map(jiff::Timestamp::as_millisecond)
}

pub fn call(id: &Value, name: &Value, arguments: &Value) -> ToolCall {
    ToolCall::new(payload::text(id), payload::text(name), payload::arguments(arguments))
}

fn tokens(value: &Value) -> u32 {
    payload::count(value).unwrap_or(0)
}

/// Tokens as a provider counted them, by whichever names. What Anthropic reads from its cache and puts there is not in its
/// `input_tokens`.
pub fn usage(value: &Value) -> Option<Usage> {
    if !value.is_object() {
        return None;
    }
    let has = |key: &str| value.get(key).is_some();
    if has("cache_read_input_tokens") || has("cache_creation_input_tokens") {
        let cached = tokens(&value["cache_read_input_tokens"]);
        let cache_written = tokens(&value["cache_creation_input_tokens"]);
        let input = tokens(&value["input_tokens"]).saturating_add(cached).saturating_add(cache_written);
        return Some(Usage { input, output: tokens(&value["output_tokens"]), cached, cache_written });
    }
    let either = |names: [&str; 2]| names.iter().find_map(|name| payload::count(&value[*name]));
    let (input, output) = (either(["input_tokens", "prompt_tokens"]), either(["output_tokens", "completion_tokens"]));
    if input.is_none() && output.is_none() {
        return None;
    }
    let details =
        ["prompt_tokens_details", "input_tokens_details"].map(|key| payload::count(&value[key]["cached_tokens"]));
    let plain = ["cached_input_tokens", "input_tokens_cache_read"].map(|key| payload::count(&value[key]));
    let cached = details.into_iter().chain(plain).flatten().next().unwrap_or(0);
    Some(Usage { input: input.unwrap_or(0), output: output.unwrap_or(0), cached, cache_written: 0 })
}

pub fn finish(value: &Value) -> Option<FinishReason> {
    Some(match value.as_str()? {
        "stop" | "end_turn" | "stop_sequence" | "completed" => FinishReason::Stop,
        "tool_calls" | "tool_use" | "function_call" | "tool_call" => FinishReason::ToolCalls,
        "length" | "max_tokens" | "model_length" | "max_output_tokens" => FinishReason::Length,
        "content_filter" | "refusal" => FinishReason::Filtered,
        "pause_turn" => FinishReason::Paused,
        other => FinishReason::Other { reason: other.to_owned() },
    })
}
