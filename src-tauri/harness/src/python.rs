//! The parts of Python 3.11 that affect texts for the model: values as `json.loads` makes them, and the words that
//! `str()`, `repr()` and the exceptions have for them.

mod difflib;
mod dumps;
mod json;
mod number;
mod text;

pub use difflib::unified_diff;
pub use dumps::{dumps, dumps_text};
pub use json::{loads, raw_decode, whole_characters};
pub use number::{float, int, is_too_long};
pub use text::{cut, decode, is_space, lines_with_ends, repr, splitlines, strip, universal_newlines};

use std::fmt::Write;

/// A value that JSON can hold.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    None,
    Bool(bool),
    /// In the digits that Python writes.
    Int(String),
    Float(f64),
    Text(String),
    List(Vec<Value>),
    /// Keys are distinct.
    Dict(Vec<(String, Value)>),
}

impl Value {
    /// `type(value).__name__`.
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::None => "NoneType",
            Self::Bool(_) => "bool",
            Self::Int(_) => "int",
            Self::Float(_) => "float",
            Self::Text(_) => "str",
            Self::List(_) => "list",
            Self::Dict(_) => "dict",
        }
    }

    /// What a dictionary has under a key.
    pub fn get(&self, key: &str) -> Option<&Value> {
        match self {
            Self::Dict(pairs) => get(pairs, key),
            Self::None | Self::Bool(_) | Self::Int(_) | Self::Float(_) | Self::Text(_) | Self::List(_) => None,
        }
    }

    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::None | Self::Bool(_) | Self::Int(_) | Self::Float(_) | Self::List(_) | Self::Dict(_) => None,
        }
    }

    /// `bool(value)`.
    pub fn is_true(&self) -> bool {
        match self {
            Self::None => false,
            Self::Bool(truth) => *truth,
            Self::Int(digits) => !matches!(digits.as_str(), "0" | "-0"),
            Self::Float(number) => *number != 0.0,
            Self::Text(text) => !text.is_empty(),
            Self::List(items) => !items.is_empty(),
            Self::Dict(pairs) => !pairs.is_empty(),
        }
    }

    /// `str(value)`, which is also what an f-string puts in.
    pub fn to_str(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            other => other.to_repr(),
        }
    }

    /// `repr(value)`.
    pub fn to_repr(&self) -> String {
        let mut out = String::new();
        self.write_repr(&mut out);
        out
    }

    /// The message of the `TypeError` when it is used as a key and cannot be one.
    pub fn check_hashable(&self) -> Result<(), String> {
        match self {
            Self::List(_) | Self::Dict(_) => Err(format!("unhashable type: '{}'", self.type_name())),
            Self::None | Self::Bool(_) | Self::Int(_) | Self::Float(_) | Self::Text(_) => Ok(()),
        }
    }

    /// What `for item in value` goes through: a text's characters, a dictionary's keys.
    pub fn items(&self) -> Result<Vec<Value>, String> {
        match self {
            Self::List(items) => Ok(items.clone()),
            Self::Text(text) => Ok(text.chars().map(|letter| Self::Text(letter.into())).collect()),
            Self::Dict(pairs) => Ok(pairs.iter().map(|(key, _)| Self::Text(key.clone())).collect()),
            Self::None | Self::Bool(_) | Self::Int(_) | Self::Float(_) => {
                Err(format!("'{}' object is not iterable", self.type_name()))
            }
        }
    }

    fn write_repr(&self, out: &mut String) {
        match self {
            Self::None => out.push_str("None"),
            Self::Bool(true) => out.push_str("True"),
            Self::Bool(false) => out.push_str("False"),
            Self::Int(digits) => out.push_str(digits),
            Self::Float(number) => out.push_str(&float_repr(*number)),
            Self::Text(text) => out.push_str(&repr(text)),
            Self::List(items) => {
                out.push('[');
                for (index, item) in items.iter().enumerate() {
                    out.push_str(if index == 0 { "" } else { ", " });
                    item.write_repr(out);
                }
                out.push(']');
            }
            Self::Dict(pairs) => {
                out.push('{');
                for (index, (key, value)) in pairs.iter().enumerate() {
                    let comma = if index == 0 { "" } else { ", " };
                    write!(out, "{comma}{}: ", repr(key)).expect("a String takes everything");
                    value.write_repr(out);
                }
                out.push('}');
            }
        }
    }
}

/// A dictionary's value, or the message of the `KeyError`: the key's `repr`.
pub fn item<'a>(pairs: &'a [(String, Value)], key: &str) -> Result<&'a Value, String> {
    get(pairs, key).ok_or_else(|| repr(key))
}

/// `dict.get(key)`.
pub fn get<'a>(pairs: &'a [(String, Value)], key: &str) -> Option<&'a Value> {
    pairs.iter().find(|(known, _)| known == key).map(|(_, value)| value)
}

/// The shortest digits that read back as the number, with an exponent if Python writes one.
fn float_repr(number: f64) -> String {
    if number.is_nan() {
        return "nan".into();
    }
    if number.is_infinite() {
        return if number > 0.0 { "inf".into() } else { "-inf".into() };
    }
    let scientific = format!("{number:e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..16).contains(&exponent) {
        let plain = format!("{number}");
        return if plain.contains('.') { plain } else { plain + ".0" };
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", exponent.unsigned_abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_values_as_python_does() {
        let value = loads(
            r#"{"a":[1,-0,2.0,1e16,1e15,1e-5,0.0001,12345678901234567890123,NaN,-Infinity],"it's":true,"n":null,"q":"\"'"}"#,
        );
        assert_eq!(
            value.unwrap().to_str(),
            r#"{'a': [1, 0, 2.0, 1e+16, 1000000000000000.0, 1e-05, 0.0001, 12345678901234567890123, nan, -inf], "it's": True, 'n': None, 'q': '"\''}"#
        );
    }

    #[test]
    fn goes_through_what_python_can_go_through() {
        let of = |json: &str| loads(json).unwrap().items().map(|items| items.len());
        assert_eq!(of("\"中a\""), Ok(2));
        assert_eq!(of("{\"a\":1}"), Ok(1));
        assert_eq!(of("5"), Err("'int' object is not iterable".into()));
        assert_eq!(loads("[]").unwrap().check_hashable(), Err("unhashable type: 'list'".into()));
    }
}
