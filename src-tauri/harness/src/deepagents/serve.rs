//! A tool call as LangChain's tools and the backend answer it. Their errors are results that the model reads.

use super::files::{self, LINES};
use super::given::Given;
use super::tools::{NAMES, definitions};
use super::{MANIFEST, catalogue};
use crate::python::{self, Value, get};
use crate::{
    Catalog, Delegated, Delegation, DelegationEnd, Effect, FailureKind, FoundLine, Performed, ReplyAuthor, Served,
    Session, ToolReply,
};
use camino::Utf8PathBuf;
use model::image::ImageKind;
use model::{Image, Message, Role, ToolCall};

const SUBAGENT: &str = include_str!("templates/subagent.txt");
const NOT_AVAILABLE: &str = "Error: Execution not available. This agent's backend does not support command execution \
                             (SandboxBackendProtocol). To use the execute tool, provide a backend that implements \
                             SandboxBackendProtocol.";

pub fn serve(call: &ToolCall, catalog: &Catalog, session: &mut Session) -> Served {
    if !NAMES.contains(&call.name.as_str()) {
        let known = NAMES.join(", ");
        return refused(format!("Error: {} is not a valid tool, try one of [{known}].", call.name));
    }
    let Some(given) = Given::of(call) else {
        return refused(format!("Error: the arguments of {} are no JSON object.", call.name));
    };
    match begin(&given, catalog, session) {
        Ok(effect) => Served::Perform(effect),
        Err(text) => refused(text),
    }
}

/// `Err`: the answer for the model, at once.
fn begin(given: &Given, catalog: &Catalog, session: &Session) -> Result<Effect, String> {
    Ok(match given.tool.as_str() {
        "ls" => Effect::ListFolder { path: given.path("path")?, depth: 1 },
        "read_file" => {
            given.number("offset", 0)?;
            given.number("limit", LINES)?;
            Effect::ReadFile { path: given.path("file_path")?, approval: false }
        }
        "write_file" => Effect::WriteFile { path: given.path("file_path")?, text: given.text("content")?.to_owned() },
        "edit_file" => {
            if given.text("old_string")?.is_empty() {
                return Err("Error: old_string cannot be empty. Provide the exact text to replace.".to_owned());
            }
            given.text("new_string")?;
            Effect::ReadFile { path: given.path("file_path")?, approval: false }
        }
        "delete" => {
            let path = given.path("file_path")?;
            let quoted = shlex::try_quote(path.as_str()).map_err(|error| format!("Error: {error}"))?;
            Effect::Shell { command: format!("rm -r -- {quoted}"), working_directory: None, timeout: None }
        }
        "glob" => Effect::FindFiles { path: folder(given, session)?, pattern: given.text("pattern")?.to_owned() },
        "grep" => Effect::SearchFiles {
            path: folder(given, session)?,
            pattern: regex::escape(given.text("pattern")?),
            files: get(&given.arguments, "glob").and_then(Value::as_text).map(str::to_owned),
            ignore_case: false,
            multiline: false,
        },
        "task" => task(given, catalog, session)?,
        _ => return Err(NOT_AVAILABLE.to_owned()),
    })
}

/// Where a search begins: the folder of the run, if no path is given.
fn folder(given: &Given, session: &Session) -> Result<Utf8PathBuf, String> {
    match get(&given.arguments, "path") {
        None | Some(Value::None) => Ok(session.working_directory.clone().unwrap_or_else(|| "/".into())),
        Some(_) => given.path("path"),
    }
}

fn task(given: &Given, catalog: &Catalog, session: &Session) -> Result<Effect, String> {
    if session.delegated {
        return Err("Error: task is not a valid tool for a subagent.".to_owned());
    }
    let kind = given.text("subagent_type")?;
    if kind != GENERAL {
        return Err(format!(
            "We cannot invoke subagent {kind} because it does not exist, the only allowed types are `{GENERAL}`"
        ));
    }
    let instructions = catalogue::instructions(catalog, Some(SUBAGENT.trim_end())).text;
    let tools = definitions().iter().filter(|tool| tool.name != "task").cloned().collect();
    Ok(Effect::Delegate(Delegation {
        agent: Some(GENERAL.to_owned()),
        model: None,
        with_history: false,
        messages: vec![Message::system(instructions), Message::user(given.text("description")?)],
        tools,
        iterations: None,
        max_tokens: None,
    }))
}

const GENERAL: &str = "general-purpose";

pub fn settle(call: &ToolCall, done: Performed, catalog: &Catalog, session: &mut Session) -> Served {
    let Some(given) = Given::of(call) else { return serve(call, catalog, session) };
    let path = match given.tool.as_str() {
        "ls" => given.path("path"),
        "glob" | "grep" => folder(&given, session),
        "task" => Ok(Utf8PathBuf::new()),
        _ => given.path("file_path"),
    };
    let path = match path {
        Ok(path) => path,
        Err(text) => return refused(text),
    };
    let settled = match (given.tool.as_str(), done) {
        (_, Performed::Stubbed { text }) => Ok(text),
        (_, Performed::Denied { reason }) => Err(denied(reason)),
        ("ls", Performed::Listed { entries }) => {
            let name = |path: &str, folder: bool| format!("{path}{}", if folder { "/" } else { "" });
            let paths: Vec<String> = entries.iter().map(|entry| name(entry.path.as_str(), entry.folder)).collect();
            Ok(files::listed(&paths))
        }
        ("ls", Performed::Failed { kind: FailureKind::NotFound, .. }) => {
            Err(format!("Error: Path '{path}': path_not_found"))
        }
        ("ls", Performed::Failed { kind: FailureKind::NotFolder, .. }) => {
            Err(format!("Error: Path '{path}': not_a_directory"))
        }
        ("glob", Performed::Listed { entries }) => {
            let with_hidden =
                given.text("pattern").is_ok_and(|pattern| pattern.split('/').any(|part| part.starts_with('.')));
            let files = entries.iter().filter(|entry| !entry.folder);
            let shown = files.filter(|entry| with_hidden || !files::is_hidden(&entry.path, &path));
            Ok(files::listed(&shown.map(|entry| entry.path.to_string()).collect::<Vec<_>>()))
        }
        // The picture alone.
        ("read_file", Performed::Read { bytes }) if ImageKind::of(&bytes).is_some() => match Image::of(&bytes) {
            Ok(image) => return Served::Reply(ToolReply::pictured("", image)),
            Err(unfit) => Err(format!("Error: Skill Workbench cannot show this image: {}", unfit.worded().en)),
        },
        ("read_file", Performed::Read { bytes }) => read(&given, &path, &bytes, catalog, session),
        ("edit_file", Performed::Read { bytes }) => match edit(&given, &path, &bytes) {
            Ok(text) => return Served::Perform(Effect::WriteFile { path, text }),
            Err(text) => Err(text),
        },
        ("read_file" | "edit_file", Performed::Failed { kind: FailureKind::NotFound | FailureKind::IsFolder, .. }) => {
            Err(format!("Error: File '{path}' not found"))
        }
        ("read_file", Performed::Failed { message, .. }) => {
            Err(format!("Error: Error reading file '{path}': {message}"))
        }
        ("edit_file", Performed::Wrote) => Ok(format!("Successfully replaced the string in '{path}'")),
        ("write_file", Performed::Wrote) => Ok(format!("Updated file {path}")),
        ("grep", Performed::Found { lines }) => Ok(matches(&given, &lines)),
        ("delete", Performed::Ran(output)) if output.exit_code == Some(0) => Ok(format!("Deleted {path}")),
        ("delete", Performed::Ran(output)) => Err(format!("Error: {}", output.stderr.trim_end())),
        ("task", Performed::Delegated(delegated)) => report(delegated),
        (_, Performed::Failed { message, .. }) => Err(format!("Error: {message}")),
        // Effects that these tools do not ask for.
        (tool, _) => Err(format!("Error: {tool} returned nothing")),
    };
    match settled {
        Ok(text) => Served::Reply(ToolReply::ok(text)),
        Err(text) => Served::Reply(ToolReply::error(text)),
    }
}

fn refused(text: String) -> Served {
    Served::Reply(ToolReply::error(text).by(ReplyAuthor::Caller))
}

fn denied(reason: Option<String>) -> String {
    reason.map_or_else(|| "Error: permission denied".to_owned(), |reason| format!("Error: permission denied: {reason}"))
}

fn read(
    given: &Given,
    path: &Utf8PathBuf,
    bytes: &[u8],
    catalog: &Catalog,
    session: &mut Session,
) -> Result<String, String> {
    let wrong = |error: String| format!("Error: Error reading file '{path}': {error}");
    let text = python::decode(bytes).map_err(wrong)?;
    let page = files::page(path, text, given.number("offset", 0)?, given.number("limit", LINES)?);
    if let Some((skill, inner)) = catalog.skill_at(path)
        && inner == MANIFEST
    {
        session.activate(&skill.id.clone());
    }
    page.map_err(|error| format!("Error: {error}"))
}

fn edit(given: &Given, path: &Utf8PathBuf, bytes: &[u8]) -> Result<String, String> {
    let text = python::decode(bytes).map_err(|error| format!("Error: {error}"))?;
    let (old, new) = (given.text("old_string")?, given.text("new_string")?);
    let all = get(&given.arguments, "replace_all").is_some_and(Value::is_true);
    match text.matches(old).count() {
        0 => Err(format!("Error: String not found in file: '{old}'")),
        1 => Ok(text.replacen(old, new, 1)),
        _ if all => Ok(text.replace(old, new)),
        many => Err(format!(
            "Error: String '{old}' appears {many} times in {path}. Use replace_all=True to replace all instances, or \
             provide a more specific string with surrounding context."
        )),
    }
}

fn matches(given: &Given, lines: &[FoundLine]) -> String {
    if lines.is_empty() {
        return "No matches found".to_owned();
    }
    let mut files: Vec<(&str, Vec<&FoundLine>)> = Vec::new();
    for line in lines {
        match files.last_mut() {
            Some((path, lines)) if *path == line.path.as_str() => lines.push(line),
            _ => files.push((line.path.as_str(), vec![line])),
        }
    }
    let shown = |(path, lines): &(&str, Vec<&FoundLine>)| match given.text("output_mode") {
        Ok("content") => {
            let lines: Vec<String> = lines.iter().map(|found| format!("  {}: {}", found.line, found.text)).collect();
            format!("\n{path}:\n{}", lines.join("\n"))
        }
        Ok("count") => format!("{path}: {}", lines.len()),
        _ => (*path).to_owned(),
    };
    files.iter().map(shown).collect::<Vec<_>>().join("\n")
}

/// What the sub-agent said last.
fn report(delegated: Delegated) -> Result<String, String> {
    match delegated.end {
        DelegationEnd::Failed(message) => Err(format!("Error: {message}")),
        DelegationEnd::Done | DelegationEnd::Limited => {
            let said = delegated.messages.iter().rfind(|message| message.role == Role::Assistant);
            Ok(said.map(Message::text).unwrap_or_default())
        }
    }
}
