//! Texts as patterns read them: letters that pass for Latin ones are those, what cannot be seen is not there, and lines
//! that a writer or a shell would read as one are one. Places are found again in the text as it is.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Range;

use memchr::memchr_iter;
use unicode_normalization::char::decompose_compatible;

use super::analysis::unicode::{is_bidi, is_tag, is_variation_selector, is_zero_width, looks_like, not_ascii};
use super::newlines::whole_lines;
use skill::source::Span;

/// A text with its letters made plain.
pub(super) struct Plain<'a> {
    text: Cow<'a, str>,
    original: &'a str,
    /// Where the two texts diverge: a place in the plain text, and the same in the original.
    places: Vec<(usize, usize)>,
    kind: Lines,
    code: OnceCell<Option<String>>,
    prose: OnceCell<Option<String>>,
}

/// The kinds of lines in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lines {
    /// Of Markdown, or of another text for people.
    Text,
    /// Of a script.
    Script,
}

impl<'a> Plain<'a> {
    pub fn of(original: &'a str, kind: Lines) -> Self {
        let mut places = Vec::new();
        let mut plain = String::new();
        let mut done = 0;
        for (at, letter) in not_ascii(original) {
            let Some(read) = read_as(letter) else { continue };
            plain.push_str(&original[done..at]);
            places.push((plain.len(), at));
            plain.push_str(&read);
            done = at + letter.len_utf8();
            places.push((plain.len(), done));
        }
        let text = if done == 0 {
            Cow::Borrowed(original)
        } else {
            plain.push_str(&original[done..]);
            Cow::Owned(plain)
        };
        Self { text, original, places, kind, code: OnceCell::new(), prose: OnceCell::new() }
    }

    /// Line by line.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether no letter had to be made plain.
    pub fn is_original(&self) -> bool {
        self.places.is_empty()
    }

    /// As a shell reads it: a backslash at the end joins two lines. As long as [`Plain::text`].
    pub fn code(&self) -> &str {
        self.code.get_or_init(|| joined_code(&self.text)).as_deref().unwrap_or(&self.text)
    }

    /// As people read it: a sentence continues on the next line, also in a quote or a comment. As long as
    /// [`Plain::text`].
    pub fn prose(&self) -> &str {
        self.prose.get_or_init(|| joined_prose(self.code(), self.kind)).as_deref().unwrap_or(self.code())
    }

    /// The place of this in the original text. Invisible characters around it are not part of it.
    pub fn place(&self, span: Span) -> Span {
        let after = self.places.partition_point(|(plain, _)| *plain <= span.start);
        let start = self.original_of(span.start, after);
        let before = self.places.partition_point(|(plain, _)| *plain < span.end);
        let end = match self.places.get(before) {
            Some((plain, original)) if *plain == span.end => *original,
            _ => self.original_of(span.end, before),
        };
        let start = self.original.floor_char_boundary(start);
        Span::new(start, self.original.ceil_char_boundary(end).max(start))
    }

    /// `after`: the first of [`Plain::places`] behind it.
    fn original_of(&self, at: usize, after: usize) -> usize {
        let (plain, original) = after.checked_sub(1).map_or((0, 0), |last| self.places[last]);
        let next = self.places.get(after).map_or(self.original.len(), |(_, original)| *original);
        (original + (at - plain)).min(next)
    }
}

/// A text with plain letters.
#[cfg(test)]
pub(super) fn as_read(text: &str) -> String {
    Plain::of(text, Lines::Text).text().to_owned()
}

/// What a letter is read as, if not as itself: a Latin letter, a space, or nothing. Other signs stay: a full-width
/// colon ends a Chinese sentence, and no shell treats it as a colon.
fn read_as(letter: char) -> Option<Cow<'static, str>> {
    if is_surely_itself(letter) {
        return None;
    }
    if letter.is_whitespace() {
        return Some(Cow::Borrowed(" "));
    }
    if is_zero_width(letter) || is_bidi(letter) || is_tag(letter) || is_variation_selector(letter) {
        return Some(Cow::Borrowed(""));
    }
    if let Some(latin) = looks_like(letter) {
        return Some(Cow::Owned(latin.to_string()));
    }
    let mut read = String::new();
    decompose_compatible(letter, |part| read.push(part));
    let is_word = !read.is_empty() && read.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    is_word.then_some(Cow::Owned(read))
}

/// Most letters that are not of ASCII: of Chinese, Japanese and Korean, dashes, quotes, arrows, lines, symbols.
fn is_surely_itself(letter: char) -> bool {
    matches!(letter,
        '\u{2010}'..='\u{2027}' | '\u{2190}'..='\u{245F}' | '\u{2500}'..='\u{2C7B}' | '\u{2E80}'..='\u{2FFF}'
        | '\u{3001}'..='\u{3163}' | '\u{3400}'..='\u{A69B}' | '\u{AC00}'..='\u{D7AF}' | '\u{1F300}'..='\u{1FAFF}')
}

fn joined_code(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let mut joined = None;
    for at in memchr_iter(b'\\', bytes) {
        let end = match bytes[at + 1..] {
            [b'\n', ..] => at + 2,
            [b'\r', b'\n', ..] => at + 3,
            _ => continue,
        };
        blank(joined.get_or_insert_with(|| bytes.to_vec()), at..end);
    }
    joined.and_then(|joined| String::from_utf8(joined).ok())
}

fn joined_prose(text: &str, kind: Lines) -> Option<String> {
    let mut joined: Option<Vec<u8>> = None;
    let mut above: Option<Line<'_>> = None;
    let mut fence: Option<&str> = None;
    let mut start = 0;
    for line in whole_lines(text) {
        let read = Line::of(line.trim_end_matches(['\n', '\r']), kind);
        let mark = ["```", "~~~"].into_iter().find(|mark| kind == Lines::Text && read.words.starts_with(mark));
        match (fence, mark) {
            (None, Some(_)) => fence = mark,
            (Some(open), Some(mark)) if open == mark => fence = None,
            _ => {}
        }
        if let Some(before) = &above
            && fence.is_none()
            && mark.is_none()
            && before.goes_on_in(&read, kind)
        {
            let end_above = start - line_end(&text[..start]);
            blank(joined.get_or_insert_with(|| text.as_bytes().to_vec()), end_above..start + read.marks);
        }
        above = (fence.is_none() && mark.is_none()).then_some(read);
        start += line.len();
    }
    joined.and_then(|joined| String::from_utf8(joined).ok())
}

/// How many bytes end the last line.
fn line_end(text: &str) -> usize {
    if text.ends_with("\r\n") { 2 } else { 1 }
}

/// Spaces in place of bytes of ASCII.
fn blank(text: &mut [u8], range: Range<usize>) {
    text[range].fill(b' ');
}

/// A line, with what is before its words.
struct Line<'a> {
    words: &'a str,
    /// Bytes before the words: spaces, the marks of a quote or a comment.
    marks: usize,
    is_marked: bool,
}

impl<'a> Line<'a> {
    fn of(line: &'a str, kind: Lines) -> Self {
        let words = match kind {
            Lines::Text => line.trim_start_matches([' ', '\t', '>']),
            Lines::Script => {
                let code = line.trim_start();
                let comment = ["#", "//", "*", "--"].iter().find_map(|mark| code.strip_prefix(mark));
                comment.map_or(code, |words| words.trim_start_matches(['#', '/', '!', ' ', '\t']))
            }
        };
        let marks = line.len() - words.len();
        Self { words, marks, is_marked: !line[..marks].trim().is_empty() }
    }

    fn goes_on_in(&self, next: &Self, kind: Lines) -> bool {
        if self.words.trim().is_empty() || next.words.trim().is_empty() {
            return false;
        }
        match kind {
            Lines::Text => (self.is_marked || !next.is_marked) && !self.is_whole() && !next.begins_block(),
            Lines::Script => self.is_marked && next.is_marked,
        }
    }

    /// A heading, a row of a table, a rule.
    fn is_whole(&self) -> bool {
        self.words.starts_with(['#', '|']) || self.words.starts_with("---") || self.words.starts_with("===")
    }

    fn begins_block(&self) -> bool {
        let digits = self.words.trim_start_matches(|letter: char| letter.is_ascii_digit());
        let is_number = digits.len() < self.words.len() && digits.starts_with([')', '.']);
        let is_bullet = ["- ", "* ", "+ "].iter().any(|bullet| self.words.starts_with(bullet));
        is_number || is_bullet || self.is_whole()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn letters_are_read_as_those_they_pass_for() {
        for (text, read) in [
            ("\u{456}gnore \u{430}ll", "ignore all"),
            ("ｅｖａｌ(x)", "eval(x)"),
            ("𝐢𝐠𝐧𝐨𝐫𝐞 ﬁles", "ignore files"),
            ("ig\u{200B}no\u{AD}re", "ignore"),
            ("rm\u{A0}-rf\u{3000}/", "rm -rf /"),
            ("\u{17F}end \u{212A}eys", "send Keys"),
            ("中文：“引号”（括号） — ❌ é ½", "中文：“引号”（括号） — ❌ é ½"),
        ] {
            assert_eq!(as_read(text), read);
        }
    }

    #[test]
    fn lines_that_are_read_as_one_are_one() {
        let prose = |text: &str, kind| Plain::of(text, kind).prose().to_owned();
        assert_eq!(prose("ignore\nall\r\nprevious\n", Lines::Text), "ignore all  previous\n");
        assert_eq!(prose("> ignore\n> all\n", Lines::Text), "> ignore   all\n");
        assert_eq!(prose("- ignore\n  all\n- other\n", Lines::Text), "- ignore   all\n- other\n");
        for apart in
            ["# a\nb\n", "a\n\nb\n", "a\n- b\n", "a\n1. b\n", "| a |\n| b |\n", "a\n> b\n", "```\na\nb\n```\nc\n"]
        {
            assert_eq!(prose(apart, Lines::Text), apart);
        }
        assert_eq!(prose("# ignore\n# all\nx\ny\n", Lines::Script), "# ignore   all\nx\ny\n");
        assert_eq!(Plain::of("rm \\\n  -rf \\\r\n/\n", Lines::Script).code(), "rm     -rf    /\n");
    }

    proptest! {
        #[test]
        fn places_are_found_again(text in "[a>#\\\\ \n\u{456}\u{200B}ﬁ中]{0,40}") {
            for kind in [Lines::Text, Lines::Script] {
                let plain = Plain::of(&text, kind);
                prop_assert_eq!(plain.code().len(), plain.text().len());
                prop_assert_eq!(plain.prose().len(), plain.text().len());
                for (at, letter) in plain.text().char_indices().filter(|(_, letter)| "a中".contains(*letter)) {
                    let place = plain.place(Span::new(at, at + letter.len_utf8()));
                    prop_assert_eq!(place.of(&text), letter.to_string());
                }
            }
        }
    }
}
