//! Plain scalars that look like text and are something else to YAML.

use std::sync::LazyLock;

use regex::Regex;

/// What parsers of YAML 1.2 make of an unquoted value that is not text to them.
pub fn by_yaml_1_2(text: &str) -> Option<&'static str> {
    if BOOLEANS.contains(&text) {
        Some("a boolean")
    } else if NUMBER_1_2.is_match(text) {
        Some("a number")
    } else {
        None
    }
}

/// The same for YAML 1.1, which PyYAML and others still read.
pub fn by_yaml_1_1(text: &str) -> Option<&'static str> {
    if BOOLEANS.iter().chain(&OLD_BOOLEANS).any(|word| text == *word) {
        Some("a boolean")
    } else if DATE.is_match(text) {
        Some("a date")
    } else if NUMBER_1_1.is_match(text) {
        Some("a number")
    } else {
        None
    }
}

/// Why readers of an unquoted value would not agree on it; `None` where they do.
pub fn disagreement(text: &str) -> Option<String> {
    if text.len() > LONGEST {
        return None;
    }
    match (by_yaml_1_1(text), by_yaml_1_2(text)) {
        (Some(old), None) => Some(format!("YAML 1.1 reads {old}, YAML 1.2 the text")),
        (None, Some(new)) => Some(format!("YAML 1.2 reads {new}, YAML 1.1 the text")),
        (Some(_), Some("a number")) if OCTAL.is_match(text) => {
            Some("YAML 1.1 reads an octal number, YAML 1.2 a decimal one".to_owned())
        }
        (Some(_), Some("a number")) if text.contains('.') && text.len() > 3 && text.ends_with('0') => {
            Some(format!("it is a number and becomes {}", text.trim_end_matches('0').trim_end_matches('.')))
        }
        (Some(_), Some(_)) | (None, None) => None,
    }
}

/// No number or date is longer.
const LONGEST: usize = 60;
const BOOLEANS: [&str; 6] = ["true", "True", "TRUE", "false", "False", "FALSE"];
const OLD_BOOLEANS: [&str; 12] = ["yes", "Yes", "YES", "no", "No", "NO", "on", "On", "ON", "off", "Off", "OFF"];

static NUMBER_1_2: LazyLock<Regex> = LazyLock::new(|| {
    compiled(
        r"^(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+|[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$",
    )
});
static NUMBER_1_1: LazyLock<Regex> = LazyLock::new(|| {
    compiled(
        r"^(?:[-+]?0b[01_]+|[-+]?(?:0|[1-9][0-9_]*)|[-+]?0[0-7_]+|[-+]?0x[0-9a-fA-F_]+|[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?|[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$",
    )
});
static OCTAL: LazyLock<Regex> = LazyLock::new(|| compiled(r"^[-+]?0[0-7]*[1-7][0-7]*$"));
static DATE: LazyLock<Regex> =
    LazyLock::new(|| compiled(r"^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}.*)?$"));

fn compiled(expression: &str) -> Regex {
    Regex::new(expression).expect("the expression is written out here")
}
