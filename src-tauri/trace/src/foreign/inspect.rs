//! Logs of inspect_ai, version 2: as JSON, or as an archive with a file for each sample, packed by deflate or, as newer
//! versions do, by Zstandard. Each sample is a run.

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Cursor, Read, Seek, SeekFrom};

use ruzstd::decoding::StreamingDecoder;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::calls::Calls;
use super::documents::{self, answer};
use super::plain::{content, finish, items, time, usage};
use super::record::{Answer, Record};
use super::{Foreign, Format, Given, Out, Scrubbed};
use crate::RunStatus;
use crate::lines::MOST;
use wording::{Message, message};

pub struct Inspect;

/// What the log says about all samples.
#[derive(Default, Clone)]
struct Head {
    model: String,
    task: String,
    /// The text around the samples: with one sample between the two parts, it is a log again.
    around: Option<(String, String)>,
}

impl Head {
    fn of(log: &Value, around: Option<(String, String)>) -> Self {
        let said = |key: &str| log["eval"][key].as_str().unwrap_or_default().to_owned();
        Self { model: said("model"), task: said("task"), around }
    }

    /// From an archive, where it is a separate file.
    fn of_file(text: &str) -> Option<Self> {
        let log = serde_json::from_str(text).ok()?;
        let fields = text.trim_end().strip_suffix('}')?.trim_end();
        let gap = if fields.ends_with('{') { "" } else { "," };
        Some(Self::of(&log, Some((format!("{fields}{gap}\n\"samples\": ["), "]}".to_owned()))))
    }
}

/// A log without its samples: the texts before the first and after the last of them.
fn around(log: &str, samples: &[&RawValue]) -> Option<(String, String)> {
    // They were read where they are.
    let place = |part: &str| part.as_ptr().addr().checked_sub(log.as_ptr().addr());
    let (first, last) = (samples.first()?.get(), samples.last()?.get());
    let before = log.get(..place(first)?)?.trim_end();
    let behind = log.get(place(last)? + last.len()..)?.trim();
    Some((before.to_owned(), behind.to_owned()))
}

impl Format for Inspect {
    fn take(&mut self, given: Given<'_>, out: &mut Out<'_>) {
        #[derive(Deserialize)]
        struct Log<'a> {
            #[serde(borrow, default)]
            samples: Vec<&'a RawValue>,
        }
        let Given { line, text, value } = given;
        let samples = serde_json::from_str::<Log<'_>>(text).map(|log| log.samples).unwrap_or_default();
        if samples.is_empty() {
            let why = value["error"]["message"].as_str().map(|error| format!(": {error}")).unwrap_or_default();
            let why_zh = why.replacen(": ", "：", 1);
            return out.unread(line, message!("the log has no samples{why}", "日志中没有样本{why_zh}"));
        }
        let head = Head::of(&value, around(text, &samples));
        for (sample, written) in items(&value["samples"]).zip(&samples) {
            tell(&head, sample, line, written.get(), out);
        }
    }

    fn end(&mut self, _: &mut Out<'_>) {}
}

/// An archive: `header.json`, and `samples/…json`. If it was cut off, its complete files are read.
pub fn archive(mut input: impl Read + Seek, out: &mut Out<'_>) -> Result<(), Message> {
    let error = match zip::ZipArchive::new(&mut input) {
        Ok(archive) => return logged(archive, out),
        Err(error) => broken(&error),
    };
    let mut bytes = Vec::new();
    let read = input.seek(SeekFrom::Start(0)).and_then(|_| input.take(MOST).read_to_end(&mut bytes));
    if read.is_err() {
        return Err(error);
    }
    let Some(whole) = with_directory(&mut bytes) else { return Err(error) };
    let archive = zip::ZipArchive::new(Cursor::new(bytes)).map_err(|_| error)?;
    let reason =
        message!("the archive is cut off; {whole} files in it are whole", "归档不完整；其中 {whole} 个文件完整");
    out.unread(whole.saturating_add(1), reason);
    logged(archive, out)
}

fn broken(error: &dyn std::fmt::Display) -> Message {
    message!("the archive cannot be read: {error}", "无法读取归档：{error}")
}

/// Appends the missing directory of an archive to its complete files, and returns how many these are. Each file has its
/// own header, which the directory repeats.
fn with_directory(bytes: &mut Vec<u8>) -> Option<u32> {
    const HEAD: usize = 30;
    let two = |at: &[u8]| usize::from(u16::from_le_bytes([at[0], at[1]]));
    let (mut directory, mut at, mut count) = (Vec::new(), 0, 0_u16);
    while let Some(head) = bytes.get(at..at + HEAD).filter(|head| head.starts_with(b"PK\x03\x04")) {
        let size = u32::from_le_bytes([head[18], head[19], head[20], head[21]]) as usize;
        let named = at + HEAD + two(&head[26..]);
        let from = named + two(&head[28..]);
        let says_size = two(&head[6..]) & 8 == 0;
        let (Some(after), true) = (from.checked_add(size).filter(|after| *after <= bytes.len()), says_size) else {
            break;
        };
        directory.extend(b"PK\x01\x02\x14\0");
        directory.extend(&head[4..]);
        // No comment, the first disk, no attributes.
        directory.extend([0; 10]);
        directory.extend(u32::try_from(at).ok()?.to_le_bytes());
        directory.extend(&bytes[at + HEAD..from]);
        (at, count) = (after, count.checked_add(1)?);
    }
    if count == 0 {
        return None;
    }
    bytes.truncate(at);
    let length = u32::try_from(directory.len()).ok()?.to_le_bytes();
    bytes.append(&mut directory);
    bytes.extend(b"PK\x05\x06\0\0\0\0");
    bytes.extend([count, count].map(u16::to_le_bytes).concat());
    bytes.extend(length);
    bytes.extend(u32::try_from(at).ok()?.to_le_bytes());
    bytes.extend([0; 2]);
    Some(count.into())
}

fn logged(mut archive: zip::ZipArchive<impl Read + Seek>, out: &mut Out<'_>) -> Result<(), Message> {
    let names: Vec<String> = archive.file_names().flatten().map(std::borrow::Cow::into_owned).collect();
    let mut read = |name: &str| -> Result<String, Message> {
        let place = archive.index_for_name(name).unwrap_or(usize::MAX);
        let is_zstandard = archive
            .by_index_raw(place)
            .map_err(|error| broken(&error))?
            .compression()
            .eq(&zip::CompressionMethod::ZSTD);
        let mut bytes = Vec::new();
        // The sizes that an archive states may be false.
        let read = match is_zstandard {
            true => unpack(archive.by_index_raw(place).map_err(|error| broken(&error))?, &mut bytes),
            false => {
                let file = archive.by_index(place).map_err(|error| broken(&error))?;
                file.take(MOST).read_to_end(&mut bytes).map(drop)
            }
        };
        read.map_err(|error| broken(&error))?;
        if bytes.len() as u64 >= MOST {
            return Err(message!("{name} is too large", "{name} 太大"));
        }
        String::from_utf8(bytes).map_err(|_| message!("{name} is not UTF-8", "{name} 不是 UTF-8"))
    };
    let head = ["header.json", "_journal/start.json"].iter().find(|name| names.iter().any(|known| known == *name));
    let head = head.and_then(|name| read(name).ok()).and_then(|text| out.scrubbed(&text).ok());
    let head = head.and_then(|head| Head::of_file(&head.text)).unwrap_or_default();
    let mut samples: Vec<&String> =
        names.iter().filter(|name| name.starts_with("samples/") && name.ends_with(".json")).collect();
    samples.sort();
    for (place, name) in (1..).zip(samples) {
        if out.is_stopped() {
            break;
        }
        match read(name) {
            Ok(text) => {
                out.went(text.len() as u64);
                match out.scrubbed(&text) {
                    Ok(Scrubbed { text, value, .. }) => tell(&head, &value, place, text.trim(), out),
                    Err(error) => out.unread(place, error),
                }
            }
            Err(error) => out.unread(place, error),
        }
    }
    Ok(())
}

/// Zstandard, one frame or several: a log that is written piece by piece has one for each piece.
fn unpack(file: impl Read, bytes: &mut Vec<u8>) -> io::Result<()> {
    let mut packed = BufReader::new(file);
    while !packed.fill_buf()?.is_empty() && (bytes.len() as u64) < MOST {
        let rest = MOST - bytes.len() as u64;
        let frame = StreamingDecoder::new(&mut packed).map_err(io::Error::other)?;
        frame.take(rest).read_to_end(bytes)?;
    }
    Ok(())
}

fn tell(head: &Head, sample: &Value, line: u32, written: &str, out: &mut Out<'_>) {
    let mut record = Record::new(Foreign::Inspect, out.at);
    let (before, behind) = head.around.as_ref().map(|(before, behind)| (&**before, &**behind)).unzip();
    for text in [before, Some(written), behind].into_iter().flatten() {
        record.source(line, text);
    }
    record.model(&head.model);
    let id = text_of(&sample["id"]);
    record.variant(&if id.is_empty() { head.task.clone() } else { format!("{}/{id}", head.task) });
    let attachments: BTreeMap<&str, &str> = sample["attachments"]
        .as_object()
        .into_iter()
        .flatten()
        .filter_map(|(name, text)| Some((name.as_str(), text.as_str()?)))
        .collect();
    let whole = |value: &Value| attached(value, &attachments, 0);
    let events: Vec<Value> = items(&sample["events"]).map(whole).collect();
    let pool = whole(&sample["events_data"]["messages"]);
    let asked: Vec<(&Value, Vec<Value>)> =
        events.iter().filter(|event| event["event"] == "model").map(|event| (event, input(event, &pool))).collect();
    let is_whole = !asked.is_empty() && asked.iter().all(|(_, input)| !input.is_empty());
    if is_whole {
        let mut calls = Calls::default();
        for (event, input) in asked {
            record.at(time(&event["timestamp"]));
            let output = &event["output"];
            if let Some(error) = event["error"].as_str().or(output["error"].as_str()) {
                record.failed(&None, error);
                continue;
            }
            let choice = &output["choices"][0];
            let told = Answer {
                usage: usage(&output["usage"]),
                finish: finish(&choice["stop_reason"]),
                model: event["model"].as_str().or(output["model"].as_str()).map(str::to_owned),
                ..answer(&choice["message"])
            };
            let mut fields = Map::new();
            if !event["tools"].is_null() {
                fields.insert("tools".to_owned(), event["tools"].clone());
            }
            let request = &event["call"]["request"];
            let body =
                request.is_object().then(|| request.to_string()).filter(|body| crate::context::is_readable(body));
            calls.take(&mut record, &None, fields, input, body, told);
        }
        // What came after the last request.
        for message in items(&whole(&sample["messages"])).filter(|message| message["role"] == "tool") {
            let id = message["tool_call_id"].as_str().unwrap_or_default();
            if record.awaits(&None, id) {
                record.replied(&None, id, content(&message["content"]), !message["error"].is_null());
            }
        }
    } else {
        items(&whole(&sample["messages"])).for_each(|message| documents::message(message, &mut record, out));
    }
    for event in &events {
        let kind = event["event"].as_str().unwrap_or("?");
        if !["model", "tool", "state", "store", "span_begin", "span_end", "step", "sample_init", "score"]
            .contains(&kind)
        {
            out.unknown(kind);
        }
    }
    if let Some(scores) = sample["scores"].as_object().filter(|scores| !scores.is_empty()) {
        let listed: Vec<String> =
            scores.iter().map(|(name, score)| format!("{name}: {}", text_of(&score["value"]))).collect();
        let listed = listed.join(", ");
        record.noted(&None, message!("scores: {listed}", "评分：{listed}"));
    }
    let error = sample["error"]["message"].as_str();
    if let Some(error) = error {
        record.ended(RunStatus::Failed, Some(Message::quoted(error)));
    } else if let Some(limit) = sample["limit"]["type"].as_str() {
        let words = message!("the {limit} limit of the evaluation was reached", "达到了评测的 {limit} 上限");
        record.ended(RunStatus::Limited, Some(words));
    }
    out.run(record);
}

/// The messages of a request, which may name them by their places in the pool of the sample.
fn input(event: &Value, pool: &Value) -> Vec<Value> {
    let own: Vec<Value> = items(&event["input"]).cloned().collect();
    if !own.is_empty() {
        return own;
    }
    let mut found = Vec::new();
    for place in items(&event["input_refs"]) {
        let at = |value: &Value| value.as_u64().and_then(|at| usize::try_from(at).ok());
        let range = match place {
            Value::Array(ends) if ends.len() == 2 => at(&ends[0]).zip(at(&ends[1])),
            one => at(one).map(|one| (one, one.saturating_add(1))),
        };
        let known = range.and_then(|(from, to)| pool.as_array()?.get(from..to));
        let Some(known) = known else { return Vec::new() };
        found.extend(known.iter().cloned());
    }
    found
}

const DEEPEST: u32 = 100;

/// With the texts that it names in their places.
fn attached(value: &Value, attachments: &BTreeMap<&str, &str>, depth: u32) -> Value {
    match value {
        Value::String(text) => match text.strip_prefix("attachment://").and_then(|name| attachments.get(name)) {
            Some(held) => Value::from(*held),
            None => value.clone(),
        },
        Value::Array(values) if depth < DEEPEST => {
            values.iter().map(|value| attached(value, attachments, depth + 1)).collect()
        }
        Value::Object(fields) if depth < DEEPEST => {
            fields.iter().map(|(name, value)| (name.clone(), attached(value, attachments, depth + 1))).collect()
        }
        plain => plain.clone(),
    }
}

fn text_of(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
