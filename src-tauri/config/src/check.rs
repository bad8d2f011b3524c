//! Checks that types cannot express. They run while a value is read, so that the error knows its line. Those of one
//! model are in `model::entry::check`.

use std::fmt;
use std::marker::PhantomData;

use model::entry::ModelEntry;
use model::entry::check::OrNothing;
use model::protocol::Protocol;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::{RECORDED, REHEARSAL, RunLimits, SandboxMode};
use wording::{Message, Wording, message};

/// Reads a map as `Written`, then converts it or says what is wrong with it. `expected` names what the map should be.
pub fn map<'de, D, Written, T>(
    deserializer: D,
    expected: Wording,
    meaning: impl FnOnce(Written) -> Result<T, Message>,
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

/// A list of folders to walk, or of skills and tools to make. It has a limit: nobody has hundreds of them.
pub fn list<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Vec<T>, D::Error> {
    deserializer.deserialize_seq(List(PhantomData))
}

/// Limits for a project's requests to the user's machine: it may come from anybody.
pub fn up_to<'de, const MOST: u32, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    deserializer.deserialize_u32(UpTo(MOST))
}

/// How much of what a script prints is kept.
pub fn output_bytes<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    deserializer.deserialize_u32(OutputBytes)
}

/// A project does not take away what protects its user.
pub fn sandbox_of_project<'de, D: Deserializer<'de>>(deserializer: D) -> Result<SandboxMode, D::Error> {
    match SandboxMode::deserialize(deserializer)? {
        SandboxMode::Off => {
            let why = Wording::new(
                "`off` is for one run, as `--sandbox off`, and not for a project, which may come from anybody",
                "`off` 只能用于单次运行（`--sandbox off`），不能写在项目里，因为项目可能来自任何人",
            );
            Err(D::Error::custom(why.carried()))
        }
        mode => Ok(mode),
    }
}

pub fn distinct_models<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<ModelEntry>, D::Error> {
    deserializer.deserialize_seq(DistinctModels)
}

/// From 1.
struct UpTo(u32);

impl Visitor<'_> for UpTo {
    type Value = u32;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&message!("a whole number from 1 to {}", "1 到 {} 的整数", self.0).carried())
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<u32, E> {
        match u32::try_from(number) {
            Ok(number) if (1..=self.0).contains(&number) => Ok(number),
            _ => Err(E::invalid_value(serde::de::Unexpected::Unsigned(number), &self)),
        }
    }
}

struct OutputBytes;

impl Visitor<'_> for OutputBytes {
    type Value = u32;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let most = RunLimits::OUTPUT_BYTES;
        f.write_str(&message!("a whole number up to {most} (4 MiB)", "不大于 {most}（4 MiB）的整数").carried())
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<u32, E> {
        match u32::try_from(number) {
            Ok(number) if number <= RunLimits::OUTPUT_BYTES => Ok(number),
            _ => Err(E::invalid_value(serde::de::Unexpected::Unsigned(number), &self)),
        }
    }
}

struct Map<F, Written> {
    expected: Wording,
    meaning: F,
    written: PhantomData<Written>,
}

impl<'de, Written, T, F> Visitor<'de> for Map<F, Written>
where
    Written: Deserialize<'de>,
    F: FnOnce(Written) -> Result<T, Message>,
{
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.expected.carried())
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
        let written = Written::deserialize(MapAccessDeserializer::new(map))?;
        (self.meaning)(written).map_err(|why| A::Error::custom(why.carried()))
    }
}

struct Amount;

impl Visitor<'_> for Amount {
    type Value = f64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&Wording::new("an amount above 0, e.g. `0.50`", "大于 0 的金额，例如 `0.50`").carried())
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

/// Items of a [`list`].
const LIST_LIMIT: usize = 200;

struct List<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for List<T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a sequence")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Vec<T>, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            if list.len() == LIST_LIMIT {
                let why = message!(
                    "a list here has at most {LIST_LIMIT} items; remove some",
                    "这里的列表最多有 {LIST_LIMIT} 项；请删去一些"
                );
                return Err(A::Error::custom(why.carried()));
            }
            list.push(item);
        }
        Ok(list)
    }
}

struct DistinctModels;

impl<'de> Visitor<'de> for DistinctModels {
    type Value = Vec<ModelEntry>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&Wording::new("a list of models", "模型的列表").carried())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut entries: A) -> Result<Vec<ModelEntry>, A::Error> {
        let mut models: Vec<ModelEntry> = Vec::new();
        while let Some(entry) = entries.next_element::<ModelEntry>()? {
            if let Some(why) = unfit(&entry, &models) {
                return Err(A::Error::custom(why.carried()));
            }
            models.push(entry);
        }
        Ok(models)
    }
}

/// Why a model cannot be in the list, after those before it.
fn unfit(entry: &ModelEntry, before: &[ModelEntry]) -> Option<Message> {
    let id = &entry.id;
    if id == REHEARSAL {
        return Some(message!(
            "`{REHEARSAL}` is the built-in model; choose another id",
            "`{REHEARSAL}` 是内置模型；请换一个 id"
        ));
    }
    if id.starts_with(RECORDED) {
        return Some(message!(
            "ids that begin with `{RECORDED}` are those of recorded runs; choose another id",
            "以 `{RECORDED}` 开头的 id 属于录制的运行；请换一个 id"
        ));
    }
    if let Some(name) = entry.keeps_state() {
        return Some(message!(
            "`{name}` cannot be in `body` of `{id}`: the whole conversation is sent each time, and nothing of it is kept \
             on the server",
            "`{name}` 不能写在 `{id}` 的 `body` 中：每次都会发送整个对话，服务器上不保留任何内容"
        ));
    }
    if entry.reasoning.shown.is_some() && entry.provider == Protocol::OpenAi {
        return Some(message!(
            "`reasoning: {{ shown: … }}` of `{id}` has no meaning in chat completions; leave it out, or use `provider: \
             openAiResponses`",
            "`{id}` 的 `reasoning: {{ shown: … }}` 在 chat completions 中没有意义；请省略它，或使用 `provider: \
             openAiResponses`"
        ));
    }
    let is_twice = before.iter().any(|model| model.id == *id);
    is_twice.then(|| message!("two models have the id `{id}`", "有两个模型的 id 都是 `{id}`"))
}
