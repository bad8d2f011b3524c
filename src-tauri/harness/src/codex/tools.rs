//! The tools as they are sent to the model, and as others see a call of one. `exec_command` has the name and the parameters
//! of the client's, and words of ours. Newer models have it as a function of the programs that they write for the tool `exec`;
//! here they call it themselves, and the place of that tool's text is shown.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{CLIENT, MANIFEST, models};
use crate::{
    Catalog, Disclosure, Expressed, Marked, Origin, Presentation, PresentedTool, Session, command, interpreter,
};
use camino::{Utf8Path, Utf8PathBuf};
use config::ScreenplayStep;
use model::{ToolCall, ToolDef};

pub const EXEC: &str = "exec_command";

/// Those of a call that are used here.
#[derive(Debug, Deserialize)]
pub struct Arguments {
    pub cmd: String,
    #[serde(default)]
    pub workdir: Option<String>,
}

impl Arguments {
    pub fn read(arguments: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(arguments)
    }
}

/// The client's prompt has its place, the project's own instructions come behind it. The list of skills is a message.
pub fn present(catalog: &Catalog, session: &Session) -> Presentation {
    let mut instructions = Marked::default();
    instructions.push_withheld(CLIENT, None);
    if let Some(own) = session.agent_instructions.as_deref().filter(|own| !own.is_empty()) {
        instructions.push("\n\n", Origin::Framework);
        instructions.push(own, Origin::User);
    }
    Presentation { instructions: Some(instructions), tools: vec![exec_tool(catalog)], ..Presentation::default() }
}

fn exec_tool(catalog: &Catalog) -> PresentedTool {
    let mut description = Marked::default();
    description.push("Runs a command line and returns what it prints.", Origin::Framework);
    let model = models::of(&catalog.options.codex.model);
    if model.tools_as_item {
        description.push("\n\n", Origin::Framework);
        description.push_withheld(CLIENT, model.exec);
    }
    PresentedTool { marks: description.marks, ..PresentedTool::base(exec(description.text)) }
}

fn exec(description: String) -> ToolDef {
    ToolDef {
        name: EXEC.into(),
        description,
        parameters: json!({
            "type": "object",
            "properties": {
                "cmd": {"description": "The command line", "type": "string"},
                "workdir": {"description": "The folder to run it in", "type": "string"},
                "yield_time_ms": {"description": "Milliseconds to wait for output", "type": "number"},
                "max_output_tokens": {"description": "How much of the output to return", "type": "number"},
            },
            "required": ["cmd"],
            "additionalProperties": false,
        }),
    }
}

pub fn express(step: &ScreenplayStep, catalog: &Catalog, session: &Session) -> Option<Expressed> {
    let run = |command: String| Some(Expressed { tool: EXEC.into(), arguments: json!({"cmd": command}) });
    let read = |path: &Utf8Path| run(command::line(Some("cat"), path, None));
    match step {
        ScreenplayStep::Activate { activate } => {
            let skill = catalog.skills.iter().find(|skill| skill.id == *activate);
            let folder = skill.and_then(|skill| skill.path.clone()).unwrap_or_else(|| Utf8PathBuf::from(activate));
            read(&folder.join(MANIFEST))
        }
        ScreenplayStep::Read { read: path } => read(&command::locate(path, catalog, session)),
        ScreenplayStep::Run { run: script, with } => {
            let path = command::locate(script, catalog, session);
            run(command::line(path.extension().and_then(interpreter), &path, with.as_ref()))
        }
        ScreenplayStep::Call { call, with } => (call == EXEC).then(|| Expressed {
            tool: EXEC.into(),
            arguments: with.clone().unwrap_or_else(|| Value::Object(Map::new())),
        }),
        ScreenplayStep::Say { .. } | ScreenplayStep::Prompt { .. } => None,
    }
}

pub fn disclosure(call: &ToolCall, catalog: &Catalog) -> Disclosure {
    match Arguments::read(&call.arguments) {
        Ok(Arguments { cmd, workdir: None }) if call.name == EXEC => command::disclosure(&cmd, catalog),
        Ok(Arguments { cmd, workdir: Some(folder) }) if call.name == EXEC => {
            let there = command::join(["cd", &folder]);
            command::disclosure(&format!("{there} && {cmd}"), catalog)
        }
        Ok(_) | Err(_) => Disclosure::None,
    }
}
