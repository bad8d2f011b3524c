//! The vocabularies of the tokenizers, and how many of its tokens a piece of text becomes. `build.rs` lays them out, so
//! that nothing is loaded: parts that are never used stay on disk. Tokens are numbered in the order of their bytes.

/// One tokenizer's vocabulary.
pub struct Vocabulary {
    /// The tokens, one behind the other.
    bytes: &'static [u8],
    /// Where each token begins in `bytes`.
    starts: Table,
    /// How many tokens come before each two bytes.
    buckets: Table,
    ranks: Table,
    /// The longest other token that each begins with; of a single byte, itself.
    prefixes: Table,
    /// What each is merged from; of a single byte, itself.
    lefts: Table,
    rights: Table,
    /// For each token, where the pairs that start with it begin in `seconds` and `merged`.
    firsts: Table,
    seconds: Table,
    merged: Table,
}

macro_rules! table {
    ($tokenizer:literal, $name:literal) => {
        include_bytes!(concat!(env!("OUT_DIR"), "/", $tokenizer, "/", $name)).as_chunks().0
    };
}

macro_rules! vocabulary {
    ($tokenizer:literal) => {
        Vocabulary {
            bytes: include_bytes!(concat!(env!("OUT_DIR"), "/", $tokenizer, "/bytes")),
            starts: table!($tokenizer, "starts"),
            buckets: table!($tokenizer, "buckets"),
            ranks: table!($tokenizer, "ranks"),
            prefixes: table!($tokenizer, "prefixes"),
            lefts: table!($tokenizer, "lefts"),
            rights: table!($tokenizer, "rights"),
            firsts: table!($tokenizer, "firsts"),
            seconds: table!($tokenizer, "seconds"),
            merged: table!($tokenizer, "merged"),
        }
    };
}

pub static O200K_BASE: Vocabulary = vocabulary!("o200k_base");
pub static CL100K_BASE: Vocabulary = vocabulary!("cl100k_base");

impl Vocabulary {
    /// How many tokens a piece, which is not empty, becomes: pieces of words and signs are merged pair by pair, the pair of the lowest rank
    /// first. In time linear in its length: instead of merging it looks for the one row of tokens that merging ends with,
    /// and goes back where a token cannot follow the one before it (as https://github.com/github/rust-gems does).
    pub fn count(&self, piece: &[u8]) -> usize {
        let mut next = self.longest(piece);
        if self.len(next) == piece.len() {
            return 1;
        }
        let mut row: Vec<usize> = Vec::new();
        let mut end = 0;
        let mut is_dead = vec![false; piece.len() + 1];
        loop {
            let last = row.last().copied();
            let fits =
                |token: usize| !is_dead[end + self.len(token)] && last.is_none_or(|last| self.may_follow(last, token));
            let shorter = |token: &usize| Some(self.prefix(*token)).filter(|prefix| prefix != token);
            match std::iter::successors(Some(next), shorter).find(|token| fits(*token)) {
                Some(token) => {
                    row.push(token);
                    end += self.len(token);
                    if end == piece.len() {
                        return row.len();
                    }
                    next = self.longest(&piece[end..]);
                }
                None => {
                    is_dead[end] = true;
                    let last = row.pop().expect("every byte is a token, so that some row ends");
                    end -= self.len(last);
                    next = last;
                }
            }
        }
    }

    /// The longest token that a text begins with, which is not empty.
    fn longest(&self, text: &[u8]) -> usize {
        let second = text.get(1).copied().unwrap_or(0);
        let bucket = usize::from(text[0]) << 8 | usize::from(second);
        let (mut from, mut to) = (number(self.buckets, bucket), number(self.buckets, bucket + 1));
        while from < to {
            let middle = from.midpoint(to);
            if self.bytes(middle) <= text { from = middle + 1 } else { to = middle }
        }
        // The last token up to the text begins with all that the text begins with.
        let mut token = from - 1;
        while !text.starts_with(self.bytes(token)) {
            token = self.prefix(token);
        }
        token
    }

    /// Whether merging leaves the border between two tokens: on the way to them no pair across it was to be merged first.
    fn may_follow(&self, mut left: usize, mut right: usize) -> bool {
        // Pairs of this rank or above would have been merged later.
        let mut limit = usize::MAX;
        loop {
            if self.merged(left, right).is_some_and(|token| self.rank(token) < limit) {
                return false;
            }
            // The one that was merged last is taken apart again.
            let (last_of_left, first_of_right) = (number(self.rights, left), number(self.lefts, right));
            let (left_splits, right_splits) = (last_of_left != left, first_of_right != right);
            if left_splits && (self.rank(left) > self.rank(right) || !right_splits) {
                limit = self.rank(left);
                left = last_of_left;
            } else if right_splits {
                limit = self.rank(right) + 1;
                right = first_of_right;
            } else {
                return true;
            }
        }
    }

    /// What two tokens are merged into.
    fn merged(&self, left: usize, right: usize) -> Option<usize> {
        let from = number(self.firsts, left);
        let seconds = &self.seconds[from..number(self.firsts, left + 1)];
        let place = seconds.binary_search_by_key(&right, |word| u32::from_le_bytes(*word) as usize).ok()?;
        Some(number(self.merged, from + place))
    }

    fn bytes(&self, token: usize) -> &'static [u8] {
        &self.bytes[number(self.starts, token)..number(self.starts, token + 1)]
    }

    fn len(&self, token: usize) -> usize {
        number(self.starts, token + 1) - number(self.starts, token)
    }

    fn rank(&self, token: usize) -> usize {
        number(self.ranks, token)
    }

    fn prefix(&self, token: usize) -> usize {
        number(self.prefixes, token)
    }
}

fn number(table: Table, place: usize) -> usize {
    u32::from_le_bytes(table[place]) as usize
}

type Table = &'static [[u8; 4]];
