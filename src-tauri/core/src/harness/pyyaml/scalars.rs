//! Scalars of each style, read to their values.

use super::mark::END;
use super::scanner::{Scanner, is_blank, is_line_end, shown};
use super::token::{Error, Kind, Scalar, Scanned, Token};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Chomping {
    Strip,
    Clip,
    Keep,
}

impl Scanner<'_> {
    pub(super) fn scan_block_scalar(&mut self, folded: bool) -> Scanned<Token> {
        let start = self.index;
        self.forward(1);
        let (chomping, increment) = self.scan_block_indicators(start)?;
        self.skip_spaces_and_comment();
        if !is_line_end(self.peek(0)) {
            let problem = format!("expected a comment or a line break, but found {}", shown(self.peek(0)));
            return Err(self.mistake("while scanning a block scalar", start, problem));
        }
        self.scan_line_break();

        let least = (self.indent + 1).max(1);
        let (indent, mut breaks) = match increment {
            Some(increment) => {
                let indent = least + increment - 1;
                (indent, self.scan_block_breaks(indent))
            }
            None => {
                let (breaks, deepest) = self.scan_block_indentation();
                (least.max(deepest), breaks)
            }
        };
        let mut text = String::new();
        let mut line_break = None;
        while self.column == indent && self.peek(0) != END {
            text.push_str(&breaks);
            let is_text = !matches!(self.peek(0), ' ' | '\t');
            text.push_str(&self.take(|letter| !is_line_end(letter)));
            line_break = self.scan_line_break();
            breaks = self.scan_block_breaks(indent);
            if self.column != indent || self.peek(0) == END {
                break;
            }
            if folded && line_break == Some('\n') && is_text && !matches!(self.peek(0), ' ' | '\t') {
                if breaks.is_empty() {
                    text.push(' ');
                }
            } else {
                text.extend(line_break);
            }
        }
        if chomping != Chomping::Strip {
            text.extend(line_break);
        }
        if chomping == Chomping::Keep {
            text.push_str(&breaks);
        }
        Ok(scalar(text, start, self.index))
    }

    fn scan_block_indicators(&mut self, start: usize) -> Scanned<(Chomping, Option<i64>)> {
        let context = "while scanning a block scalar";
        let mut chomping = self.scan_chomping();
        let mut increment = None;
        if let Some(digit) = self.peek(0).to_digit(10) {
            if digit == 0 {
                let problem = "expected indentation indicator in the range 1-9, but found 0".into();
                return Err(self.mistake(context, start, problem));
            }
            increment = Some(i64::from(digit));
            self.forward(1);
            chomping = chomping.or_else(|| self.scan_chomping());
        }
        if !(self.peek(0) == ' ' || is_line_end(self.peek(0))) {
            let problem = format!("expected chomping or indentation indicators, but found {}", shown(self.peek(0)));
            return Err(self.mistake(context, start, problem));
        }
        Ok((chomping.unwrap_or(Chomping::Clip), increment))
    }

    fn scan_chomping(&mut self) -> Option<Chomping> {
        let chomping = match self.peek(0) {
            '+' => Chomping::Keep,
            '-' => Chomping::Strip,
            _ => return None,
        };
        self.forward(1);
        Some(chomping)
    }

    /// The blank lines at the start, and the deepest indent of these and of the first line.
    fn scan_block_indentation(&mut self) -> (String, i64) {
        let mut breaks = String::new();
        let mut deepest = 0;
        loop {
            if self.peek(0) == ' ' {
                self.forward(1);
                deepest = deepest.max(self.column);
            } else {
                match self.scan_line_break() {
                    Some(line_break) => breaks.push(line_break),
                    None => return (breaks, deepest),
                }
            }
        }
    }

    fn scan_block_breaks(&mut self, indent: i64) -> String {
        let mut breaks = String::new();
        loop {
            while self.column < indent && self.peek(0) == ' ' {
                self.forward(1);
            }
            match self.scan_line_break() {
                Some(line_break) => breaks.push(line_break),
                None => return breaks,
            }
        }
    }

    pub(super) fn scan_flow_scalar(&mut self, quote: char) -> Scanned<Token> {
        let start = self.index;
        let mut quoted = Quoted { double: quote == '"', start, text: String::new(), surrogate: false };
        self.forward(1);
        self.scan_quoted_text(&mut quoted)?;
        while self.peek(0) != quote {
            self.scan_quoted_spaces(&mut quoted)?;
            self.scan_quoted_text(&mut quoted)?;
        }
        self.forward(1);
        let Quoted { text, surrogate, .. } = quoted;
        Ok(Token { kind: Kind::Scalar(Scalar { text, plain: false, surrogate }), start, end: self.index })
    }

    fn scan_quoted_text(&mut self, quoted: &mut Quoted) -> Scanned<()> {
        loop {
            let text = self.take(|letter| !matches!(letter, '\'' | '"' | '\\') && !is_blank(letter));
            quoted.text.push_str(&text);
            match (quoted.double, self.peek(0)) {
                (false, '\'') if self.peek(1) == '\'' => {
                    quoted.text.push('\'');
                    self.forward(2);
                }
                (true, letter @ '\'') | (false, letter @ ('"' | '\\')) => {
                    quoted.text.push(letter);
                    self.forward(1);
                }
                (true, '\\') => self.scan_escape(quoted)?,
                _ => return Ok(()),
            }
        }
    }

    fn scan_escape(&mut self, quoted: &mut Quoted) -> Scanned<()> {
        let context = "while scanning a double-quoted scalar";
        self.forward(1);
        let letter = self.peek(0);
        let digits = match letter {
            'x' => 2,
            'u' => 4,
            'U' => 8,
            _ if letter != END && is_line_end(letter) => {
                self.scan_line_break();
                let breaks = self.scan_quoted_breaks(quoted)?;
                quoted.text.push_str(&breaks);
                return Ok(());
            }
            _ => {
                let Some(meant) = replacement(letter) else {
                    let problem = format!("found unknown escape character {}", shown(letter));
                    return Err(self.mistake(context, quoted.start, problem));
                };
                quoted.text.push(meant);
                self.forward(1);
                return Ok(());
            }
        };
        self.forward(1);
        let mut code: u32 = 0;
        for place in 0..digits {
            let Some(digit) = self.peek(place).to_digit(16) else {
                let found = shown(self.peek(place));
                let problem = format!("expected escape sequence of {digits} hexadecimal numbers, but found {found}");
                return Err(self.mistake(context, quoted.start, problem));
            };
            code = code * 16 + digit;
        }
        match char::from_u32(code) {
            Some(letter) => quoted.text.push(letter),
            None if code <= 0xFFFF => quoted.surrogate = true,
            None if i32::try_from(code).is_err() => {
                return Err(Error::Message("Python int too large to convert to C int"));
            }
            None => return Err(Error::Message("chr() arg not in range(0x110000)")),
        }
        self.forward(digits);
        Ok(())
    }

    fn scan_quoted_spaces(&mut self, quoted: &mut Quoted) -> Scanned<()> {
        let spaces = self.take(|letter| matches!(letter, ' ' | '\t'));
        if self.peek(0) == END {
            let problem = "found unexpected end of stream".into();
            return Err(self.mistake("while scanning a quoted scalar", quoted.start, problem));
        }
        match self.scan_line_break() {
            None => quoted.text.push_str(&spaces),
            Some(line_break) => {
                let breaks = self.scan_quoted_breaks(quoted)?;
                push_folded(&mut quoted.text, line_break, &breaks);
            }
        }
        Ok(())
    }

    fn scan_quoted_breaks(&mut self, quoted: &Quoted) -> Scanned<String> {
        let mut breaks = String::new();
        loop {
            if self.is_at_document_mark() {
                let problem = "found unexpected document separator".into();
                return Err(self.mistake("while scanning a quoted scalar", quoted.start, problem));
            }
            self.take(|letter| matches!(letter, ' ' | '\t'));
            match self.scan_line_break() {
                Some(line_break) => breaks.push(line_break),
                None => return Ok(breaks),
            }
        }
    }

    pub(super) fn scan_plain(&mut self) -> Token {
        let start = self.index;
        let mut end = start;
        let indent = self.indent + 1;
        let (mut text, mut spaces) = (String::new(), String::new());
        while self.peek(0) != '#' {
            let length = self.plain_length();
            if length == 0 {
                break;
            }
            self.allow_simple_key = false;
            text.push_str(&spaces);
            text.extend(&self.text()[self.index..self.index + length]);
            self.forward(length);
            end = self.index;
            spaces = self.scan_plain_spaces();
            if spaces.is_empty() || self.peek(0) == '#' || (self.flow_level == 0 && self.column < indent) {
                break;
            }
        }
        Token { kind: Kind::Scalar(Scalar { text, plain: true, surrogate: false }), start, end }
    }

    fn plain_length(&self) -> usize {
        let in_flow = self.flow_level != 0;
        let ends = |place: usize| {
            let (letter, next) = (self.peek(place), self.peek(place + 1));
            is_blank(letter)
                || (letter == ':' && (is_blank(next) || (in_flow && ",[]{}".contains(next))))
                || (in_flow && ",?[]{}".contains(letter))
        };
        (0..).take_while(|place| !ends(*place)).count()
    }

    /// What stands for the white space up to the next part of a plain scalar; nothing where it ends here.
    fn scan_plain_spaces(&mut self) -> String {
        let spaces = self.take(|letter| letter == ' ');
        let Some(line_break) = self.scan_line_break() else { return spaces };
        self.allow_simple_key = true;
        let mut breaks = String::new();
        loop {
            if self.is_at_document_mark() {
                return String::new();
            }
            self.take(|letter| letter == ' ');
            match self.scan_line_break() {
                Some(line_break) => breaks.push(line_break),
                None => break,
            }
        }
        let mut folded = String::new();
        push_folded(&mut folded, line_break, &breaks);
        folded
    }

    fn is_at_document_mark(&self) -> bool {
        (self.is_at("---") || self.is_at("...")) && is_blank(self.peek(3))
    }
}

/// A quoted scalar, as far as it is read.
struct Quoted {
    double: bool,
    start: usize,
    text: String,
    surrogate: bool,
}

fn scalar(text: String, start: usize, end: usize) -> Token {
    Token { kind: Kind::Scalar(Scalar { text, plain: false, surrogate: false }), start, end }
}

/// One line end becomes a space, unless it is one of Unicode's; of several the first is lost.
fn push_folded(text: &mut String, line_break: char, breaks: &str) {
    if line_break != '\n' {
        text.push(line_break);
    } else if breaks.is_empty() {
        text.push(' ');
    }
    text.push_str(breaks);
}

fn replacement(letter: char) -> Option<char> {
    Some(match letter {
        '0' => '\0',
        'a' => '\u{7}',
        'b' => '\u{8}',
        't' | '\t' => '\t',
        'n' => '\n',
        'v' => '\u{b}',
        'f' => '\u{c}',
        'r' => '\r',
        'e' => '\u{1b}',
        ' ' | '"' | '\\' | '/' => letter,
        'N' => '\u{85}',
        '_' => '\u{a0}',
        'L' => '\u{2028}',
        'P' => '\u{2029}',
        _ => return None,
    })
}
