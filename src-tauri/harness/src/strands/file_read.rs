//! The tool `file_read` of strands_tools 0.8.10: what it answers in each mode, and what it reads on the way.

use std::collections::{BTreeMap, VecDeque};

use camino::{Utf8Path, Utf8PathBuf};

use super::{python, time_machine};
use crate::python::{Value, unified_diff};
use crate::{Effect, FailureKind, FileHistory, Performed, Served, Session, ToolReply};
use model::Document;

/// A call that is being served.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Reading {
    paths: Vec<String>,
    /// Paths that are still to be read.
    todo: VecDeque<Look>,
    /// Texts by path, or why there is none.
    found: BTreeMap<String, Result<Vec<u8>, String>>,
    /// Their earlier versions, by path.
    histories: BTreeMap<String, Result<FileHistory, String>>,
    /// The content that the files are compared with; `None`: it is not a file.
    compared: Option<Result<Vec<u8>, String>>,
    /// Documents that the conversation has been given so far.
    handed: u32,
}

#[derive(Debug, Clone, PartialEq)]
enum Look {
    /// A path as it was given, which may be a file, a folder or nothing.
    Given(String),
    Folder(String),
    Glob(String),
    File(String),
    /// What files are compared with.
    Compared(String),
    /// The earlier contents of a file that was found.
    Past(String),
}

pub fn serve(input: &Value, session: &mut Session) -> Served {
    let given = |name: &str| input.get(name).and_then(Value::as_text).filter(|text| !text.is_empty());
    let (Some(path), mode) = (given("path"), given("mode")) else {
        return failed("Error: path parameter is required");
    };
    if mode.is_none() {
        return failed("Error: mode parameter is required");
    }
    if path.contains('\0') {
        return failed("Error: embedded null byte");
    }
    let paths: Vec<String> = path.split(',').map(|path| python::strip(path).to_owned()).collect();
    let todo =
        paths.iter().map(|path| if is_glob(path) { Look::Glob(path.clone()) } else { Look::Given(path.clone()) });
    let other = given("comparison_path").filter(|path| mode == Some("diff") && !path.contains('\0'));
    let todo = todo.chain(other.map(|path| Look::Compared(path.to_owned()))).collect();
    let handed = session.memory.strands.reading.handed;
    session.memory.strands.reading = Reading { todo, paths, handed, ..Reading::default() };
    next(input, session)
}

pub fn settle(input: &Value, done: Performed, session: &mut Session) -> Served {
    let own = session.working_directory.clone();
    let reading = &mut session.memory.strands.reading;
    let Some(look) = reading.todo.pop_front() else { return failed("Error: ") };
    match (look, done) {
        (_, Performed::Stubbed { text }) => return Served::Reply(ToolReply::ok(text)),
        (_, Performed::Denied { reason }) => {
            return failed(
                &reason.filter(|reason| !reason.is_empty()).unwrap_or_else(|| "tool cancelled by user".into()),
            );
        }
        (Look::Given(path) | Look::File(path), Performed::Read { bytes }) => {
            reading.found.insert(path, Ok(bytes));
        }
        (Look::Compared(_), Performed::Read { bytes }) => reading.compared = Some(Ok(bytes)),
        (
            Look::Compared(_),
            Performed::Failed { kind: FailureKind::NotFound | FailureKind::NotFolder | FailureKind::IsFolder, .. },
        ) => {}
        (Look::Compared(path), Performed::Failed { kind, message }) => {
            reading.compared = Some(Err(python::os_error(kind, &path).unwrap_or(message)));
        }
        (Look::Given(path), Performed::Failed { kind: FailureKind::IsFolder, .. }) => {
            reading.todo.push_front(Look::Folder(path));
        }
        (Look::Given(path), Performed::Failed { kind: FailureKind::NotFound | FailureKind::NotFolder, .. }) => {
            reading.todo.push_front(Look::Glob(path));
        }
        (Look::Given(path) | Look::File(path), Performed::Failed { kind, message }) => {
            let problem = python::os_error(kind, &path).unwrap_or(message);
            reading.found.insert(path, Err(problem));
        }
        (look @ (Look::Folder(_) | Look::Glob(_)), Performed::Listed { entries }) => {
            let base = look.base(is_recursive(input));
            let folder = absolute(if base.is_empty() { "." } else { &base }, own.as_ref());
            let folder = Utf8PathBuf::from(folder.as_str().trim_end_matches("/."));
            let hidden = look.hidden();
            for entry in entries.into_iter().filter(|entry| !entry.folder) {
                let below = entry.path.strip_prefix(&folder).unwrap_or(&entry.path);
                let is_shown = below.components().all(|part| hidden || !part.as_str().starts_with('.'));
                if is_shown {
                    reading.todo.push_back(Look::File(python::join(&base, below.as_str())));
                }
            }
        }
        (Look::Past(path), Performed::History(history)) => {
            reading.histories.insert(path, Ok(history));
        }
        (Look::Past(path), Performed::Failed { message, .. }) => {
            reading.histories.insert(path, Err(message));
        }
        (_, _) => {}
    }
    next(input, session)
}

fn next(input: &Value, session: &mut Session) -> Served {
    let own = session.working_directory.clone();
    let reading = &mut session.memory.strands.reading;
    let place = |path: &str| absolute(path, own.as_ref());
    let is_back = input.get("mode").and_then(Value::as_text) == Some("time_machine");
    if is_back && reading.todo.is_empty() {
        let unknown = reading.found.keys().find(|path| !reading.histories.contains_key(*path)).cloned();
        reading.todo.extend(unknown.map(Look::Past));
    }
    match reading.todo.front() {
        Some(Look::Given(path) | Look::File(path) | Look::Compared(path)) => {
            Served::Perform(Effect::ReadFile { path: place(path), approval: false })
        }
        Some(Look::Past(path)) => {
            Served::Perform(Effect::FileHistory { path: place(path), revisions: revisions(input) })
        }
        Some(Look::Folder(path)) => Served::Perform(Effect::ListFolder {
            path: place(path),
            depth: if is_recursive(input) { DEPTH } else { 1 },
        }),
        Some(Look::Glob(path)) => {
            let path = Utf8Path::new(path);
            let (folder, name) = (path.parent().map_or(".", Utf8Path::as_str), path.file_name().unwrap_or("*"));
            let folder = if folder.is_empty() { "." } else { folder };
            let pattern = if is_recursive(input) { format!("**/{name}") } else { name.to_owned() };
            Served::Perform(Effect::FindFiles { path: place(folder), pattern })
        }
        None => answer(input, reading),
    }
}

impl Look {
    /// The prefix of the paths that it finds.
    fn base(&self, recursive: bool) -> String {
        match self {
            Self::Glob(pattern) => {
                let folder = Utf8Path::new(pattern).parent().map_or("", Utf8Path::as_str);
                if recursive && folder.is_empty() { ".".to_owned() } else { folder.to_owned() }
            }
            Self::Folder(path) | Self::Given(path) | Self::File(path) | Self::Compared(path) | Self::Past(path) => {
                path.clone()
            }
        }
    }

    /// A pattern finds hidden files if it names them.
    fn hidden(&self) -> bool {
        let Self::Glob(pattern) = self else { return false };
        Utf8Path::new(pattern).file_name().is_some_and(|name| name.starts_with('.'))
    }
}

/// How many of Git's; `None`: what the disk says.
fn revisions(input: &Value) -> Option<u32> {
    let is_off = match input.get("git_history") {
        Some(Value::Bool(flag)) => !flag,
        Some(Value::None) => true,
        Some(Value::Int(digits)) => digits == "0",
        Some(Value::Text(text)) => text.is_empty(),
        _ => false,
    };
    let given = match input.get("num_revisions") {
        Some(Value::Int(digits)) => digits.parse::<i64>().unwrap_or(i64::MAX),
        _ => REVISIONS,
    };
    // Git takes a number below zero for no limit.
    (!is_off).then(|| u32::try_from(given).unwrap_or(u32::MAX))
}

const REVISIONS: i64 = 5;

/// Levels of folders.
const DEPTH: u32 = 32;

fn is_recursive(input: &Value) -> bool {
    !matches!(input.get("recursive"), Some(Value::Bool(false)))
}

fn is_glob(path: &str) -> bool {
    path.contains(['*', '?', '['])
}

fn absolute(path: &str, folder: Option<&Utf8PathBuf>) -> Utf8PathBuf {
    folder.map_or_else(|| path.into(), |folder| folder.join(path))
}

fn answer(input: &Value, reading: &mut Reading) -> Served {
    if reading.found.is_empty() {
        return failed(&format!("No files found matching pattern(s): {}", reading.paths.join(", ")));
    }
    let mode = input.get("mode").and_then(Value::as_text).unwrap_or_default();
    if mode == "find" {
        let paths: Vec<&str> = reading.found.keys().map(String::as_str).collect();
        return Served::Reply(ToolReply::ok(format!("Found {} files:\n{}", paths.len(), paths.join("\n"))));
    }
    if mode == "document" {
        let text = withheld(reading).join("\n");
        return Served::Reply(ToolReply { text, ..ToolReply::filed(documents(input, reading)) });
    }
    let mut blocks = Vec::new();
    for (path, found) in &reading.found {
        if mode == "time_machine" {
            let history = reading.histories.get(path).cloned().unwrap_or_else(|| Err(String::new()));
            let told = history
                .map_err(|why| format!("Error in time machine view: {why}"))
                .and_then(|history| time_machine::told(path, &history));
            blocks.push(told.unwrap_or_else(|why| format!("Error processing file {path}: {why}")));
            continue;
        }
        let text = match found {
            Ok(bytes) => python::decode(bytes.clone()).map(|text| python::universal_newlines(&text).into_owned()),
            Err(problem) => Err(problem.clone()),
        };
        let size = found.as_ref().map_or(0, Vec::len);
        match text.and_then(|text| shown(mode, path, &text, size, input, reading)) {
            Ok(texts) => blocks.extend(texts),
            Err(problem) if mode == "view" => blocks.push(format!("Error reading file {path}: {problem}")),
            Err(problem) => blocks.push(format!("Error processing file {path}: {problem}")),
        }
    }
    Served::Reply(ToolReply::ok(blocks.join("\n")))
}

/// A block for each file that can be read.
fn documents(input: &Value, reading: &mut Reading) -> Vec<Document> {
    let given = |name: &str| input.get(name).and_then(Value::as_text).filter(|text| !text.is_empty());
    let mut documents = Vec::new();
    for (path, bytes) in reading.found.iter().filter_map(|(path, found)| Some((path, found.as_ref().ok()?))) {
        let (stem, ending) = split_ending(path.rsplit('/').next().unwrap_or_default());
        let ending = ending.to_lowercase();
        let format = given("format").unwrap_or(if FORMATS.contains(&ending.as_str()) { &ending } else { "txt" });
        let name = given("neutral_name").map_or_else(|| format!("{stem}-{}", chance(reading.handed)), str::to_owned);
        reading.handed += 1;
        documents.push(Document::of(name, format, bytes));
    }
    documents
}

/// Lines of the files that the tool would have handed over and that are not read here. What the system refuses, the tool
/// keeps to itself.
fn withheld(reading: &Reading) -> Vec<String> {
    let why = reading.found.iter().filter_map(|(path, found)| Some((path, found.as_ref().err()?)));
    let ours = why.filter(|(_, problem)| !problem.starts_with("[Errno "));
    ours.map(|(path, problem)| format!("Error creating document block for {path}: {problem}")).collect()
}

/// Formats that the tool recognises by the ending; all else is text.
const FORMATS: [&str; 6] = ["pdf", "csv", "doc", "docx", "xls", "xlsx"];

/// `os.path.splitext` of a name, without the dot.
fn split_ending(name: &str) -> (&str, &str) {
    let dots = name.len() - name.trim_start_matches('.').len();
    match name[dots..].rsplit_once('.') {
        Some((stem, ending)) => (&name[..dots + stem.len()], ending),
        None => (name, ""),
    }
}

/// Eight digits that are others for each document of a conversation. The tool takes them by chance, and here the same run has
/// the same ones again. It mixes bits as MurmurHash3 ends.
fn chance(number: u32) -> String {
    let mut mixed = number.wrapping_add(0x9e37_79b9);
    for (shift, factor) in [(16, 0x85eb_ca6b), (13, 0xc2b2_ae35)] {
        mixed = (mixed ^ (mixed >> shift)).wrapping_mul(factor);
    }
    format!("{:08x}", mixed ^ (mixed >> 16))
}

/// The blocks of one file.
fn shown(
    mode: &str,
    path: &str,
    text: &str,
    size: usize,
    input: &Value,
    reading: &Reading,
) -> Result<Vec<String>, String> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let number = |name: &str, default: i64| match input.get(name) {
        Some(Value::Int(digits)) => digits.parse().unwrap_or(default),
        _ => default,
    };
    let kilobytes = || format!("{:.2} KB", size as f64 / 1024.0);
    Ok(vec![match mode {
        "view" => format!("Content of {path}:\n{text}"),
        "preview" => {
            let head: String = lines.iter().take(PREVIEW).copied().collect();
            let (size, count) = (kilobytes(), lines.len());
            format!("File: {path}\nSize: {size}\nTotal Lines: {count}\n\nPreview:\n{head}")
        }
        "stats" => {
            let preview = lines.iter().take(PREVIEW).copied().collect::<Vec<_>>().join("\n");
            let text = |text: &str| crate::python::dumps(&Value::Text(text.to_owned()));
            format!(
                "{{\n  \"size_bytes\": {size},\n  \"line_count\": {},\n  \"preview\": {},\n  \"size_human\": {}\n}}",
                lines.len(),
                text(&preview),
                text(&kilobytes()),
            )
        }
        "lines" => {
            let start = number("start_line", 0).max(0);
            let count = i64::try_from(lines.len()).unwrap_or(i64::MAX);
            let end = match input.get("end_line") {
                None | Some(Value::None) => count,
                Some(_) => number("end_line", count).min(count),
            };
            if end < start && input.get("end_line").is_some() {
                return Err(format!("end_line ({end}) cannot be less than start_line ({start})"));
            }
            let at = |line: i64| usize::try_from(line.clamp(0, count)).unwrap_or_default();
            lines[at(start)..at(end).max(at(start))].concat()
        }
        "chunk" => {
            let (length, offset) = (number("chunk_size", 1024), number("chunk_offset", 0));
            let bytes = i64::try_from(size).unwrap_or(i64::MAX);
            if offset < 0 || offset > bytes {
                return Err(format!("Invalid chunk_offset: {offset}. File size is {size} bytes."));
            }
            if length < 0 {
                return Err(format!("Invalid chunk_size: {length}"));
            }
            let start = text.ceil_char_boundary(usize::try_from(offset).unwrap_or_default().min(text.len()));
            text[start..].chars().take(usize::try_from(length).unwrap_or_default()).collect()
        }
        "search" => return found(&lines, input, number("context_lines", 2)),
        "diff" if input.get("comparison_path").and_then(Value::as_text).unwrap_or_default().is_empty() => {
            return Err("comparison_path is required for diff mode".into());
        }
        "diff" => {
            let other = input.get("comparison_path").and_then(Value::as_text).unwrap_or_default();
            let diff = compared(path, &lines, other, reading).map_err(|why| format!("Error creating diff: {why}"))?;
            format!("Diff between {path} and {other}:\n{diff}")
        }
        // The tool does nothing for a mode that it does not know.
        _ => return Ok(Vec::new()),
    }])
}

/// `create_diff`. Its lines keep their ends and are joined by further ones.
fn compared(path: &str, lines: &[&str], other: &str, reading: &Reading) -> Result<String, String> {
    let Some(found) = &reading.compared else {
        let why =
            if other.contains('\0') { "embedded null byte" } else { "Both paths must be either files or directories" };
        return Err(why.into());
    };
    let text = python::decode(found.clone()?)?;
    let text = python::universal_newlines(&text);
    let others: Vec<&str> = text.split_inclusive('\n').collect();
    let name = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
    let lines = unified_diff(lines, &others, &name(path), &name(other));
    Ok(lines.ok_or("the files are too long to be compared here")?.join("\n"))
}

/// Lines of a preview.
const PREVIEW: usize = 50;

/// Every line with the pattern, in any case, with the lines around it.
fn found(lines: &[&str], input: &Value, context: i64) -> Result<Vec<String>, String> {
    let pattern = input.get("search_pattern").and_then(Value::as_text).unwrap_or_default();
    if pattern.is_empty() {
        return Err("Search pattern cannot be empty".into());
    }
    let lower = pattern.to_lowercase();
    let context = usize::try_from(context).unwrap_or_default();
    let mut blocks = Vec::new();
    for (at, _) in lines.iter().enumerate().filter(|(_, line)| line.to_lowercase().contains(&lower)) {
        let around = at.saturating_sub(context)..lines.len().min(at + context + 1);
        let written = around.map(|place| {
            let line = lines[place].trim_end();
            if place != at {
                return format!("  {}: {line}", place + 1);
            }
            let marked = line.to_lowercase().find(&lower).and_then(|start| {
                let end = start + pattern.len();
                Some((line.get(..start)?, line.get(start..end)?, line.get(end..)?))
            });
            match marked {
                Some((before, hit, after)) => {
                    format!("→ {}: {before}[bold yellow]{hit}[/bold yellow]{after}", place + 1)
                }
                None => format!("→ {}: {line}", place + 1),
            }
        });
        blocks.push(written.collect::<Vec<_>>().join("\n"));
    }
    Ok(blocks)
}

fn failed(text: &str) -> Served {
    Served::Reply(ToolReply::error(text))
}
