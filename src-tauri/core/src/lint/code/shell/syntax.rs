//! What a shell script is made of: its commands, assignments, loops, expansions, each with what is around it. Read once
//! from left to right, in the shell's own order, so that code inside of quotes and here-documents is code too. It goes on
//! past what it does not understand; whether there was any of that it tells as [`Parts::sound`].

use crate::source::Span;

/// Everything found in a script, by place.
pub struct Parts<'a> {
    pub parts: Vec<Part<'a>>,
    /// All words, also those inside of others.
    pub words: Vec<Span>,
    /// Any bash takes the script. Where this is false, it may yet.
    pub sound: bool,
}

pub struct Part<'a> {
    pub kind: Kind<'a>,
    pub span: Span,
    pub around: Around,
}

pub enum Kind<'a> {
    /// A program's name and its arguments, without assignments and redirections.
    Command(Vec<Span>),
    /// The variable.
    Assignment(&'a str),
    /// `for` and `select` with their variable; none where `for` counts.
    Loop(Option<&'a str>),
    /// Its name.
    Function(&'a str),
    /// `$NAME`, `${NAME…}`
    Expansion,
    /// One of the choices of `case`, with its patterns.
    Choice(Vec<Span>),
    /// The operator, and where it leads.
    Redirect(&'a str, Span),
    /// `[[ … ]]`
    Test,
}

/// What is around a part, at any distance.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Around {
    /// `&&`, `||` or `!`: something looks at the result.
    pub judged: bool,
    /// A pipe, a redirection or `$(…)`: the output goes elsewhere.
    pub captured: bool,
    /// The standard input comes from a pipe, a file or a text.
    pub fed: bool,
    pub in_function: bool,
    /// Its own redirection names the terminal.
    pub on_terminal: bool,
}

impl Around {
    fn with(self, more: Self) -> Self {
        Self {
            judged: self.judged || more.judged,
            captured: self.captured || more.captured,
            fed: self.fed || more.fed,
            in_function: self.in_function || more.in_function,
            on_terminal: self.on_terminal || more.on_terminal,
        }
    }
}

pub fn parts(source: &str) -> Parts<'_> {
    let mut reader = Reader {
        source,
        bytes: source.as_bytes(),
        at: 0,
        end: source.len(),
        depth: 0,
        awaited: Vec::new(),
        parts: Vec::new(),
        words: Vec::new(),
        sound: !source.contains('\0'),
    };
    loop {
        reader.list(&[]);
        if reader.at >= reader.end {
            break;
        }
        // What closes something that nothing opened.
        reader.sound = false;
        reader.at += 1;
    }
    reader.sound &= reader.awaited.is_empty();
    reader.parts.sort_by_key(|part| part.span.start);
    Parts { parts: reader.parts, words: reader.words, sound: reader.sound }
}

/// What may lie in what, at most. Deeper code is passed over.
const DEPTH_LIMIT: usize = 60;

struct Reader<'a> {
    source: &'a str,
    bytes: &'a [u8],
    at: usize,
    /// Of the text that is being read: the script's, or that of a piece of it.
    end: usize,
    depth: usize,
    /// Here-documents that begin at the next line.
    awaited: Vec<HereDocument>,
    parts: Vec<Part<'a>>,
    words: Vec<Span>,
    sound: bool,
}

struct HereDocument {
    until: String,
    /// Tabs before its lines do not count.
    indented: bool,
    /// Variables in it are replaced.
    expands: bool,
}

/// Words that close, or go on with, something that another word opened.
const CLOSING: [&str; 10] = ["then", "elif", "else", "fi", "do", "done", "esac", "}", "]]", "in"];
/// Commands whose arguments are variables.
const DECLARING: [&str; 6] = ["export", "local", "declare", "readonly", "typeset", "unset"];

impl<'a> Reader<'a> {
    /// Statements up to one of these words, a bracket that closes, `;;` or the end; whether there was any.
    fn list(&mut self, until: &[&str]) -> bool {
        let mut any = false;
        loop {
            self.skip_lines();
            match self.peek() {
                None | Some(b')') => return any,
                Some(b';') if self.rest().starts_with(";;") || self.rest().starts_with(";&") => return any,
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
                Some(b';') if !self.rest().starts_with(";;") && !self.rest().starts_with(";&") => self.at += 1,
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
            match self.plain_word() {
                "!" => judged = true,
                "time" => {}
                _ => break,
            }
            self.at += self.plain_word().len();
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
            let next = self.parts.len();
            self.command();
            self.mark(next, Around { fed: true, ..Around::default() });
            captured = true;
        }
        self.mark(first, Around { judged, captured, ..Around::default() });
    }

    fn command(&mut self) {
        if self.depth >= DEPTH_LIMIT {
            self.sound = false;
            self.at = self.end;
            return;
        }
        self.depth += 1;
        let first = self.parts.len();
        let word = self.plain_word();
        self.sound &= word != "!" && !CLOSING.contains(&word);
        if self.compound() {
            let mut around = Around::default();
            self.skip_blanks();
            while let Some(more) = self.redirect() {
                around = around.with(more);
                self.skip_blanks();
            }
            self.mark(first, around);
        } else {
            self.simple();
        }
        self.depth -= 1;
    }

    /// Anything but a simple command; `false`: it is one.
    fn compound(&mut self) -> bool {
        let start = self.at;
        if self.rest().starts_with("((") && self.arithmetic() {
            return true;
        }
        if self.peek() == Some(b'(') {
            self.at += 1;
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
            "{" => {
                self.sound &= self.list(&["}"]);
                self.expect("}");
            }
            "if" => self.choice(),
            "while" | "until" => {
                self.sound &= self.list(&["do"]);
                self.body();
            }
            "for" | "select" => self.each(start),
            "case" => self.case(),
            "[[" => self.test(start),
            "function" => {
                self.skip_blanks();
                let name = self.word();
                self.skip_blanks();
                if self.peek() == Some(b'(') {
                    self.at += 1;
                    self.skip_blanks();
                    self.close(b')');
                }
                self.function(start, name);
            }
            _ => self.beside(),
        }
        true
    }

    /// What runs beside the script: a command, which has a name of its own only where it is compound.
    fn beside(&mut self) {
        self.sound = false;
        self.skip_blanks();
        let (start, name) = (self.at, self.plain_word());
        if is_name(name) {
            self.at += name.len();
            self.skip_blanks();
        }
        if !self.is_at_compound() {
            self.at = start;
        }
        self.command();
    }

    fn choice(&mut self) {
        self.sound &= self.list(&["then"]);
        self.expect("then");
        self.sound &= self.list(&["elif", "else", "fi"]);
        while self.plain_word() == "elif" {
            self.at += "elif".len();
            self.sound &= self.list(&["then"]);
            self.expect("then");
            self.sound &= self.list(&["elif", "else", "fi"]);
        }
        if self.plain_word() == "else" {
            self.at += "else".len();
            self.sound &= self.list(&["fi"]);
        }
        self.expect("fi");
    }

    /// `do … done`
    fn body(&mut self) {
        self.expect("do");
        self.sound &= self.list(&["done"]);
        self.expect("done");
    }

    fn each(&mut self, start: usize) {
        self.skip_blanks();
        let variable = if self.rest().starts_with("((") {
            self.sound &= self.arithmetic();
            None
        } else {
            let name = self.word();
            self.sound &= is_name(name.of(self.source));
            Some(name.of(self.source))
        };
        self.skip_lines();
        if self.plain_word() == "in" && variable.is_some() {
            self.at += "in".len();
            self.skip_blanks();
            while self.is_at_word() {
                self.word();
                self.skip_blanks();
            }
            self.sound &= matches!(self.peek(), Some(b';' | b'\n'));
        }
        if self.peek() == Some(b';') {
            self.at += 1;
        }
        self.skip_lines();
        self.body();
        self.parts.push(self.part(Kind::Loop(variable), start));
    }

    fn case(&mut self) {
        self.skip_blanks();
        self.sound &= self.is_at_word();
        self.word();
        self.skip_lines();
        self.expect("in");
        loop {
            self.skip_lines();
            if self.plain_word() == "esac" || self.at >= self.end {
                break;
            }
            let start = self.at;
            if self.peek() == Some(b'(') {
                self.at += 1;
            }
            let mut patterns = Vec::new();
            loop {
                self.skip_blanks();
                self.sound &= self.is_at_word();
                patterns.push(self.word());
                self.skip_blanks();
                if self.peek() != Some(b'|') {
                    break;
                }
                self.at += 1;
            }
            self.close(b')');
            self.list(&["esac"]);
            let ends = [";;&", ";;", ";&"].iter().find(|end| self.rest().starts_with(**end));
            self.at += ends.map_or(0, |end| end.len());
            self.parts.push(self.part(Kind::Choice(patterns), start));
            if ends.is_none() {
                break;
            }
        }
        self.expect("esac");
    }

    /// The rest of `[[ … ]]`.
    fn test(&mut self, start: usize) {
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
        self.parts.push(self.part(Kind::Test, start));
    }

    fn is_condition(&self, words: &[Span]) -> bool {
        let is_unary = |word: &str| word.len() == 2 && word.starts_with('-');
        let is_binary = |word: &str| {
            ["=", "==", "!=", "=~", "<", ">", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef"]
                .contains(&word)
        };
        match words {
            [_] => true,
            [first, _] => is_unary(first.of(self.source)),
            [_, operator, _] => is_binary(operator.of(self.source)),
            _ => false,
        }
    }

    /// A regular expression, in which brackets are no grammar.
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

    /// What follows a function's name and its brackets.
    fn function(&mut self, start: usize, name: Span) {
        self.skip_lines();
        let first = self.parts.len();
        let name = name.of(self.source);
        self.sound &= !name.contains(['"', '\'', '$', '`', '\\']);
        self.sound &= self.is_at_compound();
        self.command();
        self.mark(first, Around { in_function: true, ..Around::default() });
        self.parts.push(self.part(Kind::Function(name), start));
    }

    fn is_at_compound(&self) -> bool {
        self.peek() == Some(b'(') || COMPOUND.contains(&self.plain_word())
    }

    fn simple(&mut self) {
        let (start, first) = (self.at, self.parts.len());
        let (mut words, mut around): (Vec<Span>, _) = (Vec::new(), Around::default());
        // Before the program, or behind one that declares.
        let (mut assigns, mut any) = (true, false);
        loop {
            self.skip_blanks();
            if let Some(more) = self.redirect() {
                around = around.with(more);
                any = true;
            } else if assigns && self.assignment() {
                any = true;
            } else if self.peek() == Some(b'(') && words.len() == 1 && !any {
                self.at += 1;
                self.skip_blanks();
                self.close(b')');
                return self.function(start, words[0]);
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
            self.parts.push(Part { kind: Kind::Command(words), span, around });
        }
        self.mark(first, around);
    }

    /// `NAME=value`, `NAME+=(a b)`, `NAME[1]=value`
    fn assignment(&mut self) -> bool {
        let (start, rest) = (self.at, self.rest());
        let name = rest.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').unwrap_or(rest.len());
        if !is_name(&rest[..name]) {
            return false;
        }
        let mut end = name;
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
        if self.peek() == Some(b'(') {
            self.at += 1;
            self.skip_lines();
            while self.is_at_word() {
                self.word();
                self.skip_lines();
            }
            self.close(b')');
        } else if self.is_at_word() {
            self.word();
        }
        self.parts.push(self.part(Kind::Assignment(variable), start));
        true
    }

    /// One redirection, if there is one, and what it makes of what it belongs to.
    fn redirect(&mut self) -> Option<Around> {
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
            self.awaited.push(HereDocument {
                until: text.chars().filter(|letter| !matches!(letter, '"' | '\'' | '\\')).collect(),
                indented: *operator == "<<-",
                expands: !text.contains(['"', '\'', '\\']),
            });
        }
        self.parts.push(self.part(Kind::Redirect(operator, target), start));
        let (fed, on_terminal) = (operator.starts_with('<'), text.contains("/dev/tty"));
        Some(Around { captured: true, fed, on_terminal, ..Around::default() })
    }

    /// Up to a byte that ends a word outside of quotes.
    fn word(&mut self) -> Span {
        let start = self.at;
        while self.is_at_word() {
            self.piece();
        }
        let span = Span::new(start, self.at);
        self.words.push(span);
        span
    }

    /// Whether a word begins, or goes on, here.
    fn is_at_word(&self) -> bool {
        match self.peek() {
            None | Some(b' ' | b'\t' | b'\r' | b'\n' | b';' | b'&' | b'|' | b'(' | b')') => false,
            Some(b'<' | b'>') => self.rest()[1..].starts_with('('),
            Some(b'\\') => !self.rest().starts_with("\\\n"),
            Some(_) => true,
        }
    }

    /// A letter, or what is quoted or replaced as one.
    fn piece(&mut self) {
        match self.peek() {
            Some(b'\\') => self.escaped(),
            Some(b'\'') => self.quoted(1),
            Some(b'"') => self.text(),
            Some(b'$') => self.dollar(false),
            Some(b'`') => self.backquoted(),
            Some(b'<' | b'>') if self.rest()[1..].starts_with('(') => {
                self.at += 1;
                self.substitution();
            }
            Some(b'?' | b'*' | b'+' | b'@' | b'!') if self.rest()[1..].starts_with('(') => {
                // More of a pattern than bash takes unasked.
                self.sound = false;
                let close = self.balanced(self.at + 1);
                self.at = close.map_or(self.end, |close| close + 1);
            }
            _ => self.step(),
        }
    }

    fn escaped(&mut self) {
        self.at += 1;
        self.step();
    }

    /// One letter on.
    fn step(&mut self) {
        self.at = self.source.ceil_char_boundary((self.at + 1).min(self.end));
    }

    /// `'…'`, and `$'…'`, in which a backslash escapes; without what is before the first quote.
    fn quoted(&mut self, before: usize) {
        let escapes = before > 1;
        self.at += before;
        while let Some(byte) = self.peek() {
            self.at += 1;
            match byte {
                b'\'' => return,
                b'\\' if escapes => self.at = (self.at + 1).min(self.end),
                _ => {}
            }
        }
        self.sound = false;
    }

    /// `"…"`
    fn text(&mut self) {
        self.at += 1;
        loop {
            match self.peek() {
                None => {
                    self.sound = false;
                    return;
                }
                Some(b'"') => {
                    self.at += 1;
                    return;
                }
                Some(_) => self.letter_of_text(),
            }
        }
    }

    /// A letter where quotes are none, or what stands for it.
    fn letter_of_text(&mut self) {
        match self.peek() {
            Some(b'\\') => self.escaped(),
            Some(b'$') => self.dollar(true),
            Some(b'`') => self.backquoted(),
            _ => self.step(),
        }
    }

    fn dollar(&mut self, in_text: bool) {
        let start = self.at;
        let rest = &self.rest()[1..];
        if rest.starts_with("((") {
            self.at += 1;
            if self.arithmetic() {
                return;
            }
            self.substitution();
        } else if rest.starts_with('(') {
            self.at += 1;
            self.substitution();
        } else if rest.starts_with('{') {
            self.at += 2;
            self.parameter(in_text);
            self.parts.push(self.part(Kind::Expansion, start));
        } else if rest.starts_with('\'') && !in_text {
            self.quoted(2);
        } else {
            let name = rest.len()
                - rest.trim_start_matches(|letter: char| letter.is_ascii_alphanumeric() || letter == '_').len();
            let length = match rest.bytes().next() {
                Some(b'0'..=b'9' | b'@' | b'*' | b'#' | b'?' | b'$' | b'!' | b'-') => 1,
                _ => name,
            };
            self.at += 1 + length;
            if length > 0 {
                self.parts.push(self.part(Kind::Expansion, start));
            }
        }
    }

    /// The rest of `${…}`.
    fn parameter(&mut self, in_text: bool) {
        if self.depth >= DEPTH_LIMIT {
            self.sound = false;
            self.at = self.end;
            return;
        }
        self.depth += 1;
        loop {
            match self.peek() {
                None => {
                    self.sound = false;
                    break;
                }
                Some(b'}') => {
                    self.at += 1;
                    break;
                }
                // Whether it is a quote depends on the operator.
                Some(b'\'') if in_text => {
                    self.sound = false;
                    self.at += 1;
                }
                Some(b'\'') => self.quoted(1),
                Some(b'"') => self.text(),
                Some(_) => self.letter_of_text(),
            }
        }
        self.depth -= 1;
    }

    /// `(…)` of which the output, or a file with it, is taken.
    fn substitution(&mut self) {
        if self.depth >= DEPTH_LIMIT {
            self.sound = false;
            self.at = self.end;
            return;
        }
        self.depth += 1;
        let first = self.parts.len();
        self.at += 1;
        self.list(&[]);
        self.close(b')');
        self.mark(first, Around { captured: true, ..Around::default() });
        self.depth -= 1;
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
        let first = self.parts.len();
        self.within(start, close, |reader| {
            reader.list(&[]);
            reader.sound &= reader.at == reader.end;
        });
        self.mark(first, Around { captured: true, ..Around::default() });
        self.at = (close + 1).min(self.end);
    }

    /// `((…))`; `false`, and nothing read: it does not end as one.
    fn arithmetic(&mut self) -> bool {
        let start = self.at + 2;
        let Some(close) = self.balanced(self.at) else { return false };
        if self.bytes[close - 1] != b')' || self.balanced(self.at + 1) != Some(close - 1) {
            return false;
        }
        self.within(start, close - 1, |reader| {
            while reader.at < reader.end {
                reader.letter_of_text();
            }
        });
        self.at = close + 1;
        true
    }

    /// Where the bracket is closed that opens here.
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

    /// Reads a piece of the text by itself, up to its end.
    fn within(&mut self, start: usize, end: usize, read: impl FnOnce(&mut Self)) {
        if self.depth >= DEPTH_LIMIT {
            self.sound = false;
            self.at = end;
            return;
        }
        self.depth += 1;
        let outer = std::mem::replace(&mut self.end, end);
        self.at = start;
        read(self);
        self.at = end;
        self.end = outer;
        self.depth -= 1;
    }

    /// Spaces, and lines that go on in the next one.
    fn skip_blanks(&mut self) {
        loop {
            match self.peek() {
                Some(b' ' | b'\t') => self.at += 1,
                Some(b'\r') => {
                    self.sound &= self.rest().starts_with("\r\n") || self.rest() == "\r";
                    self.at += 1;
                }
                Some(b'\\') if self.rest().starts_with("\\\n") => self.at += 2,
                Some(b'#') => {
                    let rest = self.rest();
                    self.at += rest.find('\n').unwrap_or(rest.len());
                    return;
                }
                _ => return,
            }
        }
    }

    /// The same, and line ends.
    fn skip_lines(&mut self) {
        loop {
            self.skip_blanks();
            if self.peek() != Some(b'\n') {
                return;
            }
            self.at += 1;
            for document in std::mem::take(&mut self.awaited) {
                self.here_document(&document);
            }
        }
    }

    fn here_document(&mut self, document: &HereDocument) {
        let start = self.at;
        let mut at = start;
        while at < self.end {
            let rest = &self.source[at..self.end];
            let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
            let next = (at + line.len() + 1).min(self.end);
            let line = line.trim_end_matches('\r');
            let line = if document.indented { line.trim_start_matches('\t') } else { line };
            if line == document.until {
                self.within(start, at, |reader| {
                    while document.expands && reader.at < reader.end {
                        reader.letter_of_text();
                    }
                });
                self.at = next;
                return;
            }
            at = next;
        }
        self.sound = false;
        self.at = self.end;
    }

    /// The word here, if it is made of nothing but letters that mean themselves.
    fn plain_word(&self) -> &'a str {
        let rest = self.rest();
        let ends = |letter: char| matches!(letter, ' ' | '\t' | '\r' | '\n' | ';' | '&' | '|' | '(' | ')' | '<' | '>');
        let word = &rest[..rest.find(ends).unwrap_or(rest.len())];
        if word.len() > LONGEST { "" } else { word }
    }

    fn expect(&mut self, word: &str) {
        self.skip_lines();
        if self.plain_word() == word {
            self.at += word.len();
        } else {
            self.sound = false;
        }
    }

    fn close(&mut self, bracket: u8) {
        if self.peek() == Some(bracket) {
            self.at += 1;
        } else {
            self.sound = false;
        }
    }

    fn mark(&mut self, first: usize, more: Around) {
        for part in &mut self.parts[first..] {
            part.around = part.around.with(more);
        }
    }

    fn part(&self, kind: Kind<'a>, start: usize) -> Part<'a> {
        Part { kind, span: Span::new(start, self.at), around: Around::default() }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes[..self.end].get(self.at).copied()
    }

    fn rest(&self) -> &'a str {
        &self.source[self.at..self.end]
    }
}

/// Words that open something.
const COMPOUND: [&str; 10] = ["{", "if", "while", "until", "for", "select", "case", "[[", "function", "coproc"];
/// Of the words of the grammar.
const LONGEST: usize = 8;
/// Longer ones first.
const OPERATORS: [&str; 12] = ["<<<", "<<-", "<<", "<>", "<&", "<", "&>>", "&>", ">>", ">|", ">&", ">"];

fn is_name(word: &str) -> bool {
    word.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '_')
        && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each part in a line, with what is around it.
    fn told(source: &str) -> Vec<String> {
        let of = |span: &Span| span.of(source);
        let told = |part: &Part<'_>| {
            let what = match &part.kind {
                Kind::Command(words) => words.iter().map(of).collect::<Vec<_>>().join(" "),
                Kind::Assignment(variable) => format!("{variable}="),
                Kind::Loop(variable) => format!("for {}", variable.unwrap_or("((")),
                Kind::Function(name) => format!("{name}()"),
                Kind::Expansion => of(&part.span).to_owned(),
                Kind::Choice(patterns) => patterns.iter().map(of).collect::<Vec<_>>().join("|") + ")",
                Kind::Redirect(operator, target) => format!("{operator}{}", of(target)),
                Kind::Test => of(&part.span).to_owned(),
            };
            let around = part.around;
            let marks = [
                (around.judged, " judged"),
                (around.captured, " captured"),
                (around.fed, " fed"),
                (around.in_function, " in function"),
                (around.on_terminal, " on terminal"),
            ];
            what + &marks.iter().filter(|(is, _)| *is).map(|(_, mark)| *mark).collect::<String>()
        };
        parts(source).parts.iter().map(told).collect()
    }

    #[test]
    fn parts_are_told_by_place_with_what_is_around_them() {
        let cases: [(&str, &[&str]); 12] = [
            ("A=1 b c >d 2>&1 # e\n", &["A= captured", "b c captured", ">d captured", ">&1 captured"]),
            (
                "a | b < c || ! d\n",
                &["a judged captured", "b judged captured fed", "<c judged captured fed", "d judged"],
            ),
            ("f() { a \"$1\"; }\nf\n", &["f()", "a \"$1\" in function", "$1 in function", "f"]),
            (
                "a \"b $(c ${D:-e}) `f`\"\n",
                &["a \"b $(c ${D:-e}) `f`\"", "c ${D:-e} captured", "${D:-e} captured", "f captured"],
            ),
            (
                "cat <<E | b\n$(c) '$D\nE\nd\n",
                &["cat captured fed", "<<E captured fed", "b captured fed", "c captured", "$D", "d"],
            ),
            ("cat <<'E'\n$(c)\nE\n", &["cat captured fed", "<<'E' captured fed"]),
            (
                "for x in a $B; do c; done; for ((i = 0; i < $N; i++)); do :; done\n",
                &["for x", "$B", "c", "for ((", "$N", ":"],
            ),
            ("case $A in --b | -c) d ;; *) e ;; esac\n", &["$A", "--b|-c)", "d", "*)", "e"]),
            ("[[ $A =~ ^(b|c)+$ && -f d ]] && e\n", &["[[ $A =~ ^(b|c)+$ && -f d ]] judged", "$A judged", "e judged"]),
            ("export A=b C\nD+=(e \"$F\")\nunset G\n", &["A=", "D=", "$F"]),
            ("read -s a < /dev/tty\n", &["read -s a captured fed on terminal", "</dev/tty captured fed on terminal"]),
            ("echo $((A + $B)) <(c)\n", &["echo $((A + $B)) <(c)", "$B", "c captured"]),
        ];
        for (source, expected) in cases {
            assert_eq!(told(source), expected, "{source}");
            assert!(parts(source).sound, "{source}");
        }
    }

    #[test]
    fn what_no_shell_takes_is_not_sound() {
        let cases = [
            "if a; then\n",
            "if a; then fi\n",
            "fi\n",
            "a)\n",
            "a |\n",
            "&& a\n",
            "a; ; b\n",
            "a >\n",
            "a 'b\n",
            "a \"b\n",
            "${a\n",
            "$(a\n",
            "`a\n",
            "{ a\n",
            "for 1 in a; do b; done\n",
            "for x in a do b; done\n",
            "case a in b) c\n",
            "[[ a b ]]\n",
            "[[ a\n",
            "a ( b )\n",
            "f() a\n",
            "x[1\n",
            "a && then b\n",
            "a 2> 2>b\n",
            "cat <<E\na\n",
            "while :; done\n",
            "a | ! b\n",
        ];
        for source in cases {
            assert!(!parts(source).sound, "{source}");
        }
    }
}
