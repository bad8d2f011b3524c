//! The definitions of the tools for the model, and calls of them as other parts of the program see them. `Read` and
//! `Bash` have the names and parameters of the client's, and words of ours.

use serde_json::{Map, Value, json};

use super::arguments::{self, ArgumentKind, Parameter};
use super::{CLIENT, Variant, names};
use crate::{
    Catalog, Disclosure, Expressed, Marked, Origin, Presentation, PresentedTool, Session, command, interpreter,
};
use config::ScreenplayStep;
use model::{ToolCall, ToolDef};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tool {
    Skill,
    Read,
    Bash,
}

impl Tool {
    /// Those of the conversation. A sub-agent has no skills here.
    pub fn all(session: &Session) -> Vec<Self> {
        if session.delegated { vec![Self::Read, Self::Bash] } else { vec![Self::Skill, Self::Read, Self::Bash] }
    }

    pub fn find(name: &str, session: &Session) -> Option<Self> {
        Self::all(session).into_iter().find(|tool| tool.name() == name)
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Skill => "Skill",
            Self::Read => "Read",
            Self::Bash => "Bash",
        }
    }

    pub fn parameters(self) -> &'static [Parameter] {
        match self {
            Self::Skill => &SKILL,
            Self::Read => &READ,
            Self::Bash => &BASH,
        }
    }
}

const SKILL: [Parameter; 2] = [Parameter::text("skill"), Parameter::optional("args", ArgumentKind::Text)];
const READ: [Parameter; 3] = [
    Parameter::text("file_path"),
    Parameter::optional("offset", ArgumentKind::Number),
    Parameter::optional("limit", ArgumentKind::Number),
];
const BASH: [Parameter; 3] = [
    Parameter::text("command"),
    Parameter::optional("timeout", ArgumentKind::Number),
    Parameter::optional("description", ArgumentKind::Text),
];

/// The client's prompt has its place, the project's own instructions come after it. The list of skills is in the first
/// message.
pub fn present(catalog: &Catalog, session: &Session) -> Presentation {
    let mut instructions = Marked::default();
    instructions.push_withheld(CLIENT, None);
    if let Some(own) = session.agent_instructions.as_deref().filter(|own| !own.is_empty()) {
        instructions.push("\n\n", Origin::Framework);
        instructions.push(own, Origin::User);
    }
    let mut tools = vec![skill_tool(Variant::of(catalog))];
    tools.extend(of_sub_agent().into_iter().map(PresentedTool::base));
    Presentation { instructions: Some(instructions), tools, ..Presentation::default() }
}

pub fn of_sub_agent() -> Vec<ToolDef> {
    let schema = |properties: Value, required: &[&str]| json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false});
    let read = schema(
        json!({
            "file_path": {"description": "The absolute path of the file", "type": "string"},
            "offset": {"description": "The line to start at, from 1", "type": "number"},
            "limit": {"description": "How many lines to read", "type": "number"},
        }),
        &["file_path"],
    );
    let bash = schema(
        json!({
            "command": {"description": "The command line", "type": "string"},
            "timeout": {"description": "Milliseconds; at most 600000", "type": "number"},
            "description": {"description": "What the command does, in a few words", "type": "string"},
        }),
        &["command"],
    );
    let tool = |tool: Tool, description: &str, parameters| ToolDef {
        name: tool.name().into(),
        description: description.into(),
        parameters,
    };
    vec![
        tool(Tool::Read, "Reads a file, with the numbers of its lines.", read),
        tool(Tool::Bash, "Runs a command line and returns what it prints.", bash),
    ]
}

pub fn express(step: &ScreenplayStep, catalog: &Catalog, session: &Session) -> Option<Expressed> {
    let (tool, arguments) = match step {
        ScreenplayStep::Activate { activate } => (Tool::Skill, json!({"skill": activate})),
        ScreenplayStep::Read { read } => (Tool::Read, json!({"file_path": command::locate(read, catalog, session)})),
        ScreenplayStep::Run { run, with } => {
            let path = command::locate(run, catalog, session);
            let program = path.extension().and_then(interpreter);
            (Tool::Bash, json!({"command": command::line(program, &path, with.as_ref())}))
        }
        ScreenplayStep::Call { call, with } => {
            (Tool::find(call, session)?, with.clone().unwrap_or_else(|| Value::Object(Map::new())))
        }
        ScreenplayStep::Say { .. } | ScreenplayStep::Prompt { .. } => return None,
    };
    Tool::find(tool.name(), session).map(|tool| Expressed { tool: tool.name().into(), arguments })
}

pub fn disclosure(call: &ToolCall, catalog: &Catalog) -> Disclosure {
    let given = arguments::fields(&call.arguments);
    match call.name.as_str() {
        "Skill" => {
            let skill = names::find(names::plain(arguments::text(&given, "skill")), catalog);
            skill.map_or(Disclosure::None, |skill| Disclosure::Instructions { skill: skill.id.clone() })
        }
        "Read" => {
            let path = arguments::text(&given, "file_path");
            command::disclosure(&command::line(Some("cat"), path.into(), None), catalog)
        }
        "Bash" => command::disclosure(arguments::text(&given, "command"), catalog),
        _ => Disclosure::None,
    }
}

/// Lines of a file that are shown at most, if the call does not say.
const LINES: u64 = 2000;

/// The lines that the call asks for, with their numbers.
pub fn numbered(bytes: &[u8], given: &Map<String, Value>) -> Result<String, &'static str> {
    let Ok(text) = std::str::from_utf8(bytes) else { return Err("This tool cannot read binary files.") };
    let number = |name: &str| given.get(name).and_then(Value::as_u64);
    let from = number("offset").unwrap_or(1).max(1);
    let most = number("limit").unwrap_or(LINES);
    let whole = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    let lines = text.lines().enumerate().skip(whole(from - 1)).take(whole(most));
    Ok(lines.map(|(at, line)| format!("{}\t{line}", at + 1)).collect::<Vec<_>>().join("\n"))
}

fn skill_tool(variant: Variant) -> PresentedTool {
    let mut description = Marked::default();
    description.push_withheld(
        CLIENT,
        Some(match variant {
            Variant::Newest => 1417,
            Variant::Older => 1713,
        }),
    );
    let parameters = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "properties": {
            "skill": {
                "description": "The name of a skill from the available-skills list. Do not guess names.",
                "type": "string",
            },
            "args": {"description": "Optional arguments for the skill", "type": "string"},
        },
        "required": ["skill"],
        "additionalProperties": false,
    });
    let definition = ToolDef { name: Tool::Skill.name().into(), description: description.text, parameters };
    PresentedTool { definition, marks: description.marks, compared: true }
}
