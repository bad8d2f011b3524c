//! What the tools of the Java design answer, and what they ask the engine to do.

use std::collections::HashSet;

use serde_json::Value;

use super::{
    LOAD, MANIFEST, Variant, activate, arguments, detail, first, groups, has_code_execution, is_seed, loaded, shell,
    tools, validate,
};
use crate::{Catalog, CatalogBody, CatalogSkill, Effect, Performed, ReplyAuthor, Served, Session, ToolReply};
use model::ToolCall;

/// `ToolExecutor`: is there such a tool, may it be called, do the arguments fit; then the tool itself.
pub fn serve(call: &ToolCall, catalog: &Catalog, session: &mut Session) -> Served {
    let caller = |text: String| Served::Reply(ToolReply::error(text).by(ReplyAuthor::Caller));
    let group = groups::find(&call.name, catalog);
    let is_shell = has_code_execution(catalog) && call.name == shell::NAME;
    let is_load = Variant::of(catalog) != Variant::First && call.name == LOAD;
    let is_first = first::is_own(&call.name, catalog);
    let schema = match group {
        _ if is_load => tools::load(catalog).definition.parameters,
        _ if is_shell => shell::definition(catalog).parameters,
        _ if is_first => first::find(&call.name).map_or(Value::Null, |tool| tool.definition.parameters),
        Some((skill, _)) if !session.memory.agentscope.is_open(&skill.id) => {
            let why = match Variant::of(catalog) {
                Variant::First => format!(" (group '{}' is not active)", groups::name(skill)),
                Variant::Seed | Variant::Java | Variant::Python => String::new(),
            };
            return caller(format!("Error: Unauthorized tool call: '{}' is not available{why}", call.name));
        }
        Some((_, tool)) => tool.parameters.clone(),
        None => return caller(format!("Error: Tool not found: {}", call.name)),
    };
    let arguments = match arguments::with_large_numbers(&call.arguments) {
        Some(fields @ Value::Object(_)) => fields,
        _ => Value::Object(Default::default()),
    };
    let problems = match Variant::of(catalog) {
        _ if !validates(catalog) => None,
        Variant::Seed | Variant::First => validate::old_problems(&call.arguments, &schema),
        Variant::Java | Variant::Python => validate::problems(&arguments, &schema),
    };
    if let Some(problems) = problems {
        return caller(format!(
            "Error: Parameter validation failed for tool '{}': {problems}\nPlease correct the parameters and try again.",
            call.name
        ));
    }
    match group {
        _ if is_load => load(&arguments, catalog, session),
        _ if is_shell => shell::serve(&arguments, catalog),
        _ if is_first => first::serve(&call.name, &call.arguments, catalog, session),
        Some((skill, tool)) => groups::serve(skill, tool, &call.arguments),
        None => caller(format!("Error: Tool not found: {}", call.name)),
    }
}

pub fn settle(call: &ToolCall, done: Performed, catalog: &Catalog, session: &mut Session) -> ToolReply {
    let arguments = Value::Object(arguments::parse(&call.arguments));
    if first::is_own(&call.name, catalog) {
        return first::settle(&call.name, &call.arguments, done, catalog);
    }
    if call.name == LOAD {
        return match asked(&arguments, catalog) {
            Ok((skill, path)) => settle_load(skill, path, done, catalog, session),
            Err(reply) => reply,
        };
    }
    if has_code_execution(catalog) && call.name == shell::NAME {
        return shell::settle(&arguments, done);
    }
    groups::settle(done)
}

/// The load tool: the skill it names, and the path. `Err` is the answer if there is none.
fn asked<'a>(arguments: &'a Value, catalog: &'a Catalog) -> Result<(&'a CatalogSkill, &'a str), ToolReply> {
    let id = required(arguments, "skillId")?;
    let path = required(arguments, "path")?;
    let skill = catalog.skills.iter().find(|skill| skill.id == id).ok_or_else(|| {
        ToolReply::error(match Variant::of(catalog) {
            Variant::Seed if is_seed(catalog) => format!("Error: Skill not found: {id}"),
            Variant::Seed | Variant::First | Variant::Java | Variant::Python => {
                format!("Error: Skill not found: '{id}'. Please check the skill ID.")
            }
        })
    })?;
    Ok((skill, path))
}

fn load(arguments: &Value, catalog: &Catalog, session: &mut Session) -> Served {
    let (skill, path) = match asked(arguments, catalog) {
        Ok(found) => found,
        Err(reply) => return Served::Reply(reply),
    };
    if Variant::of(catalog) == Variant::Seed {
        activate(skill, catalog, session);
    }
    if path == MANIFEST {
        activate(skill, catalog, session);
        return Served::Reply(loaded::instructions(skill));
    }
    let loaded = detail(skill).is_some_and(|detail| detail.loaded.iter().any(|name| name == path));
    let body = skill.resources.iter().find(|file| loaded && file.name == path).map(|file| &file.body);
    match body {
        Some(CatalogBody::Text(text)) => {
            activate(skill, catalog, session);
            return Served::Reply(loaded::resource(skill, path, text));
        }
        Some(CatalogBody::File(file)) => {
            return Served::Perform(Effect::ReadFile { path: file.clone(), approval: false });
        }
        None => {}
    }
    if path.contains('\0') && Variant::of(catalog) == Variant::Java && skill.path.is_some() {
        return Served::Reply(ToolReply::error(format!("Error: Nul character not allowed: {path}")));
    }
    match (&skill.path, below(path)) {
        (Some(folder), Some(within)) if Variant::of(catalog) == Variant::Java => {
            Served::Perform(Effect::ReadFile { path: folder.join(within), approval: false })
        }
        _ => Served::Reply(not_found(skill, path)),
    }
}

fn settle_load(
    skill: &CatalogSkill,
    path: &str,
    done: Performed,
    catalog: &Catalog,
    session: &mut Session,
) -> ToolReply {
    let text = match done {
        Performed::Read { bytes } if Variant::of(catalog) == Variant::Seed => match String::from_utf8(bytes) {
            Ok(text) => text,
            // Files that are not UTF-8 are not among the resources.
            Err(_) => return not_found(skill, path),
        },
        Performed::Read { bytes } => decode(bytes),
        Performed::Stubbed { text } => text,
        Performed::Denied { reason } => {
            let reason = reason.unwrap_or_else(|| "the user rejected the call".into());
            return ToolReply::error(format!("Error: {reason}"));
        }
        Performed::Failed { .. }
        | Performed::Agreed
        | Performed::Ran(_)
        | Performed::Wrote
        | Performed::Listed { .. }
        | Performed::Found { .. }
        | Performed::Delegated(_)
        | Performed::RanTogether { .. }
        | Performed::History(_)
        | Performed::Summarised { .. } => return not_found(skill, path),
    };
    if Variant::of(catalog) != Variant::Seed {
        activate(skill, catalog, session);
    }
    loaded::resource(skill, path, &text)
}

/// 1.0.5 was before the executor that checks.
fn validates(catalog: &Catalog) -> bool {
    match Variant::of(catalog) {
        Variant::First => false,
        Variant::Seed | Variant::Java | Variant::Python => {
            catalog.options.agentscope.validate_arguments.unwrap_or(true)
        }
    }
}

/// A cast to `String`, then a check that there is more than white space.
fn required<'a>(arguments: &'a Value, name: &str) -> Result<&'a str, ToolReply> {
    let class = match arguments.get(name) {
        Some(Value::String(text)) if !text.trim_matches(|letter| letter <= ' ').is_empty() => return Ok(text),
        None | Some(Value::Null | Value::String(_)) => {
            return Err(ToolReply::error(format!("Error: Missing or empty required parameter: {name}")));
        }
        Some(Value::Bool(_)) => "java.lang.Boolean",
        Some(Value::Number(number)) => match number.as_i64() {
            Some(small) if i32::try_from(small).is_ok() => "java.lang.Integer",
            Some(_) => "java.lang.Long",
            None if number.is_f64() => "java.lang.Double",
            None => "java.math.BigInteger",
        },
        Some(Value::Array(_)) => "java.util.ArrayList",
        Some(Value::Object(_)) => "java.util.LinkedHashMap",
    };
    Err(ToolReply::error(format!(
        "Error: class {class} cannot be cast to class java.lang.String ({class} and java.lang.String are in module \
         java.base of loader 'bootstrap')"
    )))
}

/// A path that may be searched in the skill's folder, without its `.` parts.
fn below(path: &str) -> Option<String> {
    let path = path.replace('\\', "/");
    if path.starts_with('/') || path.contains("..") || path.contains('\0') {
        return None;
    }
    let parts: Vec<&str> = path.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
    (!parts.is_empty()).then(|| parts.join("/"))
}

/// Lists what was loaded, then what else is in the folder.
fn not_found(skill: &CatalogSkill, path: &str) -> ToolReply {
    let mut text = format!(
        "Error: Resource not found: '{path}' in skill '{}'.\n\nAvailable resources:\n1. {MANIFEST}\n",
        skill.id
    );
    if let Some(detail) = detail(skill) {
        let loaded: HashSet<&String> = detail.loaded.iter().collect();
        let rest = detail.on_disk.iter().filter(|name| !loaded.contains(name));
        for (index, name) in detail.loaded.iter().chain(rest).enumerate() {
            text.push_str(&format!("{}. {name}\n", index + 2));
        }
    }
    ToolReply::error(text)
}

/// `Files.readString`; other encodings than UTF-8 are returned as Base64.
fn decode(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| format!("base64:{}", base64(error.as_bytes())))
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let at = |index: usize| u32::from(group.get(index).copied().unwrap_or_default());
        let bits = at(0) << 16 | at(1) << 8 | at(2);
        for index in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * index) & 63) as usize];
            out.push(if index <= group.len() { char::from(letter) } else { '=' });
        }
    }
    out
}
