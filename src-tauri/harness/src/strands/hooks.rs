//! What happens to the history before a model request: the demo's hooks, in the order in which they fire, and what the
//! framework makes of the model's own messages.

use std::collections::HashSet;

use super::editor::Desk;
use super::file_read::Reading;
use super::python;
use super::shell::Shelling;
use super::tools::is_tool_name;
use super::variant::Variant;
use crate::python::dumps_text;
use crate::turns::{close_calls, open_calls};
use crate::{Catalog, Marked, Session};
use model::{Message, Part, Role};

/// What it remembers of one conversation.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Memory {
    /// The texts of skills, until they are put after a tool's result: of several in one answer only the first ever is.
    pub stash: Vec<Stashed>,
    /// What the hook wrote to the log, verbatim.
    pub log: Vec<String>,
    pub desk: Desk,
    pub reading: Reading,
    pub shelling: Shelling,
}

impl Memory {
    /// The hook after a tool call.
    pub fn stash(&mut self, stashed: Stashed) {
        self.stash.retain(|known| known.call_id != stashed.call_id);
        self.stash.push(stashed);
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Stashed {
    pub call_id: String,
    /// Id of the skill that was loaded.
    pub skill: Option<String>,
    /// One text block each.
    pub blocks: Vec<Marked>,
}

/// Half of a character in the arguments of a call, which are sent back as Python has read them: UTF-8 cannot hold it, so no
/// request that has it can be written.
pub fn half_called(history: &[Message]) -> Option<u32> {
    let calls = history.iter().flat_map(Message::calls);
    calls
        .filter(|call| crate::python::loads(&call.arguments).is_ok())
        .find_map(|call| crate::python::whole_characters(&call.arguments).1)
}

pub fn before_request(history: &mut Vec<Message>, catalog: &Catalog, session: &mut Session) {
    leave_out_nameless_calls(history);
    history.iter_mut().for_each(write_calls_as_python);
    if Variant::of(catalog) == Variant::Vended {
        return;
    }
    inject(history, session);
    if catalog.options.strands.cache_points {
        move_cache_point(history);
    }
}

pub fn next_turn(history: &mut Vec<Message>, catalog: &Catalog, session: &mut Session) {
    if Variant::of(catalog) == Variant::Vended {
        slide_window(history);
    }
    close_open_calls(history, catalog, session);
}

/// `SlidingWindowConversationManager`, which an agent has by default: after each turn the last messages are kept,
/// beginning with a prompt, or from a call with its results if no prompt is among them.
fn slide_window(history: &mut Vec<Message>) {
    let groups = grouped(history);
    let Some(over) = groups.len().checked_sub(WINDOW).filter(|over| *over > 0) else { return };
    let is = |place: usize, role: Role| groups.get(place).is_some_and(|group| history[group.start].role == role);
    let calls = |place: usize| is(place, Role::Assistant) && history[groups[place].start].calls().next().is_some();
    let kept = || over..groups.len();
    let prompt = kept().find(|place| is(*place, Role::User));
    if let Some(first) = prompt.or_else(|| kept().find(|place| calls(*place) && is(place + 1, Role::Tool))) {
        history.drain(..groups[first].start);
    }
}

/// Messages.
const WINDOW: usize = 40;

/// If the last message is an answer with calls, a message of results is inserted before the user's; the demo's hook
/// sees it like any other.
fn close_open_calls(history: &mut Vec<Message>, catalog: &Catalog, session: &mut Session) {
    if open_calls(history).is_empty() {
        return;
    }
    let Some(answer) = history.iter().rposition(|message| message.role == Role::Assistant) else { return };
    history.truncate(answer + 1);
    close_calls(history, |_| "Tool was interrupted.".to_owned());
    if Variant::of(catalog) != Variant::Vended {
        inject(history, session);
    }
}

/// The places of the messages that are one message in Strands: results of tools, and what follows them as the user's.
pub fn grouped(history: &[Message]) -> Vec<std::ops::Range<usize>> {
    let mut groups = Vec::new();
    let mut start = 0;
    while start < history.len() {
        let results = history[start..].iter().take_while(|message| message.role == Role::Tool).count();
        let mut end = start + results.max(1);
        if results > 0 && history.get(end).is_some_and(|message| message.role == Role::User) {
            end += 1;
        }
        groups.push(start..end);
        start = end;
    }
    groups
}

/// A call without a name is skipped: it gets no result, and an answer with only such calls is left blank.
fn leave_out_nameless_calls(history: &mut Vec<Message>) {
    let is_nameless = |part: &Part| matches!(part, Part::ToolCall(call) if call.name.is_empty());
    let mut ids = HashSet::new();
    for message in history.iter_mut().filter(|message| message.parts.iter().any(is_nameless)) {
        let nameless = message.parts.extract_if(.., |part| is_nameless(part));
        ids.extend(nameless.filter_map(|part| match part {
            Part::ToolCall(call) => Some(call.id),
            Part::Text { .. }
            | Part::Reasoning { .. }
            | Part::ToolResult(_)
            | Part::Image(_)
            | Part::Document(_)
            | Part::CachePoint => None,
        }));
        if message.parts.is_empty() {
            message.parts.push(Part::Text { text: "[blank text]".into() });
        }
    }
    if ids.is_empty() {
        return;
    }
    for message in history.iter_mut().filter(|message| message.role == Role::Tool) {
        message.parts.retain(|part| !matches!(part, Part::ToolResult(result) if ids.contains(&result.call_id)));
    }
    history.retain(|message| !message.parts.is_empty());
}

/// Arguments are parsed when they come and written again when they are sent. A name that no tool can have is replaced.
fn write_calls_as_python(message: &mut Message) {
    for part in &mut message.parts {
        if let Part::ToolCall(call) = part {
            call.arguments = dumps_text(&python::loads(&call.arguments));
            if !is_tool_name(&call.name) {
                call.name = "INVALID_TOOL_NAME".into();
            }
        }
    }
}

/// The hook on a new message: the first result in it for which something waits is followed by that, and the hook is
/// done.
fn inject(history: &mut Vec<Message>, session: &mut Session) {
    let round = history.iter().rposition(|message| message.role != Role::Tool).map_or(0, |last| last + 1);
    let stash = &mut session.memory.strands.stash;
    let waiting = |id: &str| stash.iter().position(|stashed| stashed.call_id == id);
    let first = history[round..].iter().flat_map(Message::results).find_map(|result| waiting(&result.call_id));
    let Some(at) = first else { return };
    let Stashed { skill, blocks, .. } = stash.remove(at);
    session.injected.extend(blocks.iter().cloned());
    if let Some(skill) = skill {
        session.activate(&skill);
    }
    let parts = blocks.into_iter().map(|block| Part::Text { text: block.text }).collect();
    history.push(Message { role: Role::User, parts });
}

/// The hook before a model call: every message with a cache point loses its last block, whatever that is, and the last
/// message gets a new one.
fn move_cache_point(history: &mut Vec<Message>) {
    for group in grouped(history).into_iter().rev() {
        let marked = history[group.clone()].iter().any(|message| message.parts.contains(&Part::CachePoint));
        if marked && let Some(last) = history.get_mut(group.end - 1) {
            last.parts.pop();
            if last.parts.is_empty() && group.len() > 1 {
                history.remove(group.end - 1);
            }
        }
    }
    if let Some(last) = history.last_mut() {
        last.parts.push(Part::CachePoint);
    }
}
