//! What `models add` and `models set` take for the fields of a model.

use api::{ApiError, Code};
use clap::{Args, ValueEnum};
use config::ModelPreset;
use model::entry::{ModelEntry, Prices};
use model::protocol::Protocol;
use model::reasoning::Effort;
use model::secret::KeyRef;
use serde_json::Value;
use wording::{Message, message};

/// What a new model begins with.
#[derive(Args)]
pub struct Begin {
    /// Begin with the address, key and prices of a provider (see `skillbench models presets`)
    #[arg(long, value_name = "PRESET", required_unless_present = "base_url")]
    preset: Option<String>,
    /// The value of a `{NAME}` in the preset's address
    #[arg(long, value_name = "NAME=VALUE", requires = "preset")]
    fill: Vec<String>,
}

#[derive(Args)]
pub struct Fields {
    /// The provider's name of the model
    #[arg(long, value_name = "NAME")]
    model: Option<String>,
    /// The protocol that the address speaks
    #[arg(long, value_enum)]
    provider: Option<Provider>,
    /// Address without the part that the protocol adds, e.g. `/chat/completions`
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,
    #[command(flatten)]
    key: Key,
    /// The header that carries the key, instead of the protocol's own
    #[arg(long, value_name = "NAME")]
    key_header: Option<String>,
    /// Add a request header; an empty value removes it. Not for API keys
    #[arg(long, value_name = "NAME=VALUE")]
    header: Vec<String>,
    /// Add a field to each request's body, as JSON or plain text; an empty value removes it
    #[arg(long, value_name = "NAME=JSON")]
    body: Vec<String>,
    /// Context window in tokens; 0 means unknown
    #[arg(long, value_name = "TOKENS")]
    context: Option<u32>,
    #[command(flatten)]
    prices: PriceArgs,
    /// Stream answers
    #[arg(long, overrides_with = "no_stream")]
    stream: bool,
    /// Receive each answer in one piece
    #[arg(long)]
    no_stream: bool,
    /// The model can call tools
    #[arg(long, overrides_with = "no_tools")]
    tools: bool,
    /// The model cannot call tools, and is not offered any
    #[arg(long)]
    no_tools: bool,
    /// The model can see images and files
    #[arg(long, overrides_with = "no_images")]
    images: bool,
    /// The model cannot see images or files; each is sent as a line that says what was left out
    #[arg(long)]
    no_images: bool,
    /// Sampling temperature, if the framework does not set one
    #[arg(long, value_name = "NUMBER", value_parser = number)]
    temperature: Option<f64>,
    /// Maximum tokens of one answer, if the framework does not set it
    #[arg(long, value_name = "TOKENS", value_parser = clap::value_parser!(u32).range(1..))]
    max_tokens: Option<u32>,
    /// Reasoning effort; not every model knows every value, and `auto` leaves it to the provider
    #[arg(long, value_enum, value_name = "EFFORT")]
    effort: Option<Thinking>,
    /// Whether answers have a summary of the reasoning; chat completions has no such setting
    #[arg(long, value_enum, value_name = "CHOICE")]
    thoughts: Option<Thoughts>,
    /// Maximum seconds to connect
    #[arg(long, value_name = "SECONDS")]
    connect_timeout: Option<u32>,
    /// Maximum seconds between two pieces of an answer
    #[arg(long, value_name = "SECONDS")]
    idle_timeout: Option<u32>,
    /// Maximum seconds for a whole answer
    #[arg(long, value_name = "SECONDS")]
    total_timeout: Option<u32>,
    /// How often a request is made again if the server is busy or cannot be reached, from 0 to 10
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(0..=10))]
    retries: Option<u32>,
    /// Maximum seconds to wait before a request is made again; a server that asks for more is not asked again
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(1..))]
    longest_wait: Option<u32>,
}

#[derive(Args)]
struct Key {
    #[command(flatten)]
    source: KeySource,
    /// Seconds for which a key that a command printed is used; 300 if not set
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(1..))]
    key_lifetime: Option<u32>,
}

#[derive(Args)]
#[group(multiple = false)]
struct KeySource {
    /// The key is in this environment variable
    #[arg(long, value_name = "VARIABLE")]
    key_env: Option<String>,
    /// The key is in the system's keyring, under this name, or the model's id (see `skillbench models key set`)
    #[arg(long, value_name = "NAME", num_args = 0..=1)]
    key_keyring: Option<Option<String>>,
    /// Requests are signed with the access key of this AWS profile (`bedrock` only)
    #[arg(long, value_name = "PROFILE")]
    key_aws: Option<String>,
    /// This program prints the key, started with the arguments after it and without a shell; must come last
    #[arg(long, value_name = "PROGRAM", num_args = 1.., allow_hyphen_values = true)]
    key_command: Option<Vec<String>>,
    /// The server needs no key
    #[arg(long)]
    no_key: bool,
}

impl Key {
    fn apply(&self, entry: &mut ModelEntry) -> Result<(), ApiError> {
        let named = |key: Result<KeyRef, Message>| key.map(Some).map_err(|why| ApiError::new(Code::Invalid, why));
        match &self.source {
            KeySource { key_env: Some(name), .. } => entry.key = named(KeyRef::env(name.clone()))?,
            KeySource { key_keyring: Some(name), .. } => {
                entry.key = named(KeyRef::keyring(name.clone().unwrap_or_else(|| entry.id.clone())))?;
            }
            KeySource { key_aws: Some(profile), .. } => entry.key = named(KeyRef::aws(profile.clone()))?,
            KeySource { key_command: Some(command), .. } => {
                let before = match &entry.key {
                    Some(KeyRef::Command { lifetime, .. }) => *lifetime,
                    Some(KeyRef::Env(_) | KeyRef::Keyring(_) | KeyRef::Aws(_)) | None => None,
                };
                entry.key = named(KeyRef::command(command.clone(), before))?;
            }
            KeySource { no_key: true, .. } => entry.key = None,
            KeySource { .. } => {}
        }
        match (&mut entry.key, self.key_lifetime) {
            (_, None) => Ok(()),
            (Some(KeyRef::Command { lifetime, .. }), seconds @ Some(_)) => {
                *lifetime = seconds;
                Ok(())
            }
            (_, Some(_)) => Err(ApiError::new(
                Code::Invalid,
                message!("--key-lifetime needs --key-command", "--key-lifetime 需要 --key-command"),
            )),
        }
    }
}

/// US dollars for a million tokens.
#[derive(Args)]
struct PriceArgs {
    /// US dollars for a million tokens of input
    #[arg(long, value_name = "USD", value_parser = number)]
    price_in: Option<f64>,
    /// US dollars for a million tokens of output
    #[arg(long, value_name = "USD", value_parser = number)]
    price_out: Option<f64>,
    /// US dollars for a million tokens of input read from the provider's cache
    #[arg(long, value_name = "USD", value_parser = number)]
    price_cached: Option<f64>,
    /// US dollars for a million tokens of input written to the provider's cache
    #[arg(long, value_name = "USD", value_parser = number)]
    price_cache_written: Option<f64>,
    /// The prices are unknown
    #[arg(long, conflicts_with_all = ["price_in", "price_out", "price_cached", "price_cache_written"])]
    no_prices: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Provider {
    /// OpenAI chat completions, and everything that speaks it
    #[value(name = "openAi", alias = "openai")]
    OpenAi,
    /// OpenAI Responses
    #[value(name = "openAiResponses", alias = "openai-responses")]
    OpenAiResponses,
    /// Anthropic Messages
    Anthropic,
    /// Amazon Bedrock's Converse
    Bedrock,
}

impl Provider {
    fn protocol(self) -> Protocol {
        match self {
            Self::OpenAi => Protocol::OpenAi,
            Self::OpenAiResponses => Protocol::OpenAiResponses,
            Self::Anthropic => Protocol::Anthropic,
            Self::Bedrock => Protocol::Bedrock,
        }
    }
}

#[derive(Clone, Copy, ValueEnum)]
enum Thinking {
    Auto,
    None,
    Minimal,
    Low,
    Medium,
    High,
    Xhigh,
    Max,
}

impl Thinking {
    fn effort(self) -> Option<Effort> {
        match self {
            Self::Auto => None,
            Self::None => Some(Effort::None),
            Self::Minimal => Some(Effort::Minimal),
            Self::Low => Some(Effort::Low),
            Self::Medium => Some(Effort::Medium),
            Self::High => Some(Effort::High),
            Self::Xhigh => Some(Effort::XHigh),
            Self::Max => Some(Effort::Max),
        }
    }
}

#[derive(Clone, Copy, ValueEnum)]
enum Thoughts {
    Auto,
    Shown,
    Hidden,
}

impl Thoughts {
    fn shown(self) -> Option<bool> {
        match self {
            Self::Auto => None,
            Self::Shown => Some(true),
            Self::Hidden => Some(false),
        }
    }
}

impl Begin {
    /// A model of the preset, its address filled in; without one, of nothing.
    pub fn entry(&self, id: &str) -> Result<ModelEntry, ApiError> {
        let Some(preset) = &self.preset else { return Ok(ModelEntry::new(id, Protocol::OpenAi, "", "")) };
        let mut entry = super::preset(preset)?.entry(id, "");
        for fill in &self.fill {
            let (name, value) = pair(fill, "--fill")?;
            let part = format!("{{{name}}}");
            if !entry.base_url.contains(&part) {
                return Err(ApiError::new(
                    Code::Invalid,
                    message!("the address of {preset} has no `{part}`", "{preset} 的地址中没有 `{part}`"),
                )
                .hint(message!("it is {}", "地址是 {}", entry.base_url)));
            }
            entry.base_url = entry.base_url.replace(&part, value);
        }
        Ok(entry)
    }

    fn known(&self, model: &str) -> Option<ModelEntry> {
        self.preset.as_deref().and_then(ModelPreset::find).map(|preset| preset.entry("", model))
    }
}

impl Fields {
    /// The preset's values for the model go into `entry` first, then those of the arguments.
    pub fn begin(&self, begin: &Begin, id: &str) -> Result<ModelEntry, ApiError> {
        let mut entry = begin.entry(id)?;
        let Some(model) = &self.model else {
            let known = begin.preset.as_deref().and_then(ModelPreset::find).map(|preset| &preset.models);
            let names = known.into_iter().flatten().map(|known| known.id.as_str()).collect::<Vec<_>>().join(", ");
            let some = match names.is_empty() {
                true => Message::default(),
                false => message!(", e.g. one of {names}", "，例如 {names} 之一"),
            };
            return Err(ApiError::new(Code::Invalid, message!("the model is not named", "没有写明模型")).hint(
                message!(
                    "name it with `--model`, as the provider does{some}",
                    "请用 `--model` 按提供商的叫法写明{some}";
                    some
                ),
            ));
        };
        if let Some(known) = begin.known(model) {
            (entry.context, entry.prices) = (known.context, known.prices);
            entry.parameters = known.parameters;
        }
        self.apply(&mut entry)?;
        Ok(entry)
    }

    pub fn apply(&self, entry: &mut ModelEntry) -> Result<(), ApiError> {
        set(&mut entry.model, self.model.as_ref());
        set(&mut entry.base_url, self.base_url.as_ref());
        if let Some(provider) = self.provider {
            entry.provider = provider.protocol();
        }
        self.key.apply(entry)?;
        if self.key_header.is_some() {
            entry.key_header = self.key_header.clone().filter(|name| !name.is_empty());
        }
        for header in &self.header {
            match pair(header, "--header")? {
                (name, "") => drop(entry.headers.remove(name)),
                (name, value) => drop(entry.headers.insert(name.to_owned(), value.to_owned())),
            }
        }
        for field in &self.body {
            match pair(field, "--body")? {
                (name, "") => drop(entry.body.shift_remove(name)),
                (name, value) => {
                    entry.body.insert(name.to_owned(), json_or_text(name, value)?);
                }
            }
        }
        if let Some(context) = self.context {
            entry.context = Some(context).filter(|context| *context > 0);
        }
        self.prices.apply(entry)?;
        entry.stream = (entry.stream || self.stream) && !self.no_stream;
        entry.tools = (entry.tools || self.tools) && !self.no_tools;
        entry.images = (entry.images || self.images) && !self.no_images;
        entry.parameters.temperature = self.temperature.or(entry.parameters.temperature);
        entry.parameters.max_tokens = self.max_tokens.or(entry.parameters.max_tokens);
        set(&mut entry.reasoning.effort, self.effort.map(Thinking::effort).as_ref());
        set(&mut entry.reasoning.shown, self.thoughts.map(Thoughts::shown).as_ref());
        set(&mut entry.timeouts.connect, self.connect_timeout.as_ref());
        set(&mut entry.timeouts.idle, self.idle_timeout.as_ref());
        set(&mut entry.timeouts.total, self.total_timeout.as_ref());
        set(&mut entry.retries.count, self.retries.as_ref());
        set(&mut entry.retries.longest_wait, self.longest_wait.as_ref());
        Ok(())
    }
}

impl PriceArgs {
    fn apply(&self, entry: &mut ModelEntry) -> Result<(), ApiError> {
        let Self { price_in, price_out, price_cached, price_cache_written, no_prices } = *self;
        if no_prices {
            entry.prices = None;
        }
        if [price_in, price_out, price_cached, price_cache_written].iter().all(Option::is_none) {
            return Ok(());
        }
        let before = entry.prices;
        let input = price_in.or(before.map(|prices| prices.input));
        let output = price_out.or(before.map(|prices| prices.output));
        let (Some(input), Some(output)) = (input, output) else {
            return Err(ApiError::new(
                Code::Invalid,
                message!("set both --price-in and --price-out", "请同时设置 --price-in 和 --price-out"),
            )
            .hint(message!("in US dollars for a million tokens", "单位为美元/百万 token")));
        };
        entry.prices = Some(Prices {
            input,
            output,
            cached: price_cached.or(before.and_then(|prices| prices.cached)),
            cache_written: price_cache_written.or(before.and_then(|prices| prices.cache_written)),
        });
        Ok(())
    }
}

fn set<T: Clone>(field: &mut T, value: Option<&T>) {
    if let Some(value) = value {
        field.clone_from(value);
    }
}

/// A number that can be counted with, from 0.
fn number(written: &str) -> Result<f64, String> {
    match written.parse::<f64>() {
        Ok(number) if number.is_finite() && number >= 0.0 => Ok(number),
        Ok(_) | Err(_) => Err(words!("expected a number from 0, e.g. 0.7", "应为不小于 0 的数，例如 0.7")),
    }
}

/// JSON, or plain text. What begins as JSON and is none was meant as JSON.
fn json_or_text(name: &str, written: &str) -> Result<Value, ApiError> {
    match serde_json::from_str(written) {
        Ok(value) => Ok(value),
        Err(error) if written.trim_start().starts_with(['{', '[', '"']) => {
            let why = wording::refusal(&error.to_string());
            let message =
                message!("the value of --body {name} is not JSON: {why}", "--body {name} 的值不是 JSON：{why}"; why);
            Err(ApiError::new(Code::Invalid, message).hint(message!(
                "quote it for your shell, e.g. --body 'thinking={{\"type\": \"enabled\"}}'",
                "请按 shell 的规则加引号，例如 --body 'thinking={{\"type\": \"enabled\"}}'"
            )))
        }
        Err(_) => Ok(Value::from(written)),
    }
}

/// The texts before and after the first `=`. The second may be a key, and is not repeated.
fn pair<'a>(written: &'a str, argument: &str) -> Result<(&'a str, &'a str), ApiError> {
    written.split_once('=').filter(|(name, _)| !name.is_empty()).ok_or_else(|| {
        ApiError::new(Code::Invalid, message!("{argument} expects NAME=VALUE", "{argument} 应为 NAME=VALUE"))
            .hint(message!("write it as `{argument} NAME=VALUE`", "请写成 `{argument} NAME=VALUE`"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_protocol_is_named_as_in_models_yaml() {
        for protocol in Protocol::ALL {
            let name = serde_json::to_value(protocol).unwrap();
            let provider = Provider::from_str(name.as_str().unwrap(), false).unwrap();
            assert_eq!(provider.protocol(), protocol);
        }
    }
}
