//! Writing a long run that is imported, a piece at a time. Its events cannot be found until its row is written, which
//! comes last. The remains of an import that was stopped, or whose process died, are deleted.

use std::borrow::Cow;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::time::Duration;

use camino::Utf8Path;
use rusqlite::TransactionBehavior;

use super::apart::{Others, connect, in_turn};
use super::left::Folding;
use super::pieces::Sent;
use super::rows::Written;
use super::{erase, ledger, reviews, rows, summaries, uses};
use crate::clock::Millis;
use crate::fold::Fold;
use crate::review::Review;
use crate::spool::{Spool, weight};
use crate::{Event, EventKind, RunId, TraceError};
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
const AT_ONCE: usize = 1 << 20;

/// Pages that are kept in memory: what texts are known by is spread over all of their index.
const CACHE_KIB: i32 = 16 << 10;

/// Pieces that are made while one is written.
const AHEAD: usize = 2;

/// Events with their rows.
type Piece<'a> = Vec<(Cow<'a, Event>, Written)>;

/// Whether all of it is written. `went`: says how many events are written, and whether to go on.
pub(super) fn write(
    path: &Utf8Path,
    wait: Duration,
    import: &Import,
    others: &mut Others,
    went: &mut dyn FnMut(usize) -> bool,
) -> Result<bool, TraceError> {
    let Import { id, events, review, bundled, now } = import;
    if !events.first().is_some_and(|first| matches!(first.kind, EventKind::Started { .. })) {
        return Err(TraceError::NotRecording { run: *id });
    }
    let mut db = connect(path, wait)?;
    db.pragma_update(None, "cache_size", -CACHE_KIB)?;
    while in_turn(&mut db, |db| Ok(erase::some(db, *id)?))? {}
    let (mut written, mut sent) = (0, Sent::default());
    let fold = std::thread::scope(|scope| {
        let (ready, pieces) = sync_channel(AHEAD);
        let making = std::thread::Builder::new()
            .name("trace-import".into())
            .spawn_scoped(scope, move || make(events, *now, &ready))
            .map_err(|source| TraceError::Access { path: path.to_owned(), source })?;
        while let Ok(piece) = pieces.recv() {
            others.in_turn(&mut db, |db| {
                let tx = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
                for (event, row) in &piece {
                    rows::insert_made(&tx, *id, event, row, &mut sent)?;
                }
                Ok(tx.commit()?)
            })?;
            written += piece.len();
            if !went(written) {
                return Ok(None);
            }
        }
        match making.join() {
            Ok(fold) => fold.map(Some),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })?;
    let Some(fold) = fold else {
        while in_turn(&mut db, |db| Ok(erase::some(db, *id)?))? {}
        return Ok(false);
    };
    let Some(summary) = fold.summary(*id, *bundled) else { return Err(TraceError::NotRecording { run: *id }) };
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
        summaries::insert_run(&tx, &summary, None, *now)?;
        uses::insert(&tx, &summary, fold.steps())?;
        reviews::add(&tx, *id, review)?;
        Ok(tx.commit()?)
    })?;
    Ok(true)
}

/// Reads the events, folds them, and makes their rows, while others are written. It ends early if the receiver is gone.
fn make<'a>(events: &'a Spool, now: Millis, ready: &SyncSender<Piece<'a>>) -> Result<Fold, TraceError> {
    let (mut folding, mut piece, mut bytes) = (Folding::default(), Piece::new(), 0);
    let mut is_wanted = true;
    for event in events.iter()? {
        let event = event?;
        folding.take_in(&event);
        bytes += weight(&event);
        let row = Written::of(&event)?;
        piece.push((event, row));
        if bytes >= AT_ONCE {
            is_wanted = ready.send(std::mem::take(&mut piece)).is_ok();
            bytes = 0;
        }
        if !is_wanted {
            break;
        }
    }
    let (fold, end) = folding.end(now);
    if let Some(end) = end {
        let row = Written::of(&end)?;
        piece.push((Cow::Owned(end), row));
    }
    if !piece.is_empty() {
        // There is no receiver if writing failed, which is reported there.
        drop(ready.send(piece));
    }
    Ok(fold)
}
