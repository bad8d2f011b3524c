//! What is between two turns of the user.

use model::{Message, Role, ToolCall, ToolResult};

/// How a turn of the user ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TurnEnd {
    /// With an answer, or the framework ended it of itself.
    Done,
    /// The framework's own cap was reached.
    Capped,
    /// It was stopped, failed or broke off, or a limit of the user was reached.
    Broken,
}

/// Said where a framework has no words of its own.
pub(crate) const INTERRUPTED: &str = "The call was interrupted before it returned anything.";

/// The calls of the last answer that have no result.
pub(crate) fn open_calls(history: &[Message]) -> Vec<ToolCall> {
    let Some(answer) = history.iter().rposition(|message| message.role == Role::Assistant) else { return Vec::new() };
    let mut replied: Vec<&str> =
        history[answer..].iter().flat_map(Message::results).map(|result| result.call_id.as_str()).collect();
    let mut open: Vec<ToolCall> = history[answer].calls().cloned().collect();
    open.retain(|call| match replied.iter().position(|id| *id == call.id) {
        Some(place) => {
            replied.remove(place);
            false
        }
        None => true,
    });
    open
}

/// Gives the calls of the last answer that have no result one that says why, behind the results that are there.
pub(crate) fn close_calls(history: &mut Vec<Message>, result: impl Fn(&ToolCall) -> String) {
    let open = open_calls(history);
    let Some(answer) = history.iter().rposition(|message| message.role == Role::Assistant) else { return };
    let results = history[answer + 1..].iter().take_while(|message| message.role == Role::Tool).count();
    let behind = answer + 1 + results;
    let closed = open.iter().map(|call| {
        let (call_id, text) = (call.id.clone(), result(call));
        Message::tool_result(ToolResult { call_id, text, wire: None, is_error: true })
    });
    history.splice(behind..behind, closed);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_calls_are_closed_behind_the_results_that_are_there() {
        let call = |id: &str| ToolCall::new(id, "look", "{}");
        let result = |id: &str, text: &str, is_error| {
            Message::tool_result(ToolResult { call_id: id.into(), text: text.into(), wire: None, is_error })
        };
        let begin =
            [Message::user("a"), Message::tool_calls([call("1"), call("2"), call("2")]), result("2", "x", false)];
        let mut history = [&begin[..], &[Message::user("reminder")]].concat();
        close_calls(&mut history, |call| format!("{} {}", call.name, call.id));
        let closed = [result("1", "look 1", true), result("2", "look 2", true), Message::user("reminder")];
        assert_eq!(history, [&begin[..], &closed].concat());
        let whole = history.clone();
        close_calls(&mut history, |_| String::new());
        assert_eq!(history, whole, "no call is closed twice");
    }
}
