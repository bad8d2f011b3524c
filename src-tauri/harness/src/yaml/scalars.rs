//! Scalars of each style, read to their values.

use super::Dialect;
use super::mark::{END, ScanPlace};
use super::scanner::{Scanner, is_blank, is_line_end, shown};
use super::token::{Error, Scalar, Scanned, Style, Token, TokenKind};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Chomping {
    Strip,
    Clip,
    Keep,
}

impl Scanner<'_> {
    pub(super) fn scan_block_scalar(&mut self, folded: bool) -> Scanned<Token> {
        let start = self.place();
        self.forward(1);
        let (chomping, increment) = self.scan_block_indicators(start)?;
        self.skip_spaces_and_comment();
        if !is_line_end(self.peek(0)) {
            let problem = match self.dialect {
                Dialect::C | Dialect::Go => "did not find expected comment or line break".to_owned(),
                Dialect::Python | Dialect::Java => {
                    format!("expected a comment or a line break, but found {}", shown(self.peek(0)))
                }
            };
            return Err(self.mistake("while scanning a block scalar", start, problem));
        }
        self.scan_line_break();

        let least = (self.indent + 1).max(1);
        let (indent, mut breaks) = match increment {
            Some(increment) => {
                let indent = least + increment - 1;
                (indent, self.scan_block_breaks(indent, start)?)
            }
            None => {
                let (breaks, deepest) = self.scan_block_indentation(start)?;
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
            breaks = self.scan_block_breaks(indent, start)?;
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
        Ok(scalar(text, Style::Block, start, self.index))
    }

    fn scan_block_indicators(&mut self, start: ScanPlace) -> Scanned<(Chomping, Option<i64>)> {
        let context = "while scanning a block scalar";
        let mut chomping = self.scan_chomping();
        let mut increment = None;
        if let Some(digit) = self.peek(0).to_digit(10) {
            if digit == 0 {
                let problem = match self.dialect {
                    Dialect::C | Dialect::Go => "found an indentation indicator equal to 0",
                    Dialect::Python | Dialect::Java => "expected indentation indicator in the range 1-9, but found 0",
                };
                let problem = problem.to_owned();
                return Err(self.mistake(context, start, problem));
            }
            increment = Some(i64::from(digit));
            self.forward(1);
            chomping = chomping.or_else(|| self.scan_chomping());
        }
        if !(self.peek(0) == ' ' || is_line_end(self.peek(0)) || self.dialect.is_libyaml()) {
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
    fn scan_block_indentation(&mut self, start: ScanPlace) -> Scanned<(String, i64)> {
        let mut breaks = String::new();
        let mut deepest = 0;
        loop {
            if self.peek(0) == ' ' {
                self.forward(1);
                deepest = deepest.max(self.column);
            } else {
                self.check_no_tab(start)?;
                match self.scan_line_break() {
                    Some(line_break) => breaks.push(line_break),
                    None => return Ok((breaks, deepest)),
                }
            }
        }
    }

    fn scan_block_breaks(&mut self, indent: i64, start: ScanPlace) -> Scanned<String> {
        let mut breaks = String::new();
        loop {
            while self.column < indent && self.peek(0) == ' ' {
                self.forward(1);
            }
            if self.column < indent {
                self.check_no_tab(start)?;
            }
            match self.scan_line_break() {
                Some(line_break) => breaks.push(line_break),
                None => return Ok(breaks),
            }
        }
    }

    fn check_no_tab(&self, start: ScanPlace) -> Scanned<()> {
        if self.peek(0) != '\t' || !self.dialect.is_libyaml() {
            return Ok(());
        }
        let problem = "found a tab character where an indentation space is expected".into();
        Err(self.mistake("while scanning a block scalar", start, problem))
    }

    pub(super) fn scan_flow_scalar(&mut self, quote: char) -> Scanned<Token> {
        let start = self.place();
        let mut quoted = Quoted { double: quote == '"', start, text: String::new(), half: None, surrogate: false };
        self.forward(1);
        self.scan_quoted_text(&mut quoted)?;
        while self.peek(0) != quote {
            self.scan_quoted_spaces(&mut quoted)?;
            self.scan_quoted_text(&mut quoted)?;
        }
        self.forward(1);
        let Quoted { text, surrogate, .. } = quoted;
        let kind = TokenKind::Scalar(Scalar { text, style: Style::Quoted, surrogate });
        Ok(Token { kind, start, end: self.index })
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
        let context = match self.dialect {
            Dialect::C | Dialect::Go => "while parsing a quoted scalar",
            Dialect::Python | Dialect::Java => "while scanning a double-quoted scalar",
        };
        let before = self.place();
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
                let Some(meant) = self.replacement(letter) else {
                    let problem = match self.dialect {
                        Dialect::C | Dialect::Go => "found unknown escape character".to_owned(),
                        Dialect::Python | Dialect::Java => {
                            format!("found unknown escape character {}", shown(letter))
                        }
                    };
                    // libyaml has not gone on to the letter.
                    let at = if self.dialect.is_libyaml() { before } else { self.place() };
                    return Err(self.mistake_at(context, quoted.start, problem, at));
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
                let problem = match self.dialect {
                    Dialect::C | Dialect::Go => "did not find expected hexdecimal number".to_owned(),
                    Dialect::Python | Dialect::Java => {
                        format!("expected escape sequence of {digits} hexadecimal numbers, but found {found}")
                    }
                };
                return Err(self.mistake(context, quoted.start, problem));
            };
            code = code * 16 + digit;
        }
        match (char::from_u32(code), self.dialect) {
            (Some(letter), _) => quoted.text.push(letter),
            (None, Dialect::C | Dialect::Go) => {
                let problem = "found invalid Unicode character escape code".into();
                return Err(self.mistake(context, quoted.start, problem));
            }
            (None, _) if code <= 0xFFFF => quoted.push_half(code),
            (None, Dialect::Java) => {
                let problem = format!("found unknown escape character {code:08x}");
                return Err(self.mistake(context, quoted.start, problem));
            }
            (None, Dialect::Python) if i32::try_from(code).is_err() => {
                return Err(Error::Raised("Python int too large to convert to C int"));
            }
            (None, Dialect::Python) => return Err(Error::Raised("chr() arg not in range(0x110000)")),
        }
        self.forward(digits);
        Ok(())
    }

    fn replacement(&self, letter: char) -> Option<char> {
        match (letter, self.dialect) {
            ('/', Dialect::Go | Dialect::Java) | ('\t', Dialect::Java) => None,
            ('\'', Dialect::Go) => Some(letter),
            _ => replacement(letter),
        }
    }

    fn scan_quoted_spaces(&mut self, quoted: &mut Quoted) -> Scanned<()> {
        let spaces = self.take(|letter| matches!(letter, ' ' | '\t'));
        if self.peek(0) == END {
            let problem = "found unexpected end of stream".to_owned();
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
                let what = if self.dialect.is_libyaml() { "indicator" } else { "separator" };
                let problem = format!("found unexpected document {what}");
                return Err(self.mistake("while scanning a quoted scalar", quoted.start, problem));
            }
            self.take(|letter| matches!(letter, ' ' | '\t'));
            match self.scan_line_break() {
                Some(line_break) => breaks.push(line_break),
                None => return Ok(breaks),
            }
        }
    }

    pub(super) fn scan_plain(&mut self) -> Scanned<Token> {
        match self.dialect {
            Dialect::Python | Dialect::Java => Ok(self.scan_plain_of_pyyaml()),
            Dialect::C | Dialect::Go => self.scan_plain_of_libyaml(),
        }
    }

    fn scan_plain_of_pyyaml(&mut self) -> Token {
        let start = self.place();
        let mut end = self.index;
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
        scalar(text, Style::Plain, start, end)
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

    /// The text for the white space before the next part of a plain scalar; empty if the scalar ends here.
    fn scan_plain_spaces(&mut self) -> String {
        let tabs = self.dialect == Dialect::Java;
        let spaces = self.take(|letter| letter == ' ' || (tabs && letter == '\t'));
        let Some(line_break) = self.scan_line_break() else { return spaces };
        self.allow_simple_key = true;
        let mut breaks = String::new();
        loop {
            // SnakeYAML does not look behind three hyphens.
            if self.is_at_document_mark() || (self.dialect == Dialect::Java && self.is_at("---")) {
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

    fn scan_plain_of_libyaml(&mut self) -> Scanned<Token> {
        let context = "while scanning a plain scalar";
        let start = self.place();
        let mut end = self.index;
        let indent = self.indent + 1;
        let (mut text, mut spaces, mut breaks) = (String::new(), String::new(), String::new());
        let mut first_break = None;
        while !(self.column == 0 && self.is_at_document_mark()) && self.peek(0) != '#' {
            while !is_blank(self.peek(0)) {
                let (letter, next) = (self.peek(0), self.peek(1));
                let in_flow = self.flow_level > 0;
                if self.dialect == Dialect::C && in_flow && letter == ':' && ",?[]{}".contains(next) {
                    return Err(self.mistake(context, start, "found unexpected ':'".into()));
                }
                let ends_flow = ",[]{}".contains(letter) || (letter == '?' && self.dialect == Dialect::Go);
                if (letter == ':' && is_blank(next)) || (in_flow && ends_flow) {
                    break;
                }
                match first_break.take() {
                    Some(line_break) => push_folded(&mut text, line_break, &breaks),
                    None => text.push_str(&spaces),
                }
                spaces.clear();
                breaks.clear();
                text.push(letter);
                self.forward(1);
                end = self.index;
            }
            if self.peek(0) == END || !is_blank(self.peek(0)) {
                break;
            }
            while self.peek(0) != END && is_blank(self.peek(0)) {
                match (self.scan_line_break(), first_break) {
                    (Some(line_break), None) => first_break = Some(line_break),
                    (Some(line_break), Some(_)) => breaks.push(line_break),
                    (None, _) => {
                        if first_break.is_some() && self.column < indent && self.peek(0) == '\t' {
                            let problem = "found a tab character that violates indentation".into();
                            return Err(self.mistake(context, start, problem));
                        }
                        spaces.push(self.peek(0));
                        self.forward(1);
                    }
                }
            }
            if self.flow_level == 0 && self.column < indent {
                break;
            }
        }
        if first_break.is_some() {
            self.allow_simple_key = true;
        }
        Ok(scalar(text, Style::Plain, start, end))
    }

    fn is_at_document_mark(&self) -> bool {
        (self.is_at("---") || self.is_at("...")) && is_blank(self.peek(3))
    }
}

/// A quoted scalar, as far as it is read.
struct Quoted {
    double: bool,
    start: ScanPlace,
    text: String,
    /// The first half of a character, and how long the text was with it.
    half: Option<(u32, usize)>,
    surrogate: bool,
}

impl Quoted {
    /// Two halves are shown as the character that they make up, though in Python they stay halves.
    fn push_half(&mut self, half: u32) {
        self.surrogate = true;
        if let Some((high, length)) = self.half.take()
            && length == self.text.len()
            && (0xDC00..0xE000).contains(&half)
            && let Some(letter) = char::from_u32(0x10000 + ((high - 0xD800) << 10) + (half - 0xDC00))
        {
            self.text.pop();
            self.text.push(letter);
            return;
        }
        self.text.push(char::REPLACEMENT_CHARACTER);
        self.half = (0xD800..0xDC00).contains(&half).then_some((half, self.text.len()));
    }
}

fn scalar(text: String, style: Style, start: ScanPlace, end: usize) -> Token {
    Token { kind: TokenKind::Scalar(Scalar { text, style, surrogate: false }), start, end }
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
