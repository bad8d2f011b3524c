//! The protocols of models. Each has its own codec; here is what the rest of the program needs of all of them.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use ts_rs::TS;

use super::decode::Decode;
use super::framing::Framing;
use super::{ModelError, ModelEvent, ModelRequest, Sampling, anthropic, bedrock, eventstream, openai, responses, sse};

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
    /// Amazon Bedrock's Converse and ConverseStream.
    /// Source: <https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html>
    Bedrock,
}

impl Protocol {
    /// In the order in which they are offered.
    pub const ALL: [Self; 4] = [Self::OpenAi, Self::OpenAiResponses, Self::Anthropic, Self::Bedrock];

    /// Where requests go: the base address with the protocol's path, unless it ends with that already. Parameters after
    /// a `?` stay at the end, as Azure requires.
    pub fn url(self, base: &str, model: &str, streamed: bool) -> String {
        let path = match self {
            Self::OpenAi => "/chat/completions",
            Self::OpenAiResponses => "/responses",
            Self::Anthropic => "/messages",
            Self::Bedrock => {
                let way = if streamed { "converse-stream" } else { "converse" };
                return below(base, "", &format!("/model/{}/{way}", segment(model)));
            }
        };
        below(base, path, path)
    }

    /// Where the server lists its models, one page after the other.
    pub fn models_urls(self, base: &str) -> Vec<String> {
        let own = match self {
            Self::OpenAi => "/chat/completions",
            Self::OpenAiResponses => "/responses",
            Self::Anthropic => "/messages",
            Self::Bedrock => {
                // Models are asked of one service and listed by another.
                let base = base.replacen("//bedrock-runtime", "//bedrock", 1);
                return ["/foundation-models", "/inference-profiles"].map(|path| below(&base, "", path)).into();
            }
        };
        vec![below(base, own, "/models")]
    }

    /// Where the server says how many tokens a request has; `None`: the protocol has no such question.
    /// Sources: <https://docs.claude.com/en/api/messages-count-tokens>,
    /// <https://platform.openai.com/docs/api-reference/responses/input-tokens>,
    /// <https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_CountTokens.html>
    pub fn count_url(self, base: &str, model: &str) -> Option<String> {
        match self {
            Self::OpenAi => None,
            Self::OpenAiResponses => Some(below(base, "/responses", "/responses/input_tokens")),
            Self::Anthropic => Some(below(base, "/messages", "/messages/count_tokens")),
            Self::Bedrock => {
                Some(below(base, "", &format!("/model/{}/count-tokens", segment(bedrock::foundation_model(model)))))
            }
        }
    }

    /// The body of that question about a request with the body `body`: only the fields that count.
    pub fn count_body(self, body: &str) -> Option<String> {
        let counts: &[&str] = match self {
            Self::OpenAi => return None,
            Self::OpenAiResponses => &[
                "model",
                "input",
                "instructions",
                "tools",
                "tool_choice",
                "parallel_tool_calls",
                "reasoning",
                "text",
                "truncation",
                "conversation",
                "previous_response_id",
            ],
            Self::Anthropic => &[
                "model",
                "messages",
                "system",
                "tools",
                "tool_choice",
                "thinking",
                "output_config",
                "cache_control",
                "context_management",
                "mcp_servers",
            ],
            Self::Bedrock => &["messages", "system", "toolConfig", "additionalModelRequestFields"],
        };
        let Ok(Value::Object(mut fields)) = serde_json::from_str(body) else { return None };
        fields.retain(|name, _| counts.contains(&name.as_str()));
        let asked = match self {
            Self::Bedrock => json!({ "input": { "converse": fields } }),
            Self::OpenAi | Self::OpenAiResponses | Self::Anthropic => Value::Object(fields),
        };
        Some(asked.to_string())
    }

    /// The number in the answer to that question.
    pub fn counted(self, answer: &Value) -> Option<u64> {
        let field = match self {
            Self::OpenAi => return None,
            Self::OpenAiResponses | Self::Anthropic => "input_tokens",
            Self::Bedrock => "inputTokens",
        };
        answer[field].as_u64()
    }

    /// The body of a request. The same input gives the same bytes. `defaults` apply to what the request does not set.
    pub fn encode(self, model: &str, request: &ModelRequest, streamed: bool, defaults: &Sampling) -> String {
        match self {
            Self::OpenAi => openai::encode(model, request, streamed, defaults),
            Self::OpenAiResponses => responses::encode(model, request, streamed, defaults),
            Self::Anthropic => anthropic::encode(model, request, streamed, defaults),
            Self::Bedrock => bedrock::encode(request, defaults),
        }
    }

    /// A whole, unstreamed answer as the events of a stream. `raw` in an error is the whole body.
    pub fn decode(self, body: &str) -> Result<Vec<ModelEvent>, ModelError> {
        match self {
            Self::OpenAi => openai::decode(body),
            Self::OpenAiResponses => responses::decode(body),
            Self::Anthropic => anthropic::decode(body),
            Self::Bedrock => bedrock::decode(body),
        }
    }

    /// A decoder for one streamed answer.
    pub fn decoder(self) -> Box<dyn Decode> {
        match self {
            Self::OpenAi => Box::new(openai::Decoder::default()),
            Self::OpenAiResponses => Box::new(responses::Decoder::default()),
            Self::Anthropic => Box::new(anthropic::Decoder::default()),
            Self::Bedrock => Box::new(bedrock::Decoder::default()),
        }
    }

    /// What its streamed answers are wrapped in.
    pub fn framing(self) -> Framing {
        match self {
            Self::OpenAi | Self::OpenAiResponses | Self::Anthropic => Framing::Events(sse::Reader::default()),
            Self::Bedrock => Framing::Frames(eventstream::Reader::default()),
        }
    }

    /// The media type of its streamed answers.
    pub fn stream_type(self) -> &'static str {
        match self {
            Self::OpenAi | Self::OpenAiResponses | Self::Anthropic => "text/event-stream",
            Self::Bedrock => "application/vnd.amazon.eventstream",
        }
    }
}

/// A name as one part of a path.
fn segment(name: &str) -> String {
    let mut written = String::with_capacity(name.len());
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            written.push(char::from(byte));
        } else {
            written.push_str(&format!("%{byte:02X}"));
        }
    }
    written
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
    fn the_list_has_all_protocols() {
        let place = |protocol| match protocol {
            Protocol::OpenAi => 0,
            Protocol::OpenAiResponses => 1,
            Protocol::Anthropic => 2,
            Protocol::Bedrock => 3,
        };
        assert_eq!(Protocol::ALL.map(place), [0, 1, 2, 3]);
    }

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
            assert_eq!(protocol.url(base, "m", true), expected);
        }
        let listed = Protocol::OpenAi.models_urls("http://x/v1/chat/completions/?a=b");
        assert_eq!(listed, ["http://x/v1/models?a=b"]);
    }

    #[test]
    fn bedrock_has_the_model_in_the_path_and_lists_its_models_elsewhere() {
        let base = "https://bedrock-runtime.eu-west-1.amazonaws.com/";
        let model = "arn:aws:bedrock:eu-west-1:1:inference-profile/eu.anthropic.claude-x-v1:0";
        let path = "arn%3Aaws%3Abedrock%3Aeu-west-1%3A1%3Ainference-profile%2Feu.anthropic.claude-x-v1%3A0";
        let asked = [true, false].map(|streamed| Protocol::Bedrock.url(base, model, streamed));
        assert_eq!(asked, ["converse-stream", "converse"].map(|way| format!("{base}model/{path}/{way}")));
        assert_eq!(
            Protocol::Bedrock.models_urls(base),
            ["foundation-models", "inference-profiles"]
                .map(|list| format!("https://bedrock.eu-west-1.amazonaws.com/{list}"))
        );
    }

    #[test]
    fn tokens_are_counted_next_to_where_requests_go() {
        let url = |protocol: Protocol, base: &str, model: &str| protocol.count_url(base, model);
        assert_eq!(url(Protocol::OpenAi, "https://api.openai.com/v1", "m"), None);
        assert_eq!(
            url(Protocol::OpenAiResponses, "https://me.azure.com/openai/v1/responses?api-version=1", "m").as_deref(),
            Some("https://me.azure.com/openai/v1/responses/input_tokens?api-version=1")
        );
        assert_eq!(
            url(Protocol::Anthropic, "https://api.anthropic.com/v1/", "m").as_deref(),
            Some("https://api.anthropic.com/v1/messages/count_tokens")
        );
        let bedrock = |model| url(Protocol::Bedrock, "https://bedrock-runtime.eu-west-1.amazonaws.com", model).unwrap();
        assert_eq!(
            [
                "eu.anthropic.claude-x-v1:0",
                "global.anthropic.claude-x-v1:0",
                "us-gov.anthropic.claude-x-v1:0",
                "anthropic.claude-x-v1:0"
            ]
            .map(bedrock),
            ["https://bedrock-runtime.eu-west-1.amazonaws.com/model/anthropic.claude-x-v1%3A0/count-tokens"; 4],
            "it counts for models, and not for inference profiles"
        );
        assert!(bedrock("arn:aws:bedrock:eu-west-1:1:provisioned-model/x").contains("provisioned-model%2Fx"));
        assert!(bedrock("amazon.nova-pro-v1:0").contains("/amazon.nova-pro-v1%3A0/"));
    }

    #[test]
    fn only_what_is_counted_is_sent_to_be_counted() {
        let asked = |protocol: Protocol, body: Value| {
            protocol.count_body(&body.to_string()).map(|body| serde_json::from_str::<Value>(&body).unwrap())
        };
        let anthropic = json!({
            "model": "m", "max_tokens": 4096, "system": "s", "messages": [1], "tools": [2], "temperature": 0.5,
            "stream": true, "thinking": { "type": "adaptive" }, "metadata": {}, "stop_sequences": []
        });
        assert_eq!(
            asked(Protocol::Anthropic, anthropic),
            Some(json!({
                "model": "m", "system": "s", "messages": [1], "tools": [2], "thinking": { "type": "adaptive" }
            }))
        );
        let responses = json!({
            "model": "m", "input": [1], "instructions": "i", "tools": [2], "tool_choice": "auto", "stream": true,
            "store": false, "include": ["reasoning.encrypted_content"], "max_output_tokens": 9,
            "reasoning": { "effort": "low" }, "prompt_cache_key": "k"
        });
        assert_eq!(
            asked(Protocol::OpenAiResponses, responses),
            Some(json!({
                "model": "m", "input": [1], "instructions": "i", "tools": [2], "tool_choice": "auto",
                "reasoning": { "effort": "low" }
            }))
        );
        let converse = json!({
            "messages": [1], "system": [2], "toolConfig": { "tools": [3] }, "inferenceConfig": { "maxTokens": 9 },
            "additionalModelRequestFields": { "thinking": {} }
        });
        assert_eq!(
            asked(Protocol::Bedrock, converse),
            Some(json!({ "input": { "converse": {
                "messages": [1], "system": [2], "toolConfig": { "tools": [3] },
                "additionalModelRequestFields": { "thinking": {} }
            } } }))
        );
        assert_eq!(asked(Protocol::OpenAi, json!({ "messages": [] })), None);
        let answers = [json!({ "input_tokens": 7 }), json!({ "inputTokens": 7 }), json!({ "input_tokens": "7" })];
        let counted = |protocol: Protocol| answers.each_ref().map(|answer| protocol.counted(answer));
        assert_eq!(counted(Protocol::Anthropic), [Some(7), None, None]);
        assert_eq!(counted(Protocol::OpenAiResponses), [Some(7), None, None]);
        assert_eq!(counted(Protocol::Bedrock), [None, Some(7), None]);
        assert_eq!(counted(Protocol::OpenAi), [None; 3]);
    }
}
