//! `execute_shell_command`, which comes with code execution.

use serde_json::{Value, json};

use crate::{Effect, Performed, ScriptOutput, Served, ToolReply};
use model::ToolDef;

pub const NAME: &str = "execute_shell_command";

pub fn definition() -> ToolDef {
    ToolDef {
        name: NAME.into(),
        description: "Execute given command and return the return code, standard output and error within \
                      <returncode></returncode>, <stdout></stdout> and <stderr></stderr> tags."
            .into(),
        parameters: json!({
            "type": "object",
            "properties": {
                "command": {"type": "string", "description": "The shell command to execute"},
                "timeout": {
                    "type": "integer",
                    "description": "The maximum time (in seconds) allowed for the command to run",
                },
            },
            "required": ["command"],
        }),
    }
}

pub fn serve(arguments: &Value) -> Served {
    match arguments.get("command").and_then(Value::as_str) {
        Some(command) => Served::Perform(Effect::Shell {
            command: command.into(),
            working_directory: None,
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
        | Performed::Summarised { .. } => error("null"),
    }
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
