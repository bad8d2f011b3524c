//! AgentScope Python: `LocalSkillLoader`, the `<agent-skills>` block of the system prompt, and the `Skill` tool, which
//! gives a skill's instructions and nothing else.

mod frontmatter;
mod load;
mod repair;

pub use load::load;

use serde_json::json;

use super::{from_skill, text};
use crate::python::{Value, cut, loads, repr, strip, whole_characters};
use crate::{Catalog, Disclosure, Expressed, Marked, Origin, PresentedTool, ReplyAuthor, Served, Session, ToolReply};
use config::ScreenplayStep;
use model::{ToolCall, ToolDef};

/// `Toolkit.get_skill_instructions`; `None` without skills. Nothing is escaped.
pub fn prompt(catalog: &Catalog) -> Option<Marked> {
    if catalog.skills.is_empty() {
        return None;
    }
    let mut out = Marked::default();
    out.push(text(include_str!("templates/python.txt")), Origin::Framework);
    for skill in &catalog.skills {
        out.push("\n<skill>\n<name>", Origin::Framework);
        out.push(&skill.name, from_skill(skill, "name"));
        out.push("</name>\n<description>", Origin::Framework);
        out.push(&skill.description, from_skill(skill, "description"));
        let folder = skill.path.as_ref().map_or("", |folder| folder.as_str());
        out.push(&format!("</description>\n<dir>{folder}</dir>\n</skill>"), Origin::Framework);
    }
    out.push("\n</agent-skills>", Origin::Framework);
    Some(out)
}

/// Without skills there is no tool.
pub fn tools(catalog: &Catalog) -> Vec<PresentedTool> {
    if catalog.skills.is_empty() {
        return Vec::new();
    }
    vec![PresentedTool::plain(ToolDef {
        name: SKILL.into(),
        description: "Retrieve a skill within the conversation. When users asks you to perform tasks, check if any of \
                      the available skills match. Skills provide specialized capabilities and domain knowledge."
            .into(),
        parameters: json!({
            "type": "object",
            "properties": {"skill": {"type": "string", "description": "The exact name of the skill to view. "}},
            "required": ["skill"],
        }),
    })]
}

pub fn serve(call: &ToolCall, catalog: &Catalog, session: &mut Session) -> Served {
    if call.name != SKILL || catalog.skills.is_empty() {
        let text = format!("ToolNotFoundError: The tool named '{}' doesn't exist.", named(&call.name));
        return Served::Reply(ToolReply::error(text).by(ReplyAuthor::Caller));
    }
    let name = match skill_named(call) {
        Ok(name) => name,
        Err(text) => return Served::Reply(ToolReply::error(text).by(ReplyAuthor::Caller)),
    };
    if name.contains('\u{fffd}') && whole_characters(&call.arguments).1.is_some() {
        // Half of a character is in the answer, which cannot be kept.
        return Served::Abort("ExceptionGroup: One or more tool calls raised an exception (1 sub-exception)".into());
    }
    if let Some(other) = other_argument(call) {
        let text = format!("SkillViewer.call() got an unexpected keyword argument '{other}'");
        return Served::Reply(ToolReply::error(text));
    }
    Served::Reply(match catalog.skills.iter().find(|skill| skill.name == name) {
        Some(skill) => {
            session.activate(&skill.id);
            let mut out = Marked::default();
            out.push(&skill.content, from_skill(skill, "body"));
            ToolReply::marked(out)
        }
        None => ToolReply::error(format!("SkillNotFoundError: Skill '{name}' not found.")),
    })
}

/// A call without a name gets one as its stream is read.
pub fn named(tool: &str) -> &str {
    if tool.is_empty() { "unknown" } else { tool }
}

/// The first argument that the method has no parameter for.
fn other_argument(call: &ToolCall) -> Option<String> {
    let given = arguments(&call.arguments).unwrap_or_default();
    given.into_iter().map(|(name, _)| name).find(|name| name != PARAMETER)
}

/// There is no tool for files and scripts: the model gets the path of the folder and must use the agent's other tools.
pub fn express(step: &ScreenplayStep, catalog: &Catalog) -> Option<Expressed> {
    match step {
        ScreenplayStep::Activate { activate } => {
            Some(Expressed { tool: SKILL.into(), arguments: json!({"skill": activate}) })
        }
        ScreenplayStep::Call { call, with } if call == SKILL && !catalog.skills.is_empty() => {
            Some(Expressed { tool: SKILL.into(), arguments: with.clone().unwrap_or_else(|| json!({})) })
        }
        ScreenplayStep::Read { .. }
        | ScreenplayStep::Run { .. }
        | ScreenplayStep::Call { .. }
        | ScreenplayStep::Say { .. }
        | ScreenplayStep::Prompt { .. } => None,
    }
}

pub fn disclosure(call: &ToolCall, catalog: &Catalog) -> Disclosure {
    let named = skill_named(call).ok().filter(|_| call.name == SKILL);
    match named.and_then(|name| catalog.skills.iter().find(|skill| skill.name == name)) {
        Some(skill) => Disclosure::Instructions { skill: skill.id.clone() },
        None => Disclosure::None,
    }
}

const SKILL: &str = "Skill";
const PARAMETER: &str = "skill";

/// The argument, converted if it is a number instead of a text. `Err` is the text for the model.
fn skill_named(call: &ToolCall) -> Result<String, String> {
    let value = arguments(&call.arguments)?.into_iter().find(|(name, _)| name == PARAMETER).map(|(_, value)| value);
    let problem = match value {
        Some(Value::Text(name)) => return Ok(name),
        Some(number @ (Value::Int(_) | Value::Float(_))) => return Ok(number.to_str()),
        None => "'skill' is a required property (at $)".into(),
        Some(other @ (Value::None | Value::Bool(_) | Value::List(_) | Value::Dict(_))) => {
            format!("{} is not of type 'string' (at $.skill)", other.to_repr())
        }
    };
    Err(format!("Input validation failed for tool '{SKILL}': {problem}"))
}

/// `_json_loads_with_repair`.
fn arguments(text: &str) -> Result<Vec<(String, Value)>, String> {
    if strip(text).is_empty() {
        return Ok(Vec::new());
    }
    let read = loads(text);
    let mended = match repair::repaired(text, PARAMETER).or_else(|| read.clone().ok()) {
        Some(Value::Dict(pairs)) => Some(pairs),
        _ => None,
    };
    let problem = match (mended, read) {
        (Some(pairs), _) if pairs.iter().all(|(_, value)| is_json(value)) => return Ok(pairs),
        (Some(_), _) => "NaN and Infinity are not valid JSON numbers.".to_owned(),
        (None, Ok(other)) => format!(
            "Your argument string is decoded into a <class '{}'> object, but a dict object is expected!",
            other.type_name()
        ),
        (None, Err(error)) => format!(
            "When decoding your tool arguments from JSON format to a Python dictionary, a JSONDecodeError was raised with \
             message: {error}."
        ),
    };
    let length = text.chars().count();
    let (shown, hint) = if length > LONG {
        let end: String = text.chars().skip(length - ENDS).collect();
        (format!("{}[TRUNCATE]{end}", cut(text, ENDS)), TRUNCATED)
    } else {
        (text.to_owned(), "")
    };
    Err(format!(
        "<system-reminder>Error: {problem}\n\nYour argument string is decoded by the following code snippet{hint}:\n\
         ```python\nimport json\n\nyour_tool_arguments = {}\njson.loads(your_tool_arguments)\n```\n\n**You should \
         recorrect the arguments in JSON format.**</system-reminder>",
        repr(&shown)
    ))
}

/// Whether `json.dumps(allow_nan=False)` takes it.
fn is_json(value: &Value) -> bool {
    match value {
        Value::Float(number) => number.is_finite(),
        Value::List(items) => items.iter().all(is_json),
        Value::Dict(pairs) => pairs.iter().all(|(_, value)| is_json(value)),
        Value::None | Value::Bool(_) | Value::Int(_) | Value::Text(_) => true,
    }
}

/// Characters of arguments that are shown whole.
const LONG: usize = 200;
/// Of each end of longer ones.
const ENDS: usize = 100;

const TRUNCATED: &str = "(Because the JSON string is too long, a truncated label \"[TRUNCATE]\" is used here to indicate the \
                         truncation)";
