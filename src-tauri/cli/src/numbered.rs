//! In JSON, steps are numbered as everywhere else: from 1. In values of the api they are places in a list.

use api::ApiError;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::print;

/// Prints a value, its steps counted from 1. The places of their numbers are keys from the outside to the inside, with `/`
/// between them, and `*` for each value of a list. What a step calls its `index` is called `step`.
pub fn json(value: &impl Serialize, places: &[&str]) -> Result<(), ApiError> {
    let mut value = print::value(value)?;
    for place in places {
        count(&mut value, &place.split('/').collect::<Vec<_>>());
    }
    print::json(&value)
}

fn count(value: &mut Value, place: &[&str]) {
    match (place, value) {
        ([], value) => {
            if let Some(number) = value.as_u64() {
                *value = (number + 1).into();
            }
        }
        (["*", rest @ ..], Value::Array(values)) => values.iter_mut().for_each(|value| count(value, rest)),
        (["index"], Value::Object(step)) => {
            let renamed = std::mem::take(step).into_iter().map(|(key, mut value)| match key.as_str() {
                "index" => {
                    count(&mut value, &[]);
                    ("step".to_owned(), value)
                }
                _ => (key, value),
            });
            *step = Map::from_iter(renamed);
        }
        ([key, rest @ ..], Value::Object(map)) => {
            if let Some(value) = map.get_mut(*key) {
                count(value, rest);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn counts_from_one_at_the_places_named() {
        let mut value = json!({
            "from": { "step": 0 }, "other": { "step": 0 }, "none": null,
            "steps": [{ "index": 4, "at": 9 }, { "index": 5, "index of": 1 }], "rows": [[0, null], [1, 7]],
        });
        for place in [&["from", "step"][..], &["none", "step"], &["steps", "*", "index"], &["rows", "*", "*"]] {
            count(&mut value, place);
        }
        let expected = json!({
            "from": { "step": 1 }, "other": { "step": 0 }, "none": null,
            "steps": [{ "step": 5, "at": 9 }, { "step": 6, "index of": 1 }], "rows": [[1, null], [2, 8]],
        });
        assert_eq!(value.to_string(), expected.to_string());
    }
}
