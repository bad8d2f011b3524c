//! What a call carries.

use std::collections::HashMap;

use serde_json::value::RawValue;
use serde_json::{Map, Value};

/// What is no JSON object is taken as no arguments.
pub fn parse(arguments: &str) -> Map<String, Value> {
    serde_json::from_str(arguments).unwrap_or_default()
}

/// `--key value` for each argument that is not `null`; numbers in the digits the model wrote.
pub fn command_line(arguments: &str) -> Vec<String> {
    let written: HashMap<String, &RawValue> = serde_json::from_str(arguments).unwrap_or_default();
    let given = parse(arguments).into_iter().filter(|(_, value)| !value.is_null());
    let word = |key: &str, value: Value| match value {
        Value::String(text) => text,
        value => written.get(key).map_or_else(|| value.to_string(), |raw| raw.get().to_owned()),
    };
    given.flat_map(|(key, value)| [format!("--{key}"), word(&key, value)]).collect()
}
