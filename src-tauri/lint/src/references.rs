//! What the Markdown of a skill refers to: links, images, imports, and paths named in passing; each with the file it
//! means.

use std::collections::{HashMap, HashSet};

use camino::{Utf8Path, Utf8PathBuf};
use memchr::memchr3;

use super::files::Files;
use super::markdown::{Fence, Link, Markdown};
use super::newlines::whole_lines;
use super::texts::{Page, Texts, for_each_page};
use skill::SkillFile;
use skill::source::Span;

/// Of all of a skill's pages.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct References {
    /// `SKILL.md` first.
    pub pages: Vec<PageReferences>,
}

/// Of one Markdown file.
#[derive(Debug, Clone, PartialEq)]
pub struct PageReferences {
    /// The file, by its place among the skill's files.
    pub file: usize,
    pub path: Utf8PathBuf,
    /// In the order of their kinds, then of the text.
    pub references: Vec<Reference>,
}

/// A mention of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Reference {
    pub form: Form,
    /// The path as written, without `#fragment`; empty for a link into its own page.
    pub written: String,
    pub fragment: Option<String>,
    /// The place of `written`, or of the whole link if it is written in another way.
    pub span: Span,
    pub aim: Aim,
}

/// How a file is mentioned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    Link,
    Image,
    /// A path in prose.
    Prose,
    /// A path in a code span, or run by a command in a shell fence.
    Code,
    /// `@path/to/file.md`.
    Import,
}

/// What a reference means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aim {
    /// One of the skill's files, by its place among them.
    File(usize),
    /// A folder of the skill, or something that is there and not listed.
    Present,
    /// One of the skill's files, except for the case of letters.
    Miscased(usize),
    Missing,
    /// Something outside of the skill's folder, by a path with `..`.
    Outside,
    /// From the root of the disk, or from a user's home.
    Absolute,
}

/// The folders that the specification names.
pub const RESERVED: [&str; 3] = ["references", "scripts", "assets"];

impl References {
    /// All that the skill's Markdown points at, page by page.
    pub fn of(texts: &Texts<'_>) -> Self {
        let index = Index::of(&texts.skill.files);
        let mut pages = Vec::new();
        for_each_page(texts, |page| {
            let (disk, root) = (texts.disk(), &*texts.skill.path);
            let mut finder = Finder { disk, root, index: &index, page, found: Vec::new() };
            finder.links();
            finder.paths();
            pages.push(PageReferences { file: page.file, path: page.path.to_owned(), references: finder.found });
        });
        Self { pages }
    }

    /// With their pages.
    pub fn all(&self) -> impl Iterator<Item = (&PageReferences, &Reference)> {
        self.pages.iter().flat_map(|page| page.references.iter().map(move |reference| (page, reference)))
    }

    /// For each of the skill's files, how many references lead from `SKILL.md` to it at least.
    pub fn depths(&self, files: usize) -> Vec<Option<usize>> {
        let mut depths = vec![None; files];
        let pages: HashMap<usize, &PageReferences> = self.pages.iter().map(|page| (page.file, page)).collect();
        let mut wave: Vec<usize> = self.pages.first().map(|page| page.file).into_iter().collect();
        let mut depth = 0;
        while !wave.is_empty() {
            wave.retain(|file| depths[*file].replace(depth).is_none());
            let pages = wave.iter().filter_map(|file| pages.get(file));
            wave = pages.flat_map(|page| page.targets()).filter(|target| depths[*target].is_none()).collect();
            depth += 1;
        }
        depths
    }
}

impl PageReferences {
    /// The files that are meant, each once.
    pub fn targets(&self) -> HashSet<usize> {
        let files = self.references.iter().filter_map(|reference| match reference.aim {
            Aim::File(file) | Aim::Miscased(file) => Some(file),
            Aim::Present | Aim::Missing | Aim::Outside | Aim::Absolute => None,
        });
        files.filter(|file| *file != self.file).collect()
    }
}

/// The skill's files, by their names.
struct Index<'a> {
    files: HashMap<&'a str, usize>,
    lower: HashMap<String, usize>,
    folders: HashSet<&'a str>,
}

impl<'a> Index<'a> {
    fn of(files: &'a [SkillFile]) -> Self {
        let mut index = Self { files: HashMap::new(), lower: HashMap::new(), folders: HashSet::new() };
        for (place, file) in files.iter().enumerate() {
            index.files.insert(&file.name, place);
            index.lower.insert(file.name.to_lowercase(), place);
            for (end, _) in file.name.match_indices('/') {
                index.folders.insert(&file.name[..end]);
            }
        }
        index
    }

    /// A path below the skill's folder, without `.` and `..`.
    fn exact(&self, path: &str) -> Option<Aim> {
        let file = self.files.get(path).map(|place| Aim::File(*place));
        file.or_else(|| (path.is_empty() || self.folders.contains(path)).then_some(Aim::Present))
    }

    fn in_any_case(&self, path: &str) -> Option<Aim> {
        self.lower.get(&path.to_lowercase()).map(|place| Aim::Miscased(*place))
    }
}

struct Finder<'a> {
    disk: &'a dyn Files,
    /// The skill's folder.
    root: &'a Utf8Path,
    index: &'a Index<'a>,
    page: Page<'a>,
    found: Vec<Reference>,
}

impl Finder<'_> {
    fn links(&mut self) {
        let markdown = self.page.markdown;
        for link in &markdown.links {
            if link.undefined || is_url(&link.target) || is_placeholder(&link.target) {
                continue;
            }
            let (path, fragment) = match link.target.split_once('#') {
                Some((path, fragment)) => (path, Some(fragment.to_owned())),
                None => (link.target.as_str(), None),
            };
            let written = path.split('?').next().unwrap_or_default();
            if written.is_empty() && fragment.is_none() {
                continue;
            }
            let aim = if written.is_empty() {
                Aim::File(self.page.file)
            } else {
                self.aim(&unescaped(written).replace('\\', "/"))
            };
            let form = if link.image { Form::Image } else { Form::Link };
            let span = place_in(link, written, self.page.text);
            self.found.push(Reference { form, written: written.to_owned(), fragment, span, aim });
        }
    }

    fn paths(&mut self) {
        let markdown = self.page.markdown;
        for span in &markdown.prose {
            if !in_link(markdown, span.start) {
                self.paths_in(*span, Form::Prose);
            }
        }
        for span in &markdown.codes {
            if !in_link(markdown, span.start) {
                self.paths_in(*span, Form::Code);
            }
        }
        for fence in markdown.fences.iter().filter(|fence| is_shell(fence)) {
            self.commands_in(fence);
        }
    }

    fn paths_in(&mut self, span: Span, form: Form) {
        let text = span.of(self.page.text);
        for token in tokens(text) {
            let place = token.shift(span.start);
            let word = token.of(text);
            // A link that is shown, not made.
            if form == Form::Code && text[..token.start].ends_with("](") {
                continue;
            }
            if form == Form::Code && word.starts_with("scripts/") && !word.contains('.') {
                self.bare_script(place, word_before(text, token));
            } else {
                self.path(place, form, span);
            }
        }
    }

    /// A script without an ending that an interpreter is to run.
    fn bare_script(&mut self, span: Span, program: &str) {
        let text = self.page.text;
        let written = span.of(text);
        let edges = (text[..span.start].chars().next_back(), text[span.end..].chars().next());
        let is_name = written.len() > "scripts/".len() && !written.ends_with('/');
        if INTERPRETERS.contains(&program) && is_name && !is_part_of_more(edges, false) && !is_placeholder(written) {
            let aim = self.aim(written);
            self.found.push(Reference { form: Form::Code, written: written.to_owned(), fragment: None, span, aim });
        }
    }

    /// Paths that a command runs or reads, e.g. `python scripts/run.py`.
    fn commands_in(&mut self, fence: &Fence) {
        let span = Span::new(fence.start, fence.span.end);
        let text = span.of(self.page.text);
        let mut start = span.start;
        for line in whole_lines(text) {
            for token in tokens(line) {
                let (word, before) = (token.of(line), word_before(line, token));
                let place = token.shift(start);
                // What a command writes would be in another folder.
                let from_root = self.behind_root(place).is_some_and(|(path, _)| {
                    path.of(self.page.text).starts_with("scripts/")
                        || path.of(self.page.text).starts_with("references/")
                });
                if from_root {
                    self.path(place, Form::Code, span);
                } else if RUNNERS.contains(&before) && word.starts_with("scripts/") && !word.contains('.') {
                    self.bare_script(place, before);
                } else if RUNNERS.contains(&before) || word.starts_with("./") {
                    self.path(place, Form::Code, span);
                }
            }
            start += line.len();
        }
    }

    /// `around`: the prose or code that it is in.
    fn path(&mut self, span: Span, form: Form, around: Span) {
        let text = self.page.text;
        let (span, import) = match span.of(text).strip_prefix('@') {
            Some(_) if form == Form::Prose => (Span::new(span.start + 1, span.end), true),
            Some(_) => return,
            None => (span, false),
        };
        let Some(span) = path_in(text, span) else { return };
        if let Some((path, root)) = self.behind_root(span) {
            self.path_from_root(path, root);
            return;
        }
        let written = span.of(text);
        // A star around prose makes it bold.
        let is_mark = |at: usize| form == Form::Prose && (at == around.start || at == around.end);
        let beside = |at: usize, letter: Option<char>| letter.filter(|letter| *letter != '*' || !is_mark(at));
        let before = beside(span.start, text[..span.start].chars().next_back());
        let after = beside(span.end, text[span.end..].chars().next());
        let form = if import { Form::Import } else { form };
        if is_part_of_more((before, after), import) || !self.is_meant(written, form) || is_placeholder(written) {
            return;
        }
        let aim = self.aim(&written.replace('\\', "/"));
        self.found.push(Reference { form, written: written.to_owned(), fragment: None, span, aim });
    }

    /// The rest of a token after a variable or placeholder for a known folder: `/scripts/x.py` behind `{baseDir}`,
    /// `SKILL_DIR/scripts/x.py` behind `$`.
    fn behind_root(&self, token: Span) -> Option<(Span, Root)> {
        let text = self.page.text;
        let before = &text[..token.start];
        let word = token.of(text);
        let (path, root) = if let Some(path) = word.strip_prefix('/') {
            (path, root_before(before.strip_suffix(['"', '\'']).unwrap_or(before))?)
        } else {
            let (name, path) = word.split_once('/').filter(|_| before.ends_with('$'))?;
            (path, VARIABLES.iter().find_map(|(variable, root)| (*variable == name).then_some(*root))?)
        };
        // `skills/demo/scripts/x.py` in a plugin.
        let own = format!("skills/{}/", self.root.file_name().unwrap_or_default());
        let inner = path.strip_prefix(&own).filter(|_| root == Root::Plugin).unwrap_or(path);
        Some((Span::new(token.end - inner.len(), token.end), root))
    }

    /// A file of a plugin, not of the skill in it. How far up the plugin begins is not always to be seen.
    fn is_of_plugin(&self, path: &str) -> bool {
        self.root.ancestors().skip(1).take(PLUGIN_DEPTH).any(|folder| self.disk.exists(&folder.join(path)))
    }

    /// Behind a variable for the skill's folder, or its plugin's.
    fn path_from_root(&mut self, span: Span, root: Root) {
        let text = self.page.text;
        let written = span.of(text);
        let first = written.split('/').next().unwrap_or_default();
        let is_own = RESERVED.contains(&first) || self.index.folders.contains(first);
        if !is_own || is_part_of_more((None, text[span.end..].chars().next()), false) || is_placeholder(written) {
            return;
        }
        let Some(path) = joined("", written) else { return };
        if root == Root::Plugin && self.index.exact(&path).is_none() && self.is_of_plugin(&path) {
            return;
        }
        let known = self.index.exact(&path).or_else(|| self.index.in_any_case(&path));
        let aim = known.unwrap_or_else(|| match self.disk.exists(&self.root.join(&path)) {
            true => Aim::Present,
            false => Aim::Missing,
        });
        self.found.push(Reference { form: Form::Code, written: written.to_owned(), fragment: None, span, aim });
    }

    /// Whether a path that only is there is one of this skill and not of the user's project.
    fn is_meant(&self, written: &str, form: Form) -> bool {
        let path = written.replace('\\', "/");
        let Some((first, _)) = path.trim_start_matches("./").split_once('/') else {
            return form == Form::Import && is_document(&path);
        };
        match first {
            "" | "~" => false,
            ".." => is_document(&path),
            _ if form == Form::Import => is_document(&path),
            first => {
                RESERVED.contains(&first)
                    || self.index.folders.contains(first)
                    || self.is_beside(first)
                    || self.index.in_any_case(path.trim_start_matches("./")).is_some()
            }
        }
    }

    /// A folder next to the page.
    fn is_beside(&self, folder: &str) -> bool {
        let page = Utf8Path::new(self.page.name).parent().unwrap_or(Utf8Path::new(""));
        !page.as_str().is_empty() && self.index.folders.contains(page.join(folder).as_str())
    }

    fn aim(&self, path: &str) -> Aim {
        if path.starts_with(['/', '~', '\\']) || has_drive(path) {
            return Aim::Absolute;
        }
        let folder = Utf8Path::new(self.page.name).parent().map_or("", Utf8Path::as_str);
        let ways = [joined(folder, path), joined("", path)];
        let within = || ways.iter().flatten();
        let known = within().find_map(|way| self.index.exact(way));
        if let Some(aim) = known.or_else(|| within().find_map(|way| self.index.in_any_case(way))) {
            return aim;
        }
        let [Some(from_page), from_root] = &ways else { return Aim::Outside };
        // Files in folders that were not listed may exist.
        let there = [Some(from_page), from_root.as_ref()];
        let exists = |way: &String| self.disk.exists(&self.root.join(way));
        if there.into_iter().flatten().any(exists) { Aim::Present } else { Aim::Missing }
    }
}

const INTERPRETERS: [&str; 6] = ["python", "python3", "bash", "sh", "zsh", "node"];
/// The folder that a variable or placeholder means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Root {
    Skill,
    /// The plugin that the skill may be in.
    Plugin,
}

/// Folders above a skill that may be its plugin's.
const PLUGIN_DEPTH: usize = 4;

/// Variables of the shell or of clients.
const VARIABLES: [(&str, Root); 6] = [
    ("CLAUDE_SKILL_DIR", Root::Skill),
    ("SKILL_DIR", Root::Skill),
    ("SKILL_ROOT", Root::Skill),
    ("SKILL_PATH", Root::Skill),
    ("SKILL_BASE_DIR", Root::Skill),
    ("CLAUDE_PLUGIN_ROOT", Root::Plugin),
];

/// Placeholders for the skill's folder.
const PLACEHOLDERS: [&str; 11] = [
    "{baseDir}",
    "{{skill_dir}}",
    "{skillDir}",
    "{skill_dir}",
    "{SKILL_DIR}",
    "<skill-dir>",
    "<skill_dir>",
    "<skill-path>",
    "<skill-root>",
    "<skill_root>",
    "<path-to-skill>",
];

/// The folder that the end of a text means.
fn root_before(before: &str) -> Option<Root> {
    let is_named = |name: &str| {
        let bare = before.strip_suffix(name).is_some_and(|rest| rest.ends_with('$'));
        bare || before
            .strip_suffix('}')
            .and_then(|rest| rest.strip_suffix(name))
            .is_some_and(|rest| rest.ends_with("${"))
    };
    if !before.ends_with(['}', '>']) && !before.ends_with(|letter: char| letter.is_ascii_uppercase()) {
        return None;
    }
    let of_variable = VARIABLES.iter().find_map(|(name, root)| is_named(name).then_some(*root));
    of_variable.or_else(|| PLACEHOLDERS.iter().any(|root| before.ends_with(root)).then_some(Root::Skill))
}

/// Words before a path that is run or read.
const RUNNERS: [&str; 17] = [
    "python", "python3", "bash", "sh", "zsh", "node", "bun", "deno", "ruby", "perl", "php", "Rscript", "source", "cat",
    "run", "tsx", "pwsh",
];

fn is_shell(fence: &Fence) -> bool {
    matches!(fence.language.as_str(), "bash" | "sh" | "shell" | "zsh" | "console")
}

fn in_link(markdown: &Markdown, at: usize) -> bool {
    let link = markdown.links.partition_point(|link| link.span.end <= at);
    markdown.links.get(link).is_some_and(|link| link.span.start <= at)
}

/// The place of a link's target.
fn place_in(link: &Link, written: &str, text: &str) -> Span {
    let whole = link.span.of(text);
    // The text of a link is often its target; the target comes last.
    let at = if written.is_empty() { whole.rfind('#') } else { whole.rfind(written) };
    match at {
        Some(at) if written.is_empty() => {
            let end = whole[at..].find([')', ' ', '>']).map_or(whole.len(), |end| at + end);
            Span::new(at, end).shift(link.span.start)
        }
        Some(at) => Span::new(at, at + written.len()).shift(link.span.start),
        None => link.span,
    }
}

/// Runs of characters that can be in paths, if they have what every path that is checked has.
fn tokens(text: &str) -> impl Iterator<Item = Span> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let mark = at + memchr3(b'/', b'\\', b'@', &text.as_bytes()[at..])?;
        let start = mark - last_word(&text[at..mark]).len();
        let length = text[mark..].find(|letter| !is_path_letter(letter));
        at = length.map_or(text.len(), |length| mark + length);
        Some(Span::new(start, at))
    })
}

/// The run of such characters before a token.
fn word_before(text: &str, token: Span) -> &str {
    last_word(text[..token.start].trim_end_matches(|letter| !is_path_letter(letter)))
}

fn last_word(text: &str) -> &str {
    text.rsplit(|letter| !is_path_letter(letter)).next().unwrap_or_default()
}

fn is_path_letter(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '_' | '-' | '.' | '/' | '\\' | '~' | '@' | '+')
}

/// The path with a file's ending in a token: without the full stop of a sentence, and without Chinese words around it.
fn path_in(text: &str, span: Span) -> Option<Span> {
    let token = span.of(text);
    let dot = token.trim_end_matches(['.', '/', '-', '\\']).rfind('.')?;
    let ending = token[dot + 1..].bytes().take_while(u8::is_ascii_alphanumeric).count();
    let has_letter = token.as_bytes()[dot + 1..dot + 1 + ending].iter().any(u8::is_ascii_alphabetic);
    let after = token[dot + 1 + ending..].chars().next();
    let cut_in_word = after.is_some_and(|letter| letter.is_ascii() && !matches!(letter, '.' | '-'));
    if !(1..=8).contains(&ending) || !has_letter || cut_in_word {
        return None;
    }
    let end = dot + 1 + ending;
    let slash = token[..end].find(['/', '\\']).unwrap_or(0);
    // `请阅读references/a.md`: the folder begins after the last letter that is not ASCII.
    let first = &token[..slash];
    let start = match first.chars().next_back() {
        Some(last) if last.is_ascii() => first
            .char_indices()
            .rev()
            .find(|(_, letter)| !letter.is_ascii())
            .map_or(0, |(at, letter)| at + letter.len_utf8()),
        _ => 0,
    };
    Some(Span::new(start, end).shift(span.start))
}

/// A glob, a template, a URL, an address or a longer name reaches over the path's ends.
fn is_part_of_more((before, after): (Option<char>, Option<char>), import: bool) -> bool {
    let open = before.is_some_and(|letter| {
        matches!(letter, '}' | '>' | '$' | '*' | ']' | ':' | '%' | '\\' | '/' | '&' | '=' | '?' | '#')
            || (!import && letter == '@')
    });
    open || after.is_some_and(|letter| matches!(letter, '{' | '<' | '$' | '*' | '[' | '%' | '@' | '/' | '\\'))
}

/// `mailto:`, `https:` and so on, `//host/…`, `somebody@host.org`.
fn is_url(target: &str) -> bool {
    let scheme = target.split_once(':').is_some_and(|(scheme, _)| {
        scheme.len() > 1
            && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'.' | b'-'))
    });
    let is_mail = target.split_once('@').is_some_and(|(name, host)| !name.is_empty() && host.contains('.'));
    scheme || target.starts_with("//") || (is_mail && !target.contains('/'))
}

/// A placeholder for a path that the reader or the agent fills in.
pub fn is_placeholder(path: &str) -> bool {
    if path.contains(['<', '>', '{', '}', '$', '*', '[', ']', '|', '…']) || path.contains("...") {
        return true;
    }
    let lower = path.to_ascii_lowercase();
    let name = lower.rsplit(['/', '\\']).next().unwrap_or_default();
    lower.contains("path/to/")
        || lower.contains("xxx")
        || lower.contains("yyyy")
        || ["your-", "your_", "my-", "my_", "some-", "some_", "foo.", "bar."]
            .iter()
            .any(|start| name.starts_with(start))
        || ["example", "file", "filename", "name"].contains(&name.split('.').next().unwrap_or_default())
        || ["url", "link", "path", "href", "target", "uri", "src", "image", "image-url", "链接", "路径"].contains(&name)
}

fn is_document(path: &str) -> bool {
    matches!(Utf8Path::new(path).extension(), Some("md" | "markdown" | "mdx" | "txt" | "rst"))
}

fn has_drive(path: &str) -> bool {
    path.as_bytes().first().is_some_and(u8::is_ascii_alphabetic) && path[1..].starts_with([':'])
}

/// A path from a folder, without `.` and `..`; `None`: it leads out.
pub(super) fn joined(folder: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// A path as a text in `folder` names it, with `/`, and with `..` if needed.
pub(super) fn relative(folder: &Utf8Path, path: &Utf8Path) -> Option<String> {
    let up = folder.ancestors().position(|above| path.starts_with(above))?;
    let above = folder.ancestors().nth(up)?;
    let below = path.strip_prefix(above).ok()?;
    let mut parts = vec![".."; up];
    parts.extend(below.components().map(|part| part.as_str()));
    Some(parts.join("/"))
}

/// `%20` as a space.
pub fn unescaped(path: &str) -> String {
    let bytes = path.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let code = (bytes[at] == b'%').then(|| path.get(at + 1..at + 3)).flatten();
        match code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(byte) => {
                out.push(byte);
                at += 3;
            }
            None => {
                out.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8(out).unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn tokens_are_the_runs_that_paths_may_be_in(text in "[a./\\\\@ (,~中。\n]{0,40}") {
            let runs: Vec<&str> = text.split(|letter| !is_path_letter(letter)).filter(|run| !run.is_empty()).collect();
            let before = |place: usize| place.checked_sub(1).map_or("", |place| runs[place]);
            let with_marks = (0..runs.len()).filter(|place| runs[*place].contains(['/', '\\', '@']));
            let expected: Vec<(&str, &str)> = with_marks.map(|place| (before(place), runs[place])).collect();
            let found = tokens(&text).map(|token| (word_before(&text, token), token.of(&text)));
            prop_assert_eq!(found.collect::<Vec<_>>(), expected);
        }
    }
}
