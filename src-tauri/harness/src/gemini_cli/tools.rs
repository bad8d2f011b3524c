//! The definitions of the tools for the model, and calls of them as other parts of the program see them. `read_file`
//! and `run_shell_command` have the names and parameters of the client's, and words of ours.

use serde_json::{Map, Value, json};

use super::{CLIENT, catalogue};
use crate::{
    Catalog, Disclosure, Expressed, Marked, Origin, Presentation, PresentedTool, Session, command, interpreter,
};
use config::ScreenplayStep;
use config::options::GeminiApproval;
use model::{ToolCall, ToolDef};

pub const ACTIVATE: &str = "activate_skill";
pub const READ: &str = "read_file";
pub const SHELL: &str = "run_shell_command";

/// Whether the model may load skills at all.
pub fn offers_skills(catalog: &Catalog) -> bool {
    match catalog.options.gemini_cli.approval {
        GeminiApproval::Interactive | GeminiApproval::Yolo => true,
        GeminiApproval::Headless | GeminiApproval::HeadlessAutoEdit => false,
    }
}

/// The client's prompt has its place around the list of skills; the project's own instructions come after it.
pub fn present(catalog: &Catalog, session: &Session) -> Presentation {
    let mut instructions = Marked::default();
    instructions.push_withheld(CLIENT, None);
    if let Some(list) = catalogue::text(catalog) {
        instructions.push("\n\n", Origin::Framework);
        instructions.append(&list);
        instructions.push("\n\n", Origin::Framework);
        instructions.push_withheld(CLIENT, None);
    }
    if let Some(own) = session.agent_instructions.as_deref().filter(|own| !own.is_empty()) {
        instructions.push("\n\n", Origin::Framework);
        instructions.push(own, Origin::User);
    }
    let mut tools: Vec<PresentedTool> = base().into_iter().map(PresentedTool::base).collect();
    if offers_skills(catalog) {
        tools.push(activate_skill(catalog));
    }
    Presentation { instructions: Some(instructions), tools, ..Presentation::default() }
}

pub fn express(step: &ScreenplayStep, catalog: &Catalog, session: &Session) -> Option<Expressed> {
    let (tool, arguments) = match step {
        ScreenplayStep::Activate { activate } => (ACTIVATE, json!({"name": activate})),
        ScreenplayStep::Read { read } => (READ, json!({"file_path": command::locate(read, catalog, session)})),
        ScreenplayStep::Run { run, with } => {
            let path = command::locate(run, catalog, session);
            let program = path.extension().and_then(interpreter);
            (SHELL, json!({"command": command::line(program, &path, with.as_ref())}))
        }
        ScreenplayStep::Call { call, with } => {
            let known = [ACTIVATE, READ, SHELL].into_iter().find(|name| name == call)?;
            (known, with.clone().unwrap_or_else(|| Value::Object(Map::new())))
        }
        ScreenplayStep::Say { .. } | ScreenplayStep::Prompt { .. } => return None,
    };
    let is_offered = tool != ACTIVATE || offers_skills(catalog);
    is_offered.then(|| Expressed { tool: tool.to_owned(), arguments })
}

pub fn disclosure(call: &ToolCall, catalog: &Catalog) -> Disclosure {
    let given: Map<String, Value> = serde_json::from_str(&call.arguments).unwrap_or_default();
    let text = |key: &str| given.get(key).and_then(Value::as_str).unwrap_or_default();
    match call.name.as_str() {
        ACTIVATE => {
            let skill = catalog.skills.iter().find(|skill| skill.name == text("name"));
            skill.map_or(Disclosure::None, |skill| Disclosure::Instructions { skill: skill.id.clone() })
        }
        READ => command::disclosure(&command::line(Some("cat"), text("file_path").into(), None), catalog),
        SHELL => command::disclosure(text("command"), catalog),
        _ => Disclosure::None,
    }
}

fn activate_skill(catalog: &Catalog) -> PresentedTool {
    let entries = catalogue::entries(catalog);
    let mut description = Marked::default();
    description.push("Activates a specialized agent skill by name", Origin::Framework);
    for (at, entry) in entries.iter().enumerate() {
        description.push(if at == 0 { " (Available: '" } else { ", '" }, Origin::Framework);
        entry.push_name(&mut description);
        description.push("'", Origin::Framework);
    }
    description.push(if entries.is_empty() { ". " } else { "). " }, Origin::Framework);
    description.push(ABOUT, Origin::Framework);
    let name = if entries.is_empty() {
        json!({"type": "string", "description": "No skills are currently available."})
    } else {
        let names: Vec<&str> = entries.iter().map(|entry| entry.name()).collect();
        json!({"type": "string", "enum": names, "description": "The name of the skill to activate."})
    };
    let parameters = json!({
        "type": "object",
        "properties": {"name": name},
        "required": ["name"],
        "additionalProperties": false,
        "$schema": "http://json-schema.org/draft-07/schema#",
    });
    let definition = ToolDef { name: ACTIVATE.into(), description: description.text, parameters };
    PresentedTool { definition, marks: description.marks, compared: true }
}

const ABOUT: &str = "Returns the skill's instructions wrapped in `<activated_skill>` tags. These provide specialized \
                     guidance for the current task. Use this when you identify a task that matches a skill's \
                     description. ONLY use names exactly as they appear in the `<available_skills>` section.";

fn base() -> Vec<ToolDef> {
    let schema = |properties: Value, required: &[&str]| json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false});
    let read = schema(
        json!({
            "file_path": {"description": "The path of the file", "type": "string"},
            "start_line": {"description": "The line to start at, from 1", "type": "number"},
            "end_line": {"description": "The last line to read", "type": "number"},
        }),
        &["file_path"],
    );
    let shell = schema(
        json!({
            "command": {"description": "The command line, for `bash -c`", "type": "string"},
            "description": {"description": "What the command does, in a few words", "type": "string"},
            "dir_path": {"description": "The folder to run it in", "type": "string"},
        }),
        &["command"],
    );
    let tool = |name: &str, description: &str, parameters| ToolDef {
        name: name.into(),
        description: description.into(),
        parameters,
    };
    vec![
        tool(READ, "Reads a file and returns its text.", read),
        tool(SHELL, "Runs a command line and returns what it prints.", shell),
    ]
}
