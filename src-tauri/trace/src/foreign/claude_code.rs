//! Sessions of Claude Code: lines of an internal format that changes, so unknown lines are kept and counted. Lines with
//! one `message.id` are one answer. Sub-agents are in the same file (`isSidechain`) or in a separate one. Each line
//! names the one before it (`parentUuid`): if the user went back, later messages are still in the file but no longer in
//! the context.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use serde_json::{Value, json};

use super::documents::answer;
use super::history::History;
use super::plain::{content, finish, items, text, time, usage};
use super::record::{Answer, Record, Within};
use super::{Foreign, Format, Given, Out};
use model::Role;

pub struct ClaudeCode {
    record: Option<Record>,
    /// Answers of which more lines may come, by conversation.
    spoken: BTreeMap<Within, (String, Answer)>,
    /// The conversation that a line of a sub-agent belongs to, by its `uuid`.
    threads: HashMap<String, String>,
    /// The prompts of sub-agents, with the call that started them.
    asked: Vec<(String, String)>,
    sidechains: u32,
    /// The lines of the run's own conversation since its context was cleared.
    lines: History<Line>,
    /// Their places, by what [`key`] makes of their `uuid`.
    places: HashMap<u64, usize>,
    /// A file of a sub-agent's own has nothing but its conversation.
    alone: bool,
}

impl ClaudeCode {
    pub fn new() -> Self {
        Self {
            record: None,
            spoken: BTreeMap::new(),
            threads: HashMap::new(),
            asked: Vec::new(),
            sidechains: 0,
            lines: History::default(),
            places: HashMap::new(),
            alone: false,
        }
    }

    /// The conversation of a line. Of a sub-agent it is that of the call which asked what its first line says.
    fn within(&mut self, value: &Value) -> Within {
        if value["isSidechain"] != true || self.alone {
            return None;
        }
        let parent = value["parentUuid"].as_str().and_then(|parent| self.threads.get(parent)).cloned();
        let agent = value["agentId"].as_str().and_then(|agent| self.threads.get(agent)).cloned();
        let within = agent.or(parent).unwrap_or_else(|| {
            let prompt = text(&value["message"]["content"]);
            match self.asked.iter().position(|(_, asked)| *asked == prompt) {
                Some(place) => self.asked.remove(place).0,
                None => {
                    self.sidechains += 1;
                    format!("sidechain-{}", self.sidechains)
                }
            }
        });
        if let Some(agent) = value["agentId"].as_str() {
            self.threads.insert(agent.to_owned(), within.clone());
        }
        Some(within)
    }

    /// If the user went back before saying this, removes the messages since then from the context.
    fn go_back(&mut self, prompt: &Value) {
        let parent = match prompt.get("parentUuid") {
            Some(Value::Null) => None,
            // The line before may be in another file.
            Some(Value::String(parent)) => match self.places.get(&key(parent)) {
                Some(place) => Some(*place),
                None => return,
            },
            _ => return,
        };
        let behind = parent.map_or(0, |place| place + 1);
        let is_said = |line: &Line| line.kind != LineKind::Other;
        if !self.lines.known().skip(behind).any(is_said) {
            return;
        }
        let mut stays = vec![false; behind];
        let mut answers = HashSet::new();
        let mut above = parent;
        while let Some(place) = above {
            stays[place] = true;
            let line = self.lines.at(place);
            answers.extend(line.and_then(|line| line.answer));
            above = line.and_then(|line| line.parent);
        }
        // Each call of one answer is a line with its own result, and the next line names only one of these.
        for (place, line) in self.lines.known().enumerate().take(behind) {
            stays[place] |= match line.kind {
                LineKind::Prompt => false,
                LineKind::Answer => line.answer.is_some_and(|answer| answers.contains(&answer)),
                LineKind::Other => line.parent.is_some_and(|parent| stays[parent]),
            };
        }
        let Some(record) = &mut self.record else { return };
        Self::flush(&mut self.spoken, &None, record);
        self.lines.go_back(|place| stays.get(place).is_some_and(|stays| *stays), record, &None);
        let now: Vec<usize> = stays
            .iter()
            .scan(0, |count, stays| {
                *count += usize::from(*stays);
                Some(*count)
            })
            .collect();
        let moved = |place: usize| stays.get(place).filter(|stays| **stays).map(|_| now[place] - 1);
        self.places.retain(|_, place| moved(*place).map(|to| *place = to).is_some());
        self.lines.for_each_known(|line| line.parent = line.parent.and_then(moved));
    }

    /// Remembers a line of the run's own conversation.
    fn keep(&mut self, kind: LineKind, mut value: Value, bytes: usize, before: Option<u32>) {
        let Some(id) = value["uuid"].as_str().map(key) else { return };
        let parent = value["parentUuid"].as_str().and_then(|parent| self.places.get(&key(parent))).copied();
        let answer = (kind == LineKind::Answer).then(|| value["message"]["id"].as_str().map(key)).flatten();
        let is_part = answer.is_some() && self.lines.known().next_back().is_some_and(|last| last.answer == answer);
        let role = value["message"]["role"].as_str().map(str::to_owned);
        let message = match (role, value["message"].get_mut("content")) {
            (Some(role), Some(content)) => json!({ "role": role, "content": content.take() }),
            _ => Value::Null,
        };
        self.places.insert(id, self.lines.len());
        self.lines.push(Line { parent, kind, answer }, message, bytes, before, is_part);
    }

    fn flush(spoken: &mut BTreeMap<Within, (String, Answer)>, within: &Within, record: &mut Record) {
        if let Some((_, answer)) = spoken.remove(within) {
            record.answered(within, answer);
        }
    }

    /// The run waits while a sub-agent works, and the sub-agent is done when the run goes on.
    fn flush_others(&mut self, within: &Within) {
        let Some(record) = &mut self.record else { return };
        let is_over = |other: &&Within| *other != within && (other.is_none() || within.is_none());
        let over: Vec<Within> = self.spoken.keys().filter(is_over).cloned().collect();
        over.iter().for_each(|other| Self::flush(&mut self.spoken, other, record));
    }

    fn assistant(&mut self, within: &Within, value: &Value) {
        let message = &value["message"];
        let id = message["id"].as_str().or(value["requestId"].as_str()).or(value["uuid"].as_str());
        let id = id.unwrap_or_default().to_owned();
        let told = answer(message);
        for call in told.calls.iter().filter(|call| ["Task", "Agent"].contains(&call.name.as_str())) {
            let arguments: Value = serde_json::from_str(&call.arguments).unwrap_or_default();
            self.asked.push((call.id.clone(), text(&arguments["prompt"])));
        }
        let Some(record) = &mut self.record else { return };
        if self.spoken.get(within).is_some_and(|(known, _)| *known != id) {
            Self::flush(&mut self.spoken, within, record);
        }
        let (_, known) = self.spoken.entry(within.clone()).or_insert_with(|| (id, Answer::default()));
        known.text.push_str(&told.text);
        known.reasoning.push_str(&told.reasoning);
        known.calls.extend(told.calls);
        known.replies.extend(told.replies);
        known.usage = usage(&message["usage"]).or(known.usage);
        known.finish = finish(&message["stop_reason"]).or(known.finish.take());
        known.model = message["model"].as_str().map(str::to_owned).filter(|model| model != "<synthetic>");
    }

    fn user(&mut self, within: &Within, value: &Value) {
        let Some(record) = &mut self.record else { return };
        Self::flush(&mut self.spoken, within, record);
        let written = &value["message"]["content"];
        let mut rest = Vec::new();
        for block in items(written) {
            if block["type"] == "tool_result" {
                let id = block["tool_use_id"].as_str().unwrap_or_default();
                record.replied(within, id, content(&block["content"]), block["is_error"] == true);
            } else {
                rest.push(block.clone());
            }
        }
        let said = if written.is_array() { content(&Value::Array(rest)) } else { content(written) };
        if said.is_empty() {
            return;
        }
        match is_own(value) {
            true => record.shown(within, Role::User, said),
            false => record.said(within, said, None),
        }
    }
}

/// Facts about a line of the run's own conversation.
struct Line {
    /// The place of the line before it.
    parent: Option<usize>,
    kind: LineKind,
    /// Which answer it is a part of.
    answer: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum LineKind {
    /// What the user said.
    Prompt,
    Answer,
    /// Results, reminders, and lines that are not messages.
    Other,
}

/// Of an id: there may be very many of them.
fn key(id: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    id.hash(&mut hasher);
    hasher.finish()
}

/// Whether the program, and not the user, says it.
fn is_own(value: &Value) -> bool {
    ["isMeta", "isCompactSummary", "isVisibleInTranscriptOnly"].iter().any(|key| value[*key] == true)
}

/// Whether the user says something.
fn is_prompt(value: &Value) -> bool {
    let written = &value["message"]["content"];
    let is_said = match written {
        Value::Array(parts) => parts.iter().any(|part| part["type"] != "tool_result"),
        written => !written.is_null(),
    };
    is_said && !is_own(value)
}

impl Format for ClaudeCode {
    fn take(&mut self, given: Given<'_>, out: &mut Out<'_>) {
        let Given { line, text: written, value } = given;
        let record = self.record.get_or_insert_with(|| Record::new(Foreign::ClaudeCode, out.at));
        record.at(time(&value["timestamp"]));
        record.source(line, written);
        self.alone |= value["isSidechain"] == true && !record.has_begun();
        let is_side = value["isSidechain"] == true && !self.alone;
        let (mut line_kind, mut before) = (LineKind::Other, None);
        if let Some(folder) = value["cwd"].as_str() {
            record.folder(folder);
        }
        if let Some(version) = value["version"].as_str() {
            record.variant(version);
        }
        match value["type"].as_str().unwrap_or("?") {
            "user" | "assistant" => {
                let within = self.within(&value);
                self.flush_others(&within);
                if let (Some(id), Some(within)) = (value["uuid"].as_str(), &within) {
                    self.threads.insert(id.to_owned(), within.clone());
                }
                if value["type"] == "assistant" {
                    line_kind = LineKind::Answer;
                    self.assistant(&within, &value);
                } else {
                    if within.is_none() && is_prompt(&value) {
                        line_kind = LineKind::Prompt;
                        self.go_back(&value);
                        let Some(record) = &mut self.record else { return };
                        Self::flush(&mut self.spoken, &None, record);
                        before = Some(record.tokens(&None));
                    }
                    self.user(&within, &value);
                }
            }
            "system" => {
                let subtype = value["subtype"].as_str().unwrap_or("?");
                if let (Some(id), Some(parent)) = (value["uuid"].as_str(), value["parentUuid"].as_str())
                    && let Some(thread) = self.threads.get(parent).cloned()
                {
                    self.threads.insert(id.to_owned(), thread);
                }
                let Some(record) = &mut self.record else { return };
                match subtype {
                    "compact_boundary" => {
                        Self::flush(&mut self.spoken, &None, record);
                        record.cleared(&None);
                        self.lines.clear();
                        self.places.clear();
                    }
                    "api_error" => {
                        Self::flush(&mut self.spoken, &None, record);
                        let error = [&value["error"], &value["content"]].map(text).concat();
                        record.noted(&None, wording::Message::quoted(&error));
                    }
                    other => out.unknown(&format!("system/{other}")),
                }
            }
            other => out.unknown(other),
        }
        if !is_side {
            self.keep(line_kind, value, written.len(), before);
        }
    }

    fn end(&mut self, out: &mut Out<'_>) {
        if let Some(mut record) = self.record.take() {
            let open: Vec<Within> = self.spoken.keys().cloned().collect();
            open.iter().for_each(|within| Self::flush(&mut self.spoken, within, &mut record));
            out.run(record);
        }
    }
}
