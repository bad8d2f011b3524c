//! What harnesses do between two turns of the user.

use model::{Message, Part, Role, ToolCall, ToolResult};

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

/// Where the last turn of the user begins in a history, which frameworks rewrite before it as well.
pub(crate) fn begun(history: &[Message]) -> usize {
    history.iter().rposition(is_prompt).unwrap_or(history.len())
}

/// Whether it is what the user said. A framework made an empty user message from something else.
pub(crate) fn is_prompt(message: &Message) -> bool {
    let is_empty = |part: &Part| matches!(part, Part::Text { text } if text.is_empty());
    message.role == Role::User && !message.parts.iter().all(is_empty)
}

/// Used if a framework has no text of its own.
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
    use crate::{Options, Session};
    use skill::SkillSet;

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

    /// The messages that remain of a turn of two calls, of which only one was answered when it broke off.
    fn left(harness: &str, variant: &str) -> Vec<String> {
        let harness = crate::find(harness).unwrap();
        let options = Options { variant: Some(variant.into()), ..Options::default() };
        let catalog = harness.select(&SkillSet::default(), &options);
        let call = |id: &str| ToolCall::new(id, "look", "{}");
        let found = ToolResult { call_id: "1".into(), text: "found".into(), wire: None, is_error: false };
        let before = [Message::user("a"), Message::assistant("b")];
        let turn = [Message::user("c"), Message::tool_calls([call("1"), call("2")]), Message::tool_result(found)];
        let mut history = [&before[..], &turn].concat();
        harness.next_turn(&mut history, TurnEnd::Broken, &catalog, &mut Session::default());
        assert_eq!(history[..2], before);
        let line = |message: &Message| match message.results().next() {
            Some(result) => format!("{} {}", result.call_id, result.text),
            None => format!("{:?} {}", message.role, message.text()),
        };
        history[2..].iter().map(line).collect()
    }

    #[test]
    fn each_framework_keeps_of_a_broken_turn_what_it_keeps() {
        for variant in ["seed", "dotnet-1.17", "python-1.13", "python-1.23"] {
            assert_eq!(left("agent-framework", variant), Vec::<String>::new(), "its history gets finished runs alone");
        }
        let kept = ["User c", "Assistant ", "1 found"];
        let closed = |second: &str| [&kept.map(String::from)[..], &[second.to_owned()]].concat();
        let ours = format!("2 {INTERRUPTED}");
        for (harness, variant) in
            [("eino", "seed"), ("eino", "newest"), ("learn-claude-code", "seed"), ("learn-claude-code", "upstream")]
        {
            assert_eq!(left(harness, variant), closed(&ours), "{harness} {variant}");
        }
        for variant in ["seed", "demo-repo", "vended-1.62"] {
            let interrupted = ["User c", "Assistant ", "1 Tool was interrupted.", "2 Tool was interrupted."];
            assert_eq!(left("strands", variant), interrupted, "{variant}: results come all at once, or not at all");
        }
        for variant in ["seed", "java-2.0.3"] {
            let error = "2 [ERROR] Tool execution was interrupted before it could run. Tool: look";
            let said = "Assistant I noticed that you have interrupted me. What can I do for you?";
            assert_eq!(left("agentscope", variant), [closed(error), vec![said.to_owned()]].concat(), "{variant}");
        }
        let reminder = "2 <system-reminder>The tool call has been interrupted by the user.</system-reminder>";
        assert_eq!(left("agentscope", "python-2.0.11"), closed(reminder));
    }
}
