//! What several rules, or all of them, ask about a skill: one idea a file. Rules use it; nothing here knows a rule.

pub mod archived;
pub mod client;
pub mod client_folders;
pub mod context;
pub mod copied;
pub mod described;
pub mod figures;
pub mod flow;
pub mod language;
pub mod likeness;
pub mod lines;
pub mod mentions;
pub mod page;
pub mod reached;
pub mod reading;
pub mod rivals;
pub mod said;
pub mod secret;
pub mod steps;
pub mod tags;
pub mod tool_names;
pub mod triggers;
pub mod unicode;
