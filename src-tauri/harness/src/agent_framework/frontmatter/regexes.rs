//! Frontmatter read with regular expressions, not with a YAML parser. So `description: use when: x` is accepted, keys match
//! in any case, the last of two equal keys wins, quotes are stripped without reading escapes, and a value may start on
//! the line after its key.

use std::collections::HashMap;
use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::Frontmatter;
use crate::agent_framework::python;
use crate::agent_framework::variant::Language;

/// The text between the delimiters.
pub fn block(text: &str, language: Language) -> Option<&str> {
    let pattern = match language {
        Language::DotNet => &*DOT_NET_BLOCK,
        Language::Python => &*PYTHON_BLOCK,
    };
    pattern.captures(text).and_then(|found| found.get(1)).map(|found| found.as_str())
}

/// The known fields of a block that has no white space at either end.
pub fn fields(yaml: &str, language: Language) -> Result<Frontmatter, EmptyBlock> {
    let (mut name, mut description) = (None, None);
    let mut found = Frontmatter::default();
    let key_value = match language {
        Language::DotNet => &*DOT_NET_KEY_VALUE,
        Language::Python => &*PYTHON_KEY_VALUE,
    };
    for line in key_value.captures_iter(yaml) {
        let field = match line[1].to_ascii_lowercase().as_str() {
            "name" => &mut name,
            "description" => &mut description,
            "license" => &mut found.license,
            "compatibility" => &mut found.compatibility,
            "allowed-tools" => &mut found.allowed_tools,
            _ => continue,
        };
        *field = Some(value(yaml, &line, language)?);
    }
    Ok(Frontmatter {
        name: name.unwrap_or_default(),
        description: description.unwrap_or_default(),
        metadata: metadata(yaml),
        ..found
    })
}

/// .NET takes the least indent of no lines at all.
#[derive(Debug, PartialEq, Eq)]
pub struct EmptyBlock;

/// White space of Python's patterns.
const SPACE: &str = r"[\s\x1c-\x1f]";

static DOT_NET_BLOCK: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?ms)\A\x{FEFF}?^---\s*$(.+?)^---\s*$"));
static PYTHON_BLOCK: LazyLock<Regex> =
    LazyLock::new(|| pattern(&r"(?ms)\A\x{FEFF}?---\s*$(.+?)^---\s*$".replace(r"\s", SPACE)));

/// Group 1 is the key, 2 a quoted value, 3 any other.
const KEY_VALUE: &str = r#"(?m)^([\w-]+)\s*:\s*(?:["'](.+?)["']|(.+?))\s*$"#;
static DOT_NET_KEY_VALUE: LazyLock<Regex> = LazyLock::new(|| pattern(KEY_VALUE));
static PYTHON_KEY_VALUE: LazyLock<Regex> = LazyLock::new(|| pattern(&KEY_VALUE.replace(r"\s", SPACE)));

static METADATA: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?m)^metadata\s*:\s*$\n((?:[ \t]+\S.*\n?)+)"));
/// Groups as in [`KEY_VALUE`].
static INDENTED: LazyLock<Regex> = LazyLock::new(|| pattern(r#"(?m)^\s+([\w-]+)\s*:\s*(?:["'](.+?)["']|(.+?))\s*$"#));

fn pattern(source: &str) -> Regex {
    Regex::new(source).expect("the patterns are fixed and covered by tests")
}

fn metadata(yaml: &str) -> Option<Vec<(String, String)>> {
    let block = METADATA.captures(yaml)?;
    let mut entries: Vec<(String, String)> = Vec::new();
    let mut places = HashMap::new();
    for line in INDENTED.captures_iter(&block[1]) {
        let value = line.get(2).or(line.get(3)).map_or("", |found| found.as_str()).to_owned();
        match places.get(&line[1]) {
            Some(&place) => entries[place] = (line[1].to_owned(), value),
            None => {
                places.insert(line[1].to_owned(), entries.len());
                entries.push((line[1].to_owned(), value));
            }
        }
    }
    Some(entries)
}

fn value(yaml: &str, line: &Captures, language: Language) -> Result<String, EmptyBlock> {
    if let Some(quoted) = line.get(2) {
        return Ok(quoted.as_str().to_owned());
    }
    let (plain, end) = (&line[3], line.get_match().end());
    let Some(style @ ('|' | '>')) = plain.chars().next() else {
        return Ok(plain.to_owned());
    };
    let Some(line_feed) = yaml[end..].find('\n') else {
        return Ok(plain.to_owned());
    };
    let rest = &yaml[end + line_feed + 1..];
    let chomping = plain[1..].chars().next();
    match language {
        Language::DotNet => dot_net_scalar(style, chomping, rest),
        Language::Python => Ok(python_scalar(style, chomping, rest)),
    }
}

/// The indented and blank lines at the start of `rest`, without their common indent. `|` keeps the lines; `>` joins
/// those that are not empty, so paragraphs run together. Indentation indicators (`|2`) are not read.
fn dot_net_scalar(style: char, chomping: Option<char>, rest: &str) -> Result<String, EmptyBlock> {
    let lines: Vec<&str> = block_lines(dot_net_lines(rest), str::trim).collect();
    if !lines.is_empty() && lines.iter().all(|line| line.is_empty()) {
        return Err(EmptyBlock);
    }
    let mut text = joined(style, &lines);
    if chomping == Some('+') && !lines.is_empty() {
        text.push('\n');
    }
    Ok(text)
}

/// As [`dot_net_scalar`], but without blank lines at the end; `|` ends in a line feed unless `-` follows.
fn python_scalar(style: char, chomping: Option<char>, rest: &str) -> String {
    let mut lines: Vec<&str> = block_lines(rest.split('\n'), python::strip).collect();
    while lines.pop_if(|line| line.is_empty()).is_some() {}
    if lines.is_empty() {
        return String::new();
    }
    let mut text = joined(style, &lines);
    if chomping == Some('+') || (style == '|' && chomping != Some('-')) {
        text.push('\n');
    }
    text
}

fn block_lines<'a>(lines: impl Iterator<Item = &'a str>, strip: fn(&str) -> &str) -> impl Iterator<Item = &'a str> {
    lines
        .map(move |line| if strip(line).is_empty() { "" } else { line })
        .take_while(|line| line.is_empty() || line.starts_with([' ', '\t']))
}

fn joined(style: char, lines: &[&str]) -> String {
    let indent = |line: &&&str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let common = lines.iter().filter(|line| !line.is_empty()).map(|line| indent(&line)).min().unwrap_or(0);
    let lines = lines.iter().map(|line| line.get(common..).unwrap_or_default());
    if style == '|' {
        lines.collect::<Vec<_>>().join("\n")
    } else {
        lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
    }
}

/// Lines as `StringReader.ReadLine` cuts them: at CR, LF and CRLF, with no empty line after the last end.
fn dot_net_lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = rest.find(['\r', '\n']).unwrap_or(rest.len());
        let (line, after) = rest.split_at(end);
        rest = after.strip_prefix("\r\n").or_else(|| after.get(1..)).unwrap_or_default();
        Some(line)
    })
}
