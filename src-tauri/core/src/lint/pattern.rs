//! Rules that are patterns in text: only where a literal of one occurs is its expression tried.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError};

use camino::Utf8Path;
use regex::Regex;

use super::markdown::Markdown;
use super::words::Words;
use super::{Check, Finding, LintOptions, Report, Rule, Subject, rules};
use crate::skill::files::kind_of;
use crate::skill::{FileKind, Severity};
use crate::source::Span;

/// The patterns of one rule.
#[derive(Debug, Clone, Copy)]
pub struct Patterns {
    pub scope: Scope,
    pub patterns: &'static [Pattern],
    /// A match is no finding where this says so, given the line it is in.
    pub unless: Option<fn(&Match<'_>) -> bool>,
}

#[derive(Debug, Clone, Copy)]
pub struct Pattern {
    /// At least one of these is in every match, in any case of ASCII letters. At least three bytes each, and rare.
    pub literals: &'static [&'static str],
    /// Tried on the lines around a literal: from [`Pattern::lines`] before to as many after. Compiled once.
    pub expression: &'static str,
    /// How many lines before and after the literal's own a match may reach.
    pub lines: u8,
    /// Said of a match; `{}` is what matched, cut to a readable length.
    pub message: &'static str,
}

/// Which texts are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// The body of `SKILL.md`.
    Body,
    /// The body of `SKILL.md` and Markdown files of the skill.
    Instructions,
    /// Scripts, and code fences in the above.
    Code,
    /// Every text file, `SKILL.md` with its frontmatter too.
    All,
}

/// A match, where it is.
#[derive(Debug, Clone, Copy)]
pub struct Match<'a> {
    pub text: &'a str,
    /// The lines it lies in, whole.
    pub line: &'a str,
    /// The match is in a code fence, a code span, or a script.
    pub in_code: bool,
    /// What stands before it, as far as it can bear on how it is meant.
    pub before: &'a str,
    /// The same, from further up: the text before a fence, the head of a table.
    pub above: &'a str,
    /// The file it is in.
    pub path: &'a Utf8Path,
}

/// All patterns, those of rules that look ready to be tried.
pub(super) struct Finder {
    /// By the patterns' numbers, as [`Words::of_patterns`] has them.
    searches: Vec<Option<Search>>,
}

/// A pattern of a rule that looks.
struct Search {
    rule: &'static Rule,
    severity: Severity,
    patterns: &'static Patterns,
    pattern: &'static Pattern,
    /// Compiled when a literal of it first occurs.
    expression: OnceLock<Option<Arc<Regex>>>,
}

/// What one pattern came to in one text.
#[derive(Clone, Copy, Default)]
struct Progress {
    /// Up to where it has looked.
    done: usize,
    found: usize,
}

/// Bytes before and after a literal that its expression may look at, whatever the lines are.
const REACH: usize = 2048;
/// Bytes before a match that are shown to [`Patterns::unless`].
const CONTEXT: usize = 400;
/// The same for what is further up.
pub const ABOVE: usize = 2000;
/// Bytes of a match that a message shows.
const SHOWN: usize = 60;
/// Larger files are not searched.
const SIZE_LIMIT: u64 = 4 << 20;
/// Findings of one pattern in one file; further ones say nothing new.
const MOST: usize = 20;

impl Finder {
    pub(super) fn new(options: &LintOptions) -> Self {
        let searches = rules().flat_map(|rule| {
            let (patterns, severity) = match &rule.check {
                Check::Pattern(patterns) => (Some(patterns), options.severity(rule)),
                Check::Load(_) | Check::Skill(_) | Check::Set(_) => (None, None),
            };
            patterns.into_iter().flat_map(move |patterns| {
                patterns.patterns.iter().map(move |pattern| {
                    severity.map(|severity| Search { rule, severity, patterns, pattern, expression: OnceLock::new() })
                })
            })
        });
        Self { searches: searches.collect() }
    }

    pub(super) fn look(&self, subject: &Subject<'_>, findings: &mut Vec<Finding>) {
        let text = subject.text();
        let body = subject.manifest().body;
        let place = Place { path: subject.path(), text, body: body.start, kind: Kind::Manifest };
        self.search(&place, subject.words(), || subject.markdown(), findings);
        for file in &subject.skill.files {
            if subject.is_manifest(file) || file.size > SIZE_LIMIT {
                continue;
            }
            let Some(text) = subject.read(file) else { continue };
            let kind = match file.path.extension() {
                Some("md" | "markdown" | "mdx") => Kind::Markdown,
                _ if file.kind == FileKind::Script => Kind::Script,
                // A script in another folder is a script.
                _ if file.path.file_name().is_some_and(|name| kind_of(name) == FileKind::Script) => Kind::Script,
                _ => Kind::Other,
            };
            let place = Place { path: &file.path, text: text.text(), body: 0, kind };
            self.search(&place, text.words(), || text.markdown(), findings);
        }
    }

    fn search<'t>(
        &self,
        place: &Place<'_>,
        words: &Words,
        markdown: impl Fn() -> &'t Markdown,
        findings: &mut Vec<Finding>,
    ) {
        let mut looked: HashMap<usize, Progress> = HashMap::new();
        for (number, hit) in words.of_patterns() {
            let Some(Search { rule, severity, patterns, pattern, expression }) = &self.searches[number] else {
                continue;
            };
            let progress = looked.entry(number).or_default();
            if hit.start < progress.done || progress.found >= MOST {
                continue;
            }
            let mut window = window(place.text, hit.start, hit.end, pattern.lines);
            window.start = window.start.max(progress.done).min(window.end);
            progress.done = window.end;
            let Some(expression) = expression.get_or_init(|| compiled(pattern.expression)) else { continue };
            for matched in expression.find_iter(window.of(place.text)) {
                let span = Span::new(matched.start(), matched.end()).shift(window.start);
                let in_code = place.kind.is_code() || (place.kind.is_markdown() && markdown().is_code(span.start));
                if progress.found >= MOST || !place.is_in(patterns.scope, span.start, in_code) {
                    continue;
                }
                let line = window.of(place.text);
                let before =
                    &place.text[place.text.floor_char_boundary(span.start.saturating_sub(CONTEXT))..span.start];
                let above = &place.text[place.text.floor_char_boundary(span.start.saturating_sub(ABOVE))..span.start];
                let found_here = Match { text: matched.as_str(), line, in_code, before, above, path: place.path };
                if patterns.unless.is_some_and(|fine| fine(&found_here)) {
                    continue;
                }
                progress.found += 1;
                let message = pattern.message.replace("{}", &shown(matched.as_str()));
                Report::new(rule, *severity, findings).at(place.path, span, message);
            }
        }
    }
}

/// A text that is searched.
struct Place<'a> {
    path: &'a Utf8Path,
    text: &'a str,
    /// Where the instructions begin.
    body: usize,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Manifest,
    Markdown,
    Script,
    Other,
}

impl Kind {
    fn is_markdown(self) -> bool {
        matches!(self, Self::Manifest | Self::Markdown)
    }

    fn is_code(self) -> bool {
        self == Self::Script
    }
}

impl Place<'_> {
    fn is_in(&self, scope: Scope, at: usize, in_code: bool) -> bool {
        let instructions = self.kind.is_markdown() && at >= self.body;
        match scope {
            Scope::Body => self.kind == Kind::Manifest && at >= self.body,
            Scope::Instructions => instructions,
            Scope::Code => in_code && (instructions || self.kind == Kind::Script),
            Scope::All => true,
        }
    }
}

/// The lines around a literal, as far as they are within reach.
fn window(text: &str, start: usize, end: usize, lines: u8) -> Span {
    let mut first = start;
    let lowest = text.floor_char_boundary(start.saturating_sub(REACH));
    let mut last = end;
    let highest = text.ceil_char_boundary((end + REACH).min(text.len()));
    for turn in 0..=lines {
        let before = if turn == 0 { first } else { first.saturating_sub(1) };
        first = text[lowest..before.max(lowest)].rfind('\n').map_or(lowest, |at| lowest + at + 1);
        let after = if turn == 0 { last } else { (last + 1).min(highest) };
        last = text[after.min(highest)..highest].find('\n').map_or(highest, |at| after + at);
    }
    Span::new(first, last.max(first))
}

fn shown(text: &str) -> String {
    let text = text.trim();
    let one_line: String = text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    match one_line.len() {
        0..=SHOWN => one_line,
        _ => format!("{}…", &one_line[..one_line.floor_char_boundary(SHOWN)]),
    }
}

/// Compiled once in the life of the program. An expression that is none is caught by a test.
fn compiled(expression: &'static str) -> Option<Arc<Regex>> {
    static COMPILED: LazyLock<Mutex<HashMap<&'static str, Arc<Regex>>>> = LazyLock::new(Mutex::default);
    let mut compiled = COMPILED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = compiled.get(expression) {
        return Some(Arc::clone(known));
    }
    let made = Arc::new(Regex::new(expression).ok()?);
    compiled.insert(expression, Arc::clone(&made));
    Some(made)
}
