//! A tool call. A skill's instructions are not in the result: they follow all results of the round.

use super::arguments;
use super::expand::{self, Loading};
use super::names;
use super::tools::{self, Tool};
use super::{Detail, Variant, detail};
use crate::{
    Catalog, Delegated, Delegation, DelegationEnd, Effect, FailureKind, Mark, Origin, Performed, ReplyAuthor,
    ScriptOutput, Served, Session, ToolReply,
};
use model::image::ImageKind;
use model::{Image, Message, Part, Role, ToolCall};
use skill::source::Span;

pub fn serve(call: &ToolCall, catalog: &Catalog, session: &mut Session) -> Served {
    let variant = Variant::of(catalog);
    let Some(tool) = Tool::find(&call.name, session) else {
        return Served::Reply(refused(unknown_tool(&call.name, variant, session)).by(ReplyAuthor::Caller));
    };
    let given = match arguments::read(tool.name(), &call.arguments, tool.parameters(), variant) {
        Ok(given) => given,
        Err(error) => return Served::Reply(refused(error).by(ReplyAuthor::Caller)),
    };
    match tool {
        Tool::Skill => {
            let arguments = given.get("args").and_then(serde_json::Value::as_str);
            skill(call, arguments::text(&given, "skill"), arguments, catalog, session)
        }
        Tool::Read => {
            let path = arguments::text(&given, "file_path").into();
            Served::Perform(Effect::ReadFile { path, approval: false })
        }
        Tool::Bash => {
            let timeout = given.get("timeout").and_then(serde_json::Value::as_u64);
            let seconds = timeout.map(|millis| u32::try_from(millis.div_ceil(1000)).unwrap_or(u32::MAX));
            Served::Perform(Effect::Shell {
                command: arguments::text(&given, "command").to_owned(),
                working_directory: None,
                timeout: Some(seconds.unwrap_or(TIMEOUT).clamp(1, LONGEST)),
            })
        }
    }
}

pub fn settle(call: &ToolCall, done: Performed, catalog: &Catalog, session: &mut Session) -> Served {
    if let Some(loading) = session.memory.claude_code.loading.remove(&call.id) {
        return settle_skill(call, loading, done, catalog, session);
    }
    let given = arguments::fields(&call.arguments);
    Served::Reply(match done {
        Performed::Read { bytes } if ImageKind::of(&bytes).is_some() => picture(&bytes),
        Performed::Read { bytes } => match tools::numbered(&bytes, &given) {
            Ok(text) => ToolReply::ok(text),
            Err(error) => refused(error),
        },
        Performed::Ran(output) => ran(&output),
        Performed::Stubbed { text } => ToolReply::ok(text),
        Performed::Denied { reason } => denied(reason),
        Performed::Failed { kind: FailureKind::NotFound, .. } => refused("File does not exist."),
        Performed::Failed { message, .. } => refused(message),
        Performed::Agreed
        | Performed::Wrote
        | Performed::Listed { .. }
        | Performed::Found { .. }
        | Performed::Delegated(_)
        | Performed::RanTogether { .. }
        | Performed::History(_)
        | Performed::Summarised { .. } => refused(OTHER_RESULT),
    })
}

/// Puts the texts that belong to this round behind its results.
pub fn deliver(history: &mut Vec<Message>, session: &mut Session) {
    let pending = std::mem::take(&mut session.memory.claude_code.pending);
    if pending.is_empty() {
        return;
    }
    let parts = pending.iter().map(|marked| Part::Text { text: marked.text.clone() }).collect();
    history.push(Message { role: Role::User, parts });
    session.injected.extend(pending);
}

/// Keeps instructions for the conversation, or a line that it has them already.
pub fn give(loading: &Loading, catalog: &Catalog, session: &mut Session) -> crate::Marked {
    let text = loading.text();
    let loaded = &mut session.memory.claude_code.loaded;
    let is_known = loaded.get(&loading.skill).is_some_and(|known| *known == text.text);
    loaded.insert(loading.skill.clone(), text.text.clone());
    session.activate(&loading.skill);
    if is_known && Variant::of(catalog) == Variant::Newest {
        let name = &loading.name;
        return expand::own(format!("Skill /{name} is already loaded above; instructions unchanged."));
    }
    text
}

/// Seconds, as the tool's schema says.
const TIMEOUT: u32 = 120;
const LONGEST: u32 = 600;

const OTHER_RESULT: &str = "the call brought nothing that this tool can show";

fn skill(call: &ToolCall, raw: &str, arguments: Option<&str>, catalog: &Catalog, session: &mut Session) -> Served {
    let name = names::plain(raw);
    if name.is_empty() {
        return Served::Reply(refused(format!("Invalid skill format: {raw}")));
    }
    let Some((skill, detail)) = names::find(name, catalog).and_then(|skill| Some((skill, detail(skill)?))) else {
        let near = names::near(name, catalog).map_or_else(String::new, |near| format!(". Did you mean {near}?"));
        return Served::Reply(refused(format!("Unknown skill: {name}{near}")));
    };
    if detail.for_users_only {
        let more = match Variant::of(catalog) {
            Variant::Newest => format!(
                ". Ask the user to run /{name} themselves — it cannot be invoked via the Skill tool. Do not replicate this \
                 skill's workflow by other means — it is reserved for explicit user invocation."
            ),
            Variant::Older => String::new(),
        };
        let text = format!("Skill {name} cannot be used with Skill tool due to disable-model-invocation{more}");
        return Served::Reply(refused(text));
    }
    let loading = Loading::new(skill, detail, name, arguments);
    if detail.asks {
        session.memory.claude_code.loading.insert(call.id.clone(), loading);
        return Served::Perform(Effect::Disclose { skill: skill.id.clone(), resource: None });
    }
    go_on(call, loading, catalog, session)
}

fn settle_skill(
    call: &ToolCall,
    mut loading: Loading,
    done: Performed,
    catalog: &Catalog,
    session: &mut Session,
) -> Served {
    let name = loading.name.clone();
    let is_command = !loading.is_asked() && loading.command().is_some();
    match done {
        Performed::Agreed => {}
        Performed::Ran(output) => loading.printed(expand::output(&output)),
        Performed::Stubbed { text } if is_command => loading.printed(text),
        Performed::Stubbed { text } => return Served::Reply(ToolReply::ok(text)),
        Performed::Delegated(delegated) => return Served::Reply(forked(&name, delegated)),
        Performed::Denied { .. } if loading.is_asked() => {
            return Served::Reply(not_allowed(&name, Variant::of(catalog)).by(ReplyAuthor::Caller));
        }
        Performed::Denied { reason } => return Served::Reply(denied(reason)),
        Performed::Failed { message, .. } => return Served::Reply(refused(message)),
        Performed::Read { .. }
        | Performed::Wrote
        | Performed::Listed { .. }
        | Performed::Found { .. }
        | Performed::RanTogether { .. }
        | Performed::History(_)
        | Performed::Summarised { .. } => return Served::Reply(refused(OTHER_RESULT)),
    }
    go_on(call, loading, catalog, session)
}

/// The next command, the sub-agent, or the result.
fn go_on(call: &ToolCall, mut loading: Loading, catalog: &Catalog, session: &mut Session) -> Served {
    loading.begin();
    if let Some(command) = loading.command() {
        let effect = Effect::Shell { command: command.to_owned(), working_directory: None, timeout: None };
        session.memory.claude_code.loading.insert(call.id.clone(), loading);
        return Served::Perform(effect);
    }
    let known = catalog.skills.iter().find(|skill| skill.id == loading.skill);
    let fork = known.and_then(|skill| Some((skill, detail(skill).filter(|detail| detail.forks)?)));
    if let Some((skill, detail)) = fork {
        let effect = Effect::Delegate(delegation(detail, &loading, catalog));
        session.activate(&skill.id);
        session.memory.claude_code.loading.insert(call.id.clone(), loading);
        return Served::Perform(effect);
    }
    let text = give(&loading, catalog, session);
    session.memory.claude_code.pending.push(text);
    Served::Reply(ToolReply::marked(expand::own(format!("Launching skill: {}", loading.name))))
}

/// The instructions are the prompt of a separate conversation, which uses the skill's model.
fn delegation(detail: &Detail, loading: &Loading, catalog: &Catalog) -> Delegation {
    let models = &catalog.options.claude_code.models;
    Delegation {
        agent: detail.agent.clone(),
        model: detail.model.as_ref().and_then(|name| models.get(name)).cloned(),
        with_history: false,
        messages: vec![Message::user(loading.text().text)],
        tools: tools::of_sub_agent(),
        iterations: None,
        max_tokens: None,
    }
}

fn forked(name: &str, delegated: Delegated) -> ToolReply {
    if let DelegationEnd::Failed(error) = delegated.end {
        return refused(error);
    }
    let answer = delegated.messages.iter().rev().find(|message| message.role == Role::Assistant);
    let answer = answer.map(Message::text).unwrap_or_default();
    let opening = format!("Skill \"{name}\" completed (forked execution).\n\nResult:\n");
    let start = opening.len();
    let text = opening + &answer;
    let mark = |start, end, origin| Mark { span: Span::new(start, end), origin };
    let mut marks = vec![mark(0, start, Origin::Framework)];
    if text.len() > start {
        marks.push(mark(start, text.len(), Origin::Tool { tool: Tool::Skill.name().into() }));
    }
    ToolReply { marks, ..ToolReply::ok(text) }
}

/// The picture alone, without words. The client makes one smaller that is too long for the API; here it is refused.
fn picture(bytes: &[u8]) -> ToolReply {
    match Image::of(bytes) {
        Ok(image) => ToolReply::pictured("", image),
        Err(unfit) => refused(format!("Skill Workbench cannot show this image: {}", unfit.worded().en)),
    }
}

fn ran(output: &ScriptOutput) -> ToolReply {
    let text = expand::output(output);
    match output.exit_code {
        Some(0) => ToolReply::ok(text),
        _ if output.timed_out => ToolReply::error(format!("Command timed out\n{text}")),
        Some(code) => ToolReply::error(format!("Exit code {code}\n{text}")),
        None => ToolReply::error(text),
    }
}

fn not_allowed(name: &str, variant: Variant) -> ToolReply {
    let more = match variant {
        Variant::Newest => {
            format!(
                ". The user can add the allow rule Skill({name}) to .claude/settings.local.json to let it run without asking."
            )
        }
        Variant::Older => String::new(),
    };
    ToolReply::error(format!("Execute skill: {name}{more}"))
}

fn denied(reason: Option<String>) -> ToolReply {
    let text = match reason {
        Some(reason) => format!("The user did not allow this call: {reason}"),
        None => "The user did not allow this call.".to_owned(),
    };
    ToolReply::error(text).by(ReplyAuthor::Caller)
}

fn refused(text: impl AsRef<str>) -> ToolReply {
    ToolReply::error(format!("<tool_use_error>{}</tool_use_error>", text.as_ref()))
}

fn unknown_tool(name: &str, variant: Variant, session: &Session) -> String {
    let near = Tool::all(session).into_iter().find(|tool| tool.name().eq_ignore_ascii_case(name));
    let near = near.filter(|_| variant == Variant::Newest);
    let near = near.map(|tool| format!(". Tool names are case-sensitive: call {} instead.", tool.name()));
    format!("Error: No such tool available: {name}{}", near.unwrap_or_default())
}
