//! Commands as texts give them: in fences, in code spans, and flags in prose. Split as a shell splits them, but with the
//! placeholders that only texts have, e.g. `<file>`, `[options]`, `{baseDir}`.

use super::{Code, Script, base_name};
use crate::markdown::{Fence, Markdown};
use skill::source::Span;

/// A command that a text shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    pub words: Vec<Word>,
    /// In a fence that says it is shell.
    pub in_shell: bool,
    /// In a fence of any kind.
    pub in_fence: bool,
    /// An earlier command of the fence went elsewhere.
    pub moved: bool,
    target: Option<Target>,
}

/// Without its quotes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    pub text: String,
    pub span: Span,
}

/// A flag that prose gives for the one script it names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mention {
    /// The script's path in the skill's folder.
    pub script: String,
    pub flag: Word,
}

/// A command that runs a script of the skill.
#[derive(Clone, Copy)]
pub struct Invocation<'c, 'a> {
    pub script: &'c Script<'a>,
    /// As the command names it.
    pub path: &'c Word,
    pub arguments: &'c [Word],
    /// No interpreter is named: the system decides by the file itself.
    pub direct: bool,
    pub fit: Fit,
}

/// How a command's path leads to a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fit {
    /// From the skill's folder.
    Exact,
    /// Behind a variable or placeholder for the skill's folder.
    Behind,
    /// Only from somewhere else.
    Elsewhere,
}

/// What a program's name and arguments run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Target {
    word: usize,
    direct: bool,
}

impl Command {
    /// The script that it starts, if that is a script of the skill.
    pub fn invocation<'c, 'a>(&'c self, code: &'c Code<'a>) -> Option<Invocation<'c, 'a>> {
        let target = self.target?;
        let path = &self.words[target.word];
        let (script, fit) = resolve(&path.text, code)?;
        let arguments = &self.words[target.word + 1..];
        Some(Invocation { script, path, arguments, direct: target.direct, fit })
    }

    /// The program's name and its arguments, without `sudo`, assignments and so on.
    pub fn program(&self) -> Option<(&Word, &[Word])> {
        let first = self.words.iter().position(|word| !is_prefix(&word.text))?;
        Some((&self.words[first], &self.words[first + 1..]))
    }
}

/// Languages of fences that hold commands.
pub fn is_shell(language: &str) -> bool {
    matches!(language, "bash" | "sh" | "shell" | "zsh") || is_session(language)
}

/// Commands behind prompts, and what they print.
fn is_session(language: &str) -> bool {
    matches!(language, "console" | "shell-session" | "shellsession" | "terminal" | "sh-session")
}

/// Spans are into `source`.
pub fn commands(source: &str, markdown: &Markdown) -> Vec<Command> {
    let mut commands = Vec::new();
    for fence in &markdown.fences {
        let in_shell = is_shell(&fence.language);
        if !in_shell && !fence.language.is_empty() && fence.language != "text" && fence.language != "plaintext" {
            continue;
        }
        let mut moved = false;
        for words in split(&lines(source, fence, is_session(&fence.language))) {
            moved |= words.first().is_some_and(|word| matches!(word.text.as_str(), "cd" | "pushd"));
            let inner = substituted(source, &words);
            for words in std::iter::once(words).chain(inner) {
                commands.push(Command { target: target(&words), words, in_shell, in_fence: true, moved });
            }
        }
    }
    for code in &markdown.codes {
        let text = code.of(source);
        if text.len() <= SPAN_LIMIT && text.contains([' ', '/', '.']) {
            // Of the same length as the original, so that places stay correct.
            let piped = is_in_table(source, code.start).then(|| text.replace("\\|", " |"));
            let split = split(&[(code.start, piped.as_deref().unwrap_or(text))]);
            let inner: Vec<_> = split.iter().flat_map(|words| substituted(source, words)).collect();
            commands.extend(split.into_iter().chain(inner).map(|words| Command {
                target: target(&words),
                words,
                in_shell: false,
                in_fence: false,
                moved: false,
            }));
        }
    }
    commands
}

/// Commands whose output is used in others: `$(…)` and backticks, in double quotes too.
fn substituted(source: &str, words: &[Word]) -> Vec<Vec<Word>> {
    let mut found = Vec::new();
    let mut open: Vec<Span> = words.iter().map(|word| word.span).collect();
    while let Some(span) = open.pop() {
        if found.len() >= SUBSTITUTED {
            break;
        }
        let raw = span.of(source);
        for inner in inner_spans(raw) {
            let lines = inner.of(raw).split('\n').scan(span.start + inner.start, |at, line| {
                let start = *at;
                *at += line.len() + 1;
                Some((start, line))
            });
            let commands = split(&lines.collect::<Vec<_>>());
            open.extend(commands.iter().flatten().map(|word| word.span));
            found.extend(commands);
        }
    }
    found
}

/// Commands within others that one command may have.
const SUBSTITUTED: usize = 50;

/// What is between `$(` and its bracket, or between backticks; nothing in single quotes.
fn inner_spans(raw: &str) -> Vec<Span> {
    let mut spans = Vec::new();
    let (mut at, mut doubled) = (0, false);
    while let Some(letter) = raw[at..].chars().next() {
        let rest = &raw[at..];
        at += match letter {
            '\\' => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
            '"' => {
                doubled = !doubled;
                1
            }
            '\'' if !doubled => rest[1..].find('\'').map_or(rest.len(), |end| end + 2),
            '$' if rest.starts_with("$((") => closed(rest, '(', ')'),
            '$' if rest.starts_with("$(") => {
                let length = closed(rest, '(', ')');
                // It may never be closed.
                let end = rest[..length].strip_suffix(')').map_or(length, str::len);
                spans.push(Span::new(at + 2, at + end.max(2)));
                length
            }
            '`' => {
                let length = rest[1..].find('`').map_or(rest.len(), |end| end + 2);
                let end = rest[1..length].strip_suffix('`').map_or(length, |inner| inner.len() + 1);
                spans.push(Span::new(at + 1, at + end));
                length
            }
            _ => letter.len_utf8(),
        };
    }
    spans
}

/// In a row of a table, where `\|` is a pipe.
fn is_in_table(source: &str, at: usize) -> bool {
    let start = source[..at].rfind('\n').map_or(0, |end| end + 1);
    source[start..at].trim_start().starts_with('|')
}

/// Longer code spans are not commands.
const SPAN_LIMIT: usize = 500;
/// With more scripts than this, prose is not searched for their names.
const SCRIPTS_LIMIT: usize = 200;

/// Commands in code and fences that name one of the scripts.
pub fn mentions(source: &str, markdown: &Markdown, scripts: &[&str]) -> Vec<Mention> {
    let mut mentions = Vec::new();
    if scripts.is_empty() || scripts.len() > SCRIPTS_LIMIT {
        return mentions;
    }
    for (at, block) in markdown.blocks.iter().enumerate() {
        let is_leaf = markdown.blocks.get(at + 1).is_none_or(|next| next.start >= block.end);
        let from = markdown.codes.partition_point(|code| code.start < block.start);
        let codes = markdown.codes[from..].iter().take_while(|code| code.end <= block.end);
        let flags: Vec<Span> = codes.copied().filter(|code| code.of(source).starts_with('-')).collect();
        if !is_leaf || flags.is_empty() {
            continue;
        }
        let text = block.of(source);
        let mut named = scripts.iter().filter(|name| has_name(text, base_name(name)));
        if let (Some(script), None) = (named.next(), named.next()) {
            let words = flags.iter().flat_map(|span| split(&[(span.start, span.of(source))]).into_iter().flatten());
            let flags = words.filter(|word| word.text.starts_with('-'));
            mentions.extend(flags.map(|flag| Mention { script: (*script).to_owned(), flag }));
        }
    }
    mentions
}

fn has_name(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-');
        !text[..at].ends_with(is_part) && !text[at + name.len()..].starts_with(is_part)
    })
}

/// The lines of a fence's code, where they are in the source; of a session only the typed commands.
pub fn lines<'a>(source: &'a str, fence: &Fence, session: bool) -> Vec<(usize, &'a str)> {
    let mut lines = Vec::new();
    let mut at = fence.start.min(source.len());
    // `start` may be after the indentation of the first line.
    let mut continued = false;
    for line in fence.code.split_inclusive('\n') {
        if at >= fence.span.end.min(source.len()) {
            break;
        }
        let line = line.trim_end_matches(['\n', '\r']);
        let end = source[at..].find('\n').map_or(source.len(), |end| at + end);
        let whole = source[at..end].trim_end_matches('\r');
        // What is before the code in its line belongs to a list or a quote.
        let skipped = if whole.ends_with(line) { whole.len() - line.len() } else { 0 };
        let (mut start, mut text) = (at + skipped, &whole[skipped..]);
        let prompt = ["$ ", "% ", "> ", "# ", "❯ "]
            .iter()
            .find(|prompt| text.trim_start().starts_with(**prompt) && (session || **prompt == "$ "));
        if let Some(prompt) = prompt {
            let cut = text.len() - text.trim_start().len() + prompt.len();
            (start, text) = (start + cut, &text[cut..]);
        }
        if !session || prompt.is_some() || continued {
            lines.push((start, text));
            continued = text.ends_with('\\');
        }
        at = end + 1;
    }
    lines
}

/// Commands of lines that are in a source, each with its words.
pub fn split(lines: &[(usize, &str)]) -> Vec<Vec<Word>> {
    let mut splitter = Splitter::default();
    for (start, line) in lines {
        splitter.line(*start, line);
    }
    splitter.end_command();
    splitter.commands
}

#[derive(Default)]
struct Splitter {
    commands: Vec<Vec<Word>>,
    words: Vec<Word>,
    word: Option<Word>,
    quote: Option<char>,
    /// The next word is the target of a redirection.
    redirected: bool,
    /// Ends of here-documents that have begun.
    until: Vec<String>,
    awaits_end: bool,
}

impl Splitter {
    fn line(&mut self, start: usize, line: &str) {
        if let Some(end) = self.until.first().filter(|_| self.quote.is_none()) {
            if line.trim() == end {
                self.until.remove(0);
            }
            return;
        }
        let mut letters = line.char_indices().peekable();
        while let Some((at, letter)) = letters.next() {
            let place = start + at;
            let rest = &line[at..];
            match (self.quote, letter) {
                (Some(quote), _) if letter == quote => {
                    self.quote = None;
                    self.begin(place).span.end = place + 1;
                }
                (Some('"') | None, '\\') => match letters.next() {
                    Some((_, escaped)) => self.push(escaped, place, place + 1 + escaped.len_utf8()),
                    // The line continues on the next one.
                    None => return,
                },
                (Some(_), _) => self.push(letter, place, place + letter.len_utf8()),
                (None, '"' | '\'') => {
                    self.quote = Some(letter);
                    self.begin(place);
                }
                (None, '#') if self.word.is_none() => break,
                (None, '$') if rest.starts_with("$(") => {
                    let length = closed(rest, '(', ')');
                    self.take(&rest[..length], place);
                    skip(&mut letters, at + length);
                }
                (None, '`') => {
                    let length = rest[1..].find('`').map_or(rest.len(), |end| end + 2);
                    self.take(&rest[..length], place);
                    skip(&mut letters, at + length);
                }
                (None, '<') if placeholder(rest).is_some() => {
                    let length = placeholder(rest).unwrap_or(1);
                    self.take(&rest[..length], place);
                    skip(&mut letters, at + length);
                }
                (None, '<' | '>') => {
                    // `2>` is not a separate word.
                    if self.word.as_ref().is_some_and(|word| word.text.bytes().all(|byte| byte.is_ascii_digit())) {
                        self.word = None;
                    }
                    self.end_word();
                    self.redirected = true;
                    let operators =
                        rest.chars().take_while(|letter| matches!(letter, '<' | '>' | '&' | '-' | '|')).count();
                    self.awaits_end |= rest.starts_with("<<") && !rest.starts_with("<<<");
                    skip(&mut letters, at + operators);
                }
                (None, '|' | '&' | ';') => self.end_command(),
                (None, '(' | ')') if self.word.is_none() => self.end_command(),
                (None, _) if letter.is_whitespace() => self.end_word(),
                (None, _) => self.push(letter, place, place + letter.len_utf8()),
            }
        }
        match self.quote {
            Some(_) => self.push('\n', start + line.len(), start + line.len()),
            None => self.end_command(),
        }
    }

    fn begin(&mut self, place: usize) -> &mut Word {
        self.word.get_or_insert_with(|| Word { text: String::new(), span: Span::new(place, place + 1) })
    }

    fn push(&mut self, letter: char, start: usize, end: usize) {
        let word = self.begin(start);
        word.text.push(letter);
        word.span.end = end;
    }

    fn take(&mut self, text: &str, start: usize) {
        let word = self.begin(start);
        word.text.push_str(text);
        word.span.end = start + text.len();
    }

    fn end_word(&mut self) {
        let Some(word) = self.word.take() else { return };
        if self.redirected {
            self.redirected = false;
            if std::mem::take(&mut self.awaits_end) {
                self.until.push(word.text);
            }
            return;
        }
        // Marks of the shell's own grammar.
        if self.words.is_empty()
            && matches!(word.text.as_str(), "{" | "}" | "!" | "then" | "do" | "else" | "if" | "while")
        {
            return;
        }
        self.words.push(word);
    }

    fn end_command(&mut self) {
        self.end_word();
        self.redirected = false;
        if !self.words.is_empty() {
            self.commands.push(std::mem::take(&mut self.words));
        }
    }
}

fn skip(letters: &mut std::iter::Peekable<std::str::CharIndices<'_>>, to: usize) {
    while letters.next_if(|(at, _)| *at < to).is_some() {}
}

/// `<file>`, `<your name>`: no redirection.
fn placeholder(rest: &str) -> Option<usize> {
    let inner = rest.strip_prefix('<')?;
    let end = inner.find(['<', '>', '\n'])?;
    let begins = |letter: char| letter.is_alphabetic() || letter == '…';
    let is_name = inner[..end].starts_with(begins) && inner[end..].starts_with('>') && end <= 80;
    is_name.then_some(end + 2)
}

/// Bytes up to the bracket that closes the first one, or all.
fn closed(text: &str, open: char, close: char) -> usize {
    let mut depth = 0_usize;
    for (at, letter) in text.char_indices() {
        if letter == open {
            depth += 1;
        } else if letter == close {
            depth = depth.saturating_sub(1);
            if depth == 0 {
                return at + letter.len_utf8();
            }
        }
    }
    text.len()
}

/// Words before a program's name.
fn is_prefix(word: &str) -> bool {
    let is_name = |name: &str| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let assigns = word.split_once('=').is_some_and(|(name, _)| !name.is_empty() && is_name(name));
    assigns || matches!(word, "sudo" | "time" | "env" | "exec" | "nohup" | "command")
}

/// What a command runs: an interpreter's script, or the script itself, whatever runs them.
fn target(words: &[Word]) -> Option<Target> {
    let (mut at, mut direct) = (0, true);
    loop {
        at += words[at..].iter().take_while(|word| is_prefix(&word.text)).count();
        let word = words.get(at)?;
        let program = base_name(&word.text);
        let plain = program.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
        let interpreted = |valued: &[&str]| Some(Target { word: after_options(words, at + 1, valued)?, direct: false });
        match plain {
            "python" | "py" | "pypy" => return interpreted(&["-W", "-X"]),
            "bash" | "sh" | "zsh" | "dash" | "source" => return interpreted(&["-o", "-O"]),
            "." | "" if word.text == "." => return interpreted(&[]),
            "node" | "tsx" | "ts-node" => return interpreted(&["-r", "--require", "--loader", "--import"]),
            "bun" | "deno" => {
                words.get(at + 1).filter(|word| word.text == "run")?;
                return Some(Target { word: after_options(words, at + 2, &["-c", "--config"])?, direct: false });
            }
            // They run what may run something else.
            "uv" | "poetry" | "pdm" | "pipenv" | "hatch" | "rye" => {
                words.get(at + 1).filter(|word| word.text == "run")?;
                let valued = ["--with", "--python", "-p", "--with-requirements", "--extra", "--group"];
                at = after_options(words, at + 2, &valued)?;
            }
            "npx" | "bunx" => at = after_options(words, at + 1, &["-p", "--package"])?,
            _ => return is_path(&word.text).then_some(Target { word: at, direct }),
        }
        direct = false;
    }
}

fn is_path(word: &str) -> bool {
    word.contains('/')
        || [".py", ".sh", ".js", ".mjs", ".ts", ".cjs", ".bash"].iter().any(|ending| word.ends_with(ending))
}

/// The first word that is not an option; `None` also if the program is in the options.
fn after_options(words: &[Word], mut at: usize, valued: &[&str]) -> Option<usize> {
    loop {
        let word = words.get(at)?.text.as_str();
        match word {
            "-c" | "-m" | "-e" | "--eval" | "-" | "-p" if !valued.contains(&word) => return None,
            _ if valued.contains(&word) => at += 2,
            _ if word.starts_with('-') => at += 1,
            _ => return Some(at),
        }
    }
}

fn resolve<'c, 'a>(path: &str, code: &'c Code<'a>) -> Option<(&'c Script<'a>, Fit)> {
    let plain = path.trim_start_matches("./").replace('\\', "/");
    if plain.contains("://") {
        return None;
    }
    if let Some(script) = code.script(&plain) {
        return Some((script, Fit::Exact));
    }
    let mut found = code.scripts_called(base_name(&plain));
    let (script, other) = (found.next()?, found.next());
    let is_end =
        |script: &Script<'_>| plain.strip_suffix(&script.file.name).is_some_and(|before| before.ends_with('/'));
    let script = match other {
        // If several have this name, the one whose whole path matches.
        Some(_) => code.scripts_called(base_name(&plain)).find(|script| is_end(script))?,
        None => script,
    };
    // `$SKILL_DIR`, `<skill>`, `{baseDir}`, `SKILL_PATH`.
    let is_loud = |part: &str| part.len() > 2 && part.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
    let stands_for = |part: &str| part.starts_with(['$', '<', '{', '[', '~', '%']) || part.is_empty() || is_loud(part);
    if stands_for(plain.split('/').next().unwrap_or_default()) {
        return is_end(script).then_some((script, Fit::Behind));
    }
    // Another program of the same name, in a folder that is not of this skill, is another program.
    let has_folder = plain.contains('/');
    let leads_there = is_end(script) || !has_folder || plain.starts_with("../");
    leads_there.then_some((script, Fit::Elsewhere))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<Vec<String>> {
        let lines: Vec<(usize, &str)> = text.lines().map(|line| (0, line)).collect();
        split(&lines).into_iter().map(|command| command.into_iter().map(|word| word.text).collect()).collect()
    }

    #[test]
    fn splits_as_a_shell_does_and_keeps_placeholders() {
        assert_eq!(
            words("FOO=1 python x.py --in <in file> \\\n  --out 'a b' | tee log.txt # done"),
            [vec!["FOO=1", "python", "x.py", "--in", "<in file>", "--out", "a b"], vec!["tee", "log.txt"]]
        );
        assert_eq!(words("a $(b | c) 2>err.txt && d >x"), [vec!["a", "$(b | c)"], vec!["d"]]);
        assert_eq!(words("cat <<EOF >x\n a | b\nEOF\nc"), [vec!["cat"], vec!["c"]]);
        assert_eq!(words("f 'two\nlines' g"), [vec!["f", "two\nlines", "g"]]);
    }

    #[test]
    fn words_know_their_places() {
        let text = "x \"a b\" é --c";
        let found = split(&[(0, text)]);
        let places: Vec<&str> = found[0].iter().map(|word| word.span.of(text)).collect();
        assert_eq!(places, ["x", "\"a b\"", "é", "--c"]);
    }

    #[test]
    fn finds_commands_within_commands() {
        let text = "x=$(python3 a.py --b \"$(c.sh `d.sh -e`)\") '$(f.sh)' $((1 + 2)) \"$(g.sh h)\"";
        let found = substituted(text, &split(&[(0, text)]).concat());
        let mut shown: Vec<String> = found
            .iter()
            .map(|words| words.iter().map(|word| word.span.of(text)).collect::<Vec<_>>().join(" "))
            .collect();
        shown.sort();
        assert_eq!(shown, ["c.sh `d.sh -e`", "d.sh -e", "g.sh h", "python3 a.py --b \"$(c.sh `d.sh -e`)\""]);
    }

    #[test]
    fn commands_that_are_never_closed_end_where_the_text_ends() {
        for text in ["````text        │", "x $(a │", "$(", "`", "\"$(é", "$(`│"] {
            assert!(substituted(text, &split(&[(0, text)]).concat()).len() < 5, "{text}");
        }
    }

    #[test]
    fn finds_what_an_interpreter_runs() {
        let run = |text: &str| {
            let words = split(&[(0, text)]).remove(0);
            target(&words).map(|target| (words[target.word].text.clone(), target.direct))
        };
        assert_eq!(run("sudo A=1 python3.11 -u scripts/x.py"), Some(("scripts/x.py".into(), false)));
        assert_eq!(run("uv run --with rich python scripts/x.py a"), Some(("scripts/x.py".into(), false)));
        assert_eq!(run("./scripts/x.sh a"), Some(("./scripts/x.sh".into(), true)));
        assert_eq!(run("python -m http.server"), None);
        assert_eq!(run("git log"), None);
        assert_eq!(run(&format!("{}./x.sh", "npx ".repeat(100_000))), Some(("./x.sh".into(), false)));
    }
}
