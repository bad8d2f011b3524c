//! Spans of OpenTelemetry as JSON (OTLP), which protobuf becomes before it is read, with the attributes of its GenAI
//! conventions, of OpenLLMetry or of OpenInference. The spans of one trace are one run. Messages may also come as log
//! records, which name their span; if that span is in no file, the records alone make up the request.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::calls::{Calls, message};
use super::plain::{Content, call, content, finish, items, text};
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
    logged: Vec<Logged>,
}

/// A record of a log, as an event of its span.
struct Logged {
    /// Empty: it names none.
    span: String,
    at: Millis,
    name: String,
    attributes: Map<String, Value>,
}

#[derive(Clone)]
struct Span {
    id: String,
    parent: String,
    name: String,
    start: Millis,
    end: Millis,
    attributes: Map<String, Value>,
    /// Its events: older conventions have the messages there.
    events: Vec<(String, Map<String, Value>)>,
    error: Option<String>,
}

impl Format for Otlp {
    fn take(&mut self, given: Given<'_>, out: &mut Out<'_>) {
        let Given { line, text: written, value } = given;
        let mut named: Vec<String> = Vec::new();
        let mut has_any = false;
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
        for resource in requests.iter().flat_map(|request| items(field(request, "resourceLogs", "resource_logs"))) {
            for scope in items(field(resource, "scopeLogs", "scope_logs")) {
                for record in items(field(scope, "logRecords", "log_records")) {
                    has_any = true;
                    let logged = read_record(record);
                    if !logged.name.starts_with("gen_ai.") {
                        out.unknown(if logged.name.is_empty() { "logRecords" } else { &logged.name });
                        continue;
                    }
                    let trace = field(record, "traceId", "trace_id").as_str().unwrap_or_default().to_owned();
                    self.traces.entry(trace.clone()).or_default().logged.push(logged);
                    if !named.contains(&trace) {
                        named.push(trace);
                    }
                }
            }
        }
        if named.is_empty() {
            if !has_any {
                out.unknown("resourceSpans");
            }
            return;
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
    let event = |event: &Value| (text(&event["name"]), self::attributes(&event["attributes"]));
    let events: Vec<_> = items(&span["events"]).map(event).collect();
    let thrown = events.iter().find(|(name, _)| name == "exception");
    let thrown = thrown.and_then(|(_, exception)| exception.get("exception.message")).and_then(Value::as_str);
    let status = span["status"]["message"].as_str().filter(|said| !said.is_empty());
    let said = status.or(thrown).or(attributes.get("error.type").and_then(Value::as_str));
    Span {
        id: id("spanId", "span_id"),
        parent: id("parentSpanId", "parent_span_id"),
        name: span["name"].as_str().unwrap_or_default().to_owned(),
        start: time("startTimeUnixNano", "start_time_unix_nano"),
        end: time("endTimeUnixNano", "end_time_unix_nano"),
        error: is_error.then(|| said.unwrap_or_default().to_owned()),
        attributes,
        events,
    }
}

fn read_record(record: &Value) -> Logged {
    let mut told = attributes(&record["attributes"]);
    let named = field(record, "eventName", "event_name").as_str().filter(|name| !name.is_empty()).map(str::to_owned);
    let name = named.or_else(|| told.get("event.name").and_then(Value::as_str).map(str::to_owned));
    let body = match any(&record["body"]) {
        // Some programs write other values as text.
        Value::String(written) => match serde_json::from_str(&written) {
            Ok(Value::Object(fields)) => fields,
            _ => Map::from_iter([("content".to_owned(), written.into())]),
        },
        Value::Object(fields) => fields,
        _ => Map::new(),
    };
    for (key, value) in body {
        told.entry(key).or_insert(value);
    }
    let at = |camel, snake| nanos(field(record, camel, snake)) / 1_000_000;
    let at = [at("timeUnixNano", "time_unix_nano"), at("observedTimeUnixNano", "observed_time_unix_nano")];
    Logged {
        span: field(record, "spanId", "span_id").as_str().unwrap_or_default().to_owned(),
        at: at.into_iter().find(|at| *at > 0).unwrap_or(0),
        name: name.unwrap_or_default(),
        attributes: told,
    }
}

/// Puts each record to the span that it names. Those of a span that is not there, up to an answer, are a request.
fn put_to_spans(mut logged: Vec<Logged>, spans: &mut Vec<Span>) {
    logged.sort_by_key(|record| record.at);
    let known = spans.len();
    let mut made: BTreeMap<String, usize> = BTreeMap::new();
    for Logged { span, at, name, attributes } in logged {
        let own = (!span.is_empty()).then(|| spans[..known].iter().position(|known| known.id == span)).flatten();
        let place = own.or_else(|| made.get(&span).copied()).unwrap_or_else(|| {
            spans.push(Span::made(&span, at));
            made.insert(span.clone(), spans.len() - 1);
            spans.len() - 1
        });
        let is_over = is_answer(&name);
        let held = &mut spans[place];
        if own.is_none() {
            held.end = at;
            for key in ["gen_ai.request.model", "gen_ai.response.model", "gen_ai.agent.name"] {
                if let Some(value) = attributes.get(key) {
                    held.attributes.insert(key.to_owned(), value.clone());
                }
            }
        }
        held.events.push((name, attributes));
        if is_over && span.is_empty() {
            made.remove(&span);
        }
    }
}

fn is_answer(name: &str) -> bool {
    ["gen_ai.choice", "gen_ai.client.inference.operation.details"].contains(&name)
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
    /// A request of which there are records of a log alone.
    fn made(id: &str, at: Millis) -> Self {
        Self {
            id: id.to_owned(),
            parent: String::new(),
            name: "chat".to_owned(),
            start: at,
            end: at,
            attributes: Map::from_iter([("gen_ai.operation.name".to_owned(), "chat".into())]),
            events: Vec::new(),
            error: None,
        }
    }

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

    /// An attribute that is JSON, written as a text or as what it is; of the span, or of the event that has the details of
    /// a request.
    fn json(&self, key: &str) -> Option<Value> {
        let of_events = self.events.iter().find_map(|(_, attributes)| attributes.get(key));
        read_json(self.attributes.get(key).or(of_events)?)
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
        let system = self.json("gen_ai.system_instructions");
        let system = system.map(|parts| message("system", &parts_text(&parts).into(), &[], None));
        let mut messages: Vec<Value> = system.into_iter().collect();
        match self.json("gen_ai.input.messages") {
            Some(told) => messages.extend(items(&told).flat_map(of_parts)),
            None => {
                for prefix in ["llm.input_messages", "gen_ai.prompt"] {
                    messages.extend(items(&self.spelled(prefix)).map(of_spelled));
                }
                messages.extend(self.events.iter().flat_map(|(name, attributes)| asked(name, attributes)));
            }
        }
        if messages.iter().all(|message| message["role"] == "system") {
            // Some record what went in and came out without its form.
            let whole = self.attributes.get("input.value").map(text_of).unwrap_or_default();
            let told = serde_json::from_str::<Value>(&whole).unwrap_or_default();
            match items(&told["messages"]).next() {
                Some(_) => messages.extend(items(&told["messages"]).filter(|told| told["role"].is_string()).cloned()),
                None if !whole.is_empty() => messages.push(message("user", &whole.into(), &[], None)),
                None => {}
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
        output.extend(self.events.iter().flat_map(|(name, attributes)| answered_in(name, attributes)));
        if output.is_empty()
            && let Some(whole) = self.attributes.get("output.value")
        {
            output.push(spoken(&text_of(whole)));
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
            finish: finish(&reasons[0]).or_else(|| finish(&output.first()?["finish_reason"])),
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
        let arguments = ["gen_ai.tool.call.arguments", "tool.parameters", "input.value", "traceloop.entity.input"];
        let arguments = self.either(&arguments);
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

/// An answer of which only the whole was recorded: the server's own, or what it says.
fn spoken(whole: &str) -> Value {
    let told = serde_json::from_str::<Value>(whole).unwrap_or_default();
    let of_choice = &told["choices"][0]["message"];
    if of_choice.is_object() {
        of_choice.clone()
    } else if told["content"].is_array() && told["role"] == "assistant" {
        told
    } else {
        message("assistant", &whole.into(), &[], None)
    }
}

fn read_json(value: &Value) -> Option<Value> {
    match value {
        Value::String(written) => serde_json::from_str(written).ok(),
        value => Some(value.clone()),
    }
}

/// The messages of an event by which a request was recorded before attributes had them: `gen_ai.user.message` with what it
/// says, or `gen_ai.content.prompt` with all of them.
fn asked(name: &str, attributes: &Map<String, Value>) -> Vec<Value> {
    if name == "gen_ai.content.prompt" {
        let told = attributes.get("gen_ai.prompt").and_then(read_json).unwrap_or_default();
        return items(&told).filter(|told| told["role"].is_string()).map(of_spelled).collect();
    }
    let role = name.strip_prefix("gen_ai.").and_then(|rest| rest.strip_suffix(".message"));
    let Some(role) = role.filter(|role| ["system", "user", "assistant", "tool"].contains(role)) else {
        return Vec::new();
    };
    vec![of_event(role, attributes)]
}

/// The answer in an event: `gen_ai.choice`, or `gen_ai.content.completion`.
fn answered_in(name: &str, attributes: &Map<String, Value>) -> Vec<Value> {
    match name {
        "gen_ai.choice" => {
            let told = attributes.get("message").and_then(read_json);
            let mut answer = match told {
                Some(told) => of_spelled(&told),
                None => of_event("assistant", attributes),
            };
            answer["role"] = "assistant".into();
            answer["finish_reason"] = attributes.get("finish_reason").cloned().unwrap_or_default();
            vec![answer]
        }
        "gen_ai.content.completion" => {
            let told = attributes.get("gen_ai.completion").and_then(read_json).unwrap_or_default();
            items(&told).map(of_spelled).collect()
        }
        _ => Vec::new(),
    }
}

fn of_event(role: &str, attributes: &Map<String, Value>) -> Value {
    let mut told = attributes.clone();
    told.insert("role".to_owned(), role.into());
    for key in ["content", "tool_calls"] {
        // Values that are not texts are written as text.
        let read = told.get(key).and_then(read_json).filter(|read| read.is_array() || read.is_object());
        if let Some(read) = read {
            told.insert(key.to_owned(), read);
        }
    }
    if let (None, Some(id)) = (told.get("tool_call_id"), told.get("id").cloned()) {
        told.insert("tool_call_id".to_owned(), id);
    }
    of_spelled(&Value::Object(told))
}

/// A message of the GenAI conventions, of which each result of a tool is a message here.
fn of_parts(told: &Value) -> Vec<Value> {
    let role = told["role"].as_str().unwrap_or("user");
    let (mut said, mut thought, mut calls, mut messages) = (Content::default(), String::new(), Vec::new(), Vec::new());
    for part in items(&told["parts"]) {
        match part["type"].as_str() {
            Some("tool_call" | "server_tool_call") => calls.push(call(&part["id"], &part["name"], &part["arguments"])),
            Some("tool_call_response" | "server_tool_call_response") => {
                let reply = ["response", "result", "content"].iter().find_map(|key| part.get(*key));
                messages.push(message("tool", &content(reply.unwrap_or(&Value::Null)), &[], part["id"].as_str()));
            }
            Some("reasoning") => thought.push_str(&text(&part["content"])),
            _ => match super::plain::image(part) {
                Some(image) => said.images.push(image),
                None if part["type"] == "blob" || part["type"] == "file" || part["type"] == "uri" => {
                    let medium = ["modality", "mime_type", "type"].iter().find_map(|key| part[*key].as_str());
                    said.text.extend(["[", medium.unwrap_or_default(), "]"]);
                }
                None => said.text.push_str(&text(if part["content"].is_null() { part } else { &part["content"] })),
            },
        }
    }
    if told["parts"].is_null() {
        said = content(&told["content"]);
    }
    if messages.is_empty() || !said.is_empty() || !calls.is_empty() {
        let mut whole = message(role, &said, &calls, told["tool_call_id"].as_str());
        if !thought.is_empty() {
            whole["reasoning_content"] = thought.into();
        }
        if !told["finish_reason"].is_null() {
            whole["finish_reason"] = told["finish_reason"].clone();
        }
        messages.insert(0, whole);
    }
    messages
}

/// A message of OpenInference, or of OpenLLMetry, which has nothing around it.
fn of_spelled(told: &Value) -> Value {
    let told = if told["message"].is_object() { &told["message"] } else { told };
    let said = match &told["content"] {
        Value::Null => {
            let parts = || items(&told["contents"]).map(|part| &part["message_content"]);
            Content {
                text: parts().map(|part| text(if part["text"].is_string() { &part["text"] } else { part })).collect(),
                images: parts().filter_map(super::plain::image).collect(),
                documents: Vec::new(),
            }
        }
        written => content(&written.as_str().filter(|text| text.starts_with("[{")).map_or_else(
            || written.clone(),
            // OpenLLMetry writes parts as JSON in a text.
            |text| serde_json::from_str(text).unwrap_or_else(|_| written.clone()),
        )),
    };
    let called = |called: &Value| {
        let called = if called["tool_call"].is_object() { &called["tool_call"] } else { called };
        let function = if called["function"].is_object() { &called["function"] } else { called };
        call(&called["id"], &function["name"], &function["arguments"])
    };
    let calls: Vec<ToolCall> = items(&told["tool_calls"]).map(called).collect();
    let mut whole = message(told["role"].as_str().unwrap_or("user"), &said, &calls, told["tool_call_id"].as_str());
    if told["finish_reason"].is_string() {
        whole["finish_reason"] = told["finish_reason"].clone();
    }
    whole
}

fn tell(trace: Trace, record: &mut Record, out: &mut Out<'_>) {
    let Trace { lines, mut spans, logged } = trace;
    put_to_spans(logged, &mut spans);
    lines.iter().for_each(|(line, text)| record.source(*line, text));
    // A tool's result is placed at its end, and a request at its beginning.
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
                    // Of the answer, only the calls that were carried out were recorded.
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
                let result = span.either(&["gen_ai.tool.call.result", "output.value", "traceloop.entity.output"]);
                let reply = span.error.clone().or(result);
                if let Some(reply) = reply.filter(|_| record.awaits(&own, &called.id)) {
                    record.replied(&own, &called.id, reply, span.error.is_some());
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
