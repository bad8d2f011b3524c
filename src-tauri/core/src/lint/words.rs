//! What rules look for in a text, found in one pass over it for all of them: the literals of patterns, and the words
//! without which other rules have nothing to find.

use std::sync::LazyLock;

use super::literals::{Hit, Literals};
use super::rules::budget::reading;
use super::rules::links::{dead_section, dead_step};
use super::rules::security::flow;
use super::{Check, rules, suppress};
use crate::source::Span;

/// Words that certain rules wait for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// What the name of a text ends with.
    DocumentEnding,
    Phase,
    /// What reads private data.
    PrivateData,
    Section,
    /// What sends data somewhere.
    Sink,
    Step,
    /// What lets findings pass.
    Suppression,
}

const MARKS: [(Mark, &[&str]); 7] = [
    (Mark::DocumentEnding, &reading::ENDINGS),
    (Mark::Phase, &dead_step::PHASES),
    (Mark::PrivateData, &flow::SOURCE_MARKS),
    (Mark::Section, &dead_section::NAMES),
    (Mark::Sink, &flow::SINKS),
    (Mark::Step, &dead_step::STEPS),
    (Mark::Suppression, &[suppress::MARK]),
];

/// Where one text has which words, in any case of ASCII letters.
#[derive(Debug)]
pub struct Words {
    /// By where they end.
    hits: Vec<Hit>,
}

/// Whose word it is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    /// The pattern with this number, all rules' patterns one after the other.
    Pattern(usize),
    Mark(Mark),
}

struct Wanted {
    literals: Literals,
    /// By the words' numbers.
    owners: Vec<Owner>,
}

static WANTED: LazyLock<Wanted> = LazyLock::new(|| {
    let patterns = rules().filter_map(|rule| match &rule.check {
        Check::Pattern(found) => Some(found.patterns),
        Check::Load(_) | Check::Skill(_) | Check::Set(_) => None,
    });
    let of_patterns = patterns.flatten().enumerate().map(|(number, one)| (Owner::Pattern(number), one.literals));
    let of_marks = MARKS.iter().map(|(mark, words)| (Owner::Mark(*mark), *words));
    let owned = of_patterns.chain(of_marks).flat_map(|(owner, words)| words.iter().map(move |word| (owner, *word)));
    let (owners, words): (Vec<Owner>, Vec<&str>) = owned.unzip();
    Wanted { literals: Literals::new(&words), owners }
});

impl Words {
    pub fn of(text: &str) -> Self {
        Self { hits: WANTED.literals.find(text) }
    }

    pub fn has(&self, mark: Mark) -> bool {
        self.places(mark).next().is_some()
    }

    /// Whether a part of the text has one.
    pub fn has_within(&self, mark: Mark, part: Span) -> bool {
        let first = self.hits.partition_point(|hit| hit.end <= part.start);
        let within = self.hits[first..].iter().take_while(|hit| hit.end <= part.end);
        within.filter(|hit| hit.start >= part.start).any(|hit| WANTED.owners[hit.word] == Owner::Mark(mark))
    }

    pub fn places(&self, mark: Mark) -> impl Iterator<Item = Span> {
        let of_mark = move |hit: &&Hit| WANTED.owners[hit.word] == Owner::Mark(mark);
        self.hits.iter().filter(of_mark).map(|hit| Span::new(hit.start, hit.end))
    }

    /// The literals of patterns, with the patterns' numbers.
    pub(super) fn of_patterns(&self) -> impl Iterator<Item = (usize, Span)> {
        self.hits.iter().filter_map(|hit| match WANTED.owners[hit.word] {
            Owner::Pattern(number) => Some((number, Span::new(hit.start, hit.end))),
            Owner::Mark(_) => None,
        })
    }
}
