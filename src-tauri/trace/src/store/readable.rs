//! A store that can be read and not be written: on a medium or in a folder that takes no writes, or held by somebody
//! else. Reading must see all of it, the write-ahead log included, and change nothing.

use std::fs::File;

use camino::{Utf8Path, Utf8PathBuf};
use rusqlite::{Connection, OpenFlags};
use rusqlite_migration::Migrations;
use tempfile::TempDir;

/// A way to read a store.
pub struct Readable {
    pub db: Connection,
    /// Where what is read lies, if it is a copy.
    pub copy: Option<TempDir>,
}

/// Whether somebody may be writing to it at this moment.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Writers {
    Some,
    None,
}

/// `None` where it cannot be read either. `current` is the version with all migrations.
pub fn open(path: &Utf8Path, migrations: &Migrations<'static>, current: u32, writers: Writers) -> Option<Readable> {
    let is_current = |(db, version): (Connection, u32)| (version == current).then_some(db);
    let shared = in_place(path, false).ok().map(is_current);
    let db = match shared {
        Some(db) => db,
        // Neither of the two may see a file that is half written. Without its log some of the runs would be missing.
        None if writers == Writers::None && !has_log(path) => in_place(path, true).ok().and_then(is_current),
        None => None,
    };
    match db {
        Some(db) => Some(Readable { db, copy: None }),
        None if writers == Writers::None => copied(path, migrations),
        None => None,
    }
}

/// Reads the file where it lies. `still`: nobody changes it, so SQLite needs nothing beside it.
fn in_place(path: &Utf8Path, still: bool) -> rusqlite::Result<(Connection, u32)> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let escaped = path.as_str().replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    let address = format!("file:{escaped}?mode=ro{}", if still { "&immutable=1" } else { "" });
    let db = Connection::open_with_flags(address, flags)?;
    db.busy_timeout(super::BUSY)?;
    // SQLite opens the file with the first question.
    let version = db.pragma_query_value(None, "user_version", |row| row.get(0))?;
    db.query_row("SELECT EXISTS (SELECT 1 FROM runs)", [], |_| Ok(()))?;
    Ok((db, version))
}

fn has_log(path: &Utf8Path) -> bool {
    std::fs::metadata(log_of(path)).is_ok_and(|facts| facts.len() > 0)
}

fn log_of(path: &Utf8Path) -> Utf8PathBuf {
    Utf8PathBuf::from(format!("{path}-wal"))
}

/// A copy in a folder of our own, into which the log is taken and which is brought up to date.
fn copied(path: &Utf8Path, migrations: &Migrations<'static>) -> Option<Readable> {
    let folder = tempfile::tempdir().ok()?;
    let copy = Utf8Path::from_path(folder.path())?.join("traces.sqlite");
    fill(&copy, path).ok()?;
    if has_log(path) {
        fill(&log_of(&copy), &log_of(path)).ok()?;
    }
    let mut db = Connection::open(&copy).ok()?;
    migrations.to_latest(&mut db).ok()?;
    db.query_row("SELECT EXISTS (SELECT 1 FROM runs)", [], |_| Ok(())).ok()?;
    Some(Readable { db, copy: Some(folder) })
}

/// Copies bytes and no permissions: a copy of what may not be written must be written.
fn fill(to: &Utf8Path, from: &Utf8Path) -> std::io::Result<()> {
    std::io::copy(&mut disk::open(from)?.0, &mut File::create_new(to)?).map(drop)
}
