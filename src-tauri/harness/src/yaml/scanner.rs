//! From characters to tokens (PyYAML's `scanner.py`): indentation becomes starts and ends of blocks, and a token that
//! turns out to be a key gets its mark put in front. Where a translation differs, the code checks the dialect.

use std::collections::{BTreeMap, VecDeque};

use super::Dialect;
use super::mark::{BREAKS, END, LINE_ENDS, Mistake, ScanPlace, Stage};
use super::token::{Error, Scanned, Token, TokenKind};
use crate::python;

/// A token that is a key if a `:` follows.
#[derive(Debug, Clone, Copy)]
struct SimpleKey {
    /// Counted from the first token of the text.
    number: usize,
    required: bool,
    start: ScanPlace,
    column: i64,
    /// Tokens from here on are kept back until it is known whether it is one.
    awaited: bool,
}

/// A key must fit on one line and into this many characters.
const KEY_LENGTH: usize = 1024;
/// Brackets, and blocks, that yaml.v3 follows into each other.
const GO_DEPTH: usize = 10_000;
/// Tokens that yaml.v3 has read when it gives one, for its comments.
const GO_AHEAD: usize = 3;
/// Characters that yaml.v3 looks ahead for a comment.
const GO_COMMENT: usize = 512;

pub struct Scanner<'a> {
    pub(super) dialect: Dialect,
    /// Names of anchors and aliases have any characters, as ruamel.yaml takes them.
    pub(super) strict: bool,
    text: &'a [char],
    pub(super) index: usize,
    pub(super) line: usize,
    pub(super) column: i64,
    tokens: VecDeque<Token>,
    taken: usize,
    done: bool,
    /// Below zero if more brackets close than open.
    pub(super) flow_level: i64,
    pub(super) indent: i64,
    indents: Vec<i64>,
    pub(super) allow_simple_key: bool,
    /// By the level of brackets, so the outermost is the first one read.
    possible_keys: BTreeMap<i64, SimpleKey>,
    /// Of each bracket, the number of the last token in it that could have been a key; before there is one, its own.
    levels: Vec<usize>,
    /// Line ends since the last letter that is neither these nor white space.
    newlines: usize,
}

impl<'a> Scanner<'a> {
    /// `text` ends in [`END`].
    pub fn new(text: &'a [char], dialect: Dialect) -> Self {
        // Go takes the mark for the encoding and away.
        let index = usize::from(dialect == Dialect::Go && text[0] == '\u{feff}');
        Self {
            dialect,
            strict: false,
            text,
            index,
            line: 0,
            column: 0,
            tokens: VecDeque::new(),
            // The start of the stream, which is never asked for.
            taken: 1,
            done: false,
            flow_level: 0,
            indent: -1,
            indents: Vec::new(),
            allow_simple_key: true,
            possible_keys: BTreeMap::new(),
            levels: Vec::new(),
            newlines: 0,
        }
    }

    pub(super) fn place(&self) -> ScanPlace {
        ScanPlace { index: self.index, line: self.line }
    }

    pub fn text(&self) -> &'a [char] {
        self.text
    }

    /// The next token, which stays. After the last one there is always the last one.
    pub fn peek_token(&mut self) -> Scanned<&Token> {
        while self.needs_more()? {
            self.fetch()?;
        }
        if self.tokens.is_empty() {
            self.push_mark(TokenKind::StreamEnd);
        }
        Ok(&self.tokens[0])
    }

    pub fn next_token(&mut self) -> Scanned<Token> {
        self.peek_token()?;
        self.taken += 1;
        Ok(self.tokens.pop_front().expect("the token that was just looked at is there"))
    }

    fn needs_more(&mut self) -> Scanned<bool> {
        if self.done && self.dialect != Dialect::Go {
            return Ok(false);
        }
        if self.tokens.len() < if self.dialect == Dialect::Go { GO_AHEAD } else { 1 } {
            return Ok(true);
        }
        self.drop_stale_keys()?;
        let mut keys = self.possible_keys.iter().skip_while(|(_, key)| key.number < self.taken);
        match keys.next().filter(|(_, key)| key.number == self.taken && key.awaited).map(|(level, _)| *level) {
            Some(level) if self.dialect == Dialect::Go => self.is_still_key(level),
            found => Ok(found.is_some()),
        }
    }

    fn fetch(&mut self) -> Scanned<()> {
        self.fetch_token()?;
        let is_entry = self.tokens.back().is_some_and(|token| token.kind == TokenKind::BlockEntry);
        if self.dialect == Dialect::Go && !is_entry && self.newlines == 0 {
            self.skip_comment_ahead(|letter| matches!(letter, ' ' | '\t'));
        }
        Ok(())
    }

    fn fetch_token(&mut self) -> Scanned<()> {
        self.skip_to_token();
        self.drop_stale_keys()?;
        self.unwind(self.column);
        let letter = self.peek(0);
        let in_flow = self.flow_level != 0;
        match letter {
            END => self.fetch_end(),
            '%' if self.column == 0 => self.fetch_directive(),
            '-' if self.is_document_mark("---") => self.fetch_document_mark(TokenKind::DocumentStart),
            '.' if self.is_document_mark("...") => self.fetch_document_mark(TokenKind::DocumentEnd),
            '[' => self.open(TokenKind::FlowSequenceStart),
            '{' => self.open(TokenKind::FlowMappingStart),
            ']' => self.close(TokenKind::FlowSequenceEnd),
            '}' => self.close(TokenKind::FlowMappingEnd),
            ',' => {
                self.allow_simple_key = true;
                self.forget_key()?;
                self.push_letter(TokenKind::FlowEntry);
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
                let token = self.scan_plain()?;
                self.tokens.push_back(token);
                Ok(())
            }
            _ => Err(Error::Mistake(Mistake {
                stage: Stage::Scanner,
                context: Some(("while scanning for the next token".into(), None)),
                problem: match self.dialect {
                    Dialect::C | Dialect::Go => "found character that cannot start any token".to_owned(),
                    Dialect::Python | Dialect::Java => {
                        format!("found character {} that cannot start any token", shown(letter))
                    }
                },
                at: self.place(),
            })),
        }
    }

    /// The outermost keys are the oldest. yaml.v3 looks only at the key that it is about to use.
    fn drop_stale_keys(&mut self) -> Scanned<()> {
        if self.dialect == Dialect::Go {
            return Ok(());
        }
        while let Some(oldest) = self.possible_keys.first_entry() {
            let key = *oldest.get();
            if key.start.line == self.line && self.index - key.start.index <= KEY_LENGTH {
                break;
            }
            if key.required {
                return Err(self.not_a_key(key.start));
            }
            oldest.remove();
        }
        Ok(())
    }

    /// Whether the key at a level, if there is one, may be one. If not, it is forgotten.
    fn is_still_key(&mut self, level: i64) -> Scanned<bool> {
        let Some(key) = self.possible_keys.get(&level).copied() else { return Ok(false) };
        if key.start.line == self.line && self.index - key.start.index <= KEY_LENGTH {
            return Ok(true);
        }
        if key.required {
            return Err(self.not_a_key(key.start));
        }
        self.possible_keys.remove(&level);
        Ok(false)
    }

    fn save_key(&mut self) -> Scanned<()> {
        let required = self.flow_level == 0 && self.indent == self.column;
        if self.allow_simple_key {
            self.forget_key()?;
            let number = self.taken + self.tokens.len();
            let key = SimpleKey { number, required, start: self.place(), column: self.column, awaited: true };
            self.possible_keys.insert(self.flow_level, key);
            if let Some(last) = self.levels.last_mut() {
                *last = number;
            }
        }
        Ok(())
    }

    fn forget_key(&mut self) -> Scanned<()> {
        match self.possible_keys.get(&self.flow_level) {
            Some(key) if key.required => Err(self.not_a_key(key.start)),
            _ => {
                self.possible_keys.remove(&self.flow_level);
                Ok(())
            }
        }
    }

    fn not_a_key(&self, start: ScanPlace) -> Error {
        self.mistake("while scanning a simple key", start, "could not find expected ':'".into())
    }

    fn unwind(&mut self, column: i64) {
        if self.flow_level != 0 {
            return;
        }
        while self.indent > column {
            self.indent = self.indents.pop().unwrap_or(-1);
            self.push_mark(TokenKind::BlockEnd);
        }
    }

    fn add_indent(&mut self, column: i64) -> Scanned<bool> {
        if self.indent >= column {
            return Ok(false);
        }
        self.indents.push(self.indent);
        self.indent = column;
        self.check_depth(self.indents.len(), "indent")?;
        Ok(true)
    }

    fn check_depth(&self, depth: usize, what: &str) -> Scanned<()> {
        if self.dialect != Dialect::Go || depth <= GO_DEPTH {
            return Ok(());
        }
        let problem = format!("exceeded max depth of {GO_DEPTH}");
        Err(self.mistake(&format!("while increasing {what} level"), self.place(), problem))
    }

    fn fetch_end(&mut self) -> Scanned<()> {
        if self.dialect.is_libyaml() && self.column != 0 {
            self.column = 0;
            self.line += 1;
        }
        self.unwind(-1);
        self.forget_key()?;
        self.allow_simple_key = false;
        if self.dialect != Dialect::Go {
            self.possible_keys.clear();
        }
        self.push_mark(TokenKind::StreamEnd);
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

    fn fetch_document_mark(&mut self, kind: TokenKind) -> Scanned<()> {
        self.unwind(-1);
        self.forget_key()?;
        self.allow_simple_key = false;
        let start = self.place();
        self.forward(3);
        self.tokens.push_back(Token { kind, start, end: self.index });
        Ok(())
    }

    fn open(&mut self, kind: TokenKind) -> Scanned<()> {
        self.save_key()?;
        self.levels.push(self.taken + self.tokens.len());
        self.flow_level += 1;
        self.check_depth(usize::try_from(self.flow_level).unwrap_or_default(), "flow")?;
        self.allow_simple_key = true;
        self.push_letter(kind);
        Ok(())
    }

    fn close(&mut self, kind: TokenKind) -> Scanned<()> {
        self.forget_key()?;
        if self.flow_level > 0 || !self.dialect.is_libyaml() {
            self.flow_level -= 1;
        }
        let last = self.levels.pop();
        if self.dialect == Dialect::Go
            && let Some(key) = self.possible_keys.get_mut(&self.flow_level)
            && Some(key.number) == last
        {
            // yaml.v3 takes an empty bracket for a key in itself, and forgets to wait for the colon behind it.
            key.awaited = false;
        }
        self.allow_simple_key = false;
        self.push_letter(kind);
        Ok(())
    }

    fn fetch_block_entry(&mut self) -> Scanned<()> {
        let what = if self.dialect.is_libyaml() { "block sequence entries" } else { "sequence entries" };
        self.begin_block(what, TokenKind::BlockSequenceStart)?;
        self.allow_simple_key = true;
        self.forget_key()?;
        self.push_letter(TokenKind::BlockEntry);
        Ok(())
    }

    fn fetch_key(&mut self) -> Scanned<()> {
        self.begin_block("mapping keys", TokenKind::BlockMappingStart)?;
        self.allow_simple_key = self.flow_level == 0;
        self.forget_key()?;
        self.push_letter(TokenKind::Key);
        Ok(())
    }

    fn fetch_value(&mut self) -> Scanned<()> {
        if self.dialect == Dialect::Go {
            self.is_still_key(self.flow_level)?;
        }
        if let Some(key) = self.possible_keys.remove(&self.flow_level) {
            let place = key.number.checked_sub(self.taken).unwrap_or(self.tokens.len());
            let mark = |kind| Token { kind, start: key.start, end: key.start.index };
            self.tokens.insert(place, mark(TokenKind::Key));
            if self.flow_level == 0 && self.add_indent(key.column)? {
                self.tokens.insert(place, mark(TokenKind::BlockMappingStart));
            }
            self.allow_simple_key = false;
        } else {
            self.begin_block("mapping values", TokenKind::BlockMappingStart)?;
            self.allow_simple_key = self.flow_level == 0;
            self.forget_key()?;
        }
        self.push_letter(TokenKind::Value);
        Ok(())
    }

    /// Outside of brackets an indicator may start a collection, if one may start here.
    fn begin_block(&mut self, what: &str, start: TokenKind) -> Scanned<()> {
        if self.flow_level != 0 {
            return Ok(());
        }
        if !self.allow_simple_key {
            let place = if self.dialect.is_libyaml() { "in this context" } else { "here" };
            let problem = format!("{what} are not allowed {place}");
            return Err(Error::Mistake(Mistake { stage: Stage::Scanner, context: None, problem, at: self.place() }));
        }
        if self.add_indent(self.column)? {
            self.push_mark(start);
        }
        Ok(())
    }

    fn begin_simple(&mut self) -> Scanned<()> {
        self.save_key()?;
        self.allow_simple_key = false;
        Ok(())
    }

    /// A token without letters.
    fn push_mark(&mut self, kind: TokenKind) {
        let start = self.place();
        self.tokens.push_back(Token { kind, start, end: start.index });
    }

    fn push_letter(&mut self, kind: TokenKind) {
        let start = self.place();
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
        if self.index == 0 && self.peek(0) == '\u{feff}' && !self.dialect.is_libyaml() {
            self.forward(1);
        }
        loop {
            // yaml.v3 means to, but looks for it in the wrong place.
            if self.column == 0 && self.peek(0) == '\u{feff}' && self.dialect == Dialect::C {
                self.forward(1);
            }
            self.skip_white_space();
            if self.peek(0) == '#' {
                self.skip_comment();
                if self.dialect == Dialect::Go {
                    while self.skip_comment_ahead(is_blank) {}
                }
            }
            if self.scan_line_break().is_none() {
                return;
            }
            if self.flow_level == 0 {
                self.allow_simple_key = true;
            }
        }
    }

    fn skip_white_space(&mut self) {
        let tabs = match self.dialect {
            Dialect::Python => false,
            Dialect::C | Dialect::Go => self.flow_level > 0 || !self.allow_simple_key,
            Dialect::Java => {
                // Spaces, then tabs, and no spaces after these.
                self.take(|letter| letter == ' ');
                if self.flow_level > 0 {
                    self.take(|letter| letter == '\t');
                }
                return;
            }
        };
        self.take(|letter| letter == ' ' || (tabs && letter == '\t'));
    }

    fn skip_comment(&mut self) {
        self.take(|letter| !is_line_end(letter));
    }

    /// Takes a comment with nothing before it but letters of this kind; whether there is one.
    fn skip_comment_ahead(&mut self, passes: fn(char) -> bool) -> bool {
        let ahead = (0..GO_COMMENT).find(|ahead| {
            let letter = self.peek(*ahead);
            letter == END || !passes(letter)
        });
        let Some(ahead) = ahead.filter(|ahead| self.peek(*ahead) == '#') else { return false };
        self.forward(ahead);
        self.skip_comment();
        true
    }

    pub(super) fn skip_spaces_and_comment(&mut self) {
        let tabs = self.dialect.is_libyaml();
        self.take(|letter| letter == ' ' || (tabs && letter == '\t'));
        if self.peek(0) == '#' {
            self.skip_comment();
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
            let ends: &[char] = if self.strict { &LINE_ENDS } else { &BREAKS };
            if letter != '\r' && ends.contains(&letter) || (letter == '\r' && self.peek(0) != '\n') {
                self.line += 1;
                self.column = 0;
                self.newlines += 1;
            } else if letter != '\u{feff}' || self.dialect.is_libyaml() {
                self.column += 1;
            }
            if !is_blank(letter) {
                self.newlines = 0;
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

    pub(super) fn mistake(&self, context: &str, start: ScanPlace, problem: String) -> Error {
        self.mistake_at(context, start, problem, self.place())
    }

    pub(super) fn mistake_at(&self, context: &str, start: ScanPlace, problem: String, at: ScanPlace) -> Error {
        let context = Some((context.to_owned(), Some(start)));
        Error::Mistake(Mistake { stage: Stage::Scanner, context, problem, at })
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
