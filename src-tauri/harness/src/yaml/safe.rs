//! `SafeConstructor`: what PyYAML makes of a document in Python. Each node is made into a value once, however many
//! aliases it has, so aliases of aliases cost nothing until they are printed.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};
use std::sync::LazyLock;

use jiff::civil::{Date, DateTime};
use regex::Regex;

use super::object::{Key, Moment, Object, Objects};
use super::parser::CORE;
use super::{Content, Document, Failure, Id, base64};
use crate::python;
use wording::message;

/// How many pairs `<<` may merge. Lists of aliases of such lists could have more than fit into memory.
const MERGED: usize = 200_000;
/// Maps that are taken into each other.
const MERGE_DEPTH: usize = 400;

/// The whole document is made into values, so a mistake anywhere in it means no result. The first of several is
/// reported: lists and maps are filled after everything around them is made.
pub fn construct(document: &Document) -> Result<Objects, Failure> {
    let mut making =
        Making { document, objects: HashMap::new(), waiting: VecDeque::new(), pairs: HashMap::new(), merged: 0 };
    making.part(document.root)?;
    while let Some(id) = making.waiting.pop_front() {
        if making.objects.contains_key(&id) {
            continue;
        }
        let object = making.filled(id)?;
        making.objects.insert(id, object);
    }
    Ok(Objects { objects: making.objects, root: document.root })
}

struct Making<'a> {
    document: &'a Document,
    objects: HashMap<Id, Object>,
    /// Lists and maps that are not filled yet.
    waiting: VecDeque<Id>,
    /// The pairs of maps after merging.
    pairs: HashMap<Id, Vec<(Id, Id)>>,
    merged: usize,
}

impl Making<'_> {
    /// Makes a value, or has it wait for its turn.
    fn part(&mut self, id: Id) -> Result<(), Failure> {
        if is_filled_later(self.tag(id)) {
            self.waiting.push_back(id);
        } else if !self.objects.contains_key(&id) {
            let object = self.object(id)?;
            self.objects.insert(id, object);
        }
        Ok(())
    }

    /// A scalar as a Python object.
    fn object(&self, id: Id) -> Result<Object, Failure> {
        let tag = self.tag(id);
        let wrong = |problem: String| self.document.mistake(None, problem, id);
        let undefined = || wrong(format!("could not determine a constructor for the tag {}", python::repr(tag)));
        Ok(match tag.strip_prefix(CORE).ok_or_else(undefined)? {
            "null" => {
                self.scalar(id)?;
                Object::None
            }
            "bool" => {
                let text = self.scalar(id)?;
                match text.to_lowercase().as_str() {
                    "yes" | "true" | "on" => Object::Bool(true),
                    "no" | "false" | "off" => Object::Bool(false),
                    other => return Err(Failure::Raised(python::repr(other))),
                }
            }
            "int" => Object::Int(integer(self.scalar(id)?).map_err(Failure::Raised)?),
            "float" => Object::Float(float(self.scalar(id)?).map_err(Failure::Raised)?),
            "binary" => Object::Bytes(decoded(self.scalar(id)?).map_err(wrong)?),
            "timestamp" => Object::Moment(moment(self.scalar(id)?).map_err(Failure::Raised)?),
            "str" => Object::Text(self.scalar(id)?.to_owned()),
            _ => return Err(undefined()),
        })
    }

    fn filled(&mut self, id: Id) -> Result<Object, Failure> {
        let document = self.document;
        let content = &document.node(id).content;
        Ok(match self.tag(id).strip_prefix(CORE).unwrap_or_default() {
            "seq" => match content {
                Content::List(items) => {
                    for item in items {
                        self.part(*item)?;
                    }
                    Object::List(items.clone())
                }
                other => {
                    let problem = format!("expected a sequence node, but found {}", kind(other));
                    return Err(document.mistake(None, problem, id));
                }
            },
            "set" => Object::Set(self.dict(id)?.into_iter().map(|(key, _)| key).collect()),
            "omap" => Object::Pairs(self.listed_pairs(id, "while constructing an ordered map")?),
            "pairs" => Object::Pairs(self.listed_pairs(id, "while constructing pairs")?),
            _ => Object::Dict(self.dict(id)?),
        })
    }

    fn tag(&self, id: Id) -> &str {
        self.document.tag(id, implied)
    }

    /// `construct_scalar`, for which a map is the value of its key `=`.
    fn scalar(&self, id: Id) -> Result<&str, Failure> {
        let mut at = id;
        for _ in 0..MERGE_DEPTH {
            let content = &self.document.node(at).content;
            let default = match content {
                Content::Scalar { text, .. } => return Ok(text),
                Content::Map(pairs) => pairs.iter().find(|(key, _)| self.tag(*key) == VALUE),
                Content::List(_) | Content::Alias { .. } => None,
            };
            match default {
                Some((_, value)) => at = *value,
                None => {
                    let problem = format!("expected a scalar node, but found {}", kind(content));
                    return Err(self.document.mistake(None, problem, at));
                }
            }
        }
        Err(Failure::Raised("maximum recursion depth exceeded while calling a Python object".into()))
    }

    /// `construct_mapping`: of equal keys the first is kept, with the value of the last.
    fn dict(&mut self, id: Id) -> Result<Vec<(Id, Id)>, Failure> {
        let content = &self.document.node(id).content;
        if !matches!(content, Content::Map(_)) {
            let problem = format!("expected a mapping node, but found {}", kind(content));
            return Err(self.document.mistake(None, problem, id));
        }
        self.flatten(id, 0)?;
        let pairs = self.pairs.get(&id).cloned().unwrap_or_default();
        let mut places: HashMap<Result<Key, Id>, usize> = HashMap::with_capacity(pairs.len());
        let mut dict: Vec<(Id, Id)> = Vec::with_capacity(pairs.len());
        for (key, value) in pairs {
            let name = self.key(key, id)?;
            self.part(value)?;
            match places.entry(name) {
                Entry::Occupied(place) => dict[*place.get()].1 = value,
                Entry::Vacant(place) => {
                    place.insert(dict.len());
                    dict.push((key, value));
                }
            }
        }
        Ok(dict)
    }

    /// `Err` in it: the node of a key that is only the same as itself.
    fn key(&mut self, id: Id, map: Id) -> Result<Result<Key, Id>, Failure> {
        if is_filled_later(self.tag(id)) {
            let context = Some(("while constructing a mapping", map));
            return Err(self.document.mistake(context, "found unhashable key".into(), id));
        }
        // A key `=` is text.
        let object = if self.tag(id) == VALUE { Object::Text(self.scalar(id)?.to_owned()) } else { self.object(id)? };
        let key = object.key().ok_or(id);
        self.objects.insert(id, object);
        Ok(key)
    }

    /// Puts merged pairs before the map's own pairs.
    fn flatten(&mut self, id: Id, depth: usize) -> Result<(), Failure> {
        if self.pairs.contains_key(&id) {
            return Ok(());
        }
        if depth > MERGE_DEPTH {
            return Err(Failure::Raised("maximum recursion depth exceeded".into()));
        }
        let Content::Map(pairs) = &self.document.node(id).content else { return Ok(()) };
        let is_merge = |pair: &&(Id, Id)| self.tag(pair.0) == MERGE;
        let merges: Vec<(Id, Id)> = pairs.iter().filter(is_merge).copied().collect();
        let own: Vec<(Id, Id)> = pairs.iter().filter(|pair| !is_merge(pair)).copied().collect();
        self.pairs.insert(id, own.clone());
        let context = "while constructing a mapping";
        let mut merged = Vec::new();
        for (_, value) in merges {
            match &self.document.node(value).content {
                Content::Map(_) => self.take(value, depth, &mut merged)?,
                Content::List(maps) => {
                    for map in maps {
                        let content = &self.document.node(*map).content;
                        if !matches!(content, Content::Map(_)) {
                            let problem = format!("expected a mapping for merging, but found {}", kind(content));
                            return Err(self.document.mistake(Some((context, id)), problem, *map));
                        }
                    }
                    for map in maps.iter().rev() {
                        self.take(*map, depth, &mut merged)?;
                    }
                }
                other => {
                    let what = "expected a mapping or list of mappings for merging";
                    let problem = format!("{what}, but found {}", kind(other));
                    return Err(self.document.mistake(Some((context, id)), problem, value));
                }
            }
        }
        if !merged.is_empty() {
            merged.extend(own);
            self.pairs.insert(id, merged);
        }
        Ok(())
    }

    fn take(&mut self, map: Id, depth: usize, merged: &mut Vec<(Id, Id)>) -> Result<(), Failure> {
        self.flatten(map, depth + 1)?;
        let pairs = self.pairs.get(&map).map_or(&[][..], Vec::as_slice);
        self.merged += pairs.len();
        if self.merged > MERGED {
            return Err(Failure::ours(&message!(
                "maps that merge more than {MERGED} pairs",
                "合并超过 {MERGED} 个键值对的映射"
            )));
        }
        merged.extend(pairs);
        Ok(())
    }

    fn listed_pairs(&mut self, id: Id, context: &str) -> Result<Vec<(Id, Id)>, Failure> {
        let document = self.document;
        let wrong = |problem: String, at: Id| document.mistake(Some((context, id)), problem, at);
        let content = &document.node(id).content;
        let Content::List(items) = content else {
            return Err(wrong(format!("expected a sequence, but found {}", kind(content)), id));
        };
        let mut found = Vec::with_capacity(items.len());
        for item in items {
            let pair = match &document.node(*item).content {
                Content::Map(pairs) => match pairs[..] {
                    [pair] => pair,
                    _ => {
                        let problem = format!("expected a single mapping item, but found {} items", pairs.len());
                        return Err(wrong(problem, *item));
                    }
                },
                other => {
                    return Err(wrong(format!("expected a mapping of length 1, but found {}", kind(other)), *item));
                }
            };
            self.part(pair.0)?;
            self.part(pair.1)?;
            found.push(pair);
        }
        Ok(found)
    }
}

/// The tags of lists and maps.
fn is_filled_later(tag: &str) -> bool {
    matches!(tag.strip_prefix(CORE), Some("seq" | "map" | "set" | "omap" | "pairs"))
}

const MERGE: &str = "tag:yaml.org,2002:merge";
const VALUE: &str = "tag:yaml.org,2002:value";

fn kind(content: &Content) -> &'static str {
    match content {
        Content::Scalar { .. } | Content::Alias { .. } => "scalar",
        Content::List(_) => "sequence",
        Content::Map(_) => "mapping",
    }
}

static BOOL: LazyLock<Regex> =
    LazyLock::new(|| whole("yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF"));
static INT: LazyLock<Regex> = LazyLock::new(|| {
    whole(
        "[-+]?0b[0-1_]+|[-+]?0[0-7_]+|[-+]?(?:0|[1-9][0-9_]*)|[-+]?0x[0-9a-fA-F_]+|[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+",
    )
});
static FLOAT: LazyLock<Regex> = LazyLock::new(|| {
    whole(
        r"[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)",
    )
});
static TIMESTAMP: LazyLock<Regex> = LazyLock::new(|| {
    whole(
        r"[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?(?:[ \t]*(?:Z|[-+][0-9]{1,2}(?::[0-9]{2})?))?",
    )
});
/// With a tag, a day needs no leading zeros.
static MOMENT: LazyLock<Regex> = LazyLock::new(|| {
    whole(
        r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})(?:(?:[Tt]|[ \t]+)([0-9]{1,2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]*))?(?:[ \t]*(?:(Z)|([-+])([0-9]{1,2})(?::([0-9]{2}))?))?)?",
    )
});

fn whole(pattern: &str) -> Regex {
    Regex::new(&format!("^(?:{pattern})$")).expect("the pattern is a constant that a test compiles")
}

/// With which all begin that the expressions above match; PyYAML looks for no others either.
const FIRST_LETTERS: &[char] = &[
    'y', 'Y', 'n', 'N', 't', 'T', 'f', 'F', 'o', 'O', '-', '+', '.', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9',
];
const STR: &str = "tag:yaml.org,2002:str";

/// What a scalar without quotes looks like.
fn implied(text: &str) -> &'static str {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => "tag:yaml.org,2002:null",
        "<<" => MERGE,
        "=" => VALUE,
        _ if !text.starts_with(FIRST_LETTERS) => STR,
        _ if BOOL.is_match(text) => "tag:yaml.org,2002:bool",
        _ if FLOAT.is_match(text) => "tag:yaml.org,2002:float",
        _ if INT.is_match(text) => "tag:yaml.org,2002:int",
        _ if TIMESTAMP.is_match(text) => "tag:yaml.org,2002:timestamp",
        _ => STR,
    }
}

/// `construct_yaml_int`: the number in decimal digits. `Err` is the message of what Python raises.
fn integer(text: &str) -> Result<String, String> {
    let text = text.replace('_', "");
    let (negative, digits) = sign(&text)?;
    let number = match digits {
        "0" => "0".to_owned(),
        _ if digits.starts_with("0b") => python::int(&digits[2..], 2)?,
        _ if digits.starts_with("0x") => python::int(&digits[2..], 16)?,
        _ if digits.starts_with('0') => python::int(digits, 8)?,
        _ if digits.contains(':') => {
            let mut sum: i128 = 0;
            for part in digits.split(':') {
                let part: i128 = python::int(part, 10)?.parse().unwrap_or(i128::MAX);
                sum = sum.saturating_mul(60).saturating_add(part);
            }
            sum.to_string()
        }
        "" => return Err("string index out of range".into()),
        _ => python::int(digits, 10)?,
    };
    Ok(match (negative, number.strip_prefix('-')) {
        (true, Some(digits)) => digits.to_owned(),
        (true, None) if number != "0" => format!("-{number}"),
        _ => number,
    })
}

fn float(text: &str) -> Result<f64, String> {
    let text = text.replace('_', "").to_lowercase();
    let (negative, digits) = sign(&text)?;
    let number = match digits {
        ".inf" => f64::INFINITY,
        ".nan" => return Ok(f64::NAN),
        _ if digits.contains(':') => {
            let parts = digits.split(':').map(python::float).collect::<Result<Vec<_>, _>>()?;
            parts.into_iter().fold(0.0, |sum, part| sum * 60.0 + part)
        }
        _ => python::float(digits)?,
    };
    Ok(if negative { -number } else { number })
}

/// Whether it is negative, and what comes after one sign.
fn sign(text: &str) -> Result<(bool, &str), String> {
    match text.chars().next() {
        None => Err("string index out of range".into()),
        Some('-') => Ok((true, &text[1..])),
        Some('+') => Ok((false, &text[1..])),
        Some(_) => Ok((false, text)),
    }
}

/// `base64.decodebytes`, which skips characters that are not digits.
fn decoded(text: &str) -> Result<Vec<u8>, String> {
    if let Some((at, letter)) = text.chars().enumerate().find(|(_, letter)| !letter.is_ascii()) {
        let code = python::repr(letter.encode_utf8(&mut [0; 4]));
        return Err(format!(
            "failed to convert base64 data into ascii: 'ascii' codec can't encode character {code} in position {at}: \
             ordinal not in range(128)"
        ));
    }
    let mut digits = Vec::new();
    let mut padding = 0;
    for byte in text.bytes() {
        if byte == b'=' {
            padding += 1;
            if digits.len() % 4 >= 2 && digits.len() % 4 + padding >= 4 {
                // What follows the padding does not count.
                return Ok(base64::bytes(&digits).unwrap_or_default());
            }
        } else if base64::is_digit(byte) {
            padding = 0;
            digits.push(byte);
        }
    }
    match digits.len() % 4 {
        0 => Ok(base64::bytes(&digits).unwrap_or_default()),
        1 => Err(format!(
            "failed to decode base64 data: Invalid base64-encoded string: number of data characters ({}) cannot be 1 more \
             than a multiple of 4",
            digits.len()
        )),
        _ => Err("failed to decode base64 data: Incorrect padding".into()),
    }
}

fn moment(text: &str) -> Result<Moment, String> {
    let Some(found) = MOMENT.captures(text) else {
        return Err("'NoneType' object has no attribute 'groupdict'".into());
    };
    let number = |at: usize| found.get(at).and_then(|digits| digits.as_str().parse::<i16>().ok());
    let small = |at: usize| number(at).and_then(|number| i8::try_from(number).ok()).unwrap_or_default();
    let year = number(1).unwrap_or_default();
    if year < 1 {
        return Err(format!("year {year} is out of range"));
    }
    if !(1..=12).contains(&small(2)) {
        return Err("month must be in 1..12".into());
    }
    let date = Date::new(year, small(2), small(3)).map_err(|_| "day is out of range for month".to_owned())?;
    if found.get(4).is_none() {
        return Ok(Moment::Date(date));
    }
    let digits = found.get(7).map_or("", |digits| digits.as_str());
    let micros: String = digits.chars().chain("000000".chars()).take(6).collect();
    let micros: i32 = micros.parse().unwrap_or_default();
    for (at, most, what) in [(4, 23, "hour"), (5, 59, "minute"), (6, 59, "second")] {
        if small(at) > most {
            return Err(format!("{what} must be in 0..{most}"));
        }
    }
    let time = DateTime::new(year, small(2), small(3), small(4), small(5), small(6), micros * 1000)
        .map_err(|error| error.to_string())?;
    let minutes = i32::from(small(10)) * 60 + i32::from(small(11));
    let offset = match (found.get(8), found.get(9)) {
        (Some(_), _) => Some(0),
        (None, Some(sign)) => Some(if sign.as_str() == "-" { -minutes } else { minutes }),
        (None, None) => None,
    };
    if offset.is_some_and(|minutes| minutes.abs() >= 24 * 60) {
        return Err("offset must be a timedelta strictly between -timedelta(hours=24) and timedelta(hours=24).".into());
    }
    Ok(Moment::Time { time, micros, offset })
}
