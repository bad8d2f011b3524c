//! `ToolValidator`: arguments against a tool's JSON Schema, in the words of networknt's json-schema-validator; of the
//! keywords, those that tool schemas use. What 2.0.3 says is from its sources, and was never compared with a run.

use serde_json::Value;

use super::arguments;

/// As 1.0.8 has it: of what the model wrote, whatever it is, and without the places.
pub fn old_problems(given: &str, schema: &Value) -> Option<String> {
    let said = |text: &str| Some(text.to_owned());
    match arguments::with_large_numbers(given) {
        // Without arguments a stream ends in none.
        _ if given.is_empty() => old_problems("{}", schema),
        Some(value) => {
            let mut found = Vec::new();
            check(&value, schema, "", &mut found);
            let words: Vec<&str> = found.iter().map(|(_, words)| words.as_str()).collect();
            (!words.is_empty()).then(|| words.join("; "))
        }
        None if given.trim_matches([' ', '\t', '\r', '\n']).is_empty() => said("unknown found, object expected"),
        None => said("Schema validation error: Invalid input"),
    }
}

/// Everything that is wrong, as one text; `None` if nothing is.
pub fn problems(arguments: &Value, schema: &Value) -> Option<String> {
    let mut found = Vec::new();
    check(arguments, schema, "", &mut found);
    let said: Vec<String> = found.into_iter().map(|(pointer, words)| format!("{pointer}: {words}")).collect();
    (!said.is_empty()).then(|| said.join("; "))
}

/// Each problem with its place.
fn check(value: &Value, schema: &Value, pointer: &str, found: &mut Vec<(String, String)>) {
    if let (Some(Value::Object(properties)), Value::Object(fields)) = (schema.get("properties"), value) {
        for (name, schema) in properties {
            if let Some(value) = fields.get(name) {
                check(value, schema, &format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1")), found);
            }
        }
    }
    if let (Some(schema), Value::Array(items)) = (schema.get("items"), value) {
        for (index, item) in items.iter().enumerate() {
            check(item, schema, &format!("{pointer}/{index}"), found);
        }
    }
    let mut say = |words: String| found.push((pointer.to_owned(), words));
    if let Some(wanted) = schema.get("type").and_then(Value::as_str)
        && !is(value, wanted)
    {
        say(format!("{} found, {wanted} expected", type_of(value)));
    }
    if let Some(Value::Array(allowed)) = schema.get("enum")
        && !allowed.contains(value)
    {
        let allowed: Vec<String> = allowed.iter().map(Value::to_string).collect();
        say(format!("does not have a value in the enumeration [{}]", allowed.join(", ")));
    }
    if let (Some(Value::Array(required)), Value::Object(fields)) = (schema.get("required"), value) {
        for name in required.iter().filter_map(Value::as_str).filter(|name| !fields.contains_key(*name)) {
            say(format!("required property '{name}' not found"));
        }
    }
}

fn is(value: &Value, wanted: &str) -> bool {
    match wanted {
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64() || value.as_f64().is_some_and(|number| number.fract() == 0.0),
        wanted => type_of(value) == wanted,
    }
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn says_where_and_what() {
        let schema = json!({
            "type": "object",
            "properties": {"skillId": {"type": "string", "enum": ["a_fs", "b_fs"]}, "list": {"items": {"type": "number"}}},
            "required": ["skillId", "path"],
        });
        let say = |arguments: Value| problems(&arguments, &schema);
        assert_eq!(say(json!({"skillId": "a_fs", "path": "x"})), None);
        assert_eq!(
            say(json!({"skillId": "c"})).unwrap(),
            "/skillId: does not have a value in the enumeration [\"a_fs\", \"b_fs\"]; : required property 'path' not found"
        );
        assert_eq!(
            say(json!({"skillId": "a_fs", "path": 1, "list": [1, "x"]})).unwrap(),
            "/list/1: string found, number expected"
        );
        assert_eq!(say(json!([])).unwrap(), ": array found, object expected");
    }
}
