//! JSON as it is written: numbers keep their digits and arguments of calls their spaces.

use std::collections::HashMap;

use serde_json::value::RawValue;

/// The value under a key of an object.
pub fn field<'a>(json: &'a str, key: &str) -> Option<&'a str> {
    let fields: HashMap<String, &RawValue> = serde_json::from_str(json).ok()?;
    fields.get(key).map(|value| value.get())
}

/// The items of a list.
pub fn items(json: &str) -> Vec<&str> {
    let items: Vec<&RawValue> = serde_json::from_str(json).unwrap_or_default();
    items.into_iter().map(RawValue::get).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_parts_with_their_digits_and_spaces() {
        let json = r#"{"a": [ {"n": 1.50 }, null,"\ud83d" ], "b": 2}"#;
        assert_eq!(field(json, "a").map(items), Some(vec![r#"{"n": 1.50 }"#, "null", r#""\ud83d""#]));
        assert_eq!(field(json, "c"), None);
        assert_eq!(field("[]", "a"), None);
        assert_eq!(items("{}"), Vec::<&str>::new());
    }
}
