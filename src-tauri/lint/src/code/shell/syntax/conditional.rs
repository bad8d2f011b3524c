//! `[[ … ]]`, which has its own grammar.

use super::{PartKind, Reader};
use skill::source::Span;

impl Reader<'_> {
    /// The rest of `[[ … ]]`.
    pub(super) fn conditional(&mut self, start: usize) {
        // Of the condition that is being read; one in brackets is as good as one word.
        let mut words: Vec<Span> = Vec::new();
        let mut open = 0_usize;
        loop {
            self.skip_blanks();
            let here = Span::new(self.at, self.at + 1);
            match (self.peek(), self.plain_word()) {
                (None, _) => {
                    self.sound = false;
                    break;
                }
                (_, "]]") => {
                    self.at += 2;
                    break;
                }
                (_, "!") if words.is_empty() => self.at += 1,
                (Some(b'\n'), _) => {
                    self.sound &= words.is_empty();
                    self.skip_lines();
                }
                _ if words.last().is_some_and(|last| last.of(self.source) == "=~") => words.push(self.pattern()),
                (Some(b'&' | b'|'), _) => {
                    let is_operator = matches!(self.rest().get(..2), Some("&&" | "||"));
                    self.sound &= is_operator && self.is_condition(&words);
                    self.at += if is_operator { 2 } else { 1 };
                    words.clear();
                }
                (Some(b'('), _) => {
                    self.sound &= words.is_empty();
                    open += 1;
                    self.at += 1;
                }
                (Some(b')'), _) => {
                    self.sound &= open > 0 && self.is_condition(&words);
                    open = open.saturating_sub(1);
                    words = vec![here];
                    self.at += 1;
                }
                (Some(b'<' | b'>'), _) => {
                    words.push(here);
                    self.at += 1;
                }
                _ if self.is_at_word() => words.push(self.word()),
                _ => {
                    self.sound = false;
                    self.step();
                }
            }
        }
        self.sound &= open == 0 && self.is_condition(&words);
        self.found(PartKind::Test, start);
    }

    fn is_condition(&self, words: &[Span]) -> bool {
        let is_unary = |word: &str| word.len() == 2 && word.starts_with('-');
        match words {
            [_] => true,
            [first, _] => is_unary(first.of(self.source)),
            [_, operator, _] => BINARY.contains(&operator.of(self.source)),
            _ => false,
        }
    }

    /// A regular expression; brackets in it are not part of the grammar.
    fn pattern(&mut self) -> Span {
        let start = self.at;
        let mut open = 0_usize;
        while let Some(byte) = self.peek() {
            match byte {
                b' ' | b'\t' if open > 0 => self.at += 1,
                b'\n' | b' ' | b'\t' => break,
                b'(' => {
                    open += 1;
                    self.at += 1;
                }
                b')' if open == 0 => break,
                b')' => {
                    open -= 1;
                    self.at += 1;
                }
                b'|' if open > 0 || !self.rest().starts_with("||") => self.at += 1,
                b'|' | b'&' | b';' | b'<' | b'>' => break,
                b'?' | b'*' | b'+' | b'@' | b'!' => self.at += 1,
                _ => self.piece(),
            }
        }
        self.sound &= open == 0;
        Span::new(start, self.at)
    }
}

const BINARY: [&str; 15] =
    ["=", "==", "!=", "=~", "<", ">", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef"];

#[cfg(test)]
mod tests {
    use super::super::tests::{assert_told, assert_unsound};

    #[test]
    fn a_pattern_and_its_brackets_are_part_of_the_test() {
        assert_told(&[(
            "[[ $A =~ ^(b|c)+$ && -f d ]] && e\n",
            &["[[ $A =~ ^(b|c)+$ && -f d ]] judged", "$A judged", "e judged"],
        )]);
    }

    #[test]
    fn what_is_no_condition_is_not_sound() {
        assert_unsound(&["[[ a b ]]\n", "[[ a\n"]);
    }
}
