//! Frontmatter as js-yaml reads it, as far as fields that are texts are asked for.

mod loader;
mod types;

use std::rc::Rc;

use loader::{Loaded, Value};
use wording::Wording;

/// The version of js-yaml: 3 is YAML 1.1 with numbers to the base 60, 4 is YAML 1.2.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Version {
    Three,
    Four,
}

/// Why there are no fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// It throws.
    NotYaml,
    /// It may well read this, and we do not (see [`not_read`](crate::reasons::not_read)).
    Ours(Wording),
}

/// The fields of a map, in their order; `None`: the value is not a text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Fields(Vec<(Rc<str>, Option<Rc<str>>)>);

impl Fields {
    pub fn has(&self, key: &str) -> bool {
        self.0.iter().any(|(known, _)| **known == *key)
    }

    pub fn text(&self, key: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| **known == *key)?.1.as_deref()
    }

    /// Of JSON, which gives texts and other values as YAML does.
    pub fn of_json(text: &str) -> Result<Self, Failure> {
        let value: serde_json::Value = serde_json::from_str(text).map_err(|_| Failure::NotYaml)?;
        let fields = value.as_object().into_iter().flatten();
        Ok(Self(fields.map(|(key, value)| (key.as_str().into(), value.as_str().map(Rc::from))).collect()))
    }
}

/// Anything but a map has no fields.
pub fn fields(yaml: &str, version: Version) -> Result<Fields, Failure> {
    let loaded = loader::load(yaml, version)?;
    let pairs = loaded.iter().flat_map(Loaded::pairs);
    Ok(Fields(pairs.map(|(key, value)| (key.clone(), text_of(value))).collect()))
}

fn text_of(value: &Value) -> Option<Rc<str>> {
    match value {
        Value::Text(text) => Some(text.clone()),
        Value::Null | Value::Other(_) | Value::List(_) | Value::Map(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_the_real_ones_read_and_throws_where_they_throw() {
        let recorded = include_str!("../../../../tests/fixtures/js_yaml.json");
        let recorded: Vec<serde_json::Value> = serde_json::from_str(recorded).unwrap();
        assert!(recorded.len() > 100);
        for case in recorded {
            let yaml = case["yaml"].as_str().unwrap();
            for (version, said) in [(Version::Three, &case["three"]), (Version::Four, &case["four"])] {
                let seen = fields(yaml, version).map_or(serde_json::Value::Null, |fields| {
                    fields
                        .0
                        .iter()
                        .map(|(key, text)| (key.to_string(), serde_json::Value::from(text.as_deref())))
                        .collect()
                });
                assert_eq!(seen, *said, "{version:?}: {yaml:?}");
            }
        }
    }

    fn text(value: &str, version: Version) -> Option<String> {
        fields(&format!("a: {value}"), version).unwrap().text("a").map(str::to_owned)
    }

    #[test]
    fn what_looks_like_a_number_a_truth_value_or_a_date_is_no_text() {
        for value in
            ["", "~", "true", "5", "0x1f", "1_000", "1.5", "-.inf", ".5e3", "2024-01-31", "2024-1-1 10:00:00Z", "[a]"]
        {
            for version in [Version::Three, Version::Four] {
                assert_eq!(text(value, version), None, "{value}");
            }
        }
        for value in ["yes", "on", "1.2.3", "5a", "'5'", "!!str 5", "2024-1-1", "0x", "5_"] {
            let shown = value.trim_start_matches("!!str ").trim_matches('\'');
            for version in [Version::Three, Version::Four] {
                assert_eq!(text(value, version).as_deref(), Some(shown), "{value}");
            }
        }
        let both = |value| [text(value, Version::Three).is_some(), text(value, Version::Four).is_some()];
        assert_eq!(
            ["1:30", "0o17", "08", "1:30.5"].map(both),
            [[false, true], [true, false], [true, false], [false, true]]
        );
    }

    #[test]
    fn a_key_that_is_there_twice_and_an_unknown_tag_throw() {
        for yaml in ["a: 1\na: 2", "b: {c: 1, c: 2}", "a: !mine 5", "a: !!int x", "a: b: c", "a: 'x", "<<: 5"] {
            assert_eq!(fields(yaml, Version::Four), Err(Failure::NotYaml), "{yaml}");
        }
        let merged = fields("base: &b {name: x, other: y}\n<<: *b\nname: own", Version::Four).unwrap();
        assert_eq!((merged.text("name"), merged.text("other")), (Some("own"), Some("y")));
        assert_eq!(fields("just text", Version::Three), Ok(Fields::default()));
    }
}
