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
/// Texts that are put before the instructions of an attack.
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
    let folder = std::env::args().skip(1).find(|argument| !argument.starts_with("--"));
    attacks();
    let Some(folder) = folder else { return };
    // `--fixes`: only the effect of fixes.
    let only_fixes = std::env::args().any(|argument| argument == "--fixes");
    if only_fixes {
        return tried(&folder);
    }
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
    tried(&folder);
}

/// Each fix that is offered, made in a copy of its skill: it must not bring a finding that weighs as much as the one it
/// mends, nor one that says that a framework leaves the skill out.
fn tried(folder: &str) {
    let mut counts: BTreeMap<(&str, Applicability), (usize, usize)> = BTreeMap::new();
    let mut harm = Vec::new();
    let linter = Linter::new(LintOptions::default());
    for entry in read("corpus.json").as_array().unwrap() {
        let root = Utf8Path::new(folder).join(entry["repository"].as_str().unwrap().replace('/', "+"));
        if !root.exists() {
            continue;
        }
        let set = skill::load(&[root]);
        for skill in skill::skills(&set).iter().filter(|skill| !skill.is_installed()) {
            let Some(copy) = Copy::of(skill) else { continue };
            let before = copy.found(&linter);
            for finding in before.iter().filter(|finding| finding.fix.is_some()) {
                let fix = finding.fix.as_ref().unwrap();
                let count = counts.entry((finding.rule.id, fix.applicability)).or_default();
                count.0 += 1;
                let Some(after) = copy.after(&fix.edits, &linter) else { continue };
                if let Some(rule) = worse(&before, &after, finding.severity) {
                    count.1 += 1;
                    harm.push(format!("{} in {} brings {rule}", finding.rule.id, skill.path));
                }
            }
        }
    }
    println!("\n| fixes of | applicability | tried | bring a finding |\n|---|---|---|---|");
    for ((rule, applicability), (tried, bad)) in counts {
        println!("| {rule} | {applicability:?} | {tried} | {bad} |");
    }
    harm.iter().take(MOST).for_each(|one| println!("\n{one}"));
}

/// A rule that says more than before, with findings that weigh `least` or more, or of which a framework leaves the skill out.
fn worse(before: &[Finding], after: &[Finding], least: Severity) -> Option<&'static str> {
    let counts = |findings: &[Finding]| {
        let mut counts: BTreeMap<&'static str, usize> = BTreeMap::new();
        let counted = findings.iter().filter(|found| found.severity >= least || found.rule.id == "loader-would-skip");
        counted.for_each(|found| *counts.entry(found.rule.id).or_default() += 1);
        counts
    };
    let before = counts(before);
    counts(after).into_iter().find(|(rule, found)| found > before.get(rule).unwrap_or(&0)).map(|(rule, _)| rule)
}

/// A copy of a skill in a writable folder.
struct Copy {
    _home: tempfile::TempDir,
    root: Utf8PathBuf,
}

impl Copy {
    /// `None` for a skill that is too large to copy.
    fn of(skill: &skill::Skill) -> Option<Self> {
        const LARGEST: u64 = 20 << 20;
        if skill.files.iter().map(|file| file.size).sum::<u64>() > LARGEST {
            return None;
        }
        let home = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::try_from(home.path().canonicalize().unwrap()).unwrap().join("skills");
        for file in skill.files.iter().filter(|file| !file.outside) {
            let place = root.join(skill.path.file_name()?).join(&file.name);
            std::fs::create_dir_all(place.parent()?).unwrap();
            std::fs::copy(&file.path, place).ok()?;
        }
        Some(Self { _home: home, root })
    }

    fn found(&self, linter: &Linter) -> Vec<Finding> {
        let set = skill::load(std::slice::from_ref(&self.root));
        skill::skills(&set).iter().flat_map(|skill| linter.one(skill, &Disk)).collect()
    }

    /// The findings after edits, which are undone then. `None`: a file is not text.
    fn after(&self, edits: &[lint::Edit], linter: &Linter) -> Option<Vec<Finding>> {
        let mut old: BTreeMap<&Utf8Path, String> = BTreeMap::new();
        for edit in edits {
            if !old.contains_key(&*edit.path) {
                old.insert(&edit.path, std::fs::read_to_string(&edit.path).ok()?);
            }
        }
        for (path, text) in &old {
            let mut mine: Vec<&lint::Edit> = edits.iter().filter(|edit| edit.path == *path).collect();
            mine.sort_by_key(|edit| std::cmp::Reverse(edit.span.start));
            let mut text = text.clone();
            mine.iter().for_each(|edit| text.replace_range(edit.span.start..edit.span.end, &edit.text));
            std::fs::write(path, text).unwrap();
        }
        let found = self.found(linter);
        old.iter().for_each(|(path, text)| std::fs::write(path, text).unwrap());
        Some(found)
    }
}

fn read(name: &str) -> Value {
    let path = Utf8Path::new(env!("CARGO_MANIFEST_DIR")).join("precision").join(name);
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// The findings in a folder, and how many skills there are.
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
