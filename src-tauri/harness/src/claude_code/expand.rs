//! How instructions change when they are loaded: arguments and the skill's folder are filled in, and commands between
//! backticks after a `!` are run and replaced by their output. Only the skill's own text is searched for commands, so
//! that no argument can insert one.

use std::sync::LazyLock;

use camino::Utf8Path;
use regex::{Captures, Regex};

use super::Detail;
use crate::{CatalogSkill, Mark, Marked, Origin, ScriptOutput};
use skill::source::Span;

/// A skill between the call and the answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Loading {
    /// Its id.
    pub skill: String,
    /// As it was called.
    pub name: String,
    pieces: Vec<Piece>,
    /// Of the commands, in order.
    outputs: Vec<String>,
    /// The user was asked whether it may be loaded, or need not be.
    begun: bool,
}

#[derive(Debug, Clone, PartialEq)]
enum Piece {
    Text(Marked),
    Command(String),
}

/// Commands of one skill that are run; further ones stay as they are.
const COMMANDS: usize = 24;

impl Loading {
    pub fn new(skill: &CatalogSkill, detail: &Detail, name: &str, arguments: Option<&str>) -> Self {
        let filling = Filling::new(skill, arguments);
        let mut pieces = Vec::new();
        let mut text = Marked::default();
        if let Some(folder) = &skill.path {
            text.push(&format!("Base directory for this skill: {folder}\n\n"), Origin::Framework);
        }
        let body = &detail.body;
        let mut at = 0;
        for found in COMMAND.captures_iter(body).take(COMMANDS) {
            let (Some(whole), Some(command)) = (found.get(0), found.get(2)) else { continue };
            let mark = whole.start() + found.get(1).map_or(0, |blank| blank.len());
            filling.fill(&body[at..mark], &mut text);
            pieces.push(Piece::Text(std::mem::take(&mut text)));
            let mut line = Marked::default();
            filling.fill(command.as_str(), &mut line);
            pieces.push(Piece::Command(line.text));
            at = whole.end();
        }
        filling.fill(&body[at..], &mut text);
        if let Some(arguments) = arguments.filter(|text| !text.is_empty() && !takes_arguments(body)) {
            text.push(&format!("\n\nARGUMENTS: {arguments}"), Origin::Framework);
        }
        pieces.push(Piece::Text(text));
        Self { skill: skill.id.clone(), name: name.to_owned(), pieces, outputs: Vec::new(), begun: false }
    }

    /// The user was asked for the skill, and has not answered.
    pub fn is_asked(&self) -> bool {
        !self.begun
    }

    pub fn begin(&mut self) {
        self.begun = true;
    }

    /// The command that has to run next.
    pub fn command(&self) -> Option<&str> {
        let mut commands = self.pieces.iter().filter_map(|piece| match piece {
            Piece::Command(command) => Some(command.as_str()),
            Piece::Text(_) => None,
        });
        commands.nth(self.outputs.len())
    }

    /// What the command printed.
    pub fn printed(&mut self, output: impl Into<String>) {
        self.outputs.push(output.into());
    }

    /// The whole text, with the output of all commands that have run.
    pub fn text(&self) -> Marked {
        let mut outputs = self.outputs.iter();
        let mut whole = Marked::default();
        for piece in &self.pieces {
            match piece {
                Piece::Text(text) => whole.append(text),
                Piece::Command(command) => match outputs.next() {
                    Some(output) => whole.push(output, Origin::Tool { tool: "Bash".into() }),
                    None => whole.push(&format!("!`{command}`"), Origin::Framework),
                },
            }
        }
        whole
    }
}

/// What a command printed, as it takes the place of the command.
pub fn output(ran: &ScriptOutput) -> String {
    format!("{}{}", ran.stdout, ran.stderr).trim_end().to_owned()
}

/// Places of instructions that are replaced when they are loaded: commands, and what looks like an argument.
pub fn replaced(body: &str) -> Vec<Span> {
    let command = |found: Captures| {
        let whole = found.get(0)?;
        Some(Span::new(whole.start() + found.get(1)?.len(), whole.end()))
    };
    let commands: Vec<Span> = COMMAND.captures_iter(body).filter_map(command).collect();
    let placeholders = PLACEHOLDER.find_iter(body).filter(|found| found.as_str() != FOLDER);
    let placeholders = placeholders.map(|found| Span::new(found.start(), found.end()));
    let inside = |span: &Span| commands.iter().any(|command| command.start <= span.start && span.end <= command.end);
    let mut all: Vec<Span> = placeholders.filter(|span| !inside(span)).collect();
    all.extend(&commands);
    all.sort_by_key(|span| span.start);
    all
}

const FOLDER: &str = "${CLAUDE_SKILL_DIR}";

static PLACEHOLDER: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\$ARGUMENTS\[([0-9]+)\]|\$ARGUMENTS|\$([0-9]+)|\$\{CLAUDE_SKILL_DIR\}").expect("it is a pattern")
});

static COMMAND: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"(?m)(^|\s)!`([^`\n]+)`").expect("it is a pattern"));

fn takes_arguments(body: &str) -> bool {
    PLACEHOLDER.find_iter(body).any(|found| found.as_str() != FOLDER)
}

/// The values that are filled in.
struct Filling<'a> {
    skill: &'a str,
    folder: Option<&'a Utf8Path>,
    arguments: &'a str,
    words: Vec<String>,
}

impl<'a> Filling<'a> {
    fn new(skill: &'a CatalogSkill, arguments: Option<&'a str>) -> Self {
        let arguments = arguments.unwrap_or_default();
        let words =
            shlex::split(arguments).unwrap_or_else(|| arguments.split_whitespace().map(str::to_owned).collect());
        Self { skill: &skill.id, folder: skill.path.as_deref(), arguments, words }
    }

    fn fill(&self, text: &str, out: &mut Marked) {
        let own = || Origin::Skill { skill: self.skill.to_owned(), field: "body".into() };
        let mut at = 0;
        for found in PLACEHOLDER.captures_iter(text) {
            let Some(whole) = found.get(0) else { continue };
            out.push(&text[at..whole.start()], own());
            let index = found.get(1).or_else(|| found.get(2));
            let value = match (whole.as_str(), index) {
                (FOLDER, _) => self.folder.map_or(FOLDER, Utf8Path::as_str),
                (_, None) => self.arguments,
                (_, Some(index)) => {
                    let word = index.as_str().parse().ok().and_then(|index: usize| self.words.get(index));
                    word.map_or("", String::as_str)
                }
            };
            out.push(value, Origin::Framework);
            at = whole.end();
        }
        out.push(&text[at..], own());
    }
}

/// A text that is the client's throughout.
pub fn own(text: impl Into<String>) -> Marked {
    let text = text.into();
    let marks = vec![Mark { span: Span::new(0, text.len()), origin: Origin::Framework }];
    Marked { text, marks }
}
