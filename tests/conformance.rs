//! The harnesses against recorded behaviour: what was compared, and the results.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;

use camino::Utf8Path;
use serde_json::Value;

use crate::{GOLDEN, Golden};

/// Compares what harnesses do with the recordings, case by case.
pub struct Suite {
    pub golden: Golden,
    cases: Vec<Case>,
}

/// One recorded value.
struct Case {
    /// Below [`GOLDEN`].
    file: String,
    /// Which part of the file; empty: all of it.
    name: String,
    outcome: Outcome,
}

enum Outcome {
    Equal,
    /// Known and explained.
    Deviates {
        why: String,
    },
    Wrong {
        difference: String,
    },
}

impl Suite {
    pub fn new() -> Self {
        Self { golden: Golden::copy(), cases: Vec::new() }
    }

    /// A recorded file as it is, with `{FIXTURES}` in it.
    pub fn recorded(&self, file: &str) -> Value {
        let path = Utf8Path::new(GOLDEN).join(file);
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// The recorded files of a folder whose names start with `prefix`, as paths below [`GOLDEN`].
    pub fn files(&self, folder: &str, prefix: &str) -> Vec<String> {
        let entries = Utf8Path::new(GOLDEN).join(folder).read_dir_utf8().expect("the folder is in the repository");
        let names = entries.map(|entry| entry.expect("the folder is readable").file_name().to_owned());
        let mut files: Vec<_> =
            names.filter(|name| name.starts_with(prefix)).map(|name| format!("{folder}/{name}")).collect();
        files.sort();
        files
    }

    /// The value with `{FIXTURES}` in place of the path of the copy that the harnesses read.
    pub fn portable(&self, value: &Value) -> Value {
        let text = value.to_string().replace(self.golden.path().as_str(), "{FIXTURES}");
        serde_json::from_str(&text).expect("a path in a JSON text is replaced by plain letters")
    }

    /// Records whether `seen` is `expected`, whole, the order of keys included.
    pub fn equal(&mut self, file: &str, name: &str, seen: &Value, expected: &Value) {
        let (seen, expected) = (pretty(&self.portable(seen)), pretty(expected));
        let outcome =
            if seen == expected { Outcome::Equal } else { Outcome::Wrong { difference: difference(&seen, &expected) } };
        self.push(file, name, outcome);
    }

    /// As [`Suite::equal`], if the recording's order of keys has no meaning.
    pub fn equal_in_any_order(&mut self, file: &str, name: &str, seen: &Value, expected: &Value) {
        self.equal(file, name, &sorted(seen), &sorted(expected));
    }

    /// Records an intended deviation. It is wrong if there is no longer a difference.
    pub fn deviates(&mut self, file: &str, name: &str, seen: &Value, expected: &Value, why: &str) {
        let outcome = if pretty(&self.portable(seen)) == pretty(expected) {
            Outcome::Wrong { difference: format!("this is equal by now, but was said to deviate: {why}") }
        } else {
            Outcome::Deviates { why: why.to_owned() }
        };
        self.push(file, name, outcome);
    }

    fn push(&mut self, file: &str, name: &str, outcome: Outcome) {
        self.cases.push(Case { file: file.to_owned(), name: name.to_owned(), outcome });
    }

    /// The errors, one text for each case; recorded files that no case compared are errors too.
    pub fn wrong(&self) -> Vec<String> {
        let cases = self.cases.iter().filter_map(|case| match &case.outcome {
            Outcome::Wrong { difference } => Some(format!("{} {}\n{difference}", case.file, case.name)),
            Outcome::Equal | Outcome::Deviates { .. } => None,
        });
        let unread = recorded_files().into_iter().filter(|file| !self.cases.iter().any(|case| case.file == *file));
        cases.chain(unread.map(|file| format!("{file} was not compared"))).collect()
    }

    /// `docs/conformance.md`.
    pub fn table(&self) -> String {
        let mut folders: BTreeMap<&str, BTreeMap<&str, Vec<&Case>>> = BTreeMap::new();
        for case in &self.cases {
            let (folder, file) = case.file.split_once('/').unwrap_or(("", &case.file));
            folders.entry(folder).or_default().entry(file).or_default().push(case);
        }
        let files: usize = folders.values().map(BTreeMap::len).sum();
        let whole =
            folders.values().flat_map(BTreeMap::values).filter(|cases| cases.iter().all(|case| case.is_equal()));
        let mut out = format!(
            "# Conformance\n\nWritten by `cargo xtask generate` from the run of `tests/it/golden`: what is \
             reproduced here, compared with what was recorded from the real frameworks (`tests/fixtures/golden`). \
             Values are compared whole; only the path of the fixtures and ids that differ with every run are \
             placeholders.\n\n\
             {files} recorded files, {} of them equal throughout; {} cases, {} of them equal.\n",
            whole.count(),
            self.cases.len(),
            self.cases.iter().filter(|case| case.is_equal()).count(),
        );
        for (folder, files) in folders {
            write!(out, "\n## {folder}\n\n| recorded | cases | equal | deviations |\n|---|---|---|---|\n")
                .expect("a String takes everything");
            for (file, cases) in files {
                let equal = cases.iter().filter(|case| case.is_equal()).count();
                let deviations: Vec<String> = cases.iter().filter_map(|case| case.deviation()).collect();
                writeln!(out, "| {file} | {} | {equal} | {} |", cases.len(), deviations.join("<br>"))
                    .expect("a String takes everything");
            }
        }
        out
    }
}

impl Default for Suite {
    fn default() -> Self {
        Self::new()
    }
}

impl Case {
    fn is_equal(&self) -> bool {
        matches!(self.outcome, Outcome::Equal)
    }

    fn deviation(&self) -> Option<String> {
        let why = match &self.outcome {
            Outcome::Equal => return None,
            Outcome::Deviates { why } => why,
            Outcome::Wrong { .. } => "wrong",
        };
        let name = if self.name.is_empty() { String::new() } else { format!("`{}`: ", self.name) };
        Some(format!("{name}{why}").replace('|', "\\|"))
    }
}

/// All recordings, as paths below [`GOLDEN`]. Folders without JSON files directly in them are fixtures.
fn recorded_files() -> Vec<String> {
    const FIXTURES: [&str; 3] = ["roots", "skills", "symlink-target"];
    let mut files = Vec::new();
    for folder in Utf8Path::new(GOLDEN).read_dir_utf8().expect("the fixtures are in the repository") {
        let folder = folder.expect("the fixtures are readable");
        if !folder.path().is_dir() || FIXTURES.contains(&folder.file_name()) {
            continue;
        }
        for file in folder.path().read_dir_utf8().expect("the fixtures are readable") {
            files.push(format!("{}/{}", folder.file_name(), file.expect("the fixtures are readable").file_name()));
        }
    }
    files.sort();
    files
}

fn pretty(value: &Value) -> String {
    format!("{value:#}")
}

fn sorted(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(sorted).collect(),
        Value::Object(fields) => {
            let fields: BTreeMap<&String, Value> = fields.iter().map(|(key, value)| (key, sorted(value))).collect();
            fields.into_iter().map(|(key, value)| (key.clone(), value)).collect()
        }
        scalar => scalar.clone(),
    }
}

/// The lines around the first difference.
fn difference(seen: &str, expected: &str) -> String {
    const SHOWN: usize = 600;
    let lines = seen.lines().zip(expected.lines());
    let same = lines.take_while(|(a, b)| a == b).count();
    let show = |text: &str| -> String {
        let line = |line: &str| line.chars().take(SHOWN).collect::<String>();
        text.lines().skip(same.saturating_sub(3)).take(8).map(line).collect::<Vec<_>>().join("\n")
    };
    format!("from line {}\n--- seen\n{}\n--- recorded\n{}", same + 1, show(seen), show(expected))
}
