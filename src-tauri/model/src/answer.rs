//! Folding the events of one answer into the message that goes into the history.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::{FinishReason, Message, ModelEvent, Part, Role, ToolCall, Usage};

/// An answer as far as it has come.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    text: String,
    reasoning: String,
    calls: Vec<ToolCall>,
    /// The places of the calls, by the index that the events give them.
    places: HashMap<u32, usize>,
    /// The thoughts that are over, in their order.
    sealed: Vec<Sealed>,
    usage: Option<Usage>,
    finish: FinishReason,
    calls_before: u32,
}

/// A thought that is over, and how much of the answer had come by then: bytes of text and of reasoning, and calls.
#[derive(Debug, Clone, PartialEq)]
struct Sealed {
    block: Value,
    text: usize,
    reasoning: usize,
    calls: usize,
}

/// A whole answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Answered {
    /// Reasoning, then text, then calls, as far as there are any; the order starts again after each sealed thought.
    pub message: Message,
    /// `None`: the provider did not count, or its count does not fit the answer.
    pub usage: Option<Usage>,
    /// The provider counted zero tokens for something; the count is ignored.
    pub miscounted: bool,
    pub finish: FinishReason,
    /// Ids that we gave to calls because they came without one.
    pub given: Vec<String>,
}

impl Answer {
    /// `calls_before`: tool calls in the conversation so far. Calls that come without an id are numbered on from there,
    /// so that their ids are the same every time and differ from those of earlier answers.
    pub fn new(calls_before: u32) -> Self {
        Self {
            text: String::new(),
            reasoning: String::new(),
            calls: Vec::new(),
            places: HashMap::new(),
            sealed: Vec::new(),
            usage: None,
            finish: FinishReason::Unsaid,
            calls_before,
        }
    }

    /// Adds the next piece.
    pub fn push(&mut self, event: &ModelEvent) {
        match event {
            ModelEvent::Text { delta } => self.text.push_str(delta),
            ModelEvent::Reasoning { delta } => self.reasoning.push_str(delta),
            ModelEvent::ToolCall { index, id, name, arguments } => {
                let call = self.call(*index);
                // Some servers repeat the id and the name with every piece.
                if let (true, Some(id)) = (call.id.is_empty(), id) {
                    call.id.clone_from(id);
                }
                if let (true, Some(name)) = (call.name.is_empty(), name) {
                    call.name.clone_from(name);
                }
                call.arguments.push_str(arguments);
            }
            ModelEvent::Extra { index, extra } => self.call(*index).extra = Some(extra.clone()),
            ModelEvent::Sealed { block } => self.sealed.push(Sealed {
                block: block.clone(),
                text: self.text.len(),
                reasoning: self.reasoning.len(),
                calls: self.calls.len(),
            }),
            ModelEvent::Usage(usage) => self.usage = Some(*usage),
            ModelEvent::Finish { reason } => self.finish = reason.clone(),
            ModelEvent::Retried(_) => {}
        }
    }

    /// The text so far.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The reasoning so far.
    pub fn reasoning(&self) -> &str {
        &self.reasoning
    }

    /// Nothing came, not even the word that this is all.
    pub fn is_nothing(&self) -> bool {
        let silent =
            self.text.is_empty() && self.reasoning.is_empty() && self.calls.is_empty() && self.sealed.is_empty();
        silent && matches!(self.finish, FinishReason::Unsaid | FinishReason::PerhapsCut)
    }

    /// The whole answer: pieces put together, calls named, and why it ended.
    pub fn finish(self) -> Answered {
        let finish = match self.finish {
            FinishReason::Stop | FinishReason::Unsaid if !self.calls.is_empty() => FinishReason::ToolCalls,
            said => said,
        };
        let mut calls = self.calls;
        let given = name_calls(&mut calls, self.calls_before);
        let mut calls = calls.into_iter();
        let mut parts = Vec::new();
        let mut said = |parts: &mut Vec<Part>, text: &str, count: usize| {
            let text = (!text.is_empty()).then(|| Part::Text { text: text.to_owned() });
            parts.extend(text);
            parts.extend(calls.by_ref().take(count).map(Part::ToolCall));
        };
        let (mut text, mut reasoning, mut called) = (0, 0, 0);
        for sealed in self.sealed {
            said(&mut parts, &self.text[text..sealed.text], sealed.calls - called);
            let thought = self.reasoning[reasoning..sealed.reasoning].to_owned();
            parts.push(Part::Reasoning { text: thought, block: Some(sealed.block) });
            (text, reasoning, called) = (sealed.text, sealed.reasoning, sealed.calls);
        }
        if reasoning < self.reasoning.len() {
            parts.push(Part::Reasoning { text: self.reasoning[reasoning..].to_owned(), block: None });
        }
        said(&mut parts, &self.text[text..], usize::MAX);
        let counts = |usage: &Usage| usage.input > 0 && (usage.output > 0 || parts.is_empty());
        let usage = self.usage.filter(counts);
        let miscounted = usage.is_none() && self.usage.is_some();
        Answered { message: Message { role: Role::Assistant, parts }, usage, miscounted, finish, given }
    }

    fn call(&mut self, index: u32) -> &mut ToolCall {
        let place = *self.places.entry(index).or_insert(self.calls.len());
        if place == self.calls.len() {
            self.calls.push(ToolCall::new("", "", ""));
        }
        &mut self.calls[place]
    }
}

/// Gives an id to each call that has none, or one that an earlier call of the answer has; says which it gave.
fn name_calls(calls: &mut [ToolCall], calls_before: u32) -> Vec<String> {
    let taken: HashSet<String> = calls.iter().map(|call| call.id.clone()).collect();
    let mut earlier = HashSet::from([String::new()]);
    let mut fresh = (calls_before..).map(|number| format!("call_{number}")).filter(|id| !taken.contains(id));
    let mut given = Vec::new();
    for call in calls {
        if !earlier.insert(call.id.clone()) {
            call.id = fresh.next().expect("there are more numbers than calls");
            given.push(call.id.clone());
        }
    }
    given
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn call(index: u32, id: Option<&str>, name: Option<&str>, arguments: &str) -> ModelEvent {
        let (id, name) = (id.map(str::to_owned), name.map(str::to_owned));
        ModelEvent::ToolCall { index, id, name, arguments: arguments.into() }
    }

    fn fold(calls_before: u32, events: &[ModelEvent]) -> Answered {
        let mut answer = Answer::new(calls_before);
        events.iter().for_each(|event| answer.push(event));
        answer.finish()
    }

    fn ids(calls_before: u32, given: &[Option<&str>]) -> Vec<String> {
        let events: Vec<_> = (0..).zip(given).map(|(index, id)| call(index, *id, Some("f"), "{}")).collect();
        fold(calls_before, &events).message.calls().map(|call| call.id.clone()).collect()
    }

    #[test]
    fn joins_what_came_in_pieces() {
        let usage = Usage { input: 10, output: 4, cached: 2, cache_written: 0 };
        let answered = fold(
            0,
            &[
                ModelEvent::Reasoning { delta: "Let ".into() },
                ModelEvent::Reasoning { delta: "me see".into() },
                ModelEvent::Text { delta: "One ".into() },
                call(0, Some("a"), Some("load_skill"), ""),
                call(1, Some("b"), Some("read_skill_resource"), "{\"x\":"),
                call(0, None, None, "{}"),
                call(1, None, None, "1}"),
                ModelEvent::Text { delta: "moment".into() },
                ModelEvent::Usage(usage),
                ModelEvent::Finish { reason: FinishReason::ToolCalls },
            ],
        );
        let message = Message {
            role: Role::Assistant,
            parts: vec![
                Part::Reasoning { text: "Let me see".into(), block: None },
                Part::Text { text: "One moment".into() },
                Part::ToolCall(ToolCall::new("a", "load_skill", "{}")),
                Part::ToolCall(ToolCall::new("b", "read_skill_resource", "{\"x\":1}")),
            ],
        };
        assert_eq!(
            answered,
            Answered { message, usage: Some(usage), miscounted: false, finish: FinishReason::ToolCalls, given: vec![] }
        );
    }

    #[test]
    fn keeps_sealed_thoughts_where_they_came() {
        let block = |of: &str| json!({"type": "thinking", "signature": of});
        let events = [
            ModelEvent::Reasoning { delta: "First".into() },
            ModelEvent::Sealed { block: block("a") },
            ModelEvent::Text { delta: "One.".into() },
            call(0, Some("x"), Some("f"), "{}"),
            ModelEvent::Reasoning { delta: "Then".into() },
            ModelEvent::Sealed { block: block("b") },
            ModelEvent::Sealed { block: json!({"type": "redacted_thinking", "data": "…"}) },
            call(1, Some("y"), Some("g"), "{}"),
            ModelEvent::Text { delta: "Two.".into() },
        ];
        let thought = |text: &str, block| Part::Reasoning { text: text.into(), block: Some(block) };
        let called = |id: &str, name: &str| Part::ToolCall(ToolCall::new(id, name, "{}"));
        assert_eq!(
            fold(0, &events).message.parts,
            vec![
                thought("First", block("a")),
                Part::Text { text: "One.".into() },
                called("x", "f"),
                thought("Then", block("b")),
                thought("", json!({"type": "redacted_thinking", "data": "…"})),
                Part::Text { text: "Two.".into() },
                called("y", "g"),
            ]
        );
    }

    #[test]
    fn an_answer_of_nothing_is_an_empty_message() {
        let message = Message { role: Role::Assistant, parts: vec![] };
        assert_eq!(
            fold(0, &[]),
            Answered { message, usage: None, miscounted: false, finish: FinishReason::Unsaid, given: vec![] }
        );
    }

    #[test]
    fn a_count_of_nothing_for_something_is_not_believed() {
        let counted = |text: &str, input, output| {
            let usage = ModelEvent::Usage(Usage { input, output, ..Usage::default() });
            let answered = fold(0, &[ModelEvent::Text { delta: text.into() }, usage]);
            (answered.usage.is_some(), answered.miscounted)
        };
        let (believed, miscounted) = ((true, false), (false, true));
        assert_eq!([counted("Hi", 9, 2), counted("", 9, 0)], [believed; 2]);
        assert_eq!([counted("Hi", 0, 0), counted("Hi", 9, 0), counted("Hi", 0, 2), counted("", 0, 0)], [miscounted; 4]);
    }

    #[test]
    fn calls_that_finish_with_stop_or_nothing_are_still_calls() {
        let finish = |reason| fold(0, &[call(0, Some("a"), Some("f"), "{}"), ModelEvent::Finish { reason }]).finish;
        assert_eq!(finish(FinishReason::Stop), FinishReason::ToolCalls);
        assert_eq!(finish(FinishReason::Unsaid), FinishReason::ToolCalls);
        assert_eq!(finish(FinishReason::Length), FinishReason::Length, "the calls may be cut short");
    }

    #[test]
    fn numbers_calls_without_an_id_on_from_the_conversation() {
        assert_eq!(ids(0, &[None, Some("x"), Some("")]), ["call_0", "x", "call_1"]);
        assert_eq!(ids(5, &[None, Some("call_6"), None]), ["call_5", "call_6", "call_7"]);
    }

    #[test]
    fn gives_each_call_its_own_id_where_a_server_repeats_one() {
        assert_eq!(ids(0, &[Some("x"), Some("x"), Some("x")]), ["x", "call_0", "call_1"]);
    }
}
