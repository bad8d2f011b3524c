//! Rules that a type alone does not express, checked where the value is read so that the error knows its line.

use std::fmt;
use std::marker::PhantomData;

use reqwest::Url;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::{ModelEntry, REHEARSAL};
use crate::secret::KeyRef;

/// Reads a map as `Written`, then turns it into what it means or says what is wrong with it. `expected` names it.
pub fn map<'de, D, Written, T>(
    deserializer: D,
    expected: &'static str,
    meaning: impl FnOnce(Written) -> Result<T, String>,
) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    Written: Deserialize<'de>,
{
    deserializer.deserialize_map(Map { expected, meaning, written: PhantomData::<Written> })
}

pub fn positive<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    deserializer.deserialize_u32(Positive)
}

pub fn some_positive<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u32>, D::Error> {
    deserializer.deserialize_any(OrNothing(Positive))
}

/// A sum of money.
pub fn some_amount<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    deserializer.deserialize_any(OrNothing(Amount))
}

pub fn base_url<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    deserializer.deserialize_str(BaseUrl)
}

/// A key's name. What stands in its place may be the key itself, so the error does not repeat it.
pub fn key<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<KeyRef>, D::Error> {
    deserializer.deserialize_any(Key)
}

pub fn distinct_models<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<ModelEntry>, D::Error> {
    deserializer.deserialize_seq(DistinctModels)
}

struct Map<F, Written> {
    expected: &'static str,
    meaning: F,
    written: PhantomData<Written>,
}

impl<'de, Written, T, F> Visitor<'de> for Map<F, Written>
where
    Written: Deserialize<'de>,
    F: FnOnce(Written) -> Result<T, String>,
{
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.expected)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
        let written = Written::deserialize(MapAccessDeserializer::new(map))?;
        (self.meaning)(written).map_err(A::Error::custom)
    }
}

struct Positive;

impl Visitor<'_> for Positive {
    type Value = u32;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number from 1")
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<u32, E> {
        match u32::try_from(number) {
            Ok(number) if number > 0 => Ok(number),
            _ => Err(E::invalid_value(serde::de::Unexpected::Unsigned(number), &self)),
        }
    }
}

struct Amount;

impl Visitor<'_> for Amount {
    type Value = f64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an amount above 0, e.g. `0.50`")
    }

    fn visit_u64<E: Error>(self, amount: u64) -> Result<f64, E> {
        self.visit_f64(amount as f64)
    }

    fn visit_f64<E: Error>(self, amount: f64) -> Result<f64, E> {
        if amount.is_finite() && amount > 0.0 {
            Ok(amount)
        } else {
            Err(E::invalid_value(serde::de::Unexpected::Float(amount), &self))
        }
    }
}

/// What its visitor reads, or `null`.
struct OrNothing<V>(V);

impl<'de, V: Visitor<'de>> Visitor<'de> for OrNothing<V> {
    type Value = Option<V::Value>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expecting(f)
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Self::Value, E> {
        self.0.visit_u64(number).map(Some)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Self::Value, E> {
        self.0.visit_i64(number).map(Some)
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Self::Value, E> {
        self.0.visit_f64(number).map(Some)
    }
}

struct BaseUrl;

impl Visitor<'_> for BaseUrl {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an address such as `http://localhost:8080/v1`")
    }

    fn visit_str<E: Error>(self, written: &str) -> Result<String, E> {
        let url = Url::parse(written).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
        match url {
            Some(url) if !url.username().is_empty() || url.password().is_some() => Err(E::custom(
                "baseUrl must not hold a user name or password; name the key's environment variable under `key`",
            )),
            Some(_) => Ok(written.to_owned()),
            None => Err(E::custom(format_args!(
                "baseUrl must be an http or https address such as `http://localhost:8080/v1`, not `{written}`"
            ))),
        }
    }
}

struct Key;

impl Key {
    fn refuse<T, E: Error>() -> Result<T, E> {
        Err(E::custom("a key is not written here: name its environment variable, e.g. `key: { env: OPENAI_API_KEY }`"))
    }
}

impl<'de> Visitor<'de> for Key {
    type Value = Option<KeyRef>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of an environment variable, e.g. `{ env: OPENAI_API_KEY }`")
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<Self::Value, E> {
        Self::refuse()
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<Self::Value, E> {
        Self::refuse()
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<Self::Value, E> {
        Self::refuse()
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<Self::Value, E> {
        Self::refuse()
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        KeyRef::deserialize(MapAccessDeserializer::new(map)).map(Some)
    }
}

struct DistinctModels;

impl<'de> Visitor<'de> for DistinctModels {
    type Value = Vec<ModelEntry>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of models")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut entries: A) -> Result<Vec<ModelEntry>, A::Error> {
        let mut models: Vec<ModelEntry> = Vec::new();
        while let Some(entry) = entries.next_element::<ModelEntry>()? {
            if entry.id == REHEARSAL {
                return Err(A::Error::custom(format_args!("`{REHEARSAL}` is the built-in model; choose another id")));
            }
            if models.iter().any(|model| model.id == entry.id) {
                return Err(A::Error::custom(format_args!("two models have the id `{}`", entry.id)));
            }
            models.push(entry);
        }
        Ok(models)
    }
}
