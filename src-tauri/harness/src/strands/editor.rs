//! The tools `editor` and `file_write` of strands_tools 0.8.10, run with `BYPASS_TOOL_CONSENT`: what they answer, and
//! what they read and write on the way. `editor` keeps the text of each file it saw for the rest of the conversation,
//! and a copy of a file before each change next to it.
//!
//! A pattern of `pattern_replace` is read by another engine than Python's; look-around is called invalid.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use camino::Utf8PathBuf;
use regex::Regex;

use super::pydantic::{self, ParameterKind};
use super::python;
use crate::python::Value;
use crate::replacing::{TOO_LONG, replaced, replaced_by};
use crate::{Effect, FailureKind, Performed, Served, Session, ToolReply};
use model::ToolCall;

/// What `editor` remembers.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Desk {
    /// Texts by path.
    seen: BTreeMap<String, String>,
    /// Paths whose backup was restored. The real tool deletes the backup then.
    taken_back: BTreeSet<String>,
    /// The writes that remain for the current call.
    writing: Option<Writing>,
}

/// How many bytes of texts are remembered. Forgotten ones are read again.
const REMEMBERED: usize = 32 << 20;

impl Desk {
    fn remember(&mut self, path: &str, text: &str) {
        let others = self.seen.iter().filter(|(other, _)| *other != path);
        if others.map(|(_, other)| other.len()).sum::<usize>() + text.len() > REMEMBERED {
            self.seen.clear();
        }
        self.seen.insert(path.to_owned(), text.to_owned());
    }
}

#[derive(Debug, Clone, PartialEq)]
struct Writing {
    files: VecDeque<(String, String)>,
    answer: String,
}

pub const PARAMETERS: [(&str, ParameterKind); 10] = [
    ("command", ParameterKind::Text),
    ("path", ParameterKind::Text),
    ("file_text", ParameterKind::OptionalText),
    ("insert_line", ParameterKind::OptionalLine),
    ("new_str", ParameterKind::OptionalText),
    ("old_str", ParameterKind::OptionalText),
    ("pattern", ParameterKind::OptionalText),
    ("search_text", ParameterKind::OptionalText),
    ("fuzzy", ParameterKind::Flag),
    ("view_range", ParameterKind::OptionalLines),
];

/// `input` fits [`PARAMETERS`].
pub fn serve(input: &Value, session: &mut Session) -> Served {
    let (command, path) = (text(input, "command").unwrap_or_default(), text(input, "path").unwrap_or_default());
    let folder = session.working_directory.clone();
    let desk = &mut session.memory.strands.desk;
    desk.writing = None;
    let missing = |what: &str| failed(format!("{what} for {command} command"));
    let given = |name| text(input, name).is_some_and(|text| !text.is_empty());
    match command {
        "create" if !given("file_text") => missing("file_text is required"),
        "create" if !path.contains('/') => failed("[Errno 2] No such file or directory: ''"),
        "create" => {
            let file_text = text(input, "file_text").unwrap_or_default().to_owned();
            desk.remember(path, &file_text);
            let files = [(path.to_owned(), file_text)].into();
            write_next(Writing { files, answer: format!("File {path} created successfully") }, desk, folder)
        }
        "undo_edit" if desk.taken_back.contains(path) => failed(no_backup(path)),
        "undo_edit" => read(&backup(path), folder),
        "str_replace" if !given("old_str") || text(input, "new_str").is_none() => {
            missing("Both old_str and new_str are required")
        }
        "pattern_replace" if !given("pattern") || text(input, "new_str").is_none() => {
            missing("Both pattern and new_str are required")
        }
        "insert" if !given("new_str") || matches!(field(input, "insert_line"), Value::None) => {
            missing("Both new_str and insert_line are required")
        }
        "find_line" if !given("search_text") => missing("search_text is required"),
        "view" | "str_replace" | "pattern_replace" | "insert" | "find_line" => match desk.seen.get(path).cloned() {
            Some(content) => work(input, &content, desk, folder),
            None => read(path, folder),
        },
        other => failed(format!(
            "Unknown command: {other}. Valid commands: view, create, str_replace, pattern_replace, insert, find_line, \
             undo_edit"
        )),
    }
}

pub fn settle(input: &Value, done: Performed, session: &mut Session) -> Served {
    let (command, path) = (text(input, "command").unwrap_or_default(), text(input, "path").unwrap_or_default());
    let folder = session.working_directory.clone();
    let desk = &mut session.memory.strands.desk;
    let (kind, message) = match done {
        Performed::Wrote => {
            return desk
                .writing
                .take()
                .map_or_else(|| failed("nothing is being written"), |writing| write_next(writing, desk, folder));
        }
        Performed::Read { bytes } => {
            let content = match python::decode(bytes) {
                Ok(text) => python::universal_newlines(&text).into_owned(),
                Err(problem) => return failed(problem),
            };
            desk.remember(path, &content);
            if command != "undo_edit" {
                return work(input, &content, desk, folder);
            }
            desk.taken_back.insert(path.to_owned());
            let answer = format!("Successfully reverted changes to {path}");
            return write_next(Writing { files: [(path.to_owned(), content)].into(), answer }, desk, folder);
        }
        Performed::Stubbed { text } => return Served::Reply(ToolReply::ok(text)),
        Performed::Denied { reason } => {
            let reason = reason.unwrap_or_default();
            return Served::Reply(ToolReply::error(format!("Operation cancelled by the user. Reason: {reason}")));
        }
        Performed::Failed { kind, message } => (kind, message),
        Performed::Agreed
        | Performed::Ran(_)
        | Performed::Listed { .. }
        | Performed::Found { .. }
        | Performed::Delegated(_)
        | Performed::RanTogether { .. }
        | Performed::History(_)
        | Performed::Summarised { .. } => (FailureKind::Other, String::new()),
    };
    // The file on disk is not the one that was to be written.
    desk.seen.remove(path);
    match (command, kind) {
        ("undo_edit", FailureKind::NotFound) => failed(no_backup(path)),
        ("view", FailureKind::NotFound) => failed(format!("Path {path} does not exist")),
        ("view", FailureKind::IsFolder) => {
            answer(format!("Directory structure displayed in console.\nDirectory tree: {path}"))
        }
        (_, kind) => failed(python::os_error(kind, path).unwrap_or(message)),
    }
}

/// `file_write`, which checks nothing of its input.
pub fn serve_file_write(input: &Value, session: &Session) -> Served {
    let (path, content) = match (field(input, "path"), field(input, "content")) {
        (Value::None, _) => return failed("'path'"),
        (Value::Text(_), Value::None) => return failed("'content'"),
        (Value::Text(path), Value::Text(content)) => (path, content),
        (Value::Text(_), other) => {
            return failed(format!("object of type '{}' has no len()", other.type_name()));
        }
        (other, _) => {
            let given = other.type_name();
            return failed(format!("expected str, bytes or os.PathLike object, not {given}"));
        }
    };
    Served::Perform(Effect::WriteFile {
        path: absolute(path, session.working_directory.as_ref()),
        text: content.clone(),
    })
}

pub fn settle_file_write(call: &ToolCall, done: Performed) -> ToolReply {
    let input = python::loads(&call.arguments);
    let path = text(&input, "path").unwrap_or_default();
    match done {
        Performed::Wrote => ToolReply::ok(format!("File write success: File written successfully to {path}")),
        Performed::Stubbed { text } => ToolReply::ok(text),
        Performed::Denied { reason } => {
            let reason = reason.unwrap_or_default();
            ToolReply::error(format!("File write cancelled by the user. Reason: {reason}"))
        }
        Performed::Failed { kind, message } => {
            let problem = python::os_error(kind, path).unwrap_or(message);
            ToolReply::error(format!("Error writing file: {problem}"))
        }
        _ => ToolReply::error("Error writing file: "),
    }
}

/// A command on a file's text.
fn work(input: &Value, content: &str, desk: &mut Desk, folder: Option<Utf8PathBuf>) -> Served {
    let value = |name| text(input, name).unwrap_or_default();
    let (path, new) = (value("path"), value("new_str"));
    let mut change = |changed: String, answer: String| {
        desk.remember(path, &changed);
        desk.taken_back.remove(path);
        let files = [(backup(path), content.to_owned()), (path.to_owned(), changed)].into();
        write_next(Writing { files, answer }, desk, folder.clone())
    };
    match value("command") {
        "view" => view(input, content),
        "str_replace" => {
            let old = value("old_str");
            let count = content.matches(old).count();
            if count == 0 {
                let note = format!("Note: old_str not found in {path}. Current content:\n{content}");
                return Served::Reply(ToolReply::error(note));
            }
            let Some(changed) = replaced(content, old, new, usize::MAX) else { return failed(TOO_LONG) };
            let plural = if count > 1 { "s" } else { "" };
            let told = format!(
                "Text replacement complete and details displayed in console.\nFile: {path}\nReplaced {count} \
                 occurrence{plural}\nOld string: {old}\nNew string: {new}\n"
            );
            change(changed, told)
        }
        "pattern_replace" => {
            let pattern = value("pattern");
            let Ok(regex) = Regex::new(pattern) else { return failed(format!("Invalid regex pattern: {pattern}")) };
            let count = regex.find_iter(content).count();
            if count == 0 {
                return answer(format!("Note: pattern '{pattern}' not found in {path}. Current content:{content}"));
            }
            let Some(changed) = replaced_by(content, &regex, &replacement(new)) else { return failed(TOO_LONG) };
            let told = format!(
                "Pattern replacement complete and details displayed in console.\nFile: {path}\nPattern: {pattern}\nNew \
                 string: {new}\nMatches: {count}"
            );
            change(changed, told)
        }
        "insert" => {
            let mut lines: Vec<&str> = content.split('\n').collect();
            let wanted = field(input, "insert_line");
            let at = match wanted {
                Value::Text(wanted) => match find_line(content, wanted, is_fuzzy(input)) {
                    Some(at) => at,
                    None => {
                        let note = format!("Note: Could not find insertion point '{wanted}' in {path}. ");
                        return answer(format!("{note}Current content:\n{content}"));
                    }
                },
                number => {
                    let number = pydantic::whole_number(number).unwrap_or_default();
                    match usize::try_from(number).ok().filter(|at| *at <= lines.len()) {
                        Some(at) => at,
                        None => return failed(format!("insert_line {number} is out of range")),
                    }
                }
            };
            lines.insert(at, new);
            let told = format!(
                "Text insertion complete and details displayed in console.\nFile: {path}\nInserted at line {at}"
            );
            change(lines.join("\n"), told)
        }
        _ => {
            let wanted = value("search_text");
            match find_line(content, wanted, is_fuzzy(input)) {
                Some(at) => answer(format!("Line found in file.\nFile: {path}\nLine number: {}", at + 1)),
                None => answer(format!(
                    "Note: Could not find '{wanted}' in {path} while using editor tool, to correct next step, here's \
                     the current content of file:\n{content}\n"
                )),
            }
        }
    }
}

/// Python's slices: the end may count from the back.
fn view(input: &Value, content: &str) -> Served {
    let range: Vec<i64> = match field(input, "view_range") {
        Value::List(items) => items.iter().flat_map(pydantic::whole_number).collect(),
        _ => Vec::new(),
    };
    let shown = match range.as_slice() {
        [] => content.to_owned(),
        [_] => return failed("list index out of range"),
        [first, last, ..] => {
            let lines: Vec<&str> = content.split('\n').collect();
            let start = usize::try_from(first.saturating_sub(1)).unwrap_or(0).min(lines.len());
            let end = match usize::try_from(*last) {
                Ok(end) => end.min(lines.len()),
                Err(_) => lines.len().saturating_sub(usize::try_from(last.unsigned_abs()).unwrap_or(usize::MAX)),
            };
            lines[start..end.max(start)].join("\n")
        }
    };
    answer(format!("File content displayed in console.\nContent: {shown}"))
}

/// The first line that holds a text, or its words in order in any case.
fn find_line(content: &str, wanted: &str, fuzzy: bool) -> Option<usize> {
    let mut lines = content.split('\n');
    if !fuzzy {
        return lines.position(|line| line.contains(wanted));
    }
    let words: Vec<String> = wanted.split_whitespace().map(regex::escape).collect();
    let pattern = Regex::new(&format!("(?i){}", words.join(".*"))).ok()?;
    lines.position(|line| pattern.is_match(line))
}

fn is_fuzzy(input: &Value) -> bool {
    input.get("fuzzy").is_some_and(|value| pydantic::flag(value) == Ok(true))
}

/// Python's `\1` and `\g<name>` as `${1}` and `${name}`.
fn replacement(python: &str) -> String {
    let mut out = String::new();
    let mut rest = python;
    while let Some(letter) = rest.chars().next() {
        let after = &rest[letter.len_utf8()..];
        let digits = after.len() - after.trim_start_matches(|digit: char| digit.is_ascii_digit()).len();
        let group = after.strip_prefix("g<").and_then(|group| group.split_once('>'));
        rest = match (letter, group) {
            ('\\', Some((name, behind))) => {
                out.push_str(&format!("${{{name}}}"));
                behind
            }
            ('\\', None) if digits > 0 => {
                let digits = digits.min(2);
                out.push_str(&format!("${{{}}}", &after[..digits]));
                &after[digits..]
            }
            ('\\', None) => match after.chars().next() {
                Some('n') => {
                    out.push('\n');
                    &after[1..]
                }
                Some('t') => {
                    out.push('\t');
                    &after[1..]
                }
                Some('\\') => {
                    out.push('\\');
                    &after[1..]
                }
                Some(_) | None => {
                    out.push('\\');
                    after
                }
            },
            ('$', _) => {
                out.push_str("$$");
                after
            }
            (letter, _) => {
                out.push(letter);
                after
            }
        };
    }
    out
}

fn write_next(mut writing: Writing, desk: &mut Desk, folder: Option<Utf8PathBuf>) -> Served {
    let Some((path, text)) = writing.files.pop_front() else { return answer(writing.answer) };
    desk.writing = Some(writing);
    Served::Perform(Effect::WriteFile { path: absolute(&path, folder.as_ref()), text })
}

fn read(path: &str, folder: Option<Utf8PathBuf>) -> Served {
    Served::Perform(Effect::ReadFile { path: absolute(path, folder.as_ref()), approval: false })
}

fn absolute(path: &str, folder: Option<&Utf8PathBuf>) -> Utf8PathBuf {
    folder.map_or_else(|| path.into(), |folder| folder.join(path))
}

fn backup(path: &str) -> String {
    format!("{path}.bak")
}

fn no_backup(path: &str) -> String {
    format!("No backup file found for {path}")
}

/// `None` if there is none.
fn field<'a>(input: &'a Value, name: &str) -> &'a Value {
    input.get(name).unwrap_or(&Value::None)
}

fn text<'a>(input: &'a Value, name: &str) -> Option<&'a str> {
    input.get(name).and_then(Value::as_text)
}

fn answer(text: String) -> Served {
    Served::Reply(ToolReply::ok(text))
}

fn failed(problem: impl std::fmt::Display) -> Served {
    Served::Reply(ToolReply::error(format!("Error: {problem}")))
}
