//! The request body.

use std::borrow::Cow;
use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    Dialect, Document, Freeform, Message, ModelRequest, Part, Role, Sampling, ToolCall, ToolChoice, ToolDef,
    ToolResult, has_media,
};

/// The body of a Responses request. The same input gives the same bytes; text beyond ASCII is written as it is.
///
/// `defaults` apply to what the request itself does not set. Only those parts of the dialect are used that this
/// protocol can express.
pub fn encode(model: &str, request: &ModelRequest, streamed: bool, defaults: &Sampling) -> String {
    let form = Form::of(request);
    let said = request.messages.iter().flat_map(|message| items(message, &form));
    let tools = request.tools.iter().map(|tool| WireTool::of(tool, request.dialect.freeform)).collect();
    let (first, tools) = match request.dialect.tools_as_item && !request.tools.is_empty() {
        true => (Some(Item::tools(tools)), Vec::new()),
        false => (None, tools),
    };
    let body = Body {
        model,
        input: first.into_iter().chain(said).collect(),
        tools,
        tool_choice: request.tool_choice.filter(|_| !request.tools.is_empty()).map(word),
        temperature: request.parameters.temperature.or(defaults.temperature),
        max_output_tokens: request.parameters.max_tokens.or(defaults.max_tokens),
        include: if may_reason(model) { &["reasoning.encrypted_content"] } else { &[] },
        store: false,
        stream: streamed,
    };
    serde_json::to_string(&body).expect("text, numbers and JSON values can always be written as JSON")
}

/// OpenAI's models that do not reason. Asked for encrypted reasoning, it refuses the request:
/// "Encrypted content is not supported with this model".
const WITHOUT_REASONING: [&str; 4] = ["gpt-3.5", "gpt-4", "chatgpt", "gpt-5-chat"];

fn may_reason(model: &str) -> bool {
    // Gateways put the provider's name before the model's.
    let name = model.rsplit('/').next().unwrap_or(model);
    !WITHOUT_REASONING.iter().any(|family| name.starts_with(family))
}

/// The state for writing the items of a conversation.
struct Form<'a> {
    dialect: Dialect,
    /// Ids of calls with a text in place of JSON.
    freeform: HashSet<&'a str>,
}

impl<'a> Form<'a> {
    fn of(request: &'a ModelRequest) -> Self {
        let dialect = request.dialect;
        let calls = request.messages.iter().flat_map(Message::calls);
        let is_freeform = |call: &&ToolCall| dialect.freeform.is_some_and(|freeform| freeform.tool == call.name);
        Self { dialect, freeform: calls.filter(is_freeform).map(|call| call.id.as_str()).collect() }
    }

    /// Tools in an item are in a namespace, and so are their calls.
    fn namespace(&self) -> Option<&'static str> {
        self.dialect.tools_as_item.then_some(NAMESPACE)
    }
}

const NAMESPACE: &str = "functions";

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    input: Vec<Item<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<WireTool<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_output_tokens: Option<u32>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    include: &'static [&'static str],
    store: bool,
    stream: bool,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Item<'a> {
    Ours(OurItem<'a>),
    /// A thought, as the provider sent it.
    Reasoning(&'a Value),
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum OurItem<'a> {
    Message {
        role: &'static str,
        content: Content<'a>,
        /// The phase that the provider gave for the text.
        #[serde(skip_serializing_if = "Option::is_none")]
        phase: Option<&'a str>,
    },
    AdditionalTools {
        role: &'static str,
        tools: [Namespace<'a>; 1],
    },
    FunctionCall {
        call_id: &'a str,
        name: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        namespace: Option<&'static str>,
        arguments: &'a str,
    },
    FunctionCallOutput {
        call_id: &'a str,
        output: Output<'a>,
    },
    CustomToolCall {
        call_id: &'a str,
        name: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        namespace: Option<&'static str>,
        input: Cow<'a, str>,
    },
    CustomToolCallOutput {
        call_id: &'a str,
        output: Output<'a>,
    },
}

/// An assistant's text is always one string: as a list of `output_text` it needs an id and a status, which OpenAI looks
/// up on its server and vLLM refuses to miss.
#[derive(Serialize)]
#[serde(untagged)]
enum Content<'a> {
    Text(String),
    Parts(Vec<InputPart<'a>>),
}

#[derive(Serialize)]
#[serde(untagged)]
enum Output<'a> {
    Text(&'a str),
    /// Of a result with pictures or files.
    Parts(Vec<InputPart<'a>>),
}

#[derive(Serialize)]
#[serde(tag = "type")]
enum InputPart<'a> {
    #[serde(rename = "input_text")]
    Text { text: Cow<'a, str> },
    /// The API's definition needs `detail` in a message, and not in a result, of which Codex sends it without.
    #[serde(rename = "input_image")]
    Image {
        image_url: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        detail: Option<&'static str>,
    },
    #[serde(rename = "input_file")]
    File { filename: Cow<'a, str>, file_data: String },
}

#[derive(Serialize)]
struct Namespace<'a> {
    r#type: &'static str,
    name: &'static str,
    description: &'static str,
    tools: Vec<WireTool<'a>>,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum WireTool<'a> {
    Function {
        name: &'a str,
        description: &'a str,
        parameters: &'a Value,
        /// If it is missing, it means `true`, and most schemas are not made for that.
        strict: bool,
    },
    Custom {
        name: &'a str,
        description: &'a str,
        format: Grammar,
    },
}

#[derive(Serialize)]
struct Grammar {
    r#type: &'static str,
    syntax: &'static str,
    definition: &'static str,
}

fn items<'a>(message: &'a Message, form: &Form<'_>) -> Vec<Item<'a>> {
    let dialect = form.dialect;
    match message.role {
        Role::System if dialect.developer => vec![Item::message("developer", Content::of(message, dialect))],
        Role::System => vec![Item::message("system", Content::Text(message.text()))],
        Role::User => vec![Item::message("user", Content::of(message, dialect))],
        Role::Assistant => assistant_items(message, form),
        Role::Tool => message.pictured_results().map(|(result, behind)| Item::output(result, behind, form)).collect(),
    }
}

fn assistant_items<'a>(message: &'a Message, form: &Form<'_>) -> Vec<Item<'a>> {
    let mut items = Vec::new();
    // OpenAI refuses a thought that nothing follows.
    let mut thoughts = Vec::new();
    let mut said = String::new();
    for part in &message.parts {
        match part {
            Part::Text { text } => said.push_str(text),
            Part::Reasoning { block, .. } => {
                let Some(block) = block else { continue };
                match block["type"].as_str() {
                    Some("reasoning") => {
                        flush(&mut said, None, &mut thoughts, &mut items);
                        thoughts.push(Item::Reasoning(block));
                    }
                    Some("message") => flush(&mut said, block["phase"].as_str(), &mut thoughts, &mut items),
                    Some(_) | None => {}
                }
            }
            Part::ToolCall(call) => {
                flush(&mut said, None, &mut thoughts, &mut items);
                items.append(&mut thoughts);
                items.push(Item::call(call, form));
            }
            Part::ToolResult(_) | Part::Image(_) | Part::Document(_) | Part::CachePoint => {}
        }
    }
    flush(&mut said, None, &mut thoughts, &mut items);
    items
}

/// Writes the text since the last item, after the thoughts that led to it.
fn flush<'a>(said: &mut String, phase: Option<&'a str>, thoughts: &mut Vec<Item<'a>>, items: &mut Vec<Item<'a>>) {
    if !said.is_empty() {
        items.append(thoughts);
        let content = Content::Text(std::mem::take(said));
        items.push(Item::Ours(OurItem::Message { role: "assistant", content, phase }));
    }
}

fn word(choice: ToolChoice) -> &'static str {
    match choice {
        ToolChoice::Auto => "auto",
        ToolChoice::None => "none",
    }
}

impl<'a> Item<'a> {
    fn message(role: &'static str, content: Content<'a>) -> Self {
        Self::Ours(OurItem::Message { role, content, phase: None })
    }

    fn tools(tools: Vec<WireTool<'a>>) -> Self {
        let functions = Namespace { r#type: "namespace", name: NAMESPACE, description: "", tools };
        Self::Ours(OurItem::AdditionalTools { role: "developer", tools: [functions] })
    }

    fn call(call: &'a ToolCall, form: &Form<'_>) -> Self {
        let ToolCall { id: call_id, name, arguments, .. } = call;
        let namespace = form.namespace();
        Self::Ours(match form.dialect.freeform.filter(|freeform| freeform.tool == name) {
            Some(_) => OurItem::CustomToolCall { call_id, name, namespace, input: Freeform::text(call) },
            None => OurItem::FunctionCall { call_id, name, namespace, arguments },
        })
    }

    /// `behind`: its pictures and files are in there.
    fn output(result: &'a ToolResult, behind: &'a [Part], form: &Form<'_>) -> Self {
        let call_id = &result.call_id;
        let said = Some(result.on_wire()).filter(|text| !text.is_empty());
        let parts = |said: Vec<InputPart<'a>>| {
            Output::Parts(said.into_iter().chain(behind.iter().filter_map(InputPart::medium)).collect())
        };
        let text = |text: &'a str| InputPart::Text { text: Cow::Borrowed(text) };
        let has_media = has_media(behind);
        if form.freeform.contains(call_id.as_str()) {
            let output = match said.and_then(in_items) {
                Some(items) => parts(items),
                None if has_media => parts(said.map(text).into_iter().collect()),
                None => Output::Text(result.on_wire()),
            };
            return Self::Ours(OurItem::CustomToolCallOutput { call_id, output });
        }
        let output =
            if has_media { parts(said.map(text).into_iter().collect()) } else { Output::Text(result.on_wire()) };
        Self::Ours(OurItem::FunctionCallOutput { call_id, output })
    }
}

/// A result that a framework has written as a list of texts.
fn in_items<'a>(written: &str) -> Option<Vec<InputPart<'a>>> {
    #[derive(Deserialize)]
    #[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
    enum Written {
        InputText { text: String },
    }
    let texts: Vec<Written> = serde_json::from_str(written).ok()?;
    Some(texts.into_iter().map(|Written::InputText { text }| InputPart::Text { text: Cow::Owned(text) }).collect())
}

impl<'a> Content<'a> {
    fn of(message: &'a Message, dialect: Dialect) -> Self {
        let parts: Vec<_> = message.parts.iter().filter_map(InputPart::of).collect();
        let in_parts = dialect.user_parts || has_media(&message.parts);
        // Servers refuse an empty list.
        if in_parts && !parts.is_empty() { Self::Parts(parts) } else { Self::Text(message.text()) }
    }
}

impl<'a> InputPart<'a> {
    /// A picture or a file in a result.
    fn medium(part: &'a Part) -> Option<Self> {
        match part {
            Part::Image(image) => Some(Self::Image { image_url: image.data_url(), detail: None }),
            Part::Document(document) => Some(Self::file(document)),
            _ => None,
        }
    }

    fn file(document: &'a Document) -> Self {
        Self::File { filename: document.file_name(), file_data: document.data_url() }
    }

    fn of(part: &'a Part) -> Option<Self> {
        match part {
            Part::Text { text } => Some(Self::Text { text: Cow::Borrowed(text) }),
            Part::Image(image) => Some(Self::Image { image_url: image.data_url(), detail: Some("auto") }),
            Part::Document(document) => Some(Self::file(document)),
            Part::Reasoning { .. } | Part::ToolCall(_) | Part::ToolResult(_) | Part::CachePoint => None,
        }
    }
}

impl<'a> WireTool<'a> {
    fn of(tool: &'a ToolDef, freeform: Option<Freeform>) -> Self {
        let ToolDef { name, description, parameters } = tool;
        match freeform.filter(|freeform| freeform.tool == name) {
            Some(Freeform { grammar: definition, .. }) => {
                let format = Grammar { r#type: "grammar", syntax: "lark", definition };
                Self::Custom { name, description, format }
            }
            None => Self::Function { name, description, parameters, strict: false },
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn text(text: &str) -> Part {
        Part::Text { text: text.into() }
    }

    #[test]
    fn tools_may_be_the_first_item() {
        let tool = ToolDef { name: "f".into(), description: "F.".into(), parameters: json!({}) };
        let of = |dialect: Dialect| {
            let request = ModelRequest {
                messages: vec![Message::user("hi")],
                tools: vec![tool.clone()],
                dialect,
                ..ModelRequest::default()
            };
            serde_json::from_str::<Value>(&encode("m", &request, false, &Sampling::default())).unwrap()
        };
        let written = json!({"type": "function", "name": "f", "description": "F.", "parameters": {}, "strict": false});
        assert_eq!(of(Dialect::default())["tools"], json!([written]));
        let body = of(Dialect { tools_as_item: true, ..Dialect::default() });
        let functions = json!({"type": "namespace", "name": "functions", "description": "", "tools": [written]});
        assert_eq!(body["input"][0], json!({"type": "additional_tools", "role": "developer", "tools": [functions]}));
        assert_eq!((&body["input"][1]["role"], body.get("tools")), (&json!("user"), None));
    }

    #[test]
    fn a_tool_may_be_called_with_a_text() {
        let freeform = Freeform { tool: "exec", grammar: "start: /x/" };
        let dialect = Dialect { tools_as_item: true, freeform: Some(freeform), ..Dialect::default() };
        let tool = |name: &str| ToolDef { name: name.into(), description: "D.".into(), parameters: json!({}) };
        let answer = |id: &str, text: &str, wire: Option<&str>| {
            let wire = wire.map(str::to_owned);
            Part::ToolResult(ToolResult { call_id: id.into(), text: text.into(), wire, is_error: false })
        };
        let items = r#"[{"type":"input_text","text":"done"},{"type":"input_text","text":"1"}]"#;
        let messages = vec![
            assistant(vec![
                Part::ToolCall(ToolCall::new("c1", "exec", r#"{"input":"text(1)\n"}"#)),
                Part::ToolCall(ToolCall::new("c2", "exec", "text(2)")),
                Part::ToolCall(ToolCall::new("c3", "f", "{}")),
            ]),
            Message {
                role: Role::Tool,
                parts: vec![
                    answer("c1", "done1", Some(items)),
                    answer("c2", "no", None),
                    answer("c3", "3", Some(items)),
                ],
            },
        ];
        let request =
            ModelRequest { messages, tools: vec![tool("exec"), tool("f")], dialect, ..ModelRequest::default() };
        let body: Value = serde_json::from_str(&encode("m", &request, false, &Sampling::default())).unwrap();
        let format = json!({"type": "grammar", "syntax": "lark", "definition": "start: /x/"});
        let exec = json!({"type": "custom", "name": "exec", "description": "D.", "format": format});
        let f = json!({"type": "function", "name": "f", "description": "D.", "parameters": {}, "strict": false});
        assert_eq!(body["input"][0]["tools"][0]["tools"], json!([exec, f]));
        let rest: Value = body["input"].as_array().unwrap()[1..].into();
        let custom = |id: &str, input: &str| json!({"type": "custom_tool_call", "call_id": id, "name": "exec", "namespace": "functions", "input": input});
        let expected = json!([
            custom("c1", "text(1)\n"),
            custom("c2", "text(2)"),
            {"type": "function_call", "call_id": "c3", "name": "f", "namespace": "functions", "arguments": "{}"},
            {"type": "custom_tool_call_output", "call_id": "c1", "output": serde_json::from_str::<Value>(items).unwrap()},
            {"type": "custom_tool_call_output", "call_id": "c2", "output": "no"},
            {"type": "function_call_output", "call_id": "c3", "output": items},
        ]);
        assert_eq!(rest, expected);
    }

    fn called(id: &str) -> Part {
        Part::ToolCall(ToolCall::new(id, "load_skill", r#"{"a":1}"#))
    }

    fn thought(block: Value) -> Part {
        Part::Reasoning { text: "hm".into(), block: Some(block) }
    }

    fn result(id: &str, wire: Option<&str>) -> Part {
        let wire = wire.map(str::to_owned);
        Part::ToolResult(ToolResult { call_id: id.into(), text: "千克".into(), wire, is_error: false })
    }

    fn assistant(parts: Vec<Part>) -> Message {
        Message { role: Role::Assistant, parts }
    }

    /// The `input` of a request with these messages.
    fn input(messages: Vec<Message>, dialect: Dialect) -> Value {
        let request = ModelRequest { messages, dialect, ..ModelRequest::default() };
        let body: Value = serde_json::from_str(&encode("m", &request, false, &Sampling::default())).unwrap();
        body["input"].clone()
    }

    #[test]
    fn writes_messages_tools_and_parameters() {
        let messages = vec![
            Message::system("You have <skills>."),
            Message::user("一公斤有几磅?"),
            assistant(vec![
                thought(json!({"id": "rs_1", "type": "reasoning", "summary": [], "encrypted_content": "gA=="})),
                text("Wait."),
                called("c1"),
                called("c2"),
            ]),
            Message { role: Role::Tool, parts: vec![result("c1", None), result("c2", Some("\"千克\""))] },
            Message::assistant("2.2"),
        ];
        let request = ModelRequest {
            messages,
            tools: vec![ToolDef {
                name: "load_skill".into(),
                description: "Loads a skill".into(),
                parameters: json!({"type": "object", "required": ["z"], "properties": {"z": {}, "a": {}}}),
            }],
            tool_choice: Some(ToolChoice::Auto),
            ..ModelRequest::default()
        };
        let sampling = Sampling { temperature: Some(0.5), max_tokens: Some(100) };
        assert_eq!(
            encode("o4-mini", &request, true, &sampling),
            concat!(
                r#"{"model":"o4-mini","input":["#,
                r#"{"type":"message","role":"system","content":"You have <skills>."},"#,
                r#"{"type":"message","role":"user","content":"一公斤有几磅?"},"#,
                r#"{"id":"rs_1","type":"reasoning","summary":[],"encrypted_content":"gA=="},"#,
                r#"{"type":"message","role":"assistant","content":"Wait."},"#,
                r#"{"type":"function_call","call_id":"c1","name":"load_skill","arguments":"{\"a\":1}"},"#,
                r#"{"type":"function_call","call_id":"c2","name":"load_skill","arguments":"{\"a\":1}"},"#,
                r#"{"type":"function_call_output","call_id":"c1","output":"千克"},"#,
                r#"{"type":"function_call_output","call_id":"c2","output":"\"千克\""},"#,
                r#"{"type":"message","role":"assistant","content":"2.2"}],"#,
                r#""tools":[{"type":"function","name":"load_skill","description":"Loads a skill","#,
                r#""parameters":{"type":"object","required":["z"],"properties":{"z":{},"a":{}}},"strict":false}],"#,
                r#""tool_choice":"auto","temperature":0.5,"max_output_tokens":100,"#,
                r#""include":["reasoning.encrypted_content"],"store":false,"stream":true}"#,
            )
        );
    }

    #[test]
    fn leaves_out_what_is_not_set() {
        let request = ModelRequest {
            messages: vec![Message::user("hi")],
            tool_choice: Some(ToolChoice::Auto),
            ..ModelRequest::default()
        };
        assert_eq!(
            encode("gpt-4o", &request, false, &Sampling::default()),
            r#"{"model":"gpt-4o","input":[{"type":"message","role":"user","content":"hi"}],"store":false,"stream":false}"#
        );
    }

    #[test]
    fn the_requests_own_parameters_win() {
        let parameters = Sampling { temperature: Some(0.0), max_tokens: None };
        let request = ModelRequest { parameters, ..ModelRequest::default() };
        let defaults = Sampling { temperature: Some(1.0), max_tokens: Some(5) };
        assert_eq!(
            encode("gpt-4", &request, false, &defaults),
            r#"{"model":"gpt-4","input":[],"temperature":0.0,"max_output_tokens":5,"store":false,"stream":false}"#
        );
    }

    #[test]
    fn asks_for_encrypted_thoughts_of_models_that_may_think() {
        let thinks = ["o3", "gpt-5", "gpt-oss-20b", "smollm2", "openai/gpt-5.1"].map(may_reason);
        assert_eq!(thinks, [true; 5]);
        let silent = ["gpt-4o-mini", "gpt-3.5-turbo", "openai/gpt-4.1", "gpt-5-chat-latest"].map(may_reason);
        assert_eq!(silent, [false; 4]);
    }

    #[test]
    fn keeps_thoughts_text_and_calls_in_their_order() {
        let block = |id: &str| json!({"type": "reasoning", "id": id, "summary": []});
        let message = assistant(vec![
            text("One"),
            text(" moment."),
            thought(block("a")),
            called("x"),
            thought(block("b")),
            thought(block("c")),
            text("Done."),
        ]);
        let said = |text: &str| json!({"type": "message", "role": "assistant", "content": text});
        let call = json!({"type": "function_call", "call_id": "x", "name": "load_skill", "arguments": "{\"a\":1}"});
        assert_eq!(
            input(vec![message], Dialect::default()),
            json!([said("One moment."), block("a"), call, block("b"), block("c"), said("Done.")])
        );
    }

    #[test]
    fn texts_keep_their_phases() {
        let phase = |phase: &str| Part::Reasoning {
            text: String::new(),
            block: Some(json!({"type": "message", "phase": phase})),
        };
        let message = assistant(vec![
            text("One moment."),
            phase("commentary"),
            phase("of nothing"),
            text("And"),
            called("x"),
            text("Done."),
            phase("final_answer"),
        ]);
        let said = |text: &str| json!({"type": "message", "role": "assistant", "content": text});
        let in_phase =
            |text: &str, phase: &str| json!({"type": "message", "role": "assistant", "content": text, "phase": phase});
        let call = json!({"type": "function_call", "call_id": "x", "name": "load_skill", "arguments": "{\"a\":1}"});
        assert_eq!(
            input(vec![message], Dialect::default()),
            json!([in_phase("One moment.", "commentary"), said("And"), call, in_phase("Done.", "final_answer")])
        );
    }

    #[test]
    fn leaves_out_thoughts_of_other_protocols_and_those_that_nothing_follows() {
        let foreign = thought(json!({"type": "thinking", "thinking": "hm", "signature": "s"}));
        let unsealed = Part::Reasoning { text: "hm".into(), block: None };
        let ours = thought(json!({"type": "reasoning", "id": "a", "summary": []}));
        let messages = vec![
            assistant(vec![foreign.clone(), text("Yes."), ours.clone()]),
            assistant(vec![foreign, unsealed, ours, text("")]),
            Message::assistant(""),
        ];
        let said = json!([{"type": "message", "role": "assistant", "content": "Yes."}]);
        assert_eq!(input(messages, Dialect::default()), said);
    }

    #[test]
    fn writes_user_messages_in_parts_where_the_framework_does() {
        let dialect = Dialect { user_parts: true, assistant_parts: true, ..Dialect::default() };
        let messages = vec![
            Message { role: Role::User, parts: vec![text("a"), text("b"), Part::CachePoint] },
            Message { role: Role::User, parts: vec![] },
            Message::assistant("done"),
        ];
        let part = |text: &str| json!({"type": "input_text", "text": text});
        assert_eq!(
            input(messages, dialect),
            json!([
                {"type": "message", "role": "user", "content": [part("a"), part("b")]},
                {"type": "message", "role": "user", "content": ""},
                {"type": "message", "role": "assistant", "content": "done"},
            ])
        );
    }

    #[test]
    fn writes_system_messages_as_the_developers_where_the_client_does() {
        let dialect = Dialect { user_parts: true, developer: true, ..Dialect::default() };
        let messages = vec![Message::system("You have skills."), Message::user("hi")];
        let part = |text: &str| json!([{"type": "input_text", "text": text}]);
        assert_eq!(
            input(messages, dialect),
            json!([
                {"type": "message", "role": "developer", "content": part("You have skills.")},
                {"type": "message", "role": "user", "content": part("hi")},
            ])
        );
    }
}
