//! The body of `bash`: `subprocess.run(command, shell=True, capture_output=True, text=True, timeout=120)`. The seed has
//! none; this is upstream's, which the recorded runs used.

use crate::python::{Value, cut, strip, universal_newlines};
use crate::{Effect, ScriptOutput, command};

/// Why a command was not run.
pub enum Refusal {
    /// The tool's own words.
    Says(&'static str),
    /// The message of an exception.
    Throws(String),
}

pub fn run(given: &Value) -> Result<Effect, Refusal> {
    let command = match given {
        Value::Text(text) => text.clone(),
        // The first is the command, the others are its `$0`, `$1`, and so on.
        Value::List(_) | Value::Dict(_) => words(given)?,
        Value::None | Value::Bool(_) | Value::Int(_) | Value::Float(_) => {
            return Err(Refusal::Throws(format!("argument of type '{}' is not iterable", given.type_name())));
        }
    };
    if let Value::Text(text) = given
        && DANGEROUS.iter().any(|danger| text.contains(danger))
    {
        return Err(Refusal::Says("Error: Dangerous command blocked"));
    }
    if command.contains('\0') {
        return Err(Refusal::Throws("embedded null byte".into()));
    }
    Ok(Effect::Shell { command, working_directory: None, timeout: Some(TIMEOUT) })
}

/// Both outputs, one behind the other, and nothing of the exit code.
pub fn output(ran: &ScriptOutput) -> String {
    if ran.timed_out {
        return format!("Error: Timeout ({TIMEOUT}s)");
    }
    let joined = format!("{}{}", universal_newlines(&ran.stdout), universal_newlines(&ran.stderr));
    match strip(&joined) {
        "" => "(no output)".into(),
        text => cut(text, OUTPUT).into(),
    }
}

/// Any command that holds one of these is refused, wherever it is in it.
pub const DANGEROUS: [&str; 5] = ["rm -rf /", "sudo", "shutdown", "reboot", "> /dev/"];

/// Seconds.
const TIMEOUT: u32 = 120;

/// Characters that reach the model.
const OUTPUT: usize = 50_000;

fn words(given: &Value) -> Result<String, Refusal> {
    let items = given.items().map_err(Refusal::Throws)?;
    let text = |item: &Value| item.as_text().map(str::to_owned);
    if items.iter().filter_map(text).any(|word| DANGEROUS.contains(&word.as_str())) {
        return Err(Refusal::Says("Error: Dangerous command blocked"));
    }
    let words = items.iter().map(|item| {
        text(item).ok_or_else(|| {
            Refusal::Throws(format!("expected str, bytes or os.PathLike object, not {}", item.type_name()))
        })
    });
    let words = words.collect::<Result<Vec<String>, Refusal>>()?;
    if words.iter().any(|word| word.contains('\0')) {
        return Err(Refusal::Throws("embedded null byte".into()));
    }
    Ok(command::join(["/bin/sh", "-c"].into_iter().chain(words.iter().map(String::as_str))))
}
