//! Which files of a skill its instructions lead to: by links, by their names, or by those of their folders.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use aho_corasick::{AhoCorasick, AhoCorasickKind};
use camino::Utf8Path;

use crate::markdown::Markdown;
use crate::references::References;
use crate::texts::Texts;
use skill::{FileKind, SkillFile};

/// In larger skills files are found by their folders or by code.
const MOST_FILES: usize = 5_000;

/// For each file, whether a chain of mentions leads to it from `SKILL.md`. Of very many files all are taken to be reached.
pub fn reached(texts: &Texts<'_>, references: &References) -> Vec<bool> {
    let files = &texts.skill.files;
    if files.len() < 2 || files.len() > MOST_FILES {
        return vec![true; files.len()];
    }
    let names = OnceCell::new();
    let pages = references.pages.iter();
    let linked: HashMap<usize, HashSet<usize>> = pages.map(|page| (page.file, page.targets())).collect();
    let mut reached: Vec<bool> = files.iter().map(|file| texts.is_manifest(file) || file.name == CODEX).collect();
    let mut open: Vec<usize> = (0..files.len()).filter(|place| reached[*place]).collect();
    let mut left = files.len() - open.len();
    // Targets of links need not be searched by name.
    let mut next = 0;
    while let Some(place) = open.get(next).copied() {
        for other in linked.get(&place).into_iter().flatten() {
            if !std::mem::replace(&mut reached[*other], true) {
                left -= 1;
                open.push(*other);
            }
        }
        next += 1;
    }
    while left > 0
        && let Some(place) = open.pop()
    {
        let file = &files[place];
        let read = texts.read(file);
        let text = if texts.is_manifest(file) { texts.text() } else { read.as_ref().map_or("", |text| text.text()) };
        let linked = linked.get(&place).into_iter().flatten().copied();
        for other in names.get_or_init(|| Names::of(files)).mentioned(text, file).into_iter().chain(linked) {
            if !std::mem::replace(&mut reached[other], true) {
                left -= 1;
                open.push(other);
            }
        }
        let markdown = match &read {
            _ if texts.is_manifest(file) => Some(texts.markdown()),
            Some(read) if file.name.ends_with(".md") => Some(read.markdown()),
            _ => None,
        };
        if let Some(markdown) = markdown.filter(|_| IMPORTS.iter().any(|word| text.contains(word))) {
            for other in imported(markdown, files) {
                if !std::mem::replace(&mut reached[other], true) {
                    left -= 1;
                    open.push(other);
                }
            }
        }
    }
    reached
}

/// Codex reads it by itself.
const CODEX: &str = "agents/openai.yaml";

/// Programs that samples of code in a page import, from the skill's folder or from its scripts.
fn imported(markdown: &Markdown, files: &[SkillFile]) -> Vec<usize> {
    let samples = markdown.fences.iter().filter(|fence| IMPORTING.contains(&fence.language.as_str()));
    let lines = samples.flat_map(|fence| fence.code.lines());
    let lines: Vec<&str> = lines.map(str::trim).filter(|line| IMPORTS.iter().any(|word| line.contains(word))).collect();
    if lines.is_empty() {
        return Vec::new();
    }
    let programs = files.iter().enumerate().filter(|(_, file)| is_code(&file.name));
    let is_named = |name: &str| {
        let path = Utf8Path::new(name).with_extension("");
        let path = path.strip_prefix("scripts").unwrap_or(&path);
        let has = |line: &str, part: &str| line.match_indices(part).any(|(at, _)| is_whole(line, at, at + part.len()));
        lines.iter().any(|line| path.iter().all(|part| part == "__init__" || has(line, part)))
    };
    programs.filter(|(_, file)| is_named(&file.name)).map(|(place, _)| place).collect()
}

const IMPORTING: [&str; 8] = ["python", "py", "python3", "javascript", "js", "mjs", "typescript", "ts"];
const IMPORTS: [&str; 3] = ["import ", "require(", "import("];

/// Names by which files can be mentioned.
struct Names {
    names: Vec<String>,
    /// For each name, what it means.
    means: Vec<(Form, Vec<usize>)>,
    /// The names that begin with a word, by the sums of these words.
    by_word: Vec<(u32, usize)>,
    /// For each sum of a word, cut to few bits, whether a name may begin with it.
    likely: [u64; 64],
    /// Finds the names that begin with something else, `.env` or `中文.md`, by their places here.
    others: Option<(AhoCorasick, Vec<usize>)>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Form {
    /// `guide.md`.
    Name,
    /// `guide`; only code calls files so.
    Stem,
    /// `error-codes`: no word of prose, so prose may mean the file by it.
    Compound,
    /// `core.guide`, as code imports it.
    Module,
    /// `references`.
    Folder,
}

impl Names {
    fn of(files: &[SkillFile]) -> Self {
        let mut names: BTreeMap<(String, Form), Vec<usize>> = BTreeMap::new();
        for (place, file) in files.iter().enumerate() {
            let path = Utf8Path::new(&file.name);
            let name = path.file_name().unwrap_or_default();
            names.entry((name.to_lowercase(), Form::Name)).or_default().push(place);
            if let Some(stem) = path.file_stem().filter(|_| is_code(&file.name)) {
                names.entry((stem.to_lowercase(), Form::Stem)).or_default().push(place);
                if let Some(folder) = path.parent().and_then(Utf8Path::file_name) {
                    let module = format!("{folder}.{stem}").to_lowercase();
                    names.entry((module, Form::Module)).or_default().push(place);
                }
            }
            if let Some(stem) = path.file_stem().filter(|stem| stem.contains(['-', '_'])) {
                names.entry((stem.to_lowercase(), Form::Compound)).or_default().push(place);
            }
            for folder in path.ancestors().skip(1).filter_map(Utf8Path::file_name) {
                names.entry((folder.to_lowercase(), Form::Folder)).or_default().push(place);
            }
        }
        let (names, means): (Vec<String>, Vec<_>) =
            names.into_iter().map(|((name, form), files)| (name, (form, files))).unzip();
        let mut by_word = Vec::new();
        let mut likely = [0; 64];
        let mut others = Vec::new();
        for (number, name) in names.iter().enumerate() {
            match words(name).next().filter(|word| word.start == 0) {
                Some(word) => {
                    likely[word.place()] |= word.bit();
                    by_word.push((word.sum, number));
                }
                None => others.push(number),
            }
        }
        by_word.sort_unstable();
        Self { others: finder_of(&names, others), names, means, by_word, likely }
    }

    fn mentioned(&self, text: &str, by: &SkillFile) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        let mut done = HashSet::new();
        let from_code = is_code(&by.name) || by.kind == FileKind::Script;
        let mut look = |name: usize, start: usize, end: usize| {
            let (form, files) = &self.means[name];
            if done.contains(&name) || !is_whole(text, start, end) {
                return;
            }
            let fits = match form {
                Form::Name | Form::Module | Form::Compound => true,
                Form::Stem => from_code,
                Form::Folder => names_folder(text, start, end, from_code),
            };
            if fits && done.insert(name) {
                found.extend(files);
            }
        };
        for word in words(text).filter(|word| self.likely[word.place()] & word.bit() != 0) {
            let first = self.by_word.partition_point(|(sum, _)| *sum < word.sum);
            for (_, name) in self.by_word[first..].iter().take_while(|(sum, _)| *sum == word.sum) {
                let letters = self.names[*name].as_bytes();
                let end = word.start + letters.len();
                if text.as_bytes().get(word.start..end).is_some_and(|text| text.eq_ignore_ascii_case(letters)) {
                    look(*name, word.start, end);
                }
            }
        }
        if let Some((finder, names)) = &self.others {
            let hits = finder.find_overlapping_iter(text);
            hits.for_each(|hit| look(names[hit.pattern().as_usize()], hit.start(), hit.end()));
        }
        found
    }
}

fn finder_of(names: &[String], numbers: Vec<usize>) -> Option<(AhoCorasick, Vec<usize>)> {
    if numbers.is_empty() {
        return None;
    }
    // Made for one skill: an automaton that is quick to search takes longer to make than to use.
    let kind = Some(AhoCorasickKind::NoncontiguousNFA);
    let mut builder = AhoCorasick::builder();
    let finder = builder.kind(kind).ascii_case_insensitive(true).build(numbers.iter().map(|number| &names[*number]));
    Some((finder.ok()?, numbers))
}

/// Letters, digits, `_` and `-` of ASCII in a row: a name that begins so is whole only where such a word begins.
struct Word {
    start: usize,
    /// The same in any case of letters.
    sum: u32,
}

impl Word {
    fn place(&self) -> usize {
        self.sum as usize >> 26
    }

    fn bit(&self) -> u64 {
        1 << (self.sum >> 20 & 63)
    }
}

fn words(text: &str) -> impl Iterator<Item = Word> {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        at += bytes[at..].iter().position(is_part)?;
        let start = at;
        let mut sum: u32 = 0;
        while let Some(byte) = bytes.get(at).filter(|byte| is_part(byte)) {
            sum = (sum ^ u32::from(byte | 0x20)).wrapping_mul(0x9e37_79b1);
            sum ^= sum >> 15;
            at += 1;
        }
        Some(Word { start, sum: sum.wrapping_mul(0x9e37_79b1) })
    })
}

fn is_part(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

/// No part of a longer name. Letters that are not ASCII end one: Chinese has no spaces.
fn is_whole(text: &str, start: usize, end: usize) -> bool {
    let before = start.checked_sub(1).and_then(|at| text.as_bytes().get(at));
    !before.is_some_and(is_part) && !text.as_bytes().get(end).is_some_and(is_part)
}

/// `references/` with nothing after it that names one of its files, `themes/*.css`, `"templates"` in code, the end of a
/// path in a code span, `the themes folder`.
fn names_folder(text: &str, start: usize, end: usize, from_code: bool) -> bool {
    let rest = &text[end..text.floor_char_boundary(text.len().min(end + 24))];
    let after = rest.trim_start_matches(['`', '*', '"', '\'', '_', ' ']).to_lowercase();
    if let Some(inside) = rest.strip_prefix('/') {
        let inside = inside.split(char::is_whitespace).next().unwrap_or_default();
        let inside = inside.trim_end_matches(['.', ',', ';', ':', ')']);
        return !inside.starts_with(|letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '.'))
            || !inside.contains('.');
    }
    let quoted = from_code && text[..start].ends_with(['"', '\'', '/']) && rest.starts_with(['"', '\'']);
    let is_path = text[..start].ends_with('/') && rest.starts_with('`');
    quoted || is_path || ["director", "folder", "目录", "文件夹"].iter().any(|word| after.starts_with(word))
}

fn is_code(name: &str) -> bool {
    let ending = Utf8Path::new(name).extension();
    matches!(
        ending,
        Some(
            "py" | "sh"
                | "js"
                | "mjs"
                | "cjs"
                | "ts"
                | "tsx"
                | "jsx"
                | "rb"
                | "pl"
                | "ps1"
                | "r"
                | "go"
                | "html"
                | "css"
        )
    )
}
