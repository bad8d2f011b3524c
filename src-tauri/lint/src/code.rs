//! Code in skills, as rules ask about it: scripts and data files, each read once by a parser of its language, and the
//! commands that texts give. Nothing here is run, and syntax trees are dropped after their file is read: only [`Facts`]
//! are kept. Code that would cost too much (machine-made lines, more words than a person writes) is left unread rather
//! than cut short.

pub mod command;
pub mod contract;
pub mod data;
pub mod fence;
mod javascript;
pub mod known;
#[cfg(test)]
mod pieces;
mod python;
pub mod requirement;
mod shell;
mod stack;
mod tree;

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use camino::Utf8Path;

pub use command::{Command, Mention, Word};

use super::markdown::Markdown;
use super::texts::Texts;
use skill::source::{SourceText, Span};
use skill::{FileKind, SkillFile};
use wording::Message;

/// All code of a skill.
pub struct Code<'a> {
    pub scripts: Vec<Script<'a>>,
    pub data: Vec<Data<'a>>,
    /// `SKILL.md` and the Markdown files that an agent reads.
    pub documents: Vec<Document<'a>>,
    /// Scripts of which nothing is known, and why.
    pub unread: Vec<(&'a SkillFile, Unread)>,
    /// Places in `scripts`, by the files' own names.
    by_name: HashMap<&'a str, Vec<usize>>,
    words: OnceCell<HashSet<String>>,
    code_words: OnceCell<HashSet<String>>,
}

/// Why a script is not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unread {
    Large,
    /// The first line that is too long, and its bytes.
    LongLine {
        line: usize,
        length: usize,
    },
    ManyWords,
}

/// A program of the skill.
pub struct Script<'a> {
    pub file: &'a SkillFile,
    pub source: Arc<SourceText>,
    pub language: Language,
    /// The first line, if it names an interpreter.
    pub shebang: Option<Span>,
    pub error: Option<SyntaxError>,
    /// Of a script that does not parse: what could be read.
    pub facts: Facts,
}

/// A file of values: JSON, YAML, TOML, a table.
pub struct Data<'a> {
    pub file: &'a SkillFile,
    pub source: Arc<SourceText>,
    pub language: Language,
    pub error: Option<SyntaxError>,
}

/// A text with code in it.
pub struct Document<'a> {
    pub path: &'a Utf8Path,
    /// In the skill's folder.
    pub name: &'a str,
    pub source: Arc<SourceText>,
    pub commands: Vec<Command>,
    /// Flags that prose gives for a script it names.
    pub mentions: Vec<Mention>,
}

/// What it is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    Python,
    Shell,
    JavaScript,
    TypeScript,
    Json,
    JsonLines,
    Yaml,
    Toml,
    /// With its separator.
    Table(u8),
}

/// The place where its parser fails.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyntaxError {
    pub span: Span,
    /// Without a full stop.
    pub reason: Message,
}

impl SyntaxError {
    /// In the words of a parser that speaks English alone.
    fn quoted(span: Span, words: String) -> Self {
        Self { span, reason: Message::quoted(words) }
    }
}

/// What a script needs and does.
#[derive(Debug, Default, PartialEq)]
pub struct Facts {
    pub imports: Vec<Import>,
    pub variables: Vec<Variable>,
    pub programs: Vec<Named>,
    /// Environment variables it sets, for itself or for what it runs.
    pub sets: HashSet<String>,
    /// Programs whose absence the script notices itself.
    pub looked_for: HashSet<String>,
    /// Calls that wait for input at the terminal.
    pub prompts: Vec<Named>,
    /// It asks whether a terminal is there.
    pub checks_terminal: bool,
    pub interface: Interface,
    /// Hosts it talks to.
    pub hosts: Vec<Named>,
    /// What it writes outside of the folder it is run in.
    pub writes: Vec<Named>,
    /// Paths in somebody's home.
    pub homes: Vec<Named>,
    /// Results in a form for programs go to standard output.
    pub prints_data: bool,
    /// Progress and warnings that go to standard output.
    pub chatter: Vec<Span>,
    /// Prints everything that a file or an answer holds.
    pub floods: Vec<Span>,
    /// Errors that are printed and then forgotten.
    pub swallowed: Vec<Span>,
    /// Ends with this code.
    pub exits: Vec<(i64, Span)>,
    /// It can end with another code than 0, for all that is known.
    pub fails: bool,
    /// Reads its arguments one by one.
    pub by_hand: bool,
    /// `--help`, or a text on its usage.
    pub helps: bool,
    /// It stops at the first command that fails.
    pub strict: bool,
    /// Commands it runs of which none looks at the result of the one before.
    pub steps: usize,
}

/// A module that code needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Import {
    /// The package as the code names it, e.g. `yaml`, `@scope/name`.
    pub name: String,
    pub span: Span,
    /// The script works without it, or says what to install.
    pub optional: bool,
}

/// An environment variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    pub name: String,
    pub span: Span,
    /// There is no default.
    pub needed: bool,
}

/// A name in code, with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    pub name: String,
    pub span: Span,
}

/// The arguments a script takes.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Interface {
    /// Every flag is known: others are not accepted.
    pub complete: bool,
    /// Longer flags may be cut as long as they stay unique.
    pub abbreviates: bool,
    pub level: Level,
}

/// The flags of a program or of one of its subcommands.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Level {
    /// A subcommand's names; none for the program.
    pub names: Vec<String>,
    pub flags: Vec<Flag>,
    /// Required arguments other than flags, before a subcommand, in order.
    pub arguments: Vec<String>,
    pub subcommands: Vec<Level>,
}

/// An option that a script takes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Flag {
    /// With their hyphens.
    pub names: Vec<String>,
    pub required: bool,
    pub takes_value: bool,
    /// As many values as follow it.
    pub takes_many: bool,
    /// The only values it takes; none: any.
    pub choices: Vec<String>,
}

/// Larger programs are made by machines.
pub const SCRIPT_LIMIT: usize = 512 << 10;
/// A line of this length was not written by hand.
pub const LINE_LIMIT: usize = 20_000;
const DATA_LIMIT: usize = 2 << 20;
const DOCUMENT_LIMIT: usize = 2 << 20;

impl<'a> Code<'a> {
    /// Parses all scripts of a skill, its data files, and the code in its Markdown. Files that are too large or of an
    /// unknown language are not read, and that is noted.
    pub fn of(skill: &Texts<'a>) -> Self {
        let mut code = Self {
            scripts: Vec::new(),
            data: Vec::new(),
            documents: Vec::new(),
            unread: Vec::new(),
            by_name: HashMap::new(),
            words: OnceCell::new(),
            code_words: OnceCell::new(),
        };
        for file in skill.skill.files.iter().filter(|file| !skill.is_manifest(file)) {
            code.take(skill, file);
        }
        let scripts: Vec<&str> = code.scripts.iter().map(|script| script.file.name.as_str()).collect();
        code.documents = documents(skill, &scripts);
        code
    }

    fn take(&mut self, skill: &Texts<'a>, file: &'a SkillFile) {
        let language = Language::of_name(&file.name);
        let own = is_own(&file.name);
        if language.is_none() && !(own && file.name.starts_with("scripts/")) {
            return;
        }
        // In copied files and tests, only text that hides from readers matters.
        if !own && usize::try_from(file.size).is_ok_and(|size| size <= LINE_LIMIT) {
            return;
        }
        let limit = if language.is_some_and(Language::is_data) { DATA_LIMIT } else { SCRIPT_LIMIT };
        let is_program = file.kind == FileKind::Script || file.kind == FileKind::Other;
        if usize::try_from(file.size).map_or(true, |size| size > limit) {
            let is_script = || match language {
                Some(language) => !language.is_data(),
                None => skill.read(file).is_some_and(|text| Language::of_shebang(&text.source.text).is_some()),
            };
            if is_program && is_script() {
                self.unread.push((file, Unread::Large));
            }
            return;
        }
        let Some(text) = skill.read(file) else { return };
        let source = Arc::clone(&text.source);
        // The interpreter of a program counts more than its file name.
        let named = language.is_none_or(|language| !language.is_data()).then(|| Language::of_shebang(&source.text));
        // Node runs TypeScript too: the ending says which of both it is.
        let is_typescript = language == Some(Language::TypeScript);
        let named = named.flatten().filter(|named| !(is_typescript && *named == Language::JavaScript));
        let Some(language) = named.or(language) else { return };
        if language.is_data() {
            if !own {
                return;
            }
            let error = data::error(&source.text, language).filter(|_| !is_template(&source.text));
            self.data.push(Data { file, source, language, error });
            return;
        }
        if !is_program {
            return;
        }
        let mut lines = source.text.split('\n').map(str::len).zip(1..);
        if source.text.len() > LINE_LIMIT
            && let Some((length, line)) = lines.find(|(length, _)| *length > LINE_LIMIT)
        {
            self.unread.push((file, Unread::LongLine { line, length }));
            return;
        }
        if !own {
            return;
        }
        if language == Language::Python && !stack::is_short_enough(&source.text) {
            self.unread.push((file, Unread::ManyWords));
        }
        let shebang = shebang(&source.text);
        let (error, facts) = read(&source.text, language);
        // A template is not yet a program.
        let error = error.filter(|_| !["{{", "{%", "<%"].iter().any(|mark| source.text.contains(mark)));
        self.by_name.entry(base_name(&file.name)).or_default().push(self.scripts.len());
        self.scripts.push(Script { file, source, language, shebang, error, facts });
    }

    /// By its path in the skill's folder.
    pub fn script(&self, name: &str) -> Option<&Script<'a>> {
        self.scripts_called(base_name(name)).find(|script| script.file.name == name)
    }

    /// By the file's own name.
    pub fn scripts_called(&self, name: &str) -> impl Iterator<Item = &Script<'a>> {
        self.by_name.get(name).into_iter().flatten().map(|place| &self.scripts[*place])
    }

    /// Whether a text that an agent reads has this word, in any case.
    pub fn names(&self, word: &str) -> bool {
        let words = self.words.get_or_init(|| {
            let mut words = HashSet::new();
            self.documents.iter().for_each(|document| add_words(&document.source.text, &mut words));
            words
        });
        words.contains(&word.to_ascii_lowercase())
    }

    /// The same for words that are code, or in the frontmatter: `requests` is a word of English too.
    pub fn names_in_code(&self, skill: &Texts<'_>, word: &str) -> bool {
        let words = self.code_words.get_or_init(|| {
            let mut words = HashSet::new();
            let front = skill.manifest().frontmatter.as_ref().map_or(0, |front| front.block.end);
            add_words(&skill.text()[..front], &mut words);
            skill.each_document(|_, _, source, markdown| {
                markdown.fences.iter().for_each(|fence| add_words(&fence.code, &mut words));
                markdown.codes.iter().for_each(|code| add_words(code.of(&source.text), &mut words));
            });
            words
        });
        words.contains(&word.to_ascii_lowercase())
    }
}

impl<'a> Texts<'a> {
    /// Each Markdown file an agent reads, with its path, its name in the skill's folder and its text.
    pub fn each_document(&self, mut look: impl FnMut(&'a Utf8Path, &'a str, &Arc<SourceText>, &Markdown)) {
        let name = self.path().file_name().unwrap_or_default();
        look(self.path(), name, &self.manifest().source, self.markdown());
        for file in self.skill.files.iter().filter(|file| !self.is_manifest(file) && is_document(file)) {
            if let Some(text) = self.read(file) {
                look(&file.path, &file.name, &text.source, text.markdown());
            }
        }
    }
}

impl Document<'_> {
    /// The whole file.
    pub fn text(&self) -> &str {
        &self.source.text
    }
}

impl Script<'_> {
    /// The whole file.
    pub fn text(&self) -> &str {
        &self.source.text
    }
}

impl Language {
    /// By the ending of a file's name.
    pub fn of_name(name: &str) -> Option<Self> {
        match Utf8Path::new(name).extension()?.to_ascii_lowercase().as_str() {
            "py" => Some(Self::Python),
            "sh" | "bash" => Some(Self::Shell),
            "js" | "mjs" | "cjs" => Some(Self::JavaScript),
            "ts" | "mts" | "cts" => Some(Self::TypeScript),
            "json" => Some(Self::Json),
            "jsonl" | "ndjson" => Some(Self::JsonLines),
            "yaml" | "yml" => Some(Self::Yaml),
            "toml" => Some(Self::Toml),
            "csv" => Some(Self::Table(b',')),
            "tsv" => Some(Self::Table(b'\t')),
            _ => None,
        }
    }

    fn of_shebang(text: &str) -> Option<Self> {
        let line = shebang(text)?.of(text);
        let words = line[2..].split_whitespace().filter(|word| !word.starts_with('-') && !word.contains('='));
        let program = words.map(base_name).find(|word| *word != "env")?;
        match program.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.') {
            "python" => Some(Self::Python),
            // `'''exec' python3 "$0" "$@"`, and then Python.
            "sh" | "bash" | "dash" if text.lines().skip(1).take(HEAD).any(is_handed_on) => Some(Self::Python),
            "sh" | "bash" | "dash" => Some(Self::Shell),
            "node" => Some(Self::JavaScript),
            _ => None,
        }
    }

    /// It is read, not run.
    pub fn is_data(self) -> bool {
        match self {
            Self::Json | Self::JsonLines | Self::Yaml | Self::Toml | Self::Table(_) => true,
            Self::Python | Self::Shell | Self::JavaScript | Self::TypeScript => false,
        }
    }

    /// As messages name it.
    pub fn title(self) -> &'static str {
        match self {
            Self::Python => "Python",
            Self::Shell => "shell",
            Self::JavaScript => "JavaScript",
            Self::TypeScript => "TypeScript",
            Self::Json | Self::JsonLines => "JSON",
            Self::Yaml => "YAML",
            Self::Toml => "TOML",
            Self::Table(_) => "CSV",
        }
    }
}

impl Level {
    /// By its name.
    pub fn subcommand(&self, name: &str) -> Option<&Level> {
        self.subcommands.iter().find(|level| level.names.iter().any(|known| known == name))
    }

    /// By its name, with its hyphens.
    pub fn flag(&self, name: &str) -> Option<&Flag> {
        self.flags.iter().find(|flag| flag.names.iter().any(|known| known == name))
    }

    /// The flags of this level and of all below.
    pub fn all_flags(&self) -> Vec<&Flag> {
        let below = self.subcommands.iter().flat_map(Level::all_flags);
        self.flags.iter().chain(below).collect()
    }
}

impl Interface {
    /// Whether there is a flag, on any level, whose name has one of these words in it.
    pub fn has_flag_like(&self, words: &[&str]) -> bool {
        let is_like = |name: &String| name.split('-').any(|part| words.contains(&part));
        self.level.all_flags().iter().any(|flag| flag.names.iter().any(is_like))
    }
}

/// What is after the last `/`.
pub fn base_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or_default()
}

/// A template's marks. Such a file is not yet what its ending says.
pub fn is_template(text: &str) -> bool {
    ["{{", "{%", "<%", "${", "<<"].iter().any(|mark| text.contains(mark))
}

fn read(text: &str, language: Language) -> (Option<SyntaxError>, Facts) {
    match language {
        Language::Python => python::read(text),
        Language::Shell => shell::read(text),
        Language::JavaScript => javascript::read(text),
        Language::TypeScript => javascript::read_typescript(text),
        Language::Json | Language::JsonLines | Language::Yaml | Language::Toml | Language::Table(_) => {
            Default::default()
        }
    }
}

fn documents<'a>(skill: &Texts<'a>, scripts: &[&str]) -> Vec<Document<'a>> {
    let mut documents = Vec::new();
    skill.each_document(|path, name, source, markdown| {
        let commands = command::commands(&source.text, markdown);
        let mentions = command::mentions(&source.text, markdown, scripts);
        documents.push(Document { path, name, source: Arc::clone(source), commands, mentions });
    });
    documents
}

/// Not in a folder of copied, generated or test files.
fn is_own(name: &str) -> bool {
    let foreign = |folder: &str| FOREIGN.contains(&folder) || folder.starts_with('.');
    !name.split('/').rev().skip(1).any(foreign)
}

const FOREIGN: [&str; 17] = [
    "test-fixtures",
    "node_modules",
    "vendor",
    "third_party",
    "dist",
    "build",
    "site-packages",
    "__pycache__",
    "evals",
    "tests",
    "test",
    "__tests__",
    "fixtures",
    "testdata",
    "templates",
    "template",
    "test_data",
];

fn is_document(file: &SkillFile) -> bool {
    matches!(Utf8Path::new(&file.name).extension(), Some("md" | "markdown" | "mdx"))
        && usize::try_from(file.size).is_ok_and(|size| size <= DOCUMENT_LIMIT)
        && is_own(&file.name)
        && !file.name.starts_with("assets/")
        && !base_name(&file.name).to_ascii_lowercase().starts_with("changelog")
}

/// Lines of a program that may say what really runs it.
const HEAD: usize = 5;

/// A line that is a string to Python, and to a shell an order to run the file by Python.
fn is_handed_on(line: &str) -> bool {
    line.starts_with(['"', '\'']) && line.contains("exec") && line.contains("python") && line.contains("$0")
}

fn shebang(text: &str) -> Option<Span> {
    let end = text.find(['\n', '\r']).unwrap_or(text.len());
    text.starts_with("#!").then(|| Span::new(0, end))
}

fn add_words(text: &str, words: &mut HashSet<String>) {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-' | '.');
    for word in text.split(|letter| !is_part(letter)) {
        let word = word.trim_matches(['.', '-']);
        if word.is_empty() {
            continue;
        }
        let word = word.to_ascii_lowercase();
        if word.contains('.') {
            words.extend(word.split('.').filter(|part| !part.is_empty()).map(str::to_owned));
        }
        words.insert(word);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Pieces of all languages, which meet in more ways than letters do.
    fn code() -> impl Strategy<Value = String> {
        let piece = prop_oneof![4 => proptest::sample::select(pieces::all()).prop_map(str::to_owned), 1 => "\\PC{0,6}"];
        proptest::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
    }

    fn spans(facts: &Facts) -> Vec<Span> {
        let named = [&facts.programs, &facts.prompts, &facts.hosts, &facts.writes, &facts.homes];
        let mut spans: Vec<Span> = named.into_iter().flatten().map(|one| one.span).collect();
        spans.extend(facts.imports.iter().map(|one| one.span));
        spans.extend(facts.variables.iter().map(|one| one.span));
        spans.extend(facts.exits.iter().map(|(_, span)| *span));
        spans.extend([&facts.chatter, &facts.floods, &facts.swallowed].into_iter().flatten());
        spans
    }

    proptest! {
        #[test]
        fn any_text_is_read_and_every_place_is_in_it(text in code()) {
            for language in [Language::Python, Language::Shell, Language::JavaScript, Language::TypeScript] {
                let (error, facts) = read(&text, language);
                for span in spans(&facts).into_iter().chain(error.map(|error| error.span)) {
                    prop_assert!(text.get(span.start..span.end).is_some(), "{language:?} {span:?} {text:?}");
                }
            }
            for language in [Language::Json, Language::JsonLines, Language::Yaml, Language::Toml, Language::Table(b',')] {
                if let Some(error) = data::error(&text, language) {
                    prop_assert!(text.get(error.span.start..error.span.end).is_some(), "{language:?} {error:?} {text:?}");
                }
            }
        }

        #[test]
        fn any_fence_is_read_and_every_place_is_in_its_text(text in code()) {
            for language in ["python", "bash", "console", "js", "json", "yaml", "toml", ""] {
                let source = format!("- a\n\n  ```{language}\n  {}\n  ```\n\n`{text}`\n", text.replace('\n', "\n  "));
                let markdown = Markdown::parse(&source, 0);
                for broken in fence::broken(&source, &markdown) {
                    let span = broken.error.span;
                    prop_assert!(source.get(span.start..span.end).is_some(), "{broken:?} {source:?}");
                }
                for word in command::commands(&source, &markdown).iter().flat_map(|command| &command.words) {
                    prop_assert!(source.get(word.span.start..word.span.end).is_some(), "{word:?} {source:?}");
                }
            }
        }
    }
}
