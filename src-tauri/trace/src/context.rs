//! The context window at a step: the recorded request if there is one, byte for byte, and only if there is none yet,
//! the request before it with what came since, marked as reconstructed. A step of a sub-agent shows the sub-agent's
//! context.

mod alignment;
mod difference;
mod places;
mod skills;
mod wire;

use std::collections::{HashMap, VecDeque};
use std::ops::Range;

pub use self::difference::{difference, difference_of_messages};
pub(crate) use self::places::Places;
pub use self::places::Reads;
pub(crate) use self::skills::Loads;
pub use self::wire::protocol;
use self::wire::{ShownMessage, ShownTool};
use super::{ContextAtStep, ContextMessage, ContextTool, Event, EventKind, MessageOrigin, OriginMark, RunSetup};
use harness::{GroupState, Origin};
use model::{Document, Image, Message, Part, Role, ToolCall, ToolResult};
use skill::source::Span;

/// * An answer's context is its own request; `added` is what the request before it did not have.
/// * A tool call's context is the next request up to and with the call's reply; `added` is what the step before did not
///   have. Until that request goes out, replies are put after the last one.
/// * A prompt's context is the first request that it is in; until that goes out, the prompt is put after what was
///   there.
/// * A note and an end show the context they found.
///
/// `events` are those that [`Places::reads`] names, the event that began the step among them if contexts are made of
/// it. `sent`: requests before this number were recorded by another program.
pub(crate) fn assemble(events: &[Event], begun: u32, step: u32, sent: u32) -> ContextAtStep {
    let here = events.partition_point(|event| event.seq < begun);
    // Of all others, only the places count.
    let marker = Event { seq: begun, at: 0, within: None, kind: EventKind::Source { line: 0, text: String::new() } };
    let mut own: Vec<&Event> = events.iter().collect();
    if events.get(here).is_none_or(|event| event.seq != begun) {
        own.insert(here, &marker);
    }
    View::at(&own, here).against(View::before(&own, here), step, sent)
}

/// A group is active if its tools are offered to the model.
pub(crate) fn groups(known: &[GroupState], tools: &[ContextTool]) -> Vec<GroupState> {
    let is_told = |name: &String| tools.iter().any(|tool| tool.name == *name);
    known.iter().map(|group| GroupState { is_active: group.tools.iter().all(is_told), ..group.clone() }).collect()
}

/// The messages of a request's body: who says what.
pub(crate) fn shown(body: &str) -> Vec<(Role, String)> {
    wire::read(body).messages.into_iter().map(|message| (message.role, message.text)).collect()
}

/// What a request's body has in front of the conversation: system messages, and the definitions of tools as JSON.
pub(crate) fn set_up(body: &str) -> (Vec<String>, Vec<String>) {
    let shown = wire::read(body);
    let system = shown.messages.into_iter().filter(|message| message.role == Role::System);
    (system.map(|message| message.text).collect(), shown.tools.into_iter().map(|tool| tool.json).collect())
}

/// Whether a request is one of Anthropic's.
pub(crate) fn is_anthropic(request: &serde_json::Value) -> bool {
    wire::is_anthropic(request)
}

/// A file as a protocol writes it in a message.
pub(crate) fn document(part: &serde_json::Value) -> Option<Document> {
    wire::document(part)
}

/// Whether anything can be read in a request's body.
pub fn is_readable(body: &str) -> bool {
    wire::read(body) != wire::Shown::default()
}

/// The run's own conversation as it was at the last event: the messages of the last request as recorded, and what was
/// answered, replied and said since. Without system messages, which are made again for each request.
pub fn last_known(events: &[Event]) -> Vec<(Message, Vec<OriginMark>)> {
    let own: Vec<&Event> = events.iter().filter(|event| event.within.is_none()).collect();
    let asked =
        own.iter().rposition(|event| matches!(&event.kind, EventKind::Requested { body, .. } if !body.is_empty()));
    let mut known = asked.and_then(|place| request(&own, place)).map_or_else(Vec::new, |request| messages_of(&request));
    let whole = |text: &str, origin: Origin| OriginMark { span: Span::new(0, text.len()), origin };
    for event in &own[asked.map_or(0, |place| place + 1)..] {
        match &event.kind {
            EventKind::Started { setup } | EventKind::Continued { setup } => {
                known.push((Message::prompt(&setup.prompt, &setup.images), vec![whole(&setup.prompt, Origin::User)]));
            }
            EventKind::Answered { message, .. } | EventKind::Shown { message, .. } => {
                known.push((message.clone(), Vec::new()));
            }
            EventKind::Replied { call_id, text, images, documents, wire, is_error, .. } => {
                let (call_id, text, wire) = (call_id.clone(), text.clone(), wire.clone());
                let marks = vec![whole(wire.as_ref().unwrap_or(&text), Origin::Framework)];
                let result = ToolResult { call_id, text, wire, is_error: *is_error };
                known.push((Message::pictured_result(result, images).with_documents(documents), marks));
            }
            _ => {}
        }
    }
    known
}

fn messages_of(request: &Request<'_>) -> Vec<(Message, Vec<OriginMark>)> {
    let shown = wire::read(request.body).messages;
    let origins = alignment::align(&shown, &request.origins);
    let with_marks = shown.into_iter().zip(origins).filter(|(shown, _)| shown.role != Role::System);
    let message = |shown: ShownMessage| match shown {
        ShownMessage { role: Role::Tool, text, images, documents, call_id, .. } => {
            let call_id = call_id.unwrap_or_default();
            let result = ToolResult { call_id, text, wire: None, is_error: false };
            Message::pictured_result(result, &images).with_documents(&documents)
        }
        ShownMessage { role, text, images, documents, calls, .. } => {
            let said = (!text.is_empty() || calls.is_empty()).then_some(Part::Text { text });
            let media = images.into_iter().map(Part::Image).chain(documents.into_iter().map(Part::Document));
            let further = media.chain(calls.into_iter().map(Part::ToolCall));
            Message { role, parts: said.into_iter().chain(further).collect() }
        }
    };
    with_marks
        .map(|(shown, origin)| (message(shown), origin.map_or_else(Vec::new, |origin| origin.marks.clone())))
        .collect()
}

/// Whether later requests without a body can continue from this one: it says where its messages came from.
fn brings_body(event: &Event) -> bool {
    matches!(&event.kind, EventKind::Requested { origins, .. } if !origins.is_empty())
}

/// What the model is shown now and was not shown before.
#[derive(Default)]
struct View {
    body: Option<String>,
    /// The number of the request that its first messages are from.
    base: Option<u32>,
    tools: Vec<ShownTool>,
    messages: Vec<ViewMessage>,
    tokens: u32,
}

struct ViewMessage {
    shown: ShownMessage,
    marks: Vec<OriginMark>,
    tokens: u32,
    reconstructed: bool,
}

impl View {
    /// At the step that the event at `here` began.
    fn at(events: &[&Event], here: usize) -> Self {
        match &events[here].kind {
            EventKind::Started { setup } => request_of_prompt(events, here)
                .map_or_else(|| Self::of_setup(setup), |first| Self::of_request(events, first)),
            EventKind::Continued { setup } => request_of_prompt(events, here)
                .map_or_else(|| Self::said_behind(events, here, setup), |first| Self::of_request(events, first)),
            EventKind::Called { call, .. } => {
                Self::with_reply(events, here, call).unwrap_or_else(|| Self::put_together(events, here))
            }
            EventKind::Requested { .. } => Self::of_request(events, here),
            _ => Self::found_at(events, here),
        }
    }

    /// The context that [`View::at`] the same place is compared with.
    fn before(events: &[&Event], here: usize) -> Self {
        match &events[here].kind {
            EventKind::Started { .. } => Self::default(),
            EventKind::Requested { .. } | EventKind::Continued { .. } => {
                last_request(events, here).map_or_else(Self::default, |before| Self::of_request(events, before))
            }
            EventKind::Called { .. } => match calls_since_request(events, here).rev().nth(1) {
                Some(earlier) => Self::at(events, earlier),
                None => {
                    last_request(events, here).map_or_else(Self::default, |before| Self::of_request(events, before))
                }
            },
            _ => Self::found_at(events, here),
        }
    }

    /// As the last prompt, request or call before an event left it.
    fn found_at(events: &[&Event], here: usize) -> Self {
        let shows = |event: &&Event| {
            matches!(
                event.kind,
                EventKind::Started { .. }
                    | EventKind::Continued { .. }
                    | EventKind::Requested { .. }
                    | EventKind::Called { .. }
            )
        };
        events[..here].iter().rposition(shows).map_or_else(Self::default, |place| Self::at(events, place))
    }

    fn of(request: &Request<'_>) -> Self {
        let shown = wire::read(request.body);
        let origins = alignment::align(&shown.messages, &request.origins);
        let messages = shown.messages.into_iter().zip(origins).map(|(shown, origin)| ViewMessage {
            marks: origin.map_or_else(Vec::new, |origin| in_utf16(&origin.marks, &shown.text)),
            tokens: origin.map_or(0, |origin| origin.tokens),
            reconstructed: false,
            shown,
        });
        Self {
            body: Some(request.body.to_owned()),
            base: Some(request.seq),
            messages: messages.collect(),
            tools: shown.tools,
            tokens: request.tokens,
        }
    }

    /// The request at a place. If its body was not recorded, it continues from the last one with a body, followed by
    /// what was answered, replied, shown and said since.
    fn of_request(events: &[&Event], here: usize) -> Self {
        let Some(own) = request(events, here) else { return Self::default() };
        if !own.body.is_empty() {
            return Self::of(&own);
        }
        let Some(base) = (0..=here).rev().find(|place| brings_body(events[*place])) else { return Self::default() };
        let mut view = request(events, base).map_or_else(Self::default, |base| Self::of(&base));
        view.body = None;
        let mut tools: HashMap<&str, &str> = HashMap::new();
        for event in &events[base..here] {
            match &event.kind {
                EventKind::Answered { message, tokens, .. } => view.put_behind(answer(message), None, *tokens),
                EventKind::Called { call, .. } => {
                    tools.insert(&call.id, &call.name);
                }
                EventKind::Replied { call_id, text, images, documents, wire, tokens, .. } => {
                    let tool = tools.get(call_id.as_str()).map(|tool| Origin::Tool { tool: (*tool).to_owned() });
                    let reply = replied(wire.as_ref().unwrap_or(text), (images, documents), call_id);
                    view.put_behind(reply, tool, *tokens);
                }
                EventKind::Shown { message, tokens } => {
                    let images: Vec<Image> = message.images().cloned().collect();
                    let documents = message.documents().cloned().collect();
                    let shown = ShownMessage { documents, ..said(message.role, &message.text(), &images) };
                    view.put_behind(shown, Some(Origin::Framework), *tokens);
                }
                EventKind::Continued { setup } => {
                    let tokens = model::tokens::count(&setup.prompt);
                    view.put_behind(prompt(setup), Some(Origin::User), tokens);
                }
                _ => {}
            }
        }
        view
    }

    fn of_setup(setup: &RunSetup) -> Self {
        let mut view = Self { tokens: setup.catalogue_tokens, ..Self::default() };
        view.put_behind(prompt(setup), Some(Origin::User), 0);
        view
    }

    /// The messages that the turn before left, and the next prompt.
    fn said_behind(events: &[&Event], here: usize, setup: &RunSetup) -> Self {
        let mut view = Self::put_together(events, here);
        view.put_behind(prompt(setup), Some(Origin::User), 0);
        view
    }

    /// The next request up to and with the reply of a call, and what the framework puts behind the last reply of a
    /// round; `None` if there is none or the reply is not in it.
    fn with_reply(events: &[&Event], here: usize, call: &ToolCall) -> Option<Self> {
        let next = next_request(events, here)?;
        let mut view = Self::of(&request(events, next).filter(|next| !next.body.is_empty())?);
        let before = last_request(events, here).and_then(|before| request(events, before));
        let known = before.map_or(0, |before| before.origins.len());
        let is_reply = |message: &ViewMessage| message.shown.call_id.as_ref() == Some(&call.id);
        let mut replies = (0..view.messages.len()).filter(|place| is_reply(&view.messages[*place]));
        let reply = replies.clone().find(|place| *place >= known).or_else(|| replies.next_back())?;
        let further = &events[here + 1..since_request(events, here).end];
        if !further.iter().any(|event| matches!(event.kind, EventKind::Called { .. })) {
            return Some(view);
        }
        for later in view.messages.drain(reply + 1..) {
            view.tokens = view.tokens.saturating_sub(later.tokens);
        }
        Some(view)
    }

    /// The last request, its answer, and the replies so far to the calls up to this place.
    fn put_together(events: &[&Event], here: usize) -> Self {
        let mut view = Self::found_before_calls(events, here);
        let since = since_request(events, here);
        for event in &events[since.start..here] {
            if let EventKind::Answered { message, tokens, .. } = &event.kind {
                view.put_behind(answer(message), None, *tokens);
            }
        }
        let mut replies: Vec<_> = events[since.clone()].iter().collect();
        for place in calls_since_request(events, here) {
            let EventKind::Called { call, .. } = &events[place].kind else { continue };
            let is_reply =
                |event: &&&Event| matches!(&event.kind, EventKind::Replied { call_id, .. } if *call_id == call.id);
            let Some(found) = replies.iter().position(is_reply) else { continue };
            if let EventKind::Replied { text, images, documents, wire, tokens, .. } = &replies.remove(found).kind {
                let sent = replied(wire.as_ref().unwrap_or(text), (images, documents), &call.id);
                view.put_behind(sent, Some(Origin::Tool { tool: call.name.clone() }), *tokens);
            }
        }
        view
    }

    fn found_before_calls(events: &[&Event], here: usize) -> Self {
        if let Some(last) = last_request(events, here) {
            return Self::of_request(events, last);
        }
        let setup = events[..here].iter().find_map(|event| match &event.kind {
            EventKind::Started { setup } => Some(setup),
            _ => None,
        });
        setup.map_or_else(Self::default, Self::of_setup)
    }

    fn put_behind(&mut self, shown: ShownMessage, origin: Option<Origin>, tokens: u32) {
        let whole = origin.map(|origin| OriginMark { span: Span::new(0, shown.text.len()), origin });
        let marks = in_utf16(whole.as_slice(), &shown.text);
        self.tokens = self.tokens.saturating_add(tokens);
        self.messages.push(ViewMessage { shown, marks, tokens, reconstructed: true });
    }

    fn against(self, before: Self, step: u32, sent: u32) -> ContextAtStep {
        // A request that another program recorded is not what was sent byte for byte.
        let is_foreign = sent > 0 && self.base.is_none_or(|base| base < sent);
        // By a part that tells most of them apart: there may be many.
        let mut known: HashMap<(String, Option<String>), VecDeque<ShownMessage>> = HashMap::new();
        for ViewMessage { shown, .. } in before.messages {
            known.entry((shown.text.clone(), shown.call_id.clone())).or_default().push_back(shown);
        }
        let messages: Vec<_> = self
            .messages
            .into_iter()
            .map(|ViewMessage { shown, marks, tokens, reconstructed }| {
                let alike = known.get_mut(&(shown.text.clone(), shown.call_id.clone()));
                let says = |message: &ShownMessage| message.says_the_same(&shown);
                let found = alike.and_then(|alike| alike.remove(alike.iter().position(says)?));
                let ShownMessage { role, text, images, documents, calls, call_id, cache_point } = shown;
                let added = found.is_none();
                ContextMessage {
                    role,
                    text,
                    images,
                    documents,
                    calls,
                    call_id,
                    marks,
                    tokens,
                    added,
                    cache_point,
                    reconstructed: reconstructed || is_foreign,
                }
            })
            .collect();
        let tools = self.tools.into_iter().map(|tool| {
            let added = !before.tools.contains(&tool);
            ContextTool { name: tool.name, json: tool.json, added, cache_point: tool.cache_point }
        });
        ContextAtStep {
            step,
            body: self.body,
            exact: !is_foreign && !messages.iter().any(|message| message.reconstructed),
            tools: tools.collect(),
            groups: Vec::new(),
            skills: Vec::new(),
            messages,
            tokens: self.tokens,
        }
    }
}

struct Request<'a> {
    seq: u32,
    body: &'a str,
    origins: Vec<&'a MessageOrigin>,
    tokens: u32,
}

fn request<'a>(events: &[&'a Event], place: usize) -> Option<Request<'a>> {
    match &events[place].kind {
        EventKind::Requested { body, tokens, .. } => {
            Some(Request { seq: events[place].seq, body, origins: origins(&events[..=place]), tokens: *tokens })
        }
        _ => None,
    }
}

/// The origins of the last request's messages: its own, and before them those it keeps of the requests before.
fn origins<'a>(events: &[&'a Event]) -> Vec<&'a MessageOrigin> {
    let mut backwards = Vec::new();
    let mut wanted = usize::MAX;
    for event in events.iter().rev() {
        let EventKind::Requested { kept, origins, .. } = &event.kind else { continue };
        let kept = *kept as usize;
        let there = wanted.saturating_sub(kept).min(origins.len());
        backwards.extend(origins[..there].iter().rev());
        wanted = wanted.min(kept);
        if wanted == 0 {
            break;
        }
    }
    backwards.reverse();
    backwards
}

fn is_request(event: &Event) -> bool {
    matches!(event.kind, EventKind::Requested { .. })
}

fn last_request(events: &[&Event], here: usize) -> Option<usize> {
    (0..here).rev().find(|place| is_request(events[*place]))
}

fn next_request(events: &[&Event], here: usize) -> Option<usize> {
    (here + 1..events.len()).find(|place| is_request(events[*place]))
}

/// The first request of the turn that a prompt begins.
fn request_of_prompt(events: &[&Event], here: usize) -> Option<usize> {
    let next = events[here + 1..].iter().position(|event| matches!(event.kind, EventKind::Continued { .. }));
    let end = next.map_or(events.len(), |ahead| here + 1 + ahead);
    next_request(&events[..end], here)
}

/// The events between the last request and the next, or what there is of them.
fn since_request(events: &[&Event], here: usize) -> Range<usize> {
    let is_request = |event: &&Event| matches!(event.kind, EventKind::Requested { .. });
    let start = events[..here].iter().rposition(is_request).unwrap_or(0);
    let end = events[here..].iter().position(is_request).map_or(events.len(), |ahead| here + ahead);
    start..end
}

/// The calls of one answer up to and with the one at `here`.
fn calls_since_request(events: &[&Event], here: usize) -> impl DoubleEndedIterator<Item = usize> {
    let start = since_request(events, here).start;
    (start..=here).filter(|place| matches!(events[*place].kind, EventKind::Called { .. }))
}

fn prompt(setup: &RunSetup) -> ShownMessage {
    said(Role::User, &setup.prompt, &setup.images)
}

fn said(role: Role, text: &str, images: &[Image]) -> ShownMessage {
    ShownMessage {
        role,
        text: text.to_owned(),
        images: images.to_vec(),
        documents: Vec::new(),
        calls: Vec::new(),
        call_id: None,
        cache_point: false,
    }
}

fn replied(text: &str, (images, documents): (&[Image], &[Document]), call_id: &str) -> ShownMessage {
    let call_id = Some(call_id.to_owned());
    ShownMessage { documents: documents.to_vec(), call_id, ..said(Role::Tool, text, images) }
}

fn answer(message: &Message) -> ShownMessage {
    let mut answer = said(Role::Assistant, "", &[]);
    for part in &message.parts {
        match part {
            Part::Text { text } => answer.text.push_str(text),
            Part::ToolCall(call) => answer.calls.push(call.clone()),
            Part::Reasoning { .. } | Part::ToolResult(_) | Part::Image(_) | Part::Document(_) | Part::CachePoint => {}
        }
    }
    answer
}

/// Marks in bytes of a text as marks in its UTF-16 units. What is outside of the text is cut off.
fn in_utf16(marks: &[OriginMark], text: &str) -> Vec<OriginMark> {
    let (mut bytes, mut units) = (0, 0);
    let mut unit_of = |byte: usize| {
        let byte = text.floor_char_boundary(byte);
        if byte < bytes {
            (bytes, units) = (0, 0);
        }
        units += text[bytes..byte].encode_utf16().count();
        bytes = byte;
        units
    };
    let converted = marks.iter().map(|OriginMark { span, origin }| OriginMark {
        span: Span::new(unit_of(span.start), unit_of(span.end.max(span.start))),
        origin: origin.clone(),
    });
    converted.filter(|mark| mark.span.start < mark.span.end).collect()
}

#[cfg(test)]
pub(crate) mod tests;
