//! Writing a long run that is imported, a piece at a time. Nobody finds its events until its row is there, which comes last;
//! what is left of an import that was stopped, or whose process died, is taken away.

use std::borrow::Cow;
use std::time::Duration;

use camino::Utf8Path;
use rusqlite::TransactionBehavior;

use super::apart::{connect, in_turn};
use super::pieces::Sent;
use super::{erase, ledger, reviews, rows, uses};
use crate::clock::Millis;
use crate::review::Review;
use crate::spool::{Spool, weight};
use crate::{RunId, TraceError};
use wording::message;

/// A run that is to be written.
pub(super) struct Import {
    pub id: RunId,
    pub events: Spool,
    pub review: Review,
    pub bundled: bool,
    pub now: Millis,
}

/// Bytes that are written with one commit, about, which takes some milliseconds.
const AT_ONCE: usize = 256 << 10;

/// Whether all of it is written. `went`: says how many events are written, and whether to go on.
pub(super) fn write(
    path: &Utf8Path,
    wait: Duration,
    import: &Import,
    went: &mut dyn FnMut(usize) -> bool,
) -> Result<bool, TraceError> {
    let Import { id, events, review, bundled, now } = import;
    let mut db = connect(path, wait)?;
    let (fold, end) = ledger::with_end_of(events.iter()?, *now)?;
    let Some(summary) = fold.summary(*id, *bundled) else { return Err(TraceError::NotRecording { run: *id }) };
    while in_turn(&mut db, |db| Ok(erase::some(db, *id)?))? {}
    let mut rest = events.iter()?.chain(end.iter().map(|end| Ok(Cow::Borrowed(end)))).peekable();
    let (mut written, mut sent) = (0, Sent::default());
    while rest.peek().is_some() {
        in_turn(&mut db, |db| {
            let tx = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let mut bytes = 0;
            while let Some(event) = rest.next_if(|_| bytes < AT_ONCE) {
                let event = event?;
                rows::insert_event(&tx, *id, &event, &mut sent)?;
                bytes += weight(&event);
                written += 1;
            }
            Ok(tx.commit()?)
        })?;
        if !went(written) {
            while in_turn(&mut db, |db| Ok(erase::some(db, *id)?))? {}
            return Ok(false);
        }
    }
    in_turn(&mut db, |db| {
        let tx = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
        if ledger::is_here(&tx, *id)? {
            // Another process has imported it since then.
            return Ok(());
        }
        let count: u32 = tx.query_row("SELECT count(*) FROM events WHERE run = ?1", [*id], |row| row.get(0))?;
        if usize::try_from(count) != Ok(written) {
            let reason = message!("another program has changed it since", "其他程序已改动了它");
            return Err(TraceError::Lost { path: path.to_owned(), reason });
        }
        ledger::insert_run(&tx, &summary, None, *now)?;
        uses::insert(&tx, &summary, fold.steps())?;
        reviews::add(&tx, *id, review)?;
        Ok(tx.commit()?)
    })?;
    Ok(true)
}
