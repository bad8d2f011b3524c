//! The vocabulary of o200k_base, and how many of its tokens a piece of text becomes. `build.rs` lays it out, so that
//! nothing is loaded: what is never asked for stays on disk. Tokens are numbered in the order of their bytes.

/// How many tokens a piece, which is not empty, becomes: pieces of words and signs are merged pair by pair, the pair of the lowest rank
/// first. In time linear in its length: instead of merging it looks for the one row of tokens that merging ends with,
/// and goes back where a token cannot follow the one before it (as https://github.com/github/rust-gems does).
pub fn count(piece: &[u8]) -> usize {
    let mut next = longest(piece);
    if len(next) == piece.len() {
        return 1;
    }
    let mut row: Vec<usize> = Vec::new();
    let mut end = 0;
    let mut is_dead = vec![false; piece.len() + 1];
    loop {
        let last = row.last().copied();
        let fits = |token: usize| !is_dead[end + len(token)] && last.is_none_or(|last| may_follow(last, token));
        let shorter = |token: &usize| Some(prefix(*token)).filter(|prefix| prefix != token);
        match std::iter::successors(Some(next), shorter).find(|token| fits(*token)) {
            Some(token) => {
                row.push(token);
                end += len(token);
                if end == piece.len() {
                    return row.len();
                }
                next = longest(&piece[end..]);
            }
            None => {
                is_dead[end] = true;
                let last = row.pop().expect("every byte is a token, so that some row ends");
                end -= len(last);
                next = last;
            }
        }
    }
}

/// The longest token that a text begins with, which is not empty.
fn longest(text: &[u8]) -> usize {
    let second = text.get(1).copied().unwrap_or(0);
    let bucket = usize::from(text[0]) << 8 | usize::from(second);
    let (mut from, mut to) = (number(BUCKETS, bucket), number(BUCKETS, bucket + 1));
    while from < to {
        let middle = from.midpoint(to);
        if bytes(middle) <= text { from = middle + 1 } else { to = middle }
    }
    // The last token up to the text begins with all that the text begins with.
    let mut token = from - 1;
    while !text.starts_with(bytes(token)) {
        token = prefix(token);
    }
    token
}

/// Whether merging leaves the border between two tokens: on the way to them no pair across it was to be merged first.
fn may_follow(mut left: usize, mut right: usize) -> bool {
    // Pairs of this rank or above would have been merged later.
    let mut limit = usize::MAX;
    loop {
        if merged(left, right).is_some_and(|token| rank(token) < limit) {
            return false;
        }
        // The one that was merged last is taken apart again.
        let (last_of_left, first_of_right) = (number(RIGHTS, left), number(LEFTS, right));
        let (left_splits, right_splits) = (last_of_left != left, first_of_right != right);
        if left_splits && (rank(left) > rank(right) || !right_splits) {
            limit = rank(left);
            left = last_of_left;
        } else if right_splits {
            limit = rank(right) + 1;
            right = first_of_right;
        } else {
            return true;
        }
    }
}

/// What two tokens are merged into.
fn merged(left: usize, right: usize) -> Option<usize> {
    let from = number(FIRSTS, left);
    let seconds = &SECONDS[from..number(FIRSTS, left + 1)];
    let place = seconds.binary_search_by_key(&right, |word| u32::from_le_bytes(*word) as usize).ok()?;
    Some(number(MERGED, from + place))
}

fn bytes(token: usize) -> &'static [u8] {
    &BYTES[number(STARTS, token)..number(STARTS, token + 1)]
}

fn len(token: usize) -> usize {
    number(STARTS, token + 1) - number(STARTS, token)
}

fn rank(token: usize) -> usize {
    number(RANKS, token)
}

fn prefix(token: usize) -> usize {
    number(PREFIXES, token)
}

fn number(table: Table, place: usize) -> usize {
    u32::from_le_bytes(table[place]) as usize
}

type Table = &'static [[u8; 4]];

macro_rules! table {
    ($name:literal) => {
        include_bytes!(concat!(env!("OUT_DIR"), "/", $name)).as_chunks().0
    };
}

/// The tokens, one behind the other.
static BYTES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/bytes"));
/// Where each token begins in [`BYTES`].
static STARTS: Table = table!("starts");
/// How many tokens come before each two bytes.
static BUCKETS: Table = table!("buckets");
static RANKS: Table = table!("ranks");
/// The longest other token that each begins with; of a single byte, itself.
static PREFIXES: Table = table!("prefixes");
/// What each is merged from; of a single byte, itself.
static LEFTS: Table = table!("lefts");
static RIGHTS: Table = table!("rights");
/// Where in [`SECONDS`] and [`MERGED`] the pairs begin that begin with each.
static FIRSTS: Table = table!("firsts");
static SECONDS: Table = table!("seconds");
static MERGED: Table = table!("merged");
