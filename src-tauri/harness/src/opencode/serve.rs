//! A tool call and its result.

use camino::Utf8PathBuf;
use serde_json::{Map, Value};

use super::tools::{self, BASH, READ, SKILL};
use super::{CLIENT, OWN, detail, json, loaded_text, permission};
use crate::{
    Catalog, CatalogSkill, Effect, FailureKind, Marked, Origin, Performed, ReplyAuthor, ScriptOutput, Served, Session,
    ToolReply, javascript,
};
use config::options::PermissionAction;
use model::image::ImageKind;
use model::{Image, ToolCall};

pub fn serve(call: &ToolCall, catalog: &Catalog, session: &mut Session) -> Served {
    let offered = tools::names(catalog);
    // A name in another case is repaired.
    let lower = call.name.to_lowercase();
    let Some(tool) = offered.into_iter().find(|tool| *tool == call.name || *tool == lower) else {
        return refused(unknown_tool(&call.name, catalog));
    };
    let given = match arguments(tool, &call.arguments) {
        Ok(given) => given,
        Err(error) => return refused(error),
    };
    match tool {
        SKILL => skill(text(&given, "name"), catalog, session),
        READ => Served::Perform(Effect::ReadFile { path: located(text(&given, "filePath"), session), approval: false }),
        _ => Served::Perform(Effect::Shell {
            command: text(&given, "command").to_owned(),
            working_directory: Some(text(&given, "workdir"))
                .filter(|folder| !folder.is_empty())
                .map(|folder| located(folder, session)),
            timeout: Some(seconds(&given)),
        }),
    }
}

pub fn settle(call: &ToolCall, done: Performed, catalog: &Catalog, session: &mut Session) -> Served {
    let given: Map<String, Value> = serde_json::from_str(&call.arguments).unwrap_or_default();
    let tool = call.name.to_lowercase();
    Served::Reply(match done {
        Performed::Agreed => {
            let name = text(&given, "name");
            match catalog.skills.iter().find(|skill| skill.name == name) {
                Some(skill) => return give(skill, catalog, session),
                None => own(),
            }
        }
        Performed::Read { bytes } if ImageKind::of(&bytes).is_some() => match Image::of(&bytes) {
            Ok(image) => ToolReply::pictured("Image read successfully", image),
            Err(unfit) => ToolReply::error(format!("Skill Workbench cannot show this image: {}", unfit.worded().en)),
        },
        Performed::Read { bytes } => ToolReply::ok(tools::numbered(&String::from_utf8_lossy(&bytes), &given)),
        Performed::Ran(output) => ran(&output),
        Performed::Stubbed { text } => ToolReply::ok(text),
        Performed::Denied { reason: Some(reason) } => ToolReply::error(format!(
            "The user rejected permission to use this specific tool call with the following feedback: {reason}"
        ))
        .by(ReplyAuthor::Caller),
        // The run ends here, without a result.
        Performed::Denied { reason: None } if tool == SKILL => return Served::Abort(REJECTED.to_owned()),
        Performed::Denied { reason: None } => ToolReply::error(REJECTED).by(ReplyAuthor::Caller),
        Performed::Failed { kind: FailureKind::NotFound, .. } if tool == READ => {
            ToolReply::error(format!("File not found: {}", text(&given, "filePath")))
        }
        Performed::Failed { message, .. } => ToolReply::error(message),
        Performed::Wrote
        | Performed::Listed { .. }
        | Performed::Found { .. }
        | Performed::Delegated(_)
        | Performed::RanTogether { .. }
        | Performed::History(_)
        | Performed::Summarised { .. } => ToolReply::error("the call brought nothing that this tool can show"),
    })
}

const REJECTED: &str = "The user rejected permission to use this specific tool call.";

fn skill(name: &str, catalog: &Catalog, session: &mut Session) -> Served {
    let rules = &catalog.options.opencode.permission;
    let known = catalog.skills.iter().find(|skill| skill.name == name);
    let is_there = known.is_some() || name == OWN || OBJECT_MEMBERS.contains(&name);
    if !is_there {
        let mut names: Vec<&str> = catalog.skills.iter().map(|skill| skill.name.as_str()).collect();
        if !names.contains(&OWN) {
            names.push(OWN);
        }
        names.sort_by(|a, b| javascript::by_code_units(a, b));
        return Served::Reply(ToolReply::error(format!(
            "Skill \"{name}\" not found. Available skills: {}",
            names.join(", ")
        )));
    }
    match (permission::action(name, rules), known) {
        (PermissionAction::Deny, _) => refused(permission::denied(rules)),
        (PermissionAction::Ask, Some(skill)) => {
            Served::Perform(Effect::Disclose { skill: skill.id.clone(), resource: None })
        }
        (PermissionAction::Allow, Some(skill)) => give(skill, catalog, session),
        (_, None) if name == OWN => Served::Reply(own()),
        (_, None) => Served::Reply(ToolReply::error("The \"path\" property must be of type string, got undefined")),
    }
}

/// Names that every JavaScript object has, so that the client takes them for skills.
const OBJECT_MEMBERS: [&str; 12] = [
    "__defineGetter__",
    "__defineSetter__",
    "__lookupGetter__",
    "__lookupSetter__",
    "__proto__",
    "constructor",
    "hasOwnProperty",
    "isPrototypeOf",
    "propertyIsEnumerable",
    "toLocaleString",
    "toString",
    "valueOf",
];

fn give(skill: &CatalogSkill, catalog: &Catalog, session: &mut Session) -> Served {
    if !catalog.options.opencode.ripgrep {
        return Served::Reply(ToolReply::error("ripgrep execution failed"));
    }
    let Some(detail) = detail(skill) else { return refused("the skill is not one of OpenCode's".to_owned()) };
    session.activate(&skill.id);
    Served::Reply(ToolReply::marked(loaded_text(&skill.id, detail)))
}

/// The client's own skill.
fn own() -> ToolReply {
    let mut text = Marked::default();
    text.push(&format!("<skill_content name=\"{OWN}\">\n# Skill: {OWN}\n\n"), Origin::Framework);
    text.push_withheld(CLIENT, None);
    text.push("\n</skill_content>", Origin::Framework);
    ToolReply::marked(text)
}

fn arguments(tool: &str, arguments: &str) -> Result<Map<String, Value>, String> {
    let value = match arguments.trim() {
        "" => Value::Object(Map::new()),
        _ => serde_json::from_str(arguments).map_err(|_| {
            let said = json::mistake(arguments).unwrap_or_default();
            format!(
                "The arguments provided to the tool are invalid: Invalid input for tool {tool}: JSON parsing failed: \
                 Text: {arguments}.\nError message: {said}"
            )
        })?,
    };
    let wrong = |said: String| {
        format!(
            "The {tool} tool was called with invalid arguments: SchemaError({said}).\nPlease rewrite the input so it \
             satisfies the expected schema."
        )
    };
    let Value::Object(given) = value else { return Err(wrong(format!("Expected object, got {value}"))) };
    let needed: &[&str] = match tool {
        SKILL => &["name"],
        READ => &["filePath"],
        _ => &["command"],
    };
    for key in needed {
        match given.get(*key) {
            None => return Err(wrong(format!("Missing key\n  at [\"{key}\"]"))),
            Some(Value::String(_)) => {}
            Some(other) => return Err(wrong(format!("Expected string, got {other}\n  at [\"{key}\"]"))),
        }
    }
    Ok(given)
}

fn text<'a>(given: &'a Map<String, Value>, name: &str) -> &'a str {
    given.get(name).and_then(Value::as_str).unwrap_or_default()
}

fn located(path: &str, session: &Session) -> Utf8PathBuf {
    session.working_directory.as_ref().map_or_else(|| path.into(), |folder| folder.join(path))
}

/// Two minutes, if the call does not say.
fn seconds(given: &Map<String, Value>) -> u32 {
    let millis = given.get("timeout").and_then(Value::as_u64).unwrap_or(120_000);
    u32::try_from(millis.div_ceil(1000)).unwrap_or(u32::MAX).max(1)
}

fn ran(output: &ScriptOutput) -> ToolReply {
    let printed = format!("{}{}", output.stdout, output.stderr);
    let printed = if printed.is_empty() { "(no output)".to_owned() } else { printed };
    match output.exit_code {
        None if output.timed_out => ToolReply::ok(format!("{printed}\n\nThe command ran into its time limit.")),
        _ => ToolReply::ok(printed),
    }
}

fn unknown_tool(name: &str, catalog: &Catalog) -> String {
    let is_known = |tool: &&&str| **tool != SKILL || tools::offers_skills(catalog);
    let known: Vec<&str> = TOOLS.iter().filter(is_known).copied().collect();
    if known.contains(&name) && ![BASH, READ, SKILL].contains(&name) {
        return format!("The tool {name} is one of OpenCode's own, and is not there in Skill Workbench.");
    }
    format!(
        "The arguments provided to the tool are invalid: Model tried to call unavailable tool '{name}'. Available tools: \
         {}.",
        known.join(", ")
    )
}

const TOOLS: [&str; 11] =
    ["bash", "edit", "glob", "grep", "invalid", "read", "skill", "task", "todowrite", "webfetch", "write"];

fn refused(text: String) -> Served {
    Served::Reply(ToolReply::error(text).by(ReplyAuthor::Caller))
}
