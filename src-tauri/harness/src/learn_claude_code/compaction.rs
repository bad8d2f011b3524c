//! Context compaction in three layers: old results become placeholders; a conversation past the threshold is written to
//! a transcript and replaced by a summary; a tool asks for the same at once, and ends the turn.

use camino::Utf8PathBuf;

use super::{Variant, files};
use crate::python::{Value, dumps, loads};
use crate::{Catalog, Effect, Marked, Origin, Performed, Prepared, Session};
use model::{Message, ModelRequest, Part, Sampling, openai};

/// The state that is kept between requests.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct State {
    /// Transcripts written so far.
    transcripts: u32,
    /// The tool was called, with this focus.
    asked: Option<String>,
    under_way: Option<UnderWay>,
}

#[derive(Debug, Clone, PartialEq)]
struct UnderWay {
    transcript: Utf8PathBuf,
    /// Empty: none.
    focus: String,
    /// The tool asked for it.
    manual: bool,
    /// The transcript is written; the summary comes next.
    written: bool,
}

impl State {
    /// The turn ended before it was done.
    pub fn break_off(&mut self) {
        self.under_way = None;
        self.asked = None;
    }
}

pub fn has_tool(catalog: &Catalog) -> bool {
    catalog.options.learn_claude_code.compaction.tool.unwrap_or(Variant::compacts(catalog))
}

/// The tool's answer; the rest comes when the round is over.
pub fn ask(focus: String, session: &mut Session) -> String {
    session.memory.learn_claude_code.compaction.asked = Some(focus);
    "Compressing...".into()
}

/// The first effect before a request, if there is one.
pub fn begin(history: &mut [Message], catalog: &Catalog, session: &mut Session) -> Prepared {
    let settings = &catalog.options.learn_claude_code.compaction;
    let asked = session.memory.learn_claude_code.compaction.asked.take();
    if let Some(focus) = asked {
        return write_transcript(history, focus, true, catalog, session);
    }
    if settings.results.unwrap_or(Variant::compacts(catalog)) {
        shorten_results(history, catalog, session);
    }
    let past = || characters(history, catalog) / CHARACTERS_A_TOKEN > settings.threshold as usize;
    if settings.automatic && past() {
        return write_transcript(history, String::new(), false, catalog, session);
    }
    Prepared::Send
}

/// What follows the transcript, and the summary.
pub fn go_on(history: &mut Vec<Message>, done: Performed, catalog: &Catalog, session: &mut Session) -> Prepared {
    let state = &mut session.memory.learn_claude_code.compaction;
    let Some(under_way) = state.under_way.as_mut() else { return Prepared::Send };
    match done {
        Performed::Wrote | Performed::Stubbed { .. } if !under_way.written => {
            under_way.written = true;
            Prepared::Perform(summarise(history, &under_way.focus, catalog))
        }
        Performed::Summarised { text } | Performed::Stubbed { text } => {
            let under_way = under_way.clone();
            state.under_way = None;
            session.memory.learn_claude_code.rounds.forget_history();
            let summary = compressed(&under_way, &text);
            *history = vec![Message::user(&summary.text)];
            session.injected.push(summary);
            if under_way.manual { Prepared::End } else { Prepared::Send }
        }
        Performed::Denied { reason } => Prepared::Abort(files::denied(reason)),
        Performed::Failed { message, .. } => Prepared::Abort(message),
        // Effects that are not asked for here.
        Performed::Agreed
        | Performed::Wrote
        | Performed::Read { .. }
        | Performed::Ran(_)
        | Performed::RanTogether { .. }
        | Performed::History(_)
        | Performed::Listed { .. }
        | Performed::Found { .. }
        | Performed::Delegated(_) => Prepared::Send,
    }
}

const TRANSCRIPTS: &str = ".transcripts";
const CHARACTERS_A_TOKEN: usize = 4;

const REQUEST: &str = "Summarize this conversation for continuity. Include: 1) What was accomplished, 2) Current state, \
                       3) Key decisions made. Be concise but preserve critical details.";

/// All results but the last become placeholders, unless they are short or of a tool that is kept.
fn shorten_results(history: &mut [Message], catalog: &Catalog, session: &mut Session) {
    let settings = &catalog.options.learn_claude_code.compaction;
    let total = history.iter().flat_map(Message::results).count();
    let mut old = total.saturating_sub(settings.keep_results as usize);
    // Ids may come again; the last call before a result is the one it belongs to.
    let mut names = std::collections::HashMap::new();
    for message in history.iter_mut() {
        for part in &mut message.parts {
            match part {
                Part::ToolCall(call) => {
                    names.insert(call.id.clone(), call.name.clone());
                }
                Part::ToolResult(result) if old > 0 => {
                    old -= 1;
                    let name = names.get(&result.call_id).map_or("unknown", String::as_str);
                    let long = result.on_wire().chars().count() > settings.result_characters as usize;
                    if long && !settings.keep_tools.iter().any(|kept| kept == name) {
                        let mut placeholder = Marked::default();
                        placeholder.push(&format!("[Previous: used {name}]"), Origin::Framework);
                        result.text.clone_from(&placeholder.text);
                        result.wire = None;
                        session.injected.push(placeholder);
                    }
                }
                Part::ToolResult(_)
                | Part::Text { .. }
                | Part::Reasoning { .. }
                | Part::Image(_)
                | Part::Document(_)
                | Part::CachePoint => {}
            }
        }
    }
}

fn write_transcript(
    history: &[Message],
    focus: String,
    manual: bool,
    catalog: &Catalog,
    session: &mut Session,
) -> Prepared {
    let folder = session.working_directory.clone().unwrap_or_default().join(TRANSCRIPTS);
    let state = &mut session.memory.learn_claude_code.compaction;
    state.transcripts += 1;
    let path = folder.join(format!("transcript_{}.jsonl", state.transcripts));
    state.under_way = Some(UnderWay { transcript: path.clone(), focus, manual, written: false });
    let text = messages(history, catalog).iter().map(|message| dumps(message) + "\n").collect();
    Prepared::Perform(Effect::WriteFile { path, text })
}

fn summarise(history: &[Message], focus: &str, catalog: &Catalog) -> Effect {
    let settings = &catalog.options.learn_claude_code.compaction;
    let mut request = String::from(REQUEST);
    if !focus.is_empty() {
        request.push_str(&format!(" Pay special attention to preserving details about: {focus}."));
    }
    request.push_str("\n\n");
    // ASCII alone, so a byte is a character.
    let conversation = dumps(&Value::List(messages(history, catalog)));
    request.push_str(&conversation[conversation.len().saturating_sub(settings.summarised_characters as usize)..]);
    Effect::Summarise { messages: vec![Message::user(request)], max_tokens: Some(settings.summary_tokens) }
}

fn compressed(under_way: &UnderWay, summary: &str) -> Marked {
    let mut out = Marked::default();
    out.push(&format!("[Conversation compressed. Transcript: {}]\n\n", under_way.transcript), Origin::Framework);
    match summary {
        "" => out.push("No summary generated.", Origin::Framework),
        summary => out.push(summary, Origin::Tool { tool: "compact".into() }),
    }
    out
}

/// `len(str(messages))`; each message is the dictionary that is sent. The system message does not count.
fn characters(history: &[Message], catalog: &Catalog) -> usize {
    Value::List(messages(history, catalog)).to_repr().chars().count()
}

/// The messages as they go over the wire.
fn messages(history: &[Message], catalog: &Catalog) -> Vec<Value> {
    let dialect = super::dialect(catalog);
    let request = ModelRequest { messages: history.to_vec(), dialect, ..ModelRequest::default() };
    let body = loads(&openai::encode("", &request, false, &Sampling::default()));
    let pairs = match body {
        Ok(Value::Dict(pairs)) => pairs,
        _ => Vec::new(),
    };
    match pairs.into_iter().find(|(key, _)| key == "messages") {
        Some((_, Value::List(messages))) => messages,
        _ => Vec::new(),
    }
}
