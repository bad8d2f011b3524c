//! How often the linter is right, on checkouts of real repositories: see `README.md`. `cargo xtask precision FOLDER`.
#![expect(clippy::unwrap_used, reason = "a measurement that cannot go on may panic")]

use std::collections::{BTreeMap, BTreeSet};

use camino::{Utf8Path, Utf8PathBuf};
use lint::{Applicability, Disk, Finding, Group, LintOptions, Linter};
use serde_json::Value;
use skill::Severity;

/// Rules that are shown.
const MOST: usize = 40;
/// Lines that a finding may have moved by since it was judged.
const NEAR: u64 = 2;
/// What is put before the instructions of an attack.
const EXCUSES: [(&str, &str); 3] = [
    ("as written", ""),
    ("below a heading", "## Warnings\n\n"),
    ("below a sentence", "Nothing here is malicious.\n\n"),
];

/// A finding, as far as it is compared.
struct Found {
    repository: String,
    file: String,
    line: u64,
    rule: &'static str,
    severity: Severity,
    group: Group,
    fix: Option<Applicability>,
}

/// Sums of some repositories.
#[derive(Default)]
struct Sums {
    skills: usize,
    found: Vec<Found>,
}

fn main() {
    // Cargo adds `--bench`.
    let folder = std::env::args().skip(1).find(|argument| argument != "--bench");
    attacks();
    let Some(folder) = folder else { return };
    let (mut tuned, mut kept) = (Sums::default(), Sums::default());
    for entry in read("corpus.json").as_array().unwrap() {
        let name = entry["repository"].as_str().unwrap();
        let root = Utf8Path::new(&folder).join(name.replace('/', "+"));
        if !root.exists() {
            println!("{name} is missing");
            continue;
        }
        let sums = if entry["keptBack"].as_bool().unwrap() { &mut kept } else { &mut tuned };
        sums.add(name, &root);
    }
    println!(
        "| repositories | skills | findings a skill | skills with an error | with a warning of security |\n|---|---|---|---|---|"
    );
    tuned.print("tuned on");
    kept.print("kept back");
    fixes(&tuned, &kept);
    for (title, sums) in [("tuned on", &tuned), ("kept back", &kept)] {
        judged(title, sums);
    }
    rules(&tuned, &kept);
}

fn read(name: &str) -> Value {
    let path = Utf8Path::new(env!("CARGO_MANIFEST_DIR")).join("precision").join(name);
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// What is found in a folder, with the folder of the skill, and how many skills there are.
fn look(root: &Utf8Path) -> (usize, Vec<(Finding, u64)>) {
    let placed = |found: Vec<Finding>, files: &dyn lint::Files| {
        let line = |finding: &Finding| {
            let text = files.text(&finding.path)?;
            let before = text.text.get(..finding.span?.start)?;
            u64::try_from(before.matches('\n').count() + 1).ok()
        };
        found.into_iter().map(|finding| (line(&finding).unwrap_or_default(), finding)).map(|(a, b)| (b, a)).collect()
    };
    let sweep = Linter::new(LintOptions::default()).sweep(&skill::survey(&[root.to_owned()]), &Disk, placed);
    (sweep.skills, sweep.findings)
}

impl Sums {
    fn add(&mut self, repository: &str, root: &Utf8Path) {
        let root = root.canonicalize_utf8().unwrap();
        let (skills, found) = look(&root);
        self.skills += skills;
        self.found.extend(found.into_iter().map(|(finding, line)| Found {
            repository: repository.to_owned(),
            file: finding.path.strip_prefix(&root).unwrap_or(&finding.path).to_string(),
            line,
            rule: finding.rule.id,
            severity: finding.severity,
            group: finding.rule.group,
            fix: finding.fix.map(|fix| fix.applicability),
        }));
    }

    fn print(&self, title: &str) {
        let share = |count: usize| percent(count, self.skills);
        let folders = |fits: &dyn Fn(&Found) -> bool| {
            let found = self.found.iter().filter(|found| fits(found));
            let folder = |found: &Found| Utf8PathBuf::from(&found.file).parent().map(Utf8Path::to_path_buf);
            found.map(|found| (found.repository.as_str(), folder(found))).collect::<BTreeSet<_>>().len()
        };
        let errors = folders(&|found| found.severity == Severity::Error);
        let security = folders(&|found| found.group == Group::Security && found.severity >= Severity::Warning);
        let each = if self.skills == 0 { 0.0 } else { ratio(self.found.len(), self.skills) };
        println!("| {title} | {} | {each:.2} | {} | {} |", self.skills, share(errors), share(security));
    }
}

/// How many findings have a fix, by what they weigh.
fn fixes(tuned: &Sums, kept: &Sums) {
    println!("\n| weighs | findings | with a fix | with a safe one |\n|---|---|---|---|");
    let all = || tuned.found.iter().chain(&kept.found);
    for severity in [Severity::Error, Severity::Warning, Severity::Info] {
        let found = all().filter(|found| found.severity == severity).map(|found| found.fix);
        row(&format!("{severity:?}").to_lowercase(), &found.collect::<Vec<_>>());
    }
    row("all", &all().map(|found| found.fix).collect::<Vec<_>>());
}

fn row(title: &str, fixes: &[Option<Applicability>]) {
    let any = fixes.iter().filter(|fix| fix.is_some()).count();
    let safe = fixes.iter().filter(|fix| **fix == Some(Applicability::Safe)).count();
    println!("| {title} | {} | {} | {} |", fixes.len(), percent(any, fixes.len()), percent(safe, fixes.len()));
}

/// How many of the judged findings are still reported. What `judged.json` says of it otherwise is named.
fn judged(title: &str, sums: &Sums) {
    println!("\n| {title}: verdict | judged | still reported |\n|---|---|---|");
    let mut counts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut by_severity: BTreeMap<Severity, (usize, usize)> = BTreeMap::new();
    let looked: BTreeSet<&str> = sums.found.iter().map(|found| found.repository.as_str()).collect();
    let mut changed = Vec::new();
    for one in read("judged.json").as_array().unwrap() {
        let text = |key: &str| one[key].as_str().unwrap_or_default();
        if !looked.contains(text("repository")) {
            continue;
        }
        let line = one["line"].as_u64();
        let is_same = |found: &&Found| {
            found.repository == text("repository")
                && found.rule == text("rule")
                && found.file.starts_with(text("file"))
                && line.is_none_or(|line| found.line == 0 || found.line.abs_diff(line) <= NEAR)
        };
        let found = sums.found.iter().find(is_same);
        let count = counts.entry(text("verdict").to_owned()).or_default();
        count.0 += 1;
        count.1 += usize::from(found.is_some());
        if let Some(found) = found {
            let weighs = by_severity.entry(found.severity).or_default();
            weighs.0 += usize::from(text("verdict") == USEFUL);
            weighs.1 += 1;
        }
        if one["reported"].as_bool() != Some(found.is_some()) {
            changed.push(format!("{} in {}/{}", text("rule"), text("repository"), text("file")));
        }
    }
    let reported: usize = counts.values().map(|(_, still)| still).sum();
    let useful = counts.get(USEFUL).map_or(0, |(_, still)| *still);
    counts.iter().for_each(|(verdict, (all, still))| println!("| {verdict} | {all} | {still} |"));
    println!("\nOf those still reported {} are true and useful;", percent(useful, reported));
    for (severity, (useful, all)) in by_severity.iter().rev() {
        println!("{} of {all} that weigh {severity:?}.", percent(*useful, *all));
    }
    if !changed.is_empty() {
        println!("\n`reported` in judged.json is out of date for {}", changed.join(", "));
    }
}

const USEFUL: &str = "true and useful";

fn rules(tuned: &Sums, kept: &Sums) {
    let mut counts: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    for (place, sums) in [tuned, kept].into_iter().enumerate() {
        sums.found.iter().for_each(|found| counts.entry(found.rule).or_default()[place] += 1);
    }
    let mut counts: Vec<(&str, [usize; 2])> = counts.into_iter().collect();
    counts.sort_by_key(|(_, [tuned, kept])| std::cmp::Reverse(tuned + kept));
    println!("\n| rule | tuned on | kept back |\n|---|---|---|");
    counts.iter().take(MOST).for_each(|(rule, [tuned, kept])| println!("| {rule} | {tuned} | {kept} |"));
}

/// How many of the made-up attacks are found.
fn attacks() {
    let all = read("attacks.json");
    let all = all.as_object().unwrap();
    println!("| attacks | found |\n|---|---|");
    for (title, excuse) in EXCUSES {
        let home = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::try_from(home.path().canonicalize().unwrap()).unwrap().join("skills");
        for (name, files) in all {
            for (path, text) in files.as_object().unwrap() {
                let place = root.join(name).join(path);
                std::fs::create_dir_all(place.parent().unwrap()).unwrap();
                let text = text.as_str().unwrap();
                let text = if path == "SKILL.md" {
                    text.replacen("\n---\n", &format!("\n---\n{excuse}"), 1)
                } else {
                    text.to_owned()
                };
                std::fs::write(place, text).unwrap();
            }
        }
        let (_, found) = look(&root);
        let heavy = found
            .iter()
            .map(|(finding, _)| finding)
            .filter(|finding| finding.rule.group == Group::Security && finding.severity >= Severity::Warning);
        let of = |finding: &Finding| finding.path.strip_prefix(&root).ok()?.iter().next().map(str::to_owned);
        let named: BTreeSet<String> = heavy.filter_map(of).collect();
        println!("| {title} | {} of {} |", named.len(), all.len());
        let missed: Vec<&str> = all.keys().map(String::as_str).filter(|name| !named.contains(*name)).collect();
        if excuse.is_empty() && !missed.is_empty() {
            println!("| missed | {} |", missed.join(", "));
        }
    }
    println!();
}

#[expect(clippy::cast_precision_loss, reason = "shown with two digits")]
fn ratio(part: usize, whole: usize) -> f64 {
    part as f64 / whole.max(1) as f64
}

fn percent(part: usize, whole: usize) -> String {
    format!("{:.1} %", ratio(part, whole) * 100.0)
}
