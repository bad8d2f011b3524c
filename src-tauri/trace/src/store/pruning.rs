//! Which runs are deleted because they are old, or because all of them together take too much space, and how. It has a
//! separate connection and works in small pieces, so that runs are recorded and searched as usual.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use camino::Utf8Path;
use rusqlite::{Connection, OptionalExtension, Row, TransactionBehavior, params};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::apart::{connect, in_turn};
use super::writer::Writer;
use super::{erase, opening, rows};
use crate::clock::Millis;
use crate::{RunId, TraceError};

/// Which runs are kept; by default all.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Keep {
    /// Runs that ended, or came here, earlier than this go.
    pub since: Option<Millis>,
    /// The oldest runs are deleted until all take no more than this.
    pub bytes: Option<u64>,
    /// Runs with a verdict, a note or a bookmark go like others.
    pub reviewed_too: bool,
}

/// The result of applying a [`Keep`] now.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pruning {
    /// The oldest first.
    pub going: Vec<GoingRun>,
    /// Runs that stay because they are pinned or reviewed, although they are old or their space is needed.
    pub pinned: u32,
    pub reviewed: u32,
    /// The size of all runs.
    pub bytes: u64,
}

/// A run that is not kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct GoingRun {
    pub run: RunId,
    /// The beginning of it.
    pub prompt: String,
    /// When it ended, or came here.
    #[ts(type = "number")]
    pub at: Millis,
    /// About what is free once it is gone.
    #[ts(type = "number")]
    pub bytes: u64,
    pub why: GoingWhy,
}

/// Why it goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum GoingWhy {
    Old,
    Room,
}

/// The result.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pruned {
    /// Those that are gone.
    pub runs: Vec<RunId>,
    /// By so much is the file shorter.
    pub freed: u64,
    /// So much in it is free for later runs.
    pub reusable: u64,
}

/// Characters of a prompt.
const PROMPT: usize = 200;
/// What an event and a step in the index take with their text.
const EACH_EVENT: u32 = 60;
const EACH_STEP: u32 = 80;
/// The index of words takes about so much of a text, in percent.
const WORDS: u32 = 120;

struct Candidate {
    run: RunId,
    prompt: String,
    at: Millis,
    stays: Option<Stays>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stays {
    /// It is running, or comes with the program.
    Always,
    Pinned,
    Reviewed,
}

/// `elsewhere`: what runs take outside of the store. `live`: runs that are in use.
pub fn plan(
    path: &Utf8Path,
    wait: Duration,
    keep: Keep,
    elsewhere: &HashMap<RunId, u64>,
    live: &HashSet<RunId>,
) -> Result<Pruning, TraceError> {
    let db = connect(path, wait)?;
    let outside: u64 = elsewhere.values().sum();
    let bytes = used(&db)?.bytes() + outside;
    let runs = candidates(&db, keep.reviewed_too, live)?;
    let mut found = Pruning { bytes, ..Pruning::default() };
    let is_old = |run: &Candidate| keep.since.is_some_and(|since| run.at < since);
    let wants_room = keep.bytes.is_some_and(|most| bytes > most);
    if !wants_room && !runs.iter().any(is_old) {
        return Ok(found);
    }
    let weights = weights(&db, &runs, bytes - outside)?;
    let mut left = bytes;
    for run in &runs {
        let why = if is_old(run) {
            GoingWhy::Old
        } else if keep.bytes.is_some_and(|most| left > most) {
            GoingWhy::Room
        } else {
            continue;
        };
        match run.stays {
            Some(Stays::Always) => {}
            Some(Stays::Pinned) => found.pinned += 1,
            Some(Stays::Reviewed) => found.reviewed += 1,
            None => {
                let bytes = weights.get(&run.run).copied().unwrap_or_default()
                    + elsewhere.get(&run.run).copied().unwrap_or_default();
                left = left.saturating_sub(bytes);
                found.going.push(GoingRun { run: run.run, prompt: run.prompt.clone(), at: run.at, bytes, why });
            }
        }
    }
    Ok(found)
}

/// The oldest first. A run whose row makes no sense stays.
fn candidates(db: &Connection, reviewed_too: bool, live: &HashSet<RunId>) -> rusqlite::Result<Vec<Candidate>> {
    let mut query = db.prepare(
        "SELECT id, iif(json_valid(setup), setup ->> '$.prompt', NULL), max(coalesce(ended_at, started_at), stored_at) AS at,
                writer IS NOT NULL OR ended_at IS NULL OR bundled,
                EXISTS (SELECT 1 FROM pins WHERE pins.run = runs.id),
                EXISTS (SELECT 1 FROM verdicts WHERE verdicts.run = runs.id)
                  OR EXISTS (SELECT 1 FROM notes WHERE notes.run = runs.id)
         FROM runs ORDER BY at, id",
    )?;
    let rows = query.query_map([], |row| {
        let read = || -> rusqlite::Result<Candidate> {
            let run = row.get(0)?;
            let prompt: Option<String> = row.get(1)?;
            let (always, pinned, reviewed): (bool, bool, bool) = (row.get(3)?, row.get(4)?, row.get(5)?);
            let stays = if always || live.contains(&run) {
                Some(Stays::Always)
            } else if pinned {
                Some(Stays::Pinned)
            } else {
                (reviewed && !reviewed_too).then_some(Stays::Reviewed)
            };
            let prompt = prompt.unwrap_or_default().chars().take(PROMPT).collect();
            Ok(Candidate { run, prompt, at: row.get(2)?, stays })
        };
        Ok(read().ok())
    })?;
    rows.filter_map(Result::transpose).collect()
}

/// About how much space each run frees if those before it are deleted. A text that several runs share is freed with the
/// last of them, and never if one of them stays. `used`: bytes of the store, of which each run has its share.
fn weights(db: &Connection, runs: &[Candidate], used: u64) -> Result<HashMap<RunId, u64>, TraceError> {
    let mut seen = HashSet::new();
    let mut weights = HashMap::new();
    let (stay, go): (Vec<_>, Vec<_>) = runs.iter().partition(|run| run.stays.is_some());
    let mut pieces = db.prepare(&format!(
        "SELECT id, octet_length(text) FROM payloads WHERE id IN ({})",
        rows::used_payloads("strings.run = ?1")
    ))?;
    let mut events =
        db.prepare("SELECT coalesce(sum(octet_length(body)), 0) + ?2 * count(*) FROM events WHERE run = ?1")?;
    let mut steps = db.prepare(
        "SELECT coalesce(sum(octet_length(text)), 0) * (100 + ?2) / 100 + ?3 * count(*) FROM passages WHERE run = ?1",
    )?;
    for Candidate { run, .. } in stay.iter().chain(go.iter().rev()) {
        opening::begin(db, opening::LIMIT)?;
        let mut weight = 0_u64;
        let mut rows = pieces.query([run])?;
        while let Some(row) = rows.next()? {
            if seen.insert(row.get::<_, i64>(0)?) {
                weight += bytes_of(row, 1)?;
            }
        }
        weight += events.query_row(params![run, EACH_EVENT], |row| bytes_of(row, 0))?;
        weight += steps.query_row(params![run, WORDS, EACH_STEP], |row| bytes_of(row, 0))?;
        weights.insert(*run, weight);
    }
    // Pages are never full, and indexes take room too.
    let all: u64 = weights.values().sum();
    let share = |weight: u64| u128::from(weight) * u128::from(used) / u128::from(all.max(1));
    for weight in weights.values_mut() {
        *weight = u64::try_from(share(*weight)).unwrap_or(u64::MAX);
    }
    Ok(weights)
}

/// SQLite's numbers have a sign.
fn bytes_of(row: &Row<'_>, column: usize) -> rusqlite::Result<u64> {
    Ok(u64::try_from(row.get::<_, i64>(column)?).unwrap_or_default())
}

/// Deletes runs and returns the space. Runs that are pinned or go on by now stay, and so do reviewed ones if `keep`
/// says so. `own`: the token with which this process claims the runs that it records.
pub fn prune(path: &Utf8Path, wait: Duration, own: &str, runs: &[RunId], keep: Keep) -> Result<Pruned, TraceError> {
    let mut db = connect(path, wait)?;
    let before = used(&db)?;
    let mut gone = Pruned::default();
    for run in runs {
        if in_turn(&mut db, |db| forget(db, *run, keep))? {
            gone.runs.push(*run);
        }
    }
    let mut left = gone.runs.clone();
    if Writer::is_alone(path, own) {
        // Of another process it may be a run that is being imported.
        left.extend(erase::left(&db)?);
    }
    for run in left {
        while in_turn(&mut db, |db| Ok(erase::some(db, run)?))? {}
    }
    forget_texts(&mut db)?;
    merge_words(&mut db)?;
    give_back(&mut db)?;
    let after = used(&db)?;
    gone.freed = before.all.saturating_sub(after.all);
    gone.reusable = after.free;
    Ok(gone)
}

fn forget(db: &mut Connection, run: RunId, keep: Keep) -> Result<bool, TraceError> {
    let tx = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let may_go: Option<bool> = tx
        .query_row(
            "SELECT writer IS NULL AND ended_at IS NOT NULL AND NOT EXISTS (SELECT 1 FROM pins WHERE pins.run = runs.id)
                AND (?2 OR NOT EXISTS (SELECT 1 FROM verdicts WHERE verdicts.run = runs.id)
                       AND NOT EXISTS (SELECT 1 FROM notes WHERE notes.run = runs.id))
             FROM runs WHERE id = ?1",
            params![run, keep.reviewed_too],
            |row| row.get(0),
        )
        .optional()?;
    if may_go != Some(true) {
        return Ok(false);
    }
    erase::run(&tx, run)?;
    tx.commit()?;
    Ok(true)
}

/// Deletes texts that no event uses any longer. Searching takes long and holds no lock; if somebody has written since
/// then, and may use one of them now, the search is repeated.
fn forget_texts(db: &mut Connection) -> Result<(), TraceError> {
    for _ in 0..LOOKS {
        opening::begin(db, LOOKING)?;
        let seen = data_version(db)?;
        let orphans: Vec<i64> = db
            .prepare(&format!("SELECT id FROM payloads WHERE id NOT IN ({})", rows::used_payloads("true")))?
            .query_map([], |row| row.get(0))?
            .collect::<rusqlite::Result<_>>()?;
        let mut orphans = orphans.chunks(TEXTS);
        let mut version = seen;
        let is_done = loop {
            let Some(some) = orphans.next() else { break true };
            let is_as_seen = in_turn(db, |db| {
                let tx = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
                if data_version(&tx)? != version {
                    return Ok(false);
                }
                let mut delete = tx.prepare_cached("DELETE FROM payloads WHERE id = ?1")?;
                for id in some {
                    delete.execute([id])?;
                }
                drop(delete);
                tx.commit()?;
                Ok(true)
            })?;
            if !is_as_seen {
                break false;
            }
            version = data_version(db)?;
            if version != seen {
                break false;
            }
        };
        if is_done {
            return Ok(());
        }
    }
    // Runs are being recorded all the time: the next pruning finds what is left.
    Ok(())
}

const LOOKS: usize = 5;
/// To look through all texts of a large store.
const LOOKING: Duration = Duration::from_secs(120);
/// Texts that one commit deletes.
const TEXTS: usize = 2_000;

/// Changes with what other connections write, and not with what this one does.
fn data_version(db: &Connection) -> rusqlite::Result<i64> {
    db.pragma_query_value(None, "data_version", |row| row.get(0))
}

/// The word index keeps entries of deleted texts until its parts are merged.
fn merge_words(db: &mut Connection) -> Result<(), TraceError> {
    let mut pages = -MERGED;
    loop {
        let changed = in_turn(db, |db| {
            let before = db.total_changes();
            db.execute("INSERT INTO words (words, rank) VALUES ('merge', ?1)", [pages])?;
            Ok(db.total_changes() - before)
        })?;
        // As its documentation has it: fewer than two, and nothing is left to merge.
        if changed < 2 {
            return Ok(());
        }
        pages = MERGED;
    }
}

/// Pages of the index that are merged with one commit.
const MERGED: i64 = 256;

fn give_back(db: &mut Connection) -> Result<(), TraceError> {
    let mode: u32 = db.pragma_query_value(None, "auto_vacuum", |row| row.get(0))?;
    if mode == INCREMENTAL {
        while used(db)?.free > 0 {
            let before = used(db)?.free;
            in_turn(db, |db| {
                let mut step = db.prepare(&format!("PRAGMA incremental_vacuum({STEP})"))?;
                let mut rows = step.query([])?;
                while rows.next()?.is_some() {}
                Ok(())
            })?;
            if used(db)?.free >= before {
                break;
            }
        }
    } else if used(db)?.free > 0 && is_still(db)? && used(db)?.bytes() <= REWRITTEN {
        // A store of an earlier version: it is written again, and gives its room back by steps from then on.
        opening::begin(db, LOOKING)?;
        db.pragma_update(None, "auto_vacuum", "INCREMENTAL")?;
        db.execute_batch("VACUUM")?;
    }
    // A reader keeps the log from shrinking; then it is moved into the file later.
    db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).ok();
    Ok(())
}

const INCREMENTAL: u32 = 2;
/// Pages that one commit returns to the disk.
const STEP: u32 = 1_000;
/// A store of so many bytes is rewritten in a few seconds.
const REWRITTEN: u64 = 1 << 30;

/// Whether no run is being recorded.
fn is_still(db: &Connection) -> rusqlite::Result<bool> {
    db.query_row("SELECT NOT EXISTS (SELECT 1 FROM runs WHERE writer IS NOT NULL)", [], |row| row.get(0))
}

/// Bytes of the file.
struct Used {
    all: u64,
    free: u64,
}

impl Used {
    fn bytes(&self) -> u64 {
        self.all.saturating_sub(self.free)
    }
}

fn used(db: &Connection) -> rusqlite::Result<Used> {
    let number = |name: &str| db.pragma_query_value(None, name, |row| bytes_of(row, 0));
    let page = number("page_size")?;
    Ok(Used { all: page * number("page_count")?, free: page * number("freelist_count")? })
}
