//! The messages of one conversation, and who put each of them there.

use super::provenance::{Known, in_trace, whole};
use harness::{Marked, Origin};
use model::{Message, Role};
use trace::{MessageOrigin, OriginMark};

#[derive(Debug, Clone, Default)]
pub(super) struct Conversation {
    /// Without the system message, which the harness presents again for each request. The harness may rewrite it.
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
    /// The next request tells all its origins again.
    pub(super) fn forget_origins(&mut self) {
        self.origins.clear();
    }

    /// A conversation that branches off at a place in this one's history, with messages that are not answered yet.
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

    /// Tokens of a text. They are not counted again when the text is in a request.
    pub(super) fn count(&mut self, text: &str) -> u32 {
        self.known.count(text)
    }

    /// Adds a message whose whole text has one origin.
    pub(super) fn push_whole(&mut self, message: Message, origin: Origin) {
        let marks = whole(&message, origin);
        self.push(message, marks);
    }

    /// The messages as they were pushed, before any rewriting by the harness.
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
        let tokens = origins.iter().fold(0_u32, |sum, origin| sum.saturating_add(origin.tokens));
        let fresh = origins[kept..].to_vec();
        self.origins = origins;
        Assembled { messages, kept, origins: fresh, tokens }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Conversation {
        fn begin(prompt: &str) -> Self {
            let mut conversation = Self::default();
            conversation.push_whole(Message::user(prompt), Origin::User);
            conversation
        }
    }
    use model::{Part, ToolCall, ToolResult, tokens};
    use skill::source::Span;

    fn from(role: Role, text: &str, marks: &[(usize, Origin)]) -> MessageOrigin {
        let mut start = 0;
        let marks = marks.iter().map(|(end, origin)| {
            let span = Span::new(std::mem::replace(&mut start, *end), *end);
            OriginMark { span, origin: origin.clone() }
        });
        MessageOrigin { role, marks: marks.collect(), tokens: tokens::count(text) }
    }

    fn result(call_id: &str, text: &str, wire: Option<&str>) -> ToolResult {
        ToolResult { call_id: call_id.into(), text: text.into(), wire: wire.map(String::from), is_error: false }
    }

    fn origins(conversation: &mut Conversation, injected: &[Marked]) -> Vec<MessageOrigin> {
        conversation.origins.clear();
        conversation.assemble(None, injected).origins
    }

    fn marked(pieces: &[(&str, Origin)]) -> Marked {
        let mut marked = Marked::default();
        pieces.iter().for_each(|(text, origin)| marked.push(text, origin.clone()));
        marked
    }

    fn tool() -> Origin {
        Origin::Tool { tool: "sum".into() }
    }

    #[test]
    fn marks_what_a_harness_inserted_or_rewrote_as_the_frameworks() {
        let mut conversation = Conversation::begin("hello");
        conversation.push(Message::assistant("hi"), Vec::new());
        conversation.push_whole(Message::tool_result(result("1", "42", None)), tool());
        conversation.history[1] = Message::assistant("(cut)");
        conversation.history.insert(1, Message::user("reminder"));
        let assembled = conversation.assemble(None, &[]);
        assert_eq!(assembled.messages, conversation.history);
        assert_eq!(
            assembled.origins,
            [
                from(Role::User, "hello", &[(5, Origin::User)]),
                from(Role::User, "reminder", &[(8, Origin::Framework)]),
                from(Role::Assistant, "(cut)", &[(5, Origin::Framework)]),
                from(Role::Tool, "42", &[(2, tool())]),
            ]
        );
    }

    #[test]
    fn marks_a_result_as_it_travels() {
        let mut conversation = Conversation::begin("");
        conversation.push_whole(Message::tool_result(result("1", "a", Some("\"a\""))), Origin::User);
        assert_eq!(
            origins(&mut conversation, &[]),
            [from(Role::User, "", &[]), from(Role::Tool, "\"a\"", &[(3, Origin::User)])]
        );
    }

    #[test]
    fn finds_injected_and_known_texts_part_by_part() {
        let mut conversation = Conversation::begin("hello");
        let skill = Origin::Skill { skill: "demo".into(), field: "body".into() };
        let injected = marked(&[("Skill: ", Origin::Framework), ("text", skill.clone())]);
        for text in [" and ", &injected.text] {
            conversation.history[0].parts.push(Part::Text { text: text.into() });
        }
        conversation.history[0].parts.push(Part::CachePoint);
        assert_eq!(
            origins(&mut conversation, &[injected]),
            [from(
                Role::User,
                "hello and Skill: text",
                &[(5, Origin::User), (10, Origin::Framework), (17, Origin::Framework), (21, skill),]
            )]
        );
    }

    #[test]
    fn a_result_that_was_changed_keeps_the_marks_of_what_was_not() {
        let mut conversation = Conversation::begin("");
        for id in ["1", "2", "3"] {
            conversation.push_whole(Message::tool_result(result(id, "公斤", None)), tool());
        }
        let replace = |conversation: &mut Conversation, place: usize, text: &str| {
            let id = place.to_string();
            conversation.history[place] = Message::tool_result(result(&id, text, None));
        };
        replace(&mut conversation, 1, "公斤\nreminder");
        replace(&mut conversation, 2, "公制");
        replace(&mut conversation, 3, "[left out]");
        let injected = marked(&[("\nreminder", Origin::User)]);
        assert_eq!(
            origins(&mut conversation, &[injected])[1..],
            [
                from(Role::Tool, "公斤\nreminder", &[(6, tool()), (15, Origin::User)]),
                from(Role::Tool, "公制", &[(3, tool()), (6, Origin::Framework)]),
                from(Role::Tool, "[left out]", &[(10, Origin::Framework)]),
            ]
        );
    }

    #[test]
    fn every_message_of_the_wire_has_its_origin() {
        let mut conversation = Conversation::begin("hi");
        let call = ToolCall::new("1", "sum", "{}");
        conversation.push(Message::tool_calls([call]), Vec::new());
        conversation.push_whole(Message::tool_result(result("1", "one", None)), tool());
        let both = [result("1", "one", None), result("2", "two", None)].map(Part::ToolResult);
        conversation.history[2] = Message { role: Role::Tool, parts: both.into() };
        conversation.history.push(Message::system("Skills."));
        let called = tokens::count("sum") + tokens::count("{}");
        assert_eq!(
            origins(&mut conversation, &[]),
            [
                from(Role::User, "hi", &[(2, Origin::User)]),
                MessageOrigin { role: Role::Assistant, marks: Vec::new(), tokens: called },
                from(Role::Tool, "one", &[(3, tool())]),
                from(Role::Tool, "two", &[(3, Origin::Framework)]),
                from(Role::System, "Skills.", &[(7, Origin::Framework)]),
            ]
        );
    }

    #[test]
    fn tells_only_the_origins_that_are_new() {
        let instructions = marked(&[("Help.", Origin::Framework)]);
        let mut conversation = Conversation::begin("hi");
        let first = conversation.assemble(Some(&instructions), &[]);
        assert_eq!((first.kept, first.origins.len()), (0, 2));
        conversation.push(Message::assistant("hello"), Vec::new());
        let second = conversation.assemble(Some(&instructions), &[]);
        assert_eq!((second.kept, second.origins), (2, vec![from(Role::Assistant, "hello", &[])]));
        assert_eq!(second.tokens, first.tokens + tokens::count("hello"));
        conversation.history = vec![Message::user("(summed up)")];
        let third = conversation.assemble(Some(&instructions), &[]);
        assert_eq!((third.kept, third.origins), (1, vec![from(Role::User, "(summed up)", &[(11, Origin::Framework)])]));
    }
}
