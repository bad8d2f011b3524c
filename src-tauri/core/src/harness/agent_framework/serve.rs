//! The three tools: what each answers, and what it asks the engine to do. Names are looked up exactly as listed, so a
//! path that leaves the skill, a link or another case all come out as "not found".

use super::arguments::Arguments;
use super::tools::Tool;
use crate::config::options::AgentFrameworkOptions;
use crate::harness::{
    Catalog, CatalogBody, CatalogFile, CatalogSkill, Effect, Performed, ReplyAuthor, Served, Session, ToolReply,
    interpreter,
};
use crate::model::ToolCall;

pub fn serve(call: &ToolCall, catalog: &Catalog, session: &mut Session) -> Served {
    let Some(tool) = Tool::find(&call.name, catalog) else {
        return Served::Reply(from_caller(format!("Error: Requested function \"{}\" not found.", call.name)));
    };
    let arguments = Arguments::parse(&call.arguments);
    let served = match tool {
        Tool::LoadSkill => load_skill(&arguments, catalog, session),
        Tool::ReadResource => read_resource(&arguments, catalog),
        Tool::RunScript => run_script(&arguments, catalog),
    };
    served.unwrap_or_else(|stop| {
        Served::Reply(match stop {
            Stop::Says(text) => ToolReply::error(text),
            Stop::Throws(message) => exception(&message, &catalog.options.agent_framework),
        })
    })
}

pub fn settle(done: Performed, settings: &AgentFrameworkOptions) -> ToolReply {
    match done {
        Performed::Read { bytes } => ToolReply::ok(decode(&bytes)),
        // The seed's runner takes stdout alone and does not look at the exit code.
        Performed::Ran(output) => ToolReply::ok(output.stdout.trim()),
        Performed::Denied { reason: _ } => from_caller("Error: Tool call invocation was rejected by user.".into()),
        Performed::Stubbed { text } => ToolReply::ok(text),
        Performed::Failed { message, .. } => exception(&message, settings),
        // Effects that this harness does not ask for.
        Performed::Agreed
        | Performed::Wrote
        | Performed::Listed { .. }
        | Performed::Found { .. }
        | Performed::Delegated(_)
        | Performed::Summarised { .. } => exception("", settings),
    }
}

/// Why a tool gives no result.
enum Stop {
    /// In the tool's own words, which the framework takes for a result.
    Says(String),
    /// The message of an exception.
    Throws(String),
}

fn load_skill(arguments: &Arguments, catalog: &Catalog, session: &mut Session) -> Result<Served, Stop> {
    let name = required(arguments, "skillName")?;
    let skill = find_skill(&filled(name, "Skill")?, catalog)?;
    session.activate(&skill.id);
    Ok(Served::Reply(ToolReply::ok(&skill.content)))
}

fn read_resource(arguments: &Arguments, catalog: &Catalog) -> Result<Served, Stop> {
    let (_, resource) = find_file(arguments, "Resource", "resourceName", catalog, |skill| &skill.resources)?;
    Ok(match &resource.body {
        CatalogBody::File(path) => Served::Perform(Effect::ReadFile { path: path.clone(), approval: false }),
        CatalogBody::Text(text) => Served::Reply(ToolReply::ok(text)),
    })
}

fn run_script(arguments: &Arguments, catalog: &Catalog) -> Result<Served, Stop> {
    let (skill, script) = find_file(arguments, "Script", "scriptName", catalog, |skill| &skill.scripts)?;
    let path = match &script.body {
        CatalogBody::File(path) => path,
        // The delegate of `.AddScript(…, () => { })`.
        CatalogBody::Text(text) if text.is_empty() => return Ok(Served::Reply(nothing_returned())),
        CatalogBody::Text(text) => return Ok(Served::Reply(ToolReply::ok(text))),
    };
    let interpreter = path.extension().and_then(interpreter).ok_or_else(|| {
        Stop::Throws(format!(
            "Script '{}' cannot be executed because no AgentFileSkillScriptRunner was provided. Supply a script \
             runner when constructing AgentFileSkillsSource to enable script execution.",
            script.name
        ))
    })?;
    Ok(Served::Perform(Effect::RunScript {
        skill: skill.name.clone(),
        script: script.name.clone(),
        path: path.clone(),
        interpreter: interpreter.into(),
        arguments: arguments.command_line("arguments").map_err(Stop::Throws)?,
        approval: catalog.options.agent_framework.script_approval,
        working_directory: None,
    }))
}

/// All required arguments are bound before the tool looks at any of them.
fn find_file<'a>(
    arguments: &Arguments,
    kind: &str,
    parameter: &str,
    catalog: &'a Catalog,
    files: fn(&CatalogSkill) -> &[CatalogFile],
) -> Result<(&'a CatalogSkill, &'a CatalogFile), Stop> {
    let skill = required(arguments, "skillName")?;
    let file = required(arguments, parameter)?;
    let skill = filled(skill, "Skill")?;
    let file = filled(file, kind)?;
    let skill = find_skill(&skill, catalog)?;
    let found = files(skill).iter().find(|known| known.name == file);
    let found =
        found.ok_or_else(|| Stop::Says(format!("Error: {kind} '{file}' not found in skill '{}'.", skill.name)))?;
    Ok((skill, found))
}

fn find_skill<'a>(name: &str, catalog: &'a Catalog) -> Result<&'a CatalogSkill, Stop> {
    let found = catalog.skills.iter().find(|skill| skill.name == name);
    found.ok_or_else(|| Stop::Says(format!("Error: Skill '{name}' not found.")))
}

fn required(arguments: &Arguments, parameter: &str) -> Result<String, Stop> {
    arguments.text(parameter).map_err(Stop::Throws)
}

fn filled(text: String, kind: &str) -> Result<String, Stop> {
    if text.trim().is_empty() { Err(Stop::Says(format!("Error: {kind} name cannot be empty."))) } else { Ok(text) }
}

fn exception(message: &str, settings: &AgentFrameworkOptions) -> ToolReply {
    let mut text = String::from("Error: Function failed.");
    if settings.include_detailed_errors {
        text.push_str(" Exception: ");
        text.push_str(message);
    }
    ToolReply::error(text).by(ReplyAuthor::Exception)
}

fn from_caller(text: String) -> ToolReply {
    ToolReply::error(text).by(ReplyAuthor::Caller)
}

fn nothing_returned() -> ToolReply {
    ToolReply::ok("Success: Function completed.").by(ReplyAuthor::Caller)
}

/// `File.ReadAllText`: a byte order mark chooses the encoding and is dropped, the default is UTF-8, and what is not valid
/// becomes U+FFFD.
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
