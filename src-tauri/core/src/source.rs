//! Text as it was read from disk, byte spans into it, and the way from bytes to lines and UTF-16 units.

use camino::Utf8PathBuf;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A byte range of a [`SourceText`]'s `text`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
pub struct Span {
    pub start: usize,
    pub end: usize,
}

impl Span {
    pub fn new(start: usize, end: usize) -> Self {
        debug_assert!(start <= end);
        Self { start, end }
    }

    pub fn of<'a>(&self, text: &'a str) -> &'a str {
        &text[self.start..self.end]
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum Newline {
    Lf,
    CrLf,
    Mixed,
}

/// One file's text. `text` never holds a BOM; line ends are as on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceText {
    pub path: Utf8PathBuf,
    pub text: String,
    pub bom: bool,
    /// Byte offset in the file of the first byte that is not UTF-8; `text` then holds U+FFFD in its place.
    pub invalid_at: Option<usize>,
    /// The file's size in bytes where only its beginning was read.
    pub truncated_from: Option<u64>,
}

/// Line and column of a byte, both from 1; the column counts UTF-16 units, as editors do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Position {
    pub line: u32,
    pub column: u32,
}
