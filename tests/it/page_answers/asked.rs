//! What page tests ask about texts, with what the workbench answers: one file for each command, each with its questions. A page
//! test that asks something new fails and says what to add.

use std::collections::BTreeMap;
use std::fs;

use api::{ApiError, Freshness, Places, Workbench};
use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::sample::{ANSWERS, BUNDLED, OWN, Sample, here, same_text, there};

/// The project file of the user's folder, the only thing that these commands write.
const PROJECT: &str = "/home/ada/work/skills/workbench.yaml";
/// Of the list of rules, these: each in whole.
const RULES: [&str; 12] = [
    "body-empty",
    "broken-path",
    "crlf",
    "description-missing",
    "description-vague",
    "field-too-long",
    "frontmatter-missing",
    "name-chars",
    "name-dir-mismatch",
    "name-missing",
    "step-number-wrong",
    "windows-path",
];

/// Paths are those of the pages.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    /// Texts in place of the sample's; `null`: without the file.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    disk: BTreeMap<String, Option<String>>,
    /// Folders of the sample that are not open.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    closed: Vec<String>,
    args: Value,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    answer: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    error: Option<Value>,
    /// The project file, if it is another one afterwards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    wrote: Option<String>,
}

macro_rules! asking {
    ($($name:ident($arguments:ty) -> $result:ty $(, changes [$($data:ident),*])?;)*) => {
        async fn ask(bench: &Workbench, command: &str, args: Value) -> Result<Value, ApiError> {
            match command {
                $(stringify!($name) => {
                    let args = serde_json::from_value(args).unwrap();
                    let answer = Box::pin(bench.$name(args)).await?;
                    Ok(serde_json::to_value(answer).unwrap())
                })*
                unknown => panic!("there is no command {unknown}"),
            }
        }

        /// It may leave other files than it found.
        fn changes(command: &str) -> bool {
            match command {
                $(stringify!($name) => {
                    let changed: &[&str] = &[$($(stringify!($data)),*)?];
                    !changed.is_empty()
                })*
                _ => false,
            }
        }
    };
}
api::for_each_command!(asking);

#[tokio::test(flavor = "multi_thread")]
async fn what_page_tests_ask_is_answered_up_to_date() {
    let sample = Sample::lay();
    let mut files: BTreeMap<String, Vec<Asked>> = BTreeMap::new();
    for entry in Utf8Path::new(ANSWERS).join("asked").read_dir_utf8().unwrap() {
        let path = entry.unwrap().into_path();
        let text = fs::read_to_string(&path).unwrap();
        let asked = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}"));
        files.insert(path.file_stem().unwrap().to_owned(), asked);
    }
    // All questions about one state of the disk go to one bench.
    let mut states: BTreeMap<String, Vec<(&String, &mut Asked)>> = BTreeMap::new();
    for (command, asked) in &mut files {
        for one in asked {
            states.entry(serde_json::to_string(&(&one.disk, &one.closed)).unwrap()).or_default().push((command, one));
        }
    }
    for asked in states.into_values() {
        let (changing, reading): (Vec<_>, Vec<_>) = asked.into_iter().partition(|(command, _)| changes(command));
        let mut open = None;
        for (command, one) in reading {
            if open.is_none() {
                open = Some(Bench::open(&sample, one).await);
            }
            let Some(bench) = &open else { continue };
            answer(&bench.bench, command, one).await;
        }
        for (command, one) in changing {
            let bench = Bench::open(&sample, one).await;
            let before = sample.text(PROJECT);
            answer(&bench.bench, command, one).await;
            one.wrote = sample.text(PROJECT).filter(|now| Some(now) != before.as_ref());
        }
    }
    drop(sample);
    for (command, mut asked) in files {
        asked.sort_by_cached_key(|one| (one.disk.clone(), one.closed.clone(), one.args.to_string()));
        same_text(&format!("asked/{command}"), lines(&asked));
    }
}

struct Bench {
    bench: Workbench,
    _home: tempfile::TempDir,
}

impl Bench {
    async fn open(sample: &Sample, asked: &Asked) -> Self {
        sample.lay_again();
        sample.change(&asked.disk);
        let home = tempfile::tempdir().unwrap();
        let places = Places::below(Utf8PathBuf::try_from(home.path().to_owned()).unwrap(), Some(BUNDLED[0].into()));
        let folders =
            [BUNDLED, OWN].into_iter().filter(|[_, shown]| !asked.closed.iter().any(|closed| closed == shown));
        let folders = folders.map(|[path, _]| Utf8PathBuf::from(path)).collect();
        Self { bench: Workbench::open(places, folders, Freshness::ReadOnce, |_| {}).await, _home: home }
    }
}

async fn answer(bench: &Workbench, command: &str, asked: &mut Asked) {
    let args = serde_json::from_str(&here(&asked.args.to_string())).unwrap();
    let shown = |value: Value| serde_json::from_str(&there(&value.to_string())).unwrap();
    (asked.answer, asked.error) = match ask(bench, command, args).await {
        Ok(answer) => (Some(shown(some_rules(command, answer))), None),
        Err(error) => (None, Some(shown(serde_json::to_value(error).unwrap()))),
    };
}

/// The list of all rules is long, and pages treat all of them alike.
fn some_rules(command: &str, answer: Value) -> Value {
    match (command, answer) {
        ("rule_list" | "rule_set" | "rule_profile_set", Value::Array(rules)) => {
            let kept: Vec<Value> =
                rules.into_iter().filter(|rule| RULES.iter().any(|known| rule["id"] == *known)).collect();
            assert_eq!(kept.len(), RULES.len(), "a rule of the list is no longer there");
            Value::Array(kept)
        }
        (_, answer) => answer,
    }
}

/// A question with its answer a line, so that a difference shows which answers are others.
fn lines(asked: &[Asked]) -> String {
    let lines: Vec<String> = asked.iter().map(|one| serde_json::to_string(one).unwrap()).collect();
    format!("[\n{}\n]\n", lines.join(",\n"))
}
