//! The files that evaluations are kept in: cases in `evals/evals.json`, sets of queries that should start the skill or
//! not, and their results. Both dialects are read, that of agentskills.io and that of skill-creator.

use std::collections::HashSet;
use std::rc::Rc;

use super::json::{Json, Value};
use crate::Subject;
use crate::texts::Text;
use skill::SkillFile;
use skill::source::Span;

/// Larger files are not read.
const SIZE_LIMIT: u64 = 1 << 20;

/// A JSON file of a skill.
pub struct EvalFile<'a> {
    pub file: &'a SkillFile,
    pub text: Rc<Text>,
    pub json: Json,
}

/// A text in a file.
pub struct Said<'f> {
    pub text: &'f str,
    pub span: Span,
}

/// A query, and whether it should start the skill.
pub struct Query<'f> {
    pub said: Said<'f>,
    pub should_trigger: bool,
}

/// `evals/evals.json`; `None` if it is missing or no JSON.
pub fn cases_of<'a>(skill: &Subject<'a>) -> Option<EvalFile<'a>> {
    open(skill, skill.file(CASES)?)
}

pub const CASES: &str = "evals/evals.json";

/// All JSON files that hold evaluations: those in `evals`, and those named after them.
pub fn all<'a>(skill: &Subject<'a>) -> Vec<EvalFile<'a>> {
    let is_meant = |file: &&SkillFile| {
        let name = file.name.strip_suffix(".json").unwrap_or_default();
        let last = name.rsplit('/').next().unwrap_or_default();
        !name.is_empty() && (name.starts_with("evals/") || NAMES.iter().any(|part| last.contains(part)))
    };
    skill.skill.files.iter().filter(is_meant).filter_map(|file| open(skill, file)).collect()
}

const NAMES: [&str; 4] = ["eval_set", "eval_queries", "trigger", "benchmark"];

/// The sets of queries among a skill's files, each with two queries or more.
pub fn query_sets<'a>(files: &'a [EvalFile<'_>]) -> impl Iterator<Item = (&'a EvalFile<'a>, Vec<Query<'a>>)> {
    files.iter().map(|file| (file, file.queries())).filter(|(_, queries)| queries.len() > 1)
}

fn open<'a>(skill: &Subject<'a>, file: &'a SkillFile) -> Option<EvalFile<'a>> {
    let text = skill.read(file).filter(|_| file.size <= SIZE_LIMIT)?;
    let json = Json::parse(text.text()).ok()?;
    Some(EvalFile { file, text, json })
}

impl EvalFile<'_> {
    /// The list of cases in `evals.json`.
    pub fn cases(&self) -> &[Json] {
        self.json.get("evals").map_or(&[], Json::items)
    }

    /// The queries, if the file is a list of queries.
    pub fn queries(&self) -> Vec<Query<'_>> {
        let query = |item| {
            let should_trigger = Json::get(item, "should_trigger")?.bool()?;
            let query = item.get("query")?;
            Some(Query { said: Said { text: query.text()?, span: query.span }, should_trigger })
        };
        self.json.items().iter().filter_map(query).collect()
    }
}

/// A case's assertions, under either name; each is a text, or has a `text`.
pub fn assertions(case: &Json) -> impl Iterator<Item = Said<'_>> {
    let lists = ASSERTIONS.iter().filter_map(|key| case.get(key));
    lists.flat_map(Json::items).filter_map(|item| {
        let said = if matches!(item.value, Value::Map(_)) { item.get("text")? } else { item };
        Some(Said { text: said.text()?, span: said.span })
    })
}

/// What the two dialects call them.
pub const ASSERTIONS: [&str; 2] = ["assertions", "expectations"];

/// Words in lower case, without punctuation; in Chinese, which does not separate words, each two neighbouring
/// characters.
pub fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for part in text.to_lowercase().split(|letter: char| !letter.is_alphanumeric()) {
        let letters: Vec<char> = part.chars().collect();
        if letters.iter().any(|letter| is_wide(*letter)) {
            words.extend(letters.windows(2).map(|pair| pair.iter().collect::<String>()));
        } else if !part.is_empty() {
            words.push(part.to_owned());
        }
    }
    words
}

/// The words that say what a text is about.
pub fn topics(text: &str) -> HashSet<String> {
    let is_topic = |word: &String| word.chars().any(is_wide) || (word.len() > 3 && !COMMON.contains(&word.as_str()));
    words(text).into_iter().filter(is_topic).collect()
}

fn is_wide(letter: char) -> bool {
    letter >= '\u{2E80}'
}

const COMMON: [&str; 40] = [
    "about", "after", "also", "asks", "been", "before", "could", "does", "each", "file", "files", "from", "have",
    "help", "into", "just", "like", "make", "need", "only", "other", "please", "should", "skill", "some", "that",
    "their", "them", "then", "these", "they", "this", "user", "users", "want", "what", "when", "with", "would", "your",
];
