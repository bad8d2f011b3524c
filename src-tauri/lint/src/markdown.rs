//! Markdown as rules see it: one pass, and everything in it with its place.

use std::collections::HashMap;
use std::ops::Range;

use pulldown_cmark::{BrokenLink, CodeBlockKind, CowStr, Event, LinkType, Options, Parser, Tag, TagEnd};

use crate::newlines::whole_lines;
use skill::Heading;
use skill::body::shallow;
use skill::source::Span;

/// All spans are into the text that the Markdown was taken from.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Markdown {
    pub headings: Vec<Heading>,
    pub links: Vec<Link>,
    pub fences: Vec<Fence>,
    /// Code spans, without their backticks.
    pub codes: Vec<Span>,
    /// Runs of plain text: no code, no HTML, no addresses.
    pub prose: Vec<Span>,
    /// HTML, comments too.
    pub html: Vec<Span>,
    pub lists: Vec<List>,
    /// Paragraphs, list items and headings, whole.
    pub blocks: Vec<Span>,
    /// Fences around fences of the same length, as their author meant them. In Markdown the inner one ends the outer
    /// one; but their contents are still samples, and of the above only HTML and fences are recorded for them.
    pub nested: Vec<Span>,
}

/// A link or an image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// As written, with escapes resolved.
    pub target: String,
    pub text: String,
    pub image: bool,
    /// The whole link.
    pub span: Span,
    /// Reference links (`[a][b]`) whose definition is missing.
    pub undefined: bool,
}

/// A block of code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fence {
    /// The first word after the backticks, in lower case; empty for none and for indented code.
    pub language: String,
    pub indented: bool,
    /// The code; one piece per line if the fence is indented.
    pub code: String,
    /// The whole block.
    pub span: Span,
    /// Where the code begins.
    pub start: usize,
    pub closed: bool,
}

/// A list, with its items.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct List {
    /// The number of the first item; `None`: bullets.
    pub first: Option<u64>,
    pub items: Vec<Span>,
    /// Lists around it.
    pub depth: usize,
}

/// Languages of fences that hold text or data.
const NOT_RUN: [&str; 22] = [
    "text",
    "txt",
    "plain",
    "plaintext",
    "md",
    "markdown",
    "mdx",
    "json",
    "jsonc",
    "json5",
    "jsonl",
    "yaml",
    "yml",
    "toml",
    "ini",
    "xml",
    "html",
    "csv",
    "diff",
    "patch",
    "log",
    "output",
];

/// Lists and quotes nested deeper than this are not read.
const DEPTH_LIMIT: usize = 200;

impl Markdown {
    /// `offset` is added to every span.
    pub fn parse(text: &str, offset: usize) -> Self {
        let mut reader = Reader {
            text,
            offset,
            out: Self::default(),
            open_lists: Vec::new(),
            link: None,
            heading: None,
            fence: None,
        };
        let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
        let broken = |link: BrokenLink<'_>| match link.link_type {
            // `[a]` alone is more often text than a link.
            LinkType::Reference | LinkType::Collapsed => Some((CowStr::from(""), CowStr::from(UNDEFINED))),
            _ => None,
        };
        let shallow = shallow(text);
        for (event, range) in Parser::new_with_broken_link_callback(&shallow, options, Some(broken)).into_offset_iter()
        {
            reader.take(event, range);
        }
        let mut out = reader.out;
        if out.fences.iter().any(|fence| {
            !fence.indented && fence.code.lines().any(|line| fence_of(line).is_some_and(|(_, named)| named))
        }) {
            out.nested = nested(text).into_iter().map(|span| span.shift(offset)).collect();
            out.leave_out_nested();
        }
        out
    }

    fn leave_out_nested(&mut self) {
        let nested = &self.nested;
        let is_out = |span: &Span| !nested.iter().any(|sample| sample.start <= span.start && span.end <= sample.end);
        self.headings.retain(|heading| is_out(&heading.span));
        self.links.retain(|link| is_out(&link.span));
        self.codes.retain(is_out);
        self.prose.retain(is_out);
        self.blocks.retain(is_out);
        self.lists.retain(|list| list.items.iter().any(is_out));
    }
}

/// Fences that hold fences, if all that are opened are closed again.
fn nested(text: &str) -> Vec<Span> {
    let mut found = Vec::new();
    let mut open: Vec<(usize, &str)> = Vec::new();
    let mut deepest = 0;
    let mut at = 0;
    for line in whole_lines(text) {
        let start = at;
        at += line.len();
        let Some((mark, named)) = fence_of(line) else { continue };
        match open.last() {
            // A longer fence may hold shorter ones.
            Some((_, outer)) if mark.len() < outer.len() || mark.as_bytes()[0] != outer.as_bytes()[0] => {}
            Some(_) if !named => {
                let first = open.pop().map_or(start, |(start, _)| start);
                if open.is_empty() && deepest > 1 {
                    found.push(Span::new(first, at));
                }
            }
            _ => {
                deepest = if open.is_empty() { 1 } else { deepest.max(open.len() + 1) };
                open.push((start, mark));
            }
        }
    }
    if open.is_empty() { found } else { Vec::new() }
}

/// The backticks or tildes that a line begins with, and whether a language follows.
fn fence_of(line: &str) -> Option<(&str, bool)> {
    let line = line.trim_start_matches([' ', '\t', '>']);
    let mark = line.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
    let rest = line.trim_start_matches(mark);
    let length = line.len() - rest.len();
    let info = rest.trim();
    (length >= 3 && !info.contains('`')).then(|| (&line[..length], !info.is_empty()))
}

impl Markdown {
    /// The anchors that GitHub makes from headings; of equal ones the later get `-1`, `-2` …
    pub fn anchors(&self) -> impl Iterator<Item = String> {
        let mut known: HashMap<String, usize> = HashMap::new();
        self.headings.iter().map(move |heading| {
            let anchor = anchor(&heading.text);
            let number = known.entry(anchor.clone()).and_modify(|number| *number += 1).or_default();
            if *number == 0 { anchor } else { format!("{anchor}-{number}") }
        })
    }

    /// Whether a place is in a fence whose code can be run: not in one of text or data.
    pub fn is_run(&self, at: usize) -> bool {
        let fence = self.fences.get(self.fences.partition_point(|fence| fence.span.end <= at));
        fence.is_some_and(|fence| fence.span.start <= at && !NOT_RUN.contains(&fence.language.as_str()))
    }

    /// Whether a part of the text has a fence or a code span in it, or a piece of one.
    pub fn has_code_in(&self, part: Span) -> bool {
        let reaches = |spans: Option<&Span>| spans.is_some_and(|span| span.start < part.end);
        let fence = self.fences.partition_point(|fence| fence.span.end <= part.start);
        let code = self.codes.partition_point(|code| code.end <= part.start);
        reaches(self.fences.get(fence).map(|fence| &fence.span)) || reaches(self.codes.get(code))
    }

    /// Whether a place is in a fence or a code span.
    pub fn is_code(&self, at: usize) -> bool {
        let fence = self.fences.partition_point(|fence| fence.span.end <= at);
        let code = self.codes.partition_point(|code| code.end <= at);
        self.fences.get(fence).is_some_and(|fence| fence.span.start <= at)
            || self.codes.get(code).is_some_and(|code| code.start <= at)
    }
}

/// The title by which an undefined reference is known again.
const UNDEFINED: &str = "\u{0}undefined";

struct Reader<'a> {
    text: &'a str,
    offset: usize,
    out: Markdown,
    /// Indices into `out.lists`.
    open_lists: Vec<usize>,
    link: Option<Link>,
    heading: Option<Heading>,
    fence: Option<Fence>,
}

impl Reader<'_> {
    fn span(&self, range: &Range<usize>) -> Span {
        Span::new(range.start, range.end).shift(self.offset)
    }

    fn take(&mut self, event: Event<'_>, range: Range<usize>) {
        let span = self.span(&range);
        match event {
            Event::Start(tag) => self.start(tag, span),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => self.words(&text, span),
            Event::Code(text) => {
                self.out.codes.push(inner(self.text, self.offset, span));
                self.named(&text);
            }
            Event::Html(_) | Event::InlineHtml(_) => self.out.html.push(span),
            Event::SoftBreak | Event::HardBreak => self.named(" "),
            Event::InlineMath(_)
            | Event::DisplayMath(_)
            | Event::FootnoteReference(_)
            | Event::Rule
            | Event::TaskListMarker(_) => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>, span: Span) {
        match tag {
            Tag::Heading { level, .. } => {
                self.out.blocks.push(span);
                self.heading = Some(Heading { level: level as u8, text: String::new(), span });
            }
            Tag::Paragraph => self.out.blocks.push(span),
            Tag::CodeBlock(kind) => {
                let (language, indented) = match &kind {
                    CodeBlockKind::Indented => (String::new(), true),
                    CodeBlockKind::Fenced(info) => {
                        (info.split_whitespace().next().unwrap_or_default().to_lowercase(), false)
                    }
                };
                let closed = indented || is_closed(span.start - self.offset, span.end - self.offset, self.text);
                self.fence = Some(Fence { language, indented, code: String::new(), span, start: span.end, closed });
            }
            Tag::List(first) => {
                let depth = self.open_lists.len();
                self.open_lists.push(self.out.lists.len());
                self.out.lists.push(List { first, items: Vec::new(), depth });
            }
            Tag::Item => {
                if let Some(list) = self.open_lists.last().filter(|_| self.open_lists.len() <= DEPTH_LIMIT) {
                    self.out.lists[*list].items.push(span);
                    self.out.blocks.push(span);
                }
            }
            Tag::Link { dest_url, title, .. } => self.begin_link(&dest_url, &title, false, span),
            Tag::Image { dest_url, title, .. } => self.begin_link(&dest_url, &title, true, span),
            _ => {}
        }
    }

    fn begin_link(&mut self, target: &str, title: &str, image: bool, span: Span) {
        let undefined = title == UNDEFINED;
        // An image in a link is another link; the one that was open counts first.
        if let Some(open) = self.link.take() {
            self.out.links.push(open);
        }
        self.link = Some(Link { target: target.to_owned(), text: String::new(), image, span, undefined });
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(_) => self.out.headings.extend(self.heading.take()),
            TagEnd::CodeBlock => self.out.fences.extend(self.fence.take()),
            TagEnd::List(_) => {
                self.open_lists.pop();
            }
            TagEnd::Link | TagEnd::Image => self.out.links.extend(self.link.take()),
            _ => {}
        }
    }

    fn words(&mut self, text: &str, span: Span) {
        if let Some(fence) = &mut self.fence {
            fence.start = fence.start.min(span.start);
            fence.code.push_str(text);
            return;
        }
        // A `_` or `*` that marks nothing comes as a separate text.
        match self.out.prose.last_mut().filter(|last| last.end == span.start) {
            Some(last) => last.end = span.end,
            None => self.out.prose.push(span),
        }
        self.named(text);
    }

    /// Text that names a heading or a link.
    fn named(&mut self, text: &str) {
        if let Some(heading) = &mut self.heading {
            heading.text.push_str(text);
        }
        if let Some(link) = &mut self.link {
            link.text.push_str(text);
        }
    }
}

/// A code span without its backticks and the spaces that belong to them.
fn inner(text: &str, offset: usize, span: Span) -> Span {
    let whole = &text[span.start - offset..span.end - offset];
    let ticks = whole.len() - whole.trim_start_matches('`').len();
    let (start, end) = (span.start + ticks, span.end.saturating_sub(ticks));
    if start <= end { trimmed(Span::new(start, end), text, offset) } else { span }
}

fn trimmed(span: Span, text: &str, offset: usize) -> Span {
    Span::new(span.start - offset, span.end - offset).trim(text).shift(offset)
}

/// Whether the last line of a fenced block closes it.
fn is_closed(start: usize, end: usize, text: &str) -> bool {
    let block = &text[start..end];
    let Some(opening) = block.lines().next().map(str::trim_start) else { return false };
    let Some(mark) = opening.chars().next().filter(|mark| matches!(mark, '`' | '~')) else { return false };
    let length = opening.chars().take_while(|letter| *letter == mark).count();
    let last = block.trim_end().lines().next_back().unwrap_or_default();
    let last = last.trim_start_matches([' ', '\t', '>']);
    block.trim_end().contains('\n')
        && last.chars().take_while(|letter| *letter == mark).count() >= length
        && last.chars().all(|letter| letter == mark || letter.is_whitespace())
}

/// GitHub's: lower case, no punctuation but hyphens and underscores, spaces as hyphens.
fn anchor(text: &str) -> String {
    let mut anchor = String::with_capacity(text.len());
    for letter in text.trim().chars() {
        match letter {
            ' ' => anchor.push('-'),
            '-' | '_' => anchor.push(letter),
            _ if letter.is_ascii_alphanumeric() => anchor.push(letter.to_ascii_lowercase()),
            _ if letter.is_alphanumeric() => anchor.extend(letter.to_lowercase()),
            _ => {}
        }
    }
    anchor
}
