//! `cargo xtask bench lint`: the linter compared with agnix: whole processes on the same generated skills, one after
//! the other; then the cost inside of the process. With a folder, only whole processes on the skills in it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{PYTHON, median, output};
use crate::{cargo, command, must, root, target};

/// Numbers of skills.
const SIZES: [usize; 4] = [1, 100, 1_000, 10_000];
/// Runs of each program on each; the median counts.
const TIMES: usize = 3;
const PEER_NAME: &str = "agnix";
/// The fastest peer, in the version that figures are given for.
const PEER: &str = "agnix==0.59.3";
/// Rules of that version that can say something about a folder of skills; the others are about other files.
const PEER_RULES: u64 = 83;

/// Groups of rules that are left out, first none: those that parse code, then those that compare prose, then those that
/// follow links and count tokens. What is left has at least twice as many rules on as the peer.
const LEFT_OUT: [&[&str]; 4] = [
    &[],
    &["--ignore", "scripts"],
    &["--ignore", "scripts,instructions"],
    &["--ignore", "scripts,instructions,links,budget"],
];

/// `folder`: of real skills.
pub fn lint(folder: Option<&str>) -> Result<(), String> {
    must(cargo(&["build", "--quiet", "--release", "-p", "skillbench"]))?;
    if let Some(folder) = folder {
        let folder = fs::canonicalize(folder).map_err(|error| format!("{folder}: {error}"))?;
        let home = Folder(std::env::temp_dir().join(format!("skillbench-bench-{}", std::process::id())));
        let peer = peer().map_err(|reason| println!("Without a peer: {reason}.\n")).ok();
        heading();
        return compare(None, &folder, peer.as_deref(), &home.0);
    }
    must(inside(&["--no-run"]))?;
    // Below `target` they would be passed over: the peer heeds `.gitignore`.
    let skills = Folder(std::env::temp_dir().join(format!("skillbench-bench-{}", std::process::id())));
    let peer = peer().map_err(|reason| println!("Without a peer: {reason}.\n")).ok();
    heading();
    for size in SIZES {
        let folder = skills.0.join(size.to_string());
        must(inside(&["--", "corpus", &folder.to_string_lossy(), &size.to_string()]))?;
        compare(Some(size), &folder, peer.as_deref(), &skills.0.join("home"))?;
    }
    println!();
    must(inside(&[]))
}

fn heading() {
    println!("| skills | program | rules | skills/s | wall s | user s | system s | peak MiB | ratio |");
    println!("|---|---|---|---|---|---|---|---|---|");
}

/// The folder of made-up skills; it goes when the benchmark ends.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        // If this fails, the folder stays among the system's temporary files.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// What one run of a program took.
#[derive(Clone, Copy)]
struct Cost {
    wall: f64,
    user: f64,
    system: f64,
    /// In KiB.
    memory: f64,
}

/// A program with some of its rules, and what its runs took.
struct Way<'a> {
    name: &'static str,
    program: PathBuf,
    arguments: Vec<&'a str>,
    rules: u64,
    costs: Vec<Cost>,
}

impl Way<'_> {
    fn median(&self, part: fn(&Cost) -> f64) -> f64 {
        median(self.costs.iter().map(part).collect())
    }
}

/// `size`: how many made-up skills there are; `None`: real ones, however many. `home`: where our program keeps what it found.
fn compare(size: Option<usize>, folder: &Path, peer: Option<&Path>, home: &Path) -> Result<(), String> {
    let folder = folder.to_string_lossy();
    let mut ways = Vec::new();
    let lint = ["lint", &folder, "--format", "json"];
    let counts = counts(&lint, home)?;
    let left_out = if size.is_some() { &LEFT_OUT[..] } else { &LEFT_OUT[..1] };
    let size = size.unwrap_or(counts.skills);
    for left_out in left_out {
        let arguments = [&lint[..], &["--no-cache"], left_out].concat();
        let rules = self::counts(&arguments, home)?.rules;
        ways.push(Way { name: "skillbench", program: ours(), arguments, rules, costs: Vec::new() });
    }
    // The first look was the count above.
    let (arguments, rules) = (lint.to_vec(), counts.rules);
    ways.push(Way { name: "skillbench, a second look", program: ours(), arguments, rules, costs: Vec::new() });
    let of_peer = peer.map(|program| Way {
        name: PEER_NAME,
        program: program.to_owned(),
        arguments: vec!["--max-files", "0", "--format", "json", &folder],
        rules: PEER_RULES,
        costs: Vec::new(),
    });
    ways.extend(of_peer);
    for _ in 0..TIMES {
        for way in &mut ways {
            way.costs.push(measure(&way.program, &way.arguments, home)?);
        }
    }
    let peer = ways.iter().find(|way| way.name == PEER_NAME).map(|way| way.median(|cost| cost.wall));
    for way in &ways {
        let (wall, memory) = (way.median(|cost| cost.wall), way.median(|cost| cost.memory) / 1024.0);
        let (user, system) = (way.median(|cost| cost.user), way.median(|cost| cost.system));
        let (name, rules, each) = (way.name, way.rules, size as f64 / wall);
        let ratio = peer.map_or_else(String::new, |peer| format!("{:.1}", peer / wall));
        println!(
            "| {size} | {name} | {rules} | {each:.0} | {wall:.3} | {user:.2} | {system:.2} | {memory:.0} | {ratio} |"
        );
    }
    Ok(())
}

/// What the answer says about how much was checked.
struct Counts {
    skills: usize,
    rules: u64,
}

fn counts(arguments: &[&str], home: &Path) -> Result<Counts, String> {
    // It exits with 1 if it finds errors.
    let answer = command(ours(), arguments).env(HOME, home).output().map_err(|error| error.to_string())?;
    let answer = String::from_utf8_lossy(&answer.stdout);
    let count = |name: &str| {
        let count = answer.split_once(&format!("\"{name}\":")).map(|(_, rest)| rest.trim_start());
        let digits = count.and_then(|rest| rest.split(|letter: char| !letter.is_ascii_digit()).next());
        let count = digits.and_then(|digits| digits.parse::<u64>().ok());
        count.ok_or_else(|| format!("the answer of `skillbench lint` does not say how many {name} there are"))
    };
    let skills = usize::try_from(count("skills")?).map_err(|error| error.to_string())?;
    Ok(Counts { skills, rules: count("rules")? })
}

/// Names the folder of all that our program keeps.
const HOME: &str = "SKILL_WORKBENCH_HOME";

/// Of the process alone, as the system counts it.
const MEASURE: &str = "\
import os, sys, time
null = os.open(os.devnull, os.O_WRONLY)
start = time.monotonic()
child = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ,
    file_actions=[(os.POSIX_SPAWN_DUP2, null, 1), (os.POSIX_SPAWN_DUP2, null, 2)])
_, status, used = os.wait4(child, 0)
wall = time.monotonic() - start
print(os.waitstatus_to_exitcode(status), wall, used.ru_utime, used.ru_stime, used.ru_maxrss)
";

fn measure(program: &Path, arguments: &[&str], home: &Path) -> Result<Cost, String> {
    let mut python = Command::new(PYTHON);
    python.env(HOME, home);
    python.args(["-c", MEASURE]).arg(program).args(arguments);
    let text = output(python)?;
    let figures: Vec<f64> = text.split_whitespace().filter_map(|figure| figure.parse().ok()).collect();
    match figures[..] {
        // Both exit with 1 if they find errors, and there are some.
        [code, wall, user, system, memory] if (0.0..=1.0).contains(&code) => Ok(Cost { wall, user, system, memory }),
        _ => Err(format!("{} {} went wrong: {text}", program.display(), arguments.join(" "))),
    }
}

/// The peer's program, installed below `target` by its first use.
fn peer() -> Result<PathBuf, String> {
    let home = root().join("target/bench/agnix");
    let program = home.join("bin/agnix");
    if !program.is_file() {
        output(command(PYTHON, &["-m", "venv", &home.to_string_lossy()]))?;
        output(command(home.join("bin/pip"), &["install", "--quiet", PEER]))?;
    }
    Ok(program)
}

fn ours() -> PathBuf {
    target().join("release").join(format!("skillbench{}", std::env::consts::EXE_SUFFIX))
}

/// The benchmark that runs inside of a process.
fn inside(arguments: &[&str]) -> Command {
    let mut all = vec!["bench", "--quiet", "-p", "skillbench-tests", "--bench", "lint"];
    all.extend(arguments);
    cargo(&all)
}
