//! The arguments of a call as ajv checks them, which stops at the first mistake.

use serde_json::{Map, Value};

use super::tools::{ACTIVATE, READ};

/// `Err` is the reply. `names`: what `activate_skill` may be asked for; empty: anything.
pub fn read(tool: &str, arguments: &str, names: &[&str]) -> Result<Map<String, Value>, String> {
    let given = match arguments.trim() {
        "" => Value::Object(Map::new()),
        text => serde_json::from_str(text).unwrap_or(Value::Null),
    };
    let given = match given {
        Value::Object(fields) => fields,
        Value::Array(_) => return Err("params must be object".to_owned()),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            return Err("Value of params must be an object".to_owned());
        }
    };
    let (needed, texts, numbers): (&str, &[&str], &[&str]) = match tool {
        ACTIVATE => ("name", &["name"], &[]),
        READ => ("file_path", &["file_path"], &["start_line", "end_line"]),
        _ => ("command", &["command", "description", "dir_path"], &[]),
    };
    if !given.contains_key(needed) {
        return Err(format!("params must have required property '{needed}'"));
    }
    if given.keys().any(|key| !texts.contains(&key.as_str()) && !numbers.contains(&key.as_str())) {
        return Err("params must NOT have additional properties".to_owned());
    }
    if let Some(key) = texts.iter().find(|key| given.get(**key).is_some_and(|value| !value.is_string())) {
        return Err(format!("params/{key} must be string"));
    }
    if let Some(key) = numbers.iter().find(|key| given.get(**key).is_some_and(|value| !value.is_number())) {
        return Err(format!("params/{key} must be number"));
    }
    let is_allowed = tool != ACTIVATE || names.is_empty() || names.contains(&text(&given, needed));
    is_allowed.then_some(given).ok_or_else(|| "params/name must be equal to one of the allowed values".to_owned())
}

/// The text of a parameter that was checked.
pub fn text<'a>(given: &'a Map<String, Value>, name: &str) -> &'a str {
    given.get(name).and_then(Value::as_str).unwrap_or_default()
}
