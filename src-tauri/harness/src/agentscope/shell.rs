//! `execute_shell_command`, which comes with code execution.

use serde_json::{Value, json};

use super::{Variant, allowed};
use crate::{Catalog, Effect, Performed, ScriptOutput, Served, ToolReply};
use model::ToolDef;

pub const NAME: &str = "execute_shell_command";

pub fn definition(catalog: &Catalog) -> ToolDef {
    let (description, timeout) = match Variant::of(catalog) {
        Variant::Seed | Variant::First => (allowed::description(folder(catalog)), " (default: 300)"),
        Variant::Java | Variant::Python => (NEWEST.to_owned(), ""),
    };
    ToolDef {
        name: NAME.into(),
        description,
        parameters: json!({
            "type": "object",
            "properties": {
                "command": {"type": "string", "description": "The shell command to execute"},
                "timeout": {
                    "type": "integer",
                    "description": format!("The maximum time (in seconds) allowed for the command to run{timeout}"),
                },
            },
            "required": ["command"],
        }),
    }
}

const NEWEST: &str = "Execute given command and return the return code, standard output and error within \
                      <returncode></returncode>, <stdout></stdout> and <stderr></stderr> tags.";

/// As of the seed, commands must be on a list; an application's callback may allow others, and the seed has none.
pub fn serve(arguments: &Value, catalog: &Catalog) -> Served {
    let command = arguments.get("command").and_then(Value::as_str);
    let is_listed = matches!(Variant::of(catalog), Variant::Seed | Variant::First);
    if is_listed && let Some(why) = allowed::refusal(command.unwrap_or_default()) {
        let refused = format!("SecurityError: {why} and no approval callback is configured.");
        return Served::Reply(result(-1, "", &refused));
    }
    match command {
        Some(command) => Served::Perform(Effect::Shell {
            command: command.into(),
            working_directory: folder(catalog).filter(|_| is_listed).map(Into::into),
            timeout: Some(timeout(arguments)),
        }),
        None => Served::Reply(result(-1, "", "Error: null")),
    }
}

pub fn settle(arguments: &Value, done: Performed) -> ToolReply {
    let error = |message: &str| result(-1, "", &format!("Error: {message}"));
    match done {
        Performed::Ran(output) => ran(&output, timeout(arguments)),
        Performed::Stubbed { text } => ToolReply::ok(text),
        Performed::Denied { reason } => error(reason.as_deref().unwrap_or("the user rejected the command")),
        Performed::Failed { message, .. } => error(&message),
        // Effects that the tool does not ask for.
        Performed::Agreed
        | Performed::Read { .. }
        | Performed::Wrote
        | Performed::Listed { .. }
        | Performed::Found { .. }
        | Performed::Delegated(_)
        | Performed::RanTogether { .. }
        | Performed::History(_)
        | Performed::Summarised { .. } => error("null"),
    }
}

/// `workDir`, in which the tool of the seed runs commands.
fn folder(catalog: &Catalog) -> Option<&str> {
    catalog.options.agentscope.work_dir.as_deref().filter(|folder| !folder.is_empty())
}

/// Seconds.
const TIMEOUT: u32 = 300;

fn timeout(arguments: &Value) -> u32 {
    let given = arguments.get("timeout").and_then(Value::as_u64).and_then(|seconds| u32::try_from(seconds).ok());
    given.filter(|seconds| *seconds > 0).unwrap_or(TIMEOUT)
}

fn ran(output: &ScriptOutput, timeout: u32) -> ToolReply {
    let (stdout, stderr) = (lines(&output.stdout), lines(&output.stderr));
    if !output.timed_out {
        return result(output.exit_code.unwrap_or(-1), &stdout, &stderr);
    }
    let late = format!("TimeoutError: The command execution exceeded the timeout of {timeout} seconds.");
    let stderr = if stderr.is_empty() { late } else { format!("{stderr}\n{late}") };
    result(-1, &stdout, &stderr)
}

/// Read line by line and joined again. Empty lines at the start get lost on the way.
fn lines(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    text.strip_suffix('\n').unwrap_or(&text).trim_start_matches('\n').to_owned()
}

fn result(code: i32, stdout: &str, stderr: &str) -> ToolReply {
    let text = format!("<returncode>{code}</returncode><stdout>{stdout}</stdout><stderr>{stderr}</stderr>");
    ToolReply { is_error: code != 0, ..ToolReply::ok(text) }
}
