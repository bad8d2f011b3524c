//! What SnakeYAML makes of a YAML tree, and how Java prints it.

use std::collections::HashMap;
use std::fmt;
use std::sync::LazyLock;

use regex::Regex;

use super::yaml::{Node, Value};

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

/// The fields of a map whose keys are texts; other keys are left out. `None` where the tree is no map. `Err` where
/// SnakeYAML's `SafeConstructor` throws.
pub fn fields(node: &Node) -> Result<Option<Vec<(String, JavaValue)>>, String> {
    if !matches!((&node.value, node.tag.as_deref()), (Value::Map(_), None | Some("!!map"))) {
        construct(node)?;
        return Ok(None);
    }
    let pairs = pairs(node)?;
    let text = |(key, value): (JavaValue, JavaValue)| match key {
        JavaValue::Text(key) => Some((key, value)),
        JavaValue::Null | JavaValue::Scalar(_) | JavaValue::List(_) | JavaValue::Map(_) => None,
    };
    Ok(Some(pairs.into_iter().filter_map(text).collect()))
}

fn construct(node: &Node) -> Result<JavaValue, String> {
    match (&node.value, node.tag.as_deref()) {
        (Value::Scalar { text, plain }, tag) => scalar(text, *plain, tag),
        (Value::List(items), None | Some("!!seq")) => {
            Ok(JavaValue::List(items.iter().map(construct).collect::<Result<_, _>>()?))
        }
        (Value::Map(_), None | Some("!!map")) => {
            let mut pairs: Vec<(String, JavaValue)> =
                pairs(node)?.into_iter().map(|(key, value)| (key.to_string(), value)).collect();
            keep_last(&mut pairs);
            Ok(JavaValue::Map(pairs))
        }
        (Value::Map(_), Some("!!set")) => Ok(JavaValue::List(pairs(node)?.into_iter().map(|(key, _)| key).collect())),
        (_, tag) => Err(format!("could not determine a constructor for the tag {}", tag.unwrap_or_default())),
    }
}

/// Keys that differ as values may be equal as texts.
fn keep_last(pairs: &mut Vec<(String, JavaValue)>) {
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut kept: Vec<(String, JavaValue)> = Vec::with_capacity(pairs.len());
    for (key, value) in pairs.drain(..) {
        match places.get(&key) {
            Some(&at) => kept[at].1 = value,
            None => {
                places.insert(key.clone(), kept.len());
                kept.push((key, value));
            }
        }
    }
    *pairs = kept;
}

/// No key may be there twice; `<<` takes in other maps, whose keys give way.
fn pairs(node: &Node) -> Result<Vec<(JavaValue, JavaValue)>, String> {
    let mut merged = Merged::default();
    merged.take(node, true)?;
    merged.pairs.into_iter().map(|(key, value)| Ok((key, construct(value)?))).collect()
}

#[derive(Default)]
struct Merged<'a> {
    places: HashMap<JavaValue, usize>,
    pairs: Vec<(JavaValue, &'a Node)>,
}

impl<'a> Merged<'a> {
    fn take(&mut self, node: &'a Node, own: bool) -> Result<(), String> {
        let Value::Map(pairs) = &node.value else {
            return Err("expected a mapping for merging".into());
        };
        let mut seen: HashMap<JavaValue, ()> = HashMap::new();
        for (key, value) in pairs {
            if is_merge(key) {
                match &value.value {
                    Value::List(maps) => maps.iter().try_for_each(|map| self.take(map, false))?,
                    Value::Map(_) | Value::Scalar { .. } => self.take(value, false)?,
                }
                continue;
            }
            let key = construct(key)?;
            if seen.insert(key.clone(), ()).is_some() {
                return Err(format!("found duplicate key {key}"));
            }
            match self.places.get(&key) {
                None => {
                    self.places.insert(key.clone(), self.pairs.len());
                    self.pairs.push((key, value));
                }
                Some(&at) if own => self.pairs[at].1 = value,
                Some(_) => {}
            }
        }
        Ok(())
    }
}

fn is_merge(key: &Node) -> bool {
    matches!(&key.value, Value::Scalar { text, plain: true } if text == "<<" && key.tag.is_none())
}

fn scalar(text: &str, plain: bool, tag: Option<&str>) -> Result<JavaValue, String> {
    let wrong = |what: &str| Err(format!("`{text}` is not {what}"));
    let tag = match tag {
        Some(tag) => tag,
        None if plain => implied(text),
        None => "!!str",
    };
    match tag {
        "!!str" => Ok(JavaValue::Text(text.into())),
        "!!null" => Ok(JavaValue::Null),
        "!!bool" => match text.to_lowercase().as_str() {
            "yes" | "true" | "on" => Ok(JavaValue::Scalar("true".into())),
            "no" | "false" | "off" => Ok(JavaValue::Scalar("false".into())),
            _ => Ok(JavaValue::Null),
        },
        "!!int" => integer(text).map(JavaValue::Scalar).map_or_else(|| wrong("a whole number"), Ok),
        "!!float" => float(text).map(|number| JavaValue::Scalar(double(number))).map_or_else(|| wrong("a number"), Ok),
        "!!timestamp" => date(text).map(JavaValue::Scalar).map_or_else(|| wrong("a date"), Ok),
        tag => Err(format!("could not determine a constructor for the tag {tag}")),
    }
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
        r"([0-9]{4})-([0-9]{2})-([0-9]{2})|([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})(?:[Tt]|[ \t]+)([0-9]{1,2}):([0-9]{2}):([0-9]{2})(?:\.[0-9]*)?(?:[ \t]*(?:Z|([-+])([0-9]{1,2})(?::?([0-9]{2}))?))?",
    )
});

fn whole(pattern: &str) -> Regex {
    Regex::new(&format!("^(?:{pattern})$")).expect("the pattern is a constant that a test compiles")
}

/// The tag that a plain scalar's looks give it.
fn implied(text: &str) -> &'static str {
    let cased = |text: &str| {
        let rest = text.get(1..).unwrap_or_default();
        rest == rest.to_lowercase() || text == text.to_uppercase()
    };
    match text {
        "" | "~" | "null" | "Null" | "NULL" => "!!null",
        _ if BOOL.is_match(text) && cased(text) => "!!bool",
        _ if INT.is_match(text) => "!!int",
        _ if FLOAT.is_match(text) => "!!float",
        _ if TIMESTAMP.is_match(text) => "!!timestamp",
        "<<" => "!!merge",
        _ => "!!str",
    }
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
fn double(number: f64) -> String {
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

/// `Date.toString` on a machine whose clock shows UTC. Days that a month does not have run on into the next.
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
