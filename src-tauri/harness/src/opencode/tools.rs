//! The definitions of the tools for the model, and calls of them as other parts of the program see them. `read` and
//! `bash` have the names and parameters of the client's, and words of ours.

use serde_json::{Map, Value, json};

use super::{BASE_CHARACTERS, CLIENT, catalogue, permission};
use crate::{
    Catalog, Disclosure, Expressed, Marked, Origin, Presentation, PresentedTool, Session, command, interpreter,
};
use config::ScreenplayStep;
use model::{ToolCall, ToolDef};

pub const SKILL: &str = "skill";
pub const READ: &str = "read";
pub const BASH: &str = "bash";

/// Whether the model may load skills at all.
pub fn offers_skills(catalog: &Catalog) -> bool {
    !permission::denies_all(&catalog.options.opencode.permission)
}

/// Those that are here and not denied, in the client's order.
pub fn names(catalog: &Catalog) -> Vec<&'static str> {
    [BASH, READ, SKILL].into_iter().filter(|name| *name != SKILL || offers_skills(catalog)).collect()
}

/// The client's prompt has its place, and the project's own instructions are between it and the list of skills.
pub fn present(catalog: &Catalog, session: &Session) -> Presentation {
    let mut instructions = Marked::default();
    instructions.push_withheld(CLIENT, Some(BASE_CHARACTERS));
    if let Some(own) = session.agent_instructions.as_deref().filter(|own| !own.is_empty()) {
        instructions.push("\n", Origin::Framework);
        instructions.push(own, Origin::User);
    }
    if let Some(list) = catalogue::text(catalog) {
        instructions.push("\n", Origin::Framework);
        instructions.append(&list);
    }
    let tool = |name: &&str| match *name {
        SKILL => PresentedTool::plain(skill_tool()),
        READ => PresentedTool::base(read_tool()),
        _ => PresentedTool::base(bash_tool()),
    };
    let tools = names(catalog).iter().map(tool).collect();
    Presentation { instructions: Some(instructions), tools, ..Presentation::default() }
}

pub fn express(step: &ScreenplayStep, catalog: &Catalog, session: &Session) -> Option<Expressed> {
    let (tool, arguments) = match step {
        ScreenplayStep::Activate { activate } => (SKILL, json!({"name": activate})),
        ScreenplayStep::Read { read } => (READ, json!({"filePath": command::locate(read, catalog, session)})),
        ScreenplayStep::Run { run, with } => {
            let path = command::locate(run, catalog, session);
            let program = path.extension().and_then(interpreter);
            let about = format!("Runs {}", path.file_name().unwrap_or(run));
            (BASH, json!({"command": command::line(program, &path, with.as_ref()), "description": about}))
        }
        ScreenplayStep::Call { call, with } => {
            let known = [SKILL, READ, BASH].into_iter().find(|name| name == call)?;
            (known, with.clone().unwrap_or_else(|| Value::Object(Map::new())))
        }
        ScreenplayStep::Say { .. } | ScreenplayStep::Prompt { .. } => return None,
    };
    names(catalog).contains(&tool).then(|| Expressed { tool: tool.to_owned(), arguments })
}

pub fn disclosure(call: &ToolCall, catalog: &Catalog) -> Disclosure {
    let given: Map<String, Value> = serde_json::from_str(&call.arguments).unwrap_or_default();
    let text = |key: &str| given.get(key).and_then(Value::as_str).unwrap_or_default();
    match call.name.to_lowercase().as_str() {
        SKILL => {
            let skill = catalog.skills.iter().find(|skill| skill.name == text("name"));
            skill.map_or(Disclosure::None, |skill| Disclosure::Instructions { skill: skill.id.clone() })
        }
        READ => command::disclosure(&command::line(Some("cat"), text("filePath").into(), None), catalog),
        BASH => command::disclosure(text("command"), catalog),
        _ => Disclosure::None,
    }
}

/// Lines of a file that are shown at most, if the call does not say.
const LINES: u64 = 2000;

/// The lines that the call asks for, with their numbers.
pub fn numbered(text: &str, given: &Map<String, Value>) -> String {
    let number = |name: &str| given.get(name).and_then(Value::as_u64);
    let whole = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    let from = number("offset").unwrap_or(1).max(1) - 1;
    let lines = text.lines().enumerate().skip(whole(from)).take(whole(number("limit").unwrap_or(LINES)));
    let lines: Vec<String> = lines.map(|(at, line)| format!("{}: {line}", at + 1)).collect();
    format!("<content>\n{}\n</content>", lines.join("\n"))
}

fn skill_tool() -> ToolDef {
    ToolDef {
        name: SKILL.into(),
        description: ABOUT.into(),
        parameters: schema(
            &json!({"name": {"type": "string", "description": "The name of the skill from available_skills"}}),
            &["name"],
        ),
    }
}

const ABOUT: &str = "Load a specialized skill when the task at hand matches one of the skills listed in the system \
                     prompt.\n\nUse this tool to inject the skill's instructions and resources into current conversation. \
                     The output may contain detailed workflow guidance as well as references to scripts, files, etc in \
                     the same directory as the skill.\n\nThe skill name must match one of the skills listed in your system \
                     prompt.\n";

fn read_tool() -> ToolDef {
    let properties = json!({
        "filePath": {"type": "string", "description": "The absolute path of the file"},
        "offset": {"type": "integer", "description": "The line to start at, from 1"},
        "limit": {"type": "integer", "description": "How many lines to read"},
    });
    ToolDef {
        name: READ.into(),
        description: "Reads a file, with the numbers of its lines.".into(),
        parameters: schema(&properties, &["filePath"]),
    }
}

fn bash_tool() -> ToolDef {
    let properties = json!({
        "command": {"type": "string", "description": "The command line"},
        "timeout": {"type": "integer", "description": "Milliseconds"},
        "workdir": {"type": "string", "description": "The folder to run it in"},
        "description": {"type": "string", "description": "What the command does, in a few words"},
    });
    ToolDef {
        name: BASH.into(),
        description: "Runs a command line and returns what it prints.".into(),
        parameters: schema(&properties, &["command", "description"]),
    }
}

fn schema(properties: &Value, required: &[&str]) -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "properties": properties,
        "required": required,
    })
}
