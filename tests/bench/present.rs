//! `cargo xtask bench present`: what it costs to present 1,000 skills under every framework and client. The skills are those
//! of the linter's benchmark, written to disk and read once. Timed is, for each harness in its default variant, what it makes
//! of skills that are loaded: first `select` (which skills, in which order, why not the rest), then, on its own, `present` and
//! the messages before the first prompt: instructions, the list of skills wherever the harness has it, and tools. Neither
//! reading from disk nor counting tokens is in it. Ids of harnesses as arguments: these alone.
#![expect(clippy::unwrap_used, reason = "a benchmark that cannot go on may panic")]

#[expect(dead_code, reason = "what the benchmark of the linter needs of it")]
mod corpus;

use std::hint::black_box;
use std::time::{Duration, Instant};

use camino::Utf8PathBuf;
use harness::{Catalog, Harness, Options, Session};
use model::Message;

const SKILLS: usize = 1_000;
/// How often each is presented, and before that selected, which takes seconds without optimisation.
const TIMES: usize = 20;
const SELECTIONS: usize = if cfg!(debug_assertions) { 2 } else { TIMES };
/// All harnesses together, in a release build.
const GATE: Duration = Duration::from_millis(100);

fn main() {
    let home = tempfile::tempdir().unwrap();
    let root = Utf8PathBuf::try_from(home.path().canonicalize().unwrap()).unwrap().join("skills");
    corpus::write(&root, SKILLS).unwrap();
    let start = Instant::now();
    let found = skill::load(&[root]);
    println!("{SKILLS} skills read in {:.0} ms.\n", milliseconds(start.elapsed()));
    println!("| framework | skills | KB | select: least ms | median ms | present: least ms | median ms | most ms |");
    println!("|---|---|---|---|---|---|---|---|");
    let options = Options::default();
    let wanted: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    let is_wanted = |id: &str| wanted.is_empty() || wanted.iter().any(|wanted| wanted == id);
    let mut all = (vec![Duration::ZERO; SELECTIONS], vec![Duration::ZERO; TIMES]);
    for harness in harness::all().iter().filter(|harness| is_wanted(harness.profile().id)) {
        let (catalog, selected) = timed(SELECTIONS, || harness.select(&found, &options));
        let (bytes, presented) = timed(TIMES, || present(*harness, &catalog));
        // A harness that refuses everything would be fast.
        assert!(catalog.skills.len() > SKILLS * 9 / 10, "{}: {:?}", harness.profile().id, catalog.refused);
        add(&mut all.0, &selected);
        add(&mut all.1, &presented);
        row(harness.profile().id, &catalog.skills.len().to_string(), bytes, selected, presented);
    }
    let (selected, presented) = all;
    let median = middle(presented.clone());
    row("all together", "", 0, selected, presented);
    let holds = if median < GATE { "held" } else { "not held" };
    println!("\nThe gate, all presented in {} ms in a release build, is {holds}.", GATE.as_millis());
    assert!(median < GATE || cfg!(debug_assertions), "presenting must take less than {GATE:?}");
}

/// The last result, and how long each time took.
fn timed<T>(times: usize, mut what: impl FnMut() -> T) -> (T, Vec<Duration>) {
    let mut took = Vec::new();
    loop {
        let start = Instant::now();
        let made = what();
        took.push(start.elapsed());
        if took.len() == times {
            return (made, took);
        }
    }
}

fn add(sums: &mut [Duration], times: &[Duration]) {
    sums.iter_mut().zip(times).for_each(|(sum, time)| *sum += *time);
}

/// Bytes of all that the model is shown before the first answer.
fn present(harness: &dyn Harness, catalog: &Catalog) -> usize {
    let mut session = Session { working_directory: Some("/project".into()), ..Session::default() };
    let presentation = harness.present(catalog, &session);
    let prompt = Message::user("How many pounds is 1 kilogram?");
    let mut history: Vec<Message> = presentation.system().into_iter().chain([prompt]).collect();
    black_box(harness.before_request(&mut history, None, catalog, &mut session));
    let tools = presentation.tools.iter().map(|tool| &tool.definition);
    let tools: usize =
        tools.map(|tool| tool.name.len() + tool.description.len() + tool.parameters.to_string().len()).sum();
    tools + history.iter().map(|message| message.text().len()).sum::<usize>()
}

fn row(id: &str, skills: &str, bytes: usize, selected: Vec<Duration>, presented: Vec<Duration>) {
    let size = if bytes == 0 { String::new() } else { (bytes / 1000).to_string() };
    let least = |times: &[Duration]| milliseconds(times.iter().min().copied().unwrap_or_default());
    let most = milliseconds(presented.iter().max().copied().unwrap_or_default());
    let (select, present) = (least(&selected), least(&presented));
    let (selects, presents) = (milliseconds(middle(selected)), milliseconds(middle(presented)));
    println!("| {id} | {skills} | {size} | {select:.1} | {selects:.1} | {present:.1} | {presents:.1} | {most:.1} |");
}

fn middle(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}
