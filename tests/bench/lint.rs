//! What linting costs inside of the process: a key stroke, one skill, many, and which rules it is that cost. `cargo
//! xtask bench lint` runs it next to the whole program; `docs/benchmarks.md` keeps what both printed.
//!
//! `corpus FOLDER N` writes N made-up skills; `all FOLDER` lints a folder once; `shapes BYTES [NAME…]` times skills of
//! bad shapes.
#![expect(clippy::unwrap_used, reason = "a benchmark that cannot go on may panic")]

mod corpus;

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use camino::{Utf8Path, Utf8PathBuf};
use lint::{Check, Disk, Files, LintOptions, Linter, Report, Rule, Subject, SubjectSet};
use skill::source::SourceText;
use skill::{Manifest, Skill};
use skillbench_tests::shapes;

const TIMES: usize = 20;
const SKILLS: usize = 1000;
/// Rules of the ranking that are shown.
const COSTLIEST: usize = 15;
/// What a key stroke in a `SKILL.md` of 50 KB may cost.
const KEY_STROKE: Duration = Duration::from_millis(30);

fn main() {
    // Cargo adds `--bench`.
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    if let [command, folder, skills] = arguments.as_slice()
        && command == "corpus"
    {
        corpus::write(Utf8Path::new(folder), skills.parse().unwrap()).unwrap();
        return;
    }
    if let [command, folder] = arguments.as_slice()
        && command == "all"
    {
        return all(Utf8Path::new(folder));
    }
    if let [command, bytes, of @ ..] = arguments.as_slice()
        && command == "shapes"
    {
        shapes(bytes.parse().unwrap(), of);
        return;
    }
    let home = tempfile::tempdir().unwrap();
    let root = Utf8PathBuf::try_from(home.path().canonicalize().unwrap()).unwrap();
    corpus::write(&root, SKILLS).unwrap();
    println!("| wait | least ms | median ms | most ms |\n|---|---|---|---|");
    start();
    one_skill(&root);
    key_stroke(&root);
    many_skills(&root);
    println!();
    ranking(&root);
}

/// For profilers.
fn all(root: &Utf8Path) {
    let start = Instant::now();
    let sweep = Linter::new(LintOptions::default()).sweep(&skill::survey(&[root.to_owned()]), &Disk, |found, _| found);
    println!("{} skills, {} findings in {:?}", sweep.skills, sweep.findings.len(), start.elapsed());
}

/// How long the shapes with one of these texts in their names take, and how long twice as much of them takes.
fn shapes(bytes: usize, of: &[String]) {
    let home = tempfile::tempdir().unwrap();
    let root = Utf8PathBuf::try_from(home.path().canonicalize().unwrap()).unwrap();
    let linter = Linter::new(LintOptions::default());
    let is_meant = |name: &str| of.is_empty() || of.iter().any(|part| name.contains(part.as_str()));
    println!("| shape of {} and {} KB | ms | ms | ratio |\n|---|---|---|---|", bytes / 2 / 1000, bytes / 1000);
    for (half, whole) in shapes::all(bytes / 2).into_iter().zip(shapes::all(bytes)) {
        if is_meant(&whole.name) {
            let (half, time) = (half.time(&linter, &root).as_secs_f64(), whole.time(&linter, &root).as_secs_f64());
            println!("| {} | {:.0} | {:.0} | {:.1} |", whole.name, half * 1000.0, time * 1000.0, time / half);
        }
    }
}

fn show(what: &str, times: &[Duration]) -> Duration {
    let mut times = times.to_vec();
    times.sort();
    let milliseconds = |time: Duration| time.as_secs_f64() * 1000.0;
    let (low, middle, high) = (times[0], times[times.len() / 2], times[times.len() - 1]);
    println!("| {what} | {:.1} | {:.1} | {:.1} |", milliseconds(low), milliseconds(middle), milliseconds(high));
    middle
}

fn timed<T>(times: usize, mut work: impl FnMut() -> T) -> Vec<Duration> {
    let once = || {
        let start = Instant::now();
        std::hint::black_box(work());
        start.elapsed()
    };
    std::iter::repeat_with(once).take(times).collect()
}

fn start() {
    show("the rules made ready", &timed(TIMES, || Linter::new(LintOptions::default())));
}

fn one_skill(root: &Utf8Path) {
    let folder = root.read_dir_utf8().unwrap().map(|entry| entry.unwrap().into_path()).min().unwrap();
    let look = || {
        let set = skill::load(std::slice::from_ref(&folder));
        Linter::new(LintOptions::default()).all(&set, &skill::skills(&set), &Disk)
    };
    show("one skill, read and linted", &timed(TIMES, look));
}

fn key_stroke(root: &Utf8Path) {
    let set = skill::load(&[root.to_owned()]);
    let skill = skill::skills(&set).swap_remove(0);
    let (linter, files) = (Linter::new(LintOptions::default()), Cached::default());
    let mut text = corpus::manifest(50_000);
    let size = text.len() / 1000;
    let look = || {
        text.push('x');
        let source = SourceText::of_text(skill.manifest.source.path.clone(), text.clone());
        let manifest = Manifest::parse(Arc::new(source));
        let edited = Skill { problems: manifest.problems.clone(), manifest, ..skill.clone() };
        linter.one(&edited, &files)
    };
    let median = show(&format!("findings after a key stroke, SKILL.md of {size} KB"), &timed(TIMES, look));
    assert!(median < KEY_STROKE, "it must take less than {KEY_STROKE:?}");
}

fn many_skills(root: &Utf8Path) {
    let linter = Linter::new(LintOptions::default());
    show(&format!("{SKILLS} skills read"), &timed(5, || skill::skills(&skill::load(&[root.to_owned()]))));
    let sweep = || linter.sweep(&skill::survey(&[root.to_owned()]), &Disk, |found, _| found);
    show(&format!("{SKILLS} skills read and linted, on all cores"), &timed(5, sweep));
}

/// What each rule costs by itself, without the shared analysis.
fn ranking(root: &Utf8Path) {
    let set = skill::load(&[root.to_owned()]);
    let skills = skill::skills(&set);
    let options = LintOptions::default();
    let on: Vec<&'static Rule> = lint::rules().filter(|rule| options.severity(rule).is_some()).collect();
    let mut costs = Costs::default();
    let of_patterns = on.iter().filter(|rule| rule.patterns().is_some());
    let select = of_patterns.map(|rule| rule.id.to_owned()).collect();
    let patterns = Linter::new(LintOptions { select, ..LintOptions::default() });
    let mut findings = Vec::new();
    let files = Cached::default();
    for skill in &skills {
        files.forget();
        costs.spend("(files read)", || skill.files.iter().filter_map(|file| files.text(&file.path)).count());
        let subject = Subject::new(skill, &options, &files);
        costs.spend("(SKILL.md as Markdown)", || subject.markdown().blocks.len());
        costs.spend("(references)", || subject.references().pages.len());
        costs.spend("(scripts and commands)", || subject.code().scripts.len());
        costs.spend("(what frameworks make of it)", || subject.loads().count());
        for rule in &on {
            if let Check::Skill(check) = rule.check {
                costs.spend(rule.id, || check(&subject, &mut Report::new(rule, rule.severity, &mut findings)));
            }
        }
        costs.spend("(all patterns, and comments)", || patterns.one(skill, &files));
    }
    let subjects = SubjectSet::new(&set, &skills, &options, &Disk);
    for rule in &on {
        if let Check::Set(check) = rule.check {
            costs.spend(rule.id, || check(&subjects, &mut Report::new(rule, rule.severity, &mut findings)));
        }
    }
    let all: Duration = costs.0.values().sum();
    let mut costs: Vec<(&str, Duration)> = costs.0.into_iter().collect();
    costs.sort_by_key(|(_, cost)| std::cmp::Reverse(*cost));
    println!("{} rules on; {SKILLS} skills on one core take {:.2} s.\n", on.len(), all.as_secs_f64());
    println!("| what it is spent on | µs a skill | % |\n|---|---|---|");
    for (what, cost) in costs.iter().take(COSTLIEST) {
        let (cost, all) = (cost.as_secs_f64(), all.as_secs_f64());
        println!("| {what} | {:.0} | {:.1} |", cost * 1e6 / SKILLS as f64, cost * 100.0 / all);
    }
}

/// By what they are spent on.
#[derive(Default)]
struct Costs(BTreeMap<&'static str, Duration>);

impl Costs {
    fn spend<T>(&mut self, what: &'static str, work: impl FnOnce() -> T) {
        let start = Instant::now();
        std::hint::black_box(work());
        *self.0.entry(what).or_default() += start.elapsed();
    }
}

/// Files of the disk, each read once.
#[derive(Default)]
struct Cached {
    texts: Mutex<HashMap<Utf8PathBuf, Option<Arc<SourceText>>>>,
}

impl Cached {
    fn forget(&self) {
        self.texts.lock().unwrap().clear();
    }
}

impl Files for Cached {
    fn text(&self, path: &Utf8Path) -> Option<Arc<SourceText>> {
        let mut texts = self.texts.lock().unwrap();
        texts.entry(path.to_owned()).or_insert_with(|| Disk.text(path)).clone()
    }

    fn start(&self, path: &Utf8Path) -> Option<Vec<u8>> {
        Disk.start(path)
    }

    fn open(&self, path: &Utf8Path) -> Option<std::fs::File> {
        Disk.open(path)
    }

    fn exists(&self, path: &Utf8Path) -> bool {
        Disk.exists(path)
    }

    fn is_executable(&self, path: &Utf8Path) -> bool {
        Disk.is_executable(path)
    }
}
