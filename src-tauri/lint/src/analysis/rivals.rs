//! Skills that compete for the same request: by the words of their descriptions, and by the queries that their trigger sets name.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::language::written;
use super::triggers;
use crate::Files;
use skill::Skill;

/// Two skills of different names, by their numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct Rivals {
    pub first: usize,
    pub second: usize,
    /// How many of all words of both are in both.
    pub share: f64,
    /// Those in both, the rarest first.
    pub words: Vec<Shared>,
    /// Queries that should trigger both.
    pub queries: Vec<String>,
}

/// A word that two descriptions share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shared {
    /// As the first of the skills writes it.
    pub word: String,
    /// In how many descriptions it is.
    pub skills: usize,
}

/// A skill that has words of a request in its name or description.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    pub skill: usize,
    /// The more, and the rarer the words, the larger.
    pub weight: f64,
    pub words: Vec<Shared>,
}

/// Smaller shares do not count as competition.
pub const LEAST: f64 = 0.2;
/// With fewer words in common two descriptions are alike by chance.
const FEWEST_WORDS: usize = 2;
/// Skills that are compared for a word they have in common; with more of them the word is not rare.
const MOST_COMPARED: usize = 64;
/// So much of a description counts.
const LENGTH: usize = 4096;

/// The words of the descriptions of a set of skills.
pub struct Words<'a> {
    skills: &'a [Skill],
    words: Vec<BTreeMap<String, String>>,
    counts: HashMap<String, usize>,
}

impl<'a> Words<'a> {
    /// Counts in how many descriptions each word is.
    pub fn of(skills: &'a [Skill]) -> Self {
        let words: Vec<_> = skills.iter().map(|skill| written(description(skill))).collect();
        let mut counts: HashMap<String, usize> = HashMap::new();
        for word in words.iter().flat_map(BTreeMap::keys) {
            *counts.entry(word.clone()).or_default() += 1;
        }
        Self { skills, words, counts }
    }

    /// Those that compete, the closest first. Each skill is compared only with those that it has a word in common with which
    /// is not in very many descriptions.
    pub fn rivals(&self, files: &dyn Files) -> Vec<Rivals> {
        let mut with: HashMap<&str, Vec<usize>> = HashMap::new();
        for (skill, words) in self.words.iter().enumerate() {
            for word in words.keys() {
                with.entry(word).or_default().push(skill);
            }
        }
        let mut pairs: BTreeSet<(usize, usize)> = BTreeSet::new();
        for skills in with.values().filter(|skills| skills.len() <= MOST_COMPARED) {
            for (at, first) in skills.iter().enumerate() {
                pairs.extend(skills[at + 1..].iter().map(|second| (*first, *second)));
            }
        }
        let mut queries = self.queries(files);
        pairs.extend(queries.keys().copied());
        let named = |pair: &(usize, usize)| self.skills[pair.0].name() != self.skills[pair.1].name();
        let mut found: Vec<Rivals> = pairs
            .into_iter()
            .filter(named)
            .filter_map(|pair| self.pair(pair, queries.remove(&pair).unwrap_or_default()))
            .collect();
        found.sort_by(|a, b| {
            (b.queries.len().min(1), b.share)
                .partial_cmp(&(a.queries.len().min(1), a.share))
                .unwrap_or(std::cmp::Ordering::Equal)
        });
        found
    }

    /// Skills with words of the request, the likeliest first.
    pub fn asked(&self, request: &str) -> Vec<Asked> {
        let wanted = written(&request[..request.floor_char_boundary(LENGTH)]);
        let mut found: Vec<Asked> = Vec::new();
        for (number, skill) in self.skills.iter().enumerate() {
            let name = written(&skill.name().replace(['-', '_'], " "));
            let is_there = |word: &String| self.words[number].contains_key(word) || name.contains_key(word);
            let words: Vec<Shared> = wanted
                .iter()
                .filter(|(word, _)| is_there(word))
                .map(|(word, as_written)| self.shared(word, as_written))
                .collect();
            if !words.is_empty() {
                let weight = words.iter().map(|word| 1.0 / word.skills.max(1) as f64).sum::<f64>() + words.len() as f64;
                found.push(Asked { skill: number, weight, words: rarest_first(words) });
            }
        }
        found.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        found
    }

    fn pair(&self, (first, second): (usize, usize), queries: Vec<String>) -> Option<Rivals> {
        let (a, b) = (&self.words[first], &self.words[second]);
        let words: Vec<Shared> = a
            .iter()
            .filter(|(word, _)| b.contains_key(*word))
            .map(|(word, as_written)| self.shared(word, as_written))
            .collect();
        let all = a.len() + b.len() - words.len();
        let share = if all == 0 { 0.0 } else { words.len() as f64 / all as f64 };
        let competes = !queries.is_empty() || share >= LEAST && words.len() >= FEWEST_WORDS;
        competes.then(|| Rivals { first, second, share, words: rarest_first(words), queries })
    }

    fn shared(&self, word: &str, as_written: &str) -> Shared {
        Shared { word: as_written.to_owned(), skills: self.counts.get(word).copied().unwrap_or_default() }
    }

    /// Queries that should trigger two skills, by the two. The first that names a query is held against all others.
    fn queries(&self, files: &dyn Files) -> HashMap<(usize, usize), Vec<String>> {
        let mut wanted: HashMap<String, usize> = HashMap::new();
        let mut both: HashMap<(usize, usize), Vec<String>> = HashMap::new();
        for (number, skill) in self.skills.iter().enumerate() {
            for file in triggers::files(skill) {
                let Some(source) = files.text(&file.path) else { continue };
                for query in triggers::queries(&source.text) {
                    let first = *wanted.entry(triggers::key(&query)).or_insert(number);
                    let list = both.entry((first, number)).or_default();
                    if first != number && !list.contains(&query) {
                        list.push(query);
                    }
                }
            }
        }
        both.retain(|_, queries| !queries.is_empty());
        both
    }
}

fn description(skill: &Skill) -> &str {
    let text = skill.manifest.field("description").and_then(|field| field.value.as_str()).unwrap_or_default();
    &text[..text.floor_char_boundary(LENGTH)]
}

fn rarest_first(mut words: Vec<Shared>) -> Vec<Shared> {
    words.sort_by(|a, b| (a.skills, &a.word).cmp(&(b.skills, &b.word)));
    words
}

#[cfg(test)]
mod tests {
    use camino::Utf8PathBuf;

    use super::*;
    use crate::Disk;

    fn skills(described: &[(&str, &str)]) -> (tempfile::TempDir, Vec<Skill>) {
        let folder = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::from_path_buf(folder.path().canonicalize().unwrap()).unwrap();
        for (name, description) in described {
            std::fs::create_dir(root.join(name)).unwrap();
            let text = format!("---\nname: {name}\ndescription: {description}\n---\n");
            std::fs::write(root.join(name).join("SKILL.md"), text).unwrap();
        }
        let skills = skill::skills(&skill::load(&[root]));
        (folder, skills)
    }

    const SET: [(&str, &str); 4] = [
        ("invoice-tables", "Extracts the tables of PDF invoices to a spreadsheet. Use if the user wants tables."),
        ("pdf-merge", "Puts several PDF files together and numbers the pages. Use when asked to merge."),
        ("pdf-tables", "Extract tables from PDF invoices into spreadsheets. Use when asked for tables."),
        ("weather", "Tells the weather of a town."),
    ];

    #[test]
    fn names_two_that_compete_and_the_words_that_they_share_as_they_are_written() {
        let (_folder, skills) = skills(&SET);
        let found = Words::of(&skills).rivals(&Disk);
        let said: Vec<_> = found
            .iter()
            .map(|pair| {
                let words: Vec<&str> = pair.words.iter().map(|word| &*word.word).collect();
                (skills[pair.first].name(), skills[pair.second].name(), words)
            })
            .collect();
        let words = vec!["Extracts", "invoices", "spreadsheet", "tables", "PDF"];
        assert_eq!(said, [("invoice-tables", "pdf-tables", words)], "what few descriptions have comes first");
        assert!(found[0].share > 0.7);
        assert_eq!(found[0].words[4].skills, 3);
    }

    #[test]
    fn a_query_that_should_trigger_both_counts_more_than_words() {
        let (_folder, skills) = skills(&SET);
        for (name, query) in [("weather", "Merge  it"), ("pdf-merge", "merge it")] {
            let skill = skills.iter().find(|skill| skill.name() == name).unwrap();
            std::fs::create_dir(skill.path.join("evals")).unwrap();
            let text = serde_json::json!([{ "query": query, "should_trigger": true }]).to_string();
            std::fs::write(skill.path.join("evals/queries.json"), text).unwrap();
        }
        let skills = skill::skills(&skill::load(&[skills[0].root.clone()]));
        let found = Words::of(&skills).rivals(&Disk);
        let said: Vec<_> = found.iter().map(|pair| (skills[pair.first].name(), &*pair.queries)).collect();
        assert_eq!(said, [("pdf-merge", &["Merge  it".to_owned()][..]), ("invoice-tables", &[])]);
    }

    #[test]
    fn a_request_finds_the_skills_that_have_its_words() {
        let (_folder, skills) = skills(&SET);
        let words = Words::of(&skills);
        let names =
            |request| -> Vec<&str> { words.asked(request).iter().map(|found| skills[found.skill].name()).collect() };
        assert_eq!(names("Merge these invoices into one PDF"), ["pdf-merge", "invoice-tables", "pdf-tables"]);
        assert_eq!(names("how is the weather"), ["weather"]);
        assert_eq!(names(""), Vec::<&str>::new());
    }

    #[test]
    fn words_that_most_skills_have_make_no_two_of_them_compete() {
        let described: Vec<(String, String)> = (0..500)
            .map(|number| (format!("s{number}"), format!("Common things of kind{number} and part{number}.")))
            .collect();
        let described: Vec<(&str, &str)> = described.iter().map(|(name, text)| (&**name, &**text)).collect();
        let (_folder, skills) = skills(&described);
        assert_eq!(Words::of(&skills).rivals(&Disk), []);
    }
}
