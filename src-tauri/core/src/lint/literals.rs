//! Where any of many words occurs in a text, in any case of ASCII letters. An automaton of so many words would be larger
//! than the processor's nearest cache, and each of its steps waits for the one before; here each place of the text is
//! judged by itself, by four bytes.

use std::ops::ControlFlow;

/// Words to look for, made ready once.
pub struct Literals {
    words: Vec<&'static str>,
    /// Of four bytes of each word.
    bits: Bits,
    /// Four bytes of each word, by the first bits of their hashes.
    grams: Vec<Gram>,
    /// Where in `grams` those begin that have these first bits.
    places: Vec<usize>,
    /// Words of three bytes: these, and their numbers.
    short: Vec<(u32, usize)>,
    short_bits: Bits,
}

/// Which hashes some numbers have.
struct Bits(Box<[u64; BITS / 64]>);

#[derive(Debug, Clone, Copy)]
struct Gram {
    bytes: u32,
    /// The word's number.
    word: usize,
    /// Where in the word they stand.
    place: usize,
}

/// A word, where it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hit {
    /// Its number among those that were given.
    pub word: usize,
    pub start: usize,
    pub end: usize,
}

impl Literals {
    /// Words of less than three bytes are found nowhere.
    pub fn new(words: &[&'static str]) -> Self {
        let (mut bits, mut short_bits) = (Bits::none(), Bits::none());
        let (mut grams, mut short) = (Vec::new(), Vec::new());
        for (number, word) in words.iter().enumerate() {
            let bytes = word.as_bytes();
            if let Some(place) = rarest(bytes) {
                let gram = Gram { bytes: folded(&bytes[place..place + GRAM]), word: number, place };
                bits.add(gram.bytes);
                grams.push(gram);
            } else if bytes.len() == SHORT {
                short_bits.add(folded(bytes));
                short.push((folded(bytes), number));
            }
        }
        grams.sort_by_key(|gram| bucket(gram.bytes));
        let place = |first: usize| grams.partition_point(|gram| bucket(gram.bytes) < first);
        let places = (0..=BUCKETS).map(place).collect();
        Self { words: words.to_vec(), bits, grams, places, short, short_bits }
    }

    pub fn is_in(&self, text: &str) -> bool {
        self.each(text.as_bytes(), |_| ControlFlow::Break(())).is_break()
    }

    /// Every place of every word, words that overlap too; by where they end, the longer first.
    pub fn find(&self, text: &str) -> Vec<Hit> {
        let mut hits = Vec::new();
        let _ = self.each(text.as_bytes(), |hit| {
            hits.push(hit);
            ControlFlow::Continue(())
        });
        hits.sort_unstable_by_key(|hit| (hit.end, hit.start, hit.word));
        hits
    }

    fn each(&self, text: &[u8], mut look: impl FnMut(Hit) -> ControlFlow<()>) -> ControlFlow<()> {
        for (at, bytes) in text.windows(GRAM).enumerate() {
            let gram = folded(bytes);
            if self.bits.may_have(gram) {
                for gram in self.grams_like(gram) {
                    if let Some(hit) = at.checked_sub(gram.place).and_then(|start| self.hit(text, gram.word, start)) {
                        look(hit)?;
                    }
                }
            }
            if self.short_bits.may_have(gram & SHORT_MASK) {
                self.each_short(text, at, &mut look)?;
            }
        }
        match text.len().checked_sub(SHORT) {
            Some(last) => self.each_short(text, last, &mut look),
            None => ControlFlow::Continue(()),
        }
    }

    fn grams_like(&self, bytes: u32) -> impl Iterator<Item = &Gram> {
        let bucket = bucket(bytes);
        let like = &self.grams[self.places[bucket]..self.places[bucket + 1]];
        like.iter().filter(move |gram| gram.bytes == bytes)
    }

    fn each_short(&self, text: &[u8], at: usize, look: &mut impl FnMut(Hit) -> ControlFlow<()>) -> ControlFlow<()> {
        let bytes = folded(&text[at..at + SHORT]);
        for (_, word) in self.short.iter().filter(|(other, _)| *other == bytes) {
            if let Some(hit) = self.hit(text, *word, at) {
                look(hit)?;
            }
        }
        ControlFlow::Continue(())
    }

    fn hit(&self, text: &[u8], number: usize, start: usize) -> Option<Hit> {
        let word = self.words[number].as_bytes();
        let end = start + word.len();
        text.get(start..end)?.eq_ignore_ascii_case(word).then_some(Hit { word: number, start, end })
    }
}

const GRAM: usize = 4;
const SHORT: usize = 3;
const SHORT_MASK: u32 = 0x00ff_ffff;
/// So many that few are set, and so few that they stay in the nearest cache.
const BITS: usize = 1 << 16;
const BUCKETS: usize = 1 << 10;

/// Up to four bytes as a number, in which the case of letters makes no difference.
fn folded(bytes: &[u8]) -> u32 {
    match *bytes {
        [a, b, c, d] => u32::from_le_bytes([a, b, c, d]) | 0x2020_2020,
        _ => bytes.iter().rev().fold(0, |number, byte| number << 8 | u32::from(byte | 0x20)),
    }
}

impl Bits {
    fn none() -> Self {
        Self(Box::new([0; BITS / 64]))
    }

    fn add(&mut self, number: u32) {
        let bit = hash(number);
        self.0[bit / 64] |= 1 << (bit % 64);
    }

    fn may_have(&self, number: u32) -> bool {
        let bit = hash(number);
        self.0[bit / 64] >> (bit % 64) & 1 == 1
    }
}

/// Below [`BITS`].
fn hash(number: u32) -> usize {
    (number.wrapping_mul(0x9e37_79b1) >> 16) as usize
}

fn bucket(gram: u32) -> usize {
    hash(gram) / (BITS / BUCKETS)
}

/// Which four bytes of a word are rarest in English.
fn rarest(word: &[u8]) -> Option<usize> {
    let common = |byte: &u8| {
        COMMON.iter().position(|other| *other == byte.to_ascii_lowercase()).map_or(0, |at| COMMON.len() - at)
    };
    let grams = word.windows(GRAM).enumerate();
    grams.min_by_key(|(_, gram)| gram.iter().map(common).sum::<usize>()).map(|(at, _)| at)
}

const COMMON: &[u8; 27] = b" etaoinsrhldcumfpgwybvkxjqz";

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const WORDS: [&str; 9] = ["abc", "abca", "bcab", "Cab", "a中", "//a", "aaaa", "caba//", "the abc"];

    /// The words, tried at each place.
    fn tried(text: &str) -> Vec<Hit> {
        let mut hits = Vec::new();
        for end in 0..=text.len() {
            for start in 0..end {
                for (word, letters) in WORDS.iter().enumerate() {
                    if text.as_bytes()[start..end].eq_ignore_ascii_case(letters.as_bytes()) {
                        hits.push(Hit { word, start, end });
                    }
                }
            }
        }
        hits
    }

    proptest! {
        #[test]
        fn every_place_of_every_word_is_found(text in "[abcABCe中/ ht]{0,40}") {
            let literals = Literals::new(&WORDS);
            let found = tried(&text);
            prop_assert_eq!(literals.is_in(&text), !found.is_empty());
            prop_assert_eq!(literals.find(&text), found);
        }
    }
}
