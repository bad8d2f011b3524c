//! Finds any of many words in a text, ignoring the case of ASCII letters. An automaton of so many words would be larger
//! than the processor's nearest cache, and each step would wait for the one before; here each pair of letters is
//! checked independently, eight at a time, as in Hyperscan's FDR
//! (https://www.usenix.org/conference/nsdi19/presentation/wang-xiang).

use std::ops::ControlFlow;

/// Words to look for, made ready once.
pub struct Literals {
    words: Vec<&'static str>,
    /// For each pair of letters, the words that cannot end soon after it: byte `n` is about those that end `n` letters
    /// later, and each bit of it about a group of the words.
    masks: Box<[u64; PAIRS]>,
    /// The words, by the hashes of their last letters.
    ends: Vec<End>,
    /// For each hash, where its entries begin in `ends`.
    places: Vec<usize>,
}

/// A word, by how it ends.
struct End {
    /// The word's number.
    word: usize,
    /// Its last letters, and which of the eight bytes they are; in either, those of a text are compared in one step.
    letters: u64,
    mask: u64,
}

impl End {
    fn of(word: usize, letters: &[u8]) -> Self {
        let mask = u64::MAX << (8 * size_of::<u64>().saturating_sub(letters.len()));
        Self { word, letters: last_eight(letters) & mask, mask }
    }
}

/// A word and its place.
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
        let mut masks = Box::new([u64::MAX; PAIRS]);
        let mut ends: Vec<usize> = (0..words.len()).filter(|number| words[*number].len() >= SHORTEST).collect();
        for word in ends.iter().map(|number| words[*number].as_bytes()) {
            // The pairs of long words rule out much that those of short ones do not.
            let part = ((word.len() - SHORTEST) * 2 / 3).min(PARTS - 1);
            for behind in 0..GROUP {
                let may_end = !(1 << (GROUP * behind + part));
                match word.len().checked_sub(behind + 2) {
                    Some(at) => masks[pair(word[at], word[at + 1])] &= may_end,
                    None => masks.iter_mut().for_each(|mask| *mask &= may_end),
                }
            }
        }
        let hash = |number: &usize| hash_of_end(words[*number].as_bytes());
        ends.sort_by_key(hash);
        let places = (0..=HASHES).map(|first| ends.partition_point(|number| hash(number) < first)).collect();
        let ends = ends.into_iter().map(|number| End::of(number, words[number].as_bytes())).collect();
        Self { words: words.to_vec(), masks, ends, places }
    }

    pub fn is_in(&self, text: &str) -> bool {
        self.each(text.as_bytes(), |_| ControlFlow::Break(())).is_break()
    }

    /// Every place of every word, including overlapping words; sorted by their ends, the longer first.
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
        let (groups, rest) = text.as_chunks();
        let mut last = [0; GROUP];
        last[..rest.len()].copy_from_slice(rest);
        // The letter before a group, and what the pairs before it rule out of it.
        let (mut before, mut ruled_out) = (0, 0);
        for (number, group) in groups.iter().chain([&last]).enumerate() {
            let letters = in_six_bits(u64::from_le_bytes(*group));
            let shifted = letters << 8 | before;
            before = letters >> 56;
            let even = pairs(shifted, letters);
            let odd = pairs(shifted >> 8, letters >> 8);
            let mut all = u128::from(ruled_out);
            for place in 0..GROUP / 2 {
                let mask = |pairs: u64| u128::from(self.masks[(pairs >> (16 * place)) as usize % PAIRS]);
                all |= mask(even) << (16 * place) | mask(odd) << (16 * place + 8);
            }
            ruled_out = (all >> 64) as u64;
            let mut left = !(all as u64);
            while left != 0 {
                let place = left.trailing_zeros() as usize / 8;
                left &= !(0xff << (8 * place));
                self.each_that_ends(text, GROUP * number + place + 1, &mut look)?;
            }
        }
        ControlFlow::Continue(())
    }

    #[cold]
    fn each_that_ends(
        &self,
        text: &[u8],
        end: usize,
        look: &mut impl FnMut(Hit) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Some(text) = text.get(..end).filter(|text| text.len() >= SHORTEST) else {
            return ControlFlow::Continue(());
        };
        let hash = hash_of_end(text);
        let last = last_eight(text);
        let ends = &self.ends[self.places[hash]..self.places[hash + 1]];
        for End { word, .. } in ends.iter().filter(|end| last & end.mask == end.letters) {
            let letters = self.words[*word].as_bytes();
            if let Some(start) = end.checked_sub(letters.len())
                && text[start..].eq_ignore_ascii_case(letters)
            {
                look(Hit { word: *word, start, end })?;
            }
        }
        ControlFlow::Continue(())
    }
}

/// Bytes.
const SHORTEST: usize = 3;
/// How many letters are checked together; as many as a mask has bytes.
const GROUP: usize = 8;
/// As many as a byte has bits.
const PARTS: usize = 8;
const PAIRS: usize = 1 << 12;
const HASHES: usize = 1 << 12;

/// Each of eight letters in six bits of its byte, in which case makes no difference. Other letters become equal too, so
/// each hit is compared.
fn in_six_bits(letters: u64) -> u64 {
    letters & 0x1f1f_1f1f_1f1f_1f1f | (letters & 0x4040_4040_4040_4040) >> 1
}

/// The pairs of every second letter with the one after it.
fn pairs(first: u64, second: u64) -> u64 {
    first & 0x003f_003f_003f_003f | (second & 0x003f_003f_003f_003f) << 6
}

fn pair(first: u8, second: u8) -> usize {
    pairs(in_six_bits(first.into()), in_six_bits(second.into())) as usize
}

/// The last letters, the last one on top, without what tells the case of letters apart. Others become alike too.
fn last_eight(text: &[u8]) -> u64 {
    let last = match text.last_chunk() {
        Some(last) => *last,
        None => {
            let mut last = [0; size_of::<u64>()];
            last[size_of::<u64>() - text.len()..].copy_from_slice(text);
            last
        }
    };
    u64::from_le_bytes(last) | u64::from_le_bytes([0x20; size_of::<u64>()])
}

/// Of the last [`SHORTEST`] letters, below [`HASHES`].
fn hash_of_end(text: &[u8]) -> usize {
    let end = text[text.len() - SHORTEST..].iter().fold(0, |end: u32, byte| end << 8 | u32::from(byte | 0x20));
    (end.wrapping_mul(0x9e37_79b1) >> 20) as usize
}

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
