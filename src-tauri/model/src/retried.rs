use std::fmt;

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use wording::{Message, message};

use super::ModelError;

/// A request that is made again, as no answer to it had begun. `Display` is a plain sentence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Retried {
    /// What came of the attempt before.
    pub why: ModelError,
    /// Milliseconds that are waited first.
    #[ts(type = "number")]
    pub pause: u64,
    /// From 1.
    pub attempt: u32,
    /// Attempts at most.
    pub of: u32,
}

/// Milliseconds after which waiting people look for a way to stop it.
const LONG: u64 = 10_000;

impl Retried {
    /// For the record, which does not repeat the server's text for each attempt.
    pub fn without_raw(&self) -> Self {
        Self { why: self.why.without_raw(), ..self.clone() }
    }
}

impl Retried {
    /// Why it was asked again, and after how long.
    pub fn worded(&self) -> Message {
        let what = match &self.why {
            ModelError::Refused { status: Some(status), .. } => {
                message!("the server answered {status}", "服务器返回 {status}")
            }
            ModelError::Unreachable { reason, .. } => {
                message!("the server could not be reached ({reason})", "无法连接服务器（{reason}）"; reason)
            }
            ModelError::Timeout { .. } => message!("the server did not accept a connection", "服务器未接受连接"),
            ModelError::Certificate { .. }
            | ModelError::Refused { status: None, .. }
            | ModelError::Broken { .. }
            | ModelError::Malformed { .. }
            | ModelError::TooMuch { .. }
            | ModelError::Silent
            | ModelError::Key { .. }
            | ModelError::Setting { .. }
            | ModelError::Recorded { .. } => self.why.worded(),
        };
        let (attempt, of, seconds) = (self.attempt, self.of, self.pause as f64 / 1000.0);
        let seconds = if seconds < 9.95 { (seconds * 10.0).round() / 10.0 } else { seconds.round() };
        let when = if self.pause < 50 {
            message!("asking again at once", "立即重试")
        } else if self.pause >= LONG {
            message!("asking again in {seconds} s, unless you stop the run", "{seconds} 秒后重试，也可以停止运行")
        } else {
            message!("asking again in {seconds} s", "{seconds} 秒后重试")
        };
        message!("{what}; {when} ({attempt} of {of})", "{what}；{when}（第 {attempt} 次，共 {of} 次）"; what, when)
    }
}

impl fmt::Display for Retried {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.worded().en)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Wait;

    #[test]
    fn says_what_came_and_when_it_goes_on() {
        let url = || "http://x/v1".to_owned();
        let refused = ModelError::Refused {
            url: url(),
            status: Some(503),
            refusal: crate::Refusal::Busy,
            reason: Message::quoted("later"),
            raw: "later".into(),
        };
        let retried = |why: ModelError, pause, attempt| Retried { why, pause, attempt, of: 2 };
        let first = retried(refused, 512, 1);
        assert_eq!(first.to_string(), "the server answered 503; asking again in 0.5 s (1 of 2)");
        assert_eq!(
            serde_json::from_value::<Retried>(serde_json::to_value(&first).unwrap()).unwrap(),
            first.without_raw()
        );
        let unreachable = ModelError::unreachable(&url(), Message::quoted("refused"));
        let second = retried(unreachable, 12_300, 2);
        assert_eq!(
            second.to_string(),
            "the server could not be reached (refused); asking again in 12 s, unless you stop the run (2 of 2)"
        );
        let slow = ModelError::Timeout { url: url(), wait: Wait::Connect, seconds: 9, raw: String::new() };
        assert_eq!(
            retried(slow, 49, 1).to_string(),
            "the server did not accept a connection; asking again at once (1 of 2)"
        );
    }
}
