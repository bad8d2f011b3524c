//! The request body.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::Value;

use crate::objects::{Input, is_blank, schema};
use crate::of_result;
use crate::{Document, Image, Message, ModelRequest, Part, Role, Sampling, ToolCall, ToolChoice, ToolDef, ToolResult};

/// Bedrock refuses more cache points than this.
const CACHE_POINTS: usize = 4;

/// The body of a Converse request, which is that of ConverseStream too. The same input gives the same bytes; text
/// beyond ASCII is written as it is, and so are arguments of calls.
///
/// `defaults` apply to what the request itself does not set.
pub fn encode(request: &ModelRequest, defaults: &Sampling) -> String {
    let mut body = Body {
        messages: Vec::new(),
        system: Vec::new(),
        tool_config: None,
        inference_config: InferenceConfig {
            max_tokens: request.parameters.max_tokens.or(defaults.max_tokens),
            temperature: request.parameters.temperature.or(defaults.temperature),
        },
    };
    let may_call = request.tool_choice != Some(ToolChoice::None);
    let has_calls =
        request.messages.iter().any(|said| said.calls().next().is_some() || said.results().next().is_some());
    if !request.tools.is_empty() && (may_call || has_calls) {
        let mut tools: Vec<Tool> = request.tools.iter().map(Tool::of).collect();
        if request.dialect.cache_tools {
            tools.push(Tool::CachePoint(POINT));
        }
        body.tool_config = Some(ToolConfig { tools, tool_choice: may_call.then_some(Choice::Auto {}) });
    }
    request.messages.iter().for_each(|message| body.add(message));
    body.tidy();
    serde_json::to_string(&body).expect("text, numbers and JSON values can always be written as JSON")
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Body<'a> {
    messages: Vec<WireMessage<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    system: Vec<Block<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_config: Option<ToolConfig<'a>>,
    #[serde(skip_serializing_if = "InferenceConfig::is_empty")]
    inference_config: InferenceConfig,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct InferenceConfig {
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
}

impl InferenceConfig {
    fn is_empty(&self) -> bool {
        self.max_tokens.is_none() && self.temperature.is_none()
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ToolConfig<'a> {
    tools: Vec<Tool<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<Choice>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
enum Tool<'a> {
    #[serde(rename_all = "camelCase")]
    ToolSpec {
        name: &'a str,
        #[serde(skip_serializing_if = "str::is_empty")]
        description: &'a str,
        input_schema: InputSchema<'a>,
    },
    CachePoint(CachePoint),
}

#[derive(Serialize)]
struct InputSchema<'a> {
    json: Cow<'a, Value>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
enum Choice {
    Auto {},
}

#[derive(Serialize)]
struct WireMessage<'a> {
    role: WireRole,
    content: Vec<Block<'a>>,
}

#[derive(Serialize, Clone, Copy, PartialEq)]
#[serde(rename_all = "lowercase")]
enum WireRole {
    User,
    Assistant,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
enum Block<'a> {
    Text(Cow<'a, str>),
    #[serde(rename_all = "camelCase")]
    ToolUse {
        tool_use_id: &'a str,
        name: &'a str,
        input: Input<'a>,
    },
    #[serde(rename_all = "camelCase")]
    ToolResult {
        tool_use_id: &'a str,
        content: Vec<ResultBlock<'a>>,
        status: Status,
    },
    Image(Picture<'a>),
    Document(File<'a>),
    CachePoint(CachePoint),
    /// As the provider sent it.
    #[serde(untagged)]
    Thought(&'a Value),
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
enum ResultBlock<'a> {
    Text(&'a str),
    Image(Picture<'a>),
    Document(File<'a>),
}

#[derive(Serialize)]
struct File<'a> {
    name: &'a str,
    format: &'a str,
    source: PictureSource<'a>,
}

impl<'a> File<'a> {
    /// Bedrock requires a format for each file; without one, it is sent as text.
    fn of(document: &'a Document) -> Self {
        let format = Some(document.format.as_str()).filter(|format| !format.is_empty()).unwrap_or("txt");
        Self { name: &document.name, format, source: PictureSource { bytes: &document.data } }
    }
}

#[derive(Serialize)]
struct Picture<'a> {
    format: &'static str,
    source: PictureSource<'a>,
}

#[derive(Serialize)]
struct PictureSource<'a> {
    bytes: &'a str,
}

impl<'a> Picture<'a> {
    fn of(image: &'a Image) -> Self {
        Self { format: image.media_type.format(), source: PictureSource { bytes: &image.data } }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Status {
    Success,
    Error,
}

#[derive(Serialize, Clone, Copy)]
struct CachePoint {
    r#type: &'static str,
}

const POINT: CachePoint = CachePoint { r#type: "default" };

impl<'a> Body<'a> {
    fn add(&mut self, message: &'a Message) {
        match message.role {
            Role::System if self.messages.is_empty() => self.add_to_system(message),
            Role::System | Role::User => self.add_said(WireRole::User, message),
            Role::Assistant => self.add_said(WireRole::Assistant, message),
            Role::Tool => self.add_results(message),
        }
    }

    fn add_to_system(&mut self, message: &'a Message) {
        for part in &message.parts {
            match part {
                Part::Text { text } if !is_blank(text) => self.system.push(Block::Text(text.into())),
                Part::CachePoint => self.put_cache_point(),
                Part::Text { .. }
                | Part::Reasoning { .. }
                | Part::ToolCall(_)
                | Part::ToolResult(_)
                | Part::Image(_)
                | Part::Document(_) => {}
            }
        }
    }

    fn add_said(&mut self, role: WireRole, message: &'a Message) {
        if self.messages.last().is_none_or(|last| last.role != role) {
            self.messages.push(WireMessage { role, content: Vec::new() });
        }
        let begun = self.messages.last().map_or(0, |last| last.content.len());
        for part in &message.parts {
            match part {
                Part::CachePoint => self.put_cache_point(),
                part => self.messages.last_mut().expect("it was just put there").add(begun, part),
            }
        }
        if let Some(written) = self.messages.last_mut() {
            written.content.retain(|block| !block.is_blank());
            // A message that ends with a thought is refused.
            while written.content.pop_if(|block| matches!(block, Block::Thought(_))).is_some() {}
        }
        self.messages.pop_if(|written| written.content.is_empty());
    }

    /// Results come first after the last answer: models require it.
    fn add_results(&mut self, message: &'a Message) {
        if self.messages.last().is_none_or(|last| last.role != WireRole::User) {
            self.messages.push(WireMessage { role: WireRole::User, content: Vec::new() });
        }
        for (place, part) in message.parts.iter().enumerate() {
            match part {
                Part::ToolResult(result) => {
                    let block = Block::result(result, of_result(&message.parts, place));
                    let content = &mut self.messages.last_mut().expect("it is there").content;
                    let behind = content.iter().rposition(|block| matches!(block, Block::ToolResult { .. }));
                    content.insert(behind.map_or(0, |last| last + 1), block);
                }
                Part::CachePoint => self.put_cache_point(),
                Part::Text { .. } | Part::Reasoning { .. } | Part::ToolCall(_) | Part::Image(_) | Part::Document(_) => {
                }
            }
        }
        self.messages.pop_if(|written| written.content.is_empty());
    }

    /// Behind the last block that may have one behind it, in the order in which Bedrock caches.
    fn put_cache_point(&mut self) {
        let said = self.messages.iter_mut().map(|message| &mut message.content);
        for blocks in [&mut self.system].into_iter().chain(said).rev() {
            let Some(last) = blocks.iter().rposition(|block| !block.is_blank() && !matches!(block, Block::Thought(_)))
            else {
                continue;
            };
            if !matches!(blocks[last], Block::CachePoint(_)) {
                blocks.insert(last + 1, Block::CachePoint(POINT));
            }
            return;
        }
        if let Some(config) = &mut self.tool_config
            && !matches!(config.tools.last(), Some(Tool::CachePoint(_)) | None)
        {
            config.tools.push(Tool::CachePoint(POINT));
        }
    }

    /// Drops the cache points that are too many, from the first on.
    fn tidy(&mut self) {
        let is_point = |block: &Block| matches!(block, Block::CachePoint(_));
        let tools = self.tool_config.as_ref().map_or(&[][..], |config| &config.tools);
        let of_tools = tools.iter().filter(|tool| matches!(tool, Tool::CachePoint(_))).count();
        let said = self.messages.iter().flat_map(|message| &message.content);
        let all = of_tools + self.system.iter().chain(said).filter(|block| is_point(block)).count();
        let mut spare = all.saturating_sub(CACHE_POINTS);
        let mut is_spare = |is_point: bool| {
            let drops = is_point && spare > 0;
            spare -= usize::from(drops);
            drops
        };
        if let Some(config) = &mut self.tool_config {
            config.tools.retain(|tool| !is_spare(matches!(tool, Tool::CachePoint(_))));
        }
        self.system.retain(|block| !is_spare(is_point(block)));
        for message in &mut self.messages {
            message.content.retain(|block| !is_spare(is_point(block)));
        }
    }
}

impl<'a> WireMessage<'a> {
    /// `begun`: where the blocks of this part's message begin.
    fn add(&mut self, begun: usize, part: &'a Part) {
        let answers = self.role == WireRole::Assistant;
        match part {
            Part::Text { text } => self.add_text(begun, text),
            Part::ToolCall(call) if answers => self.content.push(Block::call(call)),
            Part::Reasoning { block: Some(block), .. } if answers && is_thought(block) => {
                self.content.push(Block::Thought(block));
            }
            Part::Image(image) if !answers => self.content.push(Block::Image(Picture::of(image))),
            Part::Document(document) if !answers => self.content.push(Block::Document(File::of(document))),
            Part::ToolCall(_)
            | Part::Reasoning { .. }
            | Part::ToolResult(_)
            | Part::Image(_)
            | Part::Document(_)
            | Part::CachePoint => {}
        }
    }

    /// A separate block, except for white space, which is joined to the text next to it.
    fn add_text(&mut self, begun: usize, added: &'a str) {
        match self.content[begun..].last_mut() {
            Some(Block::Text(text)) if is_blank(text) || is_blank(added) => text.to_mut().push_str(added),
            _ => self.content.push(Block::Text(added.into())),
        }
    }
}

impl<'a> Block<'a> {
    fn call(call: &'a ToolCall) -> Self {
        Self::ToolUse { tool_use_id: &call.id, name: &call.name, input: Input::of(&call.arguments) }
    }

    /// An empty text is a text here: some models refuse results without one. `behind`: its pictures and files are in there.
    fn result(result: &'a ToolResult, behind: &'a [Part]) -> Self {
        let status = if result.is_error { Status::Error } else { Status::Success };
        let medium = |part: &'a Part| match part {
            Part::Image(image) => Some(ResultBlock::Image(Picture::of(image))),
            Part::Document(document) => Some(ResultBlock::Document(File::of(document))),
            _ => None,
        };
        let media: Vec<_> = behind.iter().filter_map(medium).collect();
        let text = Some(result.on_wire()).filter(|text| !text.is_empty() || media.is_empty());
        let content = text.map(ResultBlock::Text).into_iter().chain(media).collect();
        Self::ToolResult { tool_use_id: &result.call_id, content, status }
    }

    fn is_blank(&self) -> bool {
        matches!(self, Self::Text(text) if is_blank(text))
    }
}

impl<'a> Tool<'a> {
    fn of(tool: &'a ToolDef) -> Self {
        let input_schema = InputSchema { json: schema(&tool.parameters) };
        Self::ToolSpec { name: &tool.name, description: &tool.description, input_schema }
    }
}

fn is_thought(block: &Value) -> bool {
    block["reasoningContent"].is_object()
}
