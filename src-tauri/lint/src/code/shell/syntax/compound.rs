//! Commands, and those that are made of others: groups, `if`, loops, `case`, functions.

use super::{Around, PartKind, Reader, is_name};
use skill::source::Span;

/// Words that open something.
const COMPOUND: [&str; 10] = ["{", "if", "while", "until", "for", "select", "case", "[[", "function", "coproc"];
/// Words that close, or go on with, something that another word opened.
pub(super) const CLOSING: [&str; 10] = ["then", "elif", "else", "fi", "do", "done", "esac", "}", "]]", "in"];

impl Reader<'_> {
    pub(super) fn command(&mut self) {
        self.inside(|reader| {
            let first = reader.parts.len();
            let word = reader.plain_word();
            reader.sound &= word != "!" && !CLOSING.contains(&word);
            if !reader.compound_command() {
                return reader.simple_command();
            }
            let mut around = Around::default();
            reader.skip_blanks();
            while let Some(more) = reader.io_redirect() {
                around = around.with(more);
                reader.skip_blanks();
            }
            reader.mark(first, around);
        });
    }

    /// What follows a function's name and its brackets.
    pub(super) fn function_body(&mut self, start: usize, name: Span) {
        self.skip_lines();
        let name = name.of(self.source);
        self.sound &= !name.contains(['"', '\'', '$', '`', '\\']);
        self.sound &= self.is_at_compound_command();
        self.under(Around { in_function: true, ..Around::default() }, Self::command);
        self.found(PartKind::Function(name), start);
    }

    /// Anything but a simple command; `false`: it is one.
    fn compound_command(&mut self) -> bool {
        let start = self.at;
        if self.arithmetic() {
            return true;
        }
        if self.take(b'(') {
            self.sound &= self.list(&[]);
            self.close(b')');
            return true;
        }
        let word = self.plain_word();
        if !COMPOUND.contains(&word) {
            return false;
        }
        self.at += word.len();
        match word {
            "{" => self.compound_list("}"),
            "if" => self.if_clause(),
            "while" | "until" => {
                self.sound &= self.list(&["do"]);
                self.do_group();
            }
            "for" | "select" => self.for_clause(start),
            "case" => self.case_clause(),
            "[[" => self.conditional(start),
            "function" => self.function(start),
            _ => self.coprocess(),
        }
        true
    }

    fn is_at_compound_command(&self) -> bool {
        self.peek() == Some(b'(') || COMPOUND.contains(&self.plain_word())
    }

    /// Statements, of which there is one at least, and the word behind them.
    fn compound_list(&mut self, until: &str) {
        self.sound &= self.list(&[until]);
        self.expect(until);
    }

    fn do_group(&mut self) {
        self.expect("do");
        self.compound_list("done");
    }

    fn if_clause(&mut self) {
        loop {
            self.compound_list("then");
            self.sound &= self.list(&["elif", "else", "fi"]);
            if !self.take_word("elif") {
                break;
            }
        }
        if self.take_word("else") {
            self.compound_list("fi");
        } else {
            self.expect("fi");
        }
    }

    fn for_clause(&mut self, start: usize) {
        self.skip_blanks();
        let variable = if self.rest().starts_with("((") {
            self.sound &= self.arithmetic();
            None
        } else {
            let name = self.word().of(self.source);
            self.sound &= is_name(name);
            Some(name)
        };
        self.skip_lines();
        if variable.is_some() && self.take_word("in") {
            self.skip_blanks();
            while self.is_at_word() {
                self.word();
                self.skip_blanks();
            }
            self.sound &= matches!(self.peek(), Some(b';' | b'\n'));
        }
        self.take(b';');
        self.skip_lines();
        // Which no manual tells, and every bash takes.
        if self.take_word("{") {
            self.compound_list("}");
        } else {
            self.do_group();
        }
        self.found(PartKind::Loop(variable), start);
    }

    fn case_clause(&mut self) {
        self.skip_blanks();
        self.sound &= self.is_at_word();
        self.word();
        self.skip_lines();
        self.expect("in");
        loop {
            self.skip_lines();
            if self.plain_word() == "esac" || self.at >= self.end || !self.case_item() {
                break;
            }
        }
        self.expect("esac");
    }

    /// Whether another one may follow.
    fn case_item(&mut self) -> bool {
        let start = self.at;
        self.take(b'(');
        let mut patterns = Vec::new();
        loop {
            self.skip_blanks();
            self.sound &= self.is_at_word();
            patterns.push(self.word());
            self.skip_blanks();
            if !self.take(b'|') {
                break;
            }
        }
        self.close(b')');
        self.list(&["esac"]);
        let end = [";;&", ";;", ";&"].iter().find(|end| self.rest().starts_with(**end));
        self.at += end.map_or(0, |end| end.len());
        self.found(PartKind::Choice(patterns), start);
        end.is_some()
    }

    /// A function that a word says to be one.
    fn function(&mut self, start: usize) {
        self.skip_blanks();
        let name = self.word();
        self.skip_blanks();
        if self.take(b'(') {
            self.skip_blanks();
            self.close(b')');
        }
        self.function_body(start, name);
    }

    /// A coprocess: a command, which has a name only if it is compound.
    fn coprocess(&mut self) {
        self.sound = false;
        self.skip_blanks();
        let (start, name) = (self.at, self.plain_word());
        if is_name(name) {
            self.at += name.len();
            self.skip_blanks();
        }
        if !self.is_at_compound_command() {
            self.at = start;
        }
        self.command();
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{assert_told, assert_unsound};

    #[test]
    fn nested_commands_are_listed_before_or_after_those_around_them() {
        assert_told(&[
            ("f() { a \"$1\"; }\nf\n", &["f()", "a \"$1\" in function", "$1 in function", "f"]),
            (
                "for x in a $B; do c; done; for ((i = 0; i < $N; i++)); do :; done\n",
                &["for x", "$B", "c", "for ((", "$N", ":"],
            ),
            ("for x in a; { b; }\nfor ((;;)) { c; }\n", &["for x", "b", "for ((", "c"]),
            ("case $A in --b | -c) d ;; *) e ;; esac\n", &["$A", "--b|-c)", "d", "*)", "e"]),
        ]);
    }

    #[test]
    fn what_is_not_closed_or_holds_nothing_is_not_sound() {
        assert_unsound(&[
            "if a; then\n",
            "if a; then fi\n",
            "fi\n",
            "{ a\n",
            "for 1 in a; do b; done\n",
            "for x in a do b; done\n",
            "case a in b) c\n",
            "f() a\n",
            "while :; done\n",
        ]);
    }
}
