//! Spans of OpenTelemetry as JSON (OTLP), which protobuf becomes before it is read, with the attributes of its GenAI
//! conventions, of OpenLLMetry or of OpenInference. The spans of one trace are one run.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::calls::{Calls, message};
use super::plain::{call, finish, items, text};
use super::record::{Answer, Record, Within};
use super::{Foreign, Format, Given, Out};
use crate::RunStatus;
use crate::clock::Millis;
use model::{ToolCall, Usage, payload};

#[derive(Default)]
pub struct Otlp {
    traces: BTreeMap<String, Trace>,
}

#[derive(Default)]
struct Trace {
    lines: Vec<(u32, String)>,
    spans: Vec<Span>,
}

#[derive(Clone)]
struct Span {
    id: String,
    parent: String,
    name: String,
    start: Millis,
    end: Millis,
    attributes: Map<String, Value>,
    error: Option<String>,
}

impl Format for Otlp {
    fn take(&mut self, given: Given<'_>, out: &mut Out<'_>) {
        let Given { line, text: written, value } = given;
        let mut named: Vec<String> = Vec::new();
        let requests = if value.is_array() { items(&value).cloned().collect() } else { vec![value] };
        for resource in requests.iter().flat_map(|request| items(field(request, "resourceSpans", "resource_spans"))) {
            for scope in items(field(resource, "scopeSpans", "scope_spans")) {
                for span in items(&scope["spans"]) {
                    let trace = field(span, "traceId", "trace_id").as_str().unwrap_or_default().to_owned();
                    self.traces.entry(trace.clone()).or_default().spans.push(read(span));
                    if !named.contains(&trace) {
                        named.push(trace);
                    }
                }
            }
        }
        if named.is_empty() {
            return out.unknown("resourceSpans");
        }
        for trace in named {
            if let Some(trace) = self.traces.get_mut(&trace) {
                trace.lines.push((line, written.to_owned()));
            }
        }
    }

    fn end(&mut self, out: &mut Out<'_>) {
        for (_, trace) in std::mem::take(&mut self.traces) {
            let mut record = Record::new(Foreign::Otlp, out.at);
            tell(trace, &mut record, out);
            out.run(record);
        }
    }
}

fn field<'a>(value: &'a Value, camel: &str, snake: &str) -> &'a Value {
    value.get(camel).or(value.get(snake)).unwrap_or(&Value::Null)
}

fn read(span: &Value) -> Span {
    let id = |camel, snake| field(span, camel, snake).as_str().unwrap_or_default().to_owned();
    let time = |camel, snake| nanos(field(span, camel, snake)) / 1_000_000;
    let attributes = attributes(&span["attributes"]);
    let is_error = span["status"]["code"] == 2 || span["status"]["code"] == "STATUS_CODE_ERROR";
    let said = span["status"]["message"].as_str().or(attributes.get("error.type").and_then(Value::as_str));
    Span {
        id: id("spanId", "span_id"),
        parent: id("parentSpanId", "parent_span_id"),
        name: span["name"].as_str().unwrap_or_default().to_owned(),
        start: time("startTimeUnixNano", "start_time_unix_nano"),
        end: time("endTimeUnixNano", "end_time_unix_nano"),
        error: is_error.then(|| said.unwrap_or_default().to_owned()),
        attributes,
    }
}

/// Numbers of 64 bits are texts in OTLP's JSON.
fn nanos(value: &Value) -> i64 {
    value.as_i64().or_else(|| value.as_str()?.parse().ok()).unwrap_or(0)
}

fn attributes(value: &Value) -> Map<String, Value> {
    if let Value::Object(plain) = value {
        return plain.clone();
    }
    let pair = |pair: &Value| Some((pair["key"].as_str()?.to_owned(), any(&pair["value"])));
    items(value).filter_map(pair).collect()
}

fn any(value: &Value) -> Value {
    let Some((kind, held)) = value.as_object().and_then(|fields| fields.iter().next()) else { return value.clone() };
    match kind.as_str() {
        "stringValue" | "string_value" | "boolValue" | "bool_value" | "doubleValue" | "double_value" => held.clone(),
        "intValue" | "int_value" => nanos(held).into(),
        "arrayValue" | "array_value" => items(&held["values"]).map(any).collect(),
        "kvlistValue" | "kvlist_value" => Value::Object(attributes(&held["values"])),
        _ => value.clone(),
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Job {
    Model,
    Tool,
    Other,
}

impl Span {
    fn job(&self) -> Job {
        let kind = ["gen_ai.operation.name", "openinference.span.kind", "traceloop.span.kind", "llm.request.type"];
        let said = kind.iter().find_map(|key| self.text(key)).unwrap_or_default().to_lowercase();
        match said.as_str() {
            "chat" | "text_completion" | "generate_content" | "llm" | "completion" => Job::Model,
            "execute_tool" | "tool" => Job::Tool,
            _ => Job::Other,
        }
    }

    fn text(&self, key: &str) -> Option<&str> {
        self.attributes.get(key)?.as_str()
    }

    fn either(&self, keys: &[&str]) -> Option<String> {
        keys.iter().find_map(|key| self.attributes.get(*key)).map(text_of)
    }

    fn count(&self, keys: &[&str]) -> Option<u32> {
        keys.iter().find_map(|key| payload::count(self.attributes.get(*key)?))
    }

    /// An attribute that is JSON, written as a text or as what it is.
    fn json(&self, key: &str) -> Option<Value> {
        match self.attributes.get(key)? {
            Value::String(written) => serde_json::from_str(written).ok(),
            value => Some(value.clone()),
        }
    }

    /// Attributes such as `PREFIX.0.message.role` as what their names spell.
    fn spelled(&self, prefix: &str) -> Value {
        let mut whole = Value::Null;
        for (key, value) in &self.attributes {
            let Some(rest) = key.strip_prefix(prefix).and_then(|rest| rest.strip_prefix('.')) else { continue };
            let mut place = &mut whole;
            for part in rest.split('.') {
                place = match part.parse::<usize>() {
                    // No message has as many parts.
                    Ok(index) if index < MOST_PARTS => {
                        if !place.is_array() {
                            *place = json!([]);
                        }
                        let Value::Array(list) = place else { break };
                        if list.len() <= index {
                            list.resize(index + 1, Value::Null);
                        }
                        &mut list[index]
                    }
                    _ => {
                        if !place.is_object() {
                            *place = json!({});
                        }
                        &mut place[part]
                    }
                };
            }
            *place = value.clone();
        }
        whole
    }

    fn input(&self) -> Vec<Value> {
        let system =
            self.json("gen_ai.system_instructions").map(|parts| message("system", &parts_text(&parts), &[], None));
        let told = self.json("gen_ai.input.messages");
        let mut messages: Vec<Value> = system.into_iter().collect();
        match told {
            Some(told) => messages.extend(items(&told).flat_map(of_parts)),
            None => {
                for prefix in ["llm.input_messages", "gen_ai.prompt"] {
                    messages.extend(items(&self.spelled(prefix)).map(of_spelled));
                }
            }
        }
        messages
    }

    fn answer(&self) -> Answer {
        let told = self.json("gen_ai.output.messages");
        let mut output: Vec<Value> =
            told.as_ref().map(|told| items(told).flat_map(of_parts).collect()).unwrap_or_default();
        for prefix in ["llm.output_messages", "gen_ai.completion"] {
            output.extend(items(&self.spelled(prefix)).map(of_spelled));
        }
        let said = output.first().map(super::documents::answer).unwrap_or_default();
        let reasons = self.json("gen_ai.response.finish_reasons").unwrap_or_default();
        let input = self.count(&["gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens", "llm.token_count.prompt"]);
        let answered =
            self.count(&["gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens", "llm.token_count.completion"]);
        let usage = input.or(answered).map(|_| Usage {
            input: input.unwrap_or(0),
            output: answered.unwrap_or(0),
            cached: self
                .count(&["gen_ai.usage.cache_read.input_tokens", "llm.token_count.prompt_details.cache_read"])
                .unwrap_or(0),
            cache_written: self
                .count(&["gen_ai.usage.cache_creation.input_tokens", "llm.token_count.prompt_details.cache_write"])
                .unwrap_or(0),
        });
        let model = ["gen_ai.response.model", "gen_ai.request.model", "llm.model_name"];
        Answer {
            usage,
            finish: finish(&reasons[0]).or_else(|| finish(&told.as_ref()?[0]["finish_reason"])),
            model: self.either(&model),
            ..said
        }
    }

    fn tools(&self) -> Option<Value> {
        self.json("gen_ai.tool.definitions").or_else(|| {
            let spelled = self.spelled("llm.tools");
            let read = |tool: &Value| serde_json::from_str(tool["tool"]["json_schema"].as_str()?).ok();
            let tools: Vec<Value> = items(&spelled).filter_map(read).collect();
            (!tools.is_empty()).then_some(Value::Array(tools))
        })
    }

    /// As the call that it carries out.
    fn called(&self) -> ToolCall {
        let id = self.either(&["gen_ai.tool.call.id", "tool.id", "tool_call.id"]).unwrap_or_else(|| self.id.clone());
        let name = self.either(&["gen_ai.tool.name", "tool.name"]).unwrap_or_else(|| self.name.clone());
        let arguments = self.either(&["gen_ai.tool.call.arguments", "tool.parameters", "input.value"]);
        ToolCall::new(id, name, arguments.unwrap_or_default())
    }
}

const MOST_PARTS: usize = 100_000;

fn text_of(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn parts_text(parts: &Value) -> String {
    match parts {
        Value::Array(parts) => {
            parts.iter().map(|part| text(if part["content"].is_null() { part } else { &part["content"] })).collect()
        }
        other => text(other),
    }
}

/// A message of the GenAI conventions, of which each result of a tool is a message here.
fn of_parts(told: &Value) -> Vec<Value> {
    let role = told["role"].as_str().unwrap_or("user");
    let (mut said, mut thought, mut calls, mut messages) = (String::new(), String::new(), Vec::new(), Vec::new());
    for part in items(&told["parts"]) {
        match part["type"].as_str() {
            Some("tool_call" | "server_tool_call") => calls.push(call(&part["id"], &part["name"], &part["arguments"])),
            Some("tool_call_response" | "server_tool_call_response") => {
                let reply = part.get("response").or(part.get("result")).unwrap_or(&Value::Null);
                messages.push(message("tool", &text(reply), &[], part["id"].as_str()));
            }
            Some("reasoning") => thought.push_str(&text(&part["content"])),
            _ => said.push_str(&text(if part["content"].is_null() { part } else { &part["content"] })),
        }
    }
    if told["parts"].is_null() {
        said = text(&told["content"]);
    }
    if messages.is_empty() || !said.is_empty() || !calls.is_empty() {
        let mut whole = message(role, &said, &calls, told["tool_call_id"].as_str());
        if !thought.is_empty() {
            whole["reasoning_content"] = thought.into();
        }
        messages.insert(0, whole);
    }
    messages
}

/// A message of OpenInference, or of OpenLLMetry, which has nothing around it.
fn of_spelled(told: &Value) -> Value {
    let told = if told["message"].is_object() { &told["message"] } else { told };
    let content: String = match &told["content"] {
        Value::Null => items(&told["contents"]).map(|part| text(&part["message_content"])).collect(),
        content => text(content),
    };
    let called = |called: &Value| {
        let called = if called["tool_call"].is_object() { &called["tool_call"] } else { called };
        let function = if called["function"].is_object() { &called["function"] } else { called };
        call(&called["id"], &function["name"], &function["arguments"])
    };
    let calls: Vec<ToolCall> = items(&told["tool_calls"]).map(called).collect();
    message(told["role"].as_str().unwrap_or("user"), &content, &calls, told["tool_call_id"].as_str())
}

fn tell(trace: Trace, record: &mut Record, out: &mut Out<'_>) {
    let Trace { lines, mut spans } = trace;
    lines.iter().for_each(|(line, text)| record.source(*line, text));
    // What a tool did comes when it is done, and a request when it is made.
    spans.sort_by_key(|span| if span.job() == Job::Tool { (span.end, 0) } else { (span.start, 1) });
    let by_id: BTreeMap<&str, &Span> = spans.iter().map(|span| (span.id.as_str(), span)).collect();
    let within = |span: &Span| -> Within {
        let mut above = span;
        // A trace may say that a span is above itself.
        for _ in 0..spans.len() {
            above = by_id.get(above.parent.as_str())?;
            if above.job() == Job::Tool {
                return Some(above.called().id);
            }
        }
        None
    };
    let agent = spans.iter().find_map(|span| span.text("gen_ai.agent.name"));
    record.variant(agent.unwrap_or_default());
    let mut calls = Calls::default();
    for (place, span) in spans.iter().enumerate() {
        record.at(Some(span.start).filter(|start| *start > 0));
        let own = within(span);
        match span.job() {
            Job::Model => {
                let input = span.input();
                let mut answer = span.answer();
                if answer.text.is_empty() && answer.calls.is_empty() {
                    // Nothing was recorded of the answer but what was carried out of it.
                    let next =
                        spans[place + 1..].iter().take_while(|next| next.job() != Job::Model || within(next) != own);
                    let done = next.filter(|next| next.job() == Job::Tool && within(next) == own);
                    answer.calls.extend(done.map(Span::called));
                }
                let mut fields = Map::new();
                if let Some(tools) = span.tools() {
                    fields.insert("tools".to_owned(), tools);
                }
                match &span.error {
                    Some(error) => record.failed(&own, error),
                    None => calls.take(record, &own, fields, input, None, answer),
                }
            }
            Job::Tool => {
                let called = span.called();
                record.at(Some(span.end));
                let result = span.either(&["gen_ai.tool.call.result", "output.value"]);
                let reply = span.error.clone().or(result);
                if let Some(reply) = reply.filter(|_| record.awaits(&own, &called.id)) {
                    record.replied(&own, &called.id, &reply, span.error.is_some());
                }
            }
            Job::Other => match &span.error {
                Some(error) if span.parent.is_empty() => {
                    record.ended(RunStatus::Failed, Some(wording::Message::quoted(error)));
                }
                _ => {
                    let kind = span.name.split(' ').next().unwrap_or_default();
                    if !["invoke_agent", "create_agent"].contains(&kind) {
                        out.unknown(kind);
                    }
                }
            },
        }
    }
}
