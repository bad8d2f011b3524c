//! The arguments of a call, and the words for those that are not as the tool's schema has them.

use serde_json::{Map, Value};

use super::Variant;

/// A parameter of a tool.
#[derive(Debug, Clone, Copy)]
pub struct Parameter {
    pub name: &'static str,
    pub kind: ArgumentKind,
    pub required: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArgumentKind {
    Text,
    Number,
}

/// What the call gives. More than the parameters is accepted. `Err` is the reply.
pub fn read(
    tool: &str,
    arguments: &str,
    parameters: &[Parameter],
    variant: Variant,
) -> Result<Map<String, Value>, String> {
    let given = match arguments.trim() {
        "" => Value::Object(Map::new()),
        text => serde_json::from_str(text).map_err(|_| unparsed(tool, arguments))?,
    };
    let given = match given {
        Value::Object(fields) => fields,
        other if variant == Variant::Older => return Err(failed(tool, &[of_type("", "object", &other)])),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => Map::new(),
    };
    let issues: Vec<String> = parameters.iter().filter_map(|parameter| parameter.issue(&given)).collect();
    if issues.is_empty() { Ok(given) } else { Err(failed(tool, &issues)) }
}

/// The fields of a call that was served.
pub fn fields(arguments: &str) -> Map<String, Value> {
    serde_json::from_str(arguments).unwrap_or_default()
}

/// The text of a parameter that was checked.
pub fn text<'a>(given: &'a Map<String, Value>, name: &str) -> &'a str {
    given.get(name).and_then(Value::as_str).unwrap_or_default()
}

fn failed(tool: &str, issues: &[String]) -> String {
    let noun = if issues.len() == 1 { "issue" } else { "issues" };
    format!("InputValidationError: {tool} failed due to the following {noun}:\n{}", issues.join("\n"))
}

fn of_type(name: &str, wanted: &str, value: &Value) -> String {
    format!("The parameter `{name}` type is expected as `{wanted}` but provided as `{}`", type_of(value))
}

impl Parameter {
    pub const fn text(name: &'static str) -> Self {
        Self { name, kind: ArgumentKind::Text, required: true }
    }

    pub const fn optional(name: &'static str, kind: ArgumentKind) -> Self {
        Self { name, kind, required: false }
    }

    fn issue(self, given: &Map<String, Value>) -> Option<String> {
        let Self { name, kind, required } = self;
        let Some(value) = given.get(name) else {
            return required.then(|| format!("The required parameter `{name}` is missing"));
        };
        let (fits, wanted) = match kind {
            ArgumentKind::Text => (value.is_string(), "string"),
            ArgumentKind::Number => (value.is_number(), "number"),
        };
        (!fits).then(|| of_type(name, wanted, value))
    }
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// Bytes of broken arguments that the model is shown again.
const SHOWN: usize = 200;

fn unparsed(tool: &str, arguments: &str) -> String {
    let shown = &arguments[..arguments.floor_char_boundary(SHOWN)];
    format!(
        "InputValidationError: {tool} was called with input that could not be parsed as JSON.\nYou sent (first {} of {} \
         bytes): {shown}\nCommon causes: unescaped backslashes in file paths (use / or \\\\), unescaped control \
         characters, or truncated output. Retry with valid JSON.",
        shown.len(),
        arguments.len(),
    )
}
