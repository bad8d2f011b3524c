//! `ToolValidator`: arguments against a tool's JSON Schema, in the words of networknt's json-schema-validator 2. Derived
//! from its sources, never compared with a run; of the keywords, those that tool schemas use.

use serde_json::Value;

/// Everything that is wrong, as one text; `None` if nothing is.
pub fn problems(arguments: &Value, schema: &Value) -> Option<String> {
    let mut found = Vec::new();
    check(arguments, schema, "", &mut found);
    (!found.is_empty()).then(|| found.join("; "))
}

fn check(value: &Value, schema: &Value, pointer: &str, found: &mut Vec<String>) {
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
    if let Some(wanted) = schema.get("type").and_then(Value::as_str)
        && !is(value, wanted)
    {
        found.push(format!("{pointer}: {} found, {wanted} expected", type_of(value)));
    }
    if let Some(Value::Array(allowed)) = schema.get("enum")
        && !allowed.contains(value)
    {
        let allowed: Vec<String> = allowed.iter().map(Value::to_string).collect();
        found.push(format!("{pointer}: does not have a value in the enumeration [{}]", allowed.join(", ")));
    }
    if let (Some(Value::Array(required)), Value::Object(fields)) = (schema.get("required"), value) {
        for name in required.iter().filter_map(Value::as_str).filter(|name| !fields.contains_key(*name)) {
            found.push(format!("{pointer}: required property '{name}' not found"));
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
