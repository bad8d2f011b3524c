//! Rollouts of Codex: a line for each thing that happened, with the items of Responses among them.

use super::plain::{content, items, text, time, usage};
use super::record::{Record, is_put_in_front};
use super::responses::Spoken;
use super::{Foreign, Format, Given, Out};
use model::Role;

pub struct Codex {
    record: Option<Record>,
    spoken: Spoken,
}

impl Codex {
    pub fn new() -> Self {
        Self { record: None, spoken: Spoken::default() }
    }
}

impl Format for Codex {
    fn take(&mut self, given: Given<'_>, out: &mut Out<'_>) {
        let Given { line, text: written, value } = given;
        let record = self.record.get_or_insert_with(|| Record::new(Foreign::Codex, out.at));
        record.at(time(&value["timestamp"]));
        record.source(line, written);
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
                let is_own = payload["role"] == "user" && is_put_in_front(&said.text);
                match is_own {
                    true => {
                        self.spoken.flush(record);
                        record.shown(&None, Role::User, said);
                    }
                    false => self.spoken.take(payload, record, out),
                }
            }
            "compacted" => {
                self.spoken.flush(record);
                record.cleared(&None);
                let summary = text(&payload["message"]);
                if payload["replacement_history"].is_array() {
                    items(&payload["replacement_history"]).for_each(|item| record.kept(&None, item));
                } else if !summary.is_empty() {
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
                "error" | "stream_error" => {
                    self.spoken.flush(record);
                    record.noted(&None, wording::Message::quoted(text(&payload["message"])));
                }
                other => out.unknown(other),
            },
            other => out.unknown(other),
        }
    }

    fn end(&mut self, out: &mut Out<'_>) {
        if let Some(mut record) = self.record.take() {
            self.spoken.flush(&mut record);
            out.run(record);
        }
    }
}
