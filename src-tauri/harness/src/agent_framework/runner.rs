//! The two runners of script files that the framework's documents show, in .NET and in Python.

use camino::Utf8Path;

use super::arguments::Arguments;
use super::call::Stop;
use super::python::{self, Value};
use super::tools::Parameters;
use super::variant::Language;
use crate::{ScriptOutput, command, interpreter};
use config::options::{AgentFrameworkOptions, ScriptRunner};

/// What a runner starts.
#[derive(Debug, PartialEq, Eq)]
pub struct Command {
    pub interpreter: &'static str,
    pub arguments: Vec<String>,
    /// Whether it runs in the script's folder instead of the program's.
    pub in_own_folder: bool,
}

/// How the runner would start a script with a call's arguments.
pub fn started(
    runner: ScriptRunner,
    name: &str,
    path: &Utf8Path,
    arguments: &Arguments,
    language: Language,
) -> Result<Command, Stop> {
    let given = Parameters::of(language).arguments;
    let by_ending = path.extension().and_then(interpreter);
    let (interpreter, arguments) = match (runner, language) {
        (ScriptRunner::None, _) => return Err(no_runner(name, language)),
        // The article's runner knows one program.
        (ScriptRunner::Seed, Language::DotNet) => ("python3", named(arguments, language)?),
        (ScriptRunner::Seed | ScriptRunner::ByEnding | ScriptRunner::Command, _) => {
            let interpreter = by_ending.ok_or_else(|| no_runner(name, language))?;
            (interpreter, named(arguments, language)?)
        }
        // A script without an interpreter is started directly.
        (ScriptRunner::Sample, Language::DotNet) => {
            (by_ending.unwrap_or("env"), arguments.positional(given).map_err(Stop::Throws)?)
        }
        (ScriptRunner::Sample, Language::Python) => {
            let value = python::value(arguments.get(given).unwrap_or("null"));
            ("python3", positional(value).map_err(Stop::Throws)?)
        }
    };
    Ok(Command { interpreter, arguments, in_own_folder: runner == ScriptRunner::Sample })
}

/// The runner of skills below a folder.
pub fn of_folder(path: &Utf8Path, settings: &AgentFrameworkOptions) -> ScriptRunner {
    let mut own = settings.folders.iter().filter_map(|(folder, options)| {
        let inside = path.starts_with(folder);
        options.script_runner.filter(|_| inside)
    });
    own.next_back().unwrap_or(settings.script_runner)
}

/// The runner starts Python, and the script's ending asks for another program.
pub fn mistakes_for_python(runner: ScriptRunner, path: &Utf8Path, language: Language) -> bool {
    let is_python_only = match (runner, language) {
        (ScriptRunner::Seed, Language::DotNet) | (ScriptRunner::Sample, Language::Python) => true,
        (ScriptRunner::Seed | ScriptRunner::ByEnding | ScriptRunner::Command | ScriptRunner::None, _)
        | (ScriptRunner::Sample, Language::DotNet) => false,
    };
    is_python_only && path.extension().and_then(interpreter) != Some("python3")
}

/// The command line of `scriptCommand` for a script, quoted.
pub fn template(words: &[String], path: &Utf8Path, arguments: &Arguments, language: Language) -> Result<String, Stop> {
    let given = named(arguments, language)?;
    let mut line: Vec<String> = Vec::new();
    for word in words {
        match word.as_str() {
            "{arguments}" => line.extend(given.iter().cloned()),
            word => line.push(word.replace("{script}", path.as_str())),
        }
    }
    if !words.iter().any(|word| word.contains("{script}")) {
        line.push(path.to_string());
    }
    if !words.iter().any(|word| word == "{arguments}") {
        line.extend(given);
    }
    Ok(command::join(line.iter().map(String::as_str)))
}

/// `--key value` for each argument.
pub fn named(arguments: &Arguments, language: Language) -> Result<Vec<String>, Stop> {
    let given = Parameters::of(language).arguments;
    match language {
        Language::DotNet => arguments.command_line(given).map_err(Stop::Throws),
        Language::Python => Ok(words(&python::value(arguments.get(given).unwrap_or("null")))),
    }
}

/// What the runner makes of a script's output.
pub fn result(runner: ScriptRunner, name: &str, output: &ScriptOutput, language: Language) -> String {
    let stream = |text: &str| match language {
        Language::DotNet => text.to_owned(),
        Language::Python => python::universal_newlines(text).into_owned(),
    };
    let trim = |text: &str| match language {
        Language::DotNet => text.trim().to_owned(),
        Language::Python => python::strip(text).to_owned(),
    };
    let mut text = stream(&output.stdout);
    // The seed's runner takes stdout alone and does not look at the exit code.
    if runner != ScriptRunner::Sample {
        return trim(&text);
    }
    if output.timed_out && language == Language::Python {
        return format!("Error: Script '{name}' timed out after 30 seconds.");
    }
    if !output.stderr.is_empty() {
        text.push_str("\nStderr:\n");
        text.push_str(&stream(&output.stderr));
    }
    if let Some(code) = output.exit_code.filter(|code| *code != 0) {
        text.push_str(&format!("\nScript exited with code {code}"));
    }
    // .NET asks before it trims, Python afterwards.
    let is_empty = match language {
        Language::DotNet => text.is_empty(),
        Language::Python => trim(&text).is_empty(),
    };
    if is_empty { "(no output)".into() } else { trim(&text) }
}

fn no_runner(name: &str, language: Language) -> Stop {
    Stop::Throws(match language {
        Language::DotNet => format!(
            "Script '{name}' cannot be executed because no AgentFileSkillScriptRunner was provided. Supply a script \
             runner when constructing AgentFileSkillsSource to enable script execution."
        ),
        Language::Python => {
            format!("Script '{name}' requires a runner. Provide a script_runner for file-based scripts.")
        }
    })
}

/// The seed's runner in Python: a dict becomes `--key value` except for `None`, a list its texts, anything else
/// nothing.
fn words(value: &Value) -> Vec<String> {
    match value {
        Value::Dict(pairs) => pairs
            .iter()
            .filter(|(_, value)| *value != Value::None)
            .flat_map(|(key, value)| [format!("--{key}"), value.to_str()])
            .collect(),
        Value::List(items) => items.iter().map(Value::to_str).collect(),
        Value::None | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Text(_) => Vec::new(),
    }
}

/// The sample's runner in Python. `Err` is the message of its `TypeError`.
fn positional(value: Value) -> Result<Vec<String>, String> {
    let items = match value {
        Value::None => return Ok(Vec::new()),
        Value::List(items) => items,
        other => {
            return Err(format!(
                "Expected a list of CLI arguments but received {}. File-based skill scripts expect positional arguments \
                 as a list of strings.",
                other.type_name()
            ));
        }
    };
    let text = |item| match item {
        Value::Text(text) => Ok(text),
        other => Err(format!(
            "File-based skill scripts only accept string CLI arguments but received a {}. All array elements must be \
             strings.",
            other.type_name()
        )),
    };
    items.into_iter().map(text).collect()
}
