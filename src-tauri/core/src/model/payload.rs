//! One payload of an answer as JSON, and what is said of payloads that are none.

use serde_json::Value;

use super::{ModelError, halves, said};

/// The payload, and whether it was so without stand-ins for halves of characters. `raw` in an error is the payload.
pub fn parse(payload: &str) -> Result<(Value, bool), ModelError> {
    let error = match serde_json::from_str(payload) {
        Ok(value) => return Ok((value, true)),
        Err(error) => error,
    };
    if let Ok(value) = serde_json::from_str(&halves::mend(payload)) {
        return Ok((value, false));
    }
    let reason = match said::is_html(payload) {
        true => format!("it is {}", said::web_page(payload)),
        false => format!("it is not JSON: {error}"),
    };
    Err(malformed(&reason, payload))
}

/// It is JSON, but not of this protocol.
pub fn malformed(reason: &str, raw: &str) -> ModelError {
    ModelError::Malformed { reason: reason.to_owned(), raw: raw.to_owned() }
}

/// Nothing came that could be an answer.
pub fn silence() -> ModelError {
    ModelError::Broken {
        reason: "the server accepted the request and then sent nothing".to_owned(),
        raw: String::new(),
    }
}

/// The text, or nothing where it is none.
pub fn text(value: &Value) -> &str {
    value.as_str().unwrap_or("")
}

/// The arguments of a call as JSON text, also where a server does not write them as text.
pub fn arguments(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        object => object.to_string(),
    }
}
