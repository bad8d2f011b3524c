//! Reads payloads of answers as JSON, or says what is wrong with them. Each codec decides what they mean.

use serde::de::IgnoredAny;
use serde_json::Value;
use wording::{Message, Wording, message};

use super::{ModelError, halves, said};

/// A payload that is JSON.
pub struct Payload<'a> {
    pub value: Value,
    /// As it came.
    pub raw: &'a str,
    /// It contains stand-ins for halves of characters: see [`halves`].
    pub is_mended: bool,
}

/// The next payload of a stream; `None`: none, or `[DONE]`, after which nothing counts. `error` finds what the server
/// reports in place of an answer. `raw` in an error is the whole payload.
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
        Some(error) => Err(ModelError::Broken { reason: said::reported_error(&error), raw: payload.to_owned() }),
        None => Ok(Some(parsed)),
    }
}

/// Of protocols whose answers are messages.
pub const NO_MESSAGE: Wording = Wording::new("there is no message in it", "其中没有消息");

/// An answer that is not what its protocol has; `raw` is kept as it came.
pub fn malformed(reason: impl Into<Message>, raw: &str) -> ModelError {
    ModelError::Malformed { reason: reason.into(), raw: raw.to_owned() }
}

/// The reason to finish that says that something broke, as OpenRouter gives it. `within`: what has that reason, and may
/// say what broke.
pub fn refuse_error(reason: &Value, within: &Value, raw: &str) -> Result<(), ModelError> {
    if !text(reason).eq_ignore_ascii_case("error") {
        return Ok(());
    }
    let reason = match said::error(within) {
        Some(error) => said::reported_error(&error),
        None => message!("the server says that the answer ended with an error", "服务器表示回答因出错而结束"),
    };
    Err(ModelError::Broken { reason, raw: raw.to_owned() })
}

/// Not even an empty answer came.
pub fn silence() -> ModelError {
    ModelError::Broken {
        reason: message!(
            "the server accepted the request and then sent nothing",
            "服务器接受了请求，之后什么也没有发送"
        ),
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

/// The arguments of a call as JSON text, even if a server does not write them as text.
pub fn arguments(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        object => object.to_string(),
    }
}

/// The arguments of a call as far as they have come. Some servers make one ask after every piece whether they are whole,
/// so they are looked through once only.
#[derive(Debug, Default)]
pub struct Arguments {
    text: String,
    /// So many bytes were looked through.
    seen: usize,
    /// Braces that are open.
    depth: usize,
    in_text: bool,
    escaped: bool,
    /// Where the first object ends.
    end: Option<usize>,
    /// Something is after it.
    goes_on: bool,
    /// Whether that is JSON; `None` until somebody asks.
    is_json: Option<bool>,
}

impl Arguments {
    /// Adds the next piece of their text.
    pub fn push(&mut self, piece: &str) {
        self.text.push_str(piece);
    }

    /// Nothing of them came yet.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// They are complete, as far as that can be seen.
    pub fn are_whole(&mut self) -> bool {
        for at in self.seen..self.text.len() {
            self.look(at);
        }
        self.seen = self.text.len();
        let Some(end) = self.end.filter(|_| !self.goes_on) else { return false };
        let object = &self.text[..end];
        *self.is_json.get_or_insert_with(|| {
            object.trim_start().starts_with('{') && serde_json::from_str::<IgnoredAny>(object).is_ok()
        })
    }

    fn look(&mut self, at: usize) {
        let byte = self.text.as_bytes()[at];
        match byte {
            _ if self.end.is_some() => self.goes_on |= !byte.is_ascii_whitespace(),
            _ if std::mem::take(&mut self.escaped) => {}
            b'\\' => self.escaped = self.in_text,
            b'"' => self.in_text = !self.in_text,
            _ if self.in_text => {}
            b'{' => self.depth += 1,
            b'}' => {
                self.depth = self.depth.saturating_sub(1);
                self.end = (self.depth == 0).then_some(at + 1);
            }
            _ => {}
        }
    }
}

impl From<String> for Arguments {
    fn from(text: String) -> Self {
        Self { text, ..Self::default() }
    }
}

fn parse(raw: &str) -> Result<Payload<'_>, ModelError> {
    let error = match serde_json::from_str(raw) {
        Ok(value) => return Ok(Payload { value, raw, is_mended: false }),
        Err(error) => error,
    };
    if let Ok(value) = serde_json::from_str(&halves::mend(raw)) {
        return Ok(Payload { value, raw, is_mended: true });
    }
    Err(malformed(said::no_json(raw, &error), raw))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn is_whole_object(text: &str) -> bool {
        text.trim().starts_with('{') && serde_json::from_str::<IgnoredAny>(text).is_ok()
    }

    proptest! {
        #[test]
        fn arguments_are_whole_when_they_are_one_object(
            pieces in prop::collection::vec(
                prop::sample::select(vec!["{", "}", "\"a\":", "1", ",", "\"\\\"}\"", "[", "]", " ", "\n", "{}", "\\", "\"", "é"]),
                0..10,
            ),
        ) {
            let mut arguments = Arguments::default();
            let mut text = String::new();
            for piece in pieces {
                arguments.push(piece);
                text.push_str(piece);
                prop_assert_eq!(arguments.are_whole(), is_whole_object(&text), "{}", text);
            }
        }
    }
}
