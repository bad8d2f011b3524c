//! The parts of a shell script: its commands, assignments, loops, expansions, each with what is around it. The text is
//! read once from left to right, in the shell's own order, so that code inside of quotes and here-documents is read as
//! code too. Parts that it does not understand are skipped; [`Parts::sound`] says whether there were any.
//!
//! This file holds the parts and the reading position. The grammar is in these modules, from the outside to the inside:
//! [`list`], [`compound`] and [`simple`] commands, [`conditional`], [`word`], [`here_document`].

mod compound;
mod conditional;
mod here_document;
mod list;
mod simple;
mod word;

use skill::source::Span;

/// Everything found in a script, by place.
pub struct Parts<'a> {
    pub parts: Vec<Part<'a>>,
    /// All words, also those inside of others.
    pub words: Vec<Span>,
    /// Every bash accepts the script. If this is `false`, some may still accept it.
    pub sound: bool,
}

pub struct Part<'a> {
    pub kind: PartKind<'a>,
    pub span: Span,
    pub around: Around,
}

pub enum PartKind<'a> {
    /// A program's name and its arguments, without assignments and redirections.
    Command(Vec<Span>),
    /// The variable.
    Assignment(&'a str),
    /// `for` and `select` with their variable; none for an arithmetic `for`.
    Loop(Option<&'a str>),
    /// Its name.
    Function(&'a str),
    /// `$NAME`, `${NAME…}`
    Expansion,
    /// One of the choices of `case`, with its patterns.
    Choice(Vec<Span>),
    /// The operator and its target.
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

/// The most nesting. Deeper code is skipped.
const DEPTH_LIMIT: usize = 60;
/// Of the words of the grammar.
const LONGEST: usize = 8;

/// A text that is in the lines after the command that reads it.
struct HereDocument {
    until: String,
    /// Tabs before its lines do not count.
    indented: bool,
    /// Variables in it are replaced.
    expands: bool,
}

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

impl<'a> Reader<'a> {
    /// Reads something nested. If the nesting is too deep, the rest of the text is not read.
    fn inside(&mut self, read: impl FnOnce(&mut Self)) {
        if self.depth >= DEPTH_LIMIT {
            self.sound = false;
            self.at = self.end;
            return;
        }
        self.depth += 1;
        read(self);
        self.depth -= 1;
    }

    /// Reads a piece of the text by itself, up to its end.
    fn within(&mut self, start: usize, end: usize, read: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.end, end);
        self.at = start;
        self.inside(read);
        self.at = end;
        self.end = outer;
    }

    /// Reads up to a byte that closes, and past it.
    fn up_to(&mut self, closing: u8, mut read: impl FnMut(&mut Self)) {
        while self.peek().is_some_and(|byte| byte != closing) {
            read(self);
        }
        self.close(closing);
    }

    /// All parts that are read have this around them.
    fn under(&mut self, around: Around, read: impl FnOnce(&mut Self)) {
        let first = self.parts.len();
        read(self);
        self.mark(first, around);
    }

    fn mark(&mut self, first: usize, more: Around) {
        for part in &mut self.parts[first..] {
            part.around = part.around.with(more);
        }
    }

    /// A part that ends here.
    fn found(&mut self, kind: PartKind<'a>, start: usize) {
        self.parts.push(Part { kind, span: Span::new(start, self.at), around: Around::default() });
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
            if !self.take(b'\n') {
                return;
            }
            self.here_documents();
        }
    }

    /// One letter on.
    fn step(&mut self) {
        self.at = self.source.ceil_char_boundary((self.at + 1).min(self.end));
    }

    /// The word here, if it has only plain letters and may be a keyword.
    fn plain_word(&self) -> &'a str {
        let ahead = &self.bytes[self.at..self.end];
        let ends =
            |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b';' | b'&' | b'|' | b'(' | b')' | b'<' | b'>');
        match ahead.iter().take(LONGEST + 1).position(ends) {
            Some(length) => &self.source[self.at..self.at + length],
            None if ahead.len() <= LONGEST => self.rest(),
            None => "",
        }
    }

    fn expect(&mut self, word: &str) {
        self.skip_lines();
        self.sound &= self.take_word(word);
    }

    fn close(&mut self, bracket: u8) {
        self.sound &= self.take(bracket);
    }

    /// Whether it was here.
    fn take_word(&mut self, word: &str) -> bool {
        let is_here = self.plain_word() == word;
        self.at += if is_here { word.len() } else { 0 };
        is_here
    }

    fn take(&mut self, byte: u8) -> bool {
        let is_here = self.peek() == Some(byte);
        self.at += usize::from(is_here);
        is_here
    }

    fn peek(&self) -> Option<u8> {
        self.bytes[..self.end].get(self.at).copied()
    }

    fn rest(&self) -> &'a str {
        &self.source[self.at..self.end]
    }
}

fn is_name(word: &str) -> bool {
    word.len() == name_length(word) && !word.starts_with(|letter: char| letter.is_ascii_digit()) && !word.is_empty()
}

/// How many of its letters can be in a name.
fn name_length(text: &str) -> usize {
    text.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sound scripts, each with its parts.
    pub fn assert_told(cases: &[(&str, &[&str])]) {
        for (source, expected) in cases {
            assert_eq!(told(source), *expected, "{source}");
            assert!(parts(source).sound, "{source}");
        }
    }

    pub fn assert_unsound(cases: &[&str]) {
        for source in cases {
            assert!(!parts(source).sound, "{source}");
        }
    }

    /// Each part in a line, with what is around it.
    fn told(source: &str) -> Vec<String> {
        let of = |span: &Span| span.of(source);
        let told = |part: &Part<'_>| {
            let what = match &part.kind {
                PartKind::Command(words) => words.iter().map(of).collect::<Vec<_>>().join(" "),
                PartKind::Assignment(variable) => format!("{variable}="),
                PartKind::Loop(variable) => format!("for {}", variable.unwrap_or("((")),
                PartKind::Function(name) => format!("{name}()"),
                PartKind::Expansion => of(&part.span).to_owned(),
                PartKind::Choice(patterns) => patterns.iter().map(of).collect::<Vec<_>>().join("|") + ")",
                PartKind::Redirect(operator, target) => format!("{operator}{}", of(target)),
                PartKind::Test => of(&part.span).to_owned(),
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
    fn what_lies_too_deep_is_passed_over() {
        let nested = |depth: usize| "{ ".repeat(depth) + "a; " + &"}; ".repeat(depth);
        assert_eq!(told(&nested(DEPTH_LIMIT - 1)), ["a"]);
        assert_eq!(told(&nested(DEPTH_LIMIT)), Vec::<String>::new());
    }
}
