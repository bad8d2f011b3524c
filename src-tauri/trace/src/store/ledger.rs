//! The SQL side of the store, on its thread. A run's summary is kept by the same fold that the window draws from.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use rusqlite::{Connection, OptionalExtension, Row, Transaction, TransactionBehavior, params};
use rusqlite_migration::MigrationDefinitionError;
use sha2::{Digest, Sha256};
use tempfile::TempDir;

use super::database::{
    CHECKPOINT_PAGES, CURRENT, MIGRATING, MIGRATIONS, connect, copy, endless, is_about_the_file, is_about_writing,
    look, refusal, set_up,
};
use super::left::{interrupt, is_left, take_over, with_end, with_left_end, writer_of};
use super::pieces::Sent;
use super::place::StoreFiles;
use super::readable::{self, Readable, Writers};
use super::recorded::{Recorded, Recording, Rested};
use super::rows::{self, LAST_AT, Written, clear_body, events, insert_event, insert_written, outline_of, read_between};
use super::summaries::{SUMMARIES, all_summaries, insert_run, shown, summary_of, update_run, why_unread};
use super::uses::{self, Uses};
use super::writer::Writer;
use super::{erase, opening, reviews};
use crate::clock::{Clock, Millis};
use crate::context::Reads;
use crate::fold;
use crate::review::{Review, StepNote, Verdict};
use crate::{Event, EventKind, RunId, RunList, RunStatus, RunSummary, TraceError, UnreadableRun};
use wording::Message;

/// Usually a separate thread moves recorded pages ([`relieve_log`]); if the log has this many, the recording connection
/// does it.
const LEFT_TO_OTHERS: u32 = 4 * CHECKPOINT_PAGES;

/// Pages that an event changes, about: its own, and those of the indexes around it.
const PAGES_OF_EVENT: usize = 3;

/// Pages that the connection which records keeps in memory. Runs that are recorded at once write in as many places, and a
/// page that was dropped is read from the disk for the next write.
const CACHE_KIB: i32 = 32 << 10;

/// The next events of a run.
#[derive(Debug)]
pub struct Entry {
    pub run: RunId,
    pub events: Arc<[Arc<Event>]>,
    /// The same, as they are written.
    rows: Vec<Written>,
}

impl Entry {
    pub fn new(run: RunId, events: Arc<[Arc<Event>]>) -> Result<Self, TraceError> {
        let rows = events.iter().map(|event| Written::of(event)).collect::<Result<_, _>>()?;
        Ok(Self { run, events, rows })
    }

    /// About how many pages it takes in the log.
    pub fn pages(&self) -> usize {
        let bytes: usize = self.rows.iter().map(Written::long_bytes).sum();
        self.rows.len() * PAGES_OF_EVENT + bytes / 2048
    }
}

pub struct Ledger {
    db: Connection,
    path: Utf8PathBuf,
    clock: Clock,
    /// For the lock of another program.
    wait: Duration,
    access: Access,
    /// The runs that are being recorded here, and those that were.
    live: HashMap<RunId, Recorded>,
    rested: Rested,
    seen: Seen,
    /// Tells long work here that others write.
    recorded: Recording,
}

/// The facts of the file that show that others have written to it.
#[derive(Debug, Default, PartialEq, Eq)]
struct Seen {
    /// SQLite's number of the changes that other connections made.
    version: i64,
    /// Sums over all runs: their count, steps, writers, ends and reviews.
    runs: [i64; 6],
}

enum Access {
    Write(Writer, StoreFiles),
    /// Why it cannot be written; and the copy that is read, if there is one.
    Read {
        reason: Message,
        _copy: Option<TempDir>,
    },
}

impl Access {
    /// By which this process claims the runs that it records.
    fn token(&self) -> Option<&str> {
        match self {
            Self::Write(writer, _) => Some(writer.token()),
            Self::Read { .. } => None,
        }
    }
}

impl Ledger {
    /// Opens it for writing, or for reading if that is refused.
    pub fn open(path: &Utf8Path, clock: Clock, wait: Duration) -> Result<Self, TraceError> {
        look(path, wait)?;
        match Self::open_to_write(path, clock.clone(), wait) {
            Err(error) if is_about_writing(&error) && path.exists() => {
                let writers = if error.is_locked() { Writers::Some } else { Writers::None };
                let readable = readable::open(path, &MIGRATIONS, CURRENT, writers, wait)?;
                let Some(Readable { db, copy }) = readable else { return Err(error) };
                let access = Access::Read { reason: error.worded(), _copy: copy };
                Ok(Self {
                    db,
                    path: path.to_owned(),
                    clock,
                    wait,
                    access,
                    live: HashMap::new(),
                    rested: Rested::default(),
                    seen: Seen::default(),
                    recorded: Recording::default(),
                })
            }
            opened => opened,
        }
    }

    fn open_to_write(path: &Utf8Path, clock: Clock, wait: Duration) -> Result<Self, TraceError> {
        let access = |path: &Utf8Path| {
            let path = path.to_owned();
            |source| TraceError::Access { path, source }
        };
        if let Some(folder) = path.parent()
            && !folder.is_dir()
        {
            disk::make_private_folder(folder).map_err(access(folder))?;
        }
        // Files that SQLite creates next to the store get the store's permissions.
        disk::make_private_file(path).map_err(access(path))?;
        for beside in ["-wal", "-shm"] {
            disk::tighten(&Utf8PathBuf::from(format!("{path}{beside}")));
        }
        let place = StoreFiles::of(path, wait);
        let mut db = connect(path, wait).map_err(|source| refusal(path, source))?;
        set_up(&mut db).map_err(|source| refusal(path, source))?;
        db.pragma_update(None, "cache_size", -CACHE_KIB).map_err(|source| refusal(path, source))?;
        db.pragma_update_and_check(None, "wal_autocheckpoint", LEFT_TO_OTHERS, |_| Ok(()))
            .map_err(|source| refusal(path, source))?;
        opening::begin(&db, MIGRATING).map_err(|source| refusal(path, source))?;
        // Two processes that make the file at once both find it empty; the second look finds it made.
        MIGRATIONS.to_latest(&mut db).or_else(|_| MIGRATIONS.to_latest(&mut db)).map_err(|error| match error {
            rusqlite_migration::Error::MigrationDefinition(MigrationDefinitionError::DatabaseTooFarAhead) => {
                TraceError::Newer { path: path.to_owned() }
            }
            rusqlite_migration::Error::RusqliteError { err, .. } => refusal(path, err),
            source => TraceError::Migrate { path: path.to_owned(), source },
        })?;
        opening::begin(&db, opening::LIMIT).map_err(|source| refusal(path, source))?;
        let writer = take_over(&mut db, path, clock.now()).map_err(|error| match error {
            TraceError::Sql { source } => refusal(path, source),
            error => error,
        })?;
        let access = Access::Write(writer, place.with_log());
        let (live, rested, seen) = (HashMap::new(), Rested::default(), Seen::default());
        let recorded = Recording::default();
        Ok(Self { db, path: path.to_owned(), clock, wait, access, live, rested, seen, recorded })
    }

    /// Says each time that something is to be written here.
    pub fn telling(self, recorded: Recording) -> Self {
        Self { recorded, ..self }
    }

    /// From here on a question has its time.
    pub fn begin(&self) -> Result<(), TraceError> {
        Ok(opening::begin(&self.db, opening::LIMIT)?)
    }

    /// The error with the name of the file, if it is one of a file that was made to take for ever.
    pub fn named(&self, error: TraceError) -> TraceError {
        match error {
            TraceError::Sql { source } if opening::is_endless(&source) => endless(&self.path),
            error => error,
        }
    }

    /// This process's claim as recorder; an error if recording is impossible. A store that was opened for reading only
    /// is tried again, and one that is no longer in its place is opened again: runs that were being recorded are not in
    /// the new one.
    fn writer(&mut self) -> Result<&Writer, TraceError> {
        let gone = self.place().and_then(|place| place.check().err());
        if gone.is_some() || matches!(self.access, Access::Read { .. }) {
            let opened = look(&self.path, self.wait)
                .and_then(|()| Self::open_to_write(&self.path, self.clock.clone(), self.wait));
            match (opened, gone) {
                (Ok(opened), _) => *self = Self { recorded: self.recorded.clone(), ..opened },
                (Err(error), Some(_)) => return Err(error),
                (Err(_), None) => {}
            }
        }
        match &self.access {
            Access::Write(writer, _) => {
                self.recorded.tell();
                Ok(writer)
            }
            Access::Read { reason, .. } => {
                Err(TraceError::ReadOnly { path: self.path.clone(), reason: reason.clone() })
            }
        }
    }

    /// The files, if it is open for writing.
    fn place(&self) -> Option<&StoreFiles> {
        match &self.access {
            Access::Write(_, place) => Some(place),
            Access::Read { .. } => None,
        }
    }

    /// Writes events of several runs with one commit, which is what most of the time goes into. If those of one run
    /// cannot be written, the others still are. The end of a run is read back.
    pub fn append(&mut self, entries: &[Entry]) -> Vec<Result<(), TraceError>> {
        match self.begin().and_then(|()| self.append_together(entries)) {
            Ok(()) => entries.iter().map(|entry| self.read_back(entry.run, &entry.events)).collect(),
            Err(error) if entries.len() == 1 => vec![Err(error)],
            // Each of them would wait for the same lock, or meet the same full disk.
            Err(TraceError::Sql { source }) if is_about_the_file(&source) => {
                entries.iter().map(|_| Err(TraceError::Sql { source: copy(&source) })).collect()
            }
            Err(_) => {
                let alone = |entry: &Entry| {
                    self.append_together(std::slice::from_ref(entry))
                        .and_then(|()| self.read_back(entry.run, &entry.events))
                };
                entries.iter().map(alone).collect()
            }
        }
    }

    /// Reads back the events recorded since the run was last read.
    fn read_back(&mut self, run: RunId, events: &[Arc<Event>]) -> Result<(), TraceError> {
        let Some(last) = events.last().filter(|last| matches!(last.kind, EventKind::Ended { .. })) else {
            return Ok(());
        };
        let unread = self.rested.find(run).map_or(0, |recorded| recorded.unread);
        let held = self.place().map_or(Ok(()), |place| place.holds(run, unread, last));
        match (&held, self.rested.find(run)) {
            (Ok(()), Some(recorded)) => recorded.unread = last.seq.saturating_add(1),
            (Ok(()), None) => {}
            (Err(_), _) => self.rested.forget(run),
        }
        held
    }

    /// All of them, or none.
    fn append_together(&mut self, entries: &[Entry]) -> Result<(), TraceError> {
        // A run that began here does not go on elsewhere; one that begins may.
        let goes_on = |entry: &Entry| entry.events.first().is_some_and(|first| first.seq > 0);
        if let (true, Some(place)) = (entries.iter().any(goes_on), self.place()) {
            place.check()?;
        }
        let token = self.writer()?.token().to_owned();
        // Out of the map while they are ahead of the file: after an error they are read again.
        let mut known: HashMap<RunId, Recorded> =
            entries.iter().filter_map(|entry| self.live.remove_entry(&entry.run)).collect();
        let mut rested: HashMap<RunId, Recorded> =
            entries.iter().filter_map(|entry| Some((entry.run, self.rested.take(entry.run)?))).collect();
        let tx = self.db.transaction_with_behavior(TransactionBehavior::Immediate)?;
        for entry in entries {
            let run = entry.run;
            let mut recorded = match known.remove(&run) {
                Some(recorded) => recorded,
                None => known_before(&tx, run, &entry.events, &token, rested.remove(&run))?,
            };
            append_events(&tx, entry, &mut recorded, &token)?;
            known.insert(run, recorded);
        }
        tx.commit()?;
        for (run, mut recorded) in known {
            match recorded.fold.status() {
                RunStatus::Running => {
                    recorded.relieve();
                    self.live.insert(run, recorded);
                }
                _ => self.rested.put(run, recorded),
            }
        }
        Ok(())
    }

    pub fn runs(&self) -> Result<RunList, TraceError> {
        let mut query = self.db.prepare_cached(&all_summaries())?;
        let mut rows = query.query([])?;
        let mut list = RunList::default();
        while let Some(row) = rows.next()? {
            match summary_of(row) {
                Ok(summary) => list.runs.push(self.as_left(summary, row)?),
                Err(error) => list.unreadable.push(UnreadableRun { id: shown(row)?, reason: why_unread(row, &error) }),
            }
        }
        Ok(list)
    }

    /// A run that a dead process left open is over, even if its end could not be written: on a full disk, or in a file
    /// that can only be read.
    fn as_left(&self, summary: RunSummary, row: &Row<'_>) -> Result<RunSummary, TraceError> {
        let is_left = summary.status == RunStatus::Running
            && row
                .get_ref("writer")?
                .as_str_or_null()
                .is_ok_and(|writer| is_left(&self.path, self.access.token(), writer));
        if !is_left {
            return Ok(summary);
        }
        let mut last = self.db.prepare_cached(LAST_AT)?;
        let ended_at = last.query_row([summary.id], |row| row.get(0))?;
        Ok(RunSummary { status: RunStatus::Interrupted, ended_at, ..summary })
    }

    pub fn run(&self, id: RunId) -> Result<Option<RunSummary>, TraceError> {
        let mut query = self.db.prepare_cached(&format!("{SUMMARIES} WHERE id = ?1"))?;
        let mut rows = query.query([id])?;
        let Some(row) = rows.next()? else { return Ok(None) };
        let unreadable = |error: rusqlite::Error| TraceError::Unreadable { run: id, reason: why_unread(row, &error) };
        Ok(Some(self.as_left(summary_of(row).map_err(unreadable)?, row)?))
    }

    /// Those of these runs that are here and can be read, in this order.
    pub fn some(&self, ids: &[RunId]) -> Result<Vec<RunSummary>, TraceError> {
        let read = ids.iter().map(|id| match self.run(*id) {
            Err(TraceError::Unreadable { .. }) => Ok(None),
            read => read,
        });
        read.filter_map(Result::transpose).collect()
    }

    /// At most `most` runs whose ids begin with this.
    pub fn runs_named(&self, beginning: &str, most: u32) -> Result<Vec<RunSummary>, TraceError> {
        let mut query = self.db.prepare_cached(
            "SELECT id FROM runs WHERE id >= ?1 AND substr(id, 1, length(?1)) = ?1 ORDER BY id LIMIT ?2",
        )?;
        let ids = query.query_map(params![beginning, most], |row| Ok(row.get(0).ok()))?;
        self.some(&ids.filter_map(Result::transpose).collect::<rusqlite::Result<Vec<_>>>()?)
    }

    /// The run that was started last.
    pub fn last(&self) -> Result<Option<RunSummary>, TraceError> {
        let mut query = self.db.prepare_cached("SELECT id FROM runs ORDER BY started_at DESC, id DESC")?;
        let mut rows = query.query([])?;
        while let Some(row) = rows.next()? {
            let Ok(id) = row.get(0) else { continue };
            match self.run(id) {
                Err(TraceError::Unreadable { .. }) => {}
                read => return read,
            }
        }
        Ok(None)
    }

    /// These runs, those that they were forked off, and all that were forked off any of them.
    pub fn family(&self, of: &[RunId]) -> Result<Vec<RunSummary>, TraceError> {
        let ids: Vec<String> = of.iter().map(RunId::to_string).collect();
        let mut query = self.db.prepare_cached(
            "WITH RECURSIVE
               above(id) AS (
                 SELECT value FROM json_each(?1)
                 UNION
                 SELECT iif(json_valid(setup), setup ->> '$.forked.run', NULL) FROM above CROSS JOIN runs USING (id)),
               family(id) AS (
                 SELECT id FROM above WHERE id IS NOT NULL
                 UNION
                 SELECT runs.id FROM family CROSS JOIN runs
                   ON iif(json_valid(setup), setup ->> '$.forked.run', NULL) = family.id)
             SELECT id FROM family",
        )?;
        let found = query.query_map([serde_json::to_string(&ids)?], |row| Ok(row.get(0).ok()))?;
        self.some(&found.filter_map(Result::transpose).collect::<rusqlite::Result<Vec<_>>>()?)
    }

    pub fn events(&mut self, id: RunId) -> Result<Vec<Event>, TraceError> {
        // One transaction, so that another process cannot delete the run between the two queries.
        let tx = self.db.transaction()?;
        Ok(with_left_end(events(&tx, id)?, &tx, &self.path, self.access.token(), id)?)
    }

    /// As [`Ledger::events`], with the bodies of requests left empty: they repeat each other and are most of a run.
    pub fn outline(&mut self, id: RunId) -> Result<Vec<Event>, TraceError> {
        let tx = self.db.transaction()?;
        let outline = outline_of(&tx, id)?;
        Ok(with_left_end(outline, &tx, &self.path, self.access.token(), id)?)
    }

    /// As [`Store::grown`](super::Store::grown).
    pub fn grown(
        &mut self,
        id: RunId,
        known: Option<(u32, Millis)>,
        most: u32,
    ) -> Result<Option<Vec<Event>>, TraceError> {
        let Some((seq, at)) = known else { return self.from(id, 0, most).map(Some) };
        let tx = self.db.transaction()?;
        let there: Option<Millis> = tx
            .prepare_cached("SELECT at FROM events WHERE run = ?1 AND seq = ?2 AND typeof(at) = 'integer'")?
            .query_row(params![id, seq], |row| row.get(0))
            .optional()?;
        if there != Some(at) {
            // A file that can only be read does not hold the end of a run whose process died.
            let last: Option<u32> =
                tx.query_row("SELECT max(seq) FROM events WHERE run = ?1", [id], |row| row.get(0))?;
            let is_its_end = last.is_some_and(|last| last.checked_add(1) == Some(seq))
                && is_left(&self.path, self.access.token(), writer_of(&tx, id)?.as_deref());
            return Ok(is_its_end.then(Vec::new));
        }
        tx.commit()?;
        self.from(id, seq.saturating_add(1), most).map(Some)
    }

    /// So many events of a run from a number on, with the bodies of requests left empty.
    fn from(&mut self, id: RunId, from: u32, most: u32) -> Result<Vec<Event>, TraceError> {
        let tx = self.db.transaction()?;
        let further = rows::outline_from(&tx, id, from, most as usize)?;
        if further.len() < most as usize {
            return Ok(with_left_end(further, &tx, &self.path, self.access.token(), id)?);
        }
        Ok(further)
    }

    /// As [`Store::words`](super::Store::words).
    pub fn words(&self, id: RunId) -> Result<HashSet<String>, TraceError> {
        let mut query = self.db.prepare_cached("SELECT DISTINCT type FROM events WHERE run = ?1")?;
        let words = query.query_map([id], |row| row.get(0))?;
        Ok(words.collect::<rusqlite::Result<_>>()?)
    }

    /// As [`Store::read`](super::Store::read).
    pub fn read(&mut self, id: RunId, reads: &Reads) -> Result<Vec<Event>, TraceError> {
        let tx = self.db.transaction()?;
        let mut events = Vec::with_capacity(reads.events.len());
        for seq in &reads.events {
            let wants_body = reads.bodies.contains(seq);
            let strings = if wants_body { rows::WHOLE } else { rows::WITHOUT_BODIES };
            let Some(mut event) = read_between(&tx, id, *seq..=*seq, strings)?.pop() else { continue };
            if !wants_body {
                clear_body(&mut event);
            }
            events.push(event);
        }
        Ok(events)
    }

    /// The events of a run that may go on: one that no process records. If it broke off because its process is gone, it
    /// is ended first. None for a run that is not here.
    pub fn ended(&mut self, id: RunId) -> Result<Vec<Event>, TraceError> {
        let own = self.writer()?.token().to_owned();
        let now = self.clock.now();
        let tx = self.db.transaction_with_behavior(TransactionBehavior::Immediate)?;
        if let Some(writer) = writer_of(&tx, id)? {
            let is_recorded =
                if writer == own { self.live.contains_key(&id) } else { Writer::is_alive(&self.path, &writer) };
            if is_recorded {
                return Err(TraceError::StillRunning { run: id });
            }
            interrupt(&tx, id, now)?;
        }
        let recorded = events(&tx, id)?;
        tx.commit()?;
        Ok(recorded)
    }

    pub fn delete(&mut self, id: RunId) -> Result<bool, TraceError> {
        let own = self.writer()?.token().to_owned();
        let tx = self.db.transaction_with_behavior(TransactionBehavior::Immediate)?;
        // A run of our own that is no longer recorded lacks its end, which was refused.
        if let Some(writer) = writer_of(&tx, id)?
            && (writer != own || self.live.contains_key(&id))
            && Writer::is_alive(&self.path, &writer)
        {
            return Err(TraceError::StillRunning { run: id });
        }
        self.rested.forget(id);
        let deleted = tx.execute("DELETE FROM runs WHERE id = ?1", [id])? > 0;
        reviews::forget(&tx, id)?;
        tx.execute(&format!("DELETE FROM payloads WHERE id NOT IN ({})", rows::used_payloads("true")), [])?;
        tx.commit()?;
        Ok(deleted)
    }

    /// `events` begin with `Started`. A run that is here stays as it is, unless it broke off here and continues in
    /// `events`. A different run with the id of one that is here gets a new id, the same one each time. Returns the id
    /// under which the run is stored. Only those parts of `review`, the review in the file, are added that the run here
    /// does not have.
    pub fn import(
        &mut self,
        id: RunId,
        events: Vec<Event>,
        review: &Review,
        bundled: bool,
    ) -> Result<RunId, TraceError> {
        self.writer()?;
        // A run that is compared with the one here, and replaces it, may be long.
        opening::begin(&self.db, MIGRATING)?;
        let tx = self.db.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let id = import_events(&tx, id, &events, bundled, self.clock.now())?;
        reviews::add(&tx, id, review)?;
        tx.commit()?;
        Ok(id)
    }

    pub fn review(&self, id: RunId) -> Result<Review, TraceError> {
        reviews::read(&self.db, id)
    }

    /// Whether there is such an event in such a run. Its time is set here.
    pub fn set_note(&mut self, id: RunId, note: StepNote) -> Result<bool, TraceError> {
        let note = StepNote { changed_at: self.clock.now(), ..note };
        self.writer()?;
        let tx = self.db.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let is_there = reviews::has_event(&tx, id, note.event)?;
        if is_there {
            reviews::set_note(&tx, id, &note)?;
            tx.commit()?;
        }
        Ok(is_there)
    }

    /// Whether there is such a run. `None` takes its verdict away; the time of one is set here.
    pub fn set_verdict(&mut self, id: RunId, verdict: Option<Verdict>) -> Result<bool, TraceError> {
        let verdict = verdict.map(|verdict| Verdict { changed_at: self.clock.now(), ..verdict });
        self.writer()?;
        let tx = self.db.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let is_there = is_here(&tx, id)?;
        if is_there {
            reviews::set_verdict(&tx, id, verdict.as_ref())?;
            tx.commit()?;
        }
        Ok(is_there)
    }

    /// Whether there is such a run.
    pub fn set_pinned(&mut self, id: RunId, pinned: bool) -> Result<bool, TraceError> {
        self.writer()?;
        let tx = self.db.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let is_there = is_here(&tx, id)?;
        match pinned {
            true if is_there => reviews::pin(&tx, id)?,
            _ => reviews::unpin(&tx, id)?,
        }
        tx.commit()?;
        Ok(is_there)
    }

    /// By which this process claims the runs that it records; an error if nothing can be written.
    pub fn claim(&mut self) -> Result<String, TraceError> {
        Ok(self.writer()?.token().to_owned())
    }

    /// By which id a run would be imported, if nothing of it is here.
    pub fn is_new(&mut self, id: RunId, events: &[Event]) -> Result<Option<RunId>, TraceError> {
        self.writer()?;
        let tx = self.db.transaction()?;
        Ok(match arrival(&tx, id, events, false)? {
            Arrival::New(id) => Some(id),
            Arrival::Here(_) | Arrival::Longer(_) => None,
        })
    }

    /// Whether a run is here; an error if nothing can be written.
    pub fn knows(&mut self, id: RunId) -> Result<bool, TraceError> {
        self.writer()?;
        Ok(is_here(&self.db.transaction()?, id)?)
    }

    pub fn now(&self) -> Millis {
        self.clock.now()
    }

    /// Whether the list of runs may have changed since this was last asked, because another process or another
    /// connection of this one wrote.
    pub fn changed_elsewhere(&mut self) -> Result<bool, TraceError> {
        let version = self.db.pragma_query_value(None, "data_version", |row| row.get(0))?;
        if version == self.seen.version {
            return Ok(false);
        }
        let mut query = self.db.prepare_cached(
            "SELECT count(*), total(steps), count(writer), total(ended_at),
                    (SELECT count(*) FROM pins), (SELECT total(changed_at) FROM verdicts) FROM runs",
        )?;
        let runs = query.query_row([], |row| {
            let mut runs = [0; 6];
            for (at, found) in runs.iter_mut().enumerate() {
                *found = row.get::<_, f64>(at)? as i64;
            }
            Ok(runs)
        })?;
        let is_first = self.seen == Seen::default();
        let is_other = runs != self.seen.runs;
        self.seen = Seen { version, runs };
        Ok(is_other && !is_first)
    }

    /// What all runs together used of skills, by skill and file.
    pub fn uses(&self) -> Result<Vec<Uses>, TraceError> {
        Ok(uses::all(&self.db)?)
    }
}

fn import_events(
    tx: &Transaction<'_>,
    id: RunId,
    events: &[Event],
    bundled: bool,
    now: Millis,
) -> Result<RunId, TraceError> {
    let id = match arrival(tx, id, events, bundled)? {
        Arrival::Here(id) => return Ok(id),
        Arrival::Longer(id) => {
            tx.execute("DELETE FROM runs WHERE id = ?1", [id])?;
            id
        }
        Arrival::New(id) => id,
    };
    let (fold, end) = with_end(events, now);
    let Some(summary) = fold.summary(id, bundled) else { return Err(TraceError::NotRecording { run: id }) };
    erase::rest(tx, id)?;
    insert_run(tx, &summary, None, now)?;
    let mut sent = Sent::default();
    for event in events.iter().chain(&end) {
        insert_event(tx, id, event, &mut sent)?;
    }
    uses::insert(tx, &summary, fold.own_steps())?;
    Ok(id)
}

/// How an import relates to the stored run, with the id under which it is or will be stored.
enum Arrival {
    Here(RunId),
    /// The stored run is the beginning of it.
    Longer(RunId),
    New(RunId),
}

fn arrival(tx: &Transaction<'_>, id: RunId, events: &[Event], bundled: bool) -> Result<Arrival, TraceError> {
    if !is_here(tx, id)? {
        return Ok(Arrival::New(id));
    }
    let here = self::events(tx, id)?;
    if bundled || here.starts_with(events) {
        return Ok(Arrival::Here(id));
    }
    if goes_on(&here, events) {
        return Ok(Arrival::Longer(id));
    }
    let id = own_id(events)?;
    Ok(if is_here(tx, id)? { Arrival::Here(id) } else { Arrival::New(id) })
}

pub(super) fn is_here(tx: &Transaction<'_>, id: RunId) -> rusqlite::Result<bool> {
    tx.query_row("SELECT EXISTS (SELECT 1 FROM runs WHERE id = ?1)", [id], |row| row.get(0))
}

/// Whether the stored run is the beginning of `events`, ignoring an end that was added here because it broke off.
fn goes_on(here: &[Event], events: &[Event]) -> bool {
    if events.starts_with(here) {
        return true;
    }
    match here.split_last() {
        Some((Event { kind: EventKind::Ended { status: RunStatus::Interrupted, .. }, .. }, begun)) => {
            events.starts_with(begun)
        }
        _ => false,
    }
}

/// An id derived from these events, with the time at which they begin.
fn own_id(events: &[Event]) -> Result<RunId, TraceError> {
    let digest = Sha256::digest(serde_json::to_vec(events)?);
    let began = events.first().and_then(|event| u64::try_from(event.at).ok()).unwrap_or_default();
    let mut rest = [0; 10];
    rest.copy_from_slice(&digest[..10]);
    Ok(RunId(uuid::Builder::from_unix_timestamp_millis(began, &rest).into_uuid()))
}

/// A run as far as the file has it; a new one for its first event. `rested`: what was remembered when it ended.
fn known_before(
    tx: &Transaction<'_>,
    run: RunId,
    next: &[Arc<Event>],
    writer: &str,
    rested: Option<Recorded>,
) -> Result<Recorded, TraceError> {
    match next.first().map(|event| (event.seq, &event.kind)) {
        Some((0, EventKind::Started { .. })) => Ok(Recorded::default()),
        Some((seq, EventKind::Continued { .. })) if seq > 0 && writer_of(tx, run)?.is_none() => {
            let recorded = match rested {
                Some(rested) if rested.last.is_some() && last_of(tx, run)? == rested.last => rested,
                _ => read_before(tx, run)?,
            };
            if recorded.last.is_none_or(|(last, _)| last.checked_add(1) != Some(seq)) {
                return Err(TraceError::WentOn { run });
            }
            tx.execute("UPDATE runs SET writer = ?2 WHERE id = ?1", params![run, writer])?;
            Ok(recorded)
        }
        Some((_, EventKind::Continued { .. })) if writer_of(tx, run)?.as_deref() != Some(writer) => {
            Err(TraceError::StillRunning { run })
        }
        // None of the recorded events were read back so far.
        _ if writer_of(tx, run)?.as_deref() == Some(writer) => Ok(read_before(tx, run)?.unread()),
        _ => Err(TraceError::NotRecording { run }),
    }
}

fn read_before(tx: &Transaction<'_>, run: RunId) -> Result<Recorded, TraceError> {
    let past = outline_of(tx, run)?;
    Ok(Recorded::read(fold::replay(&past), &past))
}

/// Number and time of a run's last event.
fn last_of(tx: &Transaction<'_>, run: RunId) -> rusqlite::Result<Option<(u32, Millis)>> {
    // Values that are not numbers come last, and show that another program wrote them.
    tx.prepare_cached("SELECT seq, at FROM events WHERE run = ?1 ORDER BY seq DESC LIMIT 1")?
        .query_row([run], |row| Ok(row.get(0).ok().zip(row.get(1).ok())))
        .optional()
        .map(Option::flatten)
}

fn append_events(tx: &Transaction<'_>, entry: &Entry, recorded: &mut Recorded, writer: &str) -> Result<(), TraceError> {
    let Entry { run, events, rows } = entry;
    let run = *run;
    let Recorded { fold, sent, last, .. } = recorded;
    let before = fold.progress();
    for event in events.iter() {
        fold.apply(event);
        *last = Some((event.seq, event.at));
    }
    let after = fold.progress().ok_or(TraceError::NotRecording { run })?;
    match before {
        None => {
            let summary = fold.summary(run, false).ok_or(TraceError::NotRecording { run })?;
            insert_run(tx, &summary, Some(writer), summary.started_at)?;
        }
        Some(before) if before != after => update_run(tx, run, &after, fold.error())?,
        Some(_) => {}
    }
    for (event, row) in events.iter().zip(rows) {
        insert_written(tx, run, event, row, sent)?;
    }
    if let (Some(_), Some(summary)) = (after.ended_at, fold.summary(run, false)) {
        uses::insert(tx, &summary, fold.own_steps())?;
    }
    Ok(())
}
