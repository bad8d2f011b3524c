//! Expressions of patterns, compiled when they are first tried: in a moment for as much text as one skill has, and into what is
//! fast once more is read. Both find the same.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError};

use regex::{Regex, RegexBuilder};
use regex_automata::meta;
use regex_automata::util::syntax;

/// An expression in the life of the program.
pub(super) struct Expression {
    source: &'static str,
    /// Without the automata that take most of the time to build.
    light: OnceLock<Option<meta::Regex>>,
    full: OnceLock<Option<Regex>>,
    /// Bytes that were searched with the light one.
    searched: AtomicUsize,
}

/// Bytes after which it pays to build all automata.
const LITTLE: usize = 64 << 10;
/// Bytes of one text that the light one is quick at.
const SHORT: usize = 4 << 10;

impl Expression {
    /// The same one for the same text. One that cannot be compiled finds nothing; a test compiles them all.
    pub(super) fn of(source: &'static str) -> Arc<Self> {
        static KNOWN: LazyLock<Mutex<HashMap<&'static str, Arc<Expression>>>> = LazyLock::new(Mutex::default);
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        let new = || Self { source, light: OnceLock::new(), full: OnceLock::new(), searched: AtomicUsize::new(0) };
        Arc::clone(known.entry(source).or_insert_with(|| Arc::new(new())))
    }

    /// Each match in a text, in bytes of it.
    pub(super) fn each(&self, text: &str, mut found: impl FnMut(Range<usize>)) {
        if text.len() <= SHORT && self.searched.fetch_add(text.len(), Ordering::Relaxed) < LITTLE {
            let light = self.light.get_or_init(|| light(self.source)).as_ref();
            light.into_iter().flat_map(|light| light.find_iter(text)).for_each(|matched| found(matched.range()));
        } else {
            let full = self.full.get_or_init(|| full(self.source)).as_ref();
            full.into_iter().flat_map(|full| full.find_iter(text)).for_each(|matched| found(matched.range()));
        }
    }
}

fn light(source: &str) -> Option<meta::Regex> {
    let engines = meta::Config::new().hybrid(false).dfa(false).onepass(false).auto_prefilter(false);
    meta::Builder::new().configure(engines).syntax(syntax::Config::new().multi_line(true)).build(source).ok()
}

pub(super) fn full(source: &str) -> Option<Regex> {
    RegexBuilder::new(source).multi_line(true).build().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules;

    #[test]
    fn the_light_one_finds_what_the_full_one_finds() {
        let examples: Vec<&str> = rules::rules()
            .flat_map(|rule| [rule.bad, rule.good])
            .flat_map(|example| example.files.iter().map(|(_, text)| *text))
            .collect();
        let text = examples.join("\n");
        let patterns = rules::rules().filter_map(|rule| rule.patterns()).flat_map(|patterns| patterns.patterns);
        for pattern in patterns {
            let (light, full) = (light(pattern.expression).unwrap(), full(pattern.expression).unwrap());
            let of_light: Vec<Range<usize>> = light.find_iter(&text).map(|matched| matched.range()).collect();
            let of_full: Vec<Range<usize>> = full.find_iter(&text).map(|matched| matched.range()).collect();
            assert_eq!(of_light, of_full, "{}", pattern.expression);
        }
    }

    #[test]
    fn matches_are_the_same_after_much_text() {
        let expression = Expression::of(r"b+$");
        let of = |text: &str| {
            let mut found = Vec::new();
            expression.each(text, |range| found.push(range));
            found
        };
        let before = of("abb\nb\n");
        assert!(expression.full.get().is_none());
        for _ in 0..LITTLE / SHORT {
            assert_eq!(of(&"a".repeat(SHORT)), []);
        }
        assert_eq!((before, of("abb\nb\n")), (vec![1..3, 4..5], vec![1..3, 4..5]));
        assert!(expression.full.get().is_some());
    }
}
