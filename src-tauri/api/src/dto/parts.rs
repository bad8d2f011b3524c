//! Parts of other values.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use skill::{ProblemKind, Severity};

/// The three tiers of progressive disclosure.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct TierTokens {
    pub catalogue: u32,
    pub instructions: u32,
    pub resources: u32,
}

/// What is wrong with a folder or a file as a whole.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ProblemDto {
    pub kind: ProblemKind,
    pub severity: Severity,
    /// English; the window shows its own words for `kind`.
    pub message: String,
    pub path: String,
}

/// A file's text as it is in an editor, not saved yet.
#[derive(Debug, Clone, PartialEq, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct UnsavedText {
    pub path: String,
    pub text: String,
}

/// A line and a column, in UTF-16 units, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextPlace {
    pub line: u32,
    pub column: u32,
}

/// UTF-16 offsets into the file's text, and the line and column (from 1) of the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct TextRange {
    pub from: u32,
    pub to: u32,
    pub line: u32,
    pub column: u32,
}
