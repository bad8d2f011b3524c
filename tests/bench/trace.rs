//! How long a user waits when walking through a long run: to open it, for the next step, for any other step; how fast
//! events are recorded, by one run, by many at once, and while runs are indexed; how long it takes to list and to
//! search many runs, to import a large file, to stop that, and to compare two runs; and how much memory it all needs.
//! The runs are generated, the same ones each time. Prints tables; `docs/benchmarks.md` keeps results. Words after the
//! command choose parts: `runs`, `million`, `record`, `at-once`, `import`, `pair`, `lists`; numbers are lengths of
//! runs.
#![expect(clippy::unwrap_used, reason = "a benchmark that cannot go on may panic")]

use std::io::{BufWriter, Write};
use std::sync::atomic::{AtomicI64, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use api::dto::{DiffArgs, ImportFileArgs, ImportStopArgs, NoArgs, PageArgs, Push, ReplayArgs, SearchArgs, StepArgs};
use api::{Freshness, Places, Workbench};
use camino::Utf8PathBuf;
use harness::{Disclosure, Origin};
use model::{FinishReason, Message, Part, Role, ToolCall, ToolResult, Usage, tokens};
use serde_json::{Value, json};
use skill::source::Span;
use trace::clock::Clock;
use trace::query::Query;
use trace::recorder::Recorder;
use trace::review::Review;
use trace::store::Store;
use trace::{Event, EventKind, MessageOrigin, OriginMark, RunId, RunSetup, RunStatus};

/// Steps and jumps of each kind that are measured.
const TIMES: u32 = 200;
/// Times that a run is opened.
const OPENED: usize = 3;
/// Events that are recorded as a run records them.
const RECORDED_ALONE: usize = 4_000;
/// Runs that are recorded at the same time, of so many events each.
const AT_ONCE: usize = 50;
const EVENTS_OF_ONE: usize = 500;
/// Events of a commit if many come at once, as from a run that a fork copies.
const TOGETHER: usize = 256;
/// Making the contents of a replay page takes a while.
const REPLAYED: usize = 10_000;
/// Runs that are listed and searched, of about so many events each.
const LISTED: [usize; 2] = [1_000, 10_000];
const EVENTS_EACH: usize = 24;
/// Times that each query is asked.
const ASKED: usize = 20;
/// A word that every run has, one that few have, one in Chinese, one that is too short for the index, and filters.
const QUERIES: [&str; 6] = [
    "reads",
    "\"42 script 路径/42 units\"",
    "换算公斤",
    "42",
    "kind:tool status:error",
    "harness:eino since:2020-01-01",
];

/// The gates that issue 17 sets.
const OPEN: f64 = 1000.0;
const STEP_P99: f64 = 50.0;
const RATIO: f64 = 1.5;
const APPENDED: f64 = 20_000.0;
const SEARCH: f64 = 200.0;
/// MiB of the process that reads a run.
const RESIDENT: f64 = 250.0;
/// A longer run may take longer until the outline of all its steps is there, and more memory for each step.
const LONGEST_AT_ONCE: usize = 200_000;
const MILLION_WHOLE: f64 = 6_000.0;
const MILLION_RESIDENT: f64 = 1_024.0;
/// Seconds for a file of 100 MB, and milliseconds until an import that is stopped is over.
const IMPORTED: f64 = 8.0;
const STOPPED: f64 = 500.0;
const PAIRED: f64 = 1000.0;
/// For a step whose reply has 1 MiB.
const LARGE: f64 = 100.0;

/// A measurement and its limit.
struct Gate {
    what: &'static str,
    found: f64,
    gate: f64,
    at_most: bool,
}

#[tokio::main]
async fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [part, home, run] = &arguments[..]
        && part == WALKED
    {
        return walked(home, run.parse().unwrap()).await;
    }
    let sizes: Vec<usize> = arguments.iter().filter_map(|argument| argument.parse().ok()).collect();
    let parts: Vec<&str> = arguments.iter().map(String::as_str).filter(|part| PARTS.contains(part)).collect();
    let wants = |part: &str| parts.is_empty() || parts.contains(&part);
    let mut gates = Vec::new();
    let mut at_most = |what, found, gate| gates.push(Gate { what, found, gate, at_most: true });
    if wants("import") {
        let Import { seconds, bytes, events, said, peak, stopped } = imported().await;
        println!(
            "| imported MB | events | s | progress said | peak MiB more | stopped ms |\n|---|---|---|---|---|---|"
        );
        println!("| {:.0} | {events} | {seconds:.2} | {said} | {peak} | {stopped:.0} |\n", bytes as f64 / 1e6);
        at_most("import of 100 MB, s", seconds, IMPORTED);
        at_most("import of 100 MB, MiB more", peak as f64, RESIDENT);
        at_most("import stopped, ms", stopped, STOPPED);
    }
    if wants("pair") {
        let (steps, ms) = paired().await;
        println!("Two runs of {steps} steps are compared in {ms:.0} ms, and differ first where they should.\n");
        at_most("comparison of two runs, ms", ms, PAIRED);
    }
    if wants("runs") {
        runs(if sizes.is_empty() { vec![1_000, 10_000, 100_000] } else { sizes }, &mut gates).await;
    }
    // Takes minutes, so it is asked for by name.
    if parts.contains(&"million") {
        runs(vec![1_000, 1_000_000], &mut gates).await;
    }
    // A part of `runs`, for comparing two builds.
    if parts.contains(&"record") {
        let Recorded { rate, each } = recorded_alone().await;
        println!("One run, which waits after {each:.1} events: {rate:.0} events a second in the best of {OPENED}.\n");
        let what = "events recorded a second, as the engine records";
        gates.push(Gate { what, found: rate, gate: APPENDED, at_most: false });
    }
    if wants("at-once") {
        let at_once = record_at_once().await;
        println!(
            "{AT_ONCE} runs at once, each of which waits after {:.1} events: {:.0} events a second.\n",
            at_once.each, at_once.rate
        );
        let what = "events recorded a second by many runs at once";
        gates.push(Gate { what, found: at_once.rate, gate: APPENDED, at_most: false });
    }
    if wants("lists") {
        lists().await;
    }
    println!();
    for Gate { what, found, gate, at_most } in gates {
        let holds = if at_most { found <= gate } else { found >= gate };
        println!("{} {what}: {found:.1}, gate {gate}", if holds { "holds " } else { "MISSED" });
    }
}

const PARTS: [&str; 7] = ["runs", "million", "record", "at-once", "import", "pair", "lists"];

async fn runs(sizes: Vec<usize>, gates: &mut Vec<Gate>) {
    let mut rows = Vec::new();
    for size in sizes {
        rows.push(measured(size).await);
    }
    println!(
        "| events | steps | MB | open ms | outline ms | outline MB | next p50 ms | next p99 ms | jump p50 ms | jump p99 ms | 1 MiB ms | resident MiB | peak MiB |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|---|");
    for Row { events, steps, bytes, open, whole, outline, next, jump, large, memory, .. } in &rows {
        println!(
            "| {events} | {steps} | {:.0} | {open:.1} | {whole:.0} | {:.1} | {:.2} | {:.2} | {:.2} | {:.2} | {large:.1} | {} | {} |",
            *bytes as f64 / 1e6,
            *outline as f64 / 1e6,
            next.p50,
            next.p99,
            jump.p50,
            jump.p99,
            memory.resident,
            memory.peak,
        );
    }
    println!(
        "\n| events | recorded a second, as the engine writes | {TOGETHER} in a write | the same while runs are indexed |"
    );
    println!("|---|---|---|---|");
    for Row { events, alone, together, indexing, .. } in &rows {
        println!("| {events} | {:.0} | {together:.0} | {indexing:.0} |", alone.rate);
    }
    if let Some(Row { alone, .. }) = rows.last() {
        println!("\nThe engine waits after {:.1} events until they are kept.", alone.each);
    }
    println!("\n| events | indexed s | found ms | replay page s | MB |");
    println!("|---|---|---|---|---|");
    for Row { events, indexed, found, replay, .. } in &rows {
        let (seconds, size) = replay.map_or_else(
            || ("–".to_owned(), "–".to_owned()),
            |(seconds, bytes)| (format!("{seconds:.2}"), format!("{:.1}", bytes as f64 / 1e6)),
        );
        println!("| {events} | {indexed:.2} | {found:.1} | {seconds} | {size} |");
    }
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else { return };
    let ratio = last.jump.p50 / first.jump.p50;
    println!("\nA jump among {} events takes {ratio:.2} times as long as among {}.\n", last.events, first.events);
    let mut gate = |what, found, gate, at_most| gates.push(Gate { what, found, gate, at_most });
    let is_million = last.events > LONGEST_AT_ONCE;
    gate("open, ms", last.open, OPEN, true);
    gate("and the outline of all steps, ms", last.whole, if is_million { MILLION_WHOLE } else { OPEN }, true);
    gate("next step p99, ms", last.next.p99, STEP_P99, true);
    gate("jump, ratio", ratio, RATIO, true);
    gate("step with 1 MiB, ms", last.large, LARGE, true);
    let memory = if is_million { MILLION_RESIDENT } else { RESIDENT };
    gate("memory of who walks it, MiB", last.memory.resident as f64, memory, true);
    gate("events recorded a second, as the engine records", last.alone.rate, APPENDED, false);
    gate("events recorded a second, many in a write", last.together, APPENDED, false);
    gate("events recorded a second, many in a write, while runs are indexed", last.indexing, APPENDED, false);
    gate("search, ms", last.found, SEARCH, true);
}

async fn lists() {
    println!("| runs | store MB | listed ms | listed MB | of one framework ms | indexed s |");
    println!("|---|---|---|---|---|---|");
    let mut lists = Vec::new();
    for count in LISTED {
        let list = listed(count).await;
        let Listed { bytes, list: ms, answer, filtered, indexed, .. } = &list;
        let (bytes, answer) = (*bytes as f64 / 1e6, *answer as f64 / 1e6);
        println!("| {count} | {bytes:.0} | {ms:.1} | {answer:.1} | {filtered:.1} | {indexed:.1} |");
        lists.push((count, list));
    }
    println!("\n| runs | query | p50 ms | most ms |");
    println!("|---|---|---|---|");
    for (count, Listed { queries, .. }) in &lists {
        for (query, Times { p50, p99 }) in queries {
            println!("| {count} | `{query}` | {p50:.1} | {p99:.1} |");
        }
    }
}

/// The argument that makes a separate process walk a run.
const WALKED: &str = "walked";

#[derive(Clone, Copy)]
struct Memory {
    /// MiB, at the end and at most.
    resident: u64,
    peak: u64,
}

/// Fetches the columns of all steps, as the window does for a long run. Returns steps, and bytes as sent to the window.
async fn all_columns(bench: &Workbench, run: RunId) -> (u32, usize) {
    let (mut from, mut bytes) = (0, 0);
    loop {
        let most = if from == 0 { 4_000 } else { 50_000 };
        let columns = bench.run_columns(PageArgs { run, from, most }).await.unwrap();
        bytes += serde_json::to_string(&columns).unwrap().len();
        let count = u32::try_from(columns.marks.len()).unwrap();
        from += count;
        if count < most {
            return (from, bytes);
        }
    }
}

/// Opens a run as the window does, makes 1,000 steps, and says how much memory that took.
async fn walked(home: &str, run: RunId) {
    let bench = open(&Places::below(Utf8PathBuf::from(home), None)).await;
    let (from, _) = all_columns(&bench, run).await;
    let mut number = Numbers(9);
    for _ in 0..1_000 {
        let step = number.below(from);
        bench.run_step(StepArgs { run, step }).await.unwrap();
        bench.step_context(StepArgs { run, step }).await.unwrap();
    }
    println!("{} {}", resident(), peak());
}

fn walk_apart(home: &std::path::Path, run: RunId) -> Memory {
    let this = std::env::current_exe().unwrap();
    let output = std::process::Command::new(this).arg(WALKED).arg(home).arg(run.to_string()).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let mut numbers = text.split_whitespace().map(|number| number.parse().unwrap());
    Memory { resident: numbers.next().unwrap(), peak: numbers.next().unwrap() }
}

struct Import {
    seconds: f64,
    bytes: u64,
    events: usize,
    /// How often it said how far it is.
    said: u32,
    /// MiB that it needed more than before.
    peak: u64,
    /// Milliseconds.
    stopped: f64,
}

/// Bytes of the file.
const LARGE_FILE: usize = 100_000_000;

/// A session of Claude Code of 100 MB, imported whole, and again into another store and stopped halfway.
async fn imported() -> Import {
    let home = tempfile::tempdir().unwrap();
    let path = Utf8PathBuf::try_from(home.path().join("session.jsonl")).unwrap();
    write_session(&path, LARGE_FILE);
    let bytes = std::fs::metadata(&path).unwrap().len();
    let said = Arc::new(AtomicU32::new(0));
    let places = Places::below(Utf8PathBuf::try_from(home.path().join("one")).unwrap(), None);
    let counted = said.clone();
    let bench = Workbench::open(places.clone(), Vec::new(), Freshness::ReadOnce, move |push| {
        counted.fetch_add(u32::from(matches!(push, Push::ImportProgress(_))), Ordering::Relaxed);
    });
    let bench = bench.await;
    bench.run_list(NoArgs {}).await.unwrap();
    // From here on the peak is counted again.
    std::fs::write("/proc/self/clear_refs", "5").unwrap();
    let before = resident();
    let args = |import: &str| ImportFileArgs { path: path.clone().into_string(), from: None, import: import.into() };
    let start = Instant::now();
    let imported = bench.run_import_file(args("one")).await.unwrap();
    let seconds = start.elapsed().as_secs_f64();
    let peak = peak().saturating_sub(before);
    let run = imported.first().unwrap();
    let store = Store::open(&places.traces(), Clock::system()).unwrap();
    let events = store.outline(run).await.unwrap().len();

    let places = Places::below(Utf8PathBuf::try_from(home.path().join("other")).unwrap(), None);
    let (halfway, mut is_halfway) = tokio::sync::mpsc::unbounded_channel();
    let bench = Workbench::open(places, Vec::new(), Freshness::ReadOnce, move |push| {
        if let Push::ImportProgress(progress) = push
            && progress.read > progress.size / 2
        {
            // After the first one there is no receiver.
            let _ = halfway.send(());
        }
    });
    let bench = bench.await;
    let began = Arc::new(Mutex::new(Instant::now()));
    let stopping = async {
        is_halfway.recv().await.unwrap();
        *began.lock().unwrap() = Instant::now();
        bench.run_import_stop(ImportStopArgs { import: "other".into() }).await.unwrap();
    };
    let (stopped, ()) = tokio::join!(bench.run_import_file(args("other")), stopping);
    assert!(stopped.unwrap().stopped);
    let stopped = milliseconds(began.lock().unwrap().elapsed());
    assert_eq!(bench.run_list(NoArgs {}).await.unwrap().runs.len(), 1, "the one that ships with the program");
    Import { seconds, bytes, events, said: said.load(Ordering::Relaxed), peak, stopped }
}

fn write_session(path: &camino::Utf8Path, size: usize) {
    let mut file = BufWriter::new(std::fs::File::create(path).unwrap());
    let mut words = MadeUp::new(5);
    let (mut written, mut number) = (0, 0);
    while written < size {
        let line = |of: &str, message: Value| {
            json!({
                "type": of, "uuid": format!("u{number}"), "parentUuid": (number > 0).then(|| format!("u{}", number - 1)),
                "sessionId": "5b1e9a60-0000-4000-8000-000000000001", "cwd": "/work", "version": "2.1.200",
                "timestamp": "2026-01-01T00:00:00.000Z", "isSidechain": false, "message": message,
            })
        };
        let line = match number % 4 {
            0 => line("user", json!({ "role": "user", "content": words.text(200) })),
            1 => line(
                "assistant",
                json!({ "id": format!("m{number}"), "role": "assistant", "model": "made-up", "content": [
                    { "type": "text", "text": words.text(300) },
                    { "type": "tool_use", "id": format!("t{number}"), "name": "Bash", "input": { "command": words.text(60) } },
                ], "usage": { "input_tokens": 900, "output_tokens": 40 } }),
            ),
            2 => line(
                "user",
                json!({ "role": "user", "content": [
                    { "type": "tool_result", "tool_use_id": format!("t{}", number - 1), "content": words.text(2_000) },
                ] }),
            ),
            _ => line(
                "assistant",
                json!({ "id": format!("m{number}"), "role": "assistant", "model": "made-up",
                    "content": [{ "type": "text", "text": words.text(600) }],
                    "usage": { "input_tokens": 1_200, "output_tokens": 90 } }),
            ),
        };
        let line = line.to_string();
        written += line.len() + 1;
        number += 1;
        writeln!(file, "{line}").unwrap();
    }
    file.flush().unwrap();
}

/// Events of each of two runs that are compared: some 5,000 steps.
const PAIR: usize = 11_000;

/// Two runs that are the same up to a reply in the middle, after which one has another text. Steps of each, and milliseconds.
async fn paired() -> (usize, f64) {
    let home = tempfile::tempdir().unwrap();
    let places = Places::below(Utf8PathBuf::try_from(home.path().to_owned()).unwrap(), None);
    let store = Store::open(&places.traces(), Clock::system()).unwrap();
    let events = made_up_from(11, PAIR);
    let mut other = events.clone();
    let planted = other.iter().skip(PAIR / 2).position(|event| matches!(event.kind, EventKind::Replied { .. }));
    let planted = PAIR / 2 + planted.unwrap();
    let EventKind::Replied { call_id, text, .. } = &mut other[planted].kind else { return (0, 0.0) };
    text.push_str(" and something else");
    let call = call_id.clone();
    let [a, b] = [RunId(uuid(1)), RunId(uuid(2))];
    store.import(a, events, Review::default(), false).await.unwrap();
    store.import(b, other, Review::default(), false).await.unwrap();
    drop(store);
    let bench = open(&places).await;
    bench.run_list(NoArgs {}).await.unwrap();
    let start = Instant::now();
    let diff = bench.run_diff(DiffArgs { a, b }).await.unwrap();
    let ms = milliseconds(start.elapsed());
    let first = diff.first_divergence.unwrap();
    let step = bench.run_step(StepArgs { run: b, step: first }).await.unwrap();
    assert!(matches!(&step.kind, trace::StepKind::Tool { call: made, .. } if made.id == call), "{step:?}");
    (diff.pairs.len(), ms)
}

struct Row {
    events: usize,
    steps: u32,
    /// Of the file that is the store.
    bytes: u64,
    open: f64,
    /// Milliseconds until the outline of all steps is there, and its bytes as it crosses to the window.
    whole: f64,
    outline: usize,
    next: Times,
    jump: Times,
    /// Milliseconds for a step whose reply has 1 MiB, and its context.
    large: f64,
    memory: Memory,
    alone: Recorded,
    together: f64,
    /// Events a second while the run is indexed.
    indexing: f64,
    /// Seconds until the run is indexed, with nothing else to do.
    indexed: f64,
    /// Milliseconds.
    found: f64,
    replay: Option<(f64, usize)>,
}

#[derive(Clone, Copy)]
struct Recorded {
    /// Events a second.
    rate: f64,
    /// Events after which it waits.
    each: f64,
}

struct Times {
    p50: f64,
    p99: f64,
}

impl Times {
    fn of(mut times: Vec<Duration>) -> Self {
        times.sort();
        let at = |part: usize| milliseconds(times[(times.len() * part / 100).min(times.len() - 1)]);
        Self { p50: at(50), p99: at(99) }
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

async fn measured(size: usize) -> Row {
    let home = tempfile::tempdir().unwrap();
    let places = Places::below(Utf8PathBuf::try_from(home.path().to_owned()).unwrap(), None);
    let run = RunId(uuid(size));
    let (events, alone, together) = record(&places, run, size).await;
    let bytes = std::fs::metadata(places.traces()).unwrap().len();

    let indexed = until_indexed(&places).await;
    let found = {
        let bench = open(&places).await;
        asked(&bench, QUERIES[0]).await.p50
    };
    let indexing = record_while_indexing(&places, size.min(RECORDED)).await;

    let mut opened = Vec::new();
    for _ in 0..OPENED {
        let bench = open(&places).await;
        bench.run_list(api::dto::NoArgs {}).await.unwrap();
        let start = Instant::now();
        bench.run_page(PageArgs { run, from: 0, most: 200 }).await.unwrap();
        bench.step_context(StepArgs { run, step: 0 }).await.unwrap();
        opened.push(start.elapsed());
    }
    opened.sort();
    let bench = open(&places).await;
    let start = Instant::now();
    bench.run_page(PageArgs { run, from: 0, most: 200 }).await.unwrap();
    let (steps, outline) = all_columns(&bench, run).await;
    let whole = milliseconds(start.elapsed());
    let middle = steps.saturating_sub(TIMES) / 2;
    let next = walk(&bench, run, (middle..steps).take(TIMES as usize)).await;
    let mut number = Numbers(7);
    let jump = walk(&bench, run, (0..TIMES).map(|_| number.below(steps))).await;
    let large = {
        let held = made_up_large(&places).await;
        let start = Instant::now();
        bench.run_step(held.clone()).await.unwrap();
        bench.step_context(held).await.unwrap();
        milliseconds(start.elapsed())
    };
    let memory = walk_apart(home.path(), run);
    let replay = match size > REPLAYED {
        true => None,
        false => {
            let start = Instant::now();
            let page = bench.replay(ReplayArgs { run, chinese: false, redact: Vec::new() }).await.ok();
            page.map(|page| (start.elapsed().as_secs_f64(), page.len()))
        }
    };
    Row {
        events,
        steps,
        bytes,
        open: milliseconds(opened[opened.len() / 2]),
        whole,
        outline,
        next,
        jump,
        large,
        memory,
        alone,
        together,
        indexing,
        indexed,
        found,
        replay,
    }
}

/// Seconds until all runs are indexed.
async fn until_indexed(places: &Places) -> f64 {
    let bench = open(places).await;
    let start = Instant::now();
    while bench.run_search(SearchArgs { query: QUERIES[0].into() }).await.unwrap().waiting > 0 {}
    start.elapsed().as_secs_f64()
}

async fn asked(bench: &Workbench, query: &str) -> Times {
    let mut times = Vec::new();
    for _ in 0..ASKED {
        let start = Instant::now();
        bench.run_search(SearchArgs { query: query.into() }).await.unwrap();
        times.push(start.elapsed());
    }
    Times::of(times)
}

/// Events a second of another run, while a search indexes an endless run.
async fn record_while_indexing(places: &Places, size: usize) -> f64 {
    let store = Store::open(&places.traces(), Clock::system()).unwrap();
    let events = made_up_from(42, size);
    let shared: Vec<Arc<Event>> = events.iter().cloned().map(Arc::new).collect();
    // One that has ended and is not indexed yet.
    store.import(RunId(uuid(1)), events, Review::default(), false).await.unwrap();
    let searching = Store::open(&places.traces(), Clock::system()).unwrap();
    let query = Query::parse(QUERIES[0], 0).unwrap();
    let search =
        tokio::spawn(async move { while searching.search(query.clone(), PIECE).await.unwrap().waiting > 0 {} });
    let start = Instant::now();
    for events in shared.chunks(TOGETHER) {
        store.append(RunId(uuid(2)), events.into()).await.unwrap();
    }
    let rate = shared.len() as f64 / start.elapsed().as_secs_f64();
    search.await.unwrap();
    rate
}

/// Events that are recorded while others are indexed.
const RECORDED: usize = 20_000;
/// As the window indexes before an answer.
const PIECE: Duration = Duration::from_millis(150);

struct Listed {
    bytes: u64,
    /// Milliseconds.
    list: f64,
    /// Bytes of the list as it crosses to the window.
    answer: usize,
    filtered: f64,
    /// Seconds.
    indexed: f64,
    queries: Vec<(&'static str, Times)>,
}

/// So many short runs.
async fn listed(count: usize) -> Listed {
    let home = tempfile::tempdir().unwrap();
    let places = Places::below(Utf8PathBuf::try_from(home.path().to_owned()).unwrap(), None);
    let store = Store::open(&places.traces(), Clock::system()).unwrap();
    for number in 0..count {
        let mut events = made_up_from(number as u64 + 1, EVENTS_EACH);
        events.iter_mut().for_each(|event| event.at += 60_000 * number as i64);
        store.import(RunId(uuid(number + 10)), events, Review::default(), false).await.unwrap();
    }
    drop(store);
    let bench = open(&places).await;
    let list = median_of(async || drop(bench.run_list(NoArgs {}).await.unwrap())).await;
    let answer = serde_json::to_string(&bench.run_list(NoArgs {}).await.unwrap()).unwrap().len();
    let filtered = asked(&bench, "harness:agent-framework").await.p50;
    let indexed = until_indexed(&places).await;
    let mut queries = Vec::new();
    for query in QUERIES {
        queries.push((query, asked(&bench, query).await));
    }
    Listed { bytes: std::fs::metadata(places.traces()).unwrap().len(), list, answer, filtered, indexed, queries }
}

async fn median_of(ask: impl AsyncFn()) -> f64 {
    let mut times = Vec::new();
    for _ in 0..OPENED {
        let start = Instant::now();
        ask().await;
        times.push(start.elapsed());
    }
    Times::of(times).p50
}

async fn open(places: &Places) -> Workbench {
    Workbench::open(places.clone(), Vec::new(), Freshness::ReadOnce, |_| {}).await
}

async fn walk(bench: &Workbench, run: RunId, steps: impl Iterator<Item = u32>) -> Times {
    let mut times = Vec::new();
    for step in steps {
        let start = Instant::now();
        bench.step_context(StepArgs { run, step }).await.unwrap();
        times.push(start.elapsed());
    }
    Times::of(times)
}

/// Records a run: first as the engine does, then many events in a write. Each write is kept when the next one begins.
/// Returns how many events it has, and how many were recorded a second. Time for generating events does not count.
async fn record(places: &Places, run: RunId, size: usize) -> (usize, Recorded, f64) {
    let store = Store::open(&places.traces(), Clock::system()).unwrap();
    let mut made_up = MadeUp::new(42);
    let mut some: Vec<Arc<Event>> = made_up.some(size).unwrap().into_iter().map(Arc::new).collect();
    let rest = some.split_off(RECORDED_ALONE.min(some.len() / 2));
    let alone = recorded(&store, run, &some).await;
    let (mut count, mut together, mut took) = (some.len(), 0, Duration::ZERO);
    let mut next = Some(rest);
    while let Some(events) = next {
        let start = Instant::now();
        for events in events.chunks(TOGETHER) {
            store.append(run, events.into()).await.unwrap();
        }
        took += start.elapsed();
        together += events.len();
        next = made_up.some(size).map(|events| events.into_iter().map(Arc::new).collect());
    }
    count += together;
    (count, alone, together as f64 / took.as_secs_f64())
}

/// The fastest of some runs, each in a separate store.
async fn recorded_alone() -> Recorded {
    let events: Vec<Arc<Event>> = made_up_from(42, RECORDED_ALONE).into_iter().map(Arc::new).collect();
    let mut best = Recorded { rate: 0.0, each: 0.0 };
    for _ in 0..OPENED {
        let home = tempfile::tempdir().unwrap();
        let places = Places::below(Utf8PathBuf::try_from(home.path().to_owned()).unwrap(), None);
        let store = Store::open(&places.traces(), Clock::system()).unwrap();
        let made = recorded(&store, RunId(uuid(1)), &events).await;
        if made.rate > best.rate {
            best = made;
        }
    }
    best
}

/// Events of runs that are all recorded at the same time, as the engine does it.
async fn record_at_once() -> Recorded {
    let home = tempfile::tempdir().unwrap();
    let places = Places::below(Utf8PathBuf::try_from(home.path().to_owned()).unwrap(), None);
    let store = Store::open(&places.traces(), Clock::system()).unwrap();
    let runs: Vec<Vec<Arc<Event>>> = (0..AT_ONCE)
        .map(|number| made_up_from(number as u64 + 1, EVENTS_OF_ONE).into_iter().map(Arc::new).collect())
        .collect();
    let events: usize = runs.iter().map(Vec::len).sum();
    let start = Instant::now();
    let tasks: Vec<_> = (1_000..)
        .zip(runs)
        .map(|(number, events)| {
            let store = store.clone();
            tokio::spawn(async move { recorded(&store, RunId(uuid(number)), &events).await.each })
        })
        .collect();
    let mut each = 0.0;
    for task in tasks {
        each += task.await.unwrap() / AT_ONCE as f64;
    }
    Recorded { rate: events as f64 / start.elapsed().as_secs_f64(), each }
}

/// Records events as the engine does: it waits until a request is kept, and the end. It starts to write events that may
/// be kept later; events that come during a write go with the next one.
async fn recorded(store: &Store, run: RunId, events: &[Arc<Event>]) -> Recorded {
    let now = Arc::new(AtomicI64::new(0));
    let clock = Clock::from_fn({
        let now = now.clone();
        move || now.load(Ordering::Relaxed)
    });
    let made: Vec<(i64, EventKind)> = events.iter().map(|event| (event.at, event.kind.clone())).collect();
    let mut recorder = Recorder::new(run, clock, Some(store.clone()), |_| {});
    let (start, mut waits) = (Instant::now(), 0_usize);
    for (at, kind) in made {
        now.store(at, Ordering::Relaxed);
        let is_waited_for = matches!(kind, EventKind::Requested { .. } | EventKind::Ended { .. });
        let is_streamed = matches!(kind, EventKind::Streamed { .. });
        let is_call = matches!(kind, EventKind::Called { .. });
        recorder.note(kind);
        if is_waited_for {
            recorder.flush().await.unwrap();
            waits += 1;
        } else if is_streamed {
            recorder.flush_late().await;
        } else if is_call {
            // A skill is loaded, or a file of one is read.
            recorder.while_writing(async {}).await;
        }
    }
    recorder.flush().await.unwrap();
    let count = events.len() as f64;
    Recorded { rate: count / start.elapsed().as_secs_f64(), each: count / (waits + 1) as f64 }
}

/// A short run with a reply of 1 MiB, and its step.
async fn made_up_large(places: &Places) -> StepArgs {
    let store = Store::open(&places.traces(), Clock::system()).unwrap();
    let mut events = made_up_from(3, 40);
    let mut run = MadeUp::new(4);
    let mut step = 0;
    for event in &mut events {
        if let EventKind::Replied { text, .. } = &mut event.kind {
            *text = run.text(LONG);
            break;
        }
        step += u32::from(matches!(event.kind, EventKind::Started { .. } | EventKind::Requested { .. }));
    }
    let run = RunId(uuid(3));
    store.import(run, events, Review::default(), false).await.unwrap();
    StepArgs { run, step }
}

/// MiB, at most since the process began or the count was begun again.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or_default() / 1024
}

/// MiB, of pages of 4 KiB.
fn resident() -> u64 {
    let pages = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    pages.split_whitespace().nth(1).and_then(|pages| pages.parse::<u64>().ok()).unwrap_or_default() / 256
}

fn uuid(size: usize) -> uuid::Uuid {
    uuid::Uuid::from_u128(0x0193_4f00_0000_7000_8000_0000_0000_0000 + size as u128)
}

/// Numbers without a pattern, the same ones each time.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: u32) -> u32 {
        u32::try_from(self.next() % u64::from(limit.max(1))).unwrap()
    }
}

/// Events of one turn of the user.
const TURN: usize = 500;
/// Events that are made up at a time: all of a long run would not fit.
const PIECE_OF_RUN: usize = 20_000;
/// Messages of a request after which the framework sums up.
const MESSAGES: usize = 48;
/// Among so many events one reply is this long.
const LONG_EACH: usize = 20_000;
const LONG: usize = 1 << 20;

/// A run of about so many events: turns in which the model loads skills and calls tools, with requests that grow until the
/// framework sums them up, texts in two languages, notes, and an answer that comes in pieces.
fn made_up_from(seed: u64, size: usize) -> Vec<Event> {
    let mut run = MadeUp::new(seed);
    let mut events = Vec::new();
    while let Some(some) = run.some(size) {
        events.extend(some);
    }
    events
}

struct MadeUp {
    /// Events that are not consumed yet.
    events: Vec<Event>,
    next: usize,
    /// The number of the event at which the user says more.
    next_turn: usize,
    is_over: bool,
    numbers: Numbers,
    messages: Vec<(Value, MessageOrigin)>,
    /// So many of them were in the last request.
    sent: usize,
    turn: u32,
    tools: Value,
}

impl MadeUp {
    fn new(seed: u64) -> Self {
        let tool = |name: &str| json!({ "type": "function", "function": { "name": name, "description": "Does a part of the work.", "parameters": { "type": "object" } } });
        let tools = ["load_skill", "read_skill_resource", "run_skill_script", "search", "write_file"].map(tool);
        let mut run = Self {
            events: Vec::new(),
            next: 0,
            next_turn: TURN,
            is_over: false,
            numbers: Numbers(seed),
            messages: Vec::new(),
            sent: 0,
            turn: 0,
            tools: json!(tools),
        };
        run.push(EventKind::Started { setup: setup("Do all of the work.") });
        let catalogue = run.text(4_000);
        run.say(Role::System, json!({ "role": "system", "content": catalogue }), &catalogue, Origin::Framework);
        let prompt = "Do all of the work.";
        run.say(Role::User, json!({ "role": "user", "content": prompt }), prompt, Origin::User);
        run
    }

    /// More events, as long as the run is shorter than that.
    fn some(&mut self, size: usize) -> Option<Vec<Event>> {
        while !self.is_over && self.events.len() < PIECE_OF_RUN {
            if self.next + 8 >= size {
                self.end();
                self.is_over = true;
            } else if self.next >= self.next_turn {
                self.next_turn += TURN;
                self.turn();
            } else {
                self.round();
            }
        }
        Some(std::mem::take(&mut self.events)).filter(|events| !events.is_empty())
    }

    fn push(&mut self, kind: EventKind) {
        let seq = u32::try_from(self.next).unwrap();
        self.next += 1;
        self.events.push(Event { seq, at: 1_700_000_000_000 + 40 * i64::from(seq), within: None, kind });
    }

    fn text(&mut self, bytes: usize) -> String {
        const WORDS: [&str; 12] = [
            "the ",
            "table ",
            "of ",
            "units\n",
            "换算",
            "公斤",
            "结果，",
            "reads ",
            "\"value\" ",
            "42 ",
            "script ",
            "路径/",
        ];
        let mut text = String::with_capacity(bytes + 16);
        while text.len() < bytes {
            text.push_str(WORDS[self.numbers.below(12) as usize]);
        }
        text
    }

    fn say(&mut self, role: Role, message: Value, text: &str, origin: Origin) {
        let marks = vec![OriginMark { span: Span::new(0, text.len()), origin }];
        let tokens = u32::try_from(text.len() / 4).unwrap();
        self.messages.push((message, MessageOrigin { role, marks, tokens }));
    }

    fn request(&mut self) {
        if self.messages.len() > MESSAGES {
            self.messages.truncate(1);
            self.sent = 1;
            let summary = self.text(3_000);
            self.say(Role::User, json!({ "role": "user", "content": summary }), &summary, Origin::Framework);
        }
        let messages: Vec<&Value> = self.messages.iter().map(|(message, _)| message).collect();
        let body = json!({ "model": "made-up", "messages": messages, "tools": self.tools, "stream": true }).to_string();
        let origins = self.messages[self.sent..].iter().map(|(_, origin)| origin.clone()).collect();
        let tokens = self.messages.iter().map(|(_, origin)| origin.tokens).sum();
        let kept = u32::try_from(self.sent).unwrap();
        self.sent = self.messages.len();
        let turn = self.turn;
        self.push(EventKind::Requested { turn, body, kept, origins, tokens, model: None, agents: Vec::new() });
    }

    fn answer(&mut self, text: &str, calls: &[ToolCall]) {
        let turn = self.turn;
        self.turn += 1;
        let parts = std::iter::once(Part::Text { text: text.to_owned() });
        let parts: Vec<Part> = parts.chain(calls.iter().cloned().map(Part::ToolCall)).collect();
        self.push(EventKind::Answered {
            turn,
            message: Message { role: Role::Assistant, parts },
            usage: Some(Usage { input: 900, output: 40, cached: 0, cache_written: 0 }),
            finish: if calls.is_empty() { FinishReason::Stop } else { FinishReason::ToolCalls },
            tokens: 40,
        });
        let calls: Vec<Value> = calls
            .iter()
            .map(|call| json!({ "id": call.id, "type": "function", "function": { "name": call.name, "arguments": call.arguments } }))
            .collect();
        self.say(
            Role::Assistant,
            json!({ "role": "assistant", "content": text, "tool_calls": calls }),
            text,
            Origin::User,
        );
    }

    /// A request, an answer with one or two calls, and what they come to.
    fn round(&mut self) {
        self.request();
        if self.numbers.below(4) == 0 {
            for _ in 0..2 {
                let (turn, text) = (self.turn, self.text(60));
                self.push(EventKind::Streamed { turn, text, reasoning: String::new() });
            }
        }
        let count = 1 + self.numbers.below(2);
        let calls: Vec<ToolCall> = (0..count)
            .map(|place| {
                let name = ["load_skill", "read_skill_resource", "search"][self.numbers.below(3) as usize];
                let text = self.text(80);
                ToolCall::new(
                    format!("call_{}_{place}", self.turn),
                    name.to_owned(),
                    json!({ "for": text }).to_string(),
                )
            })
            .collect();
        let said = self.text(120);
        let turn = self.turn;
        self.answer(&said, &calls);
        for call in &calls {
            let skill = format!("skill-{}", self.numbers.below(20));
            let disclosure = match call.name.as_str() {
                "load_skill" => Disclosure::Instructions { skill },
                _ => Disclosure::None,
            };
            self.push(EventKind::Called { turn, call: call.clone(), disclosure });
        }
        for call in &calls {
            let is_long = self.next % LONG_EACH > LONG_EACH - 6;
            let bytes = 200 + self.numbers.below(1_800) as usize;
            let text = self.text(if is_long { LONG } else { bytes });
            let result = ToolResult { call_id: call.id.clone(), text: text.clone(), wire: None, is_error: false };
            let tokens = u32::try_from(text.len() / 4).unwrap();
            self.push(EventKind::Replied {
                images: Vec::new(),
                documents: Vec::new(),
                call_id: result.call_id,
                text: result.text,
                wire: None,
                is_error: self.turn.is_multiple_of(97),
                tokens,
            });
            let origin = Origin::Tool { tool: call.name.clone() };
            self.say(Role::Tool, json!({ "role": "tool", "tool_call_id": call.id, "content": text }), &text, origin);
        }
    }

    /// The answer of a turn, and what the user says next.
    fn turn(&mut self) {
        self.end();
        let prompt = self.text(80);
        self.push(EventKind::Continued { setup: setup(&prompt) });
        self.say(Role::User, json!({ "role": "user", "content": prompt }), &prompt, Origin::User);
    }

    fn end(&mut self) {
        self.request();
        let text = self.text(600);
        self.answer(&text, &[]);
        self.push(EventKind::Ended { status: RunStatus::Done, error: None, zh: None, reached: None });
    }
}

fn setup(prompt: &str) -> RunSetup {
    RunSetup {
        harness: "agent-framework".into(),
        variant: "1.13".into(),
        model: "made-up".into(),
        prices: None,
        rehearsal: true,
        prompt: prompt.into(),
        images: Vec::new(),
        roots: Vec::new(),
        skills: (0..20).map(|skill| format!("skill-{skill}")).collect(),
        without: Vec::new(),
        folders: std::collections::BTreeMap::new(),
        working_directory: "/work".into(),
        tokenizer: tokens::TOKENIZER.into(),
        catalogue_tokens: 1_000,
        groups: Vec::new(),
        app_version: "0.1.0".into(),
        imported: None,
        forked: None,
        neutral: Vec::new(),
        fidelity: false,
    }
}
