//! The values in `metadata`, and where they are.

use crate::Subject;
use skill::YamlValue;
use skill::source::Span;

/// Entries beyond this are not examined.
const MOST: usize = 200;

pub fn entries<'a>(skill: &Subject<'a>) -> impl Iterator<Item = (&'a str, &'a YamlValue)> {
    let entries = match skill.field("metadata").map(|field| &field.value) {
        Some(YamlValue::Map(entries)) => entries.as_slice(),
        _ => &[],
    };
    entries.iter().take(MOST).map(|(key, value)| (key.as_str(), value))
}

/// The line of an entry, or all of `metadata`.
pub fn place(skill: &Subject<'_>, key: &str) -> Span {
    let Some(field) = skill.field("metadata") else { return Span::new(0, 0) };
    let mut start = field.value_span.start;
    for line in field.value_span.of(skill.text()).split_inclusive('\n') {
        let bare = line.trim_start().trim_start_matches(['"', '\'']);
        if bare.strip_prefix(key).is_some_and(|rest| rest.trim_start_matches(['"', '\'']).starts_with(':')) {
            return Span::new(start, start + line.len()).trim(skill.text());
        }
        start += line.len();
    }
    field.value_span
}
