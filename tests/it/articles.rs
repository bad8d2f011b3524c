//! What the five articles show, feature by feature, each with the test or the command that shows it here.
//! `docs/articles.md` is written from these lists. Tests that are named must be there; the commands are run by the tests of
//! `skillbench`.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;

use camino::Utf8Path;
use skillbench_tests::GOLDEN;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
const TABLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/articles.md");

/// One line each: the place in the article, the feature, where it is shown, and differences.
const LISTS: [&str; 5] = [
    include_str!("articles/000.txt"),
    include_str!("articles/001.txt"),
    include_str!("articles/002.txt"),
    include_str!("articles/003.txt"),
    include_str!("articles/004.txt"),
];

/// `cargo xtask generate` writes the table instead of comparing it.
#[test]
fn every_feature_of_the_articles_is_shown_and_the_table_is_up_to_date() {
    let articles: Vec<Article> = LISTS.into_iter().map(Article::parse).collect();
    let tests = tests();
    let unknown: Vec<String> = articles
        .iter()
        .flat_map(|article| &article.features)
        .flat_map(|feature| &feature.shown)
        .filter(|shown| !is_there(shown, &tests))
        .map(|shown| format!("{shown:?}"))
        .collect();
    assert_eq!(unknown, Vec::<String>::new(), "neither a test, nor a recording, nor a command");
    let table = table(&articles);
    if std::env::var_os("SKILLBENCH_GENERATE").is_some() {
        fs::write(TABLE, &table).unwrap();
    }
    assert_eq!(fs::read_to_string(TABLE).unwrap_or_default(), table, "run `cargo xtask generate`");
}

struct Article {
    title: String,
    features: Vec<Feature>,
}

struct Feature {
    section: String,
    text: String,
    shown: Vec<Shown>,
    difference: Option<String>,
}

#[derive(Debug)]
enum Shown {
    /// By the name of its function.
    Test(String),
    /// A recording that the harnesses are compared with.
    Golden(String),
    /// What to type in the folder of the repository.
    Command(String),
}

const MISSING: &str = "Missing";

impl Article {
    fn parse(list: &str) -> Self {
        let (title, rest) = list.split_once('\n').unwrap();
        let lines = rest.lines().filter(|line| !line.is_empty());
        Self { title: title.to_owned(), features: lines.map(Feature::parse).collect() }
    }
}

impl Feature {
    fn parse(line: &str) -> Self {
        let parts: Vec<&str> = line.split(" | ").map(str::trim).collect();
        let (section, text, shown, difference) = match parts[..] {
            [section, text, shown] => (section, text, shown, None),
            [section, text, shown, difference] => (section, text, shown, Some(difference.to_owned())),
            _ => panic!("three or four parts belong in: {line}"),
        };
        let shown: Vec<Shown> = shown.split("; ").filter(|shown| !shown.is_empty()).map(Shown::parse).collect();
        let is_missing = difference.as_ref().is_some_and(|text: &String| text.starts_with(MISSING));
        assert!(is_missing || !shown.is_empty(), "nothing shows it: {line}");
        Self { section: section.to_owned(), text: text.to_owned(), shown, difference }
    }

    fn is_missing(&self) -> bool {
        self.difference.as_ref().is_some_and(|text| text.starts_with(MISSING))
    }
}

impl Shown {
    fn parse(text: &str) -> Self {
        match text {
            command if command.starts_with("skillbench ") => Self::Command(command.to_owned()),
            golden if golden.ends_with(".json") => Self::Golden(golden.to_owned()),
            test => Self::Test(test.to_owned()),
        }
    }

    fn written(&self) -> String {
        match self {
            Self::Test(text) | Self::Golden(text) | Self::Command(text) => format!("`{text}`"),
        }
    }
}

fn is_there(shown: &Shown, tests: &BTreeSet<String>) -> bool {
    match shown {
        Shown::Test(name) => tests.contains(name),
        Shown::Golden(file) => Utf8Path::new(GOLDEN).join(file).is_file(),
        Shown::Command(_) => true,
    }
}

/// The names of all functions that are tests.
fn tests() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for folder in ["src-tauri", "tests"] {
        read(&Utf8Path::new(ROOT).join(folder), &mut found);
    }
    found
}

fn read(folder: &Utf8Path, found: &mut BTreeSet<String>) {
    for entry in folder.read_dir_utf8().unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() && path.file_name() != Some("fixtures") {
            read(path, found);
        } else if path.extension() == Some("rs") {
            let text = fs::read_to_string(path).unwrap();
            let mut is_test = false;
            for line in text.lines().map(str::trim) {
                let function = line.strip_prefix("async fn ").or(line.strip_prefix("fn "));
                if line.starts_with("#[test]") || line.starts_with("#[tokio::test") {
                    is_test = true;
                } else if let Some(function) = function.filter(|_| is_test) {
                    found.extend(function.split('(').next().map(str::to_owned));
                    is_test = false;
                }
            }
        }
    }
}

fn table(articles: &[Article]) -> String {
    let all: Vec<&Feature> = articles.iter().flat_map(|article| &article.features).collect();
    let missing = all.iter().filter(|feature| feature.is_missing()).count();
    let differing = all.iter().filter(|feature| feature.difference.is_some()).count() - missing;
    let mut out = format!(
        "# The articles, feature by feature\n\nWritten by `cargo xtask generate` from `tests/it/articles`. Each line names \
         tests, recordings in `tests/fixtures/golden`, or commands to type in the folder of the repository; a test checks \
         that they are there, and another runs the commands.\n\n{} features: {} as shown, {differing} with a difference, \
         {missing} missing.\n",
        all.len(),
        all.len() - differing - missing,
    );
    for article in articles {
        write!(out, "\n## {}\n\n| where | feature | shown by | difference |\n|---|---|---|---|\n", article.title)
            .unwrap();
        for feature in &article.features {
            let shown: Vec<String> = feature.shown.iter().map(Shown::written).collect();
            let difference = feature.difference.as_deref().unwrap_or_default();
            writeln!(out, "| {} | {} | {} | {difference} |", feature.section, feature.text, shown.join("<br>"))
                .unwrap();
        }
    }
    out
}
