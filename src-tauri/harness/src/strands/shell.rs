//! The tool `shell` of strands_tools 0.8.10, run with `BYPASS_TOOL_CONSENT`: one command or several, one after the other or at
//! the same time. Its terminal turns line feeds into CR LF.

use std::collections::VecDeque;

use camino::Utf8PathBuf;

use super::pydantic::{self, ParameterKind};
use crate::python::Value;
use crate::{Effect, Finished, Performed, ReplyAuthor, ScriptOutput, Served, Session, ToolReply};

/// A call that is being served.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Shelling {
    /// Texts and objects.
    todo: VecDeque<Value>,
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

impl Outcome {
    fn of(command: String, done: ScriptOutput, input: &Value) -> Self {
        if done.timed_out {
            return Self::late(command, input);
        }
        let output = format!("{}{}", done.stdout, done.stderr).replace("\r\n", "\n").replace('\n', "\r\n");
        Self { command, exit_code: done.exit_code.unwrap_or(-1), output, error: String::new() }
    }

    fn late(command: String, input: &Value) -> Self {
        Self::failed(command, format!("Command timed out after {} seconds", timeout(input)))
    }

    fn failed(command: String, error: String) -> Self {
        Self { command, exit_code: 1, output: String::new(), error }
    }
}

pub const PARAMETERS: [(&str, ParameterKind); 5] = [
    ("command", ParameterKind::Commands),
    ("parallel", ParameterKind::Flag),
    ("ignore_errors", ParameterKind::Flag),
    ("timeout", ParameterKind::Number),
    ("work_dir", ParameterKind::GivenText),
];

/// Seconds: `SHELL_DEFAULT_TIMEOUT`.
const TIMEOUT: i64 = 900;

/// `input` fits [`PARAMETERS`].
pub fn serve(input: &Value, session: &mut Session) -> Served {
    let folder = input.get("work_dir").and_then(Value::as_text).map(Utf8PathBuf::from);
    let folder = match (&session.working_directory, folder) {
        (Some(own), Some(folder)) => Some(own.join(folder)),
        (own, folder) => folder.or_else(|| own.clone()),
    };
    let todo = commands(input.get("command").unwrap_or(&Value::None)).into();
    session.memory.strands.shelling = Shelling { todo, folder, results: Vec::new() };
    if is_on(input, "parallel") { together(input, session) } else { next(input, session) }
}

pub fn settle(input: &Value, done: Performed, session: &mut Session) -> Served {
    let shelling = &mut session.memory.strands.shelling;
    let done = match done {
        Performed::Stubbed { text } => return Served::Reply(ToolReply::ok(text)),
        Performed::Denied { reason } => {
            let text = reason.filter(|reason| !reason.is_empty()).unwrap_or_else(|| "tool cancelled by user".into());
            return Served::Reply(ToolReply::error(text).by(ReplyAuthor::Caller));
        }
        done => done,
    };
    if is_on(input, "parallel") {
        return settle_together(input, done, shelling);
    }
    let command = shelling.todo.pop_front().and_then(|command| line(&command).ok()).unwrap_or_default();
    let result = match done {
        Performed::Ran(output) => Outcome::of(command.clone(), output, input),
        Performed::Failed { message, .. } => Outcome::failed(command.clone(), message),
        _ => Outcome::failed(command.clone(), String::new()),
    };
    shelling.came(&command, result, input);
    next(input, session)
}

impl Shelling {
    /// Notes a command's result, which decides whether and where the next one runs.
    fn came(&mut self, command: &str, result: Outcome, input: &Value) {
        let is_good = result.exit_code == 0;
        self.results.push(result);
        if is_good {
            if let (Some(to), Some(folder)) = (command.trim().strip_prefix("cd "), &self.folder) {
                self.folder = Some(folder.join(to.trim()));
            }
        } else if !is_on(input, "ignore_errors") {
            self.todo.clear();
        }
    }
}

/// One after the other. A command that is none ends the call once it is reached.
fn next(input: &Value, session: &mut Session) -> Served {
    let own = session.working_directory.clone();
    let shelling = &mut session.memory.strands.shelling;
    while let Some(command) = shelling.todo.front() {
        let command = match command {
            Value::Text(_) | Value::Dict(_) => line(command),
            other => Err(format!("'{}' object has no attribute 'get'", other.type_name())),
        };
        let command = match command {
            Ok(command) => command,
            Err(problem) => return wrong(&problem),
        };
        let Some(timeout) = seconds(input) else {
            shelling.todo.pop_front();
            let late = Outcome::late(command.clone(), input);
            shelling.came(&command, late, input);
            continue;
        };
        let working_directory = shelling.folder.clone().filter(|folder| Some(folder) != own.as_ref());
        return Served::Perform(Effect::Shell { command, working_directory, timeout: Some(timeout) });
    }
    Served::Reply(answer(&shelling.results, input))
}

/// At the same time, all in the folder that the call names.
fn together(input: &Value, session: &mut Session) -> Served {
    let own = session.working_directory.clone();
    let shelling = &mut session.memory.strands.shelling;
    let commands: Result<Vec<String>, String> = shelling.todo.iter().map(line).collect();
    let commands = match commands {
        Ok(commands) => commands,
        Err(problem) => return wrong(&problem),
    };
    let until_failure = !is_on(input, "ignore_errors");
    let Some(timeout) = seconds(input) else {
        let late = commands.into_iter().map(|command| Outcome::late(command, input));
        let results: Vec<Outcome> = late.take(if until_failure { 1 } else { usize::MAX }).collect();
        return Served::Reply(answer(&results, input));
    };
    if commands.is_empty() {
        return Served::Reply(answer(&[], input));
    }
    let working_directory = shelling.folder.clone().filter(|folder| Some(folder) != own.as_ref());
    Served::Perform(Effect::Shells { commands, working_directory, timeout: Some(timeout), until_failure })
}

/// In the order in which they ended. Commands that end after the first failed one are not reported.
fn settle_together(input: &Value, done: Performed, shelling: &Shelling) -> Served {
    let outputs = match done {
        Performed::RanTogether { outputs } => outputs,
        Performed::Failed { message, .. } => return wrong(&message),
        _ => return wrong(""),
    };
    let mut results = Vec::new();
    for Finished { command, output } in outputs {
        let command = shelling.todo.get(command).and_then(|command| line(command).ok()).unwrap_or_default();
        let result = Outcome::of(command, output, input);
        let is_bad = result.exit_code != 0;
        results.push(result);
        if is_bad && !is_on(input, "ignore_errors") {
            break;
        }
    }
    Served::Reply(answer(&results, input))
}

fn answer(results: &[Outcome], input: &Value) -> ToolReply {
    let good = results.iter().filter(|result| result.exit_code == 0).count();
    let bad = results.len() - good;
    let mut text = format!("Execution Summary:\nTotal commands: {}\nSuccessful: {good}\nFailed: {bad}", results.len());
    for Outcome { command, exit_code, output, error } in results {
        let status = if *exit_code == 0 { "success" } else { "error" };
        text.push_str(&format!(
            "\nCommand: {command}\nStatus: {status}\nExit Code: {exit_code}\nOutput: {output}\nError: {error}"
        ));
    }
    if bad == 0 || is_on(input, "ignore_errors") { ToolReply::ok(text) } else { ToolReply::error(text) }
}

fn wrong(problem: &str) -> Served {
    Served::Reply(ToolReply::error(format!("Interactive shell error: {problem}")))
}

/// A text, a list of texts and objects, or a text that is a list in JSON.
fn commands(given: &Value) -> Vec<Value> {
    match given {
        Value::List(items) => items.clone(),
        Value::Text(text) if text.trim().starts_with('[') && text.trim().ends_with(']') => {
            match crate::python::loads(text) {
                Ok(Value::List(items)) => items,
                _ => vec![given.clone()],
            }
        }
        other => vec![other.clone()],
    }
}

/// `validate_command`.
fn line(command: &Value) -> Result<String, String> {
    match command {
        Value::Text(text) => Ok(text.clone()),
        Value::Dict(_) => command
            .get("command")
            .and_then(Value::as_text)
            .filter(|text| !text.is_empty())
            .map(str::to_owned)
            .ok_or_else(|| "Command object must contain a 'command' string".to_owned()),
        _ => Err("Command must be string or dict".to_owned()),
    }
}

fn is_on(input: &Value, flag: &str) -> bool {
    input.get(flag).is_some_and(|value| pydantic::flag(value) == Ok(true))
}

fn timeout(input: &Value) -> i64 {
    input.get("timeout").and_then(|value| pydantic::whole_number(value).ok()).unwrap_or(TIMEOUT)
}

/// `None`: the time is over before it begins.
fn seconds(input: &Value) -> Option<u32> {
    let seconds = timeout(input);
    (seconds > 0).then(|| u32::try_from(seconds).unwrap_or(u32::MAX))
}
