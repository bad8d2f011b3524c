//! What can go wrong between us and a model, and what to do about it.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::Bound;
use crate::secret::KeyError;

/// `Display` is a plain sentence; `raw` is what the server said, and is kept apart wherever the error is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ModelError {
    #[error("cannot reach {url}: {reason}")]
    Unreachable { url: String, reason: String },
    #[error("the certificate of {url} does not hold: {reason}")]
    Certificate { url: String, reason: String },
    #[error("{url} {}", wait.over(*seconds))]
    Timeout {
        url: String,
        wait: Wait,
        #[ts(type = "number")]
        seconds: u64,
        #[serde(skip)]
        raw: String,
    },
    /// The server said no; in the middle of its answer where there is no `status`.
    #[error("{}{reason}", before_reason(url, *status))]
    Refused {
        url: String,
        status: Option<u16>,
        refusal: Refusal,
        reason: String,
        #[serde(skip)]
        raw: String,
    },
    #[error("the answer broke off: {reason}")]
    Broken {
        reason: String,
        #[serde(skip)]
        raw: String,
    },
    #[error("the answer is not what the protocol says: {reason}")]
    Malformed {
        reason: String,
        #[serde(skip)]
        raw: String,
    },
    /// The server sent more than an answer may have, and was cut off.
    #[error("the answer was cut off: more than {most} {}", bound.phrase())]
    TooMuch {
        bound: Bound,
        /// MiB, or a number of things.
        most: u32,
    },
    #[error("the model answered with nothing at all")]
    Silent,
    #[error("no key: {why}")]
    Key { why: KeyError },
    /// Something in `models.yaml` that only its use shows to be wrong.
    #[error("cannot use `{setting}` of models.yaml: {reason}")]
    Setting { setting: String, reason: String },
    /// A recorded model fails as the recorded one did, or has no answer left.
    #[error("{reason}")]
    Recorded {
        reason: String,
        #[serde(skip)]
        raw: String,
    },
}

/// Which wait came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum Wait {
    Connect,
    Idle,
    Total,
}

/// Why a server refuses, as far as the next step depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum Refusal {
    /// The request does not fit into the model's context, or is more than the server takes.
    TooLong,
    /// The key is missing, wrong, or may not do this.
    Key,
    /// There is no such model, or not for this key.
    Model,
    /// Nothing is left to pay with.
    Quota,
    /// Too many requests, too much to do, or still starting.
    Busy,
    /// The model, or the server as it was started, takes no tools.
    Tools,
    /// Nothing of the kind is at this address.
    Address,
    Other,
}

impl ModelError {
    /// What to do now, in one sentence; `None`: nothing that would help is known.
    pub fn next_step(&self) -> Option<String> {
        let step = match self {
            Self::Unreachable { .. } => {
                "check that the server runs, that `baseUrl` in models.yaml is its address, and whether a proxy is needed \
                 (`network.proxy`)"
            }
            Self::Certificate { .. } => {
                "if the server's authority is your own, name its PEM file under `network.certificates` in models.yaml; \
                 otherwise do not send a key there"
            }
            Self::Timeout { wait, .. } => {
                return Some(format!(
                    "{}, or raise `timeouts.{}` of the model in models.yaml",
                    wait.advice(),
                    wait.word()
                ));
            }
            Self::Refused { refusal, .. } => refusal.next_step()?,
            Self::Broken { .. } | Self::Silent => {
                "run it again; a server that keeps doing this may not take `stream` or `tools`: set them to `false` for \
                 the model in models.yaml"
            }
            Self::Malformed { .. } => "check that `baseUrl` and `provider` in models.yaml fit the server",
            Self::TooMuch { .. } => {
                "run it again; a model that repeats itself may need `maxTokens` under `parameters` in models.yaml"
            }
            Self::Key { .. } => "set the key where models.yaml says that it is, or name another place under `key`",
            Self::Setting { .. } => "correct it in models.yaml and run again",
            Self::Recorded { .. } => return None,
        };
        Some(step.to_owned())
    }

    /// What the server said, as far as it was kept.
    pub fn raw(&self) -> &str {
        match self {
            Self::Timeout { raw, .. }
            | Self::Refused { raw, .. }
            | Self::Broken { raw, .. }
            | Self::Malformed { raw, .. }
            | Self::Recorded { raw, .. } => raw,
            Self::Unreachable { .. }
            | Self::Certificate { .. }
            | Self::TooMuch { .. }
            | Self::Silent
            | Self::Key { .. }
            | Self::Setting { .. } => "",
        }
    }

    /// The error without what the server said.
    pub fn without_raw(&self) -> Self {
        self.clone().with_texts(|url| url, |line| line, |_| String::new())
    }

    /// The error with each of its texts changed: its addresses, its reasons, and its raw text.
    pub(super) fn with_texts(
        self,
        address: impl Fn(String) -> String,
        line: impl Fn(String) -> String,
        raw: impl Fn(String) -> String,
    ) -> Self {
        match self {
            Self::Unreachable { url, reason } => Self::Unreachable { url: address(url), reason: line(reason) },
            Self::Certificate { url, reason } => Self::Certificate { url: address(url), reason: line(reason) },
            Self::Timeout { url, wait, seconds, raw: said } => {
                Self::Timeout { url: address(url), wait, seconds, raw: raw(said) }
            }
            Self::Refused { url, status, refusal, reason, raw: said } => {
                Self::Refused { url: address(url), status, refusal, reason: line(reason), raw: raw(said) }
            }
            Self::Broken { reason, raw: said } => Self::Broken { reason: line(reason), raw: raw(said) },
            Self::Malformed { reason, raw: said } => Self::Malformed { reason: line(reason), raw: raw(said) },
            Self::TooMuch { bound, most } => Self::TooMuch { bound, most },
            Self::Silent => Self::Silent,
            Self::Key { why } => Self::Key { why },
            Self::Setting { setting, reason } => Self::Setting { setting, reason: line(reason) },
            Self::Recorded { reason, raw: said } => Self::Recorded { reason: line(reason), raw: raw(said) },
        }
    }
}

impl Wait {
    fn over(self, seconds: u64) -> String {
        match self {
            Self::Connect => format!("took no connection within {seconds} s"),
            Self::Idle => format!("sent nothing for {seconds} s"),
            Self::Total => format!("was not done after {seconds} s"),
        }
    }

    fn advice(self) -> &'static str {
        match self {
            Self::Connect => "check that the server runs and that no firewall is in between",
            Self::Idle => "check that the server is still at work",
            Self::Total => "ask for a shorter answer",
        }
    }

    /// As `models.yaml` calls it.
    fn word(self) -> &'static str {
        match self {
            Self::Connect => "connect",
            Self::Idle => "idle",
            Self::Total => "total",
        }
    }
}

impl Refusal {
    /// Whether the same request may be answered later, as far as the words of the refusal tell.
    pub(super) fn may_pass(self) -> bool {
        match self {
            Self::Busy | Self::Other => true,
            Self::TooLong | Self::Key | Self::Model | Self::Quota | Self::Tools | Self::Address => false,
        }
    }

    fn next_step(self) -> Option<&'static str> {
        match self {
            Self::TooLong => Some(
                "let the run read less (fewer or shorter skills and references, a shorter prompt), or choose a model with \
                 a larger context",
            ),
            Self::Key => Some("check that the key is the right one for this server and may use this model"),
            Self::Model => Some("check `model` in models.yaml against the server's list of models"),
            Self::Quota => Some("the account behind the key has nothing left: top it up, or use another key or model"),
            Self::Busy => Some("wait a moment and run it again"),
            Self::Tools => Some(
                "choose a model that calls tools, start the server with tools switched on, or set `tools: false` for the \
                 model in models.yaml",
            ),
            Self::Address => Some("check `baseUrl` in models.yaml; for most servers it ends with /v1"),
            Self::Other => None,
        }
    }
}

fn before_reason(url: &str, status: Option<u16>) -> String {
    match status {
        Some(status) => format!("{url} answered {status}: "),
        None => "the answer broke off: ".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_which_time_ran_out_and_where_it_is_set() {
        let timeout = |wait| {
            let error = ModelError::Timeout { url: "http://x/v1".into(), wait, seconds: 7, raw: String::new() };
            (error.to_string(), error.next_step().unwrap())
        };
        let of_the_model =
            |advice: &str, word: &str| format!("{advice}, or raise `timeouts.{word}` of the model in models.yaml");
        assert_eq!(
            [Wait::Connect, Wait::Idle, Wait::Total].map(timeout),
            [
                (
                    "http://x/v1 took no connection within 7 s".to_owned(),
                    of_the_model("check that the server runs and that no firewall is in between", "connect")
                ),
                (
                    "http://x/v1 sent nothing for 7 s".to_owned(),
                    of_the_model("check that the server is still at work", "idle")
                ),
                ("http://x/v1 was not done after 7 s".to_owned(), of_the_model("ask for a shorter answer", "total")),
            ]
        );
    }

    #[test]
    fn what_the_server_said_does_not_go_along_with_the_error() {
        let (url, reason) = ("http://x/v1".to_owned(), "no such model".to_owned());
        let (status, refusal) = (Some(404), Refusal::Model);
        let error = ModelError::Refused { url, status, refusal, reason, raw: "<html>".into() };
        let written = serde_json::to_value(&error).unwrap();
        assert_eq!(
            written,
            serde_json::json!({"type": "refused", "url": "http://x/v1", "status": 404, "refusal": "model",
                "reason": "no such model"})
        );
        assert_eq!(serde_json::from_value::<ModelError>(written).unwrap(), error.without_raw());
    }

    #[test]
    fn names_the_status_where_there_is_one() {
        let refused = |status| {
            let (url, reason, raw) = ("http://x/v1".into(), "no".into(), String::new());
            ModelError::Refused { url, status, refusal: Refusal::Other, reason, raw }.to_string()
        };
        assert_eq!(refused(Some(418)), "http://x/v1 answered 418: no");
        assert_eq!(refused(None), "the answer broke off: no");
    }
}
