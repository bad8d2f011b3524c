//! What several rules, or all of them, ask about a skill: one idea a file. Rules use it; nothing here knows a rule.

pub(crate) mod archived;
pub mod client;
pub(crate) mod client_folders;
pub(crate) mod context;
pub(crate) mod copied;
pub(crate) mod described;
pub(crate) mod figures;
pub mod flow;
pub(crate) mod language;
pub mod likeness;
pub(crate) mod lines;
pub(crate) mod mentions;
pub(crate) mod page;
pub(crate) mod reached;
pub(crate) mod reading;
pub mod rivals;
pub(crate) mod said;
pub(crate) mod secret;
pub(crate) mod steps;
pub(crate) mod tags;
pub(crate) mod tool_names;
pub(crate) mod triggers;
pub(crate) mod unicode;
