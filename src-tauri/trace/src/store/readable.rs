//! A store that can be read but not written: on a read-only medium or in a read-only folder, or locked by another
//! program. Reading must see all of it, the write-ahead log included, and change nothing.

use std::fs::File;
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use rusqlite::{Connection, OpenFlags};
use rusqlite_migration::Migrations;
use tempfile::TempDir;

use super::opening;
use crate::TraceError;

/// A way to read a store.
pub struct Readable {
    pub db: Connection,
    /// The folder of the copy that is read, if there is one.
    pub copy: Option<TempDir>,
}

/// Whether somebody may be writing to it at this moment.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Writers {
    Some,
    None,
}

/// `None` if it cannot be read either; an error if it must not be read. `current` is the version with all migrations,
/// `wait` is for a lock of another program.
pub fn open(
    path: &Utf8Path,
    migrations: &Migrations<'static>,
    current: u32,
    writers: Writers,
    wait: Duration,
) -> Result<Option<Readable>, TraceError> {
    let in_place = |still| match in_place(path, still, migrations, current, wait) {
        Err(error @ TraceError::Strange { .. }) => Err(error),
        read => Ok(read.ok()),
    };
    let db = match in_place(false)? {
        Some(read) => read,
        // Neither of the two may see a file that is half written. Without its log some of the runs would be missing.
        None if writers == Writers::None && !has_log(path) => in_place(true)?.flatten(),
        None => None,
    };
    match db {
        Some(db) => Ok(Some(Readable { db, copy: None })),
        None if writers == Writers::None => copied(path, migrations, wait),
        None => Ok(None),
    }
}

/// Reads the file where it is; `None`: it is of another version. `still`: no one changes it, so SQLite needs no files
/// next to it.
fn in_place(
    path: &Utf8Path,
    still: bool,
    migrations: &Migrations<'static>,
    current: u32,
    wait: Duration,
) -> Result<Option<Connection>, TraceError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let escaped = path.as_str().replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    let address = format!("file:{escaped}?mode=ro{}", if still { "&immutable=1" } else { "" });
    let db = opening::connect(address, flags, wait)?;
    // SQLite opens the file with the first question.
    let version: u32 = db.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if version != current {
        return Ok(None);
    }
    opening::check(&db, path, migrations, version)?;
    db.query_row("SELECT EXISTS (SELECT 1 FROM runs)", [], |_| Ok(()))?;
    Ok(Some(db))
}

fn has_log(path: &Utf8Path) -> bool {
    std::fs::metadata(log_of(path)).is_ok_and(|facts| facts.len() > 0)
}

fn log_of(path: &Utf8Path) -> Utf8PathBuf {
    Utf8PathBuf::from(format!("{path}-wal"))
}

/// A copy in a folder of our own, into which the log is taken and which is brought up to date.
fn copied(path: &Utf8Path, migrations: &Migrations<'static>, wait: Duration) -> Result<Option<Readable>, TraceError> {
    let copy = || {
        let folder = tempfile::tempdir().ok()?;
        let copy = Utf8Path::from_path(folder.path())?.join("traces.sqlite");
        fill(&copy, path).ok()?;
        if has_log(path) {
            fill(&log_of(&copy), &log_of(path)).ok()?;
        }
        let db = opening::connect(&copy, OpenFlags::default(), wait).ok()?;
        let version: u32 = db.pragma_query_value(None, "user_version", |row| row.get(0)).ok()?;
        Some((folder, db, version))
    };
    let Some((folder, mut db, version)) = copy() else { return Ok(None) };
    match opening::check(&db, path, migrations, version) {
        Err(error @ TraceError::Strange { .. }) => return Err(error),
        Err(_) => return Ok(None),
        Ok(()) => {}
    }
    let is_read = migrations.to_latest(&mut db).is_ok()
        && db.query_row("SELECT EXISTS (SELECT 1 FROM runs)", [], |_| Ok(())).is_ok();
    Ok(is_read.then_some(Readable { db, copy: Some(folder) }))
}

/// Copies bytes and no permissions: a copy of what may not be written must be written.
fn fill(to: &Utf8Path, from: &Utf8Path) -> std::io::Result<()> {
    std::io::copy(&mut disk::open(from)?.0, &mut File::create_new(to)?).map(drop)
}
