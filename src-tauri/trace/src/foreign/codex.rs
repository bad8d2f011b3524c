//! Rollouts of Codex: a line for each thing that happened, with the items of Responses among them.

use serde_json::Value;

use super::history::History;
use super::plain::{content, items, text, time, usage};
use super::record::{Record, is_put_in_front};
use super::responses::Spoken;
use super::{Foreign, Format, Given, Out};
use model::Role;

pub struct Codex {
    record: Option<Record>,
    spoken: Spoken,
    /// The items of its context, and which of them the user said.
    items: History<bool>,
}

impl Codex {
    pub fn new() -> Self {
        Self { record: None, spoken: Spoken::default(), items: History::default() }
    }

    /// The user's last turns, with everything after them, are no longer in the context.
    fn roll_back(&mut self, turns: &Value, record: &mut Record) {
        let turns = turns.as_u64().and_then(|turns| usize::try_from(turns).ok()).unwrap_or(1);
        let prompts: Vec<usize> =
            self.items.known().enumerate().filter(|(_, is_prompt)| **is_prompt).map(|(place, _)| place).collect();
        let first = turns.min(prompts.len()).checked_sub(1).map(|back| prompts[prompts.len() - 1 - back]);
        if let Some(first) = first {
            self.items.go_back(|place| place < first, record, &None);
        }
    }
}

fn is_prompt(item: &Value) -> bool {
    item["role"] == "user" && !is_put_in_front(&content(&item["content"]).text)
}

impl Format for Codex {
    fn take(&mut self, given: Given<'_>, out: &mut Out<'_>) {
        let Given { line, text: written, mut value } = given;
        let mut taken = self.record.take().unwrap_or_else(|| Record::new(Foreign::Codex, out.at));
        let record = &mut taken;
        record.at(time(&value["timestamp"]));
        record.source(line, written);
        // Whether the user said the item, and the tokens before it.
        let mut item = None;
        // The first rollouts had items without anything around them.
        let (kind, payload) = match value.get("payload") {
            Some(payload) => (value["type"].as_str().unwrap_or("?"), payload),
            None if value.get("id").is_some() && value.get("type").is_none() => ("session_meta", &value),
            None => ("response_item", &value),
        };
        match kind {
            "session_meta" => {
                record.at(time(&payload["timestamp"]));
                record.variant(payload["cli_version"].as_str().unwrap_or_default());
                record.folder(payload["cwd"].as_str().unwrap_or_default());
                let instructions = ["instructions", "base_instructions"].map(|key| text(&payload[key])).concat();
                if !instructions.is_empty() {
                    record.field(&None, "instructions", instructions.into());
                }
            }
            "turn_context" => {
                if let Some(model) = payload["model"].as_str() {
                    record.model(model);
                }
            }
            "response_item" => {
                let said = content(&payload["content"]);
                let is_of_user = payload["role"] == "user";
                let is_own = is_of_user && is_put_in_front(&said.text);
                if is_of_user {
                    self.spoken.flush(record);
                }
                let before = record.tokens(&None);
                match is_own {
                    true => record.shown(&None, Role::User, said),
                    false => self.spoken.take(payload, record, out),
                }
                item = Some((is_of_user && !is_own, before));
            }
            "compacted" => {
                self.spoken.flush(record);
                record.cleared(&None);
                self.items.clear();
                let summary = text(&payload["message"]);
                if payload["replacement_history"].is_array() {
                    for item in items(&payload["replacement_history"]) {
                        let before = record.tokens(&None);
                        record.kept(&None, item);
                        self.items.push(is_prompt(item), item.clone(), written.len(), Some(before), false);
                    }
                } else if !summary.is_empty() {
                    let item = serde_json::json!({ "type": "message", "role": "user", "content": summary });
                    self.items.push(false, item, written.len(), Some(0), false);
                    record.shown(&None, Role::User, summary);
                }
            }
            "event_msg" => match payload["type"].as_str().unwrap_or("?") {
                "token_count" => {
                    self.spoken.usage = usage(&payload["info"]["last_token_usage"]);
                    self.spoken.flush(record);
                }
                // These say again what an item says.
                "user_message" | "agent_message" | "agent_reasoning" | "task_started" | "task_complete" => {}
                "thread_rolled_back" => {
                    self.spoken.flush(record);
                    self.roll_back(&payload["num_turns"], record);
                }
                "error" | "stream_error" => {
                    self.spoken.flush(record);
                    record.noted(&None, wording::Message::quoted(text(&payload["message"])));
                }
                other => out.unknown(other),
            },
            other => out.unknown(other),
        }
        if let Some((is_prompt, before)) = item {
            let item = value.get_mut("payload").map(Value::take).unwrap_or(value);
            self.items.push(is_prompt, item, written.len(), Some(before), false);
        }
        self.record = Some(taken);
    }

    fn end(&mut self, out: &mut Out<'_>) {
        if let Some(mut record) = self.record.take() {
            self.spoken.flush(&mut record);
            out.run(record);
        }
    }
}
