//! Searches for steps in all runs. Ended runs are indexed when somebody searches, a piece at a time, so that recording
//! costs nothing extra. It has its own connection and thread: a recording run waits for one piece at most. Other
//! processes continue where one stopped indexing.

use std::collections::{HashMap, HashSet, VecDeque};
use std::time::{Duration, Instant};

use camino::{Utf8Path, Utf8PathBuf};
use rusqlite::{Connection, OpenFlags, OptionalExtension, Row, Transaction, TransactionBehavior, params};
use serde::Serialize;
use ts_rs::TS;

use super::heads::Heads;
use super::ledger::Ledger;
use super::opening;
use super::place::StoreFiles;
use super::recorded::Recording;
use super::rows;
use super::{database, summaries};
use crate::clock::Millis;
use crate::fold::Fold;
use crate::passage::{ExcerptPiece, Facts, KindOfStep, Passage, excerpt, folded};
use crate::query::Query;
use crate::{RunId, RunList, Step, StepKind, StepState, TraceError, fold};

/// Runs that match, the one started last first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Found {
    pub runs: Vec<FoundRun>,
    /// There are further runs, which are not listed, or were not looked through.
    pub more: bool,
    /// Runs that are not indexed yet: what matches in them is not listed.
    pub waiting: u32,
    /// Runs that go on, which are looked through once they have ended.
    pub running: u32,
}

/// A run in which something was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct FoundRun {
    pub run: RunId,
    /// The first steps that match; empty: the query is about runs alone, or about a skill that the run had and did not use.
    pub steps: Vec<FoundStep>,
    /// There are further steps, which are not listed.
    pub more: bool,
}

/// A step in which it was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct FoundStep {
    /// From 0.
    pub step: u32,
    pub kind: KindOfStep,
    /// `null`: the step is no call.
    pub tool: Option<String>,
    pub excerpt: Vec<ExcerptPiece>,
}

/// The most runs that are listed.
const RUNS: usize = 200;
const STEPS: usize = 20;

/// So long runs are looked through for one answer.
const LOOKING: Duration = Duration::from_secs(5);

/// Bytes of text that are indexed with one commit, which takes some milliseconds.
const AT_ONCE: usize = 64 << 10;

/// Characters below which the index knows nothing of a word.
const SHORTEST: usize = 3;

/// Passages that are looked up by the index. A word that more have is found sooner by going through the runs.
const MOST: u32 = 20_000;

/// Goes up with every change of what [`Passage::of`] makes of steps, or of which steps there are.
const MADE: u32 = 4;

/// What a request had before the conversation is a row next to that of its step, under a number that no step has.
const BEFORE: i64 = 1 << 32;

/// Searches the store at a path, on its own thread.
pub struct Finder {
    path: Utf8PathBuf,
    wait: Duration,
    open: Option<(Connection, StoreFiles)>,
    indexing: Indexing,
    recorded: Recording,
}

/// The steps of the run that is being indexed, as far as it is read.
#[derive(Default)]
struct Indexing {
    run: Option<(RunId, Millis)>,
    fold: Fold,
    heads: Heads,
    /// The next event, and the first step without a passage. `None`: all events are read.
    next: Option<u32>,
    made: usize,
    passages: VecDeque<Passage>,
}

/// Events that are read at once: of a long run, the texts never are in memory all together.
const READ: usize = if cfg!(test) { 3 } else { 5_000 };

impl Indexing {
    /// Reads on until there is a passage that is not indexed, or no more events. `from`: the first step without one.
    fn read_on(&mut self, tx: &Transaction<'_>, run: RunId, from: u32) -> Result<(), TraceError> {
        self.passages.retain(|passage| passage.facts.step >= from);
        while let (true, Some(next)) = (self.passages.is_empty(), self.next) {
            let most = if is_fork(tx, run)? { usize::MAX } else { READ };
            let events = match rows::outline_from(tx, run, next, most) {
                Err(error) if database::is_about_writing(&error) => return Err(error),
                // In a run that cannot be read nothing is found, and it keeps the others from nothing.
                read => read.unwrap_or_default(),
            };
            for event in &events {
                self.fold.apply(event);
                self.heads.take_in(event);
            }
            self.heads.read(|reads| match rows::requests(tx, run, &reads.bodies) {
                Err(error) if database::is_about_writing(&error) => Err(error),
                read => Ok(read.unwrap_or_default()),
            })?;
            let last = events.last().map(|last| last.seq);
            self.next = last.and_then(|last| last.checked_add(1)).filter(|_| events.len() >= most);
            let until = match self.next {
                Some(_) => settled(&self.fold),
                None => self.fold.steps().len(),
            };
            let made = self.made.min(until);
            for step in &self.fold.steps()[made..until] {
                self.passages.extend(self.heads.take(step));
                self.passages.push_back(Passage::of(step));
            }
            self.passages.retain(|passage| passage.facts.step >= from);
            self.fold.forget_texts_of(made..until);
            self.made = until;
        }
        Ok(())
    }
}

/// So many steps stay as they are whatever comes. A prompt tells the skills that it names with the request after it.
fn settled(fold: &Fold) -> usize {
    let steps = fold.steps();
    let until = fold.first_open().unwrap_or(steps.len());
    // Those of sub-agents and of the framework itself go before it.
    let is_asked = |step: &Step| step.within.is_none() && matches!(step.kind, StepKind::Answer { .. });
    let asked = steps.iter().rposition(is_asked).map_or(0, |last| last + 1);
    let unasked = steps[asked..].iter().position(|step| matches!(step.kind, StepKind::Prompt { .. }));
    unasked.map_or(until, |ahead| until.min(asked + ahead))
}

/// A fork says where its own steps begin only when they begin.
fn is_fork(tx: &Transaction<'_>, run: RunId) -> rusqlite::Result<bool> {
    let forked = "SELECT iif(json_valid(setup), setup ->> '$.forked', NULL) IS NOT NULL FROM runs WHERE id = ?1";
    tx.prepare_cached(forked)?.query_row([run], |row| row.get(0)).optional().map(|found| found == Some(true))
}

impl Finder {
    /// `recorded` gets a signal when this process is about to write.
    pub fn new(path: &Utf8Path, wait: Duration, recorded: Recording) -> Self {
        Self { path: path.to_owned(), wait, open: None, indexing: Indexing::default(), recorded }
    }

    /// What matches in the runs that are indexed. Before that, others are indexed for so long. `None`: nothing can be
    /// written here, so [`scan`] must do.
    pub fn search(&mut self, query: &Query, indexing: Duration) -> Result<Option<Found>, TraceError> {
        let looked = self.connection().and_then(|(mut db, place)| {
            let waiting = index(&mut db, &mut self.indexing, indexing, &self.recorded)?;
            opening::begin(&db, opening::LIMIT)?;
            let found = found(&mut db, query)?;
            self.open = Some((db, place));
            Ok(Some(Found { waiting, ..found }))
        });
        match looked {
            Err(error) => {
                self.indexing = Indexing::default();
                if database::is_about_writing(&error) { Ok(None) } else { Err(error) }
            }
            looked => looked,
        }
    }

    fn connection(&mut self) -> Result<(Connection, StoreFiles), TraceError> {
        if let Some((db, place)) = self.open.take()
            && place.check().is_ok()
        {
            return Ok((db, place));
        }
        self.indexing = Indexing::default();
        let place = StoreFiles::of(&self.path, self.wait);
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let db = database::open_beside(&self.path, flags, self.wait)?;
        Ok((db, place.with_log()))
    }
}

/// Searches all runs without an index, if none can be written: everything is read again the next time.
pub fn scan(ledger: &mut Ledger, query: &Query) -> Result<Found, TraceError> {
    let begun = Instant::now();
    let mut found = Found::default();
    let runs = ledger.runs()?.runs;
    let over: HashSet<RunId> = runs.iter().filter(|run| run.ended_at.is_some()).map(|run| run.id).collect();
    for run in runs {
        if run.ended_at.is_none() {
            found.running += 1;
            continue;
        }
        if !query.allows_run(&run) {
            continue;
        }
        if begun.elapsed() > LOOKING {
            found.more = true;
            break;
        }
        let (fold, heads) = read(ledger, run.id);
        let parent = run.setup.forked.map(|forked| forked.run).filter(|parent| over.contains(parent));
        let (theirs, their_heads) = parent.map(|parent| read(ledger, parent)).unwrap_or_default();
        let own = first_own(&fold);
        let mut of_run = OfRun::new(query);
        let passages = fold.steps().iter().flat_map(|step| heads.of(step).into_iter().chain([Passage::of(step)]));
        for Passage { facts, text } in passages {
            let theirs = theirs.steps().get(facts.step as usize).filter(|_| facts.step < own);
            let is_head = facts.kind == KindOfStep::System;
            let elsewhere = |text: &str| {
                let theirs =
                    theirs.and_then(|step| if is_head { their_heads.of(step) } else { Some(Passage::of(step)) });
                Ok(theirs.is_some_and(|theirs| theirs.text == text))
            };
            if !of_run.take(facts, || Ok(text), elsewhere)? {
                break;
            }
        }
        if !found.take(run.id, of_run) {
            break;
        }
    }
    Ok(found)
}

/// A run that is looked through without an index; nothing is in one that cannot be read.
fn read(ledger: &mut Ledger, run: RunId) -> (Fold, Heads) {
    let events = ledger.outline(run).unwrap_or_default();
    let mut heads = Heads::default();
    events.iter().for_each(|event| heads.take_in(event));
    let read = heads.read(|reads| ledger.read(run, reads));
    // Its steps are searched all the same.
    drop(read);
    (fold::replay(&events), heads)
}

/// Indexes pieces for so long, and says how many runs are not indexed yet.
fn index(
    db: &mut Connection,
    indexing: &mut Indexing,
    length: Duration,
    recorded: &Recording,
) -> Result<u32, TraceError> {
    let begun = Instant::now();
    let waiting = waiting(db)?;
    let mut left = u32::try_from(waiting.len()).unwrap_or(u32::MAX);
    for run in waiting {
        let mut is_done = false;
        while !is_done {
            if begun.elapsed() >= length {
                return Ok(left);
            }
            let piece = Instant::now();
            opening::begin(db, opening::LIMIT)?;
            recorded.tell();
            is_done = index_piece(db, indexing, run)?;
            // Recorders poll for the lock with pauses, and must find it free.
            std::thread::sleep(piece.elapsed().min(REST));
        }
        left -= 1;
    }
    Ok(left)
}

/// Between two pieces, at most: the store is free for as long as it was not.
const REST: Duration = Duration::from_millis(100);

/// Whether the run is indexed.
fn index_piece(
    db: &mut Connection,
    indexing: &mut Indexing,
    (run, ended_at): (RunId, Millis),
) -> Result<bool, TraceError> {
    if indexing.run != Some((run, ended_at)) {
        *indexing = Indexing { run: Some((run, ended_at)), next: Some(0), ..Indexing::default() };
    }
    let from: Option<u32> =
        db.prepare_cached(INDEXED)?.query_row(params![run, ended_at, MADE], |row| row.get(0)).optional()?;
    indexing.read_on(&db.transaction()?, run, from.unwrap_or(0))?;
    let tx = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
    if ended(&tx, run)? != Some(ended_at) {
        // It went on, or is gone.
        *indexing = Indexing::default();
        return Ok(true);
    }
    let begun: Option<u32> = tx.query_row(INDEXED, params![run, ended_at, MADE], |row| row.get(0)).optional()?;
    if begun.is_none() {
        tx.execute("DELETE FROM passages WHERE run = ?1", [run])?;
    }
    let mut next = begun.unwrap_or(0);
    // Another process may have come further.
    indexing.passages.retain(|passage| passage.facts.step >= next);
    let (mut size, own) = (0, first_own(&indexing.fold));
    while let Some(passage) = indexing.passages.pop_front() {
        size += passage.text.len();
        next = passage.facts.step.saturating_add(1);
        insert(&tx, run, &passage, passage.facts.step < own)?;
        // What belongs to a step goes with it.
        let is_whole = indexing.passages.front().is_none_or(|behind| behind.facts.step >= next);
        if size >= AT_ONCE && is_whole {
            break;
        }
    }
    let is_done = indexing.passages.is_empty() && indexing.next.is_none();
    tx.execute(
        "INSERT INTO indexed (run, ended_at, made, next, done) VALUES (?1, ?2, ?3, ?4, ?5)
         ON CONFLICT (run) DO UPDATE SET ended_at = ?2, made = ?3, next = ?4, done = ?5",
        params![run, ended_at, MADE, next, is_done],
    )?;
    tx.commit()?;
    if is_done {
        *indexing = Indexing::default();
    }
    Ok(is_done)
}

/// The first step of a run that is not indexed.
const INDEXED: &str = "SELECT next FROM indexed WHERE run = ?1 AND ended_at = ?2 AND made = ?3";

/// Runs that have ended and are not indexed as they are, the one started last first.
fn waiting(db: &Connection) -> rusqlite::Result<Vec<(RunId, Millis)>> {
    let mut query = db.prepare_cached(
        "SELECT runs.id, runs.ended_at FROM runs
         LEFT JOIN indexed
           ON indexed.run = runs.id AND indexed.ended_at = runs.ended_at AND indexed.made = ?1 AND indexed.done = 1
         WHERE runs.ended_at IS NOT NULL AND indexed.run IS NULL
         ORDER BY runs.started_at DESC, runs.id DESC",
    )?;
    // A run whose row makes no sense is not searched.
    let rows = query.query_map([MADE], |row| Ok(row.get(0).and_then(|run| Ok((run, row.get(1)?))).ok()))?;
    rows.filter_map(Result::transpose).collect()
}

fn ended(tx: &Transaction<'_>, run: RunId) -> rusqlite::Result<Option<Millis>> {
    tx.query_row("SELECT ended_at FROM runs WHERE id = ?1", [run], |row| row.get(0)).optional().map(Option::flatten)
}

fn first_own(fold: &Fold) -> u32 {
    fold.own_steps().first().map_or(u32::MAX, |step| step.index)
}

fn insert(tx: &Transaction<'_>, run: RunId, passage: &Passage, taken_over: bool) -> rusqlite::Result<()> {
    let Passage { facts: Facts { step, kind, state, tool, skill, took, cost, tokens }, text } = passage;
    let step = i64::from(*step) + if *kind == KindOfStep::System { BEFORE } else { 0 };
    let id = tx
        .prepare_cached(
            "INSERT INTO passages (run, step, kind, state, tool, skill, took, cost, tokens, text, taken_over)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
        )?
        .insert(params![run, step, kind.word(), state.word(), tool, skill, took, cost, tokens, text, taken_over])?;
    tx.prepare_cached("INSERT INTO words (rowid, text) VALUES (?1, ?2)")?.execute(params![id, folded(text)])?;
    Ok(())
}

fn found(db: &mut Connection, query: &Query) -> Result<Found, TraceError> {
    let begun = Instant::now();
    // One transaction, so that what another process deletes in the meantime is seen whole or not at all.
    let tx = db.transaction()?;
    let running = tx.query_row("SELECT count(*) FROM runs WHERE ended_at IS NULL", [], |row| row.get(0))?;
    let mut found = Found { running, ..Found::default() };
    let candidates = candidates(&tx, query.words())?;
    for run in wanted_runs(&tx, query)? {
        let ids = match &candidates {
            Some(candidates) => match candidates.get(&run) {
                Some(ids) => Some(ids),
                None => continue,
            },
            None => None,
        };
        if begun.elapsed() > LOOKING {
            found.more = true;
            break;
        }
        let of_run = match ids {
            Some(ids) => among(&tx, ids, query)?,
            None => throughout(&tx, run, query)?,
        };
        if !found.take(run, of_run) {
            break;
        }
    }
    Ok(found)
}

/// The one started last first.
fn wanted_runs(tx: &Transaction<'_>, query: &Query) -> Result<Vec<RunId>, TraceError> {
    if query.is_about_runs() {
        let runs = summaries::summaries(tx)?;
        return Ok(runs.into_iter().filter(|run| query.allows_run(run)).map(|run| run.id).collect());
    }
    let mut all = tx.prepare_cached("SELECT id FROM runs ORDER BY started_at DESC, id DESC")?;
    // A row without a valid id is not a run that could be opened.
    let ids = all.query_map([], |row| Ok(row.get(0).ok()))?;
    Ok(ids.filter_map(Result::transpose).collect::<rusqlite::Result<_>>()?)
}

/// The passages that may hold the words; `None`: the index cannot tell, or finds so many that reading the runs is
/// faster.
fn candidates(tx: &Transaction<'_>, words: &[String]) -> rusqlite::Result<Option<HashMap<RunId, Vec<i64>>>> {
    let mut parts: Vec<String> = words.iter().flat_map(|word| parts(word)).collect();
    parts.sort_unstable();
    parts.dedup();
    parts.truncate(PARTS);
    if parts.is_empty() {
        return Ok(None);
    }
    let mut matching = tx.prepare_cached(
        "SELECT passages.run, passages.id FROM words JOIN passages ON passages.id = words.rowid
         WHERE words MATCH ?1 ORDER BY words.rowid LIMIT ?2",
    )?;
    let mut rows = matching.query(params![parts.join(" AND "), MOST + 1])?;
    let mut found: HashMap<RunId, Vec<i64>> = HashMap::new();
    let mut count = 0;
    while let Some(row) = rows.next()? {
        count += 1;
        if count > MOST {
            return Ok(None);
        }
        let Ok(run) = row.get(0) else { continue };
        found.entry(run).or_default().push(row.get(1)?);
    }
    Ok(Some(found))
}

/// Parts of words that are looked up; the texts are compared with the words themselves.
const PARTS: usize = 48;

/// Every three characters of a word, as the index takes them.
fn parts(word: &str) -> Vec<String> {
    let letters: Vec<char> = word.chars().collect();
    let part = |part: &[char]| format!("\"{}\"", part.iter().collect::<String>().replace('"', "\"\""));
    // SQLite takes a zero for the end of the text.
    letters.windows(SHORTEST).filter(|letters| !letters.contains(&'\0')).map(part).collect()
}

/// The steps of a run that match, as far as they are listed.
struct OfRun<'a> {
    query: &'a Query,
    steps: Vec<FoundStep>,
    more: bool,
}

impl<'a> OfRun<'a> {
    fn new(query: &'a Query) -> Self {
        Self { query, steps: Vec::new(), more: false }
    }

    /// Adds a step if it matches; `false`: the list is full. `elsewhere`: whether the same step is found in the run
    /// that this one was forked off.
    fn take(
        &mut self,
        facts: Facts,
        text: impl FnOnce() -> rusqlite::Result<String>,
        elsewhere: impl FnOnce(&str) -> rusqlite::Result<bool>,
    ) -> rusqlite::Result<bool> {
        if !self.query.allows_facts(&facts) {
            return Ok(true);
        }
        let text = text()?;
        if !self.query.allows_text(&text) || elsewhere(&text)? {
            return Ok(true);
        }
        if self.steps.len() == STEPS {
            self.more = true;
            return Ok(false);
        }
        let Facts { step, kind, tool, .. } = facts;
        let tool = Some(tool).filter(|tool| !tool.is_empty());
        self.steps.push(FoundStep { step, kind, tool, excerpt: excerpt(&text, self.query.words()) });
        Ok(true)
    }
}

impl Found {
    /// The runs of a list that match, for a query about runs alone.
    pub fn of_runs(list: RunList, query: &Query) -> Self {
        let runs = list.runs.into_iter().filter(|run| query.allows_run(run));
        let runs = runs.map(|run| FoundRun { run: run.id, steps: Vec::new(), more: false }).collect();
        Self { runs, ..Self::default() }
    }

    /// With the runs of a list that had the skill of the query: a choice of skills offers those that runs had.
    #[must_use]
    pub fn with_runs_that_had_it(self, list: RunList, query: &Query) -> Self {
        let mut of_steps: HashMap<RunId, FoundRun> = self.runs.into_iter().map(|found| (found.run, found)).collect();
        let runs = list.runs.into_iter().filter_map(|run| {
            let had = || FoundRun { run: run.id, steps: Vec::new(), more: false };
            of_steps.remove(&run.id).or_else(|| query.allows_run_with_skill(&run).then(had))
        });
        Self { runs: runs.collect(), ..self }
    }

    /// `false`: the list of runs is full.
    fn take(&mut self, run: RunId, OfRun { steps, more, .. }: OfRun<'_>) -> bool {
        if steps.is_empty() {
            return true;
        }
        if self.runs.len() == RUNS {
            self.more = true;
            return false;
        }
        self.runs.push(FoundRun { run, steps, more });
        true
    }
}

fn among<'a>(tx: &Transaction<'_>, ids: &[i64], query: &'a Query) -> rusqlite::Result<OfRun<'a>> {
    let mut one = tx.prepare_cached(
        "SELECT id, step, kind, state, tool, skill, took, cost, tokens, taken_over FROM passages WHERE id = ?1",
    )?;
    let mut of_run = OfRun::new(query);
    for id in ids {
        let facts = one.query_row([id], |row| Ok(facts_of(row).ok().zip(row.get(9).ok())))?;
        if let Some((facts, taken_over)) = facts
            && !of_run.take(facts, || text_of(tx, *id), |text| is_of_parent(tx, *id, taken_over, text))?
        {
            break;
        }
    }
    Ok(of_run)
}

fn throughout<'a>(tx: &Transaction<'_>, run: RunId, query: &'a Query) -> rusqlite::Result<OfRun<'a>> {
    let mut all = tx.prepare_cached(
        "SELECT id, step, kind, state, tool, skill, took, cost, tokens, taken_over FROM passages
         WHERE run = ?1 ORDER BY id",
    )?;
    let mut rows = all.query([run])?;
    let mut of_run = OfRun::new(query);
    while let Some(row) = rows.next()? {
        let id = row.get(0)?;
        // A row that makes no sense matches nothing.
        if let (Ok(facts), Ok(taken_over)) = (facts_of(row), row.get(9))
            && !of_run.take(facts, || text_of(tx, id), |text| is_of_parent(tx, id, taken_over, text))?
        {
            break;
        }
    }
    Ok(of_run)
}

/// Whether an inherited step is found unchanged in the run that this one was forked off. Steps that were open there
/// when the fork began may have ended differently.
fn is_of_parent(tx: &Transaction<'_>, id: i64, taken_over: bool, text: &str) -> rusqlite::Result<bool> {
    if !taken_over {
        return Ok(false);
    }
    tx.prepare_cached(
        "SELECT EXISTS (
           SELECT 1 FROM passages AS own
           JOIN runs ON runs.id = own.run
           JOIN passages AS theirs
             ON theirs.run = iif(json_valid(runs.setup), runs.setup ->> '$.forked.run', NULL) AND theirs.step = own.step
           WHERE own.id = ?1 AND theirs.text = ?2)",
    )?
    .query_row(params![id, text], |row| row.get(0))
}

fn text_of(tx: &Transaction<'_>, id: i64) -> rusqlite::Result<String> {
    tx.prepare_cached("SELECT text FROM passages WHERE id = ?1")?.query_row([id], |row| row.get(0))
}

fn facts_of(row: &Row<'_>) -> rusqlite::Result<Facts> {
    let (kind, state): (String, String) = (row.get(2)?, row.get(3)?);
    let unknown = || rusqlite::Error::InvalidColumnType(2, "kind".into(), rusqlite::types::Type::Text);
    let kind = KindOfStep::of(&kind).ok_or_else(unknown)?;
    let step = row.get::<_, i64>(1)? - if kind == KindOfStep::System { BEFORE } else { 0 };
    Ok(Facts {
        step: u32::try_from(step).map_err(|_| rusqlite::Error::IntegralValueOutOfRange(1, step))?,
        kind,
        state: StepState::of(&state).ok_or_else(unknown)?,
        tool: row.get(4)?,
        skill: row.get(5)?,
        took: row.get(6)?,
        cost: row.get(7)?,
        tokens: row.get(8)?,
    })
}
