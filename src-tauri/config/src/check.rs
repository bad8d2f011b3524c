//! Rules that a type alone does not express, checked where the value is read so that the error knows its line. Those of
//! one model are in `model::entry::check`.

use std::fmt;
use std::marker::PhantomData;

use model::entry::ModelEntry;
use model::entry::check::OrNothing;
pub use model::entry::check::{positive, some_positive};
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::{RECORDED, REHEARSAL};

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

/// A sum of money.
pub fn some_amount<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    deserializer.deserialize_any(OrNothing(Amount))
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
            if entry.id.starts_with(RECORDED) {
                let reason =
                    format_args!("ids that begin with `{RECORDED}` are those of recorded runs; choose another id");
                return Err(A::Error::custom(reason));
            }
            if let Some(name) = entry.keeps_state() {
                return Err(A::Error::custom(format_args!(
                    "`{name}` cannot be in `body` of `{}`: the whole conversation is sent each time, and nothing of it \
                     is kept on the server",
                    entry.id
                )));
            }
            if models.iter().any(|model| model.id == entry.id) {
                return Err(A::Error::custom(format_args!("two models have the id `{}`", entry.id)));
            }
            models.push(entry);
        }
        Ok(models)
    }
}
