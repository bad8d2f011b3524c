//! What PyYAML makes of a YAML tree, and how Python prints it.

use std::collections::HashMap;
use std::sync::LazyLock;

use jiff::civil::{Date, DateTime};
use regex::Regex;

use super::super::yaml::{Node, Value};
use crate::harness::python::repr;

/// What a post cannot be made of: its fields are keyword arguments, beside three that the constructor has itself.
pub fn check_keys(node: &Node) -> Result<(), String> {
    for (key, _) in if matches!(node.value, Value::Map(_)) { pairs(node)? } else { Vec::new() } {
        match &key.value {
            Value::Scalar { text, plain } if tag(key.tag.as_deref(), text, *plain) == "!!str" => {
                if matches!(text.as_str(), "self" | "content" | "handler") {
                    return Err(format!("the field `{text}` is taken twice"));
                }
            }
            _ => return Err("keywords must be strings".into()),
        }
    }
    Ok(())
}

/// A field of the outermost map. `Ok(None)` where there is none, or Python takes its value for false; `Err` where
/// `yaml.load` raises.
pub fn field(node: &Node, name: &str) -> Result<Option<String>, String> {
    let Value::Map(_) = &node.value else {
        print(node, true)?;
        return Ok(None);
    };
    let mut found = None;
    for (key, value) in pairs(node)? {
        let is_name = matches!(&key.value, Value::Scalar { text, plain }
            if text == name && tag(key.tag.as_deref(), text, *plain) == "!!str");
        print(key, true)?;
        let printed = print(value, false)?;
        if is_name {
            found = is_true(value).then_some(printed);
        }
    }
    Ok(found)
}

/// A map's own pairs behind those that `<<` takes in.
fn pairs(node: &Node) -> Result<Vec<(&Node, &Node)>, String> {
    let wrong = || "expected a mapping or list of mappings for merging".to_owned();
    let Value::Map(own) = &node.value else { return Err(wrong()) };
    let (mut merged, mut kept) = (Vec::new(), Vec::new());
    for (key, value) in own {
        match (&key.value, &value.value) {
            (Value::Scalar { text, plain: true }, Value::Map(_)) if text == "<<" => merged.extend(pairs(value)?),
            (Value::Scalar { text, plain: true }, Value::List(maps)) if text == "<<" => {
                for map in maps.iter().rev() {
                    merged.extend(pairs(map)?);
                }
            }
            (Value::Scalar { text, plain: true }, Value::Scalar { .. }) if text == "<<" => return Err(wrong()),
            (Value::List(_) | Value::Map(_), _) => return Err("found unhashable key".into()),
            _ => kept.push((key, value)),
        }
    }
    merged.extend(kept);
    Ok(merged)
}

fn is_true(node: &Node) -> bool {
    match &node.value {
        Value::List(items) => !items.is_empty(),
        Value::Map(pairs) => !pairs.is_empty(),
        Value::Scalar { text, plain } => match tag(node.tag.as_deref(), text, *plain) {
            "!!null" => false,
            "!!bool" => !matches!(text.to_lowercase().as_str(), "no" | "false" | "off"),
            "!!int" => integer(text).is_some_and(|number| number != 0),
            "!!float" => float(text).is_some_and(|number| number != 0.0),
            _ => !text.is_empty(),
        },
    }
}

/// `str(value)`, or `repr(value)` as inside a list.
fn print(node: &Node, quoted: bool) -> Result<String, String> {
    match &node.value {
        Value::List(items) => {
            let items = items.iter().map(|item| print(item, true)).collect::<Result<Vec<_>, _>>()?;
            Ok(format!("[{}]", items.join(", ")))
        }
        Value::Map(_) => {
            let mut places: HashMap<String, usize> = HashMap::new();
            let mut printed: Vec<(String, String)> = Vec::new();
            for (key, value) in pairs(node)? {
                let (key, value) = (print(key, true)?, print(value, true)?);
                match places.get(&key) {
                    Some(&at) => printed[at].1 = value,
                    None => {
                        places.insert(key.clone(), printed.len());
                        printed.push((key, value));
                    }
                }
            }
            let printed: Vec<String> = printed.into_iter().map(|(key, value)| format!("{key}: {value}")).collect();
            Ok(format!("{{{}}}", printed.join(", ")))
        }
        Value::Scalar { text, plain } => scalar(node.tag.as_deref(), text, *plain, quoted),
    }
}

fn scalar(given: Option<&str>, text: &str, plain: bool, quoted: bool) -> Result<String, String> {
    let wrong = || format!("`{text}` is not what its tag says");
    match tag(given, text, plain) {
        "!!str" if quoted => Ok(repr(text)),
        "!!str" => Ok(text.to_owned()),
        "!!null" => Ok("None".into()),
        "!!bool" => match text.to_lowercase().as_str() {
            "yes" | "true" | "on" => Ok("True".into()),
            "no" | "false" | "off" => Ok("False".into()),
            _ => Err(wrong()),
        },
        "!!int" => integer(text).map(|number| number.to_string()).ok_or_else(wrong),
        "!!float" => float(text).map(float_text).ok_or_else(wrong),
        "!!timestamp" => date(text, quoted).ok_or_else(wrong),
        tag => Err(format!("could not determine a constructor for the tag {tag}")),
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
        r"([0-9]{4})-([0-9]{2})-([0-9]{2})|([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})(?:[Tt]|[ \t]+)([0-9]{1,2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]*))?(?:[ \t]*(?:(Z)|([-+])([0-9]{1,2})(?::([0-9]{2}))?))?",
    )
});

fn whole(pattern: &str) -> Regex {
    Regex::new(&format!("^(?:{pattern})$")).expect("the pattern is a constant that a test compiles")
}

fn tag<'a>(given: Option<&'a str>, text: &str, plain: bool) -> &'a str {
    match (given, text) {
        (Some(given), _) => given,
        (None, _) if !plain => "!!str",
        (None, "" | "~" | "null" | "Null" | "NULL") => "!!null",
        (None, "<<") => "!!merge",
        (None, "=") => "!!value",
        _ if BOOL.is_match(text) => "!!bool",
        _ if INT.is_match(text) => "!!int",
        _ if FLOAT.is_match(text) => "!!float",
        _ if TIMESTAMP.is_match(text) => "!!timestamp",
        _ => "!!str",
    }
}

/// Numbers of more than 38 digits are not read.
fn integer(text: &str) -> Option<i128> {
    let text = text.replace('_', "");
    let (sign, digits) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text.strip_prefix('+').unwrap_or(&text)),
    };
    let number = match digits {
        "0" => 0,
        _ if digits.starts_with("0b") => i128::from_str_radix(&digits[2..], 2).ok()?,
        _ if digits.starts_with("0x") => i128::from_str_radix(&digits[2..], 16).ok()?,
        _ if digits.starts_with('0') => i128::from_str_radix(digits, 8).ok()?,
        _ if digits.contains(':') => {
            let mut sum: i128 = 0;
            for part in digits.split(':') {
                sum = sum.checked_mul(60)?.checked_add(part.parse().ok()?)?;
            }
            sum
        }
        _ => digits.parse().ok()?,
    };
    Some(sign * number)
}

fn float(text: &str) -> Option<f64> {
    let text = text.replace('_', "").to_lowercase();
    let (sign, digits) = match text.strip_prefix('-') {
        Some(rest) => (-1.0, rest),
        None => (1.0, text.strip_prefix('+').unwrap_or(&text)),
    };
    let number = match digits {
        ".inf" => f64::INFINITY,
        ".nan" => f64::NAN,
        _ if digits.contains(':') => {
            let parts = digits.split(':').map(str::parse::<f64>).collect::<Result<Vec<_>, _>>().ok()?;
            parts.into_iter().fold(0.0, |sum, part| sum * 60.0 + part)
        }
        _ => digits.parse().ok()?,
    };
    Some(sign * number)
}

/// `repr(float)`.
fn float_text(number: f64) -> String {
    if number.is_nan() {
        return "nan".into();
    }
    if number.is_infinite() {
        return if number > 0.0 { "inf".into() } else { "-inf".into() };
    }
    if number == 0.0 || (1e-4..1e16).contains(&number.abs()) {
        let text = number.to_string();
        return if text.contains('.') { text } else { format!("{text}.0") };
    }
    let text = format!("{number:e}");
    match text.split_once('e') {
        Some((digits, exponent)) => match exponent.strip_prefix('-') {
            Some(exponent) => format!("{digits}e-{exponent:0>2}"),
            None => format!("{digits}e+{exponent:0>2}"),
        },
        None => text,
    }
}

/// `str` or `repr` of a `date` or `datetime`. Days and hours that do not exist raise.
fn date(text: &str, quoted: bool) -> Option<String> {
    let found = TIMESTAMP.captures(text)?;
    let number = |at: usize| found.get(at).and_then(|digits| digits.as_str().parse::<i16>().ok());
    let small = |at: usize| number(at).and_then(|number| i8::try_from(number).ok());
    if found.get(1).is_some() {
        let date = Date::new(number(1)?, small(2)?, small(3)?).ok().filter(|date| date.year() > 0)?;
        let (year, month, day) = (date.year(), date.month(), date.day());
        return Some(match quoted {
            true => format!("datetime.date({year}, {month}, {day})"),
            false => format!("{year:04}-{month:02}-{day:02}"),
        });
    }
    let micros: String =
        found.get(10).map_or("", |digits| digits.as_str()).chars().chain("000000".chars()).take(6).collect();
    let micros: i32 = micros.parse().ok()?;
    let time = DateTime::new(number(4)?, small(5)?, small(6)?, small(7)?, small(8)?, small(9)?, micros * 1000);
    let time = time.ok().filter(|time| time.year() > 0)?;
    let minutes = small(13).map(|hours| i32::from(hours) * 60 + i32::from(small(14).unwrap_or_default()));
    let is_behind = found.get(12).is_some_and(|sign| sign.as_str() == "-");
    let offset = match (found.get(11), minutes) {
        (Some(_), _) => Some(0),
        (None, minutes) => minutes.map(|minutes| if is_behind { -minutes } else { minutes }),
    };
    Some(if quoted { date_repr(time, micros, offset) } else { date_text(time, micros, offset) })
}

/// `offset` is in minutes.
fn date_text(time: DateTime, micros: i32, offset: Option<i32>) -> String {
    let fraction = if micros == 0 { String::new() } else { format!(".{micros:06}") };
    let zone = offset.map(|minutes| {
        let sign = if minutes < 0 { '-' } else { '+' };
        format!("{sign}{:02}:{:02}", minutes.abs() / 60, minutes.abs() % 60)
    });
    format!("{}{fraction}{}", time.strftime("%Y-%m-%d %H:%M:%S"), zone.unwrap_or_default())
}

fn date_repr(time: DateTime, micros: i32, offset: Option<i32>) -> String {
    let mut parts: Vec<String> =
        time.strftime("%Y %-m %-d %-H %-M").to_string().split(' ').map(str::to_owned).collect();
    if time.second() != 0 || micros != 0 {
        parts.push(time.second().to_string());
    }
    if micros != 0 {
        parts.push(micros.to_string());
    }
    parts.extend(offset.map(|minutes| {
        let seconds = minutes * 60;
        match seconds {
            0 => "tzinfo=datetime.timezone.utc".to_owned(),
            1.. => format!("tzinfo=datetime.timezone(datetime.timedelta(seconds={seconds}))"),
            _ => format!("tzinfo=datetime.timezone(datetime.timedelta(days=-1, seconds={}))", 86_400 + seconds),
        }
    }));
    format!("datetime.datetime({})", parts.join(", "))
}
