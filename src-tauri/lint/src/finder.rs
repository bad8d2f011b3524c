//! Finds the patterns of rules: an expression is tried only near one of its literals.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError};

use camino::Utf8Path;
use memchr::{memchr, memrchr};
use regex::{Regex, RegexBuilder};

use super::analysis::{context, secret};
use super::gate::GATES;
use super::group::Group;
use super::kept::Hidden;
use super::markdown::Markdown;
use super::options::LintOptions;
use super::pattern::{ABOVE, Match, Pattern, Patterns, Scope, Told};
use super::plain::{Lines, Plain};
use super::rule::{Finding, Report, Rule};
use super::rules::rules;
use super::subject::Subject;
use super::words::Words;
use skill::files::kind_of;
use skill::source::Span;
use skill::{FileKind, Severity};
use wording::Message;

/// All patterns, those of rules that look ready to be tried.
pub(super) struct Finder {
    /// By the patterns' numbers, as [`Words::of_patterns`] has them.
    searches: Vec<Option<Search>>,
}

/// A pattern of a rule that looks, or that knows secrets.
struct Search {
    rule: &'static Rule,
    /// `None`: it says nothing.
    severity: Option<Severity>,
    patterns: &'static Patterns,
    pattern: &'static Pattern,
    /// Compiled when a literal of it first occurs.
    expression: OnceLock<Option<Arc<Regex>>>,
}

/// Bytes before and after a literal that its expression may look at, whatever the lines are.
const REACH: usize = 16 << 10;
/// Bytes before a match that are shown to [`Patterns::unless`].
const CONTEXT: usize = 400;
/// Bytes of a match that a message shows.
const SHOWN: usize = 60;
/// Findings of one pattern in one file that weigh the same; further ones say nothing new.
const MOST: usize = 20;

impl Finder {
    pub(super) fn new(options: &LintOptions) -> Self {
        let searches = rules().flat_map(|rule| {
            let severity = options.severity_of_evidence(rule);
            let looks = severity.is_some() || rule.is_about_secrets();
            rule.patterns().into_iter().flat_map(move |patterns| {
                let search = move |pattern| Search { rule, severity, patterns, pattern, expression: OnceLock::new() };
                patterns.patterns.iter().map(move |pattern| looks.then(|| search(pattern)))
            })
        });
        Self { searches: searches.collect() }
    }

    /// The secrets that are in the skill's texts come with the findings, which quote none of them.
    pub(super) fn look(&self, subject: &Subject<'_>, findings: &mut Vec<Finding>) -> Hiding {
        let mut secrets = Hiding::default();
        let text = subject.text();
        let body = subject.manifest().body;
        let text_of = |key: &str| subject.field(key).and_then(|field| field.value.as_str()).unwrap_or_default();
        let told = Told { name: text_of("name"), description: text_of("description") };
        let place = Searched::new(subject.path(), text, body.start, TextKind::Manifest).of(told);
        self.search(&place, subject.words(), || subject.markdown(), findings, &mut secrets);
        for file in subject.skill.files.iter().filter(|file| !subject.is_manifest(file)) {
            let Some(text) = subject.read(file) else { continue };
            let place = Searched::new(&file.path, text.text(), 0, TextKind::of(&file.path, file.kind)).of(told);
            self.search(&place, text.words(), || text.markdown(), findings, &mut secrets);
        }
        secrets
    }

    /// Where secrets are in a text.
    pub(super) fn secrets(&self, path: &Utf8Path, text: &str) -> Vec<Span> {
        let kind = path.file_name().map_or(FileKind::Other, kind_of);
        let place = Searched::new(path, text, 0, TextKind::of(path, kind));
        let words = Words::of(place.plain.text());
        let markdown = OnceCell::new();
        self.secrets_of(&place, &windows(&words, &self.searches, &place), &|| {
            markdown.get_or_init(|| Markdown::parse(text, 0))
        })
    }

    fn search<'t>(
        &self,
        place: &Searched<'_>,
        words: &Words,
        markdown: impl Fn() -> &'t Markdown,
        findings: &mut Vec<Finding>,
        secrets: &mut Hiding,
    ) {
        let of_plain = (!place.plain.is_original()).then(|| Words::of(place.plain.text()));
        let windows = windows(of_plain.as_ref().unwrap_or(words), &self.searches, place);
        let hidden = self.secrets_of(place, &windows, &markdown);
        if !hidden.is_empty() {
            secrets.texts.extend(hidden.iter().flat_map(|span| written(span.of(place.text))));
            let spans = hidden.iter().map(|span| (span.start, span.end)).collect();
            secrets.places.push(Hidden { path: place.path.to_owned(), spans });
        }
        for (search, windows) in &windows {
            let Some(severity) = search.severity else { continue };
            let (mut found, mut found_milder) = (0, 0);
            let (has_milder, is_error) = (search.patterns.milder.is_some(), severity == Severity::Error);
            search.each(place, windows, &markdown, |span, matched| {
                let counts = || has_milder && (is_error || context::is_about_security(matched.skill));
                let of_section = || context::in_section_on_attacks(matched).filter(|_| counts());
                let milder = search.patterns.milder.and_then(|milder| milder(matched)).or_else(of_section);
                let count = if milder.is_some() { &mut found_milder } else { &mut found };
                *count += 1;
                if *count > MOST {
                    return;
                }
                let quoted = secret::without(place.text, span, &hidden);
                let mut message = Message::from(search.pattern.message);
                message.each(|text| *text = text.replace("{}", &shown(&quoted)));
                let mut report = Report::new(search.rule, severity, findings);
                let finding = report.at(place.path, span, message);
                if let Some(reason) = milder {
                    finding.weigh_less(reason);
                }
            });
        }
    }

    fn secrets_of<'t>(
        &self,
        place: &Searched<'_>,
        windows: &[(&Search, Vec<Span>)],
        markdown: &impl Fn() -> &'t Markdown,
    ) -> Vec<Span> {
        let mut spans = Vec::new();
        for (search, windows) in windows.iter().filter(|(search, _)| search.rule.is_about_secrets()) {
            search.each(place, windows, markdown, |span, _| spans.push(secret::value(place.text, span)));
        }
        spans.sort_by_key(|span| (span.start, span.end));
        spans
    }
}

/// The secrets of a skill.
#[derive(Default)]
pub(super) struct Hiding {
    pub texts: Vec<String>,
    pub places: Vec<Hidden>,
}

/// A secret as it is there, and as it is read: a fix may write it so.
pub(super) fn written(secret: &str) -> impl Iterator<Item = String> + use<> {
    let plain = Plain::of(secret, Lines::Text);
    let read = (!plain.is_original()).then(|| plain.text().to_owned());
    [secret.to_owned()].into_iter().chain(read)
}

/// The patterns that may match, each with the parts of the text that it is tried on.
fn windows<'s>(words: &Words, searches: &'s [Option<Search>], place: &Searched<'_>) -> Vec<(&'s Search, Vec<Span>)> {
    let of_kind =
        |number: &usize| searches[*number].as_ref().is_some_and(|search| place.kind.has(search.patterns.scope));
    let mut also: Vec<(usize, Span)> = words.also_of_patterns().filter(|(number, _)| of_kind(number)).collect();
    let mut wants = vec![false; searches.len()];
    GATES.iter().zip(&mut wants).for_each(|(gate, wants)| *wants = gate.also.is_some());
    also.iter().for_each(|(number, _)| wants[*number] = false);
    let hits = words.of_patterns().filter(|(number, _)| of_kind(number) && !wants[*number]);
    let mut hits: Vec<(usize, Span)> = hits.collect();
    // Those of one pattern stay in the order of the text.
    hits.sort_by_key(|(number, _)| *number);
    also.sort_by_key(|(number, _)| *number);
    let of_pattern = |hits: &[(usize, Span)]| {
        let number = hits[0].0;
        let search = searches[number].as_ref()?;
        let mut windows: Vec<Span> = Vec::new();
        for (_, hit) in hits {
            let is_covered = |last: &Span| last.start <= hit.start && hit.end + REACH / 2 <= last.end;
            if windows.last().is_some_and(is_covered) {
                continue;
            }
            let window = window(search.view(place), hit.start, hit.end, search.pattern.lines);
            match windows.last_mut() {
                Some(last) if window.start < last.end => {
                    *last = Span::new(last.start.min(window.start), last.end.max(window.end));
                }
                _ => windows.push(window),
            }
        }
        if GATES[number].also.is_some() {
            let of_number = also.partition_point(|(other, _)| *other < number);
            let of_number = &also[of_number..also.partition_point(|(other, _)| *other <= number)];
            windows.retain(|window| {
                let first = of_number.partition_point(|(_, hit)| hit.end <= window.start);
                let mut within = of_number[first..].iter().take_while(|(_, hit)| hit.end <= window.end);
                within.any(|(_, hit)| hit.start >= window.start)
            });
        }
        (!windows.is_empty()).then_some((search, windows))
    };
    hits.chunk_by(|a, b| a.0 == b.0).filter_map(of_pattern).collect()
}

impl Search {
    /// What it is tried on.
    fn view<'p>(&self, place: &'p Searched<'_>) -> &'p str {
        match (self.rule.group, self.patterns.scope) {
            (Group::Security, Scope::Code | Scope::Programs) => place.plain.code(),
            (Group::Security, Scope::Body | Scope::Instructions | Scope::All) => place.plain.prose(),
            _ => place.plain.text(),
        }
    }

    /// Each match that counts, with its place in the text as it is.
    fn each<'t>(
        &self,
        place: &Searched<'_>,
        windows: &[Span],
        markdown: &impl Fn() -> &'t Markdown,
        mut found: impl FnMut(Span, &Match<'_>),
    ) {
        let Some(expression) = self.expression.get_or_init(|| compiled(self.pattern.expression)) else { return };
        let view = self.view(place);
        let is_text = place.kind.is_markdown();
        // Of a text for people only its code may be meant.
        let only_code =
            is_text && place.plain.is_original() && matches!(self.patterns.scope, Scope::Code | Scope::Programs);
        for window in windows {
            if only_code && !markdown().has_code_in(*window) {
                continue;
            }
            for matched in expression.find_iter(window.of(view)) {
                let span = Span::new(matched.start(), matched.end()).shift(window.start);
                let span = place.plain.place(span);
                let in_code = place.kind == TextKind::Script || (is_text && markdown().is_code(span.start));
                if !place.is_in(self.patterns.scope, span.start, in_code) {
                    continue;
                }
                let is_run = place.kind == TextKind::Script || (is_text && in_code && markdown().is_run(span.start));
                let from = |reach: usize| {
                    &place.text[place.text.floor_char_boundary(span.start.saturating_sub(reach))..span.start]
                };
                let lines = self::window(place.text, span.start, span.end, self.pattern.lines);
                let matched = Match {
                    text: matched.as_str(),
                    line: lines.of(place.text),
                    in_code,
                    is_run,
                    before: from(CONTEXT),
                    above: from(ABOVE),
                    after: &place.text[span.end..lines.end.max(span.end)],
                    path: place.path,
                    skill: place.skill,
                };
                if !self.patterns.unless.is_some_and(|fine| fine(&matched)) {
                    found(span, &matched);
                }
            }
        }
    }
}

/// A text that is searched.
struct Searched<'a> {
    path: &'a Utf8Path,
    text: &'a str,
    plain: Plain<'a>,
    /// Where the instructions begin.
    body: usize,
    kind: TextKind,
    skill: Told<'a>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum TextKind {
    Manifest,
    Markdown,
    Script,
    Other,
}

impl TextKind {
    fn is_markdown(self) -> bool {
        matches!(self, Self::Manifest | Self::Markdown)
    }

    /// Whether texts of this kind have a part for this scope.
    fn has(self, scope: Scope) -> bool {
        match scope {
            Scope::Body => self == Self::Manifest,
            Scope::Instructions => self.is_markdown(),
            Scope::Code => self.is_markdown() || self == Self::Script,
            Scope::Programs => matches!(self, Self::Manifest | Self::Script),
            Scope::All => true,
        }
    }

    fn of(path: &Utf8Path, kind: FileKind) -> Self {
        match path.extension() {
            Some("md" | "markdown" | "mdx") => Self::Markdown,
            _ if kind == FileKind::Script => Self::Script,
            // A script in another folder is a script.
            _ if path.file_name().is_some_and(|name| kind_of(name) == FileKind::Script) => Self::Script,
            _ => Self::Other,
        }
    }
}

impl<'a> Searched<'a> {
    fn new(path: &'a Utf8Path, text: &'a str, body: usize, kind: TextKind) -> Self {
        let lines = if kind == TextKind::Script { Lines::Script } else { Lines::Text };
        Self { path, text, plain: Plain::of(text, lines), body, kind, skill: Told::default() }
    }

    fn of(self, skill: Told<'a>) -> Self {
        Self { skill, ..self }
    }

    fn is_in(&self, scope: Scope, at: usize, in_code: bool) -> bool {
        let instructions = self.kind.is_markdown() && at >= self.body;
        match scope {
            Scope::Body => self.kind == TextKind::Manifest && at >= self.body,
            Scope::Instructions => instructions,
            Scope::Code => in_code && (instructions || self.kind == TextKind::Script),
            Scope::Programs => {
                in_code && ((self.kind == TextKind::Manifest && at >= self.body) || self.kind == TextKind::Script)
            }
            Scope::All => true,
        }
    }
}

/// The lines around a literal, as far as they are within reach.
fn window(text: &str, start: usize, end: usize, lines: u8) -> Span {
    let bytes = text.as_bytes();
    let mut first = start;
    let lowest = text.floor_char_boundary(start.saturating_sub(REACH));
    let mut last = end;
    let highest = text.ceil_char_boundary((end + REACH).min(text.len()));
    for turn in 0..=lines {
        let before = if turn == 0 { first } else { first.saturating_sub(1) };
        first = memrchr(b'\n', &bytes[lowest..before.max(lowest)]).map_or(lowest, |at| lowest + at + 1);
        let after = if turn == 0 { last } else { (last + 1).min(highest) };
        last = memchr(b'\n', &bytes[after.min(highest)..highest]).map_or(highest, |at| after + at);
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
pub(super) fn compiled(expression: &'static str) -> Option<Arc<Regex>> {
    static COMPILED: LazyLock<Mutex<HashMap<&'static str, Arc<Regex>>>> = LazyLock::new(Mutex::default);
    let mut compiled = COMPILED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = compiled.get(expression) {
        return Some(Arc::clone(known));
    }
    let made = Arc::new(RegexBuilder::new(expression).multi_line(true).build().ok()?);
    compiled.insert(expression, Arc::clone(&made));
    Some(made)
}
