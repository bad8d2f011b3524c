//! Lists of pipelines.

use super::compound::CLOSING;
use super::{Around, Reader};

impl Reader<'_> {
    /// Statements up to one of these words, a bracket that closes, `;;` or the end; whether there was any.
    pub(super) fn list(&mut self, until: &[&str]) -> bool {
        let mut any = false;
        loop {
            self.skip_lines();
            match self.peek() {
                None | Some(b')') => return any,
                Some(b';') if self.is_at_end_of_choice() => return any,
                Some(b';' | b'&' | b'|') => {
                    self.sound = false;
                    self.at += 1;
                    continue;
                }
                Some(_) => {}
            }
            let word = self.plain_word();
            if until.contains(&word) {
                return any;
            }
            if CLOSING.contains(&word) {
                self.sound = false;
                self.at += word.len();
                continue;
            }
            let start = self.at;
            self.and_or();
            any = true;
            self.skip_blanks();
            match self.peek() {
                Some(b';') if !self.is_at_end_of_choice() => self.at += 1,
                Some(b'&') => self.at += 1,
                None | Some(b'\n' | b')' | b';' | b'#') => {}
                Some(_) => self.sound = false,
            }
            if self.at == start {
                self.sound = false;
                self.step();
            }
        }
    }

    fn is_at_end_of_choice(&self) -> bool {
        self.rest().starts_with(";;") || self.rest().starts_with(";&")
    }

    fn and_or(&mut self) {
        let first = self.parts.len();
        self.pipeline();
        let mut judged = false;
        loop {
            self.skip_blanks();
            if !self.rest().starts_with("&&") && !self.rest().starts_with("||") {
                break;
            }
            self.at += 2;
            self.skip_lines();
            self.pipeline();
            judged = true;
        }
        self.mark(first, Around { judged, ..Around::default() });
    }

    fn pipeline(&mut self) {
        let first = self.parts.len();
        let (mut judged, mut captured) = (false, false);
        loop {
            let word = self.plain_word();
            match word {
                "!" => judged = true,
                "time" => {}
                _ => break,
            }
            self.at += word.len();
            self.skip_blanks();
        }
        self.command();
        loop {
            self.skip_blanks();
            if self.peek() != Some(b'|') || self.rest().starts_with("||") {
                break;
            }
            self.at += if self.rest().starts_with("|&") { 2 } else { 1 };
            self.skip_lines();
            self.under(Around { fed: true, ..Around::default() }, Self::command);
            captured = true;
        }
        self.mark(first, Around { judged, captured, ..Around::default() });
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{assert_told, assert_unsound};

    #[test]
    fn pipes_feed_and_both_sides_of_an_operator_are_judged() {
        assert_told(&[(
            "a | b < c || ! d\n",
            &["a judged captured", "b judged captured fed", "<c judged captured fed", "d judged"],
        )]);
    }

    #[test]
    fn a_list_without_a_command_is_not_sound() {
        assert_unsound(&["a)\n", "a |\n", "&& a\n", "a; ; b\n", "a && then b\n", "a | ! b\n"]);
    }
}
