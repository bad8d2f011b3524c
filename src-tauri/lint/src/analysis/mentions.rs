//! The other skills that instructions name.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use skill::manifest::is_valid_name;
use skill::source::Span;

/// A name that instructions call a skill's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mention {
    pub name: String,
    pub span: Span,
}

/// What a text mentions from `start` on.
pub fn mentions(text: &str, start: usize) -> Vec<Mention> {
    let body = text.get(start..).unwrap_or_default();
    if !MARKS.is_match(body) {
        return Vec::new();
    }
    let meant = mentioned(body).filter(|span| !is_example(body, *span));
    meant.map(|span| Mention { name: span.of(body).to_owned(), span: span.shift(start) }).collect()
}

/// What comes after a name in backticks, or before one.
const AFTER: [&str; 3] = ["` skill", "` 技能", "`技能"];
const BEFORE: [&str; 2] = ["skill `", "技能 `"];
/// Most texts have none of these; checking for that is several times faster than finding places.
static MARKS: LazyLock<AhoCorasick> =
    LazyLock::new(|| AhoCorasick::new(AFTER.iter().chain(&BEFORE)).expect("a few words make a small automaton"));
/// Names of examples.
const EXAMPLES: [&str; 8] = ["my-", "your-", "example", "skill-name", "some-", "foo", "new-", "other-"];
const LONGEST: usize = 64;

/// `Example: …`, `when building a …`, `adapted from …`.
fn is_example(text: &str, span: Span) -> bool {
    let start = text[..span.start].rfind('\n').map_or(0, |at| at + 1);
    let end = text[span.end..].find('\n').map_or(text.len(), |at| span.end + at);
    let line = text[start..end].to_lowercase();
    let first = line.trim_start_matches(|letter: char| !letter.is_alphabetic());
    first.starts_with("example") || NOT_LOADED.iter().any(|words| line.contains(words))
}

/// A line with these mentions a skill that is not to be loaded.
const NOT_LOADED: [&str; 10] = [
    "when building a",
    "when designing a",
    "when creating a",
    "when writing a",
    "adapted from",
    "based on",
    "derived from",
    "forked from",
    "inspired by",
    "ported from",
];

/// Names of skills, as far as a text calls them so.
fn mentioned(text: &str) -> impl Iterator<Item = Span> {
    let before = AFTER.iter().flat_map(|mark| text.match_indices(mark)).filter_map(|(end, _)| {
        let lowest = text.floor_char_boundary(end.saturating_sub(LONGEST + 1));
        let start = lowest + text[lowest..end].rfind('`')? + 1;
        Some(Span::new(start, end))
    });
    let after = BEFORE.iter().flat_map(|mark| text.match_indices(mark)).filter_map(|(at, mark)| {
        let start = at + mark.len();
        let highest = text.ceil_char_boundary((start + LONGEST + 1).min(text.len()));
        let end = start + text[start..highest].find('`')?;
        // `skill.md` and `scripts/run.py` are not names.
        (!text[end + 1..].starts_with(" skill")).then_some(Span::new(start, end))
    });
    let named = |span: &Span| {
        let name = span.of(text);
        is_valid_name(name) && name.contains('-') && !EXAMPLES.iter().any(|example| name.starts_with(example))
    };
    let spans: BTreeSet<(usize, usize)> =
        before.chain(after).filter(named).map(|span| (span.start, span.end)).collect();
    spans.into_iter().map(|(start, end)| Span::new(start, end))
}
