//! Shell scripts: what they do, and whether bash takes them. Most are plain enough for [`syntax`] to see that it does; of
//! all others a whole parser of bash is asked.

mod syntax;

use std::collections::HashSet;
use std::sync::LazyLock;

use brush_parser::{ParseError, ParserOptions};
use regex::Regex;

use self::syntax::{Around, Part, PartKind, Parts};
use super::{Facts, Flag, Interface, Level, Named, SyntaxError, Variable, known};
use skill::source::Span;
use wording::message;

pub fn read(source: &str) -> (Option<SyntaxError>, Facts) {
    let parts = syntax::parts(source);
    let error = if parts.sound { None } else { refused(source) };
    (error, Reader::new(source).facts(&parts))
}

/// Whether it is plain to see that any bash takes it. Of other texts, ask whether it is [`refused`].
pub fn is_sound(source: &str) -> bool {
    syntax::parts(source).sound
}

/// `None` also if the parser could not bear the text.
pub fn refused(source: &str) -> Option<SyntaxError> {
    if source.len() > SIZE_LIMIT || !is_shallow(source) {
        return None;
    }
    // CR is not white space to a shell; another rule reports files with such line ends.
    let unix = with_for(&source.replace("\r\n", "\n"));
    let options = ParserOptions::default();
    let error = brush_parser::Parser::new(std::io::Cursor::new(unix.as_bytes()), &options).parse_program().err()?;
    let at = |line| line_span(source, line);
    Some(match &error {
        ParseError::ParsingNear(place) => {
            let reason = match near(&unix, place.line, place.column) {
                Some(word) => message!("unexpected `{word}`", "意外的 `{word}`"),
                None => message!("unexpected end of line", "这一行意外结束"),
            };
            SyntaxError { span: at(place.line), reason }
        }
        ParseError::ParsingAtEndOfInput => {
            let reason = message!("something is not closed at the end", "到结尾仍有内容没有闭合");
            SyntaxError { span: at(usize::MAX), reason }
        }
        ParseError::Tokenizing { inner, position } => {
            SyntaxError::quoted(at(position.as_ref().map_or(usize::MAX, |place| place.line)), inner.to_string())
        }
    })
}

/// `select` is made as `for` is, and the parser does not know it. Nothing changes its place.
fn with_for(source: &str) -> String {
    SELECT.replace_all(source, "${1}for   ${2}").into_owned()
}

static SELECT: LazyLock<Regex> = LazyLock::new(|| {
    let begins = r"(?m)(^[ \t]*|[;&|({][ \t]*|\b(?:do|then|else)[ \t]+)";
    Regex::new(&format!(r"{begins}select([ \t]+[A-Za-z_][A-Za-z0-9_]*[ \t]*(?:\bin\b|;|$))"))
        .expect("a test compiles it")
});

const SIZE_LIMIT: usize = 256 << 10;
/// Parentheses, and blocks, inside each other that the parser of bash can bear.
const DEPTH_LIMIT: usize = 16;

/// The parser of bash is recursive, and takes time exponential in unclosed parentheses.
fn is_shallow(source: &str) -> bool {
    let (mut parentheses, mut braces) = (0_usize, 0_usize);
    for byte in source.bytes() {
        match byte {
            b'(' => parentheses += 1,
            b')' => parentheses = parentheses.saturating_sub(1),
            b'{' => braces += 1,
            b'}' => braces = braces.saturating_sub(1),
            _ => {}
        }
        if parentheses > DEPTH_LIMIT || braces > DEPTH_LIMIT {
            return false;
        }
    }
    let (mut blocks, mut run) = (0_usize, 0_usize);
    for word in source.split(|letter: char| letter.is_whitespace() || letter == ';') {
        match word {
            "if" | "do" | "case" => blocks += 1,
            "fi" | "done" | "esac" => blocks = blocks.saturating_sub(1),
            _ => {}
        }
        let prefixes = word.matches("()").count() - word.matches("=()").count();
        match word {
            "!" | "function" | "coproc" | "time" => run += 1,
            _ if prefixes > 0 => run += prefixes,
            _ if word.contains('{') => run = 0,
            _ => {}
        }
        if blocks > DEPTH_LIMIT || run > 4 * DEPTH_LIMIT {
            return false;
        }
    }
    true
}

/// The word at a place; `None`: its line ends there.
fn near(source: &str, line: usize, column: usize) -> Option<String> {
    let line = source.lines().nth(line.saturating_sub(1)).unwrap_or_default();
    let from: String = line.chars().skip(column.saturating_sub(1)).take(40).collect();
    Some(from.split_whitespace().next()?.replace('`', "'"))
}

/// A line, from 1, without the white space around it; beyond the last: the last that has something.
fn line_span(source: &str, line: usize) -> Span {
    let mut start = 0;
    let mut last = Span::new(0, 0);
    for (number, whole) in source.split_inclusive('\n').enumerate() {
        let here = Span::new(start, start + whole.len()).trim(source);
        if number + 1 == line {
            return here;
        }
        if !here.is_empty() {
            last = here;
        }
        start += whole.len();
    }
    last
}

struct Reader<'a> {
    source: &'a str,
    facts: Facts,
    functions: HashSet<&'a str>,
    assigned: HashSet<&'a str>,
    /// It reads other files into itself: what they set and define is not known.
    sources: bool,
    flags: Vec<String>,
    /// Arguments it does not know are handed on, or collected.
    hands_on: bool,
}

impl<'a> Reader<'a> {
    fn new(source: &'a str) -> Self {
        let first = source.lines().next().unwrap_or_default();
        let lower = source.to_ascii_lowercase();
        let facts = Facts {
            strict: first.starts_with("#!") && first.split_whitespace().any(is_set_e),
            helps: lower.contains("--help") || lower.contains("usage"),
            ..Facts::default()
        };
        let (functions, assigned) = (HashSet::new(), HashSet::new());
        Self { source, facts, functions, assigned, sources: false, flags: Vec::new(), hands_on: false }
    }

    fn facts(mut self, parts: &Parts<'a>) -> Facts {
        parts.parts.iter().for_each(|part| self.look(part));
        if known::has_home(self.source) {
            parts.words.iter().for_each(|word| self.literal(*word));
        }
        self.finish()
    }

    fn look(&mut self, part: &Part<'a>) {
        let whole = beginning(part.span, self.source);
        match &part.kind {
            PartKind::Command(words) => self.command(words, part),
            PartKind::Function(name) => {
                self.functions.insert(name);
            }
            PartKind::Assignment(variable) => self.assignment(Some(variable), whole),
            PartKind::Loop(variable) => self.assignment(*variable, whole),
            PartKind::Expansion => self.expansion(part),
            PartKind::Choice(patterns) => self.choice(patterns, whole),
            PartKind::Redirect(operator, target) if operator.contains('>') && !operator.starts_with('<') => {
                self.write(*target);
            }
            PartKind::Redirect(..) => {}
            PartKind::Test => self.test(whole),
        }
    }

    fn assignment(&mut self, variable: Option<&'a str>, whole: &str) {
        self.assigned.extend(variable);
        self.hands_on |= whole.contains("+=") && has_argument(whole);
    }

    fn command(&mut self, words: &[Span], part: &Part<'a>) {
        let source = self.source;
        let [name_span, arguments @ ..] = words else { return };
        let name = name_span.of(source);
        let words: Vec<&str> = arguments.iter().map(|argument| unquoted(beginning(*argument, source))).collect();
        self.program(*name_span, name, arguments, &words);
        if !TRIVIAL.contains(&name) && !part.around.judged {
            self.facts.steps += 1;
        }
        match name {
            "set" => self.facts.strict |= words.iter().any(|word| is_set_e(word) || *word == "errexit"),
            "read" => self.reads(part, arguments, &words),
            "getopts" => self.getopts(&words),
            "source" | "." => self.sources = true,
            "exit" => match words.first().map(|code| code.parse()) {
                Some(Ok(0)) => self.facts.exits.push((0, part.span)),
                Some(Ok(code)) => {
                    self.facts.fails = true;
                    self.facts.exits.push((code, part.span));
                }
                Some(Err(_)) | None => self.facts.fails = true,
            },
            "test" | "[" => self.test(beginning(part.span, source)),
            "cat" if words.len() == 1 && is_argument(words[0]) && !part.around.captured => {
                self.facts.floods.push(part.span);
            }
            "curl" | "wget" => {
                let hosts =
                    arguments.iter().filter_map(|word| known::host(beginning(*word, source)).map(|host| (word, host)));
                self.facts.hosts.extend(hosts.map(|(word, name)| Named { name, span: *word }));
            }
            _ => {}
        }
        self.written(name, arguments, &words);
        let local = self.functions.contains(name) || matches!(name, "set" | "for" | "shift" | "getopts" | "main");
        if !local && words.iter().any(|word| matches!(*word, "$@" | "$*" | "${@}")) && !SPEAKING.contains(&name) {
            self.hands_on = true;
        }
    }

    fn program(&mut self, span: Span, name: &str, arguments: &[Span], words: &[&str]) {
        let first = words.iter().position(|word| !word.starts_with('-') && !word.contains('='));
        match name {
            "command" | "which" | "type" | "hash" if name != "command" || words.first() == Some(&"-v") => {
                let looked_for = words.iter().filter(|word| known::is_program_name(word));
                self.facts.looked_for.extend(looked_for.map(|word| (*word).to_owned()));
            }
            "sudo" | "exec" | "env" | "nohup" | "time" | "xargs" | "timeout" | "nice" | "command" => {
                let first = first.filter(|at| !words[*at].starts_with(|letter: char| letter.is_ascii_digit()));
                if let Some(at) = first.filter(|at| known::is_program_name(words[*at])) {
                    self.facts.programs.push(Named { name: words[at].to_owned(), span: arguments[at] });
                }
            }
            _ if known::is_program_name(name) => {
                self.facts.programs.push(Named { name: name.to_owned(), span });
            }
            _ => {}
        }
    }

    fn reads(&mut self, part: &Part<'a>, arguments: &[Span], words: &[&str]) {
        let has = |flag: char| {
            words
                .iter()
                .filter_map(|word| word.strip_prefix('-'))
                .any(|flags| flags.starts_with(|first: char| first.is_ascii_alphabetic()) && flags.contains(flag))
        };
        let prompts = has('p') || has('s') || self.is_asked_before(part.span.start);
        let Around { fed, on_terminal, .. } = part.around;
        // With a time limit it continues by itself.
        if !has('t') && ((prompts && !fed) || on_terminal) {
            self.facts.prompts.push(Named { name: "read".into(), span: part.span });
        }
        self.assigned.extend(arguments.iter().map(|argument| argument.of(self.source)));
    }

    /// A question is printed right before, and no loop takes line after line.
    fn is_asked_before(&self, start: usize) -> bool {
        let before = &self.source[..start];
        let mut lines = before.rsplit('\n');
        let own = lines.next().unwrap_or_default();
        if own.split_whitespace().any(|word| matches!(word, "while" | "until")) {
            return false;
        }
        let question = if own.trim().is_empty() { lines.next().unwrap_or_default() } else { own };
        let question = question.trim().trim_end_matches([';', '&']).trim_end();
        let text = question.strip_prefix("echo ").or_else(|| question.strip_prefix("printf ")).map(unquoted_end);
        text.is_some_and(|text| text.ends_with(['?', ':', ']']) || text.ends_with("y/n)") || text.ends_with("y/N)"))
    }

    fn getopts(&mut self, words: &[&str]) {
        let letters = words.first().copied().unwrap_or_default();
        for letter in letters.chars().filter(char::is_ascii_alphanumeric) {
            self.facts.helps |= letter == 'h';
            self.flags.push(format!("-{letter}"));
        }
        // Long names come as values of `-`.
        self.hands_on |= letters.contains('-');
        self.facts.by_hand = true;
    }

    fn expansion(&mut self, part: &Part<'a>) {
        let whole = beginning(part.span, self.source);
        let inner = whole.trim_start_matches('$').trim_start_matches('{').trim_end_matches('}');
        if matches!(inner, "1" | "@" | "*" | "#") {
            self.facts.by_hand |= !part.around.in_function;
            return;
        }
        let end = inner.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').unwrap_or(inner.len());
        let (name, rest) = inner.split_at(end);
        if !known::is_variable_name(name) {
            return;
        }
        let has_default = [":-", "-", ":=", "=", ":+", "+"].iter().any(|mark| rest.starts_with(mark));
        // Lists and tables are the script's own: no environment holds them.
        let needed = !has_default && !rest.starts_with('[');
        self.facts.variables.push(Variable { name: name.to_owned(), span: part.span, needed });
    }

    fn choice(&mut self, patterns: &[Span], whole: &str) {
        let values: Vec<&str> = patterns.iter().map(|pattern| unquoted(pattern.of(self.source))).collect();
        let own = values.iter().filter(|value| value.starts_with('-')).map(|value| value.trim_end_matches("=*"));
        self.flags.extend(own.filter(|value| !value.contains('*')).map(str::to_owned));
        if values.iter().any(|value| value.contains('*')) && has_argument(whole) {
            self.hands_on |= whole.contains("+=");
        }
    }

    fn test(&mut self, whole: &str) {
        self.facts.checks_terminal |= whole.contains("-t 0") || whole.contains("-t 1");
        let words = whole.split(|letter: char| letter.is_whitespace() || matches!(letter, '"' | '\''));
        self.flags.extend(words.filter(|word| is_long_flag(word)).map(str::to_owned));
    }

    fn written(&mut self, name: &str, arguments: &[Span], words: &[&str]) {
        let mut targets = arguments.iter().zip(words).filter(|(_, word)| !word.starts_with('-')).map(|(span, _)| *span);
        match name {
            "cp" | "mv" | "ln" | "install" => targets.next_back().into_iter().for_each(|target| self.write(target)),
            "mkdir" | "touch" | "tee" | "rm" => targets.for_each(|target| self.write(target)),
            _ => {}
        }
    }

    fn write(&mut self, target: Span) {
        let name = unquoted(target.of(self.source));
        let home = name.strip_prefix("$HOME").or_else(|| name.strip_prefix("${HOME}"));
        let is_outside = home.is_some_and(|rest| rest.is_empty() || rest.starts_with('/')) || known::is_outside(name);
        if is_outside {
            self.facts.writes.push(Named { name: name.to_owned(), span: target });
        }
    }

    fn literal(&mut self, word: Span) {
        if let Some((name, inner)) = known::home_path(beginning(word, self.source)) {
            self.facts.homes.push(Named { name, span: inner.shift(word.start) });
        }
    }

    fn finish(mut self) -> Facts {
        let (functions, assigned, sources) = (&self.functions, &self.assigned, self.sources);
        self.facts.programs.retain(|program| !sources && !functions.contains(program.name.as_str()));
        self.facts.variables.retain(|variable| !sources && !assigned.contains(variable.name.as_str()));
        self.facts.sets =
            assigned.iter().filter(|name| known::is_variable_name(name)).map(|name| (*name).to_owned()).collect();
        self.facts.fails |= self.facts.strict;
        self.flags.sort();
        self.flags.dedup();
        // A script that knows no flags may still use its arguments.
        let complete = !self.flags.is_empty() && !self.hands_on && !sources;
        let flag = |name: String| Flag { names: vec![name], ..Flag::default() };
        let level = Level { flags: self.flags.into_iter().map(flag).collect(), ..Level::default() };
        self.facts.interface = Interface { complete, abbreviates: false, level };
        self.facts
    }
}

/// Commands that cannot fail in a way that matters, or that only speak.
const TRIVIAL: [&str; 16] = [
    "echo", "printf", "set", "shift", "exit", "return", "local", "export", "usage", ":", "true", "false", "[", "test",
    "trap", "read",
];

/// Commands that print their arguments.
const SPEAKING: [&str; 2] = ["echo", "printf"];

fn is_set_e(word: &str) -> bool {
    word.strip_prefix('-')
        .is_some_and(|flags| flags.contains('e') && flags.bytes().all(|flag| flag.is_ascii_alphabetic()))
}

fn is_long_flag(word: &str) -> bool {
    word.strip_prefix("--").is_some_and(|name| name.starts_with(|letter: char| letter.is_ascii_alphabetic()))
}

/// One of the script's own arguments.
fn is_argument(word: &str) -> bool {
    matches!(word, "$1" | "${1}" | "$2" | "${2}")
}

fn has_argument(text: &str) -> bool {
    ["$1", "${1", "$arg", "$opt", "$@"].iter().any(|mark| text.contains(mark))
}

/// The end of the printed text, without quotes, line ends and spaces.
fn unquoted_end(text: &str) -> &str {
    let text = text.trim_end_matches(['"', '\'', ' ']);
    text.strip_suffix("\\n").unwrap_or(text).trim_end()
}

/// How something begins: enough to tell what it is, and no more, since things are nested.
fn beginning(span: Span, source: &str) -> &str {
    let whole = span.of(source);
    &whole[..whole.floor_char_boundary(BEGINNING)]
}

const BEGINNING: usize = 1000;

fn unquoted(word: &str) -> &str {
    word.strip_prefix('"')
        .and_then(|word| word.strip_suffix('"'))
        .or_else(|| word.strip_prefix('\'').and_then(|word| word.strip_suffix('\'')))
        .unwrap_or(word)
}
