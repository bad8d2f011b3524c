//! How much a model is to think, and whether its provider says what it thought, in the words of each protocol.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use ts_rs::TS;

use crate::protocol::Protocol;

/// The reasoning settings of an entry in `models.yaml`; missing ones are the provider's choice.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(
    rename_all = "camelCase",
    deny_unknown_fields,
    default,
    expecting = "⟪`effort` or `shown`‖`effort` 或 `shown`⟫"
)]
pub struct Reasoning {
    pub effort: Option<Effort>,
    /// Whether an answer has a summary of the thoughts. Chat completions has no field for it.
    pub shown: Option<bool>,
}

/// Not every model knows every one; a provider refuses a request with one that the model does not know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum Effort {
    /// No thoughts at all.
    None,
    Minimal,
    Low,
    Medium,
    High,
    XHigh,
    Max,
}

impl Reasoning {
    /// Fields for the body of each request, in addition to a run's own.
    ///
    /// Sources: OpenAI's reference of `reasoning_effort` and `reasoning`, Anthropic's of `output_config`, adaptive
    /// thinking and its `display`, Amazon's of Converse' `outputConfig`.
    pub fn fields(self, protocol: Protocol) -> Map<String, Value> {
        let Self { effort, shown } = self;
        let fields = match protocol {
            Protocol::OpenAi => effort.map(|effort| json!({"reasoning_effort": effort})),
            Protocol::OpenAiResponses => {
                let summary = shown.filter(|shown| *shown).map(|_| "auto");
                let reasoning = given([("effort", json!(effort)), ("summary", json!(summary))]);
                (!reasoning.is_empty()).then(|| json!({"reasoning": reasoning}))
            }
            Protocol::Anthropic => Some(self.of_claude(|effort| ("output_config", json!({"effort": effort})))),
            Protocol::Bedrock => {
                let mut fields = self.of_claude(|effort| ("outputConfig", json!({"effort": effort})));
                if let Some(thinking) = fields.as_object_mut().and_then(|fields| fields.shift_remove("thinking")) {
                    fields["additionalModelRequestFields"] = json!({"thinking": thinking});
                }
                Some(fields)
            }
        };
        match fields {
            Some(Value::Object(fields)) => fields,
            Some(_) | None => Map::new(),
        }
    }

    fn of_claude(self, effort_field: impl Fn(Effort) -> (&'static str, Value)) -> Value {
        let thinking = match (self.effort, self.shown) {
            (Some(Effort::None), _) => json!({"type": "disabled"}),
            (_, Some(true)) => json!({"type": "adaptive", "display": "summarized"}),
            (_, Some(false)) => json!({"type": "adaptive", "display": "omitted"}),
            (_, None) => Value::Null,
        };
        let effort = self.effort.filter(|effort| *effort != Effort::None).map(effort_field);
        Value::Object(given([("thinking", thinking)].into_iter().chain(effort)))
    }
}

fn given(fields: impl IntoIterator<Item = (&'static str, Value)>) -> Map<String, Value> {
    let fields = fields.into_iter().filter(|(_, value)| !value.is_null());
    fields.map(|(name, value)| (name.to_owned(), value)).collect()
}

/// `fields` merged with `others`, which win if both set something.
pub fn merged(mut fields: Map<String, Value>, others: &Map<String, Value>) -> Map<String, Value> {
    for (name, value) in others {
        let both = fields.get(name).and_then(Value::as_object).cloned().zip(value.as_object());
        let value = match both {
            Some((inner, others)) => Value::Object(merged(inner, others)),
            None => value.clone(),
        };
        fields.insert(name.clone(), value);
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(protocol: Protocol, effort: Option<Effort>, shown: Option<bool>) -> Value {
        Value::Object(Reasoning { effort, shown }.fields(protocol))
    }

    #[test]
    fn each_protocol_has_its_own_words() {
        let low = Some(Effort::Low);
        for (protocol, effort, shown, written) in [
            (Protocol::OpenAi, None, None, json!({})),
            (Protocol::OpenAi, low, None, json!({"reasoning_effort": "low"})),
            (Protocol::OpenAi, Some(Effort::XHigh), None, json!({"reasoning_effort": "xhigh"})),
            (Protocol::OpenAiResponses, None, Some(false), json!({})),
            (Protocol::OpenAiResponses, low, Some(true), json!({"reasoning": {"effort": "low", "summary": "auto"}})),
            (Protocol::OpenAiResponses, Some(Effort::None), None, json!({"reasoning": {"effort": "none"}})),
            (Protocol::Anthropic, low, None, json!({"output_config": {"effort": "low"}})),
            (
                Protocol::Anthropic,
                low,
                Some(true),
                json!({"thinking": {"type": "adaptive", "display": "summarized"}, "output_config": {"effort": "low"}}),
            ),
            (Protocol::Anthropic, None, Some(false), json!({"thinking": {"type": "adaptive", "display": "omitted"}})),
            (Protocol::Anthropic, Some(Effort::None), Some(true), json!({"thinking": {"type": "disabled"}})),
            (
                Protocol::Bedrock,
                low,
                Some(true),
                json!({
                    "outputConfig": {"effort": "low"},
                    "additionalModelRequestFields": {"thinking": {"type": "adaptive", "display": "summarized"}},
                }),
            ),
            (Protocol::Bedrock, None, None, json!({})),
        ] {
            assert_eq!(fields(protocol, effort, shown), written, "{protocol:?} {effort:?} {shown:?}");
        }
    }

    #[test]
    fn what_the_body_says_counts() {
        let map = |value: Value| value.as_object().cloned().unwrap();
        let ours = map(json!({"reasoning": {"effort": "low", "summary": "auto"}, "a": 1}));
        let body = map(json!({"reasoning": {"summary": "detailed"}, "a": {"b": 2}}));
        let both = json!({"reasoning": {"effort": "low", "summary": "detailed"}, "a": {"b": 2}});
        assert_eq!(Value::Object(merged(ours, &body)), both);
    }
}
