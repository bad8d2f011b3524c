//! Upstream's `read_file`, `write_file` and `edit_file`, which stay inside the working directory. Links are not resolved
//! here, so a path is judged by its text alone.

use camino::{Utf8Path, Utf8PathBuf};

use super::tool::Tool;
use crate::python::{Value, cut, decode, get, item, splitlines, universal_newlines};
use crate::replacing::{TOO_LONG, replaced};
use crate::{Effect, FailureKind, Performed, Session};

/// A call's arguments.
type Given = [(String, Value)];

/// What comes next: an effect, or the text of the reply, which may report an exception that the tool caught.
#[derive(Debug, PartialEq)]
pub enum Next {
    Perform(Effect),
    Reply(String),
    Fail(String),
}

/// `Err` is the message of an exception that the tool does not catch.
pub fn begin(tool: Tool, given: &Given, session: &Session) -> Result<Next, String> {
    let path = item(given, "path")?;
    let needed: &[&str] = match tool {
        Tool::WriteFile => &["content"],
        Tool::EditFile => &["old_text", "new_text"],
        _ => &[],
    };
    for key in needed {
        item(given, key)?;
    }
    let path = match safe_path(path, session) {
        Ok(path) => path,
        Err(message) => return Ok(Next::Fail(format!("Error: {message}"))),
    };
    Ok(match tool {
        Tool::WriteFile => match text(given, "content") {
            Ok(text) => Next::Perform(Effect::WriteFile { path, text }),
            Err(kind) => Next::Fail(format!("Error: data must be str, not {kind}")),
        },
        _ => Next::Perform(Effect::ReadFile { path, approval: false }),
    })
}

pub fn settle(tool: Tool, given: &Given, done: Performed, session: &Session) -> Next {
    let named = get(given, "path").map(Value::to_str).unwrap_or_default();
    let path = get(given, "path").and_then(|path| safe_path(path, session).ok()).unwrap_or_default();
    let fail = |message: String| Next::Fail(format!("Error: {message}"));
    match done {
        Performed::Read { bytes } => match decode(&bytes) {
            Ok(text) if tool == Tool::EditFile => replace(given, &named, path, &universal_newlines(text)),
            Ok(text) => shown(&universal_newlines(text), get(given, "limit")).map_or_else(fail, Next::Reply),
            Err(message) => fail(message),
        },
        Performed::Wrote if tool == Tool::EditFile => Next::Reply(format!("Edited {named}")),
        Performed::Wrote => {
            let written = text(given, "content").unwrap_or_default();
            Next::Reply(format!("Wrote {} bytes", written.chars().count()))
        }
        Performed::Failed { kind, message } => fail(match kind {
            FailureKind::NotFound => format!("[Errno 2] No such file or directory: '{path}'"),
            FailureKind::NoPermission => format!("[Errno 13] Permission denied: '{path}'"),
            FailureKind::NotFolder => format!("[Errno 20] Not a directory: '{path}'"),
            FailureKind::IsFolder => format!("[Errno 21] Is a directory: '{path}'"),
            FailureKind::BadPattern | FailureKind::Other => message,
        }),
        Performed::Denied { reason } => fail(denied(reason)),
        Performed::Stubbed { text } => Next::Reply(text),
        // Effects that these tools do not ask for.
        Performed::Agreed
        | Performed::Ran(_)
        | Performed::Listed { .. }
        | Performed::Found { .. }
        | Performed::Delegated(_)
        | Performed::RanTogether { .. }
        | Performed::History(_)
        | Performed::Summarised { .. } => fail(String::new()),
    }
}

/// The framework never asks the user, so it has no text for a refusal.
pub fn denied(reason: Option<String>) -> String {
    let said = "the user did not allow it";
    reason.filter(|reason| !reason.is_empty()).map_or_else(|| said.into(), |reason| format!("{said}: {reason}"))
}

/// Characters of a file that reach the model.
const SHOWN: usize = 50_000;

fn safe_path(given: &Value, session: &Session) -> Result<Utf8PathBuf, String> {
    let Some(given) = given.as_text() else {
        return Err(format!("unsupported operand type(s) for /: 'PosixPath' and '{}'", given.type_name()));
    };
    let folder = session.working_directory.clone().unwrap_or_default();
    let mut path = folder.clone();
    for part in Utf8Path::new(given).components() {
        match part.as_str() {
            "." => {}
            ".." => {
                if !path.pop() {
                    return Err(format!("Path escapes workspace: {given}"));
                }
            }
            part => path.push(part),
        }
    }
    let inside = if folder.as_str().is_empty() { path.is_relative() } else { path.starts_with(&folder) };
    if inside { Ok(path) } else { Err(format!("Path escapes workspace: {given}")) }
}

/// The first lines, as many as asked for.
fn shown(text: &str, limit: Option<&Value>) -> Result<String, String> {
    let lines: Vec<&str> = splitlines(text).collect();
    let kept = match limit {
        None | Some(Value::None | Value::Bool(false)) => lines.len(),
        Some(Value::Bool(true)) => 1,
        // Counted from the end, as a slice is; more digits than fit into a number here mean no limit at all.
        Some(Value::Int(digits)) => match digits.parse::<i64>() {
            Ok(0) => lines.len(),
            Ok(limit) if limit < 0 => lines.len().saturating_sub(usize::try_from(limit.unsigned_abs()).unwrap_or(0)),
            Ok(limit) => usize::try_from(limit).unwrap_or(usize::MAX),
            Err(_) => usize::MAX,
        },
        Some(Value::Float(number)) if *number == 0.0 || *number >= lines.len() as f64 => lines.len(),
        Some(Value::Float(_)) => {
            return Err("slice indices must be integers or None or have an __index__ method".into());
        }
        Some(other) => {
            return Err(format!("'<' not supported between instances of '{}' and 'int'", other.type_name()));
        }
    };
    let negative = matches!(limit, Some(Value::Int(digits)) if digits.starts_with('-'));
    if kept >= lines.len() && !negative {
        return Ok(cut(&lines.join("\n"), SHOWN).into());
    }
    let asked = limit.map(|limit| if limit == &Value::Bool(true) { "1".into() } else { limit.to_str() });
    let asked: i64 = asked.and_then(|digits| digits.parse().ok()).unwrap_or(0);
    let more = i64::try_from(lines.len()).unwrap_or(i64::MAX).saturating_sub(asked);
    let more = format!("... ({more} more)");
    let text = lines[..kept].iter().copied().chain([more.as_str()]).collect::<Vec<_>>().join("\n");
    Ok(cut(&text, SHOWN).into())
}

fn replace(given: &Given, named: &str, path: Utf8PathBuf, content: &str) -> Next {
    let (old, new) = match (text(given, "old_text"), text(given, "new_text")) {
        (Ok(old), Ok(new)) => (old, new),
        (Err(kind), _) => {
            return Next::Fail(format!("Error: 'in <string>' requires string as left operand, not {kind}"));
        }
        (Ok(old), Err(_)) if !content.contains(&old) => {
            return Next::Fail(format!("Error: Text not found in {named}"));
        }
        (Ok(_), Err(kind)) => return Next::Fail(format!("Error: replace() argument 2 must be str, not {kind}")),
    };
    if content.contains(&old) {
        match replaced(content, &old, &new, 1) {
            Some(text) => Next::Perform(Effect::WriteFile { path, text }),
            None => Next::Fail(format!("Error: {TOO_LONG}")),
        }
    } else {
        Next::Fail(format!("Error: Text not found in {named}"))
    }
}

/// `Err` is the type that it has instead.
fn text(given: &Given, key: &str) -> Result<String, &'static str> {
    match get(given, key) {
        Some(Value::Text(text)) => Ok(text.clone()),
        Some(other) => Err(other.type_name()),
        None => Err("NoneType"),
    }
}
