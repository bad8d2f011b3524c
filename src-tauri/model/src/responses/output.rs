//! The output of an answer as far as it has come, so that nothing is reported twice.

use std::collections::{BTreeSet, HashMap};

use serde_json::{Value, json};

use crate::halves;
use crate::payload::{arguments, text};
use crate::{Freeform, ModelEvent};

/// The items of one answer, in the order in which they came.
#[derive(Debug, Default)]
pub struct Output {
    items: Vec<Item>,
    /// The last item under each id.
    by_id: HashMap<String, usize>,
    /// The last item of each kind at each place of the output.
    by_index: HashMap<(ItemKind, u64), usize>,
    /// The last item of each kind.
    last: HashMap<ItemKind, usize>,
    calls: u32,
    thought: Option<Thought>,
    /// The part that the last reasoning came from, since a thought was sealed.
    thinking: Option<(usize, Part)>,
}

/// The items that matter here. Others are about tools that run at the provider, which we never ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ItemKind {
    Message,
    Reasoning,
    Call,
}

/// The texts that an item may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
    Content,
    Summary,
    Arguments,
}

/// How much of a text a payload holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    Piece,
    Whole,
}

/// The place that an event says it belongs to. Some servers leave out either, and some make up a new id for every
/// event.
#[derive(Debug, Clone, Copy)]
pub struct ItemPlace<'a> {
    id: &'a str,
    index: Option<u64>,
}

/// A list of texts and the place in it, if the server says it.
type Part = (Source, Option<u64>);

#[derive(Debug)]
struct Item {
    kind: ItemKind,
    /// The parts of which something was reported.
    said: BTreeSet<Part>,
    is_done: bool,
    /// Of a call: its index in the events.
    call: u32,
    has_id: bool,
    has_name: bool,
}

/// The thought that is being received, until it is sealed or something else follows.
#[derive(Debug)]
struct Thought {
    at: usize,
    /// The item as it was when it began.
    opening: Value,
    /// Its content so far; summaries are not in it.
    content: String,
}

impl Output {
    /// An item begins. What it holds already comes again later, in pieces or whole.
    pub fn begin(&mut self, kind: ItemKind, place: ItemPlace, item: &Value) -> Vec<ModelEvent> {
        let mut events = Vec::new();
        let at = self.open(kind, place, item, &mut events);
        if kind == ItemKind::Call {
            self.call(at, item, String::new(), &mut events);
        }
        events
    }

    /// A part of an item, or a piece of one. `event` says which.
    pub fn part(
        &mut self,
        kind: ItemKind,
        source: Source,
        extent: Extent,
        event: &Value,
        content: &Value,
    ) -> Vec<ModelEvent> {
        let mut events = Vec::new();
        let place = ItemPlace::of(event);
        let at = self.find(kind, place).unwrap_or_else(|| self.open(kind, place, &Value::Null, &mut events));
        let part = match source {
            Source::Content => (source, event["content_index"].as_u64()),
            Source::Summary => (source, event["summary_index"].as_u64()),
            Source::Arguments => (source, None),
        };
        if extent == Extent::Piece || !self.items[at].has_said(part) {
            self.say(at, part, event, content, &mut events);
        }
        events
    }

    /// An item has ended, and comes whole.
    pub fn end(&mut self, kind: ItemKind, place: ItemPlace, item: &Value) -> Vec<ModelEvent> {
        let mut events = Vec::new();
        let at = self.find(kind, place).unwrap_or_else(|| self.open(kind, place, item, &mut events));
        self.close(at, item, &mut events);
        events
    }

    /// The whole output again. Some servers give the items other ids here, but the order within a kind is the same.
    pub fn recapitulate(&mut self, output: &[Value]) -> Vec<ModelEvent> {
        let mut events = Vec::new();
        let mut known: HashMap<ItemKind, Vec<usize>> = HashMap::new();
        for (at, item) in self.items.iter().enumerate().rev() {
            known.entry(item.kind).or_default().push(at);
        }
        for item in output {
            let Some(kind) = ItemKind::of(item) else { continue };
            let nowhere = ItemPlace { id: "", index: None };
            let at = known.get_mut(&kind).and_then(Vec::pop);
            let at = at.unwrap_or_else(|| self.open(kind, nowhere, item, &mut events));
            self.close(at, item, &mut events);
        }
        events
    }

    /// How many there are.
    pub fn items(&self) -> usize {
        self.items.len()
    }

    pub fn has_calls(&self) -> bool {
        self.calls > 0
    }

    /// The item that an event continues.
    fn find(&self, kind: ItemKind, place: ItemPlace) -> Option<usize> {
        let of_kind = |at: &usize| self.items[*at].kind == kind;
        if let Some(at) = self.by_id.get(place.id).copied().filter(of_kind) {
            return Some(at);
        }
        let at = match place.index {
            Some(index) => self.by_index.get(&(kind, index)),
            None => self.last.get(&kind),
        };
        at.copied().filter(|at| !self.items[*at].is_done)
    }

    fn open(&mut self, kind: ItemKind, place: ItemPlace, item: &Value, events: &mut Vec<ModelEvent>) -> usize {
        let at = self.items.len();
        let said = BTreeSet::new();
        self.items.push(Item { kind, said, is_done: false, call: self.calls, has_id: false, has_name: false });
        if !place.id.is_empty() {
            self.by_id.insert(place.id.to_owned(), at);
        }
        if let Some(index) = place.index {
            self.by_index.insert((kind, index), at);
        }
        self.last.insert(kind, at);
        match kind {
            ItemKind::Message => {}
            ItemKind::Call => self.calls = self.calls.saturating_add(1),
            ItemKind::Reasoning => {
                self.overtake(at, events);
                self.thought = Some(Thought { at, opening: item.clone(), content: String::new() });
            }
        }
        at
    }

    /// Reports what the whole item adds to its pieces that came before.
    fn close(&mut self, at: usize, item: &Value, events: &mut Vec<ModelEvent>) {
        match self.items[at].kind {
            ItemKind::Message => {
                self.rest(at, Source::Content, item, events);
                // Of an item that others came after, the place has passed.
                let is_last = at + 1 == self.items.len();
                let phase = item["phase"].as_str().filter(|_| is_last && !self.items[at].is_done);
                if let (Some(phase), false) = (phase, self.items[at].said.is_empty()) {
                    events.push(ModelEvent::Sealed { block: json!({"type": "message", "phase": phase}) });
                }
            }
            ItemKind::Reasoning => {
                self.rest(at, Source::Summary, item, events);
                self.rest(at, Source::Content, item, events);
                if self.thought.take_if(|thought| thought.at == at).is_some() && can_go_back(item) {
                    self.seal(item.clone(), events);
                }
            }
            ItemKind::Call => {
                let part = (Source::Arguments, None);
                match self.items[at].has_said(part) {
                    true => self.call(at, item, String::new(), events),
                    false if item["type"] == CUSTOM => {
                        let given = json!({Freeform::ARGUMENT: text(&item["input"])});
                        self.say(at, part, item, &given, events);
                    }
                    false => self.say(at, part, item, &item["arguments"], events),
                }
            }
        }
        self.items[at].is_done = true;
    }

    fn rest(&mut self, at: usize, source: Source, item: &Value, events: &mut Vec<ModelEvent>) {
        let parts = match source {
            Source::Summary => &item["summary"],
            Source::Content | Source::Arguments => &item["content"],
        };
        // Some servers give one text in place of the list.
        let parts = parts.as_array().map_or_else(|| std::slice::from_ref(parts), Vec::as_slice);
        for (number, part) in (0..).zip(parts) {
            let said = [part, &part["text"], &part["refusal"]].into_iter().find(|said| said.is_string());
            let part = (source, Some(number));
            if let Some(said) = said.filter(|_| !self.items[at].has_said(part)) {
                self.say(at, part, item, said, events);
            }
        }
    }

    fn say(&mut self, at: usize, part: Part, named: &Value, content: &Value, events: &mut Vec<ModelEvent>) {
        let kind = self.items[at].kind;
        let said = if kind == ItemKind::Call { arguments(content) } else { text(content).to_owned() };
        if !said.is_empty() {
            self.items[at].said.insert(part);
        }
        match kind {
            ItemKind::Call => self.call(at, named, said, events),
            ItemKind::Message | ItemKind::Reasoning if said.is_empty() => {}
            ItemKind::Message => {
                self.overtake(at, events);
                events.push(ModelEvent::Text { delta: said });
            }
            ItemKind::Reasoning => self.think(at, part, said, events),
        }
    }

    fn think(&mut self, at: usize, part: Part, said: String, events: &mut Vec<ModelEvent>) {
        self.overtake(at, events);
        if let (Source::Content, Some(thought)) = (part.0, &mut self.thought) {
            thought.content.push_str(&said);
        }
        let before = self.thinking.replace((at, part));
        let is_new = before.is_some_and(|before| before != (at, part));
        events.push(ModelEvent::Reasoning { delta: if is_new { format!("\n\n{said}") } else { said } });
    }

    /// `named` may hold the call's id and name. Only news is reported.
    fn call(&mut self, at: usize, named: &Value, arguments: String, events: &mut Vec<ModelEvent>) {
        let item = &mut self.items[at];
        let learned = |known: &mut bool, given: &Value| {
            let given = (!*known).then(|| text(given)).filter(|given| !given.is_empty());
            *known |= given.is_some();
            given.map(str::to_owned)
        };
        let id = learned(&mut item.has_id, &named["call_id"]);
        let name = learned(&mut item.has_name, &named["name"]);
        if id.is_some() || name.is_some() || !arguments.is_empty() {
            let index = item.call;
            self.overtake(at, events);
            events.push(ModelEvent::ToolCall { index, id, name, arguments });
        }
    }

    /// Something else than the open thought comes. If the thought has not ended by then, its end will come too late
    /// (llama.cpp ends all items together), so the thought is sealed as far as it came.
    fn overtake(&mut self, by: usize, events: &mut Vec<ModelEvent>) {
        let Some(Thought { opening, content, .. }) = self.thought.take_if(|thought| thought.at != by) else { return };
        // Encrypted content is not complete before the end.
        let is_encrypted = !text(&opening["encrypted_content"]).is_empty();
        if let (Value::Object(mut block), false, false) = (opening, is_encrypted, content.is_empty()) {
            block.insert("content".into(), json!([{"type": "reasoning_text", "text": halves::whole(&content)}]));
            block.shift_remove("status");
            self.seal(Value::Object(block), events);
        }
    }

    fn seal(&mut self, block: Value, events: &mut Vec<ModelEvent>) {
        self.thinking = None;
        events.push(ModelEvent::Sealed { block });
    }
}

impl Item {
    /// If a server does not number the parts, any part counts for its whole list.
    fn has_said(&self, (source, number): Part) -> bool {
        let any = || self.said.range((source, None)..=(source, Some(u64::MAX))).next().is_some();
        match number {
            None => any(),
            Some(_) => self.said.contains(&(source, number)) || self.said.contains(&(source, None)),
        }
    }
}

const CUSTOM: &str = "custom_tool_call";

impl ItemKind {
    pub fn of(item: &Value) -> Option<Self> {
        match text(&item["type"]) {
            "message" => Some(Self::Message),
            "reasoning" => Some(Self::Reasoning),
            // A call with a text in place of JSON: the text is its one argument, which comes when it is whole.
            "function_call" | CUSTOM => Some(Self::Call),
            _ => None,
        }
    }
}

impl<'a> ItemPlace<'a> {
    pub fn of(event: &'a Value) -> Self {
        let id = [&event["item_id"], &event["item"]["id"]].into_iter().map(text).find(|id| !id.is_empty());
        Self { id: id.unwrap_or_default(), index: event["output_index"].as_u64() }
    }
}

/// Whether the server would understand the thought: it keeps nothing, so an id alone tells it nothing.
fn can_go_back(item: &Value) -> bool {
    let has_content = item["content"].as_array().is_some_and(|parts| !parts.is_empty());
    has_content || !text(&item["encrypted_content"]).is_empty()
}
