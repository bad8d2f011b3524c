//! A tool call as the loop handles it: arguments, handler, result; an exception anywhere becomes an `Error: …` text that
//! the model reads like any other result.

use super::files::{self, Next};
use super::shell::{self, Refusal};
use super::tool::Tool;
use super::tools;
use super::{Detail, Variant, catalogue, compaction, todo};
use crate::python::{Value, get, item, loads};
use crate::{
    Catalog, CatalogSkill, Delegated, Delegation, DelegationEnd, Effect, Marked, Origin, Performed, ReplyAuthor,
    Served, Session, ToolReply,
};
use model::{Message, Role, ToolCall};

pub fn serve(call: &ToolCall, catalog: &Catalog, session: &mut Session) -> Served {
    let served = given(call, catalog, session).and_then(|(tool, given)| match tool {
        Tool::Bash => bash(&given),
        Tool::ReadFile | Tool::WriteFile | Tool::EditFile => {
            files::begin(tool, &given, session).map(|next| go_on(tool, next)).map_err(Stop::Throws)
        }
        Tool::Todo => update_todos(&given, catalog, session),
        Tool::LoadSkill => load_skill(&given, catalog, session),
        Tool::Task => delegate(&given, catalog, session),
        Tool::Compact => {
            let focus = get(&given, "focus").map(Value::to_str).unwrap_or_default();
            Ok(says(tool, compaction::ask(focus, session)))
        }
    });
    served.unwrap_or_else(|stop| Served::Reply(stop.reply()))
}

pub fn settle(call: &ToolCall, done: Performed, catalog: &Catalog, session: &mut Session) -> Served {
    let settled = given(call, catalog, session).and_then(|(tool, given)| {
        Ok(match (tool, done) {
            (_, Performed::Stubbed { text }) => {
                let mut marked = Marked::default();
                marked.push(&text, Origin::User);
                Served::Reply(ToolReply::marked(marked))
            }
            (Tool::ReadFile | Tool::WriteFile | Tool::EditFile, done) => {
                go_on(tool, files::settle(tool, &given, done, session))
            }
            (_, Performed::Denied { reason }) => return Err(Stop::Throws(files::denied(reason))),
            (_, Performed::Failed { message, .. }) => return Err(Stop::Throws(message)),
            (_, Performed::Ran(output)) => says(tool, shell::output(&output)),
            (_, Performed::Delegated(delegated)) => says(tool, summary(delegated, catalog, session)?),
            // Effects that these tools do not ask for.
            (
                _,
                Performed::Agreed
                | Performed::Read { .. }
                | Performed::Wrote
                | Performed::Listed { .. }
                | Performed::Found { .. }
                | Performed::RanTogether { .. }
                | Performed::History(_)
                | Performed::Summarised { .. },
            ) => return Err(Stop::Throws(String::new())),
        })
    });
    settled.unwrap_or_else(|stop| Served::Reply(stop.reply()))
}

/// Why there is no result.
enum Stop {
    /// The whole text, by the loop or by the tool.
    Says(String),
    /// The message of an exception.
    Throws(String),
}

impl Stop {
    fn reply(self) -> ToolReply {
        let (text, author) = match self {
            Self::Says(text) => (text, ReplyAuthor::Caller),
            Self::Throws(message) => (format!("Error: {message}"), ReplyAuthor::Exception),
        };
        let mut marked = Marked::default();
        marked.push(&text, Origin::Framework);
        ToolReply { is_error: true, ..ToolReply::marked(marked) }.by(author)
    }
}

/// Handlers are lambdas of the script that is started, which an exception about their call names.
const HANDLER: &str = "__main__.<lambda>()";

/// The recorded runs' own; the seed gives none.
const SEED_SUBAGENT: &str = "You are a subagent.";
/// Model calls of a sub-agent.
const ROUNDS: u32 = 30;
/// Of each of its answers.
const MAX_TOKENS: u32 = 8000;

/// The tool that is called, and the keyword arguments. JSON is read before the tool is looked up.
fn given(call: &ToolCall, catalog: &Catalog, session: &Session) -> Result<(Tool, Vec<(String, Value)>), Stop> {
    let json = if call.arguments.is_empty() { "{}" } else { &call.arguments };
    let value = loads(json).map_err(|error| Stop::Says(format!("Error: invalid JSON arguments - {error}")))?;
    let unknown = match Variant::of(catalog) {
        Variant::Seed => format!("Error: unknown tool `{}`", call.name),
        Variant::Upstream => format!("Unknown tool: {}", call.name),
    };
    let tool = Tool::find(&call.name, catalog, session.delegated).ok_or(Stop::Says(unknown))?;
    match value {
        Value::Dict(given) => Ok((tool, given)),
        other => Err(Stop::Throws(format!("{HANDLER} argument after ** must be a mapping, not {}", other.type_name()))),
    }
}

fn bash(given: &[(String, Value)]) -> Result<Served, Stop> {
    match shell::run(item(given, "command").map_err(Stop::Throws)?) {
        Ok(effect) => Ok(Served::Perform(effect)),
        Err(Refusal::Says(text)) => Err(Stop::Says(text.into())),
        Err(Refusal::Throws(message)) => Err(Stop::Throws(message)),
    }
}

fn update_todos(given: &[(String, Value)], catalog: &Catalog, session: &mut Session) -> Result<Served, Stop> {
    let items = item(given, "items").map_err(Stop::Throws)?;
    let todos = &mut session.memory.learn_claude_code.todos;
    todo::update(items, todos, Variant::of(catalog)).map(|text| says(Tool::Todo, text)).map_err(Stop::Throws)
}

fn load_skill(given: &[(String, Value)], catalog: &Catalog, session: &mut Session) -> Result<Served, Stop> {
    let name = item(given, "name").map_err(Stop::Throws)?;
    name.check_hashable().map_err(Stop::Throws)?;
    // Two skills may print the same name if one of the names is not a text.
    let mut skills = catalog.skills.iter().filter_map(|skill| Some((skill, catalogue::detail(skill)?)));
    let is_asked =
        |(skill, detail): &(&CatalogSkill, &Detail)| name.as_text() == Some(&skill.name) && detail.unaskable.is_none();
    let Some((skill, detail)) = skills.find(is_asked) else {
        let name = name.to_str();
        return Err(Stop::Says(match Variant::of(catalog) {
            Variant::Seed => format!("(Error: Skill '{name}' not found)"),
            Variant::Upstream => {
                let types = catalog.skills.iter().map(|skill| catalogue::detail(skill)?.unaskable);
                if let Some((index, other)) = types.enumerate().find_map(|(index, other)| Some((index, other?))) {
                    let message = format!("sequence item {index}: expected str instance, {other} found");
                    return Err(Stop::Throws(message));
                }
                let available: Vec<&str> = catalog.skills.iter().map(|skill| skill.name.as_str()).collect();
                format!("Error: Unknown skill '{name}'. Available: {}", available.join(", "))
            }
        }));
    };
    session.activate(&skill.id);
    Ok(Served::Reply(ToolReply::marked(catalogue::skill(&skill.id, &skill.name, &detail.body))))
}

fn delegate(given: &[(String, Value)], catalog: &Catalog, session: &Session) -> Result<Served, Stop> {
    let prompt = item(given, "prompt").map_err(Stop::Throws)?.to_str();
    let variant = Variant::of(catalog);
    let instructions = match (&catalog.options.learn_claude_code.subagent_instructions, variant) {
        (Some(own), _) => own.clone(),
        (None, Variant::Seed) => SEED_SUBAGENT.into(),
        (None, Variant::Upstream) => format!(
            "You are a coding subagent at {}. Complete the given task, then summarize your findings.",
            catalogue::working_directory(session)
        ),
    };
    let child = tools::offered(catalog, true).into_iter();
    Ok(Served::Perform(Effect::Delegate(Delegation {
        agent: None,
        model: None,
        with_history: false,
        messages: vec![Message::system(instructions), Message::user(prompt)],
        tools: child.map(|tool| tools::definition(tool, variant)).collect(),
        iterations: Some(ROUNDS),
        max_tokens: Some(MAX_TOKENS),
    })))
}

/// What the sub-agent said last. The list of todos is the same object for both loops. The seed takes only the text of an
/// answer without calls; upstream, of the last answer.
fn summary(delegated: Delegated, catalog: &Catalog, session: &mut Session) -> Result<String, Stop> {
    session.memory.learn_claude_code.todos = delegated.memory.learn_claude_code.todos;
    let text = match (delegated.end, Variant::of(catalog)) {
        (DelegationEnd::Failed(message), _) => return Err(Stop::Throws(message)),
        (DelegationEnd::Limited, Variant::Seed) => String::new(),
        (DelegationEnd::Done, _) | (DelegationEnd::Limited, Variant::Upstream) => {
            let answers = delegated.messages.iter().rev().find(|message| message.role == Role::Assistant);
            answers.map(Message::text).unwrap_or_default()
        }
    };
    Ok(if text.is_empty() { "(no summary)".into() } else { text })
}

fn go_on(tool: Tool, next: Next) -> Served {
    match next {
        Next::Perform(effect) => Served::Perform(effect),
        Next::Reply(text) => says(tool, text),
        Next::Fail(text) => {
            let mut marked = Marked::default();
            marked.push(&text, Origin::Tool { tool: tool.name().into() });
            Served::Reply(ToolReply { is_error: true, ..ToolReply::marked(marked) })
        }
    }
}

fn says(tool: Tool, text: String) -> Served {
    let mut marked = Marked::default();
    marked.push(&text, Origin::Tool { tool: tool.name().into() });
    Served::Reply(ToolReply::marked(marked))
}
