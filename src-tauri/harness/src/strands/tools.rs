//! The definitions of the tools for the model, and calls of them as other parts of the program see them.

use camino::Utf8Path;
use serde_json::json;

use super::pydantic::ParameterKind;
use super::variant::Variant;
use super::{catalogue, demo, editor, python};
use crate::python::Value;
use crate::{Catalog, CatalogSkill, Disclosure, Expressed, PresentedTool, Session, command, interpreter};
use config::ScreenplayStep;
use model::{ToolCall, ToolDef};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tool {
    /// The demo's.
    Skill,
    /// The plugin's.
    Skills,
    FileRead,
    Shell,
    Editor,
    FileWrite,
}

impl Tool {
    pub fn find(name: &str, catalog: &Catalog) -> Option<Self> {
        offered(catalog).into_iter().find(|tool| tool.name() == name)
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Skill => SKILL,
            Self::Skills => "skills",
            Self::FileRead => "file_read",
            Self::Shell => "shell",
            Self::Editor => "editor",
            Self::FileWrite => "file_write",
        }
    }

    /// The name of the parameter that says what to do, or of what.
    pub fn parameter(self) -> &'static str {
        match self {
            Self::Skill | Self::Shell => "command",
            Self::Skills => "skill_name",
            Self::FileRead | Self::Editor | Self::FileWrite => "path",
        }
    }

    /// The tools that pydantic checks. `file_write` does not use the decorator that does that.
    pub fn parameters(self) -> &'static [(&'static str, ParameterKind)] {
        match self {
            Self::Skill | Self::Shell => &[("command", ParameterKind::Text)],
            Self::Skills => &[("skill_name", ParameterKind::Text)],
            Self::FileRead => &[("path", ParameterKind::Text)],
            Self::Editor => &editor::PARAMETERS,
            Self::FileWrite => &[],
        }
    }
}

/// The demo's hook checks for this name, whether there is such a tool or not.
pub const SKILL: &str = "Skill";

pub fn presented(catalog: &Catalog) -> Vec<PresentedTool> {
    let tools = offered(catalog).into_iter().map(|tool| match tool {
        Tool::Skill => {
            let description = catalogue::tool_description(catalog);
            PresentedTool {
                definition: definition(tool, &description.text, "Parameter command"),
                marks: description.marks,
                compared: true,
            }
        }
        Tool::Skills => PresentedTool::plain(definition(tool, SKILLS, "Name of the skill to activate.")),
        Tool::FileRead if is_real(catalog) => from_templates(tool, FILE_READ, FILE_READ_PARAMETERS),
        Tool::Shell if is_real(catalog) => from_templates(tool, SHELL, SHELL_PARAMETERS),
        Tool::FileRead => PresentedTool::plain(definition(tool, FILE_READ_STUB, "File path")),
        Tool::Shell => PresentedTool::plain(definition(tool, SHELL_STUB, "Command line")),
        Tool::Editor => from_templates(tool, EDITOR, EDITOR_PARAMETERS),
        Tool::FileWrite => PresentedTool::plain(ToolDef {
            name: tool.name().into(),
            description: FILE_WRITE.into(),
            parameters: json!({
                "type": "object",
                "properties": {
                    "path": {"type": "string", "description": "The path to the file to write"},
                    "content": {"type": "string", "description": "The content to write to the file"},
                },
                "required": ["path", "content"],
            }),
        }),
    });
    tools.collect()
}

pub fn express(step: &ScreenplayStep, catalog: &Catalog, session: &Session) -> Option<Expressed> {
    let say = |tool: Tool, text: String| {
        Some(Expressed { tool: tool.name().into(), arguments: json!({tool.parameter(): text}) })
    };
    match step {
        ScreenplayStep::Activate { activate } => {
            let tool = if Variant::of(catalog) == Variant::Vended { Tool::Skills } else { Tool::Skill };
            say(tool, activate.clone())
        }
        ScreenplayStep::Read { read } => {
            let mut said = say(Tool::FileRead, command::locate(read, catalog, session).into_string())?;
            if is_real(catalog) {
                said.arguments["mode"] = json!("view");
            }
            Some(said)
        }
        ScreenplayStep::Run { run, with } => {
            let path = command::locate(run, catalog, session);
            let program = path.extension().and_then(interpreter);
            say(Tool::Shell, command::line(program, &path, with.as_ref()))
        }
        ScreenplayStep::Call { call, with } => {
            let tool = Tool::find(call, catalog)?;
            Some(Expressed { tool: tool.name().into(), arguments: with.clone().unwrap_or_else(|| json!({})) })
        }
        ScreenplayStep::Say { .. } | ScreenplayStep::Prompt { .. } => None,
    }
}

pub fn disclosure(call: &ToolCall, catalog: &Catalog) -> Disclosure {
    let input = python::loads(&call.arguments);
    let text_of = |name| input.get(name).and_then(Value::as_text).unwrap_or_default();
    let text = |tool: Tool| text_of(tool.parameter());
    // The hook serves calls of a tool that is not there.
    if call.name == SKILL && Variant::of(catalog) != Variant::Vended {
        let known = loaded_skill(text(Tool::Skill), catalog);
        return known.map_or(Disclosure::None, |skill| Disclosure::Instructions { skill: skill.id.clone() });
    }
    match Tool::find(&call.name, catalog) {
        Some(tool @ (Tool::Skill | Tool::Skills)) => {
            let known = catalog.skills.iter().find(|skill| skill.id == text(tool));
            known.map_or(Disclosure::None, |skill| Disclosure::Instructions { skill: skill.id.clone() })
        }
        Some(Tool::FileRead) => shown(text_of("path"), catalog),
        Some(Tool::Editor) if text_of("command") == "view" => shown(text_of("path"), catalog),
        Some(Tool::Editor | Tool::FileWrite) => Disclosure::None,
        Some(tool @ Tool::Shell) => command::disclosure(text(tool), catalog),
        None => Disclosure::None,
    }
}

fn shown(path: &str, catalog: &Catalog) -> Disclosure {
    match catalog.skill_at(Utf8Path::new(path)) {
        Some((skill, inner)) if inner == demo::MANIFEST => Disclosure::Instructions { skill: skill.id.clone() },
        Some((skill, inner)) if !inner.as_str().is_empty() => {
            Disclosure::Resource { skill: skill.id.clone(), resource: inner.to_string() }
        }
        Some(_) | None => Disclosure::None,
    }
}

/// The skill whose folder a command of the demo's tool loads.
pub fn loaded_skill<'a>(command: &str, catalog: &'a Catalog) -> Option<&'a CatalogSkill> {
    let folder = base_directory(command, catalog);
    let folder = Utf8Path::new(&folder);
    let is_it = |skill: &&CatalogSkill| skill.path.as_ref().is_some_and(|path| same_place(path, folder));
    catalog.skills.iter().find(is_it)
}

/// `os.path.join(SKILLS_ROOT, command)`. The demo has one folder of skills; of several here, the one that lists it.
pub fn base_directory(command: &str, catalog: &Catalog) -> String {
    let listing =
        catalog.skills.iter().find(|skill| skill.id == command).and_then(|skill| skill.path.as_ref()?.parent());
    let root = listing.or(catalog.roots.first().map(|root| root.as_path()));
    python::join(root.map_or("", Utf8Path::as_str), command)
}

/// Without a list of skills the demo has no tool for them.
fn offered(catalog: &Catalog) -> Vec<Tool> {
    let variant = Variant::of(catalog);
    let options = &catalog.options.strands;
    let own = match variant {
        Variant::Seed | Variant::DemoRepo => (!catalog.skills.is_empty()).then_some(Tool::Skill),
        Variant::Vended => Some(Tool::Skills),
    };
    let editor = options.editor.unwrap_or(variant == Variant::Seed).then_some(Tool::Editor);
    let file_write = options.file_write.then_some(Tool::FileWrite);
    [Tool::FileRead, Tool::Shell].into_iter().chain(editor).chain(file_write).chain(own).collect()
}

const SKILLS: &str = "Activate a skill to load its full instructions.\n\nUse this tool to load the complete instructions \
                      for a skill listed in\nthe available_skills section of your system prompt.";
const FILE_READ_STUB: &str = "Read a file (stub standing in for strands_tools.file_read).";
const FILE_WRITE: &str = "Write content to a file with proper formatting and validation based on file type";
/// Each ends in a line feed that is not part of it.
const FILE_READ: &str = include_str!("templates/file_read.txt");
const FILE_READ_PARAMETERS: &str = include_str!("templates/file_read_parameters.json");
const SHELL: &str = include_str!("templates/shell.txt");
const SHELL_PARAMETERS: &str = include_str!("templates/shell_parameters.json");
const EDITOR: &str = include_str!("templates/editor.txt");
const EDITOR_PARAMETERS: &str = include_str!("templates/editor_parameters.json");
const SHELL_STUB: &str = "Run a shell command (stub standing in for strands_tools.shell).";

/// Whether the tools are those of strands_tools. The other variants were recorded with stubs in their place.
pub fn is_real(catalog: &Catalog) -> bool {
    Variant::of(catalog) == Variant::Seed
}

fn from_templates(tool: Tool, description: &str, parameters: &str) -> PresentedTool {
    PresentedTool::plain(ToolDef {
        name: tool.name().into(),
        description: description.trim_end().into(),
        parameters: serde_json::from_str(parameters).expect("the template is JSON"),
    })
}

fn definition(tool: Tool, description: &str, parameter: &str) -> ToolDef {
    ToolDef {
        name: tool.name().into(),
        description: description.into(),
        parameters: json!({
            "properties": {tool.parameter(): {"description": parameter, "type": "string"}},
            "required": [tool.parameter()],
            "type": "object",
        }),
    }
}

/// Whether both name one folder once `.` and `..` are taken out.
fn same_place(a: &Utf8Path, b: &Utf8Path) -> bool {
    fn parts(path: &Utf8Path) -> Vec<&str> {
        let mut parts = Vec::new();
        for part in path.as_str().split('/') {
            match part {
                "" | "." => {}
                ".." => {
                    parts.pop();
                }
                part => parts.push(part),
            }
        }
        parts
    }
    parts(a) == parts(b)
}

/// Characters of a tool's name at most.
pub const NAME_LIMIT: usize = 64;

/// Whether a tool can have this name. A line end behind it passes, as `$` lets it.
pub fn is_tool_name(name: &str) -> bool {
    has_valid_letters(name) && name.chars().count() <= NAME_LIMIT
}

pub fn has_valid_letters(name: &str) -> bool {
    let name = name.strip_suffix('\n').unwrap_or(name);
    !name.is_empty() && name.chars().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-'))
}
