//! What a call carries.

use std::collections::HashMap;

use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::{Variant, java, order};

/// Anything but a JSON object counts as no arguments.
pub fn parse(arguments: &str) -> Map<String, Value> {
    match value(arguments) {
        Some(Value::Object(fields)) => fields,
        _ => Map::new(),
    }
}

/// What Jackson reads: the first value, whatever follows it.
pub fn value(arguments: &str) -> Option<Value> {
    serde_json::Deserializer::from_str(arguments).into_iter().next()?.ok()
}

/// The same of the arguments of an object as they are written.
fn raw(arguments: &str) -> HashMap<String, &RawValue> {
    serde_json::Deserializer::from_str(arguments).into_iter().next().and_then(Result::ok).unwrap_or_default()
}

/// What is written as a whole number, however many digits it has.
fn whole(raw: &RawValue) -> Option<&str> {
    let digits = raw.get().strip_prefix('-').unwrap_or(raw.get());
    digits.chars().all(|digit| digit.is_ascii_digit()).then(|| raw.get())
}

/// Where a whole number has too many digits, another one that is as large as can be: what is said of it is the same.
pub fn with_large_numbers(arguments: &str) -> Option<Value> {
    let mut value = value(arguments)?;
    if let Value::Object(fields) = &mut value {
        let raw = raw(arguments);
        for (key, field) in fields.iter_mut().filter(|(_, field)| field.is_f64()) {
            if raw.get(key).copied().and_then(whole).is_some() {
                *field = Value::from(u64::MAX);
            }
        }
    }
    Some(value)
}

/// As the next request has the arguments: 1.0.5 writes down what it read.
pub fn again(arguments: &str, variant: Variant) -> String {
    match variant {
        Variant::First => written(arguments),
        _ if arguments.is_empty() => "{}".to_owned(),
        _ => arguments.to_owned(),
    }
}

/// As Jackson writes it, the keys of the outermost map in the order of a hash table.
fn written(arguments: &str) -> String {
    fn inner(value: &Value) -> String {
        match value {
            Value::Number(number) => digits(number),
            Value::String(text) => quoted(text),
            Value::Array(items) => format!("[{}]", items.iter().map(inner).collect::<Vec<_>>().join(",")),
            Value::Object(fields) => {
                let fields: Vec<String> =
                    fields.iter().map(|(key, value)| format!("{}:{}", quoted(key), inner(value))).collect();
                format!("{{{}}}", fields.join(","))
            }
            Value::Null | Value::Bool(_) => value.to_string(),
        }
    }
    let (fields, raw) = (parse(arguments), raw(arguments));
    let pair = |key: &&str| {
        let digits = raw.get(*key).copied().and_then(whole);
        format!("{}:{}", quoted(key), digits.map_or_else(|| inner(&fields[*key]), str::to_owned))
    };
    let pairs: Vec<String> = order::copied_hash_map(fields.keys().map(String::as_str)).iter().map(pair).collect();
    format!("{{{}}}", pairs.join(","))
}

fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{8}' => out.push_str("\\b"),
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\u{c}' => out.push_str("\\f"),
            '\r' => out.push_str("\\r"),
            letter if letter < ' ' => out.push_str(&format!("\\u{:04X}", u32::from(letter))),
            letter => out.push(letter),
        }
    }
    out.push('"');
    out
}

/// A whole number in its digits, any other as `Double.toString` prints it.
fn digits(number: &serde_json::Number) -> String {
    match number.as_f64() {
        Some(float) if number.is_f64() => java::double(float),
        _ => number.to_string(),
    }
}

/// How Jackson converts an argument for a parameter of type `String`; `None` for `null` and for nothing.
pub fn as_string(arguments: &str, key: &str) -> Option<String> {
    fn printed(value: &Value) -> String {
        let joined = |items: Vec<String>| items.join(", ");
        match value {
            Value::Null => "null".into(),
            Value::String(text) => text.clone(),
            Value::Bool(_) => value.to_string(),
            Value::Number(number) => digits(number),
            Value::Array(items) => format!("[{}]", joined(items.iter().map(printed).collect())),
            Value::Object(fields) => {
                let fields = fields.iter().map(|(key, value)| format!("{key}={}", printed(value)));
                format!("{{{}}}", joined(fields.collect()))
            }
        }
    }
    match raw(arguments).get(key).copied().and_then(whole) {
        Some(digits) => Some(digits.to_owned()),
        None => parse(arguments).get(key).filter(|value| !value.is_null()).map(printed),
    }
}

/// `--key value` for each argument that is not `null`; numbers in the digits the model wrote.
pub fn command_line(arguments: &str) -> Vec<String> {
    let written = raw(arguments);
    let given = parse(arguments).into_iter().filter(|(_, value)| !value.is_null());
    let word = |key: &str, value: Value| match value {
        Value::String(text) => text,
        value => written.get(key).map_or_else(|| value.to_string(), |raw| raw.get().to_owned()),
    };
    given.flat_map(|(key, value)| [format!("--{key}"), word(&key, value)]).collect()
}
