//! What an agent reads once a skill is loaded: `SKILL.md`, the files that it says to read, those that these say to
//! read, and so on. A file that is to be read only under a condition (`If the table is a PDF, read …`) is on a separate
//! path.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;
use std::sync::LazyLock;

use regex::Regex;

use super::figures::{grouped, may_exceed};
use crate::code::base_name;
use crate::markdown::Markdown;
use crate::texts::{Text, Texts};
use crate::words::{ENDINGS, Mark, Words};
use skill::source::Span;
use skill::{FileKind, SkillFile};
use wording::Message;

/// The documents of a skill and which of them leads to which.
pub struct Reading<'a> {
    /// `SKILL.md` first.
    documents: Vec<Document<'a>>,
}

struct Document<'a> {
    file: &'a SkillFile,
    /// `None`: `SKILL.md`.
    text: Option<Rc<Text>>,
    must: Ways,
    may: Ways,
}

/// The documents that a document refers to.
type Ways = Vec<Way>;

#[derive(Clone, Copy)]
struct Way {
    /// The other document's number.
    to: usize,
    /// Where it is named.
    span: Span,
    /// It is read together with the one before: `a.md and b.md`.
    with_previous: bool,
}

/// Some documents, read one after the other.
pub struct Path<'a> {
    /// Without `SKILL.md`, with what each costs.
    pub files: Vec<(&'a str, u32)>,
    /// Where `SKILL.md` first leads to one of them.
    pub span: Option<Span>,
    /// All of it, `SKILL.md` too.
    pub tokens: u32,
}

impl Path<'_> {
    /// Its longest files for a sentence, each with its tokens.
    pub fn longest(&self, most: usize) -> Message {
        let mut files = self.files.clone();
        files.sort_by_key(|(name, tokens)| (u32::MAX - tokens, *name));
        let named: Vec<String> =
            files.iter().take(most).map(|(name, tokens)| format!("`{name}` {}", grouped(*tokens))).collect();
        let mut longest = Message { en: named.join(", "), zh: named.join("、") };
        if files.len() > most {
            longest.en.push_str(" and more");
            longest.zh.push_str(" 等");
        }
        longest
    }
}

/// More documents than this are not examined.
const MOST_DOCUMENTS: usize = 100;
/// Conditions behind each other.
const MOST_TURNS: usize = 20;
/// More mentions of documents than this in one text are not examined.
const MOST_MENTIONS: usize = 1000;
/// Bytes of the folders in a path.
const LONGEST_PATH: usize = 200;
/// Bytes of a document; longer ones are data.
const SIZE_LIMIT: u64 = 1 << 20;

impl<'a> Reading<'a> {
    /// `None` if the skill has no documents but `SKILL.md`, or all of them together cannot have so many tokens.
    pub fn of(skill: &Texts<'a>, tokens: u32) -> Option<Self> {
        let files: Vec<&SkillFile> =
            skill.skill.files.iter().filter(|file| is_document(file)).take(MOST_DOCUMENTS).collect();
        let manifest = skill.skill.files.iter().find(|file| skill.is_manifest(file))?;
        let bytes = files.iter().map(|file| file.size).sum::<u64>() + skill.body().len() as u64;
        if files.is_empty() || !may_exceed(usize::try_from(bytes).unwrap_or(usize::MAX), tokens) {
            return None;
        }
        let named = Named::new(&files);
        let body = skill.manifest().body.start;
        let (must, may) = named.mentions("", body, skill.text(), skill.words(), skill.markdown());
        let mut documents = vec![Document { file: manifest, text: None, must, may }];
        for file in files {
            let text = skill.read(file);
            let (must, may) = match &text {
                Some(text) => named.mentions(&file.name, 0, text.text(), text.words(), text.markdown()),
                None => (Vec::new(), Vec::new()),
            };
            documents.push(Document { file, text, must, may });
        }
        Some(Self { documents })
    }

    /// Documents that are read in any case; `None` if they cannot have so many tokens.
    pub fn always(&self, skill: &Texts<'_>, tokens: u32) -> Option<Path<'a>> {
        let read = self.closure([0], &BTreeSet::new());
        (read.len() > 1).then(|| self.path(skill, &read, tokens)).flatten()
    }

    /// Documents on the longest path through conditions; `None` if they cannot have so many tokens.
    pub fn heaviest(&self, skill: &Texts<'_>, tokens: u32) -> Option<Path<'a>> {
        let mut read = self.closure([0], &BTreeSet::new());
        let mut from = read.clone();
        for _ in 0..MOST_TURNS {
            let ways = from.iter().flat_map(|one| self.documents[*one].may.chunk_by(|_, next| next.with_previous));
            let more = ways.map(|together| self.closure(together.iter().map(|way| way.to), &read));
            let Some(most) = more.filter(|more| !more.is_empty()).max_by_key(|more| self.bytes(more)) else { break };
            read.extend(&most);
            from = most;
        }
        (read.len() > 1).then(|| self.path(skill, &read, tokens)).flatten()
    }

    /// Documents and all that they lead to without a condition, except for those that are read already.
    fn closure(&self, from: impl IntoIterator<Item = usize>, read: &BTreeSet<usize>) -> BTreeSet<usize> {
        let mut reached = BTreeSet::new();
        let mut open: Vec<usize> = from.into_iter().collect();
        while let Some(one) = open.pop() {
            if !read.contains(&one) && reached.insert(one) {
                open.extend(self.documents[one].must.iter().map(|way| way.to));
            }
        }
        reached
    }

    fn bytes(&self, read: &BTreeSet<usize>) -> u64 {
        read.iter().map(|one| self.documents[*one].file.size).sum()
    }

    fn path(&self, skill: &Texts<'_>, read: &BTreeSet<usize>, tokens: u32) -> Option<Path<'a>> {
        if !may_exceed(usize::try_from(self.bytes(read)).unwrap_or(usize::MAX), tokens) {
            return None;
        }
        let others = read.iter().filter(|one| **one != 0).map(|one| &self.documents[*one]);
        let cost = |document: &Document<'a>| document.text.as_ref().map_or(0, |text| text.tokens());
        let files: Vec<(&str, u32)> = others.map(|other| (other.file.name.as_str(), cost(other))).collect();
        let first = &self.documents[0];
        let ways = first.must.iter().chain(&first.may);
        let span = ways.filter(|way| read.contains(&way.to)).map(|way| way.span).min_by_key(|span| span.start);
        let all = files.iter().map(|(_, tokens)| tokens).sum::<u32>() + skill.body_tokens();
        Some(Path { files, span, tokens: all })
    }
}

/// A text that an agent would read as a whole.
pub fn is_document(file: &SkillFile) -> bool {
    let ending = file.path.extension().unwrap_or_default().to_ascii_lowercase();
    let text = ENDINGS.iter().any(|text| text[1..] == ending);
    let not_read = ["evals/", "tests/", "assets/"].iter().any(|folder| file.name.starts_with(folder))
        || file.name.to_ascii_uppercase().contains("LICEN")
        || matches!(file.name.as_str(), "README.md" | "CHANGELOG.md" | "CONTRIBUTING.md" | "AGENTS.md" | "CLAUDE.md");
    text && !not_read && file.kind != FileKind::Manifest && file.size <= SIZE_LIMIT
}

/// Finds the names of documents in texts.
struct Named<'a> {
    /// The files' own names, the longer first, each with its document.
    bases: Vec<(&'a str, usize)>,
    whole: HashMap<&'a str, usize>,
}

impl<'a> Named<'a> {
    fn new(files: &[&'a SkillFile]) -> Self {
        let places = || files.iter().zip(1..);
        let mut bases: Vec<(&str, usize)> = places().map(|(file, place)| (base_name(&file.name), place)).collect();
        bases.sort_by_key(|(base, _)| std::cmp::Reverse(base.len()));
        Self { bases, whole: places().map(|(file, place)| (file.name.as_str(), place)).collect() }
    }

    /// The document whose file name a text ends with; the first one if there are several.
    fn last_of(&self, text: &str) -> Option<(&'a str, usize)> {
        self.bases.iter().copied().find(|(base, _)| text.ends_with(base))
    }

    /// The documents that a text mentions from `start` on: those that must be read, and those that may be.
    fn mentions(&self, from: &str, start: usize, text: &str, words: &Words, markdown: &Markdown) -> (Ways, Ways) {
        let (mut must, mut may) = (Ways::new(), Ways::new());
        let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
        let mut fences = markdown.fences.iter().peekable();
        let mut headings = Headings { headings: &markdown.headings, passed: 0 };
        for ending in words.places(Mark::DocumentEnding).filter(|ending| ending.start >= start).take(MOST_MENTIONS) {
            let Some((base, named)) = self.last_of(&text[..ending.end]) else { continue };
            let name = Span::new(ending.end - base.len(), ending.end);
            while fences.next_if(|fence| fence.span.end <= name.start).is_some() {}
            let in_code = fences.peek().is_some_and(|fence| fence.span.start <= name.start);
            if in_code || !stands_alone(text, name) {
                continue;
            }
            let span = path_around(text, name);
            let path = span.of(text);
            let document = self.resolve(folder, path).or_else(|| {
                // A bare file name means the file in any folder.
                (!path.contains('/')).then_some(named)
            });
            let known = |ways: &Ways| document.is_some_and(|document| ways.iter().any(|way| way.to == document));
            let Some(document) = document.filter(|document| self.whole.get(from) != Some(document) && !known(&must))
            else {
                continue;
            };
            let heading = headings.above(name.start).map(|heading| heading.text.as_str());
            let required = is_required(text, span, heading);
            let ways = if required { &mut must } else { &mut may };
            if !ways.iter().any(|way| way.to == document) {
                let with_previous = ways.last().is_some_and(|last| are_together(text, last.span, span));
                ways.push(Way { to: document, span, with_previous });
            }
        }
        (must, may)
    }

    /// By a path from the text's own folder, or from the skill's.
    fn resolve(&self, folder: &str, path: &str) -> Option<usize> {
        let path = path.trim_start_matches("./");
        let beside = if folder.is_empty() { path.to_owned() } else { joined(folder, path) };
        self.whole.get(&*beside).or_else(|| self.whole.get(path)).copied()
    }
}

fn joined(folder: &str, path: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').collect();
    for part in path.split('/') {
        match part {
            ".." => {
                parts.pop();
            }
            "." => {}
            part => parts.push(part),
        }
    }
    parts.join("/")
}

struct Headings<'m> {
    headings: &'m [skill::Heading],
    passed: usize,
}

impl<'m> Headings<'m> {
    /// The last heading before a place; places come in order.
    fn above(&mut self, at: usize) -> Option<&'m skill::Heading> {
        while self.headings.get(self.passed).is_some_and(|heading| heading.span.start <= at) {
            self.passed += 1;
        }
        self.passed.checked_sub(1).map(|last| &self.headings[last])
    }
}

/// The path that ends with this name.
fn path_around(text: &str, name: Span) -> Span {
    let lowest = text.floor_char_boundary(name.start.saturating_sub(LONGEST_PATH));
    let is_path = |letter: char| letter.is_alphanumeric() || matches!(letter, '/' | '.' | '_' | '-');
    let before = text[lowest..name.start].trim_end_matches(is_path);
    Span::new(lowest + before.len(), name.end)
}

fn stands_alone(text: &str, name: Span) -> bool {
    let before = text[..name.start].chars().next_back();
    let after = text[name.end..].chars().next();
    before.is_none_or(|letter| !letter.is_ascii_alphanumeric() && !matches!(letter, '_' | '-'))
        && after.is_none_or(|letter| !letter.is_ascii_alphanumeric() && !matches!(letter, '_' | '-'))
}

/// Whether nothing but `and` or a comma is between two mentions.
fn are_together(text: &str, first: Span, second: Span) -> bool {
    let between = text.get(first.end..second.start).unwrap_or_default();
    first.end <= second.start && between.len() <= MOST_BETWEEN && TOGETHER.is_match(between)
}

/// The address of a link, its brackets, and a word.
const MOST_BETWEEN: usize = 200;

/// How many bytes around a mention are checked to see whether it is an order.
const REACH: usize = 400;

/// Whether the text says to read the file, without a condition.
fn is_required(text: &str, mention: Span, heading: Option<&str>) -> bool {
    let paragraph = paragraph(text, mention);
    let start = paragraph.start + last_end(&text[paragraph.start..mention.start]);
    let end = first_end(&text[mention.end..paragraph.end]).map_or(paragraph.end, |at| mention.end + at);
    let (before, after) = (&text[start..mention.start], &text[mention.end..end]);
    let condition = |part: &str| CONDITION.is_match(part);
    let ordered = ORDER.find_iter(before).last().is_some_and(|order| before.len() - order.end() <= FAR);
    (ordered || ORDER_AFTER.is_match(after))
        // `Tables → read …`, and a file that another thing is taken from.
        && !before.contains(['→', '⇒'])
        && !before.contains("->")
        && !SOURCE.is_match(before)
        && !condition(before)
        && !condition(after)
        && !heading.is_some_and(condition)
        && !lead_in(text, paragraph.start).is_some_and(condition)
}

/// Bytes between an order and what it is for.
const FAR: usize = 60;
static SOURCE: LazyLock<Regex> = LazyLock::new(|| compiled(r"(?i)\bfrom\s+[\[`*(\x22]*$"));

/// The lines around a place up to blank ones, or the item of a list, as far as they are within reach.
fn paragraph(text: &str, place: Span) -> Span {
    let lowest = text.floor_char_boundary(place.start.saturating_sub(REACH));
    let highest = text.ceil_char_boundary((place.end + REACH).min(text.len()));
    let line_start = |at: usize| text[lowest..at].rfind('\n').map_or(lowest, |end| lowest + end + 1);
    let line_end = |at: usize| text[at..highest].find('\n').map_or(highest, |end| at + end);
    let mut start = line_start(place.start);
    while start > lowest && !begins_block(&text[start..highest]) {
        let before = line_start(start - 1);
        if text[before..start].trim().is_empty() {
            break;
        }
        start = before;
    }
    let mut end = line_end(place.end);
    while end < highest {
        let next = end + 1;
        let next_end = line_end(next);
        if text[next..next_end].trim().is_empty() || begins_block(&text[next..next_end]) {
            break;
        }
        end = next_end;
    }
    Span::new(start, end)
}

fn begins_block(line: &str) -> bool {
    let line = line.trim_start();
    let digits = line.len() - line.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
    ["- ", "* ", "+ ", "#", "|", "> "].iter().any(|mark| line.starts_with(mark))
        || (digits > 0 && line[digits..].starts_with(['.', ')']))
}

/// Behind the last sentence that ends in a text.
fn last_end(text: &str) -> usize {
    ENDS.iter().filter_map(|end| text.rfind(end).map(|at| at + end.len())).max().unwrap_or(0)
}

fn first_end(text: &str) -> Option<usize> {
    ENDS.iter().filter_map(|end| text.find(end)).min()
}

const ENDS: [&str; 12] = [". ", ".\n", "! ", "!\n", "? ", "?\n", "; ", ";\n", "。", "！", "？", "；"];

/// The line that introduces a list whose item begins here: `When the user asks for a form:`.
fn lead_in(text: &str, line_start: usize) -> Option<&str> {
    let lowest = text.floor_char_boundary(line_start.saturating_sub(REACH * 4));
    let mut lines = text[lowest..line_start].lines().rev();
    lines.find_map(|line| {
        let line = line.trim();
        let item = line.is_empty()
            || line.starts_with(['-', '*', '+'])
            || line.starts_with(|letter: char| letter.is_ascii_digit());
        match line.ends_with([':', '：']) {
            true => Some(Some(line)),
            false if item => None,
            false => Some(None),
        }
    })?
}

static ORDER: LazyLock<Regex> = LazyLock::new(|| {
    compiled(
        r"(?ix)\b(?:read|load|open|review|consult|follow|study|start\s+with)\b
          |请?(?:先|务必|必须|首先|完整|仔细)?(?:阅读|读取|加载|打开|遵循|遵守|按照)",
    )
});
static TOGETHER: LazyLock<Regex> = LazyLock::new(|| {
    compiled(
        r#"^[\])`*"]*(?:\([^()\s]*\))?[\])`*"]*\s*(?:,|，|、|&|和|与|以及|(?:,\s*)?\b(?:and|then|plus)\b)(?:\s+then)?\s*[\[(`*"]*(?:[^\[\]\n]*\]\()?$"#,
    )
});
static ORDER_AFTER: LazyLock<Regex> = LazyLock::new(|| {
    compiled(
        r"(?i)^\W*(?:must|needs? to|has to|should) be (?:read|loaded|followed|reviewed)|^\W*(?:必须|务必|需要?先?)(?:阅读|读取|加载)",
    )
});

/// Also what says that reading is a matter of choice.
static CONDITION: LazyLock<Regex> = LazyLock::new(|| {
    compiled(
        r"(?ix)\b(?:if|when|whenever|unless|while|where|in\s+case|case\s+of|as\s+needed|need(?:ed)?|necessary|optional(?:ly)?|only|depending
          |for\s+(?:more|further|additional|full|complete|detailed?|details|advanced|examples?|reference|help|information|the\s+full|a\s+full|an\s+example)
          |see\s+also|or|may|might|can|could|not|never|don't|which(?:ever)?|relevant|appropriate|corresponding|matching|e\.g\.|such\s+as|stuck|fails?|errors?|troubleshooting|on\s+demand)\b
          |如果|若|当|时|如需|需要|必要|可选|可以|可参考|或者?|仅|只在|除非|不要|无需|更多|详细|详见|按需|根据|对应|相应|情况|例如|出错|失败",
    )
});

fn compiled(expression: &str) -> Regex {
    Regex::new(expression).expect("the expression is written out in the program")
}
