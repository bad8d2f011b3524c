//! Work that takes long: on a connection of its own, in small pieces, so that runs are recorded and searched as ever.

use std::time::{Duration, Instant};

use camino::Utf8Path;
use rusqlite::{Connection, OpenFlags};

use super::{ledger, opening};
use crate::TraceError;

/// The rows of a run come and go one after the other, so its tables are not held to their references.
pub(super) fn connect(path: &Utf8Path, wait: Duration) -> Result<Connection, TraceError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let db = ledger::open_beside(path, flags, wait)?;
    db.pragma_update(None, "foreign_keys", false)?;
    Ok(db)
}

/// Does a piece. Whoever records waits for the lock with pauses, and must find it free: for as long as it was not.
pub(super) fn in_turn<T>(
    db: &mut Connection,
    piece: impl FnOnce(&mut Connection) -> Result<T, TraceError>,
) -> Result<T, TraceError> {
    let begun = Instant::now();
    opening::begin(db, opening::LIMIT)?;
    let done = piece(db);
    std::thread::sleep(begun.elapsed().min(REST));
    done
}

/// Between two pieces, at most.
const REST: Duration = Duration::from_millis(100);
