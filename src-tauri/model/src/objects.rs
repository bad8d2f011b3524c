//! Shared by protocols in which tools' arguments and schemas are JSON objects, as Claude's API wants them.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

/// The arguments of a call. Arguments that are not an object are wrapped in one.
#[derive(Serialize)]
#[serde(untagged)]
pub enum Input<'a> {
    Object(&'a RawValue),
    Nothing {},
    NoObject {
        #[serde(rename = "INVALID_JSON")]
        text: &'a str,
    },
}

impl<'a> Input<'a> {
    pub fn of(arguments: &'a str) -> Self {
        if is_blank(arguments) {
            return Self::Nothing {};
        }
        // Raw values may hold what the API does not take, such as halves of characters.
        let object = serde_json::from_str::<Map<String, Value>>(arguments).and(serde_json::from_str(arguments));
        object.map_or(Self::NoObject { text: arguments }, Self::Object)
    }
}

/// The API requires the schema to say that arguments are an object.
pub fn schema(parameters: &Value) -> Cow<'_, Value> {
    match parameters {
        Value::Object(fields) if fields.contains_key("type") => Cow::Borrowed(parameters),
        Value::Object(fields) => {
            let mut typed = Map::from_iter([("type".to_owned(), "object".into())]);
            typed.extend(fields.clone());
            Cow::Owned(typed.into())
        }
        _ => Cow::Owned(json!({"type": "object"})),
    }
}

pub fn is_blank(text: &str) -> bool {
    text.trim().is_empty()
}
