//! What an effect gave back to the framework, as it is recorded: enough to give the same back again.

use serde::{Deserialize, Serialize};

use harness::{FailureKind, FileHistory, Finished, FoundLine, ListedEntry, Performed};

/// The outcome of an effect, as the harness got it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Outcome {
    Read {
        text: String,
    },
    /// The file is not UTF-8.
    ReadBytes {
        /// Two hexadecimal digits a byte.
        hex: String,
    },
    Wrote,
    RanTogether {
        outputs: Vec<Finished>,
    },
    History {
        history: FileHistory,
    },
    Listed {
        entries: Vec<ListedEntry>,
    },
    Found {
        lines: Vec<FoundLine>,
    },
    Failed {
        kind: FailureKind,
        message: String,
    },
}

impl Outcome {
    /// `None` for outcomes that other events of the run record: what ran, what the user decided, what sub-agents and
    /// summaries said.
    pub fn of(performed: &Performed) -> Option<Self> {
        Some(match performed {
            Performed::Read { bytes } => match std::str::from_utf8(bytes) {
                Ok(text) => Self::Read { text: text.to_owned() },
                Err(_) => Self::ReadBytes { hex: bytes.iter().map(|byte| format!("{byte:02x}")).collect() },
            },
            Performed::Wrote => Self::Wrote,
            Performed::RanTogether { outputs } => Self::RanTogether { outputs: outputs.clone() },
            Performed::History(history) => Self::History { history: history.clone() },
            Performed::Listed { entries } => Self::Listed { entries: entries.clone() },
            Performed::Found { lines } => Self::Found { lines: lines.clone() },
            Performed::Failed { kind, message } => Self::Failed { kind: *kind, message: message.clone() },
            Performed::Agreed
            | Performed::Ran(_)
            | Performed::Delegated(_)
            | Performed::Summarised { .. }
            | Performed::Denied { .. }
            | Performed::Stubbed { .. } => return None,
        })
    }

    /// `None` if it holds something that was never written so.
    pub fn performed(&self) -> Option<Performed> {
        Some(match self.clone() {
            Self::Read { text } => Performed::Read { bytes: text.into_bytes() },
            Self::ReadBytes { hex } => Performed::Read { bytes: bytes(&hex)? },
            Self::Wrote => Performed::Wrote,
            Self::RanTogether { outputs } => Performed::RanTogether { outputs },
            Self::History { history } => Performed::History(history),
            Self::Listed { entries } => Performed::Listed { entries },
            Self::Found { lines } => Performed::Found { lines },
            Self::Failed { kind, message } => Performed::Failed { kind, message },
        })
    }
}

fn bytes(hex: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let byte = |pair: &[u8]| match pair {
        [high, low] => Some(digit(*high)? << 4 | digit(*low)?),
        _ => None,
    };
    hex.as_bytes().chunks(2).map(byte).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_given_back_is_given_back_again() {
        let entry = ListedEntry { path: "/a/b".into(), folder: true, size: 3 };
        let line = FoundLine { path: "/a/c".into(), line: 7, text: "x".into() };
        for performed in [
            Performed::Read { bytes: "字\r\n".into() },
            Performed::Read { bytes: vec![0xff, 0, b'a'] },
            Performed::Wrote,
            Performed::Listed { entries: vec![entry] },
            Performed::Found { lines: vec![line] },
            Performed::failed(FailureKind::NotFound, "there is no such file"),
        ] {
            let written = serde_json::to_string(&Outcome::of(&performed).unwrap()).unwrap();
            let read: Outcome = serde_json::from_str(&written).unwrap();
            assert_eq!(read.performed(), Some(performed));
        }
    }
}
