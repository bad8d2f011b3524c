//! The three tools: what each answers, and what it asks the engine to do.

use std::borrow::Cow;

use camino::Utf8Path;

use super::arguments::Arguments;
use super::call::{Bound, Stop, bind, check_filled};
use super::lookup::{find_file, find_skill};
use super::python::{self, Value};
use super::runner;
use super::tools::{Parameters, Tool};
use super::variant::{Language, Variant};
use crate::python::whole_characters;
use crate::{
    Catalog, CatalogBody, CatalogFile, CatalogSkill, Detail, Effect, FailureKind, Marked, Performed, ReplyAuthor,
    ScriptOutput, Served, Session, ToolReply, interpreter,
};
use config::options::{AgentFrameworkOptions, AutoApproval, ScriptRunner};
use model::ToolCall;

pub fn serve(call: &ToolCall, catalog: &Catalog, session: &mut Session) -> Served {
    let Some(tool) = Tool::find(&call.name, catalog) else {
        let reply = ToolReply::error(format!("Error: Requested function \"{}\" not found.", call.name));
        // Python takes it for a failure of the round.
        return Served::Reply(reply.by(match Variant::of(catalog).language() {
            Language::DotNet => ReplyAuthor::Caller,
            Language::Python => ReplyAuthor::Exception,
        }));
    };
    let (call, half) = whole(call, catalog);
    let repeats = |answer: &Answer| matches!(answer, Answer::Reply { reply, .. } if reply.text.contains('\u{fffd}'));
    if let Some(half) = half.filter(|_| names_half(&call, tool))
        && repeats(&answer(&call, tool, catalog, false))
    {
        // The name is in the answer, and the next request cannot be written.
        return Served::Abort(format!("'utf-8' codec can't encode character '\\u{half:04x}': surrogates not allowed"));
    }
    let call = call.as_ref();
    let asks = asks(tool, catalog);
    match answer(call, tool, catalog, asks) {
        Answer::Perform(effect) => Served::Perform(effect),
        Answer::Reply { .. } if asks => Served::Perform(disclose(call, tool, catalog)),
        Answer::Reply { reply, loaded } => given(reply, loaded, session),
    }
}

/// The call with U+FFFD for halves of characters, which Python keeps in its texts, and the first of them.
fn whole<'a>(call: &'a ToolCall, catalog: &Catalog) -> (Cow<'a, ToolCall>, Option<u32>) {
    match Variant::of(catalog).language() {
        Language::DotNet => (Cow::Borrowed(call), None),
        Language::Python => match whole_characters(&call.arguments) {
            (arguments, half @ Some(_)) => {
                (Cow::Owned(ToolCall { arguments: arguments.into_owned(), ..call.clone() }), half)
            }
            (_, None) => (Cow::Borrowed(call), None),
        },
    }
}

/// Whether a half is in a name that the answer repeats. No skill or file has such a name.
fn names_half(call: &ToolCall, tool: Tool) -> bool {
    let parameters = Parameters::of(Language::Python);
    let arguments = Arguments::of(call, Language::Python);
    let names = [Some(parameters.skill), parameters.file(tool)];
    names.into_iter().flatten().any(|name| arguments.text(name).is_ok_and(|text| text.contains('\u{fffd}')))
}

pub fn settle(call: &ToolCall, done: Performed, catalog: &Catalog, session: &mut Session) -> Served {
    let (call, _) = whole(call, catalog);
    let call = call.as_ref();
    let settings = &catalog.options.agent_framework;
    let language = Variant::of(catalog).language();
    let tool = Tool::find(&call.name, catalog);
    Served::Reply(match done {
        Performed::Agreed => {
            return match tool.map(|tool| answer(call, tool, catalog, false)) {
                Some(Answer::Reply { reply, loaded }) => given(reply, loaded, session),
                Some(Answer::Perform(effect)) => Served::Perform(effect),
                None => Served::Reply(exception("", settings)),
            };
        }
        Performed::Read { bytes } => match language {
            Language::DotNet => ToolReply::ok(decode(&bytes)),
            Language::Python => match python::read_text(&bytes) {
                Ok(text) => ToolReply::ok(text),
                Err(message) => exception(&message, settings),
            },
        },
        Performed::Ran(output) => match named(call, catalog) {
            Some((skill, _)) if skill.path.is_none() => returned(&output, settings),
            found => {
                let name = found.map_or_else(String::new, |(_, file)| file.name.clone());
                let runner = found.map_or(settings.script_runner, |(skill, _)| runner_of(skill, settings));
                ToolReply::ok(runner::result(runner, &name, &output, language))
            }
        },
        Performed::Denied { reason } => ToolReply::error(refusal(reason, catalog)).by(ReplyAuthor::Caller),
        Performed::Stubbed { text } => ToolReply::ok(text),
        Performed::Failed { kind, message } => match tool {
            Some(Tool::RunScript) => not_run(call, &message, catalog),
            Some(Tool::LoadSkill | Tool::ReadResource) | None => {
                exception(&not_read(call, kind, message, catalog), settings)
            }
        },
        // Effects that this harness does not ask for.
        Performed::Wrote
        | Performed::Listed { .. }
        | Performed::Found { .. }
        | Performed::Delegated(_)
        | Performed::RanTogether { .. }
        | Performed::History(_)
        | Performed::Summarised { .. } => exception("", settings),
    })
}

/// `GenerateRejectedFunctionResults` of .NET has the reason, if there is one.
fn refusal(reason: Option<String>, catalog: &Catalog) -> String {
    match (Variant::of(catalog), reason.filter(|reason| !reason.trim().is_empty())) {
        (Variant::DotNet117, Some(reason)) => format!("Tool call invocation rejected. {reason}"),
        (Variant::DotNet117, None) => "Tool call invocation rejected.".to_owned(),
        (Variant::Seed | Variant::Python113 | Variant::Python123, _) => {
            "Error: Tool call invocation was rejected by user.".to_owned()
        }
    }
}

/// The tools whose calls make the framework stop for an approval, even if a rule gives it.
pub fn asking(settings: &AgentFrameworkOptions) -> &'static [&'static str] {
    const LOAD: &str = "load_skill";
    const READ: &str = "read_skill_resource";
    const RUN: &str = "run_skill_script";
    let unasked = (
        settings.disable_load_skill_approval,
        settings.disable_read_skill_resource_approval,
        settings.disable_run_skill_script_approval,
    );
    match unasked {
        (false, false, false) => &[LOAD, READ, RUN],
        (false, false, true) => &[LOAD, READ],
        (false, true, false) => &[LOAD, RUN],
        (true, false, false) => &[READ, RUN],
        (false, true, true) => &[LOAD],
        (true, false, true) => &[READ],
        (true, true, false) => &[RUN],
        (true, true, true) => &[],
    }
}

enum Answer {
    Reply {
        reply: ToolReply,
        /// Id of the skill that the instructions belong to.
        loaded: Option<String>,
    },
    Perform(Effect),
}

impl From<ToolReply> for Answer {
    fn from(reply: ToolReply) -> Self {
        Self::Reply { reply, loaded: None }
    }
}

/// Whether the framework asks the user before it calls the tool at all.
pub fn asks(tool: Tool, catalog: &Catalog) -> bool {
    let settings = &catalog.options.agent_framework;
    if Variant::of(catalog) == Variant::Seed {
        return tool == Tool::RunScript && settings.script_approval;
    }
    let (disabled, automatic) = match tool {
        Tool::LoadSkill => (settings.disable_load_skill_approval, settings.auto_approval != AutoApproval::None),
        Tool::ReadResource => {
            (settings.disable_read_skill_resource_approval, settings.auto_approval != AutoApproval::None)
        }
        Tool::RunScript => (settings.disable_run_skill_script_approval, settings.auto_approval == AutoApproval::All),
    };
    !disabled && !automatic
}

/// The question before a call that needs nothing else from the engine.
fn disclose(call: &ToolCall, tool: Tool, catalog: &Catalog) -> Effect {
    let parameters = Parameters::of(Variant::of(catalog).language());
    let arguments = Arguments::of(call, Variant::of(catalog).language());
    let text = |name: &str| arguments.text(name).unwrap_or_default();
    Effect::Disclose { skill: text(parameters.skill), resource: parameters.file(tool).map(text) }
}

fn given(reply: ToolReply, loaded: Option<String>, session: &mut Session) -> Served {
    if let Some(id) = loaded {
        session.activate(&id);
    }
    Served::Reply(reply)
}

fn answer(call: &ToolCall, tool: Tool, catalog: &Catalog, approval: bool) -> Answer {
    let arguments = Arguments::of(call, Variant::of(catalog).language());
    let settings = &catalog.options.agent_framework;
    answer_bound(tool, &arguments, catalog, approval).unwrap_or_else(|stop| {
        Answer::from(match stop {
            Stop::Says(text) => ToolReply::error(text),
            Stop::Throws(message) if tool == Tool::RunScript => failed_script(&arguments, &message, catalog),
            Stop::Throws(message) => exception(&message, settings),
            Stop::Mismatch(message) => failure("Error: Argument parsing failed.", &message, settings),
        })
    })
}

fn answer_bound(tool: Tool, arguments: &Arguments, catalog: &Catalog, approval: bool) -> Result<Answer, Stop> {
    let variant = Variant::of(catalog);
    let bound = bind(tool, arguments, variant)?;
    check_filled(tool, &bound, variant.language())?;
    let Bound { skill: name, file } = bound;
    let skill = find_skill(catalog, &name).ok_or_else(|| Stop::Says(format!("Error: Skill '{name}' not found.")))?;
    let kind = match tool {
        Tool::LoadSkill => return Ok(Answer::Reply { reply: instructions(skill), loaded: Some(skill.id.clone()) }),
        Tool::ReadResource => "Resource",
        Tool::RunScript => "Script",
    };
    let found = find_file(catalog, tool.files(skill), &file)
        .ok_or_else(|| Stop::Says(format!("Error: {kind} '{file}' not found in skill '{name}'.")))?;
    if tool == Tool::RunScript {
        return run_script(skill, found, arguments, catalog, approval);
    }
    Ok(match &found.body {
        CatalogBody::File(path) if skill.path.is_none() => {
            Answer::Perform(function(skill, found, path, Vec::new(), approval)?)
        }
        CatalogBody::File(path) => Answer::Perform(Effect::ReadFile { path: path.clone(), approval }),
        CatalogBody::Text(text) => ToolReply::ok(text).into(),
    })
}

fn instructions(skill: &CatalogSkill) -> ToolReply {
    match &skill.detail {
        Detail::AgentFramework(detail) => {
            ToolReply::marked(Marked { text: skill.content.clone(), marks: detail.marks.clone() })
        }
        _ => ToolReply::ok(&skill.content),
    }
}

fn run_script(
    skill: &CatalogSkill,
    script: &CatalogFile,
    arguments: &Arguments,
    catalog: &Catalog,
    approval: bool,
) -> Result<Answer, Stop> {
    let language = Variant::of(catalog).language();
    let path = match &script.body {
        CatalogBody::File(path) => path,
        CatalogBody::Text(text) => return canned(script, text, arguments, language).map(Answer::from),
    };
    if skill.path.is_none() {
        check_inline(script, arguments, language)?;
        let given = runner::named(arguments, language)?;
        return Ok(Answer::Perform(function(skill, script, path, given, approval)?));
    }
    let settings = &catalog.options.agent_framework;
    let runner = runner_of(skill, settings);
    if let (ScriptRunner::Command, Some(words)) = (runner, &settings.script_command) {
        return Ok(Answer::Perform(Effect::Shell {
            command: runner::template(words, path, arguments, language)?,
            working_directory: None,
            timeout: None,
        }));
    }
    let command = runner::started(runner, &script.name, path, arguments, language)?;
    Ok(Answer::Perform(Effect::RunScript {
        skill: skill.name.clone(),
        script: script.name.clone(),
        path: path.clone(),
        interpreter: command.interpreter.into(),
        arguments: command.arguments,
        approval,
        working_directory: if command.in_own_folder { path.parent().map(ToOwned::to_owned) } else { None },
    }))
}

/// The runner of the folder that a skill comes from, else of all.
fn runner_of(skill: &CatalogSkill, settings: &AgentFrameworkOptions) -> ScriptRunner {
    skill.path.as_ref().map_or(settings.script_runner, |folder| runner::of_folder(folder, settings))
}

/// A function of the program: a script of the project file replaces its code. No runner is involved.
fn function(
    skill: &CatalogSkill,
    file: &CatalogFile,
    path: &Utf8Path,
    arguments: Vec<String>,
    approval: bool,
) -> Result<Effect, Stop> {
    let interpreter = path
        .extension()
        .and_then(interpreter)
        .ok_or_else(|| Stop::Throws(format!("nothing is known to run {path}")))?;
    Ok(Effect::RunScript {
        skill: skill.name.clone(),
        script: file.name.clone(),
        path: path.to_owned(),
        interpreter: interpreter.into(),
        arguments,
        approval,
        working_directory: None,
    })
}

/// The value that a function returned; a failed one threw an exception.
fn returned(output: &ScriptOutput, settings: &AgentFrameworkOptions) -> ToolReply {
    match output.exit_code {
        Some(0) => ToolReply::ok(output.stdout.trim_end_matches('\n')),
        _ => exception(output.stderr.trim(), settings),
    }
}

/// An inline skill's script with a fixed result; an empty one means a function that returns nothing.
fn canned(script: &CatalogFile, text: &str, arguments: &Arguments, language: Language) -> Result<ToolReply, Stop> {
    if language == Language::DotNet {
        return Ok(match text {
            "" => ToolReply::ok("Success: Function completed.").by(ReplyAuthor::Caller),
            text => ToolReply::ok(text),
        });
    }
    check_inline(script, arguments, language)?;
    Ok(ToolReply::ok(text))
}

/// Python's functions take their arguments by name.
fn check_inline(script: &CatalogFile, arguments: &Arguments, language: Language) -> Result<(), Stop> {
    if language == Language::DotNet {
        return Ok(());
    }
    let name = &script.name;
    match python::value(arguments.get(Parameters::of(language).arguments).unwrap_or("null")) {
        Value::Text(_) => Err(Stop::Throws(format!(
            "Inline script '{name}' received string arguments that were not converted to a dict. Configure an \
             'argument_parser' to convert string-encoded arguments into named keyword arguments."
        ))),
        Value::List(_) => Err(Stop::Throws(format!(
            "Inline script '{name}' requires keyword arguments (dict), but received a list. Array-style arguments are \
             only supported for file-based scripts."
        ))),
        Value::None | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Dict(_) => Ok(()),
    }
}

/// The skill and the file that a call names.
fn named<'a>(call: &ToolCall, catalog: &'a Catalog) -> Option<(&'a CatalogSkill, &'a CatalogFile)> {
    let tool = Tool::find(&call.name, catalog)?;
    let bound = bind(tool, &Arguments::of(call, Variant::of(catalog).language()), Variant::of(catalog)).ok()?;
    let skill = find_skill(catalog, &bound.skill)?;
    Some((skill, find_file(catalog, tool.files(skill), &bound.file)?))
}

/// A script that could not be started. The sample's runner catches that and reports it itself.
fn not_run(call: &ToolCall, message: &str, catalog: &Catalog) -> ToolReply {
    if catalog.options.agent_framework.script_runner == ScriptRunner::Sample {
        let name = named(call, catalog).map_or("", |(_, file)| &file.name);
        return ToolReply::error(format!("Error: Failed to execute script '{name}': {message}"));
    }
    failed_script(&Arguments::of(call, Variant::of(catalog).language()), message, catalog)
}

/// The exception's message for a resource that could not be read.
fn not_read(call: &ToolCall, kind: FailureKind, message: String, catalog: &Catalog) -> String {
    let Some((skill, CatalogFile { name, body: CatalogBody::File(path), .. })) = named(call, catalog) else {
        return message;
    };
    let folder = skill.path.as_deref().map_or("", |path| path.as_str());
    match (Variant::of(catalog), kind) {
        (Variant::Seed | Variant::DotNet117, FailureKind::NotFound) => format!("Could not find file '{path}'."),
        (Variant::Seed | Variant::DotNet117, FailureKind::NoPermission | FailureKind::IsFolder) => {
            format!("Access to the path '{path}' is denied.")
        }
        (Variant::Python113, FailureKind::NotFound | FailureKind::IsFolder | FailureKind::NotFolder) => {
            format!("Resource file '{name}' not found at '{path}'.")
        }
        (Variant::Python123, FailureKind::NotFound | FailureKind::IsFolder | FailureKind::NotFolder) => {
            format!("Resource file '{name}' not found in skill directory '{folder}'.")
        }
        (Variant::Python113 | Variant::Python123, FailureKind::NoPermission) => {
            format!("[Errno 13] Permission denied: '{path}'")
        }
        (_, FailureKind::NotFolder | FailureKind::BadPattern | FailureKind::Other) => message,
    }
}

/// An exception of run_skill_script, which.NET may report itself since 1.17. Bad arguments never reach the tool.
fn failed_script(arguments: &Arguments, message: &str, catalog: &Catalog) -> ToolReply {
    let settings = &catalog.options.agent_framework;
    let variant = Variant::of(catalog);
    match bind(Tool::RunScript, arguments, variant) {
        Ok(Bound { skill, file }) if variant == Variant::DotNet117 && settings.include_detailed_script_errors => {
            ToolReply::error(format!(
                "Error: Failed to execute script '{file}' from skill '{skill}'. Exception: {message}"
            ))
        }
        Ok(_) | Err(_) => exception(message, settings),
    }
}

fn exception(message: &str, settings: &AgentFrameworkOptions) -> ToolReply {
    failure("Error: Function failed.", message, settings)
}

fn failure(what: &str, message: &str, settings: &AgentFrameworkOptions) -> ToolReply {
    let mut text = what.to_owned();
    if settings.include_detailed_errors {
        text.push_str(" Exception: ");
        text.push_str(message);
    }
    ToolReply::error(text).by(ReplyAuthor::Exception)
}

/// `File.ReadAllText`: a byte order mark chooses the encoding and is dropped, the default is UTF-8, and invalid bytes
/// become U+FFFD.
fn decode(bytes: &[u8]) -> String {
    match bytes {
        [0xEF, 0xBB, 0xBF, text @ ..] => String::from_utf8_lossy(text).into_owned(),
        [0xFF, 0xFE, text @ ..] => decode_utf16(text, u16::from_le_bytes),
        [0xFE, 0xFF, text @ ..] => decode_utf16(text, u16::from_be_bytes),
        text => String::from_utf8_lossy(text).into_owned(),
    }
}

fn decode_utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let (pairs, rest) = bytes.as_chunks();
    let units: Vec<u16> = pairs.iter().copied().map(unit).collect();
    let mut text = String::from_utf16_lossy(&units);
    if !rest.is_empty() {
        text.push(char::REPLACEMENT_CHARACTER);
    }
    text
}
