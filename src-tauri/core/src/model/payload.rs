//! Payloads of answers, read as JSON, and what is wrong with those that are none. What they mean is each codec's own.

use serde::de::IgnoredAny;
use serde_json::Value;

use super::{ModelError, halves, said};

/// A payload that is JSON.
pub struct Payload<'a> {
    pub value: Value,
    /// As it came.
    pub raw: &'a str,
    /// Stand-ins for halves of characters are in it: see [`halves`].
    pub is_mended: bool,
}

/// What the next payload of a stream says; `None`: nothing, or `[DONE]`, after which nothing counts. `error` finds what
/// the server reports in place of an answer. `raw` in an error is the whole payload.
pub fn next<'a>(
    payload: &'a str,
    done: &mut bool,
    error: impl Fn(&Value) -> Option<String>,
) -> Result<Option<Payload<'a>>, ModelError> {
    let payload = payload.trim();
    *done |= payload == "[DONE]";
    if payload.is_empty() || *done {
        return Ok(None);
    }
    let parsed = parse(payload)?;
    match error(&parsed.value) {
        Some(error) => Err(ModelError::Broken { reason: format!("the server says: {error}"), raw: payload.to_owned() }),
        None => Ok(Some(parsed)),
    }
}

pub fn malformed(reason: &str, raw: &str) -> ModelError {
    ModelError::Malformed { reason: reason.to_owned(), raw: raw.to_owned() }
}

/// Not even an empty answer came.
pub fn silence() -> ModelError {
    ModelError::Broken {
        reason: "the server accepted the request and then sent nothing".to_owned(),
        raw: String::new(),
    }
}

/// A text, or the empty one.
pub fn text(value: &Value) -> &str {
    value.as_str().unwrap_or("")
}

/// A number of tokens.
pub fn count(value: &Value) -> Option<u32> {
    value.as_u64().map(|count| u32::try_from(count).unwrap_or(u32::MAX))
}

/// The arguments of a call as JSON text, also where a server does not write them as text.
pub fn arguments(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        object => object.to_string(),
    }
}

/// The arguments of a call are complete, as far as that can be seen.
pub fn is_whole_object(arguments: &str) -> bool {
    let arguments = arguments.trim();
    // Only what could be an object is worth parsing: this runs for every delta of some servers.
    arguments.starts_with('{') && arguments.ends_with('}') && serde_json::from_str::<IgnoredAny>(arguments).is_ok()
}

fn parse(raw: &str) -> Result<Payload<'_>, ModelError> {
    let error = match serde_json::from_str(raw) {
        Ok(value) => return Ok(Payload { value, raw, is_mended: false }),
        Err(error) => error,
    };
    if let Ok(value) = serde_json::from_str(&halves::mend(raw)) {
        return Ok(Payload { value, raw, is_mended: true });
    }
    let reason = match said::is_html(raw) {
        true => format!("it is {}", said::web_page(raw)),
        false => format!("it is not JSON: {error}"),
    };
    Err(malformed(&reason, raw))
}
