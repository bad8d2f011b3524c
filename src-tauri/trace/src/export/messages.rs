//! A run's own conversation as the messages of a protocol: as the model had it last, with its last answer. What sub-agents
//! said among themselves is not in it.

use serde_json::{Map, Value, json};

use crate::{Event, EventKind, RunId, RunSetup, context, fold};
use model::{Document, Image, Message, Part, Role, ToolCall, documents};

/// The common source of all formats.
struct Conversation {
    model: String,
    system: Vec<String>,
    tools: Vec<Tool>,
    messages: Vec<Message>,
}

struct Tool {
    name: String,
    description: String,
    parameters: Value,
}

impl Conversation {
    fn of(events: &[Event], setup: &RunSetup) -> Self {
        let own = events.iter().rev().filter(|event| event.within.is_none());
        let body = own.filter_map(|event| match &event.kind {
            EventKind::Requested { body, .. } if !body.is_empty() => Some(body),
            _ => None,
        });
        let (system, tools) = body.take(1).next().map(|body| context::set_up(body)).unwrap_or_default();
        let messages = context::last_known(events).into_iter().map(|(message, _)| message).collect();
        Self {
            model: setup.model.clone(),
            system,
            tools: tools.iter().map(|tool| self::tool(tool)).collect(),
            messages,
        }
    }
}

/// The definition of a tool in whichever protocol.
fn tool(json: &str) -> Tool {
    let value: Value = serde_json::from_str(json).unwrap_or_default();
    let own = [&value["function"], &value["toolSpec"], &value].into_iter().find(|own| own["name"].is_string());
    let own = own.unwrap_or(&Value::Null);
    let text = |key: &str| own[key].as_str().unwrap_or_default().to_owned();
    let schemas = [&own["parameters"], &own["input_schema"], &own["inputSchema"]["json"]];
    let parameters = schemas.into_iter().find(|schema| schema.is_object()).cloned();
    Tool {
        name: text("name"),
        description: text("description"),
        parameters: parameters.unwrap_or_else(|| json!({ "type": "object" })),
    }
}

/// The definition of a tool as the conventions of OpenTelemetry have it.
pub fn definition(json: &str) -> Value {
    let Tool { name, description, parameters } = tool(json);
    json!({ "type": "function", "name": name, "description": description, "parameters": parameters })
}

/// A request of OpenAI chat completions on one line, as files for training and evaluation have it.
pub fn to_openai(events: &[Event], setup: &RunSetup) -> String {
    let Conversation { model, system, tools, messages } = Conversation::of(events, setup);
    let mut told: Vec<Value> = system.iter().map(|text| json!({ "role": "system", "content": text })).collect();
    for message in &messages {
        match message.role {
            Role::System => told.push(json!({ "role": "system", "content": message.text() })),
            Role::User => told.push(json!({ "role": "user", "content": openai_content(message) })),
            Role::Tool => {
                told.extend(message.pictured_results().map(|(result, behind)| {
                    let content = with_files(result.on_wire(), documents(behind));
                    json!({ "role": "tool", "tool_call_id": result.call_id, "content": content })
                }));
                // A result has no place for pictures.
                let pictures: Vec<Value> = message.images().map(openai_image).collect();
                told.extend((!pictures.is_empty()).then(|| json!({ "role": "user", "content": pictures })));
            }
            Role::Assistant => {
                let calls: Vec<Value> = message.calls().map(openai_call).collect();
                let mut answer = Map::new();
                answer.insert("role".into(), "assistant".into());
                let text = message.text();
                answer.insert(
                    "content".into(),
                    if text.is_empty() && !calls.is_empty() { Value::Null } else { text.into() },
                );
                if !calls.is_empty() {
                    answer.insert("tool_calls".into(), calls.into());
                }
                told.push(Value::Object(answer));
            }
        }
    }
    let mut whole = json!({ "model": model, "messages": told });
    if !tools.is_empty() {
        let tool = |Tool { name, description, parameters }: &Tool| json!({ "type": "function", "function": { "name": name, "description": description, "parameters": parameters } });
        whole["tools"] = tools.iter().map(tool).collect();
    }
    format!("{whole}\n")
}

fn openai_content(message: &Message) -> Value {
    let media = message.images().map(openai_image).chain(message.documents().map(openai_file)).collect::<Vec<_>>();
    if media.is_empty() {
        return message.text().into();
    }
    let said = json!({ "type": "text", "text": message.text() });
    [said].into_iter().chain(media).collect()
}

/// A text with files, as the codec writes it.
fn with_files<'a>(text: &str, files: impl Iterator<Item = &'a Document>) -> Value {
    let files: Vec<Value> = files.map(openai_file).collect();
    if files.is_empty() {
        return text.into();
    }
    let said = (!text.is_empty()).then(|| json!({ "type": "text", "text": text }));
    said.into_iter().chain(files).collect()
}

fn openai_file(document: &Document) -> Value {
    json!({ "type": "file", "file": { "filename": document.name, "file_data": document.data_url() } })
}

fn openai_image(image: &Image) -> Value {
    json!({ "type": "image_url", "image_url": { "url": image.data_url() } })
}

fn anthropic_image(image: &Image) -> Value {
    let source = json!({ "type": "base64", "media_type": image.media_type, "data": image.data });
    json!({ "type": "image", "source": source })
}

/// What the API takes; of another file, a line that names it.
fn anthropic_file(document: &Document) -> Value {
    let source = match (document.format.as_str(), document.text()) {
        ("pdf", _) => json!({ "type": "base64", "media_type": document.media_type(), "data": document.data }),
        (_, Some(text)) => json!({ "type": "text", "media_type": "text/plain", "data": text }),
        (_, None) => return json!({ "type": "text", "text": format!("[{}]", document.described()) }),
    };
    json!({ "type": "document", "source": source, "title": document.name })
}

/// A picture or a file.
fn anthropic_medium(part: &Part) -> Option<Value> {
    match part {
        Part::Image(image) => Some(anthropic_image(image)),
        Part::Document(document) => Some(anthropic_file(document)),
        _ => None,
    }
}

fn openai_call(call: &ToolCall) -> Value {
    json!({ "id": call.id, "type": "function", "function": { "name": call.name, "arguments": call.arguments } })
}

/// Anthropic's limit of an answer, which a request must name.
const ANSWER_TOKENS: u32 = 4096;

/// A request of Anthropic Messages. Results of tools are in the user's messages, and user and assistant alternate.
pub fn to_anthropic(events: &[Event], setup: &RunSetup) -> String {
    let Conversation { model, mut system, tools, messages } = Conversation::of(events, setup);
    let mut told: Vec<(&str, Vec<Value>)> = Vec::new();
    let mut say = |role: &'static str, blocks: Vec<Value>| match told.last_mut() {
        Some((last, said)) if *last == role => said.extend(blocks),
        _ => told.push((role, blocks)),
    };
    for message in &messages {
        let text = message.text();
        let said = (!text.trim().is_empty()).then(|| json!({ "type": "text", "text": text }));
        match message.role {
            Role::System => system.push(text),
            Role::User => say("user", said.into_iter().chain(message.parts.iter().filter_map(anthropic_medium)).collect()),
            Role::Tool => say(
                "user",
                message
                    .pictured_results()
                    .map(|(result, behind)| {
                        let mut block =
                            json!({ "type": "tool_result", "tool_use_id": result.call_id, "content": result.on_wire() });
                        let mut media = behind.iter().filter_map(anthropic_medium).peekable();
                        if media.peek().is_some() {
                            let text = Some(result.on_wire()).filter(|text| !text.is_empty());
                            let said = text.map(|text| json!({ "type": "text", "text": text }));
                            block["content"] = said.into_iter().chain(media).collect();
                        }
                        if result.is_error {
                            block["is_error"] = true.into();
                        }
                        block
                    })
                    .collect(),
            ),
            Role::Assistant => {
                let call = |call: &ToolCall| {
                    json!({ "type": "tool_use", "id": call.id, "name": call.name, "input": arguments(call) })
                };
                say("assistant", said.into_iter().chain(message.calls().map(call)).collect());
            }
        }
    }
    let told: Vec<Value> = told
        .into_iter()
        .filter(|(_, blocks)| !blocks.is_empty())
        .map(|(role, content)| json!({ "role": role, "content": content }))
        .collect();
    let mut whole = json!({ "model": model, "max_tokens": ANSWER_TOKENS });
    if !system.is_empty() {
        whole["system"] = system.join("\n\n").into();
    }
    if !tools.is_empty() {
        let tool = |Tool { name, description, parameters }: &Tool| json!({ "name": name, "description": description, "input_schema": parameters });
        whole["tools"] = tools.iter().map(tool).collect();
    }
    whole["messages"] = told.into();
    format!("{whole:#}\n")
}

/// As an object, which some protocols require; anything else is put under the key `arguments`.
fn arguments(call: &ToolCall) -> Value {
    match serde_json::from_str(&call.arguments) {
        Ok(Value::Object(fields)) => Value::Object(fields),
        _ if call.arguments.trim().is_empty() => json!({}),
        _ => json!({ "arguments": call.arguments }),
    }
}

/// A log of inspect_ai with the run as its one sample.
pub fn to_inspect(run: RunId, events: &[Event], setup: &RunSetup) -> String {
    let Conversation { model, system, messages, .. } = Conversation::of(events, setup);
    let summary = fold::replay(events).summary(run, false);
    let time = |at: Option<i64>| {
        let at = at.and_then(|at| jiff::Timestamp::from_millisecond(at).ok()).unwrap_or_default();
        at.strftime("%Y-%m-%dT%H:%M:%S+00:00").to_string()
    };
    let started = time(summary.as_ref().map(|summary| summary.started_at));
    let ended = time(summary.as_ref().and_then(|summary| summary.ended_at));
    let mut names = std::collections::HashMap::new();
    let mut told: Vec<Value> = system.iter().map(|text| json!({ "role": "system", "content": text })).collect();
    for message in &messages {
        match message.role {
            Role::System => told.push(json!({ "role": "system", "content": message.text() })),
            Role::User => told.push(json!({ "role": "user", "content": message.text() })),
            Role::Tool => told.extend(message.results().map(|result| {
                let mut reply = json!({
                    "role": "tool",
                    "content": result.on_wire(),
                    "tool_call_id": result.call_id,
                    "function": names.get(&result.call_id),
                });
                if result.is_error {
                    reply["error"] = json!({ "type": "unknown", "message": result.on_wire() });
                }
                reply
            })),
            Role::Assistant => {
                names.extend(message.calls().map(|call| (call.id.clone(), call.name.clone())));
                let call = |call: &ToolCall| json!({ "id": call.id, "function": call.name, "arguments": arguments(call), "type": "function" });
                let calls: Vec<Value> = message.calls().map(call).collect();
                let mut answer =
                    json!({ "role": "assistant", "content": message.text(), "source": "generate", "model": model });
                if !calls.is_empty() {
                    answer["tool_calls"] = calls.into();
                }
                told.push(answer);
            }
        }
    }
    for (place, message) in told.iter_mut().enumerate() {
        message["id"] = format!("m{place}").into();
    }
    let last = messages.last().filter(|message| message.role == Role::Assistant).map(Message::text).unwrap_or_default();
    let used = summary.as_ref().map(|summary| &summary.spent);
    let usage = used.map(|spent| {
        json!({ "input_tokens": spent.input, "output_tokens": spent.output, "total_tokens": u64::from(spent.input) + u64::from(spent.output) })
    });
    let usage = json!({ &model: usage });
    let log = json!({
        "version": 2,
        "status": "success",
        "eval": {
            "run_id": run.to_string(),
            "created": started,
            "task": setup.harness,
            "task_id": run.to_string(),
            "task_version": 0,
            "task_attribs": {},
            "task_args": {},
            "dataset": { "name": "skill-workbench", "samples": 1, "sample_ids": [1] },
            "model": model,
            "model_args": {},
            "config": {},
        },
        "plan": { "name": "plan", "steps": [], "config": {} },
        "results": { "total_samples": 1, "completed_samples": 1, "scores": [] },
        "stats": { "started_at": started, "completed_at": ended, "model_usage": usage },
        "samples": [{
            "id": 1,
            "epoch": 1,
            "input": setup.prompt,
            "target": "",
            "messages": told,
            "output": {
                "model": model,
                "choices": [{ "message": { "role": "assistant", "content": last, "source": "generate" }, "stop_reason": "stop" }],
            },
            "metadata": {},
            "store": {},
            "events": [],
            "model_usage": usage,
            "attachments": {},
        }],
    });
    format!("{log:#}\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    fn value(text: &str) -> Value {
        serde_json::from_str(text).unwrap()
    }

    fn roles(messages: &Value) -> Vec<&str> {
        messages.as_array().unwrap().iter().map(|message| message["role"].as_str().unwrap()).collect()
    }

    #[test]
    fn the_messages_of_each_protocol_are_the_whole_conversation() {
        let (events, setup) = (sample::seven_messages(), sample::setup());
        let openai = to_openai(&events, &setup);
        assert_eq!(openai.lines().count(), 1);
        let openai = value(&openai);
        let expected = ["system", "user", "assistant", "tool", "assistant", "tool", "assistant", "tool", "assistant"];
        assert_eq!(roles(&openai["messages"]), expected);
        assert_eq!(openai["messages"][2]["tool_calls"][0]["function"]["name"], "load_skill");
        assert_eq!(openai["messages"][3]["tool_call_id"], "call_1");
        assert_eq!(openai["messages"][8]["content"], sample::ANSWER);

        let anthropic = value(&to_anthropic(&events, &setup));
        assert_eq!(anthropic["system"], sample::CATALOGUE);
        let expected = ["user", "assistant", "user", "assistant", "user", "assistant", "user", "assistant"];
        assert_eq!(roles(&anthropic["messages"]), expected);
        assert_eq!(anthropic["messages"][1]["content"][0]["input"]["skillName"], "unit-converter");
        assert_eq!(anthropic["messages"][2]["content"][0]["tool_use_id"], "call_1");

        let inspect = value(&to_inspect(sample::run_id(), &events, &setup));
        let sample = &inspect["samples"][0];
        assert_eq!(roles(&sample["messages"]).len(), 9);
        assert_eq!(sample["messages"][3]["function"], "load_skill");
        assert_eq!(inspect["eval"]["created"], "2023-11-14T22:13:20+00:00");
    }

    #[test]
    fn what_is_exported_is_imported_as_the_same_conversation() {
        let (events, setup) = (sample::seven_messages(), sample::setup());
        for text in
            [to_openai(&events, &setup), to_anthropic(&events, &setup), to_inspect(sample::run_id(), &events, &setup)]
        {
            let mut runs = Vec::new();
            let scrubber = model::secret::Scrubber::default();
            crate::foreign::read(std::io::Cursor::new(text), None, 0, &scrubber, &mut |found| {
                if let crate::foreign::Found::Run(_, events) = found {
                    runs.push(events.into_vec().unwrap());
                }
                true
            })
            .unwrap();
            let said = |events: &[Event]| -> Vec<String> {
                let shown = |(message, _): (Message, _)| format!("{:?} {}", message.role, message.text());
                context::last_known(events).into_iter().map(shown).collect()
            };
            assert_eq!(said(&runs[0]), said(&events));
        }
    }
}
