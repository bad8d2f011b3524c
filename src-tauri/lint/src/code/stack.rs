//! Enough stack for code of any depth. Parsers are recursive, and so is the code that walks over their trees and drops
//! them; a stack overflow ends the whole program. Only a parser knows how deep a text is, but the depth is at most the
//! number of its words and marks, and unused stack takes no memory. So each text gets a stack for the deepest text of
//! its length.

use std::panic;
use std::thread;

/// The result of `read`, which must do all the recursive work on a text. `None`: it is too long to be read.
pub fn with_room<T: Send>(source: &str, read: impl FnOnce() -> T + Send) -> Option<T> {
    let left = stacker::remaining_stack().unwrap_or_default();
    // No word is shorter than a byte.
    if room(source.len()) <= left {
        return Some(read());
    }
    let needed = room(words_and_marks(source));
    if needed <= left {
        return Some(read());
    }
    if needed > MOST {
        return None;
    }
    // Unlike growing the present stack, starting a thread fails without a panic if the system has no memory left.
    thread::scope(|scope| match thread::Builder::new().stack_size(needed).spawn_scoped(scope, read).ok()?.join() {
        Ok(result) => Some(result),
        Err(panic) => panic::resume_unwind(panic),
    })
}

/// Whether a text is short enough to be read.
pub fn is_short_enough(source: &str) -> bool {
    room(words_and_marks(source)) <= MOST
}

/// For one word or mark: at least twice what any takes. A `(` of Python takes the most, 1.9 KiB; unoptimised it is a `{`
/// of Python, and 5.8 KiB. A test compares.
const LEVEL: usize = if cfg!(debug_assertions) { 16 << 10 } else { 8 << 10 };
/// For work that does not depend on the text.
const BASE: usize = 128 << 10;
/// For some 65,000 words and marks: more than people write.
const MOST: usize = 512 << 20;

fn room(words_and_marks: usize) -> usize {
    words_and_marks.saturating_mul(LEVEL).saturating_add(BASE)
}

/// Digits end where letters begin, as in `1if`. Letters outside of ASCII count as marks: some are white space to one
/// parser or another.
fn words_and_marks(source: &str) -> usize {
    let mut count = 0;
    let mut before = Class::Space;
    for byte in source.bytes() {
        let class = class(byte);
        count += usize::from(class == Class::Mark || (class != before && class != Class::Space));
        before = class;
    }
    count
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Letter,
    Digit,
    Mark,
    /// White space, or the rest of a letter.
    Space,
}

fn class(byte: u8) -> Class {
    match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'_' => Class::Letter,
        b'0'..=b'9' => Class::Digit,
        b' ' | b'\t' | b'\n' | b'\r' | 0x80..0xC0 => Class::Space,
        _ => Class::Mark,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Language, pieces, read};
    use super::*;

    #[test]
    fn no_word_or_mark_is_missed() {
        let cases = [
            ("", 0),
            (" \n\t", 0),
            ("if (a_b) return", 5),
            ("1if 2else", 4),
            ("a\u{a0}b\u{2028}c", 5),
            ("日本", 2),
            ("\u{b}()", 3),
            ("${`", 3),
        ];
        for (text, count) in cases {
            assert_eq!(words_and_marks(text), count, "{text:?}");
        }
    }

    #[test]
    fn what_is_too_long_is_not_read_and_what_is_not_is() {
        assert_eq!(with_room(&"(".repeat(MOST / LEVEL), || 1), None);
        assert_eq!(with_room(&"(".repeat(MOST / LEVEL / 2), || 1), Some(1));
        assert_eq!(with_room("", || 1), Some(1));
    }

    #[test]
    fn deep_code_overflows_no_stack_however_small() {
        let small = thread::Builder::new().stack_size(512 << 10);
        let reading = small.spawn(|| {
            each_deep_text("", 300, |language, text| {
                read(text, language);
            });
        });
        reading.expect("a thread").join().expect("no panic");
    }

    #[test]
    #[ignore = "takes many minutes"]
    fn deep_code_of_any_two_pieces_overflows_no_stack() {
        for second in pieces::all() {
            each_deep_text(second, 500, |language, text| {
                read(text, language);
            });
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn no_deep_code_takes_half_of_its_room() {
        each_deep_text("", 200, |language, text| {
            let taken = taken(|| read(text, language));
            let half = room(words_and_marks(text)) / 2;
            assert!(taken <= half, "{taken} > {half}: {language:?} {}", &text[..text.floor_char_boundary(40)]);
        });
    }

    /// How many bytes of its stack some work wrote to.
    #[cfg(target_os = "linux")]
    fn taken<T>(work: impl FnOnce() -> T + Send) -> usize {
        let memory = || {
            let local = std::hint::black_box(0_u8);
            let here = std::ptr::from_ref(&local).addr();
            let maps = std::fs::read_to_string("/proc/self/smaps").expect("the system tells");
            let mut lines = maps.lines();
            lines.find(|line| {
                let range = line.split(' ').next().and_then(|range| range.split_once('-'));
                let address = |text| usize::from_str_radix(text, 16).ok();
                range.and_then(|(from, to)| Some((address(from)?..address(to)?).contains(&here))).unwrap_or_default()
            });
            let resident = lines.find_map(|line| line.strip_prefix("Rss:")).expect("each range has it");
            resident.trim().trim_end_matches(" kB").parse::<usize>().expect("a number") << 10
        };
        let run = || {
            work();
            memory()
        };
        thread::scope(|scope| {
            let roomy = thread::Builder::new().stack_size(MOST);
            roomy.spawn_scoped(scope, run).expect("a thread").join().expect("no panic")
        })
    }

    /// Each piece of a language with another one after it, many times in each other, left open and closed.
    fn each_deep_text(second: &str, times: usize, mut look: impl FnMut(Language, &str)) {
        let starts = ["", "x=", "match a:\n case "];
        for (language, all, starts) in
            [(Language::Python, pieces::PYTHON, &starts[..]), (Language::JavaScript, pieces::JAVASCRIPT, &starts[..2])]
        {
            for (first, start) in all.iter().flat_map(|first| starts.iter().map(move |start| (first, start))) {
                let piece = format!("{first}{second}");
                let open = format!("{start}{}", piece.repeat(times));
                look(language, &open);
                look(language, &format!("{open}a{}", closing(&piece).repeat(times)));
            }
        }
    }

    fn closing(piece: &str) -> String {
        let mut closing = String::new();
        for letter in piece.chars() {
            match letter {
                '(' => closing.insert(0, ')'),
                '[' => closing.insert(0, ']'),
                '{' => closing.insert(0, '}'),
                ')' | ']' | '}' if closing.starts_with(letter) => {
                    closing.remove(0);
                }
                '"' | '\'' | '`' => closing.insert(0, letter),
                _ => {}
            }
        }
        closing
    }
}
