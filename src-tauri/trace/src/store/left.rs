//! Runs whose process is gone: the next process that may write ends them; others read them as ended.

use camino::Utf8Path;
use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};

use super::database::is_about_writing;
use super::pieces::Sent;
use super::rows::{LAST_AT, events, insert_event, text_of};
use super::summaries::update_run;
use super::writer::Writer;
use crate::clock::Millis;
use crate::fold::Fold;
use crate::{Event, EventKind, RunId, RunStatus, TraceError};

/// Claims the runs to come and ends those whose process is gone.
pub(super) fn take_over(db: &mut Connection, path: &Utf8Path, now: Millis) -> Result<Writer, TraceError> {
    let tx = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let writer = Writer::claim(path)?;
    for run in abandoned(&tx, path)? {
        interrupt(&tx, run, now)?;
    }
    Writer::sweep(path);
    tx.commit()?;
    Ok(writer)
}

fn abandoned(tx: &Transaction<'_>, path: &Utf8Path) -> rusqlite::Result<Vec<RunId>> {
    let mut query = tx.prepare("SELECT id, writer FROM runs WHERE writer IS NOT NULL")?;
    let mut rows = query.query([])?;
    let mut abandoned = Vec::new();
    while let Some(row) = rows.next()? {
        // A row that cannot be read is listed as that, and keeps no other run open.
        let (Ok(run), Ok(writer)) = (row.get(0), text_of(row, 1)) else { continue };
        if !Writer::is_alive(path, writer) {
            abandoned.push(run);
        }
    }
    Ok(abandoned)
}

pub(super) fn interrupt(tx: &Transaction<'_>, run: RunId, now: Millis) -> Result<(), TraceError> {
    let recorded = match events(tx, run) {
        // One run that cannot be read must not keep the others closed.
        Err(error) if !is_about_writing(&error) => {
            let last: Option<Millis> = tx.query_row(LAST_AT, [run], |row| row.get(0))?;
            tx.execute(
                "UPDATE runs SET status = ?2, ended_at = ?3, writer = NULL WHERE id = ?1",
                params![run, RunStatus::Interrupted, last],
            )?;
            return Ok(());
        }
        recorded => recorded?,
    };
    let (fold, end) = with_end(&recorded, now);
    if let Some(end) = &end {
        insert_event(tx, run, end, &mut Sent::default())?;
    }
    if let Some(progress) = fold.progress() {
        update_run(tx, run, &progress, fold.error())?;
    }
    Ok(())
}

/// The fold of a run that is no longer recorded, without the texts of its steps, and the end that its events lack if
/// they broke off.
pub(super) fn with_end(events: &[Event], now: Millis) -> (Fold, Option<Event>) {
    let mut fold = Fold::new();
    for events in events.chunks(FOLDED) {
        let from = fold.steps().len();
        events.iter().for_each(|event| drop(fold.apply(event)));
        fold.forget_texts(from);
    }
    let end = end_of(&mut fold, events.last().map(|last| last.seq), now);
    (fold, end)
}

/// A run that is folded event by event, with few of its texts in memory.
#[derive(Default)]
pub(super) struct Folding {
    fold: Fold,
    /// The first step that may have texts.
    from: usize,
    events: usize,
    last: Option<u32>,
}

impl Folding {
    pub fn take_in(&mut self, event: &Event) {
        if self.events.is_multiple_of(FOLDED) {
            self.fold.forget_texts(self.from);
            self.from = self.fold.steps().len();
        }
        self.fold.apply(event);
        self.events += 1;
        self.last = Some(event.seq);
    }

    /// With the end that it lacks.
    pub fn end(mut self, now: Millis) -> (Fold, Option<Event>) {
        self.fold.forget_texts(self.from);
        let end = end_of(&mut self.fold, self.last, now);
        (self.fold, end)
    }
}

/// The end that a run lacks which broke off.
fn end_of(fold: &mut Fold, last: Option<u32>, now: Millis) -> Option<Event> {
    let last = last.filter(|_| fold.status() == RunStatus::Running)?;
    let kind = EventKind::ended(RunStatus::Interrupted, None, None);
    let end = Event { seq: last.saturating_add(1), at: now, within: None, kind };
    fold.apply(&end);
    Some(end)
}

/// Events whose texts are in memory a second time while a run is folded.
const FOLDED: usize = 256;

/// Whether the process of this writer is gone. `own`: this process's token.
pub(super) fn is_left(path: &Utf8Path, own: Option<&str>, writer: Option<&str>) -> bool {
    writer.is_some_and(|writer| own != Some(writer) && !Writer::is_alive(path, writer))
}

/// A run's events, with the missing end if the process that recorded them is dead.
pub(super) fn with_left_end(
    mut events: Vec<Event>,
    tx: &Transaction<'_>,
    path: &Utf8Path,
    own: Option<&str>,
    id: RunId,
) -> rusqlite::Result<Vec<Event>> {
    let is_open = events.last().is_some_and(|last| !matches!(last.kind, EventKind::Ended { .. }));
    if is_open && is_left(path, own, writer_of(tx, id)?.as_deref()) {
        let (seq, at) = events.last().map_or((0, 0), |last| (last.seq, last.at));
        let kind = EventKind::ended(RunStatus::Interrupted, None, None);
        events.push(Event { seq: seq.saturating_add(1), at, within: None, kind });
    }
    Ok(events)
}

pub(super) fn writer_of(tx: &Transaction<'_>, run: RunId) -> rusqlite::Result<Option<String>> {
    let writer = tx.query_row("SELECT writer FROM runs WHERE id = ?1", [run], |row| row.get(0)).optional()?;
    Ok(writer.flatten())
}
