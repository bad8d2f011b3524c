//! The tools as the model is told of them, and as others see a call of one.

use camino::Utf8Path;
use serde_json::json;

use super::variant::Variant;
use super::{catalogue, python};
use crate::config::ScreenplayStep;
use crate::harness::{Catalog, CatalogFile, CatalogSkill, Disclosure, Expressed, PresentedTool, Session, command};
use crate::model::{ToolCall, ToolDef};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tool {
    /// The demo's.
    Skill,
    /// The plugin's.
    Skills,
    FileRead,
    Shell,
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
        }
    }

    /// Every tool has one parameter, a text.
    pub fn parameter(self) -> &'static str {
        match self {
            Self::Skill | Self::Shell => "command",
            Self::Skills => "skill_name",
            Self::FileRead => "path",
        }
    }
}

/// The demo's hook goes by this name, whether there is such a tool or not.
pub const SKILL: &str = "Skill";

pub fn presented(catalog: &Catalog) -> Vec<PresentedTool> {
    let tools = offered(catalog).into_iter().map(|tool| match tool {
        Tool::Skill => {
            let description = catalogue::tool_description(catalog);
            PresentedTool { definition: definition(tool, &description.text, "Parameter command"), marks: description.marks }
        }
        Tool::Skills => PresentedTool::plain(definition(tool, SKILLS, "Name of the skill to activate.")),
        Tool::FileRead => PresentedTool::plain(definition(tool, FILE_READ, "File path")),
        Tool::Shell => PresentedTool::plain(definition(tool, SHELL, "Command line")),
    });
    tools.collect()
}

pub fn express(step: &ScreenplayStep, catalog: &Catalog, session: &Session) -> Option<Expressed> {
    let say = |tool: Tool, text: String| Some(Expressed { tool: tool.name().into(), arguments: json!({tool.parameter(): text}) });
    match step {
        ScreenplayStep::Activate { activate } => {
            let tool = if Variant::of(catalog) == Variant::Vended { Tool::Skills } else { Tool::Skill };
            say(tool, activate.clone())
        }
        ScreenplayStep::Read { read } => say(Tool::FileRead, place(read, catalog, session)),
        ScreenplayStep::Run { run, with } => {
            say(Tool::Shell, command::script_line(&place(run, catalog, session), with.as_ref()))
        }
        ScreenplayStep::Call { call, with } => {
            let tool = Tool::find(call, catalog)?;
            Some(Expressed { tool: tool.name().into(), arguments: with.clone().unwrap_or_else(|| json!({})) })
        }
        ScreenplayStep::Say { say: _ } => None,
    }
}

pub fn disclosure(call: &ToolCall, catalog: &Catalog) -> Disclosure {
    let input = python::loads(&call.arguments);
    let text = |tool: Tool| python::text_parameter(tool.name(), tool.parameter(), &input).unwrap_or_default();
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
        Some(tool @ Tool::FileRead) => file(text(tool), catalog),
        Some(tool @ Tool::Shell) => named(text(tool), catalog),
        None => Disclosure::None,
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
    let listing = catalog.skills.iter().find(|skill| skill.id == command).and_then(|skill| skill.path.as_ref()?.parent());
    let root = listing.or(catalog.roots.first().map(|root| root.as_path()));
    python::join(root.map_or("", Utf8Path::as_str), command)
}

/// Without a list of skills the demo has no tool for them.
fn offered(catalog: &Catalog) -> Vec<Tool> {
    let own = match Variant::of(catalog) {
        Variant::Seed | Variant::DemoRepo => (!catalog.skills.is_empty()).then_some(Tool::Skill),
        Variant::Vended => Some(Tool::Skills),
    };
    [Tool::FileRead, Tool::Shell].into_iter().chain(own).collect()
}

const SKILLS: &str = "Activate a skill to load its full instructions.\n\nUse this tool to load the complete instructions \
                      for a skill listed in\nthe available_skills section of your system prompt.";
const FILE_READ: &str = "Read a file (stub standing in for strands_tools.file_read).";
const SHELL: &str = "Run a shell command (stub standing in for strands_tools.shell).";

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

/// The path of a file of the skill activated last, else of `skill/path`. What neither finds is left to fail.
fn place(path: &str, catalog: &Catalog, session: &Session) -> String {
    let folder = |id: &str| catalog.skills.iter().find(|skill| skill.id == id).and_then(|skill| skill.path.as_ref());
    let last = session.activated.last().map(String::as_str);
    let active = last.and_then(|id| catalog.skills.iter().find(|skill| skill.id == id));
    if let Some(Some(base)) = active.filter(|skill| lists(skill, path)).map(|skill| skill.path.as_ref()) {
        return base.join(path).into_string();
    }
    match path.split_once('/') {
        Some((id, rest)) if folder(id).is_some() => folder(id).map_or_else(String::new, |base| base.join(rest).into_string()),
        _ => match active.and_then(|skill| skill.path.as_ref()) {
            Some(base) => base.join(path).into_string(),
            None => path.to_owned(),
        },
    }
}

fn lists(skill: &CatalogSkill, name: &str) -> bool {
    files(skill).any(|file| file.name == name)
}

fn files(skill: &CatalogSkill) -> impl Iterator<Item = &CatalogFile> {
    skill.resources.iter().chain(&skill.scripts)
}

fn file(path: &str, catalog: &Catalog) -> Disclosure {
    match catalog.skill_at(Utf8Path::new(path)) {
        Some((skill, inner)) if inner == "SKILL.md" => Disclosure::Instructions { skill: skill.id.clone() },
        Some((skill, inner)) if !inner.as_str().is_empty() => {
            Disclosure::Resource { skill: skill.id.clone(), resource: inner.to_string() }
        }
        Some(_) | None => Disclosure::None,
    }
}

/// The first script, else the first other file, of a skill that a command line names.
fn named(line: &str, catalog: &Catalog) -> Disclosure {
    let words = || line.split(|letter: char| letter.is_whitespace() || "'\";|&<>()".contains(letter));
    let found = words().filter_map(|word| catalog.skill_at(Utf8Path::new(word)));
    let mut resource = Disclosure::None;
    for (skill, inner) in found {
        if skill.scripts.iter().any(|script| script.name == inner.as_str()) {
            return Disclosure::Script { skill: skill.id.clone(), script: inner.to_string() };
        }
        if resource == Disclosure::None && !inner.as_str().is_empty() {
            resource = file(skill.path.as_ref().map_or_else(|| inner.to_owned(), |path| path.join(inner)).as_str(), catalog);
        }
    }
    resource
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
