//! The attributes of spans, by the conventions for generative AI as of their own repository; all of them are in development
//! there.

use opentelemetry_proto::tonic::common::v1::any_value::Value as Held;
use opentelemetry_proto::tonic::common::v1::{AnyValue, ArrayValue, KeyValue};
use serde_json::{Value, json};

use super::Said;
use crate::context::protocol;
use crate::export::definition;
use crate::open_run::OpenRun;
use crate::{ContextAtStep, ContextMessage, Decision, RunId, RunSetup, Step, StepKind, StepState};
use harness::Disclosure;
use model::protocol::Protocol;
use model::{Document, FinishReason, Image, Role, ToolCall, Usage};

/// The name of this program in spans.
pub const NAME: &str = "skill-workbench";

pub struct Attributes {
    said: Said,
    list: Vec<KeyValue>,
}

impl Attributes {
    pub fn new(said: Said, run: RunId) -> Self {
        let mut new = Self { said, list: Vec::new() };
        new.text("gen_ai.conversation.id", &run.to_string());
        new
    }

    pub fn done(self) -> Vec<KeyValue> {
        self.list
    }

    pub fn error(&mut self, kind: &str) {
        self.text("error.type", kind);
    }

    /// A turn of the run: what the user said, and what the agent said last.
    pub fn agent(
        &mut self,
        setup: &RunSetup,
        provider: Option<&str>,
        (prompt, images): (&str, &[Image]),
        answer: Option<&str>,
    ) {
        self.text("gen_ai.operation.name", "invoke_agent");
        self.text("gen_ai.agent.name", &setup.harness);
        if !setup.variant.is_empty() {
            self.text("gen_ai.agent.version", &setup.variant);
        }
        self.text("gen_ai.request.model", &setup.model);
        if let Some(provider) = provider {
            self.text("gen_ai.provider.name", provider);
        }
        if self.said.contents {
            let parts: Vec<Value> = [part(prompt)].into_iter().chain(images.iter().map(picture)).collect();
            self.json("gen_ai.input.messages", &json!([{ "role": "user", "parts": parts }]));
            if let Some(answer) = answer {
                let said = json!([{ "role": "assistant", "parts": [part(answer)], "finish_reason": "stop" }]);
                self.json("gen_ai.output.messages", &said);
            }
        }
    }

    pub fn sub_agent(&mut self, name: &str) {
        self.text("gen_ai.operation.name", "invoke_agent");
        self.text("gen_ai.agent.name", name);
    }

    /// A request and its answer; returns the provider of its protocol, and the name of the model.
    pub fn request(&mut self, open: &OpenRun, step: &Step, context: Option<&ContextAtStep>) -> (&'static str, String) {
        let StepKind::Answer { text, reasoning, calls, usage, finish, model, agents, first_token, .. } = &step.kind
        else {
            return (OPENAI, String::new());
        };
        let setup = open.fold().summary(RunId(uuid::Uuid::nil()), false).map(|summary| summary.setup);
        let body = context.and_then(|context| context.body.as_deref()).unwrap_or_default();
        let sent: Value = serde_json::from_str(body).unwrap_or_default();
        let is_rehearsal = setup.as_ref().is_some_and(|setup| setup.rehearsal);
        let named = ["model", "modelId"].iter().find_map(|key| sent[*key].as_str()).filter(|_| !is_rehearsal);
        let named = named.or(model.as_deref()).or(setup.as_ref().map(|setup| setup.model.as_str()));
        let named = named.unwrap_or_default().to_owned();
        self.text("gen_ai.operation.name", "chat");
        let provider = if is_rehearsal { NAME } else { provider(body) };
        self.text("gen_ai.provider.name", provider);
        self.text("gen_ai.request.model", &named);
        if let Some(agent) = agents.last() {
            self.text("gen_ai.agent.name", agent);
        }
        self.parameters(&sent);
        if let Some(finish) = finish {
            self.list.push(KeyValue {
                key: "gen_ai.response.finish_reasons".into(),
                value: held(Held::ArrayValue(ArrayValue {
                    values: held(Held::StringValue(reason(finish))).into_iter().collect(),
                })),
                ..KeyValue::default()
            });
        }
        if let Some(first) = first_token {
            self.number("gen_ai.response.time_to_first_chunk", *first as f64 / 1000.0);
        }
        if let Some(usage) = usage {
            self.usage(usage);
        }
        match step.state {
            StepState::Failed => self.error("model_error"),
            StepState::Stopped => self.error("stopped"),
            StepState::Running | StepState::Waiting | StepState::Done => {}
        }
        if let (true, Some(context)) = (self.said.contents, context) {
            self.messages(context);
        }
        if self.said.contents && step.state == StepState::Done {
            let mut parts: Vec<Value> = Vec::new();
            if !reasoning.is_empty() {
                parts.push(json!({ "type": "reasoning", "content": reasoning }));
            }
            if !text.is_empty() {
                parts.push(part(text));
            }
            parts.extend(calls.iter().map(called));
            let finish = finish.as_ref().map(reason);
            let said = json!([{ "role": "assistant", "parts": parts, "finish_reason": finish }]);
            self.json("gen_ai.output.messages", &said);
        }
        (provider, named)
    }

    /// A call and its result.
    pub fn call(&mut self, step: &Step) {
        let StepKind::Tool { call, disclosure, disclosed, decision, output, reply, .. } = &step.kind else { return };
        self.text("gen_ai.operation.name", "execute_tool");
        self.text("gen_ai.tool.name", &call.name);
        self.text("gen_ai.tool.call.id", &call.id);
        self.text("gen_ai.tool.type", "function");
        if self.said.contents {
            let given = match decision {
                Some(Decision::Allow { arguments: Some(edited), .. }) => edited,
                Some(Decision::Allow { arguments: None, .. } | Decision::Deny { .. } | Decision::Stub { .. })
                | None => &call.arguments,
            };
            self.text("gen_ai.tool.call.arguments", given);
            if let Some(reply) = reply {
                self.text("gen_ai.tool.call.result", reply);
            }
        }
        match step.state {
            StepState::Failed => self.error("tool_error"),
            StepState::Stopped => self.error("stopped"),
            StepState::Running | StepState::Waiting | StepState::Done => {}
        }
        if self.said.skills {
            // What a call that failed was meant to disclose.
            let meant = if *disclosed == Disclosure::None { disclosure } else { disclosed };
            self.skill(meant);
            if let Some(code) = output.as_ref().and_then(|output| output.exit_code) {
                self.count("process.exit.code", i64::from(code));
            }
        }
    }

    fn skill(&mut self, disclosure: &Disclosure) {
        let (skill, resource) = match disclosure {
            Disclosure::Instructions { skill } => (skill, None),
            Disclosure::Resource { skill, resource } => (skill, Some(resource)),
            Disclosure::Script { skill, script } => (skill, Some(script)),
            Disclosure::None => return,
        };
        self.text("gen_ai.skill.name", skill);
        if let Some(resource) = resource {
            self.text("gen_ai.skill.resource.name", resource);
        }
    }

    fn messages(&mut self, context: &ContextAtStep) {
        let leading = context.messages.iter().take_while(|message| message.role == Role::System).count();
        let (system, rest) = context.messages.split_at(leading);
        if !system.is_empty() {
            let parts: Vec<Value> = system.iter().map(|message| part(&message.text)).collect();
            self.json("gen_ai.system_instructions", &parts.into());
        }
        let told: Vec<Value> = rest.iter().map(message).collect();
        self.json("gen_ai.input.messages", &told.into());
        if !context.tools.is_empty() {
            let tools: Vec<Value> = context.tools.iter().map(|tool| definition(&tool.json)).collect();
            self.json("gen_ai.tool.definitions", &tools.into());
        }
    }

    /// Cached tokens are included in the input here, as in the conventions.
    fn usage(&mut self, usage: &Usage) {
        let Usage { input, output, cached, cache_written } = usage;
        self.count("gen_ai.usage.input_tokens", i64::from(*input));
        self.count("gen_ai.usage.output_tokens", i64::from(*output));
        if *cached > 0 {
            self.count("gen_ai.usage.cache_read.input_tokens", i64::from(*cached));
        }
        if *cache_written > 0 {
            self.count("gen_ai.usage.cache_creation.input_tokens", i64::from(*cache_written));
        }
    }

    fn parameters(&mut self, sent: &Value) {
        let either = |keys: &[&str]| {
            let places = [sent, &sent["inferenceConfig"]];
            places.into_iter().find_map(|place| keys.iter().find_map(|key| place.get(*key)).cloned())
        };
        let most = either(&["max_tokens", "max_completion_tokens", "max_output_tokens", "maxTokens"]);
        if let Some(most) = most.and_then(|most| most.as_i64()) {
            self.count("gen_ai.request.max_tokens", most);
        }
        for (name, keys) in [("temperature", ["temperature", "temperature"]), ("top_p", ["top_p", "topP"])] {
            if let Some(number) = either(&keys).and_then(|number| number.as_f64()) {
                self.number(&format!("gen_ai.request.{name}"), number);
            }
        }
        if let Some(seed) = either(&["seed"]).and_then(|seed| seed.as_i64()) {
            self.count("gen_ai.request.seed", seed);
        }
        if sent["stream"] == true {
            let value = held(Held::BoolValue(true));
            self.list.push(KeyValue { key: "gen_ai.request.stream".into(), value, ..KeyValue::default() });
        }
    }

    fn text(&mut self, key: &str, value: &str) {
        self.list.push(text(key, value));
    }

    fn json(&mut self, key: &str, value: &Value) {
        self.text(key, &value.to_string());
    }

    fn count(&mut self, key: &str, value: i64) {
        self.list.push(KeyValue { key: key.into(), value: held(Held::IntValue(value)), ..KeyValue::default() });
    }

    fn number(&mut self, key: &str, value: f64) {
        self.list.push(KeyValue { key: key.into(), value: held(Held::DoubleValue(value)), ..KeyValue::default() });
    }
}

pub fn text(key: &str, value: &str) -> KeyValue {
    KeyValue { key: key.into(), value: held(Held::StringValue(value.to_owned())), ..KeyValue::default() }
}

fn held(value: Held) -> Option<AnyValue> {
    Some(AnyValue { value: Some(value) })
}

const OPENAI: &str = "openai";

/// The provider of the protocol, which is all that a request shows.
fn provider(body: &str) -> &'static str {
    match protocol(body) {
        Protocol::OpenAi | Protocol::OpenAiResponses => OPENAI,
        Protocol::Anthropic => "anthropic",
        Protocol::Bedrock => "aws.bedrock",
    }
}

fn reason(finish: &FinishReason) -> String {
    match finish {
        FinishReason::Stop | FinishReason::Unsaid => "stop",
        FinishReason::ToolCalls => "tool_call",
        FinishReason::Length | FinishReason::PerhapsCut => "length",
        FinishReason::Filtered => "content_filter",
        FinishReason::Paused => "pause_turn",
        FinishReason::Other { reason } => reason,
    }
    .to_owned()
}

fn part(text: &str) -> Value {
    json!({ "type": "text", "content": text })
}

/// A `BlobPart` of the conventions.
fn picture(image: &Image) -> Value {
    json!({ "type": "blob", "modality": "image", "mime_type": image.media_type, "content": image.data })
}

fn file(document: &Document) -> Value {
    json!({ "type": "blob", "modality": "document", "mime_type": document.media_type(), "content": document.data })
}

fn called(call: &ToolCall) -> Value {
    let arguments = serde_json::from_str(&call.arguments).unwrap_or_else(|_| Value::from(call.arguments.as_str()));
    json!({ "type": "tool_call", "id": call.id, "name": call.name, "arguments": arguments })
}

fn message(message: &ContextMessage) -> Value {
    let role = match message.role {
        Role::System => "system",
        Role::User => "user",
        Role::Assistant => "assistant",
        Role::Tool => "tool",
    };
    let mut parts: Vec<Value> = Vec::new();
    match (&message.call_id, message.role) {
        (Some(id), Role::Tool) => {
            parts.push(json!({ "type": "tool_call_response", "id": id, "response": message.text }))
        }
        _ if !message.text.is_empty() => parts.push(part(&message.text)),
        _ => {}
    }
    parts.extend(message.images.iter().map(picture));
    parts.extend(message.documents.iter().map(file));
    parts.extend(message.calls.iter().map(called));
    json!({ "role": role, "parts": parts })
}
