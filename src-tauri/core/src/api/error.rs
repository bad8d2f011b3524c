//! What a command can answer instead of its result.

use serde::Serialize;
use ts_rs::TS;

/// An error the window can act on: `code` to switch on, `message` for people, `hint` for the next step.
#[derive(Debug, Clone, PartialEq, Serialize, TS, thiserror::Error)]
#[serde(rename_all = "camelCase")]
#[error("{message}")]
pub struct ApiError {
    pub code: Code,
    /// Lower case, what failed and with which thing.
    pub message: String,
    /// What to do next.
    pub hint: Option<String>,
    pub path: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum Code {
    /// The named thing is not there (any more).
    NotFound,
    /// The file on disk is newer than the text it was edited from.
    Changed,
    /// The thing to be made is there already.
    Exists,
    /// What was asked makes no sense; the message says why.
    Invalid,
    /// The operating system refused.
    Io,
    /// The trace store is broken or locked.
    Store,
    /// No such harness, variant, model or screenplay.
    Unknown,
    /// The model could not be used.
    Model,
}
