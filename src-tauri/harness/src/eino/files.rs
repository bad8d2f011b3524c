//! The filesystem middleware's tools over eino-ext's `local` backend: what each asks the engine to do, and how it
//! presents the result. The middleware numbers lines; a result that ends in a line feed shows an empty line after it.

use camino::{Utf8Path, Utf8PathBuf};

use super::go_json::Arguments;
use super::grep::{Grep, NO_FILES};
use super::paths::{clean, locate};
use super::tool::Tool;
use crate::replacing::{TOO_LONG, replaced};
use crate::{
    Catalog, Effect, FailureKind, ListedEntry, Marked, Origin, Performed, ScriptOutput, Served, Session, ToolReply,
};
use model::ToolCall;

/// `Err` is Go's error, from what `utils.InferTool` puts around the tool's own.
pub fn serve(tool: Tool, call: &ToolCall, session: &Session) -> Result<Served, String> {
    let effect = match Asked::of(tool, call)? {
        Asked::Ls { path } => Effect::ListFolder { path: locate(&path, session), depth: 1 },
        Asked::Read { path, .. } => Effect::ReadFile { path: locate(&path, session), approval: false },
        Asked::Write { path, content } => Effect::WriteFile { path: locate(&path, session), text: content },
        Asked::Edit { old, .. } if old.is_empty() => return Err(failed(tool, "old string is required")),
        Asked::Edit { old, new, .. } if old == new => {
            return Err(failed(tool, "new string must be different from old string"));
        }
        Asked::Edit { path, .. } => Effect::ReadFile { path: locate(&path, session), approval: false },
        Asked::Glob { path, pattern } => Effect::FindFiles { path: locate(&path, session), pattern },
        Asked::Grep(grep) if grep.pattern.is_empty() => return Err(failed(tool, "pattern is required")),
        Asked::Grep(Grep { pattern, path, files, ignore_case, multiline, .. }) => {
            Effect::SearchFiles { path: locate(&path, session), pattern, files, ignore_case, multiline }
        }
        Asked::Execute { command } if command.is_empty() => return Err(failed(tool, "command is required")),
        Asked::Execute { command } => Effect::Shell { command, working_directory: None, timeout: None },
    };
    Ok(Served::Perform(effect))
}

pub fn settle(
    tool: Tool,
    call: &ToolCall,
    done: Performed,
    catalog: &Catalog,
    session: &Session,
) -> Result<Served, String> {
    let asked = Asked::of(tool, call)?;
    let text = match (&asked, done) {
        (Asked::Read { path, offset, limit }, Performed::Read { bytes }) => {
            let shown = numbered(&decode(&bytes), *offset, *limit, &origin(&locate(path, session), call, catalog));
            return Ok(Served::Reply(ToolReply::marked(shown)));
        }
        (Asked::Edit { path, old, new, all }, Performed::Read { bytes }) => {
            let text = edited(bytes, old, new, *all).map_err(|error| failed(tool, &error))?;
            return Ok(Served::Perform(Effect::WriteFile { path: locate(path, session), text }));
        }
        (Asked::Execute { .. }, Performed::Ran(output)) => {
            return Ok(Served::Reply(ToolReply::marked(ran(&output, call))));
        }
        (Asked::Write { path, .. }, Performed::Wrote) => format!("Updated file {path}"),
        (Asked::Edit { path, .. }, Performed::Wrote) => format!("Successfully replaced the string in '{path}'"),
        (Asked::Ls { path }, Performed::Listed { entries }) => listed(&locate(path, session), entries),
        (Asked::Glob { path, .. }, Performed::Listed { entries }) => listed(&locate(path, session), entries),
        (Asked::Grep(grep), Performed::Found { lines }) => grep.show(lines),
        (Asked::Ls { .. }, Performed::Failed { kind: FailureKind::NotFound, .. }) => NO_FILES.to_owned(),
        (_, Performed::Failed { kind, message }) => return Err(failed(tool, &asked.error(kind, &message))),
        _ => return Err(failed(tool, OTHER_RESULT)),
    };
    Ok(Served::Reply(ToolReply::ok(text)))
}

/// The error when the engine answers an effect with the result of another kind.
pub const OTHER_RESULT: &str = "the result is of another kind than what was asked for";

/// A call's arguments.
enum Asked {
    Ls { path: String },
    Read { path: String, offset: usize, limit: usize },
    Write { path: String, content: String },
    Edit { path: String, old: String, new: String, all: bool },
    Glob { path: String, pattern: String },
    Grep(Grep),
    Execute { command: String },
}

/// How many lines `read_file` shows if the call gives no number.
const READ_LIMIT: usize = 2000;

impl Asked {
    /// The framework reads these arguments with `sonic`, whose error messages are longer than Go's own, which are used
    /// here.
    fn of(tool: Tool, call: &ToolCall) -> Result<Self, String> {
        let bad = |error: String| {
            let name = tool.name();
            format!("[{}] failed to unmarshal arguments in json, toolName={name}, err={error}", wrapper(tool))
        };
        let (struct_name, read): (_, fn(&Arguments) -> Self) = match tool {
            Tool::Ls | Tool::Skill => ("lsArgs", |a| Self::Ls { path: a.text("path") }),
            Tool::ReadFile => ("readFileArgs", |a| Self::Read {
                path: a.text("file_path"),
                offset: positive(a.integer("offset")).unwrap_or(1),
                limit: positive(a.integer("limit")).unwrap_or(READ_LIMIT),
            }),
            Tool::WriteFile => {
                ("writeFileArgs", |a| Self::Write { path: a.text("file_path"), content: a.text("content") })
            }
            Tool::EditFile => ("editFileArgs", |a| Self::Edit {
                path: a.text("file_path"),
                old: a.text("old_string"),
                new: a.text("new_string"),
                all: a.flag("replace_all").unwrap_or_default(),
            }),
            Tool::Glob => ("globArgs", |a| Self::Glob { pattern: a.text("pattern"), path: a.text("path") }),
            Tool::Grep => ("grepArgs", |a| Self::Grep(Grep::of(a))),
            Tool::Execute => ("executeArgs", |a| Self::Execute { command: a.text("command") }),
        };
        let arguments = Arguments::parse(&call.arguments, "filesystem", struct_name).map_err(bad)?;
        let asked = read(&arguments);
        arguments.check().map_err(bad)?;
        Ok(asked)
    }

    /// The backend's words for what could not be done.
    fn error(&self, kind: FailureKind, message: &str) -> String {
        let why = match kind {
            FailureKind::NotFound => "no such file or directory",
            FailureKind::NoPermission => "permission denied",
            FailureKind::IsFolder => "is a directory",
            FailureKind::NotFolder => "not a directory",
            FailureKind::BadPattern | FailureKind::Other => message,
        };
        match self {
            Self::Ls { path } if kind == FailureKind::NoPermission => format!("permission denied: {}", clean(path)),
            Self::Ls { path } => format!("failed to read directory: readdirent {}: {why}", clean(path)),
            Self::Read { path, .. } => match kind {
                FailureKind::NotFound => format!("file not found: {}", clean(path)),
                FailureKind::IsFolder => format!("error reading file: read {}: {why}", clean(path)),
                _ => format!("failed to open file: open {}: {why}", clean(path)),
            },
            Self::Write { path, .. } => format!("failed to open file for writing: open {}: {why}", clean(path)),
            Self::Edit { path, .. } => format!("failed to read file: open {}: {why}", clean(path)),
            Self::Glob { path, .. } => format!("failed to walk directory: lstat {}: {why}", clean(path)),
            Self::Grep(grep) => match kind {
                FailureKind::BadPattern | FailureKind::Other => format!("ripgrep failed with exit code 2: {why}"),
                _ => format!("ripgrep failed with exit code 2: rg: {}: {message}", clean(&grep.path)),
            },
            Self::Execute { .. } => format!("failed to start command: {message}"),
        }
    }
}

fn positive(number: Option<i64>) -> Option<usize> {
    number.and_then(|number| usize::try_from(number).ok()).filter(|number| *number > 0)
}

fn failed(tool: Tool, error: &str) -> String {
    format!("[{}] failed to invoke tool, toolName={}, err={error}", wrapper(tool), tool.name())
}

/// Go functions that make a tool from a function; the one for execute streams its output.
fn wrapper(tool: Tool) -> &'static str {
    match tool {
        Tool::Execute => "LocalStreamFunc",
        Tool::Skill | Tool::Ls | Tool::ReadFile | Tool::WriteFile | Tool::EditFile | Tool::Glob | Tool::Grep => {
            "LocalFunc"
        }
    }
}

/// A Go text as JSON carries it: U+FFFD for each byte that is not UTF-8.
fn decode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| char::REPLACEMENT_CHARACTER));
    }
    text
}

/// `cat -n`, from line `offset` on.
fn numbered(text: &str, offset: usize, limit: usize, origin: &Origin) -> Marked {
    let lines = text.split_inclusive('\n').skip(offset - 1).take(limit);
    let content: String = lines.collect();
    let mut out = Marked::default();
    for (index, line) in content.split('\n').enumerate() {
        let end = if index == 0 { "" } else { "\n" };
        out.push(&format!("{end}{:>6}\t", offset.saturating_add(index)), Origin::Framework);
        out.push(line, origin.clone());
    }
    out
}

fn origin(path: &Utf8Path, call: &ToolCall, catalog: &Catalog) -> Origin {
    match catalog.skill_at(path) {
        Some((skill, name)) => Origin::Skill { skill: skill.id.clone(), field: name.to_string() },
        None => Origin::Tool { tool: call.name.clone() },
    }
}

fn edited(bytes: Vec<u8>, old: &str, new: &str, all: bool) -> Result<String, String> {
    let text = String::from_utf8(bytes).map_err(|_| "the file is not UTF-8 and was left as it is".to_owned())?;
    match text.matches(old).count() {
        0 => Err(format!("string not found in file: '{old}'")),
        1 => replaced(&text, old, new, 1).ok_or_else(|| TOO_LONG.to_owned()),
        _ if all => replaced(&text, old, new, usize::MAX).ok_or_else(|| TOO_LONG.to_owned()),
        _ => Err(format!("string '{old}' appears multiple times. Use replace_all=True to replace all occurrences")),
    }
}

/// Names within the folder, each on a line.
fn listed(folder: &Utf8Path, entries: Vec<ListedEntry>) -> String {
    if entries.is_empty() {
        return NO_FILES.into();
    }
    let name = |entry: ListedEntry| -> Utf8PathBuf {
        entry.path.strip_prefix(folder).map(Utf8Path::to_owned).unwrap_or(entry.path)
    };
    entries.into_iter().map(|entry| name(entry).into_string()).collect::<Vec<_>>().join("\n")
}

/// The shell streams stderr only if the command fails, in the last piece.
fn ran(output: &ScriptOutput, call: &ToolCall) -> Marked {
    let tool = || Origin::Tool { tool: call.name.clone() };
    let mut out = Marked::default();
    out.push(&output.stdout, tool());
    let failed = output.exit_code != Some(0);
    // Go's code for a process that a signal ended.
    let code = output.exit_code.unwrap_or(-1);
    if failed {
        out.push(&format!("command exited with non-zero code {code}"), Origin::Framework);
        if !output.stderr.is_empty() {
            out.push("\n[stderr]:\n", Origin::Framework);
            out.push(&output.stderr, tool());
        }
        out.push(&format!("\n[Command failed with exit code {code}]"), Origin::Framework);
    }
    if output.truncated {
        out.push("\n[Output was truncated due to size limits]", Origin::Framework);
    }
    if out.text.is_empty() {
        out.push("[Command executed successfully with no output]", Origin::Framework);
    }
    out
}
