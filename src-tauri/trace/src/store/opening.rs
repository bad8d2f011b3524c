//! The one way in which connections to a store are made. Anybody who can write the file decides what is in it, so it is
//! checked before it is queried: its tables must be as this program made them, and no query may take forever.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use camino::Utf8Path;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags};
use rusqlite_migration::Migrations;
use wording::{Message, message};

use crate::TraceError;

/// How long one question may take: much more than any takes on a large store.
pub const LIMIT: Duration = Duration::from_secs(20);

/// Steps of SQLite's machine between two looks at the clock.
const STEPS: i32 = 10_000;

/// Opens the file, which SQLite reads only with the first question. `wait`: for a lock of another connection.
pub fn connect(path: impl AsRef<std::path::Path>, flags: OpenFlags, wait: Duration) -> rusqlite::Result<Connection> {
    let db = Connection::open_with_flags(path, flags)?;
    db.busy_timeout(wait)?;
    // Views, indexes and triggers of others must not call functions that act outside of the file.
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    db.pragma_update(None, "cell_size_check", true)?;
    begin(&db, LIMIT)?;
    Ok(db)
}

/// From here on the connection has so much time until the next beginning.
pub fn begin(db: &Connection, limit: Duration) -> rusqlite::Result<()> {
    let until = Instant::now() + limit;
    db.progress_handler(STEPS, Some(move || Instant::now() > until))
}

/// A query that was stopped because its time was over.
pub fn is_endless(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(ErrorCode::OperationInterrupted)
}

/// Refuses a file whose tables and indexes are not those of this many migrations. Triggers are allowed: they run only
/// when something is written, and no longer than a query may take.
pub fn check(
    db: &Connection,
    path: &Utf8Path,
    migrations: &Migrations<'static>,
    version: u32,
) -> Result<(), TraceError> {
    let expected = expected(migrations, version)?;
    let mut found = shape(db)?;
    for (name, made) in &expected {
        let told = match found.remove(name) {
            Some(there) if there == *made => continue,
            Some(there) => message!(
                "its {} `{name}` is not as this program makes it",
                "其中的 {} `{name}` 与本程序建立的不同",
                there.kind
            ),
            None => message!("it has no {} `{name}`", "其中没有 {} `{name}`", made.kind),
        };
        return Err(strange(path, told));
    }
    match found.pop_first() {
        Some((name, other)) => {
            let told = message!(
                "the {} `{name}` in it was not made by this program",
                "其中的 {} `{name}` 不是本程序的",
                other.kind
            );
            Err(strange(path, told))
        }
        None => Ok(()),
    }
}

fn strange(path: &Utf8Path, reason: Message) -> TraceError {
    TraceError::Strange { path: path.to_owned(), reason }
}

/// A table, a view or an index.
#[derive(PartialEq)]
struct Made {
    kind: String,
    /// How it was made, without what differs between versions of SQLite.
    by: String,
}

fn shape(db: &Connection) -> rusqlite::Result<BTreeMap<String, Made>> {
    let mut query = db.prepare("SELECT name, type, sql FROM sqlite_schema WHERE type <> 'trigger'")?;
    let rows = query.query_map([], |row| {
        let (name, kind, sql): (String, String, Option<String>) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let by = sql.unwrap_or_default().chars().filter(|letter| !letter.is_whitespace() && *letter != '"').collect();
        Ok((name, Made { kind, by }))
    })?;
    // What SQLite gathered for its planner.
    rows.filter(|row| !row.as_ref().is_ok_and(|(name, _)| name.starts_with("sqlite_stat"))).collect()
}

fn expected(migrations: &Migrations<'static>, version: u32) -> Result<BTreeMap<String, Made>, TraceError> {
    let mut db = Connection::open_in_memory()?;
    let version = usize::try_from(version).unwrap_or(usize::MAX);
    migrations.to_version(&mut db, version).map_err(|error| match error {
        rusqlite_migration::Error::RusqliteError { err, .. } => TraceError::Sql { source: err },
        source => TraceError::Migrate { path: ":memory:".into(), source },
    })?;
    Ok(shape(&db)?)
}
