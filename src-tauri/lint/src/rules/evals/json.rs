//! JSON with the place of everything in it.

use serde_json::value::RawValue;

use skill::source::Span;
use wording::Message;

#[derive(Debug, Clone, PartialEq)]
pub struct Json {
    pub span: Span,
    pub value: Value,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    List(Vec<Json>),
    /// In order; of equal keys all.
    Map(Vec<(String, Json)>),
}

/// What keeps a text from being JSON, and where.
#[derive(Debug, Clone, PartialEq)]
pub struct JsonError {
    pub message: Message,
    pub at: usize,
}

/// Lists and maps inside each other beyond this are read as nothing.
const DEPTH_LIMIT: usize = 32;

impl Json {
    pub fn parse(text: &str) -> Result<Self, JsonError> {
        let raw: &RawValue = serde_json::from_str(text).map_err(|error| {
            // This reader has better words for the same mistake.
            let error = serde_json::from_str::<serde_json::Value>(text).err().unwrap_or(error);
            let lines_before = text.split_inclusive('\n').take(error.line().saturating_sub(1));
            let line = lines_before.map(str::len).sum::<usize>();
            let said = error.to_string();
            JsonError {
                message: wording::refusal(said.split(" at line ").next().unwrap_or(&said)),
                at: text.floor_char_boundary(line + error.column().saturating_sub(1)),
            }
        })?;
        Ok(Self::of(text, raw.get(), 0))
    }

    pub fn get(&self, key: &str) -> Option<&Self> {
        let Value::Map(pairs) = &self.value else { return None };
        pairs.iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    pub fn items(&self) -> &[Self] {
        match &self.value {
            Value::List(items) => items,
            _ => &[],
        }
    }

    pub fn number(&self) -> Option<f64> {
        match self.value {
            Value::Number(number) => Some(number),
            _ => None,
        }
    }

    pub fn bool(&self) -> Option<bool> {
        match self.value {
            Value::Bool(value) => Some(value),
            _ => None,
        }
    }

    /// `part` is a piece of `whole`, and valid JSON.
    fn of(whole: &str, part: &str, depth: usize) -> Self {
        let start = part.as_ptr() as usize - whole.as_ptr() as usize;
        let inner = |part: &RawValue| Self::of(whole, part.get(), depth + 1);
        let value = match part.as_bytes().first() {
            Some(b'[' | b'{') if depth >= DEPTH_LIMIT => Value::Null,
            Some(b'[') => {
                let items: Vec<&RawValue> = serde_json::from_str(part).unwrap_or_default();
                Value::List(items.into_iter().map(inner).collect())
            }
            Some(b'{') => {
                let pairs: Pairs<'_> = serde_json::from_str(part).unwrap_or_default();
                Value::Map(pairs.0.into_iter().map(|(key, value)| (key, inner(value))).collect())
            }
            Some(b'"') => Value::Text(serde_json::from_str(part).unwrap_or_default()),
            Some(b't' | b'f') => Value::Bool(part == "true"),
            Some(b'n') | None => Value::Null,
            Some(_) => Value::Number(part.parse().unwrap_or_default()),
        };
        Self { span: Span::new(start, start + part.len()), value }
    }
}

/// A map's members in order.
#[derive(Default)]
struct Pairs<'a>(Vec<(String, &'a RawValue)>);

impl<'de> serde::Deserialize<'de> for Pairs<'de> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;

        impl<'de> serde::de::Visitor<'de> for Visitor {
            type Value = Pairs<'de>;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("a map")
            }

            fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Pairs(pairs))
            }
        }

        deserializer.deserialize_map(Visitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_has_its_place() {
        let text = " {\"a\": [1, \"é\\n\", true], \"a\": null}";
        let json = Json::parse(text).unwrap();
        let items = json.get("a").unwrap().items();
        assert_eq!(items[1].text(), Some("é\n"));
        assert_eq!(items[1].span.of(text), "\"é\\n\"");
        assert_eq!((items[0].number(), items[2].bool()), (Some(1.0), Some(true)));
        assert_eq!(json.span.of(text), &text[1..]);
    }

    #[test]
    fn an_error_has_its_place() {
        let error = Json::parse("{\n  \"a\": 1,\n}").unwrap_err();
        assert_eq!((error.message.en.as_str(), error.at), ("trailing comma", 12));
        assert!(Json::parse("").is_err());
    }

    #[test]
    fn depth_is_bounded() {
        let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        let _ = Json::parse(&deep);
    }
}
