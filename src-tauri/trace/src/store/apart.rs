//! Work that takes long: on a separate connection, in small pieces, so that runs are recorded and searched as usual.

use std::time::{Duration, Instant};

use camino::{Utf8Path, Utf8PathBuf};
use rusqlite::{Connection, OpenFlags};

use super::recorded::Recording;
use super::writer::Writer;
use super::{database, opening};
use crate::TraceError;

/// The rows of a run come and go one after the other, so its tables are not held to their references.
pub(super) fn connect(path: &Utf8Path, wait: Duration) -> Result<Connection, TraceError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let db = database::open_beside(path, flags, wait)?;
    db.pragma_update(None, "foreign_keys", false)?;
    Ok(db)
}

/// Does a piece, then rests for as long as the piece took: recorders poll for the lock and must find it free.
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

/// Whether others may want to write. Long work without others needs no rests.
pub(super) struct Others {
    path: Utf8PathBuf,
    /// By which this process claims the runs that it records.
    own: String,
    recorded: Recording,
    /// When others were last checked for, and whether there were any.
    looked: Option<(Instant, bool)>,
}

impl Others {
    pub fn new(path: &Utf8Path, own: String, recorded: Recording) -> Self {
        Self { path: path.to_owned(), own, recorded, looked: None }
    }

    /// As [`in_turn`], with a rest only if somebody may wait.
    pub fn in_turn<T>(
        &mut self,
        db: &mut Connection,
        piece: impl FnOnce(&mut Connection) -> Result<T, TraceError>,
    ) -> Result<T, TraceError> {
        if self.may_wait() {
            return in_turn(db, piece);
        }
        opening::begin(db, opening::LIMIT)?;
        piece(db)
    }

    fn may_wait(&mut self) -> bool {
        let now = Instant::now();
        if self.recorded.take() {
            // More will follow what was just recorded.
            self.looked = Some((now, true));
        }
        let fresh = self.looked.filter(|(at, _)| now - *at < LOOK_EACH);
        let (at, others) = fresh.unwrap_or_else(|| (now, !Writer::is_alone(&self.path, &self.own)));
        self.looked = Some((at, others));
        others
    }
}

/// How often other processes and recorders are checked for.
const LOOK_EACH: Duration = Duration::from_millis(200);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_work_rests_for_recorders_here_and_for_other_processes() {
        let folder = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::try_from(folder.path().join("traces.db")).unwrap();
        let own = Writer::claim(&path).unwrap();
        let recorded = Recording::default();
        let others = || Others::new(&path, own.token().to_owned(), recorded.clone());
        let mut alone = others();
        assert!(!alone.may_wait() && !alone.may_wait(), "nobody else is there");
        recorded.tell();
        assert!(alone.may_wait(), "what waits now is let in before the next piece");
        assert!(alone.may_wait(), "and so is what follows it");
        let _other = Writer::claim(&path).unwrap();
        assert!(others().may_wait(), "another process may record without telling");
    }
}
