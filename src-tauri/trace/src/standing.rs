//! The user's permanent answers about what a skill may run, as they are given and recorded.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use wording::Wording;

/// An answer that holds until the user takes it back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum Standing {
    /// It runs without a question if a sandbox confines it whole, until the skill changes.
    Sandbox,
    /// It never runs, in whatever project the skill is.
    Never,
}

/// What a skill may run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum Program {
    /// Its scripts.
    Scripts,
    /// Commands of the model, in a run that has the skill.
    Commands,
}

impl Program {
    pub const ALL: [Self; 2] = [Self::Scripts, Self::Commands];

    /// In the plural, as the object of a sentence.
    pub const fn wording(self) -> Wording {
        match self {
            Self::Scripts => Wording::new("scripts", "脚本"),
            Self::Commands => Wording::new("commands", "命令"),
        }
    }
}
