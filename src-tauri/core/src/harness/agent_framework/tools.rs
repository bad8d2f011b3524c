//! The three tools as the model is told of them, and as others see a call of one.

use serde_json::{Map, Value, json};

use super::arguments::Arguments;
use crate::config::ScreenplayStep;
use crate::harness::{Catalog, CatalogFile, CatalogSkill, Disclosure, Expressed, Session};
use crate::model::{ToolCall, ToolDef};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tool {
    LoadSkill,
    ReadResource,
    RunScript,
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
}

/// All three, even where no skill has a resource or a script. `arguments` has no type, only a default.
pub fn definitions() -> Vec<ToolDef> {
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
            "Reads a resource associated with a skill, such as references, assets, or dynamic data.",
            json!({"skillName": text, "resourceName": text}),
            json!(["skillName", "resourceName"]),
        ),
        definition(
            Tool::RunScript,
            "Runs a script associated with a skill.",
            json!({"skillName": text, "scriptName": text, "arguments": {"default": null}}),
            json!(["skillName", "scriptName"]),
        ),
    ]
}

pub fn express(step: &ScreenplayStep, catalog: &Catalog, session: &Session) -> Option<Expressed> {
    let mut arguments = Map::new();
    let tool = match step {
        ScreenplayStep::Activate { activate } => {
            arguments.insert("skillName".into(), activate.as_str().into());
            Tool::LoadSkill
        }
        ScreenplayStep::Read { read } => {
            let (skill, resource) = place(read, catalog, session, |skill| &skill.resources);
            arguments.insert("skillName".into(), skill.into());
            arguments.insert("resourceName".into(), resource.into());
            Tool::ReadResource
        }
        ScreenplayStep::Run { run, with } => {
            let (skill, script) = place(run, catalog, session, |skill| &skill.scripts);
            arguments.insert("skillName".into(), skill.into());
            arguments.insert("scriptName".into(), script.into());
            if let Some(with) = with {
                arguments.insert("arguments".into(), with.clone());
            }
            Tool::RunScript
        }
        ScreenplayStep::Call { call, with } => {
            let tool = Tool::find(call, catalog)?;
            return Some(Expressed { tool: tool.name().into(), arguments: with.clone().unwrap_or_else(|| json!({})) });
        }
        ScreenplayStep::Say { say: _ } => return None,
    };
    Some(Expressed { tool: tool.name().into(), arguments: Value::Object(arguments) })
}

pub fn disclosure(call: &ToolCall, catalog: &Catalog) -> Disclosure {
    let arguments = Arguments::parse(&call.arguments);
    let text = |name| arguments.text(name).unwrap_or_default();
    let name = text("skillName");
    let Some(tool) = Tool::find(&call.name, catalog) else { return Disclosure::None };
    let Some(known) = catalog.skills.iter().find(|skill| skill.name == name) else { return Disclosure::None };
    let skill = known.id.clone();
    match tool {
        Tool::LoadSkill => Disclosure::Instructions { skill },
        Tool::ReadResource => match text("resourceName") {
            resource if lists(&known.resources, &resource) => Disclosure::Resource { skill, resource },
            _ => Disclosure::None,
        },
        Tool::RunScript => match text("scriptName") {
            script if lists(&known.scripts, &script) => Disclosure::Script { skill, script },
            _ => Disclosure::None,
        },
    }
}

fn definition(tool: Tool, description: &str, properties: Value, required: Value) -> ToolDef {
    ToolDef {
        name: tool.name().into(),
        description: description.into(),
        parameters: json!({"type": "object", "properties": properties, "required": required}),
    }
}

/// The skill and the name within it that a step's path means: a file of the skill activated last, else `skill/path`.
/// What neither finds is left to fail as the framework lets it fail.
fn place<'a>(
    path: &'a str,
    catalog: &'a Catalog,
    session: &'a Session,
    files: fn(&CatalogSkill) -> &[CatalogFile],
) -> (&'a str, &'a str) {
    let skill = |id: &str| catalog.skills.iter().find(|skill| skill.id == id);
    let last = session.activated.last().map_or("", String::as_str);
    if skill(last).is_some_and(|active| lists(files(active), path)) {
        return (last, path);
    }
    match path.split_once('/') {
        Some((id, rest)) if skill(id).is_some() => (id, rest),
        _ => (last, path),
    }
}

fn lists(files: &[CatalogFile], name: &str) -> bool {
    files.iter().any(|file| file.name == name)
}
