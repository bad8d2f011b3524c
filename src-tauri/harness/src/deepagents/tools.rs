//! The tools: as the model sees them, how a screenplay calls them, and what a call discloses.

use std::sync::LazyLock;

use serde_json::{Map, Value, json};

use super::MANIFEST;
use super::given::Given;
use crate::{Catalog, Disclosure, Expressed, PresentedTool, Session, command};
use camino::Utf8Path;
use config::ScreenplayStep;
use model::{ToolCall, ToolDef};

pub const NAMES: [&str; 9] =
    ["ls", "read_file", "write_file", "edit_file", "delete", "glob", "grep", "execute", "task"];

/// The tools whose results were compared with the real ones.
const COMPARED: [&str; 3] = ["ls", "read_file", "glob"];

/// What the prompt asks a model to pass.
const PAGE: u32 = 1000;

static DEFINITIONS: LazyLock<Vec<ToolDef>> = LazyLock::new(|| {
    let tools: Vec<Value> = serde_json::from_str(include_str!("templates/tools.json")).expect("the template is JSON");
    let text = |tool: &Value, key: &str| tool[key].as_str().unwrap_or_default().to_owned();
    let definition = |tool: Value| ToolDef {
        name: text(&tool, "name"),
        description: text(&tool, "description"),
        parameters: tool["parameters"].clone(),
    };
    tools.into_iter().map(definition).collect()
});

/// As in the template: `execute` is left out, since the backend runs nothing.
pub fn definitions() -> &'static [ToolDef] {
    &DEFINITIONS
}

pub fn presented() -> Vec<PresentedTool> {
    let tool = |definition: &ToolDef| match COMPARED.contains(&definition.name.as_str()) {
        true => PresentedTool::plain(definition.clone()),
        false => PresentedTool::base(definition.clone()),
    };
    definitions().iter().map(tool).collect()
}

pub fn express(step: &ScreenplayStep, catalog: &Catalog, session: &Session) -> Option<Expressed> {
    let read = |path: &Utf8Path, arguments: &[(&str, u32)]| {
        let mut with = json!({"file_path": path});
        with.as_object_mut()?.extend(arguments.iter().map(|(key, value)| ((*key).to_owned(), Value::from(*value))));
        Some(Expressed { tool: "read_file".into(), arguments: with })
    };
    match step {
        ScreenplayStep::Activate { activate } => {
            let skill = catalog.skills.iter().find(|skill| skill.id == *activate);
            let path = skill.and_then(|skill| skill.path.as_ref()).map(|folder| folder.join(MANIFEST));
            read(path.as_deref().unwrap_or_else(|| Utf8Path::new(activate)), &[("limit", PAGE)])
        }
        // Nothing runs a script; the model can read it.
        ScreenplayStep::Read { read: path } | ScreenplayStep::Run { run: path, .. } => {
            read(&command::locate(path, catalog, session), &[])
        }
        ScreenplayStep::Call { call, with } => {
            let known = definitions().iter().any(|tool| tool.name == *call);
            let arguments = with.clone().unwrap_or_else(|| Value::Object(Map::new()));
            known.then(|| Expressed { tool: call.clone(), arguments })
        }
        ScreenplayStep::Say { .. } | ScreenplayStep::Prompt { .. } => None,
    }
}

pub fn disclosure(call: &ToolCall, catalog: &Catalog) -> Disclosure {
    let path = match call.name.as_str() {
        "read_file" => Given::of(call).and_then(|given| given.path("file_path").ok()),
        _ => None,
    };
    let Some((skill, inner)) = path.as_deref().and_then(|path| catalog.skill_at(path)) else {
        return Disclosure::None;
    };
    let skill_id = skill.id.clone();
    match inner.as_str() {
        "" => Disclosure::None,
        MANIFEST => Disclosure::Instructions { skill: skill_id },
        resource => Disclosure::Resource { skill: skill_id, resource: resource.to_owned() },
    }
}
