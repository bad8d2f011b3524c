//! Values that would be right if they were in quotes.

use super::known_fields;
use crate::Subject;
use skill::source::Span;
use skill::{ProblemKind, edit, yaml};

/// What keeps a value from being YAML without quotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Obstacle {
    /// `: ` inside it.
    Colon,
    /// Its first character has a special meaning.
    Start(char),
}

/// A value that quotes would make right.
pub struct Cure {
    pub key: String,
    pub obstacle: Obstacle,
    /// The value as it is.
    pub value: Span,
    /// The value in quotes.
    pub quoted: String,
}

/// Longer values are not examined.
const LENGTH_LIMIT: usize = 64 << 10;
/// With these a value begins that is more than text.
const STRUCTURE: [char; 6] = ['"', '\'', '[', '{', '|', '>'];
/// With these no text begins.
const NO_START: [char; 8] = ['`', '@', '%', '*', '&', '!', '-', '?'];

/// The fix for the YAML error; `None` if nothing is wrong, or quotes would not help.
pub fn cure(skill: &Subject<'_>) -> Option<Cure> {
    let invalid = |kind: &ProblemKind| matches!(kind, ProblemKind::YamlInvalid { .. });
    let at = skill.manifest().problems.iter().find(|problem| invalid(&problem.kind))?.span?.start;
    let (text, yaml) = (skill.text(), skill.manifest().frontmatter.as_ref()?.yaml);
    if at < yaml.start || at > yaml.end {
        return None;
    }
    let entry = entry_around(yaml.of(text), at - yaml.start)?;
    let value = entry.value.of(yaml.of(text));
    let first = value.chars().next().filter(|_| value.len() <= LENGTH_LIMIT)?;
    if STRUCTURE.contains(&first) && !goes_on(value, first) {
        return None;
    }
    let lines: Vec<&str> = value.lines().map(str::trim).collect();
    // Text after ` #` may be a comment, and a blank line is a line break.
    if lines.contains(&"") || value.contains(" #") || lines.iter().skip(1).any(|line| begins_with_field(line)) {
        return None;
    }
    let plain = lines.join(" ");
    let quoted = quoted(&plain);
    let new = [&yaml.of(text)[..entry.value.start], &quoted, &yaml.of(text)[entry.value.end..]].concat();
    let error = yaml::parse(&new).error;
    let cured = error.is_none_or(|error| error.span.start >= entry.value.start + quoted.len());
    let starts = NO_START.contains(&first) || STRUCTURE.contains(&first);
    let obstacle = if starts { Obstacle::Start(first) } else { Obstacle::Colon };
    let likely = obstacle != Obstacle::Colon || plain.contains(": ") || plain.ends_with(':');
    (cured && likely).then(|| Cure { key: entry.key, obstacle, value: entry.value.shift(yaml.start), quoted })
}

/// `[file] [mode]`, `"Sales" reports`: more text follows after the closing sign.
fn goes_on(value: &str, first: char) -> bool {
    let close = match first {
        '[' => ']',
        '{' => '}',
        '"' | '\'' => first,
        _ => return false,
    };
    let more = value[1..].split_once(close).map_or("", |(_, more)| more.trim_start());
    let is_even = value.matches(first).count().is_multiple_of(2);
    let is_whole = if first == close { is_even } else { value.matches(first).count() == value.matches(close).count() };
    is_whole && more.starts_with(|letter: char| letter.is_alphanumeric() || "([<-–—".contains(letter))
}

/// Without escapes if possible: some frameworks only remove the quotes.
pub fn quoted(plain: &str) -> String {
    let scalar = edit::scalar(plain);
    if scalar == plain { format!("\"{plain}\"") } else { scalar }
}

/// A field that was indented by mistake: in quotes it would be words of the value before it.
fn begins_with_field(line: &str) -> bool {
    line.split_once(':').is_some_and(|(key, _)| known_fields::is_known(key))
}

struct Entry {
    key: String,
    /// All its lines.
    value: Span,
}

/// The `key: value` entry whose value contains a place.
fn entry_around(yaml: &str, at: usize) -> Option<Entry> {
    let mut start = yaml[..at].rfind('\n').map_or(0, |end| end + 1);
    let mut deepest = usize::MAX;
    loop {
        let line = yaml[start..].lines().next().unwrap_or_default();
        let indent = line.len() - line.trim_start().len();
        if let Some((key, _)) = line.split_once(": ").filter(|(key, _)| indent < deepest && start + key.len() < at) {
            let value_start = start + key.len() + 1;
            let end = end_of_value(yaml, start + line.len(), indent);
            let value = Span::new(value_start, end).trim(yaml);
            return (!value.is_empty() && end > at).then(|| Entry { key: key.trim().to_owned(), value });
        }
        deepest = deepest.min(indent);
        start = yaml[..start.checked_sub(1)?].rfind('\n').map_or(0, |end| end + 1);
        if at - start > LENGTH_LIMIT {
            return None;
        }
    }
}

/// Where a value ends, if its first line ends at `first`: lines that are indented further than the key belong to it.
fn end_of_value(yaml: &str, first: usize, indent: usize) -> usize {
    let mut start = yaml[first..].find('\n').map_or(yaml.len(), |at| first + at + 1);
    let mut end = first;
    for line in yaml[start..].split_inclusive('\n') {
        let deeper = line.len() - line.trim_start().len() > indent;
        if line.trim().is_empty() || !deeper {
            break;
        }
        start += line.len();
        end = start;
    }
    end
}
