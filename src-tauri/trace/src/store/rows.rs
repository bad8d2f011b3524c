//! The events of a run as rows: the JSON of each, and separately its long strings, as lists of pieces that are stored
//! once. A damaged row costs one event, not the run.

use std::ops::RangeInclusive;
use std::sync::Arc;

use rusqlite::types::ValueRef;
use rusqlite::{Row, Rows, Statement, Transaction, params};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::pieces::{self, Body, LongString, Sent};
use crate::{Event, EventKind, RunId, TraceError};
use wording::{Message as Words, message, refusal};

/// What an event is in the file: its JSON, and the long strings that were taken out of it.
#[derive(Debug)]
pub(super) struct Written {
    body: String,
    long: Vec<Cut>,
}

/// A long string, and where its pieces end, each with its hash.
#[derive(Debug)]
struct Cut {
    string: LongString,
    pieces: Vec<(usize, Hash)>,
}

type Hash = [u8; 32];

impl Cut {
    fn of(string: LongString) -> Self {
        let mut end = 0;
        let piece = |piece: &str| {
            end += piece.len();
            (end, hash(piece))
        };
        let pieces = pieces::cut(&string.text).map(piece).collect();
        Self { string, pieces }
    }
}

impl Written {
    /// Of the strings that are kept apart.
    pub fn long_bytes(&self) -> usize {
        self.long.iter().map(|cut| cut.string.text.len()).sum()
    }

    /// Does not need the store, so the recorder's thread does this, and the store's thread only writes.
    pub fn of(event: &Event) -> Result<Self, TraceError> {
        let bare = long_request(event).map(|_| event.kind.without_body());
        let kind = bare.as_ref().unwrap_or(&event.kind);
        let without_long_strings = |kind| -> Result<_, TraceError> {
            let mut value = serde_json::to_value(kind)?;
            let long = pieces::take_long_strings(&mut value);
            Ok((value.to_string(), long.into_iter().map(Cut::of).collect()))
        };
        let (body, long) = match kind {
            // Most of what an import writes.
            EventKind::Source { line, text } if text.len() > pieces::LONG => {
                let (line, bare) = (*line, String::new());
                let string = LongString { field: "/text".to_owned(), text: text.clone() };
                (serde_json::to_string(&EventKind::Source { line, text: bare })?, vec![Cut::of(string)])
            }
            kind => match serde_json::to_string(kind)? {
                // An event that is short as a whole has no long strings.
                written if written.len() <= pieces::LONG => (written, Vec::new()),
                _ => without_long_strings(kind)?,
            },
        };
        // An event counts as stored if it can be read again.
        if may_be_too_deep(&body) {
            let _: Value = serde_json::from_str(&body)?;
        }
        Ok(Self { body, long })
    }
}

/// Whether reading this JSON, which was just written, may be refused for its depth. Brackets in strings count too, which
/// costs a look more.
fn may_be_too_deep(json: &str) -> bool {
    json.bytes().filter(|byte| matches!(byte, b'[' | b'{')).nth(SURELY_READ).is_some()
}

/// Brackets, of which the JSON reader takes some more within each other.
const SURELY_READ: usize = 100;

/// The body of a request, if it is stored as pieces.
fn long_request(event: &Event) -> Option<&String> {
    match &event.kind {
        EventKind::Requested { body, .. } if body.len() > pieces::LONG => Some(body),
        _ => None,
    }
}

/// `sent`: the requests that were stored of the run before.
pub(super) fn insert_event(tx: &Transaction<'_>, run: RunId, event: &Event, sent: &mut Sent) -> Result<(), TraceError> {
    insert_made(tx, run, event, &Written::of(event)?, sent)
}

/// As [`insert_event`], of an event that is written out already.
pub(super) fn insert_made(
    tx: &Transaction<'_>,
    run: RunId,
    event: &Event,
    written: &Written,
    sent: &mut Sent,
) -> Result<(), TraceError> {
    insert(tx, run, event, written, sent, |body| Body::Text(body.to_owned()))
}

pub(super) fn insert_written(
    tx: &Transaction<'_>,
    run: RunId,
    event: &Arc<Event>,
    written: &Written,
    sent: &mut Sent,
) -> Result<(), TraceError> {
    insert(tx, run, event, written, sent, |_| Body::Event(event.clone()))
}

fn insert(
    tx: &Transaction<'_>,
    run: RunId,
    event: &Event,
    written: &Written,
    sent: &mut Sent,
    kept: impl FnOnce(&str) -> Body,
) -> Result<(), TraceError> {
    let Written { body, long } = written;
    tx.prepare_cached("INSERT INTO events (run, seq, at, within, type, body) VALUES (?1, ?2, ?3, ?4, ?5, ?6)")?
        .execute(params![run, event.seq, event.at, event.within, event.kind.word(), body])?;
    for Cut { string: LongString { field, text }, pieces } in long {
        let mut from = 0;
        let mut ids = Vec::with_capacity(pieces.len());
        for (end, hash) in pieces {
            ids.push(keep_payload(tx, hash, &text[from..*end])?);
            from = *end;
        }
        insert_string(tx, run, event.seq, field, &ids)?;
    }
    if let Some(body) = long_request(event) {
        let within = event.within.as_deref();
        let mut pieces = sent.shared(within, body).to_vec();
        let mut end = pieces.last().map_or(0, |(end, _)| *end);
        for piece in pieces::cut(&body[end..]) {
            end += piece.len();
            pieces.push((end, keep_payload(tx, &hash(piece), piece)?));
        }
        let ids: Vec<i64> = pieces.iter().map(|(_, payload)| *payload).collect();
        insert_string(tx, run, event.seq, BODY, &ids)?;
        sent.keep(within, kept(body), pieces);
    }
    Ok(())
}

/// Where the body of a request is in its event.
const BODY: &str = "/body";

/// Stores the list of pieces of a long string.
fn insert_string(tx: &Transaction<'_>, run: RunId, seq: u32, field: &str, ids: &[i64]) -> Result<(), TraceError> {
    let mut insert = tx.prepare_cached("INSERT INTO strings (run, seq, field, pieces) VALUES (?1, ?2, ?3, ?4)")?;
    insert.execute(params![run, seq, field, serde_json::to_string(ids)?])?;
    Ok(())
}

fn hash(text: &str) -> Hash {
    Sha256::digest(text).into()
}

/// The id of a text, which is stored if it is new. Most are.
fn keep_payload(tx: &Transaction<'_>, hash: &Hash, text: &str) -> rusqlite::Result<i64> {
    let mut insert =
        tx.prepare_cached("INSERT INTO payloads (hash, text) VALUES (?1, ?2) ON CONFLICT (hash) DO NOTHING")?;
    if insert.execute(params![hash, text])? > 0 {
        return Ok(tx.last_insert_rowid());
    }
    tx.prepare_cached("SELECT id FROM payloads WHERE hash = ?1")?.query_row([hash], |row| row.get(0))
}

/// The events of a run as they are stored, with the bodies of requests left empty.
pub(super) fn outline_of(tx: &Transaction<'_>, run: RunId) -> Result<Vec<Event>, TraceError> {
    let mut outline = read_events(tx, run, WITHOUT_BODIES)?;
    outline.iter_mut().for_each(clear_body);
    Ok(outline)
}

/// As [`outline_of`], but only some events from a number on. A whole run includes rows without a number.
pub(super) fn outline_from(tx: &Transaction<'_>, run: RunId, from: u32, most: usize) -> Result<Vec<Event>, TraceError> {
    let most = i64::try_from(most).unwrap_or(i64::MAX);
    let further = "SELECT EXISTS (SELECT 1 FROM events WHERE run = ?1 LIMIT 1 OFFSET ?2)";
    if from == 0 && !tx.prepare_cached(further)?.query_row(params![run, most], |row| row.get::<_, bool>(0))? {
        return outline_of(tx, run);
    }
    let last: Option<u32> = tx
        .prepare_cached(
            "SELECT max(seq) FROM (SELECT seq FROM events WHERE run = ?1 AND seq BETWEEN ?2 AND ?3 ORDER BY seq LIMIT ?4)",
        )?
        .query_row(params![run, from, u32::MAX, most], |row| row.get(0))?;
    let Some(last) = last else { return Ok(Vec::new()) };
    let mut outline = read_between(tx, run, from..=last, WITHOUT_BODIES)?;
    outline.iter_mut().for_each(clear_body);
    Ok(outline)
}

/// Some requests of a run, with their bodies.
pub(super) fn requests(tx: &Transaction<'_>, run: RunId, numbers: &[u32]) -> Result<Vec<Event>, TraceError> {
    let mut requests = Vec::with_capacity(numbers.len());
    for seq in numbers {
        requests.extend(read_between(tx, run, *seq..=*seq, WHOLE)?);
    }
    Ok(requests)
}

pub(super) fn events(tx: &Transaction<'_>, run: RunId) -> Result<Vec<Event>, TraceError> {
    read_events(tx, run, WHOLE)
}

pub(super) fn clear_body(event: &mut Event) {
    if let EventKind::Requested { body, .. } = &mut event.kind {
        body.clear();
    }
}

pub(super) const LAST_AT: &str = "SELECT max(at) FROM events WHERE run = ?1 AND typeof(at) = 'integer'";

/// The long strings of a run's events between two numbers, in the order of the events.
pub(super) const WHOLE: &str =
    "SELECT seq, field, pieces FROM strings WHERE run = ?1 AND seq BETWEEN ?2 AND ?3 ORDER BY seq, field";
pub(super) const WITHOUT_BODIES: &str = "SELECT seq, field, pieces FROM strings
     WHERE run = ?1 AND seq BETWEEN ?2 AND ?3 AND field <> '/body' ORDER BY seq, field";

/// A query for the payloads that strings use. A value that is not a list of them uses none.
pub(super) fn used_payloads(of: &str) -> String {
    format!(
        "SELECT piece.value FROM strings, json_each(iif(json_valid(strings.pieces), strings.pieces, '[]')) AS piece
         WHERE piece.type = 'integer' AND {of}"
    )
}

/// All events, with a note for each row that does not say where it belongs.
fn read_events(tx: &Transaction<'_>, run: RunId, strings: &str) -> Result<Vec<Event>, TraceError> {
    // Values that are not numbers come before or after all numbers.
    let mut rows = tx.prepare_cached("SELECT seq, at, within, body FROM events WHERE run = ?1 ORDER BY seq")?;
    let (events, astray) = read_rows(tx, run, rows.query([run])?, 0..=u32::MAX, strings)?;
    Ok(with_strays(events, astray))
}

pub(super) fn read_between(
    tx: &Transaction<'_>,
    run: RunId,
    numbers: RangeInclusive<u32>,
    strings: &str,
) -> Result<Vec<Event>, TraceError> {
    let mut rows = tx.prepare_cached(BETWEEN)?;
    let rows = rows.query(params![run, numbers.start(), numbers.end()])?;
    Ok(read_rows(tx, run, rows, numbers, strings)?.0)
}

const BETWEEN: &str = "SELECT seq, at, within, body FROM events WHERE run = ?1 AND seq BETWEEN ?2 AND ?3 ORDER BY seq";

/// The events in these rows, with their long strings, and how many rows do not say where they belong.
fn read_rows(
    tx: &Transaction<'_>,
    run: RunId,
    mut bodies: Rows<'_>,
    numbers: RangeInclusive<u32>,
    strings: &str,
) -> Result<(Vec<Event>, usize), TraceError> {
    let mut payload = tx.prepare_cached("SELECT text FROM payloads WHERE id = ?1")?;
    let mut strings = tx.prepare_cached(strings)?;
    let mut strings = strings.query(params![run, numbers.start(), numbers.end()])?;
    let mut string = strings.next()?;
    let mut events: Vec<Event> = Vec::new();
    let mut astray = 0_usize;
    while let Some(row) = bodies.next()? {
        let number = integer_of(row, 0)?;
        let written = String::from_utf8_lossy(bytes_of(row, 3)?);
        // Only what strings are put back into is taken apart first.
        let has_strings = match (&string, number) {
            (Some(string), Some(number)) => integer_of(string, 0)?.is_some_and(|of| of <= number),
            _ => false,
        };
        let mut body = if has_strings { serde_json::from_str::<Value>(&written) } else { Ok(Value::Null) };
        let mut damage = None;
        while let (Some(row), Some(number)) = (string, number) {
            match integer_of(row, 0)? {
                // Of a row that is not here.
                Some(of) if of < number => {}
                Some(of) if of == number => {
                    if let Ok(body) = &mut body
                        && let Err(error) = put_back(row, body, &mut payload)?
                    {
                        damage = Some(error);
                    }
                }
                _ => break,
            }
            string = strings.next()?;
        }
        let Some(seq) = number.and_then(|number| u32::try_from(number).ok()) else {
            astray += 1;
            continue;
        };
        let last = events.last().map_or(0, |last| last.at);
        let place = integer_of(row, 1)?.ok_or("at").and_then(|at| Ok((at, optional_text_of(row, 2).ok_or("within")?)));
        events.push(match (place, damage) {
            (Ok((at, within)), None) => {
                let kind = match has_strings {
                    true => body.and_then(serde_json::from_value),
                    false => serde_json::from_str(&written)
                        .or_else(|_| serde_json::from_str::<Value>(&written).and_then(serde_json::from_value)),
                };
                Event {
                    seq,
                    at,
                    within,
                    kind: kind.unwrap_or_else(|error| EventKind::unreadable(seq, &refusal(&error.to_string()))),
                }
            }
            (Ok((at, within)), Some(error)) => Event { seq, at, within, kind: EventKind::unreadable(seq, &error) },
            (Err(column), _) => {
                let kind = EventKind::unreadable(seq, &of_wrong_type(column));
                Event { seq, at: last, within: None, kind }
            }
        });
    }
    Ok((events, astray))
}

/// Puts the long string of a row back into its body. The inner error says what is wrong with the row.
fn put_back(row: &Row<'_>, body: &mut Value, payload: &mut Statement<'_>) -> rusqlite::Result<Result<(), Words>> {
    let (field, ids) = match (text_of(row, 1), text_of(row, 2)) {
        (Ok(field), Ok(ids)) => (field, ids),
        (Err(_), _) => return Ok(Err(of_wrong_type("field"))),
        (_, Err(_)) => return Ok(Err(of_wrong_type("pieces"))),
    };
    let ids: Vec<i64> = match serde_json::from_str(ids) {
        Ok(ids) => ids,
        Err(error) => {
            let why = refusal(&error.to_string());
            return Ok(Err(message!(
                "its column pieces is not a list of numbers: {why}",
                "其 pieces 列不是数字列表：{why}";
                why
            )));
        }
    };
    let Some(Value::String(text)) = body.pointer_mut(field) else { return Ok(Ok(())) };
    for id in ids {
        let mut rows = payload.query([id])?;
        // A piece that is gone leaves a gap.
        let Some(row) = rows.next()? else { continue };
        match text_of(row, 0) {
            Ok(piece) if text.len() + piece.len() > LONGEST_STRING => {
                return Ok(Err(message!(
                    "a string of it is longer than {LONGEST_STRING} bytes",
                    "其中有一个字符串超过 {LONGEST_STRING} 字节"
                )));
            }
            Ok(piece) => text.push_str(piece),
            Err(_) => return Ok(Err(of_wrong_type("text"))),
        }
    }
    Ok(Ok(()))
}

fn of_wrong_type(column: &str) -> Words {
    message!("its column {column} is of a wrong type", "其 {column} 列的类型不对")
}

/// Bytes. A few rows of a file that is made so could ask for any amount of memory.
const LONGEST_STRING: usize = 1 << 30;

/// The events with a note for each row without a place: where numbers are missing, else at the end.
fn with_strays(events: Vec<Event>, mut astray: usize) -> Vec<Event> {
    if astray == 0 {
        return events;
    }
    let stray = |seq, at| {
        let why = message!("its column seq is not the number of an event", "其 seq 列不是事件的序号");
        let kind = EventKind::unreadable(seq, &why);
        Event { seq, at, within: None, kind }
    };
    let (mut whole, mut next, mut last) = (Vec::with_capacity(events.len() + astray), 0, 0);
    for event in events {
        while next < event.seq && astray > 0 {
            whole.push(stray(next, last));
            (next, astray) = (next + 1, astray - 1);
        }
        (next, last) = (event.seq.saturating_add(1), event.at);
        whole.push(event);
    }
    let end = whole.pop_if(|last| astray > 0 && matches!(last.kind, EventKind::Ended { .. }));
    let first = end.as_ref().map_or(next, |end| end.seq);
    let mut seq = first;
    for _ in 0..astray {
        whole.push(stray(seq, last));
        seq = seq.saturating_add(1);
    }
    whole.extend(end.map(|end| Event { seq, ..end }));
    whole
}

/// A column's number; `None` if it holds something else.
fn integer_of(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<i64>> {
    Ok(match row.get_ref(column)? {
        ValueRef::Integer(number) => Some(number),
        ValueRef::Text(_) | ValueRef::Blob(_) | ValueRef::Real(_) | ValueRef::Null => None,
    })
}

/// A column's text or nothing; `None` if it holds something else.
fn optional_text_of(row: &Row<'_>, column: usize) -> Option<Option<String>> {
    match row.get_ref(column).ok()? {
        ValueRef::Null => Some(None),
        ValueRef::Text(bytes) => std::str::from_utf8(bytes).ok().map(|text| Some(text.to_owned())),
        ValueRef::Blob(_) | ValueRef::Integer(_) | ValueRef::Real(_) => None,
    }
}

/// A column's bytes without a copy; none if it holds neither text nor bytes.
fn bytes_of<'a>(row: &'a Row<'_>, column: usize) -> rusqlite::Result<&'a [u8]> {
    Ok(match row.get_ref(column)? {
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => bytes,
        ValueRef::Integer(_) | ValueRef::Real(_) | ValueRef::Null => &[],
    })
}

/// A column's text without a copy.
pub(super) fn text_of<'a>(row: &'a Row<'_>, column: usize) -> rusqlite::Result<&'a str> {
    Ok(row.get_ref(column)?.as_str()?)
}
