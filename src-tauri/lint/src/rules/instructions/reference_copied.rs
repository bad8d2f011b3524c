use std::cell::LazyCell;
use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};

use crate::analysis::lines::is_chinese;
use crate::texts::for_each_page;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::source::Span;
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "reference-copied",
    group: Group::Instructions,
    severity: Severity::Info,
    on: false,
    title: Wording::new("Reference repeats SKILL.md", "参考文件与 SKILL.md 重复"),
    what: Wording::new(
        "A paragraph of 25 words or more in another page of the skill, nine tenths of which are in \
           `SKILL.md` too, in runs of eight words.",
        "技能另一页面中 25 个词以上的段落，有九成（按连续八个词比较）也出现在 `SKILL.md` 中。",
    ),
    why: Wording::new(
        "The agent pays for it twice, and the two drift apart.",
        "智能体要为它付两次代价，两处内容还会渐渐不一致。",
    ),
    bad: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Weigh the parcel on the scale by the door, write its weight in grams and the time into the blue book, and put it on the shelf that has the first letter of the town that it goes to.

Read a.md.
",
        ),
        (
            "a.md",
            r"# A

Weigh the parcel on the scale by the door, write its weight in grams and the time into the blue book, and put it on the shelf that has the first letter of the town that it goes to.
",
        ),
    ]),
    good: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Weigh the parcel on the scale by the door, write its weight in grams and the time into the blue book, and put it on the shelf that has the first letter of the town that it goes to.

Read a.md.
",
        ),
        (
            "a.md",
            r"# A

Heavy parcels go into the yard.
",
        ),
    ]),
    hides: &[],
    marks: &[],
    source: "skillsaw, near-duplicate drift",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let likely = LazyCell::new(|| Likely::of(skill.body()));
    let own = LazyCell::new(|| runs(skill.body()).collect::<HashSet<u64, BuildHasherDefault<AsItIs>>>());
    for_each_page(skill, |page| {
        if page.path.as_str() == skill.path().as_str() {
            return;
        }
        let mut told = 0;
        for paragraph in paragraphs(page.text) {
            let text = paragraph.of(page.text);
            if told >= MOST || text.len() < SHORTEST || page.markdown.is_code(paragraph.start) {
                continue;
            }
            if is_copy(text, |run| likely.holds(run)) && is_copy(text, |run| own.contains(&run)) {
                told += 1;
                let message = Wording::new(
                    "`SKILL.md` says this too; keep it in one of them",
                    "`SKILL.md` 中也有这段内容；只保留一处",
                );
                report.at(page.path, paragraph, message);
            }
        }
    });
}

/// Whether nine tenths of a paragraph's runs are known.
fn is_copy(text: &str, is_known: impl Fn(u64) -> bool) -> bool {
    let (mut other, mut all) = (0, 0);
    for run in runs(text) {
        // A word and what parts it from the next are two bytes at least: the rest cannot outweigh so many.
        if other > text.len() / 2 / 10 {
            return false;
        }
        all += 1;
        other += usize::from(!is_known(run));
    }
    all > FEWEST - RUN && other * 10 <= all
}

/// The runs of a text, by a bit for each: quick to make and to ask, and now and then wrong on what it holds.
struct Likely(Box<[u64; 1 << 10]>);

impl Likely {
    fn of(text: &str) -> Self {
        let mut bits = Box::new([0; 1 << 10]);
        runs(text).for_each(|run| bits[(run >> 54) as usize] |= 1 << (run >> 48 & 63));
        Self(bits)
    }

    fn holds(&self, run: u64) -> bool {
        self.0[(run >> 54) as usize] >> (run >> 48 & 63) & 1 == 1
    }
}

/// In one page.
const MOST: usize = 5;
/// Words that are compared together, words of a paragraph, and bytes that so many take at least.
const RUN: usize = 8;
const FEWEST: usize = 25;
const SHORTEST: usize = 2 * FEWEST;

/// Parts of a text between empty lines.
fn paragraphs(text: &str) -> impl Iterator<Item = Span> {
    let mut start = 0;
    std::iter::from_fn(move || {
        let mut end = start;
        while let Some(length) = text.get(end..)?.find('\n') {
            end += length;
            if text[end + 1..].starts_with('\n') {
                let span = Span::new(start, end);
                start = end + 2;
                return Some(span.trim(text));
            }
            end += 1;
        }
        let span = Span::new(start, text.len());
        start = text.len() + 1;
        Some(span.trim(text))
    })
}

/// Hashes of all runs of words.
fn runs(text: &str) -> impl Iterator<Item = u64> {
    let mut last = [0_u64; RUN];
    let mut run = 0_u64;
    word_hashes(text).enumerate().filter_map(move |(place, word)| {
        let first = std::mem::replace(&mut last[place % RUN], word);
        run = run.wrapping_mul(BASE).wrapping_add(word).wrapping_sub(first.wrapping_mul(BASE_OF_RUN));
        (place + 1 >= RUN).then_some(run)
    })
}

/// A run is a number whose digits are the hashes of its words.
const BASE: u64 = 0x9e37_79b9_7f4a_7c15;
const BASE_OF_RUN: u64 = BASE.wrapping_pow(RUN as u32);

/// For numbers that are hashes.
#[derive(Default)]
struct AsItIs(u64);

impl Hasher for AsItIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = bytes.iter().fold(self.0, |hash, byte| mixed(hash, u64::from(*byte)));
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }
}

/// Of the words that [`words`](crate::analysis::lines::words) finds.
fn word_hashes(text: &str) -> impl Iterator<Item = u64> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let mut word = Word::default();
        while let Some(byte) = text.as_bytes().get(at) {
            match IN_SMALL[usize::from(*byte)] {
                0 if word.is_begun => break,
                0 => at += 1,
                FOREIGN => {
                    let letter = text[at..].chars().next()?;
                    if word.is_begun && (!letter.is_alphanumeric() || is_chinese(letter)) {
                        break;
                    }
                    at += letter.len_utf8();
                    if letter.is_alphanumeric() {
                        letter.to_lowercase().for_each(|letter| word.push(letter));
                    }
                    if is_chinese(letter) {
                        break;
                    }
                }
                letter => {
                    at += 1;
                    word.push_ascii(letter);
                }
            }
        }
        word.is_begun.then(|| word.hash())
    })
}

/// A word that is being hashed, in small letters.
#[derive(Default)]
struct Word {
    hash: u64,
    /// Up to eight letters that are not in the hash yet: to mix in each by itself takes longer.
    letters: u64,
    is_begun: bool,
}

impl Word {
    fn push(&mut self, letter: char) {
        if letter.is_ascii() {
            return self.push_ascii(letter as u8);
        }
        *self = Self { hash: mixed(self.hash(), u64::from(letter)), letters: 0, is_begun: true };
    }

    fn push_ascii(&mut self, letter: u8) {
        if self.letters >> 56 != 0 {
            *self = Self { hash: self.hash(), letters: 0, is_begun: true };
        }
        self.letters = self.letters << 8 | u64::from(letter);
        self.is_begun = true;
    }

    fn hash(&self) -> u64 {
        mixed(self.hash, self.letters)
    }
}

/// For each byte the small letter or digit that it is, [`FOREIGN`] for bytes beyond ASCII, else 0.
const IN_SMALL: [u8; 256] = {
    let mut letters = [FOREIGN; 256];
    let mut byte: u8 = 0;
    while byte.is_ascii() {
        letters[byte as usize] = if byte.is_ascii_alphanumeric() { byte.to_ascii_lowercase() } else { 0 };
        byte += 1;
    }
    letters
};
const FOREIGN: u8 = 0xff;

fn mixed(hash: u64, next: u64) -> u64 {
    (hash.rotate_left(5) ^ next).wrapping_mul(0x517c_c1b7_2722_0a95)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::analysis::lines::words;

    proptest! {
        #[test]
        fn words_have_hashes_of_their_own(text in "([a-zA-Z0-9]{0,12}[ .,é_Ü中文ſ\n-]?){0,12}") {
            let alone = words(&text).map(|word| word_hashes(&word).collect::<Vec<_>>());
            let together = word_hashes(&text).map(|hash| vec![hash]);
            prop_assert_eq!(alone.collect::<Vec<_>>(), together.collect::<Vec<_>>());
        }

        #[test]
        fn paragraphs_are_what_is_between_empty_lines(text in "[a \n]{0,30}") {
            let found = paragraphs(&text).map(|span| span.of(&text).to_owned());
            let expected = text.split("\n\n").map(|part| part.trim().to_owned());
            prop_assert_eq!(found.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
        }

        #[test]
        fn a_run_has_one_hash_wherever_it_stands(before in "([a-z]{1,9} ){0,9}", run in "([a-z]{1,9} ){8}") {
            let alone: Vec<u64> = runs(&run).collect();
            let later = runs(&format!("{before}{run}")).last();
            prop_assert_eq!(alone.last().copied(), later);
        }
    }
}
