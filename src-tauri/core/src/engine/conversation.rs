//! The messages of one conversation, and who put each of them there.

use super::provenance::{Known, in_trace, whole};
use crate::harness::{Marked, Origin};
use crate::model::{Message, Role};
use crate::trace::{MessageOrigin, OriginMark};

#[derive(Debug, Clone, Default)]
pub(super) struct Conversation {
    /// Without the system message, which the harness presents anew for each request. The harness may rewrite it.
    pub(super) history: Vec<Message>,
    known: Known,
    /// Those of the last request.
    origins: Vec<MessageOrigin>,
}

/// A request's messages as they are sent, and who put them there.
#[derive(Debug, PartialEq)]
pub(super) struct Assembled {
    pub(super) messages: Vec<Message>,
    /// So many origins at the head are as they were in the request before; `origins` are those that follow.
    pub(super) kept: usize,
    pub(super) origins: Vec<MessageOrigin>,
    /// Of all messages together.
    pub(super) tokens: u32,
}

impl Conversation {
    pub(super) fn begin(prompt: &str) -> Self {
        let mut conversation = Self::default();
        conversation.push_whole(Message::user(prompt), Origin::User);
        conversation
    }

    /// A conversation that goes on from this one up to a place in its history, with messages that nobody answered yet.
    pub(super) fn branch(&self, up_to: usize, messages: Vec<Message>) -> Self {
        // Instructions come first, whatever comes before the question.
        let instructions = messages.iter().take_while(|message| message.role == Role::System).count();
        let (instructions, question) = messages.split_at(instructions);
        let history = [instructions, &self.history[..up_to], question].concat();
        Self { history, known: self.known.clone(), origins: Vec::new() }
    }

    pub(super) fn push(&mut self, message: Message, marks: Vec<OriginMark>) {
        self.history.push(message.clone());
        self.known.add(message, marks);
    }

    /// Adds a message whose whole text has one origin.
    pub(super) fn push_whole(&mut self, message: Message, origin: Origin) {
        let marks = whole(&message, origin);
        self.push(message, marks);
    }

    /// The messages that were pushed, whatever the harness made of them since.
    pub(super) fn pushed(&self) -> impl Iterator<Item = &Message> {
        self.known.messages()
    }

    /// The next request. `injected`: what the harness put into the history itself.
    pub(super) fn assemble(&mut self, instructions: Option<&Marked>, injected: &[Marked]) -> Assembled {
        let mut origins = Vec::new();
        let mut messages = Vec::new();
        if let Some(instructions) = instructions {
            messages.push(Message::system(&instructions.text));
            let tokens = self.known.count(&instructions.text);
            origins.push(MessageOrigin { role: Role::System, marks: in_trace(&instructions.marks), tokens });
        }
        messages.extend(self.history.iter().cloned());
        origins.extend(self.known.origins(&self.history, injected));
        let kept = origins.iter().zip(&self.origins).take_while(|(now, before)| now == before).count();
        let tokens = origins.iter().map(|origin| origin.tokens).sum();
        let fresh = origins[kept..].to_vec();
        self.origins = origins;
        Assembled { messages, kept, origins: fresh, tokens }
    }
}
