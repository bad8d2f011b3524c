//! Plain scalars that look like text and are something else to YAML.

use std::sync::LazyLock;

use regex::Regex;

use wording::message;
use wording::{Message, Wording};

/// What a value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueKind {
    Nothing,
    Text,
    Boolean,
    Number,
    Date,
    List,
    Map,
}

impl ValueKind {
    pub const fn wording(self) -> Wording {
        match self {
            Self::Nothing => Wording::new("nothing", "空值"),
            Self::Text => Wording::new("text", "文本"),
            Self::Boolean => Wording::new("a boolean", "布尔值"),
            Self::Number => Wording::new("a number", "数字"),
            Self::Date => Wording::new("a date", "日期"),
            Self::List => Wording::new("a list", "列表"),
            Self::Map => Wording::new("a map", "键值对"),
        }
    }
}

/// The type of an unquoted value that is not text to parsers of YAML 1.2.
pub fn by_yaml_1_2(text: &str) -> Option<ValueKind> {
    if BOOLEANS.contains(&text) {
        Some(ValueKind::Boolean)
    } else if NUMBER_1_2.is_match(text) {
        Some(ValueKind::Number)
    } else {
        None
    }
}

/// The same for YAML 1.1, which PyYAML and others still read.
pub fn by_yaml_1_1(text: &str) -> Option<ValueKind> {
    if BOOLEANS.iter().chain(&OLD_BOOLEANS).any(|word| text == *word) {
        Some(ValueKind::Boolean)
    } else if DATE.is_match(text) {
        Some(ValueKind::Date)
    } else if NUMBER_1_1.is_match(text) {
        Some(ValueKind::Number)
    } else {
        None
    }
}

/// Why readers of an unquoted value would not agree on it; `None` if they do.
pub fn disagreement(text: &str) -> Option<Message> {
    if text.len() > LONGEST {
        return None;
    }
    match (by_yaml_1_1(text), by_yaml_1_2(text)) {
        (Some(old), None) => {
            let Wording { en, zh } = old.wording();
            Some(message!("YAML 1.1 reads {en}, YAML 1.2 the text", "YAML 1.1 读作{zh}，YAML 1.2 读作文本"))
        }
        (None, Some(new)) => {
            let Wording { en, zh } = new.wording();
            Some(message!("YAML 1.2 reads {en}, YAML 1.1 the text", "YAML 1.2 读作{zh}，YAML 1.1 读作文本"))
        }
        (Some(_), Some(ValueKind::Number)) if OCTAL.is_match(text) => Some(message!(
            "YAML 1.1 reads an octal number, YAML 1.2 a decimal one",
            "YAML 1.1 读作八进制数，YAML 1.2 读作十进制数"
        )),
        (Some(_), Some(ValueKind::Number)) if text.contains('.') && text.len() > 3 && text.ends_with('0') => {
            let short = text.trim_end_matches('0').trim_end_matches('.');
            Some(message!("it is a number and becomes {short}", "它是数字，会变成 {short}"))
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
