//! Deletes the rows of a run a few at a time, so that recorders wait only briefly. The row of the run goes first:
//! without it the others cannot be found, and rows left by a process that died are deleted the next time.

use rusqlite::{Connection, Transaction, TransactionBehavior, params};

use crate::RunId;

/// Events and steps that one commit deletes.
const AT_ONCE: u32 = 2_000;

/// Deletes the run itself and small rows. [`rest`] or [`some`] delete the others. The connection must not enforce
/// foreign keys.
pub(super) fn run(tx: &Transaction<'_>, run: RunId) -> rusqlite::Result<()> {
    for table in ["uses", "indexed", "notes", "verdicts", "pins"] {
        tx.execute(&format!("DELETE FROM {table} WHERE run = ?1"), [run])?;
    }
    tx.execute("DELETE FROM runs WHERE id = ?1", [run]).map(drop)
}

/// Deletes all remaining rows of a run that was deleted.
pub(super) fn rest(tx: &Transaction<'_>, run: RunId) -> rusqlite::Result<()> {
    for table in ["strings", "events", "passages"] {
        tx.execute(&format!("DELETE FROM {table} WHERE run = ?1"), [run])?;
    }
    Ok(())
}

/// Some rows of a run that is not here; `false`: there are none.
pub(super) fn some(db: &mut Connection, run: RunId) -> rusqlite::Result<bool> {
    let tx = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let is_back: bool = tx.query_row("SELECT EXISTS (SELECT 1 FROM runs WHERE id = ?1)", [run], |row| row.get(0))?;
    if is_back {
        return Ok(false);
    }
    // The numbers of damaged rows may be texts, which come after all numbers.
    let until = "SELECT max(seq) FROM (SELECT seq FROM events WHERE run = ?1 ORDER BY seq LIMIT ?2)";
    let strings = tx.execute(
        &format!("DELETE FROM strings WHERE run = ?1 AND seq <= coalesce(({until}), seq)"),
        params![run, AT_ONCE],
    )?;
    let events =
        tx.execute(&format!("DELETE FROM events WHERE run = ?1 AND seq <= ({until})"), params![run, AT_ONCE])?;
    let passages = tx.execute(
        "DELETE FROM passages WHERE id IN (SELECT id FROM passages WHERE run = ?1 LIMIT ?2)",
        params![run, AT_ONCE / 4],
    )?;
    tx.commit()?;
    Ok(strings + events + passages > 0)
}

/// Deleted runs of which rows are left.
pub(super) fn left(db: &Connection) -> rusqlite::Result<Vec<RunId>> {
    let mut left = Vec::new();
    for table in ["events", "passages"] {
        // From one run to the next by the index.
        let mut query = db.prepare(&format!(
            "WITH RECURSIVE each(run) AS (
               SELECT min(run) FROM {table}
               UNION ALL
               SELECT (SELECT min(run) FROM {table} WHERE run > each.run) FROM each WHERE each.run IS NOT NULL)
             SELECT run FROM each WHERE run IS NOT NULL AND NOT EXISTS (SELECT 1 FROM runs WHERE id = each.run)"
        ))?;
        // Values that are not ids of runs do no harm.
        let rows = query.query_map([], |row| Ok(row.get::<_, RunId>(0).ok()))?;
        for run in rows {
            left.extend(run?.filter(|run| !left.contains(run)));
        }
    }
    Ok(left)
}
