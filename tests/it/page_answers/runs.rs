//! Runs of one scene under each harness that runs, with what the pages ask about their steps, and two runs that other tests
//! of the pages begin with.

use std::collections::BTreeMap;
use std::sync::mpsc;

use api::dto::{
    AlignArgs, AlignedRow, CheckRunArgs, ContinueArgs, DiffArgs, EagerLoad, ExportArgs, HarnessInfo, ImportArgs,
    NoArgs, PlayAgainArgs, RunArgs, RunCheck, RunDetail, RunExport, RunRequest, SearchArgs, StepArgs,
};
use api::{ApiError, Freshness, Places, Workbench};
use camino::Utf8PathBuf;
use harness::Group;
use serde::Serialize;
use serde_json::{Value, json};
use trace::diff::RunDiff;
use trace::export::{from_jsonl, to_jsonl};
use trace::review::Review;
use trace::store::Found;
use trace::{ContextAtStep, EventKind, RunId, RunStatus, Step};

use super::sample::{ANSWERS, BUNDLED, OWN, Sample, same_text, there};
use crate::examples::{Bench, request};
use crate::turns::says;

const PROMPT: &str = "How many pounds is 1 kilogram?";
const IN_CHINESE: &str = "把 5 英里换算成公里，并说明换算系数的来源。";
const FURTHER: &str = "And a stone?";
const STATE: &str = "/home/ada/.local/state/skill-workbench";
const BEGUN: i64 = 1_795_000_000_000;
/// What page tests look for in the three runs that the fake begins with.
const QUERIES: [&str; 4] = ["kind:tool conversion-table", "harness:claude-code", "kilogram", "kilogram stat:x"];
/// What the scene reads.
const TABLE: &str = "/opt/skill-workbench/skills/unit-converter/references/conversion-table.md";
/// A run of another program, with its own agents.
const DELEGATED: &str = include_str!("../../fixtures/foreign/claude-code.jsonl");

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Played {
    run: RunDetail,
    /// At each step; only for frameworks.
    contexts: Vec<ContextAtStep>,
    /// The steps that follow when the user says more.
    further: Vec<Step>,
    further_contexts: Vec<ContextAtStep>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Together {
    /// The frameworks whose runs `rows` has side by side.
    harnesses: Vec<String>,
    rows: Vec<AlignedRow>,
    chinese: RunDetail,
    delegated: RunDetail,
    delegated_contexts: Vec<ContextAtStep>,
    /// By the names of the two.
    diffs: BTreeMap<String, RunDiff>,
    /// Searches in these three runs: by query, the results or the error.
    searches: BTreeMap<&'static str, Answered<Found>>,
    /// What all skills of each would cost if they were loaded at once.
    eager: BTreeMap<&'static str, EagerLoad>,
    /// The results of each run's calls after a file was changed.
    checks: BTreeMap<&'static str, Answered<RunCheck>>,
    /// The plain one next to the run in which it was played again.
    played: RunCheck,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
enum Answered<T> {
    Found(T),
    Error(ApiError),
}

impl<T> From<Result<T, ApiError>> for Answered<T> {
    fn from(result: Result<T, ApiError>) -> Self {
        match result {
            Ok(found) => Self::Found(found),
            Err(error) => Self::Error(error),
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_runs_of_the_page_tests_are_up_to_date() {
    let sample = Sample::lay();
    let bench = open().await;
    let harnesses = bench.bench.harness_list(NoArgs {}).await.unwrap();
    let mut frameworks = Vec::new();
    let mut plain = None;
    for (number, of) in (1..).zip(harnesses.iter().filter(|of| of.runs)) {
        let (played, once) = played(&bench, of, number).await;
        if of.group == Group::Framework {
            frameworks.push((of.id.clone(), once.clone()));
        }
        plain.get_or_insert(once);
        same_run(&format!("runs/{}", of.id), by_parts(&played));
    }

    let other = open().await;
    let mut runs = Vec::new();
    for (_, text) in &frameworks {
        runs.push(other.bench.run_import(ImportArgs { text: text.clone() }).await.unwrap());
    }
    let rows = other.bench.run_align(AlignArgs { runs: runs.clone() }).await.unwrap().rows;
    let plain = plain.unwrap();
    let chinese = plain.replace(PROMPT, IN_CHINESE).replace(&runs[0].to_string(), &id(90));
    let texts = [plain, chinese.clone(), DELEGATED.to_owned()];
    let searches = searches(&texts).await;
    let chinese = other.bench.run_import(ImportArgs { text: chinese }).await.unwrap();
    let delegated = other.bench.run_import(ImportArgs { text: DELEGATED.to_owned() }).await.unwrap();
    let named = [("plain", runs[0]), ("chinese", chinese), ("delegated", delegated)];
    let mut diffs = BTreeMap::new();
    for (left, a) in named {
        for (right, b) in named.into_iter().filter(|(right, _)| *right != left) {
            let diff = other.bench.run_diff(DiffArgs { a, b }).await.unwrap();
            diffs.insert(format!("{left} {right}"), diff);
        }
    }
    let delegated_contexts = contexts(&other, delegated, 0).await;
    let mut eager = BTreeMap::new();
    for (name, run) in named {
        eager.insert(name, other.bench.run_eager(RunArgs { run }).await.unwrap());
    }
    let played = played_again(&other, runs[0]).await;
    let together = Together {
        harnesses: frameworks.into_iter().map(|(id, _)| id).collect(),
        rows,
        chinese: other.bench.run_get(RunArgs { run: chinese }).await.unwrap(),
        delegated: other.bench.run_get(RunArgs { run: delegated }).await.unwrap(),
        delegated_contexts,
        diffs,
        searches,
        eager,
        checks: checks(&sample, &texts).await,
        played,
    };
    same_run("runs/together", by_parts(&together));
}

async fn searches(runs: &[String; 3]) -> BTreeMap<&'static str, Answered<Found>> {
    let bench = open().await;
    for text in runs {
        bench.bench.run_import(ImportArgs { text: text.clone() }).await.unwrap();
    }
    let mut searches = BTreeMap::new();
    for query in QUERIES {
        let searched = loop {
            match bench.bench.run_search(SearchArgs { query: query.to_owned() }).await {
                // They are indexed first.
                Ok(found) if found.waiting > 0 => {}
                searched => break searched.into(),
            }
        };
        searches.insert(query, searched);
    }
    searches
}

/// As if it was played again as the run of a fixed id.
async fn played_again(bench: &Bench, run: RunId) -> RunCheck {
    let roots = Some(vec![BUNDLED[0].to_owned()]);
    let again = PlayAgainArgs { run, roots, sandbox: None, ask_all: false };
    let again = bench.bench.run_play_again(again).await.unwrap();
    let (again, status, steps) = bench.to_end(again).await;
    assert_eq!(status, RunStatus::Done, "{:?}", steps.last());
    let check = CheckRunArgs { run, roots: None, played: Some(again) };
    RunCheck { played: Some(id(91).parse().unwrap()), ..bench.bench.run_check(check).await.unwrap() }
}

/// With a sample whose table was changed.
async fn checks(sample: &Sample, runs: &[String; 3]) -> BTreeMap<&'static str, Answered<RunCheck>> {
    let table = "# Factors\n\n| from | to | factor |\n|---|---|---|\n| kilogram | pound | 2.2 |\n";
    sample.change(&BTreeMap::from([(TABLE.to_owned(), Some(table.to_owned()))]));
    let bench = open().await;
    let mut checks = BTreeMap::new();
    for (name, text) in ["plain", "chinese", "delegated"].into_iter().zip(runs) {
        let run = bench.bench.run_import(ImportArgs { text: text.clone() }).await.unwrap();
        let check = CheckRunArgs { run, roots: Some(vec![BUNDLED[0].to_owned()]), played: None };
        checks.insert(name, bench.bench.run_check(check).await.into());
    }
    checks
}

async fn open() -> Bench {
    let home = tempfile::tempdir().unwrap();
    let places = Places::below(Utf8PathBuf::try_from(home.path().to_owned()).unwrap(), Some(BUNDLED[0].into()));
    let (send, pushes) = mpsc::channel();
    let folders = vec![BUNDLED[0].into(), OWN[0].into()];
    let bench = Workbench::open(places, folders, Freshness::ReadOnce, move |push| {
        // The test may be over.
        let _ = send.send(push);
    });
    Bench { bench: bench.await, pushes, home }
}

/// The scene with everything allowed, and one more question; and the run without that as a file.
async fn played(bench: &Bench, of: &HarnessInfo, number: u32) -> (Played, String) {
    // Some frameworks start with no folder that holds a skill they cannot read.
    let roots = Some(vec![BUNDLED[0].to_owned()]);
    let request = RunRequest { harness: of.id.clone(), roots, ..request("rehearsal", PROMPT) };
    let (run, status, steps) = bench.play(request).await;
    assert_eq!(status, RunStatus::Done, "{}: {:?}", of.id, steps.last());
    let once = fixed(bench, run, number).await;
    let further = ContinueArgs { roots: Some(vec![BUNDLED[0].to_owned()]), ..says(run, FURTHER) };
    let goes_on = bench.bench.run_continue(further).await.unwrap();
    let (_, status, steps) = bench.to_end(goes_on).await;
    assert_eq!((goes_on, status), (run, RunStatus::Done), "{}: {:?}", of.id, steps.last());
    let twice = fixed(bench, run, number).await;

    let (first, second) = (open().await, open().await);
    let run = first.bench.run_import(ImportArgs { text: once.clone() }).await.unwrap();
    assert_eq!(second.bench.run_import(ImportArgs { text: twice }).await.unwrap(), run);
    let detail = first.bench.run_get(RunArgs { run }).await.unwrap();
    let mut further = second.bench.run_get(RunArgs { run }).await.unwrap().steps;
    let kept = detail.steps.len();
    assert_eq!(further[..kept], detail.steps[..kept], "{}", of.id);
    further.drain(..kept);
    let is_framework = of.group == Group::Framework;
    let played = Played {
        contexts: if is_framework { contexts(&first, run, 0).await } else { Vec::new() },
        further_contexts: if is_framework { contexts(&second, run, kept).await } else { Vec::new() },
        run: detail,
        further,
    };
    (played, once)
}

async fn contexts(bench: &Bench, run: RunId, from: usize) -> Vec<ContextAtStep> {
    let steps = bench.bench.run_get(RunArgs { run }).await.unwrap().steps;
    let mut contexts = Vec::new();
    for step in &steps[from..] {
        contexts.push(bench.bench.step_context(StepArgs { run, step: step.index }).await.unwrap());
    }
    contexts
}

/// The run as a file that is the same at any time and on any machine.
async fn fixed(bench: &Bench, run: RunId, number: u32) -> String {
    let text = bench.bench.run_export(ExportArgs { run, format: RunExport::Jsonl }).await.unwrap();
    let home = bench.bench.run_get(RunArgs { run }).await.unwrap().summary.setup.working_directory;
    let state = home.parent().and_then(|runs| runs.parent()).unwrap();
    let text = text.replace(state.as_str(), STATE).replace(&run.to_string(), &id(number));
    let (run, mut events) = from_jsonl(&text).unwrap();
    // How an answer is cut into pieces depends on the clock.
    events.dedup_by(|next, kept| match (&next.kind, &mut kept.kind) {
        (EventKind::Streamed { text: more, .. }, EventKind::Streamed { text, .. }) => {
            text.push_str(more);
            true
        }
        _ => false,
    });
    let mut at = BEGUN;
    for (seq, event) in (0..).zip(&mut events) {
        (event.seq, event.at) = (seq, at);
        at += if matches!(event.kind, EventKind::Requested { .. }) { 640 } else { 18 };
        if let EventKind::Performed { output: Some(output), .. } = &mut event.kind {
            output.took = 18;
        }
    }
    let text = to_jsonl(run, &events, &Review::default());
    let lines = text.lines().map(|line| {
        let mut event: Value = serde_json::from_str(line).unwrap();
        on_one_machine(&mut event);
        event.to_string() + "\n"
    });
    lines.collect()
}

/// The working folder of a run has another name each time, so its texts have other token counts; the committed file
/// stays if only these differ.
fn same_run(name: &str, text: String) {
    let kept = std::fs::read_to_string(format!("{ANSWERS}/{name}.json")).unwrap_or_default();
    if uncounted(&kept).is_none_or(|kept| Some(kept) != uncounted(&there(&text))) {
        same_text(name, text);
    }
}

/// Without what depends on the name of a folder.
fn uncounted(text: &str) -> Option<Value> {
    const COUNTED: [&str; 6] = ["tokens", "contextTokens", "addedTokens", "catalogueTokens", "input", "digest"];
    fn clear(value: &mut Value) {
        match value {
            Value::Object(fields) => {
                fields.retain(|name, _| !COUNTED.contains(&name.as_str()));
                fields.values_mut().for_each(clear);
            }
            Value::Array(items) => items.iter_mut().for_each(clear),
            _ => {}
        }
    }
    let mut value = serde_json::from_str(text).ok()?;
    clear(&mut value);
    Some(value)
}

/// The sandbox of scripts depends on the machine.
fn on_one_machine(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                if name == "enforcement" && !field.is_null() {
                    *field = json!({
                        "layer": "bubblewrap",
                        "inForce": ["files", "temporary", "network", "processes", "systemCalls", "environment", "time", "memory", "output"],
                        "missing": [],
                        "reason": null,
                        "interpreter": "/usr/bin/python3",
                    });
                } else {
                    on_one_machine(field);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(on_one_machine),
        _ => {}
    }
}

fn id(number: u32) -> String {
    format!("0193a1b2-0000-7000-8000-{number:012}")
}

/// One part per line, so that a difference shows which part changed.
fn by_parts(value: &impl Serialize) -> String {
    let Value::Object(parts) = serde_json::to_value(value).unwrap() else { panic!("it has parts") };
    let parts = parts.into_iter().map(|(name, part)| match part {
        Value::Array(items) if !items.is_empty() => {
            let items: Vec<String> = items.iter().map(Value::to_string).collect();
            format!("\"{name}\": [\n{}\n]", items.join(",\n"))
        }
        part => format!("\"{name}\": {part}"),
    });
    format!("{{\n{}\n}}\n", parts.collect::<Vec<_>>().join(",\n"))
}
