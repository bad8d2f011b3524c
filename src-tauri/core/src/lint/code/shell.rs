//! Shell scripts. Whether bash takes one is judged by a parser of bash; what it does is read from a syntax tree that
//! tolerates errors.

use std::collections::HashSet;
use std::sync::LazyLock;

use brush_parser::{ParseError, ParserOptions};
use regex::Regex;
use tree_sitter::Node;

use super::tree::{self, Grammar, beginning, span, text};
use super::{Facts, Flag, Interface, Level, Named, SyntaxError, Variable, known};
use crate::source::Span;

pub fn read(source: &str) -> (Option<SyntaxError>, Facts) {
    (error(source), facts(source))
}

/// `None` also where the parser could not bear the text.
pub fn error(source: &str) -> Option<SyntaxError> {
    if is_plain(source) || source.len() > SIZE_LIMIT || !is_shallow(source) {
        return None;
    }
    // CR is no white space to a shell; files with such ends are another rule's concern.
    let unix = with_for(&source.replace("\r\n", "\n"));
    let options = ParserOptions::default();
    let error = brush_parser::Parser::new(std::io::Cursor::new(unix.as_bytes()), &options).parse_program().err()?;
    let (line, reason) = match &error {
        ParseError::ParsingNear(place) => (place.line, format!("unexpected {}", near(&unix, place.line, place.column))),
        ParseError::ParsingAtEndOfInput => (usize::MAX, "something is not closed at the end".to_owned()),
        ParseError::Tokenizing { inner, position } => {
            (position.as_ref().map_or(usize::MAX, |place| place.line), inner.to_string())
        }
    };
    Some(SyntaxError { span: line_span(source, line), reason })
}

/// Whether there are only words, which no shell can misread, and comments, each on a line of its own.
fn is_plain(source: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || b" _-./:,@%+=".contains(&byte);
    source.split('\n').all(|line| {
        line.starts_with('#') || line.bytes().all(is_letter) && !line.split(' ').any(|word| GRAMMAR.contains(&word))
    })
}

/// Words that are part of the shell's grammar.
const GRAMMAR: [&str; 17] = [
    "case", "coproc", "do", "done", "elif", "else", "esac", "fi", "for", "function", "if", "in", "select", "then",
    "time", "until", "while",
];

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

fn near(source: &str, line: usize, column: usize) -> String {
    let line = source.lines().nth(line.saturating_sub(1)).unwrap_or_default();
    let from: String = line.chars().skip(column.saturating_sub(1)).take(40).collect();
    let word = from.split_whitespace().next().unwrap_or_default();
    if word.is_empty() { "end of line".into() } else { format!("`{}`", word.replace('`', "'")) }
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

fn facts(source: &str) -> Facts {
    let Some(tree) = tree::parse(source, Grammar::Shell) else { return Facts::default() };
    let mut reader = Reader::new(source);
    tree::each(&tree, |node, above| reader.look(node, above));
    reader.finish()
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

    fn look(&mut self, node: Node<'_>, above: &[Node<'_>]) {
        let source = self.source;
        match node.kind() {
            "command" => self.command(node, above),
            "function_definition" => {
                if let Some(name) = node.child_by_field_name("name") {
                    self.functions.insert(text(name, source));
                }
            }
            "variable_assignment" | "for_statement" | "c_style_for_statement" => {
                let name = node.child_by_field_name("name").or_else(|| node.child_by_field_name("variable"));
                if let Some(name) = name {
                    self.assigned.insert(text(name, source));
                }
                if beginning(node, source).contains("+=") && has_argument(beginning(node, source)) {
                    self.hands_on = true;
                }
            }
            "simple_expansion" | "expansion" => self.expansion(node, above),
            "case_item" => self.case_item(node),
            "file_redirect" => self.redirect(node),
            "test_command" | "binary_expression" => self.test(beginning(node, source)),
            "word" | "string" | "raw_string" => self.literal(node),
            _ => {}
        }
    }

    fn command(&mut self, node: Node<'_>, above: &[Node<'_>]) {
        let source = self.source;
        let Some(name_node) = node.child_by_field_name("name") else { return };
        let name = text(name_node, source);
        let mut cursor = node.walk();
        let arguments: Vec<Node<'_>> = node.children_by_field_name("argument", &mut cursor).collect();
        let words: Vec<&str> = arguments.iter().map(|argument| unquoted(beginning(*argument, source))).collect();
        self.program(name_node, name, &arguments, &words);
        if !TRIVIAL.contains(&name) && !above.iter().any(|node| matches!(node.kind(), "list" | "negated_command")) {
            self.facts.steps += 1;
        }
        match name {
            "set" => self.facts.strict |= words.iter().any(|word| is_set_e(word) || *word == "errexit"),
            "read" => self.reads(node, &words, above),
            "getopts" => self.getopts(&words),
            "source" | "." => self.sources = true,
            "exit" => match words.first().map(|code| code.parse()) {
                Some(Ok(0)) => self.facts.exits.push((0, span(node, source))),
                Some(Ok(code)) => {
                    self.facts.fails = true;
                    self.facts.exits.push((code, span(node, source)));
                }
                Some(Err(_)) | None => self.facts.fails = true,
            },
            "test" | "[" => self.test(beginning(node, source)),
            "cat" if words.len() == 1 && is_argument(words[0]) && !is_captured(above) => {
                self.facts.floods.push(span(node, source));
            }
            "curl" | "wget" => {
                let hosts =
                    arguments.iter().filter_map(|word| known::host(beginning(*word, source)).map(|host| (word, host)));
                self.facts.hosts.extend(hosts.map(|(word, name)| Named { name, span: span(*word, source) }));
            }
            _ => {}
        }
        self.written(name, &arguments, &words);
        let local = self.functions.contains(name) || matches!(name, "set" | "for" | "shift" | "getopts" | "main");
        if !local
            && words.iter().any(|word| matches!(*word, "$@" | "$*" | "${@}"))
            && name != "echo"
            && name != "printf"
        {
            self.hands_on = true;
        }
    }

    fn program(&mut self, node: Node<'_>, name: &str, arguments: &[Node<'_>], words: &[&str]) {
        let first = words.iter().position(|word| !word.starts_with('-') && !word.contains('='));
        match name {
            "command" | "which" | "type" | "hash" if name != "command" || words.first() == Some(&"-v") => {
                let looked_for = words.iter().filter(|word| known::is_program_name(word));
                self.facts.looked_for.extend(looked_for.map(|word| (*word).to_owned()));
            }
            "sudo" | "exec" | "env" | "nohup" | "time" | "xargs" | "timeout" | "nice" | "command" => {
                let first = first.filter(|at| !words[*at].starts_with(|letter: char| letter.is_ascii_digit()));
                if let Some(at) = first.filter(|at| known::is_program_name(words[*at])) {
                    self.facts
                        .programs
                        .push(Named { name: words[at].to_owned(), span: span(arguments[at], self.source) });
                }
            }
            _ if known::is_program_name(name) => {
                self.facts.programs.push(Named { name: name.to_owned(), span: span(node, self.source) });
            }
            _ => {}
        }
    }

    fn reads(&mut self, node: Node<'_>, words: &[&str], above: &[Node<'_>]) {
        let source = self.source;
        let has = |flag: char| {
            words
                .iter()
                .filter_map(|word| word.strip_prefix('-'))
                .any(|flags| flags.starts_with(|first: char| first.is_ascii_alphabetic()) && flags.contains(flag))
        };
        let prompts = has('p') || has('s') || self.is_asked_before(node);
        let fed = above.iter().chain([&node]).any(|around| is_fed(*around, node, source));
        let from_terminal = above.last().is_some_and(|node| beginning(*node, source).contains("/dev/tty"));
        // With a time limit it goes on by itself.
        if !has('t') && ((prompts && !fed) || from_terminal) {
            self.facts.prompts.push(Named { name: "read".into(), span: span(node, source) });
        }
        let names: Vec<&'a str> = node_words(node, source);
        self.assigned.extend(names);
    }

    /// A question is printed right before, and no loop takes line after line.
    fn is_asked_before(&self, node: Node<'_>) -> bool {
        let before = &self.source[..self.source.floor_char_boundary(node.start_byte())];
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

    fn expansion(&mut self, node: Node<'_>, above: &[Node<'_>]) {
        let whole = beginning(node, self.source);
        let inner = whole.trim_start_matches('$').trim_start_matches('{').trim_end_matches('}');
        if matches!(inner, "1" | "@" | "*" | "#") {
            self.facts.by_hand |= !above.iter().any(|node| node.kind() == "function_definition");
            return;
        }
        let end = inner.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').unwrap_or(inner.len());
        let (name, rest) = inner.split_at(end);
        if !known::is_variable_name(name) {
            return;
        }
        let has_default = [":-", "-", ":=", "=", ":+", "+"].iter().any(|mark| rest.starts_with(mark));
        self.facts.variables.push(Variable {
            name: name.to_owned(),
            span: span(node, self.source),
            needed: !has_default,
        });
    }

    fn case_item(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        let values: Vec<&str> =
            node.children_by_field_name("value", &mut cursor).map(|value| unquoted(text(value, self.source))).collect();
        let mut own = values.iter().filter(|value| value.starts_with('-')).map(|value| value.trim_end_matches("=*"));
        self.flags.extend(own.by_ref().filter(|value| !value.contains('*')).map(str::to_owned));
        if values.iter().any(|value| value.contains('*')) && has_argument(beginning(node, self.source)) {
            self.hands_on |= beginning(node, self.source).contains("+=");
        }
    }

    fn test(&mut self, whole: &str) {
        self.facts.checks_terminal |= whole.contains("-t 0") || whole.contains("-t 1");
        let words = whole.split(|letter: char| letter.is_whitespace() || matches!(letter, '"' | '\''));
        self.flags.extend(words.filter(|word| is_long_flag(word)).map(str::to_owned));
    }

    fn redirect(&mut self, node: Node<'_>) {
        let source = self.source;
        let Some(target) = node.child_by_field_name("destination") else { return };
        let operator = text(node, source).trim_start_matches(|letter: char| letter.is_ascii_digit());
        if operator.starts_with('>') || operator.starts_with("&>") {
            self.write(target);
        }
    }

    fn written(&mut self, name: &str, arguments: &[Node<'_>], words: &[&str]) {
        let mut targets = arguments.iter().zip(words).filter(|(_, word)| !word.starts_with('-')).map(|(node, _)| *node);
        match name {
            "cp" | "mv" | "ln" | "install" => targets.next_back().into_iter().for_each(|target| self.write(target)),
            "mkdir" | "touch" | "tee" | "rm" => targets.for_each(|target| self.write(target)),
            _ => {}
        }
    }

    fn write(&mut self, target: Node<'_>) {
        let name = unquoted(text(target, self.source));
        let home = name.strip_prefix("$HOME").or_else(|| name.strip_prefix("${HOME}"));
        let is_outside = home.is_some_and(|rest| rest.is_empty() || rest.starts_with('/')) || known::is_outside(name);
        if is_outside {
            self.facts.writes.push(Named { name: name.to_owned(), span: span(target, self.source) });
        }
    }

    fn literal(&mut self, node: Node<'_>) {
        if let Some((name, inner)) = known::home_path(beginning(node, self.source)) {
            self.facts.homes.push(Named { name, span: inner.shift(node.start_byte()) });
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
        // A script that knows no flag may still take what it is given.
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

/// Whether something around a command gives it its standard input.
fn is_fed(around: Node<'_>, command: Node<'_>, source: &str) -> bool {
    let mut cursor = around.walk();
    match around.kind() {
        "pipeline" => around.named_child(0).is_some_and(|first| command.start_byte() >= first.end_byte()),
        "redirected_statement" | "command" => around.named_children(&mut cursor).any(|part| match part.kind() {
            "file_redirect" => {
                text(part, source).trim_start_matches(|letter: char| letter.is_ascii_digit()).starts_with('<')
            }
            "herestring_redirect" | "heredoc_redirect" => true,
            _ => false,
        }),
        _ => false,
    }
}

/// The end of what is printed, without quotes, line ends and spaces.
fn unquoted_end(text: &str) -> &str {
    let text = text.trim_end_matches(['"', '\'', ' ']);
    text.strip_suffix("\\n").unwrap_or(text).trim_end()
}

fn is_captured(above: &[Node<'_>]) -> bool {
    let catches = ["pipeline", "redirected_statement", "command_substitution", "process_substitution"];
    above.iter().any(|node| catches.contains(&node.kind()))
}

fn node_words<'a>(node: Node<'_>, source: &'a str) -> Vec<&'a str> {
    let mut cursor = node.walk();
    node.children_by_field_name("argument", &mut cursor).map(|word| text(word, source)).collect()
}

fn unquoted(word: &str) -> &str {
    word.strip_prefix('"')
        .and_then(|word| word.strip_suffix('"'))
        .or_else(|| word.strip_prefix('\'').and_then(|word| word.strip_suffix('\'')))
        .unwrap_or(word)
}
