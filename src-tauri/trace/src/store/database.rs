//! The file of a store: which program wrote it, its version, and how it is opened.

use std::time::Duration;

use camino::Utf8Path;
use rusqlite::{Connection, ErrorCode, OpenFlags};
use rusqlite_migration::{M, Migrations};

use super::opening;
use crate::{TraceError, is_locked};

const STEPS: &[M<'static>] = &[
    M::up(include_str!("migrations/001_runs.sql")),
    M::up(include_str!("migrations/002_within.sql")),
    M::up(include_str!("migrations/003_uses.sql")),
    M::up(include_str!("migrations/004_spent.sql")),
    M::up(include_str!("migrations/005_pieces.sql")),
    M::up(include_str!("migrations/006_prompts.sql")),
    M::up(include_str!("migrations/007_passages.sql")),
    M::up(include_str!("migrations/008_reviews.sql")),
    M::up(include_str!("migrations/009_pins.sql")),
    M::up(include_str!("migrations/010_departures.sql")),
    M::up(include_str!("migrations/011_forks.sql")),
    M::up(include_str!("migrations/012_strings.sql")),
];

pub(super) const MIGRATIONS: Migrations<'static> = Migrations::from_slice(STEPS);

/// The version of a file that has had all of them.
pub(super) const CURRENT: u32 = STEPS.len() as u32;

/// As the first migration sets it.
const APPLICATION_ID: i32 = 1_398_232_146;

/// Pages of 4 KiB in the write-ahead log before they go into the file.
pub const CHECKPOINT_PAGES: u32 = 4000;

/// Statements of one connection that are prepared once: more than there are.
const STATEMENTS: usize = 64;

/// To bring a large store up to date.
pub(super) const MIGRATING: Duration = Duration::from_secs(600);

pub(super) fn connect(path: &Utf8Path, wait: Duration) -> rusqlite::Result<Connection> {
    opening::connect(path, OpenFlags::default(), wait)
}

/// A further connection to a store that is open here already; an error if it is not one of this version.
pub(super) fn open_beside(path: &Utf8Path, flags: OpenFlags, wait: Duration) -> Result<Connection, TraceError> {
    look(path, wait)?;
    let mut db = opening::connect(path, flags, wait).map_err(|source| refusal(path, source))?;
    set_up(&mut db).map_err(|source| refusal(path, source))?;
    match version(&db)? {
        CURRENT => Ok(db),
        _ => Err(TraceError::Gone { path: path.to_owned() }),
    }
}

/// Moves the log into the file, as far as no one is reading or writing it, and waits for the disk. Runs go on being
/// recorded: if their own connection did it, some hundred events would wait for that each time.
pub(super) fn relieve_log(path: &Utf8Path, wait: Duration) -> Result<(), TraceError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let db = open_beside(path, flags, wait)?;
    db.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()))?;
    Ok(())
}

/// Looks at a file that is there without changing it: one of another program, of a newer version, or a malicious one is
/// refused. If it cannot be checked this way, opening decides.
pub(super) fn look(path: &Utf8Path, wait: Duration) -> Result<(), TraceError> {
    match std::fs::metadata(path) {
        Ok(facts) if facts.is_file() => {}
        // SQLite would wait for a writer of a pipe.
        Ok(facts) if !facts.is_dir() => {
            return Err(TraceError::Access { path: path.to_owned(), source: disk::not_regular() });
        }
        Ok(_) | Err(_) => return Ok(()),
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    match opening::connect(path, flags, wait).map_err(TraceError::from).and_then(|db| is_ours(&db, path)) {
        Err(TraceError::Sql { source }) if opening::is_endless(&source) => Err(endless(path)),
        // Waiting a second time would be of no use.
        Err(TraceError::Sql { source }) if is_locked(&source) => Err(refusal(path, source)),
        Err(TraceError::Sql { .. }) => Ok(()),
        looked => looked,
    }
}

/// Refuses a file of another program or of a newer version, and one whose tables are not as this program makes them.
fn is_ours(db: &Connection, path: &Utf8Path) -> Result<(), TraceError> {
    if is_foreign(db)? {
        return Err(TraceError::Foreign { path: path.to_owned() });
    }
    match version(db)? {
        newer if newer > CURRENT => Err(TraceError::Newer { path: path.to_owned() }),
        version => opening::check(db, path, &MIGRATIONS, version),
    }
}

pub(super) fn endless(path: &Utf8Path) -> TraceError {
    TraceError::Endless { path: path.to_owned(), seconds: opening::LIMIT.as_secs() }
}

/// How many migrations a file has had.
pub(super) fn version(db: &Connection) -> rusqlite::Result<u32> {
    db.pragma_query_value(None, "user_version", |row| row.get(0))
}

/// A database with tables that are not ours.
fn is_foreign(db: &Connection) -> rusqlite::Result<bool> {
    let id: i32 = db.pragma_query_value(None, "application_id", |row| row.get(0))?;
    let is_empty: bool = db.query_row("SELECT NOT EXISTS (SELECT 1 FROM sqlite_schema)", [], |row| row.get(0))?;
    Ok(id != APPLICATION_ID && !is_empty)
}

/// The file cannot be written now or here, which says nothing against reading it.
pub(super) fn is_about_writing(error: &TraceError) -> bool {
    match error {
        TraceError::Access { .. } | TraceError::Gone { .. } => true,
        TraceError::Open { source, .. } | TraceError::Sql { source } => is_about_the_file(source),
        TraceError::Migrate { .. } => true,
        _ => false,
    }
}

/// Nothing at all can be written now, whatever it is.
pub(super) fn is_about_the_file(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(
            ErrorCode::DatabaseBusy
                | ErrorCode::DatabaseLocked
                | ErrorCode::DiskFull
                | ErrorCode::ReadOnly
                | ErrorCode::SystemIoFailure
                | ErrorCode::CannotOpen
                | ErrorCode::PermissionDenied
                | ErrorCode::FileLockingProtocolFailed
        )
    )
}

pub(super) fn copy(error: &rusqlite::Error) -> rusqlite::Error {
    match error {
        rusqlite::Error::SqliteFailure(code, text) => rusqlite::Error::SqliteFailure(*code, text.clone()),
        other => rusqlite::Error::ToSqlConversionFailure(other.to_string().into()),
    }
}

pub(super) fn set_up(db: &mut Connection) -> rusqlite::Result<()> {
    let pages: u32 = db.pragma_query_value(None, "page_count", |row| row.get(0))?;
    if pages == 0 {
        // So that free space can be returned to the disk later. SQLite must know it before anything is written.
        db.pragma_update(None, "auto_vacuum", "INCREMENTAL")?;
    }
    db.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()))?;
    db.pragma_update(None, "synchronous", "NORMAL")?;
    db.set_prepared_statement_cache_capacity(STATEMENTS);
    // The same pages are written again and again: most of them only once into the file itself.
    db.pragma_update_and_check(None, "wal_autocheckpoint", CHECKPOINT_PAGES, |_| Ok(()))?;
    db.pragma_update(None, "foreign_keys", true)
}

pub(super) fn refusal(path: &Utf8Path, source: rusqlite::Error) -> TraceError {
    let path = path.to_owned();
    match source.sqlite_error_code() {
        Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => TraceError::Damaged { path, source },
        Some(ErrorCode::OperationInterrupted) => endless(&path),
        _ => TraceError::Open { path, source },
    }
}

/// The tables and indexes that this many migrations make.
#[cfg(test)]
pub(super) fn migrated(db: &mut Connection, version: usize) {
    MIGRATIONS.to_version(db, version).unwrap();
}
