//! The arguments of a call, as the tools' schemas take them.

use camino::Utf8PathBuf;

use super::files;
use crate::python::{self, Value, get};
use model::ToolCall;

/// What a call was given.
pub struct Given {
    pub tool: String,
    pub arguments: Vec<(String, Value)>,
}

impl Given {
    pub fn of(call: &ToolCall) -> Option<Self> {
        let json = if call.arguments.is_empty() { "{}" } else { &call.arguments };
        match python::loads(json) {
            Ok(Value::Dict(arguments)) => Some(Self { tool: call.name.clone(), arguments }),
            Ok(_) | Err(_) => None,
        }
    }

    /// `Err`: the answer for the model.
    pub fn path(&self, key: &str) -> Result<Utf8PathBuf, String> {
        files::valid(self.text(key)?).map_err(|error| format!("Error: {error}"))
    }

    pub fn text(&self, key: &str) -> Result<&str, String> {
        match get(&self.arguments, key) {
            None => Err(self.wrong(&format!("{key}: Field required"))),
            Some(value) => value.as_text().ok_or_else(|| self.wrong(&format!("{key}: Input should be a valid string"))),
        }
    }

    pub fn number(&self, key: &str, fallback: i64) -> Result<i64, String> {
        let digits = match get(&self.arguments, key) {
            None => return Ok(fallback),
            Some(Value::Int(digits) | Value::Text(digits)) => digits.trim().parse().ok(),
            Some(_) => None,
        };
        digits.ok_or_else(|| self.wrong(&format!("{key}: Input should be a valid integer")))
    }

    fn wrong(&self, error: &str) -> String {
        let kwargs = Value::Dict(self.arguments.clone()).to_repr();
        format!(
            "Error invoking tool '{}' with kwargs {kwargs} with error:\n {error}\n Please fix the error and try again.",
            self.tool
        )
    }
}
