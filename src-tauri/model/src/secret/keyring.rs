//! The system's own store for secrets: Keychain, Credential Manager, or the Secret Service of a Linux desktop. Every
//! call may block, and may wait for the user to unlock it.

use keyring::{Entry, Error};
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use wording::{Message, message};

use super::Secret;

/// The service of the entries, as the system's own tools show it.
pub const SERVICE: &str = "skill-workbench";

/// Why the keyring could not be used. No secret is part of the text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
#[error("{}", self.worded().en)]
pub enum KeyringError {
    Absent { reason: Message },
    Locked { reason: Message },
    Failed { reason: Message },
}

impl KeyringError {
    /// An error of the system's keyring.
    pub fn worded(&self) -> Message {
        match self {
            Self::Absent { reason } => {
                message!(
                    "this machine has no keyring that can be reached ({reason})",
                    "本机没有可用的密钥环（{reason}）";
                    reason
                )
            }
            Self::Locked { reason } => message!(
                "the keyring is locked, or access to it was refused ({reason})",
                "密钥环已锁定，或访问被拒绝（{reason}）";
                reason
            ),
            Self::Failed { reason } => {
                message!("the keyring reported an error ({reason})", "密钥环出错（{reason}）"; reason)
            }
        }
    }

    /// The next step.
    pub fn hint(&self) -> Message {
        let instead = message!("e.g. `key: {{ env: OPENAI_API_KEY }}`", "例如 `key: {{ env: OPENAI_API_KEY }}`");
        match self {
            Self::Absent { .. } => message!(
                "use an environment variable, which works everywhere, {instead}",
                "请使用环境变量，它在任何地方都可用，{instead}";
                instead
            ),
            Self::Locked { .. } => message!(
                "unlock the keyring and try again, or use an environment variable, {instead}",
                "请解锁密钥环后重试，或使用环境变量，{instead}";
                instead
            ),
            Self::Failed { .. } => message!(
                "try again, or use an environment variable, {instead}",
                "请重试，或使用环境变量，{instead}";
                instead
            ),
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
        // These errors hold the value that was found, though their text does not.
        Error::BadEncoding(_) | Error::BadDataFormat(..) => {
            KeyringError::Failed { reason: message!("what is stored there is not text", "其中存放的不是文本") }
        }
        error => KeyringError::Failed { reason: cause(error) },
    }
}

/// The innermost reason.
fn cause(error: &(dyn std::error::Error + 'static)) -> Message {
    let mut cause = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    Message::quoted(cause.to_string())
}
