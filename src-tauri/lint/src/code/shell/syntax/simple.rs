//! Simple commands: a program and its arguments, with assignments before them and redirections among them.

use super::{Around, Part, PartKind, Reader, is_name, name_length};
use skill::source::Span;

/// Commands whose arguments are variables.
const DECLARING: [&str; 6] = ["export", "local", "declare", "readonly", "typeset", "unset"];
/// Longer ones first.
const OPERATORS: [&str; 12] = ["<<<", "<<-", "<<", "<>", "<&", "<", "&>>", "&>", ">>", ">|", ">&", ">"];

impl Reader<'_> {
    pub(super) fn simple_command(&mut self) {
        let (start, first) = (self.at, self.parts.len());
        let (mut words, mut around): (Vec<Span>, _) = (Vec::new(), Around::default());
        // Before the program, or behind one that declares.
        let (mut assigns, mut any) = (true, false);
        loop {
            self.skip_blanks();
            if let Some(more) = self.io_redirect() {
                around = around.with(more);
                any = true;
            } else if assigns && self.assignment() {
                any = true;
            } else if words.len() == 1 && !any && self.take(b'(') {
                self.skip_blanks();
                self.close(b')');
                return self.function_body(start, words[0]);
            } else if self.is_at_word() {
                words.push(self.word());
                assigns &= words.len() > 1 || DECLARING.contains(&words[0].of(self.source));
            } else {
                break;
            }
        }
        self.sound &= (any || !words.is_empty()) && self.peek() != Some(b'(');
        if let Some(last) = words.last().filter(|_| !assigns) {
            let span = Span::new(start, last.end);
            self.parts.push(Part { kind: PartKind::Command(words), span, around });
        }
        self.mark(first, around);
    }

    /// One redirection, if there is one, and what it makes of what it belongs to.
    pub(super) fn io_redirect(&mut self) -> Option<Around> {
        let rest = self.rest();
        let bare = rest.trim_start_matches(|letter: char| letter.is_ascii_digit());
        let operator = OPERATORS.iter().find(|operator| bare.starts_with(**operator))?;
        let is_process = matches!(*operator, "<" | ">") && bare[1..].starts_with('(');
        if is_process || (bare.len() < rest.len() && operator.starts_with('&')) {
            return None;
        }
        let start = self.at;
        self.at += rest.len() - bare.len() + operator.len();
        self.skip_blanks();
        self.sound &= self.is_at_word();
        let target = self.word();
        let text = target.of(self.source);
        let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
        self.sound &= !(is_number && matches!(self.peek(), Some(b'<' | b'>')));
        if matches!(*operator, "<<" | "<<-") {
            self.await_here_document(operator, text);
        }
        self.found(PartKind::Redirect(operator, target), start);
        let (fed, on_terminal) = (operator.starts_with('<'), text.contains("/dev/tty"));
        Some(Around { captured: true, fed, on_terminal, ..Around::default() })
    }

    /// `NAME=value`, `NAME+=(a b)`, `NAME[1]=value`
    fn assignment(&mut self) -> bool {
        let (start, rest) = (self.at, self.rest());
        let mut end = name_length(rest);
        if !is_name(&rest[..end]) {
            return false;
        }
        if rest[end..].starts_with('[') {
            let Some(length) = rest[end..].find([']', '\n']).filter(|at| rest[end + at..].starts_with(']')) else {
                self.sound = false;
                return false;
            };
            end += length + 1;
        }
        let variable = &rest[..end];
        end += usize::from(rest[end..].starts_with('+'));
        if !rest[end..].starts_with('=') {
            return false;
        }
        self.at += end + 1;
        if self.take(b'(') {
            self.skip_lines();
            while self.is_at_word() {
                self.word();
                self.skip_lines();
            }
            self.close(b')');
        } else if self.is_at_word() {
            self.word();
        }
        self.found(PartKind::Assignment(variable), start);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{assert_told, assert_unsound};

    #[test]
    fn assignments_and_redirections_are_listed_with_the_command() {
        assert_told(&[
            ("A=1 b c >d 2>&1 # e\n", &["A= captured", "b c captured", ">d captured", ">&1 captured"]),
            ("export A=b C\nD+=(e \"$F\")\nunset G\n", &["A=", "D=", "$F"]),
            ("read -s a < /dev/tty\n", &["read -s a captured fed on terminal", "</dev/tty captured fed on terminal"]),
        ]);
    }

    #[test]
    fn brackets_without_a_meaning_and_redirections_to_nothing_are_not_sound() {
        assert_unsound(&["a >\n", "a ( b )\n", "x[1\n", "a 2> 2>b\n"]);
    }
}
