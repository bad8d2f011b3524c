//! The protocols that models are spoken to in. Each has a codec of its own; what they have in common for the rest of the
//! program is here.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::decode::Decode;
use super::{ModelError, ModelEvent, ModelRequest, Sampling, anthropic, openai, responses};

/// How `models.yaml` names it under `provider`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum Protocol {
    /// OpenAI chat completions and everything that speaks it.
    /// Source: <https://platform.openai.com/docs/api-reference/chat>
    OpenAi,
    /// OpenAI Responses, without state on the server.
    /// Source: <https://platform.openai.com/docs/api-reference/responses>
    OpenAiResponses,
    /// Anthropic Messages.
    /// Source: <https://docs.anthropic.com/en/api/messages>
    Anthropic,
}

impl Protocol {
    /// Where requests go: the base address with the protocol's path, unless it ends with that already. What stands behind
    /// a `?` stays behind it, as Azure wants.
    pub fn url(self, base: &str) -> String {
        below(base, self.path(), self.path())
    }

    /// Where the server lists its models.
    pub fn models_url(self, base: &str) -> String {
        below(base, self.path(), "/models")
    }

    /// The body of a request. The same input gives the same bytes. `defaults` holds where the request sets nothing.
    pub fn encode(self, model: &str, request: &ModelRequest, streamed: bool, defaults: &Sampling) -> String {
        match self {
            Self::OpenAi => openai::encode(model, request, streamed, defaults),
            Self::OpenAiResponses => responses::encode(model, request, streamed, defaults),
            Self::Anthropic => anthropic::encode(model, request, streamed, defaults),
        }
    }

    /// A whole, unstreamed answer as the events of a stream. `raw` in an error is the whole body.
    pub fn decode(self, body: &str) -> Result<Vec<ModelEvent>, ModelError> {
        match self {
            Self::OpenAi => openai::decode(body),
            Self::OpenAiResponses => responses::decode(body),
            Self::Anthropic => anthropic::decode(body),
        }
    }

    /// A decoder for one streamed answer.
    pub fn decoder(self) -> Box<dyn Decode> {
        match self {
            Self::OpenAi => Box::new(openai::Decoder::default()),
            Self::OpenAiResponses => Box::new(responses::Decoder::default()),
            Self::Anthropic => Box::new(anthropic::Decoder::default()),
        }
    }

    fn path(self) -> &'static str {
        match self {
            Self::OpenAi => "/chat/completions",
            Self::OpenAiResponses => "/responses",
            Self::Anthropic => "/messages",
        }
    }
}

/// The base address, which may end with `own` already, with `path`.
fn below(base: &str, own: &str, path: &str) -> String {
    let base = base.trim();
    let (trunk, query) = base.split_at(base.find('?').unwrap_or(base.len()));
    let trunk = trunk.trim_end_matches('/');
    let trunk = trunk.strip_suffix(own).unwrap_or(trunk);
    format!("{trunk}{path}{query}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn puts_the_path_before_the_query_once() {
        let cases = [
            (Protocol::OpenAi, "http://127.0.0.1:8080/v1/", "http://127.0.0.1:8080/v1/chat/completions"),
            (Protocol::OpenAi, "http://x/v1/chat/completions", "http://x/v1/chat/completions"),
            (
                Protocol::OpenAi,
                " https://me.openai.azure.com/openai/deployments/d?api-version=2024-10-21",
                "https://me.openai.azure.com/openai/deployments/d/chat/completions?api-version=2024-10-21",
            ),
            (Protocol::OpenAiResponses, "https://api.openai.com/v1", "https://api.openai.com/v1/responses"),
            (Protocol::Anthropic, "https://api.anthropic.com/v1", "https://api.anthropic.com/v1/messages"),
            (Protocol::OpenAi, "no address/", "no address/chat/completions"),
        ];
        for (protocol, base, expected) in cases {
            assert_eq!(protocol.url(base), expected);
        }
        let listed = Protocol::OpenAi.models_url("http://x/v1/chat/completions/?a=b");
        assert_eq!(listed, "http://x/v1/models?a=b");
    }
}
