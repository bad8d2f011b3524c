//! The row of a run in the list of runs.

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use rusqlite::{Connection, Row, Transaction, params};
use serde::de::DeserializeOwned;

use crate::clock::Millis;
use crate::fold::Progress;
use crate::review::Judged;
use crate::{RunId, RunStatus, RunSummary, TraceError};
use wording::{Message as Words, message, refusal};

pub(super) fn insert_run(
    tx: &Transaction<'_>,
    run: &RunSummary,
    writer: Option<&str>,
    stored_at: Millis,
) -> Result<(), TraceError> {
    tx.prepare_cached(
        "INSERT INTO runs (id, setup, status, error, started_at, ended_at, steps, prompts, context_tokens, spent,
                           departures, bundled, writer, stored_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)",
    )?
    .execute(params![
        run.id,
        serde_json::to_string(&run.setup)?,
        run.status,
        run.error,
        run.started_at,
        run.ended_at,
        run.steps,
        run.prompts,
        run.context_tokens,
        serde_json::to_string(&run.spent)?,
        serde_json::to_string(&run.departures)?,
        run.bundled,
        writer,
        stored_at,
    ])?;
    Ok(())
}

pub(super) fn update_run(
    tx: &Transaction<'_>,
    run: RunId,
    now: &Progress,
    error: Option<&str>,
) -> Result<(), TraceError> {
    tx.prepare_cached(
        "UPDATE runs SET status = ?2, error = ?3, ended_at = ?4, steps = ?5, prompts = ?6, context_tokens = ?7, spent = ?8,
                         departures = ?9, writer = CASE WHEN ?4 IS NULL THEN writer END
         WHERE id = ?1",
    )?
    .execute(params![
        run,
        now.status,
        error,
        now.ended_at,
        now.steps,
        now.prompts,
        now.context_tokens,
        serde_json::to_string(&now.spent)?,
        serde_json::to_string(&now.departures)?,
    ])?;
    Ok(())
}

pub(super) const SUMMARIES: &str =
    "SELECT id, setup, status, error, started_at, ended_at, steps, prompts, context_tokens, spent,
     bundled, (SELECT judged FROM verdicts WHERE verdicts.run = runs.id),
     EXISTS (SELECT 1 FROM pins WHERE pins.run = runs.id), writer, departures FROM runs";

/// The one started last first.
pub(super) fn all_summaries() -> String {
    format!("{SUMMARIES} ORDER BY started_at DESC, id DESC")
}

/// The runs that can be read, as they are stored, the one started last first.
pub(super) fn summaries(db: &Connection) -> Result<Vec<RunSummary>, TraceError> {
    let mut query = db.prepare_cached(&all_summaries())?;
    let rows = query.query_map([], |row| Ok(summary_of(row).ok()))?;
    Ok(rows.filter_map(Result::transpose).collect::<rusqlite::Result<_>>()?)
}

/// From the columns of [`SUMMARIES`].
pub(super) fn summary_of(row: &Row<'_>) -> rusqlite::Result<RunSummary> {
    let (Json(setup), Json(spent), Json(departures)) = (row.get(1)?, row.get(9)?, row.get(14)?);
    Ok(RunSummary {
        id: row.get(0)?,
        setup,
        status: row.get(2)?,
        error: row.get(3)?,
        started_at: row.get(4)?,
        ended_at: row.get(5)?,
        steps: row.get(6)?,
        prompts: row.get(7)?,
        context_tokens: row.get(8)?,
        spent,
        departures,
        bundled: row.get(10)?,
        verdict: row.get_ref(11)?.as_str_or_null()?.and_then(Judged::of),
        pinned: row.get(12)?,
        unsaved: None,
    })
}

/// The id of a row that cannot be read, whatever it is.
pub(super) fn shown(row: &Row<'_>) -> rusqlite::Result<String> {
    Ok(match row.get_ref(0)? {
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        ValueRef::Integer(number) => number.to_string(),
        ValueRef::Real(number) => number.to_string(),
        ValueRef::Null => String::new(),
    })
}

/// What is wrong with a row that cannot be read.
pub(super) fn why_unread(row: &Row<'_>, error: &rusqlite::Error) -> Words {
    match error {
        rusqlite::Error::FromSqlConversionFailure(at, _, source) => {
            let why = refusal(&source.to_string());
            let Ok(column) = row.as_ref().column_name(*at) else { return why };
            message!("its column {column} cannot be read: {why}", "其 {column} 列无法读取：{why}"; why)
        }
        rusqlite::Error::InvalidColumnType(_, column, _) => {
            message!("its column {column} has a wrong value", "其 {column} 列的值不对")
        }
        other => Words::quoted(other.to_string()),
    }
}

/// A column of JSON.
struct Json<T>(T);

impl<T: DeserializeOwned> FromSql for Json<T> {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        serde_json::from_str(value.as_str()?).map(Self).map_err(FromSqlError::other)
    }
}

impl ToSql for RunId {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.to_string().into())
    }
}

impl FromSql for RunId {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        value.as_str()?.parse().map_err(FromSqlError::other)
    }
}

impl ToSql for RunStatus {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.word().into())
    }
}

impl FromSql for RunStatus {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let name = value.as_str()?;
        let all = [Self::Running, Self::Done, Self::Failed, Self::Stopped, Self::Limited, Self::Interrupted];
        all.into_iter().find(|status| status.word() == name).ok_or(FromSqlError::InvalidType)
    }
}
