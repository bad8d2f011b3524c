//! Providers and servers that people use, as data: what an entry of `models.yaml` for them begins with.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use jiff::Unit;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use model::Sampling;
use model::entry::ModelEntry;
use model::entry::Prices;
use model::protocol::Protocol;
use model::secret::KeyRef;
use wording::Message;

/// In the order in which they are offered.
pub static PRESETS: LazyLock<Vec<ModelPreset>> =
    LazyLock::new(|| serde_yaml::from_str(include_str!("presets.yaml")).expect("a test reads the same text"));

/// A provider with its address and what we know about its models.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ModelPreset {
    pub id: String,
    pub title: String,
    /// `null`: the title is a name, which is the same in every language.
    #[serde(default)]
    pub title_zh: Option<String>,
    pub provider: Protocol,
    /// With `{name}` for each of the placeholders.
    pub base_url: String,
    #[serde(default)]
    pub placeholders: Vec<Placeholder>,
    /// `null`: as the protocol wants.
    #[serde(default)]
    pub key_header: Option<String>,
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    /// The environment variable that people keep the key in.
    #[serde(default)]
    pub key_env: Option<String>,
    /// Where one gets a key.
    #[serde(default)]
    pub key_url: Option<String>,
    #[serde(default = "yes")]
    pub needs_key: bool,
    /// A server that one runs oneself.
    #[serde(default)]
    pub local: bool,
    /// Where the provider says more.
    pub docs: Option<String>,
    /// The month in which names, limits and prices of `models` held; `null`: there are none.
    #[serde(default)]
    pub as_of: Option<String>,
    /// Where they were read.
    #[serde(default)]
    pub source: Option<String>,
    /// Some of those there are.
    #[serde(default)]
    pub models: Vec<PresetModel>,
    /// What to know before using it.
    #[serde(default)]
    pub note: Option<String>,
    #[serde(default)]
    pub note_zh: Option<String>,
}

/// A part of the address that is everybody's own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Placeholder {
    pub name: String,
    pub what: String,
    pub what_zh: String,
    pub example: String,
}

/// A model of a provider.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PresetModel {
    /// The provider's name of it.
    pub id: String,
    /// For people, where it is another name.
    #[serde(default)]
    pub title: Option<String>,
    /// Tokens; `null`: not certain.
    #[serde(default, deserialize_with = "model::entry::check::some_positive")]
    pub context: Option<u32>,
    /// Tokens that an answer may have, thoughts included; `null`: not certain.
    #[serde(default, deserialize_with = "model::entry::check::some_positive")]
    pub max_output: Option<u32>,
    #[serde(default)]
    pub prices: Option<Prices>,
}

/// Days after which names and prices of a provider's models have to be looked up again.
pub const FRESH_DAYS: i32 = 90;

impl ModelPreset {
    /// By its id, or by one that it had before.
    pub fn find(id: &str) -> Option<&'static Self> {
        // The preset for Responses had another name before it became the one for OpenAI.
        let id = if id == "openai-responses" { "openai" } else { id };
        PRESETS.iter().find(|preset| preset.id == id)
    }

    /// Its title; the English one if it has none in Chinese.
    pub fn worded_title(&self) -> Message {
        let en = self.title.clone();
        Message { zh: self.title_zh.clone().unwrap_or_else(|| en.clone()), en }
    }

    /// What we know about a model that an entry with this address names.
    pub fn known(&self, model: &str) -> Option<&PresetModel> {
        self.models.iter().find(|known| known.id == model)
    }

    /// How many days ago its month ended, if that is too long for its names and prices to be believed.
    pub fn stale(&self, today: Date) -> Option<i32> {
        let end = format!("{}-01", self.as_of.as_ref()?).parse::<Date>().ok()?.last_of_month();
        let days = today.since((Unit::Day, end)).ok()?.get_days();
        (days > FRESH_DAYS).then_some(days)
    }

    /// The preset whose address this is; its placeholders may be in it or be filled in.
    pub fn of(provider: Protocol, base_url: &str) -> Option<&'static Self> {
        PRESETS.iter().find(|preset| preset.provider == provider && fits(&preset.base_url, base_url.trim()))
    }

    /// What an entry begins with. Its address still holds the placeholders.
    pub fn entry(&self, id: &str, model: &str) -> ModelEntry {
        let known = self.known(model);
        ModelEntry {
            key: self.key_env.clone().map(KeyRef::Env),
            key_header: self.key_header.clone(),
            headers: self.headers.clone(),
            context: known.and_then(|known| known.context),
            prices: known.and_then(|known| known.prices),
            parameters: Sampling {
                // Only this protocol requires a limit in each request.
                max_tokens: known.and_then(|known| known.max_output).filter(|_| self.provider == Protocol::Anthropic),
                ..Sampling::default()
            },
            ..ModelEntry::new(id, self.provider, &self.base_url, model)
        }
    }
}

fn yes() -> bool {
    true
}

/// Whether `address` is `pattern` with something in place of each placeholder. The text after `?` may differ.
fn fits(pattern: &str, address: &str) -> bool {
    let trunk = |text: &str| text.split('?').next().unwrap_or_default().trim_end_matches('/').to_owned();
    let (pattern, address) = (trunk(pattern), trunk(address));
    let mut parts = pattern.split(['{', '}']);
    let Some(mut rest) = parts.next().and_then(|first| address.strip_prefix(first)) else { return false };
    let mut is_open = false;
    // A name is before each further piece of the pattern.
    while let (Some(_), Some(piece)) = (parts.next(), parts.next()) {
        let end = rest.find(['/', '.']).unwrap_or(rest.len());
        let Some(after) = rest[end..].strip_prefix(piece) else { return false };
        is_open |= end == 0;
        rest = after;
    }
    rest.is_empty() && !is_open
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use reqwest::Url;
    use serde_json::Value;

    use super::*;

    /// The address with the examples in place of the placeholders.
    fn example(preset: &ModelPreset) -> String {
        let filled = |url: String, part: &Placeholder| url.replace(&format!("{{{}}}", part.name), &part.example);
        preset.placeholders.iter().fold(preset.base_url.clone(), filled)
    }

    #[test]
    fn each_makes_an_entry_that_can_be_used_and_is_recognised() {
        assert_eq!(PRESETS.iter().map(|preset| &preset.id).collect::<BTreeSet<_>>().len(), PRESETS.len());
        for preset in PRESETS.iter() {
            let model = preset.models.first().map_or("some-model", |known| &known.id);
            let entry = ModelEntry { base_url: example(preset), ..preset.entry("mine", model) };
            let fields = Value::Object(entry.written());
            assert_eq!(crate::checked_model(&fields).as_ref(), Ok(&entry), "{}", preset.id);
            assert_eq!(ModelPreset::of(entry.provider, &entry.base_url), Some(preset));
            assert_eq!(
                ModelPreset::of(preset.provider, &preset.base_url),
                Some(preset),
                "before anything is filled in"
            );
            for page in [&preset.docs, &preset.key_url, &preset.source].into_iter().flatten() {
                assert!(Url::parse(page).is_ok_and(|page| page.scheme() == "https"), "{page}");
            }
            let is_dated = (preset.as_of.is_some(), preset.source.is_some());
            let names_some = !preset.models.is_empty();
            assert_eq!(is_dated, (names_some, names_some), "{}: names have a date and a source", preset.id);
            let month = preset.as_of.as_ref().map(|month| format!("{month}-01").parse::<Date>().is_ok());
            assert_ne!(month, Some(false), "{}", preset.id);
            assert!(preset.title.is_ascii(), "{}: the title in English", preset.id);
            let names =
                preset.title.split(' ').all(|word| !word.starts_with(|letter: char| letter.is_ascii_lowercase()));
            assert!(
                names || preset.title_zh.is_some(),
                "{}: a title of more than names is in both languages",
                preset.id
            );
            assert_eq!(preset.note.is_some(), preset.note_zh.is_some(), "{}: a note is in both languages", preset.id);
            let key = (preset.key_env.is_some(), preset.key_url.is_some());
            assert_eq!(key, (preset.needs_key, preset.needs_key), "{}", preset.id);
        }
    }

    #[test]
    fn an_address_with_its_placeholder_is_refused_by_name() {
        let preset = ModelPreset::find("azure-openai").unwrap();
        let error = crate::checked_model(&Value::Object(preset.entry("mine", "gpt").written())).unwrap_err();
        assert_eq!(error.en, "baseUrl: baseUrl holds a placeholder: write your own instead of `{resource}`");
    }

    #[test]
    fn is_stale_ninety_days_after_its_month() {
        let preset = ModelPreset { as_of: Some("2025-10".into()), ..PRESETS[0].clone() };
        let on = |day: &str| preset.stale(day.parse().unwrap());
        assert_eq!(["2025-10-01", "2026-01-29", "2026-01-30"].map(on), [None, None, Some(91)]);
        let undated = ModelPreset { as_of: None, ..preset.clone() };
        assert_eq!(undated.stale("2030-01-01".parse().unwrap()), None);
    }

    #[test]
    fn an_answer_of_anthropic_may_be_as_long_as_its_model_allows() {
        let entry = |preset: &str, model: &str| ModelPreset::find(preset).unwrap().entry("mine", model);
        assert_eq!(entry("anthropic", "claude-sonnet-5-5").parameters.max_tokens, Some(128_000));
        assert_eq!(entry("anthropic", "some-model").parameters.max_tokens, None);
        assert_eq!(entry("openai", "gpt-6.1-terra").parameters.max_tokens, None, "the server has a limit of its own");
    }

    #[test]
    fn knows_whose_address_it_is() {
        let of = |url| ModelPreset::of(Protocol::OpenAi, url).map(|preset| preset.id.as_str());
        assert_eq!(of(" https://api.openai.com/v1/ "), Some("openai-chat"));
        let newest = ModelPreset::find("openai").unwrap().entry("mine", "gpt-6.1-terra");
        assert_eq!(newest.provider, Protocol::OpenAiResponses, "where the newest models call tools");
        assert_eq!(ModelPreset::find("openai-responses"), ModelPreset::find("openai"));
        assert_eq!(of("https://me.openai.azure.com/openai/v1"), Some("azure-openai"));
        assert_eq!(
            of("https://me.openai.azure.com/openai/deployments/d?api-version=2025-01-01"),
            Some("azure-openai-deployment")
        );
        assert_eq!(of("https://.openai.azure.com/openai/v1"), None);
        assert_eq!(of("https://me.openai.azure.com/openai/v1/more"), None);
        assert_eq!(of("https://example.org/v1"), None);
        assert_eq!(ModelPreset::of(Protocol::Anthropic, "https://api.openai.com/v1"), None, "another protocol");
    }
}
