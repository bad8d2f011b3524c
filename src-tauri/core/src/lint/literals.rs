//! Where any of many words occurs in a text, in any case of ASCII letters. An automaton of so many words would be larger
//! than the processor's nearest cache, and each of its steps waits for the one before; here each place of the text is
//! judged by itself, by four bytes.

/// Words to look for, made ready once.
pub struct Literals {
    words: Vec<&'static str>,
    /// A bit for each hash that four bytes of a word have.
    bits: Box<[u64; BITS / 64]>,
    /// Four bytes of each word, with the word's number and where in it they stand. Sorted.
    grams: Vec<(u32, usize, usize)>,
    /// Words of three bytes, with their numbers. Sorted.
    short: Vec<(u32, usize)>,
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
        let mut literals = Self { words: words.to_vec(), bits: Box::new([0; BITS / 64]), grams: Vec::new(), short: Vec::new() };
        for (number, word) in words.iter().enumerate() {
            let bytes = word.as_bytes();
            match rarest(bytes) {
                Some(place) => {
                    let gram = folded(&bytes[place..place + GRAM]);
                    literals.mark(gram);
                    literals.grams.push((gram, number, place));
                }
                None if bytes.len() == SHORT => {
                    let start = folded(bytes);
                    // Whatever comes behind it.
                    (0..=u8::MAX).for_each(|next| literals.mark(folded(&[bytes[0], bytes[1], bytes[2], next])));
                    literals.short.push((start, number));
                }
                None => {}
            }
        }
        literals.grams.sort_unstable();
        literals.short.sort_unstable();
        literals
    }

    pub fn is_in(&self, text: &str) -> bool {
        self.hits(text).next().is_some()
    }

    /// Every place of every word, words that overlap too; by where they end, the longer first.
    pub fn find(&self, text: &str) -> Vec<Hit> {
        let mut hits: Vec<Hit> = self.hits(text).collect();
        hits.sort_unstable_by_key(|hit| (hit.end, hit.start, hit.word));
        hits
    }

    fn hits<'t>(&'t self, text: &'t str) -> impl Iterator<Item = Hit> + 't {
        let bytes = text.as_bytes();
        let inside = bytes.windows(GRAM).enumerate().filter(|(_, gram)| self.is_marked(folded(gram)));
        // Nothing comes behind a short word at the end.
        let last = bytes.len().checked_sub(SHORT);
        inside.map(|(at, _)| at).chain(last).flat_map(move |at| self.hits_at(bytes, at))
    }

    fn hits_at<'t>(&'t self, text: &'t [u8], at: usize) -> impl Iterator<Item = Hit> + 't {
        let gram = text.get(at..at + GRAM).map(folded);
        let long = self.grams[gram.map_or(0, |gram| self.grams.partition_point(|(other, ..)| *other < gram))..]
            .iter()
            .take_while(move |(other, ..)| Some(*other) == gram)
            .filter_map(move |(_, number, place)| self.hit(text, *number, at.checked_sub(*place)?));
        let start = folded(&text[at..at + SHORT]);
        let short = self.short[self.short.partition_point(|(other, _)| *other < start)..]
            .iter()
            .take_while(move |(other, _)| *other == start)
            .filter_map(move |(_, number)| self.hit(text, *number, at));
        long.chain(short)
    }

    fn hit(&self, text: &[u8], number: usize, start: usize) -> Option<Hit> {
        let word = self.words[number].as_bytes();
        let end = start + word.len();
        text.get(start..end)?.eq_ignore_ascii_case(word).then_some(Hit { word: number, start, end })
    }

    fn mark(&mut self, gram: u32) {
        let bit = hash(gram);
        self.bits[bit / 64] |= 1 << (bit % 64);
    }

    fn is_marked(&self, gram: u32) -> bool {
        let bit = hash(gram);
        self.bits[bit / 64] >> (bit % 64) & 1 == 1
    }
}

const GRAM: usize = 4;
const SHORT: usize = 3;
/// So many that few are set, and so few that they stay in the nearest cache.
const BITS: usize = 1 << 16;

/// Up to four bytes as a number, in which the case of letters makes no difference.
fn folded(bytes: &[u8]) -> u32 {
    match *bytes {
        [a, b, c, d] => u32::from_le_bytes([a, b, c, d]) | 0x2020_2020,
        _ => bytes.iter().rev().fold(0, |number, byte| number << 8 | u32::from(byte | 0x20)),
    }
}

fn hash(gram: u32) -> usize {
    (gram.wrapping_mul(0x9e37_79b1) >> 16) as usize
}

/// Which four bytes of a word are rarest in English.
fn rarest(word: &[u8]) -> Option<usize> {
    let common = |byte: &u8| COMMON.iter().position(|other| *other == byte.to_ascii_lowercase()).map_or(0, |at| COMMON.len() - at);
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
