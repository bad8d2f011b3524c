//! Long strings leave an event's JSON and are cut into pieces at places that depend on the text around them alone. A
//! request repeats the one before it nearly whole, so most of its pieces are known already and kept once.

use std::sync::Arc;

use serde_json::Value;

use crate::{Event, EventKind};

/// Strings of more bytes than this leave the JSON.
pub const LONG: usize = 1024;
const SHORTEST: usize = 512;
const LONGEST: usize = 8192;
/// Texts are cut where this many leading bits of the rolling hash are zero: every 2 KiB on average.
const CUT_BITS: u32 = 11;

/// A string taken out of a JSON value.
#[derive(Debug, PartialEq, Eq)]
pub struct LongString {
    /// JSON pointer of where it was.
    pub field: String,
    pub text: String,
}

/// Takes the long strings out and leaves empty ones.
pub fn take_long_strings(value: &mut Value) -> Vec<LongString> {
    let mut taken = Vec::new();
    take(value, &mut String::new(), &mut taken);
    taken
}

/// Where a piece of a text ends, and the id of its payload.
pub type Piece = (usize, i64);

/// The requests that were stored last, one of each conversation, with their pieces. The next request of a conversation
/// begins like the one before it, so only its new part is cut and looked up.
#[derive(Debug, Default)]
pub struct Sent(Vec<(Option<String>, Stored)>);

#[derive(Debug)]
struct Stored {
    body: Body,
    pieces: Vec<Piece>,
}

/// What a request was. A recorded event is shared with its recorder: copying every body was a third of the store's work
/// for an event.
#[derive(Debug)]
pub enum Body {
    Event(Arc<Event>),
    Text(String),
}

impl Body {
    fn text(&self) -> &str {
        match self {
            Self::Event(event) => match &event.kind {
                EventKind::Requested { body, .. } => body,
                _ => "",
            },
            Self::Text(text) => text,
        }
    }
}

/// How many conversations' last requests are remembered; others are looked up.
const CONVERSATIONS: usize = 4;

impl Sent {
    /// The pieces with which a request of this conversation begins as the one before it did.
    pub fn shared(&self, within: Option<&str>, text: &str) -> &[Piece] {
        let stored = self.0.iter().find(|(of, _)| of.as_deref() == within);
        stored.map_or(&[], |(_, stored)| stored.shared(text))
    }

    pub fn keep(&mut self, within: Option<&str>, body: Body, pieces: Vec<Piece>) {
        let known = self.0.iter().position(|(of, _)| of.as_deref() == within);
        let of = match known {
            Some(place) => self.0.remove(place).0,
            None => within.map(str::to_owned),
        };
        self.0.push((of, Stored { body, pieces }));
        if self.0.len() > CONVERSATIONS {
            self.0.remove(0);
        }
    }
}

impl Stored {
    fn shared(&self, text: &str) -> &[Piece] {
        let (old, new) = (self.body.text().as_bytes(), text.as_bytes());
        let mut from = 0;
        let same = self.pieces.iter().take_while(|(end, _)| {
            // The last piece ends with its text; a longer text would not be cut there.
            let is_cut = *end < old.len() || new.len() == *end;
            let is_same = is_cut && new.get(from..*end) == Some(&old[from..*end]);
            from = *end;
            is_same
        });
        &self.pieces[..same.count()]
    }
}

/// Cuts a text; the pieces joined are the text.
pub fn cut(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (piece, after) = rest.split_at(first_cut(rest));
        rest = after;
        Some(piece)
    })
}

fn take(value: &mut Value, pointer: &mut String, taken: &mut Vec<LongString>) {
    match value {
        Value::String(text) if text.len() > LONG => {
            taken.push(LongString { field: pointer.clone(), text: std::mem::take(text) });
        }
        Value::Array(items) => {
            for (place, item) in items.iter_mut().enumerate() {
                take_below(item, &place.to_string(), pointer, taken);
            }
        }
        Value::Object(fields) => {
            for (key, item) in fields {
                take_below(item, &key.replace('~', "~0").replace('/', "~1"), pointer, taken);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn take_below(value: &mut Value, key: &str, pointer: &mut String, taken: &mut Vec<LongString>) {
    let length = pointer.len();
    pointer.push('/');
    pointer.push_str(key);
    take(value, pointer, taken);
    pointer.truncate(length);
}

/// Byte offset of the first cut, on a character's boundary and after at least one character.
fn first_cut(text: &str) -> usize {
    let mut rolling = 0u64;
    for (place, byte) in text.bytes().enumerate() {
        rolling = (rolling << 1).wrapping_add(GEAR[usize::from(byte)]);
        let end = place + 1;
        let cuts_here = end >= LONGEST || (end >= SHORTEST && rolling >> (u64::BITS - CUT_BITS) == 0);
        if cuts_here && text.is_char_boundary(end) {
            return end;
        }
    }
    text.len()
}

/// A fixed random number for every byte, by splitmix64.
const GEAR: [u64; 256] = {
    let mut table = [0; 256];
    let mut state = 0u64;
    let mut place = 0;
    while place < table.len() {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        table[place] = mixed ^ (mixed >> 31);
        place += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    /// Text that does not repeat.
    fn prose(from: usize, words: usize) -> String {
        (from..from + words).map(|word| format!("word {} 字;", word * 7919)).collect()
    }

    #[test]
    fn takes_long_strings_out_and_puts_them_back() {
        let long = prose(0, 200);
        let whole = json!({"a": {"x/y~z": [1, long]}, "short": "s", "b": long});
        let mut value = whole.clone();
        let taken = take_long_strings(&mut value);
        assert_eq!(value, json!({"a": {"x/y~z": [1, ""]}, "short": "s", "b": ""}));
        for LongString { field, text } in &taken {
            *value.pointer_mut(field).unwrap() = cut(text).collect::<String>().into();
        }
        assert_eq!(value, whole);
    }

    #[test]
    fn a_text_put_before_and_after_shares_most_pieces() {
        let shared = prose(0, 20_000);
        let longer = format!("{}{shared}{}", prose(90_000, 50), prose(95_000, 50));
        let known: HashSet<_> = cut(&shared).collect();
        let fresh: usize = cut(&longer).filter(|piece| !known.contains(piece)).map(str::len).sum();
        let added = longer.len() - shared.len();
        assert!(fresh < added + 4 * LONGEST, "{fresh} new bytes for {added} added");
    }

    /// Where pieces end, numbered.
    fn pieces(text: &str) -> Vec<Piece> {
        let ends = cut(text).scan(0, |end, piece| {
            *end += piece.len();
            Some(*end)
        });
        ends.zip(1..).collect()
    }

    #[test]
    fn a_request_shares_what_it_begins_with_and_the_last_piece_only_with_its_like() {
        let (one, other) = (prose(0, 4_000), prose(9_000, 300));
        let mut sent = Sent::default();
        assert_eq!(sent.shared(None, &one), []);
        sent.keep(None, Body::Text(one.clone()), pieces(&one));
        assert_eq!(sent.shared(None, &one), pieces(&one), "the same again");
        let all = pieces(&one).len();
        assert_eq!(sent.shared(None, &format!("{one}{other}")), &pieces(&one)[..all - 1]);
        assert_eq!(sent.shared(None, &other), []);
        assert_eq!(sent.shared(Some("call"), &one), [], "another conversation");
        for call in ["a", "b", "c", "d"] {
            sent.keep(Some(call), Body::Text(other.clone()), pieces(&other));
        }
        assert_eq!((sent.shared(None, &one), sent.shared(Some("a"), &other)), (&[][..], &pieces(&other)[..]));
    }

    proptest! {
        #[test]
        fn shared_pieces_are_those_that_the_text_is_cut_into(
            begin in 0..3_000_usize, old in 0..400_usize, new in 0..400_usize, odd in "\\PC{0,9}",
        ) {
            let begin = prose(0, begin);
            let (old, new) = (format!("{begin}{odd}{}", prose(50_000, old)), format!("{begin}{}", prose(70_000, new)));
            let mut sent = Sent::default();
            sent.keep(None, Body::Text(old.clone()), pieces(&old));
            let shared = sent.shared(None, &new);
            prop_assert_eq!(shared, &pieces(&new)[..shared.len()]);
            prop_assert!(shared.len() + 1 >= pieces(&begin).len(), "all but the last");
        }

        #[test]
        fn pieces_joined_are_the_text(word in "\\PC{1,8}", times in 0..4000usize, tail in "\\PC{0,40}") {
            let text = word.repeat(times) + &tail;
            prop_assert_eq!(cut(&text).collect::<String>(), &text[..]);
            prop_assert!(cut(&text).all(|piece| !piece.is_empty() && piece.len() < LONGEST + 4));
        }
    }
}
