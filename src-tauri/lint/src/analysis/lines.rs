//! Instructions as lines and words, in English and Chinese.

use std::sync::LazyLock;

use regex::Regex;

use crate::markdown::Markdown;
use crate::newlines::whole_lines;
use skill::source::Span;

/// A line of instructions, without the white space around it.
#[derive(Debug, Clone, Copy)]
pub struct Line {
    pub span: Span,
    pub is_directive: bool,
}

/// Lines with words outside of code blocks. `start` is where the Markdown begins.
pub fn lines(text: &str, start: usize, markdown: &Markdown) -> Vec<Line> {
    let mut found = Vec::new();
    let mut fences = markdown.fences.iter().peekable();
    let mut at = start;
    // The next directive: one search finds those of all lines.
    let mut directive = DIRECTIVE.find_at(text, start);
    for line in whole_lines(&text[start..]) {
        let span = Span::new(at, at + line.len());
        at = span.end;
        while fences.next_if(|fence| fence.span.end <= span.start).is_some() {}
        let in_code = fences.peek().is_some_and(|fence| fence.span.start < span.end);
        if !in_code && !line.trim().is_empty() {
            if directive.is_some_and(|directive| directive.start() < span.start) {
                directive = DIRECTIVE.find_at(text, span.start);
            }
            let is_directive = directive.is_some_and(|directive| directive.start() < span.end);
            found.push(Line { span: span.trim(text), is_directive });
        }
    }
    found
}

/// Words in small letters, without marks; each Chinese character is one.
pub fn words(text: &str) -> impl Iterator<Item = String> {
    written_words(text).map(|written| {
        let mut word = String::with_capacity(written.len());
        written.chars().for_each(|letter| push_lower(&mut word, letter));
        word
    })
}

/// The same in one text, with spaces between them, and their number.
pub fn joined_words(text: &str) -> (String, usize) {
    let (mut all, mut count) = (String::with_capacity(text.len()), 0);
    for word in written_words(text) {
        if count > 0 {
            all.push(' ');
        }
        word.chars().for_each(|letter| push_lower(&mut all, letter));
        count += 1;
    }
    (all, count)
}

fn written_words(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(|letter: char| !letter.is_alphanumeric());
        let first = rest.chars().next()?;
        let end = match is_chinese(first) {
            true => Some(first.len_utf8()),
            false => rest.find(|letter: char| !letter.is_alphanumeric() || is_chinese(letter)),
        };
        let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
        rest = after;
        Some(word)
    })
}

fn push_lower(word: &mut String, letter: char) {
    if letter.is_ascii() {
        word.push(letter.to_ascii_lowercase());
    } else {
        word.extend(letter.to_lowercase());
    }
}

/// Characters that Chinese is written in. Japanese has them, too.
pub fn is_chinese(letter: char) -> bool {
    matches!(letter, '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}

/// Whether a line tells the agent to do, or not to do, something in so many words.
pub fn is_directive(line: &str) -> bool {
    DIRECTIVE.is_match(line)
}

static DIRECTIVE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?i)(?-u:\b)(?:always|never|must|do not|don't|should|make sure|ensure|avoid|only)(?-u:\b)|必须|务必|不要|禁止|不得|切勿|确保|应当|避免|严禁",
    )
    .expect("a test compiles it")
});
