//! What a person says about a recorded run: a verdict, and notes and bookmarks on its steps. It is kept next to the
//! events and is not one of them: the run itself does not change.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::clock::Millis;

/// Bytes of a note, and of the line of a verdict.
pub const NOTE: usize = 64 << 10;
pub const LINE: usize = 1 << 10;

/// All that was said about a run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", default)]
pub struct Review {
    pub verdict: Option<Verdict>,
    /// In the order of the run.
    pub notes: Vec<StepNote>,
}

impl Review {
    /// There is neither a verdict nor a note.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The note on the step that this event began.
    pub fn of_event(&self, event: u32) -> Option<&StepNote> {
        self.notes.iter().find(|note| note.event == event)
    }
}

/// What the user makes of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Verdict {
    pub judged: Judged,
    /// Why, in a line; empty: not said.
    #[serde(default)]
    pub line: String,
    #[ts(type = "number")]
    pub changed_at: Millis,
}

/// Whether it did what it should.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum Judged {
    Pass,
    Fail,
    Unsure,
}

impl Judged {
    const ALL: [Self; 3] = [Self::Pass, Self::Fail, Self::Unsure];

    /// As queries and the store write it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::Unsure => "unsure",
        }
    }

    /// The opposite of [`Judged::word`]; `None` for other words.
    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|judged| judged.word() == word)
    }
}

/// The user's note on a step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct StepNote {
    /// The event that began the step. Positions of steps may differ in other versions of the program; events do not.
    pub event: u32,
    /// Empty: a bookmark alone.
    #[serde(default)]
    pub text: String,
    #[serde(default)]
    pub bookmark: bool,
    #[ts(type = "number")]
    pub changed_at: Millis,
}
