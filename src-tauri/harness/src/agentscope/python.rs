//! AgentScope Python: `LocalSkillLoader`, the `<agent-skills>` block of the system prompt, and the `Skill` tool, which
//! gives a skill's instructions and nothing else.

mod frontmatter;
mod load;

pub use load::load;

use serde_json::{Map, Value, json};

use super::{from_skill, text};
use crate::{Catalog, Disclosure, Expressed, Marked, Origin, PresentedTool, ReplyAuthor, Session, ToolReply};
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

pub fn serve(call: &ToolCall, catalog: &Catalog, session: &mut Session) -> ToolReply {
    if call.name != SKILL || catalog.skills.is_empty() {
        let text = format!("ToolNotFoundError: The tool named '{}' doesn't exist.", call.name);
        return ToolReply::error(text).by(ReplyAuthor::Caller);
    }
    let name = match skill_named(call) {
        Ok(name) => name,
        Err(problem) => {
            let text = format!("Input validation failed for tool '{SKILL}': {problem}");
            return ToolReply::error(text).by(ReplyAuthor::Caller);
        }
    };
    match catalog.skills.iter().find(|skill| skill.name == name) {
        Some(skill) => {
            session.activate(&skill.id);
            let mut out = Marked::default();
            out.push(&skill.content, from_skill(skill, "body"));
            ToolReply::marked(out)
        }
        None => ToolReply::error(format!("SkillNotFoundError: Skill '{name}' not found.")),
    }
}

/// There is no tool for files and scripts: the model is told of the folder and left with what else the agent has.
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

/// The argument, mended where it is a number instead of a text. `Err` is the message of the validation.
fn skill_named(call: &ToolCall) -> Result<String, String> {
    let arguments: Map<String, Value> = serde_json::from_str(&call.arguments).unwrap_or_default();
    let not_text = |shown: &str| Err(format!("{shown} is not of type 'string' (at $.skill)"));
    match arguments.get("skill") {
        None => Err("'skill' is a required property (at $)".into()),
        Some(Value::String(name)) => Ok(name.clone()),
        Some(Value::Number(number)) => Ok(number.to_string()),
        Some(Value::Null) => not_text("None"),
        Some(Value::Bool(true)) => not_text("True"),
        Some(Value::Bool(false)) => not_text("False"),
        Some(collection) => not_text(&collection.to_string()),
    }
}
