//! A model that answers from a list.

use std::sync::{Arc, Mutex};

use futures::stream::{self, BoxStream, StreamExt};

use model::{
    ChatModel, FinishReason, Message, ModelError, ModelEvent, ModelRequest, Part, ToolChoice, Usage, WireRequest,
};

/// One answer of the fake model, and whether the stream then stays open for ever.
pub(in crate::tests) struct Script {
    events: Vec<Result<ModelEvent, ModelError>>,
    hangs: bool,
}

pub(in crate::tests) fn says(text: &str) -> Script {
    let pieces = text.split_inclusive(' ').map(|piece| Ok(ModelEvent::Text { delta: piece.into() }));
    let finish = ModelEvent::Finish { reason: FinishReason::Stop };
    Script { events: pieces.chain([Ok(finish)]).collect(), hangs: false }
}

pub(in crate::tests) fn says_and_hangs(text: &str) -> Script {
    Script { events: vec![Ok(ModelEvent::Text { delta: text.into() })], hangs: true }
}

pub(in crate::tests) fn says_and_breaks(text: &str, error: ModelError) -> Script {
    Script { events: vec![Ok(ModelEvent::Text { delta: text.into() }), Err(error)], hangs: false }
}

pub(in crate::tests) fn is_silent() -> Script {
    Script { events: Vec::new(), hangs: false }
}

/// Calls as `(id, tool, arguments)`, each streamed in two pieces.
pub(in crate::tests) fn calls(calls: &[(&str, &str, &str)]) -> Script {
    let mut events = Vec::new();
    for (index, (id, name, arguments)) in (0..).zip(calls) {
        let (head, tail) = arguments.split_at(arguments.len() / 2);
        let id = (!id.is_empty()).then(|| (*id).to_owned());
        let name = Some((*name).to_owned());
        events.push(Ok(ModelEvent::ToolCall { index, id, name, arguments: head.into() }));
        events.push(Ok(ModelEvent::ToolCall { index, id: None, name: None, arguments: tail.into() }));
    }
    events.push(Ok(ModelEvent::Finish { reason: FinishReason::ToolCalls }));
    Script { events, hangs: false }
}

/// The answer without a sign that it is complete.
pub(in crate::tests) fn cut(mut script: Script) -> Script {
    script.events.pop();
    script.events.push(Ok(ModelEvent::Finish { reason: FinishReason::PerhapsCut }));
    script
}

/// The answer, with the tokens that the provider counts.
pub(in crate::tests) fn counted(mut script: Script, input: u32, output: u32) -> Script {
    script.events.push(Ok(ModelEvent::Usage(Usage { input, output, ..Usage::default() })));
    script
}

#[derive(Clone)]
pub(super) struct FakeModel {
    pub(super) label: &'static str,
    pub(super) answers: Arc<Mutex<std::vec::IntoIter<Script>>>,
}

impl ChatModel for FakeModel {
    fn label(&self) -> &str {
        self.label
    }

    fn encode(&self, request: &ModelRequest) -> WireRequest {
        WireRequest { url: None, body: encode(self.label, request).into(), streamed: true }
    }

    fn send(&self, _wire: &WireRequest, _request: &ModelRequest) -> BoxStream<'static, Result<ModelEvent, ModelError>> {
        let Script { events, hangs } = self.answers.lock().unwrap().next().expect("the run asks no more than planned");
        let events = stream::iter(events);
        if hangs { events.chain(stream::pending()).boxed() } else { events.boxed() }
    }
}

/// A readable body: the messages, and settings that are not the usual ones.
fn encode(model: &str, request: &ModelRequest) -> String {
    let mut body = request.messages.iter().map(plain).collect::<Vec<_>>().join(" / ");
    if model != "fake-1" {
        body.insert_str(0, &format!("[{model}] "));
    }
    if request.tool_choice == Some(ToolChoice::None) {
        body.push_str(" [no calls]");
    }
    if request.tools.iter().map(|tool| tool.name.as_str()).ne(["load"]) {
        body.push_str(&format!(" {:?}", request.tools.iter().map(|tool| &tool.name).collect::<Vec<_>>()));
    }
    if let Some(tokens) = request.parameters.max_tokens {
        body.push_str(&format!(" [at most {tokens}]"));
    }
    body
}

pub(super) fn plain(message: &Message) -> String {
    let part = |part: &Part| match part {
        Part::Text { text } => text.clone(),
        Part::Reasoning { .. } | Part::Image(_) | Part::Document(_) | Part::CachePoint => String::new(),
        Part::ToolCall(call) => format!("{}{}", call.name, call.arguments),
        Part::ToolResult(result) => result.wire.clone().unwrap_or_else(|| result.text.clone()),
    };
    message.parts.iter().map(part).collect::<Vec<_>>().join("; ")
}
