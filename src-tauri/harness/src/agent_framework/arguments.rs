//! A tool call's arguments as .NET binds them: names in exact case, numbers in the digits the model wrote.

use std::collections::HashMap;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::python;
use super::variant::Language;
use model::ToolCall;

/// A JSON object in the order of its keys, each value as it was written. Of two equal keys the last value counts.
#[derive(Debug, Default)]
pub struct Arguments<'a>(Vec<(String, &'a RawValue)>);

impl<'a> Arguments<'a> {
    /// Text that does not parse, or is not an object, counts as no arguments at all.
    pub fn parse(json: &'a str) -> Self {
        serde_json::from_str(json).unwrap_or_default()
    }

    /// As [`Arguments::parse`]; in Python, texts that `json.loads` refuses also count as no arguments: brackets nested
    /// deeper than its recursion limit, and numbers of too many digits.
    pub fn of(call: &'a ToolCall, language: Language) -> Self {
        match language {
            Language::Python if python::loads(&call.arguments).is_err() => Self::default(),
            Language::Python | Language::DotNet => Self::parse(&call.arguments),
        }
    }

    /// A required text; JSON `null` counts as empty. `Err` is the message of the exception that binding throws.
    pub fn text(&self, name: &str) -> Result<String, String> {
        let raw = self.get(name).ok_or_else(|| {
            format!(
                "The arguments dictionary is missing a value for the required parameter '{name}'. \
                 (Parameter 'arguments')"
            )
        })?;
        serde_json::from_str::<Option<String>>(raw)
            .map(Option::unwrap_or_default)
            .map_err(|_| not_convertible(raw, "System.String"))
    }

    /// The value as it was written.
    pub fn get(&self, name: &str) -> Option<&'a str> {
        self.0.iter().find(|(key, _)| key == name).map(|(_, value)| value.get())
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(key, _)| key.as_str())
    }

    /// What the seed's runner puts on a script's command line: `--key value` for each value that is not `null`.
    pub fn command_line(&self, name: &str) -> Result<Vec<String>, String> {
        let raw = self.get(name).unwrap_or("null");
        let given: Option<Arguments> = serde_json::from_str(raw).map_err(|_| {
            not_convertible(raw, "System.Collections.Generic.IDictionary`2[System.String,System.Object]")
        })?;
        let pairs = given.unwrap_or_default().0.into_iter().filter(|(_, value)| value.get() != "null");
        Ok(pairs.flat_map(|(key, value)| [format!("--{key}"), to_string(value.get())]).collect())
    }

    /// What the framework's sample runner puts on a script's command line: a list of texts, and nothing else.
    pub fn positional(&self, name: &str) -> Result<Vec<String>, String> {
        let raw = self.get(name).unwrap_or("null");
        if raw == "null" {
            return Ok(Vec::new());
        }
        let items = serde_json::from_str::<Vec<&RawValue>>(raw).map_err(|_| {
            format!(
                "Expected a JSON array of CLI arguments but received {}. File-based skill scripts expect positional \
                 arguments as a JSON array of strings.",
                kind(raw)
            )
        })?;
        let text = |item: &RawValue| {
            serde_json::from_str::<String>(item.get()).map_err(|_| {
                format!(
                    "File-based skill scripts only accept string CLI arguments but received a JSON element of kind \
                     '{}'. All array elements must be JSON strings.",
                    kind(item.get())
                )
            })
        };
        items.into_iter().map(text).collect()
    }
}

impl<'a> IntoIterator for Arguments<'a> {
    type Item = (String, &'a str);
    type IntoIter =
        std::iter::Map<std::vec::IntoIter<(String, &'a RawValue)>, fn((String, &'a RawValue)) -> Self::Item>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter().map(|(key, value)| (key, value.get()))
    }
}

impl<'de> Deserialize<'de> for Arguments<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut pairs: Vec<(String, &'de RawValue)> = Vec::new();
        let mut places = HashMap::new();
        for (key, value) in Pairs::deserialize(deserializer)?.0 {
            match places.get(&key) {
                Some(&place) => pairs[place] = (key, value),
                None => {
                    places.insert(key.clone(), pairs.len());
                    pairs.push((key, value));
                }
            }
        }
        Ok(Self(pairs))
    }
}

/// A JSON object with all its keys, those that come twice as well.
pub struct Pairs<'a>(pub Vec<(String, &'a RawValue)>);

impl<'de> Deserialize<'de> for Pairs<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;

        impl<'de> Visitor<'de> for Object {
            type Value = Pairs<'de>;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry::<String, &'de RawValue>()? {
                    pairs.push(pair);
                }
                Ok(Pairs(pairs))
            }
        }

        deserializer.deserialize_map(Object)
    }
}

/// `JsonElement.ToString()`: texts without quotes, `True` and `False`, everything else as it was written.
fn to_string(raw: &str) -> String {
    match raw {
        "true" => "True".into(),
        "false" => "False".into(),
        _ => serde_json::from_str::<String>(raw).unwrap_or_else(|_| raw.into()),
    }
}

/// `JsonElement.ValueKind`.
fn kind(raw: &str) -> &'static str {
    match raw.as_bytes().first() {
        Some(b'{') => "Object",
        Some(b'[') => "Array",
        Some(b'"') => "String",
        Some(b't') => "True",
        Some(b'f') => "False",
        Some(b'n') => "Null",
        _ => "Number",
    }
}

/// The exception of `System.Text.Json`, which stops after a scalar or after the first bracket.
fn not_convertible(raw: &str, wanted: &str) -> String {
    let read = if raw.starts_with(['{', '[']) { 1 } else { raw.len() };
    format!("The JSON value could not be converted to {wanted}. Path: $ | LineNumber: 0 | BytePositionInLine: {read}.")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(arguments: &str) -> Vec<String> {
        Arguments::parse(&format!("{{\"arguments\":{arguments}}}")).command_line("arguments").unwrap()
    }

    #[test]
    fn keeps_the_order_of_keys_and_the_digits_of_numbers() {
        assert_eq!(
            line(r#"{"value":1,"factor":2.20462,"one":1.0,"exp":1e3,"big":12345678901234567890123}"#),
            ["--value", "1", "--factor", "2.20462", "--one", "1.0", "--exp", "1e3", "--big", "12345678901234567890123"]
        );
    }

    #[test]
    fn writes_values_as_dotnet_does() {
        assert_eq!(
            line(r#"{"t":true,"f":false,"n":null,"s":"a \"b\" 字","e":"","list":[1, "a"],"map":{"k": null}}"#),
            [
                "--t",
                "True",
                "--f",
                "False",
                "--s",
                "a \"b\" 字",
                "--e",
                "",
                "--list",
                "[1, \"a\"]",
                "--map",
                "{\"k\": null}"
            ]
        );
    }

    #[test]
    fn the_last_of_two_equal_keys_counts_in_the_place_of_the_first() {
        assert_eq!(line(r#"{"a":1,"b":2,"a":3}"#), ["--a", "3", "--b", "2"]);
    }

    #[test]
    fn no_arguments_and_null_are_an_empty_command_line() {
        assert_eq!(line("null"), Vec::<String>::new());
        assert_eq!(Arguments::parse("{}").command_line("arguments"), Ok(Vec::new()));
    }

    #[test]
    fn arguments_that_are_no_object_are_an_exception() {
        let message = |given: &str| {
            let json = format!("{{\"arguments\":{given}}}");
            Arguments::parse(&json).command_line("arguments").unwrap_err()
        };
        assert!(message("[1]").ends_with("Path: $ | LineNumber: 0 | BytePositionInLine: 1."));
        assert!(message("\"--value 1\"").contains("IDictionary`2[System.String,System.Object]"));
    }

    #[test]
    fn the_sample_runner_takes_a_list_of_texts_only() {
        let line = |given: &str| Arguments::parse(&format!("{{\"arguments\":{given}}}")).positional("arguments");
        assert_eq!(line(r#"["--a", "b c"]"#), Ok(vec!["--a".into(), "b c".into()]));
        assert_eq!(line("null"), Ok(Vec::new()));
        assert_eq!(
            line("{}").unwrap_err(),
            "Expected a JSON array of CLI arguments but received Object. File-based skill scripts expect positional \
             arguments as a JSON array of strings."
        );
        assert_eq!(
            line(r#"["a", 1]"#).unwrap_err(),
            "File-based skill scripts only accept string CLI arguments but received a JSON element of kind 'Number'. \
             All array elements must be JSON strings."
        );
    }

    #[test]
    fn text_that_is_not_json_or_no_object_is_no_arguments() {
        for json in ["", "{", "[]", "null", "5", "{\"skillName\":}", "{} trailing"] {
            assert!(Arguments::parse(json).text("skillName").is_err_and(|m| m.contains("missing a value")), "{json}");
        }
    }

    #[test]
    fn names_are_matched_in_exact_case() {
        assert!(Arguments::parse(r#"{"skillname":"a"}"#).text("skillName").is_err());
    }

    #[test]
    fn a_text_may_be_null_but_not_a_number() {
        assert_eq!(Arguments::parse(r#"{"skillName":null}"#).text("skillName"), Ok(String::new()));
        assert_eq!(
            Arguments::parse(r#"{"skillName":12.5}"#).text("skillName").unwrap_err(),
            "The JSON value could not be converted to System.String. Path: $ | LineNumber: 0 | BytePositionInLine: 4."
        );
    }
}
