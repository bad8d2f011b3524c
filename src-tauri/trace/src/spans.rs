//! A run as spans of OpenTelemetry, by its conventions for generative AI (`gen_ai.*`): an agent for each prompt of the
//! user and each sub-agent, and in it the requests and the calls. The trace has the id of the run, and each span an id
//! that depends only on the run and its step, so sending it twice changes nothing. How spans reach a server is not
//! here.

mod attributes;

use std::collections::HashMap;

use opentelemetry_proto::tonic::collector::trace::v1::{ExportTraceServiceRequest, ExportTraceServiceResponse};
use opentelemetry_proto::tonic::common::v1::{InstrumentationScope, KeyValue, any_value};
use opentelemetry_proto::tonic::resource::v1::Resource;
use opentelemetry_proto::tonic::trace::v1::span::SpanKind;
use opentelemetry_proto::tonic::trace::v1::status::StatusCode;
use opentelemetry_proto::tonic::trace::v1::{ResourceSpans, ScopeSpans, Span, Status};
use prost::Message as _;
use sha2::{Digest, Sha256};

use self::attributes::{Attributes, NAME};
use crate::clock::Millis;
use crate::open_run::OpenRun;
use crate::{ContextAtStep, RunId, RunStatus, Step, StepKind, StepState};

/// Which parts of a run its spans contain.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Said {
    /// The contents: prompts, answers, arguments and results.
    pub contents: bool,
    /// The attributes `gen_ai.skill.*`, which are a draft.
    pub skills: bool,
}

/// Makes each span of a run once, when its step or turn is over.
#[derive(Debug)]
pub struct Spans {
    run: RunId,
    said: Said,
    version: String,
    /// For each step so far.
    places: Vec<Parent>,
    /// The event of the last prompt of the user.
    root: Option<u32>,
    /// Events of calls, by their ids: sub-agents are named by them.
    calls: HashMap<String, u32>,
    /// Steps below this one are all made.
    from: usize,
    made: Vec<bool>,
    /// Calls that began a conversation.
    agents: HashMap<u32, String>,
    /// The provider whose protocol the last request used.
    provider: Option<&'static str>,
}

/// Where a step is in the tree.
#[derive(Debug, Clone, Copy)]
struct Parent {
    root: Option<u32>,
    /// The call that started its sub-agent.
    call: Option<u32>,
}

impl Spans {
    /// `version`: of this program.
    pub fn new(run: RunId, said: Said, version: &str) -> Self {
        Self {
            run,
            said,
            version: version.to_owned(),
            places: Vec::new(),
            root: None,
            calls: HashMap::new(),
            from: 0,
            made: Vec::new(),
            agents: HashMap::new(),
            provider: None,
        }
    }

    /// At most `most` steps whose spans can be made now and were not made before. A prompt comes after all spans that
    /// belong to it.
    pub fn due(&mut self, open: &OpenRun, most: usize) -> Vec<u32> {
        for step in &open.steps()[self.places.len()..] {
            self.place(step);
        }
        let steps = open.steps();
        let is_over = open.fold().status() != RunStatus::Running;
        let last_prompt = steps.iter().rposition(is_prompt);
        while self.made.get(self.from).is_some_and(|made| *made) {
            self.from += 1;
        }
        let due = (self.from..steps.len()).filter(|place| {
            let is_ready = match &steps[*place].kind {
                StepKind::Prompt { .. } if is_prompt(&steps[*place]) => {
                    let of_turn = turn(steps, *place).len();
                    let is_ended = is_over || last_prompt.is_some_and(|last| last > *place);
                    is_ended && self.made[place + 1..place + of_turn].iter().all(|made| *made)
                }
                StepKind::Prompt { .. } => true,
                StepKind::Answer { .. } | StepKind::Tool { .. } => is_closed(&steps[*place]),
                StepKind::Note { .. } | StepKind::End { .. } => true,
            };
            is_ready && !self.made[*place]
        });
        due.take(most).filter_map(|place| u32::try_from(place).ok()).collect()
    }

    /// All steps so far count as made.
    pub fn skip(&mut self, open: &OpenRun) {
        for step in &open.steps()[self.places.len()..] {
            self.place(step);
        }
        self.made.fill(true);
    }

    /// The spans of a step that is [due](Spans::due). `context`: at that step, if it is an answer.
    pub fn make(&mut self, open: &OpenRun, step: u32, context: Option<&ContextAtStep>) -> Vec<Span> {
        let place = step as usize;
        let Some(step) = open.steps().get(place) else { return Vec::new() };
        if let Some(made) = self.made.get_mut(place) {
            *made = true;
        }
        let mut attributes = Attributes::new(self.said, self.run);
        let span = Span {
            trace_id: self.run.0.as_bytes().to_vec(),
            span_id: self.id(step.event, Part::Own),
            parent_span_id: self.parent(place),
            kind: SpanKind::Internal.into(),
            start_time_unix_nano: nanos(step.at),
            end_time_unix_nano: nanos(step.at + step.took.unwrap_or(0)),
            ..Span::default()
        };
        match &step.kind {
            StepKind::Prompt { text, images, .. } if is_prompt(step) => {
                let turn = turn(open.steps(), place);
                let is_last = place + turn.len() == open.steps().len();
                let summary = open.fold().summary(self.run, false);
                let ended = turn.iter().map(|step| step.at + step.took.unwrap_or(0)).max().unwrap_or(step.at);
                let ended = summary.as_ref().and_then(|summary| summary.ended_at).filter(|_| is_last).unwrap_or(ended);
                let mut agent = Span { parent_span_id: Vec::new(), ..span };
                agent.end_time_unix_nano = nanos(ended);
                let Some(summary) = summary else { return Vec::new() };
                agent.name = format!("invoke_agent {}", summary.setup.harness);
                attributes.agent(&summary.setup, self.provider, (text, images), last_words(turn));
                if is_last {
                    agent.status = run_status(summary.status, summary.error.as_deref(), &mut attributes);
                }
                vec![Span { attributes: attributes.done(), ..agent }]
            }
            // No model was asked.
            StepKind::Answer { edited: true, .. } => Vec::new(),
            StepKind::Answer { error, .. } => {
                let (provider, model) = attributes.request(open, step, context);
                self.provider = Some(provider);
                let (name, kind) = (format!("chat {model}"), SpanKind::Client.into());
                let mut chat = Span { name, kind, ..span };
                let failed = (step.state != StepState::Done).then(|| error.clone().unwrap_or_default());
                chat.status = failed.map(|why| Status { message: why, code: StatusCode::Error.into() });
                vec![Span { attributes: attributes.done(), ..chat }]
            }
            StepKind::Tool { call, .. } => {
                let mut tool = Span { name: format!("execute_tool {}", call.name), ..span };
                attributes.call(step);
                if step.state != StepState::Done {
                    tool.status = Some(Status { message: String::new(), code: StatusCode::Error.into() });
                }
                let tool = Span { attributes: attributes.done(), ..tool };
                let Some(name) = self.agents.get(&step.event) else { return vec![tool] };
                let mut attributes = Attributes::new(self.said, self.run);
                attributes.sub_agent(name);
                let agent = Span {
                    span_id: self.id(step.event, Part::Agent),
                    parent_span_id: tool.span_id.clone(),
                    name: format!("invoke_agent {name}"),
                    attributes: attributes.done(),
                    status: None,
                    ..tool.clone()
                };
                vec![tool, agent]
            }
            StepKind::Prompt { .. } | StepKind::Note { .. } | StepKind::End { .. } => Vec::new(),
        }
    }

    /// A message that exports spans.
    pub fn message(&self, spans: Vec<Span>) -> Vec<u8> {
        request(spans, &self.version).encode_to_vec()
    }

    fn place(&mut self, step: &Step) {
        if is_prompt(step) {
            self.root = Some(step.event);
        }
        let call = step.within.as_ref().and_then(|call| self.calls.get(call).copied());
        self.places.push(Parent { root: self.root, call });
        self.made.push(false);
        if let (Some(call), StepKind::Answer { agents, .. }) = (call, &step.kind) {
            let name = agents.last().cloned().or_else(|| step.within.clone()).unwrap_or_default();
            self.agents.entry(call).or_insert(name);
        }
        if let StepKind::Tool { call, .. } = &step.kind {
            self.calls.insert(call.id.clone(), step.event);
        }
    }

    fn parent(&self, place: usize) -> Vec<u8> {
        match self.places.get(place) {
            Some(Parent { call: Some(call), .. }) => self.id(*call, Part::Agent),
            Some(Parent { root: Some(root), .. }) => self.id(*root, Part::Own),
            Some(Parent { root: None, call: None }) | None => Vec::new(),
        }
    }

    fn id(&self, event: u32, part: Part) -> Vec<u8> {
        let mut digest = Sha256::new();
        digest.update(self.run.0.as_bytes());
        digest.update(event.to_be_bytes());
        digest.update([part as u8]);
        digest.finalize()[..8].to_vec()
    }
}

/// The part of a step that a span describes.
#[derive(Clone, Copy)]
enum Part {
    Own,
    /// The sub-agent that a call began.
    Agent,
}

fn is_prompt(step: &Step) -> bool {
    step.within.is_none() && matches!(step.kind, StepKind::Prompt { .. })
}

fn is_closed(step: &Step) -> bool {
    match step.state {
        StepState::Running | StepState::Waiting => false,
        StepState::Done | StepState::Failed | StepState::Stopped => true,
    }
}

/// A prompt with everything that followed.
fn turn(steps: &[Step], prompt: usize) -> &[Step] {
    let rest = &steps[prompt..];
    &rest[..rest.iter().skip(1).position(is_prompt).map_or(rest.len(), |next| next + 1)]
}

/// Of the agent itself.
fn last_words(turn: &[Step]) -> Option<&str> {
    turn.iter().rev().filter(|step| step.within.is_none()).find_map(|step| match &step.kind {
        StepKind::Answer { text, .. } if !text.is_empty() => Some(text.as_str()),
        _ => None,
    })
}

fn run_status(status: RunStatus, error: Option<&str>, attributes: &mut Attributes) -> Option<Status> {
    match status {
        RunStatus::Running | RunStatus::Done => None,
        RunStatus::Failed | RunStatus::Limited | RunStatus::Interrupted | RunStatus::Stopped => {
            attributes.error(status.word());
            let code = if status == RunStatus::Stopped { StatusCode::Unset } else { StatusCode::Error };
            Some(Status { message: error.unwrap_or_default().to_owned(), code: code.into() })
        }
    }
}

fn nanos(at: Millis) -> u64 {
    u64::try_from(at).unwrap_or(0).saturating_mul(1_000_000)
}

fn request(spans: Vec<Span>, version: &str) -> ExportTraceServiceRequest {
    let resource =
        [attributes::text("service.name", NAME), attributes::text("service.version", version)].into_iter().collect();
    let scope = InstrumentationScope { name: NAME.to_owned(), version: version.to_owned(), ..Default::default() };
    ExportTraceServiceRequest {
        resource_spans: vec![ResourceSpans {
            resource: Some(Resource { attributes: resource, ..Resource::default() }),
            scope_spans: vec![ScopeSpans { scope: Some(scope), spans, schema_url: SCHEMA.to_owned() }],
            schema_url: SCHEMA.to_owned(),
        }],
    }
}

/// The conventions that attributes follow: the last version before those for generative AI moved to a repository of their
/// own, where some have other names since.
pub const SCHEMA: &str = "https://opentelemetry.io/schemas/1.41.0";

/// A server's report about spans that it did not accept: how many, and why; `None`: it accepted all.
pub fn rejected(answer: &[u8]) -> Option<(u64, String)> {
    let answer = ExportTraceServiceResponse::decode(answer).ok()?;
    let partial = answer.partial_success?;
    let rejected = u64::try_from(partial.rejected_spans).unwrap_or(0);
    (rejected > 0).then_some((rejected, partial.error_message))
}

/// Every text in a span that comes from the run.
pub fn texts(span: &mut Span, each: &mut impl FnMut(&mut String)) {
    each(&mut span.name);
    if let Some(status) = &mut span.status {
        each(&mut status.message);
    }
    for KeyValue { value, .. } in &mut span.attributes {
        texts_of(value.as_mut().and_then(|value| value.value.as_mut()), each);
    }
}

fn texts_of(value: Option<&mut any_value::Value>, each: &mut impl FnMut(&mut String)) {
    match value {
        Some(any_value::Value::StringValue(text)) => each(text),
        Some(any_value::Value::ArrayValue(list)) => {
            list.values.iter_mut().for_each(|value| texts_of(value.value.as_mut(), each));
        }
        _ => {}
    }
}

/// Bytes that a span takes in a message.
pub fn weight(span: &Span) -> usize {
    span.encoded_len()
}

pub use opentelemetry_proto::tonic::trace::v1::Span as OtlpSpan;

#[cfg(test)]
mod tests;
