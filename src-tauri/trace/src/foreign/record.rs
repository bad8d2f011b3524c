//! One run as it is put together from a file of another program.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use super::Foreign;
use super::disclosed::disclosed;
use super::plain::{Content, text};
use crate::clock::Millis;
use crate::spool::Spool;
use crate::{AskedModel, Event, EventKind, MessageOrigin, OriginMark, RunId, RunSetup, RunStatus};
use harness::Origin;
use model::{FinishReason, Image, Message, Part, Role, ToolCall, Usage, tokens};
use skill::source::Span;
use wording::{Message as Words, message};

/// `None`: the run's own conversation.
pub type Within = Option<String>;

/// The parts of an answer, as far as the file has them.
#[derive(Default)]
pub struct Answer {
    pub text: String,
    pub reasoning: String,
    pub calls: Vec<ToolCall>,
    pub usage: Option<Usage>,
    pub finish: Option<FinishReason>,
    pub model: Option<String>,
    /// The request as the file has it, if it does.
    pub body: Option<String>,
    /// What the provider's own tools returned, which comes with the answer.
    pub replies: Vec<Reply>,
}

pub struct Reply {
    pub call_id: String,
    pub content: Content,
    pub is_error: bool,
}

pub struct Record {
    foreign: Foreign,
    events: Spool,
    at: Millis,
    variant: String,
    model: Option<String>,
    folder: String,
    prompt: Option<String>,
    /// Those that came with the prompt.
    images: Vec<Image>,
    skills: Vec<String>,
    conversations: BTreeMap<Within, Conversation>,
    ended: Option<(RunStatus, Option<Words>)>,
    digest: Sha256,
}

#[derive(Default)]
struct Conversation {
    turn: u32,
    tokens: u32,
    /// The parts of the next request that no earlier event has: the first request, and the first after the context was
    /// cleared. `None`: nothing.
    base: Option<Base>,
    /// Fields of its first request: clearing removes only the messages.
    fields: Map<String, Value>,
    begun: bool,
    /// Calls without a reply.
    open: Vec<String>,
    /// Replies to calls that were not there yet: a file may have them before the answer that calls.
    early: Vec<Reply>,
    answered: bool,
}

#[derive(Default)]
struct Base {
    /// Of the body apart from the messages, e.g. `tools`.
    fields: Map<String, Value>,
    messages: Vec<Value>,
}

/// Texts that clients put before the prompt, as a user message. They stay one if the conversation is written in another
/// form.
const PUT_IN_FRONT: [&str; 4] =
    ["<environment_context>", "<user_instructions>", "# AGENTS.md instructions", "<skills_instructions>"];

/// The part of a message that the user said; `None`: nothing.
fn own_words(said: &str, written: Option<&Value>) -> Option<String> {
    if !is_put_in_front(said) {
        return Some(said.to_owned());
    }
    let parts = written.and_then(|message| message["content"].as_array()).into_iter().flatten();
    let texts = parts.filter_map(|part| part["text"].as_str()).filter(|text| !is_put_in_front(text));
    let own = texts.collect::<Vec<_>>().join("\n");
    (!own.is_empty()).then_some(own)
}

pub fn is_put_in_front(said: &str) -> bool {
    PUT_IN_FRONT.iter().any(|start| said.trim_start().starts_with(start))
}

impl Record {
    /// `at`: when it began, unless the file says when.
    pub fn new(foreign: Foreign, at: Millis) -> Self {
        let placeholder = EventKind::noted(Words::quoted(""));
        let mut record = Self {
            foreign,
            events: Spool::default(),
            at,
            variant: String::new(),
            model: None,
            folder: String::new(),
            prompt: None,
            images: Vec::new(),
            skills: Vec::new(),
            conversations: BTreeMap::new(),
            ended: None,
            digest: Sha256::new(),
        };
        // The start is known at the end.
        record.push(&None, placeholder);
        record
    }

    /// From here on things happened at `at`. Time does not go back.
    pub fn at(&mut self, at: Option<Millis>) {
        let Some(at) = at else { return };
        if self.has_begun() {
            self.at = self.at.max(at);
        } else {
            self.at = at;
            self.events.in_memory().for_each(|event| event.at = at);
        }
    }

    pub fn variant(&mut self, variant: &str) {
        self.variant = variant.to_owned();
    }

    pub fn model(&mut self, model: &str) {
        self.model = Some(model.to_owned());
    }

    pub fn folder(&mut self, folder: &str) {
        self.folder = folder.to_owned();
    }

    pub fn has_begun(&self) -> bool {
        self.prompt.is_some() || self.conversations.values().any(|conversation| conversation.begun)
    }

    /// A line of the file, as it is written there.
    pub fn source(&mut self, line: u32, text: &str) {
        self.digest.update(text.as_bytes());
        self.digest.update(b"\n");
        self.push(&None, EventKind::Source { line, text: text.to_owned() });
    }

    /// A field of the first request of a conversation: `tools`, `system`.
    pub fn field(&mut self, within: &Within, name: &str, value: Value) {
        let counted = match name {
            "system" | "instructions" => tokens::count(&text(&value)),
            "tools" => value.as_array().into_iter().flatten().map(|tool| tokens::count(&tool.to_string())).sum(),
            _ => 0,
        };
        let conversation = self.conversation(within);
        conversation.tokens = conversation.tokens.saturating_add(counted);
        conversation.fields.insert(name.to_owned(), value.clone());
        conversation.base.get_or_insert_default().fields.insert(name.to_owned(), value);
    }

    /// Something that the model is shown although neither the user nor a tool said it: a system message, a reminder,
    /// what a framework adds.
    pub fn shown(&mut self, within: &Within, role: Role, shown: impl Into<Content>) {
        self.show_early_of_begun(within);
        self.add(within, role, shown.into(), None);
    }

    /// What the user said. `written`: the message as the file has it.
    pub fn said(&mut self, within: &Within, said: impl Into<Content>, written: Option<&Value>) {
        let said = said.into();
        self.show_early_of_begun(within);
        if within.is_some() {
            return self.add(within, Role::User, said, written);
        }
        if self.prompt.is_none() {
            self.prompt = own_words(&said.clone().in_words().text, written);
            if self.prompt.is_some() {
                self.images.clone_from(&said.images);
            }
            return self.add(within, Role::User, said, written);
        }
        let is_item = self.is_item();
        let counted = said.tokens();
        let conversation = self.conversation(within);
        conversation.tokens = conversation.tokens.saturating_add(counted);
        if let Some(base) = &mut conversation.base {
            let written = written.cloned();
            base.messages.push(written.unwrap_or_else(|| json!({ "role": "user", "content": said.written(is_item) })));
        }
        let Content { text: prompt, images, .. } = said.in_words();
        let setup = RunSetup { prompt, images, ..self.setup() };
        self.push(within, EventKind::Continued { setup });
    }

    /// A message that takes the place of what the context had before it was cleared, as the file has it.
    pub fn kept(&mut self, within: &Within, message: &Value) {
        let counted = tokens::count(&text(&message["content"]));
        let conversation = self.conversation(within);
        conversation.tokens = conversation.tokens.saturating_add(counted);
        conversation.base.get_or_insert_default().messages.push(message.clone());
    }

    /// The context of a conversation was cleared; what follows is all that the next request has.
    pub fn cleared(&mut self, within: &Within) {
        self.show_early(within);
        let conversation = self.conversation(within);
        conversation.tokens = 0;
        conversation.base = Some(Base::default());
    }

    /// The user went back to where a conversation had these messages and this many tokens: the next request continues
    /// from there.
    pub fn went_back(&mut self, within: &Within, messages: Vec<Value>, tokens: u32) {
        self.show_early(within);
        let conversation = self.conversation(within);
        conversation.tokens = tokens;
        conversation.open.clear();
        conversation.base = Some(Base { fields: conversation.fields.clone(), messages });
    }

    /// Tokens in the context of a conversation.
    pub fn tokens(&self, within: &Within) -> u32 {
        self.conversations.get(within).map_or(0, |conversation| conversation.tokens)
    }

    /// A request, its answer, and the calls in it.
    pub fn answered(&mut self, within: &Within, answer: Answer) {
        let Answer { text, reasoning, calls, usage, finish, model, body, mut replies } = answer;
        for reply in std::mem::take(&mut self.conversation(within).early) {
            let is_called = calls.iter().any(|call| call.id == reply.call_id)
                && replies.iter().all(|known| known.call_id != reply.call_id);
            match is_called {
                true => replies.push(reply),
                false => self.add(within, Role::User, reply.content, None),
            }
        }
        if within.is_none() && self.prompt.is_none() {
            self.prompt = Some(String::new());
        }
        if self.model.is_none() {
            self.model.clone_from(&model);
        }
        let asked = model.filter(|model| Some(model) != self.model.as_ref());
        let wire = self.wire();
        let conversation = self.conversation(within);
        let turn = conversation.turn;
        conversation.turn += 1;
        conversation.answered = true;
        let base = if conversation.begun {
            conversation.base.take()
        } else {
            Some(conversation.base.take().unwrap_or_default())
        };
        conversation.begun = true;
        let total = conversation.tokens;
        let own = tokens::count(&text)
            + calls.iter().map(|call| tokens::count(&call.name) + tokens::count(&call.arguments)).sum::<u32>();
        conversation.tokens = conversation.tokens.saturating_add(own);
        conversation.open.extend(calls.iter().map(|call| call.id.clone()));
        let recorded = body.or_else(|| base.map(|base| base.body(wire)));
        let body = recorded.unwrap_or_default();
        let origins = if body.is_empty() { Vec::new() } else { origins(&body) };
        self.push(
            within,
            EventKind::Requested {
                turn,
                body,
                kept: 0,
                origins,
                tokens: total,
                model: asked.map(|id| AskedModel { id, prices: None }),
                agents: Vec::new(),
            },
        );
        let mut parts = Vec::new();
        if !reasoning.is_empty() {
            parts.push(Part::Reasoning { text: reasoning, block: None });
        }
        if !text.is_empty() {
            parts.push(Part::Text { text });
        }
        parts.extend(calls.iter().cloned().map(Part::ToolCall));
        let finish = finish.unwrap_or(if calls.is_empty() { FinishReason::Stop } else { FinishReason::ToolCalls });
        let message = Message { role: Role::Assistant, parts };
        self.push(within, EventKind::Answered { turn, message, usage, finish, tokens: own });
        for call in calls {
            let disclosure = disclosed(&call);
            if let harness::Disclosure::Instructions { skill } = &disclosure
                && !self.skills.contains(skill)
            {
                self.skills.push(skill.clone());
            }
            self.push(within, EventKind::Called { turn, call, disclosure });
        }
        for Reply { call_id, content, is_error } in replies {
            self.replied(within, &call_id, content, is_error);
        }
    }

    /// The reply to a call. One that no call asked for, nor the next answer asks for, is something the model is shown.
    pub fn replied(&mut self, within: &Within, call_id: &str, reply: impl Into<Content>, is_error: bool) {
        let (reply, is_item) = (reply.into(), self.is_item());
        let counted = reply.tokens();
        let conversation = self.conversation(within);
        let Some(place) = conversation.open.iter().position(|open| open == call_id) else {
            conversation.early.push(Reply { call_id: call_id.to_owned(), content: reply, is_error });
            return;
        };
        conversation.open.remove(place);
        conversation.tokens = conversation.tokens.saturating_add(counted);
        if let Some(base) = &mut conversation.base {
            base.messages.push(match is_item {
                true => json!({ "type": "function_call_output", "call_id": call_id, "output": reply.written(true) }),
                false => json!({ "role": "tool", "tool_call_id": call_id, "content": reply.written(false) }),
            });
        }
        let Content { text, images, documents } = reply;
        let call_id = call_id.to_owned();
        self.push(
            within,
            EventKind::Replied { call_id, text, images, documents, wire: None, is_error, tokens: counted },
        );
    }

    /// Before anything else is said: at the beginning of a file that was mixed up, the prompt may come between.
    fn show_early_of_begun(&mut self, within: &Within) {
        if self.conversations.get(within).is_some_and(|conversation| conversation.begun) {
            self.show_early(within);
        }
    }

    /// Replies that no call asked for are shown where they are.
    fn show_early(&mut self, within: &Within) {
        for reply in std::mem::take(&mut self.conversation(within).early) {
            self.add(within, Role::User, reply.content, None);
        }
    }

    pub fn awaits(&self, within: &Within, call_id: &str) -> bool {
        self.conversations.get(within).is_some_and(|conversation| conversation.open.iter().any(|open| open == call_id))
    }

    /// A request that failed.
    pub fn failed(&mut self, within: &Within, error: &str) {
        self.answered(within, Answer::default());
        self.events.pop();
        let turn = self.conversation(within).turn.saturating_sub(1);
        let message = error.to_owned();
        self.push(within, EventKind::Failed { turn, message, hint: None, raw: String::new(), why: None });
    }

    pub fn noted(&mut self, within: &Within, words: Words) {
        self.push(within, EventKind::noted(words));
    }

    pub fn ended(&mut self, status: RunStatus, error: Option<Words>) {
        self.ended = Some((status, error));
    }

    /// The whole run; `None` if it has no messages.
    pub fn finish(mut self) -> Option<(RunId, Spool)> {
        if !self.has_begun() {
            return None;
        }
        let conversations: Vec<Within> = self.conversations.keys().cloned().collect();
        conversations.iter().for_each(|within| self.show_early(within));
        let own = self.conversations.remove(&None).unwrap_or_default();
        let (status, error) = self.ended.take().unwrap_or(match own.open.is_empty() && own.answered {
            true => (RunStatus::Done, None),
            false => (RunStatus::Interrupted, None),
        });
        self.push(&None, EventKind::ended(status, error, None));
        let setup = self.setup();
        let began = self.events.first().map_or(0, |first| first.at);
        if let Some(first) = self.events.first_mut() {
            first.kind = EventKind::Started { setup };
        }
        let digest = self.digest.finalize();
        let mut rest = [0; 10];
        rest.copy_from_slice(&digest[..10]);
        let millis = u64::try_from(began).unwrap_or_default();
        Some((RunId(uuid::Builder::from_unix_timestamp_millis(millis, &rest).into_uuid()), self.events))
    }

    fn setup(&self) -> RunSetup {
        RunSetup {
            harness: self.foreign.id().to_owned(),
            variant: self.variant.clone(),
            model: self.model.clone().unwrap_or_default(),
            prices: None,
            rehearsal: false,
            prompt: self.prompt.clone().unwrap_or_default(),
            images: self.images.clone(),
            roots: Vec::new(),
            skills: self.skills.clone(),
            without: Vec::new(),
            folders: BTreeMap::new(),
            working_directory: self.folder.clone().into(),
            neutral: Vec::new(),
            fidelity: false,
            tokenizer: tokens::TOKENIZER.into(),
            catalogue_tokens: 0,
            groups: Vec::new(),
            app_version: String::new(),
            imported: Some(self.foreign),
            forked: None,
        }
    }

    /// Under what name the messages of a request of this format are.
    fn wire(&self) -> &'static str {
        match self.foreign {
            Foreign::OpenaiResponses | Foreign::Codex => "input",
            Foreign::OpenaiChat
            | Foreign::AnthropicMessages
            | Foreign::ClaudeCode
            | Foreign::Otlp
            | Foreign::Inspect => "messages",
        }
    }

    /// Whether requests of this format have items, and no messages.
    fn is_item(&self) -> bool {
        self.wire() == "input"
    }

    fn add(&mut self, within: &Within, role: Role, said: Content, written: Option<&Value>) {
        let (counted, is_item) = (said.tokens(), self.is_item());
        let conversation = self.conversation(within);
        conversation.tokens = conversation.tokens.saturating_add(counted);
        if conversation.begun && conversation.base.is_none() {
            let pictures = said.images.into_iter().map(Part::Image);
            let mut parts: Vec<Part> = pictures.chain(said.documents.into_iter().map(Part::Document)).collect();
            if !said.text.is_empty() || parts.is_empty() {
                parts.insert(0, Part::Text { text: said.text });
            }
            let message = Message { role, parts };
            return self.push(within, EventKind::Shown { message, tokens: counted });
        }
        let role = match role {
            Role::System => "system",
            Role::User | Role::Tool => "user",
            Role::Assistant => "assistant",
        };
        let written = written.cloned().unwrap_or_else(|| json!({ "role": role, "content": said.written(is_item) }));
        conversation.base.get_or_insert_default().messages.push(written);
    }

    fn conversation(&mut self, within: &Within) -> &mut Conversation {
        self.conversations.entry(within.clone()).or_default()
    }

    fn push(&mut self, within: &Within, kind: EventKind) {
        let seq = u32::try_from(self.events.len()).unwrap_or(u32::MAX);
        self.events.push(Event { seq, at: self.at, within: within.clone(), kind });
        if self.has_begun() {
            self.events.relieve();
        }
    }
}

impl Base {
    fn body(self, messages: &str) -> String {
        let mut body = self.fields;
        body.insert(messages.to_owned(), Value::Array(self.messages));
        Value::Object(body).to_string()
    }
}

/// System messages come from the framework and the user's from the user; nothing is known of the others.
fn origins(body: &str) -> Vec<MessageOrigin> {
    let shown = crate::context::shown(body);
    let origin = |(role, text): (Role, String)| {
        let origin = match role {
            Role::System => Some(Origin::Framework),
            Role::User => Some(Origin::User),
            Role::Assistant | Role::Tool => None,
        };
        let marks = origin.map(|origin| OriginMark { span: Span::new(0, text.len()), origin });
        MessageOrigin { role, marks: marks.into_iter().collect(), tokens: tokens::count(&text) }
    };
    shown.into_iter().map(origin).collect()
}

/// So many lines of a kind that is kept and not shown.
pub fn kept(kinds: &BTreeMap<String, u32>) -> Option<Words> {
    let listed: Vec<String> = kinds.iter().map(|(kind, count)| format!("{kind} ({count})")).collect();
    let listed = listed.join(", ");
    (!kinds.is_empty()).then(|| {
        message!("kept with the run and not shown as steps: {listed}", "随运行保留、但不显示为步骤的内容：{listed}")
    })
}
