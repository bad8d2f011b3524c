//! Rounds of tool calls, and the reminder that is added to a round when the list of todos was not updated for too long.

use super::Variant;
use crate::{Catalog, Mark, Marked, Origin, Session};
use config::options::NagPosition;
use model::{Message, Part, Role, ToolResult};
use skill::source::Span;

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Rounds {
    /// Rounds in a row without a call of `todo`.
    without_todo: u32,
    /// Messages up to the end of the round that was counted last. Ids of calls would not do: some servers give the same
    /// ones in every answer.
    counted: usize,
}

impl Rounds {
    /// The history was replaced by a shorter one.
    pub fn forget_history(&mut self) {
        self.counted = 0;
    }
}

/// Counts the round that the history ends with, if it ends with one, and adds the reminder to it if it is due.
pub fn end(history: &mut Vec<Message>, catalog: &Catalog, session: &mut Session) {
    let results = history.iter().rev().take_while(|message| message.role == Role::Tool).count();
    let first = history.len() - results;
    let rounds = &mut session.memory.learn_claude_code.rounds;
    if results == 0 {
        // Messages after an answer without calls belong to another question.
        if history.iter().rev().nth(1).is_some_and(|before| before.role == Role::Assistant) {
            *rounds = Rounds::default();
        }
        return;
    }
    if rounds.counted == history.len() {
        return;
    }
    rounds.counted = history.len();
    let used = history[..first].last().is_some_and(|answer| answer.calls().any(|call| call.name == "todo"));
    rounds.without_todo = if used { 0 } else { rounds.without_todo.saturating_add(1) };
    let settings = &catalog.options.learn_claude_code;
    if !used && settings.nag_after.is_some_and(|after| rounds.without_todo >= after) {
        let position = settings.nag_position.unwrap_or(match Variant::of(catalog) {
            Variant::Seed => NagPosition::LastToolMessage,
            Variant::Upstream => NagPosition::UserMessage,
        });
        remind(history, first, position, &settings.nag_text, session);
    }
}

fn remind(history: &mut Vec<Message>, first: usize, position: NagPosition, text: &str, session: &mut Session) {
    let mut reminder = Marked::default();
    reminder.push(text, Origin::Framework);
    let at = match position {
        NagPosition::LastToolMessage => history.len() - 1,
        NagPosition::FirstToolMessage => first,
        NagPosition::UserMessage => {
            history.push(Message::user(text));
            session.injected.push(reminder);
            return;
        }
    };
    let results = history[at].parts.iter_mut().filter_map(|part| match part {
        Part::ToolResult(result) => Some(result),
        Part::Text { .. }
        | Part::Reasoning { .. }
        | Part::ToolCall(_)
        | Part::Image(_)
        | Part::Document(_)
        | Part::CachePoint => None,
    });
    for result in results {
        let own = replied(result, session);
        let whole = match position {
            NagPosition::FirstToolMessage => joined([&reminder, &own]),
            NagPosition::LastToolMessage | NagPosition::UserMessage => joined([&own, &reminder]),
        };
        result.text.clone_from(&whole.text);
        result.wire = None;
        session.injected.push(whole);
    }
}

/// Two texts with an empty line between them.
fn joined([first, second]: [&Marked; 2]) -> Marked {
    let mut out = first.clone();
    out.push("\n\n", Origin::Framework);
    let start = out.text.len();
    out.text.push_str(&second.text);
    let shifted = second.marks.iter().map(|mark| Mark { span: mark.span.shift(start), origin: mark.origin.clone() });
    out.marks.extend(shifted);
    out
}

/// Who wrote a result's text, as the tool said when it answered.
fn replied(result: &ToolResult, session: &Session) -> Marked {
    let known = &session.memory.learn_claude_code.replied;
    let found = known.iter().rev().find(|(id, marked)| *id == result.call_id && marked.text == result.text);
    found.map_or_else(
        || {
            let span = Span::new(0, result.text.len());
            Marked { text: result.text.clone(), marks: vec![Mark { span, origin: Origin::Framework }] }
        },
        |(_, marked)| marked.clone(),
    )
}
