//! What a call carries.

use std::collections::HashMap;

use serde_json::value::RawValue;
use serde_json::{Map, Value};

/// Anything but a JSON object counts as no arguments.
pub fn parse(arguments: &str) -> Map<String, Value> {
    serde_json::from_str(arguments).unwrap_or_default()
}

/// How Jackson converts an argument for a parameter of type `String`; `None` for `null` and for nothing.
pub fn as_string(arguments: &str, key: &str) -> Option<String> {
    fn printed(value: &Value) -> String {
        let joined = |items: Vec<String>| items.join(", ");
        match value {
            Value::Null => "null".into(),
            Value::String(text) => text.clone(),
            Value::Bool(_) | Value::Number(_) => value.to_string(),
            Value::Array(items) => format!("[{}]", joined(items.iter().map(printed).collect())),
            Value::Object(fields) => {
                let fields = fields.iter().map(|(key, value)| format!("{key}={}", printed(value)));
                format!("{{{}}}", joined(fields.collect()))
            }
        }
    }
    parse(arguments).get(key).filter(|value| !value.is_null()).map(printed)
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
