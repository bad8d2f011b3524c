//! How large a YAML text becomes once each alias is replaced by its value: a few lines could expand to more than there
//! is memory.

use std::cell::Cell;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, VariantAccess, Visitor};
use wording::message;

/// Bytes of all values together, aliases as often as they occur.
const LIMIT: usize = 4 << 20;
/// What a value counts in addition to its text.
const VALUE: usize = 16;

/// Goes through the values without keeping any. Other mistakes in the text are not reported here.
pub fn check(text: &str) -> Result<(), serde_yaml::Error> {
    let weighed = Cell::new(0);
    match Weigh(&weighed).deserialize(serde_yaml::Deserializer::from_str(text)) {
        Err(error) if weighed.get() > LIMIT => Err(error),
        _ => Ok(()),
    }
}

#[derive(Clone, Copy)]
struct Weigh<'a>(&'a Cell<usize>);

impl Weigh<'_> {
    fn add<E: Error>(self, bytes: usize) -> Result<(), E> {
        self.0.set(self.0.get().saturating_add(bytes).saturating_add(VALUE));
        if self.0.get() > LIMIT {
            let most = LIMIT >> 20;
            let why = message!(
                "with its aliases it comes to more than {most} MiB; use fewer aliases",
                "展开别名后超过 {most} MiB；请少用别名"
            );
            return Err(E::custom(why.carried()));
        }
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for Weigh<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Weigh<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<(), E> {
        self.add(0)
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<(), E> {
        self.add(0)
    }

    fn visit_i128<E: Error>(self, _: i128) -> Result<(), E> {
        self.add(0)
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<(), E> {
        self.add(0)
    }

    fn visit_u128<E: Error>(self, _: u128) -> Result<(), E> {
        self.add(0)
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<(), E> {
        self.add(0)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        self.add(text.len())
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<(), E> {
        self.add(bytes.len())
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        self.add(0)
    }

    fn visit_none<E: Error>(self) -> Result<(), E> {
        self.add(0)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        self.deserialize(deserializer)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        self.deserialize(deserializer)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        self.add(0)?;
        while items.next_element_seed(self)?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
        self.add(0)?;
        while entries.next_key_seed(self)?.is_some() {
            entries.next_value_seed(self)?;
        }
        Ok(())
    }

    /// A value with a tag.
    fn visit_enum<A: EnumAccess<'de>>(self, tagged: A) -> Result<(), A::Error> {
        let ((), value) = tagged.variant_seed(self)?;
        value.newtype_variant_seed(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aliases_count_as_what_they_stand_for() {
        let long = "x".repeat(20_000);
        let bomb = format!("a: &a {long}\nb: &b [{}]\nc: [{}]\n", "*a, ".repeat(100), "*b, ".repeat(100));
        let told = check(&bomb).unwrap_err().to_string();
        assert!(told.contains("with its aliases it comes to more than 4 MiB"), "{told}");
        let tagged = format!("a: &a !x {long}\nb: [{}]\n", "*a, ".repeat(1000));
        assert!(check(&tagged).is_err());
        assert!(check(&format!("a: &a {long}\nb: [{}]\n", "*a, ".repeat(100))).is_ok(), "2 MB are fine");
        assert!(check("").is_ok() && check("a: [").is_ok(), "others say what else is wrong");
    }
}
