//! Words: letters, quotes, and what is put in place of something.

use super::{Around, PartKind, Reader, name_length};
use skill::source::Span;

impl Reader<'_> {
    /// Up to a byte that ends a word outside of quotes.
    pub(super) fn word(&mut self) -> Span {
        let start = self.at;
        while self.is_at_word() {
            self.piece();
        }
        let span = Span::new(start, self.at);
        self.words.push(span);
        span
    }

    /// Whether a word begins or continues here.
    pub(super) fn is_at_word(&self) -> bool {
        match self.peek() {
            None | Some(b' ' | b'\t' | b'\r' | b'\n' | b';' | b'&' | b'|' | b'(' | b')') => false,
            Some(b'<' | b'>') => self.is_before_bracket(),
            Some(b'\\') => !self.rest().starts_with("\\\n"),
            Some(_) => true,
        }
    }

    /// A letter, or what is quoted or replaced as one.
    pub(super) fn piece(&mut self) {
        match self.peek() {
            Some(b'\'') => self.single_quoted(),
            Some(b'"') => self.double_quoted(),
            Some(b'$') => self.dollar(Within::Bare),
            Some(b'<' | b'>') if self.is_before_bracket() => {
                self.at += 1;
                self.substitution();
            }
            Some(b'?' | b'*' | b'+' | b'@' | b'!') if self.is_before_bracket() => {
                // More of a pattern than bash takes unasked.
                self.sound = false;
                let close = self.balanced(self.at + 1);
                self.at = close.map_or(self.end, |close| close + 1);
            }
            _ => self.letter_of_text(),
        }
    }

    /// Text in which variables and commands are replaced, and quotes are letters, to the end.
    pub(super) fn text(&mut self) {
        while self.at < self.end {
            self.letter_of_text();
        }
    }

    /// `((…))`; `false`, and nothing read: there is none.
    pub(super) fn arithmetic(&mut self) -> bool {
        if !self.rest().starts_with("((") {
            return false;
        }
        let start = self.at + 2;
        let Some(close) = self.balanced(self.at) else { return false };
        if self.bytes[close - 1] != b')' || self.balanced(self.at + 1) != Some(close - 1) {
            return false;
        }
        self.within(start, close - 1, Self::text);
        self.at = close + 1;
        true
    }

    /// A letter in a text where quotes are plain letters, or an expansion.
    fn letter_of_text(&mut self) {
        match self.peek() {
            Some(b'\\') => {
                self.at += 1;
                self.step();
            }
            Some(b'$') => self.dollar(Within::Text),
            Some(b'`') => self.backquoted(),
            _ => self.step(),
        }
    }

    /// `'…'`
    fn single_quoted(&mut self) {
        self.at += 1;
        self.at += self.rest().find('\'').unwrap_or(self.rest().len());
        self.close(b'\'');
    }

    /// `"…"`
    fn double_quoted(&mut self) {
        self.at += 1;
        self.up_to(b'"', Self::letter_of_text);
    }

    /// The rest of `$'…'`, in which a backslash escapes.
    fn dollar_quoted(&mut self) {
        self.at += 1;
        self.up_to(b'\'', |reader| {
            let length = if reader.peek() == Some(b'\\') { 2 } else { 1 };
            reader.at = (reader.at + length).min(reader.end);
        });
    }

    fn dollar(&mut self, place: Within) {
        let start = self.at;
        self.at += 1;
        match self.peek() {
            Some(b'(') => {
                if !self.arithmetic() {
                    self.substitution();
                }
                return;
            }
            Some(b'\'') if place == Within::Bare => return self.dollar_quoted(),
            Some(b'{') => self.parameter(place),
            Some(b'0'..=b'9' | b'@' | b'*' | b'#' | b'?' | b'$' | b'!' | b'-') => self.at += 1,
            _ => {
                let length = name_length(self.rest());
                if length == 0 {
                    return;
                }
                self.at += length;
            }
        }
        self.found(PartKind::Expansion, start);
    }

    /// The rest of `${…}`.
    fn parameter(&mut self, place: Within) {
        self.at += 1;
        self.inside(|reader| {
            reader.up_to(b'}', |reader| match (reader.peek(), place) {
                // Whether it is a quote depends on the operator.
                (Some(b'\''), Within::Text) => {
                    reader.sound = false;
                    reader.at += 1;
                }
                (Some(b'\''), Within::Bare) => reader.single_quoted(),
                (Some(b'"'), _) => reader.double_quoted(),
                _ => reader.letter_of_text(),
            });
        });
    }

    /// `(…)` of which the output, or a file with it, is taken.
    fn substitution(&mut self) {
        self.inside(|reader| {
            reader.at += 1;
            reader.captured();
            reader.close(b')');
        });
    }

    fn backquoted(&mut self) {
        let start = self.at + 1;
        let mut close = start;
        while close < self.end && self.bytes[close] != b'`' {
            // Its escapes are taken away before it is read.
            self.sound &= self.bytes[close] != b'\\';
            close += if self.bytes[close] == b'\\' { 2 } else { 1 };
        }
        self.sound &= close < self.end;
        let close = close.min(self.end);
        self.within(start, close, |reader| {
            reader.captured();
            reader.sound &= reader.at == reader.end;
        });
        self.at = (close + 1).min(self.end);
    }

    /// Statements of which the output is taken.
    fn captured(&mut self) {
        let around = Around { captured: true, ..Around::default() };
        self.under(around, |reader| {
            reader.list(&[]);
        });
    }

    fn is_before_bracket(&self) -> bool {
        self.rest().as_bytes().get(1) == Some(&b'(')
    }

    /// Where the bracket that opens here is closed.
    fn balanced(&self, from: usize) -> Option<usize> {
        let mut open = 0_usize;
        let mut at = from;
        while at < self.end {
            match self.bytes[at] {
                b'(' => open += 1,
                b')' if open <= 1 => return Some(at),
                b')' => open -= 1,
                b'\\' => at += 1,
                _ => {}
            }
            at += 1;
        }
        None
    }
}

/// Where something is replaced.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Within {
    /// In a word, which may have quotes.
    Bare,
    /// In a text, in which single quotes are letters.
    Text,
}

#[cfg(test)]
mod tests {
    use super::super::tests::{assert_told, assert_unsound};

    #[test]
    fn code_inside_of_words_is_listed_like_any_other() {
        assert_told(&[
            (
                "a \"b $(c ${D:-e}) `f`\"\n",
                &["a \"b $(c ${D:-e}) `f`\"", "c ${D:-e} captured", "${D:-e} captured", "f captured"],
            ),
            ("echo $((A + $B)) <(c)\n", &["echo $((A + $B)) <(c)", "$B", "c captured"]),
            ("a '$B' $'\\'$C' \"$'$D\"\n", &["a '$B' $'\\'$C' \"$'$D\"", "$D"]),
        ]);
    }

    #[test]
    fn what_is_not_closed_is_not_sound() {
        assert_unsound(&["a 'b\n", "a \"b\n", "a $'b\n", "${a\n", "$(a\n", "`a\n"]);
    }
}
