//! The definitions of the three tools for the model, and calls of them as other parts of the program see them.

use serde_json::{Map, Value, json};

use super::arguments::Arguments;
use super::lookup::{find_file, find_skill};
use super::variant::{Language, Variant};
use crate::{Catalog, CatalogFile, CatalogSkill, Disclosure, Expressed, Session};
use config::ScreenplayStep;
use config::options::ScriptRunner;
use model::{ToolCall, ToolDef};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tool {
    LoadSkill,
    ReadResource,
    RunScript,
}

/// What the tools call their parameters.
pub struct Parameters {
    pub skill: &'static str,
    pub resource: &'static str,
    pub script: &'static str,
    pub arguments: &'static str,
}

impl Parameters {
    pub fn of(language: Language) -> &'static Self {
        match language {
            Language::DotNet => {
                &Self { skill: "skillName", resource: "resourceName", script: "scriptName", arguments: "arguments" }
            }
            Language::Python => {
                &Self { skill: "skill_name", resource: "resource_name", script: "script_name", arguments: "args" }
            }
        }
    }

    /// The tool's argument that names a file; `None` if it has none.
    pub fn file(&self, tool: Tool) -> Option<&'static str> {
        match tool {
            Tool::LoadSkill => None,
            Tool::ReadResource => Some(self.resource),
            Tool::RunScript => Some(self.script),
        }
    }
}

impl Tool {
    /// Without skills there are no tools.
    pub fn find(name: &str, catalog: &Catalog) -> Option<Self> {
        let all = [Self::LoadSkill, Self::ReadResource, Self::RunScript];
        all.into_iter().find(|tool| tool.name() == name).filter(|_| !catalog.skills.is_empty())
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::LoadSkill => "load_skill",
            Self::ReadResource => "read_skill_resource",
            Self::RunScript => "run_skill_script",
        }
    }

    /// The files of a skill that the tool takes.
    pub fn files(self, skill: &CatalogSkill) -> &[CatalogFile] {
        match self {
            Self::LoadSkill => &[],
            Self::ReadResource => &skill.resources,
            Self::RunScript => &skill.scripts,
        }
    }
}

/// All three, even if no skill has a resource or a script.
pub fn definitions(variant: Variant) -> Vec<ToolDef> {
    match variant.language() {
        Language::DotNet => dot_net(),
        Language::Python => python(variant == Variant::Python123),
    }
}

pub fn express(step: &ScreenplayStep, catalog: &Catalog, session: &Session) -> Option<Expressed> {
    let parameters = Parameters::of(Variant::of(catalog).language());
    let mut arguments = Map::new();
    let tool = match step {
        ScreenplayStep::Activate { activate } => {
            arguments.insert(parameters.skill.into(), activate.as_str().into());
            Tool::LoadSkill
        }
        ScreenplayStep::Read { read } => {
            let (skill, resource) = place(read, catalog, session, Tool::ReadResource);
            arguments.insert(parameters.skill.into(), skill.into());
            arguments.insert(parameters.resource.into(), resource.into());
            Tool::ReadResource
        }
        ScreenplayStep::Run { run, with } => {
            let (skill, script) = place(run, catalog, session, Tool::RunScript);
            arguments.insert(parameters.skill.into(), skill.into());
            arguments.insert(parameters.script.into(), script.into());
            if let Some(with) = with {
                arguments.insert(parameters.arguments.into(), script_arguments(with, catalog));
            }
            Tool::RunScript
        }
        ScreenplayStep::Call { call, with } => {
            let tool = Tool::find(call, catalog)?;
            return Some(Expressed { tool: tool.name().into(), arguments: with.clone().unwrap_or_else(|| json!({})) });
        }
        ScreenplayStep::Say { .. } | ScreenplayStep::Prompt { .. } => return None,
    };
    Some(Expressed { tool: tool.name().into(), arguments: Value::Object(arguments) })
}

pub fn disclosure(call: &ToolCall, catalog: &Catalog) -> Disclosure {
    let parameters = Parameters::of(Variant::of(catalog).language());
    let arguments = Arguments::of(call, Variant::of(catalog).language());
    let text = |name| arguments.text(name).unwrap_or_default();
    let Some(tool) = Tool::find(&call.name, catalog) else { return Disclosure::None };
    let Some(known) = find_skill(catalog, &text(parameters.skill)) else { return Disclosure::None };
    let skill = known.id.clone();
    let file = parameters.file(tool).and_then(|name| find_file(catalog, tool.files(known), &text(name)));
    match (tool, file) {
        (Tool::LoadSkill, _) => Disclosure::Instructions { skill },
        (Tool::ReadResource, Some(file)) => Disclosure::Resource { skill, resource: file.name.clone() },
        (Tool::RunScript, Some(file)) => Disclosure::Script { skill, script: file.name.clone() },
        (Tool::ReadResource | Tool::RunScript, None) => Disclosure::None,
    }
}

/// `arguments` has no type, only a default.
fn dot_net() -> Vec<ToolDef> {
    let text = json!({"type": "string"});
    vec![
        definition(
            Tool::LoadSkill,
            "Loads the full content of a specific skill",
            json!({"skillName": text}),
            json!(["skillName"]),
        ),
        definition(
            Tool::ReadResource,
            READS,
            json!({"skillName": text, "resourceName": text}),
            json!(["skillName", "resourceName"]),
        ),
        definition(
            Tool::RunScript,
            RUNS,
            json!({"skillName": text, "scriptName": text, "arguments": {"default": null}}),
            json!(["skillName", "scriptName"]),
        ),
    ]
}

/// Since 1.23 the tools take no arguments but their own.
fn python(closed: bool) -> Vec<ToolDef> {
    let text = |description: &str| json!({"type": "string", "description": description});
    let skill = text("The name of the skill.");
    let mut tools = vec![
        definition(
            Tool::LoadSkill,
            "Loads the full instructions for a specific skill.",
            json!({"skill_name": text("The name of the skill to load.")}),
            json!(["skill_name"]),
        ),
        definition(
            Tool::ReadResource,
            READS,
            json!({"skill_name": skill, "resource_name": text("The name of the resource.")}),
            json!(["skill_name", "resource_name"]),
        ),
        definition(
            Tool::RunScript,
            RUNS,
            json!({"skill_name": skill, "script_name": text(SCRIPT_NAME), "args": script_schema()}),
            json!(["skill_name", "script_name"]),
        ),
    ];
    if closed {
        for tool in &mut tools {
            tool.parameters["additionalProperties"] = json!(false);
        }
    }
    tools
}

fn script_schema() -> Value {
    json!({
        "oneOf": [
            {"type": "object", "additionalProperties": true, "description": NAMED_ARGUMENTS},
            {"type": "array", "items": {"type": "string"}, "description": POSITIONAL_ARGUMENTS},
            {"type": "null"},
        ],
        "default": null,
        "description": ARGUMENTS,
    })
}

const READS: &str = "Reads a resource associated with a skill, such as references, assets, or dynamic data.";
const RUNS: &str = "Runs a script associated with a skill.";
const SCRIPT_NAME: &str = "The name of the script to run as listed in the skill, preserving any directory prefix exactly as \
                           shown. Do not add or remove path prefixes.";
const NAMED_ARGUMENTS: &str = "Named arguments as key-value pairs (e.g. {\"length\": 24, \"uppercase\": true}).";
const POSITIONAL_ARGUMENTS: &str =
    "Positional CLI arguments as a string array (e.g. [\"input.docx\", \"--output\", \"result.idx\"]).";
const ARGUMENTS: &str = "Arguments to pass to the script. Use an array of strings for CLI-style positional arguments (e.g. \
                         [\"input.docx\", \"--output\", \"result.idx\"]), or an object for named parameters (e.g. \
                         {\"length\": 24, \"uppercase\": true}). How these values are mapped to the underlying script is \
                         determined by the script implementation or configured runner.";

fn definition(tool: Tool, description: &str, properties: Value, required: Value) -> ToolDef {
    ToolDef {
        name: tool.name().into(),
        description: description.into(),
        parameters: json!({"type": "object", "properties": properties, "required": required}),
    }
}

/// In the form that the runner needs: the sample's takes a list of texts although a step names its arguments.
fn script_arguments(with: &Value, catalog: &Catalog) -> Value {
    match (catalog.options.agent_framework.script_runner, with) {
        (ScriptRunner::Sample, Value::Object(named)) => named
            .iter()
            .filter(|(_, value)| !value.is_null())
            .flat_map(|(key, value)| {
                let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                [format!("--{key}"), text]
            })
            .collect(),
        _ => with.clone(),
    }
}

/// The skill and the name within it that a step's path means: a file of the skill activated last, else `skill/path`. If
/// neither finds one, the framework's own error follows.
fn place<'a>(path: &'a str, catalog: &'a Catalog, session: &'a Session, tool: Tool) -> (&'a str, &'a str) {
    let skill = |id: &str| catalog.skills.iter().find(|skill| skill.id == id);
    let last = session.activated.last().map_or("", String::as_str);
    if skill(last).is_some_and(|active| tool.files(active).iter().any(|file| file.name == path)) {
        return (last, path);
    }
    match path.split_once('/') {
        Some((id, rest)) if skill(id).is_some() => (id, rest),
        _ => (last, path),
    }
}
