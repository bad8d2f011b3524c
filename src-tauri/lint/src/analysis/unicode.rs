//! Characters that cannot be seen, with the reasons for which writers need them.

use std::ops::Range;

use skill::source::{Span, ascii_len};

/// Runs of characters of one kind, each with its neighbours.
#[derive(Debug, Clone, Copy)]
pub struct Run<'a> {
    pub text: &'a str,
    pub span: Span,
    /// The character before it, and the one after.
    pub before: Option<char>,
    pub after: Option<char>,
}

/// All runs of characters that `wanted` picks. Texts in ASCII cost next to nothing.
pub fn runs(text: &str, wanted: fn(char) -> bool) -> Vec<Run<'_>> {
    let mut found = Vec::new();
    if text.is_ascii() {
        return found;
    }
    let mut open: Option<Range<usize>> = None;
    // ASCII has only control characters of this kind, and they do not count here.
    for (at, letter) in not_ascii(text) {
        let after = open.take_if(|open| open.end < at);
        found.extend(after.map(|range| run(text, range)));
        if letter >= '\u{AD}' && wanted(letter) {
            open = Some(open.map_or(at, |open| open.start)..at + letter.len_utf8());
        } else if let Some(range) = open.take() {
            found.push(run(text, range));
        }
    }
    found.extend(open.map(|range| run(text, range)));
    found
}

/// Each character beyond ASCII, with its place. ASCII text costs next to nothing.
pub fn not_ascii(text: &str) -> impl Iterator<Item = (usize, char)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        at += ascii_len(&text.as_bytes()[at..]);
        let letter = text[at..].chars().next()?;
        at += letter.len_utf8();
        Some((at - letter.len_utf8(), letter))
    })
}

fn run(text: &str, range: Range<usize>) -> Run<'_> {
    Run {
        text: &text[range.clone()],
        span: Span::new(range.start, range.end),
        before: text[..range.start].chars().next_back(),
        after: text[range.end..].chars().next(),
    }
}

/// Tags; in a flag of a region they are meant.
pub fn is_tag(letter: char) -> bool {
    matches!(letter, '\u{E0000}'..='\u{E007F}')
}

/// Characters that take no room: soft hyphens, joiners, marks of direction, fillers.
pub fn is_zero_width(letter: char) -> bool {
    matches!(letter, '\u{AD}' | '\u{34F}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{2060}'..='\u{2064}' | '\u{FEFF}' | '\u{3164}' | '\u{FFA0}' | '\u{115F}' | '\u{1160}')
}

/// Embeddings, overrides and isolates, which change the order in which text is shown.
pub fn is_bidi(letter: char) -> bool {
    matches!(letter, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// They choose how the character in front of them looks.
pub fn is_variation_selector(letter: char) -> bool {
    matches!(letter, '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}')
}

/// Letters of scripts written from right to left.
pub fn is_right_to_left(letter: char) -> bool {
    matches!(letter, '\u{590}'..='\u{8FF}' | '\u{FB1D}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFC}' | '\u{10800}'..='\u{10FFF}' | '\u{1E800}'..='\u{1EFFF}')
}

/// Letters of scripts that need joiners or word-break marks in their spelling: Arabic to Khmer, Mongolian.
pub fn is_joining(letter: char) -> bool {
    is_right_to_left(letter)
        || matches!(letter, '\u{900}'..='\u{109F}' | '\u{1780}'..='\u{18AF}' | '\u{1A00}'..='\u{1AFF}' | '\u{1100}'..='\u{11FF}' | '\u{AC00}'..='\u{D7AF}')
}

/// Symbols that emoji are made of.
pub fn is_pictogram(letter: char) -> bool {
    matches!(letter, '\u{A9}' | '\u{AE}' | '\u{2010}'..='\u{303F}' | '\u{3297}' | '\u{3299}' | '\u{1F000}'..='\u{1FAFF}' | '#' | '*' | '0'..='9')
        || is_variation_selector(letter)
}

/// Characters of Chinese and Japanese, with their punctuation and their full-width forms.
pub fn is_ideograph(letter: char) -> bool {
    matches!(letter, '\u{2E80}'..='\u{2FDF}' | '\u{3000}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{FF00}'..='\u{FFEF}' | '\u{20000}'..='\u{3FFFF}')
}

/// The Latin letter that a Cyrillic or Greek one looks like.
pub fn looks_like(letter: char) -> Option<char> {
    Some(match letter {
        'а' => 'a',
        'с' => 'c',
        'ԁ' => 'd',
        'е' => 'e',
        'һ' => 'h',
        'і' => 'i',
        'ј' => 'j',
        'ӏ' => 'l',
        'о' | 'ο' => 'o',
        'р' | 'ρ' => 'p',
        'ԛ' => 'q',
        'ѕ' => 's',
        'ν' | 'ѵ' => 'v',
        'ԝ' => 'w',
        'х' => 'x',
        'у' => 'y',
        'А' | 'Α' => 'A',
        'В' | 'Β' => 'B',
        'С' => 'C',
        'Е' | 'Ε' => 'E',
        'Н' | 'Η' => 'H',
        'І' | 'Ι' => 'I',
        'Ј' => 'J',
        'К' | 'Κ' => 'K',
        'М' | 'Μ' => 'M',
        'Ν' => 'N',
        'О' | 'Ο' => 'O',
        'Р' | 'Ρ' => 'P',
        'Ѕ' => 'S',
        'Т' | 'Τ' => 'T',
        'Х' | 'Χ' => 'X',
        'Υ' => 'Y',
        'Ζ' => 'Z',
        _ => return None,
    })
}
