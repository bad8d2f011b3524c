//! What each tool answers, what it asks the engine to do, and the demo's hook after a call of `Skill`.

use camino::Utf8PathBuf;

use super::hooks::Stashed;
use super::tools::{self, NAME_LIMIT, SKILL, Tool, has_valid_letters};
use super::variant::Variant;
use super::{Detail, editor, file_read, manifest, pydantic, python, shell};
use crate::python::{Value, whole_characters};
use crate::{
    Catalog, Effect, FailureKind, Marked, Origin, Performed, ReplyAuthor, ScriptOutput, Served, Session, ToolReply,
};
use model::ToolCall;

pub fn serve(call: &ToolCall, catalog: &Catalog, session: &mut Session) -> Served {
    let input = python::loads(&call.arguments);
    if is_hooked(call, catalog) {
        return load(call, &input, catalog, session);
    }
    let Some(tool) = Tool::find(&call.name, catalog) else { return Served::Reply(unknown(&call.name)) };
    let is_real = tools::is_real(catalog);
    // It is not made with the decorator that checks.
    if tool == Tool::FileRead && is_real {
        return file_read::serve(&input, session);
    }
    let parameters = if tool == Tool::Shell && is_real { &shell::PARAMETERS } else { tool.parameters() };
    if let Err(problem) = pydantic::check(tool.name(), parameters, &input) {
        return Served::Reply(invalid(&problem));
    }
    let text = input.get(tool.parameter()).and_then(Value::as_text).unwrap_or_default();
    match tool {
        Tool::Skill => Served::Reply(launching(text)),
        Tool::Skills => match half_in(text, call) {
            // The answer names it, and the next request cannot be written.
            Some(half) => Served::Abort(format!(
                "EventLoopException: 'utf-8' codec can't encode character '\\u{half:04x}': surrogates not allowed"
            )),
            None => Served::Reply(activate(text, catalog, session)),
        },
        Tool::FileRead if text.contains('\0') => Served::Reply(exception("Error: embedded null byte")),
        Tool::FileRead => Served::Perform(read_file(text, session)),
        Tool::Editor => editor::serve(&input, session),
        Tool::FileWrite => editor::serve_file_write(&input, session),
        Tool::Shell if is_real => shell::serve(&input, session),
        Tool::Shell => Served::Perform(Effect::Shell { command: text.into(), working_directory: None, timeout: None }),
    }
}

pub fn settle(call: &ToolCall, done: Performed, catalog: &Catalog, session: &mut Session) -> Served {
    let input = python::loads(&call.arguments);
    if is_hooked(call, catalog) {
        let command = pydantic::text_parameter(SKILL, Tool::Skill.parameter(), &input).unwrap_or_default();
        stash(call, command, done, catalog, session);
        return Served::Reply(first_phase(&input, catalog));
    }
    let text = |tool: Tool| pydantic::text_parameter(tool.name(), tool.parameter(), &input).unwrap_or_default();
    Served::Reply(match Tool::find(&call.name, catalog) {
        Some(Tool::FileRead) if tools::is_real(catalog) => return file_read::settle(&input, done, session),
        Some(Tool::Shell) if tools::is_real(catalog) => return shell::settle(&input, done, session),
        Some(tool @ Tool::FileRead) => file(text(tool), done),
        Some(Tool::Editor) => return editor::settle(&input, done, session),
        Some(Tool::FileWrite) => editor::settle_file_write(call, done),
        Some(Tool::Shell | Tool::Skill | Tool::Skills) | None => ran(done),
    })
}

/// The demo's hook after tool calls looks at the name alone.
fn is_hooked(call: &ToolCall, catalog: &Catalog) -> bool {
    call.name == SKILL && Variant::of(catalog) != Variant::Vended
}

/// A call of `Skill`: what the tool says, and then the hook, which reads the skill. The hook takes the command from the
/// input as it is, and its exceptions are not caught.
fn load(call: &ToolCall, input: &Value, catalog: &Catalog, session: &mut Session) -> Served {
    let thrown = match input {
        Value::Dict(_) => match input.get(Tool::Skill.parameter()) {
            Some(Value::Text(command)) if !command.contains('\0') => {
                let folder = tools::base_directory(command, catalog);
                let path = Utf8PathBuf::from(python::join(&folder, "SKILL.md"));
                return Served::Perform(Effect::ReadFile { path, approval: false });
            }
            Some(other) => {
                let problem = match other {
                    Value::Text(_) => "embedded null byte".to_owned(),
                    other => format!(
                        "join() argument must be str, bytes, or os.PathLike object, not '{}'",
                        other.type_name()
                    ),
                };
                stash_failure(call, &other.to_str(), &problem, catalog, session);
                return Served::Reply(first_phase(input, catalog));
            }
            None => "'command'".to_owned(),
        },
        Value::List(_) => "list indices must be integers or slices, not str".into(),
        Value::Text(_) => "string indices must be integers, not 'str'".into(),
        other => format!("'{}' object is not subscriptable", other.type_name()),
    };
    Served::Abort(format!("EventLoopException: {thrown}"))
}

/// What the tool itself says of its input. Whether the skill exists makes no difference.
fn first_phase(input: &Value, catalog: &Catalog) -> ToolReply {
    if Tool::find(SKILL, catalog).is_none() {
        return unknown(SKILL);
    }
    match pydantic::text_parameter(SKILL, Tool::Skill.parameter(), input) {
        Ok(command) => launching(command),
        Err(problem) => invalid(&problem),
    }
}

fn launching(command: &str) -> ToolReply {
    let mut text = Marked::default();
    text.push(&format!("Launching skill: {command}"), Origin::Framework);
    ToolReply::marked(text)
}

/// The hook, once the file was read.
fn stash(call: &ToolCall, command: &str, done: Performed, catalog: &Catalog, session: &mut Session) {
    let skill = tools::loaded_skill(command, catalog).map(|skill| skill.id.clone());
    let folder = tools::base_directory(command, catalog);
    let path = python::join(&folder, "SKILL.md");
    let text = match done {
        Performed::Read { bytes } => python::decode(bytes),
        Performed::Stubbed { text } => {
            let mut block = Marked::default();
            block.push(&text, Origin::User);
            let stashed = Stashed { call_id: call.id.clone(), skill, blocks: vec![block] };
            return session.memory.strands.stash(stashed);
        }
        Performed::Failed { kind, message } => Err(python::os_error(kind, &path).unwrap_or(message)),
        Performed::Denied { reason } => Err(reason.unwrap_or_default()),
        _ => Err(String::new()),
    };
    let text = match &text {
        Ok(text) => python::universal_newlines(text),
        Err(problem) => return stash_failure(call, command, problem, catalog, session),
    };
    let Some(body) = manifest::body(&text) else {
        let line = format!("ERROR: ❌ 技能 '{command}' 格式无效，缺少YAML前置内容");
        return stash_failed(call, command, line, catalog, session);
    };
    let mut running = Marked::default();
    let quoted = format!("\"{command}\" skill is running</command-message>\n<command-name>{command}</command-name>");
    running.push(&format!("<command-message>The {quoted}"), Origin::Framework);
    let mut instructions = Marked::default();
    instructions.push(&format!("Base directory for this skill: {folder}\n\n"), Origin::Framework);
    // A folder that no skill of the list is in still gives its text.
    let field = Origin::Skill { skill: skill.clone().unwrap_or_else(|| command.to_owned()), field: "body".into() };
    instructions.push(body, field);
    session.memory.strands.stash(Stashed { call_id: call.id.clone(), skill, blocks: vec![running, instructions] });
}

fn stash_failure(call: &ToolCall, command: &str, problem: &str, catalog: &Catalog, session: &mut Session) {
    stash_failed(call, command, format!("ERROR: 💥 技能 '{command}' 加载失败: {problem}"), catalog, session);
}

fn stash_failed(call: &ToolCall, command: &str, line: String, catalog: &Catalog, session: &mut Session) {
    let memory = &mut session.memory.strands;
    memory.log.push(line);
    memory.stash(Stashed { call_id: call.id.clone(), skill: None, blocks: vec![failed(command, catalog)] });
}

fn failed(command: &str, catalog: &Catalog) -> Marked {
    let text = match Variant::of(catalog) {
        Variant::Seed => format!("<command-message>The \"{command}\" skill failed to load</command-message>"),
        Variant::DemoRepo | Variant::Vended => format!(
            "<command-message>The \"{command}\" skill launching failed</command-message>\n\
             <command-name>{command}</command-name>"
        ),
    };
    let mut out = Marked::default();
    out.push(&text, Origin::Framework);
    out
}

fn activate(name: &str, catalog: &Catalog, session: &mut Session) -> ToolReply {
    let names = || catalog.skills.iter().map(|skill| skill.name.as_str()).collect::<Vec<_>>().join(", ");
    let says = |text: String| {
        let mut marked = Marked::default();
        marked.push(&text, Origin::Framework);
        ToolReply::marked(marked)
    };
    if name.is_empty() {
        return says(format!("Error: skill_name is required. Available skills: {}", names()));
    }
    let Some(skill) = catalog.skills.iter().find(|skill| skill.id == name) else {
        return says(format!("Skill '{name}' not found. Available skills: {}", names()));
    };
    session.activate(&skill.id);
    match &skill.detail {
        crate::Detail::Strands(Detail { activation, .. }) => ToolReply::marked(activation.clone()),
        _ => says(skill.content.clone()),
    }
}

/// Half of a character that a text of the arguments holds. Python keeps it; UTF-8 cannot.
fn half_in(text: &str, call: &ToolCall) -> Option<u32> {
    whole_characters(&call.arguments).1.filter(|_| text.contains('\u{fffd}'))
}

fn read_file(path: &str, session: &Session) -> Effect {
    let absolute = session.working_directory.as_ref().map_or_else(|| path.into(), |folder| folder.join(path));
    Effect::ReadFile { path: absolute, approval: false }
}

fn file(path: &str, done: Performed) -> ToolReply {
    let (kind, message) = match done {
        Performed::Read { bytes } => {
            return match python::decode(bytes) {
                Ok(text) => ToolReply::ok(python::universal_newlines(&text)),
                Err(problem) => exception(format!("Error: {problem}")),
            };
        }
        Performed::Failed { kind, message } => (kind, message),
        other => return ran(other),
    };
    let class = match kind {
        FailureKind::NotFound => "FileNotFoundError",
        FailureKind::NoPermission => "PermissionError",
        FailureKind::IsFolder => "IsADirectoryError",
        FailureKind::NotFolder => "NotADirectoryError",
        FailureKind::BadPattern | FailureKind::Other => "OSError",
    };
    exception(format!("Error: {class} - {}", python::os_error(kind, path).unwrap_or(message)))
}

/// What a command printed, both streams, without white space around it.
fn ran(done: Performed) -> ToolReply {
    match done {
        Performed::Ran(ScriptOutput { timed_out: true, .. }) => {
            exception("Error: TimeoutExpired - the command timed out")
        }
        Performed::Ran(output) => ToolReply::ok(python::strip(&format!("{}{}", output.stdout, output.stderr))),
        Performed::Stubbed { text } => ToolReply::ok(text),
        // The framework's message when a hook cancels a call.
        Performed::Denied { reason } => {
            let text = reason.filter(|reason| !reason.is_empty());
            ToolReply::error(text.unwrap_or_else(|| "tool cancelled by user".into())).by(ReplyAuthor::Caller)
        }
        Performed::Failed { message, .. } => exception(format!("Error: {message}")),
        // Effects that this harness does not ask for.
        Performed::Agreed
        | Performed::Read { .. }
        | Performed::Wrote
        | Performed::Listed { .. }
        | Performed::Found { .. }
        | Performed::Delegated(_)
        | Performed::RanTogether { .. }
        | Performed::History(_)
        | Performed::Summarised { .. } => exception("Error: "),
    }
}

/// Invalid names get another message than names of missing tools.
fn unknown(name: &str) -> ToolReply {
    let text = if !has_valid_letters(name) {
        format!("Error: tool_name=<{name}> | invalid tool name pattern")
    } else if name.len() > NAME_LIMIT {
        format!("Error: tool_name=<{name}>, tool_name_max_length=<{NAME_LIMIT}> | invalid tool name length")
    } else {
        format!("Unknown tool: {name}")
    };
    ToolReply::error(text).by(ReplyAuthor::Caller)
}

fn invalid(problem: &str) -> ToolReply {
    exception(format!("Error: Validation failed for input parameters: {problem}"))
}

fn exception(text: impl Into<String>) -> ToolReply {
    ToolReply::error(text).by(ReplyAuthor::Exception)
}
