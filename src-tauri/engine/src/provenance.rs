//! Who put the texts of a request there: messages that the engine added are known, and of those that a harness inserted
//! or rewrote as much as can be recognised.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use harness::{Mark, Marked, Origin};
use model::{Document, Image, Message, Part, Role, ToolResult, documents, images, tokens};
use skill::source::Span;
use trace::{MessageOrigin, OriginMark};

/// The messages that were added with known origins.
#[derive(Debug, Clone, Default)]
pub(super) struct Known {
    messages: Vec<(Message, Vec<OriginMark>)>,
    /// Places in `messages` by what [`digest`] gives.
    places: HashMap<u64, Vec<usize>>,
    /// The first place with this text.
    texts: HashMap<String, usize>,
    /// The last place with the result of this call.
    results: HashMap<String, usize>,
    /// Of texts and files, counted once: most of a request was in the one before.
    counts: HashMap<u64, u32>,
}

impl Known {
    pub(super) fn add(&mut self, message: Message, marks: Vec<OriginMark>) {
        let place = self.messages.len();
        self.places.entry(digest(&message)).or_default().push(place);
        for wire in on_wire(&message) {
            match wire.call_id {
                Some(id) => self.results.insert(id.to_owned(), place),
                None => Some(*self.texts.entry(wire.texts.concat()).or_insert(place)),
            };
        }
        self.messages.push((message, marks));
    }

    /// The messages that were added, in order.
    pub(super) fn messages(&self) -> impl Iterator<Item = &Message> {
        self.messages.iter().map(|(message, _)| message)
    }

    /// Tokens of a text.
    pub(super) fn count(&mut self, text: &str) -> u32 {
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        *self.counts.entry(hasher.finish()).or_insert_with(|| tokens::count(text))
    }

    /// Tokens of pictures and files, estimated. For those of a file the whole of it may be read.
    fn count_media(&mut self, parts: &[Part]) -> u32 {
        let pictures = images(parts).map(Image::tokens).fold(0, u32::saturating_add);
        documents(parts).fold(pictures, |sum, document| {
            let mut hasher = DefaultHasher::new();
            document.hash(&mut hasher);
            sum.saturating_add(*self.counts.entry(hasher.finish()).or_insert_with(|| document.tokens()))
        })
    }

    /// The origins of the messages that go over the wire for these: one for each, except for results, of which each is
    /// a message of its own.
    pub(super) fn origins(&mut self, history: &[Message], injected: &[Marked]) -> Vec<MessageOrigin> {
        let injected: HashMap<&str, &[Mark]> =
            injected.iter().map(|marked| (marked.text.as_str(), marked.marks.as_slice())).collect();
        let mut origins = Vec::new();
        let mut after = 0;
        for message in history {
            let places = self.places.get(&digest(message)).map_or(&[][..], Vec::as_slice);
            let place = places.iter().copied().find(|place| *place >= after && self.messages[*place].0 == *message);
            let whole = place.map(|place| {
                after = place + 1;
                self.messages[place].1.clone()
            });
            for wire in on_wire(message) {
                let marks = whole.clone().unwrap_or_else(|| self.recognised(&wire, &injected));
                let calls: u32 = wire.calls.iter().map(|text| self.count(text)).sum();
                let media = self.count_media(wire.media);
                let tokens = self.count(&wire.texts.concat()).saturating_add(calls).saturating_add(media);
                origins.push(MessageOrigin { role: message.role, marks, tokens });
            }
        }
        origins
    }

    /// Part by part: an injected text, a text that was added before, the start of a known result, the framework's.
    fn recognised(&self, wire: &Wire<'_>, injected: &HashMap<&str, &[Mark]>) -> Vec<OriginMark> {
        let mut marks = Vec::new();
        let mut start = 0;
        for text in wire.texts.iter().copied().filter(|text| !text.is_empty()) {
            let found = injected.get(text).map(|marks| in_trace(marks));
            let found = found.or_else(|| self.added(text, wire.role));
            let found = found.unwrap_or_else(|| self.extended(text, wire.call_id, injected));
            marks.extend(found.into_iter().map(|mark| OriginMark { span: moved(mark.span, start), ..mark }));
            start += text.len();
        }
        marks
    }

    /// The marks of the added message that is this text alone.
    fn added(&self, text: &str, role: Role) -> Option<Vec<OriginMark>> {
        let (message, marks) = &self.messages[*self.texts.get(text)?];
        (message.role == role).then(|| marks.clone())
    }

    /// A result keeps its marks for the unchanged part; a replacement for the rest comes from the framework, or is an
    /// injected text.
    fn extended(&self, text: &str, call_id: Option<&str>, injected: &HashMap<&str, &[Mark]>) -> Vec<OriginMark> {
        let known = call_id.and_then(|id| self.results.get(id)).map(|place| &self.messages[*place]);
        let (mut marks, common) = match known {
            Some((message, marks)) => {
                let before: String = message.results().map(ToolResult::on_wire).collect();
                (marks.clone(), common_start(&before, text))
            }
            None => (Vec::new(), 0),
        };
        marks.retain_mut(|mark| {
            mark.span.end = mark.span.end.min(common);
            mark.span.start < mark.span.end
        });
        let rest = &text[common..];
        match injected.get(rest) {
            Some(found) => marks
                .extend(in_trace(found).into_iter().map(|mark| OriginMark { span: moved(mark.span, common), ..mark })),
            None if rest.is_empty() => {}
            None => marks.push(OriginMark { span: Span::new(common, text.len()), origin: Origin::Framework }),
        }
        marks
    }
}

pub(super) fn in_trace(marks: &[Mark]) -> Vec<OriginMark> {
    marks.iter().map(|mark| OriginMark { span: mark.span, origin: mark.origin.clone() }).collect()
}

/// One origin for the whole text of a message.
pub(super) fn whole(message: &Message, origin: Origin) -> Vec<OriginMark> {
    let end: usize = on_wire(message).iter().flat_map(|wire| &wire.texts).map(|text| text.len()).sum();
    match end {
        0 => Vec::new(),
        end => vec![OriginMark { span: Span::new(0, end), origin }],
    }
}

/// Tokens of a message as it goes over the wire.
pub(super) fn tokens_of(message: &Message) -> u32 {
    let of = |wire: &Wire<'_>| {
        let calls = wire.calls.iter().map(|text| tokens::count(text)).sum::<u32>();
        tokens::count(&wire.texts.concat()).saturating_add(calls).saturating_add(media(wire.media))
    };
    on_wire(message).iter().map(of).sum()
}

/// A message of the wire.
struct Wire<'a> {
    role: Role,
    /// They are sent one behind the other.
    texts: Vec<&'a str>,
    /// Names and arguments of calls.
    calls: Vec<&'a str>,
    /// The pictures and files are among these.
    media: &'a [Part],
    call_id: Option<&'a str>,
}

impl<'a> Wire<'a> {
    /// `behind`: its pictures and files are in there.
    fn of_result(result: &'a ToolResult, behind: &'a [Part]) -> Self {
        let texts = vec![result.on_wire()];
        Self { role: Role::Tool, texts, calls: Vec::new(), media: behind, call_id: Some(&result.call_id) }
    }
}

fn on_wire(message: &Message) -> Vec<Wire<'_>> {
    if message.role == Role::Tool {
        return message.pictured_results().map(|(result, behind)| Wire::of_result(result, behind)).collect();
    }
    let texts = message.parts.iter().filter_map(|part| match part {
        Part::Text { text } => Some(text.as_str()),
        Part::Reasoning { .. }
        | Part::ToolCall(_)
        | Part::ToolResult(_)
        | Part::Image(_)
        | Part::Document(_)
        | Part::CachePoint => None,
    });
    let calls = message.calls().flat_map(|call| [call.name.as_str(), call.arguments.as_str()]);
    vec![Wire {
        role: message.role,
        texts: texts.collect(),
        calls: calls.collect(),
        media: &message.parts,
        call_id: None,
    }]
}

/// Tokens of the pictures and files among parts.
fn media(parts: &[Part]) -> u32 {
    images(parts).map(Image::tokens).chain(documents(parts).map(Document::tokens)).fold(0, u32::saturating_add)
}

fn moved(span: Span, by: usize) -> Span {
    Span::new(span.start + by, span.end + by)
}

/// Bytes that two texts begin with alike, in whole characters.
fn common_start(a: &str, b: &str) -> usize {
    let alike = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    b.floor_char_boundary(alike)
}

fn digest(message: &Message) -> u64 {
    let mut hasher = DefaultHasher::new();
    message.parts.len().hash(&mut hasher);
    for part in &message.parts {
        match part {
            Part::Text { text } | Part::Reasoning { text, .. } => text.hash(&mut hasher),
            Part::ToolCall(call) => (&call.id, &call.name, &call.arguments).hash(&mut hasher),
            Part::ToolResult(result) => (&result.call_id, result.on_wire()).hash(&mut hasher),
            Part::Image(image) => image.hash(&mut hasher),
            Part::Document(document) => document.hash(&mut hasher),
            Part::CachePoint => {}
        }
    }
    hasher.finish()
}
