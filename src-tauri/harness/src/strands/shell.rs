//! The tool `shell` of strands_tools 0.8.10, run with `BYPASS_TOOL_CONSENT`: one command or several, one after the other.
//! Its terminal turns line feeds into CR LF. Commands that ask for `parallel` run one after the other here.

use std::collections::VecDeque;

use camino::Utf8PathBuf;

use super::pydantic;
use crate::python::Value;
use crate::{Effect, Performed, ReplyAuthor, ScriptOutput, Served, Session, ToolReply};

/// A call that is being served.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Shelling {
    todo: VecDeque<String>,
    folder: Option<Utf8PathBuf>,
    results: Vec<Outcome>,
}

#[derive(Debug, Clone, PartialEq)]
struct Outcome {
    command: String,
    exit_code: i32,
    output: String,
    error: String,
}

/// Seconds: `SHELL_DEFAULT_TIMEOUT`.
const TIMEOUT: u32 = 900;

pub fn serve(input: &Value, session: &mut Session) -> Served {
    let commands = match commands(input.get("command").unwrap_or(&Value::None)) {
        Ok(commands) => commands,
        Err(problem) => return Served::Reply(ToolReply::error(format!("Interactive shell error: {problem}"))),
    };
    let folder = input.get("work_dir").and_then(Value::as_text).map(Utf8PathBuf::from);
    let folder = match (&session.working_directory, folder) {
        (Some(own), Some(folder)) => Some(own.join(folder)),
        (own, folder) => folder.or_else(|| own.clone()),
    };
    session.memory.strands.shelling = Shelling { todo: commands.into(), folder, results: Vec::new() };
    next(input, session)
}

pub fn settle(input: &Value, done: Performed, session: &mut Session) -> Served {
    let shelling = &mut session.memory.strands.shelling;
    let command = shelling.todo.pop_front().unwrap_or_default();
    let outcome =
        |exit_code: i32, output: String, error: String| Outcome { command: command.clone(), exit_code, output, error };
    let result = match done {
        Performed::Ran(ScriptOutput { timed_out: true, .. }) => {
            outcome(1, String::new(), format!("Command timed out after {} seconds", timeout(input)))
        }
        Performed::Ran(output) => {
            let text = format!("{}{}", output.stdout, output.stderr).replace("\r\n", "\n").replace('\n', "\r\n");
            outcome(output.exit_code.unwrap_or(-1), text, String::new())
        }
        Performed::Stubbed { text } => return Served::Reply(ToolReply::ok(text)),
        Performed::Denied { reason } => {
            let text = reason.filter(|reason| !reason.is_empty()).unwrap_or_else(|| "tool cancelled by user".into());
            return Served::Reply(ToolReply::error(text).by(ReplyAuthor::Caller));
        }
        Performed::Failed { message, .. } => outcome(1, String::new(), message),
        _ => outcome(1, String::new(), String::new()),
    };
    let is_good = result.exit_code == 0;
    shelling.results.push(result);
    if is_good {
        // Where the next command runs.
        if let (Some(to), Some(folder)) = (command.trim().strip_prefix("cd "), &shelling.folder) {
            shelling.folder = Some(folder.join(to.trim()));
        }
    } else if !ignores_errors(input) {
        shelling.todo.clear();
    }
    next(input, session)
}

fn next(input: &Value, session: &Session) -> Served {
    let shelling = &session.memory.strands.shelling;
    match shelling.todo.front() {
        Some(command) => Served::Perform(Effect::Shell {
            command: command.clone(),
            working_directory: shelling
                .folder
                .clone()
                .filter(|folder| Some(folder) != session.working_directory.as_ref()),
            timeout: Some(timeout(input)),
        }),
        None => Served::Reply(answer(&shelling.results, ignores_errors(input))),
    }
}

fn answer(results: &[Outcome], ignores_errors: bool) -> ToolReply {
    let good = results.iter().filter(|result| result.exit_code == 0).count();
    let bad = results.len() - good;
    let mut text = format!("Execution Summary:\nTotal commands: {}\nSuccessful: {good}\nFailed: {bad}", results.len());
    for Outcome { command, exit_code, output, error } in results {
        let status = if *exit_code == 0 { "success" } else { "error" };
        text.push_str(&format!(
            "\nCommand: {command}\nStatus: {status}\nExit Code: {exit_code}\nOutput: {output}\nError: {error}"
        ));
    }
    if bad == 0 || ignores_errors { ToolReply::ok(text) } else { ToolReply::error(text) }
}

/// A text, a list of texts and objects, or a text that is such a list in JSON.
fn commands(given: &Value) -> Result<Vec<String>, String> {
    let one = |command: &Value| match command {
        Value::Text(text) => Ok(text.clone()),
        Value::Dict(_) => command
            .get("command")
            .and_then(Value::as_text)
            .filter(|text| !text.is_empty())
            .map(str::to_owned)
            .ok_or_else(|| "Command object must contain a 'command' string".to_owned()),
        _ => Err("Command must be string or dict".to_owned()),
    };
    match given {
        Value::List(items) => items.iter().map(one).collect(),
        Value::Text(text) if text.trim().starts_with('[') && text.trim().ends_with(']') => {
            match crate::python::loads(text) {
                Ok(list @ Value::List(_)) => commands(&list),
                _ => Ok(vec![text.clone()]),
            }
        }
        other => Ok(vec![one(other)?]),
    }
}

fn ignores_errors(input: &Value) -> bool {
    input.get("ignore_errors").is_some_and(|value| pydantic::flag(value) == Ok(true))
}

fn timeout(input: &Value) -> u32 {
    let given = input.get("timeout").and_then(|value| pydantic::whole_number(value).ok());
    given.and_then(|seconds| u32::try_from(seconds).ok()).filter(|seconds| *seconds > 0).unwrap_or(TIMEOUT)
}
