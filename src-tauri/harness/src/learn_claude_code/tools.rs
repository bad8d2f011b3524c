//! The definitions of the tools for the model, and calls of them as other parts of the program see them.

use serde_json::{Map, Value, json};

use super::tool::Tool;
use super::{Variant, compaction};
use crate::python::{self, get};
use crate::{Catalog, Disclosure, Expressed, Session, command, interpreter};
use config::ScreenplayStep;
use model::{ToolCall, ToolDef};

impl Tool {
    /// The tool of this name among those that the conversation has.
    pub fn find(name: &str, catalog: &Catalog, delegated: bool) -> Option<Self> {
        offered(catalog, delegated).into_iter().find(|tool| tool.name() == name)
    }
}

/// In the order of the lists in the code. A sub-agent has those of its chapter, and neither `task` nor `compact`.
pub fn offered(catalog: &Catalog, delegated: bool) -> Vec<Tool> {
    if catalog.refused.is_some() {
        return Vec::new();
    }
    let mut tools = match (Variant::of(catalog), delegated) {
        (Variant::Seed, _) => vec![Tool::Bash, Tool::Todo, Tool::LoadSkill],
        (Variant::Upstream, true) => vec![Tool::Bash, Tool::ReadFile, Tool::WriteFile, Tool::EditFile],
        (Variant::Upstream, false) => {
            vec![Tool::Bash, Tool::ReadFile, Tool::WriteFile, Tool::EditFile, Tool::Todo, Tool::LoadSkill]
        }
    };
    if !delegated {
        tools.push(Tool::Task);
        if compaction::has_tool(catalog) {
            tools.push(Tool::Compact);
        }
    }
    tools
}

pub fn definition(tool: Tool, variant: Variant) -> ToolDef {
    let (description, parameters) = match variant {
        Variant::Seed => seed(tool),
        Variant::Upstream => upstream(tool),
    };
    ToolDef { name: tool.name().into(), description: description.into(), parameters }
}

pub fn express(step: &ScreenplayStep, catalog: &Catalog, session: &Session) -> Option<Expressed> {
    let (tool, arguments) = match step {
        ScreenplayStep::Activate { activate } => (Tool::LoadSkill, json!({"name": activate})),
        ScreenplayStep::Read { read } => {
            let path = command::locate(read, catalog, session);
            (Tool::Bash, json!({"command": command::line(Some("cat"), &path, None)}))
        }
        ScreenplayStep::Run { run, with } => {
            let path = command::locate(run, catalog, session);
            let program = path.extension().and_then(interpreter);
            (Tool::Bash, json!({"command": command::line(program, &path, with.as_ref())}))
        }
        ScreenplayStep::Call { call, with } => {
            let tool = Tool::find(call, catalog, session.delegated)?;
            (tool, with.clone().unwrap_or_else(|| Value::Object(Map::new())))
        }
        ScreenplayStep::Say { .. } | ScreenplayStep::Prompt { .. } => return None,
    };
    let offered = offered(catalog, session.delegated).contains(&tool);
    offered.then(|| Expressed { tool: tool.name().into(), arguments })
}

pub fn disclosure(call: &ToolCall, catalog: &Catalog) -> Disclosure {
    let Ok(python::Value::Dict(arguments)) = python::loads(&call.arguments) else { return Disclosure::None };
    let text = |name: &str| get(&arguments, name).and_then(python::Value::as_text);
    match Tool::find(&call.name, catalog, false) {
        Some(Tool::LoadSkill) => {
            let skill = text("name").and_then(|name| catalog.skills.iter().find(|skill| skill.id == name));
            skill.map_or(Disclosure::None, |skill| Disclosure::Instructions { skill: skill.id.clone() })
        }
        Some(Tool::Bash) => command::disclosure(text("command").unwrap_or_default(), catalog),
        Some(Tool::ReadFile) => {
            let path = text("path").unwrap_or_default();
            command::disclosure(&command::line(Some("cat"), path.into(), None), catalog)
        }
        Some(Tool::WriteFile | Tool::EditFile | Tool::Todo | Tool::Task | Tool::Compact) | None => Disclosure::None,
    }
}

fn seed(tool: Tool) -> (&'static str, Value) {
    match tool {
        Tool::Bash => (
            "Run a bash command",
            json!({
                "type": "object",
                "required": ["command"],
                "properties": {"command": {"type": "string", "description": "The bash command to run"}},
            }),
        ),
        Tool::Todo => (TODO, json!({"type": "object", "required": ["items"], "properties": {"items": todo_items()}})),
        Tool::LoadSkill => (
            "Load a skill file by name",
            json!({
                "type": "object",
                "required": ["name"],
                "properties": {"name": {"type": "string", "description": "The name of the skill to load"}},
            }),
        ),
        Tool::Task => (
            "Spawn a subagent with fresh context.",
            json!({"type": "object", "properties": {"prompt": {"type": "string"}}, "required": ["prompt"]}),
        ),
        // The seed names no file tools and gives no definition of the tool for compaction.
        Tool::ReadFile | Tool::WriteFile | Tool::EditFile | Tool::Compact => upstream(tool),
    }
}

fn upstream(tool: Tool) -> (&'static str, Value) {
    let text = || json!({"type": "string"});
    let schema = |properties: Value, required: &[&str]| json!({"type": "object", "properties": properties, "required": required});
    match tool {
        Tool::Bash => ("Run a shell command.", schema(json!({"command": text()}), &["command"])),
        Tool::ReadFile => {
            ("Read file contents.", schema(json!({"path": text(), "limit": {"type": "integer"}}), &["path"]))
        }
        Tool::WriteFile => {
            ("Write content to file.", schema(json!({"path": text(), "content": text()}), &["path", "content"]))
        }
        Tool::EditFile => (
            "Replace exact text in file.",
            schema(json!({"path": text(), "old_text": text(), "new_text": text()}), &["path", "old_text", "new_text"]),
        ),
        Tool::Todo => (TODO, schema(json!({"items": todo_items()}), &["items"])),
        Tool::LoadSkill => (
            "Load specialized knowledge by name.",
            schema(json!({"name": {"type": "string", "description": "Skill name to load"}}), &["name"]),
        ),
        Tool::Task => (
            "Spawn a subagent with fresh context. It shares the filesystem but not conversation history.",
            schema(
                json!({
                    "prompt": text(),
                    "description": {"type": "string", "description": "Short description of the task"},
                }),
                &["prompt"],
            ),
        ),
        Tool::Compact => (
            "Trigger manual conversation compression.",
            json!({
                "type": "object",
                "properties": {"focus": {"type": "string", "description": "What to preserve in the summary"}},
            }),
        ),
    }
}

const TODO: &str = "Update task list. Track progress on multi-step tasks.";

fn todo_items() -> Value {
    json!({
        "type": "array",
        "items": {
            "type": "object",
            "properties": {
                "id": {"type": "string"},
                "text": {"type": "string"},
                "status": {"type": "string", "enum": ["pending", "in_progress", "completed"]},
            },
            "required": ["id", "text", "status"],
        },
    })
}
