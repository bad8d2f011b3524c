//! The system's own store for secrets: Keychain, Credential Manager, or the Secret Service of a Linux desktop. Every
//! call may block, and may wait for the user to unlock it.

use keyring::{Entry, Error};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::Secret;

/// Under which the entries stand, as the system's own tools show them.
pub const SERVICE: &str = "skill-workbench";

/// Why the keyring could not be used. No secret is part of the text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum KeyringError {
    #[error("this machine has no keyring that can be reached ({reason})")]
    Absent { reason: String },
    #[error("the keyring is locked, or access to it was refused ({reason})")]
    Locked { reason: String },
    #[error("the keyring could not do it ({reason})")]
    Failed { reason: String },
}

impl KeyringError {
    /// The next step.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Absent { .. } => "an environment variable works everywhere, e.g. `key: { env: OPENAI_API_KEY }`",
            Self::Locked { .. } => {
                "unlock the keyring and try again; an environment variable works everywhere, e.g. `key: { env: \
                 OPENAI_API_KEY }`"
            }
            Self::Failed { .. } => "try again, or use an environment variable, e.g. `key: { env: OPENAI_API_KEY }`",
        }
    }
}

/// The secret stored under `name`; `None`: there is none.
pub fn read(name: &str) -> Result<Option<Secret>, KeyringError> {
    found(entry(name)?.get_password()).map(|password| password.map(Secret::new))
}

/// Stores the secret under `name`, in place of another.
pub fn write(name: &str, secret: &Secret) -> Result<(), KeyringError> {
    entry(name)?.set_password(secret.reveal()).map_err(failure)
}

/// Whether there was one to delete.
pub fn delete(name: &str) -> Result<bool, KeyringError> {
    found(entry(name)?.delete_credential()).map(|deleted| deleted.is_some())
}

fn entry(name: &str) -> Result<Entry, KeyringError> {
    Entry::new(SERVICE, name).map_err(|error| match (error, Entry::store_status()) {
        (Error::NoDefaultStore, Err(why)) => KeyringError::Absent { reason: cause(why) },
        (error, _) => failure(error),
    })
}

fn found<T>(result: keyring::Result<T>) -> Result<Option<T>, KeyringError> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(Error::NoEntry) => Ok(None),
        Err(error) => Err(failure(error)),
    }
}

fn failure(error: Error) -> KeyringError {
    match &error {
        Error::NoStorageAccess(why) => KeyringError::Locked { reason: cause(&**why) },
        // What was found is part of these errors, though not of their text.
        Error::BadEncoding(_) | Error::BadDataFormat(..) => {
            KeyringError::Failed { reason: "what is stored there is no text".to_owned() }
        }
        error => KeyringError::Failed { reason: cause(error) },
    }
}

/// The innermost reason.
fn cause(error: &(dyn std::error::Error + 'static)) -> String {
    let mut cause = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    cause.to_string()
}
