//! The definitions of the Java design's tools for the model, and calls of them as other parts of the program see them.

use serde_json::{Map, Value, json};

use super::{LOAD, MANIFEST};
use super::{Variant, first, groups, shell};
use super::{has_code_execution, is_seed, text};
use crate::{Catalog, CatalogFile, CatalogSkill, Disclosure, Expressed, PresentedTool, Session, command, interpreter};
use config::ScreenplayStep;
use model::{ToolCall, ToolDef};

/// The load tool is there even if there are no skills.
pub fn presented(catalog: &Catalog, session: &Session) -> Vec<PresentedTool> {
    let mut built_in = match Variant::of(catalog) {
        Variant::First => first::definitions(),
        Variant::Seed | Variant::Java | Variant::Python => vec![load(catalog).definition],
    };
    if has_code_execution(catalog) {
        built_in.push(shell::definition(catalog));
    }
    let tools = groups::presented(built_in, catalog, &session.memory.agentscope);
    tools.into_iter().map(PresentedTool::plain).collect()
}

/// Java builds the schema from maps whose order differs with every start; this is the order in its source.
pub fn load(catalog: &Catalog) -> PresentedTool {
    let ids: Vec<&str> = catalog.skills.iter().map(|skill| skill.id.as_str()).collect();
    let (description, path) = match Variant::of(catalog) {
        Variant::Seed | Variant::First if is_seed(catalog) => (include_str!("templates/tool_seed.txt"), SEED_PATH),
        Variant::Seed | Variant::First => (include_str!("templates/tool_second.txt"), SECOND_PATH),
        Variant::Java | Variant::Python => (include_str!("templates/tool_newest.txt"), NEWEST_PATH),
    };
    PresentedTool::plain(ToolDef {
        name: LOAD.into(),
        description: text(description).into(),
        parameters: json!({
            "type": "object",
            "properties": {
                "skillId": {"type": "string", "description": "The unique identifier of the skill.", "enum": ids},
                "path": {"type": "string", "description": path},
            },
            "required": ["skillId", "path"],
        }),
    })
}

/// A skill's scripts are the files that something can run: a tool of its group, or the shell.
pub fn find_scripts(catalog: &mut Catalog) {
    let with_shell = has_code_execution(catalog);
    let found: Vec<Vec<CatalogFile>> = catalog
        .skills
        .iter()
        .map(|skill| {
            let backed: Vec<&str> =
                groups::tools_of(skill, catalog).filter_map(|tool| tool.script.as_deref()).collect();
            let can_run = |file: &&CatalogFile| {
                backed.contains(&file.name.as_str()) || with_shell && skill.path.is_some() && is_script(&file.name)
            };
            skill.resources.iter().filter(can_run).cloned().collect()
        })
        .collect();
    for (skill, scripts) in catalog.skills.iter_mut().zip(found) {
        skill.scripts = scripts;
    }
}

pub fn is_script(name: &str) -> bool {
    camino::Utf8Path::new(name).extension().and_then(interpreter).is_some()
}

pub fn express(step: &ScreenplayStep, catalog: &Catalog, session: &Session) -> Option<Expressed> {
    let is_first = Variant::of(catalog) == Variant::First;
    let load = |skill: &str, path: &str| {
        let (tool, arguments) = match path {
            MANIFEST if is_first => (first::MANIFEST, json!({"skillId": skill})),
            _ if is_first => (first::RESOURCE, json!({"skillId": skill, "path": path})),
            _ => (LOAD, json!({"skillId": skill, "path": path})),
        };
        Some(Expressed { tool: tool.into(), arguments })
    };
    match step {
        ScreenplayStep::Activate { activate } => {
            load(find(activate, catalog).map_or(activate, |skill| &skill.id), MANIFEST)
        }
        ScreenplayStep::Read { read } => {
            let (skill, path) = place(read, catalog, session);
            load(skill.map_or("", |skill| &skill.id), path)
        }
        ScreenplayStep::Run { run, with } => {
            let (skill, path) = place(run, catalog, session);
            let tool = skill
                .filter(|skill| session.memory.agentscope.opens(&skill.id))
                .and_then(|skill| groups::tools_of(skill, catalog).find(|tool| tool.script.as_deref() == Some(path)));
            if let Some(tool) = tool {
                let arguments = with.clone().unwrap_or_else(|| json!({}));
                return Some(Expressed { tool: tool.name.clone(), arguments });
            }
            match skill.and_then(|skill| skill.path.as_ref()) {
                Some(folder) if has_code_execution(catalog) => {
                    let script = folder.join(path);
                    let line = command::line(script.extension().and_then(interpreter), &script, with.as_ref());
                    Some(Expressed { tool: shell::NAME.into(), arguments: json!({"command": line}) })
                }
                _ => load(skill.map_or("", |skill| &skill.id), path),
            }
        }
        ScreenplayStep::Call { call, with } => {
            let known = call == LOAD && !is_first
                || first::is_own(call, catalog)
                || has_code_execution(catalog) && call == shell::NAME
                || groups::find(call, catalog).is_some();
            known.then(|| Expressed { tool: call.clone(), arguments: with.clone().unwrap_or_else(|| json!({})) })
        }
        ScreenplayStep::Say { .. } | ScreenplayStep::Prompt { .. } => None,
    }
}

pub fn disclosure(call: &ToolCall, catalog: &Catalog) -> Disclosure {
    let arguments: Map<String, Value> = serde_json::from_str(&call.arguments).unwrap_or_default();
    if first::is_own(&call.name, catalog) {
        return first::disclosure(&call.name, &call.arguments, catalog);
    }
    let given = |name: &str| arguments.get(name).and_then(Value::as_str).unwrap_or_default();
    if call.name == LOAD && Variant::of(catalog) != Variant::First {
        let Some(skill) = catalog.skills.iter().find(|skill| skill.id == given("skillId")) else {
            return Disclosure::None;
        };
        let parts: Vec<&str> = given("path").split(['/', '\\']).filter(|part| !matches!(*part, "" | ".")).collect();
        let resource = parts.join("/");
        return match resource {
            path if path == MANIFEST => Disclosure::Instructions { skill: skill.id.clone() },
            path if is_readable(skill, &path) => Disclosure::Resource { skill: skill.id.clone(), resource: path },
            _ => Disclosure::None,
        };
    }
    if has_code_execution(catalog) && call.name == shell::NAME {
        return command::disclosure(given("command"), catalog);
    }
    match groups::find(&call.name, catalog) {
        Some((skill, tool)) if tool.script.is_some() => {
            Disclosure::Script { skill: skill.id.clone(), script: tool.script.clone().unwrap_or_default() }
        }
        Some(_) | None => Disclosure::None,
    }
}

const SEED_PATH: &str = "The path to the resource file within the skill (e.g., 'SKILL.md', 'references/api.md')";
const SECOND_PATH: &str = "The path to the resource file within the skill (e.g., 'SKILL.md, references/references.md')";
const NEWEST_PATH: &str = "The exact resource path within the skill. Use 'SKILL.md' to load the skill instructions. Do \
                           not use '.', './', directories, or absolute paths.";

fn is_readable(skill: &CatalogSkill, path: &str) -> bool {
    skill.resources.iter().any(|file| file.name == path)
        || super::detail(skill).is_some_and(|detail| detail.on_disk.iter().any(|name| name == path))
}

/// By its id, or by name as screenplays have it.
fn find<'a>(name: &str, catalog: &'a Catalog) -> Option<&'a CatalogSkill> {
    let by_id = catalog.skills.iter().find(|skill| skill.id == name);
    by_id.or_else(|| catalog.skills.iter().find(|skill| skill.name == name))
}

/// The skill and the name within it that a step's path means: a file of the skill activated last, else `skill/path`. If
/// neither finds one, the framework's own error follows.
fn place<'a>(path: &'a str, catalog: &'a Catalog, session: &Session) -> (Option<&'a CatalogSkill>, &'a str) {
    let last = session.activated.last().and_then(|id| catalog.skills.iter().find(|skill| skill.id == *id));
    if last.is_some_and(|skill| is_readable(skill, path)) {
        return (last, path);
    }
    match path.split_once('/') {
        Some((name, rest)) if find(name, catalog).is_some() => (find(name, catalog), rest),
        _ => (last, path),
    }
}
