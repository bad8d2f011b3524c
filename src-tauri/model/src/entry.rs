//! How a model is reached: one entry of `models.yaml`, and what all entries share.

pub mod check;

use std::collections::BTreeMap;

use camino::Utf8PathBuf;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use ts_rs::TS;

use crate::Sampling;
use crate::protocol::Protocol;
use crate::reasoning::Reasoning;
use crate::secret::KeyRef;
use wording::Message;

/// How all models are reached. Certificates are always verified; an authority of one's own is added, not trusted blindly.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(
    rename_all = "camelCase",
    deny_unknown_fields,
    default,
    expecting = "⟪`proxy` or `certificates`‖`proxy` 或 `certificates`⟫"
)]
pub struct Network {
    /// An address such as `http://proxy:3128` or `socks5://proxy:1080`, or `none`; `null`: as the system's settings
    /// say. Loopback addresses never go through it. A proxy that needs a password is set in the environment.
    #[serde(deserialize_with = "check::proxy")]
    pub proxy: Option<String>,
    /// A PEM file of certificate authorities that count next to the system's; from the folder of `models.yaml` where it
    /// is not absolute.
    #[serde(deserialize_with = "check::certificates")]
    #[ts(type = "string | null")]
    pub certificates: Option<Utf8PathBuf>,
}

/// A model of `models.yaml`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(
    rename_all = "camelCase",
    deny_unknown_fields,
    expecting = "⟪a model with `id`, `provider`, `baseUrl` and `model`‖带有 `id`、`provider`、`baseUrl` 和 `model` 的模型⟫"
)]
pub struct ModelEntry {
    /// What `--model` and the window call it.
    #[serde(deserialize_with = "check::name")]
    pub id: String,
    pub provider: Protocol,
    /// An http or https address, up to and without what the protocol adds, e.g. `/chat/completions`.
    #[serde(deserialize_with = "check::base_url")]
    pub base_url: String,
    /// The provider's name of the model.
    #[serde(deserialize_with = "check::name")]
    pub model: String,
    /// `null`: the server needs no key.
    #[serde(default, deserialize_with = "check::key")]
    pub key: Option<KeyRef>,
    /// The header that carries the key and nothing else; `null`: as the protocol wants, which is `x-api-key` for
    /// Anthropic and `Authorization: Bearer …` for the others.
    #[serde(default, deserialize_with = "check::header_name")]
    pub key_header: Option<String>,
    /// Sent with each request. Not for keys.
    #[serde(default, deserialize_with = "check::headers")]
    pub headers: BTreeMap<String, String>,
    #[serde(default = "yes")]
    pub stream: bool,
    #[serde(default)]
    pub parameters: Sampling,
    /// Of a model that reasons. What `body` says of the same counts.
    #[serde(default)]
    pub reasoning: Reasoning,
    /// Put into the body of each request as it stands, e.g. `top_p: 0.9`. What the workbench itself writes
    /// cannot be replaced.
    #[serde(default, deserialize_with = "check::body")]
    #[ts(type = "Record<string, unknown>")]
    pub body: Map<String, Value>,
    /// `false`: the model knows no tools, and is told of none.
    #[serde(default = "yes")]
    pub tools: bool,
    /// `false`: the model takes no pictures, and a line says what was left out.
    #[serde(default = "yes")]
    pub images: bool,
    /// Context window in tokens, for the gauge.
    #[serde(default, deserialize_with = "check::some_positive")]
    pub context: Option<u32>,
    /// `null`: not known, so runs have no price.
    #[serde(default)]
    pub prices: Option<Prices>,
    #[serde(default)]
    pub timeouts: Timeouts,
    #[serde(default)]
    pub retries: Retries,
}

impl ModelEntry {
    /// With only the required fields set.
    pub fn new(id: &str, provider: Protocol, base_url: &str, model: &str) -> Self {
        Self {
            id: id.to_owned(),
            provider,
            base_url: base_url.to_owned(),
            model: model.to_owned(),
            key: None,
            key_header: None,
            headers: BTreeMap::new(),
            stream: true,
            parameters: Sampling::default(),
            reasoning: Reasoning::default(),
            body: Map::new(),
            tools: true,
            images: true,
            context: None,
            prices: None,
            timeouts: Timeouts::default(),
            retries: Retries::default(),
        }
    }

    /// Where the key is. Requests to Amazon Bedrock without one are signed with what the environment says.
    pub fn credentials(&self) -> Option<KeyRef> {
        let signed = || (self.provider == Protocol::Bedrock).then(|| KeyRef::Aws(String::new()));
        self.key.clone().or_else(signed)
    }

    /// A field of the body by which the server would keep the conversation.
    pub fn keeps_state(&self) -> Option<&'static str> {
        let fields = match self.provider {
            Protocol::OpenAiResponses => ["store", "previous_response_id", "conversation", "background"].as_slice(),
            Protocol::OpenAi | Protocol::Anthropic | Protocol::Bedrock => &[],
        };
        fields.iter().copied().find(|name| self.body.contains_key(*name))
    }

    /// The fields as `models.yaml` has them, without those that have their default.
    pub fn written(&self) -> Map<String, Value> {
        let plain = fields(&Self::new(&self.id, self.provider, &self.base_url, &self.model));
        let mut written = fields(self);
        written.retain(|name, value| REQUIRED.contains(&name.as_str()) || plain.get(name) != Some(value));
        for (name, value) in &mut written {
            let Value::Object(inner) = value else { continue };
            match name.as_str() {
                "prices" | "parameters" | "reasoning" => {
                    inner.retain(|_, value| !value.is_null());
                    inner.values_mut().for_each(shorten);
                }
                "timeouts" | "retries" => {
                    let defaults = &plain[name.as_str()];
                    inner.retain(|name, value| defaults.get(name) != Some(value));
                }
                _ => {}
            }
        }
        written
    }
}

const REQUIRED: [&str; 4] = ["id", "provider", "baseUrl", "model"];

fn fields(entry: &ModelEntry) -> Map<String, Value> {
    match serde_json::json!(entry) {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}

/// `10.0` as `10`.
fn shorten(number: &mut Value) {
    let whole = number.as_f64().filter(|number| number.fract() == 0.0 && number.abs() < 1e15);
    if let Some(whole) = whole {
        *number = Value::from(whole as i64);
    }
}

/// The tracing back end that runs are sent to, by OTLP over HTTP.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(
    rename_all = "camelCase",
    deny_unknown_fields,
    expecting = "⟪`endpoint` and, if it needs one, `key`‖`endpoint`，需要密钥时还有 `key`⟫"
)]
pub struct Otlp {
    /// Its address, with or without `/v1/traces`.
    #[serde(deserialize_with = "check::endpoint")]
    pub endpoint: String,
    /// `null`: it needs none.
    #[serde(default, deserialize_with = "check::key")]
    pub key: Option<KeyRef>,
    /// The header that carries the key and nothing else; `null`: `Authorization`.
    #[serde(default, deserialize_with = "check::header_name")]
    pub key_header: Option<String>,
    /// What is before the key in `Authorization`.
    #[serde(default)]
    pub key_scheme: KeyScheme,
    /// Sent with each request. Not for keys.
    #[serde(default, deserialize_with = "check::headers")]
    pub headers: BTreeMap<String, String>,
    /// Also while a run goes on.
    #[serde(default)]
    pub live: bool,
    /// What was said: prompts, answers, arguments and results.
    #[serde(default)]
    pub contents: bool,
    /// The attributes `gen_ai.skill.*`, which are a draft.
    #[serde(default)]
    pub skills: bool,
    #[serde(default = "for_spans")]
    pub timeouts: Timeouts,
    #[serde(default)]
    pub retries: Retries,
}

/// How a header carries the key.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub enum KeyScheme {
    #[default]
    Bearer,
    Basic,
}

impl KeyScheme {
    /// As it is before the key in the header.
    pub fn word(self) -> &'static str {
        match self {
            Self::Bearer => "Bearer",
            Self::Basic => "Basic",
        }
    }
}

impl Otlp {
    /// With only the required fields set.
    pub fn new(endpoint: &str) -> Self {
        Self {
            endpoint: endpoint.to_owned(),
            key: None,
            key_header: None,
            key_scheme: KeyScheme::default(),
            headers: BTreeMap::new(),
            live: false,
            contents: false,
            skills: false,
            timeouts: for_spans(),
            retries: Retries::default(),
        }
    }

    /// The same back end at another address. What opens one server is not shown to another.
    pub fn at(&self, address: &str) -> Result<Self, Message> {
        let address = check::receiver(address)?;
        let origin = |address: &str| reqwest::Url::parse(address).ok().map(|url| url.origin());
        let is_same = origin(&address) == origin(&self.endpoint);
        Ok(match is_same {
            true => Self { endpoint: address, ..self.clone() },
            false => Self {
                endpoint: address,
                key: None,
                key_header: None,
                key_scheme: KeyScheme::default(),
                headers: BTreeMap::new(),
                ..self.clone()
            },
        })
    }

    /// Where spans go.
    pub fn url(&self) -> String {
        let (address, query) = match self.endpoint.split_once('?') {
            Some((address, query)) => (address, format!("?{query}")),
            None => (self.endpoint.as_str(), String::new()),
        };
        let base = address.trim_end_matches('/');
        match base.ends_with(TRACES) {
            true => format!("{base}{query}"),
            false => format!("{base}{TRACES}{query}"),
        }
    }
}

/// As OTLP has it.
const TRACES: &str = "/v1/traces";

fn for_spans() -> Timeouts {
    Timeouts { connect: 10, idle: 30, total: 60 }
}

/// US dollars for a million tokens.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, TS)]
#[serde(
    rename_all = "camelCase",
    deny_unknown_fields,
    expecting = "⟪`input` and `output`, in US dollars‖以美元计的 `input` 和 `output`⟫"
)]
pub struct Prices {
    #[serde(deserialize_with = "check::price")]
    pub input: f64,
    #[serde(deserialize_with = "check::price")]
    pub output: f64,
    /// For input read from the provider's cache; `null`: as other input.
    #[serde(default, deserialize_with = "check::some_price")]
    pub cached: Option<f64>,
    /// For input put into the provider's cache; `null`: as other input.
    #[serde(default, deserialize_with = "check::some_price")]
    pub cache_written: Option<f64>,
}

/// Seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(
    rename_all = "camelCase",
    deny_unknown_fields,
    default,
    expecting = "⟪seconds, e.g. `idle: 60`‖秒数，例如 `idle: 60`⟫"
)]
pub struct Timeouts {
    /// For a connection to be made.
    #[serde(deserialize_with = "check::positive")]
    pub connect: u32,
    /// Between two pieces of an answer, and from a request to the first.
    #[serde(deserialize_with = "check::positive")]
    pub idle: u32,
    /// From a request to the end of its answer.
    #[serde(deserialize_with = "check::positive")]
    pub total: u32,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self { connect: 10, idle: 120, total: 900 }
    }
}

/// When a request is made again that was refused as busy, or that did not reach its server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(
    rename_all = "camelCase",
    deny_unknown_fields,
    default,
    expecting = "⟪`count` and `longestWait`‖`count` 和 `longestWait`⟫"
)]
pub struct Retries {
    /// How often at most.
    #[serde(deserialize_with = "check::few")]
    pub count: u32,
    /// Seconds that a server may make us wait. One that asks for more is not asked again.
    #[serde(deserialize_with = "check::positive")]
    pub longest_wait: u32,
}

impl Default for Retries {
    fn default() -> Self {
        Self { count: 2, longest_wait: 30 }
    }
}

fn yes() -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_go_to_the_path_of_the_protocol() {
        for (endpoint, url) in [
            ("http://localhost:6006", "http://localhost:6006/v1/traces"),
            ("http://localhost:4318/v1/traces/", "http://localhost:4318/v1/traces"),
            ("https://cloud.example/api/public/otel/", "https://cloud.example/api/public/otel/v1/traces"),
            ("https://cloud.example/otel?project=a", "https://cloud.example/otel/v1/traces?project=a"),
        ] {
            assert_eq!(Otlp::new(endpoint).url(), url);
        }
    }

    #[test]
    fn another_server_gets_neither_key_nor_headers() {
        let own = Otlp {
            key: Some(KeyRef::Env("PHOENIX_KEY".into())),
            headers: [("x-project".to_owned(), "a".to_owned())].into(),
            contents: true,
            ..Otlp::new("https://traces.example:8443/otel")
        };
        let same = own.at("https://traces.example:8443/v2").unwrap();
        assert_eq!(same, Otlp { endpoint: "https://traces.example:8443/v2".into(), ..own.clone() });
        for other in ["http://traces.example:8443/otel", "https://traces.example/otel", "https://evil.example:8443"] {
            assert_eq!(own.at(other).unwrap(), Otlp { contents: true, ..Otlp::new(other) }, "{other}");
        }
        assert!(own.at("traces.example").is_err());
    }
}
