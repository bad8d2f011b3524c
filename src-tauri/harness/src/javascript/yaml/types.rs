//! What a scalar is: js-yaml's default schema.

use std::sync::LazyLock;

use regex::Regex;

use super::Version;

pub const NULL: &str = "null";
pub const MERGE: &str = "merge";

/// Of scalars without quotes and tags, the type that takes it first; without one it is a text.
pub fn implied(text: &str, version: Version) -> Option<&'static str> {
    const ORDER: [&str; 6] = [NULL, "bool", "int", "float", "timestamp", MERGE];
    ORDER.into_iter().find(|name| is(text, name, version))
}

/// Whether a text may have the type, which is given by name behind `!!`.
pub fn is(text: &str, name: &str, version: Version) -> bool {
    let is_three = version == Version::Three;
    match name {
        "str" => true,
        NULL => matches!(text, "" | "~" | "null" | "Null" | "NULL"),
        "bool" => matches!(text, "true" | "True" | "TRUE" | "false" | "False" | "FALSE"),
        "int" => if is_three { &INT_THREE } else { &INT_FOUR }.is_match(text),
        "float" => if is_three { &FLOAT_THREE } else { &FLOAT_FOUR }.is_match(text) && !text.ends_with('_'),
        "timestamp" => TIME.is_match(text),
        MERGE => text == "<<",
        "binary" => is_binary(text),
        _ => false,
    }
}

/// What a scalar of a type is as a key.
pub fn key(text: &str, name: &str, version: Version) -> String {
    match name {
        "bool" => text.to_lowercase(),
        "int" | "float" => number(text, version).map_or_else(|| text.to_owned(), |number| format!("{}", number + 0.0)),
        _ => text.to_owned(),
    }
}

fn number(text: &str, version: Version) -> Option<f64> {
    let plain = text.replace('_', "").to_lowercase();
    let (sign, digits) = match plain.strip_prefix('-') {
        Some(digits) => (-1.0, digits),
        None => (1.0, plain.strip_prefix('+').unwrap_or(&plain)),
    };
    let whole = |digits: &str, base| i64::from_str_radix(digits, base).ok().map(|number| number as f64);
    let octal = if version == Version::Three { "0" } else { "0o" };
    let size = if let Some(digits) = digits.strip_prefix("0x") {
        whole(digits, 16)
    } else if let Some(digits) = digits.strip_prefix("0b") {
        whole(digits, 2)
    } else if let Some(digits) = digits.strip_prefix(octal).and_then(|digits| whole(digits, 8)) {
        Some(digits)
    } else if digits.contains(':') {
        digits.split(':').try_fold(0.0, |sum, digits| Some(sum * 60.0 + digits.parse::<f64>().ok()?))
    } else {
        digits.strip_prefix('.').filter(|word| matches!(*word, "inf" | "nan")).unwrap_or(digits).parse().ok()
    };
    size.map(|size| sign * size)
}

/// Letters of base 64 that make whole bytes.
fn is_binary(text: &str) -> bool {
    let is_one = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '+' | '/' | '\n' | '\r' | '=');
    let letters = text.chars().filter(|letter| !matches!(letter, '\n' | '\r')).count();
    text.chars().all(is_one) && (letters * 6).is_multiple_of(8)
}

static INT_THREE: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"^[-+]?(?:0|0b[01_]*[01]|0x[0-9a-fA-F_]*[0-9a-fA-F]|0[0-7_]*[0-7]|[1-9](?:[0-9_]*[0-9])?|[1-9][0-9_]*(?::[0-5]?[0-9])+)$",
    )
});
static INT_FOUR: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"^[-+]?(?:0|0b[01_]*[01]|0x[0-9a-fA-F_]*[0-9a-fA-F]|0o[0-7_]*[0-7]|0[0-9](?:[0-9_]*[0-9])?|[1-9](?:[0-9_]*[0-9])?)$",
    )
});
static FLOAT_THREE: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"^(?:[-+]?(?:0|[1-9][0-9_]*)(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?|\.[0-9_]+(?:[eE][-+]?[0-9]+)?|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$",
    )
});
static FLOAT_FOUR: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"^(?:[-+]?[0-9][0-9_]*(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?|\.[0-9_]+(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$",
    )
});
static TIME: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"^[0-9]{4}-(?:[0-9]{2}-[0-9]{2}|[0-9]{1,2}-[0-9]{1,2}(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?(?:[ \t]*(?:Z|[-+][0-9]{1,2}(?::[0-9]{2})?))?)$",
    )
});
pub static TAG_HANDLE: LazyLock<Regex> = LazyLock::new(|| regex(r"^(?i:!|!!|![a-z\-]+!)$"));
pub static TAG_URI: LazyLock<Regex> =
    LazyLock::new(|| regex(r"^(?i)(?s:!|[^,\[\]{}])(?:%[0-9a-f]{2}|[0-9a-z\-#;/?:@&=+$,_.!~*'()\[\]])*$"));
pub static VERSION: LazyLock<Regex> = LazyLock::new(|| regex(r"^0*1\.[0-9]+$"));

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the pattern is a constant")
}
