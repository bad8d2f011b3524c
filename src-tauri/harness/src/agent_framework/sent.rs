//! What release 1.17 of .NET makes of the messages behind it before it sends them again: `FunctionInvokingChatClient` and
//! the OpenAI adapter of Microsoft.Extensions.AI 10.7.

use serde_json::value::RawValue;

use super::arguments::{Arguments, Pairs};
use super::tools::Tool;
use super::{serve, wire};
use crate::{Catalog, turns};
use config::options::AutoApproval;
use model::{Message, Part, Role};

/// Arguments are sent as the framework read them. If it stopped to ask, the text of the answer is a message before the
/// calls. Once another run has begun, the question and its answer, which are not sent themselves, leave an empty
/// message each.
pub fn before_request(history: &mut Vec<Message>, catalog: &Catalog) {
    for message in history.iter_mut() {
        for part in &mut message.parts {
            if let Part::ToolCall(call) = part {
                call.arguments = arguments(&call.arguments);
            }
        }
    }
    // Without skills there are no tools to ask for.
    let asking = if catalog.skills.is_empty() { &[] } else { serve::asking(&catalog.options.agent_framework) };
    let asks = |message: &Message| message.calls().any(|call| asking.contains(&call.name.as_str()));
    let mut another_run = false;
    for place in (0..history.len()).rev() {
        let message = &history[place];
        if turns::is_prompt(message) {
            another_run = true;
        } else if message.role == Role::Assistant && asks(message) {
            let answers = answers(message, catalog);
            order(history, place, |name| !asking.contains(&name));
            let is_split = split(history, place);
            // The calls, and the text that came with them.
            let (calls, said) = if is_split { (place + 1, true) } else { (place, says(history, place)) };
            let left_before = place.checked_sub(1).is_some_and(|before| is_left(&history[before]));
            if another_run && !left_before {
                let question = (!said).then(|| Message::assistant(""));
                let left = question.into_iter().chain(std::iter::repeat_n(Message::user(""), answers));
                history.splice(calls..calls, left.collect::<Vec<_>>());
            }
            another_run = true;
        }
    }
}

/// Calls without a question are made after the others of their round, and their results come after theirs.
fn order(history: &mut [Message], place: usize, is_unasked: impl Fn(&str) -> bool) {
    let Some((calls, behind)) = history[place..].split_first_mut() else { return };
    calls.parts.sort_by_key(|part| matches!(part, Part::ToolCall(call) if is_unasked(&call.name)));
    let ids: Vec<String> = calls.calls().map(|call| call.id.clone()).collect();
    let rank = |part: &Part| match part {
        Part::ToolResult(result) => ids.iter().position(|id| *id == result.call_id),
        _ => None,
    };
    let results = behind.iter().take_while(|message| message.role == Role::Tool).count();
    for message in &mut behind[..results] {
        message.parts.sort_by_key(rank);
    }
    behind[..results].sort_by_key(|message| message.parts.first().and_then(rank));
}

/// Answers to the questions of a round: those given by a rule come in a separate message.
fn answers(message: &Message, catalog: &Catalog) -> usize {
    let settings = &catalog.options.agent_framework;
    let by_rule = |tool: Option<Tool>| match settings.auto_approval {
        AutoApproval::None => false,
        AutoApproval::ReadOnly => matches!(tool, Some(Tool::LoadSkill | Tool::ReadResource)),
        AutoApproval::All => tool.is_some(),
    };
    let ruled = message.calls().filter(|call| by_rule(Tool::find(&call.name, catalog))).count();
    usize::from(ruled > 0) + usize::from(ruled < message.calls().count())
}

/// Puts what an answer says in front of what it calls. `false`: it says nothing.
fn split(history: &mut Vec<Message>, place: usize) -> bool {
    let is_text = |part: &Part| matches!(part, Part::Text { .. });
    let message = &mut history[place];
    if !message.parts.iter().any(is_text) {
        return false;
    }
    let (said, rest): (Vec<Part>, Vec<Part>) = std::mem::take(&mut message.parts).into_iter().partition(is_text);
    message.parts = rest;
    history.insert(place, Message { role: Role::Assistant, parts: said });
    true
}

/// Whether the text that came with these calls is before them already.
fn says(history: &[Message], place: usize) -> bool {
    let before = place.checked_sub(1).map(|before| &history[before]);
    before.is_some_and(|before| before.role == Role::Assistant && before.calls().next().is_none())
}

/// Whether it is what an answer to a question left.
fn is_left(message: &Message) -> bool {
    message.role == Role::User && !turns::is_prompt(message)
}

/// `System.Text.Json` refuses values that are nested deeper.
const DEPTH: usize = 64;

/// `JsonSerializer.Serialize`, indented, of the dictionary that the arguments were read into; `null` if they are not an
/// object.
fn arguments(json: &str) -> String {
    let Ok(read) = serde_json::from_str::<Arguments>(json) else { return "null".to_owned() };
    let mut out = String::new();
    match object(read.into_iter(), 1, &mut out) {
        Some(()) => out,
        None => "null".to_owned(),
    }
}

/// `None`: it is nested too deeply.
fn value(raw: &str, depth: usize, out: &mut String) -> Option<()> {
    match raw.as_bytes().first() {
        Some(b'{') => {
            let pairs = serde_json::from_str::<Pairs>(raw).ok()?;
            object(pairs.0.into_iter().map(|(key, value)| (key, value.get())), depth + 1, out)
        }
        Some(b'[') => {
            let items = serde_json::from_str::<Vec<&RawValue>>(raw).ok()?;
            list(['[', ']'], items.into_iter(), depth + 1, out, |item, out| value(item.get(), depth + 1, out))
        }
        Some(b'"') => {
            match serde_json::from_str::<String>(raw) {
                Ok(text) => out.push_str(&wire::literal(&text)),
                Err(_) => out.push_str(raw),
            }
            Some(())
        }
        _ => {
            out.push_str(raw);
            Some(())
        }
    }
}

fn object<'a>(pairs: impl Iterator<Item = (String, &'a str)>, depth: usize, out: &mut String) -> Option<()> {
    list(['{', '}'], pairs, depth, out, |(key, raw), out| {
        out.push_str(&wire::literal(&key));
        out.push_str(": ");
        value(raw, depth, out)
    })
}

fn list<T>(
    [open, close]: [char; 2],
    items: impl Iterator<Item = T>,
    depth: usize,
    out: &mut String,
    write: impl Fn(T, &mut String) -> Option<()>,
) -> Option<()> {
    if depth > DEPTH {
        return None;
    }
    let line = |depth: usize, out: &mut String| {
        out.push('\n');
        out.extend(std::iter::repeat_n("  ", depth));
    };
    out.push(open);
    let mut is_first = true;
    for item in items {
        if !is_first {
            out.push(',');
        }
        is_first = false;
        line(depth, out);
        write(item, out)?;
    }
    if !is_first {
        line(depth - 1, out);
    }
    out.push(close);
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_written_as_they_were_read() {
        let nested = |depth: usize| format!("{{\"a\":{}{}}}", "[".repeat(depth), "]".repeat(depth));
        let cases = [
            (
                r#"{"a": 1.50, "b": [], "a": {"c": [1e3, {}]}}"#,
                "{\n  \"a\": {\n    \"c\": [\n      1e3,\n      {}\n    ]\n  },\n  \"b\": []\n}",
            ),
            (r#"{"a":{"b":1,"b":2}}"#, "{\n  \"a\": {\n    \"b\": 1,\n    \"b\": 2\n  }\n}"),
            (r#"{"😀":"字<&é\u2028"}"#, "{\n  \"\\uD83D\\uDE00\": \"字<&é\\u2028\"\n}"),
            ("{}", "{}"),
            ("", "null"),
            ("[1]", "null"),
            ("{not json", "null"),
            (&nested(64), "null"),
        ];
        for (given, sent) in cases {
            assert_eq!(arguments(given), sent, "{given}");
            assert_eq!(arguments(sent), sent, "written once more");
        }
        assert!(arguments(&nested(63)).len() > nested(63).len());
    }
}
