//! The definitions of the tools for the model, and calls of them as other parts of the program see them. The filesystem
//! middleware's come first, as its handler does in the seed.

use serde_json::{Value, json};

use super::MANIFEST;
use super::catalogue::{self, Text, pick, tool_name};
use super::tool::Tool;
use super::{paths, schema};
use crate::{Catalog, CatalogFile, Disclosure, Expressed, PresentedTool, Session, command, interpreter};
use config::ScreenplayStep;
use config::options::{EinoAgent, EinoAgentTools, EinoOptions};
use model::{ToolCall, ToolDef};

impl Tool {
    /// The tool of this name in this conversation. The skill tool may bear the name of another, which it then hides; a
    /// sub-agent has no skills.
    pub fn find(name: &str, settings: &EinoOptions, session: &Session) -> Option<Self> {
        if !session.delegated {
            return Self::of_agent(name, settings);
        }
        let has_files = |agent: &EinoAgent| agent.tools == EinoAgentTools::Filesystem;
        let any = settings.agents.as_ref().is_some_and(|agents| agents.values().any(has_files));
        ALL.into_iter().find(|tool| any && tool.name() == name)
    }

    fn of_agent(name: &str, settings: &EinoOptions) -> Option<Self> {
        if name == tool_name(settings) {
            return Some(Self::Skill);
        }
        ALL.into_iter().find(|tool| tool.name() == name && tool.is_there(settings))
    }

    fn is_there(self, settings: &EinoOptions) -> bool {
        match self {
            Self::Execute => settings.shell,
            Self::Skill | Self::Ls | Self::ReadFile | Self::WriteFile | Self::EditFile | Self::Glob | Self::Grep => {
                settings.filesystem
            }
        }
    }

    fn description(self) -> Text {
        match self {
            Self::Skill => ["", ""],
            Self::Ls => [include_str!("templates/ls_en.txt"), include_str!("templates/ls_zh.txt")],
            Self::ReadFile => [include_str!("templates/read_file_en.txt"), include_str!("templates/read_file_zh.txt")],
            Self::WriteFile => {
                [include_str!("templates/write_file_en.txt"), include_str!("templates/write_file_zh.txt")]
            }
            Self::EditFile => [include_str!("templates/edit_file_en.txt"), include_str!("templates/edit_file_zh.txt")],
            Self::Glob => [include_str!("templates/glob_en.txt"), include_str!("templates/glob_zh.txt")],
            Self::Grep => [include_str!("templates/grep_en.txt"), include_str!("templates/grep_zh.txt")],
            Self::Execute => [include_str!("templates/execute_en.txt"), include_str!("templates/execute_zh.txt")],
        }
    }

    fn definition(self, settings: &EinoOptions) -> ToolDef {
        ToolDef {
            name: self.name().into(),
            description: pick(settings.language, self.description()).into(),
            parameters: schema::of_filesystem(self),
        }
    }
}

pub fn of_filesystem(settings: &EinoOptions) -> Vec<ToolDef> {
    ALL.into_iter().filter(|tool| tool.is_there(settings)).map(|tool| tool.definition(settings)).collect()
}

/// Those of an agent of the hub.
pub fn of_sub_agent(tools: EinoAgentTools, settings: &EinoOptions) -> Vec<ToolDef> {
    match tools {
        EinoAgentTools::None => Vec::new(),
        EinoAgentTools::Filesystem => ALL.into_iter().map(|tool| tool.definition(settings)).collect(),
    }
}

pub fn of_skills(catalog: &Catalog, session: &Session) -> PresentedTool {
    let settings = &catalog.options.eino;
    let description = catalogue::description(catalog, session);
    let definition = ToolDef {
        name: tool_name(settings).into(),
        description: description.text,
        parameters: schema::skill(settings.language),
    };
    PresentedTool { definition, marks: description.marks, compared: true }
}

pub fn express(step: &ScreenplayStep, catalog: &Catalog, session: &Session) -> Option<Expressed> {
    let settings = &catalog.options.eino;
    let expressed = |tool: Tool, arguments: Value| {
        let name = if tool == Tool::Skill { tool_name(settings) } else { tool.name() };
        Tool::find(name, settings, session).map(|_| Expressed { tool: name.into(), arguments })
    };
    match step {
        ScreenplayStep::Activate { activate } => expressed(Tool::Skill, json!({"skill": activate})),
        ScreenplayStep::Read { read } => {
            expressed(Tool::ReadFile, json!({"file_path": command::locate(read, catalog, session)}))
        }
        ScreenplayStep::Run { run, with } => {
            let path = command::locate(run, catalog, session);
            let line = command::line(path.extension().and_then(interpreter), &path, with.as_ref());
            expressed(Tool::Execute, json!({"command": line}))
        }
        ScreenplayStep::Call { call, with } => {
            Tool::find(call, settings, session)?;
            Some(Expressed { tool: call.clone(), arguments: with.clone().unwrap_or_else(|| json!({})) })
        }
        ScreenplayStep::Say { .. } | ScreenplayStep::Prompt { .. } => None,
    }
}

/// By the name in the arguments, by the path that is read, or by a path in a command line.
pub fn disclosure(call: &ToolCall, catalog: &Catalog) -> Disclosure {
    let settings = &catalog.options.eino;
    let Ok(arguments) = serde_json::from_str::<Value>(&call.arguments) else { return Disclosure::None };
    let text = |field: &str| arguments.get(field).and_then(Value::as_str).unwrap_or_default();
    match Tool::of_agent(&call.name, settings) {
        Some(Tool::Skill) => {
            let name = text("skill");
            let known = catalog.skills.iter().find(|skill| skill.name == name);
            known.map_or(Disclosure::None, |skill| Disclosure::Instructions { skill: skill.id.clone() })
        }
        Some(Tool::ReadFile) => {
            let path = paths::clean(text("file_path"));
            match catalog.skill_at(&path) {
                Some((skill, name)) if name == MANIFEST => Disclosure::Instructions { skill: skill.id.clone() },
                Some((skill, name))
                    if lists(&skill.resources, name.as_str()) || lists(&skill.scripts, name.as_str()) =>
                {
                    Disclosure::Resource { skill: skill.id.clone(), resource: name.to_string() }
                }
                _ => Disclosure::None,
            }
        }
        Some(Tool::Execute) => command::disclosure(text("command"), catalog),
        Some(Tool::Ls | Tool::WriteFile | Tool::EditFile | Tool::Glob | Tool::Grep) | None => Disclosure::None,
    }
}

/// Those of the filesystem middleware, in its order.
const ALL: [Tool; 7] =
    [Tool::Ls, Tool::ReadFile, Tool::WriteFile, Tool::EditFile, Tool::Glob, Tool::Grep, Tool::Execute];

fn lists(files: &[CatalogFile], name: &str) -> bool {
    files.iter().any(|file| file.name == name)
}
