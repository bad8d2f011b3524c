//! A recorded request body, read for display. Unreadable parts are left out: users can look at the body itself. Each
//! message of the conversation is one message here too, in its order, whatever the protocol makes of it.

mod anthropic;
mod bedrock;
mod chat;
mod responses;
#[cfg(test)]
mod round_trip;

use serde_json::Value;

use model::image::ImageKind;
use model::protocol::Protocol;
use model::{Document, Image, Role, ToolCall, payload};

/// What a body shows the model.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Shown {
    pub tools: Vec<ShownTool>,
    pub messages: Vec<ShownMessage>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownTool {
    pub name: String,
    /// Indented.
    pub json: String,
    pub cache_point: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownMessage {
    pub role: Role,
    pub text: String,
    /// Those that the body holds; of others, the address is in the text.
    pub images: Vec<Image>,
    /// The same of files.
    pub documents: Vec<Document>,
    pub calls: Vec<ToolCall>,
    pub call_id: Option<String>,
    /// Something in it is marked as the end of what may be cached.
    pub cache_point: bool,
}

/// The body of any protocol, recognised by its shape: imported runs do not say which protocol it is.
pub fn read(body: &str) -> Shown {
    let Ok(value) = serde_json::from_str::<Value>(body) else { return Shown::default() };
    let messages = match recognised(&value) {
        Protocol::OpenAi => chat::messages(&value),
        Protocol::OpenAiResponses => responses::messages(&value),
        Protocol::Anthropic => anthropic::messages(&value, body),
        Protocol::Bedrock => bedrock::messages(&value, body),
    };
    let of_items: Vec<ShownTool> = responses::tools(&value).map(tool).collect();
    let of_bedrock = bedrock::tools(&value).map(|(defined, cache_point)| ShownTool { cache_point, ..tool(defined) });
    Shown { tools: items(&value["tools"]).map(tool).chain(of_items).chain(of_bedrock).collect(), messages }
}

pub fn is_anthropic(request: &Value) -> bool {
    anthropic::is_shape_of(request)
}

/// The protocol of a body, recognised as in [`read`].
pub fn protocol(body: &str) -> Protocol {
    recognised(&serde_json::from_str::<Value>(body).unwrap_or_default())
}

/// The narrower shapes come first.
fn recognised(body: &Value) -> Protocol {
    if responses::is_shape_of(body) {
        Protocol::OpenAiResponses
    } else if bedrock::is_shape_of(body) {
        Protocol::Bedrock
    } else if anthropic::is_shape_of(body) {
        Protocol::Anthropic
    } else {
        Protocol::OpenAi
    }
}

impl ShownMessage {
    fn said(role: Role, text: String) -> Self {
        Self {
            role,
            text,
            images: Vec::new(),
            documents: Vec::new(),
            calls: Vec::new(),
            call_id: None,
            cache_point: false,
        }
    }

    /// Whether both say the same to a step: a cache point that moves on leaves the message as it was.
    pub fn says_the_same(&self, other: &Self) -> bool {
        self.role == other.role
            && self.text == other.text
            && self.images == other.images
            && self.has_documents_of(other)
            && self.calls == other.calls
            && self.call_id == other.call_id
    }

    /// Whether both have the same files.
    pub fn has_documents_of(&self, other: &Self) -> bool {
        self.files() == other.files()
    }

    /// The contents of its files.
    fn files(&self) -> Vec<&str> {
        self.documents.iter().map(|document| document.data.as_str()).collect()
    }

    /// What a content says, and the pictures and files in it.
    fn of(role: Role, content: &Value) -> Self {
        Self { images: images(content), documents: documents(content), ..Self::said(role, text(content)) }
    }

    /// A block that is after others.
    fn add(&mut self, block: &Value) {
        self.images.extend(image(block));
        self.documents.extend(document(block));
    }

    fn result(call_id: &Value, content: &Value) -> Self {
        Self { call_id: call_id.as_str().map(String::from), ..Self::of(Role::Tool, content) }
    }
}

/// Anthropic's mark on a block or a tool.
fn is_cache_point(block: &Value) -> bool {
    block.get("cache_control").is_some_and(Value::is_object)
}

fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn tool(value: &Value) -> ShownTool {
    let name = value["function"]["name"].as_str().or(value["name"].as_str()).unwrap_or_default();
    ShownTool { name: name.into(), json: format!("{value:#}"), cache_point: is_cache_point(value) }
}

fn role(value: &Value) -> Role {
    match value["role"].as_str() {
        Some("system" | "developer") => Role::System,
        Some("assistant") => Role::Assistant,
        Some("tool" | "function") => Role::Tool,
        Some(_) | None => Role::User,
    }
}

/// A string, or a list of parts of which some have text.
fn text(content: &Value) -> String {
    match content {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().map(part).collect(),
        other @ (Value::Bool(_) | Value::Number(_) | Value::Object(_)) => other.to_string(),
    }
}

fn part(part: &Value) -> String {
    match part["text"].as_str() {
        Some(text) => text.to_owned(),
        None if is_medium(part) => String::new(),
        None => part.to_string(),
    }
}

/// The pictures among parts.
fn images(content: &Value) -> Vec<Image> {
    items(content).filter_map(image).collect()
}

/// A picture as one of the protocols writes it: `image_url` of chat completions, `input_image` of Responses, `image` of
/// Anthropic and of Bedrock.
fn image(part: &Value) -> Option<Image> {
    let of_base64 = |media_type: &str, data: &Value| {
        Some(Image { media_type: ImageKind::of_media_type(media_type)?, data: data.as_str()?.to_owned() })
    };
    match part["type"].as_str() {
        Some("image_url") => Image::of_data_url(part["image_url"]["url"].as_str()?),
        Some("input_image") => Image::of_data_url(part["image_url"].as_str()?),
        Some("image") => of_base64(part["source"]["media_type"].as_str()?, &part["source"]["data"]),
        Some(_) => None,
        None => {
            let format = part["image"]["format"].as_str()?;
            of_base64(&format!("image/{format}"), &part["image"]["source"]["bytes"])
        }
    }
}

/// The files among parts.
fn documents(content: &Value) -> Vec<Document> {
    items(content).filter_map(document).collect()
}

/// A file as one of the protocols writes it: `file` of chat completions, `input_file` of Responses, `document` of Anthropic
/// and of Bedrock.
pub fn document(part: &Value) -> Option<Document> {
    let source = &part["source"];
    match part["type"].as_str() {
        Some("file") => {
            let file = &part["file"];
            Document::of_data_url(file["filename"].as_str().unwrap_or_default(), file["file_data"].as_str()?)
        }
        Some("input_file") => {
            let name = part["filename"].as_str().unwrap_or_default();
            Some(Document::of_data_url(name, part["file_data"].as_str()?)?.without_ending())
        }
        Some("document") => {
            let (name, data) = (part["title"].as_str().unwrap_or_default(), source["data"].as_str()?);
            match source["type"].as_str()? {
                "text" => Some(Document::of(name, "txt", data.as_bytes())),
                "base64" => Document::of_base64(name, source["media_type"].as_str()?, data),
                _ => None,
            }
        }
        Some(_) => None,
        None => {
            let said = part.get("document")?;
            let format = said["format"].as_str().unwrap_or_default().to_owned();
            let bytes = said["source"]["bytes"].as_str()?;
            let name = said["name"].as_str().unwrap_or_default();
            Some(Document { format, ..Document::of_base64(name, "", bytes)? })
        }
    }
}

/// A picture or a file.
fn is_medium(part: &Value) -> bool {
    image(part).is_some() || document(part).is_some()
}

fn call(id: &Value, name: &Value, arguments: &Value) -> ToolCall {
    ToolCall::new(payload::text(id), payload::text(name), payload::arguments(arguments))
}

#[cfg(test)]
mod tests {
    use super::*;

    pub fn message(role: Role, text: &str) -> ShownMessage {
        ShownMessage::said(role, text.into())
    }

    pub fn result(id: &str, text: &str) -> ShownMessage {
        ShownMessage { call_id: Some(id.into()), ..message(Role::Tool, text) }
    }

    pub fn call(id: &str, name: &str, arguments: &str) -> ToolCall {
        ToolCall::new(id, name, arguments)
    }

    #[test]
    fn what_is_no_request_shows_nothing() {
        for body in ["not JSON", "[]", "{}", "{\"messages\": 7, \"tools\": {}}"] {
            assert_eq!(read(body), Shown::default());
        }
    }
}
