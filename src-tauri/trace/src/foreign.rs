//! Runs that other programs recorded: their files are read line by line, and each conversation in them becomes a run
//! like our own. Lines are kept as they are written, except for keys. What cannot be read is reported with its line,
//! and the rest is imported. If a file does not say what was sent, requests after the first have no body: the context
//! at a step is then put together from what happened before it.

mod calls;
mod claude_code;
mod codex;
mod disclosed;
mod documents;
mod history;
mod inspect;
mod otlp;
mod plain;
mod protobuf;
mod record;
mod responses;

use std::collections::BTreeMap;
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::mpsc::{SyncSender, sync_channel};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use ts_rs::TS;

use self::record::Record;
use super::lines::{self, Lines, MOST, PACE, empty, refuse};
use super::spool::Spool;
use super::{RunId, TraceError};
use crate::clock::Millis;
use model::secret::{MARK, Scrubber, recognise};
use model::tokens;
use wording::{Message, message};

/// The program that wrote a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum Foreign {
    OpenaiChat,
    OpenaiResponses,
    AnthropicMessages,
    ClaudeCode,
    Codex,
    Otlp,
    Inspect,
}

impl Foreign {
    /// As the set-up of a run names it, instead of a framework.
    pub fn id(self) -> &'static str {
        match self {
            Self::OpenaiChat => "openai-chat",
            Self::OpenaiResponses => "openai-responses",
            Self::AnthropicMessages => "anthropic-messages",
            Self::ClaudeCode => "claude-code",
            Self::Codex => "codex",
            Self::Otlp => "otlp",
            Self::Inspect => "inspect",
        }
    }
}

/// The result of reading a file, apart from its runs.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Report {
    pub runs: u32,
    /// Lines that cannot be read, up to a limit.
    pub unread: Vec<Unread>,
    /// How many there are of them altogether.
    pub unread_count: u32,
    /// How often there is something of a kind that is kept and not shown.
    pub unknown: BTreeMap<String, u32>,
    /// Keys that were taken out.
    pub keys: u32,
    /// The listener stopped the reading.
    pub stopped: bool,
}

/// A line that could not be read, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct Unread {
    /// From 1; of an archive or a list, the place in it.
    pub line: u32,
    pub reason: Message,
}

/// Something found while a file is read. The listener's answer says whether to go on.
pub enum Found {
    Run(RunId, Spool),
    /// So many bytes since the last time.
    Read(u64),
}

/// How many bytes are checked to see whether a file is text.
const HEAD: u64 = 4096;
/// How many lines are checked to recognise a file.
const LOOKED_AT: usize = 50;
/// Lines that cannot be read and are listed.
const LISTED: usize = 200;
/// How many unknown kinds are counted, each by name.
const KINDS: usize = 100;

/// Lines that are taken apart together while those before them become events: so many bytes, or so many of them.
const AHEAD_BYTES: usize = 256 << 10;
const AHEAD_LINES: usize = 256;

/// Reads a file to its end. `from`: what wrote it, if that is known. `at`: when its runs began, if the file does not
/// say. Keys that `scrubber` knows, and texts that look like a key, are removed.
pub fn read(
    mut input: impl Read + Seek + Send,
    from: Option<Foreign>,
    at: Millis,
    scrubber: &Scrubber,
    found: &mut dyn FnMut(Found) -> bool,
) -> Result<(Foreign, Report), TraceError> {
    let mut out = Out { at, scrubber, found, report: Report::default(), unheard: 0 };
    let mut head = Vec::new();
    (&mut input).take(HEAD).read_to_end(&mut head).map_err(unreadable)?;
    input.seek(SeekFrom::Start(0)).map_err(unreadable)?;
    if head.starts_with(b"PK\x03\x04") {
        inspect::archive(input, &mut out).map_err(|reason| refuse(1, reason))?;
        return out.end(Foreign::Inspect);
    }
    if protobuf::is_binary(&head) && from.is_none_or(|from| from == Foreign::Otlp) {
        let mut bytes = Vec::new();
        (&mut input).take(MOST).read_to_end(&mut bytes).map_err(unreadable)?;
        if let Some(messages) = protobuf::messages(&bytes) {
            return binary(messages, bytes.len(), out);
        }
        input.seek(SeekFrom::Start(0)).map_err(unreadable)?;
    }
    let mut lines = Lines::of(input);
    let first = match lines.next().map_err(unreadable)? {
        None => return Err(empty()),
        Some(Err(reason)) => Line { number: lines.number, bytes: 0, read: Err(reason) },
        Some(Ok(line)) => match Scrubbed::of(&line, scrubber) {
            // A file that is one value begins with a line that is none.
            Err(_) if lines.number == 1 && opens(&line) => {
                out.went(line.len() as u64);
                let rest = lines.rest(line).map_err(unreadable)?;
                return document(&rest, from, out);
            }
            read => Line { number: lines.number, bytes: line.len(), read },
        },
    };
    let mut run = Reading { known: from.map(|from| (from, from.format())), waiting: Vec::new() };
    run.take(first, &mut out)?;
    std::thread::scope(|scope| {
        let (ready, ahead) = sync_channel(2);
        std::thread::Builder::new()
            .name("trace-read".into())
            .spawn_scoped(scope, move || read_ahead(lines, scrubber, &ready))
            .map_err(unreadable)?;
        while let (false, Ok(lines)) = (out.is_stopped(), ahead.recv()) {
            for line in lines.map_err(unreadable)? {
                if !out.is_stopped() {
                    run.take(line, &mut out)?;
                }
            }
        }
        Ok::<_, TraceError>(())
    })?;
    match run.known {
        Some((foreign, mut format)) => {
            format.end(&mut out);
            out.end(foreign)
        }
        None => Err(refuse(1, unrecognised())),
    }
}

fn unreadable(error: io::Error) -> TraceError {
    lines::unreadable(1, &error)
}

/// A line of the file, as far as it could be read.
struct Line {
    number: u32,
    bytes: usize,
    read: Result<Scrubbed, Message>,
}

/// Parses lines until the file ends or the receiver stops.
fn read_ahead(mut lines: Lines<impl Read>, scrubber: &Scrubber, ready: &SyncSender<io::Result<Vec<Line>>>) {
    loop {
        let (mut some, mut bytes) = (Vec::new(), 0);
        let is_over = loop {
            let line = match lines.next() {
                Err(error) => {
                    // Lines that were read before are of no use then.
                    drop(ready.send(Err(error)));
                    return;
                }
                Ok(None) => break true,
                Ok(Some(Err(reason))) => Line { number: lines.number, bytes: 0, read: Err(reason) },
                Ok(Some(Ok(line))) => {
                    let read = Scrubbed::of(&line, scrubber);
                    read.iter().for_each(|read| count_ahead("", &read.value));
                    Line { number: lines.number, bytes: line.len(), read }
                }
            };
            bytes += line.bytes;
            some.push(line);
            if bytes >= AHEAD_BYTES || some.len() >= AHEAD_LINES {
                break false;
            }
        };
        if ready.send(Ok(some)).is_err() || is_over {
            return;
        }
    }
}

/// Under what names formats have the texts that a model reads.
const TEXTS: [&str; 6] = ["text", "content", "output", "thinking", "arguments", "prompt"];

/// Counts the tokens of texts that the format will count: counts are remembered for a while, and this thread has time.
fn count_ahead(name: &str, value: &Value) {
    match value {
        Value::String(text) if TEXTS.contains(&name) => {
            tokens::count(text);
        }
        Value::Array(values) => values.iter().for_each(|value| count_ahead(name, value)),
        Value::Object(fields) => fields.iter().for_each(|(name, value)| count_ahead(name, value)),
        Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Lines on their way to a format, which is recognised by the first lines.
struct Reading {
    known: Option<(Foreign, Box<dyn Format>)>,
    waiting: Vec<(u32, Scrubbed)>,
}

impl Reading {
    fn take(&mut self, line: Line, out: &mut Out<'_>) -> Result<(), TraceError> {
        let Line { number, bytes, read } = line;
        out.went(bytes as u64);
        let read = match read {
            Ok(read) => read,
            Err(reason) => {
                out.unread(number, reason);
                return Ok(());
            }
        };
        out.removed(&read);
        if self.known.is_none() {
            self.known = recognise_value(&read.value).map(|foreign| (foreign, foreign.format()));
        }
        match &mut self.known {
            Some((_, format)) => {
                for (line, read) in self.waiting.drain(..) {
                    format.take(Given { line, text: &read.text, value: read.value }, out);
                }
                format.take(Given { line: number, text: &read.text, value: read.value }, out);
            }
            None if self.waiting.len() == LOOKED_AT => return Err(refuse(1, unrecognised())),
            None => self.waiting.push((number, read)),
        }
        Ok(())
    }
}

fn unrecognised() -> Message {
    message!(
        "this is not a trace that this program knows; name its format if it is one",
        "这不是本程序认识的轨迹；如果它是，请指明其格式"
    )
}

/// A file that is one value: a list of conversations, or one.
fn document(text: &str, from: Option<Foreign>, mut out: Out<'_>) -> Result<(Foreign, Report), TraceError> {
    let whole = out.scrubbed(text).map_err(|reason| refuse(1, reason))?;
    let foreign = from.or_else(|| recognise_value(&whole.value));
    let Some(foreign) = foreign else { return Err(refuse(1, unrecognised())) };
    let mut format = foreign.format();
    let parts: Vec<&RawValue> = serde_json::from_str(&whole.text).unwrap_or_default();
    match whole.value {
        Value::Array(values) if foreign != Foreign::Otlp => {
            for (line, (value, part)) in (1..).zip(values.into_iter().zip(parts)) {
                if !out.report.stopped {
                    format.take(Given { line, text: part.get(), value }, &mut out);
                }
            }
        }
        value => format.take(Given { line: 1, text: &whole.text, value }, &mut out),
    }
    format.end(&mut out);
    out.end(foreign)
}

/// A file of OTLP as protobuf. Each message is kept as its JSON.
fn binary(messages: Vec<protobuf::Told>, size: usize, mut out: Out<'_>) -> Result<(Foreign, Report), TraceError> {
    let mut format = Foreign::Otlp.format();
    let each = size as u64 / messages.len().max(1) as u64;
    for (line, told) in (1..).zip(messages) {
        if out.is_stopped() {
            break;
        }
        match told.and_then(|text| out.scrubbed(&text)) {
            Ok(Scrubbed { text, value, .. }) => format.take(Given { line, text: &text, value }, &mut out),
            Err(reason) => out.unread(line, reason),
        }
        out.went(each);
    }
    format.end(&mut out);
    out.end(Foreign::Otlp)
}

fn opens(line: &str) -> bool {
    line.trim_start().starts_with(['{', '['])
}

/// The program that wrote a value, recognised by fields that only it has.
fn recognise_value(value: &Value) -> Option<Foreign> {
    let has = |key: &str| value.get(key).is_some();
    let kind = value["type"].as_str().unwrap_or_default();
    if let Value::Array(values) = value {
        return values.iter().find_map(recognise_value);
    }
    if ["resourceSpans", "resource_spans", "resourceLogs", "resource_logs"].into_iter().any(has) {
        return Some(Foreign::Otlp);
    }
    if has("version") && has("eval") && (has("status") || has("samples")) {
        return Some(Foreign::Inspect);
    }
    let codex = ["session_meta", "response_item", "event_msg", "turn_context", "compacted"];
    if (has("payload") && codex.contains(&kind))
        || (has("instructions") && has("timestamp") && has("id") && kind.is_empty())
    {
        return Some(Foreign::Codex);
    }
    let claude = ["summary", "file-history-snapshot", "queue-operation", "attachment", "ai-title", "mode", "progress"];
    if (has("sessionId") && !kind.is_empty()) || (has("uuid") && has("parentUuid")) || claude.contains(&kind) {
        return Some(Foreign::ClaudeCode);
    }
    for wrapped in ["body", "request", "kwargs"] {
        if value[wrapped].is_object()
            && let Some(foreign) = recognise_value(&value[wrapped])
        {
            return Some(foreign);
        }
    }
    if has("messages") {
        return Some(if crate::context::is_anthropic(value) {
            Foreign::AnthropicMessages
        } else {
            Foreign::OpenaiChat
        });
    }
    if has("choices") {
        return Some(Foreign::OpenaiChat);
    }
    if has("input") && (value["input"].is_array() || has("instructions")) || value["object"] == "response" {
        return Some(Foreign::OpenaiResponses);
    }
    let is_item = kind.ends_with("_call") || kind.ends_with("_call_output") || kind == "reasoning";
    let parts = |name: &str| plain::items(&value["content"]).any(|part| part["type"] == name);
    if is_item || (kind == "message" && (parts("input_text") || parts("output_text"))) {
        return Some(Foreign::OpenaiResponses);
    }
    if value["role"].is_string() && has("content") || has("tool_calls") {
        let own = ["tool_use", "tool_result", "thinking"];
        return Some(if own.iter().any(|own| parts(own)) { Foreign::AnthropicMessages } else { Foreign::OpenaiChat });
    }
    None
}

impl Foreign {
    fn format(self) -> Box<dyn Format> {
        match self {
            Self::OpenaiChat | Self::OpenaiResponses | Self::AnthropicMessages => {
                Box::new(documents::Documents::new(self))
            }
            Self::ClaudeCode => Box::new(claude_code::ClaudeCode::new()),
            Self::Codex => Box::new(codex::Codex::new()),
            Self::Otlp => Box::new(otlp::Otlp::default()),
            Self::Inspect => Box::new(inspect::Inspect),
        }
    }
}

/// How the lines of a file become runs.
trait Format {
    fn take(&mut self, given: Given<'_>, out: &mut Out<'_>);
    /// There are no more lines.
    fn end(&mut self, out: &mut Out<'_>);
}

/// A line, or a value of a list.
struct Given<'a> {
    line: u32,
    text: &'a str,
    value: Value,
}

/// Where runs and reports go.
struct Out<'a> {
    at: Millis,
    scrubber: &'a Scrubber,
    found: &'a mut dyn FnMut(Found) -> bool,
    report: Report,
    /// Bytes that were read and not yet reported.
    unheard: u64,
}

impl Out<'_> {
    fn run(&mut self, mut record: Record) {
        if let Some(words) = record::kept(&self.report.unknown).filter(|_| record.has_begun()) {
            record.noted(&None, words);
        }
        let Some((run, events)) = record.finish() else { return };
        self.report.runs = self.report.runs.saturating_add(1);
        self.report.stopped |= !(self.found)(Found::Run(run, events));
    }

    fn went(&mut self, bytes: u64) {
        self.unheard += bytes;
        if self.unheard >= PACE {
            let bytes = std::mem::take(&mut self.unheard);
            self.report.stopped |= !(self.found)(Found::Read(bytes));
        }
    }

    fn is_stopped(&self) -> bool {
        self.report.stopped
    }

    /// Without keys, which are counted.
    fn scrubbed(&mut self, text: &str) -> Result<Scrubbed, Message> {
        let read = Scrubbed::of(text, self.scrubber)?;
        self.removed(&read);
        Ok(read)
    }

    fn removed(&mut self, read: &Scrubbed) {
        self.report.keys = self.report.keys.saturating_add(read.keys);
    }

    fn unread(&mut self, line: u32, reason: Message) {
        self.report.unread_count = self.report.unread_count.saturating_add(1);
        if self.report.unread.len() < LISTED {
            self.report.unread.push(Unread { line, reason });
        }
    }

    fn unknown(&mut self, kind: &str) {
        let kind: String = kind.chars().take(60).collect();
        let unknown = &mut self.report.unknown;
        if unknown.len() < KINDS || unknown.contains_key(&kind) {
            *unknown.entry(kind).or_default() += 1;
        }
    }

    fn end(mut self, foreign: Foreign) -> Result<(Foreign, Report), TraceError> {
        self.unheard += PACE;
        self.went(0);
        if self.report.runs == 0 && !self.report.stopped {
            let unread = self.report.unread.first();
            let line = unread.map_or(1, |unread| unread.line as usize);
            let reason = unread.map(|unread| unread.reason.clone());
            let reason = reason.unwrap_or_else(|| message!("the file has no conversation", "文件中没有对话"));
            return Err(TraceError::Import { line, reason });
        }
        Ok((foreign, self.report))
    }
}

/// A text without keys, and its value.
struct Scrubbed {
    text: String,
    value: Value,
    /// So many were taken out.
    keys: u32,
}

impl Scrubbed {
    fn of(text: &str, scrubber: &Scrubber) -> Result<Self, Message> {
        let malformed = |error: serde_json::Error| {
            let why = wording::refusal(&error.to_string());
            message!("not valid JSON: {why}", "不是有效的 JSON：{why}"; why)
        };
        let value = parsed(text).map_err(malformed)?;
        let mut keys = Vec::new();
        look_for_keys(&value, &mut keys);
        let mut clean = scrubber.text(text);
        for key in &keys {
            clean = clean.replace(key, MARK);
            // As JSON may write it.
            clean = clean.replace(&key.replace('/', "\\/"), MARK);
        }
        if clean == text {
            return Ok(Self { text: clean, value, keys: 0 });
        }
        let value = parsed(&clean).map_err(malformed)?;
        Ok(Self { text: clean, value, keys: u32::try_from(keys.len().max(1)).unwrap_or(u32::MAX) })
    }
}

/// Programs of JavaScript cut texts between the halves of a character and write the half as an escape, which is not a
/// character. Such a half is read as U+FFFD, so that the message is not lost.
fn parsed(text: &str) -> serde_json::Result<Value> {
    serde_json::from_str(text).or_else(|error| match without_halves(text) {
        Some(text) => serde_json::from_str(&text),
        None => Err(error),
    })
}

/// A JSON text with its escapes of half a character replaced; `None`: there are none.
fn without_halves(text: &str) -> Option<String> {
    let unit = |at: usize| {
        let digits = text.get(at..at + 6)?.strip_prefix("\\u")?;
        u32::from_str_radix(digits, 16).ok()
    };
    let (is_high, is_low) =
        (|unit: &u32| (0xD800..0xDC00).contains(unit), |unit: &u32| (0xDC00..0xE000).contains(unit));
    let mut whole = String::new();
    let (mut taken, mut at) = (0, 0);
    while let Some(found) = text[at..].find('\\') {
        at += found;
        let first = unit(at);
        match first {
            Some(first) if is_high(&first) && unit(at + 6).is_some_and(|next| is_low(&next)) => at += 12,
            Some(half) if is_high(&half) || is_low(&half) => {
                whole.push_str(&text[taken..at]);
                whole.push_str("\\ufffd");
                at += 6;
                taken = at;
            }
            Some(_) => at += 6,
            // The escaped character may be another backslash.
            None => at = text.ceil_char_boundary(at + 2),
        }
    }
    (taken > 0).then(|| whole + &text[taken..])
}

fn look_for_keys(value: &Value, keys: &mut Vec<String>) {
    match value {
        Value::String(text) => {
            let mut rest = text.as_str();
            while let Some(range) = recognise::find(rest) {
                let key = rest[range.clone()].to_owned();
                if !keys.contains(&key) {
                    keys.push(key);
                }
                rest = &rest[range.end..];
            }
        }
        Value::Array(values) => values.iter().for_each(|value| look_for_keys(value, keys)),
        Value::Object(fields) => fields.values().for_each(|value| look_for_keys(value, keys)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests;
