//! What SnakeYAML makes of a YAML tree, and how Java prints it.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::hash::Hash;
use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

use crate::yaml::{Content, Document, Id, base64};

/// A value of the frontmatter. Everything that is neither text nor a collection is kept as `String.valueOf` prints it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum JavaValue {
    Null,
    Text(String),
    /// A number, a truth value or a date.
    Scalar(String),
    List(Vec<JavaValue>),
    Map(Vec<(String, JavaValue)>),
}

impl JavaValue {
    /// Scalars as the texts that Java prints.
    pub fn to_json(&self) -> Value {
        match self {
            Self::Null => Value::Null,
            Self::Text(text) | Self::Scalar(text) => Value::from(text.as_str()),
            Self::List(items) => items.iter().map(Self::to_json).collect(),
            Self::Map(pairs) => pairs.iter().map(|(key, value)| (key.clone(), value.to_json())).collect(),
        }
    }

    /// The text of a string; `None` for null, for scalars that SnakeYAML reads as numbers, dates and so on, and for
    /// lists and maps.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Null | Self::Scalar(_) | Self::List(_) | Self::Map(_) => None,
        }
    }
}

impl fmt::Display for JavaValue {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Text(text) | Self::Scalar(text) => f.write_str(text),
            Self::List(items) => {
                f.write_str("[")?;
                for (index, item) in items.iter().enumerate() {
                    write!(f, "{}{item}", if index > 0 { ", " } else { "" })?;
                }
                f.write_str("]")
            }
            Self::Map(pairs) => f.write_str(&map_text(pairs)),
        }
    }
}

/// A map as `LinkedHashMap.toString` prints it.
pub fn map_text(pairs: &[(String, JavaValue)]) -> String {
    let pairs: Vec<String> = pairs.iter().map(|(key, value)| format!("{key}={value}")).collect();
    format!("{{{}}}", pairs.join(", "))
}

/// What the framework lets SnakeYAML load.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rules {
    /// As 2.0.3 does: no key twice in a map, and each value is gone through.
    Narrow,
    /// As SnakeYAML does by itself.
    Wide,
}

/// The fields of a document.
pub enum Loaded {
    /// The entries of its outermost map with text keys.
    Fields(Vec<(String, JavaValue)>),
    Null,
    /// The name of the class that it is instead.
    NotMap(&'static str),
    /// A value holds itself, and the framework goes through it until Java's stack ends.
    Endless,
}

/// `Yaml.load`. `Err` if SnakeYAML's `SafeConstructor` throws.
pub fn load(document: &Document, rules: Rules) -> Result<Loaded, String> {
    let mut making = Making { document, rules, pairs: HashMap::new(), open: Vec::new() };
    let tag = making.tag(document.root).to_owned();
    let pairs = match making.value(document.root)? {
        Made::Map(pairs) => pairs,
        Made::Null => return Ok(Loaded::Null),
        other => return Ok(Loaded::NotMap(class(&tag, &other))),
    };
    let mut fields = Vec::new();
    for (key, value) in pairs {
        let Made::Text(key) = key else { continue };
        if rules == Rules::Narrow && value.holds_itself() {
            return Ok(Loaded::Endless);
        }
        fields.push((key, value.normal()));
    }
    Ok(Loaded::Fields(fields))
}

/// `getClass().getSimpleName()`.
fn class(tag: &str, value: &Made) -> &'static str {
    match (tag.strip_prefix(CORE).unwrap_or_default(), value) {
        ("bool", _) => "Boolean",
        ("int", Made::Scalar(digits)) if digits.parse::<i32>().is_ok() => "Integer",
        ("int", Made::Scalar(digits)) if digits.parse::<i64>().is_ok() => "Long",
        ("int", _) => "BigInteger",
        ("float", _) => "Double",
        ("timestamp", _) => "Date",
        ("binary", _) => "byte[]",
        ("set", _) => "LinkedHashSet",
        (_, Made::List(_)) => "ArrayList",
        _ => "String",
    }
}

/// A value as SnakeYAML makes it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Made {
    Null,
    Text(String),
    Scalar(String),
    List(Vec<Made>),
    Map(Vec<(Made, Made)>),
    /// The value that contains itself here. The framework never finishes with it.
    Itself,
}

impl Made {
    fn holds_itself(&self) -> bool {
        match self {
            Self::Itself => true,
            Self::List(items) => items.iter().any(Self::holds_itself),
            Self::Map(pairs) => pairs.iter().any(|(_, value)| value.holds_itself()),
            Self::Null | Self::Text(_) | Self::Scalar(_) => false,
        }
    }

    /// `normalizeMetadataValue`: keys become texts, and those that are equal then are one.
    fn normal(self) -> JavaValue {
        match self {
            Self::Null | Self::Itself => JavaValue::Null,
            Self::Text(text) => JavaValue::Text(text),
            Self::Scalar(text) => JavaValue::Scalar(text),
            Self::List(items) => JavaValue::List(items.into_iter().map(Self::normal).collect()),
            Self::Map(pairs) => {
                let pairs = pairs.into_iter().map(|(key, value)| (key.to_string(), value.normal()));
                JavaValue::Map(distinct(pairs.collect()))
            }
        }
    }
}

impl fmt::Display for Made {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Itself => f.write_str("(this Collection)"),
            Self::Null | Self::Text(_) | Self::Scalar(_) | Self::List(_) => self.clone().normal().fmt(f),
            Self::Map(pairs) => {
                let pairs: Vec<String> = pairs.iter().map(|(key, value)| format!("{key}={value}")).collect();
                write!(f, "{{{}}}", pairs.join(", "))
            }
        }
    }
}

struct Making<'a> {
    document: &'a Document,
    rules: Rules,
    /// The pairs of visited maps: SnakeYAML removes merge keys as it follows them.
    pairs: HashMap<Id, Vec<(Id, Id)>>,
    /// The nodes that are being constructed, outermost first.
    open: Vec<Id>,
}

impl Making<'_> {
    fn value(&mut self, id: Id) -> Result<Made, String> {
        if self.open.contains(&id) {
            return Ok(Made::Itself);
        }
        self.open.push(id);
        let value = self.made(id);
        self.open.pop();
        value
    }

    fn made(&mut self, id: Id) -> Result<Made, String> {
        let tag = self.tag(id).to_owned();
        let known = tag.strip_prefix(CORE).unwrap_or_default();
        let content = &self.document.node(id).content;
        match (content, known) {
            (Content::Scalar { text, .. }, _) => scalar(text, &tag),
            (Content::List(items), "seq") => {
                items.iter().map(|item| self.value(*item)).collect::<Result<_, _>>().map(Made::List)
            }
            (Content::List(items), "omap") => {
                let pairs = self.listed_pairs(items)?;
                Ok(Made::Map(distinct(pairs)))
            }
            (Content::List(items), "pairs") => {
                let pairs = self.listed_pairs(items)?;
                Ok(Made::List(pairs.into_iter().map(|(key, value)| Made::List(vec![key, value])).collect()))
            }
            (Content::Map(_), "map") => self.dict(id).map(Made::Map),
            (Content::Map(_), "set") => Ok(Made::List(self.dict(id)?.into_iter().map(|(key, _)| key).collect())),
            _ if KNOWN.contains(&known) => Err(format!("a value is not what its tag {tag} says")),
            _ => Err(undefined(&tag)),
        }
    }

    fn tag(&self, id: Id) -> &str {
        self.document.tag(id, implied)
    }

    /// `<<` merges other maps, whose keys have lower precedence.
    fn dict(&mut self, id: Id) -> Result<Vec<(Made, Made)>, String> {
        let own = self.pairs_of(id);
        let mut seen = HashSet::new();
        for (key, _) in own {
            if self.tag(key) == MERGE {
                continue;
            }
            let key = self.value(key)?;
            if let Some(key) = seen.replace(key)
                && self.rules == Rules::Narrow
            {
                return Err(format!("found duplicate key {key}"));
            }
        }
        let mut taken = Taken::default();
        self.take(id, true, &mut taken)?;
        let kept: Vec<(Id, Id)> = taken.pairs.iter().map(|(_, pair)| *pair).collect();
        self.pairs.insert(id, kept);
        taken.pairs.into_iter().map(|(key, (_, value))| Ok((key, self.value(value)?))).collect()
    }

    fn pairs_of(&mut self, id: Id) -> Vec<(Id, Id)> {
        if let Some(pairs) = self.pairs.get(&id) {
            return pairs.clone();
        }
        match &self.document.node(id).content {
            Content::Map(pairs) => pairs.clone(),
            Content::List(_) | Content::Scalar { .. } | Content::Alias { .. } => Vec::new(),
        }
    }

    fn take(&mut self, id: Id, own: bool, taken: &mut Taken) -> Result<(), String> {
        let pairs = self.pairs_of(id);
        let left = pairs.iter().copied().filter(|(key, _)| self.tag(*key) != MERGE).collect();
        self.pairs.insert(id, left);
        for (key, value) in pairs {
            if self.tag(key) != MERGE {
                let name = self.value(key)?;
                taken.add(name, (key, value), own);
                continue;
            }
            let wrong = || "expected a mapping or list of mappings for merging".to_owned();
            match &self.document.node(value).content {
                Content::Map(_) => self.take(value, false, taken)?,
                Content::List(maps) => {
                    for map in maps {
                        if !matches!(self.document.node(*map).content, Content::Map(_)) {
                            return Err(wrong());
                        }
                        self.take(*map, false, taken)?;
                    }
                }
                Content::Scalar { .. } | Content::Alias { .. } => return Err(wrong()),
            }
        }
        Ok(())
    }

    fn listed_pairs(&mut self, items: &[Id]) -> Result<Vec<(Made, Made)>, String> {
        let pair = |item: &Id| match &self.document.node(*item).content {
            Content::Map(pairs) if pairs.len() == 1 => {
                let (key, value) = pairs[0];
                Ok((self.value(key)?, self.value(value)?))
            }
            _ => Err("expected a single mapping item".to_owned()),
        };
        items.iter().map(pair).collect()
    }
}

/// The pairs of a map and of the maps merged into it, by their keys.
#[derive(Default)]
struct Taken {
    places: HashMap<Made, usize>,
    pairs: Vec<(Made, (Id, Id))>,
}

impl Taken {
    fn add(&mut self, name: Made, pair: (Id, Id), own: bool) {
        match self.places.get(&name) {
            None => {
                self.places.insert(name.clone(), self.pairs.len());
                self.pairs.push((name, pair));
            }
            Some(&at) if own => self.pairs[at].1 = pair,
            Some(_) => {}
        }
    }
}

/// Of equal keys the last value counts, in place of the first.
fn distinct<K: Clone + Eq + Hash, V>(pairs: Vec<(K, V)>) -> Vec<(K, V)> {
    let mut places: HashMap<K, usize> = HashMap::new();
    let mut kept: Vec<(K, V)> = Vec::with_capacity(pairs.len());
    for (key, value) in pairs {
        match places.get(&key) {
            Some(&at) => kept[at].1 = value,
            None => {
                places.insert(key.clone(), kept.len());
                kept.push((key, value));
            }
        }
    }
    kept
}

const CORE: &str = "tag:yaml.org,2002:";
const MERGE: &str = "tag:yaml.org,2002:merge";
/// The tags that `SafeConstructor` makes values of.
const KNOWN: [&str; 12] =
    ["null", "bool", "int", "float", "binary", "timestamp", "omap", "pairs", "set", "str", "seq", "map"];

fn undefined(tag: &str) -> String {
    format!("could not determine a constructor for the tag {tag}")
}

fn scalar(text: &str, tag: &str) -> Result<Made, String> {
    let wrong = |what: &str| Err(format!("`{text}` is not {what}"));
    match tag.strip_prefix(CORE).unwrap_or_default() {
        "str" => Ok(Made::Text(text.into())),
        "null" => Ok(Made::Null),
        "bool" => match text.to_lowercase().as_str() {
            "yes" | "true" | "on" => Ok(Made::Scalar("true".into())),
            "no" | "false" | "off" => Ok(Made::Scalar("false".into())),
            _ => Ok(Made::Null),
        },
        "int" => integer(text).map(Made::Scalar).map_or_else(|| wrong("a whole number"), Ok),
        "float" => float(text).map(|number| Made::Scalar(double(number))).map_or_else(|| wrong("a number"), Ok),
        "timestamp" => date(text).map(Made::Scalar).map_or_else(|| wrong("a date"), Ok),
        "binary" => match decoded(text) {
            Some(bytes) => {
                let signed = bytes.into_iter().map(|byte| byte.cast_signed().to_string());
                Ok(Made::List(signed.map(Made::Scalar).collect()))
            }
            None => wrong("in base64"),
        },
        "omap" | "pairs" | "set" | "seq" | "map" => wrong("a list or map"),
        _ => Err(undefined(tag)),
    }
}

/// `Base64.getDecoder().decode`, ignoring white space.
fn decoded(text: &str) -> Option<Vec<u8>> {
    let text: Vec<u8> = text.bytes().filter(|byte| !matches!(byte, b' ' | b'\t'..=b'\r')).collect();
    let digits = text.strip_suffix(b"==").or_else(|| text.strip_suffix(b"=")).unwrap_or(&text);
    let is_padded = digits.len() < text.len();
    if digits.len() % 4 == 1 || (is_padded && !text.len().is_multiple_of(4)) {
        return None;
    }
    base64::bytes(digits)
}

static BOOL: LazyLock<Regex> = LazyLock::new(|| whole("(?i:yes|no|true|false|on|off)"));
static INT: LazyLock<Regex> = LazyLock::new(|| {
    whole(
        "[-+]?0b_*[01][01_]*|[-+]?0_*[0-7][0-7_]*|[-+]?(?:0|[1-9][0-9_]*)|[-+]?0x_*[0-9a-fA-F][0-9a-fA-F_]*|[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+",
    )
});
static FLOAT: LazyLock<Regex> = LazyLock::new(|| {
    whole(
        r"[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+]?[0-9]+)?|[-+]?[0-9][0-9_]*[eE][-+]?[0-9]+|[-+]?\.[0-9_]+(?:[eE][-+]?[0-9]+)?|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)",
    )
});
static TIMESTAMP: LazyLock<Regex> = LazyLock::new(|| {
    whole(
        r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})|([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})(?:[Tt]|[ \t]+)([0-9]{1,2}):([0-9]{2}):([0-9]{2})(?:\.[0-9]*)?(?:[ \t]*(?:Z|([-+])([0-9]{1,2})(?::?([0-9]{2}))?))?",
    )
});

fn whole(pattern: &str) -> Regex {
    Regex::new(&format!("^(?:{pattern})$")).expect("the pattern is a constant that a test compiles")
}

/// The tag implied by the form of a plain scalar. Long ones are not checked.
fn implied(text: &str) -> &'static str {
    let cased = |text: &str| {
        let rest = text.get(1..).unwrap_or_default();
        rest == rest.to_lowercase() || text == text.to_uppercase()
    };
    let length = text.encode_utf16().count();
    match text {
        "" | "~" | "null" | "Null" | "NULL" | " " => "tag:yaml.org,2002:null",
        "<<" => MERGE,
        _ if BOOL.is_match(text) && cased(text) => "tag:yaml.org,2002:bool",
        _ if length <= 1024 && INT.is_match(text) => "tag:yaml.org,2002:int",
        _ if length <= 1024 && FLOAT.is_match(text) => "tag:yaml.org,2002:float",
        _ if length <= 50 && TIMESTAMP.is_match(text) && is_whole_day(text) => "tag:yaml.org,2002:timestamp",
        _ => "tag:yaml.org,2002:str",
    }
}

/// Without a tag, a day without a time needs its zeros.
fn is_whole_day(text: &str) -> bool {
    text.len() >= "2024-01-02".len()
}

/// In decimal digits, however many.
fn integer(text: &str) -> Option<String> {
    let text = text.replace('_', "");
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(&text)),
    };
    let decimal = match digits {
        "0" => "0".to_owned(),
        _ if digits.starts_with("0b") => decimal(&digits[2..], 2)?,
        _ if digits.starts_with("0x") => decimal(&digits[2..], 16)?,
        _ if digits.starts_with('0') => decimal(&digits[1..], 8)?,
        _ if digits.contains(':') => {
            let mut sum: i64 = 0;
            for part in digits.split(':') {
                sum = sum.checked_mul(60)?.checked_add(part.parse().ok()?)?;
            }
            sum.to_string()
        }
        _ => decimal(digits, 10)?,
    };
    Some(if negative && decimal != "0" { format!("-{decimal}") } else { decimal })
}

/// The digits of any base as decimal digits.
fn decimal(digits: &str, base: u32) -> Option<String> {
    const LIMB: u64 = 1_000_000_000;
    if digits.is_empty() {
        return None;
    }
    let mut limbs: Vec<u64> = vec![0];
    for digit in digits.chars() {
        let mut carry = u64::from(digit.to_digit(base)?);
        for limb in &mut limbs {
            let sum = *limb * u64::from(base) + carry;
            *limb = sum % LIMB;
            carry = sum / LIMB;
        }
        if carry > 0 {
            limbs.push(carry);
        }
    }
    let (last, rest) = limbs.split_last()?;
    let lower = rest.iter().rev().map(|limb| format!("{limb:09}"));
    Some(std::iter::once(last.to_string()).chain(lower).collect())
}

fn float(text: &str) -> Option<f64> {
    let text = text.replace('_', "").to_lowercase();
    let (sign, digits) = match text.strip_prefix('-') {
        Some(rest) => (-1.0, rest),
        None => (1.0, text.strip_prefix('+').unwrap_or(&text)),
    };
    let number = match digits {
        ".inf" => f64::INFINITY,
        ".nan" => return Some(f64::NAN),
        _ if digits.contains(':') => {
            let parts = digits.split(':').map(str::parse::<f64>).collect::<Result<Vec<_>, _>>().ok()?;
            parts.into_iter().fold(0.0, |sum, part| sum * 60.0 + part)
        }
        _ if digits.starts_with(|first: char| first.is_ascii_digit() || first == '.') => digits.parse().ok()?,
        _ => return None,
    };
    Some(sign * number)
}

/// `Double.toString`.
pub fn double(number: f64) -> String {
    let size = number.abs();
    if number.is_nan() {
        return "NaN".into();
    }
    if number.is_infinite() {
        return if number > 0.0 { "Infinity".into() } else { "-Infinity".into() };
    }
    if size == 0.0 || (1e-3..1e7).contains(&size) {
        let text = number.to_string();
        return if text.contains('.') { text } else { format!("{text}.0") };
    }
    let text = format!("{number:e}");
    match text.split_once('e') {
        Some((digits, exponent)) if digits.contains('.') => format!("{digits}E{exponent}"),
        Some((digits, exponent)) => format!("{digits}.0E{exponent}"),
        None => text,
    }
}

/// `Date.toString` on a machine whose clock shows UTC. Days beyond the end of a month continue in the next.
fn date(text: &str) -> Option<String> {
    const DAYS: [&str; 7] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
    const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let found = TIMESTAMP.captures(text)?;
    let number = |at: usize| found.get(at).and_then(|digits| digits.as_str().parse::<i64>().ok());
    let [year, month, day] = if found.get(1).is_some() { [1, 2, 3] } else { [4, 5, 6] }.map(number);
    let time = |at: usize| number(at).unwrap_or_default();
    let offset = time(11) * 60 + time(12);
    let offset = if found.get(10).is_some_and(|sign| sign.as_str() == "-") { -offset } else { offset };
    let seconds = days_from_1970(year?, month? - 1, day?) * 86_400 + time(7) * 3_600 + time(8) * 60 + time(9);
    let seconds = seconds - offset * 60;
    let (days, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let (year, month, day) = civil(days);
    let week = usize::try_from(days.rem_euclid(7)).ok()?;
    let month = usize::try_from(month - 1).ok()?;
    let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
    Some(format!("{} {} {day:02} {hour:02}:{minute:02}:{second:02} UTC {year:04}", DAYS[week], MONTHS[month]))
}

/// Of the Gregorian calendar; months from 0, and any number of them.
fn days_from_1970(year: i64, month: i64, day: i64) -> i64 {
    let months = year * 12 + month - 2;
    let (year, month) = (months.div_euclid(12), months.rem_euclid(12));
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + (153 * month + 2) / 5 + day - 1 - 719_468
}

/// Year, month and day, both from 1.
fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let (month, turned) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (year + era * 400 + turned, month, day)
}
