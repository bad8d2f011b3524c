//! The messages of a run, and who put each of them there.

use crate::harness::{Marked, Origin};
use crate::model::{Message, Part, Role};
use crate::source::Span;
use crate::trace::{MessageOrigin, OriginMark};

pub(super) struct Conversation {
    /// Without the system message, which the harness presents anew for each request. The harness may rewrite it.
    pub(super) history: Vec<Message>,
    /// Every message the engine added, in order.
    known: Vec<(Message, Vec<OriginMark>)>,
}

impl Conversation {
    pub(super) fn begin(prompt: &str) -> Self {
        let mut conversation = Self { history: Vec::new(), known: Vec::new() };
        conversation.push_whole(Message::user(prompt), Origin::User);
        conversation
    }

    pub(super) fn push(&mut self, message: Message, marks: Vec<OriginMark>) {
        self.history.push(message.clone());
        self.known.push((message, marks));
    }

    /// Adds a message whose whole text has one origin.
    pub(super) fn push_whole(&mut self, message: Message, origin: Origin) {
        let marks = whole(&message, origin);
        self.push(message, marks);
    }

    /// The messages to send, and who put each there: what the harness inserted or rewrote is the framework's.
    pub(super) fn request(
        &self,
        instructions: Option<&Marked>,
        count: fn(&str) -> u32,
    ) -> (Vec<Message>, Vec<MessageOrigin>) {
        let mut messages = Vec::new();
        let mut origins = Vec::new();
        if let Some(Marked { text, marks }) = instructions {
            messages.push(Message::system(text));
            let marks = marks.iter().map(|mark| OriginMark { span: mark.span, origin: mark.origin.clone() });
            origins.push(MessageOrigin { role: Role::System, marks: marks.collect(), tokens: count(text) });
        }
        let mut known = self.known.as_slice();
        for message in &self.history {
            let marks = match known.iter().position(|(added, _)| added == message) {
                Some(at) => {
                    let marks = known[at].1.clone();
                    known = &known[at + 1..];
                    marks
                }
                None => whole(message, Origin::Framework),
            };
            messages.push(message.clone());
            origins.push(MessageOrigin { role: message.role, marks, tokens: tokens(message, count) });
        }
        (messages, origins)
    }
}

fn whole(message: &Message, origin: Origin) -> Vec<OriginMark> {
    match text(message).len() {
        0 => Vec::new(),
        end => vec![OriginMark { span: Span::new(0, end), origin }],
    }
}

/// The text as it is sent.
fn text(message: &Message) -> String {
    let parts = message.parts.iter().map(|part| match part {
        Part::Text { text } => text.as_str(),
        Part::ToolResult(result) => result.on_wire(),
        Part::Reasoning { .. } | Part::ToolCall(_) | Part::CachePoint => "",
    });
    parts.collect()
}

pub(super) fn tokens(message: &Message, count: fn(&str) -> u32) -> u32 {
    let calls = message.calls().map(|call| count(&call.name) + count(&call.arguments));
    count(&text(message)) + calls.sum::<u32>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ToolResult;

    fn said(role: Role, text: &str) -> Message {
        Message { role, parts: vec![Part::Text { text: text.into() }] }
    }

    fn from(role: Role, end: usize, origin: Origin) -> MessageOrigin {
        let marks = vec![OriginMark { span: Span::new(0, end), origin }];
        MessageOrigin { role, marks, tokens: u32::try_from(end).unwrap() }
    }

    fn bytes(text: &str) -> u32 {
        u32::try_from(text.len()).unwrap()
    }

    #[test]
    fn marks_what_a_harness_inserted_or_rewrote_as_the_frameworks() {
        let mut conversation = Conversation::begin("hello");
        conversation.push(said(Role::Assistant, "hi"), Vec::new());
        conversation.push_whole(said(Role::Tool, "42"), Origin::Tool { tool: "sum".into() });
        conversation.history[1] = said(Role::Assistant, "(cut)");
        conversation.history.insert(1, said(Role::User, "reminder"));
        let (messages, origins) = conversation.request(None, bytes);
        assert_eq!(messages, conversation.history);
        assert_eq!(
            origins,
            [
                from(Role::User, 5, Origin::User),
                from(Role::User, 8, Origin::Framework),
                from(Role::Assistant, 5, Origin::Framework),
                from(Role::Tool, 2, Origin::Tool { tool: "sum".into() }),
            ]
        );
    }

    #[test]
    fn marks_a_result_as_it_travels() {
        let mut conversation = Conversation::begin("");
        let result = ToolResult { call_id: "1".into(), text: "a".into(), wire: Some("\"a\"".into()), is_error: false };
        let message = Message { role: Role::Tool, parts: vec![Part::ToolResult(result)] };
        conversation.push_whole(message, Origin::User);
        let (_, origins) = conversation.request(None, bytes);
        assert_eq!(
            origins,
            [MessageOrigin { role: Role::User, marks: Vec::new(), tokens: 0 }, from(Role::Tool, 3, Origin::User),]
        );
    }
}
