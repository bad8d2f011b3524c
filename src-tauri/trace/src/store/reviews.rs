//! Verdicts, notes and pins on disk, next to the runs.

use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};

use crate::review::{Judged, LINE, NOTE, Review, StepNote, Verdict};
use crate::{RunId, TraceError};

pub(super) fn read(db: &Connection, run: RunId) -> Result<Review, TraceError> {
    let verdict = db
        .prepare_cached("SELECT judged, line, changed_at FROM verdicts WHERE run = ?1")?
        .query_row([run], verdict_of)
        .optional()?
        .flatten();
    let mut notes =
        db.prepare_cached("SELECT event, text, bookmark, changed_at FROM notes WHERE run = ?1 ORDER BY event")?;
    let notes = notes.query_map([run], note_of)?.collect::<rusqlite::Result<_>>()?;
    Ok(Review { verdict, notes })
}

/// In place of the note that the step had; one that says nothing takes it away.
pub(super) fn set_note(tx: &Transaction<'_>, run: RunId, note: &StepNote) -> rusqlite::Result<()> {
    let StepNote { event, text, bookmark, changed_at } = note;
    if text.is_empty() && !bookmark {
        tx.execute("DELETE FROM notes WHERE run = ?1 AND event = ?2", params![run, event])?;
        return Ok(());
    }
    tx.execute(
        "INSERT INTO notes (run, event, text, bookmark, changed_at) VALUES (?1, ?2, ?3, ?4, ?5)
         ON CONFLICT (run, event) DO UPDATE SET text = ?3, bookmark = ?4, changed_at = ?5",
        params![run, event, text, bookmark, changed_at],
    )?;
    Ok(())
}

/// `None` takes the verdict away.
pub(super) fn set_verdict(tx: &Transaction<'_>, run: RunId, verdict: Option<&Verdict>) -> rusqlite::Result<()> {
    let Some(Verdict { judged, line, changed_at }) = verdict else {
        tx.execute("DELETE FROM verdicts WHERE run = ?1", [run])?;
        return Ok(());
    };
    tx.execute(
        "INSERT INTO verdicts (run, judged, line, changed_at) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (run) DO UPDATE SET judged = ?2, line = ?3, changed_at = ?4",
        params![run, judged.word(), line, changed_at],
    )?;
    Ok(())
}

/// Adds the review that came with an imported run, as far as there is none here and it refers to events of the run.
pub(super) fn add(tx: &Transaction<'_>, run: RunId, review: &Review) -> Result<(), TraceError> {
    if review.is_empty() {
        return Ok(());
    }
    let here = read(tx, run)?;
    for note in review.notes.iter().filter(|note| here.of_event(note.event).is_none()) {
        if has_event(tx, run, note.event)? {
            let text = within(&note.text, NOTE).to_owned();
            set_note(tx, run, &StepNote { text, ..note.clone() })?;
        }
    }
    if let (None, Some(verdict)) = (&here.verdict, &review.verdict) {
        let line = within(&verdict.line, LINE).to_owned();
        set_verdict(tx, run, Some(&Verdict { line, ..verdict.clone() }))?;
    }
    Ok(())
}

pub(super) fn has_event(tx: &Transaction<'_>, run: RunId, event: u32) -> rusqlite::Result<bool> {
    tx.prepare_cached("SELECT EXISTS (SELECT 1 FROM events WHERE run = ?1 AND seq = ?2)")?
        .query_row(params![run, event], |row| row.get(0))
}

/// So much of a text.
fn within(text: &str, limit: usize) -> &str {
    &text[..text.floor_char_boundary(limit)]
}

pub(super) fn pin(tx: &Transaction<'_>, run: RunId) -> rusqlite::Result<()> {
    tx.execute("INSERT INTO pins (run) VALUES (?1) ON CONFLICT DO NOTHING", [run]).map(drop)
}

pub(super) fn unpin(tx: &Transaction<'_>, run: RunId) -> rusqlite::Result<()> {
    tx.execute("DELETE FROM pins WHERE run = ?1", [run]).map(drop)
}

pub(super) fn forget(tx: &Transaction<'_>, run: RunId) -> rusqlite::Result<()> {
    unpin(tx, run)?;
    tx.execute("DELETE FROM notes WHERE run = ?1", [run])?;
    tx.execute("DELETE FROM verdicts WHERE run = ?1", [run])?;
    Ok(())
}

/// A verdict of another version of the program is none.
fn verdict_of(row: &Row<'_>) -> rusqlite::Result<Option<Verdict>> {
    let Some(judged) = Judged::of(row.get_ref(0)?.as_str()?) else { return Ok(None) };
    Ok(Some(Verdict { judged, line: row.get(1)?, changed_at: row.get(2)? }))
}

fn note_of(row: &Row<'_>) -> rusqlite::Result<StepNote> {
    Ok(StepNote { event: row.get(0)?, text: row.get(1)?, bookmark: row.get(2)?, changed_at: row.get(3)? })
}
