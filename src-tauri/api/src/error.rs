//! What a command can answer instead of its result.

use camino::Utf8Path;
use serde::Serialize;
use ts_rs::TS;

use model::ModelError;

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
    /// What the message says of a model, to be said in other words.
    pub why: Option<Box<ModelError>>,
}

impl ApiError {
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), hint: None, path: None, why: None }
    }

    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    pub fn at(mut self, path: &Utf8Path) -> Self {
        self.path = Some(path.to_string());
        self
    }

    /// What the operating system said of `path`; `verb` is what was tried, e.g. `cannot read`.
    pub fn io(path: &Utf8Path, verb: &str, error: std::io::Error) -> Self {
        use std::io::ErrorKind;
        let (code, reason, hint) = match error.kind() {
            ErrorKind::NotFound => (Code::NotFound, "it is not there".to_owned(), "it may have been moved or deleted"),
            ErrorKind::PermissionDenied => {
                (Code::Io, "permission denied".to_owned(), "check the permissions of the file and its folder")
            }
            ErrorKind::AlreadyExists => {
                (Code::Exists, "it is there already".to_owned(), "choose another name, or delete it first")
            }
            ErrorKind::IsADirectory => (Code::Invalid, "it is a folder, not a file".to_owned(), "name a file in it"),
            ErrorKind::NotADirectory => {
                (Code::Invalid, "a file is in the place of a folder".to_owned(), "check the path")
            }
            ErrorKind::InvalidInput => (Code::Invalid, skill::reason(&error), "name a regular file"),
            ErrorKind::FileTooLarge | ErrorKind::InvalidData => {
                (Code::Invalid, skill::reason(&error), "check that it is the file you mean")
            }
            ErrorKind::ResourceBusy => (Code::Io, skill::reason(&error), "try again"),
            ErrorKind::StorageFull => (Code::Io, "the disk is full".to_owned(), "free some space and try again"),
            _ => (Code::Io, skill::reason(&error), "try again; if it stays, check the disk"),
        };
        Self::new(code, format!("{verb} {path}: {reason}")).hint(hint).at(path)
    }
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
    /// It leads outside of what the user opened or trusts; `trust_list` says where.
    Untrusted,
}
