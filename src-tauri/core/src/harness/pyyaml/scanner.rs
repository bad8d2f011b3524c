//! From characters to tokens (PyYAML's `scanner.py`): indentation becomes starts and ends of blocks, and a token that turns
//! out to be a key gets its mark put in front.

use std::collections::{BTreeMap, VecDeque};

use super::mark::{BREAKS, END, Mistake};
use super::token::{Error, Kind, Scanned, Token};
use crate::harness::python;

/// A token that is a key if a `:` follows.
#[derive(Debug, Clone, Copy)]
struct SimpleKey {
    /// Counted from the first token of the text.
    number: usize,
    required: bool,
    index: usize,
    line: usize,
    column: i64,
}

/// A key must fit on one line and into this many characters.
const KEY_LENGTH: usize = 1024;

pub struct Scanner<'a> {
    text: &'a [char],
    pub(super) index: usize,
    pub(super) line: usize,
    pub(super) column: i64,
    tokens: VecDeque<Token>,
    taken: usize,
    done: bool,
    /// Below zero where more brackets close than open.
    pub(super) flow_level: i64,
    pub(super) indent: i64,
    indents: Vec<i64>,
    pub(super) allow_simple_key: bool,
    possible_keys: BTreeMap<i64, SimpleKey>,
}

impl<'a> Scanner<'a> {
    /// `text` ends in [`END`].
    pub fn new(text: &'a [char]) -> Self {
        Self {
            text,
            index: 0,
            line: 0,
            column: 0,
            tokens: VecDeque::new(),
            // The start of the stream, which nobody asks for.
            taken: 1,
            done: false,
            flow_level: 0,
            indent: -1,
            indents: Vec::new(),
            allow_simple_key: true,
            possible_keys: BTreeMap::new(),
        }
    }

    pub fn text(&self) -> &'a [char] {
        self.text
    }

    /// The next token, which stays. After the last one there is always the last one.
    pub fn peek_token(&mut self) -> Scanned<&Token> {
        while self.needs_more()? {
            self.fetch()?;
        }
        let end = self.index;
        if self.tokens.is_empty() {
            self.tokens.push_back(Token { kind: Kind::StreamEnd, start: end, end });
        }
        Ok(&self.tokens[0])
    }

    pub fn next_token(&mut self) -> Scanned<Token> {
        let token = self.peek_token()?.clone();
        self.taken += 1;
        self.tokens.pop_front();
        Ok(token)
    }

    fn needs_more(&mut self) -> Scanned<bool> {
        if self.done {
            return Ok(false);
        }
        if self.tokens.is_empty() {
            return Ok(true);
        }
        self.drop_stale_keys()?;
        Ok(self.possible_keys.values().map(|key| key.number).min() == Some(self.taken))
    }

    fn fetch(&mut self) -> Scanned<()> {
        self.skip_to_token();
        self.drop_stale_keys()?;
        self.unwind(self.column);
        let letter = self.peek(0);
        let in_flow = self.flow_level != 0;
        match letter {
            END => self.fetch_end(),
            '%' if self.column == 0 => self.fetch_directive(),
            '-' if self.is_document_mark("---") => self.fetch_document_mark(Kind::DocumentStart),
            '.' if self.is_document_mark("...") => self.fetch_document_mark(Kind::DocumentEnd),
            '[' => self.open(Kind::FlowSequenceStart),
            '{' => self.open(Kind::FlowMappingStart),
            ']' => self.close(Kind::FlowSequenceEnd),
            '}' => self.close(Kind::FlowMappingEnd),
            ',' => {
                self.allow_simple_key = true;
                self.forget_key()?;
                self.push_letter(Kind::FlowEntry);
                Ok(())
            }
            '-' if is_blank(self.peek(1)) => self.fetch_block_entry(),
            '?' if in_flow || is_blank(self.peek(1)) => self.fetch_key(),
            ':' if in_flow || is_blank(self.peek(1)) => self.fetch_value(),
            '*' | '&' => {
                self.begin_simple()?;
                let token = self.scan_anchor(letter)?;
                self.tokens.push_back(token);
                Ok(())
            }
            '!' => {
                self.begin_simple()?;
                let token = self.scan_tag()?;
                self.tokens.push_back(token);
                Ok(())
            }
            '|' | '>' if !in_flow => {
                self.allow_simple_key = true;
                self.forget_key()?;
                let token = self.scan_block_scalar(letter == '>')?;
                self.tokens.push_back(token);
                Ok(())
            }
            '\'' | '"' => {
                self.begin_simple()?;
                let token = self.scan_flow_scalar(letter)?;
                self.tokens.push_back(token);
                Ok(())
            }
            _ if self.is_plain(letter) => {
                self.begin_simple()?;
                let token = self.scan_plain();
                self.tokens.push_back(token);
                Ok(())
            }
            _ => Err(Error::Mistake(Mistake {
                context: Some(("while scanning for the next token".into(), None)),
                problem: format!("found character {} that cannot start any token", shown(letter)),
                at: self.index,
            })),
        }
    }

    fn drop_stale_keys(&mut self) -> Scanned<()> {
        let (line, index) = (self.line, self.index);
        let is_stale = |key: &SimpleKey| key.line != line || index - key.index > KEY_LENGTH;
        if let Some(key) = self.possible_keys.values().find(|key| is_stale(key) && key.required) {
            return Err(self.not_a_key(key.index));
        }
        self.possible_keys.retain(|_, key| !is_stale(key));
        Ok(())
    }

    fn save_key(&mut self) -> Scanned<()> {
        let required = self.flow_level == 0 && self.indent == self.column;
        if self.allow_simple_key {
            self.forget_key()?;
            let number = self.taken + self.tokens.len();
            let key = SimpleKey { number, required, index: self.index, line: self.line, column: self.column };
            self.possible_keys.insert(self.flow_level, key);
        }
        Ok(())
    }

    fn forget_key(&mut self) -> Scanned<()> {
        match self.possible_keys.get(&self.flow_level) {
            Some(key) if key.required => Err(self.not_a_key(key.index)),
            _ => {
                self.possible_keys.remove(&self.flow_level);
                Ok(())
            }
        }
    }

    fn not_a_key(&self, start: usize) -> Error {
        self.mistake("while scanning a simple key", start, "could not find expected ':'".into())
    }

    fn unwind(&mut self, column: i64) {
        if self.flow_level != 0 {
            return;
        }
        while self.indent > column {
            self.indent = self.indents.pop().unwrap_or(-1);
            self.tokens.push_back(Token { kind: Kind::BlockEnd, start: self.index, end: self.index });
        }
    }

    fn add_indent(&mut self, column: i64) -> bool {
        if self.indent >= column {
            return false;
        }
        self.indents.push(self.indent);
        self.indent = column;
        true
    }

    fn fetch_end(&mut self) -> Scanned<()> {
        self.unwind(-1);
        self.forget_key()?;
        self.allow_simple_key = false;
        self.possible_keys.clear();
        self.tokens.push_back(Token { kind: Kind::StreamEnd, start: self.index, end: self.index });
        self.done = true;
        Ok(())
    }

    fn fetch_directive(&mut self) -> Scanned<()> {
        self.unwind(-1);
        self.forget_key()?;
        self.allow_simple_key = false;
        let token = self.scan_directive()?;
        self.tokens.push_back(token);
        Ok(())
    }

    fn fetch_document_mark(&mut self, kind: Kind) -> Scanned<()> {
        self.unwind(-1);
        self.forget_key()?;
        self.allow_simple_key = false;
        let start = self.index;
        self.forward(3);
        self.tokens.push_back(Token { kind, start, end: self.index });
        Ok(())
    }

    fn open(&mut self, kind: Kind) -> Scanned<()> {
        self.save_key()?;
        self.flow_level += 1;
        self.allow_simple_key = true;
        self.push_letter(kind);
        Ok(())
    }

    fn close(&mut self, kind: Kind) -> Scanned<()> {
        self.forget_key()?;
        self.flow_level -= 1;
        self.allow_simple_key = false;
        self.push_letter(kind);
        Ok(())
    }

    fn fetch_block_entry(&mut self) -> Scanned<()> {
        self.begin_block("sequence entries", Kind::BlockSequenceStart)?;
        self.allow_simple_key = true;
        self.forget_key()?;
        self.push_letter(Kind::BlockEntry);
        Ok(())
    }

    fn fetch_key(&mut self) -> Scanned<()> {
        self.begin_block("mapping keys", Kind::BlockMappingStart)?;
        self.allow_simple_key = self.flow_level == 0;
        self.forget_key()?;
        self.push_letter(Kind::Key);
        Ok(())
    }

    fn fetch_value(&mut self) -> Scanned<()> {
        if let Some(key) = self.possible_keys.remove(&self.flow_level) {
            let place = key.number - self.taken;
            let mark = |kind| Token { kind, start: key.index, end: key.index };
            self.tokens.insert(place, mark(Kind::Key));
            if self.flow_level == 0 && self.add_indent(key.column) {
                self.tokens.insert(place, mark(Kind::BlockMappingStart));
            }
            self.allow_simple_key = false;
        } else {
            self.begin_block("mapping values", Kind::BlockMappingStart)?;
            self.allow_simple_key = self.flow_level == 0;
            self.forget_key()?;
        }
        self.push_letter(Kind::Value);
        Ok(())
    }

    /// Outside of brackets an indicator may start a collection, where one may start.
    fn begin_block(&mut self, what: &str, start: Kind) -> Scanned<()> {
        if self.flow_level != 0 {
            return Ok(());
        }
        if !self.allow_simple_key {
            let problem = format!("{what} are not allowed here");
            return Err(Error::Mistake(Mistake { context: None, problem, at: self.index }));
        }
        if self.add_indent(self.column) {
            self.tokens.push_back(Token { kind: start, start: self.index, end: self.index });
        }
        Ok(())
    }

    fn begin_simple(&mut self) -> Scanned<()> {
        self.save_key()?;
        self.allow_simple_key = false;
        Ok(())
    }

    fn push_letter(&mut self, kind: Kind) {
        let start = self.index;
        self.forward(1);
        self.tokens.push_back(Token { kind, start, end: self.index });
    }

    fn is_document_mark(&self, mark: &str) -> bool {
        self.column == 0 && self.is_at(mark) && is_blank(self.peek(3))
    }

    fn is_plain(&self, letter: char) -> bool {
        const INDICATORS: &str = "-?:,[]{}#&*!|>'\"%@`";
        let is_indicator = is_blank(letter) || INDICATORS.contains(letter);
        let may_follow = letter == '-' || (self.flow_level == 0 && matches!(letter, '?' | ':'));
        !is_indicator || (!is_blank(self.peek(1)) && may_follow)
    }

    fn skip_to_token(&mut self) {
        if self.index == 0 && self.peek(0) == '\u{feff}' {
            self.forward(1);
        }
        loop {
            self.skip_spaces_and_comment();
            if self.scan_line_break().is_none() {
                return;
            }
            if self.flow_level == 0 {
                self.allow_simple_key = true;
            }
        }
    }

    pub(super) fn skip_spaces_and_comment(&mut self) {
        while self.peek(0) == ' ' {
            self.forward(1);
        }
        if self.peek(0) == '#' {
            while !is_line_end(self.peek(0)) {
                self.forward(1);
            }
        }
    }

    /// A place beyond the end is the end.
    pub(super) fn peek(&self, ahead: usize) -> char {
        self.text.get(self.index + ahead).copied().unwrap_or(END)
    }

    pub(super) fn is_at(&self, mark: &str) -> bool {
        mark.chars().enumerate().all(|(place, letter)| self.peek(place) == letter)
    }

    pub(super) fn forward(&mut self, length: usize) {
        for _ in 0..length {
            let letter = self.peek(0);
            self.index = (self.index + 1).min(self.text.len());
            if letter != '\r' && BREAKS.contains(&letter) || (letter == '\r' && self.peek(0) != '\n') {
                self.line += 1;
                self.column = 0;
            } else if letter != '\u{feff}' {
                self.column += 1;
            }
        }
    }

    /// The characters that pass, taken.
    pub(super) fn take(&mut self, passes: impl Fn(char) -> bool) -> String {
        let length = (0..).take_while(|place| self.peek(*place) != END && passes(self.peek(*place))).count();
        let taken = self.text[self.index..self.index + length].iter().collect();
        self.forward(length);
        taken
    }

    /// A line's end, taken, as it counts in a value.
    pub(super) fn scan_line_break(&mut self) -> Option<char> {
        match self.peek(0) {
            '\r' if self.peek(1) == '\n' => self.forward(2),
            '\r' | '\n' | '\u{85}' => self.forward(1),
            letter @ ('\u{2028}' | '\u{2029}') => {
                self.forward(1);
                return Some(letter);
            }
            _ => return None,
        }
        Some('\n')
    }

    pub(super) fn mistake(&self, context: &str, start: usize, problem: String) -> Error {
        Error::Mistake(Mistake { context: Some((context.to_owned(), Some(start))), problem, at: self.index })
    }
}

/// `repr(letter)`.
pub fn shown(letter: char) -> String {
    python::repr(letter.encode_utf8(&mut [0; 4]))
}

pub fn is_line_end(letter: char) -> bool {
    letter == END || BREAKS.contains(&letter)
}

pub fn is_blank(letter: char) -> bool {
    matches!(letter, ' ' | '\t') || is_line_end(letter)
}
