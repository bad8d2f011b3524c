//! Directives, anchors and tags.

use super::Dialect;
use super::mark::{END, Mistake, ScanPlace, Stage};
use super::scanner::{Scanner, is_blank, is_line_end, shown};
use super::token::{Directive, Error, Scanned, Token, TokenKind};
use crate::python;

impl Scanner<'_> {
    pub(super) fn scan_directive(&mut self) -> Scanned<Token> {
        let start = self.place();
        let wrong = |scanner: &Self, wanted: &str| {
            let found = shown(scanner.peek(0));
            scanner.mistake("while scanning a directive", start, format!("expected {wanted}, but found {found}"))
        };
        self.forward(1);
        let name = self.take(is_word);
        let ends =
            self.peek(0) == ' ' || is_line_end(self.peek(0)) || (self.dialect.is_libyaml() && self.peek(0) == '\t');
        if name.is_empty() || !ends {
            if self.dialect.is_libyaml() {
                let problem = match name.is_empty() {
                    true => "could not find expected directive name",
                    false => "found unexpected non-alphabetical character",
                };
                return Err(self.mistake("while scanning a directive", start, problem.into()));
            }
            return Err(wrong(self, "alphabetic or numeric character"));
        }
        let directive = match name.as_str() {
            "YAML" => {
                self.take(|letter| letter == ' ');
                let major = self.take(|letter| letter.is_ascii_digit());
                if major.is_empty() {
                    return Err(wrong(self, "a digit"));
                }
                if self.peek(0) != '.' {
                    return Err(wrong(self, "a digit or '.'"));
                }
                self.forward(1);
                let minor = self.take(|letter| letter.is_ascii_digit());
                if minor.is_empty() {
                    return Err(wrong(self, "a digit"));
                }
                if !(self.peek(0) == ' ' || is_line_end(self.peek(0))) {
                    return Err(wrong(self, "a digit or ' '"));
                }
                Directive::Yaml(major, minor)
            }
            "TAG" => {
                self.take(|letter| letter == ' ');
                let handle = self.scan_tag_handle("directive", start)?;
                if self.peek(0) != ' ' {
                    return Err(wrong(self, "' '"));
                }
                self.take(|letter| letter == ' ');
                let prefix = self.scan_tag_uri("directive", start, Uri::Whole)?;
                if !(self.peek(0) == ' ' || is_line_end(self.peek(0))) {
                    return Err(wrong(self, "' '"));
                }
                Directive::Tag { handle, prefix }
            }
            _ if self.dialect.is_libyaml() => {
                let problem = "found unknown directive name".into();
                return Err(self.mistake("while scanning a directive", start, problem));
            }
            _ => {
                self.take(|letter| !is_line_end(letter));
                Directive::Other
            }
        };
        let end = self.index;
        self.skip_spaces_and_comment();
        if !is_line_end(self.peek(0)) {
            return Err(wrong(self, "a comment or a line break"));
        }
        self.scan_line_break();
        Ok(Token { kind: TokenKind::Directive(directive), start, end })
    }

    pub(super) fn scan_anchor(&mut self, indicator: char) -> Scanned<Token> {
        let start = self.place();
        let what = if indicator == '*' { "alias" } else { "anchor" };
        self.forward(1);
        let name = match self.dialect {
            _ if self.strict => self.take(|letter| !is_blank(letter) && !",[]{}".contains(letter)),
            Dialect::Java => self.take(|letter| !is_blank(letter) && !":,[]{}/.*&".contains(letter)),
            Dialect::Python | Dialect::C | Dialect::Go => self.take(is_word),
        };
        let next = self.peek(0);
        let ends = if self.strict { ",[]{}" } else { "?:,]}%@`" };
        if name.is_empty() || !(is_blank(next) || ends.contains(next)) {
            let problem = match self.dialect {
                Dialect::C | Dialect::Go => "did not find expected alphabetic or numeric character".to_owned(),
                Dialect::Python | Dialect::Java => {
                    format!("expected alphabetic or numeric character, but found {}", shown(next))
                }
            };
            return Err(self.mistake(&format!("while scanning an {what}"), start, problem));
        }
        let kind = if indicator == '*' { TokenKind::Alias(name) } else { TokenKind::Anchor(name) };
        Ok(Token { kind, start, end: self.index })
    }

    pub(super) fn scan_tag(&mut self) -> Scanned<Token> {
        let start = self.place();
        let (handle, suffix) = match self.peek(1) {
            '<' => {
                self.forward(2);
                let suffix = self.scan_tag_uri("tag", start, Uri::Whole)?;
                if self.peek(0) != '>' {
                    let problem = match self.dialect {
                        Dialect::C | Dialect::Go => "did not find the expected '>'".to_owned(),
                        Dialect::Python | Dialect::Java => format!("expected '>', but found {}", shown(self.peek(0))),
                    };
                    return Err(self.mistake("while parsing a tag", start, problem));
                }
                self.forward(1);
                (None, suffix)
            }
            next if is_blank(next) => {
                self.forward(1);
                (None, "!".to_owned())
            }
            _ if self.dialect.is_libyaml() => self.scan_tag_of_libyaml(start)?,
            _ => {
                let rest = &self.text()[self.index + 1..];
                let ending = rest.iter().find(|letter| **letter == '!' || **letter == ' ' || is_line_end(**letter));
                let handle = if ending == Some(&'!') {
                    self.scan_tag_handle("tag", start)?
                } else {
                    self.forward(1);
                    "!".to_owned()
                };
                (Some(handle), self.scan_tag_uri("tag", start, Uri::Whole)?)
            }
        };
        let next = self.peek(0);
        let ends = match self.dialect {
            Dialect::Python | Dialect::Java => next == ' ' || is_line_end(next),
            Dialect::C => is_blank(next) || (self.flow_level > 0 && next == ','),
            Dialect::Go => is_blank(next),
        };
        if !ends {
            let problem = match self.dialect {
                Dialect::C | Dialect::Go => "did not find expected whitespace or line break".to_owned(),
                Dialect::Python | Dialect::Java => format!("expected ' ', but found {}", shown(next)),
            };
            return Err(self.mistake("while scanning a tag", start, problem));
        }
        Ok(Token { kind: TokenKind::Tag(handle, suffix), start, end: self.index })
    }

    /// Text that looks like a handle but does not end like one is a part of the tag.
    fn scan_tag_of_libyaml(&mut self, start: ScanPlace) -> Scanned<(Option<String>, String)> {
        self.forward(1);
        let word = self.take(is_word);
        if self.peek(0) == '!' {
            self.forward(1);
            return Ok((Some(format!("!{word}!")), self.scan_tag_uri("tag", start, Uri::Suffix)?));
        }
        let suffix = self.scan_tag_uri("tag", start, Uri::Rest(&word))?;
        Ok(if suffix.is_empty() { (None, "!".to_owned()) } else { (Some("!".to_owned()), suffix) })
    }

    fn scan_tag_handle(&mut self, name: &str, start: ScanPlace) -> Scanned<String> {
        let wrong = |scanner: &Self| {
            let problem = format!("expected '!', but found {}", shown(scanner.peek(0)));
            scanner.mistake(&format!("while scanning a {name}"), start, problem)
        };
        if self.peek(0) != '!' {
            return Err(wrong(self));
        }
        let mut handle = String::from("!");
        self.forward(1);
        if self.peek(0) == ' ' {
            return Ok(handle);
        }
        handle.push_str(&self.take(is_word));
        if self.peek(0) != '!' {
            return Err(wrong(self));
        }
        self.forward(1);
        handle.push('!');
        Ok(handle)
    }

    fn scan_tag_uri(&mut self, name: &str, start: ScanPlace, extent: Uri) -> Scanned<String> {
        let may_be_list = self.dialect != Dialect::C || matches!(extent, Uri::Whole);
        let is_uri = |letter: char| {
            letter.is_ascii_alphanumeric()
                || "-;/?:@&=+$_.!~*'()".contains(letter)
                || (may_be_list && ",[]".contains(letter))
        };
        let mut uri = if let Uri::Rest(head) = extent { head.to_owned() } else { String::new() };
        uri.push_str(&self.take(is_uri));
        while self.peek(0) == '%' {
            uri.push_str(&self.scan_uri_escapes(name, start)?);
            uri.push_str(&self.take(is_uri));
        }
        if uri.is_empty() && !matches!(extent, Uri::Rest(_)) {
            let problem = match self.dialect {
                Dialect::C | Dialect::Go => "did not find expected tag URI".to_owned(),
                Dialect::Python | Dialect::Java => format!("expected URI, but found {}", shown(self.peek(0))),
            };
            return Err(self.mistake(&format!("while parsing a {name}"), start, problem));
        }
        Ok(uri)
    }

    fn scan_uri_escapes(&mut self, name: &str, start: ScanPlace) -> Scanned<String> {
        if self.dialect.is_libyaml() {
            return self.scan_uri_escapes_of_libyaml(name, start);
        }
        let at = self.place();
        let context = format!("while scanning a {name}");
        let mut bytes = Vec::new();
        while self.peek(0) == '%' {
            self.forward(1);
            let digits = [0, 1].map(|place| self.peek(place));
            let [Some(high), Some(low)] = digits.map(|digit| digit.to_digit(16)) else {
                let wrong = digits.into_iter().find(|digit| !digit.is_ascii_hexdigit()).unwrap_or(END);
                let problem =
                    format!("expected URI escape sequence of 2 hexadecimal numbers, but found {}", shown(wrong));
                return Err(self.mistake(&context, start, problem));
            };
            bytes.push(u8::try_from(high * 16 + low).expect("two digits make a byte"));
            self.forward(2);
        }
        python::decode(&bytes).map(str::to_owned).map_err(|problem| {
            let context = Some((context, Some(start)));
            Error::Mistake(Mistake { stage: Stage::Scanner, context, problem, at })
        })
    }
}

impl Scanner<'_> {
    /// The escapes of one character.
    fn scan_uri_escapes_of_libyaml(&mut self, name: &str, start: ScanPlace) -> Scanned<String> {
        let context = format!("while parsing a {name}");
        let mut bytes = Vec::new();
        let mut width = 1;
        while bytes.len() < width {
            let digits = [1, 2].map(|place| self.peek(place).to_digit(16));
            let ('%', [Some(high), Some(low)]) = (self.peek(0), digits) else {
                return Err(self.mistake(&context, start, "did not find URI escaped octet".into()));
            };
            let byte = u8::try_from(high * 16 + low).expect("two digits make a byte");
            let problem = match (bytes.is_empty(), byte) {
                (true, 0x00..=0x7F) => None,
                (true, 0xC0..=0xDF) => {
                    width = 2;
                    None
                }
                (true, 0xE0..=0xEF) => {
                    width = 3;
                    None
                }
                (true, 0xF0..=0xF7) => {
                    width = 4;
                    None
                }
                (true, _) => Some("found an incorrect leading UTF-8 octet"),
                (false, 0x80..=0xBF) => None,
                (false, _) => Some("found an incorrect trailing UTF-8 octet"),
            };
            if let Some(problem) = problem {
                return Err(self.mistake(&context, start, problem.into()));
            }
            bytes.push(byte);
            self.forward(3);
        }
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// How much of a tag an address is.
#[derive(Clone, Copy)]
enum Uri<'a> {
    /// All of it, or a prefix.
    Whole,
    /// What follows the handle.
    Suffix,
    /// The text after a word that is not a handle. There may be nothing.
    Rest(&'a str),
}

fn is_word(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_')
}
