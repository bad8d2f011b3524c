//! The literals that a pattern cannot match without: its expression is tried only where one of them occurs. They are
//! computed from the expression ahead of time: `gates.json` is written by a test, and the same test says when it is out
//! of date.

use std::sync::LazyLock;

use serde::Deserialize;

/// At least one of the literals is in every match of an expression, in any case of ASCII letters.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(serde::Serialize))]
pub(super) struct Gate {
    /// The rule, for people who read the file.
    pub rule: String,
    /// The literals begin words: none of them is right after a letter, a digit or an underscore.
    pub word: bool,
    /// In lower case, three bytes at least.
    pub literals: Vec<String>,
    /// Of these one is in every match as well. `None`: they would rule out little.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub also: Option<Also>,
}

/// As in [`Gate`], without white space, so that they are in a text however its lines are joined.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(serde::Serialize))]
pub(super) struct Also {
    pub word: bool,
    pub literals: Vec<String>,
}

/// By the patterns' numbers: all rules' patterns one after the other.
pub(super) static GATES: LazyLock<Vec<Gate>> =
    LazyLock::new(|| serde_json::from_str(include_str!("gates.json")).expect("a test reads it"));
