//! Whether a store is still what others find under its name. A script may delete or replace the file during a run;
//! SQLite would go on writing into a file that can no longer be opened.
//!
//! Only SQLite opens the file itself: closing it here would release the locks that SQLite holds on it.

use std::io::Read;
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use rusqlite::{OpenFlags, params};

use super::opening;
use crate::{Event, RunId, TraceError};
use wording::{Message, message};

/// The files of a store as they were when it was opened.
#[derive(Debug)]
pub struct StoreFiles {
    path: Utf8PathBuf,
    file: Option<Identity>,
    log: Option<Identity>,
    wait: Duration,
}

/// Tells a file from another of its name.
#[derive(Debug, PartialEq)]
struct Identity {
    device: u64,
    number: u64,
}

impl StoreFiles {
    /// Call it before SQLite opens the file, so that one that is swapped in between is noticed.
    pub fn of(path: &Utf8Path, wait: Duration) -> Self {
        Self { path: path.to_owned(), file: identity(path), log: None, wait }
    }

    /// Once SQLite has made its log. It stays there as long as the store is open.
    pub fn with_log(self) -> Self {
        Self { log: identity(&log_of(&self.path)), ..self }
    }

    /// Asks the disk for the facts of two files, which takes some microseconds. On systems without file numbers, the
    /// check passes.
    pub fn check(&self) -> Result<(), TraceError> {
        let is_there = |path: &Utf8Path, known: &Option<Identity>| known.is_none() || identity(path) == *known;
        match is_there(&self.path, &self.file) && is_there(&log_of(&self.path), &self.log) && !is_empty(&self.path) {
            true => Ok(()),
            false => Err(TraceError::Gone { path: self.path.clone() }),
        }
    }

    /// Whether another program would find a run here with all its events from one up to the last one.
    pub fn holds(&self, run: RunId, from: u32, last: &Event) -> Result<(), TraceError> {
        // SQLite deletes the log if it finds an empty file.
        self.check()?;
        let lost = |reason: Message| TraceError::Lost { path: self.path.clone(), reason };
        if !has_header(&log_of(&self.path)) {
            return Err(lost(message!("its log is damaged", "其日志已损坏")));
        }
        let found = read_back(&self.path, self.wait, run, from, last)
            .map_err(|error| lost(Message::quoted(error.to_string())))?;
        if found { Ok(()) } else { Err(lost(message!("events are missing", "缺少事件"))) }
    }
}

/// Through a separate connection, which does not share this process's state.
fn read_back(path: &Utf8Path, wait: Duration, run: RunId, from: u32, last: &Event) -> rusqlite::Result<bool> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let db = opening::connect(path, flags, wait)?;
    db.query_row(
        "SELECT (SELECT count(body) FROM events WHERE run = ?1 AND seq >= ?5) = ?2 + 1 - ?5
            AND EXISTS (SELECT 1 FROM events WHERE run = ?1 AND seq = ?2 AND type = ?3 AND at = ?4)
            AND EXISTS (SELECT 1 FROM runs WHERE id = ?1 AND ended_at IS NOT NULL)
            AND NOT EXISTS (SELECT 1 FROM strings
                            JOIN json_each(iif(json_valid(strings.pieces), strings.pieces, '[null]')) AS piece
                            LEFT JOIN payloads ON payloads.id = piece.value
                            WHERE strings.run = ?1 AND strings.seq >= ?5 AND payloads.text IS NULL)",
        params![run, last.seq, last.kind.word(), last.at, from],
        |row| row.get(0),
    )
}

fn log_of(path: &Utf8Path) -> Utf8PathBuf {
    Utf8PathBuf::from(format!("{path}-wal"))
}

/// Whether a log begins as SQLite's do; without that, no one else can read it. An empty one counts as none.
fn has_header(log: &Utf8Path) -> bool {
    let mut first = [0; 4];
    match disk::open(log).and_then(|(mut log, _)| log.read_exact(&mut first)) {
        Ok(()) => LOG_BEGINS.contains(&u32::from_be_bytes(first)),
        Err(_) => std::fs::metadata(log).map_or(true, |facts| facts.len() == 0),
    }
}

/// By the order of bytes in its checksums: <https://www.sqlite.org/fileformat2.html#walformat>.
const LOG_BEGINS: [u32; 2] = [0x377f_0682, 0x377f_0683];

fn is_empty(path: &Utf8Path) -> bool {
    std::fs::metadata(path).is_ok_and(|facts| facts.len() == 0)
}

#[cfg(unix)]
fn identity(path: &Utf8Path) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt;
    let facts = std::fs::metadata(path).ok()?;
    Some(Identity { device: facts.dev(), number: facts.ino() })
}

#[cfg(not(unix))]
fn identity(_: &Utf8Path) -> Option<Identity> {
    None
}
